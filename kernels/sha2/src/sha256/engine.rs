//! Hashing of a message in pieces of any length.

use super::block::{BLOCK, pad, stored};
use super::kernel::KERNEL;

/// Runs the compression function over whole blocks.
#[inline]
fn compress(state: &mut [u32; 8], blocks: &[u8]) {
    debug_assert!(blocks.len().is_multiple_of(BLOCK));
    // SAFETY: the slice holds that many blocks. The kernel gives only what this CPU can
    // run.
    unsafe { (KERNEL.get().0.compress)(state, blocks.as_ptr(), blocks.len() / BLOCK) };
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
