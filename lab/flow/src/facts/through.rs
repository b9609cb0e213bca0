//! Tables that a routine is given and goes through, whose records say themselves whether they
//! count: OpenSSL's providers have a function beside each algorithm that is asked before the
//! algorithm is copied to those that there are.
//!
//! The routine is followed with the table that it is given, once for each number that its
//! registers come to hold, so record by record. What holds where it loads a word is known of
//! whatever it does with it; that it does nothing else with the table is looked at.

use super::edges::Edges;
use super::features::Facts;
use super::notes::{Log, Note};
use super::oracle::Oracle;
use super::records::Record;
use super::state::{Join, State};
use super::step::Step;
use super::suppose::Suppose;
use super::value::{Kind, Value};
use crate::graph::{Flow, callee};
use crate::program::Target;
use crate::state::bit;
use iced_x86::{
    FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register,
};
use karat_binary::numbers::NumberMap;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::rc::Rc;

/// Instructions of a routine that goes through such a table, at most.
const LARGEST: u32 = 200;
/// Bytes of a table, at most.
const TABLE: u64 = 1 << 16;

/// A load from the table.
pub(super) struct Load {
    /// The instruction.
    at: u64,
    /// What it loads.
    place: Range<u64>,
    facts: Facts,
}

/// Loads by the place where the table is named.
pub(super) type Loads = NumberMap<u64, Option<Rc<[Load]>>>;

/// A block, and the numbers in registers: apart, since each is another record.
type Key = (u32, [Option<u64>; 16]);

fn key(block: u32, state: &State) -> Key {
    let number = |at: usize| state.registers[at].constant();
    (block, std::array::from_fn(number))
}

impl Oracle<'_> {
    /// What holds wherever a word of a table is loaded, where the instruction at a place of a
    /// routine names the table and it is given on to one that goes through it; with a place of
    /// that. None where it is not seen that nobody else has it.
    #[must_use]
    pub fn through(&self, user: u32, at: u64, table: u64, word: u64) -> Option<(Facts, u64)> {
        let known = self.through.borrow().get(&at).cloned();
        let loads = known.unwrap_or_else(|| {
            let find = || self.find_through(user, at, table);
            let found = self.within(&self.for_through, find).flatten();
            self.through.borrow_mut().insert(at, found.clone());
            found
        })?;
        let is_it = |load: &&Load| load.place.start < word + 8 && word < load.place.end;
        let loads = loads.iter().filter(is_it).map(|it| (it.facts, it.at));
        loads.reduce(|(all, first), (one, at)| (all & one, first.min(at)))
    }

    /// The table is named right before it is given on, in the register of an argument, and goes
    /// nowhere else.
    fn find_through(&self, user: u32, at: u64, table: u64) -> Option<Rc<[Load]>> {
        let convention = self.program.convention;
        let named = self.instruction(at)?;
        let register = bit(named.op0_register()).filter(|it| convention.registers.contains(it))?;
        if named.mnemonic() != Mnemonic::Lea || !named.is_ip_rel_memory_operand() {
            return None;
        }
        let flow = Flow::of(self.program, self.sweep, user)?;
        let own = flow.of_block(flow.block_at(at)?);
        let (before, behind) = own.split_at(own.iter().position(|it| it.ip() == at)?);
        // What an earlier call leaves is not known.
        let is_turn = |it: &Instruction| it.flow_control() != FlowControl::Next;
        let before = before.rsplit(is_turn).next()?;
        let call = behind
            .iter()
            .find(|it| it.flow_control() != FlowControl::Next)?;
        let Target::Address(to) = callee(self.program, call)? else {
            return None;
        };
        let routine = self.program.routine_at(to)?;
        let is_small = self.sweep.facts[routine as usize].instructions <= LARGEST;
        let begins = self.program.routines[routine as usize].start == to;
        let is_call = call.flow_control() == FlowControl::Call;
        let is_jump = call.flow_control() == FlowControl::UnconditionalBranch;
        if !(is_call || is_jump && routine != user) || !is_small || !begins {
            return None;
        }
        let goes = |it: &Instruction| it.ip() > at && it.ip() < call.ip();
        let mut between = behind.iter().filter(|it| goes(it));
        if !between.all(|it| self.leaves_register(it, register)) {
            return None;
        }
        let flow = Flow::of(self.program, self.sweep, routine)?;
        let asks = |it: Instruction| it.flow_control() == FlowControl::IndirectCall;
        let changed = self.sweep.changes.of(self.program, self.sweep, call);
        if is_call && changed >> register & 1 == 0 || !flow.instructions().any(asks) {
            return None;
        }
        // Other addresses that it is given, as that of what it fills.
        let address = |register: u8| {
            let all = before
                .iter()
                .chain(behind.iter().filter(|it| it.ip() < call.ip()));
            let mut uses = all.rev().filter(|it| !self.leaves_register(it, register));
            let last = uses.next()?;
            let is_one = last.mnemonic() == Mnemonic::Lea
                && last.is_ip_rel_memory_operand()
                && bit(last.op0_register()) == Some(register);
            is_one.then(|| Value::number(last.ip_rel_memory_address()))
        };
        let given: Vec<(u8, Value)> = (0u8..)
            .zip(convention.registers)
            .filter_map(|(number, register)| Some((number, address(*register)?)))
            .collect();
        let table = table..self.table_end(table);
        let tables = given.iter().filter(|(_, value)| is_in(value, &table));
        (tables.count() == 1).then(|| self.go_through(&flow, &given, &table))?
    }

    /// Where the next thing begins that something refers to.
    fn table_end(&self, table: u64) -> u64 {
        let sized = self
            .program
            .variables
            .binary_search_by_key(&table, |it| it.0);
        if let Ok(at) = sized
            && let (start, size, _) = self.program.variables[at]
            && size > 0
        {
            return start + size;
        }
        let most = table.saturating_add(TABLE);
        let next = |list| crate::sweep::within(list, table + 1, most).iter().next();
        let named = [next(&self.sweep.data), next(&self.program.pointers)];
        let named = named.into_iter().flatten().map(|(to, _)| to);
        named.min().unwrap_or(most)
    }

    fn go_through(
        &self,
        flow: &Flow,
        given: &[(u8, Value)],
        table: &Range<u64>,
    ) -> Option<Rc<[Load]>> {
        let nothing = Record::default();
        let mut step = Step {
            oracle: self,
            factory: InstructionInfoFactory::new(),
            notes: None,
            is_filling: false,
            names: None,
            objects: None,
            element: None,
            // Functions that records have are called.
            record: Some(&nothing),
            kept: &[],
            zero: Value::number(0),
        };
        let entry = Suppose::given(given).entry(self);
        let first = key(0, &entry);
        let mut states = BTreeMap::from([(first, entry)]);
        let mut queue = VecDeque::from([first]);
        let mut loads: BTreeMap<(u64, u64), (u64, Facts)> = BTreeMap::new();
        let inevitable = RefCell::default();
        while let Some(now) = queue.pop_front() {
            let block = now.0;
            let mut state = states.get(&now)?.clone();
            let instructions = flow.of_block(block);
            self.spend(instructions.len())?;
            step.notes = Some(Log::default());
            for instruction in &*instructions {
                for (place, facts) in loaded(&mut step, &state, instruction, table)? {
                    let known = (loads.entry((instruction.ip(), place.start)))
                        .or_insert((place.end, Facts::ALL));
                    known.1 = known.1 & facts;
                }
                let is_out =
                    instruction.flow_control() != FlowControl::Next && flow.is_way_out(block);
                self.keeps_table(&step, &mut state, instruction, is_out, table)?;
                step.go(flow, block, &mut state, instruction);
            }
            let gives = |note: &Note| match note {
                Note::Escape(to, ..) | Note::Hand(to, ..) => table.contains(to),
                _ => false,
            };
            if step.notes.take()?.iter().any(gives) {
                return None;
            }
            let edges = Edges {
                step: &step,
                flow,
                is_detecting: false,
                inevitable: &inevitable,
                block,
                last: instructions.last(),
            };
            edges.follow(&state, |next, other| {
                let state = other.as_ref().unwrap_or(&state);
                let next = key(next, state);
                let is_new = match states.get_mut(&next) {
                    Some(known) => known.join(state, Join::Given),
                    None => {
                        states.insert(next, state.clone());
                        true
                    }
                };
                if is_new && !queue.contains(&next) {
                    queue.push_back(next);
                }
            });
        }
        let loads = loads.into_iter();
        let each = loads.map(|((at, start), (end, facts))| Load {
            at,
            place: start..end,
            facts: facts.extensions(),
        });
        Some(each.collect())
    }

    /// Sees to it that a call, or a way out, gives the table to nobody; what is left over of its
    /// address in the register of an argument is forgotten.
    fn keeps_table(
        &self,
        step: &Step<'_, '_>,
        state: &mut State,
        instruction: &Instruction,
        is_out: bool,
        table: &Range<u64>,
    ) -> Option<()> {
        let is_call = matches!(
            instruction.flow_control(),
            FlowControl::Call | FlowControl::IndirectCall
        );
        if !is_call && !is_out {
            return Some(());
        }
        if instruction.flow_control() == FlowControl::Return {
            return (!is_in(&state.registers[0], table)).then_some(());
        }
        let to = match callee(self.program, instruction) {
            Some(Target::Address(to)) => Some(to),
            Some(Target::Import(_)) => None,
            None => step.read(state, instruction, 0).constant(),
        };
        for &register in self.program.convention.registers {
            let value = &mut state.registers[usize::from(register)];
            if is_in(value, table) {
                self.leaves_alone(to?, register).then_some(())?;
                *value = Value::any();
            }
        }
        Some(())
    }
}

/// Whether a value may be an address in the table.
fn is_in(value: &Value, table: &Range<u64>) -> bool {
    let is_one = |(kind, _): &(Kind, Facts)| matches!(kind, Kind::Const(at) if table.contains(at));
    value.alternatives().iter().any(is_one)
}

/// What an instruction loads of the table, with what holds then; none where that is not known.
fn loaded(
    step: &mut Step<'_, '_>,
    state: &State,
    instruction: &Instruction,
    table: &Range<u64>,
) -> Option<Vec<(Range<u64>, Facts)>> {
    let reads = |access| !matches!(access, OpAccess::Write | OpAccess::CondWrite);
    let memory = step.factory.info(instruction).used_memory();
    let is_load = memory.iter().any(|used| reads(used.access()));
    if instruction.is_string_instruction() {
        // However many bytes that is.
        let far = [6, 7].map(|at: usize| &state.registers[at]);
        let is_other = |value: &&Value| !value.is_any() && !is_in(value, table);
        return far.iter().all(is_other).then(Vec::new);
    }
    let has_memory =
        (0..instruction.op_count()).any(|at| instruction.op_kind(at) == OpKind::Memory);
    let is_thread = matches!(instruction.memory_segment(), Register::FS | Register::GS);
    if !is_load || !has_memory || is_thread || instruction.mnemonic() == Mnemonic::Lea {
        return Some(Vec::new());
    }
    let bytes = instruction.memory_size().size() as u64;
    let mut out = Vec::new();
    for (kind, facts) in step.address(state, instruction).alternatives() {
        match kind {
            Kind::Const(at) => {
                let place = *at..at.saturating_add(bytes);
                if place.start < table.end && table.start < place.end {
                    out.push((place, state.facts | *facts));
                }
            }
            Kind::Stack(_) | Kind::Argument(..) => {}
            Kind::Any | Kind::Word(_) | Kind::UpTo(..) => return None,
        }
    }
    Some(out)
}
