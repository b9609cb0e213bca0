//! Hashing of a message in pieces of any length.

use crate::algorithm::{Algorithm, Bytes as _, State};
use crate::block;
use crate::chosen::Chosen;
use crate::prefix::Prefix;

/// Runs the chosen compression function over whole blocks.
#[inline]
fn compress<A: Chosen>(state: &mut State<A>, blocks: &[u8]) {
    debug_assert!(blocks.len().is_multiple_of(A::BLOCK));
    // SAFETY: the slice holds that many blocks. The table gives only what this CPU can
    // run.
    unsafe { A::compress()(state, blocks.as_ptr(), blocks.len() / A::BLOCK) };
}

/// A message that comes in pieces.
#[derive(Clone)]
pub(crate) struct Engine<A: Algorithm> {
    state: State<A>,
    /// Bytes of the message so far.
    length: u64,
    /// Holds the last bytes, less than a block, until their block is full.
    buffer: A::Block,
}

#[cfg(feature = "zeroize")]
karat_hash_core::wiped_on_drop!([A: Algorithm] Engine<A>);

impl<A: Algorithm> Engine<A> {
    pub(crate) const fn new(iv: &State<A>) -> Self {
        Self {
            state: *iv,
            length: 0,
            buffer: A::Block::ZERO,
        }
    }

    /// A message that begins with the prefix.
    pub(crate) const fn after(prefix: &Prefix<A>) -> Self {
        Self {
            state: prefix.state,
            length: prefix.length,
            buffer: A::Block::ZERO,
        }
    }

    fn waiting(&self) -> usize {
        (self.length % A::BLOCK as u64) as usize
    }

    pub(crate) const fn length(&self) -> u64 {
        self.length
    }
}

impl<A: Chosen> Engine<A> {
    pub(crate) fn update(&mut self, mut piece: &[u8]) {
        let waiting = self.waiting();
        self.length = self.length.wrapping_add(piece.len() as u64);
        if waiting > 0 {
            let room = &mut self.buffer.as_mut()[waiting..];
            if piece.len() < room.len() {
                room[..piece.len()].copy_from_slice(piece);
                return;
            }
            let (first, rest) = piece.split_at(room.len());
            room.copy_from_slice(first);
            compress::<A>(&mut self.state, self.buffer.as_ref());
            piece = rest;
        }
        let (body, rest) = piece.split_at(piece.len() / A::BLOCK * A::BLOCK);
        if !body.is_empty() {
            compress::<A>(&mut self.state, body);
        }
        self.buffer.as_mut()[..rest.len()].copy_from_slice(rest);
    }

    /// The first `D` bytes of the digest.
    pub(crate) fn finalize<const D: usize>(&self) -> [u8; D] {
        let mut state = self.state;
        let mut ends = A::Ends::ZERO;
        let rest = &self.buffer.as_ref()[..self.waiting()];
        let blocks = block::pad::<A, A::Ends>(&mut ends, rest, self.length);
        compress::<A>(&mut state, &ends.as_ref()[..blocks * A::BLOCK]);
        block::cut::<A, D>(&block::stored::<A>(&state))
    }
}
