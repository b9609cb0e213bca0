//! Sixteen lanes of one block each: parents and short messages.
//!
//! Sixteen words of state and sixteen of the message fill the 32 registers. So nothing
//! goes through memory between the transposition and the result.

use super::super::constants::IV;
use super::super::job::Job;
use core::mem::offset_of;

/// The register that holds a message word.
macro_rules! word {
    (0) => { "zmm16" }; (1) => { "zmm17" }; (2) => { "zmm18" }; (3) => { "zmm19" };
    (4) => { "zmm20" }; (5) => { "zmm21" }; (6) => { "zmm22" }; (7) => { "zmm23" };
    (8) => { "zmm24" }; (9) => { "zmm25" }; (10) => { "zmm26" }; (11) => { "zmm27" };
    (12) => { "zmm28" }; (13) => { "zmm29" }; (14) => { "zmm30" }; (15) => { "zmm31" };
}

/// Quarter rounds with words in registers.
macro_rules! columns_once {
    ($(($a:literal $b:literal $c:literal $d:literal $x:tt $y:tt))*) => {
        quarter_rounds!("zmm" $(($a $b $c $d "", word!($x), "", word!($y)))*)
    };
}

macro_rules! round16_once {
    ($filler:tt $m0:tt $m1:tt $m2:tt $m3:tt $m4:tt $m5:tt $m6:tt $m7:tt
     $m8:tt $m9:tt $m10:tt $m11:tt $m12:tt $m13:tt $m14:tt $m15:tt) => { concat!(
        columns_once!((0 4 8 12 $m0 $m1) (1 5 9 13 $m2 $m3) (2 6 10 14 $m4 $m5) (3 7 11 15 $m6 $m7)),
        columns_once!((0 5 10 15 $m8 $m9) (1 6 11 12 $m10 $m11) (2 7 8 13 $m12 $m13) (3 4 9 14 $m14 $m15)),
    ) };
}

/// Loads half blocks, two lanes a register, at offset `$o`.
macro_rules! gather {
    ($o:literal $($r:literal $low:literal $high:literal)*) => { concat!($(
        "mov rax,[rdi+{inputs}+8*", $low, "]\n vmovdqu32 ymm", $r, ",[rax+", $o, "]\n",
        "mov rax,[rdi+{inputs}+8*", $high, "]\n vinserti64x4 zmm", $r, ",zmm", $r, ",[rax+", $o, "],1\n",
    )*) };
}

/// The last step of the transposition, for words w and w + 4 of a half block.
macro_rules! quarters16 {
    ($($low:literal $high:literal $a:literal $b:literal)*) => { concat!($(
        "vshufi32x4 zmm", $low, ",zmm", $a, ",zmm", $b, ",0x88\n",
        "vshufi32x4 zmm", $high, ",zmm", $a, ",zmm", $b, ",0xdd\n",
    )*) };
}

/// Transposes half blocks in registers 0 to 15 to 16 words in registers 16 to 31: stage by
/// stage, or half by half, so that the first columns, which need no words of the second half,
/// begin before the end.
macro_rules! words16 {
    (stages) => { concat!(
        unpack_to!("zmm" "ldq" 16 0 1 17 2 3 18 4 5 19 6 7 24 8 9 25 10 11 26 12 13 27 14 15),
        unpack_to!("zmm" "hdq" 20 0 1 21 2 3 22 4 5 23 6 7 28 8 9 29 10 11 30 12 13 31 14 15),
        unpack_to!("zmm" "lqdq" 0 16 17 2 20 21 4 18 19 6 22 23 8 24 25 10 28 29 12 26 27 14 30 31),
        unpack_to!("zmm" "hqdq" 1 16 17 3 20 21 5 18 19 7 22 23 9 24 25 11 28 29 13 26 27 15 30 31),
        quarters16!(16 20 0 4 17 21 1 5 18 22 2 6 19 23 3 7 24 28 8 12 25 29 9 13 26 30 10 14 27 31 11 15),
    ) };
    (halves) => { concat!(
        unpack_to!("zmm" "ldq" 16 0 1 17 2 3 18 4 5 19 6 7), unpack_to!("zmm" "hdq" 20 0 1 21 2 3 22 4 5 23 6 7),
        unpack_to!("zmm" "lqdq" 0 16 17 2 20 21 4 18 19 6 22 23), unpack_to!("zmm" "hqdq" 1 16 17 3 20 21 5 18 19 7 22 23),
        quarters16!(16 20 0 4 17 21 1 5 18 22 2 6 19 23 3 7),
        unpack_to!("zmm" "ldq" 24 8 9 25 10 11 26 12 13 27 14 15), unpack_to!("zmm" "hdq" 28 8 9 29 10 11 30 12 13 31 14 15),
        unpack_to!("zmm" "lqdq" 8 24 25 10 28 29 12 26 27 14 30 31), unpack_to!("zmm" "hqdq" 9 24 25 11 28 29 13 26 27 15 30 31),
        quarters16!(24 28 8 12 25 29 9 13 26 30 10 14 27 31 11 15),
    ) };
}

/// Runs the first 16 lanes of a job, one block each.
///
/// # Safety
/// The same conditions as for [`super::super::body::Advance`], and the CPU must have
/// AVX-512F.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn lanes16_once(job: *mut Job) {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n",
            // A row holds lanes i and i + 4, so that the 128-bit quarters come out in
            // lane order.
            gather!(0 0 0 4 1 1 5 2 2 6 3 3 7 4 8 12 5 9 13 6 10 14 7 11 15),
            gather!(32 8 0 4 9 1 5 10 2 6 11 3 7 12 8 12 13 9 13 14 10 14 15 11 15),
            words16!(stages),
            "lea r8,[rdi+{lens}+64]\n lea rcx,[rdi+{flags}+128]\n",
            take!(0 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
            lower!(0 8 9 10 11 12 13 14 15),
            rounds!(round16_once),
            fold_in!("zmm" 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15),
            leave!(0 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
            "vzeroupper\n ret\n .cfi_endproc\n",
        ),
        iv = sym IV,
        counter = const offset_of!(Job, counter),
        lens = const offset_of!(Job, lens),
        flags = const offset_of!(Job, flags),
        inputs = const offset_of!(Job, inputs),
        key = const offset_of!(Job, key),
        out = const offset_of!(Job, out),
        cv = const offset_of!(Job, cv),
    )
}
