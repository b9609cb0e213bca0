//! Montgomery's multiplication and powers.

use crate::support::{ROUNDS, Random, U, big};
use karat_bigint::Montgomery;

#[test]
fn residues_agree_with_num_bigint() {
    let mut random = Random(10);
    for round in 0..ROUNDS {
        let mut modulus = random.positive(33);
        if round % 16 == 0 {
            // The largest modulus of its length: sums carry out of it.
            modulus = &(&U::ONE << (64 * (1 + round % 32))) - &U::ONE;
        }
        let Some(field) = Montgomery::new(&modulus) else {
            assert!(!modulus.is_odd() || modulus.is_one());
            continue;
        };
        let m = big(&modulus);
        let (a, b) = (random.number(33), random.number(33));
        let (x, y) = (field.residue(&a), field.residue(&b));
        let same = |residue, expected| assert_eq!(big(&field.number(&residue)), expected);
        let (p, q) = (big(&a) % &m, big(&b) % &m);
        same(x, p.clone());
        same(field.mul(&x, &y), &p * &q % &m);
        same(field.square(&x), &p * &p % &m);
        same(field.add(&x, &y), (&p + &q) % &m);
        same(field.sub(&x, &y), (&p + &m - &q) % &m);
        same(field.one(), num_bigint::BigUint::from(1u8) % &m);
    }
}

#[test]
fn powers_agree_with_num_bigint() {
    let mut random = Random(11);
    for _ in 0..ROUNDS / 30 {
        let modulus = random.positive(17);
        let Some(field) = Montgomery::new(&modulus) else {
            continue;
        };
        let (base, exponent) = (random.number(17), random.number(5));
        let expected = big(&base).modpow(&big(&exponent), &big(&modulus));
        assert_eq!(
            big(&field.pow(&base, &exponent)),
            expected,
            "{base:?}^{exponent:?}"
        );
        let two = big(&U::from_u64(2)).modpow(&big(&exponent), &big(&modulus));
        assert_eq!(big(&field.number(&field.two_power(&exponent))), two);
    }
}

#[test]
fn a_modulus_without_residues_is_refused() {
    for modulus in [0, 1, 2, 100] {
        assert!(
            Montgomery::new(&U::from_u64(modulus)).is_none(),
            "{modulus}"
        );
    }
    let long = &(&U::ONE << (64 * 64)) + &U::ONE;
    assert!(Montgomery::new(&long).is_none());
}
