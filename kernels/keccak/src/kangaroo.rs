//! KangarooTwelve (RFC 9861, section 3): TurboSHAKE over a tree of chunks, which are
//! hashed several at a time.

use super::encoding::Number;
use super::kernel_many::MANY;
use super::output::OutputReader;
use super::sponge::Sponge;
use super::state::{Parameters, Rounds};
use core::fmt;

/// Bytes in a chunk.
const CHUNK: usize = 8192;

/// Chunks that are hashed at once: as many as any implementation has lanes.
const GROUP: usize = 8;

/// Longest chaining value.
const LONGEST: usize = 64;

/// KT128 or KT256, with blocks of `RATE` bytes. Use it through the modules, as
/// [`kt128::Hasher`](super::kt128::Hasher) or [`kt256::Hasher`](super::kt256::Hasher).
#[derive(Clone)]
pub struct KangarooTwelve<const RATE: usize> {
    /// The final node: the first chunk, then chaining values.
    node: Sponge,
    /// The current chunk, unless it is the first.
    chunk: Sponge,
    /// Bytes of the message so far.
    length: u128,
}

impl<const RATE: usize> KangarooTwelve<RATE> {
    /// Bytes in a chaining value.
    const VALUE: usize = 200 - RATE;

    /// TurboSHAKE with a byte for the separation of domains.
    const fn parameters(domain: u8) -> Parameters {
        const {
            assert!(
                matches!(RATE, 168 | 136),
                "KT128 has blocks of 168 bytes, KT256 of 136"
            );
        }
        Parameters {
            words: RATE / 8,
            suffix: domain,
            rounds: Rounds::Last12,
        }
    }

    /// What is hashed in one chunk, the final node of several, and a leaf.
    const SINGLE: Parameters = Self::parameters(0x07);
    const FINAL: Parameters = Self::parameters(0x06);
    const LEAF: Parameters = Self::parameters(0x0b);

    /// Creates a hasher without input.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            node: Sponge::NEW,
            chunk: Sponge::NEW,
            length: 0,
        }
    }

    /// Adds input.
    pub fn update(&mut self, mut input: &[u8]) -> &mut Self {
        let room = (CHUNK as u128).saturating_sub(self.length) as usize;
        let (first, rest) = input.split_at(input.len().min(room));
        self.node.absorb(Self::SINGLE, first);
        self.length += first.len() as u128;
        input = rest;
        if !input.is_empty() && self.length == CHUNK as u128 {
            self.node.absorb(Self::FINAL, &[3, 0, 0, 0, 0, 0, 0, 0]);
        }
        while !input.is_empty() {
            let filled = (self.length % CHUNK as u128) as usize;
            let taken = if filled == 0 && input.len() >= CHUNK {
                self.chunks(input)
            } else {
                self.part(&input[..input.len().min(CHUNK - filled)], filled)
            };
            self.length += taken as u128;
            input = &input[taken..];
        }
        self
    }

    /// Adds whole chunks, and returns how many bytes they have.
    fn chunks(&mut self, input: &[u8]) -> usize {
        let (chunks, _) = input.as_chunks::<CHUNK>();
        let count = chunks.len().min(GROUP);
        let mut messages = [&[][..]; GROUP];
        for (message, chunk) in messages.iter_mut().zip(chunks) {
            *message = chunk;
        }
        let mut values = [0; GROUP * LONGEST];
        let values = &mut values[..count * Self::VALUE];
        // SAFETY: `get` gives what this CPU can run. There is room for a value of each
        // chunk, and a value is shorter than the rate.
        unsafe { (MANY.get())(&messages[..count], values, Self::VALUE, Self::LEAF) };
        self.node.absorb(Self::FINAL, values);
        count * CHUNK
    }

    /// Adds a part of a chunk of which `filled` bytes are there. Returns its length.
    fn part(&mut self, part: &[u8], filled: usize) -> usize {
        self.chunk.absorb(Self::LEAF, part);
        if filled + part.len() == CHUNK {
            self.leaf();
        }
        part.len()
    }

    /// Ends a chunk: its value goes to the final node.
    fn leaf(&mut self) {
        let mut value = [0; LONGEST];
        let value = &mut value[..Self::VALUE];
        core::mem::replace(&mut self.chunk, Sponge::NEW).digest(Self::LEAF, value);
        self.node.absorb(Self::FINAL, value);
    }

    /// The first `N` bytes of output for the input so far. More input may follow.
    #[must_use]
    pub fn finalize<const N: usize>(&self) -> [u8; N] {
        let mut out = [0; N];
        self.finalize_xof(b"").fill(&mut out);
        out
    }

    /// The output for the input so far. More input may follow. `customization` separates
    /// this use of the hash from others, and may be empty.
    #[must_use]
    pub fn finalize_xof(&self, customization: &[u8]) -> OutputReader<RATE> {
        let mut all = self.clone();
        all.update(customization);
        // The length without zeros in front, and so without any byte if it is 0.
        let length = Number::new(customization.len() as u128);
        let bytes = if customization.is_empty() {
            &[]
        } else {
            length.bytes()
        };
        all.update(bytes).update(&[bytes.len() as u8]);
        if all.length <= CHUNK as u128 {
            return OutputReader::new(&all.node, Self::SINGLE);
        }
        if !all.length.is_multiple_of(CHUNK as u128) {
            all.leaf();
        }
        // All chunks but the first.
        let leaves = Number::new((all.length - 1) / CHUNK as u128);
        all.node.absorb(Self::FINAL, leaves.bytes());
        all.node
            .absorb(Self::FINAL, &[leaves.bytes().len() as u8, 0xff, 0xff]);
        OutputReader::new(&all.node, Self::FINAL)
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
}

impl<const RATE: usize> Default for KangarooTwelve<RATE> {
    fn default() -> Self {
        Self::new()
    }
}

/// Hides the state, which may depend on a secret.
impl<const RATE: usize> fmt::Debug for KangarooTwelve<RATE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("keccak::KangarooTwelve")
            .field("rate", &RATE)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "std")]
impl<const RATE: usize> std::io::Write for KangarooTwelve<RATE> {
    fn write(&mut self, input: &[u8]) -> std::io::Result<usize> {
        self.update(input);
        Ok(input.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
