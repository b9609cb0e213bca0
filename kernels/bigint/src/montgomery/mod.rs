//! Montgomery's multiplication.

mod kernel;
mod power;

pub(crate) use kernel::KERNEL;

use crate::{Uint, limbs};
use core::cmp::Ordering;
use kernel::{LIMBS, Scratch};

/// Arithmetic modulo an odd number, without divisions (Montgomery, "Modular
/// multiplication without trial division", Mathematics of Computation 44, 1985).
///
/// ```
/// use karat_bigint::{Montgomery, Uint};
///
/// let modulus = Uint::<4>::from_u64(101);
/// let field = Montgomery::new(&modulus).ok_or("even, or too large")?;
/// let three = Uint::from_u64(3);
/// assert_eq!(field.pow(&three, &Uint::from_u64(100)), Uint::ONE);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug)]
pub struct Montgomery<const N: usize> {
    modulus: Uint<N>,
    /// `-1 / modulus` modulo 2^64.
    inverse: u64,
    /// The residue of one.
    one: Residue<N>,
    /// The residue of the residue of one, which takes numbers to residues.
    square: Residue<N>,
}

/// A number of [`Montgomery`]'s own form: `x 2^(64 n)` modulo the modulus of `n` limbs. It
/// belongs to the modulus that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Residue<const N: usize> {
    /// Those above the modulus' limbs are zero.
    limbs: [u64; N],
}

impl<const N: usize> Montgomery<N> {
    /// Arithmetic modulo this number. `None` when it is even, or one, or has more than 64
    /// limbs.
    #[must_use]
    pub fn new(modulus: &Uint<N>) -> Option<Self> {
        let len = modulus.limbs().len();
        if !modulus.is_odd() || modulus.is_one() || len > LIMBS {
            return None;
        }
        let mut field = Self {
            modulus: *modulus,
            inverse: limbs::inverse(modulus.low()).wrapping_neg(),
            one: Residue { limbs: [0; N] },
            square: Residue { limbs: [0; N] },
        };
        field.one = field.residue_of_one();
        field.square = field.power_of_two(64 * len);
        Some(field)
    }

    /// The modulus.
    #[must_use]
    pub const fn modulus(&self) -> &Uint<N> {
        &self.modulus
    }

    /// `2^(64 n)` modulo the modulus: the highest power of two below it, doubled as often
    /// as it takes.
    fn residue_of_one(&self) -> Residue<N> {
        let (bits, len) = (self.modulus.bits(), self.modulus.limbs().len());
        let mut power = Residue { limbs: [0; N] };
        power.limbs[(bits - 1) / 64] = 1 << ((bits - 1) % 64);
        for _ in bits - 1..64 * len {
            self.double_in_place(&mut power);
        }
        power
    }

    /// The residue of a power of two.
    fn power_of_two(&self, exponent: usize) -> Residue<N> {
        let mut scratch = Scratch::new();
        let mut power = self.one;
        for bit in (0..usize::BITS - exponent.leading_zeros()).rev() {
            self.square_in_place(&mut power, &mut scratch);
            if exponent >> bit & 1 == 1 {
                self.double_in_place(&mut power);
            }
        }
        power
    }

    /// The residue of one.
    #[must_use]
    pub const fn one(&self) -> Residue<N> {
        self.one
    }

    /// The residue of a number.
    #[must_use]
    pub fn residue(&self, number: &Uint<N>) -> Residue<N> {
        let mut plain = Residue { limbs: [0; N] };
        let number = number.rem(&self.modulus);
        plain.limbs[..number.limbs().len()].copy_from_slice(number.limbs());
        self.mul(&plain, &self.square)
    }

    /// The number of a residue, below the modulus.
    #[must_use]
    pub fn number(&self, residue: &Residue<N>) -> Uint<N> {
        let mut one = Residue { limbs: [0; N] };
        one.limbs[0] = 1;
        let plain = self.mul(residue, &one);
        let mut number = Uint::ZERO;
        number.buffer().copy_from_slice(&plain.limbs);
        number.set_len(self.modulus.limbs().len());
        number
    }

    /// A product.
    #[must_use]
    pub fn mul(&self, a: &Residue<N>, b: &Residue<N>) -> Residue<N> {
        let mut product = *a;
        self.multiply(&mut product, b, &mut Scratch::new());
        product
    }

    /// A square.
    #[must_use]
    pub fn square(&self, a: &Residue<N>) -> Residue<N> {
        let mut square = *a;
        self.square_in_place(&mut square, &mut Scratch::new());
        square
    }

    /// A sum.
    #[must_use]
    pub fn add(&self, a: &Residue<N>, b: &Residue<N>) -> Residue<N> {
        let len = self.modulus.limbs().len();
        let mut sum = *a;
        let carry = limbs::add_assign(&mut sum.limbs[..len], &b.limbs[..len]);
        if carry || self.is_above(&sum.limbs[..len]) {
            limbs::sub_assign(&mut sum.limbs[..len], self.modulus.limbs());
        }
        sum
    }

    /// A difference.
    #[must_use]
    pub fn sub(&self, a: &Residue<N>, b: &Residue<N>) -> Residue<N> {
        let len = self.modulus.limbs().len();
        let mut difference = *a;
        if limbs::sub_assign(&mut difference.limbs[..len], &b.limbs[..len]) {
            limbs::add_assign(&mut difference.limbs[..len], self.modulus.limbs());
        }
        difference
    }

    /// Twice a residue.
    #[must_use]
    pub fn double(&self, a: &Residue<N>) -> Residue<N> {
        let mut double = *a;
        self.double_in_place(&mut double);
        double
    }

    fn double_in_place(&self, a: &mut Residue<N>) {
        let len = self.modulus.limbs().len();
        let limbs = &mut a.limbs[..len];
        if limbs::double(limbs) || self.is_above(limbs) {
            limbs::sub_assign(limbs, self.modulus.limbs());
        }
    }

    /// Whether limbs, as many as the modulus has, are not below it.
    fn is_above(&self, limbs: &[u64]) -> bool {
        limbs.iter().rev().cmp(self.modulus.limbs().iter().rev()) != Ordering::Less
    }
}
