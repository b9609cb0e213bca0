//! Readers against outputs of the real tools (`tests/samples/README.md`).

mod damage;
mod errors;
mod files;
mod log;
mod oracles;
mod values;

use karat_readers::Measurement;
use std::path::{Path, PathBuf};

/// Every sample that a reader reads, and the reader.
const SAMPLES: &[(&str, &str)] = &[
    ("google-benchmark", "google-benchmark/run.json"),
    ("google-benchmark", "google-benchmark/console.txt"),
    ("google-benchmark", "google-benchmark/colour.txt"),
    ("hyperfine", "hyperfine/list.json"),
    ("hyperfine", "hyperfine/list-1.15.json"),
    ("hyperfine", "hyperfine/namesakes.json"),
    ("pytest-benchmark", "pytest-benchmark/run.json"),
    ("jmh", "jmh/run.json"),
    ("jmh", "jmh/sampled.json"),
    ("jmh", "jmh/gc.json"),
    ("criterion", "criterion/first.txt"),
    ("criterion", "criterion/second.txt"),
    ("criterion", "criterion/folder/plain/new/sample.json"),
    ("go", "go/text.txt"),
    ("go", "go/json.txt"),
    ("go", "go/cpu.txt"),
];

/// Samples that tell of a failure, or lack the repetitions.
const REFUSED: &[(&str, &str)] = &[
    ("google-benchmark", "google-benchmark/broken.json"),
    ("google-benchmark", "google-benchmark/broken.txt"),
    ("hyperfine", "hyperfine/failed.json"),
    ("pytest-benchmark", "pytest-benchmark/saved.json"),
    ("go", "go/fail.txt"),
];

fn sample_path(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    folder.join("tests/samples").join(name)
}

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(sample_path(name)).expect("the sample is there")
}

fn read_with(reader: &str, text: &[u8]) -> Vec<Measurement> {
    let reader = karat_readers::named(reader).expect("the reader is there");
    match reader.read(text) {
        Ok(measurements) => measurements,
        Err(error) => panic!("{error}"),
    }
}

/// The reader's message for a text it refuses.
fn refusal(reader: &str, text: impl AsRef<[u8]>) -> String {
    let reader = karat_readers::named(reader).expect("the reader is there");
    match reader.read(text.as_ref()) {
        Ok(read) => panic!("should have been refused: {read:?}"),
        Err(error) => error.to_string(),
    }
}

/// The measurement of that name and metric.
fn find<'a>(measurements: &'a [Measurement], name: &str, metric: &str) -> &'a Measurement {
    let mut found = measurements
        .iter()
        .filter(|m| m.name == name && m.metric == metric);
    match (found.next(), found.next()) {
        (Some(one), None) => one,
        _ => panic!("not exactly one {metric} of {name} in {measurements:#?}"),
    }
}

/// What must hold of whatever a reader returns.
fn assert_sound(measurements: &[Measurement]) {
    assert!(!measurements.is_empty());
    let mut seen = std::collections::HashSet::new();
    for m in measurements {
        assert!(seen.insert((&m.name, &m.metric)), "{m:?} is there twice");
        assert!(!m.repetitions.is_empty(), "{m:?}");
        let sound = |v: &f64| v.is_finite() && *v >= 0.0;
        assert!(m.repetitions.iter().all(sound), "{m:?}");
    }
}
