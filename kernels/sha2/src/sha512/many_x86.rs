//! Many messages on x86: which messages go to which lanes.

use super::constants::Sha512;
use super::{avx2, avx512, bmi2};
use crate::job::Job;
use crate::wide::{Wide, common_length, equal, mixed};

/// Lanes of a state in rows, and the function that runs them.
macro_rules! lanes {
    ($name:ident, $isa:ident, $count:expr, $blocks:ident) => {
        struct $name($isa::Rows);

        impl Wide<Sha512, { $count }> for $name {
            fn new(iv: &[u64; 8]) -> Self {
                Self($isa::Rows(iv.map(|word| [word; $count])))
            }

            fn get(&self, lane: usize) -> [u64; 8] {
                self.0.0.map(|row| row[lane])
            }

            fn set(&mut self, lane: usize, state: &[u64; 8]) {
                for (row, word) in self.0.0.iter_mut().zip(state) {
                    row[lane] = *word;
                }
            }

            unsafe fn blocks(&mut self, rows: &[*const u8; $count], busy: u32, blocks: usize) {
                // A single message takes less time in general registers.
                if busy.count_ones() == 1 {
                    let lane = busy.trailing_zeros() as usize;
                    let mut state = self.get(lane);
                    // SAFETY: the caller upholds the safety contract, and all lanes need
                    // AVX and BMI2.
                    unsafe { bmi2::compress(&mut state, rows[lane], blocks) };
                    self.set(lane, &state);
                } else {
                    // SAFETY: the caller upholds the safety contract.
                    unsafe { $isa::$blocks(&mut self.0, rows.as_ptr(), blocks) };
                }
            }
        }
    };
}

lanes!(Ymm, avx2, avx2::LANES, blocks4);
lanes!(Zmm, avx512, avx512::LANES, blocks8);

/// Hashes all messages with AVX2.
///
/// # Safety
/// The CPU must have AVX2 and BMI2.
pub(super) unsafe fn avx2(job: &mut Job<'_, Sha512>) {
    // SAFETY: the caller guarantees AVX2 and BMI2.
    unsafe { all::<Ymm, { avx2::LANES }>(job) }
}

/// Hashes all messages with AVX-512.
///
/// # Safety
/// The CPU must have AVX-512F and BW, AVX and BMI2.
pub(super) unsafe fn avx512(job: &mut Job<'_, Sha512>) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { all::<Zmm, { avx512::LANES }>(job) }
}

/// # Safety
/// The CPU must have the ISAs of `W`.
unsafe fn all<W: Wide<Sha512, N>, const N: usize>(job: &mut Job<'_, Sha512>) {
    let count = job.messages.len();
    // SAFETY: the caller guarantees the ISAs. Counts are 1 to N.
    unsafe {
        if common_length(job.messages).is_none() {
            return mixed::<Sha512, W, N>(job);
        }
        for first in (0..count).step_by(N) {
            equal::<Sha512, W, N>(job, first, (count - first).min(N));
        }
    }
}
