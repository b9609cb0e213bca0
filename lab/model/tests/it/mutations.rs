//! Damaged studies: whatever the bytes, an answer and never a panic.

use crate::valid::FULL;
use karat_model::diagnostic::render;
use karat_model::study::Study;

const MUTANTS: u32 = 6_000;

/// Pieces that a byte at a time would hardly ever make.
const PIECES: [&str; 16] = [
    "[[variant]]\n",
    "[variant]\n",
    "[subject]\n",
    "variant = [{ name = \"x\" }]\n",
    "name = \"\"\n",
    "'''",
    "\"\"\"",
    "{ json = \"a\" }",
    "[]",
    "9999999999999999999999",
    "0x1F",
    "-1",
    "nan",
    "ö",
    "\r\n",
    "\u{feff}",
];

/// xorshift64: the same mutants everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

fn mutate(text: &mut Vec<u8>, dice: &mut Dice) {
    let at = dice.below(text.len());
    match dice.below(6) {
        0 if !text.is_empty() => text[at] = dice.below(256) as u8,
        1 if !text.is_empty() => drop(text.remove(at)),
        2 => text.insert(at, b"\"'[]{}=,.#\n\\\0 1a"[dice.below(16)]),
        3 => {
            let piece = PIECES[dice.below(PIECES.len())];
            text.splice(at..at, piece.bytes());
        }
        4 => {
            let end = (at + dice.below(60)).min(text.len());
            text.drain(at..end);
        }
        _ => {
            let end = (at + dice.below(60)).min(text.len());
            let copy = text[at..end].to_vec();
            let to = dice.below(text.len());
            text.splice(to..to, copy);
        }
    }
}

#[test]
fn no_damage_makes_the_parser_panic() {
    let mut dice = Dice(0x5eed_2026);
    let (mut good, mut bad) = (0, 0);
    for number in 0..MUTANTS {
        let mut text = FULL.as_bytes().to_vec();
        for _ in 0..=dice.below(4) {
            mutate(&mut text, &mut dice);
        }
        let text = String::from_utf8_lossy(&text);
        let checked = std::panic::catch_unwind(|| match Study::parse(&text) {
            Ok(study) => {
                let _ = study.missing_paths(|_| false);
                assert!(study.variants.len() >= 2 && study.baseline < study.variants.len());
                true
            }
            Err(problems) => {
                assert!(!problems.is_empty(), "refused without a reason");
                for problem in &problems {
                    assert!(problem.span.start <= problem.span.end);
                    assert!(problem.span.end <= text.len());
                }
                assert!(problems.is_sorted_by_key(|p| p.span.start));
                assert!(!render(&problems, "study.toml", &text, false).is_empty());
                false
            }
        });
        match checked {
            Ok(true) => good += 1,
            Ok(false) => bad += 1,
            Err(_) => panic!("mutant {number} broke the parser:\n{text}"),
        }
    }
    // Both sides must have been tried for this test to mean anything.
    assert!(good > 100 && bad > 1000, "{good} sound, {bad} refused");
}

#[test]
fn every_beginning_of_a_study_has_an_answer() {
    for end in (0..FULL.len()).filter(|i| FULL.is_char_boundary(*i)) {
        if let Err(problems) = Study::parse(&FULL[..end]) {
            assert!(!problems.is_empty(), "refused without a reason at {end}");
            let _ = render(&problems, "study.toml", &FULL[..end], true);
        }
    }
}
