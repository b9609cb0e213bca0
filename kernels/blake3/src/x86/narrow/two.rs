//! The rounds of two groups of rows, for [`super::rows`] and trees: four blocks.
//!
//! Words of all rounds are in memory, each round's behind those of the one before, so that
//! what makes the next round's has registers and can stand anywhere in a round. The second
//! group is four steps behind the first: the best order of some thirty on Zen 3
//! (docs/notes/avx2.md).

use super::super::rows::ROTATIONS;

/// Operations on rows, by the numbers of their registers. Numbers of words' rows are of this
/// round, of `write` those of the next. What is in square brackets makes the next round's.
macro_rules! steps_of_rows {
    ($f:tt: $($step:tt)*) => { concat!($(steps_of_rows!(@ $f $step),)*) };
    (@ last [$($step:tt)*]) => { "" };
    (@ next [$($step:tt)*]) => { steps_of_rows!(@ next ($($step)*)) };
    (@ $f:tt (m $a:literal $x:literal)) => { concat!("vpaddd ymm", $a, ",ymm", $a, ",[rax+32*", $x, "]\n") };
    (@ $f:tt (add $a:literal $b:literal)) => { concat!("vpaddd ymm", $a, ",ymm", $a, ",ymm", $b, "\n") };
    (@ $f:tt (xor $a:literal $b:literal)) => { concat!("vpxor ymm", $a, ",ymm", $a, ",ymm", $b, "\n") };
    (@ $f:tt (or $a:literal $b:literal)) => { concat!("vpor ymm", $a, ",ymm", $a, ",ymm", $b, "\n") };
    (@ $f:tt (by16 $d:literal)) => { concat!("vpshufb ymm", $d, ",ymm", $d, ",ymm10\n") };
    (@ $f:tt (by8 $d:literal)) => { concat!("vpshufb ymm", $d, ",ymm", $d, ",ymm11\n") };
    (@ $f:tt (right $t:literal $b:literal $n:literal)) => { concat!("vpsrld ymm", $t, ",ymm", $b, ",", $n, "\n") };
    (@ $f:tt (left $b:literal $n:literal)) => { concat!("vpslld ymm", $b, ",ymm", $b, ",", $n, "\n") };
    (@ $f:tt (order $a:literal $n:literal)) => { concat!("vpshufd ymm", $a, ",ymm", $a, ",", $n, "\n") };
    (@ $f:tt (order_at $a:literal $x:literal $n:literal)) => { concat!("vpshufd ymm", $a, ",[rax+32*", $x, "],", $n, "\n") };
    (@ $f:tt (pick_at $a:literal $b:literal $x:literal $n:literal)) => { concat!("vshufps ymm", $a, ",ymm", $b, ",[rax+32*", $x, "],", $n, "\n") };
    (@ $f:tt (low $a:literal $b:literal $c:literal)) => { concat!("vpunpckldq ymm", $a, ",ymm", $b, ",ymm", $c, "\n") };
    (@ $f:tt (high $a:literal $b:literal $c:literal)) => { concat!("vpunpckhdq ymm", $a, ",ymm", $b, ",ymm", $c, "\n") };
    (@ $f:tt (lowq $a:literal $b:literal $c:literal)) => { concat!("vpunpcklqdq ymm", $a, ",ymm", $b, ",ymm", $c, "\n") };
    (@ $f:tt (blend $a:literal $b:literal $c:literal $n:literal)) => { concat!("vpblendd ymm", $a, ",ymm", $b, ",ymm", $c, ",", $n, "\n") };
    (@ $f:tt (read $a:literal $x:literal)) => { concat!("vmovdqa ymm", $a, ",[rax+32*", $x, "]\n") };
    (@ $f:tt (write $a:literal $x:literal)) => { concat!("vmovdqa [rax+256+32*", $x, "],ymm", $a, "\n") };
}

/// A round of both groups, in registers 0 to 3 and 4 to 7.
macro_rules! round_of_two {
    ($f:tt) => { steps_of_rows!($f:
        (m 0 0) (add 0 1) (xor 3 0) (by16 3) (m 4 4) (m 0 1) (add 4 5) (add 2 3) (xor 7 4) (xor 1 2) (by16 7)
        (right 8 1 12) (m 4 5) (left 1 20) (add 6 7) (or 1 8) (xor 5 6) (add 0 1) (right 9 5 12) (xor 3 0)
        (left 5 20) (by8 3) (or 5 9) (order 0 0x93) (add 4 5) (add 2 3) [read 12 1] (xor 7 4) [read 13 2]
        (order 3 0x4e) [order_at 15 0 0x03] (by8 7) (xor 1 2) [pick_at 14 12 0 0x9d] (order 4 0x93)
        [order 14 0xd2] (right 8 1 7) (add 6 7) [write 14 0] (left 1 25) [pick_at 14 13 3 0xfa] (order 7 0x4e)
        [blend 14 14 15 0x55] (or 1 8) (xor 5 6) [write 14 1] (order 2 0x39) [read 14 3] (right 9 5 7) (m 0 2)
        [lowq 15 14 12] (left 5 25) [blend 15 15 13 0x88] (add 0 1) [order 15 0x78] (or 5 9) (xor 3 0)
        [write 15 2] (order 6 0x39) [high 14 12 14] (by16 3) (m 4 6) [low 14 13 14] (m 0 3) [order 14 0x1e]
        (add 4 5) [write 14 3] (add 2 3) (xor 7 4) [read 12 5] (xor 1 2) [read 13 6] (by16 7) (right 8 1 12)
        [order_at 15 4 0x03] (m 4 7) [pick_at 14 12 4 0x9d] (left 1 20) (add 6 7) [order 14 0xd2] (or 1 8)
        [write 14 4] (xor 5 6) [pick_at 14 13 7 0xfa] (add 0 1) (right 9 5 12) [blend 14 14 15 0x55] (xor 3 0)
        [write 14 5] (left 5 20) [read 14 7] (by8 3) (or 5 9) [lowq 15 14 12] (order 0 0x39)
        [blend 15 15 13 0x88] (add 4 5) (add 2 3) [order 15 0x78] (xor 7 4) [write 15 6] (order 3 0x4e) (by8 7)
        [high 14 12 14] (xor 1 2) [low 14 13 14] (order 4 0x39) [order 14 0x1e] (right 8 1 7) (add 6 7)
        [write 14 7] (left 1 25) (order 7 0x4e) (or 1 8) (xor 5 6) (order 2 0x93) (right 9 5 7) (left 5 25)
        (or 5 9) (order 6 0x93)
    ) };
}

/// All rounds of two groups. At rax are the words of the first round, and room for those of
/// all: 1,792 bytes. Rows are in registers 0 to 7.
///
/// # Safety
/// Only assembly may call it: it follows no ABI. It uses rax, r11 and registers 8 to 15.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn two_groups() {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n vmovdqa ymm10,[rip+{rotations}]\n vmovdqa ymm11,[rip+{rotations}+32]\n mov r11d,6\n .p2align 4\n 2:\n",
            round_of_two!(next),
            "add rax,256\n dec r11d\n jnz 2b\n",
            round_of_two!(last),
            "ret\n .cfi_endproc\n",
        ),
        rotations = sym ROTATIONS,
    )
}
