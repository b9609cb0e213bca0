//! Four messages in ymm registers, one in each 64-bit lane.
//!
//! Limit: AVX2 has no rotate, so Σ and σ are shifts and xors: 11 and 9 operations, 7
//! where a byte shuffle rotates by 8. With Ch and Maj of 3 each, a round has 38
//! operations and a schedule word 19: 4,256 for a block of four lanes. At three a cycle
//! that is 1,419 cycles, 0.36 bytes a cycle.

use super::constants::K;
use core::arch::naked_asm;

/// Number of lanes.
pub(super) const LANES: usize = 4;

/// Row `i` holds word `i` of every lane's state.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Rows(pub(super) [[u64; LANES]; 8]);

/// Byte shuffles of 64-bit words: one reverses the bytes, the other rotates right by 8.
#[repr(C, align(32))]
struct Shuffles([[[u8; 16]; 2]; 2]);
static SHUFFLES: Shuffles = Shuffles([
    [[7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8]; 2],
    [[1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8]; 2],
]);

/// Runs 4 lanes over `blocks` blocks each. Lane `i` is read from `rows[i]` on.
///
/// # Safety
/// The CPU must have AVX2. `rows` holds 4 pointers, each readable for `128 * blocks`
/// bytes. `blocks` is 1 or more.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn blocks4(
    state: *mut Rows,
    rows: *const *const u8,
    blocks: usize,
) {
    naked_asm!(
        r"
        .macro k512_row r, o
        mov rax, qword ptr [rsi + 8 * \r]
        vmovdqu ymm\r, ymmword ptr [rax + r8 + \o]
        vpshufb ymm\r, ymm\r, ymmword ptr [r10]
        .endm
        // Writes four words of a block, from byte o on, to rsp.
        .macro k512_words o
        .irp r, 0, 1, 2, 3
        k512_row \r, \o
        .endr
        vpunpcklqdq ymm4, ymm0, ymm1
        vpunpckhqdq ymm5, ymm0, ymm1
        vpunpcklqdq ymm6, ymm2, ymm3
        vpunpckhqdq ymm7, ymm2, ymm3
        vperm2i128 ymm0, ymm4, ymm6, 0x20
        vperm2i128 ymm1, ymm5, ymm7, 0x20
        vperm2i128 ymm2, ymm4, ymm6, 0x31
        vperm2i128 ymm3, ymm5, ymm7, 0x31
        vmovdqa ymmword ptr [rsp + 4 * \o], ymm0
        vmovdqa ymmword ptr [rsp + 4 * \o + 32], ymm1
        vmovdqa ymmword ptr [rsp + 4 * \o + 64], ymm2
        vmovdqa ymmword ptr [rsp + 4 * \o + 96], ymm3
        .endm

        // Adds x rotated right by n to t.
        .macro k512_rotate x, n, u, t
        vpsrlq ymm\u, ymm\x, \n
        vpxor ymm\t, ymm\t, ymm\u
        vpsllq ymm\u, ymm\x, 64 - \n
        vpxor ymm\t, ymm\t, ymm\u
        .endm
        // Three rotates of x and their xor, to t.
        .macro k512_big x, t, u, n0, n1, n2
        vpsrlq ymm\t, ymm\x, \n0
        vpsllq ymm\u, ymm\x, 64 - \n0
        vpxor ymm\t, ymm\t, ymm\u
        k512_rotate \x, \n1, \u, \t
        k512_rotate \x, \n2, \u, \t
        .endm

        // x holds b xor c from the round before. y gets a xor b for the next round.
        .macro k512_round n, a, b, c, d, e, f, g, h, x, y, next
        vpbroadcastq ymm8, qword ptr [rcx + 8 * \n]
        vmovdqa ymm9, ymmword ptr [rsp + 32 * \n]
        vpaddq ymm\h, ymm\h, ymm8
        vpaddq ymm\h, ymm\h, ymm9
        .if \next
        vmovdqa ymm8, ymmword ptr [rsp + 32 * ((\n + 1) & 15)]
        vpaddq ymm9, ymm9, ymmword ptr [rsp + 32 * ((\n + 9) & 15)]
        vpsrlq ymm10, ymm8, 7
        vpshufb ymm11, ymm8, ymmword ptr [r10 + 32]
        vpxor ymm10, ymm10, ymm11
        k512_rotate 8, 1, 11, 10
        vmovdqa ymm8, ymmword ptr [rsp + 32 * ((\n + 14) & 15)]
        vpaddq ymm9, ymm9, ymm10
        vpsrlq ymm10, ymm8, 6
        k512_rotate 8, 19, 11, 10
        k512_rotate 8, 61, 11, 10
        vpaddq ymm9, ymm9, ymm10
        vmovdqa ymmword ptr [rsp + 32 * \n], ymm9
        .endif
        vpxor ymm12, ymm\f, ymm\g
        k512_big \e, 10, 11, 14, 18, 41
        vpand ymm12, ymm12, ymm\e
        vpxor ymm12, ymm12, ymm\g
        vpaddq ymm\h, ymm\h, ymm12
        vpaddq ymm\h, ymm\h, ymm10
        vpaddq ymm\d, ymm\d, ymm\h
        k512_big \a, 10, 11, 28, 34, 39
        vpxor ymm\y, ymm\a, ymm\b
        vpand ymm\x, ymm\x, ymm\y
        vpxor ymm\x, ymm\x, ymm\b
        vpaddq ymm\h, ymm\h, ymm\x
        vpaddq ymm\h, ymm\h, ymm10
        .endm
        .macro k512_round16 next
        k512_round 0, 0, 1, 2, 3, 4, 5, 6, 7, 13, 14, \next
        k512_round 1, 7, 0, 1, 2, 3, 4, 5, 6, 14, 13, \next
        k512_round 2, 6, 7, 0, 1, 2, 3, 4, 5, 13, 14, \next
        k512_round 3, 5, 6, 7, 0, 1, 2, 3, 4, 14, 13, \next
        k512_round 4, 4, 5, 6, 7, 0, 1, 2, 3, 13, 14, \next
        k512_round 5, 3, 4, 5, 6, 7, 0, 1, 2, 14, 13, \next
        k512_round 6, 2, 3, 4, 5, 6, 7, 0, 1, 13, 14, \next
        k512_round 7, 1, 2, 3, 4, 5, 6, 7, 0, 14, 13, \next
        k512_round 8, 0, 1, 2, 3, 4, 5, 6, 7, 13, 14, \next
        k512_round 9, 7, 0, 1, 2, 3, 4, 5, 6, 14, 13, \next
        k512_round 10, 6, 7, 0, 1, 2, 3, 4, 5, 13, 14, \next
        k512_round 11, 5, 6, 7, 0, 1, 2, 3, 4, 14, 13, \next
        k512_round 12, 4, 5, 6, 7, 0, 1, 2, 3, 13, 14, \next
        k512_round 13, 3, 4, 5, 6, 7, 0, 1, 2, 14, 13, \next
        k512_round 14, 2, 3, 4, 5, 6, 7, 0, 1, 13, 14, \next
        k512_round 15, 1, 2, 3, 4, 5, 6, 7, 0, 14, 13, \next
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
        lea r10, [rip + {shuffles}]
        xor r8d, r8d
        .p2align 5
    2:
        k512_words 0
        k512_words 32
        k512_words 64
        k512_words 96
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
        lea rax, [r9 + 512]
        .p2align 5
    3:
        k512_round16 1
        add rcx, 128
        cmp rcx, rax
        jne 3b
        k512_round16 0
        vpaddq ymm0, ymm0, ymmword ptr [rdi + 0]
        vpaddq ymm1, ymm1, ymmword ptr [rdi + 32]
        vpaddq ymm2, ymm2, ymmword ptr [rdi + 64]
        vpaddq ymm3, ymm3, ymmword ptr [rdi + 96]
        vpaddq ymm4, ymm4, ymmword ptr [rdi + 128]
        vpaddq ymm5, ymm5, ymmword ptr [rdi + 160]
        vpaddq ymm6, ymm6, ymmword ptr [rdi + 192]
        vpaddq ymm7, ymm7, ymmword ptr [rdi + 224]
        vmovdqa ymmword ptr [rdi + 0], ymm0
        vmovdqa ymmword ptr [rdi + 32], ymm1
        vmovdqa ymmword ptr [rdi + 64], ymm2
        vmovdqa ymmword ptr [rdi + 96], ymm3
        vmovdqa ymmword ptr [rdi + 128], ymm4
        vmovdqa ymmword ptr [rdi + 160], ymm5
        vmovdqa ymmword ptr [rdi + 192], ymm6
        vmovdqa ymmword ptr [rdi + 224], ymm7
        sub r8, -128
        dec rdx
        jnz 2b
        mov rsp, rbp
        pop rbp
        .cfi_def_cfa rsp, 8
        vzeroupper
        ret
        .cfi_endproc
        .purgem k512_row
        .purgem k512_words
        .purgem k512_rotate
        .purgem k512_big
        .purgem k512_round
        .purgem k512_round16
        ",
        k = sym K,
        shuffles = sym SHUFFLES,
    )
}
