//! A search: an atomic pointer begins with the function that detects and stores the best one.
#[path = "kernels.arm2.rs"]
mod kernels;
use kernels::*;
use std::arch::is_aarch64_feature_detected;
use std::sync::atomic::{AtomicPtr, Ordering};

type FnRaw = *mut ();
type RealFn = unsafe fn(&[i32]) -> i32;
static FN: AtomicPtr<()> = AtomicPtr::new(detect as FnRaw);

unsafe fn find_fallback(a: &[i32]) -> i32 {
    plain(a)
}
unsafe fn detect(a: &[i32]) -> i32 {
    let fun = {
        if is_aarch64_feature_detected!("i8mm") {
            i8mm as RealFn
        } else if cfg!(bad) && is_aarch64_feature_detected!("neon") {
            dot as RealFn
        } else if is_aarch64_feature_detected!("dotprod") {
            dot as RealFn
        } else {
            find_fallback as RealFn
        }
    };
    FN.store(fun as FnRaw, Ordering::Relaxed);
    // SAFETY: none, on purpose: what was detected is called.
    unsafe { fun(a) }
}
fn search(a: &[i32]) -> i32 {
    let fun = FN.load(Ordering::Relaxed);
    // SAFETY: only functions of that type are stored there.
    unsafe { std::mem::transmute::<FnRaw, RealFn>(fun)(a) }
}
fn main() {
    let a = data();
    println!("{} {}", search(&a), search(&a[1..]));
}
