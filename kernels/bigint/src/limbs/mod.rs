//! Arithmetic on slices of limbs, the least significant first: what the types are made
//! of. Lengths are the caller's to get right; a wrong one panics.

mod add;
mod divide;
mod multiply;
mod shift;

pub(crate) use add::{add_assign, compare, negate, sub_assign};
pub(crate) use divide::{div_rem, div_rem_1, exact, inverse};
pub(crate) use multiply::{add_mul_1, mul, square, sub_mul_1};
pub(crate) use shift::{double, shl, shr, shr_assign};

/// The number of limbs without zeros at the top.
#[inline]
pub(crate) fn significant(limbs: &[u64]) -> usize {
    let mut len = limbs.len();
    while len > 0 && limbs[len - 1] == 0 {
        len -= 1;
    }
    len
}
