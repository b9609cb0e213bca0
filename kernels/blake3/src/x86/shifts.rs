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
//! 4 to 7 are free.

/// `x` = (`x` ^ `y`) rotated right by `$n`, left by `$m`. `$t` and `$u` are free. `$words` is as
/// in [`half_by_shifts`].
macro_rules! turn_by_shifts {
    ($words:ident $r:literal $x:literal $y:literal $n:tt $m:literal $t:literal $u:literal) => { concat!(
        rotate_early!($words $n $r $x $m $t),
        "vpslld ", $r, $u, ",", $r, $y, ",", $m, "\n vpsrld ", $r, $x, ",", $r, $y, ",", $n, "\n",
        "vpternlogd ", $r, $x, ",", $r, $t, ",", $r, $u, ",0x96\n",
    ) };
}

/// `$t` = `$x` rotated right by `$n`. A rotation, which takes two cycles, delays what takes one on
/// the same pipe; where no words are made, shifts and shuffles have room to take its place.
macro_rules! rotate_early {
    (ready 16 $r:literal $x:literal $m:literal $t:literal) => { concat!(
        "vpshuflw ", $r, $t, ",", $r, $x, ",0xb1\n vpshufhw ", $r, $t, ",", $r, $t, ",0xb1\n",
    ) };
    (ready 8 $r:literal $x:literal $m:literal $t:literal) => { rotate_early!(@ 8 $r $x $m $t) };
    (ready 7 $r:literal $x:literal $m:literal $t:literal) => { rotate_early!(@ 7 $r $x $m $t) };
    ($words:ident $n:literal $r:literal $x:literal $m:literal $t:literal) => { concat!("vprord ", $r, $t, ",", $r, $x, ",", $n, "\n") };
    (@ $n:literal $r:literal $x:literal $m:literal $t:literal) => { concat!(
        "vpslld ", $r, $t, ",", $r, $x, ",", $m, "\n vpsrld ", $r, $x, ",", $r, $x, ",", $n, "\n",
        "vpor ", $r, $t, ",", $r, $t, ",", $r, $x, "\n",
    ) };
}

/// A half round: the message words to add, as operands, and how `a`, `c` and `d` move for the
/// next. `$p` to `$s` are texts between its steps. `$words` is `made` where the next words are
/// made by shuffles beside it, else `ready`.
macro_rules! half_by_shifts {
    ($words:ident $r:literal $am:literal $cm:literal $dm:literal $x:expr, $y:expr, $p:expr, $q:expr, $s:expr) => { concat!(
        "vpaddd ", $r, "0,", $r, "0,", $x, "\n vpaddd ", $r, "0,", $r, "0,", $r, "1\n",
        turn_by_shifts!($words $r 3 0 16 16 4 5),
        "vpaddd ", $r, "0,", $r, "0,", $y, "\n vpaddd ", $r, "2,", $r, "2,", $r, "3\n",
        turn_by_shifts!($words $r 1 2 12 20 6 7),
        $p,
        "vpaddd ", $r, "0,", $r, "0,", $r, "1\n",
        turn_by_shifts!($words $r 3 0 8 24 4 5),
        "vpshufd ", $r, "0,", $r, "0,", $am, "\n", $q,
        "vpaddd ", $r, "2,", $r, "2,", $r, "3\n vpshufd ", $r, "3,", $r, "3,", $dm, "\n", $s,
        turn_by_shifts!($words $r 1 2 7 25 6 7),
        "vpshufd ", $r, "2,", $r, "2,", $cm, "\n",
    ) };
}

/// A round that makes the next one's words. `m` to `p` are the words now, `s` to `v` then. The
/// last six are texts between its steps.
macro_rules! round_by_shifts {
    ($r:literal $m:literal $n:literal $o:literal $p:literal $s:literal $t:literal $u:literal $v:literal) => {
        round_by_shifts!($r $m $n $o $p $s $t $u $v "", "", "", "", "", "")
    };
    ($r:literal $m:literal $n:literal $o:literal $p:literal $s:literal $t:literal $u:literal $v:literal
     $a:expr, $b:expr, $c:expr, $d:expr, $e:expr, $f:expr) => { concat!(
        half_by_shifts!(made $r 0x93 0x39 0x4e concat!($r, $m), concat!($r, $n),
            $a,
            concat!("vpunpckldq ", $r, $u, ",", $r, $p, ",", $r, $n, "\n vpshufd ", $r, $u, ",", $r, $u, ",0x84\n", $b),
            concat!("vpshufd ", $r, $u, "{{k2}},", $r, $o, ",0x30\n vpunpckhdq ", $r, $v, ",", $r, $p, ",", $r, $n, "\n", $c)),
        half_by_shifts!(made $r 0x39 0x93 0x4e concat!($r, $o), concat!($r, $p),
            concat!("vpshufd ", $r, $v, ",", $r, $v, ",0x10\n vpshufd ", $r, $v, "{{k3}},", $r, $o, ",0x01\n", $d),
            concat!("vshufps ", $r, $t, ",", $r, $o, ",", $r, $p, ",0xfa\n vshufps ", $r, $s, ",", $r, $m, ",", $r, $n, ",0xd9\n", $e),
            concat!("vpshufd ", $r, $t, "{{k1}},", $r, $m, ",0x03\n vpshufd ", $r, $s, ",", $r, $s, ",0x78\n", $f)),
    ) };
    ($r:literal $m:literal $n:literal $o:literal $p:literal) => {
        round_by_shifts!($r $m $n $o $p "", "", "", "", "", "")
    };
    ($r:literal $m:literal $n:literal $o:literal $p:literal $a:expr, $b:expr, $c:expr, $d:expr, $e:expr, $f:expr) => { concat!(
        half_by_shifts!(made $r 0x93 0x39 0x4e concat!($r, $m), concat!($r, $n), $a, $b, $c),
        half_by_shifts!(made $r 0x39 0x93 0x4e concat!($r, $o), concat!($r, $p), $d, $e, $f),
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
