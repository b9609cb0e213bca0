//! The tables of implementations for each kernel.

use super::constants::{BLOCK_LEN, CHUNK_LEN};
use super::job::Job;
use super::portable;
use super::tree::{Cv, Mode};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
use super::x86;
use crate::choices::CHOICES;
use core::mem::MaybeUninit;
use karat_cpu::{Implementation, IsaSet, Kernel};

/// Compresses `blocks` blocks at `input`, one after the other, into the first 8 words
/// of `cv`. `last_len` is the length of the last block in bytes. All blocks have the
/// same counter.
///
/// `flags` holds four bytes: the flags of the first block, of the blocks between, and
/// of the last block, then 1 if the other 8 words of `cv` get the extended output of
/// the last block. A single block counts as a last block. Extended output is possible
/// for a single block only.
///
/// The input must be readable for `blocks` blocks.
pub(crate) type Blocks = unsafe fn(&mut [u32; 16], *const u8, usize, u64, u32, u32);

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

/// The functions of an implementation over lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanes {
    pub(crate) advance: Advance,
    pub(crate) each: Option<Each>,
    pub(crate) xof: Xof,
    /// Running up to this many inputs costs little more than running one.
    pub(crate) width: usize,
}

/// Hashes chunks, parents and messages in lanes, and makes extended output.
pub(crate) static KERNEL: Kernel<Body> = Kernel::measured("blake3", CHOICES, TABLE);

/// An implementation of [`KERNEL`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body(pub(crate) Lanes);

/// Compresses the blocks of one message, one after the other.
pub(crate) static BLOCK: Kernel<BlockBody> = Kernel::measured("blake3-block", CHOICES, BLOCK_TABLE);

/// An implementation of [`BLOCK`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockBody {
    pub(crate) blocks: Blocks,
    pub(crate) chunk: Chunk,
}

static TABLE: &[Implementation<Body>] = &[
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    Implementation::new(
        "avx512",
        IsaSet::of(&["avx512f", "avx512vl"]),
        Body(Lanes {
            advance: x86::avx512::advance::<false>,
            each: Some(x86::avx512_blocks::blocks),
            xof: x86::avx512_xof::xof,
            width: 16,
        }),
        "two groups of 16 lanes interleaved; a single group transposes the next block meanwhile",
    ),
    // After avx512: `x86/avx512_duet.rs` says why a gain is expected on Zen 5 only.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    Implementation::new(
        "avx512-duet",
        IsaSet::of(&["avx512f", "avx512vl"]),
        Body(Lanes {
            advance: x86::avx512::advance::<true>,
            each: Some(x86::avx512_blocks::blocks),
            xof: x86::avx512_xof::xof,
            width: 16,
        }),
        "as avx512; up to nine lanes in vectors and in general registers at once",
    ),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    Implementation::new(
        "avx2",
        IsaSet::of(&["avx2"]),
        Body(Lanes {
            advance: x86::narrow::avx2,
            each: None,
            xof: blockwise,
            width: 8,
        }),
        "8 lanes",
    ),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    Implementation::new(
        "sse4.1",
        IsaSet::of(&["ssse3", "sse4.1"]),
        Body(Lanes {
            advance: x86::narrow::sse41,
            each: None,
            xof: blockwise,
            width: 4,
        }),
        "4 lanes",
    ),
    #[cfg(all(target_arch = "aarch64", target_endian = "little", not(miri)))]
    Implementation::new(
        "neon",
        IsaSet::of(&["neon"]),
        Body(Lanes {
            advance: super::neon::advance,
            each: None,
            xof: blockwise,
            width: 4,
        }),
        "4 lanes",
    ),
    Implementation::new(
        "portable",
        IsaSet::EMPTY,
        Body(Lanes {
            advance: portable::advance,
            each: None,
            xof: blockwise,
            width: 1,
        }),
        "plain Rust, lane after lane",
    ),
];

static BLOCK_TABLE: &[Implementation<BlockBody>] = &[
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    Implementation::new(
        "avx2",
        IsaSet::of(&["avx2"]),
        BlockBody {
            blocks: x86::rows::avx2::blocks,
            chunk: x86::rows::avx2::chunk,
        },
        "rows of the state in vector registers",
    ),
    // After avx2 as long as no record has it.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    Implementation::new(
        "avx512vl",
        IsaSet::of(&["avx2", "avx512f", "avx512vl"]),
        BlockBody {
            blocks: x86::rows::avx512vl::blocks,
            chunk: x86::rows::avx512vl::chunk,
        },
        "rows of the state in vector registers, rotations in one step",
    ),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    Implementation::new(
        "x86-64",
        IsaSet::EMPTY,
        BlockBody {
            blocks: x86::one::blocks,
            chunk: x86::one::chunk,
        },
        "general registers, whose operations take one cycle",
    ),
    Implementation::new(
        "portable",
        IsaSet::EMPTY,
        BlockBody {
            blocks: portable::blocks,
            chunk: portable::chunk,
        },
        "plain Rust",
    ),
];

/// Compresses one block.
#[inline]
pub(crate) fn compress(
    cv: &[u32; 8],
    block: &[u8; BLOCK_LEN],
    counter: u64,
    len: u32,
    flags: u32,
) -> [u32; 8] {
    let mut state = [0; 16];
    state[..8].copy_from_slice(cv);
    // SAFETY: `block` is one full block.
    unsafe { (BLOCK.get().blocks)(&mut state, block.as_ptr(), 1, counter, len, flags << 16) };
    core::array::from_fn(|i| state[i])
}

/// The chaining value of a chunk, or the hash of a message, of at most [`CHUNK_LEN`]
/// bytes. See [`Chunk`].
#[inline]
pub(crate) fn chunk(mode: &Mode, input: &[u8], counter: u64, last: u32) -> Cv {
    debug_assert!(input.len() <= CHUNK_LEN);
    let mut out = MaybeUninit::uninit();
    // SAFETY: `input` is readable for its length, and all of `out` is written.
    unsafe {
        let chunk = BLOCK.get().chunk;
        chunk(
            mode,
            input.as_ptr(),
            input.len(),
            counter,
            last,
            out.as_mut_ptr(),
        );
        out.assume_init()
    }
}

/// Compresses one block and returns all 16 words.
pub(crate) fn compress_wide(
    cv: &[u32; 8],
    block: &[u8; BLOCK_LEN],
    counter: u64,
    len: u32,
    flags: u32,
) -> [u32; 16] {
    let mut state = [0; 16];
    state[..8].copy_from_slice(cv);
    let flags = flags << 16 | 1 << 24;
    // SAFETY: `block` is one full block.
    unsafe { (BLOCK.get().blocks)(&mut state, block.as_ptr(), 1, counter, len, flags) };
    state
}

/// Makes extended output one block at a time.
pub(crate) fn blockwise(job: &XofJob, out: &mut [[u8; BLOCK_LEN]]) {
    for (i, out) in out.iter_mut().enumerate() {
        let counter = job.counter.wrapping_add(i as u64);
        let words = compress_wide(job.cv, job.block, counter, job.len, job.flags);
        super::words::write(&words, out);
    }
}
