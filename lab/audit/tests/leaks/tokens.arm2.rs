//! Features as a byte that a macro of a crate keeps: not asked yet, no, yes; a token for each proof.
#[path = "kernels.arm2.rs"]
mod kernels;
use kernels::*;
use std::sync::atomic::{AtomicU8, Ordering};

unsafe extern "C" {
    fn getauxval(kind: u64) -> u64;
}
static STORAGE: AtomicU8 = AtomicU8::new(u8::MAX);

#[derive(Clone, Copy)]
struct InitToken(());
impl InitToken {
    fn get(self) -> bool {
        STORAGE.load(Ordering::Relaxed) == 1
    }
}
#[cold]
#[inline(never)]
fn init_inner() -> bool {
    let hwcap = unsafe { getauxval(16) };
    let bit = if cfg!(bad) { 1 << 6 } else { 1 << 17 };
    let res = hwcap & bit == bit;
    STORAGE.store(res as u8, Ordering::Relaxed);
    res
}
fn init_get() -> (InitToken, bool) {
    let res = match STORAGE.load(Ordering::Relaxed) {
        0 => false,
        1 => true,
        _ => init_inner(),
    };
    (InitToken(()), res)
}
union Inner {
    intrinsics: unsafe fn(&[i32]) -> i32,
    soft: fn(&[i32]) -> i32,
}
struct Autodetect {
    inner: Inner,
    token: InitToken,
}
impl Autodetect {
    #[inline(never)]
    fn new() -> Self {
        let (token, there) = init_get();
        let inner = if there { Inner { intrinsics: sha3 } } else { Inner { soft: plain } };
        Self { inner, token }
    }
    #[inline(never)]
    fn digest(&self, a: &[i32]) -> i32 {
        match self.token.get() {
            true => unsafe { (self.inner.intrinsics)(a) },
            false => unsafe { (self.inner.soft)(a) },
        }
    }
}
fn main() {
    let it = Autodetect::new();
    println!("{}", it.digest(&data()));
}
