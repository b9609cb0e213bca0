//! The parts, for those who build other trees and protocols of them.
//!
//! Nothing here knows of chunks, roots or keys: flags and counters are what the
//! caller says, and it is easy to say something insecure. Chaining values are
//! given as words to start from and come out as bytes, least first, which is how
//! parents and hashes take them.
//!
//! For a fixed number of inputs: one is for [`compress`]; 4 and 8 fill the rows
//! of the AVX-512 kernel, 16 its lanes, 32 its two groups of lanes, which are the
//! fastest per input.

use super::constants::{BLOCK_LEN, CHUNK_LEN, OUT_LEN};
use super::job::{Job, LANES};
use super::kernel::{self, KERNEL};
use super::many::Short;
use super::tree::WIDE;
use crate::lanes;

pub use super::constants::IV;
pub use super::constants::flags;

/// One compression of one block; `len` bytes of it are input.
#[must_use]
pub fn compress(
    cv: &[u32; 8],
    block: &[u8; BLOCK_LEN],
    counter: u64,
    len: u32,
    flags: u32,
) -> [u32; 8] {
    kernel::compress(cv, block, counter, len, flags)
}

/// The same with all 16 words: those of extended output.
#[must_use]
pub fn compress_extended(
    cv: &[u32; 8],
    block: &[u8; BLOCK_LEN],
    counter: u64,
    len: u32,
    flags: u32,
) -> [u32; 16] {
    kernel::compress_wide(cv, block, counter, len, flags)
}

/// Flags of the blocks of an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Of every block.
    pub every: u32,
    /// Of the first block, besides.
    pub first: u32,
    /// Of the last block, besides.
    pub last: u32,
}

/// One of many inputs of any lengths.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// At most 1024 bytes; the last block may be short, and an empty input is
    /// one block of length 0.
    pub bytes: &'a [u8],
    /// Counter of all its blocks.
    pub counter: u64,
    /// Their flags.
    pub flags: Flags,
}

/// Compresses many inputs, each from `key` on, block after block, 16 at a time.
///
/// # Panics
/// When there is not one place in `out` for each input, or an input is longer
/// than 1024 bytes.
pub fn compress_many(key: &[u32; 8], inputs: &[Input], out: &mut [[u8; OUT_LEN]]) {
    crate::room::check(inputs.len(), out.len());
    for (inputs, out) in inputs.chunks(LANES).zip(out.chunks_mut(LANES)) {
        let tails = super::many::tails();
        let mut run: Short<1> = Short::new(*key, Flags::default(), &tails, out);
        let mut bytes = [&[] as &[u8]; LANES];
        // As many inputs as lanes: input i goes to lane i.
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

/// Compresses many inputs of one length, a multiple of 64 bytes and not 0, each
/// from `key` on. The first one has the given counter; it goes up by `step` (0 or
/// 1) from input to input. No input is copied.
///
/// # Panics
/// When there is not one place in `out` for each input, lengths differ, or are 0
/// or no multiple of 64.
pub fn compress_many_fast(
    key: &[u32; 8],
    inputs: &[&[u8]],
    counter: u64,
    step: bool,
    flags: Flags,
    out: &mut [[u8; OUT_LEN]],
) {
    crate::room::check(inputs.len(), out.len());
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
        super::many::group(KERNEL.get(), &mut jobs[..used], key, inputs, blocks, out);
    }
}
