//! What a kernel over lanes is given.

use super::constants::BLOCK_LEN;

/// Lanes of a [`Job`]. Kernels with narrower vectors pass over it in parts.
pub(crate) const LANES: usize = 16;

/// Sixteen inputs, one a lane, each of the same number of blocks.
///
/// Words of a row belong to one lane each, as the vectors want them. The order
/// of the fields is known to the assembly.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Job {
    /// Low and high words of the counters.
    pub(crate) counter: [[u32; LANES]; 2],
    /// Block lengths: of all blocks but the last, and of the last.
    pub(crate) lens: [[u32; LANES]; 2],
    /// Flags of the first block, the ones between, and the last. A single block
    /// is a last one.
    pub(crate) flags: [[u32; LANES]; 3],
    /// Where the blocks are; an unused lane's must be readable too.
    pub(crate) inputs: [*const u8; LANES],
    /// What every lane starts from, or null.
    pub(crate) key: *const [u32; 8],
    /// Where 32 bytes a lane go (all 16, used or not), or null.
    pub(crate) out: *mut u8,
    /// Taken when `key` is null, left when `out` is.
    pub(crate) cv: *mut Cvs,
}

/// Chaining values of all lanes, word by word.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Cvs(pub(crate) [[u32; LANES]; 8]);

impl Job {
    /// A job whose lanes all have these flags, whole blocks, counter 0, and
    /// read and write nowhere yet.
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

    /// Other flags for all lanes.
    #[inline(always)]
    pub(crate) fn set_flags(&mut self, flags: [u32; 3]) {
        // Row by row: by `map` there would be a copy of all.
        for (row, flags) in self.flags.iter_mut().zip(flags) {
            *row = [flags; LANES];
        }
    }

    /// Inputs `stride` bytes apart, `count` of them (1 or more); the lanes after
    /// those read what the first one reads.
    #[inline(always)]
    pub(crate) fn read_from(&mut self, input: *const u8, stride: usize, count: usize) {
        for (lane, place) in self.inputs.iter_mut().enumerate() {
            *place = input.wrapping_add(if lane < count { lane * stride } else { 0 });
        }
    }

    /// Counters that go up by one from lane to lane.
    #[inline(always)]
    pub(crate) fn count_from(&mut self, counter: u64) {
        for lane in 0..LANES {
            let counter = counter.wrapping_add(lane as u64);
            self.counter[0][lane] = counter as u32;
            self.counter[1][lane] = (counter >> 32) as u32;
        }
    }
}
