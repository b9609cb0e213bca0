//! An encoder: the CPU's level is told once, tables of functions are indexed by it.
#[path = "kernels.arm2.rs"]
mod kernels;
use kernels::*;
use std::sync::OnceLock;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
enum CpuFeatureLevel {
    Rust,
    Neon,
    Dotprod,
    I8mm,
}
impl CpuFeatureLevel {
    fn detect() -> Self {
        if std::arch::is_aarch64_feature_detected!("i8mm") {
            Self::I8mm
        } else if std::arch::is_aarch64_feature_detected!("dotprod") {
            Self::Dotprod
        } else {
            Self::Neon
        }
    }
    fn get() -> Self {
        static LEVEL: OnceLock<CpuFeatureLevel> = OnceLock::new();
        *LEVEL.get_or_init(Self::detect)
    }
}
unsafe fn scalar(a: &[i32]) -> i32 {
    plain(a)
}
type Sad = unsafe fn(&[i32]) -> i32;
static SAD: [Option<Sad>; 4] = [None, if cfg!(bad) { Some(dot) } else { None }, Some(dot), Some(i8mm)];

#[inline(never)]
fn sad(a: &[i32], cpu: CpuFeatureLevel) -> i32 {
    // SAFETY: none, on purpose: the level says what there is, or does not.
    match SAD[cpu as usize] {
        Some(func) => unsafe { func(a) },
        None => unsafe { scalar(a) },
    }
}
fn main() {
    let cpu = CpuFeatureLevel::get();
    println!("{cpu:?} {}", sad(&data(), cpu));
}
