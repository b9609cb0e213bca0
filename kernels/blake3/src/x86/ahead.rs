//! Full blocks one after the other, by [`super::shifts`], whose message words lie ready in
//! memory, as rows: while vectors do the rounds of a block, general registers copy the words
//! of the next one.
//!
//! On Zen 4 the pairs of shifts are what a block waits for. Shuffles that make words need
//! the same pipes: with them a block takes 195 cycles, without 175 (bound 168). Copies are
//! 112 loads and as many stores, of which one goes to the cache in a cycle.
//!
//! The first block's words are made by shuffles, since a row's load would wait until the
//! four stores before it reach the cache.

use super::super::constants::{BLOCK_LEN, IV};

/// Copies words of the block at rsi to the rows at r11 + `$at`: their places, then their numbers.
/// It stands behind the load of those rows, so one frame is enough.
macro_rules! copy {
    ($at:literal $($o:literal $w:literal)*) => { concat!($("mov eax,[rsi+4*", $w, "]\n mov [r11+", $at, "+", $o, "],eax\n",)*) };
}

/// A round whose words are in registers, while the words of the same round of the next block are
/// copied.
macro_rules! round_first {
    (($at:literal $($r:literal)*)
     $m0:literal $m1:literal $m2:literal $m3:literal $m4:literal $m5:literal $m6:literal $m7:literal
     $m8:literal $m9:literal $m10:literal $m11:literal $m12:literal $m13:literal $m14:literal $m15:literal) => {
        round_by_shifts!("xmm" $($r)*
            copy!($at 0 $m0 4 $m2 8 $m4), copy!($at 12 $m6 16 $m1 20 $m3), copy!($at 24 $m5 28 $m7),
            copy!($at 32 $m14 36 $m8 40 $m10), copy!($at 44 $m12 48 $m15 52 $m9), copy!($at 56 $m11 60 $m13))
    };
}

/// The same with words in the rows at r11, which make room for the copies.
macro_rules! round_ahead {
    (($at:literal)
     $m0:literal $m1:literal $m2:literal $m3:literal $m4:literal $m5:literal $m6:literal $m7:literal
     $m8:literal $m9:literal $m10:literal $m11:literal $m12:literal $m13:literal $m14:literal $m15:literal) => { concat!(
        half_by_shifts!(ready "xmm" 0x93 0x39 0x4e concat!("[r11+", $at, "]"), concat!("[r11+", $at, "+16]"),
            copy!($at 0 $m0 4 $m2 8 $m4), copy!($at 12 $m6 16 $m1 20 $m3), copy!($at 24 $m5 28 $m7)),
        half_by_shifts!(ready "xmm" 0x39 0x93 0x4e concat!("[r11+", $at, "+32]"), concat!("[r11+", $at, "+48]"),
            copy!($at 32 $m14 36 $m8 40 $m10), copy!($at 44 $m12 48 $m15 52 $m9), copy!($at 56 $m11 60 $m13)),
    ) };
}

/// Chains r11 full blocks, 2 or more, at rsi, and leaves rsi behind them. The chaining value is in
/// xmm0 and xmm1, the counter in rcx; the flags of the first block are in eax, of the others in
/// r10d. Masks are those of [`super::shifts`]. Behind the last block nothing is read: it is
/// copied again as its own successor.
///
/// # Safety
/// Only assembly may call it: it follows no ABI. It uses rax, r11 and vector registers.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn blocks() {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n push rbp\n .cfi_def_cfa_offset 16\n .cfi_offset rbp,-16\n",
            "mov rbp,rsp\n .cfi_def_cfa_register rbp\n push rbx\n .cfi_offset rbx,-24\n",
            "mov rbx,r11\n and rsp,-64\n sub rsp,448\n mov r11d,{block}\n",
            "vmovq xmm24,rcx\n vmovd xmm3,r10d\n vmovd xmm2,r11d\n vpunpckldq xmm3,xmm2,xmm3\n",
            "vpunpcklqdq xmm24,xmm24,xmm3\n",
            "vmovq xmm3,rcx\n vpinsrd xmm3,xmm3,r11d,2\n vpinsrd xmm3,xmm3,eax,3\n vmovdqu xmm2,[rip+{iv}]\n",
            "vmovdqu xmm4,[rsi]\n vmovdqu xmm5,[rsi+16]\n vmovdqu xmm6,[rsi+32]\n vmovdqu xmm7,[rsi+48]\n",
            "add rsi,{block}\n mov r11,rsp\n",
            first!("xmm" 4 5 6 7 8 9 10 11),
            rounds!(round_first (0 8 9 10 11 16 17 18 19) (64 16 17 18 19 8 9 10 11) (128 8 9 10 11 16 17 18 19)
                (192 16 17 18 19 8 9 10 11) (256 8 9 10 11 16 17 18 19) (320 16 17 18 19 8 9 10 11) (384 8 9 10 11)),
            "vpxor xmm0,xmm0,xmm2\n vpxor xmm1,xmm1,xmm3\n dec rbx\n",
            ".p2align 6\n 2:\n lea rax,[rsi+{block}]\n cmp rbx,1\n cmovne rsi,rax\n",
            "vmovdqa32 xmm3,xmm24\n vmovdqu xmm2,[rip+{iv}]\n",
            rounds!(round_ahead (0) (64) (128) (192) (256) (320) (384)),
            "vpxor xmm0,xmm0,xmm2\n vpxor xmm1,xmm1,xmm3\n dec rbx\n jnz 2b\n",
            "add rsi,{block}\n",
            "mov rbx,[rbp-8]\n .cfi_restore rbx\n mov rsp,rbp\n pop rbp\n .cfi_def_cfa rsp,8\n ret\n .cfi_endproc\n",
        ),
        iv = sym IV,
        block = const BLOCK_LEN,
    )
}
