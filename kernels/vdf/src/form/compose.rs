//! Products.

use super::Form;
use crate::{Discriminant, Int, Uint};
use karat_bigint::gcd;

impl Form {
    /// The product of two forms, both reduced.
    ///
    /// It is NUCOMP (Shanks; Jacobson and van der Poorten, 2002; Cohen, algorithm 5.4.9)
    /// seen as a lattice, as squaring does: the product is the second form on a
    /// sublattice of index `a1`, divided by `a1`.
    #[must_use]
    pub fn compose(&self, other: &Self, discriminant: &Discriminant) -> Self {
        let (f, g) = if self.a > other.a {
            (other, self)
        } else {
            (self, other)
        };
        let half_sum = (&f.b + &g.b).half_floor();
        let half_difference = (&f.b - &g.b).half_floor();
        let (mut a1, mut a2, mut c2) = (f.a, g.a, g.c);

        // k = m / a2 modulo a1, where the numbers have no common factor.
        let inverse = gcd::inverse(&a2.magnitude().rem(a1.magnitude()), a1.magnitude());
        let product = &half_difference * &inverse.cofactor;
        let (_, mut k) = product.div_floor(a1.magnitude());
        if !inverse.gcd.is_one() {
            let common = gcd::extended(half_sum.magnitude(), &inverse.gcd);
            let mut of_sum = common.x;
            if half_sum.is_negative() {
                of_sum.negate();
            }
            let sum = &(&Int::from(k) * &common.y) - &(&of_sum * &c2);
            if !common.gcd.is_one() {
                let divisor = Int::from(common.gcd);
                a1 = a1.div_exact(&divisor);
                a2 = a2.div_exact(&divisor);
                c2 = &c2 * &divisor;
            }
            k = sum.div_floor(a1.magnitude()).1;
        }

        let mut euclid = gcd::Euclid::new();
        euclid.start(a1.magnitude(), &k);
        euclid.reduce(discriminant.root());
        // The form is r n + y l.
        let values = |r: &Uint, y: &Int| {
            let r = Int::from(*r);
            let n = (&(&a2 * &r) - &(&half_difference * y)).div_exact(&a1);
            let l = (&(&half_sum * &r) + &(&c2 * y)).div_exact(&a1);
            (r, n, l)
        };
        let turned = euclid.turned();
        let ([r1, r2], [y1, y2]) = (euclid.remainders(), euclid.cofactors());
        let (y1, y2) = (Int::new(!turned, *y1), Int::new(turned, *y2));
        let ((r1, n1, l1), (r2, n2, l2)) = (values(r1, &y1), values(r2, &y2));
        let mut mixed = &(&r1 * &n2) + &(&r2 * &n1);
        mixed += &(&(&y1 * &l2) + &(&y2 * &l1));
        if turned {
            mixed.negate();
        }
        let mut product = Self {
            a: &(&r1 * &n1) + &(&y1 * &l1),
            b: mixed,
            c: &(&r2 * &n2) + &(&y2 * &l2),
        };
        product.reduce();
        product
    }
}
