// Hashes, checksums and ciphers of the fourth set. A program is a `mod` that is chosen.
#[path = "kernels.fourth.rs"]
mod kernels;
use kernels::*;

/// An enumeration of platforms that is matched at each call.
#[cfg(blake_platform)]
mod program {
    use super::*;
    #[derive(Clone, Copy, Debug)]
    pub enum Platform {
        Portable,
        SSE41,
        AVX2,
        AVX512,
    }
    fn avx512_detected() -> bool {
        is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl")
    }
    fn avx2_detected() -> bool {
        if cfg!(bad) {
            return is_x86_feature_detected!("avx");
        }
        is_x86_feature_detected!("avx2")
    }
    impl Platform {
        pub fn detect() -> Self {
            if avx512_detected() {
                return Platform::AVX512;
            }
            if avx2_detected() {
                return Platform::AVX2;
            }
            if is_x86_feature_detected!("sse4.1") {
                return Platform::SSE41;
            }
            Platform::Portable
        }
        #[inline(never)]
        fn hash_many(&self, data: &[u8]) -> u32 {
            match self {
                Platform::Portable | Platform::SSE41 => check_plain(1, data),
                // SAFETY: the platform was found to have AVX2 (or the twin is wrong on purpose).
                Platform::AVX2 => unsafe { check_avx2(1, data) },
                // SAFETY: the same of AVX-512.
                Platform::AVX512 => unsafe { check_avx512(1, data) },
            }
        }
    }
    struct Hasher {
        platform: Platform,
        chunks: Vec<u32>,
    }
    pub fn run(data: &[u8]) -> u64 {
        let mut hasher = Box::new(Hasher { platform: Platform::detect(), chunks: Vec::new() });
        for part in data.chunks(256) {
            hasher.chunks.push(hasher.platform.hash_many(part));
        }
        hasher.chunks.iter().map(|c| u64::from(*c)).sum()
    }
}

/// A macro that makes a module with a byte that keeps the answer, and a token of it.
#[cfg(cpufeatures)]
mod program {
    use super::*;
    macro_rules! new_feature {
        ($name:ident, $leaf:literal, $register:ident, $bits:literal) => {
            mod $name {
                use std::arch::x86_64::{__cpuid, __cpuid_count};
                use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
                const UNINIT: u8 = u8::MAX;
                static STORAGE: AtomicU8 = AtomicU8::new(UNINIT);
                #[derive(Copy, Clone)]
                pub struct InitToken(());
                impl InitToken {
                    #[inline(always)]
                    pub fn get(&self) -> bool {
                        STORAGE.load(Relaxed) == 1
                    }
                }
                pub fn init() -> InitToken {
                    init_get().0
                }
                #[inline]
                pub fn init_get() -> (InitToken, bool) {
                    let found = match STORAGE.load(Relaxed) {
                        UNINIT => {
                            let here = __cpuid(0).eax >= $leaf && {
                                let asked = __cpuid_count($leaf, 0);
                                asked.$register & $bits == $bits
                            };
                            STORAGE.store(here as u8, Relaxed);
                            here
                        }
                        known => known == 1,
                    };
                    (InitToken(()), found)
                }
            }
        };
    }
    // AES and SSE 4.1; the wrong one asks another register.
    #[cfg(not(bad))]
    new_feature!(aes_cpu, 1, ecx, 0x0208_0000);
    #[cfg(bad)]
    new_feature!(aes_cpu, 1, edx, 0x0200_0000);
    new_feature!(bmi2_cpu, 7, ebx, 0x100);
    #[derive(Clone)]
    struct Cipher {
        token: aes_cpu::InitToken,
        key: u32,
    }
    impl Cipher {
        #[inline(never)]
        fn encrypt(&self, data: &[u8]) -> u32 {
            if self.token.get() {
                // SAFETY: the token says that AES was asked for.
                unsafe { check_aes(self.key, data) }
            } else {
                check_plain(self.key, data)
            }
        }
    }
    pub fn run(data: &[u8]) -> u64 {
        let cipher = Cipher { token: aes_cpu::init(), key: u32::from(data[7]) };
        let (_, has_bmi2) = bmi2_cpu::init_get();
        let word = u64::from(data[5]) * 0x0101_0101;
        // SAFETY: BMI2 was asked for.
        let bits = if has_bmi2 { unsafe { extract_bmi2(word, 0xf0f0) } } else { extract_plain(word, 0xf0f0) };
        u64::from(cipher.encrypt(data)) + bits
    }
}

/// A state of a hasher that is one of two, the better if its maker gives one.
#[cfg(crc_state)]
mod program {
    use super::*;
    mod baseline {
        pub struct State(pub u32);
    }
    mod specialized {
        pub struct State(u32);
        impl State {
            pub fn new(sum: u32) -> Option<Self> {
                let fits = is_x86_feature_detected!("sse2") && is_x86_feature_detected!("sse4.1");
                if fits && (cfg!(bad) || is_x86_feature_detected!("pclmulqdq")) {
                    // SAFETY of all that follows: what was asked.
                    Some(State(sum))
                } else {
                    None
                }
            }
            pub fn update(&mut self, data: &[u8]) {
                // SAFETY: this state is made where PCLMUL was asked for.
                self.0 = unsafe { super::check_pclmul(self.0, data) };
            }
            pub fn finalize(self) -> u32 {
                !self.0
            }
        }
    }
    enum State {
        Baseline(baseline::State),
        Specialized(specialized::State),
    }
    pub struct Hasher {
        amount: u64,
        state: State,
    }
    impl Hasher {
        #[inline(never)]
        pub fn new(sum: u32) -> Self {
            let state = match specialized::State::new(sum) {
                Some(state) => State::Specialized(state),
                None => State::Baseline(baseline::State(sum)),
            };
            Hasher { amount: 0, state }
        }
        #[inline(never)]
        pub fn update(&mut self, data: &[u8]) {
            self.amount += data.len() as u64;
            match &mut self.state {
                State::Baseline(state) => state.0 = check_plain(state.0, data),
                State::Specialized(state) => state.update(data),
            }
        }
        pub fn finalize(self) -> u32 {
            match self.state {
                State::Baseline(state) => !state.0,
                State::Specialized(state) => state.finalize(),
            }
        }
    }
    pub fn run(data: &[u8]) -> u64 {
        let mut hasher = Hasher::new(0);
        data.chunks(128).for_each(|part| hasher.update(part));
        u64::from(hasher.finalize())
    }
}

/// Proofs of features are types, given out by a structure that was filled once.
#[cfg(ring_features)]
mod program {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};
    #[derive(Clone, Copy)]
    pub struct Features(());
    static WORDS: AtomicU32 = AtomicU32::new(0);
    const INITIALIZED: u32 = 1 << 31;
    const AES: u32 = 1;
    const CLMUL: u32 = 2;
    const AVX2: u32 = 4;
    pub fn features() -> Features {
        if WORDS.load(Ordering::Acquire) & INITIALIZED == 0 {
            let mut words = INITIALIZED;
            words |= if is_x86_feature_detected!("aes") { AES } else { 0 };
            words |= if is_x86_feature_detected!("pclmulqdq") { CLMUL } else { 0 };
            words |= if is_x86_feature_detected!("avx2") { AVX2 } else { 0 };
            WORDS.store(words, Ordering::Release);
        }
        Features(())
    }
    pub trait GetFeature<T> {
        fn get_feature(&self) -> Option<T>;
    }
    pub struct Aes(Features);
    pub struct Avx2(Features);
    impl GetFeature<Aes> for Features {
        fn get_feature(&self) -> Option<Aes> {
            (WORDS.load(Ordering::Relaxed) & (AES | CLMUL) == AES | CLMUL).then_some(Aes(*self))
        }
    }
    impl GetFeature<Avx2> for Features {
        fn get_feature(&self) -> Option<Avx2> {
            (WORDS.load(Ordering::Relaxed) & AVX2 == AVX2).then_some(Avx2(*self))
        }
    }
    enum DynKey {
        Hw(Aes),
        Fallback,
    }
    #[inline(never)]
    fn new_key(cpu: Features) -> DynKey {
        match cpu.get_feature() {
            Some(aes) => DynKey::Hw(aes),
            None => DynKey::Fallback,
        }
    }
    #[inline(never)]
    fn seal(key: &DynKey, cpu: Features, data: &[u8]) -> u32 {
        let text = match key {
            // SAFETY: the key is this variant where AES and PCLMUL were asked for.
            DynKey::Hw(_) => unsafe { check_aes(1, data) ^ check_pclmul(1, data) },
            DynKey::Fallback => check_plain(1, data),
        };
        let tag: Option<Avx2> = cpu.get_feature();
        // SAFETY: the feature is there only where AVX2 was asked for.
        text ^ tag.map_or_else(|| check_plain(2, data), |_| unsafe { check_avx2(2, data) })
    }
    pub fn run(data: &[u8]) -> u64 {
        let cpu = features();
        u64::from(seal(&new_key(cpu), cpu, data))
    }
}

/// A function that gives the function, or nothing.
#[cfg(adler_imp)]
mod program {
    use super::*;
    type Adler32Imp = fn(u16, u16, &[u8]) -> (u16, u16);
    fn get_avx2() -> Option<Adler32Imp> {
        fn shim(a: u16, b: u16, data: &[u8]) -> (u16, u16) {
            // SAFETY: it is handed out where AVX2 was asked for.
            let sum = unsafe { check_avx2(u32::from(b) << 16 | u32::from(a), data) };
            (sum as u16, (sum >> 16) as u16)
        }
        std::is_x86_feature_detected!("avx2").then_some(shim as Adler32Imp)
    }
    fn get_imp() -> Adler32Imp {
        fn scalar(a: u16, b: u16, data: &[u8]) -> (u16, u16) {
            let sum = check_plain(u32::from(b) << 16 | u32::from(a), data);
            (sum as u16, (sum >> 16) as u16)
        }
        get_avx2().unwrap_or(scalar)
    }
    pub struct Adler32 {
        a: u16,
        b: u16,
        update: Adler32Imp,
    }
    impl Default for Adler32 {
        fn default() -> Self {
            Adler32 { a: 1, b: 0, update: get_imp() }
        }
    }
    pub fn run(data: &[u8]) -> u64 {
        let mut sum = Adler32::default();
        for part in data.chunks(512) {
            (sum.a, sum.b) = (sum.update)(sum.a, sum.b, part);
        }
        u64::from(sum.a) + u64::from(sum.b)
    }
}

/// Bits in an atomic word of which some mean "not asked"; the wrong one reads them before.
#[cfg(hex_flags)]
mod program {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    const WIDE: usize = 1;
    const NARROW: usize = 2;
    const UNASKED: usize = usize::MAX;
    static FLAGS: AtomicUsize = AtomicUsize::new(UNASKED);
    #[cold]
    #[inline(never)]
    fn ask() -> usize {
        let mut flags = NARROW;
        if is_x86_feature_detected!("avx2") {
            flags |= WIDE;
        }
        FLAGS.store(flags, Relaxed);
        flags
    }
    fn flags() -> usize {
        match FLAGS.load(Relaxed) {
            UNASKED => ask(),
            known => known,
        }
    }
    #[inline(never)]
    fn encode(data: &[u8]) -> u32 {
        // SAFETY: the flag is set where AVX2 was asked for.
        if flags() & WIDE != 0 { unsafe { check_avx2(1, data) } } else { check_plain(1, data) }
    }
    #[inline(never)]
    fn validate(data: &[u8]) -> bool {
        let flags = if cfg!(bad) { FLAGS.load(Relaxed) } else { flags() };
        // SAFETY: the flag is set where AVX2 was asked for.
        let found = if flags & WIDE != 0 { unsafe { scan_avx2(b'g', data) } } else { scan_sse2(b'g', data) };
        found.is_none()
    }
    pub fn run(data: &[u8]) -> u64 {
        let is_valid = validate(&data[64..]);
        u64::from(encode(data)) + u64::from(is_valid)
    }
}

/// Words of `cpuid` that are asked by hand, and bits of a cell of the thread.
#[cfg(flac_bits)]
mod program {
    use super::*;
    use std::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
    use std::cell::Cell;
    thread_local! {
        static BITS: Cell<Option<u32>> = const { Cell::new(None) };
    }
    const FMA: u32 = 1 << 3;
    const AVX2: u32 = 1 << 4;
    #[target_feature(enable = "xsave")]
    unsafe fn xcr0() -> u64 {
        // SAFETY: whoever calls this has asked for OSXSAVE.
        unsafe { _xgetbv(0) }
    }
    #[inline(never)]
    fn ask() -> u32 {
        let (max, one) = (__cpuid(0).eax, __cpuid(1));
        // SAFETY: OSXSAVE is one of the bits that were asked for.
        if one.ecx & 0x1800_0000 != 0x1800_0000 || unsafe { xcr0() } & 6 != 6 {
            return 0;
        }
        let mut bits = if one.ecx & 1 << 12 != 0 { FMA } else { 0 };
        if max >= 7 && __cpuid_count(7, 0).ebx & 1 << 5 != 0 {
            bits |= AVX2;
        }
        bits
    }
    fn bits() -> u32 {
        BITS.with(|cell| {
            cell.get().unwrap_or_else(|| {
                let bits = ask();
                cell.set(Some(bits));
                bits
            })
        })
    }
    pub fn run(data: &[u8]) -> u64 {
        let floats: Vec<f32> = data.iter().map(|b| f32::from(*b)).collect();
        let (a, b) = floats.split_at(512);
        // SAFETY of both: the bit is set where the extension was asked for.
        let both = if bits() & FMA != 0 { unsafe { dot_fma(a, b) } } else { dot_plain(a, b) };
        let sum = if bits() & AVX2 != 0 { unsafe { check_avx2(1, data) } } else { check_plain(1, data) };
        both as u64 + u64::from(sum)
    }
}

fn main() {
    std::hint::black_box(program::run(&input()));
}
