//! Fixed amounts of work, timed in many short batches. The batch at the first sixteenth of times is
//! the result: who else uses the core only slows batches down, and comes and goes within one run.

use std::time::{Duration, Instant};

use crate::prng::Prng;
use crate::workloads::Workload;

const INPUT_SEED: u64 = 0x6b61_7261_7401;

/// How much to run.
pub struct Plan {
    /// Timed batches, after one warm-up batch.
    pub batches: usize,
    /// Nominal batch length; decides the number of rounds, not a time limit.
    pub batch_ms: f64,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            batches: 80,
            batch_ms: 0.1,
        }
    }
}

/// What a run found.
pub struct Outcome {
    /// Throughput of the batch at the first sixteenth of times, in the workload's unit.
    pub value: f64,
    /// All results folded together: equal in every build for equal plans.
    pub checksum: u64,
}

/// Runs the warm-up batch and the timed batches.
pub fn measure(workload: &mut dyn Workload, plan: &Plan) -> Outcome {
    let rounds = (plan.batch_ms * workload.rounds_per_ms()).round().max(1.0) as u64;
    let mut prng = Prng::new(INPUT_SEED);
    let mut checksum = 0;
    let mut batch = || {
        let mut timed = Duration::ZERO;
        for _ in 0..rounds {
            // Inputs are made outside the timed part, right before use, and stay in cache.
            workload.refill(&mut prng);
            let start = Instant::now();
            let result = workload.run();
            timed += start.elapsed();
            checksum = u64::rotate_left(checksum, 1) ^ result;
        }
        timed
    };
    batch();
    let mut times: Vec<Duration> = (0..plan.batches).map(|_| batch()).collect();
    times.sort_unstable();
    let seconds = times[times.len() / 16].as_secs_f64();
    Outcome {
        value: workload
            .unit()
            .per_second(workload.amount(), rounds, seconds),
        checksum,
    }
}
