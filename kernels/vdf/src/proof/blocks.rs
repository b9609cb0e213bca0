//! The exponent of a proof.

use crate::Uint;
use alloc::vec::Vec;

/// `2^iterations / challenge`, rounded down, in blocks of `bits` bits, the least
/// significant first: a long division, which begins at the other end.
pub(super) fn blocks(iterations: u64, challenge: &Uint, bits: u32) -> Vec<u16> {
    let bits = bits as usize;
    let count = (iterations / bits as u64) as usize;
    let mut blocks = alloc::vec![0; count];
    // The challenge is longer than a block, so these bits are no more than a remainder.
    let mut rest = &Uint::ONE << (iterations % bits as u64) as usize;
    for block in blocks.iter_mut().rev() {
        let (quotient, next) = (&rest << bits).div_rem(challenge);
        *block = quotient.low() as u16;
        rest = next;
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blocks_are_the_quotient() {
        let challenge = Uint::from_u64(0xffff_ffff_ffff_ffc5);
        for (iterations, bits) in [(1000, 7), (0, 3), (5, 6), (64, 1), (2000, 14), (128, 8)] {
            let (quotient, _) = (&Uint::ONE << iterations).div_rem(&challenge);
            let blocks = blocks(iterations as u64, &challenge, bits);
            let mut sum = Uint::ZERO;
            for block in blocks.iter().rev() {
                sum = &(&sum << bits as usize) + &Uint::from_u64(u64::from(*block));
            }
            assert_eq!(sum, quotient, "{iterations} iterations, {bits} bits");
        }
    }
}
