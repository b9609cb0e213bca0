//! Greatest common divisors by Lehmer's method, with cofactors, and the partial Euclidean
//! algorithm that class groups need.
//!
//! ```
//! use karat_bigint::{Int, Uint, gcd};
//!
//! let (a, b) = (Uint::<4>::from_u64(240), Uint::from_u64(46));
//! let found = gcd::extended(&a, &b);
//! assert_eq!(found.gcd, Uint::from_u64(2));
//! let sum = &(&Int::from(a) * &found.x) + &(&Int::from(b) * &found.y);
//! assert_eq!(sum, Int::from(found.gcd));
//! ```

mod euclid;
mod lehmer;
mod matrix;

use crate::{Int, Uint};
use euclid::Rows;

/// A greatest common divisor and its cofactors: `gcd = a x + b y`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extended<const N: usize> {
    /// The divisor.
    pub gcd: Uint<N>,
    /// The cofactor of the first number.
    pub x: Int<N>,
    /// The cofactor of the second number.
    pub y: Int<N>,
}

/// A divisor and one cofactor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inverse<const N: usize> {
    /// The greatest common divisor of number and modulus.
    pub gcd: Uint<N>,
    /// The number times this is congruent to the divisor.
    pub cofactor: Int<N>,
}

/// The vector `(r, y)` of a lattice: `r` is congruent to `y k` modulo `a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vector<const N: usize> {
    /// A remainder of the Euclidean algorithm.
    pub r: Uint<N>,
    /// Its cofactor.
    pub y: Int<N>,
}

/// Two vectors that span the lattice of all `(r, y)` with `r` congruent to `y k` modulo
/// `a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Basis<const N: usize> {
    /// The last vector whose remainder is above the limit.
    pub before: Vector<N>,
    /// The first one whose remainder is not.
    pub after: Vector<N>,
    /// Whether `before.r after.y - after.r before.y` is `-a`; otherwise it is `a`.
    pub turned: bool,
}

/// The greatest common divisor. That of a number and zero is the number.
#[must_use]
pub fn gcd<const N: usize>(a: &Uint<N>, b: &Uint<N>) -> Uint<N> {
    let (large, small) = if a < b { (b, a) } else { (a, b) };
    let mut rows = Rows::new(large, small);
    rows.reduce(&Uint::ZERO);
    *rows.vectors().0
}

/// The greatest common divisor with both cofactors.
///
/// # Panics
/// When a cofactor's product with its number does not fit: give twice the capacity.
#[must_use]
pub fn extended<const N: usize>(a: &Uint<N>, b: &Uint<N>) -> Extended<N> {
    if a < b {
        let Extended { gcd, x, y } = extended(b, a);
        return Extended { gcd, x: y, y: x };
    }
    let Inverse { gcd, cofactor: y } = inverse(b, a);
    let x = if a.is_zero() {
        Int::ZERO
    } else {
        (&Int::from(gcd) - &(&Int::from(*b) * &y)).div_exact(&Int::from(*a))
    };
    Extended { gcd, x, y }
}

/// The greatest common divisor of a number and a modulus that is not below it, with the
/// number's cofactor. It is the inverse where the divisor is one. Its magnitude is at most
/// that of the modulus.
///
/// # Panics
/// When the number is above the modulus.
#[must_use]
pub fn inverse<const N: usize>(number: &Uint<N>, modulus: &Uint<N>) -> Inverse<N> {
    assert!(number <= modulus, "the number is above the modulus");
    let mut rows = Rows::new(modulus, number);
    rows.reduce(&Uint::ZERO);
    let Vector { r, y } = rows.before();
    Inverse {
        gcd: r,
        cofactor: y,
    }
}

/// The Euclidean algorithm on `(a, k)` as far as the first remainder that is about
/// `limit` or below. It may go on by a step or stop short of one, where 64 bits do not
/// tell; the vectors span the lattice anyway.
///
/// # Panics
/// When `k` is above `a`.
#[must_use]
pub fn partial<const N: usize>(a: &Uint<N>, k: &Uint<N>, limit: &Uint<N>) -> Basis<N> {
    assert!(k <= a, "the number is above the modulus");
    let mut rows = Rows::new(a, k);
    rows.reduce(limit);
    Basis {
        before: rows.before(),
        after: rows.after(),
        turned: rows.odd(),
    }
}
