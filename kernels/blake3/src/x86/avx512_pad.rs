//! Copies of short messages with zeros behind them, by masked loads: a byte that the mask
//! leaves out is not read, so nothing depends on what lies behind a message.

use super::super::constants::BLOCK_LEN;
use karat_hash_core::slices::STRIDE;

/// Copies `count` messages, 1 or more, of `full` blocks and `rest` bytes each, to blocks one
/// behind the other, `full` + 1 for each message.
///
/// # Safety
/// See [`super::super::body::Pad`]; the CPU must have AVX-512BW.
#[unsafe(naked)]
unsafe extern "sysv64" fn copy(messages: *const &[u8], count: usize, full: usize, rest: usize, to: *mut [u8; BLOCK_LEN]) {
    core::arch::naked_asm!(
        "
        .cfi_startproc
        mov eax, 1
        shl rax, cl
        dec rax
        kmovq k1, rax
    2:
        mov rax, [rdi]
        mov r9, rdx
        test r9, r9
        jz 4f
    3:
        vmovdqu64 zmm0, [rax]
        vmovdqu64 [r8], zmm0
        add rax, 64
        add r8, 64
        dec r9
        jnz 3b
    4:
        vmovdqu8 zmm0{{k1}}{{z}}, [rax]
        vmovdqu64 [r8], zmm0
        add r8, 64
        add rdi, {stride}
        dec rsi
        jnz 2b
        vzeroupper
        ret
        .cfi_endproc
        ",
        stride = const STRIDE,
    )
}

/// See [`super::super::body::Pad`].
///
/// # Safety
/// The same conditions as there; the CPU must have AVX-512BW.
pub(crate) unsafe fn pad(messages: &[&[u8]], to: *mut [u8; BLOCK_LEN]) {
    let Some(first) = messages.first() else {
        return;
    };
    let (full, rest) = (first.len() / BLOCK_LEN, first.len() % BLOCK_LEN);
    // SAFETY: the caller upholds the safety contract. All messages have this length.
    unsafe { copy(messages.as_ptr(), messages.len(), full, rest, to) };
}
