//! Extended output, with the rounds of [`super::lanes`].
//!
//! All lanes have the same block, so its words are broadcast to the frame once, and stay
//! there for all groups. Nothing is transposed but the output. One block after the other
//! is a chain of 196 cycles each (Zen 3); eight in lanes are 280 by operations.

use super::super::rows::ROTATIONS;
use super::super::xof_groups::{by_groups, low_words_fit};
use crate::body::XofJob;
use crate::constants::{BLOCK_LEN, IV};
use core::mem::offset_of;

static LANE_NUMBERS: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

/// The counter's low word, eax, in all lanes.
macro_rules! spread {
    (avx2 $r:literal) => { concat!("vmovd xmm", $r, ",eax\n vpbroadcastd ymm", $r, ",xmm", $r, "\n") };
    (sse41 $r:literal) => { concat!("movd xmm", $r, ",eax\n pshufd xmm", $r, ",xmm", $r, ",0\n") };
}

/// Broadcasts words number `$i` of the block at r9 to the frame.
macro_rules! words {
    ($isa:ident $w:literal $($r:literal $i:literal)*) => { concat!(
        $(op!($isa broadcast $r ["r9+4*" $i]),)* stores!($isa "rsp" $w $($r $i)*),
    ) };
}

/// Exclusive ors of registers with words in the frame.
macro_rules! xors {
    ($isa:ident $w:literal $($r:literal $i:literal)*) => { concat!($(op!($isa "pxor" $r ["rsp+" $w "*" $i]),)*) };
}

/// Writes eight words of all lanes, in registers 0 to 7, to rsi + `$at`: half a block each.
macro_rules! half {
    (avx2 $at:literal) => { concat!(eight!(), half!(@ avx2 $at 8 0 9 1 10 2 11 3 12 4 13 5 14 6 15 7)) };
    (sse41 $at:literal) => { concat!(
        four!(sse41 0 1 2 3 8 9 10 11), four!(sse41 4 5 6 7 8 9 10 11),
        half!(@ sse41 $at 0 0 1 1 2 2 3 3), half!(@ sse41 [16] $at 4 0 5 1 6 2 7 3),
    ) };
    (@ $isa:ident [16] $at:literal $($r:literal $i:literal)*) => { concat!($(op!($isa store $r ["rsi+16+" $at "+64*" $i]),)*) };
    (@ $isa:ident $at:literal $($r:literal $i:literal)*) => { concat!($(op!($isa store $r ["rsi+" $at "+64*" $i]),)*) };
}

/// A body of `$lanes` lanes with `$w` bytes a register. It makes `groups` times as many
/// blocks, at least once. Frame, in units of `$w`: message 0 to 15, c3 16, the upper halves
/// of the output 17 to 24, the chaining value from 25 on.
macro_rules! body {
    ($name:ident $isa:ident $w:literal $lanes:literal $end:literal) => {
        #[unsafe(naked)]
        pub(crate) unsafe extern "sysv64" fn $name(job: *const XofJob, out: *mut u8, groups: usize) {
            core::arch::naked_asm!(
                concat!(
                    ".cfi_startproc\n push rbp\n .cfi_def_cfa_offset 16\n .cfi_offset rbp,-16\n",
                    "mov rbp,rsp\n .cfi_def_cfa_register rbp\n and rsp,-64\n sub rsp,", $w, "*33+64\n and rsp,-64\n",
                    "mov r8,[rdi+{cv}]\n mov r9,[rdi+{block}]\n mov eax,[rdi+{counter}]\n",
                    words!($isa $w 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7), words!($isa $w 8 8 9 9 10 10 11 11 12 12 13 13 14 14 15 15),
                    broadcasts!($isa "r8" 0 1 2 3 4 5 6 7),
                    stores!($isa "rsp" $w 0 25 1 26 2 27 3 28 4 29 5 30 6 31 7 32),
                    ".p2align 4\n 2:\n",
                    op!($isa broadcast 12 ["rip+{iv}+12"]), op!($isa store 12 ["rsp+16*" $w]),
                    op!($isa broadcast 12 ["rip+{iv}"]), op!($isa broadcast 13 ["rip+{iv}+4"]), op!($isa broadcast 14 ["rip+{iv}+8"]),
                    spread!($isa 8), op!($isa load 15 ["rip+{lanes}"]), op!($isa "paddd" 8 15), op!($isa broadcast 9 ["rdi+{counter}+4"]),
                    op!($isa broadcast 10 ["rdi+{len}"]), op!($isa broadcast 11 ["rdi+{flags}"]),
                    loads!($isa "rsp" $w 0 25 1 26 2 27 3 28 4 29 5 30 6 31 7 32),
                    rounds!(round ($isa $w) ($isa $w) ($isa $w) ($isa $w) ($isa $w) ($isa $w) ($isa $w)),
                    op!($isa "pxor" 0 12), op!($isa "pxor" 1 13), op!($isa "pxor" 2 14),
                    op!($isa load 15 ["rsp+16*" $w]), op!($isa "pxor" 3 15),
                    op!($isa "pxor" 4 8), op!($isa "pxor" 5 9), op!($isa "pxor" 6 10), op!($isa "pxor" 7 11),
                    xors!($isa $w 12 25 13 26 14 27 15 28 8 29 9 30 10 31 11 32),
                    stores!($isa "rsp" $w 12 17 13 18 14 19 15 20 8 21 9 22 10 23 11 24),
                    half!($isa 0),
                    loads!($isa "rsp" $w 0 17 1 18 2 19 3 20 4 21 5 22 6 23 7 24),
                    half!($isa 32),
                    "add eax,", $lanes, "\n add rsi,64*", $lanes, "\n dec rdx\n jnz 2b\n",
                    $end, "mov rsp,rbp\n pop rbp\n .cfi_def_cfa rsp,8\n ret\n .cfi_endproc\n",
                ),
                iv = sym IV,
                lanes = sym LANE_NUMBERS,
                rotations = sym ROTATIONS,
                block = const offset_of!(XofJob, block),
                cv = const offset_of!(XofJob, cv),
                counter = const offset_of!(XofJob, counter),
                len = const offset_of!(XofJob, len),
                flags = const offset_of!(XofJob, flags),
            )
        }
    };
}

body!(xof8 avx2 32 8 "vzeroupper\n");
body!(xof4 sse41 16 4 "");

/// Makes blocks from the front of `out`, and returns how many: see [`by_groups`]. Where the
/// low words of counters overflow it is none.
///
/// Unsafe: the CPU must have AVX2.
#[inline]
pub(crate) unsafe fn xof_avx2(job: &XofJob, out: &mut [[u8; BLOCK_LEN]]) -> usize {
    if !low_words_fit::<8>(job, out.len()) {
        return 0;
    }
    // SAFETY: the caller's CPU has the ISA, and there is room for the groups.
    by_groups::<8>(job, out, |job, out, groups| unsafe { xof8(job, out, groups) })
}

/// The same. Unsafe: the CPU must have SSE4.1.
#[inline]
pub(crate) unsafe fn xof_sse41(job: &XofJob, out: &mut [[u8; BLOCK_LEN]]) -> usize {
    if !low_words_fit::<4>(job, out.len()) {
        return 0;
    }
    // SAFETY: for the same reasons as in `xof_avx2`.
    by_groups::<4>(job, out, |job, out, groups| unsafe { xof4(job, out, groups) })
}
