//! AVX-512: one message in `xmm`, eight in `zmm`; rounds in `rounds512`.

use super::ROUND_CONSTANTS;
use super::rounds512::*;
use crate::keccak::many::{self, States, Tail, Wide};
use crate::keccak::sponge::{Parameters, State};
use core::arch::naked_asm;

/// See [`crate::keccak::kernel::One`].
///
/// # Safety
/// As there, and the CPU must have [`super::AVX512`].
pub(crate) unsafe fn absorb(state: &mut State, data: *const u8, blocks: usize, words: usize) {
    if blocks > 0 {
        // SAFETY: the caller's promise.
        unsafe { absorb1(state, data, blocks, words) }
    }
}

/// See [`crate::keccak::kernel::Many`].
///
/// # Safety
/// As there, and the CPU must have [`super::AVX512`].
pub(crate) unsafe fn many(messages: &[&[u8]], out: &mut [u8], length: usize, p: Parameters) {
    // SAFETY: the caller's promise.
    unsafe { many::many::<8, Avx512>(messages, out, length, p) }
}

struct Avx512;

impl Wide<8> for Avx512 {
    #[inline]
    unsafe fn absorb(
        states: *mut States<8>,
        at: &[*const u8; 8],
        blocks: usize,
        words: usize,
        fresh: bool,
    ) {
        // SAFETY: the caller's promise.
        unsafe { absorb8(states, at, blocks, words * 8, fresh) }
    }

    #[inline]
    unsafe fn pad(tail: *mut Tail, rest: &[u8], p: Parameters) {
        // SAFETY: the caller's promise.
        unsafe { pad(tail, rest, p) }
    }
}

/// Loads that touch only what their mask names need no loop over bytes.
///
/// # Safety
/// As [`Wide::pad`].
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
#[inline]
unsafe fn pad(tail: *mut Tail, rest: &[u8], p: Parameters) {
    use core::arch::x86_64::*;
    let last = p.rate() - 1;
    let end = _mm512_maskz_set1_epi8(1 << (last % 64), -128);
    let suffix = _mm512_set1_epi8(p.suffix.cast_signed());
    for i in 0..=last / 64 {
        let mut block = if i == last / 64 { end } else { _mm512_setzero_si512() };
        if i <= rest.len() / 64 {
            let left = rest.len() - 64 * i;
            let bytes = _bzhi_u64(u64::MAX, left.min(64) as u32);
            // SAFETY: the mask names the bytes of `rest` from 64 * i on; others
            // are not read.
            let text = unsafe { _mm512_maskz_loadu_epi8(bytes, rest.as_ptr().add(64 * i).cast()) };
            block = _mm512_or_si512(block, text);
            if left < 64 {
                let marked = _mm512_maskz_mov_epi8(1 << left, suffix);
                block = _mm512_or_si512(block, marked);
            }
        }
        // SAFETY: a tail has room for 192 bytes, and the last is 167 at most.
        unsafe { _mm512_store_si512(tail.cast::<__m512i>().add(i), block) };
    }
}

/// One state in `xmm0` to `xmm24`. The upper halves compute what nobody reads.
#[unsafe(naked)]
unsafe extern "sysv64" fn absorb1(
    state: &mut State,
    data: *const u8,
    blocks: usize,
    words: usize,
) {
    macro_rules! add_words {
        ($($n:literal)*) => {
            concat!($("vpxorq xmm", $n, ", xmm", $n, ", qword ptr [rsi + 8 * ", $n, "]{{1to2}}\n"),*)
        };
    }
    naked_asm!(
        ".cfi_startproc",
        each_lane!("vmovq xmm" ", qword ptr [rdi + 8 * " "]"),
        "lea r8, [rcx * 8]",
        "lea r9, [rip + {constants}]",
        "lea r10, [r9 + 192]",
        "2:",
        "cmp ecx, 13",
        "jb 3f",
        add_words!("9" "10" "11" "12"),
        "je 4f",
        add_words!("13" "14" "15" "16"),
        "cmp ecx, 18",
        "jb 4f",
        add_words!("17"),
        "je 4f",
        add_words!("18" "19" "20"),
        "jmp 4f",
        "3:",
        "test ecx, ecx",
        "jz 5f",
        "4:",
        add_words!("0" "1" "2" "3" "4" "5" "6" "7" "8"),
        "5:",
        "add rsi, r8",
        "mov rax, r9",
        parities!("xmm"),
        ".p2align 5",
        "6:",
        four_rounds!("xmm" "{{1to2}}"),
        "add rax, 32",
        "cmp rax, r10",
        "jne 6b",
        "dec rdx",
        "jnz 2b",
        each_lane!("vmovq qword ptr [rdi + 8 * " "], xmm" ""),
        "ret",
        ".cfi_endproc",
        constants = sym ROUND_CONSTANTS,
    )
}

/// Eight states in `zmm0` to `zmm24`, `rate` in bytes.
///
/// Four words of eight messages are transposed at a time, by two steps; the
/// words that are left over come from four that end where they end, so nothing
/// is read outside of the block. About 30 cycles a block.
#[unsafe(naked)]
unsafe extern "sysv64" fn absorb8(
    states: *mut States<8>,
    at: &[*const u8; 8],
    blocks: usize,
    rate: usize,
    fresh: bool,
) {
    /// Words `$at / 8` to `$at / 8 + 3` in pairs of messages: 25 and 27 hold the
    /// odd ones, 29 and 30 the even ones.
    macro_rules! pairs {
        ($at:literal) => {
            concat!(
                "vmovdqu64 ymm25, [r8 + ", $at, "]\n",
                "vinserti64x4 zmm25, zmm25, [r10 + ", $at, "], 1\n",
                "vmovdqu64 ymm26, [r9 + ", $at, "]\n",
                "vinserti64x4 zmm26, zmm26, [r11 + ", $at, "], 1\n",
                "vmovdqu64 ymm27, [r12 + ", $at, "]\n",
                "vinserti64x4 zmm27, zmm27, [r14 + ", $at, "], 1\n",
                "vmovdqu64 ymm28, [r13 + ", $at, "]\n",
                "vinserti64x4 zmm28, zmm28, [r15 + ", $at, "], 1\n",
                "vpunpcklqdq zmm29, zmm25, zmm26\n",
                "vpunpcklqdq zmm30, zmm27, zmm28\n",
                "vpunpckhqdq zmm25, zmm25, zmm26\n",
                "vpunpckhqdq zmm27, zmm27, zmm28\n",
            )
        };
    }
    /// Adds one word of all messages to lane `$lane`.
    macro_rules! word {
        ($lane:literal $a:literal $b:literal $half:literal) => {
            concat!(
                "vshufi64x2 zmm26, zmm", $a, ", zmm", $b, ", ", $half, "\n",
                "vpxorq zmm", $lane, ", zmm", $lane, ", zmm26\n",
            )
        };
    }
    macro_rules! add_four {
        ($at:literal $l0:literal $l1:literal $l2:literal $l3:literal) => {
            concat!(
                pairs!($at),
                word!($l0 "29" "30" "0x88"),
                word!($l1 "25" "27" "0x88"),
                word!($l2 "29" "30" "0xdd"),
                word!($l3 "25" "27" "0xdd"),
            )
        };
    }
    macro_rules! add_last {
        ($at:literal $lane:literal) => {
            concat!(pairs!($at), word!($lane "25" "27" "0xdd"))
        };
    }
    naked_asm!(
        ".cfi_startproc",
        "push rbx", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset rbx, 0",
        "push r12", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset r12, 0",
        "push r13", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset r13, 0",
        "push r14", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset r14, 0",
        "push r15", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset r15, 0",
        "test r8b, r8b",
        "jz 2f",
        each_lane!("vpxord xmm" ", xmm31, xmm31 # lane " ""),
        "jmp 3f",
        "2:",
        each_lane!("vmovdqa64 zmm" ", [rdi + 64 * " "]"),
        "3:",
        "mov r8, [rsi]",
        "mov r9, [rsi + 8]",
        "mov r10, [rsi + 16]",
        "mov r11, [rsi + 24]",
        "mov r12, [rsi + 32]",
        "mov r13, [rsi + 40]",
        "mov r14, [rsi + 48]",
        "mov r15, [rsi + 56]",
        "lea rsi, [rip + {constants}]",
        "lea rbx, [rsi + 192]",
        "4:",
        add_four!("0" "0" "1" "2" "3"),
        add_four!("32" "4" "5" "6" "7"),
        "cmp ecx, 104",
        "jb 5f",
        add_four!("64" "8" "9" "10" "11"),
        "je 6f",
        add_four!("96" "12" "13" "14" "15"),
        "cmp ecx, 144",
        "jb 7f",
        "je 8f",
        add_four!("128" "16" "17" "18" "19"),
        add_last!("136" "20"),
        "jmp 9f",
        "5:",
        add_last!("40" "8"),
        "jmp 9f",
        "6:",
        add_last!("72" "12"),
        "jmp 9f",
        "7:",
        add_last!("104" "16"),
        "jmp 9f",
        "8:",
        add_last!("112" "17"),
        word!("16" "29" "30" "0xdd"),
        "9:",
        "add r8, rcx",
        "add r9, rcx",
        "add r10, rcx",
        "add r11, rcx",
        "add r12, rcx",
        "add r13, rcx",
        "add r14, rcx",
        "add r15, rcx",
        "mov rax, rsi",
        parities!("zmm"),
        ".p2align 5",
        "22:",
        four_rounds!("zmm" "{{1to8}}"),
        "add rax, 32",
        "cmp rax, rbx",
        "jne 22b",
        "dec rdx",
        "jnz 4b",
        each_lane!("vmovdqa64 [rdi + 64 * " "], zmm" ""),
        "pop r15", ".cfi_adjust_cfa_offset -8", ".cfi_restore r15",
        "pop r14", ".cfi_adjust_cfa_offset -8", ".cfi_restore r14",
        "pop r13", ".cfi_adjust_cfa_offset -8", ".cfi_restore r13",
        "pop r12", ".cfi_adjust_cfa_offset -8", ".cfi_restore r12",
        "pop rbx", ".cfi_adjust_cfa_offset -8", ".cfi_restore rbx",
        "vzeroupper",
        "ret",
        ".cfi_endproc",
        constants = sym ROUND_CONSTANTS,
    )
}
