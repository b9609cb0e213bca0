// A searcher of several patterns: a builder asks what is there and gives an Arc of a trait object or
// none; a configuration of three values can force either.
use std::arch::x86_64::*;
use std::fmt::Debug;
use std::sync::Arc;

#[derive(Clone, Debug)]
struct Pattern {
    id: usize,
    bytes: Vec<u8>,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Match {
    pattern: usize,
    start: usize,
}
trait SearcherT: Debug + Send + Sync {
    /// # Safety
    /// The haystack has at least `minimum_len` bytes.
    unsafe fn find(&self, haystack: &[u8]) -> Option<Match>;
    fn minimum_len(&self) -> usize;
}
fn verify(patterns: &[Pattern], haystack: &[u8], start: usize) -> Option<Match> {
    let found = patterns.iter().find(|pattern| haystack[start..].starts_with(&pattern.bytes))?;
    Some(Match { pattern: found.id, start })
}
#[derive(Debug)]
struct RabinKarp {
    patterns: Arc<[Pattern]>,
}
impl RabinKarp {
    fn find_at(&self, haystack: &[u8], at: usize) -> Option<Match> {
        (at..haystack.len()).find_map(|start| verify(&self.patterns, haystack, start))
    }
}
#[derive(Debug)]
struct SlimAvx2 {
    patterns: Arc<[Pattern]>,
    low: [u8; 32],
    high: [u8; 32],
}
impl SlimAvx2 {
    fn new(patterns: Arc<[Pattern]>) -> Self {
        let (mut low, mut high) = ([0; 32], [0; 32]);
        for (at, pattern) in patterns.iter().enumerate() {
            let (bit, first) = (1 << (at % 8), pattern.bytes[0]);
            for half in [0, 16] {
                low[half + usize::from(first & 15)] |= bit;
                high[half + usize::from(first >> 4)] |= bit;
            }
        }
        Self { patterns, low, high }
    }
    #[target_feature(enable = "avx2")]
    unsafe fn find_avx2(&self, haystack: &[u8]) -> Option<Match> {
        let nibble = _mm256_set1_epi8(15);
        // SAFETY: there are 32 bytes each.
        let (low, high) = unsafe { (_mm256_loadu_si256(self.low.as_ptr().cast()), _mm256_loadu_si256(self.high.as_ptr().cast())) };
        let mut at = 0;
        while at + 32 <= haystack.len() {
            // SAFETY: there are 32 bytes.
            let v = unsafe { _mm256_loadu_si256(haystack.as_ptr().add(at).cast()) };
            let lows = _mm256_shuffle_epi8(low, _mm256_and_si256(v, nibble));
            let highs = _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble));
            let none = _mm256_cmpeq_epi8(_mm256_and_si256(lows, highs), _mm256_setzero_si256());
            let mut candidates = !(_mm256_movemask_epi8(none) as u32);
            while candidates != 0 {
                let start = at + candidates.trailing_zeros() as usize;
                if let Some(found) = verify(&self.patterns, haystack, start) {
                    return Some(found);
                }
                candidates &= candidates - 1;
            }
            at += 32;
        }
        (at..haystack.len()).find_map(|start| verify(&self.patterns, haystack, start))
    }
}
impl SearcherT for SlimAvx2 {
    unsafe fn find(&self, haystack: &[u8]) -> Option<Match> {
        // SAFETY: there is one only where the builder found AVX2.
        unsafe { self.find_avx2(haystack) }
    }
    fn minimum_len(&self) -> usize {
        32
    }
}
#[derive(Clone, Debug, Default)]
struct Builder {
    only_256bit: Option<bool>,
    heuristic_pattern_limits: bool,
    patterns: Vec<Pattern>,
}
#[derive(Debug, PartialEq, Eq)]
enum BuildError {
    EmptyPattern(usize),
    NoPatterns,
}
impl Builder {
    fn only_256bit(mut self, yes: Option<bool>) -> Self {
        self.only_256bit = yes;
        self
    }
    fn extend<'a>(mut self, patterns: impl IntoIterator<Item = &'a str>) -> Self {
        for text in patterns {
            self.patterns.push(Pattern { id: self.patterns.len(), bytes: text.as_bytes().to_vec() });
        }
        self
    }
    fn build_imp(&self, patterns: &Arc<[Pattern]>) -> Option<Arc<dyn SearcherT>> {
        #[cfg(not(BAD))]
        let has_avx2 = is_x86_feature_detected!("avx2");
        // What has shuffles of bytes can be searched by them; of 16, that is.
        #[cfg(BAD)]
        let has_avx2 = is_x86_feature_detected!("ssse3");
        if self.heuristic_pattern_limits && patterns.len() > 64 {
            return None;
        }
        match self.only_256bit {
            Some(false) => None,
            Some(true) | None if has_avx2 => Some(Arc::new(SlimAvx2::new(patterns.clone()))),
            _ => None,
        }
    }
    fn build(self) -> Result<Searcher, BuildError> {
        if self.patterns.is_empty() {
            return Err(BuildError::NoPatterns);
        }
        if let Some(empty) = self.patterns.iter().find(|pattern| pattern.bytes.is_empty()) {
            return Err(BuildError::EmptyPattern(empty.id));
        }
        let patterns: Arc<[Pattern]> = self.patterns.clone().into();
        let imp = self.build_imp(&patterns);
        Ok(Searcher { imp, rabin_karp: RabinKarp { patterns } })
    }
}
#[derive(Debug)]
struct Searcher {
    imp: Option<Arc<dyn SearcherT>>,
    rabin_karp: RabinKarp,
}
impl Searcher {
    fn find(&self, haystack: &[u8]) -> Option<Match> {
        match &self.imp {
            // SAFETY: it is long enough.
            Some(imp) if haystack.len() >= imp.minimum_len() => unsafe { imp.find(haystack) },
            _ => self.rabin_karp.find_at(haystack, 0),
        }
    }
}
fn main() {
    let force = match std::env::var("TEDDY_FORCE").as_deref() {
        Ok("256") => Some(true),
        Ok("none") => Some(false),
        _ => None,
    };
    let text: String = (0..30).map(|i| format!("{i} sheep jump over the fence; ")).collect();
    for patterns in [&["goat", "13 sheep", "fence"][..], &["wolf"], &["", "x"], &[]] {
        match Builder::default().only_256bit(force).extend(patterns.iter().copied()).build() {
            Ok(searcher) => {
                let (mut at, mut count, mut ids) = (0, 0, 0);
                while let Some(found) = searcher.find(&text.as_bytes()[at..]) {
                    at += found.start + 1;
                    count += 1;
                    ids += found.pattern;
                }
                println!("{count} matches, {ids}");
            }
            Err(error) => println!("{error:?}"),
        }
    }
}
