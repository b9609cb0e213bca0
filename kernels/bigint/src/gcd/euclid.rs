//! The Euclidean algorithm on whole numbers.

use super::Vector;
use super::lehmer;
use crate::{Int, Uint};

/// Two remainders in a row, the larger one first, with the magnitudes of their cofactors.
///
/// Cofactors change their signs from step to step, so that the number of steps says what
/// they are.
pub(super) struct Rows<const N: usize> {
    remainders: [Uint<N>; 2],
    cofactors: [Uint<N>; 2],
    /// Whether the number of steps so far is odd.
    odd: bool,
    /// Whether the pairs have changed places, which is cheaper than to move them.
    swapped: bool,
}

impl<const N: usize> Rows<N> {
    /// Nothing done yet, for `large >= small`; cofactors are those of `small`.
    #[inline]
    pub(super) const fn new(large: &Uint<N>, small: &Uint<N>) -> Self {
        Self {
            remainders: [*large, *small],
            cofactors: [Uint::ZERO, Uint::ONE],
            odd: false,
            swapped: false,
        }
    }

    /// The remainders.
    #[inline]
    pub(super) const fn vectors(&self) -> (&Uint<N>, &Uint<N>) {
        let [x, y] = &self.remainders;
        if self.swapped { (y, x) } else { (x, y) }
    }

    /// Whether the number of steps is odd.
    #[inline]
    pub(super) const fn odd(&self) -> bool {
        self.odd
    }

    /// The larger remainder and its cofactor.
    #[inline]
    pub(super) const fn before(&self) -> Vector<N> {
        self.vector(self.swapped as usize, !self.odd)
    }

    /// The smaller remainder and its cofactor.
    #[inline]
    pub(super) const fn after(&self) -> Vector<N> {
        self.vector(!self.swapped as usize, self.odd)
    }

    #[inline]
    const fn vector(&self, place: usize, negative: bool) -> Vector<N> {
        Vector {
            r: self.remainders[place],
            y: Int::new(negative, self.cofactors[place]),
        }
    }

    /// Goes on until the smaller remainder is not above `limit`, or about so.
    #[inline(always)]
    pub(super) fn reduce(&mut self, limit: &Uint<N>) {
        loop {
            let (x, y) = self.vectors();
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
        let (x, y) = self.vectors();
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
