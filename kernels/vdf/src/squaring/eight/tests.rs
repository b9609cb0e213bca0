//! The steps of a squaring in lanes against long integers. Whole squarings are compared
//! in `tests/it/chains.rs`.

use super::divide::divide;
use super::euclid::Euclid;
use super::vector::*;
use super::{LANES, floats, number, put};
use crate::{Int, Uint};
use core::arch::x86_64::*;
use karat_bigint::gcd::gcd;
use std::println;

fn able() -> bool {
    let able =
        std::is_x86_feature_detected!("avx512dq") && std::is_x86_feature_detected!("avx512ifma");
    if !able {
        println!("SKIPPED: this CPU lacks AVX-512 IFMA");
    }
    able
}

fn next(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(0x5851_f42d_4c95_7f2d)
        .wrapping_add(0x1405_7b7e_f767_814f);
    *state >> 32
}

/// A number of at most so many bits.
fn random(state: &mut u64, bits: usize) -> Int {
    let mut number = Uint::ZERO;
    for _ in 0..bits.div_ceil(32) {
        number = &(&number << 32) + &Uint::from_u64(next(state));
    }
    Int::from(&number >> (bits.div_ceil(32) * 32 - bits))
}

/// Numbers of so many bits, or of edges: all ones, a power of two, zero, one, minus those.
fn some(state: &mut u64, bits: usize) -> Int {
    let kind = next(state) % 12;
    let number = *random(state, bits).magnitude();
    let all = &(&Uint::ONE << bits) - &Uint::ONE;
    let number = match kind {
        0 => all,
        1 => &Uint::ONE << (bits - 1),
        2 => Uint::ZERO,
        3 => Uint::ONE,
        4 => &number >> (bits / 2),
        5 => &(&number >> (bits / 2)) << (bits / 2),
        _ => number,
    };
    Int::new(next(state) % 2 == 1, number)
}

#[target_feature(enable = "avx512f")]
fn pack<const N: usize>(numbers: &[Int; LANES]) -> Digits<N> {
    let mut digits = [_mm512_setzero_si512(); N];
    for (lane, number) in numbers.iter().enumerate() {
        put(&mut digits, lane, number);
    }
    digits
}

fn eight(state: &mut u64, bits: usize) -> [Int; LANES] {
    core::array::from_fn(|_| some(state, bits))
}

/// A positive number with its highest bit.
fn positive(state: &mut u64, bits: usize) -> [Int; LANES] {
    let one = &Int::ONE << (bits - 1);
    eight(state, bits - 1).map(|number| &Int::from(*number.magnitude()) + &one)
}

#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn products<const A: usize, const B: usize, const O: usize>() {
    let state = &mut 5;
    for _ in 0..200 {
        let (a, b) = (eight(state, 52 * A - 1), eight(state, 52 * B - 1));
        let digits: Digits<O> = multiply::<A, B, O>(&pack(&a), &pack(&b));
        for lane in 0..LANES {
            let product = &a[lane] * &b[lane];
            assert_eq!(
                number(&digits, lane),
                product,
                "{:?} by {:?}",
                a[lane],
                b[lane]
            );
        }
    }
}

#[test]
fn products_agree() {
    if able() {
        // SAFETY: the CPU has it.
        unsafe {
            products::<6, 6, 12>();
            products::<10, 6, 16>();
            products::<10, 10, 20>();
            products::<4, 7, 11>();
        }
    }
}

#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn quotients() {
    let state = &mut 6;
    // Divisors from the shortest that lanes are for.
    for bits in [425, 430, 468, 469, 500, 511] {
        for _ in 0..100 {
            let a = positive(state, bits);
            let b = eight(state, bits + 52 * 6 - 2 - 1);
            let mut rest: Digits<17> = pack(&b);
            let [mut quotient]: [Digits<6>; 1] = divide([&mut rest], &pack::<10>(&a));
            carry(&mut quotient);
            let rest: &Digits<10> = rest.first_chunk().expect("17 are more");
            for lane in 0..LANES {
                let (a, rest) = (&a[lane], number(rest, lane));
                let sum = &(&number(&quotient, lane) * a) + &rest;
                assert_eq!(sum, b[lane], "by {a:?}");
                // Half of the divisor, and an error that leading parts allow.
                assert!(
                    (&rest << 7)
                        .compare_magnitude(&(a * &Int::from_i64(65)))
                        .is_le()
                );
            }
        }
    }
}

#[test]
fn quotients_agree() {
    if able() {
        // SAFETY: the CPU has it.
        unsafe { quotients() };
    }
}

#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn euclid() {
    let state = &mut 7;
    let mut finished = 0;
    for round in 0..300 {
        let bits = [511, 505, 430][round % 3];
        let (mut a, mut b) = (positive(state, bits), eight(state, bits - 1));
        if round % 4 > 0 {
            // A quotient of more than 50 bits, as those of edges are, stops all lanes.
            let random = |state: &mut u64| core::array::from_fn(|_| random(state, bits - 64));
            let top = &Int::ONE << (bits - 64);
            (a, b) = (random(state).map(|a| &a + &top), random(state));
        }
        if round % 4 == 1 {
            let divisor = Int::from(Uint::from_u64(3 << (round % 60)));
            (a, b) = (a.map(|a| &a * &divisor), b.map(|b| &b * &divisor));
        }
        let of: [Digits<10>; 2] = [pack(&a), pack(&b)];
        let mut found = Euclid::new(&of[0], &of[1]);
        let right = found.finish();
        for lane in (0..LANES).filter(|lane| right >> lane & 1 == 1) {
            let (u, v) = cofactors(&found, lane);
            let (x, y) = remainders(&found, lane);
            let (divisor, cofactor) = if x.is_zero() { (y, v) } else { (x, u) };
            assert!(x.is_zero() || y.is_zero());
            assert_eq!(
                *divisor.magnitude(),
                gcd(a[lane].magnitude(), b[lane].magnitude())
            );
            let difference = &(&cofactor * &b[lane]) - &divisor;
            assert!(difference.magnitude().rem(a[lane].magnitude()).is_zero());
            finished += 1;
        }
        let limit = 2f64.powi(256);
        let mut found = Euclid::new(&of[0], &of[1]);
        let right = found.reduce(floats([limit; LANES]));
        for lane in (0..LANES).filter(|lane| right >> lane & 1 == 1) {
            let (u, v) = cofactors(&found, lane);
            let (x, y) = remainders(&found, lane);
            assert_eq!(&(&x * &v) - &(&y * &u), a[lane]);
            assert!(x.bits() <= 257 || y.bits() <= 257);
            for (remainder, cofactor) in [(x, u), (y, v)] {
                let difference = &(&cofactor * &b[lane]) - &remainder;
                assert!(difference.magnitude().rem(a[lane].magnitude()).is_zero());
                assert!(cofactor.bits() < 520);
            }
        }
    }
    assert!(finished > 1000, "{finished} algorithms came to their end");
}

#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn cofactors(of: &Euclid<10>, lane: usize) -> (Int, Int) {
    let whole = |digits: &Digits<10>| {
        let mut all = [sign_digit(digits[of.grown - 1]); 10];
        all[..of.grown].copy_from_slice(&digits[..of.grown]);
        number(&all, lane)
    };
    (whole(&of.u), whole(&of.v))
}

#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn remainders(of: &Euclid<10>, lane: usize) -> (Int, Int) {
    let whole = |digits: &Digits<10>| {
        let mut all = [sign_digit(digits[of.len - 1]); 10];
        all[..of.len].copy_from_slice(&digits[..of.len]);
        number(&all, lane)
    };
    (whole(&of.x), whole(&of.y))
}

#[test]
fn the_euclidean_algorithm_agrees() {
    if able() {
        // SAFETY: the CPU has it.
        unsafe { euclid() };
    }
}
