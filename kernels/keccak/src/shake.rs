//! SHAKE: output of any length.

use super::kernel_many::MANY;
use super::sponge::{Sponge, permute, squeeze};
use super::state::{Parameters, State};
use core::fmt;

/// An extendable-output function with blocks of `RATE` bytes. Use it through the
/// modules, for example as [`shake128::Hasher`](super::shake128::Hasher). Other numbers
/// than theirs do not compile:
///
/// ```compile_fail
/// karat_keccak::Shake::<1000>::new().update(b"karat");
/// ```
#[derive(Clone)]
pub struct Shake<const RATE: usize> {
    sponge: Sponge,
}

impl<const RATE: usize> Shake<RATE> {
    /// Bytes in a block.
    pub const RATE: usize = RATE;

    /// The kernels rely on these values. Others do not compile.
    const PARAMETERS: Parameters = {
        assert!(
            matches!(RATE, 168 | 136),
            "SHAKE128 has blocks of 168 bytes, SHAKE256 of 136"
        );
        Parameters {
            words: RATE / 8,
            suffix: 0x1f,
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
        let first = self.sponge.clone().finish(Self::PARAMETERS);
        OutputReader {
            first,
            state: first,
            block: 0,
            used: 0,
        }
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

impl<const RATE: usize> Default for Shake<RATE> {
    fn default() -> Self {
        Self::new()
    }
}

/// Hides the state, which may depend on a secret.
impl<const RATE: usize> fmt::Debug for Shake<RATE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("keccak::Shake")
            .field("rate", &RATE)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "std")]
impl<const RATE: usize> std::io::Write for Shake<RATE> {
    fn write(&mut self, input: &[u8]) -> std::io::Result<usize> {
        self.update(input);
        Ok(input.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The output of [`Shake`]. It can be read from any position.
#[derive(Clone)]
pub struct OutputReader<const RATE: usize> {
    /// The state that holds block 0, for going back.
    first: State,
    /// The state that holds the current block.
    state: State,
    /// Number of the current block.
    block: u64,
    /// Bytes of the current block that have been read, at most `RATE`.
    used: usize,
}

impl<const RATE: usize> OutputReader<RATE> {
    /// Fills `out` with the next bytes.
    pub fn fill(&mut self, mut out: &mut [u8]) {
        while !out.is_empty() {
            if self.used == RATE {
                permute(&mut self.state);
                self.block += 1;
                self.used = 0;
            }
            let (now, later) = out.split_at_mut(out.len().min(RATE - self.used));
            if self.used == 0 {
                squeeze(&self.state, now);
            } else {
                let mut block = [0; 200];
                squeeze(&self.state, &mut block);
                now.copy_from_slice(&block[self.used..self.used + now.len()]);
            }
            self.used += now.len();
            out = later;
        }
    }

    /// Position of the byte that [`fill`](Self::fill) gives next.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.block * RATE as u64 + self.used as u64
    }

    /// Sets the position of the next byte. A sponge has no random access: this costs a
    /// permutation for each block on the way, beginning at block 0 when going back.
    pub fn set_position(&mut self, position: u64) {
        let block = position / RATE as u64;
        if block < self.block {
            self.state = self.first;
            self.block = 0;
        }
        while self.block < block {
            permute(&mut self.state);
            self.block += 1;
        }
        self.used = (position % RATE as u64) as usize;
    }
}

/// Hides the state, which may depend on a secret.
impl<const RATE: usize> fmt::Debug for OutputReader<RATE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("keccak::OutputReader")
            .field("position", &self.position())
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "std")]
impl<const RATE: usize> std::io::Read for OutputReader<RATE> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        self.fill(out);
        Ok(out.len())
    }
}
