//! Four lanes of 128 bits: inputs of jobs. The rounds are those of output too, for AVX2
//! ([`super::xof`]).
//!
//! Sixteen registers hold fifteen words of state and what rotations need. One of the
//! words `c` is in memory while others rotate. Between blocks, chaining values are in
//! the frame, so that all registers are free for the transposition.

use super::super::rows::ROTATIONS;
use crate::constants::IV;
use crate::job::{Job, LANES};
use core::mem::offset_of;

/// One instruction for AVX2 or for SSE4.1. Registers are given by number, memory in
/// brackets.
macro_rules! op {
    (avx2 $op:literal $a:literal [$($m:literal)*]) => { concat!("v", $op, " ymm", $a, ",ymm", $a, ",[", $($m,)* "]\n") };
    (avx2 $op:literal $a:literal $b:literal) => { concat!("v", $op, " ymm", $a, ",ymm", $a, ",ymm", $b, "\n") };
    (avx2 $op:literal $to:literal $a:literal $b:literal) => { concat!("v", $op, " ymm", $to, ",ymm", $a, ",ymm", $b, "\n") };
    (avx2 ror $a:literal $n:literal $rest:literal) => { concat!(
        "vpsrld ymm15,ymm", $a, ",", $n, "\n vpslld ymm", $a, ",ymm", $a, ",", $rest, "\n",
        "vpor ymm", $a, ",ymm", $a, ",ymm15\n",
    ) };
    (avx2 load $a:literal [$($m:literal)*]) => { concat!("vmovdqu ymm", $a, ",[", $($m,)* "]\n") };
    (avx2 store $a:literal [$($m:literal)*]) => { concat!("vmovdqu [", $($m,)* "],ymm", $a, "\n") };
    (avx2 broadcast $a:literal [$($m:literal)*]) => { concat!("vpbroadcastd ymm", $a, ",[", $($m,)* "]\n") };
    (sse41 $op:literal $a:literal [$($m:literal)*]) => { concat!($op, " xmm", $a, ",[", $($m,)* "]\n") };
    (sse41 $op:literal $a:literal $b:literal) => { concat!($op, " xmm", $a, ",xmm", $b, "\n") };
    (sse41 $op:literal $to:literal $a:literal $b:literal) => { concat!("movdqa xmm", $to, ",xmm", $a, "\n ", $op, " xmm", $to, ",xmm", $b, "\n") };
    (sse41 ror $a:literal $n:literal $rest:literal) => { concat!(
        "movdqa xmm15,xmm", $a, "\n psrld xmm15,", $n, "\n pslld xmm", $a, ",", $rest, "\n por xmm", $a, ",xmm15\n",
    ) };
    (sse41 load $a:literal [$($m:literal)*]) => { concat!("movdqu xmm", $a, ",[", $($m,)* "]\n") };
    (sse41 store $a:literal [$($m:literal)*]) => { concat!("movdqu [", $($m,)* "],xmm", $a, "\n") };
    (sse41 broadcast $a:literal [$($m:literal)*]) => { concat!("movd xmm", $a, ",[", $($m,)* "]\n pshufd xmm", $a, ",xmm", $a, ",0\n") };
}

/// Quarter rounds of four columns: registers of a, b, c and d, then the two message
/// words of `$w` bytes. The last column has its `c` in memory, at word 16 of the frame,
/// except between a sum and the exclusive-or after it. So register 15 is free when
/// rotations need one, and all four chains run side by side.
macro_rules! columns {
    ($isa:ident $w:literal $(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal))*
     last $a3:literal $b3:literal $d3:literal $x3:literal $y3:literal) => { concat!(
        $(op!($isa "paddd" $a ["rsp+" $w "*" $x]),)* op!($isa "paddd" $a3 ["rsp+" $w "*" $x3]),
        $(op!($isa "paddd" $a $b),)* op!($isa "paddd" $a3 $b3),
        $(op!($isa "pxor" $d $a),)* op!($isa "pxor" $d3 $a3),
        op!($isa load 15 ["rsp+16*" $w]),
        $(op!($isa "pshufb" $d ["rip+{rotations}"]),)* op!($isa "pshufb" $d3 ["rip+{rotations}"]),
        $(op!($isa "paddd" $c $d),)* op!($isa "paddd" 15 $d3),
        $(op!($isa "paddd" $a ["rsp+" $w "*" $y]),)* op!($isa "paddd" $a3 ["rsp+" $w "*" $y3]),
        $(op!($isa "pxor" $b $c),)* op!($isa "pxor" $b3 15), op!($isa store 15 ["rsp+16*" $w]),
        $(op!($isa ror $b 12 20),)* op!($isa ror $b3 12 20),
        $(op!($isa "paddd" $a $b),)* op!($isa "paddd" $a3 $b3),
        $(op!($isa "pxor" $d $a),)* op!($isa "pxor" $d3 $a3),
        op!($isa load 15 ["rsp+16*" $w]),
        $(op!($isa "pshufb" $d ["rip+{rotations}+32"]),)* op!($isa "pshufb" $d3 ["rip+{rotations}+32"]),
        $(op!($isa "paddd" $c $d),)* op!($isa "paddd" 15 $d3),
        $(op!($isa "pxor" $b $c),)* op!($isa "pxor" $b3 15), op!($isa store 15 ["rsp+16*" $w]),
        $(op!($isa ror $b 7 25),)* op!($isa ror $b3 7 25),
    ) };
}

/// A round: a in registers 0 to 3, b in 4 to 7, d in 8 to 11, c0 to c2 in 12 to 14, c3
/// at word 16 of the frame.
macro_rules! round {
    (($isa:ident $w:literal)
     $m0:literal $m1:literal $m2:literal $m3:literal $m4:literal $m5:literal $m6:literal $m7:literal
     $m8:literal $m9:literal $m10:literal $m11:literal $m12:literal $m13:literal $m14:literal $m15:literal) => { concat!(
        karat_hash_core::hop!(),
        columns!($isa $w (0 4 12 8 $m0 $m1) (1 5 13 9 $m2 $m3) (2 6 14 10 $m4 $m5) last 3 7 11 $m6 $m7),
        karat_hash_core::hop!(),
        columns!($isa $w (0 5 14 11 $m8 $m9) (2 7 12 9 $m12 $m13) (3 4 13 10 $m14 $m15) last 1 6 8 $m10 $m11),
    ) };
}

/// Transposes rows in registers 0 to 3 (`$i`...) within 128 bits, to 4 other registers.
macro_rules! four {
    ($isa:ident $a:literal $b:literal $c:literal $d:literal $p:literal $q:literal $r:literal $s:literal) => { concat!(
        op!($isa "punpckldq" $p $a $b), op!($isa "punpckhdq" $q $a $b),
        op!($isa "punpckldq" $r $c $d), op!($isa "punpckhdq" $s $c $d),
        op!($isa "punpcklqdq" $a $p $r), op!($isa "punpckhqdq" $b $p $r),
        op!($isa "punpcklqdq" $c $q $s), op!($isa "punpckhqdq" $d $q $s),
    ) };
}

/// Transposes eight registers of eight words, from 0 to 7 to 8 to 15.
macro_rules! eight {
    () => { concat!(
        four!(avx2 0 1 2 3 8 9 10 11), four!(avx2 4 5 6 7 8 9 10 11),
        eight!(@ 8 12 0 4), eight!(@ 9 13 1 5), eight!(@ 10 14 2 6), eight!(@ 11 15 3 7),
    ) };
    (@ $low:literal $high:literal $a:literal $b:literal) => { concat!(
        "vperm2i128 ymm", $low, ",ymm", $a, ",ymm", $b, ",0x20\n",
        "vperm2i128 ymm", $high, ",ymm", $a, ",ymm", $b, ",0x31\n",
    ) };
}

/// Loads rows of the inputs of `$isa` lanes at `r9 + $o`.
macro_rules! rows {
    ($isa:ident $o:literal $($r:literal)*) => { concat!($(
        "mov rax,[rdi+2*rdx+{inputs}+8*", $r, "]\n", op!($isa load $r ["rax+r9+" $o]),
    )*) };
}

macro_rules! stores {
    ($isa:ident $base:literal $w:literal $($r:literal $i:literal)*) => { concat!($(
        op!($isa store $r [$base "+" $w "*" $i]),
    )*) };
}

macro_rules! loads {
    ($isa:ident $base:literal $w:literal $($r:literal $i:literal)*) => { concat!($(
        op!($isa load $r [$base "+" $w "*" $i]),
    )*) };
}

macro_rules! broadcasts {
    ($isa:ident $base:literal $($r:literal)*) => { concat!($(op!($isa broadcast $r [$base "+4*" $r]),)*) };
}

/// Transposes one block's words to the front of the frame.
macro_rules! message {
    (sse41) => { concat!(
        rows!(sse41 0 0 1 2 3), four!(sse41 0 1 2 3 4 5 6 7), stores!(sse41 "rsp" 16 0 0 1 1 2 2 3 3),
        rows!(sse41 16 0 1 2 3), four!(sse41 0 1 2 3 4 5 6 7), stores!(sse41 "rsp" 16 0 4 1 5 2 6 3 7),
        rows!(sse41 32 0 1 2 3), four!(sse41 0 1 2 3 4 5 6 7), stores!(sse41 "rsp" 16 0 8 1 9 2 10 3 11),
        rows!(sse41 48 0 1 2 3), four!(sse41 0 1 2 3 4 5 6 7), stores!(sse41 "rsp" 16 0 12 1 13 2 14 3 15),
    ) };
}

/// Writes chaining values in registers 0 to 7 to `out` at rax.
macro_rules! pack {
    (avx2) => { concat!(eight!(), stores!(avx2 "rax" 32 8 0 9 1 10 2 11 3 12 4 13 5 14 6 15 7)) };
    (sse41) => { concat!(
        four!(sse41 0 1 2 3 8 9 10 11), four!(sse41 4 5 6 7 8 9 10 11),
        stores!(sse41 "rax" 16 0 0 4 1 1 2 5 3 2 4 6 5 3 6 7 7),
    ) };
}

/// A body with `$w` bytes a register. Frame, in units of `$w`: message 0 to 15,
/// c3 16, chaining values from 17 on.
macro_rules! body {
    ($name:ident $isa:ident $w:literal $end:literal) => {
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(job: *mut Job, blocks: usize, lane4: usize) {
            core::arch::naked_asm!(
                concat!(
                    ".cfi_startproc\n push rbp\n .cfi_def_cfa_offset 16\n .cfi_offset rbp,-16\n",
                    "mov rbp,rsp\n .cfi_def_cfa_register rbp\n and rsp,-64\n sub rsp,", $w, "*25+64\n and rsp,-64\n",
                    "xor r9d,r9d\n lea rcx,[rdi+rdx+{flags}]\n",
                    "mov rax,[rdi+{key}]\n test rax,rax\n jz 2f\n",
                    broadcasts!($isa "rax" 0 1 2 3 4 5 6 7), "jmp 3f\n",
                    "2:\n mov rax,[rdi+{cv}]\n", loads!($isa "rax+rdx" 64 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
                    "3:\n",
                    stores!($isa "rsp" $w 0 17 1 18 2 19 3 20 4 21 5 22 6 23 7 24),
                    "4:\n cmp rsi,1\n lea rax,[rdi+rdx+{flags}+128]\n cmove rcx,rax\n",
                    "lea r8,[rdi+rdx+{lens}]\n lea rax,[rdi+rdx+{lens}+64]\n cmove r8,rax\n",
                    message!($isa),
                    op!($isa broadcast 12 ["rip+{iv}+12"]), op!($isa store 12 ["rsp+16*" $w]),
                    op!($isa broadcast 12 ["rip+{iv}"]), op!($isa broadcast 13 ["rip+{iv}+4"]), op!($isa broadcast 14 ["rip+{iv}+8"]),
                    op!($isa load 8 ["rdi+rdx+{counter}"]), op!($isa load 9 ["rdi+rdx+{counter}+64"]),
                    op!($isa load 10 ["r8"]), op!($isa load 11 ["rcx"]),
                    loads!($isa "rsp" $w 0 17 1 18 2 19 3 20 4 21 5 22 6 23 7 24),
                    rounds!(round ($isa $w) ($isa $w) ($isa $w) ($isa $w) ($isa $w) ($isa $w) ($isa $w)),
                    op!($isa "pxor" 0 12), op!($isa "pxor" 1 13), op!($isa "pxor" 2 14),
                    op!($isa load 15 ["rsp+16*" $w]), op!($isa "pxor" 3 15),
                    op!($isa "pxor" 4 8), op!($isa "pxor" 5 9), op!($isa "pxor" 6 10), op!($isa "pxor" 7 11),
                    stores!($isa "rsp" $w 0 17 1 18 2 19 3 20 4 21 5 22 6 23 7 24),
                    "add r9,64\n lea rcx,[rdi+rdx+{flags}+64]\n dec rsi\n jnz 4b\n",
                    "mov rax,[rdi+{out}]\n test rax,rax\n jz 5f\n lea rax,[rax+8*rdx]\n",
                    pack!($isa), "jmp 6f\n",
                    "5:\n mov rax,[rdi+{cv}]\n", stores!($isa "rax+rdx" 64 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
                    "6:\n", $end, "mov rsp,rbp\n pop rbp\n .cfi_def_cfa rsp,8\n ret\n .cfi_endproc\n",
                ),
                iv = sym IV,
                rotations = sym ROTATIONS,
                counter = const offset_of!(Job, counter),
                lens = const offset_of!(Job, lens),
                flags = const offset_of!(Job, flags),
                inputs = const offset_of!(Job, inputs),
                key = const offset_of!(Job, key),
                out = const offset_of!(Job, out),
                cv = const offset_of!(Job, cv),
            )
        }
    };
}

body!(lanes4 sse41 16 "");

/// Runs four lanes a register.
///
/// # Safety
/// The same conditions as for [`crate::body::Advance`], and the CPU must have
/// SSE4.1.
pub(crate) unsafe fn sse41(jobs: &mut [Job], blocks: usize, used: usize) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { each(jobs, used, 4, |job, lane4| lanes4(job, blocks, lane4)) }
}

/// Calls `body` once for every `width` lanes, with four times the number of the first
/// lane.
fn each(jobs: &mut [Job], used: usize, width: usize, body: impl Fn(*mut Job, usize)) {
    for lane in (0..used).step_by(width) {
        body(&mut jobs[lane / LANES], 4 * (lane % LANES));
    }
}
