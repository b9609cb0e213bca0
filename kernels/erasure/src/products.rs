//! Products of the differences between a point and all points of a set, for every point.
//!
//! In logarithms that is a convolution over exclusive or, and a Walsh-Hadamard transform
//! makes it a product (as in Leopard; Didier, "Efficient erasure decoding of Reed-Solomon
//! codes", 2009). It costs n log n whatever the set is.

use crate::field::Logs;
use alloc::vec::Vec;

/// The transform of the logarithms of 0 to n - 1, with the factor 1 / n in it.
#[derive(Clone, Debug)]
pub(crate) struct Products {
    spectrum: Vec<u32>,
    modulus: u32,
}

impl Products {
    /// For a power of two of points.
    pub(crate) fn new(logs: &Logs, points: usize) -> Self {
        let modulus = logs.modulus();
        let mut spectrum: Vec<u32> = (0..points).map(|i| logs.log(i)).collect();
        transform(&mut spectrum, modulus);
        // Half of 1: twice (modulus + 1) / 2 is 1.
        let half = u64::from(modulus.div_ceil(2));
        for value in &mut spectrum {
            for _ in 0..points.trailing_zeros() {
                *value = (u64::from(*value) * half % u64::from(modulus)) as u32;
            }
        }
        Self { spectrum, modulus }
    }

    /// For each point the logarithm of the product of its differences from all other
    /// points that `holds` says are in the set.
    pub(crate) fn of(&self, holds: impl Fn(usize) -> bool) -> Vec<u32> {
        let points = 0..self.spectrum.len();
        let mut values: Vec<u32> = points.map(|i| u32::from(holds(i))).collect();
        transform(&mut values, self.modulus);
        for (value, factor) in values.iter_mut().zip(&self.spectrum) {
            let product = u64::from(*value) * u64::from(*factor);
            *value = (product % u64::from(self.modulus)) as u32;
        }
        transform(&mut values, self.modulus);
        values
    }
}

/// The Walsh-Hadamard transform of numbers below `modulus`, in place.
fn transform(values: &mut [u32], modulus: u32) {
    let mut half = 1;
    while half < values.len() {
        for block in values.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                let (sum, difference) = (*a + *b, *a + modulus - *b);
                *a = sum - if sum >= modulus { modulus } else { 0 };
                *b = difference - if difference >= modulus { modulus } else { 0 };
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field;

    #[test]
    fn products_are_those_of_single_multiplications() {
        for (logs, points) in [
            (field::logs_standard(), 128),
            (field::logs_cantor(), 256),
            (field::logs16(), 512),
            (field::logs_cantor(), 1),
        ] {
            let holds = |i: usize| i.wrapping_mul(0x9e37_79b9) >> 7 & 3 == 0;
            let all = Products::new(&logs, points).of(holds);
            for (i, found) in all.iter().enumerate() {
                let members = (0..points).filter(|j| holds(*j) && *j != i);
                let product = members.fold(1, |p, j| logs.mul(p, (i ^ j) as u16));
                assert_eq!(logs.exp(*found), product, "{i} of {points}");
            }
        }
    }
}
