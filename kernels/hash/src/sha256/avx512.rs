//! Sixteen and thirty-two messages in zmm registers, one message to a 32-bit lane.
//!
//! Written in assembly because flags change what intrinsics become: rotates,
//! spills and the order of instructions decide these loops.
//!
//! # Limits
//!
//! Operations on zmm for one block of 16 lanes:
//!
//! | part | rotates, shifts | three-input logic | additions | shuffles |
//! |---|---|---|---|---|
//! | 64 rounds | 384 | 256 | 448 (512 in the form with the short chain) | |
//! | 48 words of schedule | 288 | 96 | 144 | |
//! | loading and transposing | | | | 80 |
//!
//! Zen 5 starts four of them a cycle, two of those rotates, and each takes 2
//! cycles (loops of independent and of chained instructions, 2026-11-20). So
//! 1,696 operations are 424 cycles, 2.4 bytes a cycle. Loops of such a mix with
//! SHA-256's dependencies got no further than 3.3 a cycle, 514 cycles, whatever
//! was left out or reordered. SHA-NI on the same core is held to one
//! `sha256rnds2` in 2 cycles: 64 cycles a block, 1 byte a cycle.
//!
//! One group of 16 lanes is also bound by the chain from `e` to the next `e`. As
//! the standard writes it that is rotate, xor and two additions, and the third
//! rotate waits a cycle for its port: 9 cycles a round, 576 a block. Here `d`
//! joins first, `e' = ((d + h + K + W) + Ch) + Σ1(e)`, and `T1` comes back as
//! `e' - d`: an addition more, 7 cycles a round, 448 a block. Σ0 of a round is
//! written after Σ1 of the next, because the scheduler prefers what is older and
//! Σ1 is what the chain waits for. Reached: 557 cycles. Two groups at once fill
//! each other's gaps, but then the words do not fit the registers: also 550 for
//! each, so this is done only where words need no schedule (`pairs32`).

use super::constants::{IV, K, PAD64};
use core::arch::naked_asm;

/// Lanes of one group.
pub(super) const LANES: usize = 16;

/// Word `i` of the state of each lane.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Group(pub(super) [[u32; LANES]; 8]);

/// Reverses the bytes of each 32-bit word.
#[repr(C, align(64))]
struct Mask([[u8; 16]; 4]);
static SWAP: Mask = Mask([[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]; 4]);

/// Assembler macros for transposing.
macro_rules! moves {
    () => {
        r"
        // Words of four registers transposed within each 128 bits: quarter k of
        // r<j> becomes word 4k + j of all four.
        .macro k256_quad r0, r1, r2, r3, t0, t1, t2, t3
        vpunpckldq zmm\t0, zmm\r0, zmm\r1
        vpunpckhdq zmm\t1, zmm\r0, zmm\r1
        vpunpckldq zmm\t2, zmm\r2, zmm\r3
        vpunpckhdq zmm\t3, zmm\r2, zmm\r3
        vpunpcklqdq zmm\r0, zmm\t0, zmm\t2
        vpunpckhqdq zmm\r1, zmm\t0, zmm\t2
        vpunpcklqdq zmm\r2, zmm\t1, zmm\t3
        vpunpckhqdq zmm\r3, zmm\t1, zmm\t3
        .endm

        // Quarters of four registers transposed.
        .macro k256_quarters r0, r1, r2, r3, t0, t1, t2, t3
        vshufi32x4 zmm\t0, zmm\r0, zmm\r1, 0x44
        vshufi32x4 zmm\t1, zmm\r0, zmm\r1, 0xee
        vshufi32x4 zmm\t2, zmm\r2, zmm\r3, 0x44
        vshufi32x4 zmm\t3, zmm\r2, zmm\r3, 0xee
        vshufi32x4 zmm\r0, zmm\t0, zmm\t2, 0x88
        vshufi32x4 zmm\r1, zmm\t0, zmm\t2, 0xdd
        vshufi32x4 zmm\r2, zmm\t1, zmm\t3, 0x88
        vshufi32x4 zmm\r3, zmm\t1, zmm\t3, 0xdd
        .endm

        // Four rows, pointers n to n + 3 of rsi, r8 bytes in, words big-endian;
        // transposed within 128 bits.
        .macro k256_row r, n
        mov rax, qword ptr [rsi + 8 * (\n)]
        vmovdqu64 zmm\r, zmmword ptr [rax + r8]
        vpshufb zmm\r, zmm\r, zmmword ptr [rip + {swap}]
        .endm
        .macro k256_rows n, r0, r1, r2, r3, t0, t1, t2, t3
        k256_row \r0, \n
        k256_row \r1, \n + 1
        k256_row \r2, \n + 2
        k256_row \r3, \n + 3
        k256_quad \r0, \r1, \r2, \r3, \t0, \t1, \t2, \t3
        .endm

        // Half of the digests of a group: words i to i + 3 of the state, in
        // registers, to their place at rdx.
        .macro k256_halves o, r0, r1, r2, r3, t0, t1, t2, t3
        vpshufb zmm\r0, zmm\r0, zmmword ptr [rip + {swap}]
        vpshufb zmm\r1, zmm\r1, zmmword ptr [rip + {swap}]
        vpshufb zmm\r2, zmm\r2, zmmword ptr [rip + {swap}]
        vpshufb zmm\r3, zmm\r3, zmmword ptr [rip + {swap}]
        k256_quad \r0, \r1, \r2, \r3, \t0, \t1, \t2, \t3
        k256_quarter_out 0, \o, \r0, \r1, \r2, \r3
        k256_quarter_out 1, \o, \r0, \r1, \r2, \r3
        k256_quarter_out 2, \o, \r0, \r1, \r2, \r3
        k256_quarter_out 3, \o, \r0, \r1, \r2, \r3
        .endm
        .macro k256_quarter_out k, o, r0, r1, r2, r3
        vextracti32x4 xmmword ptr [rdx + 128 * \k + \o], zmm\r0, \k
        vextracti32x4 xmmword ptr [rdx + 128 * \k + 32 + \o], zmm\r1, \k
        vextracti32x4 xmmword ptr [rdx + 128 * \k + 64 + \o], zmm\r2, \k
        vextracti32x4 xmmword ptr [rdx + 128 * \k + 96 + \o], zmm\r3, \k
        .endm
        "
    };
}

/// Assembler macros for rounds; needs those of `moves!`.
macro_rules! rounds {
    () => {
        r"
        // Three rotates, or two and a shift, and their xor: into t0.
        .macro k256_big x, t0, t1, t2, n0, n1, n2
        vprord zmm\t0, zmm\x, \n0
        vprord zmm\t1, zmm\x, \n1
        vprord zmm\t2, zmm\x, \n2
        vpternlogd zmm\t0, zmm\t1, zmm\t2, 0x96
        .endm
        .macro k256_small x, t0, t1, t2, n0, n1, n2
        vprord zmm\t1, zmm\x, \n0
        vprord zmm\t2, zmm\x, \n1
        vpsrld zmm\t0, zmm\x, \n2
        vpternlogd zmm\t0, zmm\t1, zmm\t2, 0x96
        .endm
        // Truth tables: 0xca Ch, 0xe8 Maj, 0x96 xor.
        .macro k256_choose x, y, z, t
        vmovdqa64 zmm\t, zmm\x
        vpternlogd zmm\t, zmm\y, zmm\z, 0xca
        .endm
        .macro k256_major x, y, z, t
        vmovdqa64 zmm\t, zmm\x
        vpternlogd zmm\t, zmm\y, zmm\z, 0xe8
        .endm

        // Short chain, after h += K + W. Σ0 of the round before, of register b,
        // is still missing in a unless first; this round's is left out unless
        // last.
        .macro k256_short first, last, a, b, c, d, e, f, g, h
        vpaddd zmm28, zmm\h, zmm\d
        k256_choose \e, \f, \g, 27
        k256_big \e, 24, 25, 26, 6, 11, 25
        vpaddd zmm28, zmm28, zmm27
        vpaddd zmm28, zmm28, zmm24
        vpsubd zmm\h, zmm28, zmm\d
        vmovdqa64 zmm\d, zmm28
        .if \first == 0
        k256_big \b, 24, 25, 26, 2, 13, 22
        vpaddd zmm\a, zmm\a, zmm24
        .endif
        k256_major \a, \b, \c, 27
        vpaddd zmm\h, zmm\h, zmm27
        .if \last
        k256_big \a, 24, 25, 26, 2, 13, 22
        vpaddd zmm\h, zmm\h, zmm24
        .endif
        .endm
        "
    };
}

/// Assembler macros of `blocks16`: words in zmm8 to zmm23. With `next` a round
/// also makes the word 16 rounds on, without it the next block is loaded, unless
/// edx, the blocks left, is 1.
macro_rules! one {
    () => {
        r"
        .macro k256_one n, first, last, a, b, c, d, e, f, g, h, w, w1, w9, w14, next
        vpaddd zmm\h, zmm\h, dword ptr [rcx + 4 * \n]{{1to16}}
        vpaddd zmm\h, zmm\h, zmm\w
        k256_short \first, \last, \a, \b, \c, \d, \e, \f, \g, \h
        .if \next
        k256_small \w1, 29, 30, 31, 7, 18, 3
        vpaddd zmm\w, zmm\w, zmm\w9
        vpaddd zmm\w, zmm\w, zmm29
        k256_small \w14, 29, 30, 31, 17, 19, 10
        vpaddd zmm\w, zmm\w, zmm29
        .elseif \n == 3
        k256_rows_if 0, 8, 9, 10, 11
        .elseif \n == 7
        k256_rows_if 4, 12, 13, 14, 15
        .elseif \n == 11
        k256_rows_if 8, 16, 17, 18, 19
        .elseif \n == 15
        k256_rows_if 12, 20, 21, 22, 23
        .endif
        .endm
        // Four rows, unless edx says that this is the last block.
        .macro k256_rows_if n, r0, r1, r2, r3
        cmp edx, 1
        je 6f
        k256_rows \n, \r0, \r1, \r2, \r3, 28, 29, 30, 31
    6:
        .endm
        .macro k256_one16 next
        k256_one 0, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 22, \next
        k256_one 1, 0, 0, 7, 0, 1, 2, 3, 4, 5, 6, 9, 10, 18, 23, \next
        k256_one 2, 0, 0, 6, 7, 0, 1, 2, 3, 4, 5, 10, 11, 19, 8, \next
        k256_one 3, 0, 0, 5, 6, 7, 0, 1, 2, 3, 4, 11, 12, 20, 9, \next
        k256_one 4, 0, 0, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 21, 10, \next
        k256_one 5, 0, 0, 3, 4, 5, 6, 7, 0, 1, 2, 13, 14, 22, 11, \next
        k256_one 6, 0, 0, 2, 3, 4, 5, 6, 7, 0, 1, 14, 15, 23, 12, \next
        k256_one 7, 0, 0, 1, 2, 3, 4, 5, 6, 7, 0, 15, 16, 8, 13, \next
        k256_one 8, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 9, 14, \next
        k256_one 9, 0, 0, 7, 0, 1, 2, 3, 4, 5, 6, 17, 18, 10, 15, \next
        k256_one 10, 0, 0, 6, 7, 0, 1, 2, 3, 4, 5, 18, 19, 11, 16, \next
        k256_one 11, 0, 0, 5, 6, 7, 0, 1, 2, 3, 4, 19, 20, 12, 17, \next
        k256_one 12, 0, 0, 4, 5, 6, 7, 0, 1, 2, 3, 20, 21, 13, 18, \next
        k256_one 13, 0, 0, 3, 4, 5, 6, 7, 0, 1, 2, 21, 22, 14, 19, \next
        k256_one 14, 0, 0, 2, 3, 4, 5, 6, 7, 0, 1, 22, 23, 15, 20, \next
        k256_one 15, 0, 1, 1, 2, 3, 4, 5, 6, 7, 0, 23, 8, 16, 21, \next
        .endm
        .macro k256_words
        k256_quarters 8, 12, 16, 20, 28, 29, 30, 31
        k256_quarters 9, 13, 17, 21, 28, 29, 30, 31
        k256_quarters 10, 14, 18, 22, 28, 29, 30, 31
        k256_quarters 11, 15, 19, 23, 28, 29, 30, 31
        .endm
        "
    };
}

/// Ends the life of all macros: one assembler may see several bodies.
macro_rules! purge {
    ($($name:literal)*) => { concat!($(".purgem k256_", $name, "\n",)*) };
}

/// Runs 16 lanes over `blocks` blocks each; lane `i` reads from `rows[i]` on.
///
/// # Safety
/// AVX-512F and BW; `state` is one group; `rows` holds 16 pointers, each readable
/// for `64 * blocks` bytes; `blocks` is 1 or more.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn blocks16(
    state: *mut Group,
    rows: *const *const u8,
    blocks: usize,
) {
    naked_asm!(
        moves!(),
        rounds!(),
        one!(),
        "
        .cfi_startproc
        xor r8d, r8d
        lea r9, [rip + {k}]
        vmovdqa64 zmm0, zmmword ptr [rdi]
        vmovdqa64 zmm1, zmmword ptr [rdi + 64]
        vmovdqa64 zmm2, zmmword ptr [rdi + 128]
        vmovdqa64 zmm3, zmmword ptr [rdi + 192]
        vmovdqa64 zmm4, zmmword ptr [rdi + 256]
        vmovdqa64 zmm5, zmmword ptr [rdi + 320]
        vmovdqa64 zmm6, zmmword ptr [rdi + 384]
        vmovdqa64 zmm7, zmmword ptr [rdi + 448]
        k256_rows 0, 8, 9, 10, 11, 28, 29, 30, 31
        k256_rows 4, 12, 13, 14, 15, 28, 29, 30, 31
        k256_rows 8, 16, 17, 18, 19, 28, 29, 30, 31
        k256_rows 12, 20, 21, 22, 23, 28, 29, 30, 31
        k256_words
        .p2align 6
    2:
        add r8, 64
        mov rcx, r9
        lea rax, [r9 + 192]
        .p2align 6
    3:
        k256_one16 1
        add rcx, 64
        cmp rcx, rax
        jne 3b
        k256_one16 0
        vpaddd zmm0, zmm0, zmmword ptr [rdi]
        vpaddd zmm1, zmm1, zmmword ptr [rdi + 64]
        vpaddd zmm2, zmm2, zmmword ptr [rdi + 128]
        vpaddd zmm3, zmm3, zmmword ptr [rdi + 192]
        vpaddd zmm4, zmm4, zmmword ptr [rdi + 256]
        vpaddd zmm5, zmm5, zmmword ptr [rdi + 320]
        vpaddd zmm6, zmm6, zmmword ptr [rdi + 384]
        vpaddd zmm7, zmm7, zmmword ptr [rdi + 448]
        vmovdqa64 zmmword ptr [rdi], zmm0
        vmovdqa64 zmmword ptr [rdi + 64], zmm1
        vmovdqa64 zmmword ptr [rdi + 128], zmm2
        vmovdqa64 zmmword ptr [rdi + 192], zmm3
        vmovdqa64 zmmword ptr [rdi + 256], zmm4
        vmovdqa64 zmmword ptr [rdi + 320], zmm5
        vmovdqa64 zmmword ptr [rdi + 384], zmm6
        vmovdqa64 zmmword ptr [rdi + 448], zmm7
        dec rdx
        jz 4f
        k256_words
        jmp 2b
    4:
        vzeroupper
        ret
        .cfi_endproc
        ",
        purge!("quad" "quarters" "row" "rows" "halves" "quarter_out" "big" "small" "choose"
            "major" "short" "one" "one16" "rows_if" "words"),
        k = sym K,
        swap = sym SWAP,
    )
}

/// Runs 16 lanes over the block that pads a message of 64 bytes. Its schedule is
/// a constant, so this is rounds alone: 1,088 operations, 272 cycles, but 448 by
/// the chain.
///
/// # Safety
/// AVX-512F; `state` is one group.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn pad16(state: *mut Group) {
    naked_asm!(
        rounds!(),
        r"
        .macro k256_same n, first, last, a, b, c, d, e, f, g, h
        vpaddd zmm\h, zmm\h, dword ptr [rcx + 4 * \n]{{1to16}}
        k256_short \first, \last, \a, \b, \c, \d, \e, \f, \g, \h
        .endm
        .cfi_startproc
        lea rcx, [rip + {pad}]
        lea rax, [rcx + 256]
        vmovdqa64 zmm0, zmmword ptr [rdi]
        vmovdqa64 zmm1, zmmword ptr [rdi + 64]
        vmovdqa64 zmm2, zmmword ptr [rdi + 128]
        vmovdqa64 zmm3, zmmword ptr [rdi + 192]
        vmovdqa64 zmm4, zmmword ptr [rdi + 256]
        vmovdqa64 zmm5, zmmword ptr [rdi + 320]
        vmovdqa64 zmm6, zmmword ptr [rdi + 384]
        vmovdqa64 zmm7, zmmword ptr [rdi + 448]
        .p2align 6
    2:
        k256_same 0, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7
        k256_same 1, 0, 0, 7, 0, 1, 2, 3, 4, 5, 6
        k256_same 2, 0, 0, 6, 7, 0, 1, 2, 3, 4, 5
        k256_same 3, 0, 0, 5, 6, 7, 0, 1, 2, 3, 4
        k256_same 4, 0, 0, 4, 5, 6, 7, 0, 1, 2, 3
        k256_same 5, 0, 0, 3, 4, 5, 6, 7, 0, 1, 2
        k256_same 6, 0, 0, 2, 3, 4, 5, 6, 7, 0, 1
        k256_same 7, 0, 1, 1, 2, 3, 4, 5, 6, 7, 0
        add rcx, 32
        cmp rcx, rax
        jne 2b
        vpaddd zmm0, zmm0, zmmword ptr [rdi]
        vpaddd zmm1, zmm1, zmmword ptr [rdi + 64]
        vpaddd zmm2, zmm2, zmmword ptr [rdi + 128]
        vpaddd zmm3, zmm3, zmmword ptr [rdi + 192]
        vpaddd zmm4, zmm4, zmmword ptr [rdi + 256]
        vpaddd zmm5, zmm5, zmmword ptr [rdi + 320]
        vpaddd zmm6, zmm6, zmmword ptr [rdi + 384]
        vpaddd zmm7, zmm7, zmmword ptr [rdi + 448]
        vmovdqa64 zmmword ptr [rdi], zmm0
        vmovdqa64 zmmword ptr [rdi + 64], zmm1
        vmovdqa64 zmmword ptr [rdi + 128], zmm2
        vmovdqa64 zmmword ptr [rdi + 192], zmm3
        vmovdqa64 zmmword ptr [rdi + 256], zmm4
        vmovdqa64 zmmword ptr [rdi + 320], zmm5
        vmovdqa64 zmmword ptr [rdi + 384], zmm6
        vmovdqa64 zmmword ptr [rdi + 448], zmm7
        vzeroupper
        ret
        .cfi_endproc
        ",
        purge!("big" "small" "choose" "major" "short" "same"),
        pad = sym PAD64,
    )
}

/// Writes the states of 16 lanes as bytes, 32 for each lane.
///
/// # Safety
/// AVX-512F and BW; `state` is one group; `out` is writable for 512 bytes.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn bytes16(state: *const Group, out: *mut [u8; 32]) {
    naked_asm!(
        moves!(),
        "
        .cfi_startproc
        mov rdx, rsi
        vmovdqa64 zmm0, zmmword ptr [rdi]
        vmovdqa64 zmm1, zmmword ptr [rdi + 64]
        vmovdqa64 zmm2, zmmword ptr [rdi + 128]
        vmovdqa64 zmm3, zmmword ptr [rdi + 192]
        vmovdqa64 zmm4, zmmword ptr [rdi + 256]
        vmovdqa64 zmm5, zmmword ptr [rdi + 320]
        vmovdqa64 zmm6, zmmword ptr [rdi + 384]
        vmovdqa64 zmm7, zmmword ptr [rdi + 448]
        k256_halves 0, 0, 1, 2, 3, 16, 17, 18, 19
        k256_halves 16, 4, 5, 6, 7, 20, 21, 22, 23
        vzeroupper
        ret
        .cfi_endproc
        ",
        purge!("quad" "quarters" "row" "rows" "halves" "quarter_out"),
        swap = sym SWAP,
    )
}

/// Assembler macros for two groups, needs those of `moves!`: states in zmm0 to
/// zmm15; word i of group g at rsp + 128 i + 64 g, of the next block at rsp + 2048.
macro_rules! two {
    () => {
        r"
        // Eight times four rows, transposed within 128 bits, aside at rsp + 2048;
        // r11 counts. What comes with it fills the time.
        .macro k256_aside
        k256_rows 0, 24, 25, 26, 27, 28, 29, 30, 31
        vmovdqa64 zmmword ptr [rsp + 8 * r11 + 2048], zmm24
        vmovdqa64 zmmword ptr [rsp + 8 * r11 + 2112], zmm25
        vmovdqa64 zmmword ptr [rsp + 8 * r11 + 2176], zmm26
        vmovdqa64 zmmword ptr [rsp + 8 * r11 + 2240], zmm27
        add rsi, 32
        add r11d, 32
        cmp r11d, 256
        .endm
        // The same unless edx says that this is the last block.
        .macro k256_aside_if
        cmp edx, 1
        je 6f
        k256_aside
        jmp 7f
    6:
        add rsi, 32
        add r11d, 32
    7:
        .endm
        // From there to words: word i of group g at rsp + 128 i + 64 g.
        .macro k256_words g, j, r0, r1, r2, r3, t0, t1, t2, t3
        vmovdqa64 zmm\r0, zmmword ptr [rsp + 2048 + 1024 * \g + 64 * \j]
        vmovdqa64 zmm\r1, zmmword ptr [rsp + 2304 + 1024 * \g + 64 * \j]
        vmovdqa64 zmm\r2, zmmword ptr [rsp + 2560 + 1024 * \g + 64 * \j]
        vmovdqa64 zmm\r3, zmmword ptr [rsp + 2816 + 1024 * \g + 64 * \j]
        k256_quarters \r0, \r1, \r2, \r3, \t0, \t1, \t2, \t3
        vmovdqa64 zmmword ptr [rsp + 128 * \j + 64 * \g], zmm\r0
        vmovdqa64 zmmword ptr [rsp + 128 * \j + 512 + 64 * \g], zmm\r1
        vmovdqa64 zmmword ptr [rsp + 128 * \j + 1024 + 64 * \g], zmm\r2
        vmovdqa64 zmmword ptr [rsp + 128 * \j + 1536 + 64 * \g], zmm\r3
        .endm
        // Word n of 22 from those that r9 points to: eight there, eight at r10, and
        // those that have taken the place of the first.
        .macro k256_load r, n, o
        .if (\n) / 8 == 1
        vmovdqa64 zmm\r, zmmword ptr [r10 + 128 * ((\n) & 7) + \o]
        .else
        vmovdqa64 zmm\r, zmmword ptr [r9 + 128 * ((\n) & 7) + \o]
        .endif
        .endm
        .macro k256_plus r, n, o
        .if (\n) / 8 == 1
        vpaddd zmm\r, zmm\r, zmmword ptr [r10 + 128 * ((\n) & 7) + \o]
        .else
        vpaddd zmm\r, zmm\r, zmmword ptr [r9 + 128 * ((\n) & 7) + \o]
        .endif
        .endm
        // A round of both groups, one instruction of each in turn: with the word
        // 16 rounds on woven in, without it, and with words that are constants.
        .macro k256_next n, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q
        vpaddd zmm\h, zmm\h, zmmword ptr [r9 + 128 * (\n)]
        vpaddd zmm\q, zmm\q, zmmword ptr [r9 + 128 * (\n) + 64]
        k256_load 27, \n + 1, 0
        vpaddd zmm\h, zmm\h, dword ptr [rcx + 4 * (\n)]{{1to16}}
        k256_load 31, \n + 1, 64
        vpaddd zmm\q, zmm\q, dword ptr [rcx + 4 * (\n)]{{1to16}}
        vmovdqa64 zmm19, zmm\e
        vprord zmm25, zmm27, 7
        vmovdqa64 zmm23, zmm\m
        vprord zmm29, zmm31, 7
        vpternlogd zmm19, zmm\f, zmm\g, 0xca
        vprord zmm26, zmm27, 18
        vpternlogd zmm23, zmm\o, zmm\p, 0xca
        vprord zmm16, zmm\e, 6
        vprord zmm30, zmm31, 18
        vprord zmm20, zmm\m, 6
        vpsrld zmm24, zmm27, 3
        vprord zmm17, zmm\e, 11
        vpsrld zmm28, zmm31, 3
        vprord zmm21, zmm\m, 11
        vprord zmm18, zmm\e, 25
        vpternlogd zmm24, zmm25, zmm26, 0x96
        vprord zmm22, zmm\m, 25
        vpternlogd zmm28, zmm29, zmm30, 0x96
        vpternlogd zmm16, zmm17, zmm18, 0x96
        vpaddd zmm24, zmm24, zmmword ptr [r9 + 128 * (\n)]
        vpternlogd zmm20, zmm21, zmm22, 0x96
        vpaddd zmm\h, zmm\h, zmm19
        vpaddd zmm28, zmm28, zmmword ptr [r9 + 128 * (\n) + 64]
        vpaddd zmm\q, zmm\q, zmm23
        k256_plus 24, \n + 9, 0
        vpaddd zmm\h, zmm\h, zmm16
        k256_plus 28, \n + 9, 64
        vpaddd zmm\q, zmm\q, zmm20
        vpaddd zmm\d, zmm\d, zmm\h
        k256_load 27, \n + 14, 0
        vpaddd zmm\l, zmm\l, zmm\q
        k256_load 31, \n + 14, 64
        vmovdqa64 zmm19, zmm\a
        vmovdqa64 zmm23, zmm\i
        vprord zmm25, zmm27, 17
        vpternlogd zmm19, zmm\b, zmm\c, 0xe8
        vprord zmm29, zmm31, 17
        vpternlogd zmm23, zmm\j, zmm\k, 0xe8
        vprord zmm26, zmm27, 19
        vpaddd zmm\h, zmm\h, zmm19
        vpaddd zmm\q, zmm\q, zmm23
        vprord zmm30, zmm31, 19
        vprord zmm16, zmm\a, 2
        vpsrld zmm27, zmm27, 10
        vprord zmm20, zmm\i, 2
        vpsrld zmm31, zmm31, 10
        vprord zmm17, zmm\a, 13
        vprord zmm21, zmm\i, 13
        vpternlogd zmm27, zmm25, zmm26, 0x96
        vprord zmm18, zmm\a, 22
        vpternlogd zmm31, zmm29, zmm30, 0x96
        vprord zmm22, zmm\i, 22
        vpaddd zmm24, zmm24, zmm27
        vpternlogd zmm16, zmm17, zmm18, 0x96
        vpternlogd zmm20, zmm21, zmm22, 0x96
        vpaddd zmm28, zmm28, zmm31
        vpaddd zmm\h, zmm\h, zmm16
        vmovdqa64 zmmword ptr [r9 + 128 * (\n)], zmm24
        vpaddd zmm\q, zmm\q, zmm20
        vmovdqa64 zmmword ptr [r9 + 128 * (\n) + 64], zmm28
        .endm
        .macro k256_bare n, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q
        vpaddd zmm\h, zmm\h, zmmword ptr [r9 + 128 * (\n)]
        vpaddd zmm\q, zmm\q, zmmword ptr [r9 + 128 * (\n) + 64]
        vpaddd zmm\h, zmm\h, dword ptr [rcx + 4 * (\n)]{{1to16}}
        vpaddd zmm\q, zmm\q, dword ptr [rcx + 4 * (\n)]{{1to16}}
        vmovdqa64 zmm19, zmm\e
        vmovdqa64 zmm23, zmm\m
        vpternlogd zmm19, zmm\f, zmm\g, 0xca
        vpternlogd zmm23, zmm\o, zmm\p, 0xca
        vprord zmm16, zmm\e, 6
        vprord zmm20, zmm\m, 6
        vprord zmm17, zmm\e, 11
        vprord zmm21, zmm\m, 11
        vprord zmm18, zmm\e, 25
        vprord zmm22, zmm\m, 25
        vpternlogd zmm16, zmm17, zmm18, 0x96
        vpternlogd zmm20, zmm21, zmm22, 0x96
        vpaddd zmm\h, zmm\h, zmm19
        vpaddd zmm\q, zmm\q, zmm23
        vpaddd zmm\h, zmm\h, zmm16
        vpaddd zmm\q, zmm\q, zmm20
        vpaddd zmm\d, zmm\d, zmm\h
        vpaddd zmm\l, zmm\l, zmm\q
        vmovdqa64 zmm19, zmm\a
        vmovdqa64 zmm23, zmm\i
        vpternlogd zmm19, zmm\b, zmm\c, 0xe8
        vpternlogd zmm23, zmm\j, zmm\k, 0xe8
        vpaddd zmm\h, zmm\h, zmm19
        vpaddd zmm\q, zmm\q, zmm23
        vprord zmm16, zmm\a, 2
        vprord zmm20, zmm\i, 2
        vprord zmm17, zmm\a, 13
        vprord zmm21, zmm\i, 13
        vprord zmm18, zmm\a, 22
        vprord zmm22, zmm\i, 22
        vpternlogd zmm16, zmm17, zmm18, 0x96
        vpternlogd zmm20, zmm21, zmm22, 0x96
        vpaddd zmm\h, zmm\h, zmm16
        vpaddd zmm\q, zmm\q, zmm20
        .endm
        .macro k256_same n, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q
        vpbroadcastd zmm24, dword ptr [rcx + 4 * (\n)]
        vpaddd zmm\h, zmm\h, zmm24
        vpaddd zmm\q, zmm\q, zmm24
        vmovdqa64 zmm19, zmm\e
        vmovdqa64 zmm23, zmm\m
        vpternlogd zmm19, zmm\f, zmm\g, 0xca
        vpternlogd zmm23, zmm\o, zmm\p, 0xca
        vprord zmm16, zmm\e, 6
        vprord zmm20, zmm\m, 6
        vprord zmm17, zmm\e, 11
        vprord zmm21, zmm\m, 11
        vprord zmm18, zmm\e, 25
        vprord zmm22, zmm\m, 25
        vpternlogd zmm16, zmm17, zmm18, 0x96
        vpternlogd zmm20, zmm21, zmm22, 0x96
        vpaddd zmm\h, zmm\h, zmm19
        vpaddd zmm\q, zmm\q, zmm23
        vpaddd zmm\h, zmm\h, zmm16
        vpaddd zmm\q, zmm\q, zmm20
        vpaddd zmm\d, zmm\d, zmm\h
        vpaddd zmm\l, zmm\l, zmm\q
        vmovdqa64 zmm19, zmm\a
        vmovdqa64 zmm23, zmm\i
        vpternlogd zmm19, zmm\b, zmm\c, 0xe8
        vpternlogd zmm23, zmm\j, zmm\k, 0xe8
        vpaddd zmm\h, zmm\h, zmm19
        vpaddd zmm\q, zmm\q, zmm23
        vprord zmm16, zmm\a, 2
        vprord zmm20, zmm\i, 2
        vprord zmm17, zmm\a, 13
        vprord zmm21, zmm\i, 13
        vprord zmm18, zmm\a, 22
        vprord zmm22, zmm\i, 22
        vpternlogd zmm16, zmm17, zmm18, 0x96
        vpternlogd zmm20, zmm21, zmm22, 0x96
        vpaddd zmm\h, zmm\h, zmm16
        vpaddd zmm\q, zmm\q, zmm20
        .endm
        .macro k256_two8 round, n
        \round \n + 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        \round \n + 1, 7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14
        \round \n + 2, 6, 7, 0, 1, 2, 3, 4, 5, 14, 15, 8, 9, 10, 11, 12, 13
        \round \n + 3, 5, 6, 7, 0, 1, 2, 3, 4, 13, 14, 15, 8, 9, 10, 11, 12
        \round \n + 4, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11
        \round \n + 5, 3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10
        \round \n + 6, 2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9
        \round \n + 7, 1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8
        .endm
        "
    };
}

/// Runs 32 lanes over `blocks` blocks each; lane `i` reads from `rows[i]` on. Each
/// eighth of the next block is loaded between eight rounds.
///
/// # Safety
/// AVX-512F and BW; `state` is two groups; `rows` holds 32 pointers, each readable
/// for `64 * blocks` bytes; `blocks` is 1 or more.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn blocks32(
    state: *mut Group,
    rows: *const *const u8,
    blocks: usize,
) {
    naked_asm!(
        moves!(),
        two!(),
        r"
        .cfi_startproc
        push rbp
        .cfi_def_cfa_offset 16
        .cfi_offset rbp, -16
        mov rbp, rsp
        .cfi_def_cfa_register rbp
        and rsp, -64
        sub rsp, 4096
        xor r8d, r8d
        xor r11d, r11d
    4:
        k256_aside
        jne 4b
        vmovdqa64 zmm0, zmmword ptr [rdi]
        vmovdqa64 zmm1, zmmword ptr [rdi + 64]
        vmovdqa64 zmm2, zmmword ptr [rdi + 128]
        vmovdqa64 zmm3, zmmword ptr [rdi + 192]
        vmovdqa64 zmm4, zmmword ptr [rdi + 256]
        vmovdqa64 zmm5, zmmword ptr [rdi + 320]
        vmovdqa64 zmm6, zmmword ptr [rdi + 384]
        vmovdqa64 zmm7, zmmword ptr [rdi + 448]
        vmovdqa64 zmm8, zmmword ptr [rdi + 512]
        vmovdqa64 zmm9, zmmword ptr [rdi + 576]
        vmovdqa64 zmm10, zmmword ptr [rdi + 640]
        vmovdqa64 zmm11, zmmword ptr [rdi + 704]
        vmovdqa64 zmm12, zmmword ptr [rdi + 768]
        vmovdqa64 zmm13, zmmword ptr [rdi + 832]
        vmovdqa64 zmm14, zmmword ptr [rdi + 896]
        vmovdqa64 zmm15, zmmword ptr [rdi + 960]
        .p2align 6
    2:
        sub rsi, 256
        xor r11d, r11d
        .irp j, 0, 1, 2, 3
        k256_words 0, \j, 16, 17, 18, 19, 20, 21, 22, 23
        k256_words 1, \j, 24, 25, 26, 27, 28, 29, 30, 31
        .endr
        add r8, 64
        lea rcx, [rip + {k}]
        mov r9, rsp
        lea r10, [rsp + 1024]
        .p2align 6
    3:
        k256_two8 k256_next, 0
        k256_aside_if
        add rcx, 32
        xchg r9, r10
        cmp r11d, 192
        jne 3b
        .p2align 6
    5:
        k256_two8 k256_bare, 0
        k256_aside_if
        add rcx, 32
        xchg r9, r10
        cmp r11d, 256
        jne 5b
        vpaddd zmm0, zmm0, zmmword ptr [rdi]
        vpaddd zmm1, zmm1, zmmword ptr [rdi + 64]
        vpaddd zmm2, zmm2, zmmword ptr [rdi + 128]
        vpaddd zmm3, zmm3, zmmword ptr [rdi + 192]
        vpaddd zmm4, zmm4, zmmword ptr [rdi + 256]
        vpaddd zmm5, zmm5, zmmword ptr [rdi + 320]
        vpaddd zmm6, zmm6, zmmword ptr [rdi + 384]
        vpaddd zmm7, zmm7, zmmword ptr [rdi + 448]
        vpaddd zmm8, zmm8, zmmword ptr [rdi + 512]
        vpaddd zmm9, zmm9, zmmword ptr [rdi + 576]
        vpaddd zmm10, zmm10, zmmword ptr [rdi + 640]
        vpaddd zmm11, zmm11, zmmword ptr [rdi + 704]
        vpaddd zmm12, zmm12, zmmword ptr [rdi + 768]
        vpaddd zmm13, zmm13, zmmword ptr [rdi + 832]
        vpaddd zmm14, zmm14, zmmword ptr [rdi + 896]
        vpaddd zmm15, zmm15, zmmword ptr [rdi + 960]
        vmovdqa64 zmmword ptr [rdi], zmm0
        vmovdqa64 zmmword ptr [rdi + 64], zmm1
        vmovdqa64 zmmword ptr [rdi + 128], zmm2
        vmovdqa64 zmmword ptr [rdi + 192], zmm3
        vmovdqa64 zmmword ptr [rdi + 256], zmm4
        vmovdqa64 zmmword ptr [rdi + 320], zmm5
        vmovdqa64 zmmword ptr [rdi + 384], zmm6
        vmovdqa64 zmmword ptr [rdi + 448], zmm7
        vmovdqa64 zmmword ptr [rdi + 512], zmm8
        vmovdqa64 zmmword ptr [rdi + 576], zmm9
        vmovdqa64 zmmword ptr [rdi + 640], zmm10
        vmovdqa64 zmmword ptr [rdi + 704], zmm11
        vmovdqa64 zmmword ptr [rdi + 768], zmm12
        vmovdqa64 zmmword ptr [rdi + 832], zmm13
        vmovdqa64 zmmword ptr [rdi + 896], zmm14
        vmovdqa64 zmmword ptr [rdi + 960], zmm15
        dec rdx
        jnz 2b
        mov rsp, rbp
        pop rbp
        .cfi_def_cfa rsp, 8
        vzeroupper
        ret
        .cfi_endproc
        ",
        purge!("quad" "quarters" "row" "rows" "halves" "quarter_out" "aside" "aside_if" "words" "next"
            "bare" "same" "two8" "load" "plus"),
        k = sym K,
        swap = sym SWAP,
    )
}

/// SHA-256 of 32 messages of 64 bytes each, `groups` times: both blocks, no state
/// in between. The rows of the next 32 are loaded during the second block.
///
/// # Safety
/// AVX-512F and BW; `rows` holds `32 * groups` pointers, each readable for 64
/// bytes; `out` is writable for `32 * 32 * groups` bytes; `groups` is 1 or more.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn pairs32(
    rows: *const *const u8,
    groups: usize,
    out: *mut [u8; 32],
) {
    naked_asm!(
        moves!(),
        two!(),
        r"
        .macro k256_start i, h
        vpbroadcastd zmm\i, dword ptr [r9 + 4 * \i]
        vmovdqa64 zmm\h, zmm\i
        .endm
        .macro k256_first i, h
        vpbroadcastd zmm24, dword ptr [r9 + 4 * \i]
        vpaddd zmm\i, zmm\i, zmm24
        vpaddd zmm\h, zmm\h, zmm24
        vmovdqa64 zmmword ptr [rsp + 128 * \i], zmm\i
        vmovdqa64 zmmword ptr [rsp + 128 * \i + 64], zmm\h
        .endm
        .macro k256_second i, h
        vpaddd zmm\i, zmm\i, zmmword ptr [rsp + 128 * \i]
        vpaddd zmm\h, zmm\h, zmmword ptr [rsp + 128 * \i + 64]
        .endm
        .macro k256_all what
        \what 0, 8
        \what 1, 9
        \what 2, 10
        \what 3, 11
        \what 4, 12
        \what 5, 13
        \what 6, 14
        \what 7, 15
        .endm
        .cfi_startproc
        push rbp
        .cfi_def_cfa_offset 16
        .cfi_offset rbp, -16
        mov rbp, rsp
        .cfi_def_cfa_register rbp
        and rsp, -64
        sub rsp, 4096
        lea r9, [rip + {iv}]
        mov r11, rdi
        mov rdi, rsi
        mov rsi, r11
        xor r8d, r8d
        xor r11d, r11d
    4:
        k256_aside
        jne 4b
        .p2align 6
    2:
        .irp j, 0, 1, 2, 3
        k256_words 0, \j, 16, 17, 18, 19, 20, 21, 22, 23
        k256_words 1, \j, 24, 25, 26, 27, 28, 29, 30, 31
        .endr
        k256_all k256_start
        lea rcx, [rip + {k}]
        lea rax, [rcx + 192]
        lea r11, [rcx + 256]
        mov r9, rsp
        lea r10, [rsp + 1024]
        .p2align 6
    3:
        k256_two8 k256_next, 0
        add rcx, 32
        xchg r9, r10
        cmp rcx, rax
        jne 3b
        .p2align 6
    6:
        k256_two8 k256_bare, 0
        add rcx, 32
        xchg r9, r10
        cmp rcx, r11
        jne 6b
        lea r9, [rip + {iv}]
        k256_all k256_first
        // The last rows are read twice: nothing comes after them.
        lea rax, [rsi - 256]
        cmp rdi, 1
        cmove rsi, rax
        lea rcx, [rip + {pad}]
        xor r11d, r11d
        .p2align 6
    5:
        k256_two8 k256_same, 0
        add rcx, 32
        k256_aside
        jne 5b
        k256_all k256_second
        k256_halves 0, 0, 1, 2, 3, 16, 17, 18, 19
        k256_halves 16, 4, 5, 6, 7, 20, 21, 22, 23
        add rdx, 512
        k256_halves 0, 8, 9, 10, 11, 24, 25, 26, 27
        k256_halves 16, 12, 13, 14, 15, 28, 29, 30, 31
        add rdx, 512
        dec rdi
        jnz 2b
        mov rsp, rbp
        pop rbp
        .cfi_def_cfa rsp, 8
        vzeroupper
        ret
        .cfi_endproc
        ",
        purge!("quad" "quarters" "row" "rows" "halves" "quarter_out" "aside" "aside_if" "words" "next"
            "bare" "same" "two8" "load" "plus" "start" "first" "second" "all"),
        k = sym K,
        pad = sym PAD64,
        iv = sym IV,
        swap = sym SWAP,
    )
}
