//! Powers.

use super::kernel::Scratch;
use super::{Montgomery, Residue};
use crate::Uint;

/// Bits of an exponent that are taken at once.
const WINDOW: usize = 5;

impl<const N: usize> Montgomery<N> {
    /// `base^exponent`, by a sliding window (Menezes, van Oorschot and Vanstone,
    /// "Handbook of applied cryptography", algorithm 14.85). It does not take constant
    /// time.
    #[must_use]
    pub fn pow(&self, base: &Uint<N>, exponent: &Uint<N>) -> Uint<N> {
        self.number(&self.power(&self.residue(base), exponent))
    }

    /// The same for residues.
    #[must_use]
    pub fn power(&self, base: &Residue<N>, exponent: &Uint<N>) -> Residue<N> {
        let mut scratch = Scratch::new();
        let mut square = *base;
        self.square_in_place(&mut square, &mut scratch);
        let mut odd = [*base; 1 << (WINDOW - 1)];
        for i in 1..odd.len() {
            odd[i] = odd[i - 1];
            self.multiply(&mut odd[i], &square, &mut scratch);
        }
        let mut power = self.one;
        let mut rest = exponent.bits();
        while rest > 0 {
            if !exponent.bit(rest - 1) {
                self.square_in_place(&mut power, &mut scratch);
                rest -= 1;
                continue;
            }
            let least = rest.saturating_sub(WINDOW);
            let end = (least..rest).find(|b| exponent.bit(*b)).unwrap_or(least);
            let mut digit = 0;
            for bit in (end..rest).rev() {
                self.square_in_place(&mut power, &mut scratch);
                digit = 2 * digit + usize::from(exponent.bit(bit));
            }
            self.multiply(&mut power, &odd[digit / 2], &mut scratch);
            rest = end;
        }
        power
    }

    /// `2^exponent`, as a residue. Products with the base are only sums.
    #[must_use]
    pub fn two_power(&self, exponent: &Uint<N>) -> Residue<N> {
        let mut scratch = Scratch::new();
        let mut power = self.one;
        for bit in (0..exponent.bits()).rev() {
            self.square_in_place(&mut power, &mut scratch);
            if exponent.bit(bit) {
                self.double_in_place(&mut power);
            }
        }
        power
    }
}
