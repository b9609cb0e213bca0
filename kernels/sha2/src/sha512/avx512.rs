//! Eight messages in zmm registers, one in each 64-bit lane.
//!
//! Limit: a round has 6 rotates, 4 three-input operations and 7 additions, a schedule
//! word 6 rotates and shifts, 2 three-input operations and 3 additions; with 96 shuffles
//! and loads that is about 2,160 operations for a block of eight lanes. At two a cycle
//! (CPUs with two 512-bit units) these are 1,080 cycles, 0.95 bytes a cycle.
//!
//! Words and states are in registers throughout, in the plainest order. Not measured.

use super::constants::K;
use core::arch::naked_asm;

/// Number of lanes.
pub(super) const LANES: usize = 8;

/// Row `i` holds word `i` of every lane's state.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Rows(pub(super) [[u64; LANES]; 8]);

/// Reverses the bytes of each 64-bit word.
#[repr(C, align(64))]
struct Mask([[u8; 16]; 4]);
static SWAP: Mask = Mask([[7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8]; 4]);

/// Runs 8 lanes over `blocks` blocks each. Lane `i` is read from `rows[i]` on.
///
/// States are in zmm0 to zmm7, message words in zmm8 to zmm23. The rest is for
/// temporaries.
///
/// # Safety
/// The CPU must have AVX-512F and BW. `rows` holds 8 pointers, each readable for
/// `128 * blocks` bytes. `blocks` is 1 or more.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn blocks8(
    state: *mut Rows,
    rows: *const *const u8,
    blocks: usize,
) {
    naked_asm!(
        r"
        .macro k512_row r, n, o
        mov rax, qword ptr [rsi + 8 * \n]
        vmovdqu64 zmm\r, zmmword ptr [rax + r8 + \o]
        vpshufb zmm\r, zmm\r, zmmword ptr [rip + {swap}]
        .endm
        // Four words of eight rows: transposes the 128-bit quarters of x0 to x3, of
        // which each holds two rows. The words go to r0 to r3.
        .macro k512_quarters x0, x1, x2, x3, t0, t1, t2, t3, r0, r1, r2, r3
        vshufi64x2 zmm\t0, zmm\x0, zmm\x1, 0x44
        vshufi64x2 zmm\t1, zmm\x0, zmm\x1, 0xee
        vshufi64x2 zmm\t2, zmm\x2, zmm\x3, 0x44
        vshufi64x2 zmm\t3, zmm\x2, zmm\x3, 0xee
        vshufi64x2 zmm\r0, zmm\t0, zmm\t2, 0x88
        vshufi64x2 zmm\r1, zmm\t0, zmm\t2, 0xdd
        vshufi64x2 zmm\r2, zmm\t1, zmm\t3, 0x88
        vshufi64x2 zmm\r3, zmm\t1, zmm\t3, 0xdd
        .endm
        // Eight words of a block, from byte o on, to r0 to r7.
        .macro k512_words o, r0, r1, r2, r3, r4, r5, r6, r7
        k512_row \r0, 0, \o
        k512_row \r1, 1, \o
        k512_row \r2, 2, \o
        k512_row \r3, 3, \o
        k512_row \r4, 4, \o
        k512_row \r5, 5, \o
        k512_row \r6, 6, \o
        k512_row \r7, 7, \o
        // Even words of two rows each, then odd words.
        vpunpcklqdq zmm24, zmm\r0, zmm\r1
        vpunpckhqdq zmm25, zmm\r0, zmm\r1
        vpunpcklqdq zmm26, zmm\r2, zmm\r3
        vpunpckhqdq zmm27, zmm\r2, zmm\r3
        vpunpcklqdq zmm28, zmm\r4, zmm\r5
        vpunpckhqdq zmm29, zmm\r4, zmm\r5
        vpunpcklqdq zmm30, zmm\r6, zmm\r7
        vpunpckhqdq zmm31, zmm\r6, zmm\r7
        k512_quarters 24, 26, 28, 30, \r1, \r3, \r5, \r7, \r0, \r2, \r4, \r6
        k512_quarters 25, 27, 29, 31, 24, 26, 28, 30, \r1, \r3, \r5, \r7
        .endm

        // Three rotates, or two and a shift, and their xor: into zmm24.
        .macro k512_big x, n0, n1, n2
        vprorq zmm24, zmm\x, \n0
        vprorq zmm25, zmm\x, \n1
        vprorq zmm26, zmm\x, \n2
        vpternlogq zmm24, zmm25, zmm26, 0x96
        .endm
        .macro k512_small x, n0, n1, n2
        vprorq zmm25, zmm\x, \n0
        vprorq zmm26, zmm\x, \n1
        vpsrlq zmm24, zmm\x, \n2
        vpternlogq zmm24, zmm25, zmm26, 0x96
        .endm
        // Truth tables: 0xca Ch, 0xe8 Maj. With next, it also makes the word for 16
        // rounds later.
        .macro k512_round n, a, b, c, d, e, f, g, h, w, w1, w9, w14, next
        vpaddq zmm\h, zmm\h, qword ptr [rcx + 8 * \n]{{1to8}}
        vpaddq zmm\h, zmm\h, zmm\w
        vmovdqa64 zmm27, zmm\e
        vpternlogq zmm27, zmm\f, zmm\g, 0xca
        k512_big \e, 14, 18, 41
        vpaddq zmm\h, zmm\h, zmm27
        vpaddq zmm\h, zmm\h, zmm24
        vpaddq zmm\d, zmm\d, zmm\h
        vmovdqa64 zmm27, zmm\a
        vpternlogq zmm27, zmm\b, zmm\c, 0xe8
        k512_big \a, 28, 34, 39
        vpaddq zmm\h, zmm\h, zmm27
        vpaddq zmm\h, zmm\h, zmm24
        .if \next
        k512_small \w1, 1, 8, 7
        vpaddq zmm\w, zmm\w, zmm\w9
        vpaddq zmm\w, zmm\w, zmm24
        k512_small \w14, 19, 61, 6
        vpaddq zmm\w, zmm\w, zmm24
        .endif
        .endm
        .macro k512_round16 next
        k512_round 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 22, \next
        k512_round 1, 7, 0, 1, 2, 3, 4, 5, 6, 9, 10, 18, 23, \next
        k512_round 2, 6, 7, 0, 1, 2, 3, 4, 5, 10, 11, 19, 8, \next
        k512_round 3, 5, 6, 7, 0, 1, 2, 3, 4, 11, 12, 20, 9, \next
        k512_round 4, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 21, 10, \next
        k512_round 5, 3, 4, 5, 6, 7, 0, 1, 2, 13, 14, 22, 11, \next
        k512_round 6, 2, 3, 4, 5, 6, 7, 0, 1, 14, 15, 23, 12, \next
        k512_round 7, 1, 2, 3, 4, 5, 6, 7, 0, 15, 16, 8, 13, \next
        k512_round 8, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 9, 14, \next
        k512_round 9, 7, 0, 1, 2, 3, 4, 5, 6, 17, 18, 10, 15, \next
        k512_round 10, 6, 7, 0, 1, 2, 3, 4, 5, 18, 19, 11, 16, \next
        k512_round 11, 5, 6, 7, 0, 1, 2, 3, 4, 19, 20, 12, 17, \next
        k512_round 12, 4, 5, 6, 7, 0, 1, 2, 3, 20, 21, 13, 18, \next
        k512_round 13, 3, 4, 5, 6, 7, 0, 1, 2, 21, 22, 14, 19, \next
        k512_round 14, 2, 3, 4, 5, 6, 7, 0, 1, 22, 23, 15, 20, \next
        k512_round 15, 1, 2, 3, 4, 5, 6, 7, 0, 23, 8, 16, 21, \next
        .endm
        .cfi_startproc
        xor r8d, r8d
        lea r9, [rip + {k}]
        vmovdqa64 zmm0, zmmword ptr [rdi + 0]
        vmovdqa64 zmm1, zmmword ptr [rdi + 64]
        vmovdqa64 zmm2, zmmword ptr [rdi + 128]
        vmovdqa64 zmm3, zmmword ptr [rdi + 192]
        vmovdqa64 zmm4, zmmword ptr [rdi + 256]
        vmovdqa64 zmm5, zmmword ptr [rdi + 320]
        vmovdqa64 zmm6, zmmword ptr [rdi + 384]
        vmovdqa64 zmm7, zmmword ptr [rdi + 448]
        .p2align 6
    2:
        k512_words 0, 8, 9, 10, 11, 12, 13, 14, 15
        k512_words 64, 16, 17, 18, 19, 20, 21, 22, 23
        mov rcx, r9
        lea rax, [r9 + 512]
        .p2align 6
    3:
        k512_round16 1
        add rcx, 128
        cmp rcx, rax
        jne 3b
        k512_round16 0
        vpaddq zmm0, zmm0, zmmword ptr [rdi + 0]
        vpaddq zmm1, zmm1, zmmword ptr [rdi + 64]
        vpaddq zmm2, zmm2, zmmword ptr [rdi + 128]
        vpaddq zmm3, zmm3, zmmword ptr [rdi + 192]
        vpaddq zmm4, zmm4, zmmword ptr [rdi + 256]
        vpaddq zmm5, zmm5, zmmword ptr [rdi + 320]
        vpaddq zmm6, zmm6, zmmword ptr [rdi + 384]
        vpaddq zmm7, zmm7, zmmword ptr [rdi + 448]
        vmovdqa64 zmmword ptr [rdi + 0], zmm0
        vmovdqa64 zmmword ptr [rdi + 64], zmm1
        vmovdqa64 zmmword ptr [rdi + 128], zmm2
        vmovdqa64 zmmword ptr [rdi + 192], zmm3
        vmovdqa64 zmmword ptr [rdi + 256], zmm4
        vmovdqa64 zmmword ptr [rdi + 320], zmm5
        vmovdqa64 zmmword ptr [rdi + 384], zmm6
        vmovdqa64 zmmword ptr [rdi + 448], zmm7
        sub r8, -128
        dec rdx
        jnz 2b
        vzeroupper
        ret
        .cfi_endproc
        .purgem k512_row
        .purgem k512_quarters
        .purgem k512_words
        .purgem k512_big
        .purgem k512_small
        .purgem k512_round
        .purgem k512_round16
        ",
        swap = sym SWAP,
        k = sym K,
    )
}
