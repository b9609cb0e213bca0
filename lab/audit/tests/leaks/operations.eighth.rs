// Linear algebra of an inference engine: a struct of boxed closures begins with generic ones, each
// kind of CPU "plugs" its own in, and a LazyLock keeps the result.
use std::arch::x86_64::*;
use std::fmt::Debug;
use std::sync::LazyLock;

trait MatMul: Debug + Send + Sync {
    fn name(&self) -> &'static str;
    /// The columns it takes at a time.
    fn nr(&self) -> usize;
    fn run(&self, a: &[f32], b: &[f32], k: usize, out: &mut [f32]);
}
#[derive(Debug, Clone, Copy)]
struct Generic;
#[derive(Debug, Clone, Copy)]
struct Fma16x6;
impl MatMul for Generic {
    fn name(&self) -> &'static str {
        "generic_f32_4x4"
    }
    fn nr(&self) -> usize {
        4
    }
    fn run(&self, a: &[f32], b: &[f32], k: usize, out: &mut [f32]) {
        for (n, o) in out.iter_mut().enumerate() {
            *o = (0..k).map(|i| a[i] * b[i * 8 + n]).sum();
        }
    }
}
impl MatMul for Fma16x6 {
    fn name(&self) -> &'static str {
        "fma_mmm_f32_8x1"
    }
    fn nr(&self) -> usize {
        8
    }
    fn run(&self, a: &[f32], b: &[f32], k: usize, out: &mut [f32]) {
        assert!(a.len() >= k && b.len() >= k * 8 && out.len() >= 8);
        // SAFETY: it is plugged in where the CPU has FMA.
        unsafe { kernel_fma(a.as_ptr(), b.as_ptr(), k, out.as_mut_ptr()) }
    }
}
#[target_feature(enable = "fma")]
unsafe fn kernel_fma(a: *const f32, b: *const f32, k: usize, out: *mut f32) {
    let mut sum = _mm256_setzero_ps();
    for i in 0..k {
        // SAFETY: the caller asserts that both have so many numbers.
        sum = unsafe { _mm256_fmadd_ps(_mm256_set1_ps(*a.add(i)), _mm256_loadu_ps(b.add(i * 8)), sum) };
    }
    unsafe { _mm256_storeu_ps(out, sum) };
}
fn max_generic(xs: &[f32]) -> f32 {
    xs.iter().copied().fold(f32::MIN, f32::max)
}
#[target_feature(enable = "avx")]
unsafe fn max_avx(xs: &[f32]) -> f32 {
    let mut best = _mm256_set1_ps(f32::MIN);
    let chunks = xs.chunks_exact(8);
    let rest = chunks.remainder();
    for chunk in chunks {
        // SAFETY: a chunk has as many numbers as are loaded.
        best = _mm256_max_ps(best, unsafe { _mm256_loadu_ps(chunk.as_ptr()) });
    }
    let mut part = [0f32; 8];
    // SAFETY: it has room for all that is stored.
    unsafe { _mm256_storeu_ps(part.as_mut_ptr(), best) };
    max_generic(&part).max(max_generic(rest))
}

type MmmImpl = Box<dyn Fn(Option<usize>, Option<usize>) -> Box<dyn MatMul> + Send + Sync>;
struct Ops {
    mmm_impls: Vec<Box<dyn MatMul>>,
    mmm_f32: MmmImpl,
    max_f32: Box<dyn Fn(&[f32]) -> f32 + Send + Sync>,
}
impl Ops {
    fn mmm(&self, k: Option<usize>, n: Option<usize>) -> Box<dyn MatMul> {
        (self.mmm_f32)(k, n)
    }
}
mod generic {
    use super::*;
    pub fn ops() -> Ops {
        Ops {
            mmm_impls: vec![Box::new(Generic)],
            mmm_f32: Box::new(|_, _| Box::new(Generic)),
            max_f32: Box::new(max_generic),
        }
    }
}
mod x86_64_fma {
    use super::*;
    fn plug_avx(ops: &mut Ops) {
        // SAFETY: whoever plugs it in asked for AVX, or not: that is what the labels are about.
        ops.max_f32 = Box::new(|xs| unsafe { max_avx(xs) });
    }
    fn plug_fma(ops: &mut Ops) {
        ops.mmm_impls.push(Box::new(Fma16x6));
        ops.mmm_f32 = Box::new(|_, n| match n {
            Some(n) if n < 5 => Box::new(Generic),
            _ => Box::new(Fma16x6),
        });
    }
    pub fn plug(ops: &mut Ops) {
        if is_x86_feature_detected!("avx") {
            plug_avx(ops);
            #[cfg(BAD)]
            plug_fma(ops);
        }
        #[cfg(not(BAD))]
        if is_x86_feature_detected!("fma") {
            plug_fma(ops);
        }
    }
}
static OPS: LazyLock<Ops> = LazyLock::new(|| {
    let mut ops = generic::ops();
    x86_64_fma::plug(&mut ops);
    ops
});

fn main() {
    let rows = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(5usize);
    let k = 33;
    let b: Vec<f32> = (0..k * 8).map(|i| (i % 7) as f32 - 3.0).collect();
    let mmm = OPS.mmm(Some(k), Some(8));
    let mut peaks = Vec::with_capacity(rows);
    for row in 0..rows {
        let a: Vec<f32> = (0..k).map(|i| ((i + row) % 5) as f32).collect();
        let (mut out, mut want) = ([0f32; 8], [0f32; 8]);
        mmm.run(&a, &b, k, &mut out);
        Generic.run(&a, &b, k, &mut want);
        if out != want {
            eprintln!("{}: row {row} differs", mmm.name());
            std::process::exit(1);
        }
        peaks.push((OPS.max_f32)(&out));
    }
    println!("{} of {}, {} columns: {peaks:?}", mmm.name(), OPS.mmm_impls.len(), mmm.nr());
}
