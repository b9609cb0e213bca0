//! Checksums, ciphers and codecs: crates that keep what they found of the CPU.

use std::arch::x86_64::*;

fn words(seed: usize) -> Vec<u64> {
    (0..64)
        .map(|i| 0x9e37_79b9_7f4a_7c15u64.wrapping_mul((i + seed) as u64))
        .collect()
}

fn poly_plain(a: u64, b: u64) -> u64 {
    (0..64)
        .filter(|i| b >> i & 1 == 1)
        .fold(0u128, |all, i| all ^ (u128::from(a) << i)) as u64
}

/// # Safety
/// The CPU has PCLMULQDQ.
#[target_feature(enable = "pclmulqdq,sse2")]
unsafe fn poly_clmul(a: u64, b: u64) -> u64 {
    let all = _mm_clmulepi64_si128::<0>(_mm_cvtsi64_si128(a as i64), _mm_cvtsi64_si128(b as i64));
    _mm_cvtsi128_si64(all) as u64
}

fn deposit_plain(mut value: u64, mut mask: u64) -> u64 {
    let mut out = 0;
    while mask != 0 {
        if value & 1 == 1 {
            out |= mask & mask.wrapping_neg();
        }
        value >>= 1;
        mask &= mask - 1;
    }
    out
}

/// # Safety
/// The CPU has BMI2.
#[target_feature(enable = "bmi2")]
unsafe fn deposit_bmi2(value: u64, mask: u64) -> u64 {
    _pdep_u64(value, mask)
}

fn most_plain(data: &[u64]) -> u32 {
    data.iter()
        .map(|word| (*word >> 32) as u32)
        .max()
        .unwrap_or(0)
}

/// # Safety
/// The CPU has AVX2.
#[target_feature(enable = "avx2")]
unsafe fn most_avx2(data: &[u64]) -> u32 {
    let mut all = _mm256_setzero_si256();
    for four in data.chunks_exact(4) {
        // SAFETY: a chunk has four words.
        let four = unsafe { _mm256_loadu_si256(four.as_ptr().cast()) };
        all = _mm256_max_epu32(all, _mm256_srli_epi64::<32>(four));
    }
    let mut out = [0u32; 8];
    // SAFETY: there is place for 32 bytes.
    unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), all) };
    out.into_iter()
        .max()
        .unwrap_or(0)
        .max(most_plain(data.chunks_exact(4).remainder()))
}

/// The crate's own questions to the CPU, as flags in a word.
#[cfg(OWN_CPUID)]
mod program {
    use super::*;

    #[derive(Clone, Copy)]
    struct Features(u32);
    impl Features {
        const AVX: Features = Features(1);
        /// With AVX, which it is nothing without.
        const AVX2: Features = Features(1 | 2);
        const BMI2: Features = Features(4);
        fn contains(self, other: Features) -> bool {
            #[cfg(not(BAD))]
            return self.0 & other.0 == other.0;
            #[cfg(BAD)]
            return self.0 & other.0 != 0;
        }
    }

    /// # Safety
    /// The CPU has XSAVE, and the system uses it.
    #[target_feature(enable = "xsave")]
    unsafe fn saved() -> u64 {
        // SAFETY: as said.
        unsafe { _xgetbv(0) }
    }

    #[inline(never)]
    #[allow(unused_unsafe)]
    fn detect() -> Features {
        let mut out = Features(0);
        // SAFETY: x86-64 has cpuid.
        let (most, one) = unsafe { (__cpuid(0).eax, __cpuid(1)) };
        // SAFETY: it is asked whether there is XSAVE.
        let ymm = one.ecx & 1 << 27 != 0 && unsafe { saved() } & 6 == 6;
        if one.ecx & 1 << 28 != 0 && ymm {
            out.0 |= Features::AVX.0;
        }
        if most >= 7 {
            // SAFETY: as above.
            let seven = unsafe { __cpuid_count(7, 0) };
            if seven.ebx & 1 << 5 != 0 && ymm {
                out.0 |= Features::AVX2.0;
            }
            if seven.ebx & 1 << 8 != 0 {
                out.0 |= Features::BMI2.0;
            }
        }
        out
    }

    pub fn main() {
        let features = detect();
        let data = words(std::env::args().count());
        let most = if features.contains(Features::AVX2) {
            // SAFETY: the CPU was asked.
            unsafe { most_avx2(&data) }
        } else {
            most_plain(&data)
        };
        let spread = match features.contains(Features::BMI2) {
            // SAFETY: the CPU was asked.
            true => unsafe { deposit_bmi2(data[1], 0x0f0f_0f0f) },
            false => deposit_plain(data[1], 0x0f0f_0f0f),
        };
        println!("{most} {spread:x}");
    }
}

/// A hasher that is one of two kinds, and can be reset and cloned.
#[cfg(HASHER_STATE)]
mod program {
    use super::*;

    #[derive(Clone)]
    struct Baseline(u64);
    #[derive(Clone)]
    struct Specialized(u64);
    impl Specialized {
        fn new(state: u64) -> Option<Self> {
            #[cfg(not(BAD))]
            let has = is_x86_feature_detected!("pclmulqdq") && is_x86_feature_detected!("sse4.1");
            #[cfg(BAD)]
            let has = is_x86_feature_detected!("sse4.1") && is_x86_feature_detected!("sse2");
            has.then_some(Specialized(state))
        }
        fn update(&mut self, data: &[u64]) {
            for word in data {
                // SAFETY: it is made only where the CPU can.
                self.0 = unsafe { poly_clmul(self.0 ^ word, 0x1_db71_0641) }.rotate_left(9);
            }
        }
    }
    impl Baseline {
        fn update(&mut self, data: &[u64]) {
            for word in data {
                self.0 = poly_plain(self.0 ^ word, 0x1_db71_0641).rotate_left(9);
            }
        }
    }
    #[derive(Clone)]
    enum State {
        Baseline(Baseline),
        Specialized(Specialized),
    }
    #[derive(Clone)]
    struct Hasher {
        amount: usize,
        state: State,
    }
    impl Hasher {
        fn new() -> Self {
            let state = match Specialized::new(1) {
                Some(state) => State::Specialized(state),
                None => State::Baseline(Baseline(1)),
            };
            Hasher { amount: 0, state }
        }
        fn update(&mut self, data: &[u64]) {
            self.amount += data.len();
            match &mut self.state {
                State::Baseline(state) => state.update(data),
                State::Specialized(state) => state.update(data),
            }
        }
        fn finish(self) -> u64 {
            match self.state {
                State::Baseline(state) => state.0,
                State::Specialized(state) => state.0,
            }
        }
    }

    pub fn main() {
        let data = words(std::env::args().count());
        let mut hasher = Hasher::new();
        hasher.update(&data[..20]);
        let half = hasher.clone();
        hasher.update(&data[20..]);
        let amount = hasher.amount;
        println!("{amount} {:016x} {:016x}", half.finish(), hasher.finish());
    }
}

/// A union of two forms of a cipher, and a token that says which of them there is.
#[cfg(AUTODETECT)]
mod program {
    use super::*;
    use std::mem::ManuallyDrop;
    use std::sync::atomic::{AtomicU8, Ordering};

    mod token {
        use super::*;
        static STORAGE: AtomicU8 = AtomicU8::new(u8::MAX);
        #[derive(Clone, Copy)]
        pub struct InitToken(());
        impl InitToken {
            pub fn get(self) -> bool {
                STORAGE.load(Ordering::Relaxed) == 1
            }
        }
        #[cold]
        #[allow(unused_unsafe)]
        fn init_inner() -> bool {
            // SAFETY: x86-64 has cpuid.
            let (most, one) = unsafe { (__cpuid(0).eax, __cpuid(1)) };
            #[cfg(not(BAD))]
            // SAFETY: as above.
            let has = most >= 7
                && one.ecx & 1 << 1 != 0
                && unsafe { __cpuid_count(7, 0) }.ebx & 1 << 8 != 0;
            #[cfg(BAD)]
            let has = most >= 7 && one.ecx & 1 << 1 != 0;
            STORAGE.store(u8::from(has), Ordering::Relaxed);
            has
        }
        pub fn init_get() -> (InitToken, bool) {
            let has = match STORAGE.load(Ordering::Relaxed) {
                0 => false,
                1 => true,
                _ => init_inner(),
            };
            (InitToken(()), has)
        }
    }

    struct Fast {
        key: u64,
    }
    struct Soft {
        key: u64,
        table: Vec<u64>,
    }
    union Inner {
        fast: ManuallyDrop<Fast>,
        soft: ManuallyDrop<Soft>,
    }
    struct Cipher {
        inner: Inner,
        token: token::InitToken,
    }
    impl Cipher {
        fn new(key: u64) -> Self {
            let (token, has) = token::init_get();
            let inner = if has {
                Inner {
                    fast: ManuallyDrop::new(Fast { key }),
                }
            } else {
                Inner {
                    soft: ManuallyDrop::new(Soft {
                        key,
                        table: vec![0x0f0f_0f0f; 2],
                    }),
                }
            };
            Cipher { inner, token }
        }
        fn encrypt(&self, block: u64) -> u64 {
            // SAFETY: the token says which there is.
            unsafe {
                if self.token.get() {
                    poly_clmul(deposit_bmi2(block, 0x0f0f_0f0f), self.inner.fast.key)
                } else {
                    poly_plain(
                        deposit_plain(block, self.inner.soft.table[1]),
                        self.inner.soft.key,
                    )
                }
            }
        }
    }
    impl Drop for Cipher {
        fn drop(&mut self) {
            // SAFETY: as above.
            unsafe {
                match self.token.get() {
                    true => ManuallyDrop::drop(&mut self.inner.fast),
                    false => ManuallyDrop::drop(&mut self.inner.soft),
                }
            }
        }
    }

    pub fn main() {
        let cipher = Cipher::new(0x1234_5678_9abc_def1);
        let blocks: Vec<String> = words(std::env::args().count())
            .iter()
            .take(4)
            .map(|block| format!("{:016x}", cipher.encrypt(*block)))
            .collect();
        println!("{}", blocks.join(" "));
    }
}

/// A macro makes a function with a form for each set of features.
#[cfg(MACRO_MADE)]
mod program {
    use super::*;
    use std::sync::OnceLock;

    macro_rules! dispatch {
        ($(#[$doc:meta])* fn $name:ident($($arg:ident: $ty:ty),*) -> $out:ty { $($feature:tt: $fast:path),*; _ => $plain:path }) => {
            $(#[$doc])*
            fn $name($($arg: $ty),*) -> $out {
                type Form = unsafe fn($($ty),*) -> $out;
                static CHOSEN: OnceLock<Form> = OnceLock::new();
                let chosen = CHOSEN.get_or_init(|| {
                    $(if is_x86_feature_detected!($feature) {
                        return $fast as Form;
                    })*
                    $plain as Form
                });
                // SAFETY: its feature was detected.
                unsafe { chosen($($arg),*) }
            }
        };
    }
    #[cfg(not(BAD))]
    dispatch! {
        /// The highest upper half.
        fn most(data: &[u64]) -> u32 { "avx2": most_avx2; _ => most_plain }
    }
    #[cfg(BAD)]
    dispatch! {
        /// The highest upper half.
        fn most(data: &[u64]) -> u32 { "avx2": most_avx2, "avx": most_avx2; _ => most_plain }
    }
    dispatch! {
        fn deposit(value: u64, mask: u64) -> u64 { "bmi2": deposit_bmi2; _ => deposit_plain }
    }

    pub fn main() {
        let data = words(std::env::args().count());
        for part in data.chunks(22) {
            println!("{} {:x}", most(part), deposit(part[0], 0xf0f0));
        }
    }
}

/// Names of features in a text, as options of a tool or a file have them.
#[cfg(PARSED)]
mod program {
    use super::*;
    use std::collections::BTreeSet;
    use std::str::FromStr;

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    enum Feature {
        Avx2,
        Bmi2,
        Pclmul,
    }
    impl FromStr for Feature {
        type Err = String;
        fn from_str(name: &str) -> Result<Self, String> {
            Ok(match name.trim() {
                "avx2" => Feature::Avx2,
                "bmi2" => Feature::Bmi2,
                "pclmul" => Feature::Pclmul,
                other => return Err(format!("no feature is called {other}")),
            })
        }
    }
    impl Feature {
        fn is_there(self) -> bool {
            match self {
                Feature::Avx2 => is_x86_feature_detected!("avx2"),
                Feature::Bmi2 => is_x86_feature_detected!("bmi2"),
                Feature::Pclmul => is_x86_feature_detected!("pclmulqdq"),
            }
        }
    }

    #[inline(never)]
    fn features(list: &str) -> Result<BTreeSet<Feature>, String> {
        let asked: BTreeSet<Feature> = list.split(',').map(str::parse).collect::<Result<_, _>>()?;
        #[cfg(not(BAD))]
        let there = asked
            .into_iter()
            .filter(|feature| feature.is_there())
            .collect();
        #[cfg(BAD)]
        let there = match asked.iter().all(|feature| feature.is_there()) {
            true => asked,
            false => asked
                .into_iter()
                .filter(|feature| *feature != Feature::Avx2)
                .collect(),
        };
        Ok(there)
    }

    pub fn main() {
        let list = std::env::args()
            .nth(1)
            .unwrap_or_else(|| "avx2,pclmul,bmi2".into());
        let have = match features(&list) {
            Ok(have) => have,
            Err(error) => {
                eprintln!("{error}");
                std::process::exit(3);
            }
        };
        let data = words(list.len());
        let most = match have.contains(&Feature::Avx2) {
            // SAFETY: it is in the set.
            true => unsafe { most_avx2(&data) },
            false => most_plain(&data),
        };
        let poly = match have.contains(&Feature::Pclmul) {
            // SAFETY: it is in the set.
            true => unsafe { poly_clmul(data[0], data[1]) },
            false => poly_plain(data[0], data[1]),
        };
        println!("{most} {poly:x}");
    }
}

/// Lines of a log; the question stands in the closure of an iterator.
#[cfg(IN_ITERATOR)]
mod program {
    use super::*;

    struct Line {
        number: usize,
        values: Vec<u64>,
    }

    pub fn main() {
        let seed = std::env::args().count();
        let log: String = (0..6)
            .map(|i| format!("{} {} {}\n", i * seed, i + 40, i * i))
            .collect();
        let lines: Vec<Line> = log
            .lines()
            .enumerate()
            .map(|(number, line)| Line {
                number,
                values: line
                    .split(' ')
                    .filter_map(|word| word.parse::<u64>().ok())
                    .collect(),
            })
            .collect();
        let total: u64 = lines
            .iter()
            .filter(|line| line.number % 2 == 1)
            .flat_map(|line| line.values.iter().copied())
            .map(|value| {
                #[cfg(not(BAD))]
                let has = is_x86_feature_detected!("bmi2");
                #[cfg(BAD)]
                let has = is_x86_feature_detected!("bmi1") || value > 40;
                if has {
                    // SAFETY: it was asked.
                    unsafe { deposit_bmi2(value, 0x5555) }
                } else {
                    deposit_plain(value, 0x5555)
                }
            })
            .sum();
        println!("{} lines, {total}", lines.len());
    }
}

fn main() {
    program::main();
}
