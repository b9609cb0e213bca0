//! Extended output in registers of 256 bits: sixteen blocks at once, in two groups of
//! eight lanes. For CPUs that make an operation of 512 bits in two passes.
//!
//! What all lanes have in common of the first round is made once (`xof_first.rs`), which
//! leaves 729 operations of 784 for each group.
//!
//! Limit on Zen 4, which starts 4 operations of 256 bits a cycle: 729 + 16 + 48 to
//! transpose the output are 793 operations for 512 bytes, 198 cycles. So 2 KiB are 793
//! cycles, and 1728 operations of 512 bits ([`super::avx512_xof`]) 864
//! (docs/notes/blake3-zen4.md). The six rounds behind the first are a loop over one text:
//! unrolled they are 10 KB, and slower where other code made the root block before.

use super::super::body::XofJob;
use super::super::constants::{BLOCK_LEN, IV};
use super::avx512_xof;
use super::schedule::order;
use super::xof_groups::{LANE_NUMBERS, by_groups, low_words_fit};
use core::mem::offset_of;

/// Quarter rounds with words broadcast from the block at r9. Their numbers are at r10.
macro_rules! columns {
    ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal))*) => {
        quarter_rounds!("ymm" $(($a $b $c $d
            concat!("movzx ecx,byte ptr [r10+", $x, "]\n "), "[r9+4*rcx]{{1to8}}",
            concat!("movzx ecx,byte ptr [r10+", $y, "]\n "), "[r9+4*rcx]{{1to8}}"))*)
    };
}

/// A round of both groups. [`first_round`] replaces the first one.
macro_rules! round {
    () => { concat!(
        columns!((0 4 8 12 0 1) (1 5 9 13 2 3) (2 6 10 14 4 5) (3 7 11 15 6 7)),
        columns!((16 20 24 28 0 1) (17 21 25 29 2 3) (18 22 26 30 4 5) (19 23 27 31 6 7)),
        karat_hash_core::hop!(),
        columns!((0 5 10 15 8 9) (1 6 11 12 10 11) (2 7 8 13 12 13) (3 4 9 14 14 15)),
        columns!((16 21 26 31 8 9) (17 22 27 28 10 11) (18 23 24 29 12 13) (19 20 25 30 14 15)),
        karat_hash_core::hop!(),
    ) };
}

/// Moves words of the second group to the frame and back.
macro_rules! moves {
    ($($r:literal $i:literal)*) => { concat!($("vmovdqa32 [rsp+128+32*", $i, "],ymm", $r, "\n",)*) };
    (load $($r:literal $i:literal)*) => { concat!($("vmovdqa32 ymm", $r, ",[rsp+128+32*", $i, "]\n",)*) };
}

/// Writes eight words of eight lanes as half blocks to rsi + `$at`. Eight registers of words,
/// then eight free ones.
macro_rules! half {
    ($at:literal $a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal
     $s:literal $t:literal $u:literal $v:literal $w:literal $x:literal $y:literal $z:literal) => { concat!(
        unpack_to!("ymm" "ldq" $s $a $b $u $c $d $w $e $f $y $g $h),
        unpack_to!("ymm" "hdq" $t $a $b $v $c $d $x $e $f $z $g $h),
        unpack_to!("ymm" "lqdq" $a $s $u $c $t $v $e $w $y $g $x $z),
        unpack_to!("ymm" "hqdq" $b $s $u $d $t $v $f $w $y $h $x $z),
        lanes!($at 0 $a $e $s $t), lanes!($at 64 $b $f $u $v), lanes!($at 128 $c $g $w $x), lanes!($at 192 $d $h $y $z),
    ) };
}

/// The half blocks of a lane and of the one four after it, from words 0-3 and 4-7.
macro_rules! lanes {
    ($at:literal $lane:literal $a:literal $e:literal $s:literal $t:literal) => { concat!(
        "vinserti32x4 ymm", $s, ",ymm", $a, ",xmm", $e, ",1\n vshufi32x4 ymm", $t, ",ymm", $a, ",ymm", $e, ",3\n",
        "vmovdqu32 [rsi+", $at, "+", $lane, "],ymm", $s, "\n vmovdqu32 [rsi+", $at, "+256+", $lane, "],ymm", $t, "\n",
    ) };
}

static ORDER: [[u8; 16]; 7] = order(1);

/// Makes `sixteens` times sixteen blocks, at least once. The low words of their counters
/// must not overflow.
///
/// # Safety
/// The CPU must have AVX-512F and VL. `out` must be writable for 1024 bytes each time.
#[unsafe(naked)]
pub(crate) unsafe extern "sysv64" fn xof16(job: *const XofJob, out: *mut u8, sixteens: usize) {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n push rbp\n .cfi_def_cfa_offset 16\n .cfi_offset rbp,-16\n",
            "mov rbp,rsp\n .cfi_def_cfa_register rbp\n and rsp,-64\n sub rsp,384\n",
            "mov r8,[rdi+{cv}]\n mov r9,[rdi+{block}]\n",
            common!(),
            "mov eax,[rdi+{counter}]\n .p2align 6\n 2:\n",
            "vpbroadcastd ymm12,eax\n vpaddd ymm28,ymm12,[rip+{lanes}+32]\n vpaddd ymm12,ymm12,[rip+{lanes}]\n",
            first_round!("ymm" "{{1to8}}" 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
            first_round!("ymm" "{{1to8}}" 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31),
            "lea r10,[rip+{order}+16]\n mov r11d,6\n .p2align 6\n 3:\n",
            round!(),
            "add r10,16\n dec r11d\n jnz 3b\n",
            fold_in!("ymm" 16 24 17 25 18 26 19 27 20 28 21 29 22 30 23 31),
            xor_cv!("ymm" "{{1to8}}" 24 24 0 25 25 1 26 26 2 27 27 3 28 28 4 29 29 5 30 30 6 31 31 7),
            moves!(24 0 25 1 26 2 27 3 28 4 29 5 30 6 31 7),
            fold_in!("ymm" 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15),
            xor_cv!("ymm" "{{1to8}}" 8 8 0 9 9 1 10 10 2 11 11 3 12 12 4 13 13 5 14 14 6 15 15 7),
            half!(0 0 1 2 3 4 5 6 7 24 25 26 27 28 29 30 31),
            half!(32 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31),
            half!(512 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31),
            // Words 8 to 15 of the second group.
            moves!(load 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
            half!(544 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
            "add rsi,1024\n add eax,16\n dec rdx\n jnz 2b\n",
            "vzeroupper\n mov rsp,rbp\n pop rbp\n .cfi_def_cfa rsp,8\n ret\n .cfi_endproc\n",
        ),
        iv = sym IV,
        order = sym ORDER,
        lanes = sym LANE_NUMBERS,
        block = const offset_of!(XofJob, block),
        cv = const offset_of!(XofJob, cv),
        counter = const offset_of!(XofJob, counter),
        len = const offset_of!(XofJob, len),
        flags = const offset_of!(XofJob, flags),
    )
}

/// Makes blocks from the front of `out`, and returns how many: see [`by_groups`].
///
/// Unsafe: the CPU must have AVX-512F and AVX-512VL.
#[inline]
pub(crate) unsafe fn xof(job: &XofJob, out: &mut [[u8; BLOCK_LEN]]) -> usize {
    if !low_words_fit::<16>(job, out.len()) {
        // SAFETY: the caller's CPU has the ISAs.
        return unsafe { avx512_xof::xof(job, out) };
    }
    // SAFETY: the caller's CPU has the ISAs, there is room for the groups, and the low words
    // of their counters do not overflow.
    by_groups::<16>(job, out, |job, out, groups| unsafe { xof16(job, out, groups) })
}
