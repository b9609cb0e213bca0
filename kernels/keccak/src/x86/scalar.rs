//! One message in general registers, with BMI1's `andn` and BMI2's `rorx`.
//!
//! The state is on the stack and permuted in place, as in `rounds512`: a row's five
//! lanes are loaded before its results are stored, and lane (x, y) moves to the place
//! of (x, x + 2y). Fourteen registers hold five differences, a row of five, three of
//! the five next parities, and one temporary. The other two parities are added up from
//! the stack after the differences are used. The fifteenth register walks through the
//! constants.
//!
//! Limits on Zen 5, per round: 130 operations (20 + 10 theta, 25 to add it, 24
//! rotations, 50 chi, 1 iota) at 4.9 a cycle, the rate of six ALUs with fresh operands,
//! are 26.5 cycles. 182 instructions in all at 5.8 a cycle, the highest rate of mixes
//! with loads and stores, are 31.4. Reached: 34.

use super::{ROUND_CONSTANTS, constants};
use crate::state::{Rounds, State};
use core::arch::naked_asm;

/// See [`crate::body::One`].
///
/// # Safety
/// The same conditions as there, and the CPU must have [`super::BMI2`].
pub(crate) unsafe fn absorb(
    state: &mut State,
    data: *const u8,
    blocks: usize,
    words: usize,
    row: bool,
    rounds: Rounds,
) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { absorb1(state, data, blocks, words, constants(rounds).as_ptr(), row) }
}

/// A place on the stack.
macro_rules! slot {
    ($n:literal) => {
        concat!("[rsp + 8 * ", $n, "]")
    };
}

/// One lane of the new row: loads it, adds the difference, rotates.
macro_rules! lane {
    ($b:literal $slot:literal $d:literal 0) => {
        concat!("mov ", $b, ", ", slot!($slot), "\nxor ", $b, ", ", $d, "\n")
    };
    ($b:literal $slot:literal $d:literal $n:literal) => {
        concat!(lane!($b $slot $d 0), "rol ", $b, ", ", $n, "\n")
    };
}

/// Stores `t = a ^ (~b & c)`.
macro_rules! chi {
    ($t:literal $a:literal $b:literal $c:literal $slot:literal $($iota:literal)?) => {
        concat!(
            "andn ", $t, ", ", $b, ", ", $c, "\n",
            "xor ", $t, ", ", $a, "\n",
            $("xor ", $t, ", [rsi + ", $iota, "]\n",)?
            "mov ", slot!($slot), ", ", $t, "\n",
        )
    };
}

macro_rules! xor {
    ($($a:literal $b:literal)*) => {
        concat!($("xor ", $a, ", ", $b, "\n"),*)
    };
}

/// Adds the first four lanes of a parity, from the stack.
macro_rules! column {
    ($c:literal: $a:literal $b:literal $d:literal $e:literal) => {
        concat!(
            "mov ",
            $c,
            ", ",
            slot!($a),
            "\n",
            "xor ",
            $c,
            ", ",
            slot!($b),
            "\n",
            "xor ",
            $c,
            ", ",
            slot!($d),
            "\n",
            "xor ",
            $c,
            ", ",
            slot!($e),
            "\n",
        )
    };
}

/// Theta's differences from the parities.
macro_rules! differences {
    ([$c0:literal $c1:literal $c2:literal $c3:literal $c4:literal]
        [$d0:literal $d1:literal $d2:literal $d3:literal $d4:literal]) => {
        concat!(
            "rorx ", $d0, ", ", $c1, ", 63\n",
            "rorx ", $d1, ", ", $c2, ", 63\n",
            "rorx ", $d2, ", ", $c3, ", 63\n",
            "rorx ", $d3, ", ", $c4, ", 63\n",
            "rorx ", $d4, ", ", $c0, ", 63\n",
            xor!($d0 $c4 $d1 $c0 $d2 $c1 $d3 $c2 $d4 $c3),
        )
    };
}

/// A round. `$c` holds the parities, then rows. `$d` is free, then holds the
/// differences. `$p0`, `$p4`, `$p1` are free, then hold the next parities 0, 4 and 1.
/// The next parities 2 and 3 end in `$d4` and `$d3`. The numbers are the places of the
/// lanes at the start, row by row.
macro_rules! round {
    ($rc:literal
        [$c0:literal $c1:literal $c2:literal $c3:literal $c4:literal]
        [$d0:literal $d1:literal $d2:literal $d3:literal $d4:literal]
        [$p0:literal $p4:literal $p1:literal] $t:literal
        $l0:literal $l1:literal $l2:literal $l3:literal $l4:literal
        $m0:literal $m1:literal $m2:literal $m3:literal $m4:literal
        $n0:literal $n1:literal $n2:literal $n3:literal $n4:literal
        $o0:literal $o1:literal $o2:literal $o3:literal $o4:literal
        $q0:literal $q1:literal $q2:literal $q3:literal $q4:literal) => {
        concat!(
            differences!([$c0 $c1 $c2 $c3 $c4] [$d0 $d1 $d2 $d3 $d4]),
            // Row 0.
            lane!($c0 $l0 $d0 0),
            lane!($c1 $m1 $d1 44),
            lane!($c2 $n2 $d2 43),
            lane!($c3 $o3 $d3 21),
            lane!($c4 $q4 $d4 14),
            chi!($p0 $c0 $c1 $c2 $l0 $rc),
            chi!($p1 $c1 $c2 $c3 $m1),
            chi!($t $c2 $c3 $c4 $n2),
            chi!($t $c3 $c4 $c0 $o3),
            chi!($p4 $c4 $c0 $c1 $q4),
            // Row 1: each result goes two places further.
            lane!($c0 $l3 $d3 28),
            lane!($c1 $m4 $d4 20),
            lane!($c2 $n0 $d0 3),
            lane!($c3 $o1 $d1 45),
            lane!($c4 $q2 $d2 61),
            chi!($t $c0 $c1 $c2 $n0), xor!($p0 $t),
            chi!($t $c1 $c2 $c3 $o1), xor!($p1 $t),
            chi!($t $c2 $c3 $c4 $q2),
            chi!($t $c3 $c4 $c0 $l3),
            chi!($t $c4 $c0 $c1 $m4), xor!($p4 $t),
            // Row 2: each result goes four places further.
            lane!($c0 $l1 $d1 1),
            lane!($c1 $m2 $d2 6),
            lane!($c2 $n3 $d3 25),
            lane!($c3 $o4 $d4 8),
            lane!($c4 $q0 $d0 18),
            chi!($t $c0 $c1 $c2 $q0), xor!($p0 $t),
            chi!($t $c1 $c2 $c3 $l1), xor!($p1 $t),
            chi!($t $c2 $c3 $c4 $m2),
            chi!($t $c3 $c4 $c0 $n3),
            chi!($t $c4 $c0 $c1 $o4), xor!($p4 $t),
            // Row 3: each result goes one place further.
            lane!($c0 $l4 $d4 27),
            lane!($c1 $m0 $d0 36),
            lane!($c2 $n1 $d1 10),
            lane!($c3 $o2 $d2 15),
            lane!($c4 $q3 $d3 56),
            chi!($t $c0 $c1 $c2 $m0), xor!($p0 $t),
            chi!($t $c1 $c2 $c3 $n1), xor!($p1 $t),
            chi!($t $c2 $c3 $c4 $o2),
            chi!($t $c3 $c4 $c0 $q3),
            chi!($t $c4 $c0 $c1 $l4), xor!($p4 $t),
            // Row 4: each result goes three places further.
            lane!($c0 $l2 $d2 62),
            lane!($c1 $m3 $d3 55),
            lane!($c2 $n4 $d4 39),
            lane!($c3 $o0 $d0 41),
            lane!($c4 $q1 $d1 2),
            column!($d4: $n2 $q2 $m2 $o2),
            column!($d3: $o3 $l3 $n3 $q3),
            chi!($t $c1 $c2 $c3 $q1), xor!($p1 $t),
            chi!($t $c4 $c0 $c1 $n4), xor!($p4 $t),
            chi!($t $c0 $c1 $c2 $o0), xor!($p0 $t),
            chi!($t $c2 $c3 $c4 $l2), xor!($d4 $t),
            chi!($t $c3 $c4 $c0 $m3), xor!($d3 $t),
        )
    };
}

/// The last round, only as far as row 0 needs it. It begins with the registers and places
/// where three of four rounds have left the lanes. The row goes to the state.
macro_rules! last_row {
    () => {
        last_row!(["rax" "rcx" "r14" "r11" "rbx"] ["r8" "r10" "rdi" "rdx" "r9"])
    };
    ([$c0:literal $c1:literal $c2:literal $c3:literal $c4:literal]
        [$d0:literal $d1:literal $d2:literal $d3:literal $d4:literal]) => {
        concat!(
            differences!([$c0 $c1 $c2 $c3 $c4] [$d0 $d1 $d2 $d3 $d4]),
            lane!($c0 "0" $d0 0),
            lane!($c1 "1" $d1 44),
            lane!($c2 "2" $d2 43),
            lane!($c3 "3" $d3 21),
            lane!($c4 "4" $d4 14),
            "mov r12, [rsp + 224]\n",
            last_row!("r15" "0": $c0 $c1 $c2 "xor r15, [rsi + 24]\n"),
            last_row!("r13" "1": $c1 $c2 $c3 ""),
            last_row!("rbp" "2": $c2 $c3 $c4 ""),
            last_row!("r15" "3": $c3 $c4 $c0 ""),
            last_row!("r13" "4": $c4 $c0 $c1 ""),
        )
    };
    ($t:literal $n:literal: $a:literal $b:literal $c:literal $iota:literal) => {
        concat!(
            "andn ", $t, ", ", $b, ", ", $c, "\n",
            "xor ", $t, ", ", $a, "\n",
            $iota,
            "mov [r12 + 8 * ", $n, "], ", $t, "\n",
        )
    };
}

macro_rules! each_lane {
    ($before:literal $between:literal $after:literal: $($n:literal)*) => {
        concat!($($before, $n, $between, $n, $after, "\n"),*)
    };
}

/// `first` is the constant of the first round. The number of rounds is a multiple of 4.
///
/// With `row`, only lanes 0 to 4 of the state are written.
///
/// Frame: 25 lanes, then data at 200, blocks at 208, words at 216, state at 224, the
/// end of the constants at 232, their beginning at 240. At 248 where the last four rounds
/// begin, or 0 without `row`.
#[unsafe(naked)]
unsafe extern "sysv64" fn absorb1(
    state: &mut State,
    data: *const u8,
    blocks: usize,
    words: usize,
    first: *const u64,
    row: bool,
) {
    /// Adds words 0, 1 and so on, up to the number of words in a block. Unrolled,
    /// because stores through an index undo Zen 5's renaming of memory by offset
    /// (docs/notes/keccak.md).
    macro_rules! add_words {
        ($($count:literal $n:literal)*) => {
            concat!($(
                "cmp ecx, ", $count, "\n",
                "jb 4f\n",
                "mov rax, [rsi + 8 * ", $n, "]\n",
                "xor ", slot!($n), ", rax\n",
            )*)
        };
    }
    naked_asm!(
        ".cfi_startproc",
        "push rbx", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset rbx, 0",
        "push rbp", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset rbp, 0",
        "push r12", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset r12, 0",
        "push r13", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset r13, 0",
        "push r14", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset r14, 0",
        "push r15", ".cfi_adjust_cfa_offset 8", ".cfi_rel_offset r15, 0",
        "sub rsp, 264", ".cfi_adjust_cfa_offset 264",
        "mov [rsp + 200], rsi",
        "mov [rsp + 208], rdx",
        "mov [rsp + 216], rcx",
        "mov [rsp + 224], rdi",
        "mov [rsp + 240], r8",
        "lea rax, [rip + {constants} + 192]",
        "mov [rsp + 232], rax",
        "sub rax, 32",
        "xor r10d, r10d",
        "test r9b, r9b",
        "cmovnz r10, rax",
        "mov [rsp + 248], r10",
        each_lane!("mov rax, [rdi + 8 * " "]\nmov [rsp + 8 * " "], rax": "0" "1" "2" "3" "4" "5"
            "6" "7" "8" "9" "10" "11" "12" "13" "14" "15" "16" "17" "18" "19" "20" "21" "22" "23"
            "24"),
        "2:",
        "mov rsi, [rsp + 200]",
        "mov rcx, [rsp + 216]",
        add_words!("1" "0" "2" "1" "3" "2" "4" "3" "5" "4" "6" "5" "7" "6" "8" "7" "9" "8"
            "10" "9" "11" "10" "12" "11" "13" "12" "14" "13" "15" "14" "16" "15" "17" "16"
            "18" "17" "19" "18" "20" "19" "21" "20"),
        "4:",
        "lea rsi, [rsi + 8 * rcx]",
        "mov [rsp + 200], rsi",
        column!("rax": "0" "5" "10" "15"),
        column!("rbx": "1" "6" "11" "16"),
        column!("rcx": "2" "7" "12" "17"),
        column!("rdx": "3" "8" "13" "18"),
        column!("rdi": "4" "9" "14" "19"),
        "xor rax, [rsp + 8 * 20]",
        "xor rbx, [rsp + 8 * 21]",
        "xor rcx, [rsp + 8 * 22]",
        "xor rdx, [rsp + 8 * 23]",
        "xor rdi, [rsp + 8 * 24]",
        "mov rsi, [rsp + 240]",
        ".p2align 5",
        "5:",
        round!("0"
            ["rax" "rbx" "rcx" "rdx" "rdi"] ["r8" "r9" "r10" "r11" "r12"] ["r13" "r14" "rbp"] "r15"
            "0" "1" "2" "3" "4"
            "5" "6" "7" "8" "9"
            "10" "11" "12" "13" "14"
            "15" "16" "17" "18" "19"
            "20" "21" "22" "23" "24"),
        round!("8"
            ["r13" "rbp" "r12" "r11" "r14"] ["rax" "rbx" "rcx" "rdx" "rdi"] ["r8" "r9" "r10"] "r15"
            "0" "6" "12" "18" "24"
            "10" "16" "22" "3" "9"
            "20" "1" "7" "13" "19"
            "5" "11" "17" "23" "4"
            "15" "21" "2" "8" "14"),
        round!("16"
            ["r8" "r10" "rdi" "rdx" "r9"] ["r13" "rbp" "r12" "r11" "r14"] ["rax" "rbx" "rcx"] "r15"
            "0" "16" "7" "23" "14"
            "20" "11" "2" "18" "9"
            "15" "6" "22" "13" "4"
            "10" "1" "17" "8" "24"
            "5" "21" "12" "3" "19"),
        "cmp rsi, [rsp + 248]",
        "je 7f",
        "8:",
        round!("24"
            ["rax" "rcx" "r14" "r11" "rbx"] ["r8" "r10" "rdi" "rdx" "r9"] ["r13" "r12" "rbp"] "r15"
            "0" "11" "22" "8" "19"
            "15" "1" "12" "23" "9"
            "5" "16" "2" "13" "24"
            "20" "6" "17" "3" "14"
            "10" "21" "7" "18" "4"),
        "mov rax, r13",
        "mov rbx, rbp",
        "mov rcx, r9",
        "mov rdi, r12",
        "add rsi, 32",
        "cmp rsi, [rsp + 232]",
        "jne 5b",
        "dec qword ptr [rsp + 208]",
        "jnz 2b",
        "mov rdi, [rsp + 224]",
        each_lane!("mov rax, [rsp + 8 * " "]\nmov [rdi + 8 * " "], rax": "0" "1" "2" "3" "4" "5"
            "6" "7" "8" "9" "10" "11" "12" "13" "14" "15" "16" "17" "18" "19" "20" "21" "22" "23"
            "24"),
        "jmp 9f",
        "7:",
        "cmp qword ptr [rsp + 208], 1",
        "jne 8b",
        last_row!(),
        "9:",
        "add rsp, 264", ".cfi_adjust_cfa_offset -264",
        "pop r15", ".cfi_adjust_cfa_offset -8", ".cfi_restore r15",
        "pop r14", ".cfi_adjust_cfa_offset -8", ".cfi_restore r14",
        "pop r13", ".cfi_adjust_cfa_offset -8", ".cfi_restore r13",
        "pop r12", ".cfi_adjust_cfa_offset -8", ".cfi_restore r12",
        "pop rbp", ".cfi_adjust_cfa_offset -8", ".cfi_restore rbp",
        "pop rbx", ".cfi_adjust_cfa_offset -8", ".cfi_restore rbx",
        "ret",
        ".cfi_endproc",
        constants = sym ROUND_CONSTANTS,
    )
}
