//! Eight powers side by side, in digits of 52 bits or as many as the multiplier takes.
//!
//! No number is brought below its modulus before the last: with `R = 2^(BITS L)` of at least
//! 16 times the modulus `m`, factors below `4 m` give a product below `2 m` (Gueron,
//! "Efficient software implementations of modular exponentiation", 2012), and twice that
//! is a factor again.

use super::{Job, LANES, is_two};
use crate::lanes::{Lanes, pack, unpack};
use crate::limbs;

/// Bits of an exponent that are taken at once when the base is not two. The table of
/// powers fits into a first cache up to 1024 bits.
const WINDOW: usize = 4;

/// Eight numbers of `L` digits.
pub(super) type Number<const L: usize> = [Lanes; L];

pub(super) const ZERO: Lanes = Lanes::ZERO;

pub(super) struct Moduli<const L: usize> {
    pub(super) digits: Number<L>,
    /// `-1 / modulus` modulo a power of two: one digit.
    pub(super) inverse: Lanes,
    /// `R` modulo each.
    one: Number<L>,
}

/// Montgomery's product in lanes, see [`product::multiply`](super::product::multiply).
pub(super) trait Product {
    /// Bits of a digit.
    const BITS: usize;

    /// # Safety
    /// The CPU must have the ISAs of the type.
    unsafe fn multiply<const L: usize>(
        a: &Number<L>,
        b: &Number<L>,
        moduli: &Moduli<L>,
        double: &Lanes,
    ) -> Number<L>;

    /// `multiply` of a number by itself.
    ///
    /// # Safety
    /// The CPU must have the ISAs of the type.
    unsafe fn square<const L: usize>(
        a: &Number<L>,
        moduli: &Moduli<L>,
        double: &Lanes,
    ) -> Number<L> {
        // SAFETY: the caller's promise.
        unsafe { Self::multiply(a, a, moduli, double) }
    }
}

/// A function that computes one to eight powers with the multiplier `$product`, by the least
/// number of digits among those given that has room for the longest modulus.
macro_rules! powers {
    ($product:ty, $($digits:literal)+) => {
        /// Computes one to eight powers.
        ///
        /// # Safety
        /// The CPU must have the ISAs of the multiplier.
        pub(super) unsafe fn powers(jobs: &mut [crate::powers::Job<'_>]) {
            use crate::powers::lanes::{Product, digits, powers_of};
            let digits = digits(jobs, <$product as Product>::BITS);
            // SAFETY: the caller's promise.
            unsafe {
                $(if digits <= $digits {
                    return powers_of::<$product, $digits>(jobs);
                })+
            }
            crate::powers::portable::powers(jobs);
        }
    };
}

pub(super) use powers;

/// Digits of the longest modulus, with the room that products want above it.
pub(super) fn digits(jobs: &[Job<'_>], bits_of_digit: usize) -> usize {
    let longest = jobs.iter().map(|job| bits(job.modulus)).max().unwrap_or(0);
    (longest + 4).div_ceil(bits_of_digit)
}

/// # Safety
/// The CPU must have the ISAs of `P`, and `L` digits must be enough ([`digits`]).
pub(super) unsafe fn powers_of<P: Product, const L: usize>(jobs: &mut [Job<'_>]) {
    let moduli = Moduli::<L>::of(jobs, P::BITS);
    // SAFETY: the caller's promise, for all products here.
    let multiply = |a: &_, b: &_| unsafe { P::multiply(a, b, &moduli, &ZERO) };
    // SAFETY: the same.
    let square = |a: &_, double: &_| unsafe { P::square(a, &moduli, double) };
    let power = if jobs.iter().all(|job| is_two(job.base)) {
        two_powers(jobs, &moduli, square)
    } else {
        window_powers(jobs, &moduli, P::BITS, multiply, square)
    };
    let mut one = [ZERO; L];
    one[0] = Lanes([1; LANES]);
    let power = multiply(&power, &one);
    for (lane, job) in jobs.iter_mut().enumerate() {
        unpack(&power, lane, P::BITS, job.result);
        // Not above the modulus; equal to it when the power is zero.
        if job.result.iter().eq(job.modulus) {
            job.result.fill(0);
        }
    }
}

/// Powers of two: squares, doubled where the exponent has a bit.
fn two_powers<const L: usize>(
    jobs: &[Job<'_>],
    moduli: &Moduli<L>,
    square: impl Fn(&Number<L>, &Lanes) -> Number<L>,
) -> Number<L> {
    let mut power = moduli.one;
    for bit in (0..longest(jobs)).rev() {
        let mut double = ZERO;
        for (double, job) in double.0.iter_mut().zip(jobs) {
            *double = (digit(job.exponent, bit, 1) as u64).wrapping_neg();
        }
        power = square(&power, &double);
    }
    power
}

/// Powers of any base: digits of the exponent choose from a table.
fn window_powers<const L: usize>(
    jobs: &[Job<'_>],
    moduli: &Moduli<L>,
    bits: usize,
    multiply: impl Fn(&Number<L>, &Number<L>) -> Number<L>,
    square: impl Fn(&Number<L>, &Lanes) -> Number<L>,
) -> Number<L> {
    // R^2, which takes numbers to residues: R 2^(bits L), by squares and doubling.
    let exponent = bits * L;
    let mut r_squared = moduli.one;
    for bit in (0..usize::BITS - exponent.leading_zeros()).rev() {
        let double = Lanes([((exponent >> bit & 1) as u64).wrapping_neg(); LANES]);
        r_squared = square(&r_squared, &double);
    }
    let mut base = [ZERO; L];
    for (lane, job) in jobs.iter().enumerate() {
        pack(&mut base, lane, bits, job.base);
    }
    let mut table = [moduli.one; 1 << WINDOW];
    table[1] = multiply(&base, &r_squared);
    for i in 2..table.len() {
        table[i] = multiply(&table[i - 1], &table[1]);
    }
    let mut power = moduli.one;
    for at in (0..longest(jobs).div_ceil(WINDOW)).rev() {
        for _ in 0..WINDOW {
            power = square(&power, &ZERO);
        }
        power = multiply(&power, &choose(&table, jobs, WINDOW * at));
    }
    power
}

/// The power of the table that each exponent has at a place.
fn choose<const L: usize>(table: &[Number<L>], jobs: &[Job<'_>], at: usize) -> Number<L> {
    let mut factor = [ZERO; L];
    for (lane, job) in jobs.iter().enumerate() {
        let from = &table[digit(job.exponent, at, WINDOW)];
        for (to, from) in factor.iter_mut().zip(from) {
            to.0[lane] = from.0[lane];
        }
    }
    factor
}

impl<const L: usize> Moduli<L> {
    fn of(jobs: &mut [Job<'_>], bits_of_digit: usize) -> Self {
        let mask = (1 << bits_of_digit) - 1;
        let mut moduli = Self {
            digits: [ZERO; L],
            inverse: ZERO,
            one: [ZERO; L],
        };
        for (lane, job) in jobs.iter_mut().enumerate() {
            pack(&mut moduli.digits, lane, bits_of_digit, job.modulus);
            moduli.inverse.0[lane] = limbs::inverse(job.modulus[0]).wrapping_neg() & mask;
            // R modulo the modulus: the highest power of two below it, doubled as often
            // as it takes. The result's place is free until the end.
            let power = &mut *job.result;
            let bits = bits(job.modulus);
            power.fill(0);
            power[(bits - 1) / 64] = 1 << ((bits - 1) % 64);
            for _ in bits - 1..bits_of_digit * L {
                let over = limbs::double(power);
                if over || power.iter().rev().cmp(job.modulus.iter().rev()).is_ge() {
                    limbs::sub_assign(power, job.modulus);
                }
            }
            pack(&mut moduli.one, lane, bits_of_digit, power);
        }
        moduli
    }
}

/// Length in bits; the highest limb is not zero.
fn bits(limbs: &[u64]) -> usize {
    let top = limbs.last().map_or(0, |top| top.leading_zeros());
    64 * limbs.len() - top as usize
}

/// Bits of the longest exponent.
fn longest(jobs: &[Job<'_>]) -> usize {
    jobs.iter().map(|job| bits(job.exponent)).max().unwrap_or(0)
}

/// `count` bits from a place on, which divides 64.
fn digit(limbs: &[u64], at: usize, count: usize) -> usize {
    let limb = limbs.get(at / 64).copied().unwrap_or(0);
    (limb >> (at % 64)) as usize & ((1 << count) - 1)
}
