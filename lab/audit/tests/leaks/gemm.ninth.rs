// Products of matrices: each type has an atomic pointer that begins with an initialiser, which finds
// features, keeps the kernel in the pointer and calls it; a configuration is kept beside.
use std::arch::x86_64::*;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Parallelism {
    None,
    Limit(usize),
}
static THRESHOLD: AtomicUsize = AtomicUsize::new(48);

type GemmFn = unsafe fn(usize, usize, usize, *mut f32, *const f32, *const f32, f32);

mod scalar {
    pub mod f32 {
        /// # Safety
        /// The pointers are to whole matrices.
        pub unsafe fn gemm_basic(m: usize, n: usize, k: usize, dst: *mut f32, lhs: *const f32, rhs: *const f32, alpha: f32) {
            for row in 0..m {
                for column in 0..n {
                    // SAFETY: the caller's.
                    unsafe {
                        let mut sum = 0.0;
                        for depth in 0..k {
                            sum += *lhs.add(row * k + depth) * *rhs.add(depth * n + column);
                        }
                        *dst.add(row * n + column) = alpha * sum;
                    }
                }
            }
        }
    }
}
mod fma {
    pub mod f32 {
        use super::super::*;
        /// # Safety
        /// The pointers are to whole matrices, and there are FMA and AVX2.
        #[target_feature(enable = "avx2,fma")]
        pub unsafe fn gemm_basic(m: usize, n: usize, k: usize, dst: *mut f32, lhs: *const f32, rhs: *const f32, alpha: f32) {
            // SAFETY: the caller's; what is beyond a row is masked.
            unsafe {
                let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
                for row in 0..m {
                    for column in (0..n).step_by(8) {
                        let mask = _mm256_cmpgt_epi32(_mm256_set1_epi32((n - column) as i32), lanes);
                        let mut sum = _mm256_setzero_ps();
                        for depth in 0..k {
                            let left = _mm256_set1_ps(*lhs.add(row * k + depth));
                            sum = _mm256_fmadd_ps(left, _mm256_maskload_ps(rhs.add(depth * n + column), mask), sum);
                        }
                        _mm256_maskstore_ps(dst.add(row * n + column), mask, _mm256_mul_ps(sum, _mm256_set1_ps(alpha)));
                    }
                }
            }
        }
    }
}
fn init_gemm_fn() -> GemmFn {
    #[cfg(not(BAD))]
    if is_x86_feature_detected!("fma") && is_x86_feature_detected!("avx2") {
        return fma::f32::gemm_basic;
    }
    // The kernels are named after one of the two.
    #[cfg(BAD)]
    if is_x86_feature_detected!("fma") {
        return fma::f32::gemm_basic;
    }
    scalar::f32::gemm_basic
}
static GEMM_PTR: AtomicPtr<()> = AtomicPtr::new(init_gemm_ptr as *mut ());

unsafe fn init_gemm_ptr(m: usize, n: usize, k: usize, dst: *mut f32, lhs: *const f32, rhs: *const f32, alpha: f32) {
    let chosen = init_gemm_fn();
    GEMM_PTR.store(chosen as *mut (), Ordering::Relaxed);
    // SAFETY: the caller's.
    unsafe { chosen(m, n, k, dst, lhs, rhs, alpha) }
}
fn get_gemm_fn() -> GemmFn {
    // SAFETY: only functions of this type are stored.
    unsafe { std::mem::transmute::<*mut (), GemmFn>(GEMM_PTR.load(Ordering::Relaxed)) }
}

#[derive(Clone, Debug, PartialEq)]
struct Matrix {
    rows: usize,
    columns: usize,
    data: Vec<f32>,
}
#[derive(Debug)]
enum Error {
    Shapes((usize, usize), (usize, usize)),
    Empty,
}
impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Shapes(a, b) => write!(f, "{a:?} does not multiply {b:?}"),
            Error::Empty => write!(f, "nothing to multiply"),
        }
    }
}
impl std::error::Error for Error {}
impl Matrix {
    fn from_fn(rows: usize, columns: usize, f: impl Fn(usize, usize) -> f32) -> Self {
        let data = (0..rows * columns).map(|at| f(at / columns, at % columns)).collect();
        Self { rows, columns, data }
    }
    fn gemm(&self, other: &Self, alpha: f32, parallelism: Parallelism) -> Result<Self, Error> {
        if self.columns != other.rows {
            return Err(Error::Shapes((self.rows, self.columns), (other.rows, other.columns)));
        }
        if self.data.is_empty() || other.data.is_empty() {
            return Err(Error::Empty);
        }
        let mut out = Self::from_fn(self.rows, other.columns, |_, _| 0.0);
        let f = get_gemm_fn();
        let work = self.rows * other.columns;
        match parallelism {
            Parallelism::Limit(n) if n > 1 && work > THRESHOLD.load(Ordering::Relaxed) => {
                let half = self.rows / 2;
                let (top, bottom) = out.data.split_at_mut(half * other.columns);
                // SAFETY: the halves are of whole rows, and shapes fit.
                unsafe {
                    f(half, other.columns, self.columns, top.as_mut_ptr(), self.data.as_ptr(), other.data.as_ptr(), alpha);
                    f(self.rows - half, other.columns, self.columns, bottom.as_mut_ptr(), self.data[half * self.columns..].as_ptr(), other.data.as_ptr(), alpha);
                }
            }
            // SAFETY: shapes fit.
            _ => unsafe { f(self.rows, other.columns, self.columns, out.data.as_mut_ptr(), self.data.as_ptr(), other.data.as_ptr(), alpha) },
        }
        Ok(out)
    }
}
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let size = std::env::args().nth(1).and_then(|arg| arg.parse().ok()).filter(|n| (1..64).contains(n)).unwrap_or(11);
    let a = Matrix::from_fn(size, 7, |row, column| (row * 3 + column) as f32 % 5.0);
    let b = Matrix::from_fn(7, size + 2, |row, column| (row + column * 2) as f32 % 7.0);
    let whole = a.gemm(&b, 0.5, Parallelism::None)?;
    let split = a.gemm(&b, 0.5, Parallelism::Limit(2))?;
    assert_eq!(whole, split);
    println!("{:.1}", whole.data.iter().sum::<f32>());
    if let Err(error) = b.gemm(&b, 1.0, Parallelism::None) {
        println!("{error}");
    }
    Ok(())
}
