//! Extended output: 32 blocks at once.
//!
//! All lanes have the same block. The load that adds a word broadcasts it too, so the
//! input is not transposed. The output is: 16 words of 16 lanes become 16 blocks.
//!
//! The limit is as in [`super::avx512`]: two groups of 784 + 16 + 64 operations, 4 a
//! cycle, are 432 cycles for 2 KiB.

use super::super::constants::{BLOCK_LEN, IV};
use super::super::body::XofJob;
use super::schedule::order;
use super::xof_groups::{LANE_NUMBERS, by_groups};
use core::mem::offset_of;

/// Quarter rounds with words broadcast from the block at rdi, see [`turns`].
macro_rules! columns {
    ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal))*) => {
        quarter_rounds!("zmm" $(($a $b $c $d
            concat!("movzx eax,byte ptr [r9+", $x, "]\n "), "[rdi+4*rax]{{1to16}}",
            concat!("movzx eax,byte ptr [r9+", $y, "]\n "), "[rdi+4*rax]{{1to16}}"))*)
    };
}

macro_rules! round {
    () => { concat!(
        columns!((0 4 8 12 0 1) (1 5 9 13 2 3) (2 6 10 14 4 5) (3 7 11 15 6 7)),
        columns!((16 20 24 28 0 1) (17 21 25 29 2 3) (18 22 26 30 4 5) (19 23 27 31 6 7)),
        columns!((0 5 10 15 8 9) (1 6 11 12 10 11) (2 7 8 13 12 13) (3 4 9 14 14 15)),
        columns!((16 21 26 31 8 9) (17 22 27 28 10 11) (18 23 24 29 12 13) (19 20 25 30 14 15)),
    ) };
}

macro_rules! moves {
    ($($r:literal $i:literal)*) => { concat!($("vmovdqa32 [rsp+64*", $i, "],zmm", $r, "\n",)*) };
    (load $at:literal $($r:literal)*) => { concat!($("vmovdqa32 zmm", $r, ",[", $at, "+64*", $r, "]\n",)*) };
}

/// Counters of 16 lanes, from rax + `$n` on: registers for the low and the high words.
macro_rules! counters {
    ($n:literal $low:literal $high:literal) => { concat!(
        "lea rcx,[rax+", $n, "]\n vpbroadcastd zmm", $high, ",ecx\n",
        "vpaddd zmm", $low, ",zmm", $high, ",[rip+{lanes}]\n",
        "vpcmpud k1,zmm", $low, ",zmm", $high, ",1\n",
        "shr rcx,32\n vpbroadcastd zmm", $high, ",ecx\n",
        "vpaddd zmm", $high, "{{k1}},zmm", $high, ",[rip+{lanes}+4]{{1to16}}\n",
    ) };
}

/// Takes every fourth lane from `$lane` on, from registers with words 0-3, 4-7, 8-11
/// and 12-15. It writes them to rsi, or combines them by `$op` with the bytes there.
macro_rules! lanes {
    ($op:tt $lane:literal $r:literal $s:literal $t:literal $u:literal) => { concat!(
        "vshufi32x4 zmm16,zmm", $r, ",zmm", $s, ",0x44\n vshufi32x4 zmm17,zmm", $r, ",zmm", $s, ",0xee\n",
        "vshufi32x4 zmm18,zmm", $t, ",zmm", $u, ",0x44\n vshufi32x4 zmm19,zmm", $t, ",zmm", $u, ",0xee\n",
        "vshufi32x4 zmm20,zmm16,zmm18,0x88\n vshufi32x4 zmm21,zmm16,zmm18,0xdd\n",
        "vshufi32x4 zmm22,zmm17,zmm19,0x88\n vshufi32x4 zmm23,zmm17,zmm19,0xdd\n",
        lanes!(@ $op $lane 0 20), lanes!(@ $op $lane 256 21),
        lanes!(@ $op $lane 512 22), lanes!(@ $op $lane 768 23),
    ) };
    (@ "write" $lane:literal $at:literal $r:literal) => { concat!(
        "vmovdqu32 [rsi+64*", $lane, "+", $at, "],zmm", $r, "\n",
    ) };
    (@ $op:literal $lane:literal $at:literal $r:literal) => { concat!(
        "vmovdqu32 zmm24,[rsi+64*", $lane, "+", $at, "]\n ",
        $op, " zmm24,zmm24,zmm", $r, "\n vmovdqu32 [rsi+64*", $lane, "+", $at, "],zmm24\n",
    ) };
}

/// Writes the words in registers 0 to 15 as blocks to rsi, or combines them by `$op`
/// with the bytes there.
macro_rules! put {
    ($op:tt) => { concat!(
        unpack_to!("zmm" "ldq" 16 0 1 18 2 3 20 4 5 22 6 7 24 8 9 26 10 11 28 12 13 30 14 15),
        unpack_to!("zmm" "hdq" 17 0 1 19 2 3 21 4 5 23 6 7 25 8 9 27 10 11 29 12 13 31 14 15),
        unpack_to!("zmm" "lqdq" 0 16 18 2 17 19 4 20 22 6 21 23 8 24 26 10 25 27 12 28 30 14 29 31),
        unpack_to!("zmm" "hqdq" 1 16 18 3 17 19 5 20 22 7 21 23 9 24 26 11 25 27 13 28 30 15 29 31),
        lanes!($op 0 0 4 8 12), lanes!($op 1 1 5 9 13), lanes!($op 2 2 6 10 14), lanes!($op 3 3 7 11 15),
    ) };
}

/// Outputs the group in registers 0 to 15, then the group in the frame.
macro_rules! both {
    ($op:tt) => { concat!(
        put!($op),
        moves!(load "rsp" 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
        "add rsi,1024\n",
        put!($op),
    ) };
}

static ORDER: [[u8; 16]; 7] = order(1);

/// Makes thirty-two blocks. `how` is 0 to write them, 1 to add them to the 16-bit words
/// there, 2 to subtract them.
#[unsafe(naked)]
pub(crate) unsafe extern "sysv64" fn xof32(job: *const XofJob, out: *mut u8, how: u32) {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n push rbp\n .cfi_def_cfa_offset 16\n .cfi_offset rbp,-16\n",
            "mov rbp,rsp\n .cfi_def_cfa_register rbp\n and rsp,-64\n sub rsp,1024\n",
            "mov r8,[rdi+{cv}]\n",
            broadcast_to!("zmm" "r8" 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
            broadcast_to!("zmm" "rip+{iv}" 8 0 9 1 10 2 11 3),
            "mov rax,[rdi+{counter}]\n",
            counters!(0 12 13), counters!(16 28 29),
            "vpbroadcastd zmm14,[rdi+{len}]\n vpbroadcastd zmm15,[rdi+{flags}]\n mov rdi,[rdi+{block}]\n",
            broadcast_to!("zmm" "r8" 16 0 17 1 18 2 19 3 20 4 21 5 22 6 23 7),
            broadcast_to!("zmm" "rip+{iv}" 24 0 25 1 26 2 27 3),
            "vmovdqa32 zmm30,zmm14\n vmovdqa32 zmm31,zmm15\n",
            turns!(round),
            fold_in!("zmm" 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15),
            xor_cv!("zmm" "{{1to16}}" 8 8 0 9 9 1 10 10 2 11 11 3 12 12 4 13 13 5 14 14 6 15 15 7),
            fold_in!("zmm" 16 24 17 25 18 26 19 27 20 28 21 29 22 30 23 31),
            xor_cv!("zmm" "{{1to16}}" 24 24 0 25 25 1 26 26 2 27 27 3 28 28 4 29 29 5 30 30 6 31 31 7),
            moves!(16 0 17 1 18 2 19 3 20 4 21 5 22 6 23 7 24 8 25 9 26 10 27 11 28 12 29 13 30 14 31 15),
            "cmp edx,1\n je 3f\n ja 4f\n",
            both!("write"), "jmp 5f\n 3:\n",
            both!("vpaddw"), "jmp 5f\n 4:\n",
            both!("vpsubw"), "5:\n",
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

/// Adds 32 blocks to the 16-bit words at `out`, or subtracts them: `how` is as for [`xof32`].
/// The blocks are in `rows`, as [`super::avx512_xof_single::sum16s`] leaves them.
///
/// # Safety
/// The CPU must have AVX-512F, VL and BW. `rows` must be readable for 2048 bytes, and its
/// address a multiple of 64. `out` must be valid for reads and writes of as many.
#[unsafe(naked)]
pub(crate) unsafe extern "sysv64" fn fold_rows(rows: *const u8, out: *mut u8, how: u32) {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n",
            "mov ecx,2\n 2:\n",
            moves!(load "rdi" 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
            "cmp edx,1\n jne 4f\n",
            put!("vpaddw"), "jmp 5f\n 4:\n",
            put!("vpsubw"), "5:\n",
            "add rdi,1024\n add rsi,1024\n dec ecx\n jnz 2b\n",
            "vzeroupper\n ret\n .cfi_endproc\n",
        ),
    )
}

/// Makes blocks from the front of `out`, and returns how many: see [`by_groups`].
///
/// Unsafe: the CPU must have AVX-512F and AVX-512VL.
#[inline]
pub(crate) unsafe fn xof(job: &XofJob, out: &mut [[u8; BLOCK_LEN]]) -> usize {
    by_groups::<32>(job, out, |job, out, groups| {
        for group in 0..groups {
            let counter = job.counter.wrapping_add(32 * group as u64);
            // SAFETY: the caller's CPU has the ISAs, and there is room for the groups.
            unsafe { xof32(&XofJob { counter, ..*job }, out.add(2048 * group), 0) };
        }
    })
}
