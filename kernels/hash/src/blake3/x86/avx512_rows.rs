//! Up to four inputs, each in a 128-bit quarter: a register holds a row of each
//! state, so that a half round is one chain of 12 operations and nothing is
//! transposed. Eight inputs are two such groups, whose chains run side by side.
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

/// A half round of one group: rows a, b, c and d; two registers for message
/// words and two to make them; the four inputs' blocks; how `a`, `c` and `d`
/// move for the next half round.
macro_rules! half {
    ($h:literal $am:literal $cm:literal $dm:literal $a:literal $b:literal $c:literal $d:literal
     $x:literal $y:literal $s:literal $t:literal $i:literal $j:literal $k:literal $l:literal) => { concat!(
        "vmovdqu32 zmm", $s, ",[rip+{picks}+64*", $h, "]\n vmovdqa32 zmm", $t, ",zmm", $s, "\n",
        "vpermi2d zmm", $s, ",zmm", $i, ",zmm", $j, "\n vpermi2d zmm", $t, ",zmm", $k, ",zmm", $l, "\n",
        "vshufi32x4 zmm", $x, ",zmm", $s, ",zmm", $t, ",0x44\n vshufi32x4 zmm", $y, ",zmm", $s, ",zmm", $t, ",0xee\n",
        "vpaddd zmm", $a, ",zmm", $a, ",zmm", $x, "\n vpaddd zmm", $a, ",zmm", $a, ",zmm", $b, "\n",
        "vpxord zmm", $d, ",zmm", $d, ",zmm", $a, "\n vprord zmm", $d, ",zmm", $d, ",16\n",
        "vpaddd zmm", $a, ",zmm", $a, ",zmm", $y, "\n vpaddd zmm", $c, ",zmm", $c, ",zmm", $d, "\n",
        "vpxord zmm", $b, ",zmm", $b, ",zmm", $c, "\n vprord zmm", $b, ",zmm", $b, ",12\n",
        "vpaddd zmm", $a, ",zmm", $a, ",zmm", $b, "\n vpxord zmm", $d, ",zmm", $d, ",zmm", $a, "\n",
        "vprord zmm", $d, ",zmm", $d, ",8\n vpshufd zmm", $a, ",zmm", $a, ",", $am, "\n",
        "vpaddd zmm", $c, ",zmm", $c, ",zmm", $d, "\n vpshufd zmm", $d, ",zmm", $d, ",", $dm, "\n",
        "vpxord zmm", $b, ",zmm", $b, ",zmm", $c, "\n vprord zmm", $b, ",zmm", $b, ",7\n",
        "vpshufd zmm", $c, ",zmm", $c, ",", $cm, "\n",
    ) };
}

/// The half rounds of one group of four, or of two.
macro_rules! halves {
    (one $($column:literal $diagonal:literal)*) => { concat!($(
        half!($column 0x93 0x39 0x4e 0 1 2 3 8 9 10 11 16 17 18 19),
        half!($diagonal 0x39 0x93 0x4e 0 1 2 3 8 9 10 11 16 17 18 19),
    )*) };
    (two $($column:literal $diagonal:literal)*) => { concat!($(
        half!($column 0x93 0x39 0x4e 0 1 2 3 8 9 10 11 16 17 18 19),
        half!($column 0x93 0x39 0x4e 4 5 6 7 12 13 14 15 20 21 22 23),
        half!($diagonal 0x39 0x93 0x4e 0 1 2 3 8 9 10 11 16 17 18 19),
        half!($diagonal 0x39 0x93 0x4e 4 5 6 7 12 13 14 15 20 21 22 23),
    )*) };
}

/// Blocks of four inputs from number `$n` on; pointers are read anew.
macro_rules! load {
    ($n:literal $i:literal $j:literal $k:literal $l:literal) => { concat!(
        "mov rax,[rdi+{inputs}+8*", $n, "]\n vmovdqu32 zmm", $i, ",[rax+rdx]\n",
        "mov rax,[rdi+{inputs}+8*", $n, "+8]\n vmovdqu32 zmm", $j, ",[rax+rdx]\n",
        "mov rax,[rdi+{inputs}+8*", $n, "+16]\n vmovdqu32 zmm", $k, ",[rax+rdx]\n",
        "mov rax,[rdi+{inputs}+8*", $n, "+24]\n vmovdqu32 zmm", $l, ",[rax+rdx]\n",
    ) };
}

/// Third and fourth row of lanes from `$n` on; `$p` to `$s` are free.
macro_rules! lower {
    ($n:literal $c:literal $d:literal $p:literal $q:literal $r:literal $s:literal) => { concat!(
        "vbroadcasti32x4 zmm", $c, ",[rip+{iv}]\n",
        // Four times four words, transposed.
        "vmovdqu xmm", $p, ",[rdi+{counter}+4*", $n, "]\n",
        "vpunpckhdq xmm", $q, ",xmm", $p, ",[rdi+{counter}+64+4*", $n, "]\n",
        "vpunpckldq xmm", $p, ",xmm", $p, ",[rdi+{counter}+64+4*", $n, "]\n",
        "vmovdqu xmm", $r, ",[r8+4*", $n, "]\n",
        "vpunpckhdq xmm", $s, ",xmm", $r, ",[rcx+4*", $n, "]\n vpunpckldq xmm", $r, ",xmm", $r, ",[rcx+4*", $n, "]\n",
        "vpunpcklqdq xmm", $d, ",xmm", $p, ",xmm", $r, "\n vpunpckhqdq xmm", $p, ",xmm", $p, ",xmm", $r, "\n",
        "vpunpcklqdq xmm", $r, ",xmm", $q, ",xmm", $s, "\n vpunpckhqdq xmm", $q, ",xmm", $q, ",xmm", $s, "\n",
        "vinserti32x4 ymm", $d, ",ymm", $d, ",xmm", $p, ",1\n vinserti32x4 ymm", $r, ",ymm", $r, ",xmm", $q, ",1\n",
        "vinserti64x4 zmm", $d, ",zmm", $d, ",ymm", $r, ",1\n",
    ) };
}

/// Chaining values of lanes from `$n` on to rax.
macro_rules! put {
    ($n:literal $a:literal $b:literal) => { concat!(
        "vmovdqu [rax+32*", $n, "],xmm", $a, "\n vmovdqu [rax+32*", $n, "+16],xmm", $b, "\n",
        "vextracti32x4 [rax+32*", $n, "+32],zmm", $a, ",1\n vextracti32x4 [rax+32*", $n, "+48],zmm", $b, ",1\n",
        "vextracti32x4 [rax+32*", $n, "+64],zmm", $a, ",2\n vextracti32x4 [rax+32*", $n, "+80],zmm", $b, ",2\n",
        "vextracti32x4 [rax+32*", $n, "+96],zmm", $a, ",3\n vextracti32x4 [rax+32*", $n, "+112],zmm", $b, ",3\n",
    ) };
}

/// A body: `$key`, `$blocks` and `$out` are text for all groups, `$halves` says
/// how many.
macro_rules! rows {
    ($name:ident $halves:ident ($($key:tt)*) ($($blocks:tt)*) ($($fold:tt)*) ($($put:tt)*)) => {
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(job: *const Job, blocks: usize) {
            core::arch::naked_asm!(
                concat!(
                    ".cfi_startproc\n mov rax,[rdi+{key}]\n", $($key)*,
                    "xor edx,edx\n lea rcx,[rdi+{flags}]\n .p2align 4\n 2:\n",
                    // Last block or not: lengths and flags.
                    "lea r8,[rdi+{lens}]\n cmp rsi,1\n jne 3f\n",
                    "add r8,64\n lea rcx,[rdi+{flags}+128]\n 3:\n",
                    $($blocks)*,
                    halves!($halves 0 1 2 3 4 5 6 7 8 9 10 11 12 13),
                    $($fold)*,
                    "add rdx,64\n lea rcx,[rdi+{flags}+64]\n dec rsi\n jnz 2b\n",
                    "mov rax,[rdi+{out}]\n", $($put)*,
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
    };
}

rows!(rows4 one
    ("vbroadcasti32x4 zmm0,[rax]\n vbroadcasti32x4 zmm1,[rax+16]\n")
    (load!(0 16 17 18 19), lower!(0 2 3 8 9 10 11))
    ("vpxord zmm0,zmm0,zmm2\n vpxord zmm1,zmm1,zmm3\n")
    (put!(0 0 1)));
rows!(rows8 two
    ("vbroadcasti32x4 zmm0,[rax]\n vbroadcasti32x4 zmm1,[rax+16]\n vmovdqa32 zmm4,zmm0\n vmovdqa32 zmm5,zmm1\n")
    (load!(0 16 17 18 19), load!(4 20 21 22 23), lower!(0 2 3 8 9 10 11), lower!(4 6 7 12 13 14 15))
    ("vpxord zmm0,zmm0,zmm2\n vpxord zmm1,zmm1,zmm3\n vpxord zmm4,zmm4,zmm6\n vpxord zmm5,zmm5,zmm7\n")
    (put!(0 0 1), put!(4 4 5)));

/// Lanes that a job may use here.
pub(crate) const MOST: usize = 8;

/// The first four or eight lanes of a job that has a key and an `out`.
///
/// # Safety
/// As for [`super::super::kernel::Advance`]; the CPU must have AVX-512F and VL.
pub(crate) unsafe fn advance(job: &mut Job, blocks: usize, used: usize) {
    debug_assert!(used <= MOST);
    // SAFETY: the caller's promise.
    unsafe {
        if used <= 4 {
            rows4(job, blocks);
        } else {
            rows8(job, blocks);
        }
    }
}
