//! The table for one message: input is added to one state, which is permuted. The limits
//! stand in each implementation's file.

use super::body::One;
use super::portable;
use crate::choices::CHOICES;
use karat_cpu::{Implementation, IsaSet, Kernel};

/// Hashes one message.
pub(crate) static KERNEL: Kernel<One> = Kernel::measured(
    "keccak",
    CHOICES,
    &[
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx512",
            super::x86::AVX512,
            super::x86::avx512_one::absorb,
            "one lane a register, three-way logic, rotations in one step",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "bmi2",
            super::x86::BMI2,
            super::x86::scalar::absorb,
            "assembly for the general registers, state on the stack",
        ),
        Implementation::new("portable", IsaSet::EMPTY, portable::absorb, "plain Rust"),
    ],
);

#[cfg(test)]
mod tests {
    use super::KERNEL;
    use crate::portable;
    use crate::state::Rounds;

    /// Also what no hash asks for: the first row only, after several blocks.
    #[test]
    #[cfg_attr(miri, ignore = "has no implementations but the portable ones")]
    fn all_implementations_absorb_the_same() {
        let data: [u8; 5 * 168] = core::array::from_fn(|i| (i * 7 % 251) as u8);
        for (name, absorb) in KERNEL.runnable() {
            for blocks in 1..=5 {
                for words in [0, 1, 9, 13, 17, 18, 21] {
                    for (row, rounds) in [
                        (false, Rounds::All),
                        (true, Rounds::All),
                        (false, Rounds::Last12),
                        (true, Rounds::Last12),
                    ] {
                        let mut expected: [u64; 25] = core::array::from_fn(|i| i as u64);
                        let mut state = expected;
                        // SAFETY: `data` has five blocks of up to 21 words, and this CPU
                        // has the ISAs.
                        unsafe {
                            let at = data.as_ptr();
                            portable::absorb(&mut expected, at, blocks, words, row, rounds);
                            absorb(&mut state, at, blocks, words, row, rounds);
                        }
                        let lanes = if row { 5 } else { 25 };
                        assert_eq!(
                            state[..lanes],
                            expected[..lanes],
                            "{name}, {blocks} blocks of {words} words, row {row}, {rounds:?}"
                        );
                    }
                }
            }
        }
    }
}
