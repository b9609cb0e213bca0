//! Squares.

use super::Form;
use crate::{Discriminant, Int, LIMBS, Uint};
use karat_bigint::gcd::Euclid;

/// What squarings need besides the form. It is made once for many.
pub(crate) struct Workspace {
    euclid: Euclid<LIMBS>,
    /// `a / s` and `s c`, for the common divisor `s` of `a` and `b`.
    a: Uint,
    c: Int,
    k: Int,
    /// `l` for either vector.
    values: [Int; 2],
    term: Int,
    square: Form,
}

impl Workspace {
    pub(crate) const fn new() -> Self {
        Self {
            euclid: Euclid::new(),
            a: Uint::ZERO,
            c: Int::ZERO,
            k: Int::ZERO,
            values: [Int::ZERO; 2],
            term: Int::ZERO,
            square: Form {
                a: Int::ZERO,
                b: Int::ZERO,
                c: Int::ZERO,
            },
        }
    }
}

impl Form {
    /// Squares the form, which is a reduced one.
    ///
    /// It is NUDUPL (Shanks; Jacobson and van der Poorten, "Computational aspects of
    /// NUCOMP", ANTS-V, 2002) seen as a lattice. With `s = gcd(a, b)`, `a' = a / s`,
    /// `c' = s c` and `k = -c / (b / s)` modulo `a'`, the square is the form `r^2 + y l`
    /// with `l = (b r + c' y) / a'`, on the lattice of all `(r, y)` with `r` congruent to
    /// `y k` modulo `a'`. The partial Euclidean algorithm gives a basis of short vectors,
    /// and on it the coefficients are short and nearly reduced. The two divisions by `a'`
    /// are exact, and there is no other.
    #[inline(always)]
    pub(crate) fn square_with(&mut self, space: &mut Workspace, discriminant: &Discriminant) {
        space.prepare(self);
        space.euclid.start(&space.a, space.k.magnitude());
        space.euclid.reduce(discriminant.root());
        space.evaluate(&self.b);
        self.a.assign(&space.square.a);
        self.b.assign(&space.square.b);
        self.c.assign(&space.square.c);
        self.reduce();
    }
}

impl Workspace {
    /// Finds `a'`, `c'` and `k`.
    #[inline(always)]
    fn prepare(&mut self, form: &Form) {
        let Form { a, b, c } = form;
        self.euclid.start(a.magnitude(), b.magnitude());
        self.euclid.reduce(&Uint::ZERO);
        // The cofactor is that of |b|.
        self.k.assign_product(c, self.euclid.cofactors()[0]);
        if self.euclid.turned() != b.is_negative() {
            self.k.negate();
        }
        let divisor = self.euclid.remainders()[0];
        self.a.assign(a.magnitude());
        if divisor.is_one() {
            self.c.assign(c);
        } else {
            self.a.div_exact_assign(divisor);
            self.c.assign_product(c, divisor);
        }
        self.k.rem_floor_assign(&self.a);
    }

    /// The coefficients on the basis: the value on either vector, and twice the product
    /// between.
    #[inline(always)]
    fn evaluate(&mut self, b: &Int) {
        let remainders = self.euclid.remainders();
        let cofactors = self.euclid.cofactors();
        // The signs of the cofactors.
        let turned = self.euclid.turned();
        let negative = [!turned, turned];
        let Form {
            a: of_second,
            b: between,
            c: of_first,
        } = &mut self.square;
        let squares = [of_first, of_second];
        for (i, square) in squares.into_iter().enumerate() {
            let value = &mut self.values[i];
            value.assign_product(b, remainders[i]);
            self.term.assign_product(&self.c, cofactors[i]);
            value.add_signed(&self.term, negative[i]);
            value.div_exact_assign(&self.a);
            square.assign_square(remainders[i]);
            self.term.assign_product(value, cofactors[i]);
            square.add_signed(&self.term, negative[i]);
        }
        between.assign_magnitude_product(remainders[0], remainders[1]);
        between.double();
        for i in [0, 1] {
            self.term.assign_product(&self.values[1 - i], cofactors[i]);
            between.add_signed(&self.term, negative[i]);
        }
        // The basis has the smaller vector first here, and its orientation with it.
        if !turned {
            between.negate();
        }
    }
}
