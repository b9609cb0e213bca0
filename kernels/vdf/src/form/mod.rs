//! Forms and their group.

mod compose;
mod reduce;
mod square;

pub(crate) use square::Workspace;

use crate::{Discriminant, Error, Int, LIMBS};

/// A class of binary quadratic forms `a x^2 + b x y + c y^2`, by its reduced form:
/// `-a < b <= a <= c`, and `b >= 0` where `a = c`.
///
/// A form belongs to one discriminant, `b^2 - 4 a c`. Operations take that discriminant
/// along; with that of another the result means nothing. They take no constant time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    pub(crate) a: Int,
    pub(crate) b: Int,
    pub(crate) c: Int,
}

impl Form {
    /// The neutral element, `(1, 1, (1 - D) / 4)`.
    #[must_use]
    pub fn identity(discriminant: &Discriminant) -> Self {
        Self::with_b_of_one(1, discriminant)
    }

    /// The form `(2, 1, (1 - D) / 8)`, from which computations begin by custom.
    #[must_use]
    pub fn generator(discriminant: &Discriminant) -> Self {
        Self::with_b_of_one(2, discriminant)
    }

    fn with_b_of_one(a: i64, discriminant: &Discriminant) -> Self {
        let rest = &Int::ONE + &Int::from(*discriminant.magnitude());
        Self {
            a: Int::from_i64(a),
            b: Int::ONE,
            c: rest.div_exact(&Int::from_i64(4 * a)),
        }
    }

    /// The form of this discriminant with these two coefficients.
    ///
    /// # Errors
    /// [`Error::FormNotInGroup`] when there is none, [`Error::FormNotReduced`].
    pub fn new(
        a: &karat_bigint::Int<LIMBS>,
        b: &karat_bigint::Int<LIMBS>,
        discriminant: &Discriminant,
    ) -> Result<Self, Error> {
        // A reduced form has a^2 <= |D| / 3 and |b| <= a, which also bounds the numbers
        // below.
        let half = discriminant.bits() / 2 + 1;
        if a.is_negative() || a.is_zero() || a.bits() > half || b.bits() > half {
            return Err(Error::FormNotReduced);
        }
        let product = &b.square() + &Int::from(*discriminant.magnitude());
        let (c, rest) = product.div_floor(&(a.magnitude() << 2));
        if !rest.is_zero() {
            return Err(Error::FormNotInGroup);
        }
        let form = Self { a: *a, b: *b, c };
        if form.is_reduced() {
            Ok(form)
        } else {
            Err(Error::FormNotReduced)
        }
    }

    /// Checks that it is a form of this discriminant: `4 a c - b^2 = |D|`.
    ///
    /// # Errors
    /// [`Error::FormNotInGroup`].
    pub(crate) fn check(&self, discriminant: &Discriminant) -> Result<(), Error> {
        let product = &(self.a.magnitude() << 2) * self.c.magnitude();
        let sum = &self.b.square() + &Int::from(*discriminant.magnitude());
        if *sum.magnitude() == product {
            Ok(())
        } else {
            Err(Error::FormNotInGroup)
        }
    }

    /// The inverse: the form with the other sign of `b`.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut inverse = *self;
        inverse.b.negate();
        inverse.reduce();
        inverse
    }

    /// The first coefficient.
    #[must_use]
    pub const fn a(&self) -> &karat_bigint::Int<LIMBS> {
        &self.a
    }

    /// The second coefficient.
    #[must_use]
    pub const fn b(&self) -> &karat_bigint::Int<LIMBS> {
        &self.b
    }

    /// The third coefficient.
    #[must_use]
    pub const fn c(&self) -> &karat_bigint::Int<LIMBS> {
        &self.c
    }

    /// Whether it is the neutral element.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.a.magnitude().is_one()
    }

    /// Whether the form, with a positive `a`, is the reduced one of its class.
    fn is_reduced(&self) -> bool {
        let within = self.b.compare_magnitude(&self.a);
        let fits = within.is_lt() || within.is_eq() && !self.b.is_negative();
        let ordered = self.a.cmp(&self.c);
        fits && (ordered.is_lt() || ordered.is_eq() && !self.b.is_negative())
    }
}
