//! Reduction.

use super::Form;
use crate::Int;

impl Form {
    /// Takes a form to the reduced one of its class (Cohen, "A course in computational
    /// algebraic number theory", algorithm 5.4.2).
    #[inline(always)]
    pub(super) fn reduce(&mut self) {
        loop {
            self.bring_b_near();
            match self.a.cmp(&self.c) {
                core::cmp::Ordering::Less => return,
                core::cmp::Ordering::Equal => {
                    if self.b.is_negative() {
                        self.b.negate();
                    }
                    return;
                }
                core::cmp::Ordering::Greater => {
                    self.a.swap(&mut self.c);
                    self.b.negate();
                }
            }
        }
    }

    /// Brings `b` to above `-a` and at most `a`, by `x` becoming `x - q y`.
    #[inline(always)]
    fn bring_b_near(&mut self) {
        loop {
            let within = self.b.compare_magnitude(&self.a);
            if within.is_lt() || within.is_eq() && !self.b.is_negative() {
                return;
            }
            if self.b.bits() > self.a.bits() + 2 {
                self.divide_b();
            } else {
                self.bring_b_nearer();
            }
        }
    }

    /// The same for any distance.
    #[cold]
    fn divide_b(&mut self) {
        // The quotient rounds (b - a) / 2 a up, so that b = a stays.
        let twice = &self.a << 1;
        let (quotient, rest) = (&self.a - &self.b).div_floor(twice.magnitude());
        // b + 2 a q is a - rest, of which the rest is below 2 a.
        let near = &self.a - &Int::from(rest);
        // c + q (b + a q) = c + q (b + near) / 2.
        let sum = (&self.b + &near).half_floor();
        self.c += &(&quotient * &sum);
        self.b = near;
    }

    /// Adds `2 a` to `b` or takes it off, towards zero.
    #[inline(always)]
    fn bring_b_nearer(&mut self) {
        let positive = !self.b.is_negative();
        // c becomes a - b + c or a + b + c.
        self.c += &self.a;
        self.c.add_signed(&self.b, positive);
        self.b.add_signed(&self.a, positive);
        self.b.add_signed(&self.a, positive);
    }
}
