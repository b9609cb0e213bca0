//! Fixed amounts of work, cut into rounds; the round at the first sixteenth of times is the result.
//!
//! Rounds are tens of microseconds. What interrupts a program, or shares its core, takes longer and
//! only slows rounds down; a sixteenth of them is free nearly always, half of them often is not
//! (`docs/notes/short-batches.md`).

use std::time::{Duration, Instant};

use crate::Prng;

const INPUT_SEED: u64 = 0x6b61_7261_7401;

/// Work that is cut into rounds of fixed size.
pub trait Workload {
    /// What the result counts.
    fn unit(&self) -> Unit {
        Unit::Bytes
    }
    /// Bytes hashed (or elements added) in one round.
    fn amount(&self) -> u64;
    /// Rounds to time: a constant, so that all variants do equal work.
    fn rounds(&self) -> u64;
    /// Makes the inputs of a round, does the round, and folds its results into a word. The time
    /// is that of the work alone, by [`timed`].
    fn round(&mut self, prng: &mut Prng) -> (Duration, u64);
}

/// What a workload counts.
#[derive(Clone, Copy)]
pub enum Unit {
    /// Bytes, reported as GiB/s.
    Bytes,
    /// Elements of a set, reported as thousands per second.
    Elements,
}

impl Unit {
    /// The unit's name in the result line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytes => "GiB/s",
            Self::Elements => "k/s",
        }
    }

    fn per_second(self, amount: u64, seconds: f64) -> f64 {
        let rate = amount as f64 / seconds;
        match self {
            Self::Bytes => rate / f64::from(1 << 30),
            Self::Elements => rate / 1e3,
        }
    }
}

/// How long `work` takes, and what it gives.
pub fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed(), result)
}

/// What a run found.
pub(crate) struct Outcome {
    /// Throughput of the round at the first sixteenth of times, in the workload's unit.
    pub(crate) value: f64,
    /// All results folded together: equal in every variant.
    pub(crate) checksum: u64,
}

/// Runs all rounds, after a tenth as many that only warm up.
pub(crate) fn measure(workload: &mut dyn Workload) -> Outcome {
    let rounds = workload.rounds();
    let mut prng = Prng::new(INPUT_SEED);
    let mut checksum = 0;
    let mut round = || {
        let (time, result) = workload.round(&mut prng);
        checksum = u64::rotate_left(checksum, 1) ^ result;
        time
    };
    for _ in 0..rounds.div_ceil(10) {
        round();
    }
    let mut times: Vec<Duration> = (0..rounds).map(|_| round()).collect();
    times.sort_unstable();
    let seconds = times[times.len() / 16].as_secs_f64();
    Outcome {
        value: workload.unit().per_second(workload.amount(), seconds),
        checksum,
    }
}
