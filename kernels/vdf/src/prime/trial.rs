//! Division by small primes.

/// Primes below this are tried. Above it, a division costs more than the powers that it
/// saves.
const BOUND: usize = 1 << 15;

/// How many odd primes there are below the bound.
const COUNT: usize = 3511;

/// A power grows with the cube of a number's length, a division with the length. So short
/// numbers, of fewer limbs than this, are tried by fewer primes.
const LONG: usize = 9;

/// Groups for short numbers: primes to 2^11 and a few more.
const FOR_SHORT: usize = 52;

/// Divisions that go side by side: each waits for its own product before the next.
const AT_ONCE: usize = 4;

/// The odd primes below the bound.
static PRIMES: [u16; COUNT] = sieve();

const fn sieve() -> [u16; COUNT] {
    let mut composite = [false; BOUND];
    let mut primes = [0; COUNT];
    let (mut n, mut found) = (3, 0);
    while n < BOUND {
        if !composite[n] {
            primes[found] = n as u16;
            found += 1;
            let mut multiple = n * n;
            while multiple < BOUND {
                composite[multiple] = true;
                multiple += 2 * n;
            }
        }
        n += 2;
    }
    assert!(found == COUNT, "the count is that of the odd primes");
    primes
}

/// Some primes whose product fits into a limb.
#[derive(Clone, Copy)]
struct Group {
    product: u64,
    /// Of the product, modulo 2^64.
    inverse: u64,
    /// Places in the list.
    first: u16,
    end: u16,
}

/// How many groups there are.
const GROUPS: usize = groups().1;

static GROUPED: [Group; GROUPS] = {
    let (all, count) = groups();
    let mut used = [all[0]; GROUPS];
    let mut i = 0;
    while i < count {
        used[i] = all[i];
        i += 1;
    }
    used
};

const fn groups() -> ([Group; COUNT], usize) {
    let primes = sieve();
    let mut all = [Group {
        product: 1,
        inverse: 1,
        first: 0,
        end: 0,
    }; COUNT];
    let (mut count, mut at) = (0, 0);
    while at < COUNT {
        let mut product: u64 = 1;
        let first = at;
        while at < COUNT {
            match product.checked_mul(primes[at] as u64) {
                Some(more) => product = more,
                None => break,
            }
            at += 1;
        }
        all[count] = Group {
            product,
            inverse: inverse(product),
            first: first as u16,
            end: at as u16,
        };
        count += 1;
    }
    (all, count)
}

/// Whether a small prime divides the number, which is above all of them.
pub(super) fn has_small_factor(limbs: &[u64]) -> bool {
    let groups = if limbs.len() < LONG {
        &GROUPED[..FOR_SHORT]
    } else {
        &GROUPED[..]
    };
    let (together, rest) = groups.as_chunks::<AT_ONCE>();
    together.iter().any(|groups| have_factor(limbs, groups))
        || rest.iter().any(|group| have_factor(limbs, &[*group]))
}

/// Whether a prime of some groups divides the number.
fn have_factor<const N: usize>(limbs: &[u64], groups: &[Group; N]) -> bool {
    let rests = remainders(limbs, groups);
    groups.iter().zip(rests).any(|(group, rest)| {
        let primes = &PRIMES[usize::from(group.first)..usize::from(group.end)];
        primes.iter().any(|p| rest.is_multiple_of((*p).into()))
    })
}

/// Numbers that are divisible by the same factors of the groups' products as `limbs` are:
/// remainders, times a power of two. Each step takes away the lowest limb (Montgomery's
/// reduction), with no division.
fn remainders<const N: usize>(limbs: &[u64], groups: &[Group; N]) -> [u64; N] {
    // What the limbs so far leave behind, to be subtracted.
    let mut carries = [0; N];
    for limb in limbs {
        for (carry, group) in carries.iter_mut().zip(groups) {
            let (difference, borrow) = limb.overflowing_sub(*carry);
            let quotient = difference.wrapping_mul(group.inverse);
            let high = (u128::from(quotient) * u128::from(group.product)) >> 64;
            *carry = high as u64 + u64::from(borrow);
        }
    }
    carries
}

/// The inverse of an odd number modulo 2^64 (Newton's iteration).
const fn inverse(d: u64) -> u64 {
    let mut inverse = d.wrapping_mul(3) ^ 2;
    let mut bits = 5;
    while bits < 64 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(d.wrapping_mul(inverse)));
        bits *= 2;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Uint;

    #[test]
    fn a_factor_is_found_wherever_it_is_in_the_list() {
        // 2^127 - 1 is prime.
        let large = &(&Uint::ONE << 127) - &Uint::ONE;
        let long = [0; 4].iter().fold(large, |long, _: &i32| &long * &large);
        assert!(long.limbs().len() >= LONG);
        assert!(!has_small_factor(long.limbs()));
        for prime in PRIMES {
            assert!(
                has_small_factor(long.mul_u64(prime.into()).limbs()),
                "{prime}"
            );
        }
        assert_eq!((PRIMES[0], PRIMES[COUNT - 1]), (3, 32749));
    }

    #[test]
    fn short_numbers_are_tried_by_primes_below_a_bound_of_their_own() {
        let large = &(&Uint::ONE << 127) - &Uint::ONE;
        assert!(!has_small_factor(large.limbs()));
        let end = usize::from(GROUPED[FOR_SHORT].first);
        assert!(PRIMES[end] > 1 << 11);
        for prime in &PRIMES[..end] {
            assert!(
                has_small_factor(large.mul_u64((*prime).into()).limbs()),
                "{prime}"
            );
        }
    }

    #[test]
    fn what_is_left_of_a_limb_has_the_factors_of_the_remainder() {
        for d in [3, 15, 0xffff_ffff_ffff_ffff, 0x7fff_ffff_ffff_ffe7] {
            let group = Group {
                product: d,
                inverse: inverse(d),
                ..GROUPED[0]
            };
            let remainder = |limbs: &[u64]| remainders(limbs, &[group])[0];
            for factor in [1, 2, 0xdead_beef, u64::MAX] {
                let multiple = Uint::from_u64(d).mul_u64(factor).mul_u64(u64::MAX);
                assert_eq!(remainder(multiple.limbs()) % d, 0);
                let other = &multiple + &Uint::ONE;
                assert_ne!(remainder(other.limbs()) % d, 0);
            }
        }
    }
}
