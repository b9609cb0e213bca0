//! Products by a multiplier of 52 bits in lanes.
//!
//! Row by row: a row's digits are added without carries, the lowest leaves, and all others
//! move down. Limit: `2 L^2` multiply-adds of eight lanes; at one a cycle 25 cycles a
//! number for L = 10 (512 bits).

use crate::lanes::Lanes;
use crate::powers::vector::{Eight, MASK};
use crate::unrolled::unrolled;

/// Products of numbers of as many digits each.
///
/// # Safety
/// The CPU must have the ISAs of `V`, and the caller must be compiled for them.
#[inline(always)]
pub(super) unsafe fn multiply<V: Eight>(out: &mut [Lanes], a: &[Lanes], b: &[Lanes]) {
    // SAFETY: the caller's promise.
    unsafe {
        // A row of twenty digits stays in registers, or nearly so.
        match a.len() {
            len if len.is_multiple_of(20) => blocks::<V, 20>(out, a, b),
            len if len.is_multiple_of(10) => blocks::<V, 10>(out, a, b),
            _ => columns::<V>(out, a, b),
        }
    }
}

/// Blocks of `L` digits of the one number by all of the other.
#[inline(always)]
unsafe fn blocks<V: Eight, const L: usize>(out: &mut [Lanes], a: &[Lanes], b: &[Lanes]) {
    for (i, block) in a.as_chunks::<L>().0.iter().enumerate() {
        // SAFETY: the caller's promise.
        unsafe { rows::<V, L>(&mut out[L * i..], block, b, i > 0) }
    }
}

/// A block by all rows of a number. Where `more` is set, it comes to what is there already, which
/// has as many digits as the number.
#[expect(
    unused_assignments,
    reason = "nothing is carried out of the last digit"
)]
#[inline(always)]
unsafe fn rows<V: Eight, const L: usize>(
    out: &mut [Lanes],
    a: &[Lanes; L],
    b: &[Lanes],
    more: bool,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let (mask, zero) = (V::splat(MASK), V::splat(0));
        // Each is below 2 L 2^52.
        let mut sums = [zero; L];
        let mut carry = zero;
        let (low, high) = out.split_at_mut(b.len());
        for (b, digit) in b.iter().zip(low) {
            let b = V::load(b);
            unrolled!(I < L {
                sums[I] = sums[I].add_low(V::load(&a[I]), b);
            });
            let there = if more { V::load(digit) } else { zero };
            let lowest = sums[0].add(carry).add(there);
            lowest.and(mask).store(digit);
            carry = lowest.shr_52();
            unrolled!(I < L {
                let above = if I + 1 < L { sums[(I + 1) % L] } else { zero };
                sums[I] = above.add_high(V::load(&a[I]), b);
            });
        }
        let high = &mut high[..L];
        unrolled!(I < L {
            let sum = sums[I].add(carry);
            sum.and(mask).store(&mut high[I]);
            carry = sum.shr_52();
        });
    }
}

/// For any length: the low halves of a column, and the high halves of the one below.
#[inline(always)]
unsafe fn columns<V: Eight>(out: &mut [Lanes], a: &[Lanes], b: &[Lanes]) {
    // SAFETY: the caller's promise.
    unsafe {
        let (mask, n) = (V::splat(MASK), a.len());
        let mut carry = V::splat(0);
        for (column, digit) in out.iter_mut().enumerate() {
            let mut sum = carry;
            for i in column.saturating_sub(n - 1)..n.min(column + 1) {
                sum = sum.add_low(V::load(&a[i]), V::load(&b[column - i]));
            }
            for i in column.saturating_sub(n)..n.min(column) {
                sum = sum.add_high(V::load(&a[i]), V::load(&b[column - 1 - i]));
            }
            sum.and(mask).store(digit);
            carry = sum.shr_52();
        }
    }
}
