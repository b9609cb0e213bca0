//! What a reader of logs is.

use super::line::Line;
use super::sleep::Wake;
use crate::error::ReadError;
use karat_model::log::Event;

/// Takes what a reader found.
pub type Sink<'a> = dyn FnMut(Event) + 'a;

/// What the beginning of a file says of a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Nothing. The reader waits for a line that only its tool prints.
    No,
    /// It has lines of the tool.
    Lines,
    /// The whole file is one document of the tool (JSON, XML), so no other reader
    /// has a say in it.
    Document,
}

/// Whose a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The reader knows the line: those behind it in the registry do not see it, so
    /// that nothing is counted twice.
    Owned,
    /// Not the reader's.
    Passed,
}

/// Reads the logs of one tool, or of one kind of line.
pub trait LogReader: Sync {
    /// The name to choose it by.
    fn name(&self) -> &'static str;

    /// What it reads, in one line.
    fn reads(&self) -> &'static str;

    /// What a file that begins like this is to the reader.
    fn recognise(&self, head: &[u8]) -> Confidence;

    /// A reader for one file. `known` is what [`LogReader::recognise`] said, or
    /// [`Confidence::Lines`] at least if the user named the reader.
    fn start(&self, known: Confidence) -> State;
}

/// A reader at work.
pub enum State {
    /// Takes lines, as do others of the same file.
    Lines(Box<dyn LogState>),
    /// Takes all bytes of the file.
    Document(Box<dyn DocumentState>),
}

/// Reads line by line, in memory that does not grow with the log.
pub trait LogState {
    /// While the reader sleeps, the lines that it must see, always the same ones. All
    /// others it would pass with nothing changed, and they are not given to it.
    fn asleep(&self) -> Option<&'static Wake> {
        None
    }

    /// Takes a line.
    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim;

    /// The log is over: gives what is only known now.
    ///
    /// # Errors
    /// When the log shows that it is not whole, or not all of it could be read: what is
    /// missing, in a few words.
    fn end(&mut self, _out: &mut Sink<'_>) -> Result<(), String> {
        Ok(())
    }
}

/// Reads a document piece by piece.
pub trait DocumentState {
    /// Takes the next bytes; pieces end anywhere.
    fn bytes(&mut self, piece: &[u8], out: &mut Sink<'_>);

    /// The document is over.
    ///
    /// # Errors
    /// When it cannot be read, with the place. What came out before is still true.
    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), ReadError>;
}
