//! Up to two inputs, each in a 128-bit half of a register. A register holds one row of
//! each state, so a half round is one chain of 14 operations and nothing is transposed.
//! Four inputs are two such groups, whose chains run side by side.
//!
//! The limit of two inputs is latency: 196 cycles a block. Four inputs are 750 operations,
//! on four units (Zen 3) 188 cycles ([`super::two`]). Eight lanes take 254
//! ([`super::eight`]).
//!
//! It is [`super::super::avx512_rows`] with half the width.

use crate::constants::IV;
use crate::job::{Job, LANES};
use super::super::rows::ROTATIONS;
use super::two::two_groups;
use core::mem::offset_of;

/// Makes a group's message words of the first round in registers 8 to 11, from words 0-3, 4-7,
/// 8-11 and 12-15 in four registers: those (then 12 to 15 are free), or others.
macro_rules! first {
    () => { concat!(
        "vshufps ymm12,ymm8,ymm9,0x88\n vshufps ymm13,ymm8,ymm9,0xdd\n",
        "vshufps ymm14,ymm10,ymm11,0x88\n vshufps ymm15,ymm10,ymm11,0xdd\n",
        "vmovdqa ymm8,ymm12\n vmovdqa ymm9,ymm13\n",
        "vpshufd ymm10,ymm14,0x93\n vpshufd ymm11,ymm15,0x93\n",
    ) };
    ($i:literal $j:literal $k:literal $l:literal) => { concat!(
        "vshufps ymm8,ymm", $i, ",ymm", $j, ",0x88\n vshufps ymm9,ymm", $i, ",ymm", $j, ",0xdd\n",
        "vshufps ymm10,ymm", $k, ",ymm", $l, ",0x88\n vshufps ymm11,ymm", $k, ",ymm", $l, ",0xdd\n",
        "vpshufd ymm10,ymm10,0x93\n vpshufd ymm11,ymm11,0x93\n",
    ) };
}

/// Stores the first round's message words of group `$g` (0 or 1) for [`two_groups`].
macro_rules! to_frame {
    ($g:literal) => { concat!(
        to_frame!(@ $g 0 8), to_frame!(@ $g 32 9), to_frame!(@ $g 64 10), to_frame!(@ $g 96 11),
    ) };
    (@ $g:literal $o:literal $r:literal) => { concat!("vmovdqa [rsp+128*", $g, "+", $o, "],ymm", $r, "\n") };
}

/// Makes a group's message words of the next round in place of m, n, o and p:
/// s = m1 n1 n3 m2, t = m3 o2 m0 p3, u = p0 n0 o3 p1, v = o1 p2 n2 o0. They are in registers
/// 8 to 11.
macro_rules! permute {
    () => { concat!(
        "vshufps ymm12,ymm8,ymm9,0xd9\n vpshufd ymm13,ymm8,0x03\n vpshufd ymm8,ymm12,0x78\n",
        "vshufps ymm12,ymm10,ymm11,0xfa\n",
        "vpunpcklqdq ymm14,ymm11,ymm9\n vpblendd ymm14,ymm14,ymm10,0x88\n",
        "vpunpckhdq ymm15,ymm9,ymm11\n vpunpckldq ymm15,ymm10,ymm15\n",
        "vpblendd ymm9,ymm12,ymm13,0x55\n vpshufd ymm10,ymm14,0x78\n vpshufd ymm11,ymm15,0x1e\n",
    ) };
}

/// The left part of what [`turn`] makes.
macro_rules! early {
    ($left:literal) => { concat!("vpslld ymm13,ymm1,", $left, "\n") };
}

/// Row b by an exclusive or with row c and a rotation to the right. On Zen 3 two shifts of one
/// register seldom begin in the same cycle. So one of them is of c and of an early b: two
/// operations more, and a cycle less for what waits.
macro_rules! turn {
    ($right:literal $left:literal) => { concat!(
        "vpslld ymm12,ymm2,", $left, "\n vpxor ymm1,ymm1,ymm2\n vpsrld ymm1,ymm1,", $right, "\n",
        "vpxor ymm13,ymm13,ymm12\n vpor ymm1,ymm1,ymm13\n",
    ) };
}

/// A half round of one group: its message words, and how `a`, `c` and `d` move for the next.
macro_rules! half {
    ($am:literal $cm:literal $dm:literal $x:literal $y:literal) => { concat!(
        "vpaddd ymm0,ymm0,ymm", $x, "\n vpaddd ymm0,ymm0,ymm1\n", early!(20),
        "vpxor ymm3,ymm3,ymm0\n vpshufb ymm3,ymm3,ymm4\n",
        "vpaddd ymm0,ymm0,ymm", $y, "\n vpaddd ymm2,ymm2,ymm3\n", turn!(12 20),
        "vpaddd ymm0,ymm0,ymm1\n", early!(25), "vpxor ymm3,ymm3,ymm0\n",
        "vpshufb ymm3,ymm3,ymm5\n vpshufd ymm0,ymm0,", $am, "\n",
        "vpaddd ymm2,ymm2,ymm3\n vpshufd ymm3,ymm3,", $dm, "\n", turn!(7 25),
        "vpshufd ymm2,ymm2,", $cm, "\n",
    ) };
}

/// All rounds, of one group here and of two in [`two_groups`]. They are a loop: a level of
/// parents is one block, and unrolled its code would be read from memory for it each time.
/// rax and r11 are free, and registers 4 and 5 where there is one group.
macro_rules! all {
    (one) => { concat!(
        "vmovdqa ymm4,[rip+{rotations}]\n vmovdqa ymm5,[rip+{rotations}+32]\n",
        "mov eax,7\n .p2align 4\n 4:\n",
        half!(0x93 0x39 0x4e 8 9), half!(0x39 0x93 0x4e 10 11),
        "dec eax\n jz 5f\n", permute!(), "jmp 4b\n 5:\n",
    ) };
    (two) => { "mov rax,rsp\n call {two_groups}\n" };
}

/// Loads blocks of two inputs from number `$n` on: words 0-3, 4-7, 8-11 and 12-15 to
/// registers 8 to 11, an input in each half. Loads are 16 bytes, like the stores of
/// [`put!`]: a wider load would wait until they reach the cache.
macro_rules! load {
    ($n:literal) => { concat!(
        "mov rax,[rdi+r10+{inputs}+8*", $n, "]\n mov r9,[rdi+r10+{inputs}+8*", $n, "+8]\n",
        load!(@ 0 8), load!(@ 16 9), load!(@ 32 10), load!(@ 48 11),
    ) };
    (@ $o:literal $r:literal) => { concat!(
        "vmovdqu xmm", $r, ",[rax+rdx+", $o, "]\n vinserti128 ymm", $r, ",ymm", $r, ",[r9+rdx+", $o, "],1\n",
    ) };
}

/// Makes third and fourth row of the two lanes from `$n` on.
macro_rules! lower {
    ($n:literal $c:literal $d:literal) => { concat!(
        "vbroadcasti128 ymm", $c, ",[rip+{iv}]\n",
        "vmovd xmm", $d, ",[rdi+{counter}+4*", $n, "]\n vpinsrd xmm", $d, ",xmm", $d, ",[rdi+{counter}+64+4*", $n, "],1\n",
        "vpinsrd xmm", $d, ",xmm", $d, ",[r8+4*", $n, "],2\n vpinsrd xmm", $d, ",xmm", $d, ",[rcx+4*", $n, "],3\n",
        "vmovd xmm12,[rdi+{counter}+4+4*", $n, "]\n vpinsrd xmm12,xmm12,[rdi+{counter}+68+4*", $n, "],1\n",
        "vpinsrd xmm12,xmm12,[r8+4+4*", $n, "],2\n vpinsrd xmm12,xmm12,[rcx+4+4*", $n, "],3\n",
        "vinserti128 ymm", $d, ",ymm", $d, ",xmm12,1\n",
    ) };
}

/// Stores chaining values of two lanes from `$n` on to rax.
macro_rules! put {
    ($n:literal $a:literal $b:literal) => { concat!(
        "vmovdqu [rax+32*", $n, "],xmm", $a, "\n vmovdqu [rax+32*", $n, "+16],xmm", $b, "\n",
        "vextracti128 [rax+32*", $n, "+32],ymm", $a, ",1\n vextracti128 [rax+32*", $n, "+48],ymm", $b, ",1\n",
    ) };
}

/// A body for `$n` groups. The other arguments are assembly text for all of them.
macro_rules! rows {
    ($name:ident $n:ident $frame:literal ($($key:tt)*) ($($blocks:tt)*) ($($fold:tt)*) ($($put:tt)*) ($($symbol:tt)*)) => {
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(job: *const Job, blocks: usize, lane4: usize) {
            core::arch::naked_asm!(
                concat!(
                    ".cfi_startproc\n push rbp\n .cfi_def_cfa_offset 16\n .cfi_offset rbp,-16\n",
                    "mov rbp,rsp\n .cfi_def_cfa_register rbp\n and rsp,-64\n sub rsp,", $frame, "\n",
                    "mov rax,[rdi+{key}]\n", $($key)*,
                    // The job's rows from this lane on; of addresses it is as far again.
                    "mov r10,rdx\n add rdi,rdx\n",
                    "xor edx,edx\n lea rcx,[rdi+{flags}]\n .p2align 4\n 2:\n",
                    // Selects lengths and flags: of the last block or not.
                    "lea r8,[rdi+{lens}]\n cmp rsi,1\n jne 3f\n",
                    "add r8,64\n lea rcx,[rdi+{flags}+128]\n 3:\n",
                    $($blocks)*,
                    all!($n),
                    $($fold)*,
                    "add rdx,64\n lea rcx,[rdi+{flags}+64]\n dec rsi\n jnz 2b\n",
                    "sub rdi,r10\n mov rax,[rdi+{out}]\n lea rax,[rax+8*r10]\n", $($put)*,
                    "vzeroupper\n mov rsp,rbp\n pop rbp\n .cfi_def_cfa rsp,8\n ret\n .cfi_endproc\n",
                ),
                iv = sym IV,
                $($symbol)*
                counter = const offset_of!(Job, counter),
                lens = const offset_of!(Job, lens),
                flags = const offset_of!(Job, flags),
                inputs = const offset_of!(Job, inputs),
                key = const offset_of!(Job, key),
                out = const offset_of!(Job, out),
            )
        }
    };
}

rows!(rows2 one 0
    ("vbroadcasti128 ymm0,[rax]\n vbroadcasti128 ymm1,[rax+16]\n")
    (lower!(0 2 3), load!(0), first!())
    ("vpxor ymm0,ymm0,ymm2\n vpxor ymm1,ymm1,ymm3\n")
    (put!(0 0 1))
    (rotations = sym ROTATIONS,));
rows!(rows4 two 1792
    ("vbroadcasti128 ymm0,[rax]\n vbroadcasti128 ymm1,[rax+16]\n vmovdqa ymm4,ymm0\n vmovdqa ymm5,ymm1\n")
    (lower!(0 2 3), lower!(2 6 7), load!(2), first!(), to_frame!(1), load!(0), first!(), to_frame!(0))
    ("vpxor ymm0,ymm0,ymm2\n vpxor ymm1,ymm1,ymm3\n vpxor ymm4,ymm4,ymm6\n vpxor ymm5,ymm5,ymm7\n")
    (put!(0 0 1), put!(2 4 5))
    (two_groups = sym two_groups,));

/// Lanes that a job may use here.
pub(super) const MAX_LANES: usize = 4;

/// Runs two or four lanes of a job that has a key and an `out`, from lane number `lane` on.
///
/// # Safety
/// The same conditions as for [`crate::body::Advance`], and the CPU must have
/// AVX2. There must be four lanes from number `lane` on.
pub(super) unsafe fn advance(job: &mut Job, blocks: usize, lane: usize, used: usize) {
    debug_assert!(used <= MAX_LANES && lane + MAX_LANES <= LANES);
    // SAFETY: the caller upholds the safety contract.
    unsafe {
        if used <= 2 {
            rows2(job, blocks, 4 * lane);
        } else {
            rows4(job, blocks, 4 * lane);
        }
    }
}
