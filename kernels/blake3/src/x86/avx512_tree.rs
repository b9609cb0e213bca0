//! Trees of 16 chunks from end to end, and the lowest levels of larger ones, in registers
//! of 512 bits: chunks lie one behind the other, and chaining values become blocks of parents
//! without leaving their lanes. Rounds are those of [`super::avx512`], what is above eight
//! parents is [`super::avx512vl_tree`].
//!
//! 16 parents' words are 16 permutations of two registers each. So a parent for each chunk is
//! 404 cycles more for each sixteen chunks, and the bound of a block 453 with the 428 of its
//! rounds and of the next block's transposition.
//!
//! What is reached: docs/notes/intel.md.

use super::super::body::Few;
use super::super::constants::{BLOCK_LEN, CHUNK_BLOCKS, CHUNK_LEN, IV, flags};
use super::super::mode::{Cv, Mode};
use super::avx512vl_few::plain as few;
use super::avx512vl_tree::plain as tree;
use core::mem::offset_of;

/// Lanes' numbers and a one, then the numbers of left and of right children.
static NUMBERS: [[u32; 16]; 4] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30],
    [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31],
];

/// Chains sixteen chunks at rsi, and leaves their chaining values' words in registers 0-7.
/// Their first blocks are at r10 already, the first counter is in rdx, and rdi is the mode.
/// While a block is compressed, the next one is transposed to the other half of the frame (r9
/// and r10). Behind the last one that is the first one of the sixteen chunks r12 bytes further
/// on, and rsi and rdx are left there; it is this one again if r12 is 0. The caller's frame
/// has room for counters from byte 2048 on.
///
/// # Safety
/// Only assembly may call it: it follows no ABI. It uses rax, rbx, r11 and r13.
#[unsafe(naked)]
unsafe extern "sysv64" fn sixteen() {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n",
            "mov rax,rdx\n shr rax,32\n vpbroadcastd zmm0,edx\n vpbroadcastd zmm1,eax\n",
            "vpaddd zmm2,zmm0,[rip+{numbers}]\n vpcmpltud k4,zmm2,zmm0\n",
            "vpaddd zmm1{{k4}},zmm1,[rip+{numbers}+64]{{1to16}}\n",
            "vmovdqa64 [rsp+8+2048],zmm2\n vmovdqa64 [rsp+8+2048+64],zmm1\n",
            broadcast_to!("zmm" "rdi+{key}" 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
            "mov r13d,[rdi+{flags}]\n or r13d,{start}\n mov r11d,{blocks}\n",
            ".p2align 6\n 4:\n xchg r9,r10\n mov eax,{block}\n",
            broadcast_to!("zmm" "rip+{iv}" 8 0 9 1 10 2 11 3),
            "vmovdqa64 zmm12,[rsp+8+2048]\n vmovdqa64 zmm13,[rsp+8+2048+64]\n",
            "vpbroadcastd zmm14,eax\n vpbroadcastd zmm15,r13d\n",
            next_flags!(),
            "lea rax,[rsi+64]\n lea rbx,[rsi+r12]\n cmp r11d,1\n cmove rax,rbx\n mov rsi,rax\n",
            // Four blocks ahead. Of the last four those of the chunk sixteen further on.
            "mov ebx,256\n lea eax,[r11-2]\n cmp eax,4\n lea eax,[r12+192]\n cmovb ebx,eax\n",
            rounds_transposing16!(near),
            fold_in!("zmm" 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15),
            "dec r11d\n jnz 4b\n add rdx,16\n ret\n .cfi_endproc\n",
        ),
        iv = sym IV,
        numbers = sym NUMBERS,
        key = const offset_of!(Mode, key),
        flags = const offset_of!(Mode, flags),
        block = const BLOCK_LEN,
        blocks = const CHUNK_BLOCKS,
        start = const flags::CHUNK_START,
        end = const flags::CHUNK_END,
    )
}

/// Words of parents, in registers 16 to 31, from words of 32 children: those of the first 16
/// at `$at`, those of the others in registers 0 to 7.
macro_rules! children16 {
    ($at:literal) => { concat!(
        "vmovdqu64 zmm14,[rip+{numbers}+128]\n vmovdqu64 zmm15,[rip+{numbers}+192]\n",
        children16!(@ $at 0 0 16 24 1 64 17 25 2 128 18 26 3 192 19 27 4 256 20 28 5 320 21 29 6 384 22 30 7 448 23 31),
    ) };
    (@ $at:literal $($w:literal $o:literal $l:literal $r:literal)*) => { concat!($(
        "vmovdqa64 zmm", $l, ",[", $at, "+", $o, "]\n vmovdqa64 zmm", $r, ",zmm", $l, "\n",
        "vpermt2d zmm", $l, ",zmm14,zmm", $w, "\n vpermt2d zmm", $r, ",zmm15,zmm", $w, "\n",
    )*) };
}

/// Sixteen parents, from their words in registers 16 to 31 to registers 0 to 7.
macro_rules! parents16 {
    () => { concat!(
        broadcast_to!("zmm" "rdi+{key}" 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
        broadcast_to!("zmm" "rip+{iv}" 8 0 9 1 10 2 11 3),
        "vpxord zmm12,zmm12,zmm12\n vpxord zmm13,zmm13,zmm13\n",
        "mov eax,{block}\n vpbroadcastd zmm14,eax\n mov eax,[rdi+{flags}]\n or eax,{parent}\n vpbroadcastd zmm15,eax\n",
        rounds!(round16_behind),
        fold_in!("zmm" 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15),
    ) };
}

/// Stores words in registers 0 to 7 at `$at`.
macro_rules! keep16 {
    ($at:literal) => { keep16!(@ $at 0 0 1 64 2 128 3 192 4 256 5 320 6 384 7 448) };
    (@ $at:literal $($r:literal $o:literal)*) => { concat!($("vmovdqa64 [", $at, "+", $o, "],zmm", $r, "\n",)*) };
}

/// The 16 parents above each 32 chunks, of `times` 32 chunks, at least once.
#[unsafe(naked)]
unsafe extern "sysv64" fn parents32(mode: *const Mode, input: *const u8, counter: u64, out: *mut Cv, times: usize) {
    core::arch::naked_asm!(
        concat!(
            enter_tree!("2688"), "mov r14,r8\n",
            transpose16!(near "r10" 0), transpose16!(near "r10+512" 32),
            ".p2align 4\n 2:\n",
            // From the last block of a chunk to the first one of the sixteenth behind it.
            "mov r12d,15*1024+64\n call {sixteen}\n",
            keep16!("rsp+2176"),
            "cmp r14,1\n mov eax,0\n cmove r12,rax\n call {sixteen}\n",
            children16!("rsp+2176"),
            parents16!(),
            "mov rax,rcx\n",
            unpack_to!("zmm" "ldq" 8 0 1 9 2 3 10 4 5 11 6 7),
            unpack_to!("zmm" "hdq" 12 0 1 13 2 3 14 4 5 15 6 7),
            unpack_to!("zmm" "lqdq" 0 8 9 2 12 13 4 10 11 6 14 15),
            unpack_to!("zmm" "hqdq" 1 8 9 3 12 13 5 10 11 7 14 15),
            leave!(@ 0 0 4 8 9), leave!(@ 1 1 5 10 11), leave!(@ 2 2 6 12 13), leave!(@ 3 3 7 14 15),
            "add rcx,512\n dec r14\n jnz 2b\n",
            "vzeroupper\n", exit_tree!(), "ret\n .cfi_endproc\n",
        ),
        sixteen = sym sixteen,
        iv = sym IV,
        numbers = sym NUMBERS,
        key = const offset_of!(Mode, key),
        flags = const offset_of!(Mode, flags),
        block = const BLOCK_LEN,
        parent = const flags::PARENT,
    )
}

/// The upper eight lanes to other registers.
macro_rules! upper {
    ($($from:literal $to:literal)*) => { concat!($("vextracti64x4 ymm", $to, ",zmm", $from, ",1\n",)*) };
}

/// The root of a tree of sixteen chunks at rsi, or what is below it.
#[unsafe(naked)]
unsafe extern "sysv64" fn tree16(mode: *const Mode, input: *const u8, counter: u64, out: *mut Cv, root: u32) {
    core::arch::naked_asm!(
        concat!(
            enter_tree!("2176"), "mov r14d,r8d\n xor r12d,r12d\n",
            transpose16!(near "r10" 0), transpose16!(near "r10+512" 32),
            "call {sixteen}\n mov r8d,r14d\n", exit_tree!(),
            upper!(0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23),
            "jmp {above}\n .cfi_endproc\n",
        ),
        sixteen = sym sixteen,
        above = sym tree::above16,
    )
}

/// Loads 16 bytes of each of four chunks by masked broadcasts, as [`super::avx512_rows`] does.
macro_rules! rows_of_four {
    ($($r:literal $o:literal)*) => { concat!($(
        "vbroadcasti32x4 zmm", $r, ",[rsi+", $o, "]\n vbroadcasti32x4 zmm", $r, "{{k4}},[rsi+{chunk}+", $o, "]\n",
        "vbroadcasti32x4 zmm", $r, "{{k5}},[rsi+2*{chunk}+", $o, "]\n vbroadcasti32x4 zmm", $r, "{{k6}},[rsi+3*{chunk}+", $o, "]\n",
    )*) };
}

/// The root of a tree of four chunks at rsi, or what is below it: rows of 512 bits.
#[unsafe(naked)]
unsafe extern "sysv64" fn four(mode: *const Mode, input: *const u8, counter: u64, out: *mut Cv, root: u32) {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n",
            prepare!(), kinds!(), fourth!(24 25 26), fourth!(29 30 31),
            "vinserti64x4 zmm24,zmm24,ymm29,1\n vinserti64x4 zmm25,zmm25,ymm30,1\n vinserti64x4 zmm26,zmm26,ymm31,1\n",
            "mov eax,0x00f0\n kmovw k4,eax\n mov eax,0x0f00\n kmovw k5,eax\n mov eax,0xf000\n kmovw k6,eax\n",
            "vbroadcasti32x4 zmm0,[rdi+{key}]\n vbroadcasti32x4 zmm1,[rdi+{key}+16]\n vbroadcasti32x4 zmm29,[rip+{iv}]\n",
            "mov r9d,{blocks}\n .p2align 4\n 2:\n vmovdqa32 zmm2,zmm29\n",
            turn!("zmm" 3 24 25 26),
            rows_of_four!(16 0 17 16 18 32 19 48), "add rsi,64\n",
            first!("zmm" 16 17 18 19 8 9 10 11),
            all!("zmm" one),
            fold_in!("zmm" 0 2 1 3),
            "dec r9d\n jnz 2b\n",
            // Two parents' blocks: values 0 and 2, then 1 and 3.
            "vshufi32x4 zmm16,zmm0,zmm0,0x08\n vshufi32x4 zmm17,zmm1,zmm1,0x08\n",
            "vshufi32x4 zmm18,zmm0,zmm0,0x0d\n vshufi32x4 zmm19,zmm1,zmm1,0x0d\n",
            "jmp {pair}\n .cfi_endproc\n",
        ),
        pair = sym few::pair,
        iv = sym IV,
        key = const offset_of!(Mode, key),
        flags = const offset_of!(Mode, flags),
        block = const BLOCK_LEN,
        blocks = const CHUNK_BLOCKS,
        chunk = const CHUNK_LEN,
        parent = const flags::PARENT,
        root_flag = const flags::ROOT,
        start = const flags::CHUNK_START,
        end = const flags::CHUNK_END,
    )
}

/// See [`Few`]. Unsafe: the CPU must have AVX-512F and VL.
pub(crate) static FEW: Few = Few {
    chunks: |mode, input, count, counter, out, root| {
        // SAFETY: the caller upholds the safety contract: `count` is 2, 4, 8 or 16.
        unsafe {
            let tree = match count {
                2 => few::two,
                4 => four,
                8 => tree::tree8,
                _ => tree16,
            };
            tree(mode, input, counter, out, root.into());
        }
    },
    // SAFETY: the caller upholds the safety contract.
    parents: |mode, input, times, counter, out| unsafe { parents32(mode, input, counter, out, times) },
    // SAFETY: the caller upholds the safety contract.
    above: |mode, values, count, out, root| unsafe { few::above(mode, values, count, out, root.into()) },
};
