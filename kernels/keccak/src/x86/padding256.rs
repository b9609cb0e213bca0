//! Last blocks of messages, and digests, with AVX2.
//!
//! In assembly, because in Rust they were copies of unknown length, which are calls, and other
//! calls with each flag: a tenth of the time of four messages of one block (docs/notes/keccak.md).
//! All stores are pieces of 32 bytes, which is what the lanes load, or have more of than they
//! load: a load that needs two stores waits for both to be in the cache.

use crate::many::{States, Tail};
use core::arch::naked_asm;

/// Tables of bytes. `shuffle`, from byte 16 + n on, moves bytes down by n, and from n on moves the
/// bytes of the next 16 there; others it clears. `places` are the numbers of bytes.
#[repr(C, align(32))]
struct Tables {
    places: [u8; 32],
    shuffle: [u8; 64],
}

static TABLES: Tables = {
    let mut tables = Tables {
        places: [0; 32],
        shuffle: [0x80; 64],
    };
    let mut i = 0;
    while i < 32 {
        tables.places[i] = i as u8;
        if i < 16 {
            tables.shuffle[16 + i] = i as u8;
        }
        i += 1;
    }
    tables
};

/// Writes the last block of a message: its last `length` bytes, fewer than the rate, and the
/// padding with `suffix`.
///
/// # Safety
/// The CPU must have AVX2. `rest` must be readable for `length` bytes, `tail` writable.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn pad(
    tail: *mut Tail,
    rest: *const u8,
    length: usize,
    rate: usize,
    suffix: u32,
) {
    naked_asm!(
        "
        .cfi_startproc
        lea r9, [rip + {tables}]
        vmovdqa ymm3, [r9]
        // The last bit: ymm5, to the piece at r10.
        vpcmpeqd ymm5, ymm5, ymm5
        vpsllw ymm5, ymm5, 15
        vpacksswb ymm5, ymm5, ymm5
        dec ecx
        vmovd xmm4, ecx
        vpbroadcastb ymm4, xmm4
        mov r10d, ecx
        and r10d, -32
        vmovd xmm1, r10d
        vpbroadcastb ymm1, xmm1
        vpsubb ymm4, ymm4, ymm1
        vpcmpeqb ymm4, ymm4, ymm3
        vpand ymm5, ymm5, ymm4
        // Whole pieces.
        xor eax, eax
        mov r11d, edx
        and r11d, -32
        jz 3f
    2:
        vmovdqu ymm0, [rsi + rax]
        vmovdqa [rdi + rax], ymm0
        add eax, 32
        cmp eax, r11d
        jne 2b
        // The bytes behind them are the last of 32, moved down.
        mov ecx, edx
        and ecx, 31
        vpxor xmm0, xmm0, xmm0
        jz 7f
        sub r9, rcx
        vmovdqu ymm0, [rsi + rdx - 32]
        vperm2i128 ymm1, ymm0, ymm0, 0x81
        vbroadcasti128 ymm2, [r9 + 80]
        vbroadcasti128 ymm4, [r9 + 64]
        vpshufb ymm0, ymm0, ymm2
        vpshufb ymm1, ymm1, ymm4
        vpor ymm0, ymm0, ymm1
        jmp 7f
    3:  // Fewer than 32 bytes.
        mov ecx, edx
        cmp edx, 16
        jb 4f
        // The last of 16 bytes, moved down, are the upper half.
        sub r9, rcx
        vmovdqu xmm1, [rsi + rdx - 16]
        vpshufb xmm1, xmm1, [r9 + 80]
        vmovdqu xmm0, [rsi]
        vinserti128 ymm0, ymm0, xmm1, 1
        jmp 7f
    4:
        vpxor xmm0, xmm0, xmm0
        neg ecx
        shl ecx, 3
        cmp edx, 8
        jb 5f
        // Two words that may overlap. Shifts are modulo 64, and 8 bytes have no second.
        vmovq xmm0, qword ptr [rsi]
        je 7f
        mov r11, [rsi + rdx - 8]
        shr r11, cl
        vpinsrq xmm0, xmm0, r11, 1
        jmp 7f
    5:
        test edx, edx
        jz 7f
        cmp edx, 4
        jb 6f
        mov r11d, [rsi + rdx - 4]
        shl r11, 32
        shr r11, cl
        mov ecx, [rsi]
        or r11, rcx
        vmovq xmm0, r11
        jmp 7f
    6:  // The first, the middle and the last byte.
        movzx r11d, byte ptr [rsi]
        mov ecx, edx
        shr ecx, 1
        movzx r9d, byte ptr [rsi + rcx]
        shl ecx, 3
        shl r9d, cl
        or r11d, r9d
        movzx r9d, byte ptr [rsi + rdx - 1]
        lea ecx, [8 * rdx - 8]
        shl r9d, cl
        or r11d, r9d
        vmovd xmm0, r11d
    7:  // The suffix behind them.
        and edx, 31
        vmovd xmm1, edx
        vpbroadcastb ymm1, xmm1
        vpcmpeqb ymm1, ymm1, ymm3
        vmovd xmm2, r8d
        vpbroadcastb ymm2, xmm2
        vpand ymm1, ymm1, ymm2
        vpor ymm0, ymm0, ymm1
        vpxor xmm1, xmm1, xmm1
        cmp eax, r10d
        je 9f
        vmovdqa [rdi + rax], ymm0
    8:
        add eax, 32
        cmp eax, r10d
        vmovdqa ymm0, ymm1
        je 9f
        vmovdqa [rdi + rax], ymm0
        jmp 8b
    9:
        vpor ymm0, ymm0, ymm5
        vmovdqa [rdi + rax], ymm0
        vzeroupper
        ret
        .cfi_endproc
        ",
        tables = sym TABLES,
    )
}

/// Writes the first 32 bytes of four states, one after the other.
///
/// # Safety
/// The CPU must have AVX2, and `out` must be writable for 128 bytes.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn digests(states: *const States<4>, out: *mut [u8; 32]) {
    naked_asm!(
        "
        .cfi_startproc
        vmovdqa ymm0, [rdi]
        vmovdqa ymm1, [rdi + 32]
        vmovdqa ymm2, [rdi + 64]
        vmovdqa ymm3, [rdi + 96]
        vpunpcklqdq ymm4, ymm0, ymm1
        vpunpckhqdq ymm5, ymm0, ymm1
        vpunpcklqdq ymm6, ymm2, ymm3
        vpunpckhqdq ymm7, ymm2, ymm3
        vperm2i128 ymm0, ymm4, ymm6, 0x20
        vperm2i128 ymm1, ymm5, ymm7, 0x20
        vperm2i128 ymm2, ymm4, ymm6, 0x31
        vperm2i128 ymm3, ymm5, ymm7, 0x31
        vmovdqu [rsi], ymm0
        vmovdqu [rsi + 32], ymm1
        vmovdqu [rsi + 64], ymm2
        vmovdqu [rsi + 96], ymm3
        vzeroupper
        ret
        .cfi_endproc
        "
    )
}
