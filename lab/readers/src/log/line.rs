//! One line of a log, and what can be asked of it for next to nothing.

/// A line as a reader sees it: no line end, no colours, no NUL bytes; what was
/// not UTF-8 is U+FFFD; of a line overwritten with `\r`, the last version.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// The text.
    pub text: &'a str,
    /// Counted from 1.
    pub number: u64,
    /// The bytes that occur in it.
    set: ByteSet,
}

impl<'a> Line<'a> {
    /// A line of that text.
    #[must_use]
    pub fn new(text: &'a str, number: u64) -> Self {
        let set = ByteSet::of(text.as_bytes());
        Self { text, number, set }
    }

    /// Where `needle` begins in the line.
    #[must_use]
    pub fn find(&self, needle: &Needle) -> Option<usize> {
        if self.set.lacks(needle.set) {
            return None;
        }
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

/// The bytes of a text, folded to 64 bits by their low six bits: one pass over a
/// line, and then each of many searches is refused by one comparison. Two bytes
/// may share a bit, so a set can say "not there" and never "there".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ByteSet(u64);

impl ByteSet {
    const fn of(bytes: &[u8]) -> Self {
        let mut set = 0u64;
        let mut i = 0;
        while i < bytes.len() {
            set |= 1u64 << (bytes[i] & 63);
            i += 1;
        }
        Self(set)
    }

    const fn lacks(self, other: Self) -> bool {
        other.0 & !self.0 != 0
    }
}

/// A text to look for in many lines.
#[derive(Clone, Copy, Debug)]
pub struct Needle {
    text: &'static str,
    set: ByteSet,
}

impl Needle {
    /// Looks for `text`.
    #[must_use]
    pub const fn new(text: &'static str) -> Self {
        let set = ByteSet::of(text.as_bytes());
        Self { text, set }
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
        let needle = Needle::new("runtime error: ");
        let line = Line::new("a.c:3:5: runtime error: overflow", 1);
        assert_eq!(line.find(&needle), Some(9));
        assert!(!Line::new("a.c:3:5: error", 1).has(&needle));
        assert!(!Line::new("", 1).has(&needle));
        // All its letters, but not in that order.
        assert!(!Line::new(" :rorre emitnur", 1).has(&needle));
    }
}
