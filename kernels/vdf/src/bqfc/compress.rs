//! The numbers that stand for a form.

use super::partial;
use crate::{Error, Form, Int, Uint};
use karat_bigint::gcd;

/// The fields of the format.
pub(super) struct Compressed {
    /// `a / g`.
    pub(super) a: Uint,
    /// `t / g`, where `t` is a cofactor of `b` from the partial Euclidean algorithm of
    /// `(a, |b|)` down to the root of `a`.
    pub(super) t: Int,
    pub(super) g: Uint,
    pub(super) b0: Uint,
    pub(super) b_negative: bool,
}

impl Compressed {
    /// The fields of a form.
    pub(super) fn of(form: &Form) -> Self {
        let (a, b) = (form.a.magnitude(), form.b.magnitude());
        if form.a == form.b {
            return Self {
                a: *a,
                t: Int::ZERO,
                g: Uint::ZERO,
                b0: Uint::ZERO,
                b_negative: false,
            };
        }
        let t = partial::cofactor(a, b, &a.sqrt());
        let g = gcd::gcd(a, t.magnitude());
        let b_negative = form.b.is_negative();
        if g.is_one() {
            return Self {
                a: *a,
                t,
                g,
                b0: Uint::ZERO,
                b_negative,
            };
        }
        let rest = a.div_exact(&g);
        Self {
            t: t.div_exact(&Int::from(g)),
            b0: b.div_rem(&rest).0,
            a: rest,
            g,
            b_negative,
        }
    }

    /// The first two coefficients: `|b|` is the root of `t^2 D` modulo `a`, over `t`.
    pub(super) fn coefficients(&self, magnitude: &Uint) -> Result<(Int, Int), Error> {
        if self.t.is_zero() {
            return Ok((Int::from(self.a), Int::from(self.a)));
        }
        if self.a.is_zero() {
            return Err(Error::FormBytes);
        }
        let a = &self.a;
        let (_, t) = self.t.div_floor(a);
        let inverse = gcd::inverse(&t, a);
        if !inverse.gcd.is_one() {
            return Err(Error::FormBytes);
        }
        // t^2 D mod a, for the negative discriminant.
        let (_, d) = (-Int::from(*magnitude)).div_floor(a);
        let square = (&t.square().rem(a) * &d).rem(a);
        let root = square.sqrt();
        if root.square() != square {
            return Err(Error::FormNotInGroup);
        }
        let (_, mut b) = (&Int::from(root) * &inverse.cofactor).div_floor(a);
        b += &(a * &self.b0);
        let whole = if self.g.is_zero() { *a } else { a * &self.g };
        Ok((Int::from(whole), Int::new(self.b_negative, b)))
    }
}
