//! Rounds of one group in rows, for CPUs that shift and do three-way logic in one cycle but
//! rotate in two (Zen 4).
//!
//! `rot(x ^ y)` is `rot(x) ^ y << n ^ y >> m`. Of `y`, which comes last, a step then has the
//! two shifts side by side and one three-way exclusive or behind it: 2 cycles, where an
//! exclusive or and a rotation are 3. `x` has time to be rotated before. So a block's chain
//! is 14 half rounds of 12 cycles, 168, and of 16, 224, without this (docs/notes/blake3-zen4.md).
//!
//! Where rotations take one cycle nothing is won and operations are lost, and where all
//! operations take two, too. So only records choose it.
//!
//! Masks and words are those of [`super::avx512_rows`]; the state is in registers 0 to 3, and
//! 20 to 23 are free.

/// `x` = (`x` ^ `y`) rotated right by `$n`, left by `$m`. `$t` and `$u` are free.
macro_rules! turn_by_shifts {
    ($r:literal $x:literal $y:literal $n:literal $m:literal $t:literal $u:literal) => { concat!(
        "vprord ", $r, $t, ",", $r, $x, ",", $n, "\n",
        "vpslld ", $r, $u, ",", $r, $y, ",", $m, "\n vpsrld ", $r, $x, ",", $r, $y, ",", $n, "\n",
        "vpternlogd ", $r, $x, ",", $r, $t, ",", $r, $u, ",0x96\n",
    ) };
}

/// A half round: the message words to add, and how `a`, `c` and `d` move for the next. `$p`
/// to `$s` are texts between its steps.
macro_rules! half_by_shifts {
    ($r:literal $am:literal $cm:literal $dm:literal $x:literal $y:literal $p:expr, $q:expr, $s:expr) => { concat!(
        "vpaddd ", $r, "0,", $r, "0,", $r, $x, "\n vpaddd ", $r, "0,", $r, "0,", $r, "1\n",
        turn_by_shifts!($r 3 0 16 16 20 21),
        "vpaddd ", $r, "0,", $r, "0,", $r, $y, "\n vpaddd ", $r, "2,", $r, "2,", $r, "3\n",
        turn_by_shifts!($r 1 2 12 20 22 23),
        $p,
        "vpaddd ", $r, "0,", $r, "0,", $r, "1\n",
        turn_by_shifts!($r 3 0 8 24 20 21),
        "vpshufd ", $r, "0,", $r, "0,", $am, "\n", $q,
        "vpaddd ", $r, "2,", $r, "2,", $r, "3\n vpshufd ", $r, "3,", $r, "3,", $dm, "\n", $s,
        turn_by_shifts!($r 1 2 7 25 22 23),
        "vpshufd ", $r, "2,", $r, "2,", $cm, "\n",
    ) };
}

/// A round that makes the next one's words. `m` to `p` are the words now, `s` to `v` then.
macro_rules! round_by_shifts {
    ($r:literal $m:literal $n:literal $o:literal $p:literal $s:literal $t:literal $u:literal $v:literal) => { concat!(
        half_by_shifts!($r 0x93 0x39 0x4e $m $n
            "",
            concat!("vpunpckldq ", $r, $u, ",", $r, $p, ",", $r, $n, "\n vpshufd ", $r, $u, ",", $r, $u, ",0x84\n"),
            concat!("vpshufd ", $r, $u, "{{k2}},", $r, $o, ",0x30\n vpunpckhdq ", $r, $v, ",", $r, $p, ",", $r, $n, "\n")),
        half_by_shifts!($r 0x39 0x93 0x4e $o $p
            concat!("vpshufd ", $r, $v, ",", $r, $v, ",0x10\n vpshufd ", $r, $v, "{{k3}},", $r, $o, ",0x01\n"),
            concat!("vshufps ", $r, $t, ",", $r, $o, ",", $r, $p, ",0xfa\n vshufps ", $r, $s, ",", $r, $m, ",", $r, $n, ",0xd9\n"),
            concat!("vpshufd ", $r, $t, "{{k1}},", $r, $m, ",0x03\n vpshufd ", $r, $s, ",", $r, $s, ",0x78\n")),
    ) };
    ($r:literal $m:literal $n:literal $o:literal $p:literal) => { concat!(
        half_by_shifts!($r 0x93 0x39 0x4e $m $n "", "", ""), half_by_shifts!($r 0x39 0x93 0x4e $o $p "", "", ""),
    ) };
}

/// All rounds, with words in two sets of registers in turn: 8 to 11, where the first are,
/// and 16 to 19.
macro_rules! all_by_shifts {
    ($r:literal) => { concat!(
        round_by_shifts!($r 8 9 10 11 16 17 18 19), round_by_shifts!($r 16 17 18 19 8 9 10 11),
        round_by_shifts!($r 8 9 10 11 16 17 18 19), round_by_shifts!($r 16 17 18 19 8 9 10 11),
        round_by_shifts!($r 8 9 10 11 16 17 18 19), round_by_shifts!($r 16 17 18 19 8 9 10 11),
        round_by_shifts!($r 8 9 10 11),
    ) };
}
