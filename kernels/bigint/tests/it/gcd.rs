//! Greatest common divisors and the partial algorithm.

use crate::support::{ROUNDS, Random, U, big, edges};
use karat_bigint::{Int, gcd};
use num_integer::Integer as _;

fn same(a: &U, b: &U) {
    let expected = big(a).gcd(&big(b));
    assert_eq!(big(&gcd::gcd(a, b)), expected, "gcd of {a:?} and {b:?}");
    let found = gcd::extended(a, b);
    assert_eq!(big(&found.gcd), expected, "gcd of {a:?} and {b:?}");
    let sum = &(&Int::from(*a) * &found.x) + &(&Int::from(*b) * &found.y);
    assert_eq!(sum, Int::from(found.gcd), "cofactors of {a:?} and {b:?}");
    // Euclid's cofactors are the smallest, and so nothing grows beyond the inputs.
    assert!(found.x.bits() <= b.bits().max(1) && found.y.bits() <= a.bits().max(1));
}

fn spans(a: &U, k: &U, limit: &U) {
    let basis = gcd::partial(a, k, limit);
    let whole = Int::from(*a);
    for vector in [basis.before, basis.after] {
        let rest = &Int::from(vector.r) - &(&vector.y * &Int::from(*k));
        assert!(rest.div_floor(a).1.is_zero(), "{vector:?} of {a:?}, {k:?}");
    }
    let cross = &(&Int::from(basis.before.r) * &basis.after.y)
        - &(&Int::from(basis.after.r) * &basis.before.y);
    let expected = if basis.turned { -whole } else { whole };
    assert_eq!(cross, expected, "{a:?}, {k:?} down to {limit:?}");
    assert!(basis.after.r <= *limit, "{a:?}, {k:?} down to {limit:?}");
}

#[test]
fn edges_agree_with_num_bigint() {
    let edges = edges();
    for a in &edges {
        for b in &edges {
            same(a, b);
            if b <= a && !a.is_zero() {
                spans(a, b, &(a >> a.bits() / 2));
            }
        }
    }
}

#[test]
fn random_numbers_agree_with_num_bigint() {
    let mut random = Random(8);
    for _ in 0..ROUNDS {
        let (a, b, common) = (random.positive(20), random.number(20), random.number(3));
        same(&a, &b);
        same(&(&a * &common), &(&b * &common));
        let (a, k) = if a < b { (b, a) } else { (a, b) };
        let limit = &a >> random.below(a.bits() + 1);
        spans(&a, &k, &limit);
    }
}

/// Numbers made from their quotients: of ones alone, of quotients far above a limb between
/// small ones, and of such that stand where the leading bits end.
#[test]
fn chosen_quotients_agree_with_num_bigint() {
    let mut random = Random(9);
    for round in 0..ROUNDS {
        let (mut x, mut y) = (U::ONE, U::ZERO);
        while x.bits() < 64 + round % 1500 {
            let quotient = match (round % 4, random.below(12)) {
                (0, _) => U::ONE,
                (1, 0) => random.positive(4),
                (2, 0) => U::from_u64(1 << (28 + random.below(9))),
                (3, 0) => &U::ONE << (60 + random.below(10)),
                _ => U::from_u64(1 + random.below(3) as u64),
            };
            (x, y) = (&(&quotient * &x) + &y, x);
        }
        same(&x, &y);
        spans(&x, &y, &(&x >> x.bits() / 2));
    }
}
