//! Products by fused multiply-adds of floating point numbers, four lanes in a register.
//!
//! A multiply-add rounds once. So `a b + 2^102` keeps the bits of `a b` above 2^50, and
//! `a b` minus those is exact: two multiply-adds are a product of 50 by 50 bits (Emmart,
//! Zheng and Weems, "Faster modular exponentiation using double precision floating point
//! arithmetic on the GPU", ARITH 2018). Their numbers are read as integers and added up as
//! such: numbers near a power of two differ by their last digits alone.
//!
//! Digits have 50 bits and not 52: two products may be added before they are rounded, and
//! low halves may be below zero, as they are when one rounds to the nearest.

use super::lanes::{self, Moduli, Number, Product, ZERO};
use crate::lanes::Lanes;
use core::arch::x86_64::*;
use core::ops::Range;

/// Bits of a digit.
pub(crate) const BITS: i32 = 50;
pub(crate) const MASK: i64 = (1 << BITS) - 1;

/// `2^102`: the last bit of a number near it is 2^50.
pub(crate) const HIGH: f64 = (1u128 << 102) as f64;
/// `1.5 * 2^52`: the last bit of a number near it is 1, and there is room below it.
pub(crate) const LOW: f64 = (3u64 << 51) as f64;
/// What the sum of a low half and the high half of the digit below is read as, above its
/// value.
pub(crate) const BOTH: i64 = (LOW.to_bits() as i64).wrapping_add(HIGH.to_bits() as i64);

/// Makes a number positive and leaves its lower digits alone.
const OFFSET: i64 = 1 << 61;

/// Rows and digits of a square that go together, see [`Part::of_square`].
const BLOCK: usize = 4;

/// Products by multiply-adds of floating point numbers.
pub(super) enum Fma {}

lanes::powers!(Fma, 6 11 16 21 31 42);

impl Product for Fma {
    const BITS: usize = BITS as usize;

    #[target_feature(enable = "avx2,fma")]
    unsafe fn multiply<const L: usize>(
        a: &Number<L>,
        b: &Number<L>,
        moduli: &Moduli<L>,
        double: &Lanes,
    ) -> Number<L> {
        product::<L, false>(a, b, moduli, double)
    }

    #[target_feature(enable = "avx2,fma")]
    unsafe fn square<const L: usize>(
        a: &Number<L>,
        moduli: &Moduli<L>,
        double: &Lanes,
    ) -> Number<L> {
        product::<L, true>(a, a, moduli, double)
    }
}

/// Both halves of the lanes go row by row, so that one works while the other waits.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn product<const L: usize, const SQUARE: bool>(
    a: &Number<L>,
    b: &Number<L>,
    moduli: &Moduli<L>,
    double: &Lanes,
) -> Number<L> {
    let mut product = [ZERO; L];
    let mut halves = [Half::new(a, b, moduli, 0), Half::new(a, b, moduli, 1)];
    for row in 0..L {
        // What a new digit will get too much until the end.
        let rows = (L - 1 - row) as i64;
        let fresh = (HIGH.to_bits() as i64).wrapping_add(rows.wrapping_mul(BOTH));
        // After the last row nobody looks at the next quotient.
        let next = if row + 1 < L { row + 1 } else { 0 };
        let part = if SQUARE {
            Part::of_square(row, L)
        } else {
            Part::all(L)
        };
        for (place, half) in halves.iter_mut().enumerate() {
            let digit = number(load(&b[row], place));
            let next = number(load(&b[next], place));
            half.row(digit, &part, next, fresh.wrapping_neg());
        }
    }
    for (place, half) in halves.iter().enumerate() {
        half.finish(load(double, place), place, &mut product);
    }
    product
}

/// With which digits of the other factor a row multiplies. Those before are left out, those
/// after are taken twice.
struct Part {
    once: Range<usize>,
    /// Whether the next row multiplies with the lowest digit.
    next_has_lowest: bool,
}

impl Part {
    /// All of `digits`, for factors that differ.
    const fn all(digits: usize) -> Self {
        Self {
            once: 0..digits,
            next_has_lowest: true,
        }
    }

    /// A square has every product of two digits twice. They are taken in the upper of both
    /// rows, twice, unless both are in one block: loops that change their length with
    /// every row cost more than what they leave out.
    fn of_square(row: usize, digits: usize) -> Self {
        let first = row - row % BLOCK;
        Self {
            once: first..digits.min(first + BLOCK),
            next_has_lowest: row + 1 < BLOCK,
        }
    }
}

/// Four of eight lanes of a product that is not finished.
struct Half<const L: usize> {
    a: [__m256d; L],
    modulus: [__m256d; L],
    inverse: __m256d,
    /// How many times the modulus makes the lowest digit of the next row zero. It is known
    /// a row before it is used, for to know it takes as long as a row.
    quotient: __m256d,
    /// Digits with their carries, and with what numbers are read as too much, taken off
    /// beforehand.
    sums: [__m256i; L],
}

impl<const L: usize> Half<L> {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn new(a: &Number<L>, b: &Number<L>, moduli: &Moduli<L>, half: usize) -> Self {
        let too_much = |row: i64| (LOW.to_bits() as i64).wrapping_add(row.wrapping_mul(BOTH));
        let mut new = Self {
            a: [_mm256_setzero_pd(); L],
            modulus: [_mm256_setzero_pd(); L],
            inverse: number(load(&moduli.inverse, half)),
            quotient: _mm256_setzero_pd(),
            sums: [_mm256_setzero_si256(); L],
        };
        for (i, (a, modulus)) in a.iter().zip(&moduli.digits).enumerate() {
            new.a[i] = number(load(a, half));
            new.modulus[i] = number(load(modulus, half));
            new.sums[i] = _mm256_set1_epi64x(too_much(i as i64).wrapping_neg());
        }
        new.quotient = new.next_quotient(number(load(&b[0], half)), true);
        new
    }

    /// The quotient of a row, from the lowest digit before it, and with the product that
    /// the row adds to that.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn next_quotient(&self, b: __m256d, has_lowest: bool) -> __m256d {
        let mask = _mm256_set1_epi64x(MASK);
        // LOW's own lower digits are zero.
        let sum = match has_lowest {
            true => _mm256_add_epi64(self.sums[0], low_half(self.a[0], b)),
            false => self.sums[0],
        };
        let lowest = number(_mm256_and_si256(sum, mask));
        number(_mm256_and_si256(low_half(lowest, self.inverse), mask))
    }

    /// Adds the product with one digit, and as many times the modulus as make the lowest
    /// digit zero; then all digits move down by one.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn row(&mut self, b: __m256d, part: &Part, next: __m256d, fresh: i64) {
        let quotient = self.quotient;
        // The two lowest digits are of one block.
        let has_lowest = part.once.start == 0;
        let (low, above) = self.terms(0, b, quotient, has_lowest);
        let (second, mut below) = self.terms(1, b, quotient, has_lowest);
        let carry = shift(_mm256_add_epi64(self.sums[0], low));
        let sum = _mm256_add_epi64(_mm256_add_epi64(self.sums[1], second), above);
        self.sums[0] = _mm256_add_epi64(sum, carry);
        self.quotient = self.next_quotient(next, part.next_has_lowest);
        // Known to the compiler: neither is above.
        let (start, end) = (part.once.start.min(L), part.once.end.min(L));
        for i in 2..start {
            below = self.move_down(i, below, self.terms(i, b, quotient, false));
        }
        for i in start.max(2)..end {
            below = self.move_down(i, below, self.terms(i, b, quotient, true));
        }
        let twice = _mm256_add_pd(b, b);
        for i in end..L {
            below = self.move_down(i, below, self.terms(i, twice, quotient, true));
        }
        self.sums[L - 1] = _mm256_add_epi64(_mm256_set1_epi64x(fresh), below);
    }

    /// Halves of the modulus' digit times the quotient, with or without that of `a` times
    /// `b`.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn terms(&self, i: usize, b: __m256d, quotient: __m256d, with: bool) -> (__m256i, __m256i) {
        match with {
            true => two(self.a[i], b, self.modulus[i], quotient),
            false => one(self.modulus[i], quotient),
        }
    }

    /// Adds the low half to a digit, with what the digit below leaves, and moves it down.
    /// Returns what it leaves.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn move_down(&mut self, i: usize, below: __m256i, (low, above): (__m256i, __m256i)) -> __m256i {
        let sum = _mm256_add_epi64(self.sums[i], low);
        self.sums[i - 1] = _mm256_add_epi64(sum, below);
        above
    }

    /// Carries, after doubling what is to be doubled.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn finish(&self, double: __m256i, half: usize, product: &mut Number<L>) {
        let mut carry = _mm256_setzero_si256();
        for (digit, sum) in product.iter_mut().zip(self.sums) {
            let sum = _mm256_add_epi64(sum, _mm256_and_si256(sum, double));
            let sum = _mm256_add_epi64(sum, carry);
            let low = _mm256_and_si256(sum, _mm256_set1_epi64x(MASK));
            store(digit, half, low);
            carry = shift(sum);
        }
    }
}

/// The low half of `a b`, as an integer that is too large by `LOW`'s bits.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn low_half(a: __m256d, b: __m256d) -> __m256i {
    let above = _mm256_fmadd_pd(a, b, _mm256_set1_pd(HIGH));
    let rest = _mm256_sub_pd(_mm256_set1_pd(HIGH + LOW), above);
    _mm256_castpd_si256(_mm256_fmadd_pd(a, b, rest))
}

/// The low and the high half of `m q`, as integers that are too large by `LOW`'s and `HIGH`'s
/// bits.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn one(m: __m256d, q: __m256d) -> (__m256i, __m256i) {
    let above = _mm256_fmadd_pd(m, q, _mm256_set1_pd(HIGH));
    let rest = _mm256_sub_pd(_mm256_set1_pd(HIGH + LOW), above);
    let low = _mm256_fmadd_pd(m, q, rest);
    (_mm256_castpd_si256(low), _mm256_castpd_si256(above))
}

/// The low and the high halves of `a b + m q`, as integers that are too large by `LOW`'s and
/// `HIGH`'s bits. A low half is between -2^50 and 2^50. One factor may have a bit more: the
/// sum stays below 2^102.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn two(a: __m256d, b: __m256d, m: __m256d, q: __m256d) -> (__m256i, __m256i) {
    let above_first = _mm256_fmadd_pd(a, b, _mm256_set1_pd(HIGH));
    let above = _mm256_fmadd_pd(m, q, above_first);
    let first = _mm256_sub_pd(_mm256_set1_pd(HIGH + LOW), above_first);
    let first = _mm256_fmadd_pd(a, b, first);
    let second = _mm256_fmadd_pd(m, q, _mm256_sub_pd(above_first, above));
    let low = _mm256_add_pd(first, second);
    (_mm256_castpd_si256(low), _mm256_castpd_si256(above))
}

/// Numbers divided by 2^50, rounded down; they may be below zero.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(crate) fn shift(sum: __m256i) -> __m256i {
    let positive = _mm256_add_epi64(sum, _mm256_set1_epi64x(OFFSET));
    let shifted = _mm256_srli_epi64::<BITS>(positive);
    _mm256_sub_epi64(shifted, _mm256_set1_epi64x(OFFSET >> BITS))
}

/// Integers below 2^52 as floating point numbers: as last digits of 2^52, which is then
/// taken off.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(crate) fn number(digits: __m256i) -> __m256d {
    let power = _mm256_set1_pd((1u64 << 52) as f64);
    let near = _mm256_or_pd(_mm256_castsi256_pd(digits), power);
    _mm256_sub_pd(near, power)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
pub(crate) fn load(from: &Lanes, half: usize) -> __m256i {
    let place = from.0.as_chunks::<4>().0[half].as_ptr();
    // SAFETY: the place has 32 bytes.
    unsafe { _mm256_loadu_si256(place.cast()) }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
pub(crate) fn store(to: &mut Lanes, half: usize, numbers: __m256i) {
    let place = to.0.as_chunks_mut::<4>().0[half].as_mut_ptr();
    // SAFETY: the place has 32 bytes.
    unsafe { _mm256_storeu_si256(place.cast(), numbers) }
}
