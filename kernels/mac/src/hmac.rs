//! HMAC (RFC 2104, FIPS 198-1).
//!
//! ```
//! use karat_mac::{Sha256, hmac};
//!
//! let key = hmac::Key::<Sha256>::new(b"Jefe");
//! let mac = key.mac(b"what do ya want for nothing?");
//! assert_eq!(mac[..4], [0x5b, 0xdc, 0xc1, 0x46]);
//!
//! // Compares in constant time. `==` on arrays does not.
//! assert!(key.verify(b"what do ya want for nothing?", &mac));
//!
//! // Many messages, and many keys.
//! let other = hmac::Key::new(b"another key");
//! let mut macs = [[0; 32]; 2];
//! key.mac_many(&[b"one", b"two"], &mut macs);
//! hmac::mac_many(&[&key, &other], &[b"one", b"one"], &mut macs);
//! assert_eq!(macs[1], other.mac(b"one"));
//! ```

use crate::algorithm::{Algorithm, Bytes as _};
use crate::group::{GROUP, filled};
use core::fmt;
use karat_hash_core::{ct, places};

/// A key, as the two states after its blocks. It saves two of the four blocks of a short
/// message to keep it.
#[derive(Clone)]
pub struct Key<A: Algorithm> {
    pub(crate) inner: A::Start,
    pub(crate) outer: A::Start,
}

impl<A: Algorithm> Key<A> {
    /// Prepares a key of any length. One longer than a block is hashed first.
    #[must_use]
    pub fn new(key: &[u8]) -> Self {
        let mut block = A::Block::ZERO;
        let hashed;
        let key = if key.len() > A::BLOCK {
            hashed = A::hash(key);
            hashed.as_ref()
        } else {
            key
        };
        block.as_mut()[..key.len()].copy_from_slice(key);
        let padded = |byte: u8| {
            let mut padded = block;
            padded.as_mut().iter_mut().for_each(|b| *b ^= byte);
            A::start(&padded)
        };
        Self {
            inner: padded(0x36),
            outer: padded(0x5c),
        }
    }

    /// The MAC of a message.
    #[must_use]
    pub fn mac(&self, message: &[u8]) -> A::Digest {
        let inner = A::hash_from(&self.inner, message);
        A::hash_from(&self.outer, inner.as_ref())
    }

    /// Whether `mac` is the MAC of `message`. The time does not depend on where it
    /// differs. A shortened MAC is refused.
    #[must_use]
    pub fn verify(&self, message: &[u8], mac: &[u8]) -> bool {
        ct::eq(self.mac(message).as_ref(), mac)
    }

    /// The MACs of many messages, several at a time.
    ///
    /// # Panics
    /// When `messages` and `out` differ in length.
    #[track_caller]
    pub fn mac_many(&self, messages: &[&[u8]], out: &mut [A::Digest]) {
        places::check(messages.len(), out.len());
        let keys = [self; GROUP];
        for (messages, out) in messages.chunks(GROUP).zip(out.chunks_mut(GROUP)) {
            group(&keys[..messages.len()], messages, out);
        }
    }

    /// For a message in pieces.
    #[must_use]
    pub fn to_hasher(&self) -> Hasher<A> {
        Hasher {
            inner: A::hasher(&self.inner),
            outer: self.outer.clone(),
        }
    }
}

/// Hides the key.
impl<A: Algorithm> fmt::Debug for Key<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("hmac::Key")
            .field("hash", &A::NAME)
            .finish_non_exhaustive()
    }
}

/// The MACs of many messages, each with its key, several at a time.
///
/// # Panics
/// When `keys`, `messages` and `out` differ in length.
#[track_caller]
pub fn mac_many<A: Algorithm>(keys: &[&Key<A>], messages: &[&[u8]], out: &mut [A::Digest]) {
    places::check(messages.len(), out.len());
    assert!(
        keys.len() == messages.len(),
        "{} keys for {} messages: give each message its key",
        keys.len(),
        messages.len()
    );
    let groups = keys.chunks(GROUP).zip(messages.chunks(GROUP));
    for ((keys, messages), out) in groups.zip(out.chunks_mut(GROUP)) {
        group(keys, messages, out);
    }
}

/// The MACs of at least one message and at most [`GROUP`].
fn group<A: Algorithm>(keys: &[&Key<A>], messages: &[&[u8]], out: &mut [A::Digest]) {
    let count = keys.len();
    let inner = filled(keys.iter().map(|key| &key.inner));
    A::hash_many(&inner[..count], messages, out);
    let digests = filled(out.iter().copied());
    let outer = filled(keys.iter().map(|key| &key.outer));
    let messages = digests.each_ref().map(|digest| digest.as_ref());
    A::hash_many(&outer[..count], &messages[..count], out);
}

/// A message in pieces, under a key.
#[derive(Clone)]
pub struct Hasher<A: Algorithm> {
    inner: A::Hasher,
    outer: A::Start,
}

impl<A: Algorithm> Hasher<A> {
    /// Adds a piece of the message.
    pub fn update(&mut self, piece: &[u8]) -> &mut Self {
        A::update(&mut self.inner, piece);
        self
    }

    /// Reads `reader` to its end.
    ///
    /// # Errors
    /// Returns the error of the reader. The bytes before the error have been hashed.
    #[cfg(feature = "std")]
    pub fn update_reader(&mut self, reader: impl std::io::Read) -> std::io::Result<&mut Self> {
        karat_hash_core::reader::read_all(reader, |bytes| A::update(&mut self.inner, bytes))?;
        Ok(self)
    }

    /// The MAC of all pieces so far. More may follow.
    #[must_use]
    pub fn finalize(&self) -> A::Digest {
        A::hash_from(&self.outer, A::finalize(&self.inner).as_ref())
    }

    /// Whether `mac` is the MAC of all pieces so far. The time does not depend on where
    /// it differs. A shortened MAC is refused.
    #[must_use]
    pub fn verify(&self, mac: &[u8]) -> bool {
        ct::eq(self.finalize().as_ref(), mac)
    }
}

/// Hides key and message.
impl<A: Algorithm> fmt::Debug for Hasher<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("hmac::Hasher")
            .field("hash", &A::NAME)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "std")]
impl<A: Algorithm> std::io::Write for Hasher<A> {
    fn write(&mut self, piece: &[u8]) -> std::io::Result<usize> {
        self.update(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
