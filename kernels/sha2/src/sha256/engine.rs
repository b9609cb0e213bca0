//! Hashing of one message: padding, and input in pieces of any length.

use super::kernel::{Compress, KERNEL};
use karat_hash_core::short;

/// Bytes in a block.
pub(super) const BLOCK: usize = 64;

/// Pads the end of a message (FIPS 180-4, section 5.1.1). `rest` is what remains after
/// the full blocks, less than a block. `length` is the length of the message in bytes.
/// `tail` must be zeros. Returns the number of blocks, 1 or 2.
///
/// The standard ends at 2^64 - 1 bits. Beyond that the length wraps.
#[inline]
pub(super) fn pad(tail: &mut [u8; 2 * BLOCK], rest: &[u8], length: u64) -> usize {
    let blocks = if rest.len() < BLOCK - 8 { 1 } else { 2 };
    short::copy(tail, rest);
    tail[rest.len()] = 0x80;
    let end = blocks * BLOCK;
    tail[end - 8..end].copy_from_slice(&(length << 3).to_be_bytes());
    blocks
}

/// The state in bytes.
#[inline]
pub(super) fn bytes(state: &[u32; 8]) -> [u8; 32] {
    let mut out = [0; 32];
    let (words, _) = out.as_chunks_mut::<4>();
    for i in 0..8 {
        words[i] = state[i].to_be_bytes();
    }
    out
}

/// [`bytes`] of a state in memory, by loads of single words. The compiler on its own
/// uses vectors, which need three times the instructions where SSSE3's shuffle is not
/// available.
#[inline]
fn stored(state: &[u32; 8]) -> [u8; 32] {
    // SAFETY: a reference is valid for reads. The read is volatile so that the loads
    // stay single.
    bytes(&core::array::from_fn(|i| unsafe {
        (&raw const state[i]).read_volatile()
    }))
}

/// Runs the compression function over whole blocks.
#[inline]
fn compress(state: &mut [u32; 8], blocks: &[u8]) {
    debug_assert!(blocks.len().is_multiple_of(BLOCK));
    // SAFETY: the slice holds that many blocks. The kernel gives only what this CPU can
    // run.
    unsafe { (KERNEL.get().0.compress)(state, blocks.as_ptr(), blocks.len() / BLOCK) };
}

/// The first `D` bytes of the digest of a whole message.
///
/// # Safety
/// The CPU must have the ISAs of `compress`.
#[inline(always)]
pub(super) unsafe fn whole<const D: usize>(
    compress: Compress,
    iv: &[u32; 8],
    message: &[u8],
) -> [u8; D] {
    let mut state = *iv;
    let (body, rest) = message.split_at(message.len() / BLOCK * BLOCK);
    let mut tail = [0; 2 * BLOCK];
    let blocks = pad(&mut tail, rest, message.len() as u64);
    // SAFETY: the caller guarantees the ISAs. Both slices hold the given number of
    // blocks.
    unsafe {
        compress(&mut state, body.as_ptr(), body.len() / BLOCK);
        compress(&mut state, tail.as_ptr(), blocks);
    }
    let digest = stored(&state);
    let (digest, _) = digest.split_first_chunk().expect("D is at most 32");
    *digest
}

/// A message that comes in pieces.
#[derive(Clone)]
pub(super) struct Engine {
    state: [u32; 8],
    /// Bytes of the message so far.
    length: u64,
    /// Holds the last `length % 64` bytes, until their block is full.
    buffer: [u8; BLOCK],
}

impl Engine {
    pub(super) const fn new(iv: &[u32; 8]) -> Self {
        Self {
            state: *iv,
            length: 0,
            buffer: [0; BLOCK],
        }
    }

    fn waiting(&self) -> usize {
        (self.length % BLOCK as u64) as usize
    }

    pub(super) const fn length(&self) -> u64 {
        self.length
    }

    pub(super) fn update(&mut self, mut piece: &[u8]) {
        let waiting = self.waiting();
        self.length = self.length.wrapping_add(piece.len() as u64);
        if waiting > 0 {
            let room = &mut self.buffer[waiting..];
            if piece.len() < room.len() {
                room[..piece.len()].copy_from_slice(piece);
                return;
            }
            let (first, rest) = piece.split_at(room.len());
            room.copy_from_slice(first);
            compress(&mut self.state, &self.buffer);
            piece = rest;
        }
        let (body, rest) = piece.split_at(piece.len() / BLOCK * BLOCK);
        if !body.is_empty() {
            compress(&mut self.state, body);
        }
        self.buffer[..rest.len()].copy_from_slice(rest);
    }

    pub(super) fn finalize(&self) -> [u8; 32] {
        let mut state = self.state;
        let mut tail = [0; 2 * BLOCK];
        let rest = &self.buffer[..self.waiting()];
        let blocks = pad(&mut tail, rest, self.length);
        compress(&mut state, &tail[..blocks * BLOCK]);
        stored(&state)
    }
}
