//! One message through the compression function.

use super::Word;
use crate::short;

/// Bytes hashed so far and the flags of the blocks to come; two words each, low
/// word first. The layout is what the assembly reads.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Counter<W> {
    /// Bytes hashed, the blocks to come not among them.
    pub t: [W; 2],
    /// All bits of the first: last block. Of the second: last node of its layer.
    pub f: [W; 2],
}

/// Compresses `count` blocks into `h`; before each, `step` is added to the
/// counter.
///
/// # Safety
/// `blocks` must be readable for `count` blocks, `count` must be 1 or more, and
/// the CPU must have the implementation's ISAs.
pub type Compress<W> = unsafe fn(
    h: &mut [W; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<W>,
    step: usize,
);

/// Hashes a whole message, from the state that parameters give: no key, no last
/// node. Writes the first `length` bytes of the final state to `digest`.
///
/// # Safety
/// The CPU must have the implementation's ISAs; `digest` must be writable for
/// `length` bytes, which must not be more than the state's.
pub type HashOne<W> = unsafe fn(start: &[W; 8], message: &[u8], digest: *mut u8, length: usize);

/// The functions for one message, one implementation's.
#[derive(Debug)]
pub struct One<W: 'static> {
    /// Compresses whole blocks.
    pub compress: Compress<W>,
    /// Hashes a whole message.
    pub hash: HashOne<W>,
}

/// [`HashOne`] on top of a block function.
///
/// # Safety
/// As [`HashOne`], for the block function's ISAs.
#[inline]
pub(crate) unsafe fn hash_by<W: Word>(
    compress: Compress<W>,
    start: &[W; 8],
    message: &[u8],
    digest: *mut u8,
    length: usize,
) {
    let mut node = Node {
        h: *start,
        t: 0,
        last_node: false,
    };
    node.finish(compress, message);
    let bytes = &bytes(&node.h)[..length];
    // SAFETY: the caller's promise; nobody else has the place for the digest.
    unsafe { digest.copy_from_nonoverlapping(bytes.as_ptr(), length) };
}

/// Where a hash stands: the state, and the bytes it holds.
#[derive(Clone, Copy)]
pub(crate) struct Node<W> {
    pub(crate) h: [W; 8],
    pub(crate) t: u128,
    pub(crate) last_node: bool,
}

impl<W: Word> Node<W> {
    fn counter(&self, last: bool) -> Counter<W> {
        let flag = |set| if set { W::ONES } else { W::default() };
        Counter {
            t: [W::low(self.t), W::high(self.t)],
            f: [flag(last), flag(last && self.last_node)],
        }
    }

    /// Takes in whole blocks, none of them the last one.
    #[inline]
    pub(crate) fn blocks(&mut self, compress: Compress<W>, blocks: &[u8]) {
        let size = 16 * W::BYTES;
        debug_assert!(blocks.len().is_multiple_of(size));
        if blocks.is_empty() {
            return;
        }
        let mut counter = self.counter(false);
        let count = blocks.len() / size;
        // SAFETY: the slice has that many blocks, and the table gave the function.
        unsafe { compress(&mut self.h, blocks.as_ptr(), count, &mut counter, size) };
        self.t += blocks.len() as u128;
    }

    /// Takes in the last block, which may be short or empty; `h` is then the final
    /// state. In place: a copy would load what was stored a moment ago, and in wider
    /// pieces, which has to wait until the stores have left for the cache.
    #[inline]
    pub(crate) fn last(&mut self, compress: Compress<W>, block: &[u8]) {
        let size = 16 * W::BYTES;
        debug_assert!(block.len() <= size);
        let mut counter = self.counter(true);
        let mut padded;
        let at = if block.len() == size {
            block.as_ptr()
        } else {
            padded = [0; 128];
            short::copy(&mut padded, block);
            padded.as_ptr()
        };
        // SAFETY: `at` is a whole block, and the table gave the function.
        unsafe { compress(&mut self.h, at, 1, &mut counter, block.len()) };
    }

    /// Takes in all that is left of the message; `h` is then the final state.
    #[inline]
    pub(crate) fn finish(&mut self, compress: Compress<W>, message: &[u8]) {
        let size = 16 * W::BYTES;
        let body = message.len().saturating_sub(1) / size * size;
        self.blocks(compress, &message[..body]);
        self.last(compress, &message[body..]);
    }
}

/// The state as the digest's bytes, [`super::Algorithm::LONGEST`] of them.
#[inline]
pub(crate) fn bytes<W: Word>(h: &[W; 8]) -> [u8; 64] {
    let mut out = [0; 64];
    for (to, word) in out.chunks_exact_mut(W::BYTES).zip(h) {
        to.copy_from_slice(&word.bytes()[..W::BYTES]);
    }
    out
}

/// The digest: the first `N` bytes of the state.
#[inline]
pub(crate) fn digest<W: Word, const N: usize>(h: &[W; 8]) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&bytes(h)[..N]);
    out
}
