//! All parameters of a BLAKE2 hash (RFC 7693, 2.5; BLAKE2 paper, 2.8).

use super::job::{Sink, Start};
use super::single::{Node, digest};
use super::{Algorithm, Word};
use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

/// Parameters of a hash with digests of `N` bytes. The default is the plain sequential
/// hash.
///
/// The length of the digest is a parameter like the others: a shorter digest is not a
/// prefix of a longer one.
#[derive(Clone, Copy)]
pub struct Params<A: Algorithm, const N: usize> {
    length: u8,
    key: [u8; 64],
    key_length: u8,
    salt: [u8; 16],
    personal: [u8; 16],
    fanout: u8,
    max_depth: u8,
    leaf_length: u32,
    node_offset: u64,
    node_depth: u8,
    inner_length: u8,
    last_node: bool,
    algorithm: PhantomData<A>,
}

impl<A: Algorithm, const N: usize> Default for Params<A, N> {
    fn default() -> Self {
        Self::new()
    }
}

/// Hides the key.
impl<A: Algorithm, const N: usize> fmt::Debug for Params<A, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Params")
            .field("algorithm", &A::NAME)
            .field("digest_length", &self.length)
            .field("key_length", &self.key_length)
            .field("salt", &self.salt)
            .field("personal", &self.personal)
            .field("fanout", &self.fanout)
            .field("max_depth", &self.max_depth)
            .field("leaf_length", &self.leaf_length)
            .field("node_offset", &self.node_offset)
            .field("node_depth", &self.node_depth)
            .field("inner_length", &self.inner_length)
            .field("last_node", &self.last_node)
            .finish()
    }
}

impl<A: Algorithm, const N: usize> Params<A, N> {
    const LENGTH_FITS: () = assert!(
        N >= 1 && N <= A::LONGEST,
        "the digest is 1 to 64 bytes for BLAKE2b, 1 to 32 for BLAKE2s"
    );

    /// The parameters of the plain hash: no key, no salt, no personalisation, no tree.
    #[must_use]
    pub const fn new() -> Self {
        const { Self::LENGTH_FITS };
        Self {
            length: N as u8,
            key: [0; 64],
            key_length: 0,
            salt: [0; 16],
            personal: [0; 16],
            fanout: 1,
            max_depth: 1,
            leaf_length: 0,
            node_offset: 0,
            node_depth: 0,
            inner_length: 0,
            last_node: false,
            algorithm: PhantomData,
        }
    }

    /// Sets a digest of fewer bytes than `N`, for a length that is known only at run
    /// time: it is the first `bytes` of the `N` that come out. It is another function, not
    /// the beginning of the longer digest.
    ///
    /// ```
    /// use karat_blake2::blake2b::{self, Params};
    ///
    /// let longest = Params::<64>::new().digest_length(20).hash(b"karat");
    /// assert_eq!(longest[..20], blake2b::hash::<20>(b"karat"));
    /// ```
    ///
    /// # Panics
    /// When `bytes` is not 1 to `N`.
    #[must_use]
    #[track_caller]
    pub const fn digest_length(mut self, bytes: usize) -> Self {
        assert!(
            bytes >= 1 && bytes <= N,
            "the digest is at least 1 byte, and no longer than the array"
        );
        self.length = bytes as u8;
        self
    }

    /// Sets a key of up to 64 bytes (BLAKE2s: 32). The hash is then a MAC. An empty key
    /// means no key.
    ///
    /// # Panics
    /// When the key is longer.
    #[must_use]
    pub fn key(mut self, key: &[u8]) -> Self {
        let (name, most) = (A::NAME, A::LONGEST);
        assert!(
            key.len() <= most,
            "a key of {} bytes, {name} takes up to {most}: hash the key first",
            key.len()
        );
        self.key = [0; 64];
        self.key[..key.len()].copy_from_slice(key);
        self.key_length = key.len() as u8;
        self
    }

    /// Sets a salt of up to 16 bytes (BLAKE2s: 8). A shorter salt is padded with zeros.
    ///
    /// # Panics
    /// When the salt is longer.
    #[must_use]
    pub fn salt(mut self, salt: &[u8]) -> Self {
        self.salt = Self::padded("salt", salt);
        self
    }

    /// Sets a personalisation of up to 16 bytes (BLAKE2s: 8). It separates the hashes
    /// of one use from those of another. A shorter one is padded with zeros.
    ///
    /// # Panics
    /// When it is longer.
    #[must_use]
    pub fn personal(mut self, personal: &[u8]) -> Self {
        self.personal = Self::padded("personalisation", personal);
        self
    }

    #[track_caller]
    fn padded(what: &str, bytes: &[u8]) -> [u8; 16] {
        let (name, most) = (A::NAME, A::SALT);
        assert!(
            bytes.len() <= most,
            "a {what} of {} bytes, {name} takes up to {most}",
            bytes.len()
        );
        let mut padded = [0; 16];
        padded[..bytes.len()].copy_from_slice(bytes);
        padded
    }

    /// Sets the fanout: children of each node of a tree. 0 means unlimited. The default
    /// is 1.
    #[must_use]
    pub const fn fanout(mut self, fanout: u8) -> Self {
        self.fanout = fanout;
        self
    }

    /// Sets the depth of a tree. 255 means unlimited. The default is 1: no tree.
    ///
    /// # Panics
    /// When it is 0.
    #[must_use]
    pub const fn max_depth(mut self, depth: u8) -> Self {
        assert!(
            depth > 0,
            "a tree has at least one layer: max_depth is 1 to 255"
        );
        self.max_depth = depth;
        self
    }

    /// Sets the number of message bytes in a leaf. 0 means unlimited.
    #[must_use]
    pub const fn max_leaf_length(mut self, bytes: u32) -> Self {
        self.leaf_length = bytes;
        self
    }

    /// Sets the position of this node in its layer, counted from 0.
    ///
    /// # Panics
    /// When it is 2^48 or more in BLAKE2s, whose field has 48 bits.
    #[must_use]
    pub const fn node_offset(mut self, offset: u64) -> Self {
        assert!(
            A::Word::BYTES == 8 || offset >> 48 == 0,
            "a node offset of BLAKE2s is below 2^48"
        );
        self.node_offset = offset;
        self
    }

    /// Sets the layer of this node. Leaves are in layer 0.
    #[must_use]
    pub const fn node_depth(mut self, depth: u8) -> Self {
        self.node_depth = depth;
        self
    }

    /// Sets the length in bytes of the inner nodes' digests. It is 0 without a tree.
    ///
    /// # Panics
    /// When it is above 64 (BLAKE2s: 32).
    #[must_use]
    pub const fn inner_hash_length(mut self, bytes: usize) -> Self {
        assert!(
            bytes <= A::LONGEST,
            "an inner digest has up to 64 bytes in BLAKE2b, 32 in BLAKE2s"
        );
        self.inner_length = bytes as u8;
        self
    }

    /// Sets whether this is the last node of its layer.
    #[must_use]
    pub const fn last_node(mut self, last: bool) -> Self {
        self.last_node = last;
        self
    }

    /// The digest of `input`.
    #[must_use]
    // Always inlined: known parameters then become a constant state. In a call they
    // would go through memory, and loads wider than the stores would wait
    // (docs/notes/blake2.md).
    #[inline(always)]
    pub fn hash(&self, input: &[u8]) -> [u8; N] {
        if self.key_length == 0 && !self.last_node {
            return hash::<A, N>(&self.node().h, input);
        }
        let mut node = self.node();
        self.finish(&mut node, input);
        digest(&node.h)
    }

    /// The digests of many messages of equal or different lengths.
    ///
    /// # Panics
    /// When `messages` and `out` differ in length.
    #[inline]
    pub fn hash_many(&self, messages: &[&[u8]], out: &mut [[u8; N]]) {
        karat_hash_core::places::check(messages.len(), out.len());
        let mut node = self.node();
        if self.key_length > 0 {
            node.blocks(A::compress(), &self.key_block()[..A::BLOCK]);
        }
        let taken = A::many().in_step.map_or(0, |in_step| {
            // SAFETY: the table gave the function, so the CPU can run it.
            unsafe { in_step(&node, messages, out.as_flattened_mut(), N) }
        });
        if taken < messages.len() {
            self.hash_each(node, &messages[taken..], &mut out[taken..]);
        }
    }

    /// Hashes messages of any lengths, from the state after the key block.
    #[inline(never)]
    fn hash_each(&self, node: Node<A::Word>, messages: &[&[u8]], out: &mut [[u8; N]]) {
        let mut start = Start {
            node,
            empty: [A::Word::default(); 8],
            compress: A::compress(),
        };
        if self.key_length > 0 || messages.iter().any(|m| m.is_empty()) {
            let mut node = self.node();
            self.finish(&mut node, &[]);
            start.empty = node.h;
        }
        // SAFETY: the table gave the functions, so the CPU can run them.
        unsafe { (A::many().hash)(&start, messages, &mut Sink::new(out)) }
    }

    #[inline]
    fn finish(&self, node: &mut Node<A::Word>, input: &[u8]) {
        let compress = A::compress();
        if self.key_length > 0 {
            let key = self.key_block();
            if input.is_empty() {
                return node.last(compress, &key[..A::BLOCK]);
            }
            node.blocks(compress, &key[..A::BLOCK]);
        }
        node.finish(compress, input);
    }

    /// The initial state for these parameters.
    #[inline]
    pub(crate) fn node(&self) -> Node<A::Word> {
        let mut block = [0; 64];
        block[0] = self.length;
        block[1] = self.key_length;
        block[2] = self.fanout;
        block[3] = self.max_depth;
        block[4..8].copy_from_slice(&self.leaf_length.to_le_bytes());
        block[8..16].copy_from_slice(&self.node_offset.to_le_bytes());
        // BLAKE2b: 8 bytes of node offset, then these two and 14 reserved bytes.
        // BLAKE2s: 6 bytes of node offset, then these two.
        let at = if A::Word::BYTES == 8 { 16 } else { 14 };
        block[at] = self.node_depth;
        block[at + 1] = self.inner_length;
        let (salt, size) = (4 * A::Word::BYTES, A::SALT);
        block[salt..salt + size].copy_from_slice(&self.salt[..size]);
        block[salt + size..salt + 2 * size].copy_from_slice(&self.personal[..size]);
        let mut h = *A::IV;
        for (word, bytes) in h.iter_mut().zip(block.chunks_exact(A::Word::BYTES)) {
            *word = *word ^ A::Word::read(bytes);
        }
        Node {
            h,
            t: 0,
            last_node: self.last_node,
        }
    }

    pub(crate) const fn has_key(&self) -> bool {
        self.key_length > 0
    }

    /// The key, padded to a block.
    #[inline]
    pub(crate) fn key_block(&self) -> [u8; 128] {
        let mut block = [0; 128];
        block[..64].copy_from_slice(&self.key);
        block
    }
}

/// The digest of a message without a key, from the initial state for some parameters.
///
/// A caller's compiler flags can change only a few instructions around one call. The
/// state is a constant, and the digest is written directly to the caller's place. That
/// place is not set to zero first, because the compiler would then set another one and
/// copy it.
#[inline]
pub(crate) fn hash<A: Algorithm, const N: usize>(start: &[A::Word; 8], input: &[u8]) -> [u8; N] {
    const { Params::<A, N>::LENGTH_FITS };
    let mut out = MaybeUninit::<[u8; N]>::uninit();
    // SAFETY: the table gave the function, so the CPU can run it. It writes N bytes,
    // which is at most the longest digest.
    unsafe {
        (A::one(input.len()).hash)(start, input, out.as_mut_ptr().cast(), N);
        out.assume_init()
    }
}

/// The plain hash at a length known at run time. `plain` gives the initial state for
/// it.
///
/// # Panics
/// When `out` is empty or longer than the algorithm's longest digest.
pub(crate) fn hash_into<A: Algorithm>(
    plain: fn(usize) -> [A::Word; 8],
    input: &[u8],
    out: &mut [u8],
) {
    let (name, most) = (A::NAME, A::LONGEST);
    assert!(
        (1..=most).contains(&out.len()),
        "room for a digest of {} bytes, {name} makes 1 to {most}",
        out.len()
    );
    // SAFETY: the table gave the function, so the CPU can run it. The length was
    // checked above.
    unsafe { (A::one(input.len()).hash)(&plain(out.len()), input, out.as_mut_ptr(), out.len()) };
}
