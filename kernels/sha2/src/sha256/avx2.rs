//! Eight messages in ymm registers, one in each 32-bit lane. For CPUs with neither SHA
//! extensions nor AVX-512.
//!
//! Limit: AVX2 has no rotate, so Σ and σ are shifts and xors: 11 and 9 operations. With
//! Ch and Maj of 3 each, a round has 38 operations and a schedule word 21: 3,440 for a
//! block of eight lanes. At three a cycle, of which at most two are shifts (Haswell to
//! Comet Lake, Agner Fog's tables), that is 1,147 cycles, 0.45 bytes a cycle.

use super::constants::K;
use core::arch::naked_asm;

/// Row `i` holds word `i` of every lane's state.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Eight(pub(super) [[u32; 8]; 8]);

/// Reverses the bytes of each 32-bit word.
#[repr(C, align(32))]
struct Mask([[u8; 16]; 2]);
static SWAP: Mask = Mask([[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]; 2]);

/// Runs 8 lanes over `blocks` blocks each. Lane `i` is read from `rows[i]` on.
///
/// # Safety
/// The CPU must have AVX2. `rows` holds 8 pointers, each readable for `64 * blocks`
/// bytes. `blocks` is 1 or more.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn blocks8(
    state: *mut Eight,
    rows: *const *const u8,
    blocks: usize,
) {
    naked_asm!(
        r"
        .macro k256_row r, o
        mov rax, qword ptr [rsi + 8 * \r]
        vmovdqu ymm\r, ymmword ptr [rax + r8 + \o]
        vpshufb ymm\r, ymm\r, ymmword ptr [r10]
        .endm
        // Transposes words of four rows within 128 bits.
        .macro k256_quad r0, r1, r2, r3
        vpunpckldq ymm8, ymm\r0, ymm\r1
        vpunpckhdq ymm9, ymm\r0, ymm\r1
        vpunpckldq ymm10, ymm\r2, ymm\r3
        vpunpckhdq ymm11, ymm\r2, ymm\r3
        vpunpcklqdq ymm\r0, ymm8, ymm10
        vpunpckhqdq ymm\r1, ymm8, ymm10
        vpunpcklqdq ymm\r2, ymm9, ymm11
        vpunpckhqdq ymm\r3, ymm9, ymm11
        .endm
        .macro k256_halves x, y, o
        vperm2i128 ymm8, ymm\x, ymm\y, 0x20
        vperm2i128 ymm9, ymm\x, ymm\y, 0x31
        vmovdqa ymmword ptr [rsp + 32 * \x + 8 * \o], ymm8
        vmovdqa ymmword ptr [rsp + 32 * \x + 128 + 8 * \o], ymm9
        .endm
        // Writes half of the words of a block to rsp.
        .macro k256_words o
        .irp r, 0, 1, 2, 3, 4, 5, 6, 7
        k256_row \r, \o
        .endr
        k256_quad 0, 1, 2, 3
        k256_quad 4, 5, 6, 7
        k256_halves 0, 4, \o
        k256_halves 1, 5, \o
        k256_halves 2, 6, \o
        k256_halves 3, 7, \o
        .endm

        // Three rotates of x and their xor, to t.
        .macro k256_rotate x, n, u, t
        vpsrld ymm\u, ymm\x, \n
        vpxor ymm\t, ymm\t, ymm\u
        vpslld ymm\u, ymm\x, 32 - \n
        vpxor ymm\t, ymm\t, ymm\u
        .endm
        .macro k256_big x, t, u, n0, n1, n2
        vpsrld ymm\t, ymm\x, \n0
        vpslld ymm\u, ymm\x, 32 - \n0
        vpxor ymm\t, ymm\t, ymm\u
        k256_rotate \x, \n1, \u, \t
        k256_rotate \x, \n2, \u, \t
        .endm
        .macro k256_small x, t, u, n0, n1, n2
        vpsrld ymm\t, ymm\x, \n2
        k256_rotate \x, \n0, \u, \t
        k256_rotate \x, \n1, \u, \t
        .endm

        // x holds b xor c from the round before. y gets a xor b for the next round.
        .macro k256_round n, a, b, c, d, e, f, g, h, x, y, next
        vpbroadcastd ymm8, dword ptr [rcx + 4 * \n]
        vmovdqa ymm9, ymmword ptr [rsp + 32 * \n]
        vpaddd ymm\h, ymm\h, ymm8
        vpaddd ymm\h, ymm\h, ymm9
        .if \next
        vmovdqa ymm8, ymmword ptr [rsp + 32 * ((\n + 1) & 15)]
        vpaddd ymm9, ymm9, ymmword ptr [rsp + 32 * ((\n + 9) & 15)]
        k256_small 8, 10, 11, 7, 18, 3
        vmovdqa ymm8, ymmword ptr [rsp + 32 * ((\n + 14) & 15)]
        vpaddd ymm9, ymm9, ymm10
        k256_small 8, 10, 11, 17, 19, 10
        vpaddd ymm9, ymm9, ymm10
        vmovdqa ymmword ptr [rsp + 32 * \n], ymm9
        .endif
        vpxor ymm12, ymm\f, ymm\g
        k256_big \e, 10, 11, 6, 11, 25
        vpand ymm12, ymm12, ymm\e
        vpxor ymm12, ymm12, ymm\g
        vpaddd ymm\h, ymm\h, ymm12
        vpaddd ymm\h, ymm\h, ymm10
        vpaddd ymm\d, ymm\d, ymm\h
        k256_big \a, 10, 11, 2, 13, 22
        vpxor ymm\y, ymm\a, ymm\b
        vpand ymm\x, ymm\x, ymm\y
        vpxor ymm\x, ymm\x, ymm\b
        vpaddd ymm\h, ymm\h, ymm\x
        vpaddd ymm\h, ymm\h, ymm10
        .endm
        .macro k256_round16 next
        k256_round 0, 0, 1, 2, 3, 4, 5, 6, 7, 13, 14, \next
        k256_round 1, 7, 0, 1, 2, 3, 4, 5, 6, 14, 13, \next
        k256_round 2, 6, 7, 0, 1, 2, 3, 4, 5, 13, 14, \next
        k256_round 3, 5, 6, 7, 0, 1, 2, 3, 4, 14, 13, \next
        k256_round 4, 4, 5, 6, 7, 0, 1, 2, 3, 13, 14, \next
        k256_round 5, 3, 4, 5, 6, 7, 0, 1, 2, 14, 13, \next
        k256_round 6, 2, 3, 4, 5, 6, 7, 0, 1, 13, 14, \next
        k256_round 7, 1, 2, 3, 4, 5, 6, 7, 0, 14, 13, \next
        k256_round 8, 0, 1, 2, 3, 4, 5, 6, 7, 13, 14, \next
        k256_round 9, 7, 0, 1, 2, 3, 4, 5, 6, 14, 13, \next
        k256_round 10, 6, 7, 0, 1, 2, 3, 4, 5, 13, 14, \next
        k256_round 11, 5, 6, 7, 0, 1, 2, 3, 4, 14, 13, \next
        k256_round 12, 4, 5, 6, 7, 0, 1, 2, 3, 13, 14, \next
        k256_round 13, 3, 4, 5, 6, 7, 0, 1, 2, 14, 13, \next
        k256_round 14, 2, 3, 4, 5, 6, 7, 0, 1, 13, 14, \next
        k256_round 15, 1, 2, 3, 4, 5, 6, 7, 0, 14, 13, \next
        .endm
        .cfi_startproc
        push rbp
        .cfi_def_cfa_offset 16
        .cfi_offset rbp, -16
        mov rbp, rsp
        .cfi_def_cfa_register rbp
        and rsp, -32
        sub rsp, 512
        lea r9, [rip + {k}]
        lea r10, [rip + {swap}]
        xor r8d, r8d
        .p2align 5
    2:
        k256_words 0
        k256_words 32
        vmovdqa ymm0, ymmword ptr [rdi + 0]
        vmovdqa ymm1, ymmword ptr [rdi + 32]
        vmovdqa ymm2, ymmword ptr [rdi + 64]
        vmovdqa ymm3, ymmword ptr [rdi + 96]
        vmovdqa ymm4, ymmword ptr [rdi + 128]
        vmovdqa ymm5, ymmword ptr [rdi + 160]
        vmovdqa ymm6, ymmword ptr [rdi + 192]
        vmovdqa ymm7, ymmword ptr [rdi + 224]
        vpxor ymm13, ymm1, ymm2
        mov rcx, r9
        lea rax, [r9 + 192]
        .p2align 5
    3:
        k256_round16 1
        add rcx, 64
        cmp rcx, rax
        jne 3b
        k256_round16 0
        vpaddd ymm0, ymm0, ymmword ptr [rdi + 0]
        vpaddd ymm1, ymm1, ymmword ptr [rdi + 32]
        vpaddd ymm2, ymm2, ymmword ptr [rdi + 64]
        vpaddd ymm3, ymm3, ymmword ptr [rdi + 96]
        vpaddd ymm4, ymm4, ymmword ptr [rdi + 128]
        vpaddd ymm5, ymm5, ymmword ptr [rdi + 160]
        vpaddd ymm6, ymm6, ymmword ptr [rdi + 192]
        vpaddd ymm7, ymm7, ymmword ptr [rdi + 224]
        vmovdqa ymmword ptr [rdi + 0], ymm0
        vmovdqa ymmword ptr [rdi + 32], ymm1
        vmovdqa ymmword ptr [rdi + 64], ymm2
        vmovdqa ymmword ptr [rdi + 96], ymm3
        vmovdqa ymmword ptr [rdi + 128], ymm4
        vmovdqa ymmword ptr [rdi + 160], ymm5
        vmovdqa ymmword ptr [rdi + 192], ymm6
        vmovdqa ymmword ptr [rdi + 224], ymm7
        add r8, 64
        dec rdx
        jnz 2b
        mov rsp, rbp
        pop rbp
        .cfi_def_cfa rsp, 8
        vzeroupper
        ret
        .cfi_endproc
        .purgem k256_row
        .purgem k256_quad
        .purgem k256_halves
        .purgem k256_words
        .purgem k256_rotate
        .purgem k256_big
        .purgem k256_small
        .purgem k256_round
        .purgem k256_round16
        ",
        k = sym K,
        swap = sym SWAP,
    )
}
