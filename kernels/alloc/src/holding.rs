//! On which processors `free` holds an object until the next is freed, and puts only then
//! the one before into its magazine.
//!
//! A `malloc` may take from the very magazine that the `free` before it put into. A processor
//! finds out when it knows the freed object's class, and that comes late: the object's address
//! must be read first. Zen 4 guesses until then, and is wrong so often that a wrong guess
//! costs it more than all else in `malloc` and `free`. The class of the object before is
//! known early.

use crate::classes::STEPS_MAX;
use core::sync::atomic::{AtomicU8, Ordering};

static CLASSES: AtomicU8 = AtomicU8::new(0);

/// Objects of how many classes are held: none, or those of at most [`STEPS_MAX`] bytes, so
/// that no more memory is held back.
pub fn classes() -> u8 {
    CLASSES.load(Ordering::Relaxed)
}

/// Decides it for heaps that begin now.
pub fn choose(hold: bool) {
    let classes = if hold { (STEPS_MAX / 16) as u8 } else { 0 };
    CLASSES.store(classes, Ordering::Relaxed);
}

/// Whether this processor gains by it: Zen 4, which alone was measured. Of AMD's family 25
/// only Zen 4 has AVX-512.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub fn pays() -> bool {
    const AMD: [u32; 3] = [0x6874_7541, 0x6974_6e65, 0x444d_4163];
    const AVX512F: u32 = 1 << 16;

    let [most, ebx, ecx, edx] = cpuid(0);
    if [ebx, edx, ecx] != AMD || most < 7 {
        return false;
    }
    let [signature, ..] = cpuid(1);
    let family = ((signature >> 8) & 0xf) + ((signature >> 20) & 0xff);
    family == 25 && cpuid(7)[1] & AVX512F != 0
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
pub fn pays() -> bool {
    false
}

/// EAX to EDX of a leaf. `core::arch`'s is unsafe in some supported compilers and safe in
/// others.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn cpuid(leaf: u32) -> [u32; 4] {
    let (eax, ebx, ecx, edx): (u32, u64, u32, u32);
    // SAFETY: every x86-64 has the instruction, which only reads; rbx, which the compiler
    // keeps for itself, is restored.
    unsafe {
        core::arch::asm!(
            "mov {saved}, rbx",
            "cpuid",
            "xchg {saved}, rbx",
            saved = out(reg) ebx,
            inout("eax") leaf => eax,
            inout("ecx") 0 => ecx,
            out("edx") edx,
            options(nomem, nostack, preserves_flags)
        );
    }
    [eax, ebx as u32, ecx, edx]
}
