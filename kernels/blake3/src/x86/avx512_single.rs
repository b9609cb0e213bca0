//! One group at a time, in the width that has the most ports. For Intel's CPUs from Golden
//! Cove on.
//!
//! Limits there: 2 operations of 512 bits start in a cycle, of them 1 rotation or shuffle,
//! or 3 of 256 bits, of them 2. All of these take 1 cycle. So a chain of 14 half rounds is
//! 168 cycles.
//! * Sixteen inputs are 784 + 8 + 64 operations of 512 bits, 428 cycles, well above the
//!   chain. A second group beside the first has no gap to fill, and its message words would
//!   need loads that its own registers do not.
//! * Eight inputs are as many operations of 256 bits, 280 cycles, against 298 for two groups
//!   of rows of 512 bits.
//! * Up to four inputs are rows, whose bound is the chain. Two fit into 256 bits. Three or
//!   four are one group of 512 bits, where shuffles wait for their one port, so it has few.
//!
//! What is reached: docs/notes/intel.md.

use super::super::job::{Job, LANES};
use super::{avx512_behind, avx512_rows, avx512vl};

/// Lanes of 256 bits.
const LANES_256: usize = 8;

/// See [`super::super::body::Advance`].
///
/// # Safety
/// The same conditions as there, and the CPU must have AVX-512F and VL.
pub(crate) unsafe fn advance(jobs: &mut [Job], blocks: usize, used: usize) {
    debug_assert!(blocks > 0 && used > 0);
    assert!(jobs.len() >= used.div_ceil(LANES));
    let uniform = !jobs[0].key.is_null() && !jobs[0].out.is_null();
    // SAFETY: the caller upholds the safety contract, in all of this block.
    unsafe {
        if uniform && used <= avx512_rows::MOST_FEW {
            return avx512_rows::advance_few(&mut jobs[0], blocks, used);
        }
        for (job, first) in jobs.iter_mut().zip((0..used).step_by(LANES)) {
            if used - first <= LANES_256 {
                avx512vl::lanes8(job, blocks);
            } else {
                avx512_behind::lanes16(job, blocks);
            }
        }
    }
}
