//! One message, at once or in pieces.

use super::options::within;
use super::state::{self, STEP, State};
use super::{Algorithm, Error, Options};
use karat_hash::keccak::{keccak256, keccak512};
use karat_hash::sha3::{sha3_224, sha3_256, sha3_384, sha3_512};
use karat_hash::{blake2b, blake2s, blake3, sha256, sha512};
use std::fmt;

/// An incremental hasher of any algorithm.
pub struct Hasher {
    algorithm: Algorithm,
    digest_size: usize,
    state: Box<dyn State>,
}

impl Hasher {
    /// A hasher without input.
    ///
    /// # Errors
    /// When the algorithm does not take these options.
    pub fn new(algorithm: Algorithm, options: &Options<'_>) -> Result<Self, Error> {
        options.check(algorithm)?;
        Ok(Self {
            algorithm,
            digest_size: options.digest_size(algorithm)?,
            state: state::new(algorithm, options),
        })
    }

    /// The algorithm.
    #[must_use]
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Length of a digest; 0 for extendable output without a usual length.
    #[must_use]
    pub const fn digest_size(&self) -> usize {
        self.digest_size
    }

    /// Adds a piece of the message.
    pub fn update(&mut self, piece: &[u8]) {
        self.state.update(piece);
    }

    /// The digest of all pieces so far; more may follow. Of extendable output as many
    /// bytes as there is room for.
    ///
    /// # Errors
    /// When the room is not as long as the digest.
    pub fn digest(&self, out: &mut [u8]) -> Result<(), Error> {
        if !self.algorithm.is_extendable() && out.len() != self.digest_size {
            return Err(Error::Room {
                needed: self.digest_size,
                found: out.len(),
            });
        }
        self.state.fill(out);
        Ok(())
    }

    /// Extendable output from a place on.
    ///
    /// # Errors
    /// When the algorithm's output is not extendable, or ends before.
    pub fn output(&self, position: u64, out: &mut [u8]) -> Result<(), Error> {
        self.output_while(position, out, &mut || true).map(|_| ())
    }

    /// As [`output`](Self::output), as long as `go_on` says so: a sponge makes all output
    /// before the place, and asks several times a millisecond. False when it was stopped.
    ///
    /// # Errors
    /// Those of [`output`](Self::output).
    pub fn output_while(
        &self,
        position: u64,
        out: &mut [u8],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Error> {
        if position == 0 && out.len() <= STEP {
            return self.digest(out).map(|()| true);
        }
        let Some(mut reader) = self.state.reader() else {
            return match position {
                0 => self.digest(out).map(|()| true),
                _ => Err(Error::NotTaken {
                    algorithm: self.algorithm.name(),
                    option: "place in its output",
                }),
            };
        };
        let end = u64::MAX - out.len() as u64;
        within(self.algorithm.name(), "the place", position, 0, end)?;
        while reader.approach(position) < position {
            if !go_on() {
                return Ok(false);
            }
        }
        for (n, piece) in out.chunks_mut(STEP).enumerate() {
            if n > 0 && !go_on() {
                return Ok(false);
            }
            reader.fill(piece);
        }
        Ok(true)
    }
}

impl Clone for Hasher {
    fn clone(&self) -> Self {
        Self {
            state: self.state.boxed(),
            ..*self
        }
    }
}

/// Hides what was hashed.
impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hasher")
            .field("algorithm", &self.algorithm)
            .field("digest_size", &self.digest_size)
            .finish_non_exhaustive()
    }
}

/// The digest of one message. `out` is as long as the digest, or as much as is wanted of
/// extendable output.
///
/// # Errors
/// When the algorithm does not take these options, or `out` is not as long as the digest.
pub fn hash(
    algorithm: Algorithm,
    options: &Options<'_>,
    message: &[u8],
    out: &mut [u8],
) -> Result<(), Error> {
    use Algorithm as A;
    if !options.are_default() || algorithm.is_extendable() && out.len() != blake3::OUT_LEN {
        return incremental(algorithm, options, message, out);
    }
    let room = out.len();
    // Short messages would feel an allocation: those that have a function take it.
    macro_rules! plain {
        ($hash:expr) => {{
            let digest = $hash(message);
            let copied = <&mut [u8; _]>::try_from(out).map(|out| *out = digest);
            copied.map_err(|_| Error::Room {
                needed: digest.len(),
                found: room,
            })
        }};
    }
    match algorithm {
        A::Blake2b => plain!(blake2b::hash::<64>),
        A::Blake2s => plain!(blake2s::hash::<32>),
        A::Blake3 => plain!(blake3::hash),
        A::Sha224 => plain!(sha256::sha224::hash),
        A::Sha256 => plain!(sha256::hash),
        A::Sha384 => plain!(sha512::sha384::hash),
        A::Sha512 => plain!(sha512::hash),
        A::Sha512_256 => plain!(sha512::sha512_256::hash),
        A::Sha3_224 => plain!(sha3_224::hash),
        A::Sha3_256 => plain!(sha3_256::hash),
        A::Sha3_384 => plain!(sha3_384::hash),
        A::Sha3_512 => plain!(sha3_512::hash),
        A::Keccak256 => plain!(keccak256::hash),
        A::Keccak512 => plain!(keccak512::hash),
        _ => incremental(algorithm, options, message, out),
    }
}

fn incremental(
    algorithm: Algorithm,
    options: &Options<'_>,
    message: &[u8],
    out: &mut [u8],
) -> Result<(), Error> {
    let mut hasher = Hasher::new(algorithm, options)?;
    hasher.update(message);
    hasher.digest(out)
}
