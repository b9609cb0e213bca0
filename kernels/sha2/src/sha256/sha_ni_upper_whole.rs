//! Four messages of one length from the initial state to the digests in one call, with their
//! words in the upper sixteen vector registers. Limits are in [`super::sha_ni_upper`].

use super::constants::{IV, K};
use super::sha_ni::{SWAP, bytes, order};
use super::sha_ni_upper::{block, forget};
use core::arch::naked_asm;
use karat_hash_core::slices::STRIDE;

/// SHA-256 of four messages of one length, `groups` times, from the initial state to the
/// digests. Each has `blocks` blocks at its slice, and behind these `ends` blocks at its place
/// in `tails`, which has 128 bytes for each message.
///
/// # Safety
/// The CPU must have SHA, AVX-512F and VL. `messages` holds `4 * groups` slices, each readable
/// for `64 * blocks` bytes, and `tails` is readable for `64 * ends` bytes of as many places.
/// `out` is writable for as many digests. `groups` and `blocks + ends` are 1 or more.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn whole4(
    messages: *const &[u8],
    tails: *const [u8; 128],
    blocks: usize,
    ends: usize,
    groups: usize,
    out: *mut [u8; 32],
) {
    naked_asm!(
        order!(),
        block!(),
        bytes!(),
        r"
        .cfi_startproc
        sub rsp, 200
        .cfi_adjust_cfa_offset 200
        vzeroupper
        mov qword ptr [rsp + 160], r8
        mov qword ptr [rsp + 168], rdx
        mov qword ptr [rsp + 176], rcx
        mov qword ptr [rsp + 184], r9
        lea rax, [rip + {iv}]
        lea rcx, [rip + {k}]
        vmovdqa xmm15, xmmword ptr [rip + {swap}]
        k256_enter rax, 13, 14, 0
        vmovdqa xmmword ptr [rsp + 128], xmm13
        vmovdqa xmmword ptr [rsp + 144], xmm14
        .p2align 6
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
        // rdx is where the ends are, or 0 behind them or if there are none.
        xor edx, edx
        cmp qword ptr [rsp + 176], 0
        cmovne rdx, rsi
        mov rax, qword ptr [rsp + 168]
        test rax, rax
        jz 4f
    3:
        k256_keep
        k256_block
        k256_sum
        add r8, 64
        add r9, 64
        add r10, 64
        add r11, 64
        dec rax
        jnz 3b
        test rdx, rdx
        jz 5f
    4:
        mov r8, rdx
        lea r9, [rdx + 128]
        lea r10, [rdx + 256]
        lea r11, [rdx + 384]
        mov rax, qword ptr [rsp + 176]
        xor edx, edx
        jmp 3b
    5:
        k256_bytes4
        mov rdx, qword ptr [rsp + 184]
        .irp n, 1, 2, 3, 4, 5, 6, 7, 8
        vmovdqu xmmword ptr [rdx + 16 * \n - 16], xmm\n
        .endr
        add qword ptr [rsp + 184], 128
        add rdi, 4 * {stride}
        add rsi, 512
        dec qword ptr [rsp + 160]
        jnz 2b
        add rsp, 200
        .cfi_adjust_cfa_offset -200
        ret
        .cfi_endproc
        .purgem k256_bytes
        .purgem k256_bytes4
        ",
        forget!(),
        k = sym K,
        iv = sym IV,
        swap = sym SWAP,
        stride = const STRIDE,
    )
}
