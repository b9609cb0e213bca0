//! SHAKE and TurboSHAKE: output of any length.

use super::kernel_many::MANY;
use super::output::OutputReader;
use super::sponge::Sponge;
use super::state::{Parameters, Rounds};
use core::fmt;

/// SHAKE with blocks of `RATE` bytes (FIPS 202). Use it through the modules, for example
/// as [`shake128::Hasher`](super::shake128::Hasher).
pub type Shake<const RATE: usize> = Xof<RATE, 0x1f, 24>;

/// TurboSHAKE with blocks of `RATE` bytes (RFC 9861). `DOMAIN` is the byte that separates
/// domains, 0x01 to 0x7f. Other numbers do not compile:
///
/// ```compile_fail
/// karat_keccak::TurboShake::<168, 0x80>::new().update(b"karat");
/// ```
pub type TurboShake<const RATE: usize, const DOMAIN: u8> = Xof<RATE, DOMAIN, 12>;

/// An extendable-output function: [`Shake`] or [`TurboShake`]. Other numbers than theirs
/// do not compile:
///
/// ```compile_fail
/// karat_keccak::Shake::<1000>::new().update(b"karat");
/// ```
#[derive(Clone)]
pub struct Xof<const RATE: usize, const SUFFIX: u8, const ROUNDS: usize> {
    sponge: Sponge,
}

impl<const RATE: usize, const SUFFIX: u8, const ROUNDS: usize> Xof<RATE, SUFFIX, ROUNDS> {
    /// Bytes in a block.
    pub const RATE: usize = RATE;

    /// The kernels rely on these values. Others do not compile.
    const PARAMETERS: Parameters = {
        assert!(
            matches!(RATE, 168 | 136),
            "SHAKE128 and TurboSHAKE128 have blocks of 168 bytes, the others of 136"
        );
        assert!(
            matches!((ROUNDS, SUFFIX), (24, 0x1f) | (12, 0x01..=0x7f)),
            "SHAKE has 24 rounds, TurboSHAKE 12 and a byte from 0x01 to 0x7f"
        );
        Parameters {
            words: RATE / 8,
            suffix: SUFFIX,
            rounds: if ROUNDS == 24 {
                Rounds::All
            } else {
                Rounds::Last12
            },
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

    /// The first `N` bytes of output for the input so far. More input may follow.
    #[must_use]
    pub fn finalize<const N: usize>(&self) -> [u8; N] {
        let mut out = [0; N];
        self.finalize_xof().fill(&mut out);
        out
    }

    /// The output for the input so far. More input may follow.
    #[must_use]
    pub fn finalize_xof(&self) -> OutputReader<RATE> {
        OutputReader::new(&self.sponge, Self::PARAMETERS)
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

    /// The first `N` bytes of output for `input`.
    #[must_use]
    pub fn hash<const N: usize>(input: &[u8]) -> [u8; N] {
        let mut hasher = Self::new();
        hasher.update(input);
        hasher.finalize()
    }

    /// The first `N` bytes of output for each of many messages of any lengths. Messages
    /// are hashed several at a time if `N` is at most `RATE`, else one after the other.
    ///
    /// # Panics
    /// When `messages` and `out` differ in length.
    pub fn hash_many<const N: usize>(messages: &[&[u8]], out: &mut [[u8; N]]) {
        karat_hash_core::places::check(messages.len(), out.len());
        if N > RATE {
            for (message, out) in messages.iter().zip(out) {
                *out = Self::hash(message);
            }
            return;
        }
        // SAFETY: `get` gives what this CPU can run. `out` has N bytes for each
        // message, and N is at most the rate.
        unsafe { (MANY.get())(messages, out.as_flattened_mut(), N, Self::PARAMETERS) };
    }
}

impl<const RATE: usize, const SUFFIX: u8, const ROUNDS: usize> Default
    for Xof<RATE, SUFFIX, ROUNDS>
{
    fn default() -> Self {
        Self::new()
    }
}

/// Hides the state, which may depend on a secret.
impl<const RATE: usize, const SUFFIX: u8, const ROUNDS: usize> fmt::Debug
    for Xof<RATE, SUFFIX, ROUNDS>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if ROUNDS == 24 {
            "keccak::Shake"
        } else {
            "keccak::TurboShake"
        };
        f.debug_struct(name)
            .field("rate", &RATE)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "std")]
impl<const RATE: usize, const SUFFIX: u8, const ROUNDS: usize> std::io::Write
    for Xof<RATE, SUFFIX, ROUNDS>
{
    fn write(&mut self, input: &[u8]) -> std::io::Result<usize> {
        self.update(input);
        Ok(input.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
