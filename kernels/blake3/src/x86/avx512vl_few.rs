//! Two or four chunks, and the last levels of a tree, in rows of 256 bits
//! ([`super::avx512_rows`]) from end to end: the parents' blocks are put together from
//! the registers that the chaining values are in.
//!
//! Such a tree is one chain of dependent operations. Through jobs and memory each level
//! costs some 60 cycles more than its rounds (docs/notes/blake3-zen4.md).

use super::super::constants::{BLOCK_LEN, CHUNK_BLOCKS, CHUNK_LEN, IV, flags};
use super::super::mode::{Cv, Mode};
use core::mem::offset_of;

/// Loads two inputs, `$stride` bytes apart, from rsi + `$at`: words 0-3, 4-7, 8-11 and
/// 12-15. Loads are 16 bytes, like the stores before them.
macro_rules! load {
    ($at:literal $stride:literal $i:literal $j:literal $k:literal $l:literal) => { concat!(
        load!(@ $at $stride 0 $i), load!(@ $at $stride 16 $j), load!(@ $at $stride 32 $k), load!(@ $at $stride 48 $l),
    ) };
    (@ $at:literal $stride:literal $o:literal $r:literal) => { concat!(
        "vmovdqu32 xmm", $r, ",[rsi+", $at, "+", $o, "]\n vinserti32x4 ymm", $r, ",ymm", $r, ",[rsi+", $at, "+", $stride, "+", $o, "],1\n",
    ) };
}

/// Makes the rows of `$w` begin: the key at rdi, and the constant.
macro_rules! begin {
    ($w:literal $broadcast:literal $($a:literal $b:literal $c:literal)*) => { concat!($(
        $broadcast, " ", $w, $a, ",[rdi+{key}]\n", $broadcast, " ", $w, $b, ",[rdi+{key}+16]\n",
        $broadcast, " ", $w, $c, ",[rip+{iv}]\n",
    )*) };
}

macro_rules! fold {
    ($w:literal $($a:literal $b:literal)*) => { concat!($("vpxor ", $w, $a, ",", $w, $a, ",", $w, $b, "\n",)*) };
}

/// Sets the masks of `permute!`, and the fourth rows of parents, ymm27, and of the root,
/// xmm28. In: rdi, the mode. It uses rax and r10.
macro_rules! prepare {
    () => {
        "mov eax,0x5555\n kmovw k1,eax\n mov eax,0x4444\n kmovw k2,eax\n mov eax,0x9999\n kmovw k3,eax\n \
         mov eax,[rdi+{flags}]\n or eax,{parent}\n mov r10d,eax\n or r10d,{root_flag}\n \
         shl rax,32\n or rax,{block}\n shl r10,32\n or r10,{block}\n vpxor xmm0,xmm0,xmm0\n \
         vmovq xmm1,rax\n vpunpcklqdq xmm1,xmm0,xmm1\n vinserti32x4 ymm27,ymm1,xmm1,1\n \
         vmovq xmm1,r10\n vpunpcklqdq xmm1,xmm0,xmm1\n vmovdqa32 xmm28,xmm1\n"
    };
}

/// Puts the blocks of two parents together from four chaining values, in ymm0, ymm1, ymm4
/// and ymm5.
macro_rules! join {
    () => {
        "vinserti32x4 ymm16,ymm0,xmm4,1\n vinserti32x4 ymm17,ymm1,xmm5,1\n \
         vshufi32x4 ymm18,ymm0,ymm4,3\n vshufi32x4 ymm19,ymm1,ymm5,3\n"
    };
}

/// Makes the fourth rows of two chunks: of the first block, of those between, and of the
/// last. rdx is the first counter, xmm0 to xmm2 are the flags of those. It uses rax.
macro_rules! fourth {
    ($first:literal $middle:literal $last:literal) => { concat!(
        "vmovq xmm4,rdx\n inc rdx\n vmovq xmm5,rdx\n inc rdx\n",
        fourth!(@ 0 $first), fourth!(@ 1 $middle), fourth!(@ 2 $last),
    ) };
    (@ $flags:literal $to:literal) => { concat!(
        "vpunpcklqdq xmm6,xmm4,xmm", $flags, "\n vpunpcklqdq xmm7,xmm5,xmm", $flags, "\n vinserti32x4 ymm", $to, ",ymm6,xmm7,1\n",
    ) };
}

/// Length and flags of chunks' blocks to xmm0, xmm1 and xmm2, as [`fourth`] takes them.
macro_rules! kinds {
    () => {
        "mov r10d,[rdi+{flags}]\n shl r10,32\n or r10,{block}\n vmovq xmm1,r10\n \
         mov eax,{start}\n shl rax,32\n or rax,r10\n vmovq xmm0,rax\n \
         mov eax,{end}\n shl rax,32\n or rax,r10\n vmovq xmm2,rax\n"
    };
}

/// The next block's fourth row, `$next`, from those of [`fourth`]: r9d blocks are left.
macro_rules! turn {
    ($w:literal $($d:literal $next:literal $middle:literal $last:literal)*) => { concat!(
        $("vmovdqa32 ", $w, $d, ",", $w, $next, "\n vmovdqa32 ", $w, $next, ",", $w, $middle, "\n",)*
        "cmp r9d,2\n jne 3f\n",
        $("vmovdqa32 ", $w, $next, ",", $w, $last, "\n",)*
        "3:\n",
    ) };
}

/// The functions, with rounds of one group and of two as [`super::avx512_rows`] names them.
macro_rules! few {
    ($one:ident $two:ident) => {
        /// Compresses the root's block from xmm16 to xmm19 to rcx. Rows of parents and root are as
        /// `prepare!` makes them, and rdi is the mode.
        ///
        /// # Safety
        /// Only assembly may jump to it: it follows no ABI.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn root_block() {
            core::arch::naked_asm!(
                concat!(
                    ".cfi_startproc\n",
                    begin!("xmm" "vmovdqu" 0 1 2), "vmovdqa32 xmm3,xmm28\n",
                    first!("xmm" 16 17 18 19 8 9 10 11),
                    all!("xmm" $one),
                    fold!("xmm" 0 2 1 3),
                    "vmovdqu [rcx],xmm0\n vmovdqu [rcx+16],xmm1\n vzeroupper\n ret\n .cfi_endproc\n",
                ),
                iv = sym IV,
                key = const offset_of!(Mode, key),
            )
        }

        /// Compresses two parents, whose blocks are in ymm16 to ymm19, and then the root, if r8d is
        /// not 0. Else the parents go to rcx. See [`root_block`].
        #[unsafe(naked)]
        pub(in crate::x86) unsafe extern "sysv64" fn pair() {
            core::arch::naked_asm!(
                concat!(
                    ".cfi_startproc\n",
                    begin!("ymm" "vbroadcasti128" 0 1 2), "vmovdqa32 ymm3,ymm27\n",
                    first!("ymm" 16 17 18 19 8 9 10 11),
                    all!("ymm" $one),
                    fold!("ymm" 0 2 1 3),
                    "jmp {ends}\n .cfi_endproc\n",
                ),
                ends = sym ends,
                iv = sym IV,
                key = const offset_of!(Mode, key),
            )
        }

        /// What follows two chaining values in ymm0 and ymm1: the root, or their way to rcx.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn ends() {
            core::arch::naked_asm!(
                concat!(
                    ".cfi_startproc\n",
                    "vmovdqa32 xmm16,xmm0\n vmovdqa32 xmm17,xmm1\n vextracti32x4 xmm18,ymm0,1\n vextracti32x4 xmm19,ymm1,1\n",
                    "test r8d,r8d\n jnz {root}\n",
                    "vmovdqu32 [rcx],xmm16\n vmovdqu32 [rcx+16],xmm17\n vmovdqu32 [rcx+32],xmm18\n vmovdqu32 [rcx+48],xmm19\n",
                    "vzeroupper\n ret\n .cfi_endproc\n",
                ),
                root = sym root_block,
            )
        }

        /// The root above 2, 4 or 8 chaining values at rsi, or its two children above 4 or 8.
        #[unsafe(naked)]
        pub(in crate::x86) unsafe extern "sysv64" fn above(mode: *const Mode, values: *const Cv, count: usize, out: *mut Cv, root: u32) {
            core::arch::naked_asm!(
                concat!(
                    ".cfi_startproc\n",
                    prepare!(),
                    "cmp edx,4\n ja 2f\n je 3f\n",
                    "vmovdqu32 xmm16,[rsi]\n vmovdqu32 xmm17,[rsi+16]\n vmovdqu32 xmm18,[rsi+32]\n vmovdqu32 xmm19,[rsi+48]\n",
                    "jmp {root}\n",
                    "3:\n", load!(0 64 16 17 18 19), "jmp {pair}\n",
                    "2:\n", load!(0 64 16 17 18 19), load!(128 64 20 21 22 23),
                    begin!("ymm" "vbroadcasti128" 0 1 2 4 5 6), "vmovdqa32 ymm3,ymm27\n vmovdqa32 ymm7,ymm27\n",
                    first!("ymm" 16 17 18 19 8 9 10 11), first!("ymm" 20 21 22 23 12 13 14 15),
                    all!("ymm" $two),
                    fold!("ymm" 0 2 1 3 4 6 5 7),
                    join!(),
                    "jmp {pair}\n .cfi_endproc\n",
                ),
                root = sym root_block,
                pair = sym pair,
                iv = sym IV,
                key = const offset_of!(Mode, key),
                flags = const offset_of!(Mode, flags),
                block = const BLOCK_LEN,
                parent = const flags::PARENT,
                root_flag = const flags::ROOT,
            )
        }

        /// The root of a tree of two chunks at rsi, or what is below it.
        #[unsafe(naked)]
        pub(in crate::x86) unsafe extern "sysv64" fn two(mode: *const Mode, input: *const u8, counter: u64, out: *mut Cv, root: u32) {
            core::arch::naked_asm!(
                concat!(
                    ".cfi_startproc\n",
                    prepare!(), kinds!(), fourth!(24 25 26),
                    "vbroadcasti128 ymm0,[rdi+{key}]\n vbroadcasti128 ymm1,[rdi+{key}+16]\n",
                    "mov r9d,{blocks}\n .p2align 4\n 2:\n",
                    "vbroadcasti128 ymm2,[rip+{iv}]\n",
                    turn!("ymm" 3 24 25 26),
                    load!(0 "{chunk}" 16 17 18 19), "add rsi,64\n",
                    first!("ymm" 16 17 18 19 8 9 10 11),
                    all!("ymm" $one),
                    fold!("ymm" 0 2 1 3),
                    "dec r9d\n jnz 2b\n jmp {ends}\n .cfi_endproc\n",
                ),
                ends = sym ends,
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
    };
}

few!(shifts spread);

/// The root of a tree of four chunks at rsi, or what is below it.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn four(mode: *const Mode, input: *const u8, counter: u64, out: *mut Cv, root: u32) {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n",
            prepare!(), kinds!(), fourth!(24 25 26), fourth!(29 30 31),
            "vbroadcasti128 ymm0,[rdi+{key}]\n vbroadcasti128 ymm1,[rdi+{key}+16]\n vmovdqa ymm4,ymm0\n vmovdqa ymm5,ymm1\n",
            "mov r9d,{blocks}\n .p2align 4\n 2:\n",
            "vbroadcasti128 ymm2,[rip+{iv}]\n vmovdqa ymm6,ymm2\n",
            turn!("ymm" 3 24 25 26 7 29 30 31),
            load!(0 "{chunk}" 16 17 18 19), load!("2*{chunk}" "{chunk}" 20 21 22 23), "add rsi,64\n",
            first!("ymm" 16 17 18 19 8 9 10 11), first!("ymm" 20 21 22 23 12 13 14 15),
            all_two!("ymm"),
            fold!("ymm" 0 2 1 3 4 6 5 7),
            "dec r9d\n jnz 2b\n",
            join!(),
            "jmp {pair}\n .cfi_endproc\n",
        ),
        pair = sym pair,
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

/// The same for CPUs that rotate in one cycle.
pub(super) mod plain {
    use super::*;

    few!(one two);
}
