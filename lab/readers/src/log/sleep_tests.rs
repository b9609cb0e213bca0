//! Readers that sleep miss nothing: all samples, and mixtures of their lines.

use crate::log::{Readers, read};
use std::fs;
use std::path::{Path, PathBuf};

/// Numbers that look random (Knuth's MMIX).
fn next(state: &mut u64) -> usize {
    let (factor, term) = (6_364_136_223_846_793_005, 1_442_695_040_888_963_407);
    *state = state.wrapping_mul(factor).wrapping_add(term);
    (*state >> 33) as usize
}

fn samples(folder: &Path) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder of samples");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let read = |path: PathBuf| match path.is_dir() {
        true => samples(&path),
        false => vec![fs::read(path).expect("a sample")],
    };
    paths.into_iter().flat_map(read).collect()
}

fn told(log: &[u8], readers: &Readers) -> String {
    let mut events = Vec::new();
    let mut stream = log;
    let summary = read(&mut stream, readers, &mut |event| events.push(event));
    format!("{:#?}\n{events:#?}", summary.expect("memory is read"))
}

fn same(log: &[u8], what: &str) {
    let (asleep, awake) = (Readers::all(), Readers::all().sleepless());
    assert!(told(log, &asleep) == told(log, &awake), "{what}");
}

/// A reader that sleeps too deep would miss a line of its tool's, or keep a state
/// that the line had ended.
#[test]
fn sleeping_changes_nothing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples/log");
    let samples = samples(&folder);
    assert!(samples.len() > 50, "{}", samples.len());
    for (number, sample) in samples.iter().enumerate() {
        same(sample, &format!("sample {number}"));
    }
    // Readers meet lines of others in any state.
    let lines: Vec<&[u8]> = samples
        .iter()
        .flat_map(|sample| sample.split(|byte| *byte == b'\n').take(400))
        .filter(|line| line.len() < 400)
        .collect();
    let mut seed = 7;
    for round in 0..24 {
        let mut log = Vec::new();
        while log.len() < 60_000 {
            let from = next(&mut seed) % lines.len();
            let count = 1 + next(&mut seed) % 12;
            for line in lines.iter().skip(from).take(count) {
                log.extend_from_slice(line);
                log.push(b'\n');
            }
        }
        same(&log, &format!("mixture {round}"));
    }
}
