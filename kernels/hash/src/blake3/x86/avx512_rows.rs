//! Up to four inputs, each in a 128-bit quarter: a register holds a row of each
//! state, so that a half round is one chain of 12 operations and nothing is
//! transposed.
//!
//! Latency bounds it as it does [`super::avx512`] (336 cycles a block), but its
//! one chain never waits for an execution port: 341 cycles a block against 366.
//! The message words of a half round are picked by `vpermi2d` from two inputs'
//! blocks at a time, beside the chain. For the diagonals `a`, `c` and `d` move,
//! which are ready before `b` is.

use super::super::constants::{IV, SCHEDULE};
use super::super::job::Job;
use core::mem::offset_of;

/// Which of 32 words (two inputs' blocks) go where in half round h: first words
/// of both inputs, then second words. In diagonals a lane has the column before.
static PICKS: [[u32; 16]; 14] = {
    let mut picks = [[0; 16]; 14];
    let mut h = 0;
    while h < 14 {
        let mut i = 0;
        while i < 16 {
            let (second, input, lane) = (i / 8, i / 4 % 2, i % 4);
            let column = if h % 2 == 0 { lane } else { (lane + 3) % 4 };
            let word = SCHEDULE[h / 2][8 * (h % 2) + 2 * column + second];
            picks[h][i] = (16 * input + word) as u32;
            i += 1;
        }
        h += 1;
    }
    picks
};

/// Message words of half round `$h`: to zmm8 and zmm9.
macro_rules! pick {
    ($h:literal) => { concat!(
        "vmovdqu32 zmm10,[rip+{picks}+64*", $h, "]\n vmovdqa32 zmm11,zmm10\n",
        "vpermi2d zmm10,zmm16,zmm17\n vpermi2d zmm11,zmm18,zmm19\n",
        "vshufi32x4 zmm8,zmm10,zmm11,0x44\n vshufi32x4 zmm9,zmm10,zmm11,0xee\n",
    ) };
}

/// A half round; `$a`, `$c` and `$d` shuffle the rows for the next one.
macro_rules! half {
    ($h:literal $a:literal $c:literal $d:literal) => { concat!(
        pick!($h),
        "vpaddd zmm0,zmm0,zmm8\n vpaddd zmm0,zmm0,zmm1\n",
        "vpxord zmm3,zmm3,zmm0\n vprord zmm3,zmm3,16\n",
        "vpaddd zmm0,zmm0,zmm9\n",
        "vpaddd zmm2,zmm2,zmm3\n vpxord zmm1,zmm1,zmm2\n vprord zmm1,zmm1,12\n",
        "vpaddd zmm0,zmm0,zmm1\n vpxord zmm3,zmm3,zmm0\n vprord zmm3,zmm3,8\n",
        "vpshufd zmm0,zmm0,", $a, "\n",
        "vpaddd zmm2,zmm2,zmm3\n vpshufd zmm3,zmm3,", $d, "\n",
        "vpxord zmm1,zmm1,zmm2\n vpshufd zmm2,zmm2,", $c, "\n vprord zmm1,zmm1,7\n",
    ) };
}

macro_rules! halves {
    ($($column:literal $diagonal:literal)*) => { concat!($(
        half!($column 0x93 0x39 0x4e), half!($diagonal 0x39 0x93 0x4e),
    )*) };
}

/// Four inputs from the job's key to its `out`.
#[unsafe(naked)]
unsafe extern "sysv64" fn rows4(job: *const Job, blocks: usize) {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n",
            "mov rax,[rdi+{key}]\n vbroadcasti32x4 zmm0,[rax]\n vbroadcasti32x4 zmm1,[rax+16]\n",
            "mov r9,[rdi+{inputs}]\n mov r10,[rdi+{inputs}+8]\n",
            "mov r11,[rdi+{inputs}+16]\n mov rax,[rdi+{inputs}+24]\n",
            "xor edx,edx\n lea rcx,[rdi+{flags}]\n",
            ".p2align 4\n 2:\n",
            "vmovdqu32 zmm16,[r9+rdx]\n vmovdqu32 zmm17,[r10+rdx]\n",
            "vmovdqu32 zmm18,[r11+rdx]\n vmovdqu32 zmm19,[rax+rdx]\n",
            // Last block or not: lengths and flags.
            "lea r8,[rdi+{lens}]\n cmp rsi,1\n jne 3f\n",
            "add r8,64\n lea rcx,[rdi+{flags}+128]\n 3:\n",
            "vbroadcasti32x4 zmm2,[rip+{iv}]\n",
            // Fourth rows: four times four words, transposed.
            "vmovdqu xmm4,[rdi+{counter}]\n vpunpckhdq xmm5,xmm4,[rdi+{counter}+64]\n",
            "vpunpckldq xmm4,xmm4,[rdi+{counter}+64]\n",
            "vmovdqu xmm6,[r8]\n vpunpckhdq xmm7,xmm6,[rcx]\n vpunpckldq xmm6,xmm6,[rcx]\n",
            "vpunpcklqdq xmm3,xmm4,xmm6\n vpunpckhqdq xmm4,xmm4,xmm6\n",
            "vpunpcklqdq xmm6,xmm5,xmm7\n vpunpckhqdq xmm5,xmm5,xmm7\n",
            "vinserti32x4 ymm3,ymm3,xmm4,1\n vinserti32x4 ymm6,ymm6,xmm5,1\n",
            "vinserti64x4 zmm3,zmm3,ymm6,1\n",
            halves!(0 1 2 3 4 5 6 7 8 9 10 11 12 13),
            "vpxord zmm0,zmm0,zmm2\n vpxord zmm1,zmm1,zmm3\n",
            "add rdx,64\n lea rcx,[rdi+{flags}+64]\n dec rsi\n jnz 2b\n",
            "mov rax,[rdi+{out}]\n",
            "vmovdqu [rax],xmm0\n vmovdqu [rax+16],xmm1\n",
            "vextracti32x4 [rax+32],zmm0,1\n vextracti32x4 [rax+48],zmm1,1\n",
            "vextracti32x4 [rax+64],zmm0,2\n vextracti32x4 [rax+80],zmm1,2\n",
            "vextracti32x4 [rax+96],zmm0,3\n vextracti32x4 [rax+112],zmm1,3\n",
            "vzeroupper\n ret\n .cfi_endproc\n",
        ),
        iv = sym IV,
        picks = sym PICKS,
        counter = const offset_of!(Job, counter),
        lens = const offset_of!(Job, lens),
        flags = const offset_of!(Job, flags),
        inputs = const offset_of!(Job, inputs),
        key = const offset_of!(Job, key),
        out = const offset_of!(Job, out),
    )
}

/// The first four lanes of a job that has a key and an `out`.
///
/// # Safety
/// As for [`super::super::kernel::Advance`]; the CPU must have AVX-512F and VL.
pub(crate) unsafe fn advance(job: &mut Job, blocks: usize) {
    // SAFETY: the caller's promise.
    unsafe { rows4(job, blocks) }
}
