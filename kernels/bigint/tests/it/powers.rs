//! Many powers in one call.

use crate::support::{N, Random, U, big};
use karat_bigint::powers::{Power, compute};

#[test]
fn powers_in_one_call_agree_with_num_bigint() {
    let mut random = Random(14);
    for round in 0..if cfg!(miri) { 1 } else { 40 } {
        let two = U::from_u64(2);
        let numbers: Vec<_> = (0..round % 19)
            .map(|_| {
                let modulus = &(&random.number(16) << 1) + &U::from_u64(3);
                (random.number(17), random.number(3), modulus)
            })
            .collect();
        for base_is_two in [false, true] {
            let powers = numbers.iter().map(|(base, exponent, modulus)| {
                let base = if base_is_two { &two } else { base };
                (base, exponent, modulus)
            });
            let powers: Vec<_> = powers.collect();
            let jobs = powers
                .iter()
                .map(|(b, e, m)| Power::new(b, e, m).expect("odd"));
            let jobs: Vec<_> = jobs.collect();
            let mut results = vec![U::ZERO; jobs.len()];
            compute(&jobs, &mut results);
            for ((base, exponent, modulus), result) in powers.iter().zip(&results) {
                let expected = big(base).modpow(&big(exponent), &big(modulus));
                assert_eq!(
                    big(result),
                    expected,
                    "{base:?}^{exponent:?} modulo {modulus:?}"
                );
            }
        }
    }
}

#[test]
fn a_modulus_that_montgomery_refuses_is_refused() {
    for modulus in [0, 1, 2, 100] {
        let modulus = U::from_u64(modulus);
        assert!(Power::new(&U::ONE, &U::ONE, &modulus).is_none());
    }
    let longest = &(&U::ONE << (64 * 64)) - &U::ONE;
    assert!(Power::new(&U::ONE, &U::ONE, &longest).is_some());
    let longer = &(&U::ONE << (64 * 64)) + &U::ONE;
    assert!(N > 64 && Power::new(&U::ONE, &U::ONE, &longer).is_none());
}

#[test]
#[should_panic(expected = "each power has a result")]
fn a_missing_result_panics() {
    let three = U::from_u64(3);
    let power = Power::new(&U::ONE, &U::ONE, &three).expect("odd");
    compute(&[power, power], &mut [U::ZERO]);
}
