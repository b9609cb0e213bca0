//! Vector registers as four values of four bytes each. Compilers put CPUID's four answers side
//! by side in one and store them at once, and they copy small structures by one.

use super::arithmetic::{join_bits, shifted};
use super::bits::constant_bit;
use super::features::Facts;
use super::memory::Address;
use super::state::{State, truncated};
use super::step::Step;
use super::value::Value;
use crate::state::bit;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use std::rc::Rc;

/// What a register of 16 bytes holds, from the lowest four on.
pub type Lanes = [Value; 4];

/// The number of a register of 16 bytes.
fn number(register: Register) -> Option<u8> {
    (register.is_xmm()).then(|| bit(register).map(|bit| bit - 16))?
}

fn nothing() -> Lanes {
    std::array::from_fn(|_| Value::any())
}

/// Eight bytes as two times four.
fn halves(value: &Value) -> (Value, Value) {
    let high = value.map(|kind| shifted(kind, 32, false));
    (truncated(value, 4), truncated(&high, 4))
}

/// A byte of which nothing is known.
fn byte(bit: u8) -> (Facts, Facts) {
    match bit {
        0..8 => (Facts::NONE, Facts::NONE),
        _ => constant_bit(false),
    }
}

/// Two times four bytes as eight.
fn joined(low: &Value, high: &Value) -> Value {
    let high = high.map(|kind| shifted(kind, 32, true));
    low.with(&high, |a, b| join_bits(a, b, Mnemonic::Or))
}

impl State {
    /// What is known of a place whose parts were stored apart; of eight bytes only where all
    /// are known.
    pub(super) fn composed(&self, at: i64, bytes: u8) -> Option<Value> {
        let end = at.saturating_add(i64::from(bytes));
        let mut all = Value::number(0);
        let mut place = at;
        while place < end {
            let part = self.slots.get(place);
            let part = part.filter(|(size, _)| place + i64::from(*size) <= end);
            let (size, value) = match part {
                Some((size, value)) => (size, value.clone()),
                None if bytes > 4 => return None,
                None => (1, Value::word(byte)),
            };
            let by = (place - at) as u32 * 8;
            let value = value.map(|kind| shifted(kind, by, true));
            all = all.with(&value, |a, b| join_bits(a, b, Mnemonic::Or));
            place += i64::from(size);
        }
        Some(all)
    }

    /// What a vector register holds, if anything is known.
    fn vector(&self, number: u8) -> Option<&Lanes> {
        let mut all = self.vectors.iter();
        all.find(|(known, _)| *known == number)
            .map(|(_, lanes)| lanes)
    }

    /// Says what a vector register holds.
    fn set_vector(&mut self, number: u8, lanes: Lanes) {
        self.forget_vector(number);
        let vectors = Rc::make_mut(&mut self.vectors);
        vectors.push((number, lanes));
        vectors.sort_by_key(|(number, _)| *number);
    }

    /// Nothing is known of a vector register any more.
    pub fn forget_vector(&mut self, number: u8) {
        self.zero &= !(1 << number);
        if self.vector(number).is_some() {
            Rc::make_mut(&mut self.vectors).retain(|(known, _)| *known != number);
        }
    }

    /// Nothing is known of vector registers any more.
    pub fn forget_vectors(&mut self) {
        self.zero = 0;
        if !self.vectors.is_empty() {
            self.vectors = Rc::default();
        }
    }

    /// What a vector register holds.
    fn lanes(&self, register: Register) -> Lanes {
        let Some(number) = number(register) else {
            return nothing();
        };
        if self.zero >> number & 1 == 1 {
            return std::array::from_fn(|_| Value::number(0));
        }
        self.vector(number).cloned().unwrap_or_else(nothing)
    }
}

impl Step<'_, '_> {
    /// What an instruction does that moves values in and out of vector registers. False where
    /// it is none of these, or nothing is known of what it moves.
    pub(super) fn vector(&mut self, state: &mut State, instruction: &Instruction) -> bool {
        use Mnemonic as M;
        match instruction.mnemonic() {
            M::Movd | M::Movq | M::Vmovd | M::Vmovq => self.scalar(state, instruction),
            M::Movdqa
            | M::Movdqu
            | M::Movaps
            | M::Movups
            | M::Movapd
            | M::Movupd
            | M::Vmovdqa
            | M::Vmovdqu
            | M::Vmovaps
            | M::Vmovups
            | M::Lddqu => self.whole(state, instruction),
            M::Punpckldq | M::Unpcklps | M::Vpunpckldq | M::Vunpcklps => {
                combined(state, instruction, |a, b| {
                    [a[0].clone(), b[0].clone(), a[1].clone(), b[1].clone()]
                })
            }
            M::Punpcklqdq | M::Unpcklpd | M::Movlhps | M::Vpunpcklqdq | M::Vmovlhps => {
                combined(state, instruction, |a, b| {
                    [a[0].clone(), a[1].clone(), b[0].clone(), b[1].clone()]
                })
            }
            M::Pinsrd | M::Vpinsrd | M::Pinsrq | M::Vpinsrq => self.inserted(state, instruction),
            _ => false,
        }
    }

    /// `movd`, `movq`.
    fn scalar(&mut self, state: &mut State, instruction: &Instruction) -> bool {
        let is_wide = matches!(instruction.mnemonic(), Mnemonic::Movq | Mnemonic::Vmovq);
        if let Some(to) = number(instruction.op0_register()) {
            let (low, high) = match number(instruction.op1_register()) {
                Some(_) => {
                    let [low, high, ..] = state.lanes(instruction.op1_register());
                    (low, high)
                }
                None => {
                    let value = self.read(state, instruction, 1);
                    match is_wide {
                        true => halves(&value),
                        false => (value, Value::number(0)),
                    }
                }
            };
            return set(state, to, [low, high, Value::number(0), Value::number(0)]);
        }
        if number(instruction.op1_register()).is_none() {
            return false;
        }
        let [low, high, ..] = state.lanes(instruction.op1_register());
        let value = match is_wide {
            true => joined(&low, &high),
            false => low,
        };
        if value.is_any() {
            return false;
        }
        self.write(state, instruction, 0, &value);
        true
    }

    /// All of it is loaded, stored or copied.
    fn whole(&mut self, state: &mut State, instruction: &Instruction) -> bool {
        if let Some(to) = number(instruction.op0_register()) {
            let lanes = match instruction.op1_kind() {
                OpKind::Memory => {
                    let address = self.address(state, instruction);
                    let lane = |at: usize| self.load(state, &address.plus(at as u64 * 4), 4);
                    std::array::from_fn(lane)
                }
                _ => state.lanes(instruction.op1_register()),
            };
            return set(state, to, lanes);
        }
        let is_store = instruction.op0_kind() == OpKind::Memory;
        let Some(from) = number(instruction.op1_register()).filter(|_| is_store) else {
            return false;
        };
        // What is zero as a whole is stored by eight bytes, as others read it.
        let Some(lanes) = state.vector(from).cloned() else {
            return false;
        };
        let address = self.address(state, instruction);
        self.note_member(state, instruction, &address, &Value::any());
        self.spread(state, &address, &lanes, instruction.ip());
        true
    }

    fn spread(&mut self, state: &mut State, address: &Address, lanes: &Lanes, at: u64) {
        for (place, value) in (0u64..).zip(lanes) {
            self.store(state, &address.plus(place * 4), 4, value, at);
        }
    }

    /// `pinsrd`, `pinsrq`.
    fn inserted(&mut self, state: &mut State, instruction: &Instruction) -> bool {
        let last = instruction.op_count() - 1;
        let (Some(to), Ok(place)) = (
            number(instruction.op0_register()),
            instruction.try_immediate(last),
        ) else {
            return false;
        };
        let from = if last == 3 {
            instruction.op1_register()
        } else {
            instruction.op0_register()
        };
        let mut lanes = state.lanes(from);
        let value = self.read(state, instruction, last - 1);
        if matches!(instruction.mnemonic(), Mnemonic::Pinsrd | Mnemonic::Vpinsrd) {
            lanes[(place & 3) as usize] = truncated(&value, 4);
        } else {
            let first = (place & 1) as usize * 2;
            (lanes[first], lanes[first + 1]) = halves(&value);
        }
        set(state, to, lanes)
    }
}

/// Two registers are made one.
fn combined(
    state: &mut State,
    instruction: &Instruction,
    both: impl Fn(&Lanes, &Lanes) -> Lanes,
) -> bool {
    let Some(to) = number(instruction.op0_register()) else {
        return false;
    };
    let last = instruction.op_count() - 1;
    if instruction.op_kind(last) != OpKind::Register {
        return false;
    }
    let first = state.lanes(instruction.op_register(last - 1));
    let second = state.lanes(instruction.op_register(last));
    set(state, to, both(&first, &second))
}

/// Says what a register holds; false where that is nothing that is known.
fn set(state: &mut State, to: u8, lanes: Lanes) -> bool {
    if lanes.iter().all(Value::is_any) {
        return false;
    }
    state.set_vector(to, lanes);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::features::Facts;
    use crate::facts::state::Join;

    #[test]
    fn eight_bytes_are_two_times_four() {
        let avx2 = Facts::named("avx2");
        let flag = Value::number(1).under(avx2).or(&Value::number(0));
        let both = joined(&Value::number(7), &flag);
        assert_eq!(both.when(Some(32)), Some(avx2));
        assert_eq!(both.when(Some(33)), Some(Facts::ALL));
        assert_eq!(halves(&both), (Value::number(7), flag));
    }

    /// One answer of four differs by the way, as ring's: the others are what they were, and that
    /// one tells what both ways know.
    #[test]
    fn lanes_are_joined_where_ways_meet() {
        let (avx2, sha) = (Facts::named("avx2"), Facts::named("sha"));
        let flag = |facts| Value::number(1).under(facts).or(&Value::number(0));
        let with = |last: Value| {
            let mut state = State::unknown();
            state.set_vector(0, [flag(avx2), Value::any(), flag(sha), last]);
            state.set_vector(1, [Value::number(0), flag(avx2), flag(avx2), flag(avx2)]);
            state
        };
        let mut one = with(flag(avx2 | sha));
        one.set_vector(2, [flag(avx2), flag(avx2), flag(avx2), flag(avx2)]);
        let mut other = with(flag(avx2));
        other.forget_vector(1);
        assert!(one.join(&other, Join::Given));
        let lanes = one.vector(0).unwrap();
        assert_eq!(lanes[0].when(Some(0)), Some(avx2));
        assert_eq!(lanes[2].when(Some(0)), Some(sha));
        assert_eq!(lanes[3].when(Some(0)), Some(avx2));
        // What only one of them knows is not known.
        assert!(one.vector(1).is_none() && one.vector(2).is_none());
        assert!(!one.join(&other, Join::Given));
        assert!(one.join(&with(Value::any()), Join::Given));
        assert_eq!(one.vector(0).unwrap()[3].when(Some(0)), None);
    }
}
