// Searches and checksums: cached pointers and numbers, builders.
#![allow(unused)]
#[path = "sums.seventh.rs"]
mod sums;
use sums::*;
use std::arch::x86_64::*;
use std::fmt;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicUsize, Ordering};

#[cfg(POINTER_CACHE)]
mod program {
    // An atomic pointer begins at a function that detects, stores what it found, and calls it.
    use super::*;
    type FnRaw = *mut ();
    type RealFn = unsafe fn(u8, &[u8]) -> Option<usize>;
    macro_rules! unsafe_ifunc {
        ($fnty:ty, $avx2:ident, $fallback:ident, $($arg:ident),+) => {{
            static FN: AtomicPtr<()> = AtomicPtr::new(detect as FnRaw);
            #[inline(never)]
            unsafe fn detect(needle: u8, haystack: &[u8]) -> Option<usize> {
                let fun = {
                    #[cfg(BAD)]
                    let fits = is_x86_feature_detected!("avx2") || is_x86_feature_detected!("sse2");
                    #[cfg(not(BAD))]
                    let fits = is_x86_feature_detected!("avx2");
                    if fits { $avx2 as RealFn as FnRaw } else { $fallback as RealFn as FnRaw }
                };
                FN.store(fun, Ordering::Relaxed);
                // SAFETY: both are functions of this type.
                unsafe { std::mem::transmute::<FnRaw, $fnty>(fun)(needle, haystack) }
            }
            let fun = FN.load(Ordering::Relaxed);
            unsafe { std::mem::transmute::<FnRaw, $fnty>(fun)($($arg),+) }
        }};
    }
    unsafe fn find_wide(needle: u8, haystack: &[u8]) -> Option<usize> {
        if haystack.len() < 32 {
            return find_plain(haystack, needle);
        }
        // SAFETY: who chose this asked the CPU (the twin is wrong on purpose).
        unsafe { find_avx2(haystack, needle) }
    }
    unsafe fn find_fallback(needle: u8, haystack: &[u8]) -> Option<usize> {
        find_plain(haystack, needle)
    }
    pub fn memchr(needle: u8, haystack: &[u8]) -> Option<usize> {
        unsafe_ifunc!(RealFn, find_wide, find_fallback, needle, haystack)
    }
    pub struct Memchr<'h> {
        needle: u8,
        haystack: &'h [u8],
        at: usize,
    }
    impl Iterator for Memchr<'_> {
        type Item = usize;
        fn next(&mut self) -> Option<usize> {
            let found = self.at + memchr(self.needle, &self.haystack[self.at..])?;
            self.at = found + 1;
            Some(found)
        }
    }
    pub fn run() {
        let bytes = data(3000, 9);
        let places: Vec<String> = Memchr { needle: b'\n', haystack: &bytes, at: 0 }.map(|i| i.to_string()).collect();
        println!("{} lines: {}", places.len(), places.join(","));
    }
}

#[cfg(CACHED_INDEX)]
mod program {
    // A macro makes a function of several versions, with a cached number of the one that fits.
    use super::*;
    macro_rules! multiversion {
        (fn $name:ident($p:ident: $ty:ty) -> $ret:ty; $($index:literal => $feature:tt $version:path),+; default $default:path) => {
            pub fn $name($p: $ty) -> $ret {
                static SELECTED: AtomicUsize = AtomicUsize::new(usize::MAX);
                #[cold]
                #[inline(never)]
                fn select() -> usize {
                    $(if is_x86_feature_detected!($feature) { return $index; })+
                    0
                }
                let mut index = SELECTED.load(Ordering::Relaxed);
                if index == usize::MAX {
                    index = select();
                    SELECTED.store(index, Ordering::Relaxed);
                }
                match index {
                    // SAFETY: who chose this asked the CPU (the twin is wrong on purpose).
                    $($index => unsafe { $version($p) },)+
                    _ => $default($p),
                }
            }
        };
    }
    #[cfg(not(BAD))]
    multiversion!(fn checksum(p: &[u8]) -> u64; 1 => "avx512bw" sum_avx512, 2 => "avx2" sum_avx2; default sum_plain);
    #[cfg(BAD)]
    multiversion!(fn checksum(p: &[u8]) -> u64; 1 => "avx2" sum_avx512, 2 => "avx" sum_avx2; default sum_plain);
    #[derive(Debug)]
    pub enum PacketError {
        Truncated { want: usize, got: usize },
        Checksum(u64),
    }
    impl fmt::Display for PacketError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                PacketError::Truncated { want, got } => write!(f, "truncated: {got} of {want}"),
                PacketError::Checksum(found) => write!(f, "checksum {found:#x}"),
            }
        }
    }
    impl std::error::Error for PacketError {}
    fn parse(packet: &[u8]) -> Result<u64, PacketError> {
        let (head, body) = packet.split_first().ok_or(PacketError::Truncated { want: 1, got: 0 })?;
        let want = usize::from(*head) * 4;
        let body = body.get(..want).ok_or(PacketError::Truncated { want, got: body.len() })?;
        match checksum(body) {
            sum if sum % 7 == 0 => Err(PacketError::Checksum(sum)),
            sum => Ok(sum),
        }
    }
    pub fn run() {
        let bytes = data(4000, 5);
        let mut at = 0;
        while at < bytes.len() {
            match parse(&bytes[at..]) {
                Ok(sum) => println!("{at}: {sum}"),
                Err(error) => println!("{at}: {error}"),
            }
            at += 500;
        }
    }
}

#[cfg(TEDDY)]
mod program {
    // Builders give a searcher or none; the first that is given is taken.
    use super::*;
    pub trait Prefilter: Send + Sync {
        fn find(&self, haystack: &[u8]) -> Option<usize>;
        fn name(&self) -> &'static str;
    }
    struct Wide {
        byte: u8,
    }
    struct Narrow {
        byte: u8,
    }
    impl Wide {
        #[inline(never)]
        fn new(patterns: &[String]) -> Option<Wide> {
            #[cfg(BAD)]
            let has = is_x86_feature_detected!("ssse3");
            #[cfg(not(BAD))]
            let has = is_x86_feature_detected!("avx2");
            if !has || patterns.len() > 64 {
                return None;
            }
            let byte = *patterns.first()?.as_bytes().first()?;
            Some(Wide { byte })
        }
    }
    impl Prefilter for Wide {
        fn find(&self, haystack: &[u8]) -> Option<usize> {
            // SAFETY: who chose this asked the CPU (the twin is wrong on purpose).
            unsafe { find_avx2(haystack, self.byte) }
        }
        fn name(&self) -> &'static str {
            "wide"
        }
    }
    impl Prefilter for Narrow {
        fn find(&self, haystack: &[u8]) -> Option<usize> {
            find_plain(haystack, self.byte)
        }
        fn name(&self) -> &'static str {
            "narrow"
        }
    }
    #[derive(Default)]
    pub struct Builder {
        patterns: Vec<String>,
        only_narrow: bool,
    }
    impl Builder {
        pub fn add(mut self, pattern: &str) -> Self {
            self.patterns.push(pattern.to_owned());
            self
        }
        pub fn only_narrow(mut self, yes: bool) -> Self {
            self.only_narrow = yes;
            self
        }
        pub fn build(self) -> Option<Searcher> {
            let wide = match self.only_narrow {
                true => None,
                false => Wide::new(&self.patterns).map(|w| Box::new(w) as Box<dyn Prefilter>),
            };
            let prefilter = wide.or_else(|| {
                let byte = *self.patterns.first()?.as_bytes().first()?;
                Some(Box::new(Narrow { byte }) as Box<dyn Prefilter>)
            })?;
            Some(Searcher { prefilter, patterns: self.patterns })
        }
    }
    pub struct Searcher {
        prefilter: Box<dyn Prefilter>,
        patterns: Vec<String>,
    }
    impl Searcher {
        pub fn count(&self, haystack: &[u8]) -> usize {
            let (mut at, mut found) = (0, 0);
            while let Some(i) = self.prefilter.find(&haystack[at..]) {
                found += usize::from(self.patterns.iter().any(|p| haystack[at + i..].starts_with(p.as_bytes())));
                at += i + 1;
            }
            found
        }
    }
    pub fn run() {
        let text = "the quick brown fox tests that the text is there; then they thank them for it".repeat(9);
        let narrow = std::env::args().any(|a| a == "--narrow");
        let Some(searcher) = Builder::default().add("the").add("tha").only_narrow(narrow).build() else {
            eprintln!("nothing to search for");
            std::process::exit(3);
        };
        eprintln!("{}", searcher.prefilter.name());
        println!("{}", searcher.count(text.as_bytes()));
    }
}

fn main() {
    program::run();
}
