//! Readers that differ in their lines only.

use super::reader::{Confidence, LogReader, LogState, State};
use crate::text::lines;

/// A reader of one tool's text.
pub struct LineReader {
    /// The name to choose it by.
    pub name: &'static str,
    /// What it reads, in one line.
    pub reads: &'static str,
    /// Whether a line is one that only this tool prints.
    pub mark: fn(&str) -> bool,
    /// A reader for one file; whether the beginning of the file is the tool's.
    pub start: fn(bool) -> Box<dyn LogState>,
}

impl LogReader for LineReader {
    fn name(&self) -> &'static str {
        self.name
    }

    fn reads(&self) -> &'static str {
        self.reads
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        match lines(head).any(|(_, line)| (self.mark)(&line)) {
            true => Confidence::Lines,
            false => Confidence::No,
        }
    }

    fn start(&self, known: Confidence) -> State {
        State::Lines((self.start)(known >= Confidence::Lines))
    }
}
