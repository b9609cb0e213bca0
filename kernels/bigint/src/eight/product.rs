//! Products by a multiplier of 52 bits in lanes.
//!
//! Row by row: a row's digits are added without carries, the lowest leaves, and all others
//! move down. Limit: `2 L^2` multiply-adds of eight lanes; at one a cycle 25 cycles a
//! number for L = 10 (512 bits).

use crate::lanes::Lanes;
use crate::powers::vector::{Eight, MASK};

/// Products of numbers of as many digits each.
///
/// # Safety
/// The CPU must have the ISAs of `V`, and the caller must be compiled for them.
#[inline(always)]
pub(super) unsafe fn multiply<V: Eight>(out: &mut [Lanes], a: &[Lanes], b: &[Lanes]) {
    // SAFETY: the caller's promise.
    unsafe {
        if let (Ok(a), Ok(b)) = (a.try_into(), b.try_into()) {
            rows::<V, 10>(out, a, b);
        } else if let (Ok(a), Ok(b)) = (a.try_into(), b.try_into()) {
            rows::<V, 20>(out, a, b);
        } else {
            columns::<V>(out, a, b);
        }
    }
}

/// For numbers whose sums stay in registers, or nearly so.
#[inline(always)]
unsafe fn rows<V: Eight, const L: usize>(out: &mut [Lanes], a: &[Lanes; L], b: &[Lanes; L]) {
    // SAFETY: the caller's promise.
    unsafe {
        let (mask, zero) = (V::splat(MASK), V::splat(0));
        // Each is below 2 L 2^52.
        let mut sums = [zero; L];
        let mut carry = zero;
        let (low, high) = out.split_at_mut(L);
        for (b, digit) in b.iter().zip(low) {
            let b = V::load(b);
            for (sum, a) in sums.iter_mut().zip(a) {
                *sum = sum.add_low(V::load(a), b);
            }
            let lowest = sums[0].add(carry);
            lowest.and(mask).store(digit);
            carry = lowest.shr_52();
            for i in 0..L {
                let above = if i + 1 < L { sums[i + 1] } else { zero };
                sums[i] = above.add_high(V::load(&a[i]), b);
            }
        }
        for (sum, digit) in sums.into_iter().zip(high) {
            let sum = sum.add(carry);
            sum.and(mask).store(digit);
            carry = sum.shr_52();
        }
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
