//! Trees of 8 and 16 chunks from end to end, and the lowest levels of larger ones, with eight
//! lanes: chunks lie one behind the other, and chaining values become blocks of parents
//! without leaving their lanes.
//!
//! A register has one word of eight chaining values. Words of the left children are the even
//! lanes, of the right children the odd ones: one `vshufps` of two registers each makes the
//! same word of eight parents. Rounds and copies are those of [`super::eight`]; what is above
//! four parents is [`super::few`].

use super::eight;
use super::few::{above, four, pair, two};
use super::two::two_groups;
use crate::body::Few;
use crate::constants::{BLOCK_LEN, CHUNK_BLOCKS, CHUNK_LEN, IV, flags};
use crate::mode::{Cv, Mode};
use core::mem::offset_of;

static NUMBERS: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
static LENGTH: u32 = BLOCK_LEN as u32;

/// Chains eight chunks, and leaves their chaining values' words in registers 0 to 7. Their
/// addresses less rsi are at rcx, their first blocks at r10 already, the first counter is in
/// rdx, and rdi is the mode. Behind the last block, r13 bytes behind those addresses are the
/// blocks that are copied next; rsi is left as r13, and rdx as the next counter.
///
/// Frame, from rbx + 1152 on: counters 0 and 32, flags of the first block, of those between
/// and of the last 64.
///
/// # Safety
/// Only assembly may call it: it follows no ABI. It uses rax, r8, r11, r12 and r14.
#[unsafe(naked)]
unsafe extern "sysv64" fn chunks() {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n",
            // A low word that overflows is less than the lane's number.
            "vmovd xmm8,edx\n vpbroadcastd ymm8,xmm8\n vmovdqu ymm9,[rip+{numbers}]\n vpaddd ymm8,ymm8,ymm9\n",
            "vpmaxud ymm9,ymm9,ymm8\n vpcmpeqd ymm9,ymm9,ymm8\n",
            "mov rax,rdx\n shr rax,32\n inc eax\n vmovd xmm10,eax\n vpbroadcastd ymm10,xmm10\n vpaddd ymm9,ymm9,ymm10\n",
            "vmovdqa [rbx+1152],ymm8\n vmovdqa [rbx+1184],ymm9\n",
            broadcasts!(avx2 "rdi+{key}" 0 1 2 3 4 5 6 7),
            "lea r12,[rbx+1216]\n mov r14d,{blocks}\n",
            ".p2align 4\n 2:\n xchg r9,r10\n",
            "vmovdqa ymm8,[rbx+1152]\n vmovdqa ymm9,[rbx+1184]\n vpbroadcastd ymm10,[rip+{length}]\n vpbroadcastd ymm11,[r12]\n",
            "lea r12,[rbx+1220]\n lea rax,[rbx+1224]\n cmp r14d,2\n cmove r12,rax\n",
            // Prefetch is of four blocks ahead. Those behind a chunk are of the eighth one further on.
            "lea rax,[rsi+7*{chunk}+256]\n lea r11,[rsi+256]\n cmp r14d,4\n cmovbe r11,rax\n",
            "lea rax,[rsi+64]\n mov rsi,r13\n cmp r14d,1\n cmovne rsi,rax\n",
            "call {block}\n",
            "dec r14d\n jnz 2b\n add rdx,8\n ret\n .cfi_endproc\n",
        ),
        block = sym eight::block,
        numbers = sym NUMBERS,
        length = sym LENGTH,
        key = const offset_of!(Mode, key),
        blocks = const CHUNK_BLOCKS,
        chunk = const CHUNK_LEN,
    )
}

/// Prepares the frame for [`chunks`]: the addresses of eight chunks at rsi to rbx + 1280 and
/// rcx, flags, and the first block. It leaves 0 in rsi.
macro_rules! prepare {
    () => { concat!(
        "mov eax,[rdi+{flags}]\n mov [rbx+1220],eax\n mov r8d,eax\n or eax,{start}\n mov [rbx+1216],eax\n",
        "or r8d,{end}\n mov [rbx+1224],r8d\n lea rcx,[rbx+1280]\n",
        prepare!(@ 0 1 2 3 4 5 6 7), "xor esi,esi\n",
        first_block!(),
    ) };
    (@ $($lane:literal)*) => { concat!($("lea rax,[rsi+{chunk}*", $lane, "]\n mov [rcx+8*", $lane, "],rax\n",)*) };
}

/// From words of eight chaining values in registers 0 to 7 to the blocks of four parents:
/// lane i and lane i + 4 are in one register then. `$a` to `$d` are the words of the first
/// two parents, `$e` to `$h` of the others. The frame's first 1,792 bytes are used.
macro_rules! four_from_words {
    ($a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal) => { concat!(
        four!(avx2 0 1 2 3 8 9 10 11), four!(avx2 4 5 6 7 8 9 10 11),
        first!($e $f $g $h), to_frame!(1), first!($a $b $c $d), to_frame!(0),
        four_parents!(),
    ) };
}

/// The root of a tree of eight chunks at rsi, or what is below it.
#[unsafe(naked)]
unsafe extern "sysv64" fn tree8(mode: *const Mode, input: *const u8, counter: u64, out: *mut Cv, root: u32) {
    core::arch::naked_asm!(
        concat!(
            enter!("1792"), "mov r15,rcx\n mov [rbx+1344],r8\n",
            prepare!(), "mov r13d,15*64\n",
            "call {chunks}\n",
            "mov rcx,r15\n mov r8,[rbx+1344]\n",
            // Registers are (0 | 4), (1 | 5), (2 | 6), (3 | 7): parents (0 | 2) and (1 | 3).
            four_from_words!(0 4 1 5 2 6 3 7),
            exit!(),
            // Now (0 | 1), whose blocks are the values (0 | 2) and (1 | 3).
            "vmovdqa ymm6,ymm4\n vmovdqa ymm7,ymm5\n vmovdqa ymm4,ymm0\n vmovdqa ymm5,ymm1\n",
            "jmp {pair}\n .cfi_endproc\n",
        ),
        chunks = sym chunks,
        pair = sym pair,
        iv = sym IV,
        two_groups = sym two_groups,
        key = const offset_of!(Mode, key),
        flags = const offset_of!(Mode, flags),
        block = const BLOCK_LEN,
        chunk = const CHUNK_LEN,
        start = const flags::CHUNK_START,
        end = const flags::CHUNK_END,
        parent = const flags::PARENT,
    )
}

/// Makes words of the blocks of eight parents, at rbx + 1408, of words of sixteen chaining
/// values: those of the first eight are at rbx + 1920, of the others in registers.
macro_rules! children {
    ($($w:literal)*) => { concat!($(
        "vmovdqa ymm8,[rbx+1920+32*", $w, "]\n",
        "vshufps ymm9,ymm8,ymm", $w, ",0x88\n vmovdqa [rbx+1408+32*", $w, "],ymm9\n",
        "vshufps ymm8,ymm8,ymm", $w, ",0xdd\n vmovdqa [rbx+1408+256+32*", $w, "],ymm8\n",
    )*) };
}

/// Compresses eight parents of sixteen chunks: their words are left in registers 0 to 7, in
/// the order 0 1 4 5 2 3 6 7. In: the first eight's words as [`children`] has them, the
/// others' in registers. What was copied last is copied once more.
macro_rules! eight_parents {
    () => { concat!(
        children!(0 1 2 3 4 5 6 7),
        broadcasts!(avx2 "rdi+{key}" 0 1 2 3 4 5 6 7),
        "mov eax,[rdi+{flags}]\n or eax,{parent}\n vmovd xmm11,eax\n vpbroadcastd ymm11,xmm11\n",
        "vpbroadcastd ymm10,[rip+{length}]\n vpxor xmm8,xmm8,xmm8\n vpxor xmm9,xmm9,xmm9\n",
        "mov r12,r9\n lea r9,[rbx+1408]\n lea r11,[rsi+256]\n call {block8}\n mov r9,r12\n",
    ) };
}

/// The same of sixteen chunks.
#[unsafe(naked)]
unsafe extern "sysv64" fn tree16(mode: *const Mode, input: *const u8, counter: u64, out: *mut Cv, root: u32) {
    core::arch::naked_asm!(
        concat!(
            enter!("2176"), "mov r15,rcx\n mov [rbx+1344],r8\n",
            prepare!(), "mov r13d,8*{chunk}\n",
            "call {chunks}\n",
            stores!(avx2 "rbx+1920" 32 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
            "call {chunks}\n",
            eight_parents!(),
            "mov rcx,r15\n mov r8,[rbx+1344]\n",
            // Registers are (0 | 2), (1 | 3), (4 | 6), (5 | 7): parents (0 | 1) and (2 | 3).
            four_from_words!(0 4 1 5 2 6 3 7),
            exit!(),
            join!(),
            "jmp {pair}\n .cfi_endproc\n",
        ),
        chunks = sym chunks,
        block8 = sym eight::block,
        pair = sym pair,
        iv = sym IV,
        two_groups = sym two_groups,
        length = sym LENGTH,
        key = const offset_of!(Mode, key),
        flags = const offset_of!(Mode, flags),
        block = const BLOCK_LEN,
        chunk = const CHUNK_LEN,
        start = const flags::CHUNK_START,
        end = const flags::CHUNK_END,
        parent = const flags::PARENT,
    )
}

/// Stores eight chaining values in the order of [`eight_parents`] to r15.
macro_rules! leave {
    () => { concat!(eight!(), stores!(avx2 "r15" 32 8 0 9 1 12 2 13 3 10 4 11 5 14 6 15 7)) };
}

/// The 16 parents above each 32 chunks, of `times` 32 chunks, at least once.
#[unsafe(naked)]
unsafe extern "sysv64" fn parents32(mode: *const Mode, input: *const u8, counter: u64, out: *mut Cv, times: usize) {
    core::arch::naked_asm!(
        concat!(
            enter!("2176"), "mov r15,rcx\n add r8,r8\n mov [rbx+1344],r8\n",
            prepare!(), "xor r13d,r13d\n",
            ".p2align 4\n 2:\n",
            "add r13,8*{chunk}\n call {chunks}\n",
            stores!(avx2 "rbx+1920" 32 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
            // Behind the last chunks there are none to copy.
            "lea rax,[r13+8*{chunk}]\n cmp qword ptr [rbx+1344],1\n cmovne r13,rax\n call {chunks}\n",
            eight_parents!(),
            leave!(),
            "add r15,256\n dec qword ptr [rbx+1344]\n jnz 2b\n",
            "vzeroupper\n", exit!(), "ret\n .cfi_endproc\n",
        ),
        chunks = sym chunks,
        block8 = sym eight::block,
        length = sym LENGTH,
        key = const offset_of!(Mode, key),
        flags = const offset_of!(Mode, flags),
        chunk = const CHUNK_LEN,
        start = const flags::CHUNK_START,
        end = const flags::CHUNK_END,
        parent = const flags::PARENT,
    )
}

/// See [`Few`]. Unsafe: the CPU must have AVX2.
pub(crate) static FEW: Few = Few {
    chunks: |mode, input, count, counter, out, root| {
        // SAFETY: the caller upholds the safety contract: `count` is 2, 4, 8 or 16.
        unsafe {
            let tree = match count {
                2 => two,
                4 => four,
                8 => tree8,
                _ => tree16,
            };
            tree(mode, input, counter, out, root.into());
        }
    },
    // SAFETY: the caller upholds the safety contract.
    parents: |mode, input, times, counter, out| unsafe { parents32(mode, input, counter, out, times) },
    // SAFETY: the caller upholds the safety contract.
    above: |mode, values, count, out, root| unsafe { above(mode, values, count, out, root.into()) },
};
