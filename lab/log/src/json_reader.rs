//! Readers that differ in their JSON only. A document is kept until it is whole.

use super::reader::{Confidence, DocumentState, LogReader, Sink, State};
use super::scan::{figure, test};
use crate::error::ReadError;
use crate::json::parse;
use crate::text::{first_byte, has_all};
use karat_model::log::{Event, Figure, Outcome, Statistic, Test};
use serde_json::Value;

/// The largest document that is kept.
const LARGEST: usize = 256 << 20;

/// A reader of one tool's JSON.
pub struct JsonReader {
    /// The name to choose it by.
    pub name: &'static str,
    /// What it reads, in one line.
    pub reads: &'static str,
    /// Keys that the beginning of the tool's documents has.
    pub keys: &'static [&'static str],
    /// Gives what a document tells; `None` when it is not the tool's.
    pub read: fn(&Value, &mut Sink<'_>) -> Option<()>,
}

impl LogReader for JsonReader {
    fn name(&self) -> &'static str {
        self.name
    }

    fn reads(&self) -> &'static str {
        self.reads
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        match first_byte(head) == Some(b'{') && has_all(head, self.keys) {
            true => Confidence::Document,
            false => Confidence::No,
        }
    }

    fn start(&self, _: Confidence) -> State {
        State::Document(Box::new(Whole {
            name: self.name,
            reads: self.reads,
            read: self.read,
            text: WholeText::default(),
        }))
    }
}

/// A document's bytes, up to the largest that is read.
#[derive(Default)]
pub struct WholeText {
    text: Vec<u8>,
    too_large: bool,
}

impl WholeText {
    /// Takes what comes next.
    pub fn push(&mut self, piece: &[u8]) {
        self.too_large |= self.text.len() + piece.len() > LARGEST;
        if self.too_large {
            self.text = Vec::new();
        } else {
            self.text.extend_from_slice(piece);
        }
    }

    /// All of it, for the reader `name`.
    ///
    /// # Errors
    /// When it was larger than 256 MiB.
    pub fn all(&self, name: &'static str) -> Result<&[u8], ReadError> {
        if self.too_large {
            let problem = "the document is larger than 256 MiB; let the tool write less of it";
            return Err(ReadError::line(name, 1, problem));
        }
        Ok(&self.text)
    }
}

struct Whole {
    name: &'static str,
    reads: &'static str,
    read: fn(&Value, &mut Sink<'_>) -> Option<()>,
    text: WholeText,
}

impl DocumentState for Whole {
    fn bytes(&mut self, piece: &[u8], _: &mut Sink<'_>) {
        self.text.push(piece);
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), ReadError> {
        let value: Value = parse(self.name, self.reads, self.text.all(self.name)?)?;
        (self.read)(&value, out).ok_or_else(|| {
            let problem = format!("what is expected is not in it; expected {}", self.reads);
            ReadError::line(self.name, 1, problem)
        })
    }
}

/// The text of a key, or none.
pub fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or("")
}

/// The number of a key, if it is one that can be a measurement.
pub fn number(value: &Value, key: &str) -> Option<f64> {
    let number = value.get(key)?.as_f64()?;
    (number.is_finite() && number >= 0.0).then_some(number)
}

/// The list of a key; empty if there is none.
pub fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// A test with a time in milliseconds and a reason.
pub fn timed(suite: &str, name: &str, outcome: Outcome, ms: Option<f64>, why: &str) -> Test {
    let mut test = test(suite, name, outcome);
    test.seconds = ms.map(|ms| ms / 1e3);
    let line = why.lines().map(str::trim).find(|line| !line.is_empty());
    test.reason = line.map(super::scan::short);
    test
}

/// Gives a mean of a section.
pub fn mean(section: &str, name: &str, value: Option<f64>, unit: &str, out: &mut Sink<'_>) {
    if let Some(value) = value {
        let mut figure: Figure = figure(section, name, value, unit);
        figure.statistic = Some(Statistic::Mean);
        out(Event::Figure(figure));
    }
}
