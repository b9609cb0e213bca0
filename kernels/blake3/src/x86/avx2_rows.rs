//! Up to two inputs, each in a 128-bit half of a register. A register holds one row of
//! each state, so a half round is one chain of 14 operations and nothing is transposed.
//! Four inputs are two such groups, whose chains run side by side.
//!
//! The limit of two inputs is latency: 196 cycles a block. Four inputs are 840
//! operations, on four units (Zen 3) 210 cycles. Eight lanes take 280
//! ([`super::narrow`]).
//!
//! It is [`super::avx512_rows`] with half the width. Registers do not suffice for the
//! message words of two groups, so those of the second are in the frame.

use super::super::constants::IV;
use super::super::job::Job;
use super::rows::ROTATIONS;
use core::mem::offset_of;

/// Makes a group's message words of the first round, from words 0-3, 4-7, 8-11 and 12-15 in
/// registers 8 to 11, where they stay. Registers 12 to 15 are free.
macro_rules! first {
    () => { concat!(
        "vshufps ymm12,ymm8,ymm9,0x88\n vshufps ymm13,ymm8,ymm9,0xdd\n",
        "vshufps ymm14,ymm10,ymm11,0x88\n vshufps ymm15,ymm10,ymm11,0xdd\n",
        "vmovdqa ymm8,ymm12\n vmovdqa ymm9,ymm13\n",
        "vpshufd ymm10,ymm14,0x93\n vpshufd ymm11,ymm15,0x93\n",
    ) };
}

/// Stores the message words of a group to the frame.
macro_rules! to_frame {
    () => {
        "vmovdqa [rsp],ymm8\n vmovdqa [rsp+32],ymm9\n vmovdqa [rsp+64],ymm10\n vmovdqa [rsp+96],ymm11\n"
    };
}

/// Makes a group's message words of the next round in place of m, n, o and p:
/// s = m1 n1 n3 m2, t = m3 o2 m0 p3, u = p0 n0 o3 p1, v = o1 p2 n2 o0. They are in registers
/// 8 to 11, or at the front of the frame.
macro_rules! permute {
    (registers) => { concat!(
        "vshufps ymm12,ymm8,ymm9,0xd9\n vpshufd ymm13,ymm8,0x03\n vpshufd ymm8,ymm12,0x78\n",
        "vshufps ymm12,ymm10,ymm11,0xfa\n",
        "vpunpcklqdq ymm14,ymm11,ymm9\n vpblendd ymm14,ymm14,ymm10,0x88\n",
        "vpunpckhdq ymm15,ymm9,ymm11\n vpunpckldq ymm15,ymm10,ymm15\n",
        "vpblendd ymm9,ymm12,ymm13,0x55\n vpshufd ymm10,ymm14,0x78\n vpshufd ymm11,ymm15,0x1e\n",
    ) };
    (frame) => { concat!(
        "vmovdqa ymm12,[rsp+32]\n vmovdqa ymm13,[rsp+64]\n vpshufd ymm15,[rsp],0x03\n",
        "vshufps ymm14,ymm12,[rsp],0x9d\n vpshufd ymm14,ymm14,0xd2\n vmovdqa [rsp],ymm14\n",
        "vshufps ymm14,ymm13,[rsp+96],0xfa\n vpblendd ymm14,ymm14,ymm15,0x55\n vmovdqa [rsp+32],ymm14\n",
        "vmovdqa ymm14,[rsp+96]\n",
        "vpunpcklqdq ymm15,ymm14,ymm12\n vpblendd ymm15,ymm15,ymm13,0x88\n",
        "vpshufd ymm15,ymm15,0x78\n vmovdqa [rsp+64],ymm15\n",
        "vpunpckhdq ymm14,ymm12,ymm14\n vpunpckldq ymm14,ymm13,ymm14\n",
        "vpshufd ymm14,ymm14,0x1e\n vmovdqa [rsp+96],ymm14\n",
    ) };
}

/// Rotates a register to the right; `$t` is free.
macro_rules! rotate {
    ($r:literal $t:literal 16) => { concat!("vpshufb ymm", $r, ",ymm", $r, ",[rip+{rotations}]\n") };
    ($r:literal $t:literal 8) => { concat!("vpshufb ymm", $r, ",ymm", $r, ",[rip+{rotations}+32]\n") };
    ($r:literal $t:literal $right:literal $left:literal) => { concat!(
        "vpsrld ymm", $t, ",ymm", $r, ",", $right, "\n vpslld ymm", $r, ",ymm", $r, ",", $left, "\n",
        "vpor ymm", $r, ",ymm", $r, ",ymm", $t, "\n",
    ) };
}

/// A half round of one group: rows a, b, c and d, a free register, its message words, and
/// how `a`, `c` and `d` move for the next half round.
macro_rules! half {
    ($am:literal $cm:literal $dm:literal $a:literal $b:literal $c:literal $d:literal $t:literal $x:literal $y:literal) => { concat!(
        "vpaddd ymm", $a, ",ymm", $a, ",", $x, "\n vpaddd ymm", $a, ",ymm", $a, ",ymm", $b, "\n",
        "vpxor ymm", $d, ",ymm", $d, ",ymm", $a, "\n", rotate!($d $t 16),
        "vpaddd ymm", $a, ",ymm", $a, ",", $y, "\n vpaddd ymm", $c, ",ymm", $c, ",ymm", $d, "\n",
        "vpxor ymm", $b, ",ymm", $b, ",ymm", $c, "\n", rotate!($b $t 12 20),
        "vpaddd ymm", $a, ",ymm", $a, ",ymm", $b, "\n vpxor ymm", $d, ",ymm", $d, ",ymm", $a, "\n",
        rotate!($d $t 8), "vpshufd ymm", $a, ",ymm", $a, ",", $am, "\n",
        "vpaddd ymm", $c, ",ymm", $c, ",ymm", $d, "\n vpshufd ymm", $d, ",ymm", $d, ",", $dm, "\n",
        "vpxor ymm", $b, ",ymm", $b, ",ymm", $c, "\n", rotate!($b $t 7 25),
        "vpshufd ymm", $c, ",ymm", $c, ",", $cm, "\n",
    ) };
}

/// A round of one group of two inputs, or of two groups.
macro_rules! round {
    (one) => { concat!(
        half!(0x93 0x39 0x4e 0 1 2 3 12 "ymm8" "ymm9"), half!(0x39 0x93 0x4e 0 1 2 3 12 "ymm10" "ymm11"),
    ) };
    (two) => { concat!(
        half!(0x93 0x39 0x4e 0 1 2 3 12 "ymm8" "ymm9"), half!(0x93 0x39 0x4e 4 5 6 7 13 "[rsp]" "[rsp+32]"),
        half!(0x39 0x93 0x4e 0 1 2 3 12 "ymm10" "ymm11"), half!(0x39 0x93 0x4e 4 5 6 7 13 "[rsp+64]" "[rsp+96]"),
    ) };
}

macro_rules! next {
    (one) => { permute!(registers) };
    (two) => { concat!(permute!(registers), permute!(frame)) };
}

/// All rounds, as a loop: a level of parents is one block, and unrolled its code would be
/// read from memory for it each time. rax is free.
macro_rules! all {
    ($n:ident) => { concat!(
        "mov eax,7\n .p2align 4\n 4:\n", round!($n), "dec eax\n jz 5f\n", next!($n), "jmp 4b\n 5:\n",
    ) };
}

/// Loads blocks of two inputs from number `$n` on: words 0-3, 4-7, 8-11 and 12-15 to
/// registers 8 to 11, an input in each half. Loads are 16 bytes, like the stores of
/// [`put!`]: a wider load would wait until they reach the cache.
macro_rules! load {
    ($n:literal) => { concat!(
        "mov rax,[rdi+{inputs}+8*", $n, "]\n mov r9,[rdi+{inputs}+8*", $n, "+8]\n",
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
    ($name:ident $n:ident ($($key:tt)*) ($($blocks:tt)*) ($($fold:tt)*) ($($put:tt)*)) => {
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(job: *const Job, blocks: usize) {
            core::arch::naked_asm!(
                concat!(
                    ".cfi_startproc\n push rbp\n .cfi_def_cfa_offset 16\n .cfi_offset rbp,-16\n",
                    "mov rbp,rsp\n .cfi_def_cfa_register rbp\n and rsp,-64\n sub rsp,128\n",
                    "mov rax,[rdi+{key}]\n", $($key)*,
                    "xor edx,edx\n lea rcx,[rdi+{flags}]\n .p2align 4\n 2:\n",
                    // Selects lengths and flags: of the last block or not.
                    "lea r8,[rdi+{lens}]\n cmp rsi,1\n jne 3f\n",
                    "add r8,64\n lea rcx,[rdi+{flags}+128]\n 3:\n",
                    $($blocks)*,
                    all!($n),
                    $($fold)*,
                    "add rdx,64\n lea rcx,[rdi+{flags}+64]\n dec rsi\n jnz 2b\n",
                    "mov rax,[rdi+{out}]\n", $($put)*,
                    "vzeroupper\n mov rsp,rbp\n pop rbp\n .cfi_def_cfa rsp,8\n ret\n .cfi_endproc\n",
                ),
                iv = sym IV,
                rotations = sym ROTATIONS,
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

rows!(rows2 one
    ("vbroadcasti128 ymm0,[rax]\n vbroadcasti128 ymm1,[rax+16]\n")
    (lower!(0 2 3), load!(0), first!())
    ("vpxor ymm0,ymm0,ymm2\n vpxor ymm1,ymm1,ymm3\n")
    (put!(0 0 1)));
rows!(rows4 two
    ("vbroadcasti128 ymm0,[rax]\n vbroadcasti128 ymm1,[rax+16]\n vmovdqa ymm4,ymm0\n vmovdqa ymm5,ymm1\n")
    (lower!(0 2 3), lower!(2 6 7), load!(2), first!(), to_frame!(), load!(0), first!())
    ("vpxor ymm0,ymm0,ymm2\n vpxor ymm1,ymm1,ymm3\n vpxor ymm4,ymm4,ymm6\n vpxor ymm5,ymm5,ymm7\n")
    (put!(0 0 1), put!(2 4 5)));

/// Lanes that a job may use here.
pub(crate) const MAX_LANES: usize = 4;

/// Runs the first two or four lanes of a job that has a key and an `out`.
///
/// # Safety
/// The same conditions as for [`super::super::body::Advance`], and the CPU must have
/// AVX2.
pub(crate) unsafe fn advance(job: &mut Job, blocks: usize, used: usize) {
    debug_assert!(used <= MAX_LANES);
    // SAFETY: the caller upholds the safety contract.
    unsafe {
        if used <= 2 {
            rows2(job, blocks);
        } else {
            rows4(job, blocks);
        }
    }
}
