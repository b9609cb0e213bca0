//! AVX-512: eight messages in `zmm` registers. The rounds are in `rounds512`, last blocks
//! in `padding512`.

use super::ROUND_CONSTANTS;
use super::padding512::{Block, SHORT, last_block, pad};
use super::rounds512::*;
use crate::many::{self, States, Tail, Wide};
use crate::state::{Parameters, Rounds};
use core::arch::naked_asm;
use core::mem::MaybeUninit;

/// See [`many::many`]. With `THREE`, parities end with three-way logic (`rounds512`).
///
/// # Safety
/// The same conditions as there, and the CPU must have [`super::AVX512`].
pub(crate) unsafe fn many<const THREE: bool>(
    messages: &[&[u8]],
    out: &mut [u8],
    length: usize,
    p: Parameters,
) -> usize {
    // SAFETY: the caller upholds the safety contract.
    unsafe { many::many::<8, Avx512<THREE>>(messages, out, length, p) }
}

/// The states are zero before the first block.
const FRESH: u32 = 1;
/// Only words 0 to 4 of the states are needed. For one block only.
const ROW: u32 = 2;
/// Only the last 12 rounds. For one block only: a permutation of fewer rounds has no room to
/// copy a later block.
const LAST12: u32 = 8;
struct Avx512<const THREE: bool>;

impl<const THREE: bool> Avx512<THREE> {
    const ABSORB: Absorb8 = if THREE { absorb8_three } else { absorb8_steps };
}

/// See [`absorb8!`].
type Absorb8 =
    unsafe extern "sysv64" fn(*mut States<8>, *const [*const u8; 8], usize, usize, u32, *mut Block);

impl<const THREE: bool> Wide<8> for Avx512<THREE> {
    #[inline]
    unsafe fn absorb(
        states: *mut States<8>,
        at: &[*const u8; 8],
        blocks: usize,
        words: usize,
        fresh: bool,
        rounds: Rounds,
    ) {
        let mut block = MaybeUninit::<Block>::uninit();
        let block = block.as_mut_ptr();
        let mut how = if fresh { FRESH } else { 0 };
        // SAFETY: the caller upholds the safety contract.
        unsafe {
            if rounds == Rounds::All {
                return (Self::ABSORB)(states, at, blocks, words * 8, how, block);
            }
            let mut at = *at;
            for _ in 0..blocks {
                (Self::ABSORB)(states, &at, 1, words * 8, how | LAST12, block);
                how = 0;
                at = at.map(|at| at.wrapping_add(words * 8));
            }
        }
    }

    #[inline]
    unsafe fn finish(
        states: *mut States<8>,
        _: *mut [Tail; 8],
        rests: &[&[u8]; 8],
        p: Parameters,
        fresh: bool,
        row: bool,
    ) {
        let mut block = MaybeUninit::<Block>::uninit();
        let block = block.as_mut_ptr();
        let mut how = if fresh { FRESH } else { 0 } | if row { ROW } else { 0 };
        if p.rounds == Rounds::Last12 {
            how |= LAST12;
        }
        // SAFETY: the caller upholds the safety contract. `last_block` returns which
        // words it has written.
        unsafe {
            let how = how | last_block(block, rests, p);
            (Self::ABSORB)(states, core::ptr::null(), 1, p.rate(), how, block);
        }
    }

    #[inline]
    unsafe fn pad(tail: *mut Tail, rest: &[u8], p: Parameters) {
        // SAFETY: the caller upholds the safety contract.
        unsafe { pad(tail, rest, p) }
    }

    #[inline]
    unsafe fn digests(states: *const States<8>, out: *mut [u8; 32]) {
        // SAFETY: the caller upholds the safety contract.
        unsafe { digests8(states, out) }
    }
}

/// See [`Wide::digests`]. Transposes four words of eight states.
#[unsafe(naked)]
unsafe extern "sysv64" fn digests8(states: *const States<8>, out: *mut [u8; 32]) {
    naked_asm!(
        ".cfi_startproc",
        "vmovdqa64 zmm0, [rdi]",
        "vmovdqa64 zmm1, [rdi + 64]",
        "vmovdqa64 zmm2, [rdi + 128]",
        "vmovdqa64 zmm3, [rdi + 192]",
        // Words 0 and 1 of even and of odd states, then words 2 and 3.
        "vpunpcklqdq zmm4, zmm0, zmm1",
        "vpunpckhqdq zmm5, zmm0, zmm1",
        "vpunpcklqdq zmm6, zmm2, zmm3",
        "vpunpckhqdq zmm7, zmm2, zmm3",
        "vshufi64x2 zmm0, zmm4, zmm6, 0x44",
        "vshufi64x2 zmm1, zmm5, zmm7, 0x44",
        "vshufi64x2 zmm2, zmm4, zmm6, 0xee",
        "vshufi64x2 zmm3, zmm5, zmm7, 0xee",
        // Two digests in each register.
        "vshufi64x2 zmm4, zmm0, zmm1, 0x88",
        "vshufi64x2 zmm5, zmm0, zmm1, 0xdd",
        "vshufi64x2 zmm6, zmm2, zmm3, 0x88",
        "vshufi64x2 zmm7, zmm2, zmm3, 0xdd",
        "vmovdqu64 [rsi], zmm4",
        "vmovdqu64 [rsi + 64], zmm5",
        "vmovdqu64 [rsi + 128], zmm6",
        "vmovdqu64 [rsi + 192], zmm7",
        "vzeroupper",
        "ret",
        ".cfi_endproc",
    )
}

/// Copies word `$n` of all messages, relative to byte rsi.
macro_rules! copy {
    ($n:literal) => {
        copy!($n "r8" 0, "r9" 8, "r10" 16, "r11" 24, "r12" 32, "r13" 40, "r14" 48, "r15" 56)
    };
    ($n:literal $($message:literal $lane:literal),*) => {
        concat!($(
            "mov rdi, [", $message, " + rsi + 8 * ", $n, "]\n",
            "mov [rbp + 8 * rsi + 64 * ", $n, " + ", $lane, "], rdi\n",
        )*)
    };
}
/// Adds words of the block to their lanes.
macro_rules! add_words {
    ($($n:literal)*) => {
        concat!($("vpxorq zmm", $n, ", zmm", $n, ", [rbp + 64 * ", $n, "]\n"),*)
    };
}
/// Loads words `$at / 8` to `$at / 8 + 3` for pairs of messages. Registers 25 and
/// 27 hold the odd words, 29 and 30 the even ones.
macro_rules! pairs {
    ($at:literal) => {
        concat!(
            "vmovdqu64 ymm25, [r8 + ",
            $at,
            "]\n",
            "vinserti64x4 zmm25, zmm25, [r10 + ",
            $at,
            "], 1\n",
            "vmovdqu64 ymm26, [r9 + ",
            $at,
            "]\n",
            "vinserti64x4 zmm26, zmm26, [r11 + ",
            $at,
            "], 1\n",
            "vmovdqu64 ymm27, [r12 + ",
            $at,
            "]\n",
            "vinserti64x4 zmm27, zmm27, [r14 + ",
            $at,
            "], 1\n",
            "vmovdqu64 ymm28, [r13 + ",
            $at,
            "]\n",
            "vinserti64x4 zmm28, zmm28, [r15 + ",
            $at,
            "], 1\n",
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
            "vshufi64x2 zmm26, zmm",
            $a,
            ", zmm",
            $b,
            ", ",
            $half,
            "\n",
            "vpxorq zmm",
            $lane,
            ", zmm",
            $lane,
            ", zmm26\n",
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

/// Runs eight states in `zmm0` to `zmm24`. `rate` is in bytes.
///
/// If `at` is null, `block` holds the words of the first block. Otherwise the first
/// block is transposed here, four words of eight messages at a time, in two steps. For
/// words that remain, the last four words are taken again, so nothing is read outside
/// of a block.
///
/// Later blocks are copied into `block` word by word during the permutation of the
/// block before. The general registers are idle then, so this hides the 70 cycles of a
/// transposition. The last block is copied once more, which avoids a branch.
///
/// `$sum` is how parities end, see [`sum!`].
macro_rules! absorb8 {
    ($name:ident $sum:ident) => {
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(
            states: *mut States<8>,
            at: *const [*const u8; 8],
            blocks: usize,
            rate: usize,
            how: u32,
            block: *mut Block,
        ) {
            naked_asm!(
                ".cfi_startproc",
                "push rbx", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset rbx, 0",
                "push rbp", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset rbp, 0",
                "push r12", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset r12, 0",
                "push r13", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset r13, 0",
                "push r14", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset r14, 0",
                "push r15", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset r15, 0",
                "push rdi", ".cfi_adjust_cfa_offset 8",
                "lea rbx, [rip + {constants} + 192]",
                // Where to stop if only a row is needed: in the last four rounds.
                "lea rdi, [rbx - 32]",
                "xor eax, eax",
                "test r8b, {row}",
                "cmovz rdi, rax",
                "push rdi", ".cfi_adjust_cfa_offset 8",
                // Where to begin.
                "lea rdi, [rbx - 192]",
                "lea rax, [rbx - 96]",
                "test r8b, {last12}",
                "cmovnz rdi, rax",
                "push rdi", ".cfi_adjust_cfa_offset 8",
                "mov rdi, [rsp + 16]",
                "mov eax, r8d",
                "mov rbp, r9",
                "test r8b, {fresh}",
                "jz 2f",
                each_lane!("vpxord xmm" ", xmm31, xmm31 # lane " ""),
                "jmp 3f",
                "2:",
                each_lane!("vmovdqa64 zmm" ", [rdi + 64 * " "]"),
                "3:",
                "mov r8, rbp",
                "mov r9, rbp",
                "mov r10, rbp",
                "mov r11, rbp",
                "mov r12, rbp",
                "mov r13, rbp",
                "mov r14, rbp",
                "mov r15, rbp",
                "test al, {short}",
                "jnz 14f",
                "test rsi, rsi",
                "jz 20f",
                "mov r8, [rsi]",
                "mov r9, [rsi + 8]",
                "mov r10, [rsi + 16]",
                "mov r11, [rsi + 24]",
                "mov r12, [rsi + 32]",
                "mov r13, [rsi + 40]",
                "mov r14, [rsi + 48]",
                "mov r15, [rsi + 56]",
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
                "jmp 9f",
                // A short block: words 0 to 8 and the last word.
                "14:",
                add_words!("0" "1" "2" "3" "4" "5" "6" "7" "8"),
                "cmp ecx, 104",
                "jb 9f",
                "je 15f",
                "cmp ecx, 144",
                "jb 12f",
                "je 13f",
                add_words!("20"),
                "jmp 9f",
                "15:",
                add_words!("12"),
                "jmp 9f",
                "12:",
                add_words!("16"),
                "jmp 9f",
                "13:",
                add_words!("17"),
                "jmp 9f",
                // The further blocks.
                "20:",
                add_words!("0" "1" "2" "3" "4" "5" "6" "7" "8"),
                "cmp ecx, 104",
                "jb 9f",
                add_words!("9" "10" "11" "12"),
                "je 9f",
                add_words!("13" "14" "15" "16"),
                "cmp ecx, 144",
                "jb 9f",
                add_words!("17"),
                "je 9f",
                add_words!("18" "19" "20"),
                "9:",
                "xor edi, edi",
                "cmp rdx, 1",
                "cmovne rdi, rcx",
                "add r8, rdi",
                "add r9, rdi",
                "add r10, rdi",
                "add r11, rdi",
                "add r12, rdi",
                "add r13, rdi",
                "add r14, rdi",
                "add r15, rdi",
                "xor esi, esi",
                "mov rax, [rsp]",
                parities!("zmm"),
                ".p2align 5",
                "22:",
                round_of_four!(0 $sum "zmm" "{{1to8}}"),
                copy!(0),
                round_of_four!(1 $sum "zmm" "{{1to8}}"),
                copy!(1),
                round_of_four!(2 $sum "zmm" "{{1to8}}"),
                copy!(2),
                "cmp rax, [rsp + 8]",
                "je 23f",
                round_of_four!(3 $sum "zmm" "{{1to8}}"),
                copy!(3),
                // The next four words, or the last four.
                "lea rdi, [rcx - 32]",
                "add rsi, 32",
                "cmp rsi, rdi",
                "cmova rsi, rdi",
                "add rax, 32",
                "cmp rax, rbx",
                "jne 22b",
                "dec rdx",
                "jnz 20b",
                "mov rdi, [rsp + 16]",
                each_lane!("vmovdqa64 [rdi + 64 * " "], zmm" ""),
                "jmp 24f",
                "23:",
                last_round!("zmm" "{{1to8}}"),
                "mov rdi, [rsp + 16]",
                each_lane!("vmovdqa64 [rdi + 64 * " "], zmm" "": "0" "1" "2" "3" "4"),
                "24:",
                "add rsp, 24", ".cfi_adjust_cfa_offset -24",
                "pop r15", ".cfi_adjust_cfa_offset -8", ".cfi_restore r15",
                "pop r14", ".cfi_adjust_cfa_offset -8", ".cfi_restore r14",
                "pop r13", ".cfi_adjust_cfa_offset -8", ".cfi_restore r13",
                "pop r12", ".cfi_adjust_cfa_offset -8", ".cfi_restore r12",
                "pop rbp", ".cfi_adjust_cfa_offset -8", ".cfi_restore rbp",
                "pop rbx", ".cfi_adjust_cfa_offset -8", ".cfi_restore rbx",
                "vzeroupper",
                "ret",
                ".cfi_endproc",
                fresh = const FRESH,
                row = const ROW,
                last12 = const LAST12,
                short = const SHORT,
                constants = sym ROUND_CONSTANTS,
            )
        }
    };
}

absorb8!(absorb8_steps steps);
absorb8!(absorb8_three three);
