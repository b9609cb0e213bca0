//! The Euclidean algorithm on whole numbers.

use super::lehmer;
use crate::Uint;

/// The Euclidean algorithm on two numbers: two remainders in a row, the larger one first,
/// and their cofactors. It can be used again, which costs less than a new one.
///
/// Each remainder is congruent to its cofactor times the second number, modulo the first
/// one. Cofactors change their signs from step to step: exactly one of the two that
/// [`Euclid::cofactors`] gives is above zero, or is zero in place of being below.
#[derive(Clone, Debug)]
pub struct Euclid<const N: usize> {
    remainders: [Uint<N>; 2],
    cofactors: [Uint<N>; 2],
    /// Whether the number of steps so far is odd.
    odd: bool,
    /// Whether the pairs have changed places, which is cheaper than to move them.
    swapped: bool,
}

impl<const N: usize> Default for Euclid<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Euclid<N> {
    /// Nothing to do yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            remainders: [Uint::ZERO; 2],
            cofactors: [Uint::ZERO; 2],
            odd: false,
            swapped: false,
        }
    }

    /// Begins with two numbers.
    ///
    /// # Panics
    /// When `small` is above `large`.
    #[inline]
    pub fn start(&mut self, large: &Uint<N>, small: &Uint<N>) {
        assert!(small <= large, "the second number is above the first");
        self.remainders[0].assign(large);
        self.remainders[1].assign(small);
        self.cofactors[0].assign(&Uint::ZERO);
        self.cofactors[1].assign(&Uint::ONE);
        self.odd = false;
        self.swapped = false;
    }

    /// The two remainders, the larger one first.
    #[inline]
    #[must_use]
    pub const fn remainders(&self) -> [&Uint<N>; 2] {
        let [x, y] = &self.remainders;
        if self.swapped { [y, x] } else { [x, y] }
    }

    /// The magnitudes of their cofactors.
    #[inline]
    #[must_use]
    pub const fn cofactors(&self) -> [&Uint<N>; 2] {
        let [x, y] = &self.cofactors;
        if self.swapped { [y, x] } else { [x, y] }
    }

    /// Whether the cofactor of the smaller remainder is below zero. That of the larger one
    /// is not then, and is otherwise.
    #[inline]
    #[must_use]
    pub const fn turned(&self) -> bool {
        self.odd
    }

    /// Goes on as far as the first remainder that is about `limit` or below. It may go on
    /// by a step where 64 bits do not tell.
    #[inline(always)]
    pub fn reduce(&mut self, limit: &Uint<N>) {
        loop {
            let [x, y] = self.remainders();
            let len = x.limbs().len();
            if y <= limit {
                return;
            }
            if len == 1 {
                return self.finish(limit.low());
            }
            let shift = x.limbs()[len - 1].leading_zeros();
            let window = |number| window(number, len, shift);
            match lehmer::steps(window(x), window(y), window(limit)) {
                Some(steps) => {
                    let [x, y] = &mut self.remainders;
                    let [u, v] = &mut self.cofactors;
                    if self.swapped {
                        steps.reduce(y, x);
                        steps.grow(v, u);
                    } else {
                        steps.reduce(x, y);
                        steps.grow(u, v);
                    }
                    self.swapped ^= steps.odd;
                    self.odd ^= steps.odd;
                }
                None => self.divide(),
            }
        }
    }

    /// One step, whose quotient may be of any size.
    #[cold]
    fn divide(&mut self) {
        let place = usize::from(self.swapped);
        let (quotient, rest) = self.remainders[place].div_rem(&self.remainders[1 - place]);
        self.remainders[place] = rest;
        let product = &quotient * &self.cofactors[1 - place];
        self.cofactors[place] += &product;
        self.swapped = !self.swapped;
        self.odd = !self.odd;
    }

    /// All steps that remain, of remainders of one limb.
    fn finish(&mut self, limit: u64) {
        let [x, y] = self.remainders();
        let (steps, x, y) = lehmer::finish(x.low(), y.low(), limit);
        let place = usize::from(self.swapped);
        self.remainders[place] = Uint::from_u64(x);
        self.remainders[1 - place] = Uint::from_u64(y);
        let (u, v) = (self.cofactors[place], self.cofactors[1 - place]);
        let [above, below] = steps.rows;
        self.cofactors[place] = &u.mul_u64(above[0]) + &v.mul_u64(above[1]);
        self.cofactors[1 - place] = &u.mul_u64(below[0]) + &v.mul_u64(below[1]);
        self.odd ^= steps.odd;
    }
}

/// 128 bits of a number, from the top of a number of `len` limbs that has `shift` zero
/// bits there. Two limbs or more.
#[inline(always)]
fn window<const N: usize>(number: &Uint<N>, len: usize, shift: u32) -> u128 {
    let limb = |index: usize| number.limbs().get(index).copied().unwrap_or(0);
    let two = u128::from(limb(len - 1)) << 64 | u128::from(limb(len - 2));
    let third = if len > 2 { limb(len - 3) } else { 0 };
    // In two steps, because a shift by 64 is none.
    two << shift | u128::from(third >> 1 >> (63 - shift))
}
