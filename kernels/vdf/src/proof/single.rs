//! One proof and its bytes.

use crate::{Discriminant, Error, Form};
use alloc::vec::Vec;

/// What a computation came to, with the proof of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The result: `x` squared so many times.
    pub y: Form,
    /// The proof: `x` to the power of `2^iterations / B`, rounded down, for the challenge
    /// `B`.
    pub pi: Form,
}

impl Proof {
    /// Both forms, as chiavdf's `prove` gives them.
    #[must_use]
    pub fn to_bytes(&self, discriminant: &Discriminant) -> Vec<u8> {
        let mut bytes = self.y.to_bytes(discriminant);
        bytes.extend(self.pi.to_bytes(discriminant));
        bytes
    }

    /// The proof with these bytes.
    ///
    /// # Errors
    /// [`Error::Length`], and as [`Form::from_bytes`].
    pub fn from_bytes(bytes: &[u8], discriminant: &Discriminant) -> Result<Self, Error> {
        let length = discriminant.form_bytes();
        if bytes.len() != 2 * length {
            return Err(Error::Length {
                what: "a proof",
                expected: 2 * length,
                found: bytes.len(),
            });
        }
        let (y, pi) = bytes.split_at(length);
        Ok(Self {
            y: Form::from_bytes(y, discriminant)?,
            pi: Form::from_bytes(pi, discriminant)?,
        })
    }
}
