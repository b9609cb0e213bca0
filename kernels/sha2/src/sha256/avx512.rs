//! Sixteen and thirty-two messages in zmm registers, one in each 32-bit lane.
//!
//! In assembly, because compiler flags change what intrinsics become. Rotates, spills
//! and the order of instructions decide the speed of these loops.
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
//! Zen 5 starts four of them a cycle, two of those rotates, and each takes 2 cycles. So
//! 1,696 operations are 424 cycles, 2.4 bytes a cycle. (SHA-NI on the same core: 64
//! cycles a block, 1 byte a cycle.)
//!
//! A single group is also bound by the chain from `e` to the next `e`. In the
//! standard's order the chain is 9 cycles a round, 576 a block: rotate, a cycle in
//! which the third rotate waits for its port, xor and two additions. Here `d` is added
//! first, `e' = ((d + h + K + W) + Ch) + Σ1(e)`, and `T1` is recovered as `e' - d`.
//! That is one addition more, but 7 cycles a round, 448 a block.
//!
//! Σ0 of a round is written after Σ1 of the next one. The scheduler prefers older
//! instructions, and the chain waits for Σ1.
//!
//! Two groups at once (`avx512_two.rs`) fill each other's gaps. Measured:
//! docs/notes/sha256-many.md.

use super::constants::{K, PAD64};
use core::arch::naked_asm;

/// Number of lanes in a group.
pub(super) const LANES: usize = 16;

/// Row `i` holds word `i` of every lane's state.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Group(pub(super) [[u32; LANES]; 8]);

/// Reverses the bytes of each 32-bit word.
#[repr(C, align(64))]
pub(super) struct Mask([[u8; 16]; 4]);
pub(super) static SWAP: Mask = Mask([[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]; 4]);

/// Assembler macros for transposing.
macro_rules! moves {
    () => {
        r"
        // Transposes words of four registers within each 128 bits: quarter k of r<j>
        // becomes word 4k + j of all four.
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

        // Transposes the quarters of four registers.
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

        // Loads four rows, whose pointers are n to n + 3 of rsi, k256_step bytes apart,
        // from byte r8 on. Words are big-endian. Transposes them within 128 bits.
        .macro k256_row r, n
        mov rax, qword ptr [rsi + k256_step * (\n)]
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

        // Writes half of the digests of a group: words i to i + 3 of the state, from
        // registers to their place at rdx.
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

pub(super) use moves;

/// Assembler macros for rounds. They need those of `moves!`.
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

/// Assembler macros of `blocks16`. Words are in zmm8 to zmm23. With `next`, a round
/// also makes the word for 16 rounds later. Without it, the next block is loaded,
/// unless edx, the number of blocks left, is 1.
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

/// Deletes all macros, because one assembler run may see several bodies.
macro_rules! purge {
    ($($name:literal)*) => { concat!($(".purgem k256_", $name, "\n",)*) };
}

pub(super) use purge;

/// Runs 16 lanes over `blocks` blocks each. Lane `i` is read from `rows[i]` on.
///
/// # Safety
/// The CPU must have AVX-512F and BW. `state` is one group. `rows` holds 16 pointers,
/// each readable for `64 * blocks` bytes. `blocks` is 1 or more.
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
        .set k256_step, 8
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
/// constant, so only the rounds are left. Limit: 1,088 operations are 272 cycles, but
/// the chain is 448.
///
/// # Safety
/// The CPU must have AVX-512F. `state` is one group.
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
/// The CPU must have AVX-512F and BW. `state` is one group. `out` is writable for 512
/// bytes.
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
