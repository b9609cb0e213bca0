//! What the pipeline tells the world while it works.
//!
//! The pipeline knows neither terminal nor database: it emits events, and sinks
//! (progress line, run folder) do with them what they want.

use karat_model::layout::LayoutEvidence;
use karat_model::measure::{Sample, Stretch};

/// A stage of the pipeline, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Building the variants.
    Build,
    /// Auditing the binaries.
    Audit,
    /// Checking that behaviour is the same.
    Parity,
    /// Linking in other orders, and the pilot that says how many are needed.
    Layout,
    /// Unmeasured runs during which the clock is read.
    Clock,
    /// The measured rounds.
    Measure,
    /// Statistics and verdicts.
    Judge,
}

impl Stage {
    /// The word shown to people and used in costs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Audit => "audit",
            Self::Parity => "parity",
            Self::Layout => "layout",
            Self::Clock => "clock",
            Self::Measure => "measure",
            Self::Judge => "judge",
        }
    }
}

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A stage begins, with this many steps at most.
    StageStarted {
        /// Which.
        stage: Stage,
        /// Steps at most.
        steps: u64,
    },
    /// A step of the current stage begins.
    StepStarted {
        /// What is being worked on.
        name: String,
    },
    /// A step of the current stage ended.
    StepDone {
        /// What was worked on, with its outcome.
        message: String,
        /// Whether a person wants to see it when all goes well.
        notable: bool,
    },
    /// A compiler's or command's output, kept for later.
    Log {
        /// File name for it, such as `build-native.log`.
        name: String,
        /// The text.
        text: &'a str,
    },
    /// Measuring is about to begin on these exact binaries; a later run may
    /// only take up the samples if this is the same.
    Fingerprint {
        /// Hash of binaries, workloads, machine and seed.
        hash: String,
        /// The layouts that were chosen: what a pilot decided once holds for the
        /// whole run.
        layouts: &'a LayoutEvidence,
        /// Seed of every random choice.
        seed: u64,
    },
    /// One measured run.
    Sample(&'a Sample),
    /// How much of the time for measuring is over.
    Time {
        /// Seconds used.
        seconds: f64,
        /// Seconds in all; endless in a smoke run.
        of: f64,
    },
    /// The data were looked at.
    Looked {
        /// All looks so far: what a run that goes on must know.
        stretch: &'a Stretch,
        /// Rounds so far.
        rounds: u32,
        /// Comparisons still undecided.
        undecided: u32,
        /// All comparisons.
        comparisons: u32,
    },
}

/// Takes events.
pub trait Sink {
    /// Takes one event.
    ///
    /// # Errors
    /// When the sink cannot keep what it must keep (disk full): the run stops
    /// rather than measure what would be lost.
    fn event(&mut self, event: &Event<'_>) -> std::io::Result<()>;
}

/// Several sinks as one.
pub struct Sinks<'a>(pub Vec<&'a mut dyn Sink>);

impl Sink for Sinks<'_> {
    fn event(&mut self, event: &Event<'_>) -> std::io::Result<()> {
        self.0.iter_mut().try_for_each(|s| s.event(event))
    }
}
