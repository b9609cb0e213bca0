//! One message: rounds in general registers, with BMI2's `rorx`, and the schedule in xmm
//! registers, two words at a time.
//!
//! Limit: a round has 25 operations in general registers, of which four start a cycle: 6.25
//! cycles, 500 a block, 0.26 bytes a cycle. The schedule's operations go to other ports.

use super::constants::K;
use core::arch::naked_asm;

/// Byte shuffles of 64-bit words: one reverses the bytes, the other rotates right by 8.
#[repr(C, align(16))]
struct Shuffles([[u8; 16]; 2]);
static SHUFFLES: Shuffles = Shuffles([
    [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8],
    [1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8],
]);

/// See [`crate::block::Compress`].
///
/// # Safety
/// The CPU must have AVX and BMI2. `blocks` must be readable for `128 * count` bytes.
pub(super) unsafe fn compress(state: &mut [u64; 8], blocks: *const u8, count: usize) {
    if count > 0 {
        // SAFETY: the caller upholds the safety contract.
        unsafe { blocks1(state, blocks, count) }
    }
}

/// Words are in xmm0 to xmm7. Frame: the sums of words and constants of 16 rounds, then
/// the state's address at 128 and the number of blocks left at 136.
#[unsafe(naked)]
unsafe extern "sysv64" fn blocks1(state: &mut [u64; 8], blocks: *const u8, count: usize) {
    naked_asm!(
        r"
        // Loads two words from byte 16 n on.
        .macro k512_load n
        vmovdqu xmm\n, xmmword ptr [rsi + 16 * \n]
        vpshufb xmm\n, xmm\n, xmmword ptr [rip + {shuffles}]
        vpaddq xmm8, xmm\n, xmmword ptr [rbp + 16 * \n]
        vmovdqu xmmword ptr [rsp + 16 * \n], xmm8
        .endm
        // Two words for 16 rounds later, in w: from the words there, those one and two
        // registers further, and so on.
        .macro k512_words n, w, w1, w4, w5, w7
        vpalignr xmm8, xmm\w1, xmm\w, 8
        vpalignr xmm9, xmm\w5, xmm\w4, 8
        vpaddq xmm\w, xmm\w, xmm9
        vpsrlq xmm9, xmm8, 1
        vpsllq xmm10, xmm8, 63
        vpshufb xmm11, xmm8, xmmword ptr [rip + {shuffles} + 16]
        vpsrlq xmm8, xmm8, 7
        vpxor xmm9, xmm9, xmm10
        vpxor xmm8, xmm8, xmm11
        vpxor xmm8, xmm8, xmm9
        vpaddq xmm\w, xmm\w, xmm8
        vpsrlq xmm9, xmm\w7, 19
        vpsllq xmm10, xmm\w7, 45
        vpsrlq xmm11, xmm\w7, 61
        vpsllq xmm12, xmm\w7, 3
        vpsrlq xmm8, xmm\w7, 6
        vpxor xmm9, xmm9, xmm10
        vpxor xmm11, xmm11, xmm12
        vpxor xmm8, xmm8, xmm9
        vpxor xmm8, xmm8, xmm11
        vpaddq xmm\w, xmm\w, xmm8
        vpaddq xmm8, xmm\w, xmmword ptr [rbp + 16 * \n + 128]
        vmovdqu xmmword ptr [rsp + 16 * \n], xmm8
        .endm
        // x holds b xor c from the round before. y gets a xor b for the next round.
        .macro k512_round n, a, b, c, d, e, f, g, h, x, y
        add \h, qword ptr [rsp + 8 * \n]
        rorx r13, \e, 14
        rorx r14, \e, 18
        xor r13, r14
        rorx r14, \e, 41
        xor r13, r14
        mov r14, \f
        xor r14, \g
        and r14, \e
        xor r14, \g
        add \h, r14
        add \h, r13
        add \d, \h
        rorx r13, \a, 28
        rorx r14, \a, 34
        xor r13, r14
        rorx r14, \a, 39
        xor r13, r14
        add \h, r13
        mov \y, \a
        xor \y, \b
        and \x, \y
        xor \x, \b
        add \h, \x
        .endm
        .macro k512_round16 next
        k512_round 0, rax, rbx, rcx, r8, r9, r10, r11, r12, rdi, r15
        k512_round 1, r12, rax, rbx, rcx, r8, r9, r10, r11, r15, rdi
        .if \next
        k512_words 0, 0, 1, 4, 5, 7
        .endif
        k512_round 2, r11, r12, rax, rbx, rcx, r8, r9, r10, rdi, r15
        k512_round 3, r10, r11, r12, rax, rbx, rcx, r8, r9, r15, rdi
        .if \next
        k512_words 1, 1, 2, 5, 6, 0
        .endif
        k512_round 4, r9, r10, r11, r12, rax, rbx, rcx, r8, rdi, r15
        k512_round 5, r8, r9, r10, r11, r12, rax, rbx, rcx, r15, rdi
        .if \next
        k512_words 2, 2, 3, 6, 7, 1
        .endif
        k512_round 6, rcx, r8, r9, r10, r11, r12, rax, rbx, rdi, r15
        k512_round 7, rbx, rcx, r8, r9, r10, r11, r12, rax, r15, rdi
        .if \next
        k512_words 3, 3, 4, 7, 0, 2
        .endif
        k512_round 8, rax, rbx, rcx, r8, r9, r10, r11, r12, rdi, r15
        k512_round 9, r12, rax, rbx, rcx, r8, r9, r10, r11, r15, rdi
        .if \next
        k512_words 4, 4, 5, 0, 1, 3
        .endif
        k512_round 10, r11, r12, rax, rbx, rcx, r8, r9, r10, rdi, r15
        k512_round 11, r10, r11, r12, rax, rbx, rcx, r8, r9, r15, rdi
        .if \next
        k512_words 5, 5, 6, 1, 2, 4
        .endif
        k512_round 12, r9, r10, r11, r12, rax, rbx, rcx, r8, rdi, r15
        k512_round 13, r8, r9, r10, r11, r12, rax, rbx, rcx, r15, rdi
        .if \next
        k512_words 6, 6, 7, 2, 3, 5
        .endif
        k512_round 14, rcx, r8, r9, r10, r11, r12, rax, rbx, rdi, r15
        k512_round 15, rbx, rcx, r8, r9, r10, r11, r12, rax, r15, rdi
        .if \next
        k512_words 7, 7, 0, 3, 4, 6
        .endif
        .endm
        .cfi_startproc
        push rbx
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset rbx, 0
        push rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset rbp, 0
        push r12
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset r12, 0
        push r13
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset r13, 0
        push r14
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset r14, 0
        push r15
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset r15, 0
        sub rsp, 144
        .cfi_adjust_cfa_offset 144
        mov qword ptr [rsp + 128], rdi
        mov qword ptr [rsp + 136], rdx
        mov rax, qword ptr [rdi + 0]
        mov rbx, qword ptr [rdi + 8]
        mov rcx, qword ptr [rdi + 16]
        mov r8, qword ptr [rdi + 24]
        mov r9, qword ptr [rdi + 32]
        mov r10, qword ptr [rdi + 40]
        mov r11, qword ptr [rdi + 48]
        mov r12, qword ptr [rdi + 56]
        .p2align 5
    2:
        lea rbp, [rip + {k}]
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7
        k512_load \n
        .endr
        lea rdx, [rbp + 512]
        mov rdi, rbx
        xor rdi, rcx
        .p2align 5
    3:
        k512_round16 1
        add rbp, 128
        cmp rbp, rdx
        jne 3b
        k512_round16 0
        mov rdi, qword ptr [rsp + 128]
        add rax, qword ptr [rdi + 0]
        mov qword ptr [rdi + 0], rax
        add rbx, qword ptr [rdi + 8]
        mov qword ptr [rdi + 8], rbx
        add rcx, qword ptr [rdi + 16]
        mov qword ptr [rdi + 16], rcx
        add r8, qword ptr [rdi + 24]
        mov qword ptr [rdi + 24], r8
        add r9, qword ptr [rdi + 32]
        mov qword ptr [rdi + 32], r9
        add r10, qword ptr [rdi + 40]
        mov qword ptr [rdi + 40], r10
        add r11, qword ptr [rdi + 48]
        mov qword ptr [rdi + 48], r11
        add r12, qword ptr [rdi + 56]
        mov qword ptr [rdi + 56], r12
        sub rsi, -128
        dec qword ptr [rsp + 136]
        jnz 2b
        add rsp, 144
        .cfi_adjust_cfa_offset -144
        pop r15
        .cfi_adjust_cfa_offset -8
        .cfi_restore r15
        pop r14
        .cfi_adjust_cfa_offset -8
        .cfi_restore r14
        pop r13
        .cfi_adjust_cfa_offset -8
        .cfi_restore r13
        pop r12
        .cfi_adjust_cfa_offset -8
        .cfi_restore r12
        pop rbp
        .cfi_adjust_cfa_offset -8
        .cfi_restore rbp
        pop rbx
        .cfi_adjust_cfa_offset -8
        .cfi_restore rbx
        ret
        .cfi_endproc
        .purgem k512_load
        .purgem k512_words
        .purgem k512_round
        .purgem k512_round16
        ",
        shuffles = sym SHUFFLES,
        k = sym K,
    )
}
