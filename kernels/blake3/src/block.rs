//! One block after the other: the kernel `blake3-block`, and what is made of it.

use super::body::{BlockBody, XofJob};
use super::constants::{BLOCK_LEN, CHUNK_LEN};
use super::mode::{Cv, Mode};
use super::portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
use super::x86;
use crate::choices::CHOICES;
use core::mem::MaybeUninit;
use karat_cpu::{Implementation, IsaSet, Kernel};

/// Compresses the blocks of one message, one after the other.
pub(crate) static BLOCK: Kernel<BlockBody> = Kernel::measured("blake3-block", CHOICES, TABLE);

static TABLE: &[Implementation<BlockBody>] = &[
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
    // After avx2: only CPUs with a record or a model of it choose it.
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
    // After avx512vl: as it, only by record.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    Implementation::new(
        "avx512vl-shifts",
        IsaSet::of(&["avx2", "avx512f", "avx512vl"]),
        BlockBody {
            blocks: x86::rows::shifts::blocks,
            chunk: x86::rows::shifts::chunk,
        },
        "the same; a rotation of an exclusive or is an early rotation, two shifts and three-way logic",
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
    let mut state = *cv;
    // SAFETY: `block` is one full block, and `state` is 8 words.
    unsafe {
        (BLOCK.get().blocks)(
            state.as_mut_ptr(),
            block.as_ptr(),
            1,
            counter,
            len,
            flags << 16,
        )
    };
    state
}

/// The chaining value of a chunk, or the hash of a message, of at most [`CHUNK_LEN`]
/// bytes. See [`Chunk`](super::body::Chunk).
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
    // SAFETY: `block` is one full block, and `state` is 16 words.
    unsafe { (BLOCK.get().blocks)(state.as_mut_ptr(), block.as_ptr(), 1, counter, len, flags) };
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
