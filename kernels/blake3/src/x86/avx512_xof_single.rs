//! Extended output in registers of 512 bits, sixteen blocks after sixteen. For Intel's CPUs
//! from Golden Cove on.
//!
//! What all lanes have in common of the first round is made once (`xof_first.rs`). A group has
//! registers 0 to 15. The words of the group before are in the other ones, from which they are
//! transposed and stored between the rounds. Only the last group's are not hidden.
//!
//! A transposition ends with quarters of registers: stores take them without a shuffle, which
//! full lines would need 32 of.
//!
//! Limit there: 2 operations start in a cycle, of them 1 rotation and 1 shuffle. 729 + 16 + 32
//! operations are 389 cycles a group, 777 for 2 KiB. What is reached: docs/notes/intel.md.

use super::super::body::XofJob;
use super::super::constants::{BLOCK_LEN, IV};
use super::avx512_rows::xof4;
use super::avx512_xof;
use super::schedule::order;
use super::xof_groups::{LANE_NUMBERS, low_words_fit};
use core::mem::offset_of;

/// Quarter rounds with words broadcast from the block at r9. Their numbers are at r10.
macro_rules! columns {
    ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal))*) => {
        staggered!("zmm" $(($a $b $c $d
            concat!("movzx ecx,byte ptr [r10+", $x, "]\n "), "[r9+4*rcx]{{1to16}}",
            concat!("movzx ecx,byte ptr [r10+", $y, "]\n "), "[r9+4*rcx]{{1to16}}"))*)
    };
}

macro_rules! round {
    () => { concat!(
        columns!((0 4 8 12 0 1) (1 5 9 13 2 3) (2 6 10 14 4 5) (3 7 11 15 6 7)),
        columns!((0 5 10 15 8 9) (1 6 11 12 10 11) (2 7 8 13 12 13) (3 4 9 14 14 15)),
    ) };
}

/// Quarter rounds with these words.
macro_rules! columns_of {
    ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal))*) => {
        staggered!("zmm" $(($a $b $c $d
            "", concat!("[r9+4*", $x, "]{{1to16}}"), "", concat!("[r9+4*", $y, "]{{1to16}}")))*)
    };
}

/// A round with these words, and a part of what is done with the words of the group before.
macro_rules! round_with {
    (($part:ident $i:tt)
     $m0:literal $m1:literal $m2:literal $m3:literal $m4:literal $m5:literal $m6:literal $m7:literal
     $m8:literal $m9:literal $m10:literal $m11:literal $m12:literal $m13:literal $m14:literal $m15:literal) => { concat!(
        columns_of!((0 4 8 12 $m0 $m1) (1 5 9 13 $m2 $m3) (2 6 10 14 $m4 $m5) (3 7 11 15 $m6 $m7)),
        $part!(first $i),
        columns_of!((0 5 10 15 $m8 $m9) (1 6 11 12 $m10 $m11) (2 7 8 13 $m12 $m13) (3 4 9 14 $m14 $m15)),
        $part!(then $i),
    ) };
}

/// A quarter of the transposition of sixteen words of sixteen lanes: four words become quarters
/// of sixteen blocks at rsi. The first one's free register is of the state.
macro_rules! blocks {
    (first 0) => { blocks!(shuffle 0 16 17 18 19) };
    (then 0) => { blocks!(store 0 19 0 18 16) };
    (first 1) => { blocks!(shuffle 17 20 21 22 23) };
    (then 1) => { blocks!(store 1 23 17 22 20) };
    (first 2) => { blocks!(shuffle 21 24 25 26 27) };
    (then 2) => { blocks!(store 2 27 21 26 24) };
    (first 3) => { blocks!(shuffle 25 28 29 30 31) };
    (then 3) => { blocks!(store 3 31 25 30 28) };
    // A free register, then four words. It leaves register b free; the others have lanes 0, 4,
    // 8 and 12 (d), and those one, two and three behind them (t, c and a).
    (shuffle $t:literal $a:literal $b:literal $c:literal $d:literal) => { concat!(
        unpack_to!("zmm" "ldq" $t $a $c), unpack_to!("zmm" "hdq" $a $a $c),
        unpack_to!("zmm" "ldq" $c $b $d), unpack_to!("zmm" "hdq" $b $b $d),
        unpack_to!("zmm" "ldq" $d $t $c), unpack_to!("zmm" "hdq" $t $t $c),
        unpack_to!("zmm" "ldq" $c $a $b), unpack_to!("zmm" "hdq" $a $a $b),
    ) };
    (store $i:literal $r:literal $s:literal $t:literal $u:literal) => { concat!(
        blocks!(lanes $i 0 $r), blocks!(lanes $i 1 $s), blocks!(lanes $i 2 $t), blocks!(lanes $i 3 $u),
    ) };
    (lanes $i:literal $lane:literal $r:literal) => { concat!(
        "vmovdqu32 [rsi+16*", $i, "+64*", $lane, "],xmm", $r, "\n",
        "vextracti32x4 [rsi+16*", $i, "+64*", $lane, "+256],zmm", $r, ",1\n",
        "vextracti32x4 [rsi+16*", $i, "+64*", $lane, "+512],zmm", $r, ",2\n",
        "vextracti32x4 [rsi+16*", $i, "+64*", $lane, "+768],zmm", $r, ",3\n",
    ) };
}

/// Adds four words of sixteen lanes to the rows at rsi, as words of 16 bits.
macro_rules! rows {
    (first 0) => { rows!(add 16 0 17 1 18 2 19 3) };
    (then 0) => { rows!(store 16 0 17 1 18 2 19 3) };
    (first 1) => { rows!(add 20 4 21 5 22 6 23 7) };
    (then 1) => { rows!(store 20 4 21 5 22 6 23 7) };
    (first 2) => { rows!(add 24 8 25 9 26 10 27 11) };
    (then 2) => { rows!(store 24 8 25 9 26 10 27 11) };
    (first 3) => { rows!(add 28 12 29 13 30 14 31 15) };
    (then 3) => { rows!(store 28 12 29 13 30 14 31 15) };
    (add $($r:literal $i:literal)*) => { concat!($("vpaddw zmm", $r, ",zmm", $r, ",[rsi+64*", $i, "]\n",)*) };
    (store $($r:literal $i:literal)*) => { concat!($("vmovdqu32 [rsi+64*", $i, "],zmm", $r, "\n",)*) };
}

/// The last step of words 0 to 7, to others.
macro_rules! fold_to {
    ($($to:literal $a:literal $b:literal)*) => { concat!($("vpxord zmm", $to, ",zmm", $a, ",zmm", $b, "\n",)*) };
}

/// Counters from eax on, and the first round.
macro_rules! begin {
    () => { concat!(
        "vpbroadcastd zmm12,eax\n vpaddd zmm12,zmm12,[rip+{lanes}]\n",
        first_round!("zmm" "{{1to16}}" 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
    ) };
}

static ORDER: [[u8; 16]; 7] = order(1);

/// A function that makes groups and does `$part` with their words.
macro_rules! groups {
    ($(#[$about:meta])* $name:ident $part:ident) => {
        $(#[$about])*
        #[unsafe(naked)]
        pub(crate) unsafe extern "sysv64" fn $name(job: *const XofJob, out: *mut u8, sixteens: usize) {
            core::arch::naked_asm!(
                concat!(
                    ".cfi_startproc\n push rbp\n .cfi_def_cfa_offset 16\n .cfi_offset rbp,-16\n",
                    "mov rbp,rsp\n .cfi_def_cfa_register rbp\n and rsp,-64\n sub rsp,128\n",
                    "mov r8,[rdi+{cv}]\n mov r9,[rdi+{block}]\n",
                    common!(),
                    "mov eax,[rdi+{counter}]\n",
                    begin!(),
                    "lea r10,[rip+{order}+16]\n mov r11d,6\n .p2align 6\n 2:\n",
                    round!(),
                    "add r10,16\n dec r11d\n jnz 2b\n",
                    fold_to!(16 0 8 17 1 9 18 2 10 19 3 11 20 4 12 21 5 13 22 6 14 23 7 15),
                    xor_cv!("zmm" "{{1to16}}" 24 8 0 25 9 1 26 10 2 27 11 3 28 12 4 29 13 5 30 14 6 31 15 7),
                    "dec rdx\n jz 3f\n add eax,16\n",
                    $part!(first 0), $part!(then 0),
                    begin!(),
                    round_number!(1 round_with ($part 1)),
                    round_number!(2 round_with ($part 2)),
                    round_number!(3 round_with ($part 3)),
                    "add rsi,1024\n lea r10,[rip+{order}+64]\n mov r11d,3\n jmp 2b\n 3:\n",
                    $part!(first 0), $part!(then 0), $part!(first 1), $part!(then 1),
                    $part!(first 2), $part!(then 2), $part!(first 3), $part!(then 3),
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
    };
}

groups! {
    /// Makes `sixteens` times sixteen blocks, at least once. The low words of their counters
    /// must not overflow.
    ///
    /// # Safety
    /// The CPU must have AVX-512F and VL. `out` must be writable for 1024 bytes each time.
    xof16s blocks
}

groups! {
    /// Adds as many blocks to rows, as 16-bit words. Of each sixteen blocks a row of 64 bytes has
    /// the first words, the next row the second ones. So there is no transposition, until
    /// [`avx512_xof::fold_rows`].
    ///
    /// # Safety
    /// As for [`xof16s`], and the CPU must have AVX-512BW. `out` must be readable as well.
    sum16s rows
}

/// The same job from another block on.
#[inline]
fn from<'a>(job: &XofJob<'a>, blocks: usize) -> XofJob<'a> {
    XofJob { counter: job.counter.wrapping_add(blocks as u64), ..*job }
}

/// Makes the last blocks of `out`, which are the job's, by a group: with some blocks that are
/// there already, or, where there are none, in another place.
///
/// Unsafe as [`xof`], and the low words of counters must not overflow.
#[inline]
unsafe fn last(job: &XofJob, out: &mut [[u8; BLOCK_LEN]]) {
    let all = out.len();
    if all < 16 {
        let mut blocks = [[0; BLOCK_LEN]; 16];
        // SAFETY: the caller's CPU has the ISAs, and low words fit. There is room.
        unsafe { xof16s(job, blocks.as_mut_ptr().cast(), 1) };
        out.copy_from_slice(&blocks[..all]);
    } else {
        let again = 16 - all % 16;
        let job = XofJob { counter: job.counter - again as u64, ..*job };
        // SAFETY: for the same reasons.
        unsafe { xof16s(&job, out[all - 16..].as_mut_ptr().cast(), 1) };
    }
}

/// Makes all blocks of `out`. The result is how many they are, as of others that leave some.
///
/// Unsafe: the CPU must have AVX-512F and AVX-512VL.
pub(crate) unsafe fn xof(job: &XofJob, out: &mut [[u8; BLOCK_LEN]]) -> usize {
    if !low_words_fit::<16>(job, out.len()) {
        // SAFETY: the caller's CPU has the ISAs.
        return unsafe { avx512_xof::xof(job, out) };
    }
    let all = out.len();
    let rest = all % 16;
    // The caller's job, if it will do: the loads of a copy would wait until the stores of its
    // parts reach the cache.
    let behind;
    let job = if all > rest {
        // SAFETY: the caller's CPU has the ISAs, there is room for the groups, and the low
        // words of their counters do not overflow.
        unsafe { xof16s(job, out.as_mut_ptr().cast(), all / 16) };
        behind = from(job, all - rest);
        &behind
    } else {
        job
    };
    match rest {
        0 => {}
        // SAFETY: for the same reasons.
        1..=4 => unsafe { xof4(job, out[all - rest..].as_mut_ptr().cast(), rest) },
        // SAFETY: for the same reasons.
        5..=8 => unsafe {
            xof4(job, out[all - rest..].as_mut_ptr().cast(), 4);
            xof4(&from(job, 4), out[all - rest + 4..].as_mut_ptr().cast(), rest - 4);
        },
        // SAFETY: for the same reasons.
        _ => unsafe { last(job, out) },
    }
    all
}
