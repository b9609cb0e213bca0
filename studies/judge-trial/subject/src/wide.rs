//! Work that fills the core: independent loads and additions, as many in a cycle as there are
//! units for them. A neighbour on the core's other hardware thread takes such units.

use crate::prng::Prng;
use std::hint::black_box;

/// Operations that take about 20 ms on a core of 4 GHz.
pub const OPERATIONS: u64 = 70_000;

/// Sums that do not wait for each other.
const SUMS: usize = 8;

/// Words of each sum: 16 KiB in all, which every first cache holds.
const WORDS: usize = 256;

/// Does `operations` on words that follow from `seed`; a checksum of all of it.
///
/// One operation adds up all words, each sum its own part of them.
pub fn run(operations: u64, seed: u64) -> u64 {
    let mut prng = Prng::new(seed);
    let words: [[u64; WORDS]; SUMS] =
        std::array::from_fn(|_| std::array::from_fn(|_| prng.next_u64()));
    let mut sums = [0_u64; SUMS];
    for _ in 0..operations {
        // Words that nobody knows are added again in every operation.
        let words = black_box(&words);
        for at in 0..WORDS {
            // An index that nobody knows keeps the additions from becoming vectors.
            let at = black_box(at) % WORDS;
            for (sum, words) in sums.iter_mut().zip(words) {
                *sum = sum.wrapping_add(words[at]);
            }
        }
    }
    let rotated = sums.iter().zip(0..).map(|(s, i)| s.rotate_left(8 * i));
    rotated.fold(operations, |a, b| a ^ b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_follows_from_both_arguments() {
        assert_eq!(run(100, 1), run(100, 1));
        assert_ne!(run(100, 1), run(101, 1));
        assert_ne!(run(100, 1), run(100, 2));
        assert_eq!(run(0, 1), 0);
    }

    #[test]
    fn every_word_is_added_in_every_operation() {
        let mut prng = Prng::new(7);
        let sums =
            (0..SUMS).map(|_| (0..WORDS).fold(0_u64, |s, _| s.wrapping_add(prng.next_u64())));
        let thrice = sums.map(|s| s.wrapping_mul(3)).zip(0..);
        let expected = thrice.fold(3, |a, (s, i)| a ^ s.rotate_left(8 * i));
        assert_eq!(run(3, 7), expected);
    }

    #[test]
    fn a_percent_of_the_operations_is_a_whole_number() {
        assert!(OPERATIONS.is_multiple_of(100));
    }
}
