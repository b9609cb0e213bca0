//! What is done to many messages: what they start from, where their digests go, and the
//! functions of an implementation.

use super::Word;
use super::single::{Compress, Node};

/// Fewer messages than this are hashed one after the other, which is faster
/// (docs/notes/blake2.md).
pub(super) const FEW: usize = 3;

/// The functions of an implementation for many messages.
#[derive(Debug)]
pub struct Many<W: 'static> {
    /// Hashes messages of one length, if the implementation has a function for that.
    pub(crate) in_step: Option<InStep<W>>,
    /// Hashes all messages. Unsafe: the CPU must have the implementation's ISAs.
    pub(crate) hash: unsafe fn(start: &Start<W>, messages: &[&[u8]], out: &mut Sink),
    /// Compresses `stripes` stripes into the leaves of a parallel hash. A stripe has
    /// one block for each leaf, and none is a leaf's last block. Unsafe: the CPU must
    /// have the ISAs, and `data` must be readable for `stripes` stripes.
    pub(crate) leaves: unsafe fn(leaves: &mut [[W; 8]], t: u128, data: *const u8, stripes: usize),
}

/// Hashes full groups of messages at the front if all messages have one length. Returns
/// how many. `out` has `length` bytes for each message.
///
/// This is separate from the code for other messages, which needs more stack and more
/// parameters. For messages of one block, that cost would be measurable and would
/// depend on the compiler flags.
///
/// Unsafe: the CPU must have the implementation's ISAs.
pub(crate) type InStep<W> =
    unsafe fn(node: &Node<W>, messages: &[&[u8]], out: &mut [u8], length: usize) -> usize;

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
