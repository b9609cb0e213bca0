//! Work whose branches nobody can foresee: a small interpreter, a hash and a sort, on input that
//! is new in every operation.

use crate::prng::Prng;
use std::hint::black_box;

/// Operations that take about 20 ms on a core of 4 GHz.
pub const OPERATIONS: u64 = 30_000;

/// Words of input in one operation, and instructions of its program.
const WORDS: usize = 32;

/// Does `operations` on input that follows from `seed`; a checksum of all of it.
pub fn run(operations: u64, seed: u64) -> u64 {
    let mut prng = Prng::new(seed);
    let mut checksum = 0;
    for _ in 0..operations {
        let mut words: [u64; WORDS] = std::array::from_fn(|_| prng.next_u64());
        let result = interpret(&words);
        sort(&mut words);
        checksum = u64::rotate_left(checksum, 1) ^ result ^ hash(&words);
    }
    checksum
}

/// Runs the words as a program of three registers: the low three bits say what to do.
fn interpret(program: &[u64; WORDS]) -> u64 {
    let (mut a, mut b, mut c) = (1_u64, 2_u64, 3_u64);
    for &word in program {
        // `black_box` keeps each arm a place to jump to rather than a conditional move.
        match word & 7 {
            0 => a = black_box(a.wrapping_add(word)),
            1 => b = black_box(b ^ a.rotate_left(7)),
            2 => c = black_box(c.wrapping_mul(word | 1)),
            3 => a = black_box(a.wrapping_sub(b)),
            4 => b = black_box(b.wrapping_add(c >> 3)),
            5 if a & 1 == 0 => c = black_box(c ^ word),
            6 => (a, b) = (black_box(b), black_box(a)),
            _ => a = black_box(a ^ (word >> 5)),
        }
    }
    a ^ b.rotate_left(21) ^ c.rotate_left(42)
}

/// Insertion sort: each comparison is a branch, and half of them go either way.
fn sort(words: &mut [u64; WORDS]) {
    for end in 1..WORDS {
        let mut at = end;
        while at > 0 && words[at - 1] > words[at] {
            words.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// FNV-1a of the words' bytes, one word at a step instead of one byte.
///
/// Source of the constants: RFC 9923, 64 bits.
fn hash(words: &[u64; WORDS]) -> u64 {
    words.iter().fold(0xcbf2_9ce4_8422_2325, |hash, word| {
        (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sort_sorts() {
        let mut prng = Prng::new(1);
        for _ in 0..100 {
            let mut words: [u64; WORDS] = std::array::from_fn(|_| prng.next_u64() % 50);
            let mut sorted = words;
            sorted.sort_unstable();
            sort(&mut words);
            assert_eq!(words, sorted);
        }
    }

    #[test]
    fn the_checksum_follows_from_both_arguments() {
        assert_eq!(run(100, 1), run(100, 1));
        assert_ne!(run(100, 1), run(101, 1));
        assert_ne!(run(100, 1), run(100, 2));
        assert_eq!(run(0, 1), 0);
    }

    #[test]
    fn a_percent_of_the_operations_is_a_whole_number() {
        assert!(OPERATIONS.is_multiple_of(100));
    }
}
