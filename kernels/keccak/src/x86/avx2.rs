//! AVX2: four messages. The states are in memory and permuted in place, as in
//! `rounds512`.
//!
//! The 16 registers hold five differences, a row of five, the five next parities, and
//! one temporary. A rotation is two shifts and an or. Rotations by 8 and 56 are byte
//! shuffles.
//!
//! Limit, per round: 20 operations for the parities, 20 for the differences, 25 to add
//! them, 68 for 24 rotations, 50 for chi, 1 for iota = 184. At 3 a cycle (Zen 2 to 4,
//! Intel) that is 61 cycles, at 4 a cycle (Zen 5) 46.

use super::{ROUND_CONSTANTS, constants, padding256};
use crate::many::{self, States, Tail, Wide};
use crate::state::{Parameters, Rounds};
use core::arch::naked_asm;
use karat_hash_core::hop;

/// See [`many::many`].
///
/// # Safety
/// The same conditions as there, and the CPU must have [`super::AVX2`].
pub(crate) unsafe fn many(
    messages: &[&[u8]],
    out: &mut [u8],
    length: usize,
    p: Parameters,
) -> usize {
    // SAFETY: the caller upholds the safety contract.
    unsafe { many::many::<4, Avx2>(messages, out, length, p) }
}

struct Avx2;

impl Wide<4> for Avx2 {
    #[inline]
    unsafe fn absorb(
        states: *mut States<4>,
        at: &[*const u8; 4],
        blocks: usize,
        words: usize,
        fresh: bool,
        rounds: Rounds,
    ) {
        // SAFETY: the caller upholds the safety contract.
        unsafe {
            let absorb = if fresh { absorb4_fresh } else { absorb4 };
            absorb(states, at, blocks, words * 8, constants(rounds).as_ptr());
        }
    }

    #[inline]
    unsafe fn pad(tail: *mut Tail, rest: &[u8], p: Parameters) {
        // SAFETY: the caller upholds the safety contract. A slice is readable for its length.
        unsafe {
            padding256::pad(tail, rest.as_ptr(), rest.len(), p.rate(), p.suffix.into());
        }
    }

    #[inline]
    unsafe fn digests(states: *const States<4>, out: *mut [u8; 32]) {
        // SAFETY: the caller upholds the safety contract.
        unsafe { padding256::digests(states, out) }
    }
}

/// Byte shuffles that rotate 64-bit words left by 8 and by 56.
#[repr(C, align(32))]
struct Shuffles([[u8; 32]; 2]);

static SHUFFLES: Shuffles = {
    let mut table = [[0; 32]; 2];
    let mut i = 0;
    while i < 32 {
        // A shuffle stays within its 16 bytes.
        let word = i % 16 / 8 * 8;
        table[0][i] = (word + (i + 7) % 8) as u8;
        table[1][i] = (word + (i + 1) % 8) as u8;
        i += 1;
    }
    Shuffles(table)
};

macro_rules! xor {
    ($($dst:literal $a:literal $b:literal),*) => {
        concat!($("vpxor ymm", $dst, ", ymm", $a, ", ymm", $b, "\n"),*)
    };
}

/// `dst = src` rotated left; `$right` is 64 minus `$left`. Overwrites register 15.
macro_rules! rol {
    ($dst:literal $src:literal $left:literal $right:literal) => {
        concat!(
            "vpsllq ymm15, ymm",
            $src,
            ", ",
            $left,
            "\n",
            "vpsrlq ymm",
            $dst,
            ", ymm",
            $src,
            ", ",
            $right,
            "\n",
            "vpor ymm",
            $dst,
            ", ymm",
            $dst,
            ", ymm15\n",
        )
    };
}

/// One lane of the new row: loads it, adds the difference, rotates.
macro_rules! lane {
    ($b:literal $place:literal $d:literal) => {
        concat!("vpxor ymm", $b, ", ymm", $d, ", [rdi + 32 * ", $place, "]\n")
    };
    ($b:literal $place:literal $d:literal 8) => {
        concat!(lane!($b $place $d), "vpshufb ymm", $b, ", ymm", $b, ", [r10]\n")
    };
    ($b:literal $place:literal $d:literal 56) => {
        concat!(lane!($b $place $d), "vpshufb ymm", $b, ", ymm", $b, ", [r10 + 32]\n")
    };
    ($b:literal $place:literal $d:literal $left:literal $right:literal) => {
        concat!(lane!($b $place $d), rol!($b $b $left $right))
    };
}

/// One lane of chi: stores it and adds it to the parity `$p`, or starts the parity with
/// it.
macro_rules! chi {
    ($t:literal $a:literal $b:literal $c:literal $place:literal) => {
        concat!(
            "vpandn ymm", $t, ", ymm", $b, ", ymm", $c, "\n",
            xor!($t $t $a),
            "vmovdqa [rdi + 32 * ", $place, "], ymm", $t, "\n",
        )
    };
    ($a:literal $b:literal $c:literal $place:literal => $p:literal) => {
        concat!(chi!("15" $a $b $c $place), xor!($p $p "15"))
    };
}

/// Applies chi to the row in registers 5 to 9 and stores it to five places.
macro_rules! row {
    ($e0:literal $e1:literal $e2:literal $e3:literal $e4:literal) => {
        concat!(
            chi!("5" "6" "7" $e0 => "10"),
            chi!("6" "7" "8" $e1 => "11"),
            chi!("7" "8" "9" $e2 => "12"),
            chi!("8" "9" "5" $e3 => "13"),
            chi!("9" "5" "6" $e4 => "14"),
        )
    };
}

/// A round. The parities are in registers 10 to 14 before and after. The numbers are
/// the places of the lanes at the start, row by row.
macro_rules! round {
    ($rc:literal
        $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal
        $b0:literal $b1:literal $b2:literal $b3:literal $b4:literal
        $c0:literal $c1:literal $c2:literal $c3:literal $c4:literal
        $d0:literal $d1:literal $d2:literal $d3:literal $d4:literal
        $e0:literal $e1:literal $e2:literal $e3:literal $e4:literal) => {
        concat!(
            hop!(),
            rol!("0" "11" "1" "63"),
            rol!("1" "12" "1" "63"),
            rol!("2" "13" "1" "63"),
            rol!("3" "14" "1" "63"),
            rol!("4" "10" "1" "63"),
            xor!("0" "0" "14", "1" "1" "10", "2" "2" "11", "3" "3" "12", "4" "4" "13"),
            // Row 0 starts the parities.
            lane!("5" $a0 "0"),
            lane!("6" $b1 "1" "44" "20"),
            lane!("7" $c2 "2" "43" "21"),
            lane!("8" $d3 "3" "21" "43"),
            lane!("9" $e4 "4" "14" "50"),
            "vpbroadcastq ymm15, [rax + ", $rc, "]\n",
            "vpandn ymm10, ymm6, ymm7\n",
            xor!("10" "10" "5", "10" "10" "15"),
            "vmovdqa [rdi + 32 * ", $a0, "], ymm10\n",
            chi!("11" "6" "7" "8" $b1),
            chi!("12" "7" "8" "9" $c2),
            chi!("13" "8" "9" "5" $d3),
            chi!("14" "9" "5" "6" $e4),
            // Row 1: each result goes two places further.
            lane!("5" $a3 "3" "28" "36"),
            lane!("6" $b4 "4" "20" "44"),
            lane!("7" $c0 "0" "3" "61"),
            lane!("8" $d1 "1" "45" "19"),
            lane!("9" $e2 "2" "61" "3"),
            row!($c0 $d1 $e2 $a3 $b4),
            hop!(),
            // Row 2: each result goes four places further.
            lane!("5" $a1 "1" "1" "63"),
            lane!("6" $b2 "2" "6" "58"),
            lane!("7" $c3 "3" "25" "39"),
            lane!("8" $d4 "4" 8),
            lane!("9" $e0 "0" "18" "46"),
            row!($e0 $a1 $b2 $c3 $d4),
            // Row 3: each result goes one place further.
            lane!("5" $a4 "4" "27" "37"),
            lane!("6" $b0 "0" "36" "28"),
            lane!("7" $c1 "1" "10" "54"),
            lane!("8" $d2 "2" "15" "49"),
            lane!("9" $e3 "3" 56),
            row!($b0 $c1 $d2 $e3 $a4),
            // Row 4: each result goes three places further.
            lane!("5" $a2 "2" "62" "2"),
            lane!("6" $b3 "3" "55" "9"),
            lane!("7" $c4 "4" "39" "25"),
            lane!("8" $d0 "0" "41" "23"),
            lane!("9" $e1 "1" "2" "62"),
            row!($d0 $e1 $a2 $b3 $c4),
        )
    };
}

macro_rules! parity {
    ($c:literal: $a:literal $($b:literal)*) => {
        concat!(
            "vmovdqa ymm", $c, ", [rdi + 32 * ", $a, "]\n",
            $("vpxor ymm", $c, ", ymm", $c, ", [rdi + 32 * ", $b, "]\n",)*
        )
    };
}

/// [`absorb4`] of states that are cleared before.
#[unsafe(naked)]
unsafe extern "sysv64" fn absorb4_fresh(
    states: *mut States<4>,
    at: &[*const u8; 4],
    blocks: usize,
    rate: usize,
    first: *const u64,
) {
    naked_asm!(
        ".cfi_startproc\n vpxor xmm0, xmm0, xmm0",
        ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24",
        "vmovdqa [rdi + 32 * \\n], ymm0\n .endr",
        "jmp {absorb4}\n .cfi_endproc",
        absorb4 = sym absorb4,
    )
}

/// Runs four states at rdi. `rate` is in bytes. `first` is the constant of the first round,
/// which is on the stack. The number of rounds is a multiple of 4. Words are transposed four at a time,
/// for four messages. The one or two that remain are added word by word.
#[unsafe(naked)]
unsafe extern "sysv64" fn absorb4(
    states: *mut States<4>,
    at: &[*const u8; 4],
    blocks: usize,
    rate: usize,
    first: *const u64,
) {
    naked_asm!(
        ".cfi_startproc",
        "push rbx", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset rbx, 0",
        "push r8", ".cfi_adjust_cfa_offset 8",
        "mov r8, [rsi]",
        "mov r9, [rsi + 8]",
        "mov r11, [rsi + 16]",
        "mov rsi, [rsi + 24]",
        "lea r10, [rip + {shuffles}]",
        "2:",
        "xor eax, eax",
        "3:",
        "vmovdqu ymm0, [r8 + rax]",
        "vmovdqu ymm1, [r9 + rax]",
        "vmovdqu ymm2, [r11 + rax]",
        "vmovdqu ymm3, [rsi + rax]",
        "vpunpcklqdq ymm4, ymm0, ymm1",
        "vpunpckhqdq ymm5, ymm0, ymm1",
        "vpunpcklqdq ymm6, ymm2, ymm3",
        "vpunpckhqdq ymm7, ymm2, ymm3",
        "vperm2i128 ymm0, ymm4, ymm6, 0x20",
        "vperm2i128 ymm1, ymm5, ymm7, 0x20",
        "vperm2i128 ymm2, ymm4, ymm6, 0x31",
        "vperm2i128 ymm3, ymm5, ymm7, 0x31",
        "vpxor ymm0, ymm0, [rdi + 4 * rax]",
        "vpxor ymm1, ymm1, [rdi + 4 * rax + 32]",
        "vpxor ymm2, ymm2, [rdi + 4 * rax + 64]",
        "vpxor ymm3, ymm3, [rdi + 4 * rax + 96]",
        "vmovdqa [rdi + 4 * rax], ymm0",
        "vmovdqa [rdi + 4 * rax + 32], ymm1",
        "vmovdqa [rdi + 4 * rax + 64], ymm2",
        "vmovdqa [rdi + 4 * rax + 96], ymm3",
        "add rax, 32",
        "lea rbx, [rax + 32]",
        "cmp rbx, rcx",
        "jbe 3b",
        "4:",
        "vmovq xmm0, [r8 + rax]",
        "vmovhps xmm0, xmm0, [r9 + rax]",
        "vmovq xmm1, [r11 + rax]",
        "vmovhps xmm1, xmm1, [rsi + rax]",
        "vinserti128 ymm0, ymm0, xmm1, 1",
        "vpxor ymm0, ymm0, [rdi + 4 * rax]",
        "vmovdqa [rdi + 4 * rax], ymm0",
        "add rax, 8",
        "cmp rax, rcx",
        "jb 4b",
        "add r8, rcx",
        "add r9, rcx",
        "add r11, rcx",
        "add rsi, rcx",
        parity!("10": "0" "5" "10" "15" "20"),
        parity!("11": "1" "6" "11" "16" "21"),
        parity!("12": "2" "7" "12" "17" "22"),
        parity!("13": "3" "8" "13" "18" "23"),
        parity!("14": "4" "9" "14" "19" "24"),
        "mov rax, [rsp]",
        "lea rbx, [rip + {constants} + 192]",
        ".p2align 5",
        "5:",
        round!("0"
            "0" "1" "2" "3" "4"
            "5" "6" "7" "8" "9"
            "10" "11" "12" "13" "14"
            "15" "16" "17" "18" "19"
            "20" "21" "22" "23" "24"),
        round!("8"
            "0" "6" "12" "18" "24"
            "10" "16" "22" "3" "9"
            "20" "1" "7" "13" "19"
            "5" "11" "17" "23" "4"
            "15" "21" "2" "8" "14"),
        round!("16"
            "0" "16" "7" "23" "14"
            "20" "11" "2" "18" "9"
            "15" "6" "22" "13" "4"
            "10" "1" "17" "8" "24"
            "5" "21" "12" "3" "19"),
        round!("24"
            "0" "11" "22" "8" "19"
            "15" "1" "12" "23" "9"
            "5" "16" "2" "13" "24"
            "20" "6" "17" "3" "14"
            "10" "21" "7" "18" "4"),
        "add rax, 32",
        "cmp rax, rbx",
        "jne 5b",
        "dec rdx",
        "jnz 2b",
        "vzeroupper",
        "add rsp, 8", ".cfi_adjust_cfa_offset -8",
        "pop rbx", ".cfi_adjust_cfa_offset -8", ".cfi_restore rbx",
        "ret",
        ".cfi_endproc",
        shuffles = sym SHUFFLES,
        constants = sym ROUND_CONSTANTS,
    )
}
