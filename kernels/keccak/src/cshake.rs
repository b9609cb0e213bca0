//! cSHAKE (NIST SP 800-185, section 3): SHAKE with a name and a customisation.

use super::encoding;
use super::output::OutputReader;
use super::sponge::Sponge;
use super::state::{Parameters, Rounds};
use core::fmt;

/// cSHAKE with blocks of `RATE` bytes. Use it through the modules, as
/// [`cshake128::Hasher`](super::cshake128::Hasher) or
/// [`cshake256::Hasher`](super::cshake256::Hasher).
#[derive(Clone)]
pub struct CShake<const RATE: usize> {
    pub(crate) sponge: Sponge,
    pub(crate) p: Parameters,
    /// The sponge after name and customisation.
    start: Sponge,
}

impl<const RATE: usize> CShake<RATE> {
    /// Creates a hasher. `customization` separates this use of the hash from others.
    #[must_use]
    pub fn new(customization: &[u8]) -> Self {
        Self::with_name(b"", customization)
    }

    /// Creates a hasher for a function that is built on cSHAKE. Such names are NIST's to
    /// give: others use [`CShake::new`] (section 3.4).
    ///
    /// If both are empty, the function is SHAKE.
    #[must_use]
    pub fn with_name(name: &[u8], customization: &[u8]) -> Self {
        const {
            assert!(
                matches!(RATE, 168 | 136),
                "cSHAKE128 has blocks of 168 bytes, cSHAKE256 of 136"
            );
        }
        let plain = name.is_empty() && customization.is_empty();
        let p = Parameters {
            words: RATE / 8,
            suffix: if plain { 0x1f } else { 0x04 },
            rounds: Rounds::All,
        };
        let mut sponge = Sponge::NEW;
        if !plain {
            encoding::strings(&mut sponge, p, &[name, customization]);
        }
        Self {
            start: sponge.clone(),
            sponge,
            p,
        }
    }

    /// Adds input.
    pub fn update(&mut self, input: &[u8]) -> &mut Self {
        self.sponge.absorb(self.p, input);
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
        OutputReader::new(&self.sponge, self.p)
    }

    /// Forgets all input, but not name and customisation.
    pub fn reset(&mut self) -> &mut Self {
        self.sponge.clone_from(&self.start);
        self
    }
}

/// Hides the state, which may depend on a secret.
impl<const RATE: usize> fmt::Debug for CShake<RATE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("keccak::CShake")
            .field("rate", &RATE)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "std")]
impl<const RATE: usize> std::io::Write for CShake<RATE> {
    fn write(&mut self, input: &[u8]) -> std::io::Result<usize> {
        self.update(input);
        Ok(input.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
