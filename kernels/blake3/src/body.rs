//! What an implementation is: the types of its functions, and of what they are given.

use super::constants::BLOCK_LEN;
use super::job::Job;
use super::mode::{Cv, Mode};

/// Compresses `blocks` blocks at `input`, one after the other, into the 8 words at `cv`.
/// `last_len` is the length of the last block in bytes. All blocks have the
/// same counter.
///
/// `flags` holds four bytes: the flags of the first block, of the blocks between, and
/// of the last block, then 1 if the 8 words behind `cv` get the extended output of the
/// last block. A single block counts as a last block. Extended output is possible
/// for a single block only.
///
/// The input must be readable for `blocks` blocks. `cv` must be valid for reads and writes
/// of 8 words, with extended output of 16.
pub(crate) type Blocks = unsafe fn(*mut u32, *const u8, usize, u64, u32, u32);

/// Compresses a message or a chunk of up to [`CHUNK_LEN`] bytes. It pads the last block
/// and writes the chaining value. The first number is the chunk's number. The second
/// holds the flags of the last block in addition to the mode's and `CHUNK_START`:
/// `CHUNK_END`, with or without `ROOT`.
///
/// The input must be readable for its length. The last pointer must be writable for 32
/// bytes.
pub(crate) type Chunk = unsafe fn(&Mode, *const u8, usize, u64, u32, *mut Cv);

/// Runs the first `used` lanes of one job, or of two jobs when `used` is above 16, over
/// `blocks` blocks each, 1 or more. Lanes from number `used` on may run too.
///
/// In each job that runs, the inputs of all lanes must be readable for `blocks` blocks.
/// `key` must be null or readable, and `out` null or writable for 512 bytes. `cv` must
/// be valid for reads and writes when `key` or `out` is null.
pub(crate) type Advance = unsafe fn(&mut [Job], usize, usize);

/// What messages of a single block have in common. Each of them is a root.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct OneBlock {
    /// The chaining value that each message starts from.
    pub(crate) key: [u32; 8],
    /// Length of each block in bytes.
    pub(crate) len: u32,
    pub(crate) flags: u32,
}

/// Hashes messages of [`BLOCK_LEN`] bytes each, from the front, with counter 0. Each
/// hash goes to its place. Returns how many messages were hashed. It leaves the
/// messages that [`Advance`] hashes just as fast.
///
/// There must be one place for each message.
pub(crate) type Each = unsafe fn(&OneBlock, &[&[u8]], &mut [Cv]) -> usize;

/// Copies messages of one length, none of which ends with a full block, one behind the other
/// and each with zeros up to the end of its last block.
///
/// Unsafe: the CPU must have the implementation's ISAs, and the place must be writable for all
/// blocks, of empty messages too.
pub(crate) type Pad = unsafe fn(&[&[u8]], *mut [u8; BLOCK_LEN]);

/// Writes blocks of extended output, beginning at the job's counter.
///
/// Unsafe: the CPU must have the implementation's ISAs.
pub(crate) type Xof = unsafe fn(&XofJob, &mut [[u8; BLOCK_LEN]]);

/// A root block, from which output of any length is made. Block and chaining value are
/// borrowed: after a copy, the kernel's loads would wait for the stores of the copy.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct XofJob<'a> {
    pub(crate) block: &'a [u8; BLOCK_LEN],
    /// The chaining value that goes into the compression.
    pub(crate) cv: &'a [u32; 8],
    /// Number of the first output block.
    pub(crate) counter: u64,
    /// Length of the block in bytes.
    pub(crate) len: u32,
    /// Flags of the block, with `ROOT`.
    pub(crate) flags: u32,
}

/// What an implementation does of small trees, and of the top of large ones, in one call
/// from end to end. Both functions write the root's hash (if the last argument is true) or
/// the two chaining values below the root.
///
/// Unsafe: the CPU must have the implementation's ISAs. The result must be writable for 32
/// or 64 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Few {
    /// Of a tree of 2, 4, 8 or 16 full chunks, which must be readable. The second number is the
    /// first chunk's.
    pub(crate) chunks: unsafe fn(&Mode, *const u8, usize, u64, *mut Cv, bool),
    /// The 16 parents above each 32 full chunks. The first number is how many times 32 there
    /// are, at least 1, and the second is the first chunk's. The chunks must be readable,
    /// and there must be room for the parents.
    pub(crate) parents: unsafe fn(&Mode, *const u8, usize, u64, *mut Cv),
    /// Above 4 or 8 chaining values, which must be initialised, or above 2 for the hash.
    pub(crate) above: unsafe fn(&Mode, *const Cv, usize, *mut Cv, bool),
}

/// The functions of an implementation over lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanes {
    pub(crate) advance: Advance,
    pub(crate) each: Option<Each>,
    pub(crate) pad: Option<Pad>,
    pub(crate) xof: Xof,
    pub(crate) few: Option<&'static Few>,
    /// Running up to this many inputs costs little more than running one.
    pub(crate) width: usize,
}

/// An implementation of the kernel `blake3`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body(pub(crate) Lanes);

/// An implementation of the kernel `blake3-block`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockBody {
    pub(crate) blocks: Blocks,
    pub(crate) chunk: Chunk,
}
