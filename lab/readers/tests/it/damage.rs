//! Damaged outputs: whatever the bytes, an answer and never a panic.

use crate::{REFUSED, SAMPLES, assert_sound, sample};
use karat_readers::{ReadError, all, named};

/// Checks one text of so many lines with one reader; whether it was read.
fn answered(reader: &str, text: &[u8], lines: usize) -> bool {
    match named(reader).expect("the reader is there").read(text) {
        Ok(read) => {
            assert_sound(&read);
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            if let ReadError::Text { line, .. } = error {
                assert!(line <= lines, "line {line} of {lines}");
            }
            false
        }
    }
}

#[test]
fn every_beginning_has_an_answer() {
    for (reader, name) in SAMPLES.iter().chain(REFUSED) {
        let text = sample(name);
        let mut lines = 1;
        for end in 0..text.len() {
            let read = answered(reader, &text[..end], lines);
            lines += usize::from(text[end] == b'\n');
            // A JSON text is whole or refused; white space may end it.
            if text[0] != b'{' && text[0] != b'[' || reader == &"go" {
                continue;
            }
            assert!(
                !read || text[end..].trim_ascii().is_empty(),
                "{name} cut at {end}"
            );
        }
    }
}

/// xorshift64: the same mutants everywhere.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

/// Pieces that a byte at a time would hardly ever make.
const PIECES: &[&str] = &[
    "NaN",
    "-Infinity",
    "1e400",
    "-1",
    "null",
    "\"\"",
    "[[[[",
    "\u{1b}[",
    "\u{1b}]",
    "\r",
    "\u{feff}",
    "Benchmark",
    "time: [1 ns 2 ns 3 ns]",
    "{\"Action\":\"output\",\"Output\":\"x\"}",
    "\n    10\t 5 ns/op\n",
    "\\u",
    " 5 ns 5 ns 5 ",
];

pub fn mutate(text: &mut Vec<u8>, dice: &mut Dice) {
    let at = dice.below(text.len());
    let end = (at + dice.below(60)).min(text.len());
    match dice.below(5) {
        0 if !text.is_empty() => text[at] ^= 1 << dice.below(8),
        1 => drop(text.drain(at..end)),
        2 => {
            let copy = text[at..end].to_vec();
            let to = dice.below(text.len());
            text.splice(to..to, copy);
        }
        _ => {
            let piece = PIECES[dice.below(PIECES.len())];
            text.splice(at..at, piece.bytes());
        }
    }
}

#[test]
fn no_damage_makes_a_reader_panic() {
    let mut dice = Dice(0x5eed_2026);
    let (mut good, mut bad) = (0, 0);
    for (_, name) in SAMPLES.iter().chain(REFUSED) {
        let whole = sample(name);
        for _ in 0..300 {
            let mut text = whole.clone();
            for _ in 0..=dice.below(4) {
                mutate(&mut text, &mut dice);
            }
            let lines = text.iter().filter(|b| **b == b'\n').count() + 1;
            for reader in all() {
                reader.recognises(&text);
                match answered(reader.name(), &text, lines) {
                    true => good += 1,
                    false => bad += 1,
                }
            }
        }
    }
    // Both sides must have been tried for this test to mean anything.
    assert!(good > 1000 && bad > 1000, "{good} read, {bad} refused");
}
