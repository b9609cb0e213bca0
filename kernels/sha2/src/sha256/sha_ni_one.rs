//! The SHA extensions of x86, for one message from slice to digest.
//!
//! Limit: the chain of `sha256rnds2`, 128 cycles a block ([`super::sha_ni`]), if a
//! message depends on the digest before it. If it does not, the core begins the next
//! message early, as far as it looks ahead: 448 operations on Zen 5, of which a block
//! is 160. So each saved instruction counts.
//!
//! Nothing may wait for a store to reach the cache. So the tail is stored and loaded in
//! the same pieces of 16 bytes, which are forwarded. The padding block of a message of
//! 64 bytes has its schedule in a table. Measured: docs/notes/sha256-one.md.

use super::constants::{K, PAD64, START224, START256};
#[cfg(not(target_feature = "avx"))]
use super::sha_ni::four;
use super::sha_ni::{SWAP, bytes, order};
use core::arch::naked_asm;

/// A digest. It is `repr(C)` because assembly returns it.
#[repr(C)]
struct Digest<const N: usize>([u8; N]);

/// Read from byte 16 - n on, this is a shuffle that moves the last n of 16 bytes to the
/// front and clears the others.
#[repr(C, align(32))]
struct Last([u8; 32]);
static LAST: Last = {
    let mut shuffle = [0x80; 32];
    let mut i = 0;
    while i < 16 {
        shuffle[i] = i as u8;
        i += 1;
    }
    Last(shuffle)
};

/// Read from byte 16 - n on, this has the marker bit (FIPS 180-4, section 5.1.1) after
/// n zero bytes.
static MARKER: Last = {
    let mut bytes = [0; 32];
    bytes[16] = 0x80;
    Last(bytes)
};

/// Runs a message over `count` blocks.
///
/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1. `blocks` must be readable for `64 * count`
/// bytes.
pub(super) unsafe fn compress(state: &mut [u32; 8], blocks: *const u8, count: usize) {
    if count > 0 {
        // SAFETY: the caller upholds the safety contract.
        unsafe { compress_some(state, blocks, count) }
    }
}

/// SHA-256 of a message.
///
/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1.
pub(super) unsafe fn hash256(message: &[u8]) -> [u8; 32] {
    // SAFETY: the caller guarantees the ISAs. A slice is readable for its length.
    unsafe { digest256(message.as_ptr(), message.len()).0 }
}

/// SHA-224 of a message.
///
/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1.
pub(super) unsafe fn hash224(message: &[u8]) -> [u8; 28] {
    // SAFETY: the caller guarantees the ISAs. A slice is readable for its length.
    unsafe { digest224(message.as_ptr(), message.len()).0 }
}

/// As [`super::sha_ni`] has it, in VEX forms, which need no copies. Only programs that are built
/// for AVX may have them.
#[cfg(target_feature = "avx")]
macro_rules! four {
    () => {
        r"
        .macro k256_four n, p, s0, s1, m0, m1, m2, m3, t, swap
        .if (\n) < 4
        vmovdqu xmm\m0, xmmword ptr [\p + 16 * (\n)]
        vpshufb xmm\m0, xmm\m0, \swap
        .endif
        vpaddd xmm0, xmm\m0, xmmword ptr [rcx + 16 * (\n)]
        sha256rnds2 xmm\s1, xmm\s0, xmm0
        .if (\n) >= 3 && (\n) <= 14
        vpalignr xmm\t, xmm\m0, xmm\m3, 4
        vpaddd xmm\m1, xmm\m1, xmm\t
        sha256msg2 xmm\m1, xmm\m0
        .endif
        vpshufd xmm0, xmm0, 0x0e
        sha256rnds2 xmm\s0, xmm\s1, xmm0
        .if (\n) >= 1 && (\n) <= 12
        sha256msg1 xmm\m3, xmm\m0
        .endif
        .endm
        "
    };
}

/// Runs the rounds. rdx is the number of blocks, 1 or more. rsi points to the first
/// block and moves on. xmm1 and xmm2 hold the state, ABEF and CDGH. xmm8 is [`SWAP`].
/// It uses rcx and xmm0 to xmm10. It follows no ABI: only assembly may call it.
#[unsafe(naked)]
unsafe extern "sysv64" fn rounds() {
    naked_asm!(
        four!(),
        r"
        .macro k256_four4 n
        k256_four \n + 0, rsi, 1, 2, 3, 4, 5, 6, 7, xmm8
        k256_four \n + 1, rsi, 1, 2, 4, 5, 6, 3, 7, xmm8
        k256_four \n + 2, rsi, 1, 2, 5, 6, 3, 4, 7, xmm8
        k256_four \n + 3, rsi, 1, 2, 6, 3, 4, 5, 7, xmm8
        .endm
        .cfi_startproc
        lea rcx, [rip + {k}]
        .p2align 5
    2:
        movdqa xmm9, xmm1
        movdqa xmm10, xmm2
        .irp n, 0, 4, 8, 12
        k256_four4 \n
        .endr
        paddd xmm1, xmm9
        paddd xmm2, xmm10
        add rsi, 64
        dec rdx
        jnz 2b
        ret
        .cfi_endproc
        .purgem k256_four
        .purgem k256_four4
        ",
        k = sym K,
    )
}

/// [`compress`], if `count` is 1 or more.
#[unsafe(naked)]
unsafe extern "sysv64" fn compress_some(state: *mut [u32; 8], blocks: *const u8, count: usize) {
    naked_asm!(
        order!(),
        r"
        .cfi_startproc
        movdqa xmm8, xmmword ptr [rip + {swap}]
        k256_enter rdi, 1, 2, 3
        call {rounds}
        k256_leave rdi, 1, 2, 3
        ret
        .cfi_endproc
        .purgem k256_enter
        .purgem k256_leave
        ",
        rounds = sym rounds,
        swap = sym SWAP,
    )
}

/// SHA-256 of `length` bytes. System V ABI: rdi is the address of the digest. The
/// arguments come after it.
#[unsafe(naked)]
unsafe extern "sysv64" fn digest256(message: *const u8, length: usize) -> Digest<32> {
    naked_asm!(
        ".cfi_startproc\n lea rcx, [rip + {start}]\n xor r9d, r9d\n jmp {digest}\n .cfi_endproc\n",
        start = sym START256,
        digest = sym digest,
    )
}

/// SHA-224 of `length` bytes. The registers are as for [`digest256`].
#[unsafe(naked)]
unsafe extern "sysv64" fn digest224(message: *const u8, length: usize) -> Digest<28> {
    naked_asm!(
        ".cfi_startproc\n lea rcx, [rip + {start}]\n mov r9d, 1\n jmp {digest}\n .cfi_endproc\n",
        start = sym START224,
        digest = sym digest,
    )
}

/// Writes a digest, in its two registers, to rax.
///
/// A program that is built for AVX copies a digest in one piece of 32 bytes. That load would
/// wait for two stores of 16, so there it is one store. Else it is two, which are sooner.
#[cfg(not(target_feature = "avx"))]
macro_rules! store {
    () => {
        r"
        .macro k256_write s0, s1
        movdqu xmmword ptr [rax], xmm\s0
        movdqu xmmword ptr [rax + 16], xmm\s1
        .endm
        "
    };
}
#[cfg(target_feature = "avx")]
macro_rules! store {
    () => {
        r"
        .macro k256_write s0, s1
        vinsertf128 ymm\s0, ymm\s0, xmm\s1, 1
        vmovdqu ymmword ptr [rax], ymm\s0
        vzeroupper
        .endm
        "
    };
}

/// The digest of rdx bytes at rsi goes to rdi. rcx points to the initial state in the
/// order of the instructions. If r9d is not 0, the last word is left out. Returns rdi
/// in rax.
///
/// Reads no byte outside of the message. The last bytes of the tail are loaded together
/// with those before them, 16 in all. A message of fewer bytes is loaded in two pieces
/// that overlap.
#[unsafe(naked)]
unsafe extern "sysv64" fn digest() {
    naked_asm!(
        bytes!(),
        store!(),
        r"
        .cfi_startproc
        sub rsp, 136
        .cfi_adjust_cfa_offset 136
        mov rax, rdi
        mov r8, rdx
        movdqa xmm8, xmmword ptr [rip + {swap}]
        movdqa xmm1, xmmword ptr [rcx]
        movdqa xmm2, xmmword ptr [rcx + 16]
        shr rdx, 6
        jz 2f
        call {rounds}
        cmp r8, 64
        je 8f
    2:
        // The tail: zeros, then 16 (r10d / 16) bytes in full pieces, then the rest with
        // the marker.
        pxor xmm4, xmm4
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7
        movdqa xmmword ptr [rsp + 16 * \n], xmm4
        .endr
        mov r10d, r8d
        and r10d, 63
        mov r11d, r8d
        and r11d, 15
        lea rcx, [rip + {last}]
        sub rcx, r11
        movdqu xmm3, xmmword ptr [rcx + 16]
        lea rcx, [rip + {marker}]
        sub rcx, r11
        movdqu xmm5, xmmword ptr [rcx + 16]
        cmp r8, 16
        jb 5f
        movdqu xmm4, xmmword ptr [rsi + r10 - 16]
        pshufb xmm4, xmm3
    3:
        por xmm4, xmm5
        test r10d, 32
        jz 4f
        movdqu xmm3, xmmword ptr [rsi]
        movdqu xmm5, xmmword ptr [rsi + 16]
        movdqa xmmword ptr [rsp], xmm3
        movdqa xmmword ptr [rsp + 16], xmm5
    4:
        mov r11d, r10d
        test r10d, 16
        jz 4f
        and r11d, 32
        movdqu xmm3, xmmword ptr [rsi + r11]
        movdqa xmmword ptr [rsp + r11], xmm3
        add r11d, 16
    4:
        and r11d, 48
        movdqa xmmword ptr [rsp + r11], xmm4
        // One block or two, and the length in bits at its end.
        mov edx, 2
        cmp r10d, 56
        sbb edx, 0
        shl r8, 3
        bswap r8
        movq xmm3, r8
        pslldq xmm3, 8
        mov ecx, edx
        shl ecx, 6
        por xmm3, xmmword ptr [rsp + rcx - 16]
        movdqa xmmword ptr [rsp + rcx - 16], xmm3
        mov rsi, rsp
        call {rounds}
    9:
        k256_bytes 1, 2, 3, xmm8
        test r9d, r9d
        jnz 4f
        k256_write 1, 2
        add rsp, 136
        .cfi_remember_state
        .cfi_adjust_cfa_offset -136
        ret
        .cfi_restore_state
    4:
        movdqu xmmword ptr [rax], xmm1
        movq qword ptr [rax + 16], xmm2
        pextrd dword ptr [rax + 24], xmm2, 2
        add rsp, 136
        .cfi_remember_state
        .cfi_adjust_cfa_offset -136
        ret
        .cfi_restore_state
    5:
        // The whole message is shorter than 16 bytes: loads it to xmm4, with zeros
        // after it.
        lea ecx, [8 * r10 - 64]
        cmp r10d, 8
        jb 6f
        mov r11, qword ptr [rsi + r10 - 8]
        neg ecx
        add ecx, 56
        shr r11, cl
        shr r11, 8
        movq xmm4, qword ptr [rsi]
        pinsrq xmm4, r11, 1
        jmp 3b
    6:
        cmp r10d, 4
        jb 7f
        mov edx, dword ptr [rsi]
        mov r11d, dword ptr [rsi + r10 - 4]
        shl r11, 32
        neg ecx
        shr r11, cl
        or r11, rdx
        movq xmm4, r11
        jmp 3b
    7:
        test r10d, r10d
        jz 3b
        // The first, the middle and the last byte.
        movzx edx, byte ptr [rsi]
        movzx r11d, byte ptr [rsi + r10 - 1]
        add ecx, 56
        shl r11d, cl
        or edx, r11d
        mov ecx, r10d
        shr ecx, 1
        movzx r11d, byte ptr [rsi + rcx]
        shl ecx, 3
        shl r11d, cl
        or edx, r11d
        movd xmm4, edx
        jmp 3b
    8:
        // A message of one block: the schedule of its padding block is in a table.
        lea rcx, [rip + {pad}]
        movdqa xmm9, xmm1
        movdqa xmm10, xmm2
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        movdqa xmm0, xmmword ptr [rcx + 16 * \n]
        sha256rnds2 xmm2, xmm1, xmm0
        pshufd xmm0, xmm0, 0x0e
        sha256rnds2 xmm1, xmm2, xmm0
        .endr
        paddd xmm1, xmm9
        paddd xmm2, xmm10
        jmp 9b
        .cfi_endproc
        .purgem k256_bytes
        .purgem k256_bytes4
        .purgem k256_write
        ",
        rounds = sym rounds,
        last = sym LAST,
        marker = sym MARKER,
        pad = sym PAD64,
        swap = sym SWAP,
    )
}
