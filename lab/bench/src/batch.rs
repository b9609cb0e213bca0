//! What is timed as one.

use serde::Serialize;

/// What is timed as one: the same for all arms.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Batch {
    /// Calls: `inputs` times `passes`.
    pub calls: u64,
    /// Fresh inputs of a round.
    pub inputs: u64,
    /// How often a batch goes over them: more than once when all calls' inputs would take
    /// more memory than allowed.
    pub passes: u64,
    /// Further fresh inputs, for the untimed run before each batch.
    pub warm_up: u64,
    /// One reading of the timer, in ns.
    pub timer_ns: f64,
    /// An empty closure in place of the kernel, in ns per call: the loop and `black_box`.
    /// It is in every arm's time.
    pub empty_ns: f64,
}
