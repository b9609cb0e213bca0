//! Output of any length.

use super::sponge::{Sponge, permute, squeeze};
use super::state::{Parameters, Rounds, State};
use core::fmt;

/// The output of an extendable-output function. It can be read from any position.
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
    rounds: Rounds,
}

#[cfg(feature = "zeroize")]
karat_hash_core::wiped_on_drop!([const RATE: usize] OutputReader<RATE>);

impl<const RATE: usize> OutputReader<RATE> {
    /// The output for what the sponge has absorbed.
    pub(crate) fn new(sponge: &Sponge, p: Parameters) -> Self {
        let first = sponge.clone().finish(p);
        Self {
            first,
            state: first,
            block: 0,
            used: 0,
            rounds: p.rounds,
        }
    }

    /// Fills `out` with the next bytes.
    pub fn fill(&mut self, mut out: &mut [u8]) {
        while !out.is_empty() {
            if self.used == RATE {
                permute(&mut self.state, self.rounds);
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
            permute(&mut self.state, self.rounds);
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

/// Costs what [`OutputReader::set_position`] costs. There is no end to seek from.
#[cfg(feature = "std")]
impl<const RATE: usize> std::io::Seek for OutputReader<RATE> {
    fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
        let position = karat_hash_core::seek::position(self.position(), to)?;
        self.set_position(position);
        Ok(position)
    }
}
