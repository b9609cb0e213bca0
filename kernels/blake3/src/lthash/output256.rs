//! The output of a root block as a lattice hash, or added to one, by registers of 256 bits.
//!
//! In assembly from the root block on. In Rust the output was a cleared array, which was
//! copied, and how often was the compiler's choice (docs/notes/avx2.md).

use super::x86::{add256_body, sub256_body};
use super::{LtHash, Words, roots};
use crate::BLOCK_LEN;
use crate::body::XofJob;
use crate::raw::IV;
use crate::x86::narrow::xof8;
use core::arch::naked_asm;
use core::mem::offset_of;

// The frame of `of_block` holds a job.
const _: () = assert!(size_of::<XofJob<'_>>() == 32);

/// Groups of eight blocks in a hash.
const GROUPS: usize = super::LEN / (8 * BLOCK_LEN);

/// The hash of an element. Unsafe: the CPU must have AVX2.
pub(crate) unsafe fn of(input: &[u8]) -> LtHash {
    if input.len() == BLOCK_LEN {
        // SAFETY: the caller's CPU has the ISA. The input is one block.
        return unsafe { of_block(input.as_ptr()) };
    }
    // SAFETY: the caller's CPU has the ISA.
    unsafe { other(input) }
}

/// Not inlined, so that [`of`] of a block is only a jump. Unsafe as [`of`].
#[inline(never)]
unsafe fn other(input: &[u8]) -> LtHash {
    // SAFETY: the caller's CPU has the ISA.
    roots::one(input, |job| unsafe { root(job) })
}

/// The output as a hash. Unsafe as [`of`].
pub(crate) unsafe fn root(job: &XofJob) -> LtHash {
    // SAFETY: the caller's CPU has the ISA.
    unsafe { root_of(job) }
}

/// The hash of a block. System V ABI: rdi is the address of the result and must be
/// returned in rax. The argument comes after it.
#[unsafe(naked)]
unsafe extern "sysv64" fn of_block(block: *const u8) -> LtHash {
    naked_asm!(
        "
        .cfi_startproc
        sub rsp, 40
        .cfi_adjust_cfa_offset 40
        lea rax, [rip + {iv}]
        mov [rsp + {block}], rsi
        mov [rsp + {cv}], rax
        mov qword ptr [rsp + {counter}], 0
        mov dword ptr [rsp + {len}], {block_len}
        mov dword ptr [rsp + {flags}], {root}
        mov [rsp + 32], rdi
        mov rsi, rdi
        mov rdi, rsp
        mov edx, {groups}
        call {xof8}
        mov rax, [rsp + 32]
        add rsp, 40
        .cfi_adjust_cfa_offset -40
        ret
        .cfi_endproc
        ",
        iv = sym IV,
        block = const offset_of!(XofJob, block),
        cv = const offset_of!(XofJob, cv),
        counter = const offset_of!(XofJob, counter),
        len = const offset_of!(XofJob, len),
        flags = const offset_of!(XofJob, flags),
        block_len = const BLOCK_LEN,
        root = const roots::FLAGS,
        groups = const GROUPS,
        xof8 = sym xof8,
    )
}

/// [`root`]. The registers are as for [`of_block`].
#[unsafe(naked)]
unsafe extern "sysv64" fn root_of(job: &XofJob) -> LtHash {
    naked_asm!(
        "
        .cfi_startproc
        push rdi
        .cfi_adjust_cfa_offset 8
        xchg rdi, rsi
        mov edx, {groups}
        call {xof8}
        pop rax
        .cfi_adjust_cfa_offset -8
        ret
        .cfi_endproc
        ",
        groups = const GROUPS,
        xof8 = sym xof8,
    )
}

/// `sum op= output`, by way of the stack.
macro_rules! sum {
    ($name:ident $inner:ident $body:ident) => {
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $inner(job: *const XofJob, sum: *mut Words) {
            naked_asm!(
                "
                .cfi_startproc
                push rbp
                .cfi_def_cfa_offset 16
                .cfi_offset rbp, -16
                mov rbp, rsp
                .cfi_def_cfa_register rbp
                push rsi
                sub rsp, {len} + 64
                and rsp, -64
                mov rsi, rsp
                mov edx, {groups}
                call {xof8}
                mov rdi, [rbp - 8]
                mov rsi, rsp
                call {body}
                mov rsp, rbp
                pop rbp
                .cfi_def_cfa rsp, 8
                ret
                .cfi_endproc
                ",
                len = const super::LEN,
                groups = const GROUPS,
                xof8 = sym xof8,
                body = sym $body,
            )
        }

        /// Unsafe: the CPU must have AVX2.
        unsafe fn $name(job: &XofJob, sum: &mut Words) {
            // SAFETY: the caller's CPU has the ISA. Both operands exist.
            unsafe { $inner(job, sum) }
        }
    };
}

sum!(add add_output add256_body);
sum!(sub sub_output sub256_body);

/// Adds elements. Unsafe as [`of`].
pub(crate) unsafe fn add_all(inputs: &[&[u8]], sum: &mut Words) {
    // SAFETY: the caller's CPU has the ISA.
    unsafe { roots::into(inputs, sum, add) };
}

/// The same, subtracted. Unsafe as [`of`].
pub(crate) unsafe fn sub_all(inputs: &[&[u8]], sum: &mut Words) {
    // SAFETY: the caller's CPU has the ISA.
    unsafe { roots::into(inputs, sum, sub) };
}
