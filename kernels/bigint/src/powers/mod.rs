//! Many powers in one call.
//!
//! Eight powers that do not depend on each other go side by side, one in a lane of 64
//! bits: by the multiplier of 52 bits where the CPU has it, otherwise by that of floating
//! point numbers. One power alone gains nothing there.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
pub(crate) mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
pub(crate) mod avx512ifma;
#[cfg(any(test, all(target_arch = "x86_64", target_feature = "sse2", not(miri))))]
mod lanes;
mod portable;
#[cfg(any(test, all(target_arch = "x86_64", target_feature = "sse2", not(miri))))]
mod product;
#[cfg(any(test, all(target_arch = "x86_64", target_feature = "sse2", not(miri))))]
pub(crate) mod vector;

use crate::Uint;
use karat_cpu::{Implementation, IsaSet, Kernel};

/// Most powers that an implementation takes at once.
const LANES: usize = 8;

/// Most limbs of a modulus, as for [`Montgomery`](crate::Montgomery).
const LIMBS: usize = 64;

/// A power modulo an odd number.
#[derive(Clone, Copy, Debug)]
pub struct Power<'a, const N: usize> {
    base: &'a Uint<N>,
    exponent: &'a Uint<N>,
    modulus: &'a Uint<N>,
}

impl<'a, const N: usize> Power<'a, N> {
    /// `base^exponent` modulo a number. `None` for an even modulus, for one, and for one
    /// of more than 64 limbs, as [`Montgomery::new`](crate::Montgomery::new) has it.
    #[must_use]
    pub fn new(base: &'a Uint<N>, exponent: &'a Uint<N>, modulus: &'a Uint<N>) -> Option<Self> {
        let good = modulus.is_odd() && !modulus.is_one() && modulus.limbs().len() <= LIMBS;
        good.then_some(Self {
            base,
            exponent,
            modulus,
        })
    }
}

/// A power for [`Body`].
pub(crate) struct Job<'a> {
    /// Below the modulus.
    base: &'a [u64],
    exponent: &'a [u64],
    /// Odd, and not one.
    modulus: &'a [u64],
    /// As many limbs as the modulus has.
    result: &'a mut [u64],
}

/// Computes one to eight powers. Unsafe: the CPU must have the implementation's ISAs.
pub(crate) type Body = unsafe fn(&mut [Job<'_>]);

/// Powers side by side.
pub(crate) static KERNEL: Kernel<Body> = Kernel::new(
    "bigint-powers",
    &[
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx512ifma",
            IsaSet::of(&["avx512f", "avx512ifma"]),
            avx512ifma::powers as Body,
            "eight powers in lanes, digits of 52 bits",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx2",
            IsaSet::of(&["avx2", "fma"]),
            avx2::powers as Body,
            "eight powers in lanes, digits of 50 bits as floating point numbers",
        ),
        Implementation::new(
            ONE_BY_ONE,
            IsaSet::EMPTY,
            portable::powers as Body,
            "one power after the other, by bigint-montgomery",
        ),
    ],
);

/// The implementation that does not take eight powers at once.
const ONE_BY_ONE: &str = "portable";

/// The number of powers that cost about as much as one of them on this machine: whoever
/// has fewer at hand gains nothing by waiting for more.
#[must_use]
pub fn at_once() -> usize {
    if KERNEL.chosen().name() == ONE_BY_ONE {
        1
    } else {
        LANES
    }
}

/// Computes all powers. They are best of about the same length. It does not take constant
/// time.
///
/// ```
/// use karat_bigint::{Uint, powers};
///
/// let [base, exponent] = [3, 100].map(Uint::<4>::from_u64);
/// let moduli = [101, 103, 107].map(Uint::from_u64);
/// let jobs = moduli.each_ref().map(|m| powers::Power::new(&base, &exponent, m));
/// let jobs: Vec<_> = jobs.into_iter().flatten().collect();
/// let mut results = [Uint::ZERO; 3];
/// powers::compute(&jobs, &mut results);
/// assert_eq!(results, [1, 23, 16].map(Uint::from_u64));
/// ```
///
/// # Panics
/// When there are not as many results as powers.
pub fn compute<const N: usize>(powers: &[Power<'_, N>], results: &mut [Uint<N>]) {
    assert_eq!(powers.len(), results.len(), "each power has a result");
    let body = KERNEL.get();
    for (powers, results) in powers.chunks(LANES).zip(results.chunks_mut(LANES)) {
        let mut bases = [Uint::<N>::ZERO; LANES];
        for (base, power) in bases.iter_mut().zip(powers) {
            *base = power.base.rem(power.modulus);
        }
        let mut limbs = [[0; LIMBS]; LANES];
        let mut jobs = limbs.each_mut().map(|result| Job {
            base: &[],
            exponent: &[],
            modulus: &[],
            result,
        });
        for ((job, power), base) in jobs.iter_mut().zip(powers).zip(&bases) {
            job.base = base.limbs();
            job.exponent = power.exponent.limbs();
            job.modulus = power.modulus.limbs();
            job.result = &mut core::mem::take(&mut job.result)[..power.modulus.limbs().len()];
        }
        // SAFETY: the kernel gives only what this CPU can run.
        unsafe { body(&mut jobs[..powers.len()]) };
        for ((result, power), limbs) in results.iter_mut().zip(powers).zip(&limbs) {
            let len = power.modulus.limbs().len();
            result.buffer()[..len].copy_from_slice(&limbs[..len]);
            result.set_len(len);
        }
    }
}

/// Whether the base is two: its powers take no products but squares.
fn is_two(base: &[u64]) -> bool {
    base == [2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// splitmix64.
    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number of so many bits; `kind` 1 has ones alone, where carries run far.
    fn number(state: &mut u64, bits: usize, kind: usize) -> Vec<u64> {
        let mut limbs: Vec<u64> = (0..bits.div_ceil(64))
            .map(|_| if kind == 1 { u64::MAX } else { random(state) })
            .collect();
        let spare = 64 * limbs.len() - bits;
        if let Some(top) = limbs.last_mut() {
            *top = (*top | 1 << 63) >> spare;
        }
        limbs
    }

    /// What computes in lanes, in plain Rust, beside Montgomery's arithmetic on limbs.
    #[test]
    #[cfg_attr(miri, ignore = "takes minutes there")]
    fn lanes_agree_with_powers_one_by_one() {
        let state = &mut 5;
        // One digit, and below and above each number of digits that there is code for.
        let lengths = [
            3_usize, 52, 64, 308, 309, 516, 776, 777, 1024, 1036, 1037, 1556, 2048, 2076, 2077,
        ];
        for (round, bits) in lengths.into_iter().cycle().take(60).enumerate() {
            let count = [8, 1, 5][round % 3];
            let numbers: Vec<_> = (0..count)
                .map(|lane| {
                    // Lanes differ in length.
                    let bits = if lane % 2 == 1 {
                        bits.div_ceil(2).max(2)
                    } else {
                        bits
                    };
                    let mut modulus = number(state, bits, (round / 15) % 2);
                    modulus[0] |= 1;
                    let base = match (round / 30, lane) {
                        (0, _) => std::vec![2],
                        (_, 0) => std::vec![],
                        (_, 1) => std::vec![1],
                        _ => {
                            let length = 1 + random(state) as usize % (bits - 1);
                            number(state, length, lane % 2)
                        }
                    };
                    let length = random(state) as usize % 100;
                    (modulus, base, number(state, length, lane % 2))
                })
                .collect();
            let compute = |body: fn(&mut [Job<'_>])| {
                let mut results: Vec<_> = numbers.iter().map(|n| std::vec![7; n.0.len()]).collect();
                let each = numbers.iter().zip(&mut results);
                let mut jobs: Vec<_> = each
                    .map(|((modulus, base, exponent), result)| Job {
                        base,
                        exponent,
                        modulus,
                        result,
                    })
                    .collect();
                body(&mut jobs);
                results
            };
            let expected = compute(portable::powers);
            // SAFETY: plain Rust needs no ISA.
            let found = compute(|jobs| unsafe { vector::powers(jobs) });
            assert_eq!(found, expected, "round {round}: {count} of {bits} bits");
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
            if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma") {
                // SAFETY: the CPU has the ISAs.
                let found = compute(|jobs| unsafe { avx2::powers(jobs) });
                assert_eq!(
                    found, expected,
                    "round {round}, avx2: {count} of {bits} bits"
                );
            }
        }
    }
}
