//! The output of a root block as a lattice hash, or added to one, without a stop in
//! memory. Where an operation of 512 bits takes two passes, a hash is made by registers of
//! 256 bits.

use super::{LtHash, Words, roots};
use crate::body::XofJob;
use crate::x86::avx512_xof::xof32;
use crate::x86::avx512vl_xof::xof16;
use core::mem::MaybeUninit;

/// Adds the output of a root block.
///
/// Unsafe: the CPU must have AVX-512F, AVX-512VL and AVX-512BW.
pub(crate) unsafe fn add(job: &XofJob, sum: &mut Words) {
    // SAFETY: the caller's CPU has the ISAs. `sum` has 2048 bytes.
    unsafe { xof32(job, sum.as_mut_ptr().cast(), 1) };
}

/// The same, subtracted. Unsafe as [`add`].
pub(crate) unsafe fn sub(job: &XofJob, sum: &mut Words) {
    // SAFETY: for the same reasons as in `add`.
    unsafe { xof32(job, sum.as_mut_ptr().cast(), 2) };
}

/// Returns the output of [`xof32`] as a hash. System V ABI: rdi is the address of the
/// result and must be returned in rax. The argument comes after it.
#[unsafe(naked)]
unsafe extern "sysv64" fn root32(job: &XofJob) -> LtHash {
    core::arch::naked_asm!(
        ".cfi_startproc\n push rdi\n .cfi_adjust_cfa_offset 8\n",
        "xchg rdi,rsi\n xor edx,edx\n call {xof32}\n",
        "pop rax\n .cfi_adjust_cfa_offset -8\n ret\n .cfi_endproc\n",
        xof32 = sym xof32,
    )
}

/// The output as a hash. Unsafe as [`add`].
pub(crate) unsafe fn root(job: &XofJob) -> LtHash {
    // SAFETY: for the same reasons as in `add`; the result is 2048 bytes.
    unsafe { root32(job) }
}

/// The output as a hash, by [`xof16`]. Unsafe: the CPU must have AVX-512F and AVX-512VL.
pub(crate) unsafe fn root256(job: &XofJob) -> LtHash {
    let mut hash = MaybeUninit::<LtHash>::uninit();
    // SAFETY: the caller's CPU has the ISAs. The hash has twice 1024 bytes, and all are written.
    unsafe {
        xof16(job, hash.as_mut_ptr().cast(), 2);
        hash.assume_init()
    }
}

/// The hash of an element. Unsafe as [`root256`].
pub(crate) unsafe fn of256(input: &[u8]) -> LtHash {
    // SAFETY: the caller's CPU has the ISAs.
    roots::one(input, |job| unsafe { root256(job) })
}
