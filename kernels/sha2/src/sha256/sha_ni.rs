//! The SHA extensions of x86, for two or four messages side by side.
//! [`super::sha_ni_one`] is for one message.
//!
//! # Limits
//!
//! `sha256rnds2` does two rounds and takes 4 cycles on Zen 4, Zen 5 and Intel since Ice
//! Lake. So one message takes at least 128 cycles a block.
//!
//! Zen 5 starts one in 2 cycles: two chains fill the unit, 64 cycles a block. Zen 4
//! starts one a cycle: four chains, 56 cycles a block with `sha256msg1` and `2`, which
//! share the port there but not on Zen 5. Measured by loops of chains, 2026-11-20 and
//! before.
//!
//! In assembly, so that no compiler flag mixes in VEX forms, which cost transitions, or
//! adds spills.

use super::constants::{IV, K, PAD64};
use core::arch::naked_asm;
use karat_hash_core::slices::STRIDE;

#[repr(C, align(16))]
pub(super) struct Mask([u8; 16]);
/// Reverses the bytes of each 32-bit word.
pub(super) static SWAP: Mask = Mask([3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]);

/// Converts words a..h of a state at `p` to the order of the instructions, ABEF and
/// CDGH (Intel SDM, SHA256RNDS2), and back.
macro_rules! order {
    () => {
        r"
        .macro k256_enter p, s0, s1, t
        movdqu xmm\t, xmmword ptr [\p]
        movdqu xmm\s1, xmmword ptr [\p + 16]
        pshufd xmm\t, xmm\t, 0xb1
        pshufd xmm\s1, xmm\s1, 0x1b
        movdqa xmm\s0, xmm\t
        palignr xmm\s0, xmm\s1, 8
        pblendw xmm\s1, xmm\t, 0xf0
        .endm
        .macro k256_leave p, s0, s1, t
        pshufd xmm\t, xmm\s0, 0x1b
        pshufd xmm\s1, xmm\s1, 0xb1
        movdqa xmm\s0, xmm\t
        pblendw xmm\s0, xmm\s1, 0xf0
        palignr xmm\s1, xmm\t, 8
        movdqu xmmword ptr [\p], xmm\s0
        movdqu xmmword ptr [\p + 16], xmm\s1
        .endm
        "
    };
}
pub(super) use order;

/// Converts a state to the bytes of a digest, in its two registers, or four. `swap` is [`SWAP`].
macro_rules! bytes {
    () => {
        r"
        .macro k256_bytes s0, s1, t, swap
        pshufd xmm\t, xmm\s0, 0x1b
        pshufd xmm\s1, xmm\s1, 0xb1
        movdqa xmm\s0, xmm\t
        pblendw xmm\s0, xmm\s1, 0xf0
        palignr xmm\s1, xmm\t, 8
        pshufb xmm\s0, \swap
        pshufb xmm\s1, \swap
        .endm
        // The states of four streams in xmm1 to xmm8. The shuffle is in xmm15.
        .macro k256_bytes4
        k256_bytes 1, 2, 9, xmm15
        k256_bytes 3, 4, 10, xmm15
        k256_bytes 5, 6, 11, xmm15
        k256_bytes 7, 8, 12, xmm15
        .endm
        "
    };
}
pub(super) use bytes;

/// Writes `count` states as bytes. Not in Rust, where each target has other ways to reverse
/// the bytes of a word.
///
/// # Safety
/// The CPU must have SSSE3. `count` must be 1 or more, `states` readable for so many, and `out`
/// writable for so many digests.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn digests(
    states: *const [u32; 8],
    out: *mut [u8; 32],
    count: usize,
) {
    naked_asm!(
        r"
        .cfi_startproc
        movdqa xmm2, xmmword ptr [rip + {swap}]
    2:
        movdqu xmm0, xmmword ptr [rdi]
        movdqu xmm1, xmmword ptr [rdi + 16]
        pshufb xmm0, xmm2
        pshufb xmm1, xmm2
        movdqu xmmword ptr [rsi], xmm0
        movdqu xmmword ptr [rsi + 16], xmm1
        add rdi, 32
        add rsi, 32
        dec rdx
        jnz 2b
        ret
        .cfi_endproc
        ",
        swap = sym SWAP,
    )
}

/// Four rounds of one stream with its words in registers. m0 holds the words of these
/// rounds, m3 those before, m1 those that come next.
macro_rules! four {
    () => {
        r"
        .macro k256_four n, p, s0, s1, m0, m1, m2, m3, t, swap
        .if (\n) < 4
        movdqu xmm\m0, xmmword ptr [\p + 16 * (\n)]
        pshufb xmm\m0, \swap
        .endif
        movdqa xmm0, xmm\m0
        paddd xmm0, xmmword ptr [rcx + 16 * (\n)]
        sha256rnds2 xmm\s1, xmm\s0, xmm0
        .if (\n) >= 3 && (\n) <= 14
        movdqa xmm\t, xmm\m0
        palignr xmm\t, xmm\m3, 4
        paddd xmm\m1, xmm\t
        sha256msg2 xmm\m1, xmm\m0
        .endif
        pshufd xmm0, xmm0, 0x0e
        sha256rnds2 xmm\s0, xmm\s1, xmm0
        .if (\n) >= 1 && (\n) <= 12
        sha256msg1 xmm\m3, xmm\m0
        .endif
        .endm
        "
    };
}
#[cfg(not(target_feature = "avx"))]
pub(super) use four;

/// A block of four streams, with words on the stack. States are in xmm1 to xmm8, from rsp + 256
/// on is room for them, and the blocks are at r8 to r11.
macro_rules! block {
    () => {
        concat!(
            r"
        // Every second round of four.
        .macro k256_hop n
        .if ((\n) & 1) == 0
        ",
            karat_hash_core::hop!(),
            r"
        .endif
        .endm
        // Four rounds of a stream: words at rsp + o, round n's at 16 (n mod 4).
        .macro k256_four n, p, s0, s1, o
        .if (\n) < 4
        movdqu xmm9, xmmword ptr [\p + 16 * (\n)]
        pshufb xmm9, xmm15
        movdqa xmmword ptr [rsp + \o + 16 * (\n)], xmm9
        .else
        movdqa xmm9, xmmword ptr [rsp + \o + 16 * ((\n) & 3)]
        .endif
        movdqa xmm0, xmmword ptr [rcx + 16 * (\n)]
        paddd xmm0, xmm9
        sha256rnds2 xmm\s1, xmm\s0, xmm0
        .if (\n) >= 3 && (\n) <= 14
        movdqa xmm10, xmmword ptr [rsp + \o + 16 * ((\n + 1) & 3)]
        sha256msg1 xmm10, xmmword ptr [rsp + \o + 16 * ((\n + 2) & 3)]
        movdqa xmm11, xmm9
        palignr xmm11, xmmword ptr [rsp + \o + 16 * ((\n + 3) & 3)], 4
        paddd xmm10, xmm11
        sha256msg2 xmm10, xmm9
        movdqa xmmword ptr [rsp + \o + 16 * ((\n + 1) & 3)], xmm10
        .endif
        pshufd xmm0, xmm0, 0x0e
        sha256rnds2 xmm\s0, xmm\s1, xmm0
        .endm
        .macro k256_block
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        k256_hop \n
        k256_four \n, r8, 1, 2, 0
        k256_four \n, r9, 3, 4, 64
        k256_four \n, r10, 5, 6, 128
        k256_four \n, r11, 7, 8, 192
        .endr
        .endm
        .macro k256_keep
        .irp n, 1, 2, 3, 4, 5, 6, 7, 8
        movdqa xmmword ptr [rsp + 240 + 16 * \n], xmm\n
        .endr
        .endm
        .macro k256_sum
        .irp n, 1, 2, 3, 4, 5, 6, 7, 8
        paddd xmm\n, xmmword ptr [rsp + 240 + 16 * \n]
        .endr
        .endm
        "
        )
    };
}
pub(super) use block;

/// Removes what [`order`] and [`block`] have defined.
macro_rules! forget {
    () => {
        r"
        .purgem k256_enter
        .purgem k256_leave
        .purgem k256_hop
        .purgem k256_four
        .purgem k256_block
        .purgem k256_keep
        .purgem k256_sum
        "
    };
}
pub(super) use forget;

/// Runs two messages over `blocks` blocks each. Message `i` is read from `rows[i]` on.
///
/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1. `states` is two states. `rows` is two
/// pointers, each readable for `64 * blocks` bytes. `blocks` is 1 or more.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn blocks2(
    states: *mut [u32; 8],
    rows: *const *const u8,
    blocks: usize,
) {
    naked_asm!(
        order!(),
        four!(),
        r"
        .macro k256_both n, m0, m1, m2, m3, w0, w1, w2, w3
        k256_four \n, r8, 1, 2, \m0, \m1, \m2, \m3, 13, xmm15
        k256_four \n, r9, 7, 8, \w0, \w1, \w2, \w3, 14, xmm15
        .endm
        .macro k256_four4 n
        k256_both \n + 0, 3, 4, 5, 6, 9, 10, 11, 12
        k256_both \n + 1, 4, 5, 6, 3, 10, 11, 12, 9
        k256_both \n + 2, 5, 6, 3, 4, 11, 12, 9, 10
        k256_both \n + 3, 6, 3, 4, 5, 12, 9, 10, 11
        .endm
        .cfi_startproc
        sub rsp, 72
        .cfi_adjust_cfa_offset 72
        lea rcx, [rip + {k}]
        movdqa xmm15, xmmword ptr [rip + {swap}]
        mov r8, qword ptr [rsi]
        mov r9, qword ptr [rsi + 8]
        k256_enter rdi, 1, 2, 0
        k256_enter rdi + 32, 7, 8, 0
        .p2align 5
    2:
        movdqa xmmword ptr [rsp], xmm1
        movdqa xmmword ptr [rsp + 16], xmm2
        movdqa xmmword ptr [rsp + 32], xmm7
        movdqa xmmword ptr [rsp + 48], xmm8
        .irp n, 0, 4, 8, 12
        k256_four4 \n
        .endr
        paddd xmm1, xmmword ptr [rsp]
        paddd xmm2, xmmword ptr [rsp + 16]
        paddd xmm7, xmmword ptr [rsp + 32]
        paddd xmm8, xmmword ptr [rsp + 48]
        add r8, 64
        add r9, 64
        dec rdx
        jnz 2b
        k256_leave rdi, 1, 2, 0
        k256_leave rdi + 32, 7, 8, 0
        add rsp, 72
        .cfi_adjust_cfa_offset -72
        ret
        .cfi_endproc
        .purgem k256_enter
        .purgem k256_leave
        .purgem k256_four
        .purgem k256_both
        .purgem k256_four4
        ",
        k = sym K,
        swap = sym SWAP,
    )
}

/// Runs four messages over `blocks` blocks each, with words on the stack. Message `i`
/// is read from `rows[i]` on.
///
/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1. `states` is four states. `rows` is four
/// pointers, each readable for `64 * blocks` bytes. `blocks` is 1 or more.
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
        sub rsp, 392
        .cfi_adjust_cfa_offset 392
        lea rcx, [rip + {k}]
        movdqa xmm15, xmmword ptr [rip + {swap}]
        mov r8, qword ptr [rsi]
        mov r9, qword ptr [rsi + 8]
        mov r10, qword ptr [rsi + 16]
        mov r11, qword ptr [rsi + 24]
        k256_enter rdi, 1, 2, 0
        k256_enter rdi + 32, 3, 4, 0
        k256_enter rdi + 64, 5, 6, 0
        k256_enter rdi + 96, 7, 8, 0
        .p2align 5
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
        add rsp, 392
        .cfi_adjust_cfa_offset -392
        ret
        .cfi_endproc
        ",
        forget!(),
        k = sym K,
        swap = sym SWAP,
    )
}

/// SHA-256 of four messages of 64 bytes each, `groups` times. The schedule of the
/// second block is constant, so only its rounds are left, and all streams share its
/// words. Limit: 2 x 4 x 32 `sha256rnds2` are 512 cycles on Zen 5.
///
/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1. `messages` holds `4 * groups` slices of 64
/// bytes. `out` is writable for as many digests. `groups` is 1 or more.
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
        sub rsp, 392
        .cfi_adjust_cfa_offset 392
        lea rax, [rip + {iv}]
        movdqa xmm15, xmmword ptr [rip + {swap}]
        k256_enter rax, 13, 14, 0
        .p2align 6
    2:
        lea rcx, [rip + {k}]
        mov r8, qword ptr [rdi]
        mov r9, qword ptr [rdi + {stride}]
        mov r10, qword ptr [rdi + 2 * {stride}]
        mov r11, qword ptr [rdi + 3 * {stride}]
        .irp n, 1, 3, 5, 7
        movdqa xmm\n, xmm13
        .endr
        .irp n, 2, 4, 6, 8
        movdqa xmm\n, xmm14
        .endr
        k256_block
        .irp n, 1, 3, 5, 7
        paddd xmm\n, xmm13
        .endr
        .irp n, 2, 4, 6, 8
        paddd xmm\n, xmm14
        .endr
        k256_keep
        lea rcx, [rip + {pad}]
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        k256_hop \n
        movdqa xmm0, xmmword ptr [rcx + 16 * \n]
        sha256rnds2 xmm2, xmm1, xmm0
        sha256rnds2 xmm4, xmm3, xmm0
        sha256rnds2 xmm6, xmm5, xmm0
        sha256rnds2 xmm8, xmm7, xmm0
        pshufd xmm0, xmm0, 0x0e
        sha256rnds2 xmm1, xmm2, xmm0
        sha256rnds2 xmm3, xmm4, xmm0
        sha256rnds2 xmm5, xmm6, xmm0
        sha256rnds2 xmm7, xmm8, xmm0
        .endr
        k256_sum
        k256_bytes4
        .irp n, 1, 2, 3, 4, 5, 6, 7, 8
        movdqu xmmword ptr [rdx + 16 * \n - 16], xmm\n
        .endr
        add rdi, 4 * {stride}
        add rdx, 128
        dec rsi
        jnz 2b
        add rsp, 392
        .cfi_adjust_cfa_offset -392
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
