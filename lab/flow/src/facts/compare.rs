//! What a condition of the flags says of two values that were compared.

use super::bits::{Word, constant_bit};
use super::bounds;
use super::features::Facts;
use super::objects::is_object;
use super::state::truncated;
use super::value::{Kind, Value};
use iced_x86::ConditionCode;

/// The numbers that the low bytes of a word may be, where they are few.
pub(super) fn numbers_of(kind: &Kind, bytes: u8) -> Option<Value> {
    let Kind::Word(_) = kind else { return None };
    let part = truncated(&Value::of(kind.clone()), bytes);
    let mut all = part.alternatives().iter();
    let are_numbers = all.all(|(kind, _)| matches!(kind, Kind::Const(_)));
    are_numbers.then_some(part)
}

/// Whether a word has nothing above its low bytes.
pub(super) fn is_zero_from(word: &Word, bytes: u8) -> bool {
    let above = word[usize::from(bytes) * 8..].iter();
    above.into_iter().all(|bit| *bit == constant_bit(false))
}

/// What holds when two compare so, and when not.
pub(super) fn compare(
    left: &Kind,
    right: &Kind,
    bytes: u8,
    condition: ConditionCode,
) -> (Facts, Facts) {
    use ConditionCode as C;
    let swap = |is_not: bool, (yes, no): (Facts, Facts)| if is_not { (no, yes) } else { (yes, no) };
    match (left, right) {
        (Kind::Const(a), Kind::Const(b)) => {
            let holds = holds(*a, *b, bytes, condition);
            swap(!holds, (Facts::NONE, Facts::ALL))
        }
        (Kind::Word(word), Kind::Const(number)) => {
            let bits = usize::from(bytes) * 8;
            match condition {
                C::e | C::ne => swap(condition == C::ne, equals(&word[..bits], *number)),
                // More than nothing.
                C::a | C::be if *number == 0 => swap(condition == C::a, equals(&word[..bits], 0)),
                C::s | C::ns if *number == 0 => swap(condition == C::ns, word[bits - 1]),
                C::ae | C::b if number.is_power_of_two() => {
                    swap(condition == C::b, reaches(&word[..bits], *number))
                }
                C::a | C::be if number.wrapping_add(1).is_power_of_two() => {
                    swap(condition == C::be, reaches(&word[..bits], *number + 1))
                }
                _ => {
                    let either = either(word);
                    (either, either)
                }
            }
        }
        (Kind::Argument(argument, 0), Kind::Const(number)) => match (condition, *number) {
            (C::ne | C::a | C::g, 0) => (Facts::argument(*argument, None), Facts::NONE),
            (C::e | C::be, 0) => (Facts::NONE, Facts::argument(*argument, None)),
            (C::e | C::ne, number) => {
                let bits = (0..8).filter(|bit| number >> bit & 1 == 1);
                let all = bits.fold(Facts::argument(*argument, None), |all, bit| {
                    all | Facts::argument(*argument, Some(bit))
                });
                swap(condition == C::ne, (all, Facts::NONE))
            }
            _ => (Facts::NONE, Facts::NONE),
        },
        (Kind::UpTo(most, read), Kind::Const(number)) => {
            bounds::compare((*most, *read), *number, bytes, condition)
        }
        (Kind::Const(number), Kind::UpTo(most, read)) => {
            let condition = bounds::mirrored(condition);
            bounds::compare((*most, *read), *number, bytes, condition)
        }
        // An address is not zero.
        (Kind::Stack(at), Kind::Const(0)) if !is_object(*at) => {
            swap(condition == C::ne, (Facts::ALL, Facts::NONE))
        }
        _ => (Facts::NONE, Facts::NONE),
    }
}

/// What holds when the bits are those of a number, and when they are not.
fn equals(bits: &[(Facts, Facts)], number: u64) -> (Facts, Facts) {
    let (mut same, mut other) = (Facts::NONE, Facts::ALL);
    for (at, bit) in bits.iter().enumerate() {
        let (like, unlike) = match number >> at & 1 {
            1 => (bit.0, bit.1),
            _ => (bit.1, bit.0),
        };
        same |= like;
        other = other & unlike;
    }
    (same, other)
}

/// What holds when the bits are at least a power of two, so that one from its on is one, and when
/// they are less. The highest bit of an answer is asked for so where the rest of it is zero.
fn reaches(bits: &[(Facts, Facts)], number: u64) -> (Facts, Facts) {
    let from = bits.iter().skip(number.trailing_zeros() as usize);
    from.fold((Facts::ALL, Facts::NONE), |(more, less), bit| {
        (more & bit.0, less | bit.1)
    })
}

/// What holds whatever the bits are: a word that says one thing in all of them.
fn either(word: &Word) -> Facts {
    let open = word
        .iter()
        .filter(|bit| bit.0 != Facts::ALL && bit.1 != Facts::ALL);
    let all = open.fold(Facts::ALL, |all, bit| all & bit.0 & bit.1);
    if all == Facts::ALL { Facts::NONE } else { all }
}

fn holds(a: u64, b: u64, bytes: u8, condition: ConditionCode) -> bool {
    use ConditionCode as C;
    let shift = 64 - u32::from(bytes.clamp(1, 8)) * 8;
    let (a, b) = (a << shift, b << shift);
    let (signed_a, signed_b) = (a as i64, b as i64);
    let difference = (a.wrapping_sub(b)) as i64;
    match condition {
        C::None => true,
        C::e => a == b,
        C::ne => a != b,
        C::b => a < b,
        C::ae => a >= b,
        C::be => a <= b,
        C::a => a > b,
        C::l => signed_a < signed_b,
        C::ge => signed_a >= signed_b,
        C::le => signed_a <= signed_b,
        C::g => signed_a > signed_b,
        C::s => difference < 0,
        C::ns => difference >= 0,
        C::o => signed_a.checked_sub(signed_b).is_none(),
        C::no => signed_a.checked_sub(signed_b).is_some(),
        C::p | C::np => {
            let low = (a.wrapping_sub(b) >> shift) as u8;
            low.count_ones().is_multiple_of(2) == (condition == C::p)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::shared::Shared;
    use iced_x86::ConditionCode as C;

    /// EBX of leaf 7 in a register of 8 bytes, and perhaps a bit above it.
    fn word(above: bool) -> Kind {
        let names = Facts::named("avx512vl");
        Kind::Word(Shared::of(|at| match at {
            31 => (names, Facts::NONE),
            32 if above => (Facts::NONE, Facts::NONE),
            0..31 => (Facts::NONE, Facts::NONE),
            _ => constant_bit(false),
        }))
    }

    #[test]
    fn the_highest_bit_is_asked_for_by_how_large_a_word_is() {
        let high = 1u64 << 31;
        let asks = Facts::named("avx512vl");
        let compare = |above, number, condition| {
            super::compare(&word(above), &Kind::Const(number), 8, condition)
        };
        assert_eq!(compare(false, high, C::ae), (asks, Facts::NONE));
        assert_eq!(compare(false, high, C::b), (Facts::NONE, asks));
        assert_eq!(compare(false, high - 1, C::a), (asks, Facts::NONE));
        assert_eq!(compare(false, high - 1, C::be), (Facts::NONE, asks));
        // Another number, or another bit that may be one.
        assert_eq!(compare(false, high, C::a).0, Facts::NONE);
        assert_eq!(compare(false, high - 2, C::a).0, Facts::NONE);
        assert_eq!(compare(false, high / 2, C::ae).0, Facts::NONE);
        assert_eq!(compare(true, high, C::ae).0, Facts::NONE);
    }
}
