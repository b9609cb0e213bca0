//! The functions for one message.

use super::Word;
use karat_hash_core::short;

/// The byte counter and the flags of the next blocks. Each has two words, low word
/// first. The assembly relies on this layout.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Counter<W> {
    /// Number of bytes hashed, without the next blocks.
    pub t: [W; 2],
    /// Flags with all bits set or none. The first: last block. The second: last node of
    /// its layer.
    pub f: [W; 2],
}

/// Compresses `count` blocks into `h`. Before each block, `step` is added to the
/// counter.
///
/// # Safety
/// `blocks` must be readable for `count` blocks, and `count` must be 1 or more. The CPU
/// must have the implementation's ISAs.
pub type Compress<W> = unsafe fn(
    h: &mut [W; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<W>,
    step: usize,
);

/// Hashes a whole message from the initial state `start`, without a key and not as last
/// node. It writes the first `length` bytes of the final state to `digest`.
///
/// # Safety
/// The CPU must have the implementation's ISAs. `digest` must be writable for `length`
/// bytes. `length` must be at most the size of the state.
pub type HashOne<W> = unsafe fn(start: &[W; 8], message: &[u8], digest: *mut u8, length: usize);

/// The functions of an implementation for one message.
#[derive(Debug)]
pub struct One<W: 'static> {
    /// Compresses full blocks.
    pub compress: Compress<W>,
    /// Hashes a whole message.
    pub hash: HashOne<W>,
}

/// Implements [`HashOne`] with a block function.
///
/// # Safety
/// The same conditions as for [`HashOne`], with the block function's ISAs.
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
    // SAFETY: the caller guarantees that `digest` is writable for `length` bytes.
    unsafe { write(&node.h, digest, length) };
}

/// Writes the first `length` bytes of the state.
///
/// # Safety
/// `digest` must be writable for `length` bytes, which must be at most those of the state.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
unsafe fn write<W: Word>(h: &[W; 8], digest: *mut u8, length: usize) {
    use core::arch::x86_64::__m128i;
    let whole = length / 16 * 16;
    for at in (0..whole).step_by(16) {
        // Volatile, or a program built for wide vectors loads at once what was stored in two
        // pieces.
        // SAFETY: `at + 16` is at most the bytes of the state and of the digest.
        unsafe {
            let piece = h.as_ptr().byte_add(at).cast::<__m128i>().read_volatile();
            digest.add(at).cast::<__m128i>().write_unaligned(piece);
        }
    }
    if whole < length {
        // SAFETY: the caller upholds the safety contract; `bytes` is a local copy.
        unsafe { short::copy_to(digest.add(whole), &bytes(h)[whole..length]) };
    }
}

/// Writes the first `length` bytes of the state.
///
/// # Safety
/// `digest` must be writable for `length` bytes, which must be at most those of the state.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
#[inline(always)]
unsafe fn write<W: Word>(h: &[W; 8], digest: *mut u8, length: usize) {
    // SAFETY: the caller upholds the safety contract; `bytes` is a local copy.
    unsafe { short::copy_to(digest, &bytes(h)[..length]) };
}

/// An unfinished hash: the state and the number of bytes in it.
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

    /// Compresses full blocks, none of which is the last one.
    #[inline]
    pub(crate) fn blocks(&mut self, compress: Compress<W>, blocks: &[u8]) {
        let size = 16 * W::BYTES;
        debug_assert!(blocks.len().is_multiple_of(size));
        if blocks.is_empty() {
            return;
        }
        let mut counter = self.counter(false);
        let count = blocks.len() / size;
        // SAFETY: the slice holds that many blocks. The table gave the function, so the
        // CPU can run it.
        unsafe { compress(&mut self.h, blocks.as_ptr(), count, &mut counter, size) };
        self.t += blocks.len() as u128;
    }

    /// Compresses the last block, which may be short or empty. `h` is then the final
    /// state. It works in place, because wider loads of a copy would wait until its
    /// stores reach the cache.
    #[inline]
    pub(crate) fn last(&mut self, compress: Compress<W>, block: &[u8]) {
        let size = 16 * W::BYTES;
        debug_assert!(block.len() <= size);
        let mut counter = self.counter(true);
        let mut padded;
        let at = if block.len() == size {
            block.as_ptr()
        } else {
            padded = short::padded(block);
            padded.as_ptr().cast()
        };
        // SAFETY: `at` is a whole block. The table gave the function, so the CPU can
        // run it.
        unsafe { compress(&mut self.h, at, 1, &mut counter, block.len()) };
    }

    /// Compresses the rest of the message. `h` is then the final state.
    #[inline]
    pub(crate) fn finish(&mut self, compress: Compress<W>, message: &[u8]) {
        let size = 16 * W::BYTES;
        let body = message.len().saturating_sub(1) / size * size;
        self.blocks(compress, &message[..body]);
        self.last(compress, &message[body..]);
    }
}

/// The state as bytes, of which the first [`super::Algorithm::LONGEST`] are used.
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

#[cfg(test)]
mod tests {
    use super::{Counter, One};
    use crate::{Algorithm, Blake2b, Blake2s, Word};
    use alloc::vec::Vec;
    use karat_cpu::Kernel;

    /// Counters that carry into their high word, and flags: no test can hash enough
    /// bytes to get there. The reference is the plainest implementation.
    fn counters_carry<A: Algorithm>(kernel: &Kernel<One<A::Word>>) {
        let (_, reference) = kernel.runnable().last().expect("portable");
        let word = |i: usize| A::Word::low(0x9e37_79b9_7f4a_7c15 * (i as u128 + 1));
        for (name, body) in kernel.runnable() {
            for (count, before) in (1..4).flat_map(|count| (0..3).map(move |b| (count, b))) {
                let blocks: Vec<u8> = (0..count * A::BLOCK)
                    .map(|i| ((i * i) >> 3) as u8)
                    .collect();
                let room = A::BLOCK / 2 + before * A::BLOCK;
                let low = A::Word::low((1_u128 << (8 * A::Word::BYTES)) - 1 - room as u128);
                let mut left = Counter {
                    t: [low, A::Word::low(7)],
                    f: [word(count), word(before + 10)],
                };
                let mut right = left;
                let h = core::array::from_fn(|i| word(i + 20));
                let (mut a, mut b) = (h, h);
                // SAFETY: that many blocks are there, and the CPU has the ISAs.
                unsafe {
                    (reference.compress)(&mut a, blocks.as_ptr(), count, &mut left, A::BLOCK);
                    (body.compress)(&mut b, blocks.as_ptr(), count, &mut right, A::BLOCK);
                }
                assert_eq!(
                    a, b,
                    "{name}, {count} blocks, {room} bytes before the carry"
                );
                assert_eq!((left.t, left.f), (right.t, right.f), "{name}");
                assert_eq!(left.t[1] == A::Word::low(8), before < count, "{name}");
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "hashes many blocks")]
    fn counters_of_messages_carry() {
        counters_carry::<Blake2b>(&crate::blake2b::KERNEL);
        counters_carry::<Blake2s>(&crate::blake2s::KERNEL);
    }
}
