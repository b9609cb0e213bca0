//! From block to block, to the ends of the routine.

use super::{Offence, Walk, Way};
use crate::a64::decode::{Control, control};
use crate::a64::features::{TRIED, needed};
use crate::a64::program::Entry;
use crate::a64::state::State;
use crate::a64::step::{lose_frame, step};
use crate::a64::value::{PLAIN, Val};
use crate::a64::whole::Result;
use karat_binary::a64::{NAMES, classify};

impl Walk<'_, '_> {
    pub(super) fn flow(&mut self, to: u64, state: State) {
        let Some(number) = self.layout.number(to) else {
            return;
        };
        self.flow_to(number, state);
    }

    fn flow_to(&mut self, number: usize, mut state: State) {
        if let Some(before) = self.layout.before[number]
            && !self.met.contains(&number)
        {
            if self.at == Some(before as usize) {
                // Nothing is to be joined: on with what is known.
                self.next.push((number, state));
                return;
            }
            // By a jump that is seen only now: what the other one knows is joined.
            self.met.insert(number);
            let begun = self
                .states
                .iter()
                .enumerate()
                .filter(|(_, known)| known.is_some());
            let rank = &self.layout.rank;
            self.queue.extend(begun.map(|(number, _)| rank[number]));
        }
        if self.is_last {
            return;
        }
        for register in (19..29).filter(|one| self.layout.dead[number] >> one & 1 == 1) {
            if state.get(register) != PLAIN {
                state.set(register, PLAIN);
            }
        }
        let is_new = match &mut self.states[number] {
            Some(known) => {
                let wide = self.layout.is_head[number];
                known.join(&state, wide, &mut self.lost)
            }
            slot => {
                *slot = Some(Box::new(state));
                true
            }
        };
        if is_new {
            self.queue.insert(self.layout.rank[number]);
        }
    }

    /// Goes through a block, and on through those that only it leads to.
    pub(super) fn block(&mut self, number: usize) {
        let Some(state) = self.states[number].as_deref().cloned() else {
            return;
        };
        self.next.push((number, state));
        while let Some((number, state)) = self.next.pop() {
            self.at = Some(number);
            self.one_block(number, state);
        }
        self.at = None;
    }

    fn one_block(&mut self, number: usize, mut state: State) {
        let (_, end) = self.layout.blocks[number];
        let meets = &self.layout.meets;
        state.settle(|block| meets[block] == number as u32);
        if self.is_last {
            self.out.blocks[number].has = state.has;
            self.out.blocks[number].is_reached = true;
        }
        let mut at = self.layout.blocks[number].0;
        let bytes = self.whole.program.bytes(at, end);
        for four in bytes.chunks_exact(4) {
            let word = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
            self.whole.steps += 1;
            let class = match self.is_last {
                true => classify(word).map_or("", |(_, set)| NAMES[usize::from(set)]),
                false => "",
            };
            if !class.is_empty() && self.whole.is_above(class) {
                self.out.blocks[number].offences.push(Offence {
                    at,
                    word,
                    need: needed(word, class) & !self.whole.known.baseline,
                    // Its own code it does not guard.
                    has: state.has & !self.word,
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
        let mut values = [state.get(0), state.get(1)];
        for value in &mut values {
            if let Val::Stack(..) = value {
                lose_frame(&mut state.clone(), self.whole, value);
                *value = PLAIN;
            }
            *value = value.under(0, state.is_doubted());
        }
        // What it was given and left there is no result.
        if self
            .whole
            .nodes
            .get(&self.node)
            .is_some_and(|node| node.left(&values[1]))
            // A resolver tells one address: what is in the second register is left over.
            || self.whole.program.entries.get(&self.node) == Some(&Entry::Resolver)
        {
            values[1] = PLAIN;
        }
        let result = Result {
            values,
            // What the caller tries it says itself.
            has: state.has & !TRIED & !self.word,
            given: state.given(),
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
        if self.layout.number(to).is_some() {
            self.proceed(number, state, at, to);
            return;
        }
        if self.call(number, &mut state, at, &Val::constant(to), false) {
            self.out_of(number, at, &state);
        }
    }

    /// A call that is the routine's last act came back.
    pub(super) fn out_of(&mut self, number: usize, at: u64, state: &State) {
        self.end(number, state);
        if self.is_last {
            self.out.blocks[number].returns = false;
            self.out.blocks[number].tail = Some(at);
        }
    }

    pub(super) fn proceed(&mut self, number: usize, state: State, at: u64, to: u64) {
        let Some(next) = self.layout.number(to) else {
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
                vague: false,
                over: is_call.then_some(at),
                doubt,
            });
        }
        self.flow_to(next, state);
    }
}
