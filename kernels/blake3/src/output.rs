//! The root node: output of any length, from any position.

use super::block::compress;
use super::body::XofJob;
use super::constants::{BLOCK_LEN, OUT_LEN, flags};
use super::kernel::KERNEL;
use super::words;

/// A node before its last compression. Whether it is the root is not known yet.
///
/// The layout is fixed, with the counter between length and flags. Side by side as in
/// [`XofJob`], the compiler loads both at once, right behind their two stores, and such a
/// load waits until these and all stores before them have reached the cache
/// (docs/notes/intel.md).
#[derive(Clone)]
#[repr(C)]
pub(crate) struct Output {
    pub(crate) cv: [u32; 8],
    pub(crate) block: [u8; BLOCK_LEN],
    pub(crate) len: u32,
    pub(crate) counter: u64,
    pub(crate) flags: u32,
}

impl Output {
    /// The chaining value, if this is an inner node.
    pub(crate) fn chaining_value(&self) -> [u32; 8] {
        compress(&self.cv, &self.block, self.counter, self.len, self.flags)
    }

    /// The hash, if this is the root.
    pub(crate) fn hash(&self) -> [u8; OUT_LEN] {
        let flags = self.flags | flags::ROOT;
        words::bytes(&compress(&self.cv, &self.block, 0, self.len, flags))
    }

    /// The job that makes extended output, if this is the root.
    pub(crate) fn xof(&self) -> XofJob<'_> {
        XofJob {
            block: &self.block,
            cv: &self.cv,
            counter: 0,
            len: self.len,
            flags: self.flags | flags::ROOT,
        }
    }
}

/// Extended output: a stream of 2^64 - 1 bytes that can be read from any position.
///
/// The first 32 bytes are the hash. A shorter output is a prefix of a longer one.
#[derive(Clone)]
pub struct OutputReader {
    output: Output,
    position: u64,
}

#[cfg(feature = "zeroize")]
karat_hash_core::wiped_on_drop!([] OutputReader);

impl OutputReader {
    pub(crate) const fn new(output: Output) -> Self {
        Self {
            output,
            position: 0,
        }
    }

    /// Fills `out` with the next bytes.
    pub fn fill(&mut self, out: &mut [u8]) {
        let skip = (self.position % BLOCK_LEN as u64) as usize;
        let mut job = self.output.xof();
        job.counter = self.position / BLOCK_LEN as u64;
        self.position = self.position.wrapping_add(out.len() as u64);
        let xof = |job: &XofJob, out: &mut [[u8; BLOCK_LEN]]| {
            // SAFETY: the table gives what this CPU can run.
            unsafe { (KERNEL.get().0.xof)(job, out) }
        };
        let mut out = out;
        if skip > 0 && !out.is_empty() {
            let mut block = [[0; BLOCK_LEN]];
            xof(&job, &mut block);
            let count = out.len().min(BLOCK_LEN - skip);
            let (head, rest) = out.split_at_mut(count);
            head.copy_from_slice(&block[0][skip..skip + count]);
            job.counter += 1;
            out = rest;
        }
        let (whole, rest) = out.as_chunks_mut::<BLOCK_LEN>();
        if !whole.is_empty() {
            xof(&job, whole);
            job.counter = job.counter.wrapping_add(whole.len() as u64);
        }
        if !rest.is_empty() {
            let mut block = [[0; BLOCK_LEN]];
            xof(&job, &mut block);
            rest.copy_from_slice(&block[0][..rest.len()]);
        }
    }

    /// Position of the next byte: the bytes read so far, or what
    /// [`OutputReader::set_position`] set.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Sets the position of the next byte.
    pub fn set_position(&mut self, position: u64) {
        self.position = position;
    }
}

/// Hides the state, which may depend on a key.
impl core::fmt::Debug for OutputReader {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("OutputReader")
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}
