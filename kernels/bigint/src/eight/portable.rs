//! Products in plain Rust, lane by lane.

use super::LANES;
use crate::lanes::Lanes;

/// Digits of 52 bits.
pub(super) fn multiply(out: &mut [Lanes], a: &[Lanes], b: &[Lanes]) {
    multiply_by::<52>(out, a, b);
}

/// Column by column. A column is below 2^(2 BITS) times the number of digits, and so 2^24
/// digits are possible.
pub(super) fn multiply_by<const BITS: u32>(out: &mut [Lanes], a: &[Lanes], b: &[Lanes]) {
    let (n, last) = (a.len(), out.len() - 1);
    for lane in 0..LANES {
        let mut carry = 0u128;
        for (column, digit) in out[..last].iter_mut().enumerate() {
            for i in column.saturating_sub(n - 1)..=column.min(n - 1) {
                carry += u128::from(a[i].0[lane]) * u128::from(b[column - i].0[lane]);
            }
            digit.0[lane] = (carry & ((1 << BITS) - 1)) as u64;
            carry >>= BITS;
        }
        out[last].0[lane] = carry as u64;
    }
}
