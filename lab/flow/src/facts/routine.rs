//! What is known at each place of one routine, and what it gives to others.

use super::behind::{Behind, at_end};
use super::by_place::ByPlace;
use super::edges::Edges;
use super::features::Facts;
use super::indexed::Indexed;
use super::jumped::Registers;
use super::notes::{Note, Noted, Notes};
use super::objects::Part;
use super::oracle::Oracle;
use super::state::{Join, State};
use super::step::{Arguments, Step};
use super::suppose::Suppose;
use super::value::{Kind, Value};
use crate::entered::{Coming, Entered, Room};
use crate::graph::{Bits, Flow};
use crate::order::Queue;
use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, Mnemonic};
use karat_binary::numbers::{NumberMap, NumberSet};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Instructions of a routine whose result is told with the arguments that it goes by, at most.
const GIVING: usize = 60;
/// Times a block is looked at before what changes in it is followed by bits only, and then
/// given up. However many ways lead there, what they bring is joined before it is looked at.
const LATE: u16 = 6;
const LATER: u16 = 20;
/// Blocks of a routine that is followed for so long, at most: one that only fills a word.
const FEW: usize = 400;
/// The same where nobody goes by what the routine tells: in a kernel's loops pointers and
/// counters change at every round, and no flag does.
const LATE_IN_OTHERS: u16 = 1;
/// Instructions of a routine in which copies of unknown results are told to be the same, at
/// most: one that tells others takes a level as it is, or a smaller one.
const NAMING: usize = 200;

/// Where an indirect call or jump goes.
pub struct Reached {
    /// Targets that are known, and what holds there.
    pub targets: Vec<(u64, Facts)>,
    /// It goes nowhere else. Where it may, as by a pointer that a loop moves on, a target may be
    /// what is left of a value that was given up, and what was asked of it is not known.
    pub is_whole: bool,
}

/// What a caller is told.
pub struct Summary {
    /// The result.
    pub result: Value,
    /// What holds when it comes back; everything where it never does.
    pub facts: Facts,
    /// What it leaves behind arguments.
    pub(super) behind: Vec<Behind>,
    /// Pointers that it was given go where they are not followed.
    pub hands_on: bool,
    /// Arguments that do so and are not only left over in the register of a late argument, as
    /// bits.
    pub(super) given_on: u16,
    /// Arguments behind which it stores at distances that are not known, as bits.
    pub(super) scatters: u16,
}

/// What is known of one routine.
pub struct Told {
    /// What holds from a place on: where blocks begin, and inside of them.
    holds: ByPlace<Facts>,
    /// Branches and conditional moves: what holds where it is taken, and where not.
    pub branches: ByPlace<(Facts, Facts)>,
    /// Branches that go by values which are all followed.
    followed: BTreeSet<u64>,
    /// Where branches run on that leave the routine.
    falls: BTreeMap<u64, u64>,
    /// Stores to variables: address, bytes, value.
    pub stores: Vec<(u64, u8, Value)>,
    /// Stores in members of structures behind pointers that are not followed, by place.
    pub(super) members: NumberMap<u64, Value>,
    /// Stores on the stack, by place.
    pub(super) stacked: NumberSet<u64>,
    /// Addresses that others may come to use: what is known then, and a place.
    pub escapes: NumberMap<u64, (Facts, u64)>,
    /// The same of what is in registers of arguments where a call is not followed: the
    /// call may be given it, or it is left over.
    pub handed: NumberMap<u64, (Facts, u64)>,
    /// Of these, objects behind pointers that are not only left over.
    pub(super) given: NumberSet<u64>,
    /// Objects behind pointers in which it stores at distances that are not known.
    pub(super) scattered: NumberSet<u64>,
    /// Arguments of direct calls and jumps, by place.
    pub calls: NumberMap<u64, Rc<Arguments>>,
    /// What registers hold at jumps to other routines, where answers are among it.
    pub(super) jumps: NumberMap<u64, Box<Registers>>,
    /// What memory holds at them, where that was asked for.
    pub(super) memory: NumberMap<u64, Vec<Part>>,
    /// Loads of one of several elements of a table, where that was asked for.
    pub(super) loads: Vec<(u64, Vec<u64>)>,
    /// Indirect calls of which targets are known, by place.
    pub reached: NumberMap<u64, Reached>,
    /// Tables of pointers to functions that are picked from by a number.
    pub indexed: Indexed,
    /// Where a handler of SIGILL is set: what follows is tried.
    pub catches: Option<u64>,
    /// Calls of C's functions that set what another signal does, whose number is known, or
    /// that SIGILL has no handler, as the start of MinGW's programs does.
    pub others: Vec<u64>,
    /// Arguments of which bits are asked that facts do not tell apart, as bits.
    coarse: u8,
    /// For callers.
    pub summary: Summary,
}

impl Told {
    /// What holds before the instruction at an address; for a branch that leaves the
    /// routine, where it is taken.
    #[must_use]
    pub fn at(&self, address: u64) -> Facts {
        self.holds.last(address).copied().unwrap_or(Facts::NONE)
    }

    /// What holds where a call or jump goes, that leaves the routine for an address: a
    /// last branch that is not taken runs on into what follows.
    #[must_use]
    pub fn leaving(&self, address: u64, to: u64) -> Facts {
        let sides = self.branches.get(address);
        let is_fallen = self.falls.get(&address) == Some(&to);
        let more = sides.map_or(Facts::NONE, |(yes, no)| if is_fallen { *no } else { *yes });
        self.at(address) | more
    }

    /// Where it leaves one of several known numbers behind an argument: which argument, and the
    /// numbers with what holds where it is each.
    #[must_use]
    pub fn leaves_numbers(&self) -> Vec<(u8, Vec<(u64, Facts)>)> {
        let numbers = |behind: &Behind| {
            let all = behind.value.alternatives().iter();
            let number = |(kind, facts): &(Kind, Facts)| match kind {
                Kind::Const(number) => Some((*number, *facts)),
                _ => None,
            };
            let all: Option<Vec<(u64, Facts)>> = all.map(number).collect();
            let all = all.filter(|all| all.len() > 1 && behind.bytes == 4)?;
            Some((behind.number, all))
        };
        self.summary.behind.iter().filter_map(numbers).collect()
    }

    /// Whether an argument of the direct call at a place goes by an answer.
    #[must_use]
    pub fn gives_answer(&self, call: u64) -> bool {
        let given = self.calls.get(&call);
        given.is_some_and(|given| given.iter().any(Value::goes_by_answer))
    }

    /// Whether what the store at a place puts behind a pointer goes by an answer.
    #[must_use]
    pub fn stores_answer(&self, store: u64) -> bool {
        self.members.get(&store).is_some_and(Value::goes_by_answer)
    }

    /// Whether what a branch asks for is known: one of its sides implies something.
    #[must_use]
    pub fn is_decoded(&self, branch: u64) -> bool {
        let sides = self.branches.get(branch);
        let is_one = |facts: &Facts| facts.says() || facts.is_member();
        sides.is_some_and(|(yes, no)| is_one(yes) || is_one(no))
    }

    /// Whether all values are known that a branch goes by, what answers made of them too.
    #[must_use]
    pub fn is_followed(&self, branch: u64) -> bool {
        self.followed.contains(&branch)
    }

    /// Whether a branch asks for nothing but that a leaf is there.
    #[must_use]
    pub fn is_leaf(&self, branch: u64) -> bool {
        let is_one = |(yes, no): &(Facts, Facts)| {
            let is_leaf = |facts: &Facts| !facts.is_none() && !facts.says() && !facts.is_member();
            is_leaf(yes) && is_leaf(no)
        };
        self.branches.get(branch).is_some_and(is_one)
    }

    /// The arguments of which bits are asked that facts do not tell apart.
    pub fn coarse(&self) -> impl Iterator<Item = u8> + use<> {
        let coarse = self.coarse;
        (0..8).filter(move |number| coarse >> number & 1 == 1)
    }

    /// Looks at a routine.
    pub(super) fn of(oracle: &Oracle<'_>, routine: u32, suppose: &Suppose<'_>) -> Option<Self> {
        let flow = Flow::of(oracle.program, oracle.sweep, routine)?;
        let entry = suppose.entry(oracle);
        let count = flow.blocks.len();
        let first = match suppose.jumped {
            Some((place, _)) => flow.block_at(place)?,
            None => 0,
        };
        let is_detecting =
            oracle.detects(routine) || suppose.element.is_some() || suppose.record.is_some();
        let how = |times: u16| match is_detecting {
            true if times < LATE => Join::Given,
            true if times < LATER && count <= FEW => Join::Bits,
            false if times < LATE_IN_OTHERS => Join::Given,
            _ => Join::Nothing,
        };
        let is_naming = match is_detecting {
            true => flow.count() <= NAMING,
            false => count <= FEW && oracle.detection.near.contains_key(&routine),
        };
        let mut step = Step {
            oracle,
            factory: InstructionInfoFactory::new(),
            notes: None,
            is_filling: oracle.detection.fills.contains(&routine),
            names: is_naming.then(Vec::new),
            objects: suppose.is_deep.then(Vec::new),
            element: suppose.element,
            record: None,
            kept: suppose.kept,
            zero: oracle.number(0),
        };
        let mut entered: Entered<State> = Entered::of(count, oracle.rooms.borrow_mut().take());
        // Blocks that a state comes to as it is, the room for which all blocks use.
        let mut same = Vec::new();
        let room = oracle.log_room.borrow_mut().pop();
        let mut noted = Noted::of(count, room.unwrap_or_default());
        // The room for the instructions of a block, where they have to be decoded.
        let mut decoded = Vec::new();
        let mut times = vec![0u16; count];
        let mut queue = Queue::of(&flow);
        queue.insert(first);
        entered.enter(first, &mut Coming::New(entry), |_, _| false);
        let mut budget = count * 40 + 1000;
        let mut thrown = None;
        let inevitable = RefCell::default();
        // Then what jumps do not lead to: handlers, which any call may lead to. A record is
        // looked at by itself when all else is known, from where on it is this one.
        for pass in 0..3 {
            if pass == 2 {
                let Some(record) = suppose.record else { break };
                let start = entered.get(record.start)?.clone();
                entered = Entered::of(count, Room::default());
                noted.clear();
                entered.enter(record.start, &mut Coming::New(start), |_, _| false);
                queue.insert(record.start);
                step.record = Some(record);
            }
            // What else the routine has is not asked for where it is jumped into.
            if pass == 1 && suppose.jumped.is_none() {
                let reached = flow.reach(&[first], |_| false, &[]);
                let mut state = None;
                for block in (1..count as u32).filter(|block| !reached.has(*block)) {
                    let is_padding =
                        |i: &Instruction| matches!(i.mnemonic(), Mnemonic::Nop | Mnemonic::Int3);
                    if !flow.of_block(block).iter().all(is_padding) {
                        // Most routines have none of these.
                        let state = state.get_or_insert_with(|| {
                            let mut state = State::unknown();
                            state.facts = thrown.unwrap_or(Facts::NONE);
                            Coming::New(state)
                        });
                        entered.enter(block, state, |_, _| false);
                        queue.insert(block);
                    }
                }
            }
            while let Some(block) = queue.pop_first() {
                budget = budget.checked_sub(1)?;
                let Some(mut state) = entered.get(block).cloned() else {
                    continue;
                };
                times[block as usize] += 1;
                let instructions = flow.of_block_in(block, &mut decoded);
                oracle.spend(instructions.len())?;
                let goes_out = flow.is_way_out(block);
                let seen = noted.len();
                step.notes = (!goes_out).then(|| noted.open());
                for instruction in instructions {
                    if matches!(
                        instruction.flow_control(),
                        FlowControl::Call | FlowControl::IndirectCall
                    ) {
                        thrown = Some(thrown.unwrap_or(Facts::ALL) & state.facts);
                    }
                    match goes_out {
                        true => step.transfer(&mut state, instruction),
                        false => step.go(&flow, block, &mut state, instruction),
                    }
                }
                if let Some(log) = step.notes.take() {
                    noted.close(block, log, seen);
                }
                let edges = Edges {
                    step: &step,
                    flow: &flow,
                    is_detecting,
                    inevitable: &inevitable,
                    block,
                    last: instructions.last(),
                };
                let is_other = |next: u32| {
                    step.record
                        .is_some_and(|record| record.others.contains(&next))
                };
                let mut enter = |next: u32, coming: &mut Coming<State>| {
                    let how = how(times[next as usize]);
                    if !is_other(next)
                        && entered.enter(next, coming, |known, state| known.join(state, how))
                    {
                        queue.insert(next);
                    }
                };
                edges.follow(&state, |next, state| match state {
                    Some(state) => enter(next, &mut Coming::New(state)),
                    None => same.push(next),
                });
                let mut state = Coming::New(state);
                same.drain(..).for_each(|next| enter(next, &mut state));
            }
        }
        let mut notes = Notes::of(flow.count() <= GIVING);
        let mut holds = Vec::with_capacity(count);
        let mut gives_back = false;
        let mut runs = Bits::new(count);
        // The room for what is noted at the end.
        let mut room = Vec::new();
        for block in 0..count as u32 {
            let start = flow.blocks[block as usize].start;
            let Some(state) = entered.get(block) else {
                // What never runs may be said to run only under anything.
                holds.push((start, Facts::ALL));
                continue;
            };
            holds.push((start, state.facts));
            runs.insert(block);
            notes.begin(block);
            notes.extend(noted.take(block));
            if !flow.is_way_out(block) {
                continue;
            }
            // Where the routine is left others are told what holds in the end, so it is asked
            // what they do with it when all else is known.
            let mut state = state.clone();
            step.notes = Some(room);
            let instructions = flow.of_block_in(block, &mut decoded);
            for instruction in instructions {
                step.go(&flow, block, &mut state, instruction);
            }
            room = step.notes.take().unwrap_or_default();
            notes.extend(room.drain(..));
            let last = instructions.last().map(Instruction::flow_control);
            let result = state.registers[0].clone();
            match last {
                Some(FlowControl::Return) => notes.gives(&result, state.facts),
                Some(FlowControl::IndirectBranch | FlowControl::Next) => {
                    notes.gives(&Value::any(), state.facts);
                }
                _ => {}
            }
            if last == Some(FlowControl::Return) && !oracle.drops_result(routine, &result) {
                step.notes = Some(room);
                match oracle.drops_result_here(routine, &result) {
                    true => step.hands(&state, &result, start, false),
                    false => step.escapes(&state, &result, start),
                }
                // A caller follows a pointer of its own that it gets back.
                room = step.notes.take().unwrap_or_default();
                for note in room.drain(..) {
                    match note {
                        Note::HandsOn(..) => gives_back = true,
                        note => notes.add(note),
                    }
                }
            }
        }
        // Where nothing is told none is kept.
        let room = entered.end(oracle.program.code_size());
        oracle.rooms.borrow_mut().keep(room);
        oracle.log_room.borrow_mut().extend(noted.end());
        // Where a block begins what the one before it changed last counts.
        holds.append(&mut notes.changes);
        let (result, facts) = notes.returned.unwrap_or((Value::any(), Facts::ALL));
        let is_lost = |(kind, _): &(Kind, Facts)| matches!(kind, Kind::Any | Kind::Word(_));
        let is_given_back = gives_back && result.alternatives().iter().any(is_lost);
        Some(Self {
            holds: ByPlace::from_on(holds),
            branches: ByPlace::of(notes.branches),
            followed: notes.followed,
            falls: notes.falls,
            stores: notes.stores,
            members: notes.members,
            stacked: notes.stacked,
            escapes: notes.escapes,
            handed: notes.handed,
            given: notes.given,
            scattered: notes.scattered,
            calls: notes.calls,
            jumps: notes.jumps,
            memory: notes.memory,
            loads: notes.loads,
            reached: notes.reached,
            indexed: notes.indexed,
            catches: notes.catches,
            others: notes.others,
            coarse: notes.coarse,
            summary: Summary {
                result,
                facts,
                behind: at_end(&flow, &runs, &notes.behind),
                hands_on: notes.hands_on || is_given_back,
                given_on: match is_given_back {
                    true => u16::MAX,
                    false => notes.given_on,
                },
                scatters: notes.scatters,
            },
        })
    }
}
