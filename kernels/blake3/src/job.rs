//! The input of a kernel over lanes.

use super::constants::BLOCK_LEN;

/// Lanes of a [`Job`]. A kernel with narrower vectors runs it in parts.
pub(crate) const LANES: usize = 16;

/// Lanes of two jobs, which some kernels interleave. A wide subtree returns as many
/// chaining values.
pub(crate) const WIDE: usize = 2 * LANES;

/// Flags for the blocks of an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Flags of every block.
    pub every: u32,
    /// Additional flags of the first block.
    pub first: u32,
    /// Additional flags of the last block.
    pub last: u32,
}

/// Sixteen inputs, one for each lane, all of the same number of blocks.
///
/// Each row holds one word of every lane, as vector registers do. The assembly relies
/// on the order of the fields.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Job {
    /// Counters: low words, then high words.
    pub(crate) counter: [[u32; LANES]; 2],
    /// Block length of all blocks except the last, then of the last block.
    pub(crate) lens: [[u32; LANES]; 2],
    /// Flags of the first block, of the blocks between, and of the last block. A single
    /// block counts as a last block.
    pub(crate) flags: [[u32; LANES]; 3],
    /// Address of each lane's blocks. It must be readable for unused lanes too.
    pub(crate) inputs: [*const u8; LANES],
    /// The chaining value that every lane starts from, or null.
    pub(crate) key: *const [u32; 8],
    /// Where the results go, 32 bytes for each of the 16 lanes, used or not; or null.
    pub(crate) out: *mut u8,
    /// Read when `key` is null, written when `out` is null.
    pub(crate) cv: *mut Cvs,
}

/// Chaining values of all lanes, one row for each word.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Cvs(pub(crate) [[u32; LANES]; 8]);

impl Job {
    /// A job in which all lanes have the same flags, full blocks and counter 0.
    /// Addresses are not set yet.
    #[inline(always)]
    pub(crate) fn new(flags: [u32; 3]) -> Self {
        Self {
            counter: [[0; LANES]; 2],
            lens: [[BLOCK_LEN as u32; LANES]; 2],
            flags: flags.map(|f| [f; LANES]),
            inputs: [core::ptr::null(); LANES],
            key: core::ptr::null(),
            out: core::ptr::null_mut(),
            cv: core::ptr::null_mut(),
        }
    }

    /// Sets other flags for all lanes.
    #[inline(always)]
    pub(crate) fn set_flags(&mut self, flags: [u32; 3]) {
        // Row by row, because `map` would copy the whole array.
        for (row, flags) in self.flags.iter_mut().zip(flags) {
            rows::same(row, flags);
        }
    }

    /// Sets `count` inputs, 1 or more, `stride` bytes apart. The remaining lanes read
    /// the first lane's input.
    #[inline(always)]
    pub(crate) fn read_from(&mut self, input: *const u8, stride: usize, count: usize) {
        for (lane, place) in self.inputs.iter_mut().enumerate() {
            *place = input.wrapping_add(if lane < count { lane * stride } else { 0 });
        }
    }

    /// Sets counters that go up by one from lane to lane.
    #[inline(always)]
    pub(crate) fn count_from(&mut self, counter: u64) {
        rows::up(&mut self.counter[0], counter as u32);
        rows::same(&mut self.counter[1], (counter >> 32) as u32);
        if counter as u32 > u32::MAX - LANES as u32 {
            for (lane, high) in self.counter[1].iter_mut().enumerate() {
                *high = (counter.wrapping_add(lane as u64) >> 32) as u32;
            }
        }
    }
}

/// Fills rows of a job in stores of 16 bytes, independent of the optimisation level. At
/// `opt-level = 2` the compiler would store single words, which is slower
/// (docs/notes/blake3-avx512.md).
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod rows {
    use super::LANES;
    use core::arch::x86_64::*;

    /// Sets all lanes to the same value.
    #[inline(always)]
    pub(super) fn same(row: &mut [u32; LANES], value: u32) {
        // SAFETY: every x86-64 CPU has SSE2.
        let all = unsafe { _mm_set1_epi32(value.cast_signed()) };
        put(row, [all; 4]);
    }

    /// Sets values that go up by one from lane to lane.
    #[inline(always)]
    pub(super) fn up(row: &mut [u32; LANES], first: u32) {
        // SAFETY: every x86-64 CPU has SSE2.
        let quarters = unsafe {
            let all = _mm_set1_epi32(first.cast_signed());
            [
                _mm_add_epi32(all, _mm_setr_epi32(0, 1, 2, 3)),
                _mm_add_epi32(all, _mm_setr_epi32(4, 5, 6, 7)),
                _mm_add_epi32(all, _mm_setr_epi32(8, 9, 10, 11)),
                _mm_add_epi32(all, _mm_setr_epi32(12, 13, 14, 15)),
            ]
        };
        put(row, quarters);
    }

    #[inline(always)]
    fn put(row: &mut [u32; LANES], quarters: [__m128i; 4]) {
        let to = row.as_mut_ptr().cast::<__m128i>();
        // SAFETY: every x86-64 CPU has SSE2, and a row is four quarters of 16 bytes.
        unsafe {
            _mm_storeu_si128(to, quarters[0]);
            _mm_storeu_si128(to.add(1), quarters[1]);
            _mm_storeu_si128(to.add(2), quarters[2]);
            _mm_storeu_si128(to.add(3), quarters[3]);
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", not(miri))))]
mod rows {
    use super::LANES;

    /// Sets all lanes to the same value.
    pub(super) fn same(row: &mut [u32; LANES], value: u32) {
        *row = [value; LANES];
    }

    /// Sets values that go up by one from lane to lane.
    pub(super) fn up(row: &mut [u32; LANES], first: u32) {
        for (lane, word) in row.iter_mut().enumerate() {
            *word = first.wrapping_add(lane as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Job, LANES};

    #[test]
    fn counters_go_up_and_carry() {
        let low = u64::from(u32::MAX);
        for first in [
            0,
            7,
            low - 16,
            low - 15,
            low - 3,
            low,
            low + 1,
            u64::MAX - 2,
        ] {
            let mut job = Job::new([0; 3]);
            job.count_from(first);
            job.set_flags([1, 2, 3]);
            for lane in 0..LANES {
                let want = first.wrapping_add(lane as u64);
                assert_eq!(job.counter[0][lane], want as u32);
                assert_eq!(job.counter[1][lane], (want >> 32) as u32);
            }
            assert_eq!(job.flags, [1, 2, 3].map(|f| [f; LANES]));
        }
    }
}
