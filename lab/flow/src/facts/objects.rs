//! Memory that is followed besides a routine's own frame: its callers' frames, and objects that
//! it allocates. All are places of the stack, far from each other.
//!
//! Only where a routine is looked at with what its callers give. An object is the last that its
//! place allocated: before the next, and where its address goes where it is not followed, it is
//! given up.

use super::features::Facts;
use super::memory::Address;
use super::state::State;
use super::step::{Arguments, Step};
use super::value::{Kind, Value};
use iced_x86::{Instruction, Mnemonic, Register};

/// A part of memory: its place, bytes and value.
pub(super) type Part = (i64, u8, Value);

/// From a routine's frame to its caller's.
const LEVEL: i64 = 1 << 40;
/// From an object to the next.
const OBJECT: i64 = 1 << 32;
/// A frame, or an object, is no larger.
const FRAME: i64 = 1 << 31;
/// Places of one routine that allocate, at most.
const PLACES: usize = 64;
/// Bytes that are copied or filled at once, at most: with more nothing is followed.
const COPIED: u64 = 4096;
/// The same behind an argument: each word is told to callers.
const TOLD: u64 = 512;

/// Whether a place of the stack is in the routine's own frame.
pub(super) fn is_own(at: i64) -> bool {
    (-FRAME..FRAME).contains(&at)
}

/// Whether it is in an object that was allocated, which may not have been there.
pub(super) fn is_object(at: i64) -> bool {
    (FRAME..LEVEL - FRAME).contains(&at.rem_euclid(LEVEL))
}

/// The frame or object that a place is in.
fn region(at: i64) -> std::ops::Range<i64> {
    let start = at.saturating_add(FRAME).div_euclid(OBJECT) * OBJECT - FRAME;
    start..start + OBJECT
}

/// Whether a value points into a region.
fn is_into(value: &Value, region: &std::ops::Range<i64>) -> bool {
    let is_one = |(kind, _): &(Kind, Facts)| matches!(kind, Kind::Stack(at) if region.contains(at));
    value.alternatives().iter().any(is_one)
}

/// A caller's value as the routine has it that is called.
pub(super) fn entered(value: &Value) -> Value {
    match value.is_of_arguments() {
        true => Value::any(),
        false => value.map(|kind| match kind {
            Kind::Stack(at) => Kind::Stack(at.saturating_add(LEVEL)),
            kind => kind.clone(),
        }),
    }
}

/// What a caller's memory holds, as the routine has it that is called. That it is what was seen
/// to be stored is as good as that all was seen.
pub(super) fn entered_part((at, bytes, value): &Part) -> Part {
    let value = entered(value);
    let value = match value.is_any() {
        true => value,
        false => value.under(Facts::member()),
    };
    (at.saturating_add(LEVEL), *bytes, value)
}

impl State {
    /// All that is known of memory.
    pub(super) fn memory(&self) -> Vec<Part> {
        let mut out = Vec::new();
        self.slots.each(|at, bytes, value| {
            out.push((at, bytes, value.clone()));
        });
        out
    }

    /// Gives up an object: nothing points to it any more, for all that is known.
    fn lose(&mut self, at: i64) {
        let region = region(at);
        for value in &mut self.registers {
            if is_into(value, &region) {
                *value = Value::any();
            }
        }
        let is_one = |at: i64, value: &Value| region.contains(&at) || is_into(value, &region);
        if self
            .memory()
            .iter()
            .any(|(at, _, value)| is_one(*at, value))
        {
            std::rc::Rc::make_mut(&mut self.slots).retain(|at, _, value| !is_one(at, value));
        }
    }

    /// Nothing is known any more of what a routine is handed that is not followed.
    pub(super) fn forget_handed(&mut self, at: i64) {
        match is_object(at) {
            true => self.lose(at),
            false => self.forget_slots(at),
        }
    }

    /// Copies what is known of memory.
    fn copy(&mut self, to: i64, from: i64, bytes: u64) {
        let parts = self.between(from, bytes);
        self.forget(to, bytes);
        for (at, size, value) in parts {
            self.set_slot(to.saturating_add(at), size, value);
        }
    }

    /// What is known of so many bytes, by the distance from the first.
    fn between(&self, from: i64, bytes: u64) -> Vec<Part> {
        let end = from.saturating_add(bytes as i64);
        let mut parts = self.memory();
        parts.retain(|(at, size, _)| (from..end).contains(at) && at + i64::from(*size) <= end);
        for (at, ..) in &mut parts {
            *at -= from;
        }
        parts
    }

    /// Nothing is known any more of so many bytes.
    fn forget(&mut self, at: i64, bytes: u64) {
        for part in (0..bytes).step_by(8) {
            let size = (bytes - part).min(8) as u8;
            self.set_slot(at.saturating_add(part as i64), size, Value::any());
        }
    }
}

/// The place of the stack that a value is.
fn stack(value: &Value) -> Option<i64> {
    match value.alternatives() {
        [(Kind::Stack(at), _)] => Some(*at),
        _ => None,
    }
}

impl Step<'_, '_> {
    /// What a function of C gives that fills or copies memory, or allocates some, and what it
    /// does there; none where it is another one, or that is not followed.
    pub(super) fn of_memory(
        &mut self,
        state: &mut State,
        name: &str,
        arguments: &Arguments,
        at: u64,
    ) -> Option<Value> {
        match name {
            "memset" | "memcpy" | "memmove" => {
                let [to, from, bytes, ..] = arguments;
                let bytes = bytes.constant()?;
                if name == "memset" && self.fills_object(state, to, from, bytes, at) {
                    return Some(to.clone());
                }
                let from = (name != "memset").then_some(from);
                self.copied(state, to, from, bytes, at)?;
                Some(to.clone())
            }
            "malloc" | "calloc" | "_Znwm" | "_Znam" => {
                let places = self.objects.as_mut()?;
                let number = match places.iter().position(|place| *place == at) {
                    Some(known) => known,
                    None if places.len() < PLACES => {
                        places.push(at);
                        places.len() - 1
                    }
                    None => return None,
                };
                let object = -(number as i64 + 1) * OBJECT;
                state.lose(object);
                Some(Value::of(Kind::Stack(object)))
            }
            _ => None,
        }
    }

    /// So many bytes are copied, or filled by what is not followed.
    fn copied(
        &mut self,
        state: &mut State,
        to: &Value,
        source: Option<&Value>,
        bytes: u64,
        at: u64,
    ) -> Option<()> {
        if bytes > COPIED {
            return None;
        }
        match (to.alternatives(), source.map(stack)) {
            ([(Kind::Stack(to), _)], Some(Some(from))) => state.copy(*to, from, bytes),
            ([(Kind::Stack(to), _)], _) => state.forget(*to, bytes),
            ([(Kind::Argument(..), _)], from) if bytes <= TOLD => {
                let place = Address::of(to);
                for part in (0..bytes).step_by(8) {
                    let size = (bytes - part).min(8) as u8;
                    self.store(state, &place.plus(part), size, &Value::any(), at);
                }
                if let Some(Some(from)) = from {
                    for (part, size, value) in state.between(from, bytes) {
                        self.store(state, &place.plus(part as u64), size, &value, at);
                    }
                }
            }
            _ => return None,
        }
        // What a table has goes where the copy goes.
        if let Some(from) = source {
            self.hands_tables(state, from, at);
        }
        Some(())
    }

    /// Addresses of the file that are copied from.
    fn hands_tables(&mut self, state: &State, from: &Value, at: u64) {
        let is_address = |(kind, _): &(Kind, Facts)| matches!(kind, Kind::Const(_));
        let all: Vec<_> = from.alternatives().to_vec();
        let all = all.into_iter().filter(is_address).collect();
        self.hands(state, &Value::from_alternatives(all), at, true);
    }

    /// `rep movs`, where it is known what is copied. False where it is not.
    pub(super) fn moves_string(&mut self, state: &mut State, instruction: &Instruction) -> bool {
        let size = match instruction.mnemonic() {
            Mnemonic::Movsb => 1,
            Mnemonic::Movsd if instruction.op0_register() == Register::None => 4,
            Mnemonic::Movsq => 8,
            _ => return false,
        };
        let count = match instruction.has_rep_prefix() {
            true => state.registers[1].constant(),
            false => Some(1),
        };
        let (to, from) = (stack(&state.registers[7]), stack(&state.registers[6]));
        let (Some(count), Some(to), Some(from)) = (count, to, from) else {
            return false;
        };
        let Some(bytes) = count.checked_mul(size).filter(|bytes| *bytes <= COPIED) else {
            return false;
        };
        state.copy(to, from, bytes);
        for register in [6, 7] {
            state.registers[register] = state.registers[register].plus(bytes);
        }
        if instruction.has_rep_prefix() {
            state.registers[1] = Value::number(0);
        }
        true
    }

    /// The address of an object is stored elsewhere: who has it may change what is there.
    pub(super) fn gives_object(&self, state: &mut State, address: &Address, value: &Value) {
        let is_kept = |(kind, _): &(Kind, Facts)| matches!(kind, Kind::Stack(at) if is_own(*at));
        if self.objects.is_none() || address.alternatives().iter().all(is_kept) {
            return;
        }
        for (kind, _) in value.alternatives() {
            if let Kind::Stack(at) = kind
                && is_object(*at)
            {
                state.lose(*at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_and_objects_are_apart() {
        let object = -3 * OBJECT;
        assert!(is_own(-64) && is_own(8) && !is_own(LEVEL) && !is_own(object));
        // Also of a caller, and of its caller.
        for level in [0, LEVEL, 2 * LEVEL] {
            assert!(is_object(level + object) && is_object(level + object + 4000));
            assert!(!is_object(level - 64) && !is_object(level + 8));
        }
        assert!(region(object).contains(&(object + 4000)));
        assert!(!region(object).contains(&(object + OBJECT)));
        assert!(region(-64).contains(&8) && !region(-64).contains(&LEVEL));
    }

    #[test]
    fn what_is_copied_is_known_and_what_is_lost_is_not() {
        let avx2 = Facts::named("avx2");
        let flag = Value::number(1).under(avx2).or(&Value::number(0));
        let mut state = State::unknown();
        state.set_slot(-32, 4, flag.clone());
        state.set_slot(-28, 4, Value::number(3));
        let object = -OBJECT;
        state.set_slot(object + 16, 8, Value::number(9));
        state.registers[0] = Value::of(Kind::Stack(object));
        state.copy(object + 8, -32, 8);
        assert_eq!(state.slot(object + 8, 4), Some(flag.clone()));
        assert_eq!(state.slot(object + 12, 4), Some(Value::number(3)));
        assert_eq!(state.slot(object + 16, 8), Some(Value::number(9)));
        state.copy(object + 8, -100, 8);
        assert_eq!(state.slot(object + 8, 4), None);
        state.forget_handed(object);
        assert!(state.registers[0].is_any());
        assert_eq!(state.slot(object + 16, 8), None);
        assert_eq!(state.slot(-32, 4), Some(flag));
    }
}
