//! Sums, differences, products, shifts, comparison.

use crate::support::{I, N, ROUNDS, Random, U, big, big_int, edges, number};
use karat_bigint::Int;

fn same(a: &U, b: &U) {
    let (x, y) = (big(a), big(b));
    assert_eq!(big(&(a + b)), &x + &y, "{a:?} + {b:?}");
    assert_eq!(big(&(a * b)), &x * &y, "{a:?} * {b:?}");
    assert_eq!(big(&a.square()), &x * &x, "{a:?} squared");
    assert_eq!(
        big(&a.mul_u64(b.low())),
        &x * b.low(),
        "{a:?} * {}",
        b.low()
    );
    assert_eq!(a.cmp(b), x.cmp(&y), "{a:?} and {b:?}");
    assert_eq!(a == b, x == y, "{a:?} and {b:?}");
    if a >= b {
        assert_eq!(big(&(a - b)), &x - &y, "{a:?} - {b:?}");
    }
    assert_eq!(a.bits() as u64, x.bits());
    assert_eq!(a.trailing_zeros() as u64, x.trailing_zeros().unwrap_or(0));
    assert_eq!(number(&x), *a);
    assert_eq!(format!("{a:x}"), x.to_str_radix(16));
}

fn same_signed(a: &I, b: &I) {
    let (x, y) = (big_int(a), big_int(b));
    assert_eq!(big_int(&(a + b)), &x + &y, "{a:?} + {b:?}");
    assert_eq!(big_int(&(a - b)), &x - &y, "{a:?} - {b:?}");
    assert_eq!(big_int(&(a * b)), &x * &y, "{a:?} * {b:?}");
    assert_eq!(big_int(&-*a), -&x, "-{a:?}");
    assert_eq!(a.cmp(b), x.cmp(&y), "{a:?} and {b:?}");
    assert_eq!(big_int(&a.half_floor()), x >> 1, "half of {a:?}");
}

#[test]
fn edges_agree_with_num_bigint() {
    let edges = edges();
    for a in &edges {
        for b in &edges {
            same(a, b);
            for (first, second) in [(false, false), (false, true), (true, false), (true, true)] {
                same_signed(&Int::new(first, *a), &Int::new(second, *b));
            }
        }
    }
}

#[test]
fn random_numbers_agree_with_num_bigint() {
    let mut random = Random(1);
    for _ in 0..ROUNDS {
        same(&random.number(32), &random.number(32));
        same_signed(&random.signed(20), &random.signed(32));
    }
}

/// Sizes around those at which a product changes its way.
#[test]
fn products_of_all_shapes_agree_with_num_bigint() {
    let mut random = Random(2);
    let full = |count: usize| U::from_limbs(&vec![u64::MAX; count]).unwrap();
    for first in (1..=33).step_by(if cfg!(miri) { 11 } else { 1 }) {
        for second in 1..=33 {
            same(&full(first), &full(second));
            let mut limbs = |count: usize| -> Vec<u64> {
                let mut limbs: Vec<u64> = (0..count).map(|_| random.next()).collect();
                limbs[count - 1] |= 1 << 63;
                limbs
            };
            let (a, b) = (limbs(first), limbs(second));
            same(&U::from_limbs(&a).unwrap(), &U::from_limbs(&b).unwrap());
        }
    }
}

#[test]
fn shifts_agree_with_num_bigint() {
    let mut random = Random(3);
    for _ in 0..ROUNDS {
        let (a, bits) = (random.number(32), random.below(2048));
        assert_eq!(big(&(&a << bits)), big(&a) << bits, "{a:?} << {bits}");
        assert_eq!(big(&(&a >> bits)), big(&a) >> bits, "{a:?} >> {bits}");
        assert_eq!(a.bit(bits), big(&a).bit(bits as u64));
    }
}

#[test]
fn zero_is_not_negative() {
    let three = I::from_i64(-3);
    for zero in [
        I::new(true, U::ZERO),
        &three - &three,
        -I::ZERO,
        &three * &I::ZERO,
    ] {
        assert_eq!(zero, I::ZERO);
        assert!(!zero.is_negative());
    }
}

#[test]
#[should_panic(expected = "a sum does not fit into 66 limbs")]
fn a_sum_that_does_not_fit_panics() {
    let full = U::from_limbs(&[u64::MAX; N]).unwrap();
    let _ = &full + &U::ONE;
}

#[test]
#[should_panic(expected = "a product of 67 limbs does not fit into 66")]
fn a_product_that_does_not_fit_panics() {
    let full = U::from_limbs(&[u64::MAX; N]).unwrap();
    let _ = &full * &U::ONE;
}

#[test]
#[should_panic(expected = "a difference is below zero")]
fn a_difference_below_zero_panics() {
    let _ = &U::ONE - &U::from_u64(2);
}
