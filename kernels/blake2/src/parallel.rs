//! The parallel forms BLAKE2bp and BLAKE2sp (BLAKE2 paper, 2.10 and 2.11).
//!
//! The blocks of the message go to 4 leaves in turn (BLAKE2sp: 8). The root hashes the
//! digests of the leaves. A stripe is one block for each leaf.

use super::single::{Node, bytes, digest};
use super::{Algorithm, Params};
use core::fmt;

/// An incremental BLAKE2bp or BLAKE2sp with digests of `N` bytes.
///
/// Digests are plain arrays: `==` on them is not constant time. Check digests made with
/// a key by [`verify`](Self::verify) or [`ct::eq`](karat_hash_core::ct::eq).
#[derive(Clone)]
pub struct ParallelHasher<A: Algorithm, const N: usize> {
    /// States of the leaves. The first [`Algorithm::LEAVES`] are used, and 8 is the
    /// most.
    leaves: [[A::Word; 8]; 8],
    /// Number of bytes that each leaf has compressed.
    t: u128,
    /// Two stripes. A stripe is compressed when none of its blocks can be the last
    /// block of a leaf.
    buffer: [u8; 1024],
    held: usize,
    root: Params<A, N>,
}

#[cfg(feature = "zeroize")]
karat_hash_core::wiped_on_drop!([A: Algorithm, const N: usize] ParallelHasher<A, N>);

impl<A: Algorithm, const N: usize> ParallelHasher<A, N> {
    const STRIPE: usize = A::LEAVES * A::BLOCK;
    /// If more than this many bytes are held, every leaf has more than its block of the
    /// first stripe. So none of those blocks is the last block of a leaf.
    const HELD: usize = 2 * Self::STRIPE - A::BLOCK;

    /// Creates a hasher without a key.
    #[must_use]
    pub fn new() -> Self {
        Self::start(&[])
    }

    /// Creates a hasher with a key of up to 64 bytes (BLAKE2sp: 32).
    ///
    /// # Panics
    /// When the key is empty or longer.
    #[must_use]
    pub fn new_keyed(key: &[u8]) -> Self {
        assert!(!key.is_empty(), "the key is empty: use `new`");
        Self::start(key)
    }

    fn start(key: &[u8]) -> Self {
        Self::with_root(
            Params::new()
                .key(key)
                .fanout(A::LEAVES as u8)
                .max_depth(2)
                .inner_hash_length(A::LONGEST)
                .node_depth(1)
                .last_node(true),
        )
    }

    fn with_root(root: Params<A, N>) -> Self {
        let mut hasher = Self {
            leaves: [[A::Word::default(); 8]; 8],
            t: 0,
            buffer: [0; 1024],
            held: 0,
            root,
        };
        for (i, leaf) in hasher.leaves[..A::LEAVES].iter_mut().enumerate() {
            *leaf = root.node_depth(0).node_offset(i as u64).node().h;
        }
        if root.has_key() {
            // Every leaf begins with the key block. The root does not.
            let block = root.key_block();
            for to in hasher.buffer[..Self::STRIPE].chunks_exact_mut(A::BLOCK) {
                to.copy_from_slice(&block[..A::BLOCK]);
            }
            hasher.held = Self::STRIPE;
        }
        hasher
    }

    /// Adds input.
    pub fn update(&mut self, mut input: &[u8]) -> &mut Self {
        if self.held > 0 && self.held + input.len() > Self::HELD {
            // Fills the buffer to full stripes, so that the rest can be read from
            // `input` directly.
            let take = (self.held.next_multiple_of(Self::STRIPE) - self.held).min(input.len());
            self.hold(&input[..take]);
            input = &input[take..];
            while self.held >= Self::STRIPE && self.held + input.len() > Self::HELD {
                let buffer = self.buffer;
                self.compress(&buffer[..Self::STRIPE]);
                self.buffer.copy_within(Self::STRIPE.., 0);
                self.held -= Self::STRIPE;
            }
        }
        if self.held == 0 && input.len() > Self::HELD {
            let stripes = (input.len() - Self::HELD).div_ceil(Self::STRIPE);
            let (body, rest) = input.split_at(stripes * Self::STRIPE);
            self.compress(body);
            input = rest;
        }
        self.hold(input);
        self
    }

    fn hold(&mut self, bytes: &[u8]) {
        self.buffer[self.held..self.held + bytes.len()].copy_from_slice(bytes);
        self.held += bytes.len();
    }

    /// Compresses full stripes.
    fn compress(&mut self, stripes: &[u8]) {
        let leaves = &mut self.leaves[..A::LEAVES];
        let count = stripes.len() / Self::STRIPE;
        // SAFETY: the slice holds that many stripes. The table gave the function, so
        // the CPU can run it.
        unsafe { (A::many().leaves)(leaves, self.t, stripes.as_ptr(), count) };
        self.t += (count * A::BLOCK) as u128;
    }

    /// The digest of the input so far. More input may follow.
    #[must_use]
    pub fn finalize(&self) -> [u8; N] {
        let compress = A::compress();
        let held = &self.buffer[..self.held];
        // The block of a leaf in a stripe, which may be incomplete.
        let block = |stripe: usize, leaf: usize| {
            let from = (stripe * Self::STRIPE + leaf * A::BLOCK).min(held.len());
            &held[from..(from + A::BLOCK).min(held.len())]
        };
        let mut digests = [0; 256];
        for (i, to) in digests.chunks_exact_mut(A::LONGEST).enumerate() {
            let mut leaf = Node {
                h: self.leaves[i],
                t: self.t,
                last_node: i + 1 == A::LEAVES,
            };
            let mut last = block(0, i);
            if !block(1, i).is_empty() {
                leaf.blocks(compress, last);
                last = block(1, i);
            }
            leaf.last(compress, last);
            to.copy_from_slice(&bytes(&leaf.h)[..A::LONGEST]);
        }
        let mut root = self.root.node();
        root.finish(compress, &digests);
        digest(&root.h)
    }

    /// Whether `mac` is the digest of the input so far. For a hash with a key: the time
    /// does not depend on the bytes of `mac` ([limits](karat_hash_core::ct#limits)). A `mac` of
    /// another length than `N` bytes is wrong.
    #[must_use]
    pub fn verify(&self, mac: &[u8]) -> bool {
        karat_hash_core::ct::eq(&self.finalize(), mac)
    }

    /// Forgets all input. The key stays.
    pub fn reset(&mut self) -> &mut Self {
        *self = Self::with_root(self.root);
        self
    }

    /// Reads `reader` to its end.
    ///
    /// # Errors
    /// Returns the error of the reader. After an interruption it reads again.
    #[cfg(feature = "std")]
    pub fn update_reader(&mut self, reader: impl std::io::Read) -> std::io::Result<&mut Self> {
        karat_hash_core::reader::read_all(reader, |bytes| {
            self.update(bytes);
        })?;
        Ok(self)
    }
}

impl<A: Algorithm, const N: usize> Default for ParallelHasher<A, N> {
    fn default() -> Self {
        Self::new()
    }
}

/// Hides the states, which may depend on a key.
impl<A: Algorithm, const N: usize> fmt::Debug for ParallelHasher<A, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParallelHasher")
            .field("root", &self.root)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "std")]
impl<A: Algorithm, const N: usize> std::io::Write for ParallelHasher<A, N> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
