//! What operations make of alternatives.

use super::bits::{bit, constant_bit, has_bits};
use super::features::Facts;
use super::shared::Shared;
use super::value::Kind;
use iced_x86::Mnemonic;

pub fn add(a: &Kind, b: &Kind) -> Kind {
    match (a, b) {
        (Kind::Const(a), Kind::Const(b)) => Kind::Const(a.wrapping_add(*b)),
        (Kind::Stack(at), Kind::Const(by)) | (Kind::Const(by), Kind::Stack(at)) => {
            Kind::Stack(at.wrapping_add(*by as i64))
        }
        (Kind::Argument(number, at), Kind::Const(by))
        | (Kind::Const(by), Kind::Argument(number, at)) => {
            Kind::Argument(*number, at.wrapping_add(*by as i64))
        }
        (Kind::Const(0), other) | (other, Kind::Const(0)) => other.clone(),
        // Where no bit is set in both nothing is carried: compilers write `or` so.
        (Kind::Word(_), _) | (_, Kind::Word(_)) if are_apart(a, b) => join_bits(a, b, Mnemonic::Or),
        _ => Kind::Any,
    }
}

/// Whether of each bit one of the two is zero for certain.
fn are_apart(a: &Kind, b: &Kind) -> bool {
    let is_zero = |bit: (Facts, Facts)| bit.0 == Facts::ALL;
    has_bits(a) && has_bits(b) && (0..64).all(|at| is_zero(bit(a, at)) || is_zero(bit(b, at)))
}

/// A value and the same shifted left: `lea (%rax,%rax,2)`, `add %rax,%rax`. It is one value,
/// not two that are apart.
pub fn with_itself(kind: &Kind, by: u32) -> Kind {
    match add(kind, &shifted(kind, by, true)) {
        Kind::Any if by == 0 => shifted(kind, 1, true),
        sum => sum,
    }
}

pub fn subtract(a: &Kind, b: &Kind) -> Kind {
    match b {
        Kind::Const(by) => add(a, &Kind::Const(by.wrapping_neg())),
        _ => Kind::Any,
    }
}

pub fn not(kind: &Kind) -> Kind {
    match kind {
        Kind::Const(number) => Kind::Const(!number),
        _ if has_bits(kind) => Kind::Word(Shared::of(|at| {
            let (one, zero) = bit(kind, at);
            (zero, one)
        })),
        _ => Kind::Any,
    }
}

/// `and`, `or`, `xor` bit by bit.
pub fn join_bits(a: &Kind, b: &Kind, mnemonic: Mnemonic) -> Kind {
    if let (Kind::Const(a), Kind::Const(b)) = (a, b) {
        return Kind::Const(match mnemonic {
            Mnemonic::And => a & b,
            Mnemonic::Or => a | b,
            _ => a ^ b,
        });
    }
    // Alignment of the stack.
    if let (Kind::Stack(at), Kind::Const(_)) = (a, b)
        && mnemonic == Mnemonic::And
    {
        return Kind::Stack(*at);
    }
    if !has_bits(a) && !has_bits(b) {
        return Kind::Any;
    }
    Kind::Word(Shared::of(|at| {
        let (a, b) = (bit(a, at), bit(b, at));
        match mnemonic {
            Mnemonic::And => (a.0 | b.0, a.1 & b.1),
            Mnemonic::Or => (a.0 & b.0, a.1 | b.1),
            _ => ((a.0 | b.1) & (a.1 | b.0), (a.0 | b.0) & (a.1 | b.1)),
        }
    }))
}

pub fn shifted(kind: &Kind, by: u32, left: bool) -> Kind {
    match kind {
        Kind::Const(number) if left => Kind::Const(number.wrapping_shl(by)),
        Kind::Const(number) => Kind::Const(number.wrapping_shr(by)),
        _ if has_bits(kind) => Kind::Word(Shared::of(|at| {
            let from = match left {
                true => at.checked_sub(by as usize),
                false => Some(at + by as usize).filter(|at| *at < 64),
            };
            from.map_or(constant_bit(false), |from| bit(kind, from))
        })),
        _ => Kind::Any,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word whose one open bit is that of an argument.
    fn word(bit: u64) -> Kind {
        join_bits(&Kind::Argument(0, 0), &Kind::Const(1 << bit), Mnemonic::And)
    }

    fn one(kind: &Kind, at: usize) -> Facts {
        bit(kind, at).0
    }

    #[test]
    fn words_apart_are_added_as_by_or() {
        let sum = add(&add(&word(4), &word(6)), &Kind::Const(0x20));
        assert_eq!(one(&sum, 4), Facts::argument(0, Some(4)));
        assert_eq!(one(&sum, 6), Facts::argument(0, Some(6)));
        assert_eq!(bit(&sum, 5), constant_bit(true));
        // A carry could come of it.
        assert!(add(&word(4), &Kind::Const(0x10)) == Kind::Any);
        assert!(add(&word(4), &Kind::Any) == Kind::Any);
    }

    #[test]
    fn the_complement_of_an_argument_has_its_bits() {
        let complement = not(&Kind::Argument(0, 0));
        assert_eq!(
            bit(&complement, 2),
            (Facts::NONE, Facts::argument(0, Some(2)))
        );
    }
}
