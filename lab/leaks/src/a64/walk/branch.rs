//! Branches: which ways they leave, and what is known on each.

use super::{Gate, Walk, Way};
use crate::a64::decode::Condition;
use crate::a64::features::{ALL, implied};
use crate::a64::flags::{Fact, Flags};
use crate::a64::state::State;
use crate::a64::value::{Alt, Doubt, Logic, Val};

impl Walk<'_, '_> {
    pub(super) fn branch(
        &mut self,
        number: usize,
        state: State,
        at: u64,
        to: u64,
        condition: Condition,
    ) {
        let (yes, no) = self.told(&state, condition);
        let doubt = match yes.has != ALL && no.has != ALL {
            true => yes.doubt.max(no.doubt),
            false => Doubt::None,
        };
        let (opaque, vague) = (doubt == Doubt::Opaque, doubt == Doubt::Vague);
        if self.is_last {
            let gains = [yes.has, no.has]
                .into_iter()
                .filter(|has| *has != ALL && *has != 0);
            for has in gains {
                self.out.gates.push(Gate { at, has });
            }
            if opaque || vague {
                self.out.opaque.insert(at);
            }
        }
        let mut state = state;
        if opaque {
            state.doubt(number);
        }
        let mut state = Some(state);
        for (fact, to, is_last) in [(yes, to, no.has == ALL), (no, at + 4, true)] {
            if fact.has == ALL {
                continue;
            }
            // The last one may have it.
            let it = if is_last { state.take() } else { state.clone() };
            let Some(mut state) = it else {
                continue;
            };
            state.learn(implied(fact.has));
            self.narrow(&mut state, condition, to != at + 4);
            if let Some(next) = self.layout.number(to) {
                if self.is_last {
                    self.out.blocks[number].ways.push(Way {
                        to: next,
                        has: state.has,
                        opaque,
                        vague,
                        over: None,
                        doubt: false,
                    });
                }
                self.flow(to, state);
            } else {
                if opaque || vague {
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
}
