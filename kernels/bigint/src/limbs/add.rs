//! Addition, subtraction, comparison.

use core::cmp::Ordering;

#[inline]
const fn adc(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (sum, first) = a.overflowing_add(b);
    let (sum, second) = sum.overflowing_add(carry as u64);
    (sum, first | second)
}

#[inline]
const fn sbb(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let (difference, first) = a.overflowing_sub(b);
    let (difference, second) = difference.overflowing_sub(borrow as u64);
    (difference, first | second)
}

/// Limbs whose carries are not stored between them.
const GROUP: usize = 4;

/// `a += b`; `b` is not longer than `a`. The carry out of `a` is returned.
#[inline]
pub(crate) fn add_assign(a: &mut [u64], b: &[u64]) -> bool {
    let (low, high) = a.split_at_mut(b.len());
    let mut carry = false;
    // In a group carries stay in the flag.
    let ((a, a_rest), (b, b_rest)) = (low.as_chunks_mut::<GROUP>(), b.as_chunks::<GROUP>());
    for (a, b) in a.iter_mut().zip(b) {
        for (a, b) in a.iter_mut().zip(b) {
            (*a, carry) = adc(*a, *b, carry);
        }
    }
    for (a, b) in a_rest.iter_mut().zip(b_rest) {
        (*a, carry) = adc(*a, *b, carry);
    }
    for a in high {
        if !carry {
            break;
        }
        (*a, carry) = a.overflowing_add(1);
    }
    carry
}

/// `a -= b`; `b` is not longer than `a`. The borrow out of `a` is returned.
#[inline]
pub(crate) fn sub_assign(a: &mut [u64], b: &[u64]) -> bool {
    let (low, high) = a.split_at_mut(b.len());
    let mut borrow = false;
    let ((a, a_rest), (b, b_rest)) = (low.as_chunks_mut::<GROUP>(), b.as_chunks::<GROUP>());
    for (a, b) in a.iter_mut().zip(b) {
        for (a, b) in a.iter_mut().zip(b) {
            (*a, borrow) = sbb(*a, *b, borrow);
        }
    }
    for (a, b) in a_rest.iter_mut().zip(b_rest) {
        (*a, borrow) = sbb(*a, *b, borrow);
    }
    for a in high {
        if !borrow {
            break;
        }
        (*a, borrow) = a.overflowing_sub(1);
    }
    borrow
}

/// `a = b - a`, for `a <= b` of equal lengths.
#[inline]
pub(crate) fn negate(a: &mut [u64], b: &[u64]) {
    let mut borrow = false;
    for (a, b) in a.iter_mut().zip(b) {
        (*a, borrow) = sbb(*b, *a, borrow);
    }
    debug_assert!(!borrow);
}

/// Compares numbers without zeros at the top.
#[inline]
pub(crate) fn compare(a: &[u64], b: &[u64]) -> Ordering {
    let by_length = a.len().cmp(&b.len());
    by_length.then_with(|| a.iter().rev().cmp(b.iter().rev()))
}
