//! Rounds of two groups in rows of 256 bits, in an order of instructions that Zen 4 likes
//! (docs/notes/blake3-zen4.md). The operations are those of [`super::avx512_rows`].

/// A round of two groups, with the next round's words between its steps where `$then` is
/// `with`. Registers of the words now, then of the next, of both groups.
///
/// Group after group by half rounds, so that the rotations of the two seldom meet.
macro_rules! round_two {
    ($w:literal $then:ident $m0:literal $n0:literal $o0:literal $p0:literal $m1:literal $n1:literal $o1:literal $p1:literal
     $s0:literal $t0:literal $u0:literal $v0:literal $s1:literal $t1:literal $u1:literal $v1:literal) => { concat!(
        two_then!($then "vshufps ", $w, $t0, ",", $w, $o0, ",", $w, $p0, ",0xfa\n"),
        two_then!($then "vpshufd ", $w, $t0, "{{k1}}", ",", $w, $m0, ",0x03\n"),
        "vpaddd ", $w, "0,", $w, "0,", $w, $m0, "\n", "vpaddd ", $w, "0,", $w, "0,", $w, "1\n",
        "vpxord ", $w, "3,", $w, "3,", $w, "0\n", "vprord ", $w, "3,", $w, "3,16\n",
        "vpaddd ", $w, "2,", $w, "2,", $w, "3\n", "vpxord ", $w, "1,", $w, "1,", $w, "2\n",
        "vprord ", $w, "1,", $w, "1,12\n",
        two_then!($then "vshufps ", $w, $t1, ",", $w, $o1, ",", $w, $p1, ",0xfa\n"),
        two_then!($then "vpunpckldq ", $w, $u0, ",", $w, $p0, ",", $w, $n0, "\n"),
        two_then!($then "vpshufd ", $w, $u0, ",", $w, $u0, ",0x84\n"),
        two_then!($then "vpshufd ", $w, $u0, "{{k2}}", ",", $w, $o0, ",0x30\n"),
        "vpaddd ", $w, "0,", $w, "0,", $w, $n0, "\n",
        two_then!($then "vpunpckhdq ", $w, $v0, ",", $w, $p0, ",", $w, $n0, "\n"),
        "vpaddd ", $w, "0,", $w, "0,", $w, "1\n", "vpxord ", $w, "3,", $w, "3,", $w, "0\n",
        "vprord ", $w, "3,", $w, "3,8\n", "vpshufd ", $w, "0,", $w, "0,0x93\n",
        two_then!($then "vpshufd ", $w, $v0, ",", $w, $v0, ",0x10\n"),
        "vpaddd ", $w, "4,", $w, "4,", $w, $m1, "\n", "vpaddd ", $w, "4,", $w, "4,", $w, "5\n",
        "vpxord ", $w, "7,", $w, "7,", $w, "4\n", "vprord ", $w, "7,", $w, "7,16\n",
        "vpaddd ", $w, "6,", $w, "6,", $w, "7\n", "vpxord ", $w, "5,", $w, "5,", $w, "6\n",
        "vpaddd ", $w, "2,", $w, "2,", $w, "3\n", "vpxord ", $w, "1,", $w, "1,", $w, "2\n",
        "vpshufd ", $w, "2,", $w, "2,0x39\n", "vpshufd ", $w, "3,", $w, "3,0x4e\n",
        two_then!($then "vpunpckldq ", $w, $u1, ",", $w, $p1, ",", $w, $n1, "\n"),
        "vpaddd ", $w, "4,", $w, "4,", $w, $n1, "\n", "vprord ", $w, "1,", $w, "1,7\n",
        "vprord ", $w, "5,", $w, "5,12\n", "vpaddd ", $w, "4,", $w, "4,", $w, "5\n",
        "vpxord ", $w, "7,", $w, "7,", $w, "4\n", "vpaddd ", $w, "0,", $w, "0,", $w, $o0, "\n",
        two_then!($then "vshufps ", $w, $s1, ",", $w, $m1, ",", $w, $n1, ",0xd9\n"),
        two_then!($then "vpshufd ", $w, $s1, ",", $w, $s1, ",0x78\n"),
        "vpshufd ", $w, "4,", $w, "4,0x93\n", "vprord ", $w, "7,", $w, "7,8\n",
        "vpaddd ", $w, "6,", $w, "6,", $w, "7\n", "vpxord ", $w, "5,", $w, "5,", $w, "6\n",
        "vpshufd ", $w, "6,", $w, "6,0x39\n",
        two_then!($then "vpunpckhdq ", $w, $v1, ",", $w, $p1, ",", $w, $n1, "\n"),
        "vpshufd ", $w, "7,", $w, "7,0x4e\n",
        two_then!($then "vpshufd ", $w, $t1, "{{k1}}", ",", $w, $m1, ",0x03\n"),
        "vpaddd ", $w, "0,", $w, "0,", $w, "1\n", "vpxord ", $w, "3,", $w, "3,", $w, "0\n",
        "vpaddd ", $w, "0,", $w, "0,", $w, $p0, "\n",
        two_then!($then "vshufps ", $w, $s0, ",", $w, $m0, ",", $w, $n0, ",0xd9\n"),
        two_then!($then "vpshufd ", $w, $s0, ",", $w, $s0, ",0x78\n"),
        "vprord ", $w, "3,", $w, "3,16\n", "vpaddd ", $w, "2,", $w, "2,", $w, "3\n",
        "vprord ", $w, "5,", $w, "5,7\n", "vpxord ", $w, "1,", $w, "1,", $w, "2\n",
        "vprord ", $w, "1,", $w, "1,12\n",
        two_then!($then "vpshufd ", $w, $u1, ",", $w, $u1, ",0x84\n"),
        two_then!($then "vpshufd ", $w, $v1, ",", $w, $v1, ",0x10\n"),
        two_then!($then "vpshufd ", $w, $u1, "{{k2}}", ",", $w, $o1, ",0x30\n"),
        "vpaddd ", $w, "4,", $w, "4,", $w, $o1, "\n",
        two_then!($then "vpshufd ", $w, $v1, "{{k3}}", ",", $w, $o1, ",0x01\n"),
        "vpaddd ", $w, "0,", $w, "0,", $w, "1\n", "vpxord ", $w, "3,", $w, "3,", $w, "0\n",
        "vprord ", $w, "3,", $w, "3,8\n", "vpaddd ", $w, "2,", $w, "2,", $w, "3\n",
        "vpxord ", $w, "1,", $w, "1,", $w, "2\n",
        two_then!($then "vpshufd ", $w, $v0, "{{k3}}", ",", $w, $o0, ",0x01\n"),
        "vprord ", $w, "1,", $w, "1,7\n", "vpshufd ", $w, "0,", $w, "0,0x39\n",
        "vpaddd ", $w, "4,", $w, "4,", $w, "5\n", "vpxord ", $w, "7,", $w, "7,", $w, "4\n",
        "vprord ", $w, "7,", $w, "7,16\n", "vpaddd ", $w, "4,", $w, "4,", $w, $p1, "\n",
        "vpshufd ", $w, "3,", $w, "3,0x4e\n", "vpaddd ", $w, "6,", $w, "6,", $w, "7\n",
        "vpshufd ", $w, "2,", $w, "2,0x93\n", "vpxord ", $w, "5,", $w, "5,", $w, "6\n",
        "vprord ", $w, "5,", $w, "5,12\n", "vpaddd ", $w, "4,", $w, "4,", $w, "5\n",
        "vpxord ", $w, "7,", $w, "7,", $w, "4\n", "vpshufd ", $w, "4,", $w, "4,0x39\n",
        "vprord ", $w, "7,", $w, "7,8\n", "vpaddd ", $w, "6,", $w, "6,", $w, "7\n",
        "vpxord ", $w, "5,", $w, "5,", $w, "6\n", "vpshufd ", $w, "7,", $w, "7,0x4e\n",
        "vprord ", $w, "5,", $w, "5,7\n", "vpshufd ", $w, "6,", $w, "6,0x93\n",
    ) };
}

macro_rules! two_then {
    (with $($text:tt)*) => { concat!($($text)*) };
    (without $($text:tt)*) => { "" };
}

/// All rounds of two groups; registers as in [`super::avx512_rows`].
macro_rules! all_two {
    ($w:literal) => { concat!(
        all_two!(@ $w there with), all_two!(@ $w back with), all_two!(@ $w there with), all_two!(@ $w back with),
        all_two!(@ $w there with), all_two!(@ $w back with), all_two!(@ $w there without),
    ) };
    (@ $w:literal there $then:ident) => { round_two!($w $then 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23) };
    (@ $w:literal back $then:ident) => { round_two!($w $then 16 17 18 19 20 21 22 23 8 9 10 11 12 13 14 15) };
}
