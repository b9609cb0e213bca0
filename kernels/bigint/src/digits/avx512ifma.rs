//! One number spread over registers: AVX-512 IFMA, digits of 52 bits.
//!
//! A digit of the one factor is broadcast and meets eight digits of the other. Where their
//! products belong depends on both places, so the other factor is moved up by 0 to 7 digits,
//! each time once, and rows whose place is the same modulo eight share that. Nothing is
//! carried in a product.
//!
//! Limit: two multiply-adds for each row and vector that it reaches. For 10 digits (512 bits)
//! these are 42 and 15 moves, for 20 (1024 bits) 132 and 24. With two units for both that is
//! 28.5 and 78 cycles; Zen 4 starts one multiply-add a cycle.
//!
//! # Safety
//! All functions but those of the table: the caller is compiled for [`IFMA`](super::IFMA),
//! and the CPU has it.

use super::{convert, portable};
use crate::lanes::Lanes;
use core::arch::x86_64::*;

const MASK: i64 = (1 << 52) - 1;

/// A product of numbers of `L` digits, in sums that are below `2 L 2^52`. `V` vectors hold a
/// factor, and `W` a product.
#[inline(always)]
pub(crate) unsafe fn multiply<const L: usize, const V: usize, const W: usize>(
    a: &[Lanes; V],
    b: &[__m512i; V],
) -> [__m512i; W] {
    // SAFETY: see above.
    unsafe {
        // Low and high halves apart, and rows of even and of odd places: chains of additions
        // are a quarter as long, and more products are on their way at a time.
        let mut sums = [[_mm512_setzero_si512(); W]; 4];
        moved::<0, 0, L, V, W>(&mut sums, a, b);
        moved::<1, 7, L, V, W>(&mut sums, a, b);
        moved::<2, 6, L, V, W>(&mut sums, a, b);
        moved::<3, 5, L, V, W>(&mut sums, a, b);
        moved::<4, 4, L, V, W>(&mut sums, a, b);
        moved::<5, 3, L, V, W>(&mut sums, a, b);
        moved::<6, 2, L, V, W>(&mut sums, a, b);
        moved::<7, 1, L, V, W>(&mut sums, a, b);
        let [mut sum, odd, high, high_odd] = sums;
        for i in 0..W {
            let low = _mm512_add_epi64(sum[i], odd[i]);
            sum[i] = _mm512_add_epi64(low, _mm512_add_epi64(high[i], high_odd[i]));
        }
        sum
    }
}

/// Which sums a row's products go to, of those that are kept apart: one where there are not
/// registers enough for two.
const fn apart<const S: usize, const W: usize>() -> usize {
    if 4 * W > 20 { 0 } else { S % 2 }
}

/// What `b`, moved up by `S` digits, takes part in: low halves of the rows whose place is `S`
/// modulo eight, and high halves of those one below. `DOWN` is `8 - S`.
#[inline(always)]
unsafe fn moved<const S: usize, const DOWN: i32, const L: usize, const V: usize, const W: usize>(
    sums: &mut [[__m512i; W]; 4],
    a: &[Lanes; V],
    b: &[__m512i; V],
) {
    // SAFETY: see above.
    unsafe {
        let zero = _mm512_setzero_si512();
        let mut k = 0;
        while 8 * k < L + S {
            let here = if k < V { b[k] } else { zero };
            let below = if k > 0 { b[k - 1] } else { zero };
            let b = if S == 0 {
                here
            } else {
                _mm512_alignr_epi64::<DOWN>(here, below)
            };
            let mut row = S;
            while row < L {
                let sum = &mut sums[apart::<S, W>()][row / 8 + k];
                *sum = _mm512_madd52lo_epu64(*sum, digit(a, row), b);
                row += 8;
            }
            let mut row = (S + 7) % 8;
            while row < L {
                let sum = &mut sums[2 + apart::<S, W>()][(row + 1) / 8 + k];
                *sum = _mm512_madd52hi_epu64(*sum, digit(a, row), b);
                row += 8;
            }
            k += 1;
        }
    }
}

/// A digit, eight times.
#[inline(always)]
unsafe fn digit(a: &[Lanes], place: usize) -> __m512i {
    // SAFETY: see above.
    unsafe { _mm512_set1_epi64(a[place / 8].0[place % 8] as i64) }
}

/// Digits of 52 bits from sums.
///
/// Carries move up once, all at the same time. After that one more may come to a digit, and
/// go on through digits of ones alone: an addition of two words finds all of these, as it
/// finds its own carries.
#[inline(always)]
pub(crate) unsafe fn carried<const W: usize>(sums: &[__m512i; W]) -> [__m512i; W] {
    // SAFETY: see above.
    unsafe {
        let (zero, mask) = (_mm512_setzero_si512(), _mm512_set1_epi64(MASK));
        let mut below = zero;
        let (mut over, mut ones) = (0u128, 0u128);
        let mut digits = [zero; W];
        for (i, (digit, sum)) in digits.iter_mut().zip(sums).enumerate() {
            let carries = _mm512_srli_epi64::<52>(*sum);
            let arriving = _mm512_alignr_epi64::<7>(carries, below);
            below = carries;
            *digit = _mm512_add_epi64(_mm512_and_si512(*sum, mask), arriving);
            over |= u128::from(_mm512_cmpgt_epu64_mask(*digit, mask)) << (8 * i);
            ones |= u128::from(_mm512_cmpeq_epu64_mask(*digit, mask)) << (8 * i);
        }
        // One word is enough for most lengths.
        let more = if W <= 8 {
            let (over, ones) = (over as u64, ones as u64);
            u128::from((over << 1).wrapping_add(ones) ^ ones)
        } else {
            (over << 1).wrapping_add(ones) ^ ones
        };
        for (i, digit) in digits.iter_mut().enumerate() {
            let more = (more >> (8 * i)) as __mmask8;
            // One less than nothing is all bits, so this adds one.
            let sum = _mm512_mask_sub_epi64(*digit, more, *digit, _mm512_set1_epi64(-1));
            *digit = _mm512_and_si512(sum, mask);
        }
        digits
    }
}

#[inline(always)]
pub(crate) unsafe fn load<const V: usize>(from: &[Lanes; V]) -> [__m512i; V] {
    // SAFETY: see above; 64 bytes on a boundary of 64.
    unsafe {
        let mut vectors = [_mm512_setzero_si512(); V];
        for (vector, lanes) in vectors.iter_mut().zip(from) {
            *vector = _mm512_load_si512(core::ptr::from_ref(lanes).cast());
        }
        vectors
    }
}

#[inline(always)]
pub(crate) unsafe fn store<const V: usize>(to: &mut [Lanes; V], from: &[__m512i; V]) {
    for (to, from) in to.iter_mut().zip(from) {
        // SAFETY: see above; 64 bytes on a boundary of 64.
        unsafe { _mm512_store_si512(core::ptr::from_mut(to).cast(), *from) }
    }
}

/// As many vectors as there are places, with zeros above.
fn padded<const V: usize>(vectors: &[Lanes]) -> [Lanes; V] {
    let mut all = [Lanes::ZERO; V];
    let len = vectors.len().min(V);
    all[..len].copy_from_slice(&vectors[..len]);
    all
}

#[inline(always)]
unsafe fn product<const L: usize, const V: usize, const W: usize>(
    out: &mut [Lanes],
    a: &[Lanes],
    b: &[Lanes],
    carry: bool,
) {
    // SAFETY: see above.
    unsafe {
        match (out.first_chunk_mut::<W>(), a.first_chunk(), b.first_chunk()) {
            (Some(out), Some(a), Some(b)) => {
                let sums = multiply::<L, V, W>(a, &load::<V>(b));
                store(out, &if carry { carried(&sums) } else { sums });
            }
            _ => {
                let mut whole = [Lanes::ZERO; W];
                let (a, b) = (padded::<V>(a), padded::<V>(b));
                if carry {
                    multiplied::<true>(&mut whole, &a, &b, L);
                } else {
                    multiplied::<false>(&mut whole, &a, &b, L);
                }
                let len = out.len();
                out.copy_from_slice(&whole[..len]);
            }
        }
    }
}

/// See `one::Body`. Sums, or digits where `CARRY` is set.
///
/// # Safety
/// The CPU must have [`IFMA`](super::IFMA).
#[target_feature(enable = "avx512f,avx512bw,avx512ifma,avx512vbmi,avx512vbmi2")]
pub(crate) unsafe fn multiplied<const CARRY: bool>(
    out: &mut [Lanes],
    a: &[Lanes],
    b: &[Lanes],
    digits: usize,
) {
    // SAFETY: this function is compiled for these ISAs, and the caller has them.
    unsafe {
        match digits {
            ..=10 => product::<10, 2, 3>(out, a, b, CARRY),
            11..=20 => product::<20, 3, 5>(out, a, b, CARRY),
            21..=40 => product::<40, 5, 10>(out, a, b, CARRY),
            // Its sums are carried.
            _ => portable::sums(out, a, b, digits),
        }
    }
}

/// See `one::Body`.
///
/// # Safety
/// The CPU must have [`IFMA`](super::IFMA).
#[target_feature(enable = "avx512f,avx512bw,avx512ifma,avx512vbmi,avx512vbmi2")]
pub(crate) unsafe fn carry(out: &mut [Lanes], sums: &[Lanes]) {
    // SAFETY: this function is compiled for these ISAs, and the caller has them.
    unsafe {
        match sums.len() {
            ..=3 => carry_all::<3>(out, sums),
            4..=5 => carry_all::<5>(out, sums),
            6..=10 => carry_all::<10>(out, sums),
            _ => portable::carry(out, sums),
        }
    }
}

#[inline(always)]
unsafe fn carry_all<const W: usize>(out: &mut [Lanes], sums: &[Lanes]) {
    // SAFETY: see above.
    unsafe {
        match (out.first_chunk_mut::<W>(), sums.first_chunk()) {
            (Some(out), Some(sums)) => store(out, &carried(&load(sums))),
            _ => {
                let mut whole = [Lanes::ZERO; W];
                carry(&mut whole, &padded::<W>(sums));
                let len = out.len();
                out.copy_from_slice(&whole[..len]);
            }
        }
    }
}

/// See `one::Body`.
///
/// # Safety
/// The CPU must have [`IFMA`](super::IFMA).
#[target_feature(enable = "avx512f,avx512bw,avx512ifma,avx512vbmi,avx512vbmi2")]
pub(crate) unsafe fn from_limbs(out: &mut [Lanes], limbs: &[u64]) {
    for (i, out) in out.iter_mut().enumerate() {
        // SAFETY: this function is compiled for these ISAs, and the caller has them.
        unsafe { store(core::array::from_mut(out), &[convert::digits(limbs, i)]) }
    }
}

/// See `one::Body`.
///
/// # Safety
/// The CPU must have [`IFMA`](super::IFMA).
#[target_feature(enable = "avx512f,avx512bw,avx512ifma,avx512vbmi,avx512vbmi2")]
pub(crate) unsafe fn to_limbs(limbs: &mut [u64], digits: &[Lanes]) {
    // SAFETY: this function is compiled for these ISAs, and the caller has them.
    unsafe {
        match digits.len() {
            ..=3 => write::<3>(limbs, digits),
            4..=5 => write::<5>(limbs, digits),
            6..=10 => write::<10>(limbs, digits),
            _ => portable::to_limbs(limbs, digits),
        }
    }
}

#[inline(always)]
unsafe fn write<const W: usize>(limbs: &mut [u64], digits: &[Lanes]) {
    // SAFETY: see above.
    unsafe {
        match digits.first_chunk::<W>() {
            Some(digits) => convert::write(limbs, &load(digits)),
            None => to_limbs(limbs, &padded::<W>(digits)),
        }
    }
}
