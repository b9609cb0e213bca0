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

/// Two remainders in a row with their cofactors span the lattice of all `(r, y)` with `r`
/// congruent to `y k` modulo `a`.
fn spans(a: &U, k: &U, limit: &U) {
    let mut euclid = gcd::Euclid::new();
    euclid.start(a, k);
    euclid.reduce(limit);
    let [r1, r2] = euclid.remainders().map(|r| Int::from(*r));
    let [y1, y2] = euclid.cofactors();
    let (y1, y2) = (
        Int::new(!euclid.turned(), *y1),
        Int::new(euclid.turned(), *y2),
    );
    for (r, y) in [(&r1, &y1), (&r2, &y2)] {
        let rest = r - &(y * &Int::from(*k));
        assert!(
            rest.div_floor(a).1.is_zero(),
            "{r:?}, {y:?} of {a:?}, {k:?}"
        );
    }
    let whole = Int::new(euclid.turned(), *a);
    assert_eq!(
        &(&r1 * &y2) - &(&r2 * &y1),
        whole,
        "{a:?}, {k:?} down to {limit:?}"
    );
    assert!(*r2.magnitude() <= *limit, "{a:?}, {k:?} down to {limit:?}");
}

#[test]
fn edges_agree_with_num_bigint() {
    let edges = edges();
    for a in &edges {
        for b in &edges {
            same(a, b);
            if b <= a && !a.is_zero() {
                spans(a, b, &(a >> (a.bits() / 2)));
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
        spans(&x, &y, &(&x >> (x.bits() / 2)));
    }
}
