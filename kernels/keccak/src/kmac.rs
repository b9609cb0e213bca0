//! KMAC (NIST SP 800-185, section 4): a MAC of Keccak, with output of any length.

use super::cshake::CShake;
use super::encoding;
use super::output::OutputReader;
use core::fmt;
use karat_hash_core::ct;

/// KMAC with blocks of `RATE` bytes, under a key. A clone of it keeps the key. Use it
/// through the modules, as [`kmac128::Hasher`](super::kmac128::Hasher) or
/// [`kmac256::Hasher`](super::kmac256::Hasher).
#[derive(Clone)]
pub struct Kmac<const RATE: usize> {
    hasher: CShake<RATE>,
    /// The same without input.
    start: CShake<RATE>,
}

impl<const RATE: usize> Kmac<RATE> {
    /// Creates a hasher. `customization` separates this use of the key from others, and
    /// may be empty. The standard asks for keys of at least 16 bytes in KMAC128 and 32 in
    /// KMAC256 for their full strength (section 8.4.1).
    #[must_use]
    pub fn new(key: &[u8], customization: &[u8]) -> Self {
        let mut hasher = CShake::with_name(b"KMAC", customization);
        encoding::strings(&mut hasher.sponge, hasher.p, &[key]);
        Self {
            start: hasher.clone(),
            hasher,
        }
    }

    /// Adds a piece of the message.
    pub fn update(&mut self, piece: &[u8]) -> &mut Self {
        self.hasher.update(piece);
        self
    }

    /// The MAC of all pieces so far, of `N` bytes. More may follow. A MAC of another
    /// length is another one, not a part of this one.
    #[must_use]
    pub fn finalize<const N: usize>(&self) -> [u8; N] {
        let mut out = [0; N];
        self.finalize_into(&mut out);
        out
    }

    /// As [`finalize`](Self::finalize), for a length that is known only at run time: that
    /// of `out`.
    pub fn finalize_into(&self, out: &mut [u8]) {
        self.output(8 * out.len() as u128).fill(out);
    }

    /// The output of KMACXOF, of any length (section 4.3.1). It is another function than
    /// [`finalize`](Self::finalize).
    #[must_use]
    pub fn finalize_xof(&self) -> OutputReader<RATE> {
        self.output(0)
    }

    /// Whether `mac` is the MAC of all pieces so far. The time does not depend on where
    /// it differs.
    #[must_use]
    pub fn verify<const N: usize>(&self, mac: &[u8; N]) -> bool {
        ct::eq(&self.finalize::<N>(), mac)
    }

    /// Forgets all pieces, but neither key nor customisation.
    pub fn reset(&mut self) -> &mut Self {
        self.hasher.clone_from(&self.start);
        self
    }

    fn output(&self, bits: u128) -> OutputReader<RATE> {
        let mut hasher = self.hasher.clone();
        encoding::right(&mut hasher.sponge, hasher.p, bits);
        hasher.finalize_xof()
    }
}

/// Hides key and message.
impl<const RATE: usize> fmt::Debug for Kmac<RATE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("keccak::Kmac")
            .field("rate", &RATE)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "std")]
impl<const RATE: usize> std::io::Write for Kmac<RATE> {
    fn write(&mut self, piece: &[u8]) -> std::io::Result<usize> {
        self.update(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
