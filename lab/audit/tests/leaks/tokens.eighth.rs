// Levels as an enum of tokens: whoever holds one has asked. A macro matches on the level and runs a
// generic function under the token's target features.
use std::arch::x86_64::*;
use std::sync::OnceLock;

#[derive(Clone, Copy, Debug)]
struct Fallback;
#[derive(Clone, Copy, Debug)]
struct Avx2 {
    _private: (),
}
#[derive(Clone, Copy, Debug)]
enum Level {
    Fallback(Fallback),
    Avx2(Avx2),
}
impl Level {
    fn try_detect() -> Self {
        #[cfg(not(BAD))]
        let has = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("bmi2");
        // Two of the three, and the one that counts is not among them.
        #[cfg(BAD)]
        let has = is_x86_feature_detected!("avx") && is_x86_feature_detected!("fma");
        if has { Level::Avx2(Avx2 { _private: () }) } else { Level::Fallback(Fallback) }
    }
    fn new() -> Self {
        static LEVEL: OnceLock<Level> = OnceLock::new();
        *LEVEL.get_or_init(Self::try_detect)
    }
}
trait Simd: Copy {
    type U8s: Copy;
    const LANES: usize;
    fn vectorize<R>(self, op: impl FnOnce() -> R) -> R;
    fn load(self, from: &[u8]) -> Self::U8s;
    fn saturating_add(self, a: Self::U8s, b: Self::U8s) -> Self::U8s;
    fn store(self, v: Self::U8s, to: &mut [u8]);
}
impl Simd for Fallback {
    type U8s = [u8; 16];
    const LANES: usize = 16;
    fn vectorize<R>(self, op: impl FnOnce() -> R) -> R {
        op()
    }
    fn load(self, from: &[u8]) -> [u8; 16] {
        from[..16].try_into().expect("sixteen")
    }
    fn saturating_add(self, a: [u8; 16], b: [u8; 16]) -> [u8; 16] {
        std::array::from_fn(|i| a[i].saturating_add(b[i]))
    }
    fn store(self, v: [u8; 16], to: &mut [u8]) {
        to[..16].copy_from_slice(&v);
    }
}
impl Simd for Avx2 {
    type U8s = __m256i;
    const LANES: usize = 32;
    #[inline(always)]
    fn vectorize<R>(self, op: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx2,fma,bmi2")]
        fn inner<R>(op: impl FnOnce() -> R) -> R {
            op()
        }
        // SAFETY: there is a token.
        unsafe { inner(op) }
    }
    #[inline(always)]
    fn load(self, from: &[u8]) -> __m256i {
        assert!(from.len() >= 32);
        unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
    }
    #[inline(always)]
    fn saturating_add(self, a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_adds_epu8(a, b) }
    }
    #[inline(always)]
    fn store(self, v: __m256i, to: &mut [u8]) {
        assert!(to.len() >= 32);
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), v) }
    }
}
macro_rules! dispatch {
    ($level:expr, $simd:ident => $op:expr) => {
        match $level {
            Level::Avx2(token) => {
                let $simd = token;
                token.vectorize(
                    #[inline(always)]
                    || $op,
                )
            }
            Level::Fallback(token) => {
                let $simd = token;
                token.vectorize(
                    #[inline(always)]
                    || $op,
                )
            }
        }
    };
}

#[derive(Clone, PartialEq, Eq)]
struct Layer {
    pixels: Vec<u8>,
    width: usize,
}
#[inline(always)]
fn brighten_impl<S: Simd>(simd: S, layer: &mut Layer, by: &[u8]) {
    for row in layer.pixels.chunks_mut(layer.width) {
        let mut at = 0;
        while at + S::LANES <= row.len() {
            let sum = simd.saturating_add(simd.load(&row[at..]), simd.load(&by[at..]));
            simd.store(sum, &mut row[at..]);
            at += S::LANES;
        }
        for (pixel, more) in row[at..].iter_mut().zip(&by[at..]) {
            *pixel = pixel.saturating_add(*more);
        }
    }
}
fn brighten(level: Level, layer: &mut Layer, by: &[u8]) {
    dispatch!(level, simd => brighten_impl(simd, layer, by))
}
struct RenderSettings {
    level: Level,
    width: usize,
}
impl Default for RenderSettings {
    fn default() -> Self {
        let width = std::env::var("RENDER_WIDTH").ok().and_then(|w| w.parse().ok()).filter(|w| (1..4096).contains(w));
        Self { level: Level::new(), width: width.unwrap_or(83) }
    }
}
fn main() {
    let settings = RenderSettings::default();
    let width = settings.width;
    let by: Vec<u8> = (0..width).map(|x| (x * 3) as u8).collect();
    let mut layer = Layer { pixels: (0..width * 11).map(|i| (i * 13) as u8).collect(), width };
    let mut plain = layer.clone();
    for _ in 0..3 {
        brighten(settings.level, &mut layer, &by);
        brighten_impl(Fallback, &mut plain, &by);
    }
    if layer != plain {
        std::process::exit(1);
    }
    let sum: u64 = layer.pixels.iter().map(|&p| p as u64).sum();
    println!("{:?}: {sum}", settings.level);
}
