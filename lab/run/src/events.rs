//! What the pipeline tells the world while it works.
//!
//! The pipeline knows neither terminal nor database: it emits events, and sinks
//! (progress line, run folder) do with them what they want.

use karat_model::layout::LayoutEvidence;
use karat_model::measure::{Sample, Stretch};
use karat_model::verdict::Verdict;
use serde::Serialize;
use std::io::Write;
use std::time::Instant;

/// A stage of the pipeline, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
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

/// Something that happened. As JSON its field `event` has the name of the variant, such as
/// `stage-started`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
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
    /// The run ended with evidence, and lies in its folder. It is the last event.
    Finished {
        /// The folder.
        folder: String,
        /// The word on the study; `None` when it is withheld.
        verdict: Option<Verdict>,
        /// The sentence at the top of the report.
        summary: String,
    },
    /// The run ended with an error. It is the last event.
    Failed {
        /// The error.
        error: String,
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

/// Writes each event as a line of JSON, for programs that follow a run. The field `elapsed`
/// has the seconds since the sink was made.
pub struct JsonLines<W> {
    to: W,
    start: Instant,
}

/// A line.
#[derive(Serialize)]
struct Line<'a> {
    elapsed: f64,
    #[serde(flatten)]
    event: &'a Event<'a>,
}

impl<W: Write> JsonLines<W> {
    /// A sink that writes to `to`. A line is written and flushed at once.
    pub fn new(to: W) -> Self {
        Self {
            to,
            start: Instant::now(),
        }
    }

    /// Writes any event, those of whoever began the run too.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&mut self, event: &Event<'_>) -> std::io::Result<()> {
        let line = Line {
            elapsed: self.start.elapsed().as_secs_f64(),
            event,
        };
        let mut text = serde_json::to_vec(&line)?;
        text.push(b'\n');
        self.to.write_all(&text)?;
        self.to.flush()
    }
}

impl<W: Write> Sink for JsonLines<W> {
    fn event(&mut self, event: &Event<'_>) -> std::io::Result<()> {
        self.write(event)
    }
}

/// Several sinks as one.
pub struct Sinks<'a>(pub Vec<&'a mut dyn Sink>);

impl Sink for Sinks<'_> {
    fn event(&mut self, event: &Event<'_>) -> std::io::Result<()> {
        self.0.iter_mut().try_for_each(|s| s.event(event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_lines_of_json() {
        let mut lines = JsonLines::new(Vec::new());
        let sample = Sample {
            round: 3,
            ..Sample::default()
        };
        let events = [
            Event::StageStarted {
                stage: Stage::Build,
                steps: 2,
            },
            Event::Log {
                name: "build.log".into(),
                text: "two\nlines",
            },
            Event::Sample(&sample),
        ];
        for event in &events {
            lines.event(event).unwrap();
        }
        let text = String::from_utf8(lines.to).unwrap();
        let lines: Vec<serde_json::Value> = text
            .lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect();
        let names: Vec<&str> = lines.iter().map(|l| l["event"].as_str().unwrap()).collect();
        assert_eq!(names, ["stage-started", "log", "sample"]);
        assert_eq!(
            (&lines[0]["stage"], &lines[0]["steps"]),
            (&"build".into(), &2.into())
        );
        assert_eq!(lines[1]["text"], "two\nlines");
        assert_eq!(lines[2]["round"], 3);
        assert!(
            lines
                .iter()
                .all(|l| l["elapsed"].as_f64().is_some_and(|t| t >= 0.0))
        );
    }
}
