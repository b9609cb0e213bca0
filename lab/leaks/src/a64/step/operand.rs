//! Operands, and what is computed of them in more than one group of instructions.

use super::Memory;
use crate::a64::features::ALL;
use crate::a64::state::SP;
use crate::a64::value::{Logic, Val};

/// The general register that a number names where 31 is the stack pointer.
pub(super) fn or_sp(number: u32) -> usize {
    match number & 31 {
        31 => SP,
        other => other as usize,
    }
}

pub(super) fn sum(a: &Val, b: &Val, minus: bool, width: u32) -> Val {
    let out = match (a, b.as_constant()) {
        (Val::Stack(region, at), Some(by)) => {
            let by = if minus { by.wrapping_neg() } else { by };
            return Val::Stack(*region, at.wrapping_add(by as i64));
        }
        (other, Some(0)) => other.clone(),
        _ => {
            let out = a.combine(b, |a, b| match minus {
                true => a.wrapping_sub(b),
                false => a.wrapping_add(b),
            });
            match out {
                // Nothing is carried.
                Val::Top { .. } if !minus && a.open() & b.open() == 0 => a.logic(b, Logic::Or),
                other => other,
            }
        }
    };
    out.low(width)
}

/// Where an address of code is not followed any more since something was added to it.
pub(super) fn lose_operands(memory: &mut impl Memory, out: &Val, operands: [&Val; 2], has: u64) {
    if out.as_alts().is_none() {
        for operand in operands {
            memory.lose(operand, has);
        }
    }
}

pub(super) fn sign_extended(value: &Val, top: u32) -> Val {
    match value {
        Val::Alts(_) => value.map(|v| match v >> top & 1 {
            1 => v | (u64::MAX << top),
            _ => v,
        }),
        Val::Bits(bits) if bits.set[top as usize & 63] == ALL => value.clone(),
        _ => Val::Top {
            opaque: value.is_opaque() || value.says(),
        },
    }
}

/// An operand that is shifted by a number.
pub(super) fn shifted(value: &Val, word: u32, width: u32) -> Val {
    let by = (word >> 10 & 63) as i32;
    let value = value.low_or_same(width);
    match (word >> 22 & 3, by) {
        (_, 0) => value,
        (0, by) => value.shift(by).low(width),
        (1, by) => value.shift(-by),
        (2, by) => value.map(|v| match width {
            64 => ((v as i64) >> by) as u64,
            _ => u64::from(((v as u32 as i32) >> (by & 31)) as u32),
        }),
        _ => value.map(|v| match width {
            64 => v.rotate_right(by as u32),
            _ => u64::from((v as u32).rotate_right(by as u32)),
        }),
    }
}

pub(super) fn extended(value: &Val, option: u32) -> Val {
    let bits = 8 << (option & 3);
    match option >> 2 {
        0 => value.low(bits),
        _ if bits == 64 => value.clone(),
        _ => sign_extended(&value.low(bits), bits - 1),
    }
}
