//! What operations make of alternatives.

use super::features::Facts;
use super::value::{Kind, bits, constant_bit};
use iced_x86::Mnemonic;
use std::rc::Rc;

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
    match (bits(a), bits(b)) {
        (Some(a), Some(b)) => a
            .iter()
            .zip(b.iter())
            .all(|(a, b)| is_zero(*a) || is_zero(*b)),
        _ => false,
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
        _ => match bits(kind) {
            Some(word) => Kind::Word(Rc::new(std::array::from_fn(|at| (word[at].1, word[at].0)))),
            None => Kind::Any,
        },
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
    let unknown = || Rc::new([(Facts::NONE, Facts::NONE); 64]);
    let is_open = |kind: &Kind| bits(kind).is_none();
    if is_open(a) && is_open(b) {
        return Kind::Any;
    }
    let (a, b) = (
        bits(a).unwrap_or_else(unknown),
        bits(b).unwrap_or_else(unknown),
    );
    Kind::Word(Rc::new(std::array::from_fn(|at| {
        let (a, b) = (a[at], b[at]);
        match mnemonic {
            Mnemonic::And => (a.0 | b.0, a.1 & b.1),
            Mnemonic::Or => (a.0 & b.0, a.1 | b.1),
            _ => ((a.0 | b.1) & (a.1 | b.0), (a.0 | b.0) & (a.1 | b.1)),
        }
    })))
}

pub fn shifted(kind: &Kind, by: u32, left: bool) -> Kind {
    match kind {
        Kind::Const(number) if left => Kind::Const(number.wrapping_shl(by)),
        Kind::Const(number) => Kind::Const(number.wrapping_shr(by)),
        _ => match bits(kind) {
            Some(word) => Kind::Word(Rc::new(std::array::from_fn(|at| {
                let from = match left {
                    true => at.checked_sub(by as usize),
                    false => Some(at + by as usize).filter(|at| *at < 64),
                };
                from.map_or(constant_bit(false), |from| word[from])
            }))),
            None => Kind::Any,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word whose one open bit is that of an argument.
    fn word(bit: u64) -> Kind {
        join_bits(&Kind::Argument(0, 0), &Kind::Const(1 << bit), Mnemonic::And)
    }

    fn one(kind: &Kind, bit: usize) -> Facts {
        bits(kind).map_or(Facts::NONE, |word| word[bit].0)
    }

    #[test]
    fn words_apart_are_added_as_by_or() {
        let sum = add(&add(&word(4), &word(6)), &Kind::Const(0x20));
        assert_eq!(one(&sum, 4), Facts::argument(0, Some(4)));
        assert_eq!(one(&sum, 6), Facts::argument(0, Some(6)));
        assert_eq!(bits(&sum).map(|word| word[5]), Some(constant_bit(true)));
        // A carry could come of it.
        assert!(add(&word(4), &Kind::Const(0x10)) == Kind::Any);
        assert!(add(&word(4), &Kind::Any) == Kind::Any);
    }

    #[test]
    fn the_complement_of_an_argument_has_its_bits() {
        let complement = not(&Kind::Argument(0, 0));
        let both = bits(&complement).map(|word| word[2]);
        assert_eq!(both, Some((Facts::NONE, Facts::argument(0, Some(2)))));
    }
}
