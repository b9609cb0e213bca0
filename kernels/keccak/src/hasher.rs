//! Hashes with a digest of fixed length.

use super::kernel_many::MANY;
use super::sponge::Sponge;
use super::state::{Parameters, Rounds};
use core::fmt;

/// A hash with a digest of `N` bytes, a capacity of twice that, and padding that begins
/// with `SUFFIX`. Use it through the modules, for example as
/// [`keccak256::Hasher`](super::keccak256::Hasher). Other numbers than theirs do not
/// compile:
///
/// ```compile_fail
/// let digest = karat_keccak::Hasher::<96, 0x06>::hash(b"karat");
/// ```
#[derive(Clone)]
pub struct Hasher<const N: usize, const SUFFIX: u8> {
    sponge: Sponge,
}

impl<const N: usize, const SUFFIX: u8> Hasher<N, SUFFIX> {
    /// Bytes in a block: 200 minus the capacity.
    pub const RATE: usize = Self::PARAMETERS.rate();

    /// The kernels rely on these values. Others do not compile.
    const PARAMETERS: Parameters = {
        assert!(
            matches!(N, 28 | 32 | 48 | 64) && matches!(SUFFIX, 0x01 | 0x06),
            "Keccak's digests are 28, 32, 48 or 64 bytes, and suffixes 0x01 or 0x06"
        );
        Parameters {
            words: 25 - N / 4,
            suffix: SUFFIX,
            rounds: Rounds::All,
        }
    };

    /// Creates a hasher without input.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            sponge: Sponge::NEW,
        }
    }

    /// Adds input.
    pub fn update(&mut self, input: &[u8]) -> &mut Self {
        self.sponge.absorb(Self::PARAMETERS, input);
        self
    }

    /// The digest of the input so far. More input may follow.
    #[must_use]
    pub fn finalize(&self) -> [u8; N] {
        let mut out = [0; N];
        self.sponge.clone().digest(Self::PARAMETERS, &mut out);
        out
    }

    /// Forgets all input.
    pub fn reset(&mut self) -> &mut Self {
        *self = Self::new();
        self
    }

    /// Reads `reader` to its end.
    ///
    /// # Errors
    /// Returns the error of the reader. The bytes before the error have been hashed.
    #[cfg(feature = "std")]
    pub fn update_reader(&mut self, reader: impl std::io::Read) -> std::io::Result<&mut Self> {
        karat_hash_core::reader::read_all(reader, |bytes| {
            self.update(bytes);
        })?;
        Ok(self)
    }

    /// The digest of `input`.
    #[must_use]
    #[inline]
    pub fn hash(input: &[u8]) -> [u8; N] {
        let mut out = [0; N];
        Sponge::hash(Self::PARAMETERS, input, &mut out);
        out
    }

    /// The digests of many messages of any lengths, several at a time.
    ///
    /// # Panics
    /// When `messages` and `out` differ in length.
    pub fn hash_many(messages: &[&[u8]], out: &mut [[u8; N]]) {
        karat_hash_core::places::check(messages.len(), out.len());
        // SAFETY: `get` gives what this CPU can run. `out` has N bytes for each
        // message, and N is less than the rate.
        unsafe { (MANY.get())(messages, out.as_flattened_mut(), N, Self::PARAMETERS) };
    }
}

impl<const N: usize, const SUFFIX: u8> Default for Hasher<N, SUFFIX> {
    fn default() -> Self {
        Self::new()
    }
}

/// Hides the state, which may depend on a secret.
impl<const N: usize, const SUFFIX: u8> fmt::Debug for Hasher<N, SUFFIX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("keccak::Hasher")
            .field("digest", &N)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "std")]
impl<const N: usize, const SUFFIX: u8> std::io::Write for Hasher<N, SUFFIX> {
    fn write(&mut self, input: &[u8]) -> std::io::Result<usize> {
        self.update(input);
        Ok(input.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
