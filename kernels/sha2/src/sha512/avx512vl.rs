//! One message, whole rounds in vector registers: `a` and `e` are lanes of one register.
//!
//! Σ0 and Σ1 are then the same three rotates, and Maj and Ch the same choice, of operands
//! that were made before: Maj(a, b, c) is `a ? b | c : b & c`. A round has 13 operations
//! instead of 22 in general registers. So that no lane waits for the other, `a` is two
//! rounds behind `e`: it takes the sum that `e` was made of two rounds before, and the `d`
//! that `e` needs is the `a` of the register before.
//!
//! ```text
//! register of round t: e(t), a(t-2)
//! e(t+1) = d + T(t)                        d = a(t-3)
//! a(t-1) = T(t-2) + Σ0(a(t-2)) + Maj       T(t) = h + K + W + Ch + Σ1 = e(t+1) - d
//! ```
//!
//! The first two rounds of a block write only `e`, because `a` and `b` are there already,
//! and behind the last round `a` has two to catch up. Schedules are made for two blocks at
//! once, in the halves of ymm registers, while the rounds of the first block run.
//!
//! Limit on Zen 4: three rotates of 2 cycles, of which two start a cycle, their xor and an
//! addition are a chain of 5 cycles a round, 400 a block, 0.32 bytes a cycle. The order of
//! the instructions comes from a search, which was not exhaustive (`docs/notes/sha512.md`).

use super::constants::K;
use core::arch::naked_asm;

/// What the lanes rotate by, `e` first.
#[repr(C, align(16))]
struct Counts([[u64; 2]; 3]);
static COUNTS: Counts = Counts([[14, 28], [18, 34], [41, 39]]);

/// One lane of two: that of `a`, that of `e`.
#[repr(C, align(16))]
struct Lanes([[u64; 2]; 2]);
static LANES: Lanes = Lanes([[0, u64::MAX], [u64::MAX, 0]]);

/// Reverses the bytes of each 64-bit word.
#[repr(C, align(32))]
struct Mask([[u8; 16]; 2]);
static SWAP: Mask = Mask([[7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8]; 2]);

/// See [`crate::block::Compress`].
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL. `blocks` must be readable for `128 * count` bytes.
pub(super) unsafe fn compress(state: &mut [u64; 8], blocks: *const u8, count: usize) {
    if count > 0 {
        // SAFETY: the caller upholds the safety contract.
        unsafe { blocks1(state, blocks, count) }
    }
}

/// States are in xmm0 to xmm3, sums for `a` in xmm4 and xmm5, the words of two blocks in
/// ymm16 to ymm23. Frame: the sums of words and constants of two blocks, two words of the
/// first and two of the second in turn.
#[unsafe(naked)]
unsafe extern "sysv64" fn blocks1(state: &mut [u64; 8], blocks: *const u8, count: usize) {
    naked_asm!(
        r"
        // Loads two words of both blocks, to register n.
        .macro k512_load n
        vmovdqu64 xmm\n, xmmword ptr [rsi + 16 * (\n - 16)]
        vinserti32x4 ymm\n, ymm\n, xmmword ptr [rsi + rcx + 16 * (\n - 16)], 1
        vpshufb ymm\n, ymm\n, ymmword ptr [rip + {swap}]
        vbroadcasti32x4 ymm24, xmmword ptr [rax + 16 * (\n - 16)]
        vpaddq ymm24, ymm24, ymm\n
        vmovdqa64 ymmword ptr [rsp + 32 * (\n - 16)], ymm24
        .endm
        // The state behind a round. In the first two of a block, a is there already.
        .macro k512_new r, first
        .if \first
        vpaddq xmm\r{{k1}}, xmm6, xmm8
        .else
        vpaddq xmm\r, xmm6, xmm8
        .endif
        .endm
        // Two rounds. a is the register of this round, d that of three rounds before.
        .macro k512_two n, a, b, c, d, first
        vprorvq xmm10, xmm\a, xmm13
        vmovdqa64 xmm27, xmm\b
        vpternlogq xmm27, xmm\c, xmm31, 0xf8
        vprorvq xmm9, xmm\a, xmm12
        vmovdqa64 xmm28, xmm\c
        vpternlogq xmm28, xmm\b, xmm30, 0xe0
        vshufpd xmm4, xmm\b, xmm4, 1
        vpaddq xmm6{{k1}}{{z}}, xmm\d, qword ptr [r8 + 32 * \n]{{1to2}}
        vmovdqa64 xmm7, xmm\a
        vpternlogq xmm7, xmm27, xmm28, 0xca
        vprorvq xmm8, xmm\a, xmm11
        vpaddq xmm6, xmm6, xmm4
        vpternlogq xmm8, xmm9, xmm10, 0x96
        vpaddq xmm6, xmm6, xmm7
        k512_new \d, \first
        vpsubq xmm4, xmm\d, xmm4
        vprorvq xmm10, xmm\d, xmm13
        vshufpd xmm5, xmm\a, xmm5, 1
        vprorvq xmm9, xmm\d, xmm12
        vpaddq xmm6{{k1}}{{z}}, xmm\c, qword ptr [r8 + 32 * \n + 8]{{1to2}}
        vmovdqa64 xmm27, xmm\a
        vpternlogq xmm27, xmm\b, xmm31, 0xf8
        vmovdqa64 xmm28, xmm\b
        vpternlogq xmm28, xmm\a, xmm30, 0xe0
        vmovdqa64 xmm7, xmm\d
        vpternlogq xmm7, xmm27, xmm28, 0xca
        vprorvq xmm8, xmm\d, xmm11
        vpaddq xmm6, xmm6, xmm5
        vpternlogq xmm8, xmm9, xmm10, 0x96
        vpaddq xmm6, xmm6, xmm7
        k512_new \c, \first
        vpsubq xmm5, xmm\c, xmm5
        .endm
        // The same, and two words of both blocks for 16 rounds later, in w: from the words
        // there, those one and two registers further, and so on.
        .macro k512_words n, w, w1, w4, w5, w7, a, b, c, d, first
        vshufpd ymm24, ymm\w, ymm\w1, 5
        vpaddq xmm6{{k1}}{{z}}, xmm\d, qword ptr [r8 + 32 * \n]{{1to2}}
        vmovdqa64 xmm28, xmm\c
        vpternlogq xmm28, xmm\b, xmm30, 0xe0
        vmovdqa64 xmm27, xmm\b
        vpternlogq xmm27, xmm\c, xmm31, 0xf8
        vshufpd ymm25, ymm\w4, ymm\w5, 5
        vmovdqa64 xmm7, xmm\a
        vpternlogq xmm7, xmm27, xmm28, 0xca
        vpaddq ymm\w, ymm\w, ymm25
        vshufpd xmm4, xmm\b, xmm4, 1
        vprorvq xmm9, xmm\a, xmm12
        vprorvq xmm10, xmm\a, xmm13
        vprorq ymm25, ymm24, 1
        vprorq ymm26, ymm24, 8
        vprorvq xmm8, xmm\a, xmm11
        vpsrlq ymm24, ymm24, 7
        vpaddq xmm6, xmm6, xmm4
        vpternlogq ymm24, ymm25, ymm26, 0x96
        vpaddq ymm\w, ymm\w, ymm24
        vpaddq xmm6, xmm6, xmm7
        vpternlogq xmm8, xmm9, xmm10, 0x96
        k512_new \d, \first
        vpsubq xmm4, xmm\d, xmm4
        vprorvq xmm10, xmm\d, xmm13
        vprorvq xmm9, xmm\d, xmm12
        vprorvq xmm8, xmm\d, xmm11
        vprorq ymm25, ymm\w7, 19
        vpaddq xmm6{{k1}}{{z}}, xmm\c, qword ptr [r8 + 32 * \n + 8]{{1to2}}
        vprorq ymm26, ymm\w7, 61
        vmovdqa64 xmm27, xmm\a
        vpternlogq xmm27, xmm\b, xmm31, 0xf8
        vmovdqa64 xmm28, xmm\b
        vpternlogq xmm28, xmm\a, xmm30, 0xe0
        vshufpd xmm5, xmm\a, xmm5, 1
        vpsrlq ymm24, ymm\w7, 6
        vpternlogq ymm24, ymm25, ymm26, 0x96
        vmovdqa64 xmm7, xmm\d
        vpternlogq xmm7, xmm27, xmm28, 0xca
        vpaddq xmm6, xmm6, xmm5
        vpaddq xmm6, xmm6, xmm7
        vpternlogq xmm8, xmm9, xmm10, 0x96
        vpaddq ymm\w, ymm\w, ymm24
        k512_new \c, \first
        vbroadcasti32x4 ymm24, xmmword ptr [rax + 16 * \n + 128]
        vpaddq ymm24, ymm24, ymm\w
        vpsubq xmm5, xmm\c, xmm5
        vmovdqa64 ymmword ptr [r8 + 32 * \n + 256], ymm24
        .endm
        .macro k512_round16_words first
        k512_words 0, 16, 17, 20, 21, 23, 0, 1, 2, 3, \first
        k512_words 1, 17, 18, 21, 22, 16, 2, 3, 0, 1, 0
        k512_words 2, 18, 19, 22, 23, 17, 0, 1, 2, 3, 0
        k512_words 3, 19, 20, 23, 16, 18, 2, 3, 0, 1, 0
        k512_words 4, 20, 21, 16, 17, 19, 0, 1, 2, 3, 0
        k512_words 5, 21, 22, 17, 18, 20, 2, 3, 0, 1, 0
        k512_words 6, 22, 23, 18, 19, 21, 0, 1, 2, 3, 0
        k512_words 7, 23, 16, 19, 20, 22, 2, 3, 0, 1, 0
        .endm
        .macro k512_round16 first
        k512_two 0, 0, 1, 2, 3, \first
        k512_two 1, 2, 3, 0, 1, 0
        k512_two 2, 0, 1, 2, 3, 0
        k512_two 3, 2, 3, 0, 1, 0
        k512_two 4, 0, 1, 2, 3, 0
        k512_two 5, 2, 3, 0, 1, 0
        k512_two 6, 0, 1, 2, 3, 0
        k512_two 7, 2, 3, 0, 1, 0
        .endm
        // The next a: into the upper lane of d.
        .macro k512_last a, b, c, d, t
        vpunpcklqdq xmm\t, xmm\t, xmm\t
        vprorvq xmm8, xmm\a, xmm11
        vprorvq xmm9, xmm\a, xmm12
        vprorvq xmm10, xmm\a, xmm13
        vmovdqa xmm7, xmm\a
        vpternlogq xmm7, xmm\b, xmm\c, 0xe8
        vpternlogq xmm8, xmm9, xmm10, 0x96
        vpaddq xmm7, xmm7, xmm\t
        vpaddq xmm\d{{k2}}, xmm7, xmm8
        .endm
        // Ends a block.
        .macro k512_sum
        k512_last 0, 1, 2, 3, 4
        k512_last 3, 0, 1, 2, 5
        vpaddq xmm0, xmm0, xmm14
        vmovdqa xmm14, xmm0
        vpaddq xmm1, xmm1, xmm15
        vmovdqa xmm15, xmm1
        vpaddq xmm2, xmm2, xmm29
        vmovdqa64 xmm29, xmm2
        vpaddq xmm3, xmm3, xmmword ptr [rdi]
        vmovdqu xmmword ptr [rdi], xmm3
        .endm
        .cfi_startproc
        push rbp
        .cfi_def_cfa_offset 16
        .cfi_offset rbp, -16
        mov rbp, rsp
        .cfi_def_cfa_register rbp
        and rsp, -64
        sub rsp, 1280
        lea r9, [rip + {k}]
        vmovdqa xmm11, xmmword ptr [rip + {counts}]
        vmovdqa xmm12, xmmword ptr [rip + {counts} + 16]
        vmovdqa xmm13, xmmword ptr [rip + {counts} + 32]
        vmovdqa64 xmm31, xmmword ptr [rip + {lanes}]
        vmovdqa64 xmm30, xmmword ptr [rip + {lanes} + 16]
        mov eax, 1
        kmovw k1, eax
        mov eax, 2
        kmovw k2, eax
        // e c, f d, g a, h b
        vmovdqu xmm4, xmmword ptr [rdi]
        vmovdqu xmm5, xmmword ptr [rdi + 16]
        vmovdqu xmm6, xmmword ptr [rdi + 32]
        vmovdqu xmm7, xmmword ptr [rdi + 48]
        vpunpcklqdq xmm0, xmm6, xmm5
        vpunpckhqdq xmm1, xmm6, xmm5
        vpunpcklqdq xmm2, xmm7, xmm4
        vpunpckhqdq xmm3, xmm7, xmm4
        vmovdqa xmm14, xmm0
        vmovdqa xmm15, xmm1
        vmovdqa64 xmm29, xmm2
        vmovdqu xmmword ptr [rdi], xmm3
        xor r11d, r11d
        .p2align 5
    2:
        // A last block without a partner is its own.
        mov ecx, 128
        cmp rdx, 1
        cmove rcx, r11
        mov rax, r9
        mov r8, rsp
        .irp n, 16, 17, 18, 19, 20, 21, 22, 23
        k512_load \n
        .endr
        lea r10, [r9 + 384]
        k512_round16_words 1
    3:
        add rax, 128
        add r8, 256
        k512_round16_words 0
        cmp rax, r10
        jb 3b
        add r8, 256
        k512_round16 0
        k512_sum
        dec rdx
        jz 5f
        lea r8, [rsp + 16]
        k512_round16 1
        lea rax, [rsp + 1040]
    4:
        add r8, 256
        k512_round16 0
        cmp r8, rax
        jb 4b
        k512_sum
        add rsi, 256
        dec rdx
        jnz 2b
    5:
        vpunpckhqdq xmm4, xmm2, xmm3
        vpunpckhqdq xmm5, xmm0, xmm1
        vpunpcklqdq xmm6, xmm0, xmm1
        vpunpcklqdq xmm7, xmm2, xmm3
        vmovdqu xmmword ptr [rdi], xmm4
        vmovdqu xmmword ptr [rdi + 16], xmm5
        vmovdqu xmmword ptr [rdi + 32], xmm6
        vmovdqu xmmword ptr [rdi + 48], xmm7
        mov rsp, rbp
        pop rbp
        .cfi_def_cfa rsp, 8
        vzeroupper
        ret
        .cfi_endproc
        .purgem k512_load
        .purgem k512_new
        .purgem k512_two
        .purgem k512_words
        .purgem k512_round16_words
        .purgem k512_round16
        .purgem k512_last
        .purgem k512_sum
        ",
        counts = sym COUNTS,
        lanes = sym LANES,
        swap = sym SWAP,
        k = sym K,
    )
}
