//! Sixteen messages of one length in zmm registers, from their slices to their digests, for
//! CPUs on which one group of lanes fills all ports.
//!
//! # Limits
//!
//! Intel's cores start two operations on zmm a cycle, one of them a rotation, and each takes
//! one cycle. So the chain is short in the standard's order too, 4 cycles a round, and the
//! addition that [`super::avx512`] spends on a shorter one is saved: 1,088 operations for the
//! rounds, 528 for the schedule, 80 for loading and transposing and 8 sums are 852 cycles.
//!
//! What is around the blocks is some 60 cycles: states are broadcast, ends are loaded by
//! masks to where full blocks go, so that no padded copy is written and read again, and
//! digests leave the registers. A last block that has no byte of a message has the same
//! words in all lanes, and its schedule is made once: 544 cycles.

use super::avx512::{SWAP, moves, purge};
use super::constants::{BLOCK, K, PAD64, Words};
use core::arch::naked_asm;
use core::arch::x86_64::{
    __m128i, __m512i, _mm_add_epi32, _mm_alignr_epi8, _mm_load_si128, _mm_loadu_si128,
    _mm_sha256msg1_epu32, _mm_sha256msg2_epu32, _mm_store_si128, _mm512_mask_set1_epi8,
    _mm512_mask_set1_epi64, _mm512_setzero_si512,
};
use core::mem::{MaybeUninit, offset_of};

/// What follows the full blocks of messages of one length.
#[repr(C, align(64))]
pub(super) struct End {
    /// What stands behind the bytes of a block that is not full. Made in a register and stored
    /// at once: a load of 64 bytes waits for smaller stores until they are in the cache.
    fill: __m512i,
    /// Bytes of messages in the block that is not full, a bit for each.
    mask: u64,
    /// Whether there is a block that is not full.
    part: u64,
    /// `K` plus the schedule of a last block that is the same for all messages, or null.
    same: *const Words<64>,
}

impl End {
    /// No block at all.
    #[target_feature(enable = "avx512f")]
    pub(super) fn none() -> Self {
        Self {
            fill: _mm512_setzero_si512(),
            mask: 0,
            part: 0,
            same: core::ptr::null(),
        }
    }

    /// The end of messages of `length` bytes. It points to `room`, whose words may be anything.
    #[target_feature(enable = "avx512f,avx512bw,sha,sse4.1,ssse3")]
    pub(super) fn of(length: usize, room: &mut MaybeUninit<Words<64>>) -> Self {
        let mut end = Self::none();
        let rest = length % BLOCK;
        let bits = (length as u64) << 3;
        if rest == 0 && length == BLOCK {
            end.same = &raw const PAD64;
        } else if rest == 0 || rest >= BLOCK - 8 {
            let mut block = [0; 16];
            block[0] = if rest == 0 { 1 << 31 } else { 0 };
            (block[14], block[15]) = ((bits >> 32) as u32, bits as u32);
            end.same = schedule(&block, room);
        }
        if rest > 0 {
            (end.part, end.mask) = (1, (1 << rest) - 1);
            end.fill = _mm512_mask_set1_epi8(end.fill, 1 << rest, 0x80_u8 as i8);
            if rest < BLOCK - 8 {
                end.fill = _mm512_mask_set1_epi64(end.fill, 0x80, bits.to_be() as i64);
            }
        }
        end
    }
}

/// Makes `K` plus the schedule of a block.
///
/// Never inlined, so that the compiler clears the upper halves of registers before: where they
/// are in use, each of these instructions, which have no VEX form, takes hundreds of cycles.
#[inline(never)]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn schedule(block: &[u32; 16], words: &mut MaybeUninit<Words<64>>) -> *const Words<64> {
    let (to, k) = (words.as_mut_ptr().cast::<u32>(), K.0.as_ptr());
    // SAFETY: sixteen words, at any address.
    let mut w: [__m128i; 4] =
        core::array::from_fn(|i| unsafe { _mm_loadu_si128(block[4 * i..].as_ptr().cast()) });
    let mut t = 0;
    while t < 64 {
        // SAFETY: both have 64 words and are aligned to 64 bytes; all accesses are within.
        unsafe {
            let sum = _mm_add_epi32(w[0], _mm_load_si128(k.add(t).cast()));
            _mm_store_si128(to.add(t).cast(), sum);
        }
        let next = _mm_sha256msg1_epu32(w[0], w[1]);
        let next = _mm_add_epi32(next, _mm_alignr_epi8::<4>(w[3], w[2]));
        w = [w[1], w[2], w[3], _mm_sha256msg2_epu32(next, w[3])];
        t += 4;
    }
    words.as_ptr()
}

/// Assembler macros of `whole16`. They need those of `moves!`. Words are in zmm8 to zmm23.
macro_rules! whole {
    () => {
        r"
        // Three rotates, or two and a shift, and their xor: into t0.
        .macro k256_big x, n0, n1, n2
        vprord zmm24, zmm\x, \n0
        vprord zmm25, zmm\x, \n1
        vprord zmm26, zmm\x, \n2
        vpternlogd zmm24, zmm25, zmm26, 0x96
        .endm
        .macro k256_small x, n0, n1, n2
        vprord zmm30, zmm\x, \n0
        vprord zmm31, zmm\x, \n1
        vpsrld zmm29, zmm\x, \n2
        vpternlogd zmm29, zmm30, zmm31, 0x96
        .endm
        // A round, after h += K + W. Truth tables: 0xca Ch, 0xe8 Maj, 0x96 xor.
        .macro k256_round a, b, c, d, e, f, g, h
        vmovdqa64 zmm27, zmm\e
        vpternlogd zmm27, zmm\f, zmm\g, 0xca
        vpaddd zmm\h, zmm\h, zmm27
        k256_big \e, 6, 11, 25
        vpaddd zmm\h, zmm\h, zmm24
        vpaddd zmm\d, zmm\d, zmm\h
        vmovdqa64 zmm28, zmm\a
        vpternlogd zmm28, zmm\b, zmm\c, 0xe8
        vpaddd zmm\h, zmm\h, zmm28
        k256_big \a, 2, 13, 22
        vpaddd zmm\h, zmm\h, zmm24
        .endm
        // With next, a round also makes the word for 16 rounds later. Without it, the next
        // block is loaded: r11d is 0 if there is none, 1 if it is not full.
        .macro k256_one n, a, b, c, d, e, f, g, h, w, w1, w9, w14, next
        vpaddd zmm\h, zmm\h, dword ptr [rcx + 4 * \n]{{1to16}}
        vpaddd zmm\h, zmm\h, zmm\w
        k256_round \a, \b, \c, \d, \e, \f, \g, \h
        .if \next
        k256_small \w1, 7, 18, 3
        vpaddd zmm\w, zmm\w, zmm\w9
        vpaddd zmm\w, zmm\w, zmm29
        k256_small \w14, 17, 19, 10
        vpaddd zmm\w, zmm\w, zmm29
        .elseif \n == 3
        k256_load 0, 8, 9, 10, 11
        .elseif \n == 7
        k256_load 4, 12, 13, 14, 15
        .elseif \n == 11
        k256_load 8, 16, 17, 18, 19
        .elseif \n == 15
        k256_load 12, 20, 21, 22, 23
        .endif
        .endm
        .macro k256_part r, n
        mov rax, qword ptr [rsi + k256_step * (\n)]
        vmovdqa64 zmm\r, zmmword ptr [rdi + {fill}]
        vmovdqu8 zmm\r{{k1}}, zmmword ptr [rax + r8]
        vpshufb zmm\r, zmm\r, zmmword ptr [rip + {swap}]
        .endm
        .macro k256_parts n, r0, r1, r2, r3
        k256_part \r0, \n
        k256_part \r1, \n + 1
        k256_part \r2, \n + 2
        k256_part \r3, \n + 3
        k256_quad \r0, \r1, \r2, \r3, 28, 29, 30, 31
        .endm
        .macro k256_load n, r0, r1, r2, r3
        cmp r11d, 1
        jb 6f
        je 5f
        k256_rows \n, \r0, \r1, \r2, \r3, 28, 29, 30, 31
        jmp 6f
    5:
        k256_parts \n, \r0, \r1, \r2, \r3
    6:
        .endm
        .macro k256_one16 next
        k256_one 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 22, \next
        k256_one 1, 7, 0, 1, 2, 3, 4, 5, 6, 9, 10, 18, 23, \next
        k256_one 2, 6, 7, 0, 1, 2, 3, 4, 5, 10, 11, 19, 8, \next
        k256_one 3, 5, 6, 7, 0, 1, 2, 3, 4, 11, 12, 20, 9, \next
        k256_one 4, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 21, 10, \next
        k256_one 5, 3, 4, 5, 6, 7, 0, 1, 2, 13, 14, 22, 11, \next
        k256_one 6, 2, 3, 4, 5, 6, 7, 0, 1, 14, 15, 23, 12, \next
        k256_one 7, 1, 2, 3, 4, 5, 6, 7, 0, 15, 16, 8, 13, \next
        k256_one 8, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 9, 14, \next
        k256_one 9, 7, 0, 1, 2, 3, 4, 5, 6, 17, 18, 10, 15, \next
        k256_one 10, 6, 7, 0, 1, 2, 3, 4, 5, 18, 19, 11, 16, \next
        k256_one 11, 5, 6, 7, 0, 1, 2, 3, 4, 19, 20, 12, 17, \next
        k256_one 12, 4, 5, 6, 7, 0, 1, 2, 3, 20, 21, 13, 18, \next
        k256_one 13, 3, 4, 5, 6, 7, 0, 1, 2, 21, 22, 14, 19, \next
        k256_one 14, 2, 3, 4, 5, 6, 7, 0, 1, 22, 23, 15, 20, \next
        k256_one 15, 1, 2, 3, 4, 5, 6, 7, 0, 23, 8, 16, 21, \next
        .endm
        .macro k256_same n, a, b, c, d, e, f, g, h
        vpaddd zmm\h, zmm\h, dword ptr [rcx + 4 * \n]{{1to16}}
        k256_round \a, \b, \c, \d, \e, \f, \g, \h
        .endm
        .macro k256_words
        k256_quarters 8, 12, 16, 20, 28, 29, 30, 31
        k256_quarters 9, 13, 17, 21, 28, 29, 30, 31
        k256_quarters 10, 14, 18, 22, 28, 29, 30, 31
        k256_quarters 11, 15, 19, 23, 28, 29, 30, 31
        .endm
        .macro k256_keep
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7
        vmovdqa64 zmmword ptr [rsp + 64 * \n], zmm\n
        .endr
        .endm
        .macro k256_sum
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7
        vpaddd zmm\n, zmm\n, zmmword ptr [rsp + 64 * \n]
        .endr
        .endm
        // What is loaded next, into r11d, when n blocks of a message are left with it.
        .macro k256_kind n
        mov r11d, 2
        cmp \n, 1
        jne 6f
        sub r11, qword ptr [rdi + {part}]
    6:
        .endm
        "
    };
}

/// SHA-256, or SHA-224 with its `iv`, of messages of one length, 16 at a time, `groups` times:
/// `full` blocks at each slice, then `end`.
///
/// # Safety
/// The CPU must have AVX-512F and BW. `messages` holds `16 * groups` slices, each readable for
/// `64 * full` bytes and those of the end. `out` is writable for as many digests of 32 bytes.
/// There is a block, full or at the end. `groups` is 1 or more.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn whole16(
    iv: *const [u32; 8],
    messages: *const &[u8],
    full: usize,
    end: *const End,
    groups: usize,
    out: *mut [u8; 32],
) {
    naked_asm!(
        moves!(),
        whole!(),
        r"
        .set k256_step, {stride}
        .cfi_startproc
        push rbp
        .cfi_def_cfa_offset 16
        .cfi_offset rbp, -16
        mov rbp, rsp
        .cfi_def_cfa_register rbp
        and rsp, -64
        sub rsp, 576
        // At rsp the states before a block, then where groups start, how many are left, and
        // how many blocks of a message are loaded.
        mov qword ptr [rsp + 512], rdi
        mov qword ptr [rsp + 520], r8
        mov r10, r9
        mov rdi, rcx
        add rdx, qword ptr [rdi + {part}]
        mov qword ptr [rsp + 528], rdx
        lea r9, [rip + {k}]
        kmovq k1, qword ptr [rdi + {mask}]
        xor r8d, r8d
        test rdx, rdx
        jz 2f
        k256_kind rdx
        k256_load 0, 8, 9, 10, 11
        k256_load 4, 12, 13, 14, 15
        k256_load 8, 16, 17, 18, 19
        k256_load 12, 20, 21, 22, 23
        // A group. Words of its first block are in their registers, half transposed.
    2:
        mov rax, qword ptr [rsp + 512]
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7
        vpbroadcastd zmm\n, dword ptr [rax + 4 * \n]
        .endr
        mov rdx, qword ptr [rsp + 528]
        test rdx, rdx
        jz 8f
        .p2align 6
        // A block, of rdx. Behind the last one comes the next group's first.
    3:
        k256_keep
        k256_words
        add r8, 64
        dec rdx
        jz 4f
        k256_kind rdx
        jmp 6f
    4:
        xor r8d, r8d
        xor r11d, r11d
        add rsi, 16 * {stride}
        cmp qword ptr [rsp + 520], 1
        je 6f
        mov rcx, qword ptr [rsp + 528]
        k256_kind rcx
    6:
        mov rcx, r9
        lea rax, [r9 + 192]
        .p2align 6
    5:
        k256_one16 1
        add rcx, 64
        cmp rcx, rax
        jne 5b
        k256_one16 0
        k256_sum
        test rdx, rdx
        jnz 3b
    8:
        mov rcx, qword ptr [rdi + {same}]
        test rcx, rcx
        jz 9f
        k256_keep
        lea rax, [rcx + 256]
        .p2align 6
    7:
        k256_same 0, 0, 1, 2, 3, 4, 5, 6, 7
        k256_same 1, 7, 0, 1, 2, 3, 4, 5, 6
        k256_same 2, 6, 7, 0, 1, 2, 3, 4, 5
        k256_same 3, 5, 6, 7, 0, 1, 2, 3, 4
        k256_same 4, 4, 5, 6, 7, 0, 1, 2, 3
        k256_same 5, 3, 4, 5, 6, 7, 0, 1, 2
        k256_same 6, 2, 3, 4, 5, 6, 7, 0, 1
        k256_same 7, 1, 2, 3, 4, 5, 6, 7, 0
        add rcx, 32
        cmp rcx, rax
        jne 7b
        k256_sum
    9:
        mov rdx, r10
        k256_halves 0, 0, 1, 2, 3, 24, 25, 26, 27
        k256_halves 16, 4, 5, 6, 7, 28, 29, 30, 31
        add r10, 512
        dec qword ptr [rsp + 520]
        jnz 2b
        vzeroupper
        mov rsp, rbp
        pop rbp
        .cfi_def_cfa rsp, 8
        ret
        .cfi_endproc
        ",
        purge!("quad" "quarters" "row" "rows" "halves" "quarter_out" "big" "small" "round" "one"
            "part" "parts" "load" "one16" "same" "words" "keep" "sum" "kind"),
        k = sym K,
        swap = sym SWAP,
        stride = const karat_hash_core::slices::STRIDE,
        fill = const offset_of!(End, fill),
        mask = const offset_of!(End, mask),
        part = const offset_of!(End, part),
        same = const offset_of!(End, same),
    )
}
