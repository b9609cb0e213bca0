//! What is made of SHA-2 and SHA-3: HMAC, HKDF, PBKDF2.

use super::algorithm::same;
use super::{Algorithm, Error};
use karat_hash::mac::{
    Sha3_224, Sha3_256, Sha3_384, Sha3_512, Sha224, Sha256, Sha384, Sha512, Sha512_256,
    hkdf as kdf, hmac as keyed, pbkdf2 as stretch,
};
use std::num::NonZeroU32;
use std::str::FromStr;

/// A hash that HMAC is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MacAlgorithm(Algorithm);

/// Calls a generic function with the hash's type.
macro_rules! with {
    ($algorithm:expr, $type:ident => $call:expr) => {{
        macro_rules! arm {
            ($name:ty) => {{
                type $type = $name;
                $call
            }};
        }
        match $algorithm.0 {
            Algorithm::Sha224 => arm!(Sha224),
            Algorithm::Sha384 => arm!(Sha384),
            Algorithm::Sha512 => arm!(Sha512),
            Algorithm::Sha512_256 => arm!(Sha512_256),
            Algorithm::Sha3_224 => arm!(Sha3_224),
            Algorithm::Sha3_256 => arm!(Sha3_256),
            Algorithm::Sha3_384 => arm!(Sha3_384),
            Algorithm::Sha3_512 => arm!(Sha3_512),
            // `from_str` lets only these and SHA-256 through.
            _ => arm!(Sha256),
        }
    }};
}

impl MacAlgorithm {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self(Algorithm::Sha224),
        Self(Algorithm::Sha256),
        Self(Algorithm::Sha384),
        Self(Algorithm::Sha512),
        Self(Algorithm::Sha512_256),
        Self(Algorithm::Sha3_224),
        Self(Algorithm::Sha3_256),
        Self(Algorithm::Sha3_384),
        Self(Algorithm::Sha3_512),
    ];

    /// Bytes of a MAC.
    #[must_use]
    pub fn size(self) -> usize {
        with!(self, A => <A as karat_hash::mac::Algorithm>::LENGTH)
    }

    /// The hash.
    #[must_use]
    pub const fn hash(self) -> Algorithm {
        self.0
    }
}

impl FromStr for MacAlgorithm {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut all = Self::ALL.iter().copied();
        all.find(|m| same(m.0.name(), text))
            .ok_or_else(|| Error::UnknownName {
                name: text.to_owned(),
                known: Self::ALL.iter().map(|m| m.0.name()).collect(),
            })
    }
}

/// HMAC (RFC 2104) of a message.
#[must_use]
pub fn hmac(algorithm: MacAlgorithm, key: &[u8], message: &[u8]) -> Vec<u8> {
    with!(algorithm, A => keyed::Key::<A>::new(key).mac(message).to_vec())
}

/// HMACs of many messages under one key, one behind the other.
#[must_use]
pub fn hmac_many(algorithm: MacAlgorithm, key: &[u8], messages: &[&[u8]]) -> Vec<u8> {
    with!(algorithm, A => {
        let mut out = vec![[0; <A as karat_hash::mac::Algorithm>::LENGTH]; messages.len()];
        keyed::Key::<A>::new(key).mac_many(messages, &mut out);
        out.into_flattened()
    })
}

/// HKDF (RFC 5869): key material of a secret, as much as there is room for.
///
/// # Errors
/// When more is asked for than 255 digests.
pub fn hkdf(
    algorithm: MacAlgorithm,
    secret: &[u8],
    salt: &[u8],
    info: &[u8],
    out: &mut [u8],
) -> Result<(), Error> {
    let found = out.len();
    with!(algorithm, A => kdf::derive::<A>(salt, secret, info, out)).map_err(|_| Error::Range {
        algorithm: "HKDF",
        what: "the length",
        found: found as u128,
        least: 0,
        most: 255 * algorithm.size() as u128,
    })
}

/// PBKDF2 (RFC 8018): key material of a password, as much as there is room for.
pub fn pbkdf2(
    algorithm: MacAlgorithm,
    password: &[u8],
    salt: &[u8],
    rounds: NonZeroU32,
    out: &mut [u8],
) {
    with!(algorithm, A => stretch::derive::<A>(password, salt, rounds, out));
}
