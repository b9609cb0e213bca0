//! Squares.

use super::Form;
use crate::{Discriminant, Int};
use karat_bigint::gcd;

impl Form {
    /// The form times itself, for a reduced form.
    ///
    /// It is NUDUPL (Shanks; Jacobson and van der Poorten, "Computational aspects of
    /// NUCOMP", ANTS-V, 2002) seen as a lattice. With `s = gcd(a, b)`, `a' = a / s`,
    /// `c' = s c` and `k = -c / (b / s)` modulo `a'`, the square is the form `r^2 + y l`
    /// with `l = (b r + c' y) / a'`, on the lattice of all `(r, y)` with `r` congruent to
    /// `y k` modulo `a'`. The partial Euclidean algorithm gives a basis of short vectors,
    /// and on it the coefficients are short and nearly reduced. The two divisions by `a'`
    /// are exact, and there is no other.
    #[inline(always)]
    pub(crate) fn squared(&self, discriminant: &Discriminant) -> Self {
        let Self { a, b, c } = self;
        let inverse = gcd::inverse(b.magnitude(), a.magnitude());
        let (mut small, mut large) = (*a, *c);
        if !inverse.gcd.is_one() {
            let divisor = Int::from(inverse.gcd);
            small = a.div_exact(&divisor);
            large = c * &divisor;
        }
        // -c / b; the cofactor is that of b without its sign.
        let mut product = &inverse.cofactor * c;
        if !b.is_negative() {
            product.negate();
        }
        let (_, k) = product.div_floor(small.magnitude());
        let basis = gcd::partial(small.magnitude(), &k, discriminant.root());
        let (first, second) = (&basis.before, &basis.after);
        let value = |r: &Int, y: &Int| (&(b * r) + &(&large * y)).div_exact(&small);
        let (r1, r2) = (Int::from(first.r), Int::from(second.r));
        let (l1, l2) = (value(&r1, &first.y), value(&r2, &second.y));
        let mut mixed = &(&(&r1 * &r2) << 1) + &(&first.y * &l2);
        mixed += &(&second.y * &l1);
        if basis.turned {
            mixed.negate();
        }
        let mut square = Self {
            a: &r1.square() + &(&first.y * &l1),
            b: mixed,
            c: &r2.square() + &(&second.y * &l2),
        };
        square.reduce();
        square
    }
}
