//! Rust's ways to ask on AArch64, each chosen by a cfg. Some are wrong on purpose: what then
//! happens is the label of the program. The word is `sdot v2.4s, v0.16b, v0.16b`.

use std::arch::asm;

#[inline(never)]
fn kernel(a: &[i32]) -> i32 {
    let mut out = [0i32; 4];
    // SAFETY: both point to sixteen bytes; that the CPU has it is what the program is about.
    unsafe {
        asm!(
            "ldr q0, [{a}]",
            "movi v2.4s, #0",
            ".inst 0x4e809402",
            "str q2, [{out}]",
            a = in(reg) a.as_ptr(),
            out = in(reg) out.as_mut_ptr(),
            out("v0") _,
            out("v2") _,
        );
    }
    out[0] + out[1]
}

#[inline(never)]
fn plain(a: &[i32]) -> i32 {
    a.iter().map(|x| x.wrapping_mul(*x)).fold(0, i32::wrapping_add)
}

fn has() -> bool {
    if cfg!(dotprod) {
        std::arch::is_aarch64_feature_detected!("dotprod")
    } else if cfg!(lse) {
        std::arch::is_aarch64_feature_detected!("lse")
    } else {
        !std::arch::is_aarch64_feature_detected!("dotprod")
    }
}

#[cfg(branch)]
#[inline(never)]
fn work(a: &[i32]) -> i32 {
    if has() { kernel(a) } else { plain(a) }
}

#[cfg(once)]
#[inline(never)]
fn work(a: &[i32]) -> i32 {
    static CHOSEN: std::sync::OnceLock<fn(&[i32]) -> i32> = std::sync::OnceLock::new();
    CHOSEN.get_or_init(|| if has() { kernel } else { plain })(a)
}

#[cfg(direct)]
#[inline(never)]
fn work(a: &[i32]) -> i32 {
    kernel(a)
}

fn main() {
    let a: Vec<i32> = (0..64).map(|n| n + std::env::args().count() as i32).collect();
    println!("{} {}", work(&a), plain(&a));
}
