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

pub use euclid::Euclid;

use crate::{Int, Uint};

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

/// The greatest common divisor. That of a number and zero is the number.
#[must_use]
pub fn gcd<const N: usize>(a: &Uint<N>, b: &Uint<N>) -> Uint<N> {
    let (large, small) = if a < b { (b, a) } else { (a, b) };
    let mut euclid = Euclid::new();
    euclid.start(large, small);
    euclid.reduce(&Uint::ZERO);
    *euclid.remainders()[0]
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
    let mut euclid = Euclid::new();
    euclid.start(modulus, number);
    euclid.reduce(&Uint::ZERO);
    Inverse {
        gcd: *euclid.remainders()[0],
        cofactor: Int::new(!euclid.turned(), *euclid.cofactors()[0]),
    }
}
