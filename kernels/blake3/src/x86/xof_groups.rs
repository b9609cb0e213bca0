//! Extended output in groups of blocks, for all implementations that make several at once.

use super::super::body::XofJob;
use super::super::constants::BLOCK_LEN;

/// Added to a group's first counter.
pub(super) static LANE_NUMBERS: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Fewer blocks than this are made one by one, because a group costs as much as two to
/// three of them.
const FEW: usize = 3;

/// Makes blocks from the front of `out` by `make`, and returns how many: all, or all but
/// fewer than [`FEW`]. `make` is given a job, where `N` blocks times a number of groups go,
/// and that number, 1 or more.
#[inline]
pub(super) fn by_groups<const N: usize>(
    job: &XofJob,
    out: &mut [[u8; BLOCK_LEN]],
    make: impl Fn(&XofJob, *mut u8, usize),
) -> usize {
    let all = out.len();
    let (whole, rest) = out.as_chunks_mut::<N>();
    if !whole.is_empty() {
        make(job, whole.as_mut_ptr().cast(), whole.len());
    }
    if rest.len() >= FEW {
        let mut blocks = [[0; BLOCK_LEN]; N];
        let counter = job.counter.wrapping_add((N * whole.len()) as u64);
        make(&XofJob { counter, ..*job }, blocks.as_mut_ptr().cast(), 1);
        rest.copy_from_slice(&blocks[..rest.len()]);
        return all;
    }
    all - rest.len()
}

/// Whether the low words of the counters of so many blocks, made `N` at a time, do not
/// overflow.
#[inline]
pub(super) fn low_words_fit<const N: usize>(job: &XofJob, blocks: usize) -> bool {
    let end = (job.counter as u32).checked_add(blocks.next_multiple_of(N) as u32);
    end.is_some() && blocks <= 1 << 30
}
