//! HKDF (RFC 5869): keys from a secret with much entropy, such as a shared secret of
//! Diffie-Hellman. Not for passwords.
//!
//! ```
//! use karat_mac::{Sha256, hkdf};
//!
//! let secret = [0x0b; 22];
//! let mut key = [0; 42];
//! hkdf::derive::<Sha256>(b"salt", &secret, b"encryption", &mut key)?;
//!
//! // The same in its two steps, for several keys.
//! let extracted = hkdf::Extracted::<Sha256>::new(b"salt", &secret);
//! let (mut first, mut second) = ([0; 42], [0; 16]);
//! extracted.expand(b"encryption", &mut first)?;
//! extracted.expand(b"authentication", &mut second)?;
//! assert_eq!(first, key);
//! # Ok::<(), hkdf::TooLong>(())
//! ```

use crate::algorithm::Algorithm;
use crate::hmac::Key;
use core::fmt;

/// The output is longer than HKDF allows: 255 digests (RFC 5869, section 2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong {
    /// Bytes that were asked for.
    pub asked: usize,
    /// The most that there are.
    pub most: usize,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "HKDF was asked for {} bytes, but has at most {}: ask for less, or expand \
             several times with different info",
            self.asked, self.most
        )
    }
}

impl core::error::Error for TooLong {}

/// Fills `out` with key material from `secret`. `salt` may be empty. `info` says what
/// the key is for.
///
/// # Errors
/// When `out` is longer than 255 digests. It is not changed then.
pub fn derive<A: Algorithm>(
    salt: &[u8],
    secret: &[u8],
    info: &[u8],
    out: &mut [u8],
) -> Result<(), TooLong> {
    Extracted::<A>::new(salt, secret).expand(info, out)
}

/// The extracted key, from which others are expanded.
#[derive(Clone, Debug)]
pub struct Extracted<A: Algorithm>(Key<A>);

impl<A: Algorithm> Extracted<A> {
    /// HKDF-Extract (RFC 5869, section 2.2). `salt` may be empty.
    #[must_use]
    pub fn new(salt: &[u8], secret: &[u8]) -> Self {
        Self::from_key(Key::<A>::new(salt).mac(secret).as_ref())
    }

    /// Takes a key that is as good as an extracted one: random bytes, at least as many
    /// as a digest has (RFC 5869, section 3.3).
    #[must_use]
    pub fn from_key(key: &[u8]) -> Self {
        Self(Key::new(key))
    }

    /// HKDF-Expand (RFC 5869, section 2.3): fills `out`.
    ///
    /// # Errors
    /// When `out` is longer than 255 digests. It is not changed then.
    pub fn expand(&self, info: &[u8], out: &mut [u8]) -> Result<(), TooLong> {
        let most = 255 * A::LENGTH;
        if out.len() > most {
            return Err(TooLong {
                asked: out.len(),
                most,
            });
        }
        let mut before = None;
        for (out, number) in out.chunks_mut(A::LENGTH).zip(1..=255_u8) {
            let mut hasher = self.0.to_hasher();
            if let Some(before) = &before {
                hasher.update(AsRef::<[u8]>::as_ref(before));
            }
            let block = hasher.update(info).update(&[number]).finalize();
            out.copy_from_slice(&block.as_ref()[..out.len()]);
            before = Some(block);
        }
        Ok(())
    }
}
