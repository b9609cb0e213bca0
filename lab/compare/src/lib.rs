//! Two sets of logs compared: is behaviour the same, and what changed in speed?
//!
//! ```text
//! files ─► readers ─► events ─► collect ─► match ─► judge ─► LogComparison
//! ```
//!
//! Each log is read once, line by line, and only what is worth comparing is kept:
//! one entry for each test, message, crash, figure and fact, however often it
//! occurs ([`Side`]). So memory follows what differs between lines, not their
//! number, and is bounded.
//!
//! - Tests are matched by suite and name, messages by level, source file and text
//!   ([normalised](normalise)), figures by section, name, parameters and the class
//!   of their unit. Lines, times and order never decide.
//! - Behaviour is the same only if a test was read on both sides, and every log to
//!   its end ([`Side::not_read`]).
//! - Files of a side that share most of their tests and figures are runs of one
//!   program (`programs.rs`); numbers of occurrences are compared by run.
//! - Figures of which both sides have two runs or more are judged by those; with
//!   fewer, by reference runs; without either they are not judged.

mod about;
mod collect;
mod doctests;
mod facts;
mod figures;
mod messages;
pub mod normalise;
mod notes;
mod outcomes;
mod partners;
mod programs;
mod read;
mod same_run;
mod seen;
mod test_times;
#[cfg(test)]
mod tests;
mod unread;
mod verdict;
mod within;

pub use about::about;
pub use collect::Side;
pub use karat_readers::log::{Pattern, Readers};
pub use read::{CompareError, files, is_stdin, read_one, read_side};

use karat_model::compare::{LogComparison, LogSide, SCHEMA};
use normalise::Normaliser;

/// Chance of calling any figure of two equal programs FASTER or SLOWER.
const ALPHA: f64 = 0.05;

/// Fixes the labelings that the judge draws, so that a report can be made again.
const SEED: u64 = 1;

/// The names of all readers of logs, each once, sorted.
#[must_use]
pub fn reader_names() -> Vec<&'static str> {
    let all = karat_readers::log::all().iter();
    let mut names: Vec<&str> = all.map(|reader| reader.name()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// How figures are judged.
#[derive(Clone, Copy, Debug, Default)]
pub struct How {
    /// The smallest relative change of speed that matters.
    pub margin: f64,
    /// Takes the values within one log for runs of their own.
    pub within: bool,
}

/// Compares what was collected.
#[must_use]
pub fn compare(
    before: Side,
    after: Side,
    noise: Side,
    normaliser: &Normaliser,
    how: How,
) -> LogComparison {
    let groups = [&before, &after].map(programs::of);
    let mut found = LogComparison {
        schema: SCHEMA,
        karat: env!("CARGO_PKG_VERSION").to_owned(),
        before: side(&before, &groups[0]),
        after: side(&after, &groups[1]),
        noise: side(&noise, &programs::of(&noise)),
        margin: how.margin,
        alpha: ALPHA,
        verdict: verdict::nothing_yet(),
        tests: outcomes::rows(&before, &after, &groups),
        messages: messages::rows(&before, &after, &groups),
        crashes: messages::crashes(&before, &after, &groups),
        unread: unread::rows(&before, &after, &groups),
        within: how.within,
        figures: figures::rows(&before, &after, &noise, how),
        sections: Vec::new(),
        facts: facts::rows(&before, &after),
        normalisations: normaliser.used(),
        notes: Vec::new(),
    };
    found.sections = figures::sections(&found.figures);
    found.notes = notes::notes(&found, [&before, &after, &noise]);
    let mut open = [before.not_read(), after.not_read()].concat();
    open.extend(before.cut_otherwise(&after));
    found.verdict = verdict::verdict(&found, open);
    found
}

fn side(side: &Side, groups: &programs::Programs) -> LogSide {
    LogSide {
        files: side.files().to_vec(),
        programs: groups.count(),
    }
}
