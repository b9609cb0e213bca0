//! The SHA extensions of x86 for four messages side by side, with their words in the upper
//! sixteen vector registers.
//!
//! # Limits
//!
//! The instructions of the extension read and write the lower sixteen registers only. States
//! of four streams take eight of them, so [`super::sha_ni`] keeps words on the stack. Moves
//! between registers cost Zen 4 no unit, and the forms with three operands save more of them.
//!
//! A block has 32 `sha256rnds2`, 12 `sha256msg1` and 12 `sha256msg2`. Zen 4 starts one, two
//! and one of them a cycle on the same unit: 32 + 6 + 12 = 50 cycles. Measured:
//! docs/notes/sha256-many.md.

use super::constants::{IV, K, PAD64};
use super::sha_ni::{SWAP, bytes, order};
use core::arch::naked_asm;
use karat_hash_core::slices::STRIDE;

/// Four rounds of all four streams, sixteen times.
macro_rules! block {
    () => {
        r"
        // Rounds 4n to 4n + 3 of a stream. l has their words; h0 to h3 are the upper
        // registers of words n, n - 3, n - 2 and n - 1, the last one on its way to n + 3.
        .macro k256_upper n, p, s0, s1, l, h0, h1, h2, h3
        .if (\n) < 4
        vmovdqu xmm\l, xmmword ptr [\p + 16 * (\n)]
        vpshufb xmm\l, xmm\l, xmm15
        .endif
        vpaddd xmm0, xmm\l, xmmword ptr [rcx + 16 * (\n)]
        sha256rnds2 xmm\s1, xmm\s0, xmm0
        .if (\n) >= 3 && (\n) <= 14
        vpalignr xmm13, xmm\l, xmm\h3, 4
        vpaddd xmm13, xmm13, xmm\h1
        sha256msg2 xmm13, xmm\l
        .endif
        vpshufd xmm0, xmm0, 0x0e
        sha256rnds2 xmm\s0, xmm\s1, xmm0
        .if (\n) >= 1 && (\n) <= 12
        vmovdqa32 xmm14, xmm\h3
        sha256msg1 xmm14, xmm\l
        vmovdqa32 xmm\h3, xmm14
        .endif
        .if (\n) <= 14
        vmovdqa32 xmm\h0, xmm\l
        .endif
        .if (\n) >= 3 && (\n) <= 14
        vmovdqa xmm\l, xmm13
        .endif
        .endm
        .macro k256_uppers n, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q
        k256_upper \n, r8, 1, 2, 9, \a, \b, \c, \d
        k256_upper \n, r9, 3, 4, 10, \e, \f, \g, \h
        k256_upper \n, r10, 5, 6, 11, \i, \j, \k, \l
        k256_upper \n, r11, 7, 8, 12, \m, \o, \p, \q
        .endm
        .macro k256_block
        .irp n, 0, 4, 8, 12
        k256_uppers \n + 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        k256_uppers \n + 1, 17, 18, 19, 16, 21, 22, 23, 20, 25, 26, 27, 24, 29, 30, 31, 28
        k256_uppers \n + 2, 18, 19, 16, 17, 22, 23, 20, 21, 26, 27, 24, 25, 30, 31, 28, 29
        k256_uppers \n + 3, 19, 16, 17, 18, 23, 20, 21, 22, 27, 24, 25, 26, 31, 28, 29, 30
        .endr
        .endm
        .macro k256_keep
        .irp n, 1, 2, 3, 4, 5, 6, 7, 8
        vmovdqa xmmword ptr [rsp + 16 * \n - 16], xmm\n
        .endr
        .endm
        .macro k256_sum
        .irp n, 1, 2, 3, 4, 5, 6, 7, 8
        vpaddd xmm\n, xmm\n, xmmword ptr [rsp + 16 * \n - 16]
        .endr
        .endm
        "
    };
}
pub(super) use block;

/// What [`block`] has defined.
macro_rules! forget {
    () => {
        r"
        .purgem k256_enter
        .purgem k256_leave
        .purgem k256_upper
        .purgem k256_uppers
        .purgem k256_block
        .purgem k256_keep
        .purgem k256_sum
        "
    };
}
pub(super) use forget;

/// Runs four messages over `blocks` blocks each. Message `i` is read from `rows[i]` on.
///
/// # Safety
/// The CPU must have SHA, AVX-512F and VL. `states` is four states. `rows` is four pointers,
/// each readable for `64 * blocks` bytes. `blocks` is 1 or more.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn blocks4(
    states: *mut [u32; 8],
    rows: *const *const u8,
    blocks: usize,
) {
    naked_asm!(
        order!(),
        block!(),
        r"
        .cfi_startproc
        sub rsp, 136
        .cfi_adjust_cfa_offset 136
        vzeroupper
        lea rcx, [rip + {k}]
        vmovdqa xmm15, xmmword ptr [rip + {swap}]
        mov r8, qword ptr [rsi]
        mov r9, qword ptr [rsi + 8]
        mov r10, qword ptr [rsi + 16]
        mov r11, qword ptr [rsi + 24]
        k256_enter rdi, 1, 2, 0
        k256_enter rdi + 32, 3, 4, 0
        k256_enter rdi + 64, 5, 6, 0
        k256_enter rdi + 96, 7, 8, 0
        .p2align 6
    2:
        k256_keep
        k256_block
        k256_sum
        add r8, 64
        add r9, 64
        add r10, 64
        add r11, 64
        dec rdx
        jnz 2b
        k256_leave rdi, 1, 2, 0
        k256_leave rdi + 32, 3, 4, 0
        k256_leave rdi + 64, 5, 6, 0
        k256_leave rdi + 96, 7, 8, 0
        add rsp, 136
        .cfi_adjust_cfa_offset -136
        ret
        .cfi_endproc
        ",
        forget!(),
        k = sym K,
        swap = sym SWAP,
    )
}

/// SHA-256 of four messages of `blocks` blocks with their padding, `groups` times. While a block
/// is hashed, memory is asked for the line at its place in the slice of `ahead` that is at its
/// message's place, whether the slice has so many bytes or not.
///
/// # Safety
/// The CPU must have SHA, AVX-512F and VL. `messages` holds `4 * groups` slices of `64 * blocks`
/// bytes, and `ahead` as many of any length. `out` is writable for as many digests. `blocks` and
/// `groups` are 1 or more.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn padded4(
    messages: *const &[u8],
    blocks: usize,
    groups: usize,
    out: *mut [u8; 32],
    ahead: *const &[u8],
) {
    naked_asm!(
        order!(),
        block!(),
        bytes!(),
        r"
        .macro k256_ahead n
        mov rax, qword ptr [r12 + \n * {stride}]
        prefetcht0 [rax + r13]
        .endm
        .cfi_startproc
        push rbx
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset rbx, 0
        push r12
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset r12, 0
        push r13
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset r13, 0
        push r14
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset r14, 0
        sub rsp, 168
        .cfi_adjust_cfa_offset 168
        vzeroupper
        mov rbx, rcx
        mov r12, r8
        lea rax, [rip + {iv}]
        k256_enter rax, 13, 14, 0
        vmovdqa xmmword ptr [rsp + 128], xmm13
        vmovdqa xmmword ptr [rsp + 144], xmm14
        vmovdqa xmm15, xmmword ptr [rip + {swap}]
        lea rcx, [rip + {k}]
    2:
        mov r8, qword ptr [rdi]
        mov r9, qword ptr [rdi + {stride}]
        mov r10, qword ptr [rdi + 2 * {stride}]
        mov r11, qword ptr [rdi + 3 * {stride}]
        .irp n, 1, 3, 5, 7
        vmovdqa xmm\n, xmmword ptr [rsp + 128]
        .endr
        .irp n, 2, 4, 6, 8
        vmovdqa xmm\n, xmmword ptr [rsp + 144]
        .endr
        xor r13d, r13d
        mov r14, rsi
        .p2align 6
    3:
        k256_ahead 0
        k256_ahead 1
        k256_ahead 2
        k256_ahead 3
        k256_keep
        k256_block
        k256_sum
        add r8, 64
        add r9, 64
        add r10, 64
        add r11, 64
        add r13, 64
        dec r14
        jnz 3b
        k256_bytes4
        .irp n, 1, 2, 3, 4, 5, 6, 7, 8
        vmovdqu xmmword ptr [rbx + 16 * \n - 16], xmm\n
        .endr
        add rdi, 4 * {stride}
        add r12, 4 * {stride}
        add rbx, 128
        dec rdx
        jnz 2b
        add rsp, 168
        .cfi_adjust_cfa_offset -168
        pop r14
        .cfi_adjust_cfa_offset -8
        .cfi_restore r14
        pop r13
        .cfi_adjust_cfa_offset -8
        .cfi_restore r13
        pop r12
        .cfi_adjust_cfa_offset -8
        .cfi_restore r12
        pop rbx
        .cfi_adjust_cfa_offset -8
        .cfi_restore rbx
        ret
        .cfi_endproc
        .purgem k256_bytes
        .purgem k256_bytes4
        .purgem k256_ahead
        ",
        forget!(),
        k = sym K,
        iv = sym IV,
        swap = sym SWAP,
        stride = const STRIDE,
    )
}

/// SHA-256 of four messages of 64 bytes each, `groups` times. The schedule of the second
/// block is constant, so only its rounds are left. Limit on Zen 4: 50 + 32 cycles a message.
///
/// # Safety
/// The CPU must have SHA, AVX-512F and VL. `messages` holds `4 * groups` slices of 64 bytes.
/// `out` is writable for as many digests. `groups` is 1 or more.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn pairs4(
    messages: *const &[u8],
    groups: usize,
    out: *mut [u8; 32],
) {
    naked_asm!(
        order!(),
        block!(),
        bytes!(),
        r"
        .cfi_startproc
        sub rsp, 168
        .cfi_adjust_cfa_offset 168
        vzeroupper
        lea rax, [rip + {iv}]
        k256_enter rax, 13, 14, 0
        vmovdqa xmmword ptr [rsp + 128], xmm13
        vmovdqa xmmword ptr [rsp + 144], xmm14
        vmovdqa xmm15, xmmword ptr [rip + {swap}]
        .p2align 6
    2:
        lea rcx, [rip + {k}]
        mov r8, qword ptr [rdi]
        mov r9, qword ptr [rdi + {stride}]
        mov r10, qword ptr [rdi + 2 * {stride}]
        mov r11, qword ptr [rdi + 3 * {stride}]
        .irp n, 1, 3, 5, 7
        vmovdqa xmm\n, xmmword ptr [rsp + 128]
        .endr
        .irp n, 2, 4, 6, 8
        vmovdqa xmm\n, xmmword ptr [rsp + 144]
        .endr
        k256_block
        .irp n, 1, 3, 5, 7
        vpaddd xmm\n, xmm\n, xmmword ptr [rsp + 128]
        .endr
        .irp n, 2, 4, 6, 8
        vpaddd xmm\n, xmm\n, xmmword ptr [rsp + 144]
        .endr
        k256_keep
        lea rcx, [rip + {pad}]
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vmovdqa xmm0, xmmword ptr [rcx + 16 * \n]
        sha256rnds2 xmm2, xmm1, xmm0
        sha256rnds2 xmm4, xmm3, xmm0
        sha256rnds2 xmm6, xmm5, xmm0
        sha256rnds2 xmm8, xmm7, xmm0
        vpshufd xmm0, xmm0, 0x0e
        sha256rnds2 xmm1, xmm2, xmm0
        sha256rnds2 xmm3, xmm4, xmm0
        sha256rnds2 xmm5, xmm6, xmm0
        sha256rnds2 xmm7, xmm8, xmm0
        .endr
        k256_sum
        k256_bytes4
        .irp n, 1, 2, 3, 4, 5, 6, 7, 8
        vmovdqu xmmword ptr [rdx + 16 * \n - 16], xmm\n
        .endr
        add rdi, 4 * {stride}
        add rdx, 128
        dec rsi
        jnz 2b
        add rsp, 168
        .cfi_adjust_cfa_offset -168
        ret
        .cfi_endproc
        .purgem k256_bytes
        .purgem k256_bytes4
        ",
        forget!(),
        k = sym K,
        pad = sym PAD64,
        iv = sym IV,
        swap = sym SWAP,
        stride = const STRIDE,
    )
}
