//! Rust's ways to ask, each chosen by a cfg. Some are wrong on purpose: what then happens
//! is the label of the program.

#[inline(never)]
#[target_feature(enable = "avx2")]
unsafe fn kernel(a: &[i32]) -> i32 {
    use std::arch::x86_64::*;
    let mut sum = _mm256_setzero_si256();
    for row in a.chunks_exact(8) {
        // SAFETY: a chunk has eight numbers.
        let row = unsafe { _mm256_loadu_si256(row.as_ptr().cast()) };
        sum = _mm256_add_epi32(sum, _mm256_mullo_epi32(row, row));
    }
    _mm256_extract_epi32::<0>(sum)
}

#[inline(never)]
fn plain(a: &[i32]) -> i32 {
    a.iter().map(|x| x.wrapping_mul(*x)).fold(0, i32::wrapping_add)
}

fn has() -> bool {
    if cfg!(avx2) {
        is_x86_feature_detected!("avx2")
    } else if cfg!(sse42) {
        is_x86_feature_detected!("sse4.2")
    } else {
        !is_x86_feature_detected!("avx2")
    }
}

#[cfg(branch)]
#[inline(never)]
fn work(a: &[i32]) -> i32 {
    // SAFETY: as sound as the question, which is what the program is for.
    if has() { unsafe { kernel(a) } } else { plain(a) }
}

#[cfg(once)]
#[inline(never)]
fn work(a: &[i32]) -> i32 {
    static CHOSEN: std::sync::OnceLock<fn(&[i32]) -> i32> = std::sync::OnceLock::new();
    // SAFETY: as sound as the question.
    CHOSEN.get_or_init(|| if has() { |a| unsafe { kernel(a) } } else { plain })(a)
}

#[cfg(object)]
trait Sum {
    fn sum(&self, a: &[i32]) -> i32;
}
#[cfg(object)]
struct Wide;
#[cfg(object)]
struct Plain;
#[cfg(object)]
impl Sum for Wide {
    fn sum(&self, a: &[i32]) -> i32 {
        // SAFETY: as sound as the question before such a value is made.
        unsafe { kernel(a) }
    }
}
#[cfg(object)]
impl Sum for Plain {
    fn sum(&self, a: &[i32]) -> i32 {
        plain(a)
    }
}
#[cfg(object)]
#[inline(never)]
fn work(a: &[i32]) -> i32 {
    let sum: Box<dyn Sum> = if has() { Box::new(Wide) } else { Box::new(Plain) };
    sum.sum(a)
}

#[cfg(expects)]
#[inline(never)]
fn work(a: &[i32]) -> i32 {
    assert!(has(), "no AVX2");
    // SAFETY: as sound as the question.
    unsafe { kernel(a) }
}

#[cfg(direct)]
#[inline(never)]
fn work(a: &[i32]) -> i32 {
    // SAFETY: none: nobody asks before.
    unsafe { kernel(a) + i32::from(has()) }
}

fn main() {
    let a: Vec<i32> = (0..64).map(|n| n + std::env::args().count() as i32).collect();
    println!("{} {}", work(&a), plain(&a));
}
