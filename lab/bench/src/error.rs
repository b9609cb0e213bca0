//! Why a bench gives no report.

use karat_judge::JudgeError;
use std::time::Duration;

/// What is wrong with a bench, or with what it measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// Nothing to run.
    #[error("bench `{bench}` has no arms; add at least the baseline with `.arm(…)`")]
    NoArms {
        /// The bench.
        bench: String,
    },
    /// Two arms of one name could not be told apart in the report.
    #[error("bench `{bench}` has two arms named `{arm}`; give each its own name")]
    DuplicateArm {
        /// The bench.
        bench: String,
        /// The name.
        arm: String,
    },
    /// A margin that is negative, infinite or not a number.
    #[error(
        "bench `{bench}`: margin is {margin}; it must be finite and not negative (0.01 is 1 %)"
    )]
    BadMargin {
        /// The bench.
        bench: String,
        /// The relative margin given.
        margin: f64,
    },
    /// A call cannot be told from no call: the work was optimised away, or is too little.
    #[error(
        "bench `{bench}`, arm `{arm}`: a call takes {ns:.3} ns and an empty one {empty_ns:.3} ns, so \
         nothing was measured; return what the kernel computes, make it from the input, or do \
         more in a call"
    )]
    NoWork {
        /// The bench.
        bench: String,
        /// The arm.
        arm: String,
        /// Fastest time per call, in ns.
        ns: f64,
        /// The same of an empty closure, in ns.
        empty_ns: f64,
    },
    /// The timer did not move over a batch.
    #[error(
        "bench `{bench}`, arm `{arm}`: {calls} calls took no time that the timer can resolve; the \
         work was optimised away or the timer is too coarse"
    )]
    NoTime {
        /// The bench.
        bench: String,
        /// The arm.
        arm: String,
        /// Calls of the batch.
        calls: u64,
    },
    /// A peer that is a program of its own failed.
    #[error("bench `{bench}`: {source}")]
    Program {
        /// The bench.
        bench: String,
        /// What it did.
        source: ProgramError,
    },
    /// The judge refuses the measured times.
    #[error("bench `{bench}`, arm `{arm}`: {source}")]
    Judge {
        /// The bench.
        bench: String,
        /// The arm.
        arm: String,
        /// What is wrong with them.
        source: JudgeError,
    },
}

/// What a peer's program did.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// It cannot be started.
    #[error("the peer `{command}` cannot be started: {source}")]
    Start {
        /// The command.
        command: String,
        /// Why.
        source: std::io::Error,
    },
    /// It ended, or closed a pipe.
    #[error("the peer `{command}` ended when it was asked `{request}`")]
    Ended {
        /// The command.
        command: String,
        /// What it was asked.
        request: String,
    },
    /// It does not answer.
    #[error("the peer `{command}` did not answer `{request}` within {} s", .patience.as_secs_f64())]
    Silent {
        /// The command.
        command: String,
        /// What it was asked.
        request: String,
        /// How long was waited.
        patience: Duration,
    },
    /// It says that something is wrong, or says what cannot be understood.
    #[error("the peer `{command}` answered `{answer}` to `{request}`")]
    Answer {
        /// The command.
        command: String,
        /// What it was asked.
        request: String,
        /// What it said.
        answer: String,
    },
}
