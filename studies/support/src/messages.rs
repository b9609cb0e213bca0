//! Messages of one length, next to each other.

use crate::Prng;

/// The messages of one round.
pub struct Messages {
    bytes: Vec<u8>,
    length: usize,
}

impl Messages {
    /// Messages of zeros.
    pub fn new(count: usize, length: usize) -> Self {
        Self {
            bytes: vec![0; count * length],
            length,
        }
    }

    /// Bytes of all of them.
    pub fn total(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Fresh bytes in all of them.
    pub fn refill(&mut self, prng: &mut Prng) {
        prng.fill(&mut self.bytes);
    }

    /// Eight fresh bytes in each of them: for messages that take longer to make than to hash.
    pub fn touch(&mut self, prng: &mut Prng) {
        for message in self.bytes.chunks_exact_mut(self.length) {
            prng.fill(&mut message[..8]);
        }
    }

    /// Where they are.
    pub fn slices(&self) -> Vec<&[u8]> {
        self.bytes.chunks_exact(self.length).collect()
    }
}

/// Folds the first eight bytes of each result into a word.
pub fn fold<D: AsRef<[u8]>>(digests: &[D]) -> u64 {
    digests.iter().fold(0, |all: u64, digest| {
        let (words, _) = digest.as_ref().as_chunks::<8>();
        all.rotate_left(7) ^ words.first().map_or(0, |word| u64::from_le_bytes(*word))
    })
}
