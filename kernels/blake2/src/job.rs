//! What many messages start from, and where their digests go.

use super::Word;
use super::single::{Compress, Node};

/// Fewer messages than this are hashed one after the other, which is faster
/// (docs/notes/blake2.md).
pub(super) const FEW: usize = 3;

/// The state from which each of the messages is hashed.
#[derive(Clone, Copy)]
pub struct Start<W> {
    /// State after the parameters, and after the key block if there is a key.
    pub(crate) node: Node<W>,
    /// Final state of an empty message. With a key its last block is another one.
    pub(crate) empty: [W; 8],
    pub(crate) compress: Compress<W>,
}

/// The place of the digests: `length` bytes each, one after the other.
pub struct Sink<'a> {
    out: &'a mut [u8],
    length: usize,
}

impl<'a> Sink<'a> {
    pub(crate) fn new<const N: usize>(out: &'a mut [[u8; N]]) -> Self {
        Self {
            out: out.as_flattened_mut(),
            length: N,
        }
    }

    /// Writes the digest of a message from the words of its final state, each word
    /// directly from its place. If words were collected first, wider loads would wait
    /// for the narrow stores to reach the cache.
    #[inline(always)]
    pub(super) fn put<W: Word>(&mut self, message: usize, word: impl Fn(usize) -> W) {
        let to = &mut self.out[message * self.length..][..self.length];
        let (mut words, mut i) = (to.chunks_exact_mut(W::BYTES), 0);
        for to in words.by_ref() {
            to.copy_from_slice(&word(i).bytes()[..W::BYTES]);
            i += 1;
        }
        let rest = words.into_remainder();
        if !rest.is_empty() {
            rest.copy_from_slice(&word(i).bytes()[..rest.len()]);
        }
    }
}
