//! Whether a number is prime: trial division, a test of Miller and Rabin to base 2, and one
//! of Lucas' kind. No composite is known that passes the last two together.
//!
//! The tests are those of chiavdf (`src/primetest.h`): Baillie, Fiori and Wagstaff,
//! "Strengthening the Baillie-PSW primality test", arXiv 2006.14425.

mod lucas;
mod trial;

use crate::{LIMBS, Uint};
use alloc::vec;
use alloc::vec::Vec;
use karat_bigint::Montgomery;
use karat_bigint::powers::{self, Power};

/// Whether the number is prime, for numbers of [`MIN_BITS`](crate::MIN_BITS) or more.
pub(crate) fn is_prime(number: &Uint) -> bool {
    may_be_prime(number) && passes(number)
}

/// Whether the number is odd and has no small factor.
fn may_be_prime(number: &Uint) -> bool {
    number.is_odd() && !trial::has_small_factor(number.limbs())
}

/// Whether an odd number passes both tests.
fn passes(number: &Uint) -> bool {
    Montgomery::new(number)
        .is_some_and(|field| is_strong_to_base_2(&field) && lucas::passes(&field))
}

/// The first of the numbers that is prime.
///
/// Where powers go side by side at the price of one, so many candidates are tried at once.
pub(crate) fn first(numbers: impl Iterator<Item = Uint>) -> Option<Uint> {
    first_of(numbers, powers::at_once())
}

/// The same, so many at once.
fn first_of(numbers: impl Iterator<Item = Uint>, at_once: usize) -> Option<Uint> {
    let mut candidates = numbers.filter(may_be_prime);
    if at_once == 1 {
        return candidates.find(passes);
    }
    let two = Uint::from_u64(2);
    loop {
        let batch: Vec<Uint> = candidates.by_ref().take(at_once).collect();
        if batch.is_empty() {
            return None;
        }
        // Euler's criterion: what is strong to base 2 has 2^((n - 1) / 2) = 1 or -1.
        let halves: Vec<Uint> = batch.iter().map(|n| n >> 1).collect();
        let powers = batch.iter().zip(&halves);
        let powers: Option<Vec<_>> = powers.map(|(n, half)| Power::new(&two, half, n)).collect();
        let mut results = vec![Uint::ZERO; batch.len()];
        powers::compute(&powers?, &mut results);
        let mut each = batch.into_iter().zip(results);
        let found =
            each.find(|(n, power)| (power.is_one() || &(power + &Uint::ONE) == n) && passes(n));
        if let Some((prime, _)) = found {
            return Some(prime);
        }
    }
}

/// The test of Miller and Rabin to base 2.
fn is_strong_to_base_2(field: &Montgomery<LIMBS>) -> bool {
    let less = field.modulus() - &Uint::ONE;
    let twos = less.trailing_zeros();
    let mut power = field.two_power(&(&less >> twos));
    let minus_one = field.sub(&field.residue(&Uint::ZERO), &field.one());
    if power == field.one() || power == minus_one {
        return true;
    }
    (1..twos).any(|_| {
        power = field.square(&power);
        power == minus_one
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_prime_text(hex: &str) -> bool {
        let digits: alloc::vec::Vec<u8> = hex
            .bytes()
            .map(|b| char::from(b).to_digit(16).map_or(0, |d| d as u8))
            .collect();
        let mut number = Uint::ZERO;
        for digit in digits {
            number = &(&number << 4) + &Uint::from_u64(digit.into());
        }
        is_prime(&number)
    }

    /// Primes by their definition: 2^89 - 1 and 2^127 - 1 (Mersenne), 2^255 - 19, and
    /// secp256k1's field.
    #[test]
    fn known_primes_pass() {
        for prime in [
            "1ffffffffffffffffffffff",
            "7fffffffffffffffffffffffffffffff",
            "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed",
            "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
        ] {
            assert!(is_prime_text(prime), "{prime}");
        }
    }

    /// Numbers without small factors: squares and products of primes, 2^67 - 1, and
    /// 3825123056546413051 times a prime, which is strong to nine bases.
    #[test]
    fn known_composites_fail() {
        let [p, q] = [0x7fff_ffff_ffff_ffe7_u64, 0x1fff_ffff_ffff_ffff];
        assert!(!is_prime(&(&Uint::from_u64(p) * &Uint::from_u64(p))));
        assert!(!is_prime(&(&Uint::from_u64(p) * &Uint::from_u64(q))));
        assert!(!is_prime_text("7ffffffffffffffff"));
        let strong = Uint::from_u64(3_825_123_056_546_413_051);
        assert!(!is_prime(&strong));
    }

    /// One by one or many at once, the first prime is found, wherever it is in a batch.
    #[test]
    fn the_first_prime_does_not_depend_on_how_many_are_tried_at_once() {
        let start = &(&Uint::ONE << 200) + &Uint::ONE;
        for offset in (0..40).chain([1000, 5000]) {
            let first = &start + &Uint::from_u64(2 * offset);
            let numbers = || (0..2000).map(|i| &first + &Uint::from_u64(2 * i));
            let prime = first_of(numbers(), 1).expect("there is a prime");
            assert!(is_prime(&prime));
            for at_once in [2, 8] {
                assert_eq!(first_of(numbers(), at_once), Some(prime));
            }
            let before = || numbers().take_while(|n| n != &prime);
            assert_eq!(first_of(before(), 8), None);
        }
    }

    /// Lucas' test alone: it lets primes pass, and stops numbers that are strong
    /// pseudoprimes to base 2 (OEIS A001262).
    #[test]
    fn strong_pseudoprimes_to_base_2_fail_by_the_test_of_lucas() {
        for strong in [2047, 3277, 4033, 4681, 8321, 3_825_123_056_546_413_051] {
            let field = Montgomery::new(&Uint::from_u64(strong)).expect("odd");
            assert!(is_strong_to_base_2(&field), "{strong}");
            assert!(!lucas::passes(&field), "{strong}");
        }
        for prime in [1009, 65537, 0x1fff_ffff_ffff_ffff] {
            let field = Montgomery::new(&Uint::from_u64(prime)).expect("odd");
            assert!(is_strong_to_base_2(&field), "{prime}");
            assert!(lucas::passes(&field), "{prime}");
        }
    }
}
