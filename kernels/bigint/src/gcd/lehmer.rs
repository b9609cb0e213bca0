//! Quotients from leading limbs (Lehmer, "Euclid's algorithm for large numbers", American
//! Mathematical Monthly 45, 1938; Knuth, volume 2, algorithm 4.5.2 L).
//!
//! Leading parts are known up to an error of a few units. A quotient of theirs is that of
//! the whole numbers when the new remainder and its distance to the divisor are larger
//! than the errors can have grown (Collins' condition; Jebelean, "A double-digit
//! Lehmer-Euclid algorithm", Journal of Symbolic Computation 19, 1995). With remainders of
//! 2^34 and above, cofactors are at most 2^30 and errors of four units grow to 4 * 2^32,
//! so one comparison with a constant serves for both.

use super::matrix::Matrix;

/// See the module.
const GUARD: u64 = 1 << 34;

/// Steps on 64 leading bits each, as long as the smaller one is above `limit`.
#[inline(always)]
fn pass(mut x: u64, mut y: u64, limit: u64) -> Matrix {
    let limit = limit.max(GUARD);
    let ([mut p, mut q], [mut r, mut s]) = ([1, 0], [0, 1]);
    let mut odd = false;
    while y > limit {
        let quotient = x / y;
        let rest = x % y;
        if rest < GUARD || y - rest < GUARD {
            break;
        }
        (x, y) = (y, rest);
        (p, r) = (r, p + quotient * r);
        (q, s) = (s, q + quotient * s);
        odd = !odd;
    }
    Matrix {
        rows: [[p, q], [r, s]],
        odd,
    }
}

/// Steps of numbers of which 128 leading bits are given, on the same scale, as is the
/// limit. `None` when these do not tell the first quotient.
#[inline(always)]
pub(super) fn steps(x: u128, y: u128, limit: u128) -> Option<Matrix> {
    let top = |window: u128| (window >> 64) as u64;
    let first = pass(top(x), top(y), top(limit));
    let [_, [r, _]] = first.rows;
    if r == 0 {
        return None;
    }
    // These have an error of less than 2^31, and the larger one is above 2^97.
    let (x, y) = first.of_window(x, y);
    if y <= limit {
        return Some(first);
    }
    let shift = x.leading_zeros();
    let second = pass(top(x << shift), top(y << shift), top(limit << shift));
    Some(second.after(&first))
}

/// Steps of whole numbers of one limb, until the smaller one is not above `limit`. The
/// numbers are those that remain.
#[inline]
pub(super) fn finish(mut x: u64, mut y: u64, limit: u64) -> (Matrix, u64, u64) {
    let mut steps = Matrix::IDENTITY;
    while y > limit {
        let quotient = x / y;
        (x, y) = (y, x % y);
        let [above, below] = steps.rows;
        steps.rows = [
            below,
            [
                above[0] + quotient * below[0],
                above[1] + quotient * below[1],
            ],
        ];
        steps.odd = !steps.odd;
    }
    (steps, x, y)
}
