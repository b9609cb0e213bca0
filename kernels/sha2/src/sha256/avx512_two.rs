//! Thirty-two messages in zmm registers, as two groups of 16 lanes.
//!
//! `avx512.rs` holds the limits and the rounds. The message words of two groups do not
//! fit into the registers, so they are on the stack.
//!
//! Loops are eight rounds long, which is less than a page of code. Longer loops can
//! evict themselves from the instruction cache (`blake3/x86/schedule.rs`), and are
//! slower in some builds or in all (docs/notes/sha256-many.md).
//!
//! Limit of 32 messages of 64 bytes: 48 rounds of 56 operations, 16 of 34 and 64 of 32,
//! four a cycle, and some 65 cycles for the transpositions are 1385 cycles. About 1815
//! are reached. A round without a schedule is 8 cycles by operations and as many by its
//! chain (rotation, three-way logic and two additions, of 2 cycles each). So the two
//! groups wait for each other, and there are no registers for a third.

use super::avx512::{Group, SWAP, moves, purge};
use super::constants::{IV, K, PAD64};
use core::arch::naked_asm;
use karat_hash_core::slices::STRIDE;

/// Assembler macros for two groups. They need those of `moves!`. States are in zmm0 to
/// zmm15. Word i of group g is at `rsp + 128 i + 64 g`. Words of the next block begin
/// at `rsp + 2048`.
macro_rules! two {
    () => {
        r"
        // Loads and transposes eight times four rows within 128 bits and stores them
        // aside, from rsp + 2048 on. r11 counts. The code around it hides its latency.
        .macro k256_aside
        k256_rows 0, 24, 25, 26, 27, 28, 29, 30, 31
        vmovdqa64 zmmword ptr [rsp + 8 * r11 + 2048], zmm24
        vmovdqa64 zmmword ptr [rsp + 8 * r11 + 2112], zmm25
        vmovdqa64 zmmword ptr [rsp + 8 * r11 + 2176], zmm26
        vmovdqa64 zmmword ptr [rsp + 8 * r11 + 2240], zmm27
        add rsi, 4 * k256_step
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
        add rsi, 4 * k256_step
        add r11d, 32
    7:
        .endm
        // Makes words from the rows there: word i of group g at rsp + 128 i + 64 g.
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
        // Loads word n of 22: eight are at r9, eight at r10, and the later ones have
        // replaced the first ones at r9.
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
        // A round of both groups, one instruction of each in turn. k256_next also makes
        // the word for 16 rounds later, k256_bare does not, and k256_same uses constant
        // words.
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
        // The rest of a round, once the words have been added to h and q.
        .macro k256_core a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q
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
        .macro k256_bare n, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q
        vpaddd zmm\h, zmm\h, zmmword ptr [r9 + 128 * (\n)]
        vpaddd zmm\q, zmm\q, zmmword ptr [r9 + 128 * (\n) + 64]
        vpaddd zmm\h, zmm\h, dword ptr [rcx + 4 * (\n)]{{1to16}}
        vpaddd zmm\q, zmm\q, dword ptr [rcx + 4 * (\n)]{{1to16}}
        k256_core \a, \b, \c, \d, \e, \f, \g, \h, \i, \j, \k, \l, \m, \o, \p, \q
        .endm
.macro k256_same n, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q
        vpbroadcastd zmm24, dword ptr [rcx + 4 * (\n)]
        vpaddd zmm\h, zmm\h, zmm24
        vpaddd zmm\q, zmm\q, zmm24
        k256_core \a, \b, \c, \d, \e, \f, \g, \h, \i, \j, \k, \l, \m, \o, \p, \q
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

/// Runs 32 lanes over `blocks` blocks each. Lane `i` is read from `rows[i]` on. An
/// eighth of the next block is loaded after every eight rounds.
///
/// # Safety
/// The CPU must have AVX-512F and BW. `state` is two groups. `rows` holds 32 pointers,
/// each readable for `64 * blocks` bytes. `blocks` is 1 or more.
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
        .set k256_step, 8
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
            "core" "bare" "same" "two8" "load" "plus"),
        k = sym K,
        swap = sym SWAP,
    )
}

/// SHA-256 of 32 messages of 64 bytes each, `groups` times. Both blocks are run without
/// storing the state in between. The rows of the next 32 messages are loaded during the
/// second block.
///
/// # Safety
/// The CPU must have AVX-512F and BW. `messages` are `32 * groups` slices of 64 bytes
/// each. `out` is writable for `32 * 32 * groups` bytes. `groups` is 1 or more.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn pairs32(
    messages: *const &[u8],
    groups: usize,
    out: *mut [u8; 32],
) {
    naked_asm!(
        moves!(),
        two!(),
        r"
        // Slices: a pointer and a length.
        .set k256_step, {stride}
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
        // The loop begins a page: at a place chosen by the linker it can be slower
        // (docs/notes/sha256-many.md).
        jmp 2f
        .p2align 12
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
        // The last rows are read twice, because there are no rows after them.
        lea rax, [rsi - 32 * k256_step]
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
            "core" "bare" "same" "two8" "load" "plus" "start" "first" "second" "all"),
        k = sym K,
        pad = sym PAD64,
        iv = sym IV,
        swap = sym SWAP,
        stride = const STRIDE,
    )
}
