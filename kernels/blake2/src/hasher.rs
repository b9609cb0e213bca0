//! Incremental hashing.

use super::single::{Node, digest};
use super::{Algorithm, Params};
use core::fmt;

/// An incremental hash with digests of `N` bytes.
///
/// Digests are plain arrays: `==` on them is not constant time. Check digests made with
/// a key by [`verify`](Self::verify) or [`ct::eq`](karat_hash_core::ct::eq).
#[derive(Clone)]
pub struct Hasher<A: Algorithm, const N: usize> {
    node: Node<A::Word>,
    /// Bytes that are not compressed yet. A full last block waits here for the end.
    buffer: [u8; 128],
    held: u8,
    params: Params<A, N>,
}

#[cfg(feature = "zeroize")]
karat_hash_core::wiped_on_drop!([A: Algorithm, const N: usize] Hasher<A, N>);

impl<A: Algorithm, const N: usize> Params<A, N> {
    /// Creates a hasher with these parameters.
    #[must_use]
    pub fn to_hasher(&self) -> Hasher<A, N> {
        Hasher::with_params(self)
    }
}

impl<A: Algorithm, const N: usize> Hasher<A, N> {
    /// Creates a hasher of the plain hash.
    #[must_use]
    pub fn new() -> Self {
        Self::with_params(&Params::new())
    }

    /// Creates a hasher with these parameters; see [`Params`].
    #[must_use]
    pub fn with_params(params: &Params<A, N>) -> Self {
        let mut hasher = Self {
            node: params.node(),
            buffer: [0; 128],
            held: 0,
            params: *params,
        };
        if params.has_key() {
            hasher.buffer = params.key_block();
            hasher.held = A::BLOCK as u8;
        }
        hasher
    }

    /// Adds input.
    pub fn update(&mut self, mut input: &[u8]) -> &mut Self {
        let held = usize::from(self.held);
        let room = A::BLOCK - held;
        if input.len() <= room {
            self.buffer[held..held + input.len()].copy_from_slice(input);
            self.held += input.len() as u8;
            return self;
        }
        let compress = A::compress();
        if held > 0 {
            let (first, rest) = input.split_at(room);
            self.buffer[held..A::BLOCK].copy_from_slice(first);
            self.node.blocks(compress, &self.buffer[..A::BLOCK]);
            input = rest;
        }
        // 1 to BLOCK bytes are held back, because they may be the last ones.
        let (body, rest) = input.split_at((input.len() - 1) / A::BLOCK * A::BLOCK);
        self.node.blocks(compress, body);
        self.buffer[..rest.len()].copy_from_slice(rest);
        self.held = rest.len() as u8;
        self
    }

    /// The digest of the input so far. More input may follow.
    #[must_use]
    pub fn finalize(&self) -> [u8; N] {
        let rest = &self.buffer[..usize::from(self.held)];
        let mut node = self.node;
        node.last(A::compress(), rest);
        digest(&node.h)
    }

    /// Whether `mac` is the digest of the input so far. For a hash with a key: the time
    /// does not depend on the bytes of `mac` ([limits](karat_hash_core::ct#limits)). A `mac` of
    /// another length than `N` bytes is wrong.
    ///
    /// ```
    /// use karat_blake2::blake2b::Params;
    ///
    /// let mut hasher = Params::<32>::new().key(b"secret").to_hasher();
    /// hasher.update(b"karat");
    /// let mac = hasher.finalize();
    /// assert!(hasher.verify(&mac));
    /// assert!(!hasher.verify(&mac[..16]));
    /// assert!(!hasher.update(b"!").verify(&mac));
    /// ```
    #[must_use]
    pub fn verify(&self, mac: &[u8]) -> bool {
        karat_hash_core::ct::eq(&self.finalize(), mac)
    }

    /// Forgets all input. The parameters stay.
    pub fn reset(&mut self) -> &mut Self {
        *self = Self::with_params(&self.params);
        self
    }

    /// Number of input bytes so far.
    #[must_use]
    pub fn count(&self) -> u128 {
        let key = if self.params.has_key() { A::BLOCK } else { 0 };
        self.node.t + u128::from(self.held) - key as u128
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

impl<A: Algorithm, const N: usize> Default for Hasher<A, N> {
    fn default() -> Self {
        Self::new()
    }
}

/// Hides the state, which may depend on a key.
impl<A: Algorithm, const N: usize> fmt::Debug for Hasher<A, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hasher")
            .field("params", &self.params)
            .field("count", &self.count())
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "std")]
impl<A: Algorithm, const N: usize> std::io::Write for Hasher<A, N> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
