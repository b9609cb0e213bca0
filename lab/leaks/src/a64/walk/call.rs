//! Calls, and jumps by a register.

use super::{Call, Walk};
use crate::a64::features::ALL;
use crate::a64::given::Given;
use crate::a64::program::Code;
use crate::a64::said;
use crate::a64::state::State;
use crate::a64::step::{Memory, lose_frame};
use crate::a64::value::{Alt, OPAQUE, PLAIN, Val};
use crate::a64::whole::{OBJECT, Result, import};

impl Walk<'_, '_> {
    /// Whether a value is the pointer that is called.
    fn was_chosen(&self, value: &Val) -> bool {
        let is_it = |alt: &Alt| self.chosen.contains(&alt.value);
        value.as_alts().is_some_and(|list| list.iter().all(is_it))
    }

    /// Whether an address is one of this routine's code, and not where it begins.
    fn is_inside(&self, address: u64) -> bool {
        let range = self.whole.program.range(self.node);
        range.is_some_and(|range| (range.start + 1..range.end).contains(&address))
            && address != self.node
            && address & 3 == 0
    }

    /// A jump by a register.
    pub(super) fn jump(&mut self, number: usize, mut state: State, at: u64, target: &Val) {
        let Some(list) = target.as_alts() else {
            // A table of jumps, or a pointer.
            self.flat = Some(self.flat.unwrap_or(ALL) & state.has);
            self.out.unclear = Some(at);
            self.whole.lose_arguments(&mut state);
            let known = self.out.result.as_ref();
            let has = known.map_or(state.has, |known| known.has & state.has);
            let mut result = Result::of([OPAQUE, OPAQUE], has);
            // All that is behind the arguments may have been written.
            result.given.shared = [i64::MIN; _];
            self.out.result = Some(result);
            return;
        };
        self.chosen = list.iter().map(|alt| alt.value).collect();
        for alt in list.iter().copied() {
            let mut state = state.clone();
            state.learn(alt.has);
            let is_found = self.orphans.contains(&alt.value) && self.is_inside(alt.value);
            if self.layout.number(alt.value).is_some() && !is_found {
                if alt.opaque {
                    self.whole.blind.insert(at);
                }
                self.proceed(number, state, at, alt.value);
            } else if self.is_inside(alt.value) {
                // A place that no branch names: it is gone through with the next time.
                let targets = self.whole.targets.entry(self.node).or_default();
                targets.insert(alt.value);
                self.whole.again(self.node);
            } else if self.call(number, &mut state, at, &Val::alts(vec![alt]), true) {
                self.out_of(number, at, &state);
            }
        }
    }

    /// What a routine is handed behind its arguments. What addresses there lead to is not
    /// followed.
    fn hand(&mut self, state: &mut State) -> Given {
        let mut given = state.hand();
        let is_stack = |value: &Val| matches!(value, Val::Stack(..));
        if given.slots.iter().any(|(_, (_, value))| is_stack(value)) {
            given.slots.each(|(_, value)| {
                if is_stack(value) {
                    lose_frame(state, self.whole, value);
                    *value = PLAIN;
                }
            });
        }
        given
    }

    /// Registers that a routine of the file need not keep, and does (GCC's `-fipa-ra`). Where that
    /// is not seen, what lay there may decide what is read there behind the call.
    fn kept(&self, state: &State, to: u64) -> Vec<(usize, Val)> {
        let told = (2..16).map(|register| (register, state.get(register)));
        let told: Vec<_> = told.filter(|(_, value)| value.lost()).collect();
        if told.is_empty() {
            return told;
        }
        let changed = self.whole.changes(to);
        let kept = |(register, value): (usize, Val)| match changed {
            Some(changed) if changed >> register & 1 == 0 => Some((register, value)),
            Some(_) => None,
            None => Some((register, OPAQUE)),
        };
        told.into_iter().filter_map(kept).collect()
    }

    /// A call; whether it comes back.
    pub(super) fn call(
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
        if is_pointer && !list.iter().all(|alt| self.chosen.contains(&alt.value)) {
            self.chosen = list.iter().map(|alt| alt.value).collect();
        }
        let mut back: Option<Result> = None;
        let mut given: Vec<Val> = Vec::new();
        for alt in list {
            let has = state.has | alt.has;
            let result = match self.whole.program.code(alt.value) {
                Some(Code::Own(to)) => {
                    if !self.whole.is_concerned(to) {
                        self.whole.doubts.insert(at);
                    } else if is_last {
                        self.out.blocks[number].calls.push(Call {
                            at,
                            to,
                            has,
                            opaque: alt.opaque,
                            is_pointer,
                        });
                    }
                    let arguments: Vec<Val> = (0..9u8)
                        .map(|register| match state.get(register.into()) {
                            Val::Stack(..) => Val::Stack(register + 1, 0),
                            // What is called is no argument of it: a register was left so.
                            other if is_pointer && self.was_chosen(&other) => PLAIN,
                            other => other.under(0, state.is_doubted()),
                        })
                        .collect();
                    if self.whole.is_main(node) {
                        given.extend((0..8).map(|register| state.get(register)));
                    }
                    let given = self.hand(state);
                    self.whole.call(node, to, &arguments, given, has)
                }
                Some(Code::Import(name)) => {
                    let imported = import(name, state);
                    if imported.doubt {
                        self.whole.doubts.insert(at);
                    }
                    self.whole.hand(state, name, imported.arguments);
                    if imported.value == OBJECT {
                        for value in state.allocate() {
                            self.whole.lose(&value, has);
                            self.whole.escapes(&value, 0);
                        }
                    }
                    let value = match self.whole.program.said_of(alt.value) {
                        Some(word) => said::value(self.whole.program, &PLAIN, word, 8),
                        None => imported.value,
                    };
                    let values = [value, PLAIN];
                    (imported.returns).then(|| Result::of(values, has | state.has))
                }
                Some(Code::Resolved(resolver)) => {
                    self.whole.resolve(resolver);
                    self.whole.lose_arguments(state);
                    Some(Result::of([OPAQUE, OPAQUE], has))
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
        let only = match list {
            [one] => match self.whole.program.code(one.value) {
                Some(Code::Own(to)) => Some(to),
                _ => None,
            },
            _ => None,
        };
        for register in 0..9u8 {
            let Val::Stack(..) = state.get(register.into()) else {
                continue;
            };
            match (only, &back) {
                (Some(to), Some(back)) if self.whole.follows(to, register) => {
                    let has = state.has;
                    for value in state.take_back(register, &back.given) {
                        Memory::lose(self.whole, &value, has);
                    }
                    let object: Vec<Val> = state.object().cloned().collect();
                    for value in object {
                        self.whole.escapes(&value, has);
                    }
                }
                _ => {
                    let value = state.get(register.into());
                    lose_frame(state, self.whole, &value);
                }
            }
        }
        let stacked: Vec<Val> = state
            .stacked()
            .filter(|v| self.whole.program.may_be_code(v))
            .cloned()
            .collect();
        for value in stacked {
            self.whole.lose_code(&value, state.has);
            self.whole.handed(node, &value);
        }
        for value in given {
            self.whole.handed(node, &value);
        }
        let Some(back) = back else {
            return false;
        };
        let kept = match only {
            Some(to) => self.kept(state, to),
            None => Vec::new(),
        };
        state.call();
        for (register, value) in kept {
            state.set(register, value);
        }
        let [first, second] = back.values;
        state.set(0, first);
        state.set(1, second);
        state.has |= back.has;
        true
    }
}
