//! One line of a log, and what can be asked of it for next to nothing.

/// A line as a reader sees it: no line end, no colours, no NUL bytes; what was
/// not UTF-8 is U+FFFD; of a line overwritten with `\r`, the last version.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// The text.
    pub text: &'a str,
    /// Counted from 1.
    pub number: u64,
    pairs: &'a Pairs,
}

impl Line<'_> {
    /// Where `needle` begins in the line.
    #[must_use]
    #[inline]
    pub fn find(&self, needle: &Needle) -> Option<usize> {
        if self.pairs.lack(needle) {
            return None;
        }
        self.search(needle)
    }

    #[cold]
    fn search(&self, needle: &Needle) -> Option<usize> {
        self.text.find(needle.text)
    }

    /// Whether `needle` is in the line.
    #[must_use]
    pub fn has(&self, needle: &Needle) -> bool {
        self.find(needle).is_some()
    }

    /// The first byte; 0 of an empty line.
    #[must_use]
    pub fn first(&self) -> u8 {
        self.text.as_bytes().first().copied().unwrap_or(0)
    }
}

/// Slots of [`Pairs`].
const SLOTS: usize = 1024;

/// The pairs of neighbouring bytes of a line: one pass over it, and then each of many
/// searches is refused by looking at a few slots. Two pairs may share a slot, so they
/// can say "not there" and never "there".
///
/// A slot holds the number of the last line that had the pair, so that nothing is
/// cleared between lines.
#[derive(Clone, Debug)]
pub struct Pairs {
    slots: Box<[u8; SLOTS]>,
    now: u8,
}

impl Default for Pairs {
    fn default() -> Self {
        Self {
            slots: Box::new([0; SLOTS]),
            now: 0,
        }
    }
}

const fn slot(first: u8, second: u8) -> usize {
    (first as usize * 37 + second as usize) % SLOTS
}

impl Pairs {
    /// Goes over a line.
    fn fill(&mut self, line: &[u8]) {
        if self.now == u8::MAX {
            self.slots.fill(0);
            self.now = 0;
        }
        self.now += 1;
        let mut last = 0;
        for &byte in line {
            self.slots[slot(last, byte)] = self.now;
            last = byte;
        }
    }

    /// A line of that text.
    #[must_use]
    pub fn line<'a>(&'a mut self, text: &'a str, number: u64) -> Line<'a> {
        self.fill(text.as_bytes());
        Line {
            text,
            number,
            pairs: self,
        }
    }

    /// All pairs are looked at: leaving early would be guessed wrong too often.
    fn lack(&self, needle: &Needle) -> bool {
        let other = |slot: u16| self.slots[slot as usize % SLOTS] ^ self.now;
        let [a, b, c, d] = needle.slots;
        other(a) | other(b) | other(c) | other(d) != 0
    }
}

/// Whether a line must be cleaned to be read: it has NUL, a carriage return or an escape.
pub fn has_control(line: &[u8]) -> bool {
    let control = |byte: &u8| matches!(byte, 0 | b'\r' | 0x1b);
    line.iter().fold(false, |found, byte| found | control(byte))
}

/// A text of two bytes or more to look for in many lines.
#[derive(Clone, Copy, Debug)]
pub struct Needle {
    text: &'static str,
    /// Those of four of its pairs.
    slots: [u16; 4],
}

impl Needle {
    /// Looks for `text`.
    ///
    /// # Panics
    /// If it is shorter than two bytes.
    #[must_use]
    pub const fn new(text: &'static str) -> Self {
        let bytes = text.as_bytes();
        assert!(bytes.len() >= 2, "a needle has two bytes at least");
        let pairs = bytes.len() - 1;
        let mut slots = [0; 4];
        let mut i = 0;
        while i < 4 {
            // Spread evenly, the last one included.
            let at = (pairs - 1) * i / 3;
            slots[i] = slot(bytes[at], bytes[at + 1]) as u16;
            i += 1;
        }
        Self { text, slots }
    }

    /// What it looks for.
    #[must_use]
    pub const fn text(&self) -> &'static str {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_needle_is_found_where_it_is() {
        let mut pairs = Pairs::default();
        let needle = Needle::new("runtime error: ");
        let line = pairs.line("a.c:3:5: runtime error: overflow", 1);
        assert_eq!(line.find(&needle), Some(9));
        assert!(!pairs.line("a.c:3:5: error", 2).has(&needle));
        assert!(!pairs.line("", 3).has(&needle));
        assert!(!pairs.line(" :rorre emitnur", 4).has(&needle));
        assert!(pairs.line("::", 5).has(&Needle::new("::")));
    }

    #[test]
    fn lines_do_not_leave_their_pairs_behind() {
        let mut pairs = Pairs::default();
        let needle = Needle::new("panicked");
        for round in 0..1000 {
            let (text, there) = match round % 256 {
                0 => ("it panicked", true),
                _ => ("nothing of note", false),
            };
            let line = pairs.line(text, 1);
            assert_eq!(line.pairs.lack(&needle), !there, "{round}");
            assert_eq!(line.has(&needle), there);
        }
    }
}
