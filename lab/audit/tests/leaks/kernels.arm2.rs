//! What all of the Rust programs of the second set for AArch64 share: kernels as words.

use std::arch::asm;

macro_rules! words {
    ($name:ident, $word:literal) => {
        #[inline(never)]
        pub unsafe fn $name(a: &[i32]) -> i32 {
            let mut out = [0i32; 4];
            // SAFETY: it reads what the slice has, and writes to `out`; whether the CPU has the
            // instruction is what these programs ask.
            unsafe {
                asm!("ldr q0, [{a}]", "movi v2.4s, #0", $word, "str q2, [{out}]",
                     a = in(reg) a.as_ptr(), out = in(reg) out.as_mut_ptr(), out("v0") _, out("v2") _);
            }
            out[0].wrapping_add(out[1])
        }
    };
}
words!(dot, ".inst 0x4e809402");
words!(i8mm, ".inst 0x4e80a402");
words!(sha3, ".inst 0xce000002");

#[inline(never)]
pub unsafe fn lse(a: &[i32]) -> i32 {
    let mut sum = a[0];
    let old: i32;
    // SAFETY: it adds to `sum`; whether the CPU has the instruction is what is asked.
    unsafe {
        asm!(".arch_extension lse", "ldadd {v:w}, {o:w}, [{p}]", v = in(reg) 7, o = out(reg) old, p = in(reg) &raw mut sum);
    }
    sum + old
}

#[inline(never)]
pub fn plain(a: &[i32]) -> i32 {
    a.iter().map(|x| x.wrapping_mul(*x)).fold(0, i32::wrapping_add)
}

pub fn data() -> Vec<i32> {
    (0..64).map(|n| n + std::env::args().count() as i32).collect()
}
