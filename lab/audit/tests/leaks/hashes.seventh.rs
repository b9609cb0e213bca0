// Hashes and searches: platforms, cached pointers and tokens that say what the CPU has.
#![allow(unused)]
use std::arch::x86_64::*;
use std::fmt;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicUsize, Ordering};

fn data(n: usize, seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2654435761).wrapping_add(12345);
    (0..n)
        .map(|_| {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            (state >> 24) as u8
        })
        .collect()
}

fn sum_plain(p: &[u8]) -> u64 {
    p.iter().map(|b| u64::from(*b)).sum()
}

#[target_feature(enable = "avx2")]
fn sum_avx2(p: &[u8]) -> u64 {
    let chunks = p.chunks_exact(32);
    let rest = sum_plain(chunks.remainder());
    let mut sum = _mm256_setzero_si256();
    for chunk in chunks {
        let v = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
        sum = _mm256_add_epi64(sum, _mm256_sad_epu8(v, _mm256_setzero_si256()));
    }
    let mut part = [0u64; 4];
    unsafe { _mm256_storeu_si256(part.as_mut_ptr().cast(), sum) };
    part.iter().sum::<u64>() + rest
}

#[target_feature(enable = "avx512f,avx512bw")]
fn sum_avx512(p: &[u8]) -> u64 {
    let chunks = p.chunks_exact(64);
    let rest = sum_plain(chunks.remainder());
    let mut sum = _mm512_setzero_si512();
    for chunk in chunks {
        let v = unsafe { _mm512_loadu_si512(chunk.as_ptr().cast()) };
        sum = _mm512_add_epi64(sum, _mm512_sad_epu8(v, _mm512_setzero_si512()));
    }
    _mm512_reduce_add_epi64(sum) as u64 + rest
}

fn find_plain(p: &[u8], what: u8) -> Option<usize> {
    p.iter().position(|b| *b == what)
}

#[target_feature(enable = "avx2")]
fn find_avx2(p: &[u8], what: u8) -> Option<usize> {
    let all = _mm256_set1_epi8(what as i8);
    let mut at = 0;
    while at + 32 <= p.len() {
        let v = unsafe { _mm256_loadu_si256(p.as_ptr().add(at).cast()) };
        let is = _mm256_movemask_epi8(_mm256_cmpeq_epi8(v, all)) as u32;
        if is != 0 {
            return Some(at + is.trailing_zeros() as usize);
        }
        at += 32;
    }
    p[at..].iter().position(|b| *b == what).map(|i| at + i)
}

fn fold_plain(a: u64, b: u64) -> u64 {
    let mut out = 0u128;
    for i in 0..64 {
        if b >> i & 1 == 1 {
            out ^= u128::from(a) << i;
        }
    }
    out as u64 ^ (out >> 64) as u64
}

#[target_feature(enable = "pclmulqdq,sse4.1")]
fn fold_clmul(a: u64, b: u64) -> u64 {
    let all = _mm_clmulepi64_si128(_mm_set_epi64x(0, a as i64), _mm_set_epi64x(0, b as i64), 0);
    _mm_extract_epi64(all, 0) as u64 ^ _mm_extract_epi64(all, 1) as u64
}

#[cfg(PLATFORM)]
mod program {
    // The platform is detected once a hasher, and each of its methods matches on it.
    use super::*;
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Platform {
        Portable,
        SSE41,
        AVX2,
        AVX512,
    }
    pub const MAX_SIMD_DEGREE: usize = 16;
    impl Platform {
        #[inline(never)]
        pub fn detect() -> Self {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                return Platform::AVX512;
            }
            if is_x86_feature_detected!("avx2") {
                return Platform::AVX2;
            }
            if is_x86_feature_detected!("sse4.1") {
                return Platform::SSE41;
            }
            Platform::Portable
        }
        pub fn simd_degree(&self) -> usize {
            let degree = match self {
                Platform::Portable => 1,
                Platform::SSE41 => 4,
                Platform::AVX2 => 8,
                Platform::AVX512 => 16,
            };
            debug_assert!(degree <= MAX_SIMD_DEGREE);
            degree
        }
        pub fn compress(&self, block: &[u8], counter: u64) -> u64 {
            let sum = match self {
                Platform::Portable => sum_plain(block),
                #[cfg(not(BAD))]
                Platform::SSE41 => sum_plain(block),
                #[cfg(BAD)]
                Platform::SSE41 | Platform::AVX2 => unsafe { sum_avx2(block) },
                #[cfg(not(BAD))]
                Platform::AVX2 => unsafe { sum_avx2(block) },
                Platform::AVX512 => unsafe { sum_avx512(block) },
            };
            (sum ^ counter).wrapping_mul(0x9e3779b97f4a7c15).rotate_left(29)
        }
        pub fn hash_many(&self, inputs: &[&[u8]], out: &mut [u64]) {
            for (i, input) in inputs.iter().enumerate() {
                out[i] = self.compress(input, i as u64);
            }
        }
    }
    pub struct Hasher {
        platform: Platform,
        key: u64,
        count: u64,
    }
    impl Hasher {
        pub fn new() -> Self {
            Hasher { platform: Platform::detect(), key: 0x6a09e667, count: 0 }
        }
        pub fn update(&mut self, input: &[u8]) -> &mut Self {
            for group in input.chunks(256 * MAX_SIMD_DEGREE) {
                let blocks: Vec<&[u8]> = group.chunks(256).collect();
                let mut out = [0; MAX_SIMD_DEGREE];
                self.platform.hash_many(&blocks, &mut out);
                for h in &out[..blocks.len()] {
                    self.key = self.key.rotate_left(7) ^ h;
                    self.count += 1;
                }
            }
            self
        }
        pub fn finalize(&self) -> String {
            format!("{:016x}-{}", self.key, self.count)
        }
    }
    pub fn run() {
        let mut hasher = Hasher::new();
        hasher.update(&data(6000, 1)).update(b"and some text that is short");
        eprintln!("{} at once", hasher.platform.simd_degree());
        println!("{}", hasher.finalize());
    }
}

#[cfg(INIT_TOKEN)]
mod program {
    // A macro makes a module with a byte that caches what was found, and a token that has been there.
    use super::*;
    macro_rules! cpu_features {
        ($mod_name:ident, $($leaf:expr, $reg:ident, $bit:expr, $ymm:expr);+) => {
            mod $mod_name {
                use core::sync::atomic::{AtomicU8, Ordering::Relaxed};
                const UNINIT: u8 = u8::MAX;
                static STORAGE: AtomicU8 = AtomicU8::new(UNINIT);
                #[derive(Copy, Clone, Debug)]
                pub struct InitToken(());
                impl InitToken {
                    #[inline(always)]
                    pub fn get(&self) -> bool {
                        #[cfg(BAD)]
                        { STORAGE.load(Relaxed) != 0 }
                        #[cfg(not(BAD))]
                        { STORAGE.load(Relaxed) == 1 }
                    }
                }
                #[inline(never)]
                fn detect() -> bool {
                    use core::arch::x86_64::*;
                    let cpuid = |leaf: u32| match __cpuid(0).eax >= leaf {
                        true => __cpuid_count(leaf, 0),
                        false => CpuidResult { eax: 0, ebx: 0, ecx: 0, edx: 0 },
                    };
                    let one = cpuid(1);
                    let saves = one.ecx & (3 << 26) == 3 << 26 && xcr0() & 6 == 6;
                    true $(& (cpuid($leaf).$reg >> $bit & 1 == 1 && (saves || !$ymm)))+
                }
                fn xcr0() -> u32 {
                    let (low, _high): (u32, u32);
                    unsafe { core::arch::asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") _high) };
                    low
                }
                #[inline]
                pub fn init_get() -> (InitToken, bool) {
                    let res = match STORAGE.load(Relaxed) {
                        UNINIT => {
                            let res = detect();
                            STORAGE.store(res as u8, Relaxed);
                            res
                        }
                        val => val == 1,
                    };
                    (InitToken(()), res)
                }
                /// Where somebody else has asked before.
                #[cfg(BAD)]
                pub const fn init() -> InitToken { InitToken(()) }
                #[cfg(not(BAD))]
                pub fn init() -> InitToken { init_get().0 }
            }
        };
    }
    cpu_features!(clmul, 1, ecx, 1, false; 1, ecx, 19, false);
    cpu_features!(wide, 7, ebx, 5, true);
    pub struct Polyval {
        token: clmul::InitToken,
        key: u64,
        state: u64,
    }
    impl Polyval {
        pub fn new(key: u64) -> Self {
            Polyval { token: clmul::init(), key, state: 0 }
        }
        pub fn update(&mut self, data: &[u8]) {
            for word in data.chunks_exact(8) {
                let word = u64::from_le_bytes(word.try_into().unwrap_or_default());
                self.state = if self.token.get() {
                    unsafe { fold_clmul(self.state ^ word, self.key) }
                } else {
                    fold_plain(self.state ^ word, self.key)
                };
            }
        }
    }
    impl fmt::LowerHex for Polyval {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{:016x}", self.state)
        }
    }
    pub fn run() {
        let (token, has_wide) = wide::init_get();
        let bytes = data(1200, 3);
        let mut mac = Polyval::new(0x87d15f5de1a1a35b);
        mac.update(&bytes);
        let sum = if token.get() && has_wide { unsafe { sum_avx2(&bytes) } } else { sum_plain(&bytes) };
        println!("{mac:x} over {sum}");
    }
}

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

#[cfg(OWN_FLAGS)]
mod program {
    // Flags of one's own from cpuid, in a type with operators.
    use super::*;
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Features(u32);
    impl Features {
        pub const CLMUL: Features = Features(1);
        pub const AVX: Features = Features(2);
        pub const AVX2: Features = Features(4);
        pub const AVX512: Features = Features(8);
        pub const fn empty() -> Self {
            Features(0)
        }
        pub const fn contains(self, other: Features) -> bool {
            #[cfg(BAD)]
            {
                self.0 & other.0 != 0
            }
            #[cfg(not(BAD))]
            {
                self.0 & other.0 == other.0
            }
        }
    }
    impl std::ops::BitOr for Features {
        type Output = Self;
        fn bitor(self, other: Self) -> Self {
            Features(self.0 | other.0)
        }
    }
    impl std::ops::BitOrAssign for Features {
        fn bitor_assign(&mut self, other: Self) {
            self.0 |= other.0;
        }
    }
    #[inline(never)]
    fn probe() -> Features {
        let mut out = Features::empty();
        let most = __cpuid(0).eax;
        let one = __cpuid(1);
        if one.ecx & (1 << 1) != 0 && one.ecx & (1 << 19) != 0 {
            out |= Features::CLMUL;
        }
        if one.ecx & (1 << 27) == 0 {
            return out;
        }
        let state = xcr0();
        if state & 6 == 6 && one.ecx & (1 << 28) != 0 {
            out |= Features::AVX;
            let seven = if most >= 7 { __cpuid_count(7, 0) } else { return out };
            if seven.ebx & (1 << 5) != 0 {
                out |= Features::AVX2;
            }
            if state & 0xe6 == 0xe6 && seven.ebx & (1 << 16) != 0 && seven.ebx & (1 << 30) != 0 {
                out |= Features::AVX512;
            }
        }
        out
    }
    fn xcr0() -> u32 {
        let (low, _high): (u32, u32);
        unsafe { std::arch::asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") _high) };
        low
    }
    pub struct Archive {
        entries: Vec<(String, Vec<u8>)>,
        features: Features,
    }
    impl Archive {
        fn verify(&self) -> impl Iterator<Item = (&str, u64)> {
            self.entries.iter().map(|(name, content)| {
                let sum = if self.features.contains(Features::AVX | Features::AVX2) {
                    unsafe { sum_avx2(content) }
                } else {
                    sum_plain(content)
                };
                let folded = match self.features.contains(Features::CLMUL) {
                    true => unsafe { fold_clmul(sum, 0xc96c5795d7870f42) },
                    false => fold_plain(sum, 0xc96c5795d7870f42),
                };
                (name.as_str(), folded)
            })
        }
    }
    pub fn run() {
        let entries = (0..5u32).map(|i| (format!("file{i}.bin"), data(100 + 77 * i as usize, i))).collect();
        let archive = Archive { entries, features: probe() };
        for (name, sum) in archive.verify() {
            println!("{sum:016x}  {name}");
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
