//! Numbers round the edges of classes, digits and carries, against limbs.

use super::*;
use std::vec::Vec;

type Number = Uint<80>;

/// Those that this CPU can run.
fn bodies() -> impl Iterator<Item = (&'static str, &'static Body)> {
    KERNEL.runnable()
}

/// Numbers of so many bits: random ones, all bits, a single one, runs of ones.
fn numbers(state: &mut u64, bits: usize) -> [Number; 5] {
    let mut random = || {
        let limbs: Vec<u64> = (0..bits.div_ceil(64))
            .map(|_| {
                *state = state
                    .wrapping_mul(0x5851_f42d_4c95_7f2d)
                    .wrapping_add(0x1405_7b7e_f767_814f);
                *state ^ *state >> 29
            })
            .collect();
        let number = Number::from_limbs(&limbs).expect("it fits");
        let over = number.bits().saturating_sub(bits);
        &(&number >> over) + &Number::ZERO
    };
    let top = &Number::ONE << (bits - 1);
    let all = &(&top - &Number::ONE) + &top;
    let runs = &all - &(&(&all >> (bits / 2)) << (bits / 4));
    [random(), random(), all, top, runs]
}

fn product(body: &Body, a: &Number, b: &Number) -> Number {
    let digits = |number: &Number| number.bits().div_ceil(52);
    let len = digits(a).max(digits(b));
    let convert = |number: &Number| {
        let mut out = std::vec![Lanes([9; 8]); vectors(digits(number))];
        // SAFETY: callers give bodies that this CPU can run.
        unsafe { (body.from_limbs)(&mut out, number.limbs()) };
        out
    };
    let mut sums = std::vec![Lanes([9; 8]); vectors(2 * len)];
    let mut whole = std::vec![Lanes([9; 8]); vectors(2 * len)];
    let mut limbs = std::vec![9; (52 * 8 * whole.len()).div_ceil(64)];
    // SAFETY: as above.
    unsafe {
        (body.sums)(&mut sums, &convert(a), &convert(b), len);
        (body.carry)(&mut whole, &sums);
        let mut carried = std::vec![Lanes([9; 8]); vectors(2 * len)];
        (body.product)(&mut carried, &convert(a), &convert(b), len);
        assert_eq!(carried, whole, "{a:x} times {b:x}");
        (body.to_limbs)(&mut limbs, &whole);
    }
    assert!(whole.iter().flat_map(|l| l.0).all(|d| d < 1 << 52));
    Number::from_limbs(&limbs).expect("it fits")
}

/// By plain Rust, whatever the table of products has.
fn by_limbs(a: &Number, b: &Number) -> Number {
    let mut out = std::vec![0; a.limbs().len() + b.limbs().len()];
    crate::limbs::mul(&mut out, a.limbs(), b.limbs());
    Number::from_limbs(&out).expect("it fits")
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn products_in_digits_agree_with_those_of_limbs() {
    let state = &mut 5;
    let lengths = [
        1, 52, 53, 255, 416, 417, 512, 520, 521, 832, 833, 1024, 1040, 1041, 1300, 2048, 2080,
        2081, 2400,
    ];
    for (name, body) in bodies() {
        for bits in lengths {
            for other in [bits, bits / 2 + 1] {
                for a in numbers(state, bits) {
                    for b in numbers(state, other) {
                        let found = product(body, &a, &b);
                        let right = by_limbs(&a, &b);
                        assert_eq!(found, right, "{name}: {a:x} times {b:x}");
                        assert_eq!(product(body, &b, &a), found, "{name}: {b:x} times {a:x}");
                    }
                }
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn carries_go_through_all_digits() {
    for (name, body) in bodies() {
        for used in [1, 2, 3, 4, 5, 6, 9, 10, 11] {
            // Digits of ones, and one more that is carried to each of them, or to some.
            for first in [0, 1, 6, 8 * used - 8, 8 * used - 2] {
                let mut sums = std::vec![Lanes([(1 << 52) - 1; 8]); used];
                sums[first / 8].0[first % 8] += (1 << 58) + 1;
                sums[used - 1].0[7] = 5;
                let mut expected = std::vec![Lanes::ZERO; used];
                portable::carry(&mut expected, &sums);
                let mut found = std::vec![Lanes([9; 8]); used];
                // SAFETY: `bodies` gives what this CPU can run.
                unsafe { (body.carry)(&mut found, &sums) };
                assert_eq!(found, expected, "{name}: {used} vectors, from {first}");
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let number = &Uint::<16>::ONE << 840;
    assert!(Digits::<2>::new(&number).is_err());
    let digits = Digits::<3>::new(&number).expect("17 digits");
    let mut short = Uint::<13>::ZERO;
    assert!(digits.write(&mut short).is_err());
    let mut back = Uint::<14>::ZERO;
    assert_eq!(digits.write(&mut back), Ok(()));
    assert_eq!(back, &Uint::<14>::ONE << 840);
}

#[test]
fn lowest_bits_are_taken() {
    let all = &(&Uint::<32>::ONE << 1500) - &Uint::ONE;
    let digits = Digits::<4>::new(&all).expect("29 digits");
    for bits in [1, 51, 52, 53, 416, 512, 1024, 1400, 1500, 1600] {
        let mut low = Digits::<4>::ZERO;
        low.assign_low(&digits, bits);
        let mut found = Uint::<32>::ZERO;
        assert_eq!(low.write(&mut found), Ok(()));
        assert_eq!(
            found,
            &(&Uint::ONE << bits.min(1500)) - &Uint::ONE,
            "{bits}"
        );
    }
}
