//! Eight states in `zmm` registers that take blocks in and are permuted, in one text. The
//! rounds are in `rounds512`, what moves words of messages in `words512`.

use super::ROUND_CONSTANTS;
use super::rounds512::*;
use super::words512::*;
use crate::many::{States, Tail};
use core::arch::naked_asm;

/// The states are zero before the first block.
pub(super) const FRESH: u32 = 1;
/// Only words 0 to 4 of the states are needed.
pub(super) const ROW: u32 = 2;
/// The only block is made of the messages themselves, all of at most 64 bytes; `at` are then
/// their slices.
pub(super) const SHORT: u32 = 4;
/// Only the last 12 rounds. For one block only: a permutation of fewer rounds has no room to
/// copy a later block.
pub(super) const LAST12: u32 = 8;
/// The last of the blocks is where [`Scratch::ends`] says; `at` are then the messages' slices.
pub(super) const TAILS: u32 = 16;
/// The states' first 32 bytes go to [`Scratch::out`].
pub(super) const DIGESTS: u32 = 32;
/// As [`SHORT`], for messages of 65 to 127 bytes and blocks of 17 words or more.
pub(super) const LONG: u32 = 64;
/// From this bit on: the suffix, with [`SHORT`] and [`LONG`].
pub(super) const SUFFIX: u32 = 8;

/// Words of eight messages, one row for each word. It has room for full vectors of words.
#[repr(C, align(64))]
struct Block([[u64; 8]; 24]);

/// Memory that [`absorb8!`] reads and writes besides the states.
#[repr(C, align(64))]
pub(super) struct Scratch {
    /// The next block.
    block: Block,
    /// Last blocks.
    pub(super) tails: [Tail; 8],
    /// Where they are, which may be one for all.
    pub(super) ends: [*const u8; 8],
    /// Where digests go, one after the other.
    pub(super) out: *mut u8,
}

/// See [`absorb8!`].
pub(super) type Absorb8 = unsafe extern "sysv64" fn(
    *mut States<8>,
    *const [*const u8; 8],
    usize,
    usize,
    u32,
    *mut Scratch,
);

/// Where the lengths are in eight slices.
static LENGTHS: [u64; 8] = [1, 3, 5, 7, 9, 11, 13, 15];

/// Runs eight states in `zmm0` to `zmm24`. `rate` is in bytes.
///
/// The first block is transposed here, four words of eight messages at a time, in two steps,
/// and words that remain one by one, so nothing is read outside of a block. With [`SHORT`] and
/// [`LONG`] it is padded here too, by masked loads of 64 bytes a message.
///
/// Later blocks are copied into `block` word by word during the permutation of the
/// block before. The general registers are idle then, so this hides the 70 cycles of a
/// transposition. The last block is copied once more, which avoids a branch.
///
/// `$sum` is how parities end, see [`sum!`].
macro_rules! absorb8 {
    ($name:ident $sum:ident) => {
        #[unsafe(naked)]
        pub(super) unsafe extern "sysv64" fn $name(
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
                "test al, {short} + {long}",
                "jnz 14f",
                "test al, {tails}",
                "jz 31f",
                each_pointer!(),
                "jmp 32f",
                "31:",
                "mov r8, [rsi]",
                "mov r9, [rsi + 8]",
                "mov r10, [rsi + 16]",
                "mov r11, [rsi + 24]",
                "mov r12, [rsi + 32]",
                "mov r13, [rsi + 40]",
                "mov r14, [rsi + 48]",
                "mov r15, [rsi + 56]",
                "32:",
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
                // Messages of 65 to 127 bytes, the only block: words 8 to 15, then the others.
                "30:",
                "shr eax, {suffix}",
                "mov r15, -1",
                "vpbroadcastb zmm31, eax",
                masked!("64"),
                transposed!(),
                "vmovdqa64 zmm8, zmm0", "vmovdqa64 zmm9, zmm1", "vmovdqa64 zmm10, zmm2",
                "vmovdqa64 zmm11, zmm3", "vmovdqa64 zmm12, zmm4", "vmovdqa64 zmm13, zmm5",
                "vmovdqa64 zmm14, zmm6", "vmovdqa64 zmm15, zmm7",
                each_lane!("vpxord xmm" ", xmm31, xmm31 # lane " "": "0" "1" "2" "3" "4" "5" "6"
                    "7" "16" "17" "18" "19" "20" "21" "22" "23" "24"),
                each_pointer!(),
                add_four!("0" "0" "1" "2" "3"),
                add_four!("32" "4" "5" "6" "7"),
                "jmp 16f",
                // Messages of at most 64 bytes, the only block. With 64 they are whole words.
                "14:",
                "test al, {long}",
                "jnz 30b",
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
                masked!("0"),
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
                each_end!("r8" "0", "r9" "1", "r10" "2", "r11" "3", "r12" "4", "r13" "5", "r14" "6",
                    "r15" "7"),
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
                long = const LONG,
                suffix = const SUFFIX,
                tails = const TAILS,
                digests = const DIGESTS,
                ends = const core::mem::offset_of!(Scratch, ends),
                out = const core::mem::offset_of!(Scratch, out),
                lengths = sym LENGTHS,
                constants = sym ROUND_CONSTANTS,
            )
        }
    };
}

absorb8!(absorb8_steps steps);
absorb8!(absorb8_three three);
