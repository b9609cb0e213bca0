//! Two or four chunks, and the last levels of a tree, in rows of two halves ([`super::rows`])
//! from end to end: the parents' blocks are put together from the registers that the
//! chaining values are in.
//!
//! Such a tree is one chain of dependent operations, and what passes a level on through jobs
//! and memory is in it too (docs/notes/avx2.md).

use super::super::rows::ROTATIONS;
use super::two::two_groups;
use crate::constants::{BLOCK_LEN, CHUNK_BLOCKS, CHUNK_LEN, IV, flags};
use crate::mode::{Cv, Mode};
use core::mem::offset_of;

/// Loads two inputs, `$stride` bytes apart, from rsi + `$at` to registers 8 to 11: words 0-3,
/// 4-7, 8-11 and 12-15. Loads are 16 bytes, like the stores before them.
macro_rules! inputs {
    ($at:literal $stride:literal) => { concat!(
        inputs!(@ $at $stride 0 8), inputs!(@ $at $stride 16 9), inputs!(@ $at $stride 32 10), inputs!(@ $at $stride 48 11),
    ) };
    (@ $at:literal $stride:literal $o:literal $r:literal) => { concat!(
        "vmovdqu xmm", $r, ",[rsi+", $at, "+", $o, "]\n vinserti128 ymm", $r, ",ymm", $r, ",[rsi+", $at, "+", $stride, "+", $o, "],1\n",
    ) };
}

/// Makes the rows a, b and c begin: the key at rdi, and the constant.
macro_rules! begin {
    ($($a:literal $b:literal $c:literal)*) => { concat!($(
        "vbroadcasti128 ymm", $a, ",[rdi+{key}]\n vbroadcasti128 ymm", $b, ",[rdi+{key}+16]\n",
        "vbroadcasti128 ymm", $c, ",[rip+{iv}]\n",
    )*) };
}

macro_rules! fold {
    ($($a:literal $b:literal)*) => { concat!($("vpxor ymm", $a, ",ymm", $a, ",ymm", $b, "\n",)*) };
}

/// Makes the fourth row of parents with these flags. In: rdi, the mode. It uses rax.
macro_rules! parents_row {
    ($d:literal $flags:literal) => { concat!(
        "mov eax,[rdi+{flags}]\n or eax,", $flags, "\n shl rax,32\n or rax,{block}\n",
        "vmovq xmm", $d, ",rax\n vpslldq xmm", $d, ",xmm", $d, ",8\n vinserti128 ymm", $d, ",ymm", $d, ",xmm", $d, ",1\n",
    ) };
}

/// Compresses the root's block to rcx: words 0-3, 4-7, 8-11 and 12-15 are in xmm4 to xmm7.
/// rdi is the mode.
///
/// # Safety
/// Only assembly may jump to it: it follows no ABI.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn root_block() {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n",
            first!(4 5 6 7),
            begin!(0 1 2), parents_row!(3 "{root}"),
            all!(one),
            fold!(0 2 1 3),
            "vmovdqu [rcx],xmm0\n vmovdqu [rcx+16],xmm1\n vzeroupper\n ret\n .cfi_endproc\n",
        ),
        iv = sym IV,
        rotations = sym ROTATIONS,
        key = const offset_of!(Mode, key),
        flags = const offset_of!(Mode, flags),
        block = const BLOCK_LEN,
        root = const flags::PARENT | flags::ROOT,
    )
}

/// Compresses two parents, whose blocks are in ymm4 to ymm7, and goes on as [`ends`]. See
/// [`root_block`].
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn pair() {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n",
            first!(4 5 6 7),
            begin!(0 1 2), parents_row!(3 "{parent}"),
            all!(one),
            fold!(0 2 1 3),
            "jmp {ends}\n .cfi_endproc\n",
        ),
        ends = sym ends,
        iv = sym IV,
        rotations = sym ROTATIONS,
        key = const offset_of!(Mode, key),
        flags = const offset_of!(Mode, flags),
        block = const BLOCK_LEN,
        parent = const flags::PARENT,
    )
}

/// What follows two chaining values in ymm0 and ymm1: the root, if r8d is not 0, or their way
/// to rcx.
#[unsafe(naked)]
unsafe extern "sysv64" fn ends() {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n",
            "vmovdqa xmm4,xmm0\n vmovdqa xmm5,xmm1\n vextracti128 xmm6,ymm0,1\n vextracti128 xmm7,ymm1,1\n",
            "test r8d,r8d\n jnz {root}\n",
            "vmovdqu [rcx],xmm4\n vmovdqu [rcx+16],xmm5\n vmovdqu [rcx+32],xmm6\n vmovdqu [rcx+48],xmm7\n",
            "vzeroupper\n ret\n .cfi_endproc\n",
        ),
        root = sym root_block,
    )
}

/// Puts the blocks of two parents together, in ymm4 to ymm7, from four chaining values in
/// ymm0, ymm1, ymm4 and ymm5.
macro_rules! join {
    () => {
        "vperm2i128 ymm6,ymm0,ymm4,0x31\n vperm2i128 ymm7,ymm1,ymm5,0x31\n \
         vinserti128 ymm4,ymm0,xmm4,1\n vinserti128 ymm5,ymm1,xmm5,1\n"
    };
}

/// Compresses four parents, whose words of the first round are at rsp, with room for those of
/// all rounds. Chaining values are left in ymm0 and ymm1, ymm4 and ymm5.
macro_rules! four_parents {
    () => { concat!(
        begin!(0 1 2 4 5 6), parents_row!(3 "{parent}"), "vmovdqa ymm7,ymm3\n",
        all!(two),
        fold!(0 2 1 3 4 6 5 7),
    ) };
}

/// A frame of `$size` bytes.
macro_rules! room {
    ($size:literal) => { concat!(
        ".cfi_startproc\n push rbp\n .cfi_def_cfa_offset 16\n .cfi_offset rbp,-16\n",
        "mov rbp,rsp\n .cfi_def_cfa_register rbp\n and rsp,-64\n sub rsp,", $size, "\n",
    ) };
}

macro_rules! no_room {
    () => { "mov rsp,rbp\n pop rbp\n .cfi_def_cfa rsp,8\n" };
}

/// The root above 2, 4 or 8 chaining values at rsi, or its two children above 4 or 8.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn above(mode: *const Mode, values: *const Cv, count: usize, out: *mut Cv, root: u32) {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n",
            "cmp edx,4\n ja {eight}\n je 3f\n",
            "vmovdqu xmm4,[rsi]\n vmovdqu xmm5,[rsi+16]\n vmovdqu xmm6,[rsi+32]\n vmovdqu xmm7,[rsi+48]\n jmp {root}\n",
            "3:\n", inputs!(0 64),
            "vmovdqa ymm4,ymm8\n vmovdqa ymm5,ymm9\n vmovdqa ymm6,ymm10\n vmovdqa ymm7,ymm11\n jmp {pair}\n .cfi_endproc\n",
        ),
        eight = sym above_eight,
        root = sym root_block,
        pair = sym pair,
    )
}

#[unsafe(naked)]
unsafe extern "sysv64" fn above_eight() {
    core::arch::naked_asm!(
        concat!(
            room!("1792"),
            inputs!(128 64), first!(), to_frame!(1), inputs!(0 64), first!(), to_frame!(0),
            four_parents!(),
            no_room!(),
            join!(),
            "jmp {pair}\n .cfi_endproc\n",
        ),
        pair = sym pair,
        iv = sym IV,
        two_groups = sym two_groups,
        key = const offset_of!(Mode, key),
        flags = const offset_of!(Mode, flags),
        block = const BLOCK_LEN,
        parent = const flags::PARENT,
    )
}

/// Stores the fourth rows of two chunks to rsp + `$at`: of the first block, of those between,
/// and of the last. rdx is the first counter; xmm0 to xmm2 are length and flags of those. It
/// uses registers 4 to 7.
macro_rules! fourth {
    ($at:literal) => { concat!(
        "vmovq xmm4,rdx\n inc rdx\n vmovq xmm5,rdx\n inc rdx\n",
        fourth!(@ 0 $at "+0"), fourth!(@ 1 $at "+32"), fourth!(@ 2 $at "+64"),
    ) };
    (@ $flags:literal $at:literal $o:literal) => { concat!(
        "vpunpcklqdq xmm6,xmm4,xmm", $flags, "\n vpunpcklqdq xmm7,xmm5,xmm", $flags, "\n",
        "vinserti128 ymm6,ymm6,xmm7,1\n vmovdqa [rsp+", $at, $o, "],ymm6\n",
    ) };
}

/// Length and flags of chunks' blocks to xmm0, xmm1 and xmm2, as [`fourth`] takes them. It
/// uses rax and r10.
macro_rules! kinds {
    () => {
        "mov r10d,[rdi+{flags}]\n shl r10,32\n or r10,{block}\n vmovq xmm1,r10\n \
         mov eax,{start}\n shl rax,32\n or rax,r10\n vmovq xmm0,rax\n \
         mov eax,{end}\n shl rax,32\n or rax,r10\n vmovq xmm2,rax\n"
    };
}

/// What follows a block. The fourth rows are at rsp + `$at`: r10 is the place of the next fourth row, r9d blocks are left.
macro_rules! after {
    ($at:literal) => { concat!(
        "add rsi,64\n lea r10,[rsp+", $at, "+32]\n lea rax,[rsp+", $at, "+64]\n cmp r9d,2\n cmove r10,rax\n dec r9d\n jnz 2b\n",
    ) };
}

/// The root of a tree of two chunks at rsi, or what is below it.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn two(mode: *const Mode, input: *const u8, counter: u64, out: *mut Cv, root: u32) {
    core::arch::naked_asm!(
        concat!(
            room!("128"),
            kinds!(), fourth!(0),
            "vbroadcasti128 ymm0,[rdi+{key}]\n vbroadcasti128 ymm1,[rdi+{key}+16]\n",
            "lea r10,[rsp]\n mov r9d,{blocks}\n .p2align 4\n 2:\n",
            "vbroadcasti128 ymm2,[rip+{iv}]\n vmovdqa ymm3,[r10]\n",
            inputs!(0 "{chunk}"), first!(),
            all!(one),
            fold!(0 2 1 3),
            after!(0), no_room!(), "jmp {ends}\n .cfi_endproc\n",
        ),
        ends = sym ends,
        iv = sym IV,
        rotations = sym ROTATIONS,
        key = const offset_of!(Mode, key),
        flags = const offset_of!(Mode, flags),
        block = const BLOCK_LEN,
        blocks = const CHUNK_BLOCKS,
        chunk = const CHUNK_LEN,
        start = const flags::CHUNK_START,
        end = const flags::CHUNK_END,
    )
}

/// The same of four chunks.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn four(mode: *const Mode, input: *const u8, counter: u64, out: *mut Cv, root: u32) {
    core::arch::naked_asm!(
        concat!(
            room!("1984"),
            kinds!(), fourth!(1792), fourth!(1888),
            "vbroadcasti128 ymm0,[rdi+{key}]\n vbroadcasti128 ymm1,[rdi+{key}+16]\n vmovdqa ymm4,ymm0\n vmovdqa ymm5,ymm1\n",
            "lea r10,[rsp+1792]\n mov r9d,{blocks}\n .p2align 4\n 2:\n",
            "vbroadcasti128 ymm2,[rip+{iv}]\n vmovdqa ymm6,ymm2\n vmovdqa ymm3,[r10]\n vmovdqa ymm7,[r10+96]\n",
            inputs!("2*{chunk}" "{chunk}"), first!(), to_frame!(1), inputs!(0 "{chunk}"), first!(), to_frame!(0),
            all!(two),
            fold!(0 2 1 3 4 6 5 7),
            after!(1792), no_room!(),
            join!(),
            "jmp {pair}\n .cfi_endproc\n",
        ),
        pair = sym pair,
        iv = sym IV,
        two_groups = sym two_groups,
        key = const offset_of!(Mode, key),
        flags = const offset_of!(Mode, flags),
        block = const BLOCK_LEN,
        blocks = const CHUNK_BLOCKS,
        chunk = const CHUNK_LEN,
        start = const flags::CHUNK_START,
        end = const flags::CHUNK_END,
    )
}
