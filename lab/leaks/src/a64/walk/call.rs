//! Calls, and jumps by a register.

use super::{Call, Walk};
use crate::a64::features::ALL;
use crate::a64::program::Code;
use crate::a64::state::State;
use crate::a64::step::lose_frame;
use crate::a64::value::{OPAQUE, PLAIN, Val};
use crate::a64::whole::{Result, import};

impl Walk<'_, '_> {
    /// A jump by a register.
    pub(super) fn jump(&mut self, number: usize, mut state: State, at: u64, target: &Val) {
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
        for alt in list.iter().copied() {
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
                    imported.returns.then_some(Result {
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
