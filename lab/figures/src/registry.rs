//! The readers by name, and what they have in common.

use crate::criterion::Criterion;
use crate::error::ReadError;
use crate::go::Go;
use crate::google_benchmark::GoogleBenchmark;
use crate::hyperfine::Hyperfine;
use crate::jmh::Jmh;
use crate::pytest::Pytest;
use karat_model::units::Better;

/// One metric of one benchmark. Name and metric together are unique in what a
/// reader returns.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Section, name and parameters, such as `tiny.Tiny.sum (n=64)`. A tool that
    /// uses one name for two benchmarks gets ` #2` behind the second.
    pub name: String,
    /// What was measured, such as `time`, `real` or `ns/op`.
    pub metric: String,
    /// The unit as the tool prints it; empty when it prints none.
    pub unit: String,
    /// Which way is better; [`Better::Lower`] when the unit does not say.
    pub better: Better,
    /// Each a sample, in the order measured; never empty, each finite and not
    /// negative.
    pub repetitions: Vec<f64>,
}

/// Reads the output of one tool.
pub trait Reader: Sync {
    /// The name a study gives to choose it.
    fn name(&self) -> &'static str;

    /// Whether a text that begins like this is the tool's.
    fn recognises(&self, head: &[u8]) -> bool;

    /// All measurements of a text, in the order of their first appearance.
    ///
    /// # Errors
    /// When the text is not the tool's or not whole, holds a value that is no
    /// measurement, tells of a failed benchmark, or has no measurement at all.
    fn read(&self, text: &[u8]) -> Result<Vec<Measurement>, ReadError>;
}

/// A new reader gets a line here.
static READERS: &[&dyn Reader] = &[&GoogleBenchmark, &Hyperfine, &Pytest, &Jmh, &Criterion, &Go];

/// How much of a text [`recognise`] looks at. What a program prints before its
/// benchmarks is shorter; otherwise the reader must be named.
const HEAD: usize = 64 << 10;

/// All readers.
#[must_use]
pub fn all() -> &'static [&'static dyn Reader] {
    READERS
}

/// The reader of that name.
#[must_use]
pub fn named(name: &str) -> Option<&'static dyn Reader> {
    READERS.iter().copied().find(|reader| reader.name() == name)
}

/// The first reader that knows a text by its first 64 KiB.
#[must_use]
pub fn recognise(bytes: &[u8]) -> Option<&'static dyn Reader> {
    let head = &bytes[..bytes.len().min(HEAD)];
    READERS.iter().copied().find(|r| r.recognises(head))
}

/// The names of all readers, for messages.
pub(crate) fn names() -> String {
    let names: Vec<&str> = READERS.iter().map(|r| r.name()).collect();
    names.join(", ")
}
