//! Quotients, remainders, roots.

use crate::support::{ROUNDS, Random, U, big, big_int, edges};
use karat_bigint::{Int, Uint};
use num_integer::Integer as _;

fn same(a: &U, b: &U) {
    let (quotient, rest) = a.div_rem(b);
    let (expected, expected_rest) = big(a).div_rem(&big(b));
    assert_eq!(big(&quotient), expected, "{a:?} / {b:?}");
    assert_eq!(big(&rest), expected_rest, "{a:?} % {b:?}");
    let product = &quotient * b;
    assert_eq!(
        product.div_exact(b),
        quotient,
        "{product:?} / {b:?} exactly"
    );
    for negative in [false, true] {
        let signed = Int::new(negative, *a);
        let (quotient, rest) = signed.div_floor(b);
        let (expected, expected_rest) = big_int(&signed).div_mod_floor(&big(b).into());
        assert_eq!(big_int(&quotient), expected, "{signed:?} / {b:?}");
        assert_eq!(
            big_int(&Int::from(rest)),
            expected_rest,
            "{signed:?} % {b:?}"
        );
    }
}

#[test]
fn edges_agree_with_num_bigint() {
    let edges = edges();
    for a in &edges {
        for b in edges.iter().filter(|b| !b.is_zero()) {
            same(a, b);
        }
    }
}

#[test]
fn random_numbers_agree_with_num_bigint() {
    let mut random = Random(5);
    for _ in 0..ROUNDS {
        same(&random.number(33), &random.positive(20));
        same(&random.number(5), &random.positive(4));
    }
}

/// Dividends just below a multiple of the divisor, where an estimated limb of the quotient
/// is too large; the divisors have tops at which it is most so.
#[test]
fn quotients_that_are_estimated_badly_agree_with_num_bigint() {
    let mut random = Random(6);
    for top in [1 << 63, (1 << 63) + 1, u64::MAX, 1, 3] {
        for second in [0, 1, u64::MAX, u64::MAX - 1] {
            for low in [0, 1, u64::MAX] {
                let d = U::from_limbs(&[low, second, top]).unwrap();
                for factor in [u64::MAX, u64::MAX - 1, 1 << 63, 1, random.next()] {
                    let multiple = d.mul_u64(factor).mul_u64(random.next() | 1);
                    same(&multiple, &d);
                    same(&(&multiple - &U::ONE), &d);
                    same(&(&multiple + &(&d - &U::ONE)), &d);
                }
            }
        }
    }
}

/// A dividend that fills its capacity leaves no limb for the shift.
#[test]
fn a_full_dividend_is_divided() {
    let full = Uint::<4>::from_limbs(&[u64::MAX; 4]).unwrap();
    for d in [
        [1, 0, 0, 1],
        [5, 7, 1, 0],
        [u64::MAX; 4],
        [9, 1 << 63, 0, 0],
    ] {
        let d = Uint::<4>::from_limbs(&d).unwrap();
        let (quotient, rest) = full.div_rem(&d);
        assert!(rest < d);
        let wide = |number: &Uint<4>| U::from_limbs(number.limbs()).unwrap();
        let product = &wide(&quotient) * &wide(&d);
        assert_eq!(&product + &wide(&rest), wide(&full), "{d:?}");
    }
}

#[test]
fn roots_agree_with_num_bigint() {
    let mut random = Random(7);
    let mut all = edges();
    all.extend((0..ROUNDS / 10).map(|_| random.number(32)));
    all.extend((0..ROUNDS / 10).map(|_| random.number(16).square()));
    for a in all {
        assert_eq!(big(&a.sqrt()), big(&a).sqrt(), "the root of {a:?}");
    }
}

#[test]
#[should_panic(expected = "a division by zero")]
fn a_division_by_zero_panics() {
    let _ = U::ONE.div_rem(&U::ZERO);
}
