//! Elements of at most one block, from the slice to the sum.
//!
//! Limit: that of 32 output blocks ([`crate::x86::avx512_xof`] and
//! [`crate::x86::avx512_xof_single`]), and some 10 cycles for the root block, which is made
//! here.

use super::{LtHash, Words, output512, roots};
use crate::BLOCK_LEN;
use crate::body::XofJob;
use crate::raw::IV;
use crate::x86::avx512_xof::xof32;
use core::arch::naked_asm;
use core::mem::offset_of;
use karat_hash_core::slices::STRIDE;

// The frame of `element` holds a job and a block.
const _: () = assert!(size_of::<XofJob<'_>>() + BLOCK_LEN == 96);

/// The hash of an element.
///
/// Unsafe: the CPU must have AVX-512F, AVX-512VL and AVX-512BW.
pub(crate) unsafe fn of(input: &[u8]) -> LtHash {
    if input.len() > BLOCK_LEN {
        // SAFETY: the caller's CPU has the ISAs.
        return unsafe { long(input) };
    }
    // SAFETY: the caller's CPU has the ISAs. A slice is readable for its length.
    unsafe { of_short(input.as_ptr(), input.len()) }
}

/// Not inlined, so that [`of`] of a short element is only a jump. Unsafe as [`of`].
#[inline(never)]
unsafe fn long(input: &[u8]) -> LtHash {
    // SAFETY: the caller's CPU has the ISAs.
    roots::one(input, |job| unsafe { output512::root(job) })
}

/// Adds elements.
///
/// Unsafe as [`of`].
pub(crate) unsafe fn add_all(inputs: &[&[u8]], sum: &mut Words) {
    // SAFETY: the caller's CPU has the ISAs. The sum has 2048 bytes.
    let done = unsafe { elements(inputs.as_ptr(), inputs.len(), sum, 1) };
    if done < inputs.len() {
        // SAFETY: the caller's CPU has the ISAs.
        unsafe { roots::into(&inputs[done..], sum, output512::add) };
    }
}

/// The same, subtracted. Unsafe as [`of`].
pub(crate) unsafe fn sub_all(inputs: &[&[u8]], sum: &mut Words) {
    // SAFETY: for the same reasons as in `add_all`.
    let done = unsafe { elements(inputs.as_ptr(), inputs.len(), sum, 2) };
    if done < inputs.len() {
        // SAFETY: for the same reasons as in `add_all`.
        unsafe { roots::into(&inputs[done..], sum, output512::sub) };
    }
}

/// A function that processes one element of at most one block by `$make`, which makes output.
macro_rules! short_element {
    ($element:ident $make:path) => {
        /// Processes one element of `len` bytes, at most 64, by `make`. `how` is the last
        /// argument of that. Returns `out`.
        ///
        /// It reads with masked loads, so no byte after the element is touched.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $element(
            out: *mut Words,
            input: *const u8,
            len: usize,
            how: u32,
        ) -> *mut Words {
            naked_asm!(
                "
                .cfi_startproc
                push rbx
                .cfi_adjust_cfa_offset 8
                .cfi_offset rbx, -16
                sub rsp, 96
                .cfi_adjust_cfa_offset 96
                mov rbx, rdi
                mov r8d, ecx
                cmp rdx, 64
                je 2f
                // The others fill a block with zeros.
                mov ecx, edx
                mov eax, 1
                shl rax, cl
                dec rax
                kmovq k1, rax
                vmovdqu8 zmm0{{k1}}{{z}}, [rsi]
                vmovdqu64 [rsp + {job}], zmm0
                lea rsi, [rsp + {job}]
            2:
                lea rax, [rip + {iv}]
                mov qword ptr [rsp + {block}], rsi
                mov qword ptr [rsp + {cv}], rax
                mov qword ptr [rsp + {counter}], 0
                mov dword ptr [rsp + {len}], edx
                mov dword ptr [rsp + {flags}], {root}
                mov rsi, rdi
                mov rdi, rsp
                mov edx, r8d
                call {make}
                mov rax, rbx
                add rsp, 96
                .cfi_adjust_cfa_offset -96
                pop rbx
                .cfi_adjust_cfa_offset -8
                ret
                .cfi_endproc
                ",
                make = sym $make,
                iv = sym IV,
                job = const size_of::<XofJob<'_>>(),
                block = const offset_of!(XofJob<'_>, block),
                cv = const offset_of!(XofJob<'_>, cv),
                counter = const offset_of!(XofJob<'_>, counter),
                len = const offset_of!(XofJob<'_>, len),
                flags = const offset_of!(XofJob<'_>, flags),
                root = const roots::FLAGS,
            )
        }
    };
}
pub(super) use short_element;

/// A function for the hash of one element, by a [`short_element`] with this last argument.
macro_rules! short_hash {
    ($name:ident $element:ident $how:expr) => {
        /// The hash of `len` bytes, at most 64. System V ABI: rdi is the address of the result.
        /// The arguments come after it.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(input: *const u8, len: usize) -> LtHash {
            naked_asm!(
                ".cfi_startproc\n mov ecx, {how}\n jmp {element}\n .cfi_endproc\n",
                element = sym $element,
                how = const $how,
            )
        }
    };
}
pub(super) use short_hash;

/// A function that processes several elements by a [`short_element`].
macro_rules! short_front {
    ($elements:ident $element:ident) => {
        /// Processes elements from the front until one has more than 64 bytes. `how` is as
        /// for one. Returns how many.
        ///
        /// # Safety
        /// The CPU must have AVX-512F, VL and BW. `inputs` must be readable for `count` slices.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $elements(
            inputs: *const &[u8],
            count: usize,
            sum: *mut Words,
            how: u32,
        ) -> usize {
            naked_asm!(
                "
                .cfi_startproc
                push rbx
                .cfi_adjust_cfa_offset 8
                .cfi_offset rbx, -16
                push r12
                .cfi_adjust_cfa_offset 8
                .cfi_offset r12, -24
                push r13
                .cfi_adjust_cfa_offset 8
                .cfi_offset r13, -32
                push r14
                .cfi_adjust_cfa_offset 8
                .cfi_offset r14, -40
                push r15
                .cfi_adjust_cfa_offset 8
                .cfi_offset r15, -48
                mov r12, rdi
                mov r13, rsi
                mov r14, rdx
                mov r15d, ecx
                xor ebx, ebx
            2:
                cmp rbx, r13
                je 3f
                mov rdx, qword ptr [r12 + 8]
                cmp rdx, 64
                ja 3f
                mov rsi, qword ptr [r12]
                mov rdi, r14
                mov ecx, r15d
                call {element}
                add r12, {stride}
                inc rbx
                jmp 2b
            3:
                mov rax, rbx
                pop r15
                .cfi_adjust_cfa_offset -8
                pop r14
                .cfi_adjust_cfa_offset -8
                pop r13
                .cfi_adjust_cfa_offset -8
                pop r12
                .cfi_adjust_cfa_offset -8
                pop rbx
                .cfi_adjust_cfa_offset -8
                ret
                .cfi_endproc
                ",
                element = sym $element,
                stride = const STRIDE,
            )
        }
    };
}
pub(super) use short_front;

short_element!(element xof32);
short_hash!(of_short element 0);
short_front!(elements element);
