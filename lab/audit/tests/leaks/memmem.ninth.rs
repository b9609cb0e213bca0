// A searcher of substrings: it is built once for a needle and keeps what kind it is as a union and a
// function; a kind of vectors exists only where the CPU has them.
use std::arch::x86_64::*;

#[derive(Clone, Copy)]
union SearcherKind {
    empty: (),
    one_byte: u8,
    avx2: avx2::Finder,
    two_way: usize,
}
type SearcherKindFn = unsafe fn(searcher: &Searcher<'_>, haystack: &[u8], needle: &[u8]) -> Option<usize>;

struct Searcher<'n> {
    call: SearcherKindFn,
    kind: SearcherKind,
    rare: (u8, u8),
    needle: &'n [u8],
}

mod avx2 {
    use super::*;
    #[derive(Clone, Copy, Debug)]
    pub struct Finder {
        pub index1: u8,
        pub index2: u8,
    }
    impl Finder {
        #[inline]
        pub fn is_available() -> bool {
            #[cfg(not(BAD))]
            {
                std::is_x86_feature_detected!("avx2")
            }
            #[cfg(BAD)]
            {
                // What this build of the test needs, not the code.
                std::is_x86_feature_detected!("sse4.2")
            }
        }
        pub fn with_pair(needle: &[u8], pair: (u8, u8)) -> Option<Self> {
            if needle.len() < 2 || usize::from(pair.0.max(pair.1)) >= needle.len() {
                return None;
            }
            if Self::is_available() { Some(Self { index1: pair.0, index2: pair.1 }) } else { None }
        }
        /// # Safety
        /// There is AVX2, and the haystack is longer than 32 bytes and the needle.
        #[target_feature(enable = "avx2")]
        pub unsafe fn find_impl(&self, haystack: &[u8], needle: &[u8]) -> Option<usize> {
            let (one, two) = (usize::from(self.index1), usize::from(self.index2));
            let (b1, b2) = (_mm256_set1_epi8(needle[one] as i8), _mm256_set1_epi8(needle[two] as i8));
            let mut at = 0;
            while at + one.max(two) + 32 <= haystack.len() {
                // SAFETY: 32 bytes are there.
                let mut hits = unsafe {
                    let v1 = _mm256_loadu_si256(haystack.as_ptr().add(at + one).cast());
                    let v2 = _mm256_loadu_si256(haystack.as_ptr().add(at + two).cast());
                    _mm256_movemask_epi8(_mm256_and_si256(_mm256_cmpeq_epi8(v1, b1), _mm256_cmpeq_epi8(v2, b2))) as u32
                };
                while hits != 0 {
                    let found = at + hits.trailing_zeros() as usize;
                    if haystack[found..].starts_with(needle) {
                        return Some(found);
                    }
                    hits &= hits - 1;
                }
                at += 32;
            }
            two_way(&haystack[at..], needle).map(|found| at + found)
        }
    }
}
fn two_way(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

unsafe fn searcher_kind_empty(_: &Searcher<'_>, _: &[u8], _: &[u8]) -> Option<usize> {
    Some(0)
}
unsafe fn searcher_kind_one_byte(searcher: &Searcher<'_>, haystack: &[u8], _: &[u8]) -> Option<usize> {
    // SAFETY: this function goes with this kind.
    let byte = unsafe { searcher.kind.one_byte };
    haystack.iter().position(|b| *b == byte)
}
unsafe fn searcher_kind_two_way(searcher: &Searcher<'_>, haystack: &[u8], needle: &[u8]) -> Option<usize> {
    // SAFETY: this function goes with this kind.
    if haystack.len() < unsafe { searcher.kind.two_way } {
        return None;
    }
    two_way(haystack, needle)
}
unsafe fn searcher_kind_avx2(searcher: &Searcher<'_>, haystack: &[u8], needle: &[u8]) -> Option<usize> {
    // SAFETY: this function goes with this kind, which there is with AVX2 only.
    unsafe {
        let finder = &searcher.kind.avx2;
        if haystack.len() < needle.len() + 32 {
            return two_way(haystack, needle);
        }
        finder.find_impl(haystack, needle)
    }
}
fn rank(byte: u8) -> u8 {
    match byte {
        b'e' | b' ' | b't' | b'a' => 250,
        b'a'..=b'z' => 200,
        _ => 50,
    }
}
impl<'n> Searcher<'n> {
    fn new(needle: &'n [u8]) -> Self {
        let rare = Self::rarest(needle);
        let (call, kind): (SearcherKindFn, _) = match needle {
            [] => (searcher_kind_empty, SearcherKind { empty: () }),
            [byte] => (searcher_kind_one_byte, SearcherKind { one_byte: *byte }),
            _ => match avx2::Finder::with_pair(needle, rare) {
                Some(avx2) => (searcher_kind_avx2, SearcherKind { avx2 }),
                None => (searcher_kind_two_way, SearcherKind { two_way: needle.len() }),
            },
        };
        Self { call, kind, rare, needle }
    }
    fn rarest(needle: &[u8]) -> (u8, u8) {
        let mut order: Vec<u8> = (0..needle.len().min(255) as u8).collect();
        order.sort_by_key(|at| rank(needle[usize::from(*at)]));
        match order[..] {
            [first, second, ..] => (first, second),
            _ => (0, 0),
        }
    }
    #[inline]
    fn find(&self, haystack: &[u8]) -> Option<usize> {
        // SAFETY: call and kind go together.
        unsafe { (self.call)(self, haystack, self.needle) }
    }
    fn find_iter<'h>(&self, haystack: &'h [u8]) -> impl Iterator<Item = usize> + use<'_, 'n, 'h> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let found = at + self.find(haystack.get(at..)?)?;
            at = found + self.needle.len().max(1);
            Some(found)
        })
    }
}
fn main() {
    let mut text = String::new();
    for line in 0..40 {
        text += &format!("line {line}: the quick brown fox jumps over {} lazy dogs\n", line % 7);
    }
    let needles: Vec<String> = match std::env::args().nth(1) {
        Some(arg) if arg.len() > 1 => vec![arg],
        _ => ["fox jumps", "3 lazy", "q", "no such thing", "39: the"].map(String::from).to_vec(),
    };
    for needle in &needles {
        let searcher = Searcher::new(needle.as_bytes());
        let found: Vec<usize> = searcher.find_iter(text.as_bytes()).collect();
        let want: Vec<usize> = text.match_indices(needle.as_str()).map(|(at, _)| at).collect();
        if found != want {
            eprintln!("{needle:?}: {} instead of {}", found.len(), want.len());
            std::process::exit(1);
        }
        println!("{needle:?}: {} from {:?}, rare {:?}", found.len(), found.first(), searcher.rare);
    }
}
