//! Division with remainder, and exact division.

use super::{add_assign, shl, sub_mul_1};

/// The reciprocal floor((2^128 - 1) / d) - 2^64 of a limb whose top bit is set (Möller
/// and Granlund, "Improved division by invariant integers", IEEE Transactions on
/// Computers 60, 2011).
#[inline]
const fn reciprocal(d: u64) -> u64 {
    ((u128::MAX / d as u128) - (1 << 64)) as u64
}

/// Quotient and remainder of two limbs by one, for `high < d` and the reciprocal of `d`
/// (algorithm 4 of the same paper).
#[inline]
const fn div_2_by_1(high: u64, low: u64, d: u64, reciprocal: u64) -> (u64, u64) {
    let q = (reciprocal as u128 * high as u128).wrapping_add((high as u128) << 64 | low as u128);
    let mut quotient = ((q >> 64) as u64).wrapping_add(1);
    let mut rest = low.wrapping_sub(quotient.wrapping_mul(d));
    if rest > q as u64 {
        quotient = quotient.wrapping_sub(1);
        rest = rest.wrapping_add(d);
    }
    if rest >= d {
        quotient = quotient.wrapping_add(1);
        rest -= d;
    }
    (quotient, rest)
}

/// `a /= d`, for `d` above zero. The remainder is returned.
pub(crate) fn div_rem_1(a: &mut [u64], d: u64) -> u64 {
    let shift = d.leading_zeros();
    let d = d << shift;
    let reciprocal = reciprocal(d);
    let mut rest = 0;
    // The dividend is shifted as it is read: each limb takes the top bits of the next.
    let above = |limb: u64| if shift == 0 { 0 } else { limb >> (64 - shift) };
    rest |= a.last().map_or(0, |top| above(*top));
    for i in (0..a.len()).rev() {
        let next = if i == 0 { 0 } else { above(a[i - 1]) };
        (a[i], rest) = div_2_by_1(rest, a[i] << shift | next, d, reciprocal);
    }
    rest >> shift
}

/// `a` becomes the remainder of `a / d`; the quotient goes to `quotient`, which has
/// `a.len() - d.len() + 1` limbs (Knuth, volume 2, algorithm 4.3.1 D).
///
/// `d` has two or more limbs and a top limb above zero. `shifted` has room for `d`.
pub(crate) fn div_rem(quotient: &mut [u64], a: &mut [u64], d: &[u64], shifted: &mut [u64]) {
    let n = d.len();
    let shift = d[n - 1].leading_zeros();
    shl(shifted, d, shift);
    let d = &*shifted;
    // The limb above the window; it is not in `a`, which may have no room for it.
    let mut high = 0;
    if shift > 0 {
        for limb in a.iter_mut() {
            (*limb, high) = (*limb << shift | high, *limb >> (64 - shift));
        }
    }
    let (top, second) = (d[n - 1], d[n - 2]);
    let reciprocal = reciprocal(top);
    for j in (0..quotient.len()).rev() {
        let window = &mut a[j..j + n];
        let first = [high, window[n - 1], window[n - 2]];
        let mut q = estimate(first, top, second, reciprocal);
        let borrow = sub_mul_1(window, d, q);
        if high < borrow {
            q -= 1;
            add_assign(window, d);
        }
        high = window[n - 1];
        quotient[j] = q;
    }
    if shift > 0 {
        let mut carry = 0;
        for limb in a[..n].iter_mut().rev() {
            (*limb, carry) = (*limb >> shift | carry, *limb << (64 - shift));
        }
    }
}

/// The quotient of three limbs by two, at most one above that of the whole numbers.
#[inline]
fn estimate(first: [u64; 3], top: u64, second: u64, reciprocal: u64) -> u64 {
    let [high, middle, low] = first;
    let (mut q, mut rest) = if high >= top {
        // Both are equal then; the quotient's limb is the largest at most.
        let (rest, over) = middle.overflowing_add(top);
        if over {
            return u64::MAX;
        }
        (u64::MAX, rest)
    } else {
        div_2_by_1(high, middle, top, reciprocal)
    };
    while u128::from(q) * u128::from(second) > (u128::from(rest) << 64 | u128::from(low)) {
        q -= 1;
        let (sum, over) = rest.overflowing_add(top);
        if over {
            break;
        }
        rest = sum;
    }
    q
}

/// The inverse of an odd limb modulo 2^64, by Newton's iteration: each step doubles the
/// number of correct low bits, of which `3 d ^ 2` has five.
#[inline]
pub(crate) const fn inverse(d: u64) -> u64 {
    let mut x = d.wrapping_mul(3) ^ 2;
    let mut bits = 5;
    while bits < 64 {
        x = x.wrapping_mul(2u64.wrapping_sub(d.wrapping_mul(x)));
        bits *= 2;
    }
    x
}

/// The low limbs of `a / d` in place of those of `a`, for an exact quotient and odd `d`
/// (Jebelean, "An algorithm for exact division", Journal of Symbolic Computation 15,
/// 1993): the quotient's limbs come from the low end, and nothing above matters.
#[inline]
pub(crate) fn exact(a: &mut [u64], d: &[u64]) {
    let inverse = inverse(d[0]);
    for i in 0..a.len() {
        let q = a[i].wrapping_mul(inverse);
        let count = d.len().min(a.len() - i);
        let borrow = sub_mul_1(&mut a[i..i + count], &d[..count], q);
        if i + count < a.len() {
            super::sub_assign(&mut a[i + count..], &[borrow]);
        }
        a[i] = q;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_limbs_by_one_agree_with_the_wide_division() {
        let edges = [
            0,
            1,
            2,
            1 << 63,
            u64::MAX - 1,
            u64::MAX,
            0x1234_5678_9abc_def0,
        ];
        for d in [
            1 << 63,
            (1 << 63) + 1,
            u64::MAX,
            u64::MAX - 1,
            0xdead_beef_0123_4567,
        ] {
            for high in edges.into_iter().filter(|h| *h < d) {
                for low in edges {
                    let n = u128::from(high) << 64 | u128::from(low);
                    let expected = ((n / u128::from(d)) as u64, (n % u128::from(d)) as u64);
                    assert_eq!(div_2_by_1(high, low, d, reciprocal(d)), expected);
                }
            }
        }
    }

    #[test]
    fn an_odd_limb_times_its_inverse_is_one() {
        for d in [1, 3, 5, u64::MAX, 0x1234_5678_9abc_def1] {
            assert_eq!(d.wrapping_mul(inverse(d)), 1);
        }
    }
}
