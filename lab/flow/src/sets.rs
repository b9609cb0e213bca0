//! Sets of blocks, and of the bytes of a routine where instructions begin.

/// Where instructions begin among some bytes.
pub(crate) struct Starts {
    /// By 64 bytes: a bit for each, and how many begin before.
    words: Vec<(u64, u32)>,
}

impl Starts {
    pub fn new(bytes: usize) -> Self {
        Self {
            words: vec![(0, 0); bytes.div_ceil(64)],
        }
    }

    /// An instruction begins at a byte.
    pub fn add(&mut self, byte: usize) {
        self.words[byte / 64].0 |= 1 << (byte % 64);
    }

    /// When all are added.
    pub fn count(&mut self) {
        let mut all = 0;
        for (bits, before) in &mut self.words {
            *before = all;
            all += bits.count_ones();
        }
    }

    /// Whether one begins at a byte.
    pub fn has(&self, byte: usize) -> bool {
        let word = self.words.get(byte / 64);
        word.is_some_and(|(bits, _)| bits >> (byte % 64) & 1 == 1)
    }

    /// Where they begin, in order.
    pub fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(at, (bits, _))| {
            let mut bits = *bits;
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits.wrapping_sub(1);
                (bit < 64).then_some(at * 64 + bit)
            })
        })
    }

    /// The number of the instruction that begins at a byte, if one does.
    pub fn number(&self, byte: usize) -> Option<usize> {
        let (bits, before) = *self.words.get(byte / 64)?;
        let below = bits & ((1 << (byte % 64)) - 1);
        let is_one = bits >> (byte % 64) & 1 == 1;
        is_one.then_some((before + below.count_ones()) as usize)
    }
}

/// A set of blocks.
#[derive(Clone)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// The empty set, for blocks up to `size`.
    pub fn new(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)])
    }

    /// Whether it was not in the set before.
    pub fn insert(&mut self, bit: u32) -> bool {
        let word = &mut self.0[bit as usize / 64];
        let new = *word >> (bit % 64) & 1 == 0;
        *word |= 1 << (bit % 64);
        new
    }

    pub(crate) fn remove(&mut self, bit: u32) {
        self.0[bit as usize / 64] &= !(1 << (bit % 64));
    }

    /// The first from one on.
    pub(crate) fn next(&self, from: u32) -> Option<u32> {
        let first = from as usize / 64;
        let mut rest = self.0.get(first)? & (!0 << (from % 64));
        for (at, word) in self.0.iter().enumerate().skip(first) {
            if at > first {
                rest = *word;
            }
            if rest != 0 {
                return Some(at as u32 * 64 + rest.trailing_zeros());
            }
        }
        None
    }

    /// Whether a block is in both sets.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.0
            .iter()
            .zip(&other.0)
            .any(|(mine, theirs)| mine & theirs != 0)
    }

    /// Adds the blocks of another set.
    pub(crate) fn add(&mut self, other: &Self) {
        self.with(other, |mine, theirs| mine | theirs);
    }

    /// Leaves those that are in another set too.
    pub(crate) fn keep(&mut self, other: &Self) {
        self.with(other, |mine, theirs| mine & theirs);
    }

    /// Takes out those of another set.
    pub(crate) fn take(&mut self, other: &Self) {
        self.with(other, |mine, theirs| mine & !theirs);
    }

    /// Leaves none.
    pub(crate) fn clear(&mut self) {
        self.0.fill(0);
    }

    fn with(&mut self, other: &Self, both: impl Fn(u64, u64) -> u64) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = both(*mine, *theirs);
        }
    }

    /// Whether a block is in the set.
    pub fn has(&self, bit: u32) -> bool {
        self.0[bit as usize / 64] >> (bit % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::{Bits, Starts};

    #[test]
    fn instructions_are_counted_from_the_first() {
        let begins = [0usize, 1, 63, 64, 127, 130, 319];
        let mut starts = Starts::new(320);
        begins.iter().for_each(|byte| starts.add(*byte));
        starts.count();
        for byte in 0..320 {
            let number = begins.iter().position(|begin| *begin == byte);
            assert_eq!(starts.number(byte), number, "{byte}");
            assert_eq!(starts.has(byte), number.is_some(), "{byte}");
        }
        assert!(starts.places().eq(begins));
    }

    #[test]
    fn sets_are_joined_and_cut() {
        let of = |all: &[u32]| {
            let mut bits = Bits::new(200);
            all.iter().for_each(|bit| assert!(bits.insert(*bit)));
            bits
        };
        let all = |bits: &Bits| (0..200).filter(|bit| bits.has(*bit)).collect::<Vec<u32>>();
        let (one, other) = (of(&[0, 63, 64, 199]), of(&[63, 65, 199]));
        let (mut added, mut kept, mut taken) = (one.clone(), one.clone(), one.clone());
        added.add(&other);
        kept.keep(&other);
        taken.take(&other);
        assert_eq!(all(&added), [0, 63, 64, 65, 199]);
        assert_eq!(all(&kept), [63, 199]);
        assert_eq!(all(&taken), [0, 64]);
        assert!(one.meets(&other) && !taken.meets(&other));
        kept.clear();
        assert!(all(&kept).is_empty() && !kept.meets(&one));
    }
}
