//! Conditions against comparisons of numbers.

use super::*;
use crate::bits::symbol;
use ConditionCode as C;

/// Numbers that lie where conditions turn, and others.
fn numbers(size: usize) -> Vec<u64> {
    let top = 1u64 << (size * 8 - 1);
    let mut all = vec![
        0,
        1,
        2,
        3,
        top - 1,
        top,
        top.wrapping_add(1),
        mask(size),
        mask(size) - 1,
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..16 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        all.push(state & mask(size));
    }
    all
}

fn expected(condition: C, a: u64, b: u64, size: usize) -> bool {
    let (x, y) = (sign(a, size), sign(b, size));
    let less = a.wrapping_sub(b) & mask(size);
    let is_over = i128::from(x) - i128::from(y) != i128::from(sign(less, size));
    match condition {
        C::e => a == b,
        C::ne => a != b,
        C::b => a < b,
        C::ae => a >= b,
        C::be => a <= b,
        C::a => a > b,
        C::l => x < y,
        C::ge => x >= y,
        C::le => x <= y,
        C::g => x > y,
        C::s => sign(less, size) < 0,
        C::ns => sign(less, size) >= 0,
        C::o => is_over,
        C::no => !is_over,
        C::p => (less as u8).count_ones().is_multiple_of(2),
        C::np => !(less as u8).count_ones().is_multiple_of(2),
        C::None => true,
    }
}

const ALL: [C; 16] = [
    C::e,
    C::ne,
    C::b,
    C::ae,
    C::be,
    C::a,
    C::l,
    C::ge,
    C::le,
    C::g,
    C::s,
    C::ns,
    C::o,
    C::no,
    C::p,
    C::np,
];

#[test]
fn comparisons_of_numbers_are_as_theirs() {
    for size in [1, 2, 4, 8] {
        let all = numbers(size);
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))) {
            let flags = Flags::Less(Word::Known(a), Word::Known(b), size);
            for condition in ALL {
                let is = Bit::from(expected(condition, a, b, size));
                assert_eq!(
                    flags.holds(condition),
                    Ok(is),
                    "{condition:?} {a:x} {b:x} {size}"
                );
            }
        }
    }
}

#[test]
fn results_without_a_carry_are_compared_with_zero() {
    for size in [1, 2, 4, 8] {
        for value in numbers(size) {
            let flags = Flags::Logic(Word::Known(value), size);
            for condition in ALL {
                let is = Bit::from(expected(condition, value, 0, size));
                assert_eq!(
                    flags.holds(condition),
                    Ok(is),
                    "{condition:?} {value:x} {size}"
                );
            }
        }
    }
}

/// A word with symbols, and one number that it is where they are set, one where not.
fn either(a: u64, b: u64) -> Word {
    Word::from_bits(std::array::from_fn(|at| match (a >> at & 1, b >> at & 1) {
        (1, 1) => ONE,
        (0, 0) => ZERO,
        (1, _) => symbol(0, false),
        _ => symbol(0, true),
    }))
}

#[test]
fn a_condition_on_a_symbol_holds_on_both_ways() {
    for size in [1, 4, 8] {
        let all = &numbers(size)[..12];
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))) {
            for &with in all {
                let flags = Flags::Less(either(a, b), Word::Known(with), size);
                for condition in ALL {
                    // The ways are told apart first, or the bit is right on both.
                    let Ok(bit) = flags.holds(condition) else {
                        continue;
                    };
                    let (set, other) = match symbol_of(bit) {
                        Some((_, is_opposite)) => (!is_opposite, is_opposite),
                        None if Kind::of(bit).is_some() => continue,
                        None => (bit == ONE, bit == ONE),
                    };
                    let is = |number| expected(condition, number, with, size);
                    assert_eq!(
                        (is(a), is(b)),
                        (set, other),
                        "{condition:?} {a:x} {b:x} {with:x}"
                    );
                }
            }
        }
    }
}

#[test]
fn one_bit_of_an_answer_is_the_condition() {
    let flags = Flags::Logic(either(0x20, 0), 4);
    assert_eq!(flags.holds(C::ne), Ok(symbol(0, false)));
    assert_eq!(flags.holds(C::e), Ok(symbol(0, true)));
    let flags = Flags::Less(either(0x20, 0), Word::Known(0x20), 4);
    assert_eq!(flags.holds(C::e), Ok(symbol(0, false)));
}

#[test]
fn what_is_not_known_decides_nothing() {
    let word = Word::unknown(4, Kind::Input);
    let flags = Flags::Less(word, Word::Known(7), 4);
    for condition in ALL {
        let bit = flags.holds(condition).expect("no symbol");
        assert!(Kind::of(bit).is_some(), "{condition:?} {bit}");
    }
    // But a bit that differs for certain does.
    let word = Word::Known(0).with(&Word::unknown(1, Kind::Input), 8, 1);
    assert_eq!(Flags::Less(word, Word::Known(1), 4).holds(C::e), Ok(ZERO));
    assert_eq!(Flags::Carry(ONE).holds(C::b), Ok(ONE));
    assert_eq!(Flags::Carry(ONE).holds(C::e), Ok(Kind::Opaque.bit()));
}
