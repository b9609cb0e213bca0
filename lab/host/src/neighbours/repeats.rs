//! How often runs that were disturbed or not quiet are made again: the one rule of studies,
//! the kernel bench, `karat doctor --noise` and the trial.

/// How often a run is made again in its round, at most.
const ATTEMPTS: u32 = 2;

/// Of all runs, the share that may be repetitions. More than that is no disturbance but the
/// machine's usual state, which repeating does not cure.
const SHARE: f64 = 0.3;

/// Runs so far, and how many of them were repetitions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Repeats {
    runs: u64,
    repeated: u64,
}

impl Repeats {
    /// After so many runs, of which so many were repetitions.
    #[must_use]
    pub fn after(runs: u64, repeated: u64) -> Self {
        Self { runs, repeated }
    }

    /// Counts `runs` of an attempt, the first of which is 0.
    pub fn count(&mut self, runs: usize, attempt: u32) {
        self.runs += runs as u64;
        self.repeated += if attempt > 0 { runs as u64 } else { 0 };
    }

    /// Whether there may be another attempt after this one.
    #[must_use]
    pub fn allow(&self, attempt: u32) -> bool {
        attempt < ATTEMPTS && (self.repeated as f64) < SHARE * self.runs as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_attempts_more_and_three_runs_in_ten() {
        let mut repeats = Repeats::default();
        repeats.count(10, 0);
        assert!(repeats.allow(0) && repeats.allow(1) && !repeats.allow(2));
        repeats.count(4, 1);
        assert!(repeats.allow(1), "4 of 14");
        repeats.count(1, 2);
        assert!(!repeats.allow(0), "5 of 15");
        repeats.count(10, 0);
        assert!(repeats.allow(0));
    }
}
