//! Instruction mixes as numbers: fast to count and to compare.

use iced_x86::Mnemonic;
use karat_model::catalogue::{MixKey, Width};
use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

/// A mnemonic and a width class in one number.
pub(super) type Key = u16;

pub(super) fn key(mnemonic: Mnemonic, width: u8) -> Key {
    (mnemonic as u16) << 2 | u16::from(width)
}

/// One more than the largest key.
pub(super) fn keys() -> usize {
    Mnemonic::values().len() << 2
}

/// Counts by key, sorted by key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mix {
    pub counts: Vec<(Key, u32)>,
    pub instructions: u32,
    /// none, xmm, ymm, zmm
    pub width: [u32; 4],
}

impl Mix {
    pub fn vector(&self) -> u32 {
        self.width[1..].iter().sum()
    }

    pub fn of(counts: impl IntoIterator<Item = (Key, u32)>) -> Self {
        let mut mix = Self::default();
        mix.counts.extend(counts);
        mix.counts.sort_unstable();
        for &(key, count) in &mix.counts {
            mix.instructions += count;
            mix.width[usize::from(key & 3)] += count;
        }
        mix
    }

    /// The mix as catalogue files write it; none if it names a mnemonic that the
    /// decoder does not know, as a file by a later karat may.
    pub fn from_named(named: &BTreeMap<MixKey, u32>) -> Option<Self> {
        let counts: Option<Vec<_>> = named
            .iter()
            .map(|(name, count)| Some((from_name(name)?, *count)))
            .collect();
        counts.map(Self::of)
    }

    pub fn named(&self) -> BTreeMap<MixKey, u32> {
        let mnemonics: Vec<Mnemonic> = Mnemonic::values().collect();
        let counts = self.counts.iter();
        counts
            .map(|&(key, count)| {
                let mnemonic = mnemonics[usize::from(key >> 2)];
                let mnemonic = format!("{mnemonic:?}").to_ascii_lowercase();
                let width = Width::from_class((key & 3) as u8);
                (MixKey { mnemonic, width }, count)
            })
            .collect()
    }

    pub fn count(&self, key: Key) -> u32 {
        match self.counts.binary_search_by_key(&key, |(k, _)| *k) {
            Ok(at) => self.counts[at].1,
            Err(_) => 0,
        }
    }
}

pub(super) fn from_name(name: &MixKey) -> Option<Key> {
    static NAMES: OnceLock<HashMap<String, u16>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        Mnemonic::values()
            .map(|m| (format!("{m:?}").to_ascii_lowercase(), m as u16))
            .collect()
    });
    let mnemonic = names.get(&name.mnemonic)?;
    Some(mnemonic << 2 | name.width as u16)
}

/// A mix while it is counted.
pub(super) struct Counter {
    counts: Vec<u32>,
    touched: Vec<Key>,
    total: u32,
}

impl Counter {
    pub fn new() -> Self {
        Self {
            counts: vec![0; keys()],
            touched: Vec::new(),
            total: 0,
        }
    }

    pub fn add(&mut self, key: Key, count: u32) {
        let slot = &mut self.counts[usize::from(key)];
        if *slot == 0 {
            self.touched.push(key);
        }
        *slot += count;
        self.total += count;
    }

    /// [`similarity`] of what was counted so far.
    pub fn similarity(&self, other: &Mix) -> f64 {
        let shared = other.counts.iter();
        let shared = shared.map(|(key, count)| self.counts[usize::from(*key)].min(*count));
        jaccard(shared.map(u64::from).sum(), self.total, other.instructions)
    }

    /// Forgets what was counted.
    pub fn clear(&mut self) {
        self.total = 0;
        for key in self.touched.drain(..) {
            self.counts[usize::from(key)] = 0;
        }
    }

    /// Appends the counts so far, sorted by key; the counter is empty afterwards.
    pub fn drain(&mut self, out: &mut Vec<(Key, u32)>) {
        self.total = 0;
        self.touched.sort_unstable();
        let counts = &mut self.counts;
        let touched = self.touched.drain(..);
        out.extend(touched.map(|key| (key, std::mem::take(&mut counts[usize::from(key)]))));
    }

    /// The mix so far; the counter is empty afterwards.
    pub fn take(&mut self) -> Mix {
        self.total = 0;
        let counts = &mut self.counts;
        let touched = self.touched.drain(..);
        Mix::of(touched.map(|key| (key, std::mem::take(&mut counts[usize::from(key)]))))
    }
}

/// Weighted Jaccard of the counts: the sum of minima over the sum of maxima. Of
/// counts and not of shares, because it is asked of whole functions, and size is
/// evidence too.
pub(super) fn similarity(a: &Mix, b: &Mix) -> f64 {
    let (mut i, mut j) = (0, 0);
    let mut least = 0u64;
    while let (Some(x), Some(y)) = (a.counts.get(i), b.counts.get(j)) {
        if x.0 == y.0 {
            least += u64::from(x.1.min(y.1));
        }
        i += usize::from(x.0 <= y.0);
        j += usize::from(y.0 <= x.0);
    }
    jaccard(least, a.instructions, b.instructions)
}

/// Of what two mixes share and have in all; the sum of maxima is what is left of
/// both sums.
fn jaccard(shared: u64, one: u32, other: u32) -> f64 {
    let most = u64::from(one) + u64::from(other) - shared;
    if most == 0 {
        return 0.0;
    }
    shared as f64 / most as f64
}

/// An upper bound of [`similarity`] from the width classes alone.
pub(super) fn bound(a: &[u32; 4], b: &[u32; 4]) -> f64 {
    let (mut least, mut most) = (0u64, 0u64);
    for (x, y) in a.iter().zip(b) {
        least += u64::from(*x.min(y));
        most += u64::from(*x.max(y));
    }
    if most == 0 {
        return 0.0;
    }
    least as f64 / most as f64
}

/// Whether [`bound`] is a limit or more; mostly not, which whole numbers tell.
pub(super) fn may_reach(limit: f64, a: &[u32; 4], b: &[u32; 4]) -> bool {
    let (mut least, mut most) = (0u64, 0u64);
    for (x, y) in a.iter().zip(b) {
        least += u64::from(*x.min(y));
        most += u64::from(*x.max(y));
    }
    // A little below it, so that rounding decides nothing.
    least * 1000 >= most * (limit * 1000.0 - 1.0) as u64 && bound(a, b) >= limit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_leave_out_nothing_that_reaches_a_limit() {
        for limit in [0.85, 0.97] {
            for more in 0..400 {
                let (a, b) = ([100, 1000, 7, 0], [100 + more, 1000, 7 + more / 3, 0]);
                assert_eq!(may_reach(limit, &a, &b), bound(&a, &b) >= limit, "{more}");
            }
            assert!(!may_reach(limit, &[0; 4], &[0; 4]));
        }
    }

    #[test]
    fn similarity_is_of_counts() {
        let a = Mix::of([(4, 10), (8, 10)]);
        let b = Mix::of([(8, 20), (12, 10)]);
        // By hand: minima 0 + 10 + 0, maxima 10 + 20 + 10.
        assert!((similarity(&a, &b) - 0.25).abs() < 1e-12);
        assert!((similarity(&a, &a) - 1.0).abs() < 1e-12);
        assert!(similarity(&a, &Mix::default()).abs() < 1e-12);
        let mut counter = Counter::new();
        for (key, count) in [(4, 3), (8, 10), (4, 7)] {
            counter.add(key, count);
        }
        assert!((counter.similarity(&b) - 0.25).abs() < 1e-12);
        assert_eq!(counter.take(), a);
        assert_eq!(counter.take(), Mix::default());
        assert!(bound(&a.width, &b.width) >= similarity(&a, &b));
    }

    #[test]
    fn names_survive_the_numbers() {
        let mix = Mix::of([(key(Mnemonic::Vpaddd, 3), 7), (key(Mnemonic::Ret, 0), 1)]);
        let named = mix.named();
        let written: Vec<String> = named.keys().map(ToString::to_string).collect();
        assert_eq!(written, ["ret", "vpaddd.z"]);
        assert_eq!(Mix::from_named(&named), Some(mix));
        let unknown = MixKey::parse("vnosuch.z").unwrap();
        assert_eq!(Mix::from_named(&BTreeMap::from([(unknown, 1)])), None);
    }
}
