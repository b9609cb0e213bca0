//! The readers by name.

use crate::criterion::Criterion;
use crate::go::Go;
use crate::google_benchmark::GoogleBenchmark;
use crate::hyperfine::Hyperfine;
use crate::jmh::Jmh;
use crate::pytest::Pytest;
use crate::reader::Reader;

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
