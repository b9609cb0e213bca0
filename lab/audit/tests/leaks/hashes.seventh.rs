// Hashes: platforms, tokens and flags of one's own.
#![allow(unused)]
#[path = "sums.seventh.rs"]
mod sums;
use sums::*;
use std::arch::x86_64::*;
use std::fmt;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicUsize, Ordering};

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
                // SAFETY: the platform was found on this CPU (the twin is wrong on purpose).
                #[cfg(BAD)]
                Platform::SSE41 | Platform::AVX2 => unsafe { sum_avx2(block) },
                #[cfg(not(BAD))]
                Platform::AVX2 => unsafe { sum_avx2(block) },
                // SAFETY: as above.
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
                    // SAFETY: it is asked only where OSXSAVE is there.
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
                    // SAFETY: the token says that the CPU was asked (the twin is wrong on purpose).
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
        // SAFETY: the CPU was asked (the twin is wrong on purpose).
        let sum = if token.get() && has_wide { unsafe { sum_avx2(&bytes) } } else { sum_plain(&bytes) };
        println!("{mac:x} over {sum}");
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
        // SAFETY: it is asked only where OSXSAVE is there.
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
                    // SAFETY: the features were found on this CPU (the twin is wrong on purpose).
                    unsafe { sum_avx2(content) }
                } else {
                    sum_plain(content)
                };
                let folded = match self.features.contains(Features::CLMUL) {
                    // SAFETY: the feature was found on this CPU (the twin is wrong on purpose).
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

fn main() {
    program::run();
}
