//! AVX-512: eight messages in `zmm` registers. The rounds are in `rounds512`, last blocks
//! in `padding512`.

use super::ROUND_CONSTANTS;
use super::padding512::{last_blocks, pad};
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
/// Only words 0 to 4 of the states are needed.
const ROW: u32 = 2;
/// The only block is made of the messages themselves, all of at most 64 bytes; `at` are then
/// their slices.
const SHORT: u32 = 4;
/// Only the last 12 rounds. For one block only: a permutation of fewer rounds has no room to
/// copy a later block.
const LAST12: u32 = 8;
/// The last of the blocks is in [`Scratch::tails`].
const TAILS: u32 = 16;
/// The states' first 32 bytes go to [`Scratch::out`].
const DIGESTS: u32 = 32;
/// From this bit on: the suffix, with [`SHORT`].
const SUFFIX: u32 = 8;

/// Words of eight messages, one row for each word. It has room for full vectors of words.
#[repr(C, align(64))]
struct Block([[u64; 8]; 24]);

/// Memory that [`absorb8!`] reads and writes besides the states.
#[repr(C, align(64))]
struct Scratch {
    /// The next block.
    block: Block,
    /// Last blocks.
    tails: [Tail; 8],
    /// Where digests go, one after the other.
    out: *mut u8,
}

struct Avx512<const THREE: bool>;

impl<const THREE: bool> Avx512<THREE> {
    const ABSORB: Absorb8 = if THREE { absorb8_three } else { absorb8_steps };
}

/// See [`absorb8!`].
type Absorb8 = unsafe extern "sysv64" fn(
    *mut States<8>,
    *const [*const u8; 8],
    usize,
    usize,
    u32,
    *mut Scratch,
);

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
        let mut scratch = MaybeUninit::<Scratch>::uninit();
        let scratch = scratch.as_mut_ptr();
        let mut how = if fresh { FRESH } else { 0 };
        // SAFETY: the caller upholds the safety contract.
        unsafe {
            if rounds == Rounds::All {
                return (Self::ABSORB)(states, at, blocks, words * 8, how, scratch);
            }
            let mut at = *at;
            for _ in 0..blocks {
                (Self::ABSORB)(states, &at, 1, words * 8, how | LAST12, scratch);
                how = 0;
                at = at.map(|at| at.wrapping_add(words * 8));
            }
        }
    }

    #[inline]
    unsafe fn group(
        states: *mut States<8>,
        _: *mut [Tail; 8],
        messages: &[&[u8]; 8],
        body: usize,
        p: Parameters,
        length: usize,
        out: *mut u8,
    ) {
        let mut scratch = MaybeUninit::<Scratch>::uninit();
        let scratch = scratch.as_mut_ptr();
        let mut how = FRESH;
        if length <= 40 {
            how |= ROW;
        }
        if p.rounds == Rounds::Last12 {
            how |= LAST12;
        }
        // SAFETY: the caller upholds the safety contract. The scratch memory is written
        // before it is read.
        unsafe {
            if length == 32 {
                how |= DIGESTS;
                (*scratch).out = out;
            }
            if body == 0 && short(messages) {
                how |= SHORT | u32::from(p.suffix) << SUFFIX;
                return (Self::ABSORB)(states, messages.as_ptr().cast(), 1, p.rate(), how, scratch);
            }
            let tails = (&raw mut (*scratch).tails).cast::<Tail>();
            last_blocks(tails, messages, body, p);
            let (mut at, mut ends) = ([core::ptr::null(); 8], [core::ptr::null(); 8]);
            let mut lane = 0;
            while lane < 8 {
                at[lane] = messages[lane].as_ptr();
                ends[lane] = tails.add(lane).cast::<u8>().cast_const();
                lane += 1;
            }
            if body > 0 && p.rounds == Rounds::All {
                return (Self::ABSORB)(states, &at, body + 1, p.rate(), how | TAILS, scratch);
            }
            if body > 0 {
                Self::absorb(states, &at, body, p.words, true, p.rounds);
                how &= !FRESH;
            }
            (Self::ABSORB)(states, &ends, 1, p.rate(), how, scratch);
        }
    }

    #[inline]
    unsafe fn pad(tail: *mut Tail, rest: &[u8], p: Parameters) {
        // SAFETY: the caller upholds the safety contract.
        unsafe { pad(tail, rest, p) }
    }
}

/// Whether no message has more than 64 bytes.
#[inline]
fn short(messages: &[&[u8]; 8]) -> bool {
    let mut lane = 0;
    while lane < 8 && messages[lane].len() <= 64 {
        lane += 1;
    }
    lane == 8
}

/// Where the lengths are in eight slices.
static LENGTHS: [u64; 8] = [1, 3, 5, 7, 9, 11, 13, 15];

/// The slice of message `$n` of at most 64 bytes at `rsi`: its bytes, with the suffix behind
/// them, to a register. Bytes outside of it are not read.
macro_rules! masked {
    ($($n:literal $to:literal)*) => {
        concat!($(
            "mov r8, [rsi + 16 * ", $n, "]\n",
            "mov r9, [rsi + 16 * ", $n, " + 8]\n",
            "bzhi r10, r15, r9\n",
            "inc r9\n",
            "bzhi r9, r15, r9\n",
            "xor r9, r10\n",
            "kmovq k1, r10\n",
            "kmovq k2, r9\n",
            "vmovdqu8 zmm", $to, "{{k1}}{{z}}, [r8]\n",
            "vmovdqu8 zmm", $to, "{{k2}}, zmm31\n",
        )*)
    };
}
/// The words of two messages, even ones and odd ones.
macro_rules! unpacked {
    ($($a:literal $b:literal: $even:literal $odd:literal)*) => {
        concat!($(
            "vpunpcklqdq zmm", $even, ", zmm", $a, ", zmm", $b, "\n",
            "vpunpckhqdq zmm", $odd, ", zmm", $a, ", zmm", $b, "\n",
        )*)
    };
}
macro_rules! shuffled {
    ($($to:literal: $a:literal $b:literal $order:literal)*) => {
        concat!($(
            "vshufi64x2 zmm", $to, ", zmm", $a, ", zmm", $b, ", ", $order, "\n",
        )*)
    };
}
/// Makes words 0 to 7 of eight messages in registers 16 to 23. Registers 24 to 31 are lost.
macro_rules! transposed {
    () => {
        concat!(
            unpacked!("16" "17": "24" "28" "18" "19": "25" "29" "20" "21": "26" "30"
                "22" "23": "27" "31"),
            shuffled!("16": "24" "25" "0x44" "17": "24" "25" "0xee"
                "18": "26" "27" "0x44" "19": "26" "27" "0xee"
                "20": "28" "29" "0x44" "21": "28" "29" "0xee"
                "22": "30" "31" "0x44" "23": "30" "31" "0xee"
                "0": "16" "18" "0x88" "2": "16" "18" "0xdd"
                "4": "17" "19" "0x88" "6": "17" "19" "0xdd"
                "1": "20" "22" "0x88" "3": "20" "22" "0xdd"
                "5": "21" "23" "0x88" "7": "21" "23" "0xdd"),
        )
    };
}
/// Writes words 0 to 3 of eight states, state by state, to `rdi`.
macro_rules! digests {
    () => {
        concat!(
            unpacked!("0" "1": "4" "5" "2" "3": "6" "7"),
            shuffled!("0": "4" "6" "0x44" "1": "5" "7" "0x44"
                "2": "4" "6" "0xee" "3": "5" "7" "0xee"
                // Two digests in each register.
                "4": "0" "1" "0x88" "5": "0" "1" "0xdd"
                "6": "2" "3" "0x88" "7": "2" "3" "0xdd"),
            "vmovdqu64 [rdi], zmm4\n",
            "vmovdqu64 [rdi + 64], zmm5\n",
            "vmovdqu64 [rdi + 128], zmm6\n",
            "vmovdqu64 [rdi + 192], zmm7\n",
        )
    };
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
/// Adds the word at byte `$at` of all messages to lane `$lane`. Each is loaded by itself, because
/// a load over the edge of two stores, as a last block is written, would wait for the cache.
macro_rules! add_one {
    ($at:literal $lane:literal) => {
        concat!(
            add_one!($at "25" "26": "r8" "r9" "r10" "r11"),
            add_one!($at "27" "28": "r12" "r13" "r14" "r15"),
            "vinserti64x4 zmm25, zmm25, ymm27, 1\n",
            "vpxorq zmm", $lane, ", zmm", $lane, ", zmm25\n",
        )
    };
    ($at:literal $to:literal $with:literal: $a:literal $b:literal $c:literal $d:literal) => {
        concat!(
            "vmovq xmm", $to, ", qword ptr [", $a, " + ", $at, "]\n",
            "vmovhps xmm", $to, ", xmm", $to, ", [", $b, " + ", $at, "]\n",
            "vmovq xmm", $with, ", qword ptr [", $c, " + ", $at, "]\n",
            "vmovhps xmm", $with, ", xmm", $with, ", [", $d, " + ", $at, "]\n",
            "vinserti32x4 ymm", $to, ", ymm", $to, ", xmm", $with, ", 1\n",
        )
    };
}

/// The same text for each of eight slices.
macro_rules! each_slice {
    ($before:literal $after:literal) => {
        each_slice!($before $after: "0" "1" "2" "3" "4" "5" "6" "7")
    };
    ($before:literal $after:literal: $($n:literal)*) => {
        concat!($($before, $n, $after, "\n"),*)
    };
}
/// The pointers of eight slices.
macro_rules! each_pointer {
    () => {
        each_pointer!("r8" "0", "r9" "1", "r10" "2", "r11" "3", "r12" "4", "r13" "5", "r14" "6",
            "r15" "7")
    };
    ($($to:literal $n:literal),*) => {
        concat!($("mov ", $to, ", [rsi + 16 * ", $n, "]\n"),*)
    };
}
/// The last blocks in the scratch memory.
macro_rules! each_tail {
    ($($to:literal $n:literal),*) => {
        concat!($("lea ", $to, ", [rbp + {at_tails} + {tail} * ", $n, "]\n"),*)
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
            scratch: *mut Scratch,
        ) {
            naked_asm!(
                ".cfi_startproc",
                "push rbx", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset rbx, 0",
                "push rbp", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset rbp, 0",
                "push r12", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset r12, 0",
                "push r13", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset r13, 0",
                "push r14", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset r14, 0",
                "push r15", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset r15, 0",
                "push r8", ".cfi_adjust_cfa_offset 8",
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
                "test al, {short}",
                "jnz 14f",
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
                add_one!("160" "20"),
                "jmp 9f",
                "5:",
                add_one!("64" "8"),
                "jmp 9f",
                "6:",
                add_one!("96" "12"),
                "jmp 9f",
                "7:",
                add_one!("128" "16"),
                "jmp 9f",
                "8:",
                add_one!("128" "16"),
                add_one!("136" "17"),
                "jmp 9f",
                // Messages of at most 64 bytes, the only block. With 64 they are whole words.
                "14:",
                "shr eax, {suffix}",
                "mov edi, 64",
                each_slice!("cmp rdi, [rsi + 8 + 16 * " "]\njne 15f"),
                each_pointer!(),
                add_four!("0" "0" "1" "2" "3"),
                add_four!("32" "4" "5" "6" "7"),
                "vpbroadcastq zmm8, rax",
                "jmp 16f",
                "15:",
                "mov r15, -1",
                "vpbroadcastb zmm31, eax",
                // Word 8 is the suffix where a message has 64 bytes.
                "vmovdqu64 zmm8, [rsi]",
                "vmovdqu64 zmm9, [rip + {lengths}]",
                "vpermt2q zmm8, zmm9, [rsi + 64]",
                "vpbroadcastq zmm9, rdi",
                "vpcmpeqq k3, zmm8, zmm9",
                "vpbroadcastq zmm8{{k3}}{{z}}, rax",
                masked!("0" "16" "1" "17" "2" "18" "3" "19" "4" "20" "5" "21" "6" "22" "7" "23"),
                transposed!(),
                each_lane!("vpxord xmm" ", xmm31, xmm31 # lane " "": "9" "16" "17" "18" "19" "20"
                    "21" "22" "23" "24"),
                // The last bit of the padding. Nothing is copied: all pointers to the block.
                "16:",
                "mov r8, rbp", "mov r9, rbp", "mov r10, rbp", "mov r11, rbp",
                "mov r12, rbp", "mov r13, rbp", "mov r14, rbp", "mov r15, rbp",
                "mov rdi, 1", "shl rdi, 63",
                "vpbroadcastq zmm25, rdi",
                "cmp ecx, 104",
                "jb 12f",
                "je 13f",
                "cmp ecx, 144",
                "jb 17f",
                "je 18f",
                "vmovdqa64 zmm20, zmm25",
                "jmp 9f",
                "12:", "vpxorq zmm8, zmm8, zmm25", "jmp 9f",
                "13:", "vmovdqa64 zmm12, zmm25", "jmp 9f",
                "17:", "vmovdqa64 zmm16, zmm25", "jmp 9f",
                "18:", "vmovdqa64 zmm17, zmm25", "jmp 9f",
                // The last block but one: the last one follows, which may be elsewhere.
                "19:",
                "test byte ptr [rsp + 24], {tails}",
                "jz 26f",
                each_tail!("r8" "0", "r9" "1", "r10" "2", "r11" "3", "r12" "4", "r13" "5",
                    "r14" "6", "r15" "7"),
                "jmp 27f",
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
                "cmp rdx, 2",
                "je 19b",
                "26:",
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
                "27:",
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
                "28:",
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
                "cmp rdx, 1",
                "jne 28b",
                last_round!("zmm" "{{1to8}}"),
                "mov rdi, [rsp + 16]",
                "test byte ptr [rsp + 24], {digests}",
                "jnz 29f",
                each_lane!("vmovdqa64 [rdi + 64 * " "], zmm" "": "0" "1" "2" "3" "4"),
                "jmp 24f",
                "29:",
                "mov rdi, [rbp + {out}]",
                digests!(),
                "24:",
                "add rsp, 32", ".cfi_adjust_cfa_offset -32",
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
                suffix = const SUFFIX,
                tails = const TAILS,
                digests = const DIGESTS,
                at_tails = const core::mem::offset_of!(Scratch, tails),
                tail = const size_of::<Tail>(),
                out = const core::mem::offset_of!(Scratch, out),
                lengths = sym LENGTHS,
                constants = sym ROUND_CONSTANTS,
            )
        }
    };
}

absorb8!(absorb8_steps steps);
absorb8!(absorb8_three three);
