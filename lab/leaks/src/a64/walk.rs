//! One routine gone through: which places are reached, by which ways, and what is known of
//! the CPU there.

use super::decode::{Condition, Control, control};
use super::features::{ALL, Set, implied, needed};
use super::flags::{Fact, Flags};
use super::program::Code;
use super::state::State;
use super::step::{lose_frame, step};
use super::value::{Alt, Logic, OPAQUE, PLAIN, Val};
use super::whole::{Result, Whole, import};
use karat_binary::a64::{NAMES, classify};
use std::collections::{BTreeMap, BTreeSet};

/// Times that a block is gone through, at most.
const TIMES: usize = 300;
/// Instructions of one routine, at most.
const LONGEST: usize = 100_000;

/// A way to another block of the routine.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Way {
    pub to: usize,
    pub has: Set,
    /// Something that is not understood decides whether it is taken.
    pub opaque: bool,
    /// It goes over a call of which it is not known whether it comes back.
    pub over: Option<u64>,
    /// The same of a call to another library.
    pub doubt: bool,
}

/// A way to another routine.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    pub at: u64,
    pub to: u64,
    pub has: Set,
    pub opaque: bool,
    /// Through a pointer.
    pub is_pointer: bool,
}

/// An instruction above the baseline that is reached.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Offence {
    pub at: u64,
    pub word: u32,
    pub need: Set,
    pub has: Set,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Block {
    pub start: u64,
    pub end: u64,
    pub has: Set,
    pub is_reached: bool,
    pub ways: Vec<Way>,
    pub calls: Vec<Call>,
    pub offences: Vec<Offence>,
    pub returns: bool,
    /// A call here that what comes back decides how the routine ends.
    pub tail: Option<u64>,
}

/// A branch that tells something of the CPU.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Gate {
    pub at: u64,
    /// What is there on one of its sides.
    pub has: Set,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Walked {
    /// The first is where the routine begins.
    pub blocks: Vec<Block>,
    pub gates: Vec<Gate>,
    /// Branches that something decides which is not understood, by their places.
    pub opaque: BTreeSet<u64>,
    /// A jump that is not followed.
    pub unclear: Option<u64>,
    /// Code that no branch of the routine leads to begins there.
    pub orphans: Vec<u64>,
    pub result: Option<Result>,
}

/// Blocks by where they begin: their end, and the instruction that ends them.
struct Layout {
    blocks: BTreeMap<u64, u64>,
    orphans: Vec<u64>,
    is_too_long: bool,
}

fn discover(whole: &Whole<'_>, entry: u64) -> Layout {
    let range = whole.program.range(entry);
    let (start, end) = range.map_or((entry, entry + 4), |range| (range.start, range.end));
    let inside = |at: u64| (start..end).contains(&at);
    let mut seen: BTreeSet<u64> = BTreeSet::new();
    let mut leaders = BTreeSet::from([entry]);
    let mut list = vec![entry];
    let mut orphans = Vec::new();
    let is_start = whole.program.is_start(entry) || range.is_some_and(|r| r.start == entry);
    loop {
        while let Some(mut at) = list.pop() {
            while inside(at) && seen.len() < LONGEST && seen.insert(at) {
                let Some(word) = whole.program.word(at) else {
                    break;
                };
                match control(word, at) {
                    Control::Next => {}
                    Control::Jump(to) => {
                        if inside(to) {
                            leaders.insert(to);
                            list.push(to);
                        }
                        break;
                    }
                    Control::Branch(to, _) => {
                        if inside(to) {
                            leaders.insert(to);
                            list.push(to);
                        }
                        leaders.insert(at + 4);
                    }
                    Control::Call(_) | Control::CallRegister(_) => {
                        leaders.insert(at + 4);
                    }
                    Control::JumpRegister(_) | Control::Return | Control::Stop => break,
                }
                at += 4;
            }
        }
        if !is_start || seen.len() >= LONGEST {
            break;
        }
        // What the unwinder or a table of jumps leads to.
        let is_pad = |at: u64| {
            let word = whole.program.word(at);
            word.is_none_or(|word| word == 0 || word == 0xd503_201f || classify(word).is_none())
        };
        let mut rest = (start..end)
            .step_by(4)
            .filter(|at| !seen.contains(at) && !is_pad(*at));
        match rest.next() {
            Some(orphan) => {
                orphans.push(orphan);
                leaders.insert(orphan);
                list.push(orphan);
            }
            None => break,
        }
    }
    let mut blocks = BTreeMap::new();
    let mut open: Option<(u64, u64)> = None;
    for &at in &seen {
        match open {
            Some((start, end)) if end == at && !leaders.contains(&at) => {
                open = Some((start, at + 4))
            }
            _ => {
                blocks.extend(open);
                open = Some((at, at + 4));
            }
        }
    }
    blocks.extend(open);
    Layout {
        blocks,
        orphans,
        is_too_long: seen.len() >= LONGEST,
    }
}

struct Walk<'w, 'p> {
    whole: &'w mut Whole<'p>,
    node: u64,
    starts: Vec<u64>,
    numbers: BTreeMap<u64, usize>,
    states: Vec<Option<State>>,
    queue: BTreeSet<usize>,
    out: Walked,
    is_last: bool,
    lost: Vec<(Val, Set)>,
    /// What all jumps know that are not followed.
    flat: Option<Set>,
}

/// Goes through the routine that begins at an address.
pub(super) fn walk(whole: &mut Whole<'_>, node: u64, input: &State) -> Walked {
    let layout = discover(whole, node);
    let starts: Vec<u64> = layout.blocks.keys().copied().collect();
    let numbers: BTreeMap<u64, usize> = starts.iter().copied().zip(0..).collect();
    let mut walk = Walk {
        whole,
        node,
        states: vec![None; starts.len()],
        queue: BTreeSet::new(),
        out: Walked::default(),
        is_last: false,
        lost: Vec::new(),
        flat: layout.is_too_long.then_some(0),
        numbers,
        starts,
    };
    if layout.is_too_long {
        walk.out.unclear = Some(node);
    }
    let ends: Vec<u64> = layout.blocks.values().copied().collect();
    walk.flow(node, input.clone());
    for &orphan in &layout.orphans {
        let mut state = State::entry(&vec![OPAQUE; 31], input.has);
        state.share(i64::MIN);
        walk.flow(orphan, state);
    }
    let mut times = 0;
    while let Some(number) = walk.queue.pop_first() {
        times += 1;
        if times > TIMES * walk.starts.len().max(1) {
            walk.out.unclear = Some(node);
            walk.flat = Some(0);
            break;
        }
        walk.block(number, ends[number]);
    }
    walk.is_last = true;
    walk.out.result = None;
    walk.out.blocks = (walk.starts.iter().zip(&ends))
        .map(|(start, end)| Block {
            start: *start,
            end: *end,
            ..Block::default()
        })
        .collect();
    for (number, end) in ends.iter().enumerate() {
        walk.block(number, *end);
    }
    walk.out.orphans = layout.orphans;
    if let Some(flat) = walk.flat {
        for block in &mut walk.out.blocks {
            block.has &= flat;
            block.ways.iter_mut().for_each(|way| way.has &= flat);
            block.calls.iter_mut().for_each(|call| call.has &= flat);
            block
                .offences
                .iter_mut()
                .for_each(|offence| offence.has &= flat);
        }
        if let Some(result) = &mut walk.out.result {
            result.has &= flat;
            result.values = [OPAQUE, OPAQUE];
        }
        let calls: Vec<Call> = walk
            .out
            .blocks
            .iter()
            .flat_map(|b| b.calls.clone())
            .collect();
        for call in calls {
            walk.whole
                .enter_softly(call.to, call.has, "a jump by a table that is not followed");
        }
    }
    let lost = std::mem::take(&mut walk.lost);
    let out = walk.out;
    for (value, has) in lost {
        super::step::Memory::lose(whole, &value, has);
    }
    // The routine's beginning first.
    let mut out = out;
    if let Some(first) = out.blocks.iter().position(|block| block.start == node)
        && first != 0
    {
        out.blocks.swap(0, first);
        for way in out.blocks.iter_mut().flat_map(|block| &mut block.ways) {
            way.to = match way.to {
                to if to == first => 0,
                0 => first,
                to => to,
            };
        }
    }
    out
}

impl Walk<'_, '_> {
    fn flow(&mut self, to: u64, state: State) {
        let Some(&number) = self.numbers.get(&to) else {
            return;
        };
        let is_new = match &mut self.states[number] {
            Some(known) => known.join(&state, &mut self.lost),
            slot => {
                *slot = Some(state);
                true
            }
        };
        if is_new && !self.is_last {
            self.queue.insert(number);
        }
    }

    fn block(&mut self, number: usize, end: u64) {
        let Some(mut state) = self.states[number].clone() else {
            return;
        };
        if self.is_last {
            self.out.blocks[number].has = state.has;
            self.out.blocks[number].is_reached = true;
        }
        let mut at = self.starts[number];
        while at < end {
            let Some(word) = self.whole.program.word(at) else {
                return;
            };
            self.whole.steps += 1;
            let class = classify(word).map_or("", |(_, set)| NAMES[usize::from(set)]);
            if self.is_last && class != "" && self.whole.is_above(class) {
                self.out.blocks[number].offences.push(Offence {
                    at,
                    word,
                    need: needed(word, class) & !self.whole.baseline,
                    has: state.has,
                });
            }
            let control = control(word, at);
            match control {
                Control::Next => step(&mut state, self.whole, word, at),
                Control::Stop => return,
                Control::Jump(to) => {
                    self.leave(number, state, at, to);
                    return;
                }
                Control::Branch(to, condition) => {
                    self.branch(number, state, at, to, condition);
                    return;
                }
                Control::Call(to) => {
                    let target = Val::constant(to);
                    if self.call(number, &mut state, at, &target, false) {
                        self.proceed(number, state, at, at + 4);
                    }
                    return;
                }
                Control::CallRegister(register) => {
                    let target = state.get(register);
                    if self.call(number, &mut state, at, &target, true) {
                        self.proceed(number, state, at, at + 4);
                    }
                    return;
                }
                Control::JumpRegister(register) => {
                    let target = state.get(register);
                    self.jump(number, state, at, &target);
                    return;
                }
                Control::Return => {
                    self.end(number, &state);
                    return;
                }
            }
            at += 4;
        }
        self.leave(number, state, end.wrapping_sub(4), end);
    }

    /// Notes where a routine comes back.
    fn end(&mut self, number: usize, state: &State) {
        let values = [state.get(0), state.get(1)].map(|value| match value {
            Val::Stack(_) => PLAIN,
            other => other,
        });
        let result = Result {
            values,
            has: state.has,
        };
        let lost = &mut self.lost;
        match &mut self.out.result {
            Some(known) => known.join(&result, lost),
            slot => *slot = Some(result),
        }
        if self.is_last {
            self.out.blocks[number].returns = true;
        }
    }

    /// On to a place: in the routine, or in another that then ends this one.
    fn leave(&mut self, number: usize, mut state: State, at: u64, to: u64) {
        if self.numbers.contains_key(&to) {
            self.proceed(number, state, at, to);
            return;
        }
        if self.call(number, &mut state, at, &Val::constant(to), false) {
            self.out_of(number, at, &state);
        }
    }

    /// A call that is the routine's last act came back.
    fn out_of(&mut self, number: usize, at: u64, state: &State) {
        self.end(number, state);
        if self.is_last {
            self.out.blocks[number].returns = false;
            self.out.blocks[number].tail = Some(at);
        }
    }

    fn proceed(&mut self, number: usize, state: State, at: u64, to: u64) {
        let Some(&next) = self.numbers.get(&to) else {
            return;
        };
        if self.is_last {
            let is_call = self.out.blocks[number]
                .calls
                .iter()
                .any(|call| call.at == at);
            let doubt = self.whole.doubts.contains(&at);
            let opaque = self.whole.blind.contains(&at);
            self.out.blocks[number].ways.push(Way {
                to: next,
                has: state.has,
                opaque,
                over: is_call.then_some(at),
                doubt,
            });
        }
        self.flow(to, state);
    }

    fn branch(&mut self, number: usize, state: State, at: u64, to: u64, condition: Condition) {
        let (yes, no) = self.told(&state, condition);
        let opaque = (yes.opaque || no.opaque) && yes.has != ALL && no.has != ALL;
        if self.is_last {
            let gains = [yes.has, no.has]
                .into_iter()
                .filter(|has| *has != ALL && *has != 0);
            for has in gains {
                self.out.gates.push(Gate { at, has });
            }
            if opaque {
                self.out.opaque.insert(at);
            }
        }
        for (fact, to) in [(yes, to), (no, at + 4)] {
            if fact.has == ALL {
                continue;
            }
            let mut state = state.clone();
            state.learn(implied(fact.has));
            self.narrow(&mut state, condition, to != at + 4);
            if let Some(&next) = self.numbers.get(&to) {
                if self.is_last {
                    self.out.blocks[number].ways.push(Way {
                        to: next,
                        has: state.has,
                        opaque,
                        over: None,
                        doubt: false,
                    });
                }
                self.flow(to, state);
            } else {
                if opaque {
                    self.whole.blind.insert(at);
                }
                if self.call(number, &mut state, at, &Val::constant(to), opaque) {
                    self.out_of(number, at, &state);
                }
            }
        }
    }

    /// What is known on both sides of a branch.
    fn told(&self, state: &State, condition: Condition) -> (Fact, Fact) {
        match condition {
            Condition::Flags(cond) => (state.flags.assume(cond), state.flags.assume(cond ^ 1)),
            Condition::Zero(register, width, is_zero) => {
                let flags = Flags::Sub(
                    state.get(register).low_or_same(width),
                    Val::constant(0),
                    width,
                );
                let (zero, other) = (flags.assume(0), flags.assume(1));
                if is_zero {
                    (zero, other)
                } else {
                    (other, zero)
                }
            }
            Condition::Clear(register, bit, is_clear) => {
                let one = state
                    .get(register)
                    .logic(&Val::constant(1 << bit), Logic::And);
                let flags = Flags::Test(one, 64);
                let (clear, set) = (flags.assume(0), flags.assume(1));
                if is_clear { (clear, set) } else { (set, clear) }
            }
        }
    }

    /// What was compared is on each side what led there.
    fn narrow(&self, state: &mut State, condition: Condition, is_taken: bool) {
        let keep = |register: usize, is_left: &dyn Fn(u64) -> bool| {
            let value = state.get(register);
            let list = value.as_alts()?;
            let rest: Vec<Alt> = (list.iter())
                .filter(|alt| is_left(alt.value) == is_taken)
                .copied()
                .collect();
            (!rest.is_empty()).then(|| (register, Val::alts(rest)))
        };
        let left = match condition {
            Condition::Flags(cond) => state.compared.and_then(|register| {
                let cond = if is_taken { cond } else { cond ^ 1 };
                let left = state.flags.left(&state.get(register), cond)?;
                Some((register, left))
            }),
            Condition::Zero(register, width, is_zero) => {
                let low = if width == 64 {
                    u64::MAX
                } else {
                    u64::from(u32::MAX)
                };
                keep(register, &|value| (value & low == 0) == is_zero)
            }
            Condition::Clear(register, bit, is_clear) => {
                keep(register, &|value| (value >> bit & 1 == 0) == is_clear)
            }
        };
        if let Some((register, value)) = left {
            state.narrow(register, value);
        }
    }

    /// A jump by a register.
    fn jump(&mut self, number: usize, mut state: State, at: u64, target: &Val) {
        let Some(list) = target.as_alts() else {
            // A table of jumps, or a pointer.
            self.flat = Some(self.flat.unwrap_or(ALL) & state.has);
            self.out.unclear = Some(at);
            self.whole.lose_arguments(&mut state);
            self.out.result = Some(Result {
                values: [OPAQUE, OPAQUE],
                has: self
                    .out
                    .result
                    .as_ref()
                    .map_or(state.has, |r| r.has & state.has),
            });
            return;
        };
        for alt in list.iter().copied().collect::<Vec<_>>() {
            let mut state = state.clone();
            state.learn(alt.has);
            if self.numbers.contains_key(&alt.value) {
                if alt.opaque {
                    self.whole.blind.insert(at);
                }
                self.proceed(number, state, at, alt.value);
            } else if self.call(number, &mut state, at, &Val::alts(vec![alt]), true) {
                self.out_of(number, at, &state);
            }
        }
    }

    /// A call; whether it comes back.
    fn call(
        &mut self,
        number: usize,
        state: &mut State,
        at: u64,
        target: &Val,
        is_pointer: bool,
    ) -> bool {
        let (node, is_last) = (self.node, self.is_last);
        let Some(list) = target.as_alts() else {
            self.whole.lose_arguments(state);
            self.whole.blind.insert(at);
            state.call();
            state.set(0, OPAQUE);
            state.set(1, OPAQUE);
            return true;
        };
        let mut back: Option<Result> = None;
        for alt in list {
            let has = state.has | alt.has;
            let result = match self.whole.program.code(alt.value) {
                Some(Code::Own(to)) => {
                    if is_last {
                        self.out.blocks[number].calls.push(Call {
                            at,
                            to,
                            has,
                            opaque: alt.opaque,
                            is_pointer,
                        });
                    }
                    let arguments: Vec<Val> = (0..8)
                        .map(|register| match state.get(register) {
                            Val::Stack(_) => PLAIN,
                            other => other,
                        })
                        .collect();
                    self.whole.call(node, to, &arguments, has)
                }
                Some(Code::Import(name)) => {
                    let imported = import(name, state);
                    if imported.doubt {
                        self.whole.doubts.insert(at);
                    }
                    self.whole.hand(state, name, imported.arguments);
                    imported.returns.then(|| Result {
                        values: [imported.value, PLAIN],
                        has,
                    })
                }
                Some(Code::Resolved(resolver)) => {
                    self.whole.resolve(resolver);
                    self.whole.lose_arguments(state);
                    Some(Result {
                        values: [OPAQUE, OPAQUE],
                        has,
                    })
                }
                // No code: such a pointer is never called.
                None => {
                    self.whole.blind.insert(at);
                    None
                }
            };
            if let Some(mut result) = result {
                result.has |= has;
                result.values = result.values.map(|v| v.under(alt.has, alt.opaque));
                match &mut back {
                    Some(known) => known.join(&result, &mut self.lost),
                    slot => *slot = Some(result),
                }
            }
        }
        // What lies in the frame may be read and written by the one that is called.
        for register in 0..8 {
            let value = state.get(register);
            lose_frame(state, self.whole, &value);
        }
        let stacked: Vec<Val> = state
            .stacked()
            .filter(|v| v.as_alts().is_some())
            .cloned()
            .collect();
        for value in stacked {
            self.whole.lose_code(&value, state.has);
        }
        let Some(back) = back else {
            return false;
        };
        state.call();
        let [first, second] = back.values;
        state.set(0, first);
        state.set(1, second);
        state.has |= back.has;
        true
    }
}
