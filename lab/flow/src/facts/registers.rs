//! Registers as values: what is read from a part of one, what writing a part leaves, and
//! the four that `cpuid` answers in.

use super::arithmetic::shifted;
use super::bits::{bits, constant_bit};
use super::features::{Facts, Register as Answer, cpuid_bit};
use super::shared::Shared;
use super::state::{Flags, State, truncated};
use super::value::{Kind, Value};
use crate::state::bit;
use iced_x86::{Instruction, OpKind, Register};

pub fn cpuid(state: &mut State) {
    let leaves: Vec<(u32, Facts)> = (state.registers[0].alternatives().iter())
        .filter_map(|(kind, facts)| match kind {
            Kind::Const(number) => Some((*number as u32, *facts)),
            _ => None,
        })
        .collect();
    let is_known = leaves.len() == state.registers[0].alternatives().len();
    let subleaf = state.registers[1].constant().map(|number| number as u32);
    for (register, answer) in [
        (0, Answer::A),
        (3, Answer::B),
        (1, Answer::C),
        (2, Answer::D),
    ] {
        let words = leaves.iter().map(|(leaf, facts)| {
            let sub = match leaf {
                7 | 0xd => subleaf,
                _ => Some(0),
            };
            let word = Value::word(|bit| match (bit, sub) {
                (0..32, Some(sub)) => cpuid_bit(*leaf, sub, answer, bit),
                (0..32, None) => (Facts::NONE, Facts::NONE),
                _ => constant_bit(false),
            });
            word.under(*facts)
        });
        let word = words.reduce(|all, one| all.or(&one)).filter(|_| is_known);
        state.registers[register] = word.unwrap_or_else(Value::any);
    }
    state.flags = Flags::Unknown;
}

/// Bytes of an operand.
pub fn size(instruction: &Instruction, operand: u32) -> u8 {
    match instruction.op_kind(operand) {
        OpKind::Register => instruction.op_register(operand).size() as u8,
        OpKind::Memory => instruction.memory_size().size().min(64) as u8,
        _ => match instruction.op_kind(0) {
            OpKind::Register => instruction.op0_register().size() as u8,
            OpKind::Memory => instruction.memory_size().size().min(64) as u8,
            _ => 8,
        },
    }
}

fn is_high(register: Register) -> bool {
    matches!(
        register,
        Register::AH | Register::BH | Register::CH | Register::DH
    )
}

pub fn read_register(state: &State, register: Register) -> Value {
    let Some(at) = bit(register).filter(|at| *at < 16) else {
        return Value::any();
    };
    let whole = &state.registers[usize::from(at)];
    if is_high(register) {
        return truncated(&whole.map(|kind| shifted(kind, 8, false)), 1);
    }
    truncated(whole, register.size() as u8)
}

/// The register of which the low part is compared, as a whole, where the part is a number in all
/// that it may be: what is told of the part then tells which.
pub fn compared(state: &State, register: Register) -> Option<(u8, &Value)> {
    let at = bit(register).filter(|at| *at < 16 && !is_high(register))?;
    let whole = &state.registers[usize::from(at)];
    let is_fixed = |bit: &(Facts, Facts)| [true, false].map(constant_bit).contains(bit);
    let is_number = |(kind, _): &(Kind, Facts)| match kind {
        Kind::Const(_) => true,
        Kind::Word(word) => word[..register.size() * 8].iter().all(is_fixed),
        _ => false,
    };
    (whole.alternatives().iter().all(is_number)).then_some((at, whole))
}

pub fn write_register(state: &mut State, register: Register, value: &Value) {
    let Some(at) = bit(register) else { return };
    if at >= 16 {
        if at < 48 {
            state.forget_vector(at - 16);
        }
        return;
    }
    let place = &mut state.registers[usize::from(at)];
    *place = match register.size() {
        8 => value.clone(),
        4 => truncated(value, 4),
        bytes => {
            // `ah` and its like lie a byte higher.
            let first = if is_high(register) { 8 } else { 0 };
            let part = first..first + bytes * 8;
            let low = truncated(value, bytes as u8).map(|kind| shifted(kind, first as u32, true));
            place.with(&low, |old, new| {
                let old = bits(old).unwrap_or_else(Shared::nothing);
                let new = bits(new).unwrap_or_else(Shared::nothing);
                let bit = |at| if part.contains(&at) { new[at] } else { old[at] };
                Kind::Word(Shared::of(bit))
            })
        }
    };
}
