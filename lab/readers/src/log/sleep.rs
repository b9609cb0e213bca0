//! Readers that sleep until a line comes that only their tool prints.
//!
//! Nearly all readers have nothing to say of nearly all lines. What wakes one is looked
//! up for all of them at once, so that a line costs little however many there are.

use super::line::{Line, Needle, SLOTS, slot};

/// Lines that a sleeping reader must see: of any of these first bytes (0 of an empty
/// line), or with any of these texts in them.
#[derive(Debug)]
pub struct Wake {
    /// First bytes.
    pub first: &'static [u8],
    /// Texts.
    pub has: &'static [Needle],
}

/// Readers that a log may have, at most.
pub const MOST: usize = 128;

/// Which of the readers of a log sleep, and what wakes them.
pub struct Sleepers {
    asleep: u128,
    /// What wakes those whose [`Wake`] is in the tables.
    wakes: Vec<Option<&'static Wake>>,
    first: Box<[u128; 256]>,
    /// By the rarest pair of bytes of each text; two pairs may share a slot.
    pairs: Box<[u128; SLOTS]>,
}

impl Default for Sleepers {
    fn default() -> Self {
        Self {
            asleep: 0,
            wakes: vec![None; MOST],
            first: Box::new([0; 256]),
            pairs: Box::new([0; SLOTS]),
        }
    }
}

impl Sleepers {
    /// Whether a reader sleeps from now on, as it says.
    pub fn set(&mut self, reader: usize, wake: Option<&'static Wake>) {
        let bit = 1u128 << reader;
        let Some(wake) = wake else {
            self.asleep &= !bit;
            return;
        };
        self.asleep |= bit;
        if self.wakes[reader].is_none() {
            self.wakes[reader] = Some(wake);
            for byte in wake.first {
                self.first[usize::from(*byte)] |= bit;
            }
            for needle in wake.has {
                self.pairs[rarest(needle.text())] |= bit;
            }
        }
    }

    /// Of the first `count` readers those that must see the line, as bits.
    pub fn awake(&self, line: &Line<'_>, count: usize) -> u128 {
        let all = u128::MAX >> (MOST - count.clamp(1, MOST));
        let mut maybe = 0;
        let mut last = 0;
        for &byte in line.text.as_bytes() {
            maybe |= self.pairs[slot(last, byte)];
            last = byte;
        }
        let mut woken = self.first[usize::from(line.first())];
        maybe &= self.asleep & !woken;
        while maybe != 0 {
            let reader = maybe.trailing_zeros() as usize;
            maybe &= maybe - 1;
            let wake = self.wakes[reader];
            if wake.is_some_and(|wake| wake.has.iter().any(|needle| line.may_have(needle))) {
                woken |= 1 << reader;
            }
        }
        all & (!self.asleep | woken)
    }
}

/// The slot of the pair in a text that is likely the rarest in logs.
fn rarest(text: &str) -> usize {
    let common = |byte: u8| match byte {
        b'a' | b'd' | b'e' | b'i' | b'n' | b'o' | b'r' | b's' | b't' | b' ' | b'0'..=b'9' => 3,
        b'a'..=b'z' | b'.' | b':' => 2,
        _ => 1,
    };
    let pairs = text.as_bytes().windows(2);
    let pair = pairs.min_by_key(|pair| common(pair[0]) * common(pair[1]));
    // A needle has two bytes at least.
    pair.map_or(0, |pair| slot(pair[0], pair[1]))
}

#[cfg(test)]
mod tests {
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
}
