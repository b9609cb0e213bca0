//! Readers that sleep until a line comes that only their tool prints.
//!
//! Nearly all readers have nothing to say of nearly all lines. What wakes one is looked
//! up for all of them at once, so that a line costs little however many there are.

use super::line::Needle;
use super::shape::{self, Hints};

/// Lines that a sleeping reader must see: of any of these first bytes (0 of an empty
/// line), or with any of these texts in them, of three bytes or more each.
#[derive(Debug)]
pub struct Wake {
    /// First bytes.
    pub first: &'static [u8],
    /// Texts.
    pub has: &'static [Needle],
}

/// Readers that a log may have, at most; a bit each. Two more bits are of shapes.
pub const MOST: usize = 126;

const ERROR: u128 = 1 << MOST;
const COUNT: u128 = 1 << (MOST + 1);

/// Bits of [`Sleepers::seen`].
const BITS: u32 = 16;

/// A text that is looked for, by three of its bytes.
struct Gram {
    gram: u32,
    /// Bytes of the text before them.
    before: usize,
    text: &'static str,
    /// Readers and shapes that it is for, as bits.
    of: u128,
}

/// What a line is to those who wait for one.
pub struct Woken {
    /// Readers that must see it, as bits.
    pub readers: u128,
    /// What its shape may be.
    pub hints: Hints,
}

/// Which of the readers of a log sleep, and what wakes them.
pub struct Sleepers {
    asleep: u128,
    /// Those whose [`Wake`] is in the tables.
    known: u128,
    first: Box<[u128; 256]>,
    /// A bit for each hash of three bytes that a text is looked for by.
    seen: Box<[u64; 1 << (BITS - 6)]>,
    /// All that is looked for, by its three bytes.
    grams: Vec<Gram>,
}

impl Default for Sleepers {
    fn default() -> Self {
        let mut sleepers = Self {
            asleep: 0,
            known: 0,
            first: Box::new([0; 256]),
            seen: Box::new([0; 1 << (BITS - 6)]),
            grams: Vec::new(),
        };
        for text in shape::ERRORS {
            sleepers.look_for(text, ERROR);
        }
        for text in shape::COUNTS {
            sleepers.look_for(text, COUNT);
        }
        sleepers
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
        if self.known & bit == 0 {
            self.known |= bit;
            for byte in wake.first {
                self.first[usize::from(*byte)] |= bit;
            }
            for needle in wake.has {
                self.look_for(needle.text(), bit);
            }
        }
    }

    fn look_for(&mut self, text: &'static str, of: u128) {
        debug_assert!(text.len() >= 3, "{text:?} is too short to look for");
        let (before, gram) = rarest(text);
        let at = self.grams.partition_point(|known| known.gram < gram);
        let new = Gram {
            gram,
            before,
            text,
            of,
        };
        self.grams.insert(at, new);
        let hash = hash(gram);
        self.seen[hash / 64] |= 1 << (hash % 64);
    }

    /// What a line is to the first `count` readers.
    pub fn woken(&self, line: &str, count: usize) -> Woken {
        let bytes = line.as_bytes();
        let mut found = 0;
        let mut gram = 0;
        for (end, &byte) in bytes.iter().enumerate() {
            gram = gram >> 8 | u32::from(byte) << 16;
            let hash = hash(gram);
            if self.seen[hash / 64] >> (hash % 64) & 1 == 1 {
                found |= self.found(bytes, end, gram);
            }
        }
        let first = self.first[usize::from(bytes.first().copied().unwrap_or(0))];
        let all = (1u128 << count.min(MOST)) - 1;
        Woken {
            readers: all & (!self.asleep | first | found),
            hints: Hints {
                error: found & ERROR != 0,
                count: found & COUNT != 0,
            },
        }
    }

    /// Whom a text is for that has `gram` up to `end`.
    #[cold]
    fn found(&self, line: &[u8], end: usize, gram: u32) -> u128 {
        let from = self.grams.partition_point(|known| known.gram < gram);
        let same = self.grams[from..].iter().take_while(|k| k.gram == gram);
        let there = same.filter(|known| {
            let begin = (end + 1).checked_sub(3 + known.before);
            begin.is_some_and(|begin| line[begin..].starts_with(known.text.as_bytes()))
        });
        there.fold(0, |found, known| found | known.of)
    }
}

const fn hash(gram: u32) -> usize {
    (gram.wrapping_mul(0x9e37_79b1) >> (32 - BITS)) as usize
}

/// The three bytes in a text that are likely the rarest in logs, and how many are before.
fn rarest(text: &str) -> (usize, u32) {
    let common = |byte: &u8| match byte {
        b'a' | b'd' | b'e' | b'i' | b'n' | b'o' | b'r' | b's' | b't' | b' ' | b'0'..=b'9' => 3,
        b'a'..=b'z' | b'.' | b':' => 2,
        _ => 1,
    };
    let grams = text.as_bytes().windows(3).enumerate();
    let rarest = grams.min_by_key(|(_, gram)| gram.iter().map(common).product::<u32>());
    // `look_for` asserts that every text has three bytes.
    let (before, gram) = rarest.unwrap_or((0, &[0; 3]));
    (before, u32::from_le_bytes([gram[0], gram[1], gram[2], 0]))
}
