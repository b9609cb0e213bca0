//! What reading a log came to.

use super::reader::Confidence;
use karat_model::compare::Unread;

/// What a reader did with a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The reader's name.
    pub reader: &'static str,
    /// What the beginning of the file said of it.
    pub confidence: Confidence,
    /// Lines that were its own; 0 for a document.
    pub lines: u64,
    /// Events it gave.
    pub events: u64,
}

/// What reading a log came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Bytes read.
    pub bytes: u64,
    /// Lines read; 0 for a document.
    pub lines: u64,
    /// Lines longer than [`LONGEST`](super::LONGEST), of which only the beginning was read.
    pub cut: Cut,
    /// The readers that gave an event or owned a line, or were named by the user.
    pub used: Vec<Use>,
    /// What could not be read or is not there, and why.
    pub problems: Vec<String>,
    /// Lines that no reader knew; none of a document.
    pub unread: Unread,
    /// What stood before every line and was left out.
    pub prefix: Option<&'static str>,
}

/// Lines of which only the beginning was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// How many.
    pub lines: u64,
    /// The first one's number.
    pub first: u64,
    /// Its bytes.
    pub length: u64,
    /// A sum of all bytes that were not read, by which two logs can be told apart.
    pub rest: u64,
}
