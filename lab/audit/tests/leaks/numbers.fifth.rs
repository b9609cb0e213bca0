//! Hashes, vectors and numbers, as crates choose them.

use std::arch::x86_64::*;

fn reals(seed: usize) -> Vec<f32> {
    (0..128).map(|i| (i % 5 + seed) as f32 * 0.5).collect()
}

fn dot_plain(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[target_feature(enable = "avx2,fma")]
fn dot_fma(a: &[f32], b: &[f32]) -> f32 {
    let mut all = _mm256_setzero_ps();
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        // SAFETY: a chunk has eight numbers.
        let (a, b) = unsafe { (_mm256_loadu_ps(a.as_ptr()), _mm256_loadu_ps(b.as_ptr())) };
        all = _mm256_fmadd_ps(a, b, all);
    }
    let ends = _mm256_permute4x64_epi64::<0b01_00_11_10>(_mm256_castps_si256(all));
    let mut out = [0.0; 8];
    // SAFETY: there is room for eight numbers.
    unsafe {
        _mm256_storeu_ps(
            out.as_mut_ptr(),
            _mm256_add_ps(all, _mm256_castsi256_ps(ends)),
        )
    };
    out[..4].iter().sum()
}

fn bits_plain(value: u64, mut mask: u64) -> u64 {
    let (mut out, mut to) = (0, 0);
    while mask != 0 {
        out |= (value >> mask.trailing_zeros() & 1) << to;
        mask &= mask - 1;
        to += 1;
    }
    out
}

#[target_feature(enable = "bmi2")]
fn bits_bmi2(value: u64, mask: u64) -> u64 {
    _pext_u64(value, mask)
}

/// The platform is an enumeration that hashers carry.
#[cfg(PLATFORM)]
mod program {
    use super::*;

    #[derive(Clone, Copy, Debug)]
    pub enum Platform {
        Portable,
        Sse2,
        Avx2,
    }

    impl Platform {
        pub fn detect() -> Self {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                return Platform::Avx2;
            }
            #[cfg(BAD)]
            if is_x86_feature_detected!("sse4.1") || is_x86_feature_detected!("avx") {
                return Platform::Avx2;
            }
            if is_x86_feature_detected!("sse2") {
                return Platform::Sse2;
            }
            Platform::Portable
        }

        fn degree(&self) -> usize {
            match self {
                Platform::Portable => 1,
                Platform::Sse2 => 4,
                Platform::Avx2 => 8,
            }
        }

        fn compress(&self, a: &[f32], b: &[f32]) -> f32 {
            match self {
                Platform::Portable | Platform::Sse2 => dot_plain(a, b),
                // SAFETY: detected.
                Platform::Avx2 => unsafe { dot_fma(a, b) },
            }
        }
    }

    struct Hasher {
        platform: Platform,
        state: f32,
    }

    impl Hasher {
        fn update(&mut self, input: &[f32]) -> &mut Self {
            for part in input.chunks(8 * self.platform.degree()) {
                self.state += self.platform.compress(part, part);
            }
            self
        }
    }

    pub fn main() {
        let input = reals(std::env::args().count());
        let mut hasher = Hasher {
            platform: Platform::detect(),
            state: 0.0,
        };
        hasher.update(&input).update(&input[16..]);
        println!("{} {:?}", hasher.state, hasher.platform);
    }
}

/// Back ends behind a trait, each of which says whether it is available.
#[cfg(BACKENDS)]
mod program {
    use super::*;

    trait Backend {
        fn name(&self) -> &'static str;
        fn available(&self) -> bool;
        fn dot(&self, a: &[f32], b: &[f32]) -> f32;
        fn bits(&self, value: u64, mask: u64) -> u64 {
            bits_plain(value, mask)
        }
    }

    struct Plain;
    struct Wide;

    impl Backend for Plain {
        fn name(&self) -> &'static str {
            "plain"
        }
        fn available(&self) -> bool {
            true
        }
        fn dot(&self, a: &[f32], b: &[f32]) -> f32 {
            dot_plain(a, b)
        }
    }

    impl Backend for Wide {
        fn name(&self) -> &'static str {
            "wide"
        }
        fn available(&self) -> bool {
            is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("bmi2")
        }
        fn dot(&self, a: &[f32], b: &[f32]) -> f32 {
            // SAFETY: available.
            unsafe { dot_fma(a, b) }
        }
        fn bits(&self, value: u64, mask: u64) -> u64 {
            // SAFETY: available.
            unsafe { bits_bmi2(value, mask) }
        }
    }

    fn select(list: Vec<Box<dyn Backend>>) -> Option<Box<dyn Backend>> {
        #[cfg(not(BAD))]
        return list.into_iter().find(|backend| backend.available());
        // What cannot run is skipped, which is not what this does.
        #[cfg(BAD)]
        return list.into_iter().find(|backend| !backend.available());
    }

    pub fn main() {
        let a = reals(std::env::args().count());
        let Some(backend) = select(vec![Box::new(Wide), Box::new(Plain)]) else {
            println!("none");
            return;
        };
        let bits = backend.bits(a.len() as u64 * 77, 0xf0f0f0);
        println!("{} {} {bits}", backend.name(), backend.dot(&a, &a[8..]));
    }
}

/// The CPU's own words, and a byte that says what came of them.
#[cfg(STORED_BYTE)]
mod program {
    use super::*;
    use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

    const NOT_ASKED: u8 = u8::MAX;
    static STORAGE: AtomicU8 = AtomicU8::new(NOT_ASKED);

    #[derive(Clone, Copy)]
    pub struct InitToken(());

    impl InitToken {
        #[inline(always)]
        pub fn get(&self) -> bool {
            STORAGE.load(Relaxed) == 1
        }
    }

    #[cold]
    fn ask() -> bool {
        let highest = __cpuid(0).eax;
        if highest < 7 {
            return false;
        }
        let [one, seven] = [__cpuid(1), __cpuid_count(7, 0)];
        #[cfg(not(BAD))]
        let has = seven.ebx & (1 << 8) != 0;
        // The leaf before: of that this is the bit of CMPXCHG8B, of EDX.
        #[cfg(BAD)]
        let has = one.edx & (1 << 8) != 0 || seven.ebx & (1 << 8) != 0;
        has && one.edx & (1 << 26) != 0
    }

    pub fn init_get() -> (InitToken, bool) {
        let known = match STORAGE.load(Relaxed) {
            NOT_ASKED => {
                let has = ask();
                STORAGE.store(has.into(), Relaxed);
                has
            }
            other => other == 1,
        };
        (InitToken(()), known)
    }

    enum Inner {
        Fast(InitToken),
        Soft,
    }

    struct State {
        inner: Inner,
        token: InitToken,
    }

    impl State {
        fn new() -> State {
            let (token, has) = init_get();
            let inner = if has { Inner::Fast(token) } else { Inner::Soft };
            State { inner, token }
        }

        fn block(&self, value: u64) -> u64 {
            match &self.inner {
                // SAFETY: the CPU says so.
                Inner::Fast(_) => unsafe { bits_bmi2(value, 0x7777_7777) },
                Inner::Soft => bits_plain(value, 0x7777_7777),
            }
        }

        fn again(&self, value: u64) -> u64 {
            if self.token.get() {
                // SAFETY: the CPU says so.
                unsafe { bits_bmi2(value, 0x1111_1111) }
            } else {
                bits_plain(value, 0x1111_1111)
            }
        }
    }

    pub fn main() {
        let state = State::new();
        let seed = std::env::args().count() as u64 * 0x9e37;
        println!("{} {}", state.block(seed), state.again(seed));
    }
}

/// An operation is a type that is run with whatever SIMD there is, as its generic argument.
#[cfg(WITH_SIMD)]
mod program {
    use super::*;

    trait Simd: Copy {
        const LANES: usize;
        fn dot(self, a: &[f32], b: &[f32]) -> f32;
    }

    #[derive(Clone, Copy)]
    struct Scalar;
    #[derive(Clone, Copy)]
    struct V3(());

    impl Simd for Scalar {
        const LANES: usize = 1;
        fn dot(self, a: &[f32], b: &[f32]) -> f32 {
            dot_plain(a, b)
        }
    }

    impl Simd for V3 {
        const LANES: usize = 8;
        fn dot(self, a: &[f32], b: &[f32]) -> f32 {
            // SAFETY: there is one only where `try_new` asked.
            unsafe { dot_fma(a, b) }
        }
    }

    impl V3 {
        fn try_new() -> Option<V3> {
            (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(V3(()))
        }
    }

    trait WithSimd {
        type Output;
        fn with_simd<S: Simd>(self, simd: S) -> Self::Output;
    }

    #[derive(Clone, Copy)]
    enum Arch {
        Scalar,
        V3(V3),
    }

    impl Arch {
        fn new() -> Arch {
            V3::try_new().map_or(Arch::Scalar, Arch::V3)
        }

        fn dispatch<Op: WithSimd>(self, op: Op) -> Op::Output {
            match self {
                Arch::Scalar => op.with_simd(Scalar),
                Arch::V3(simd) => op.with_simd(simd),
            }
        }
    }

    struct Norms<'a>(&'a [f32]);

    impl WithSimd for Norms<'_> {
        type Output = Vec<f32>;
        fn with_simd<S: Simd>(self, simd: S) -> Vec<f32> {
            let rows = self.0.chunks_exact(16 * S::LANES.min(2));
            rows.map(|row| simd.dot(row, row)).collect()
        }
    }

    pub fn main() {
        let data = reals(std::env::args().count());
        println!("{:?}", Arch::new().dispatch(Norms(&data)));
    }
}

fn main() {
    program::main();
}
