//! The compression function, for other trees and protocols.
//!
//! Nothing here knows chunks, roots or keys. The caller gives all flags and counters,
//! and a wrong choice can be insecure. A chaining value goes in as words and comes out
//! as bytes in little-endian order. Parents and hashes have that form too.
//!
//! For one input, use [`compress`]. For a fixed number of inputs, 4 and 8 fill the rows
//! of the AVX-512 kernel, 16 its lanes and 32 its two groups of lanes. 32 inputs are
//! the fastest per input.
//!
//! ```
//! use karat_blake3::raw::{IV, compress, flags};
//!
//! // A message of up to 64 bytes is one block, which begins and ends its chunk and is
//! // the root of the tree.
//! let mut block = [0; 64];
//! block[..5].copy_from_slice(b"karat");
//! let only = flags::CHUNK_START | flags::CHUNK_END | flags::ROOT;
//! let words = compress(&IV, &block, 0, 5, only);
//! assert_eq!(words[0].to_le_bytes(), karat_blake3::hash(b"karat")[..4]);
//! ```

use super::block;
use super::constants::{BLOCK_LEN, CHUNK_LEN, OUT_LEN};
use super::job::{Job, LANES, WIDE};
use super::kernel::KERNEL;
use super::short::{Short, group, tails};
use karat_hash_core::lanes;

pub use super::constants::IV;
pub use super::constants::flags;
pub use super::job::Flags;

/// Compresses one block; its first `len` bytes are input.
#[must_use]
pub fn compress(
    cv: &[u32; 8],
    block: &[u8; BLOCK_LEN],
    counter: u64,
    len: u32,
    flags: u32,
) -> [u32; 8] {
    block::compress(cv, block, counter, len, flags)
}

/// The same, but returns all 16 words, as extended output has them.
#[must_use]
pub fn compress_extended(
    cv: &[u32; 8],
    block: &[u8; BLOCK_LEN],
    counter: u64,
    len: u32,
    flags: u32,
) -> [u32; 16] {
    block::compress_wide(cv, block, counter, len, flags)
}

/// One input of many. Inputs may have different lengths.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// At most 1024 bytes. The last block may be short. An empty input is one block of
    /// length 0.
    pub bytes: &'a [u8],
    /// Counter of all blocks of this input.
    pub counter: u64,
    /// Flags of the blocks.
    pub flags: Flags,
}

/// Compresses many inputs, 16 at a time. Each starts from `key` and goes on block after
/// block.
///
/// # Panics
/// When `inputs` and `out` differ in length, or an input is longer than 1024 bytes.
pub fn compress_many(key: &[u32; 8], inputs: &[Input], out: &mut [[u8; OUT_LEN]]) {
    karat_hash_core::places::check(inputs.len(), out.len());
    for (inputs, out) in inputs.chunks(LANES).zip(out.chunks_mut(LANES)) {
        let tails = tails();
        let mut run: Short<1> = Short::new(*key, Flags::default(), &tails, out);
        let mut bytes = [&[] as &[u8]; LANES];
        // There are as many inputs as lanes: input i goes to lane i.
        for (lane, (input, bytes)) in inputs.iter().zip(&mut bytes).enumerate() {
            assert!(
                input.bytes.len() <= CHUNK_LEN,
                "an input of {} bytes; {CHUNK_LEN} is the most",
                input.bytes.len()
            );
            *bytes = input.bytes;
            run.set(lane, input.counter, input.flags);
        }
        lanes::run::<LANES, _>(&mut run, &bytes[..inputs.len()]);
    }
}

/// Compresses many inputs of one length, which is a multiple of 64 bytes and not 0.
/// Each starts from `key`. The first one has the given counter. The counter goes up by
/// `step` (0 or 1) from input to input. No input is copied.
///
/// # Panics
/// When `inputs` and `out` differ in length, when the lengths of inputs differ, or when
/// they are 0 or no multiple of 64.
pub fn compress_many_fast(
    key: &[u32; 8],
    inputs: &[&[u8]],
    counter: u64,
    step: bool,
    flags: Flags,
    out: &mut [[u8; OUT_LEN]],
) {
    karat_hash_core::places::check(inputs.len(), out.len());
    let Some(len) = inputs.first().map(|i| i.len()) else {
        return;
    };
    assert!(
        len > 0 && len.is_multiple_of(BLOCK_LEN) && inputs.iter().all(|i| i.len() == len),
        "inputs must have one length, a multiple of {BLOCK_LEN} and not 0"
    );
    let Flags { every, first, last } = flags;
    let blocks = len / BLOCK_LEN;
    let single = if blocks == 1 { first } else { 0 };
    let set = [every | first, every, every | last | single];
    let mut jobs = [Job::new(set), Job::new(set)];
    let mut counter = counter;
    for (inputs, out) in inputs.chunks(WIDE).zip(out.chunks_mut(WIDE)) {
        let used = inputs.len().div_ceil(LANES);
        for job in &mut jobs[..used] {
            if step {
                job.count_from(counter);
                counter = counter.wrapping_add(LANES as u64);
            } else {
                job.counter = [[counter as u32; LANES], [(counter >> 32) as u32; LANES]];
            }
        }
        group(KERNEL.get(), &mut jobs[..used], key, inputs, blocks, out);
    }
}
