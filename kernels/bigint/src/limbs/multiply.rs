//! Products by rows, in plain Rust.

#[inline]
const fn mac(a: u64, b: u64, c: u64, carry: u64) -> (u64, u64) {
    // The largest value is (2^64 - 1)^2 + 2 (2^64 - 1) = 2^128 - 1.
    let t = a as u128 * b as u128 + c as u128 + carry as u128;
    (t as u64, (t >> 64) as u64)
}

/// `out += a * b`, for equal lengths. The carry is returned.
#[inline]
pub(crate) fn add_mul_1(out: &mut [u64], a: &[u64], b: u64) -> u64 {
    let mut carry = 0;
    for (out, a) in out.iter_mut().zip(a) {
        (*out, carry) = mac(*a, b, *out, carry);
    }
    carry
}

/// `out -= a * b`, for equal lengths. The borrow is returned.
#[inline]
pub(crate) fn sub_mul_1(out: &mut [u64], a: &[u64], b: u64) -> u64 {
    let mut carry = 0;
    for (out, a) in out.iter_mut().zip(a) {
        let (low, high) = mac(*a, b, 0, carry);
        let (difference, borrow) = out.overflowing_sub(low);
        *out = difference;
        // The high limb is below 2^64 - 1, so the borrow fits.
        carry = high + u64::from(borrow);
    }
    carry
}

/// `out = a * b`, for `out` as long as both together.
#[inline(always)]
pub(crate) fn mul(out: &mut [u64], a: &[u64], b: &[u64]) {
    let Some((first, rest)) = b.split_first() else {
        out.fill(0);
        return;
    };
    let mut carry = 0;
    let (low, high) = out.split_at_mut(a.len());
    for (out, a) in low.iter_mut().zip(a) {
        (*out, carry) = mac(*a, *first, 0, carry);
    }
    high[0] = carry;
    for (row, b) in rest.iter().enumerate() {
        let carry = add_mul_1(&mut out[row + 1..][..a.len()], a, *b);
        out[row + 1 + a.len()] = carry;
    }
}

/// `out = a * a`, for `out` twice as long as `a`: products of different limbs once, then
/// doubled, then the squares of limbs.
#[inline(always)]
pub(crate) fn square(out: &mut [u64], a: &[u64]) {
    out.fill(0);
    for (i, limb) in a.iter().enumerate() {
        let rest = &a[i + 1..];
        let carry = add_mul_1(&mut out[2 * i + 1..][..rest.len()], rest, *limb);
        out[i + a.len()] = carry;
    }
    double_and_add_squares(out, a);
}

/// `out = 2 out` and the squares of `a`'s limbs.
#[inline(always)]
pub(crate) fn double_and_add_squares(out: &mut [u64], a: &[u64]) {
    let (mut top, mut carry) = (0, 0);
    for (pair, limb) in out.as_chunks_mut::<2>().0.iter_mut().zip(a) {
        let [low, high] = *pair;
        let doubled = [low << 1 | top, high << 1 | low >> 63];
        top = high >> 63;
        let square = u128::from(*limb) * u128::from(*limb);
        let sum = u128::from(doubled[0]) + (square as u64 as u128) + u128::from(carry);
        pair[0] = sum as u64;
        let sum = u128::from(doubled[1]) + (square >> 64) + (sum >> 64);
        pair[1] = sum as u64;
        carry = (sum >> 64) as u64;
    }
}
