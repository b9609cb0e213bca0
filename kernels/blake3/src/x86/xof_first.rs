//! The first round of extended output, and its last step, in registers of any width with AVX-512's rotations.
//!
//! Only the low word of the counter differs between lanes. So of the first round the
//! columns 1 to 3 are the same in all of them, and of column 0 and the diagonals what
//! comes before that word. That is made once, as one row, and leaves 57 operations of
//! 112 for each group ([`first_round`] lists them).

/// What all lanes have in common of the first round, as rows in the frame (see
/// [`first_round`] for their places). It is one quarter round of rows, whose lane 0 is
/// of no use behind the counter, and what the diagonals add before they meet it.
macro_rules! common {
    () => {
        // One load for the row d would wait until the stores of its parts reach the cache.
        "vmovq xmm3,[rdi+{counter}]\n vmovd xmm4,[rdi+{len}]\n vpinsrd xmm4,xmm4,[rdi+{flags}],1\n \
         vpunpcklqdq xmm3,xmm3,xmm4\n \
         vmovdqu xmm0,[r8]\n vmovdqu xmm1,[r8+16]\n vmovdqu xmm2,[rip+{iv}]\n \
         vmovdqu xmm4,[r9]\n vmovdqu xmm5,[r9+16]\n vshufps xmm6,xmm4,xmm5,0x88\n vshufps xmm7,xmm4,xmm5,0xdd\n \
         vmovdqu xmm4,[r9+32]\n vmovdqu xmm5,[r9+48]\n vshufps xmm8,xmm4,xmm5,0x88\n vshufps xmm9,xmm4,xmm5,0xdd\n \
         vpaddd xmm0,xmm0,xmm6\n vpaddd xmm0,xmm0,xmm1\n vmovdqa [rsp],xmm0\n \
         vpxor xmm3,xmm3,xmm0\n vprord xmm3,xmm3,16\n vpaddd xmm2,xmm2,xmm3\n \
         vpaddd xmm0,xmm0,xmm7\n vmovdqa [rsp+16],xmm0\n \
         vpxor xmm1,xmm1,xmm2\n vprord xmm1,xmm1,12\n vpaddd xmm0,xmm0,xmm1\n vpxor xmm3,xmm3,xmm0\n \
         vprord xmm3,xmm3,8\n vpaddd xmm2,xmm2,xmm3\n vpxor xmm1,xmm1,xmm2\n vprord xmm1,xmm1,7\n \
         vmovdqa [rsp+64],xmm1\n vmovdqa [rsp+80],xmm2\n vmovdqa [rsp+96],xmm3\n \
         vpxor xmm4,xmm4,xmm4\n vpblendd xmm0,xmm0,xmm4,1\n vpblendd xmm1,xmm1,xmm4,1\n vpshufd xmm1,xmm1,0x39\n \
         vpaddd xmm0,xmm0,xmm8\n vpaddd xmm0,xmm0,xmm1\n vmovdqa [rsp+32],xmm0\n \
         vpaddd xmm9,xmm9,xmm0\n vmovdqa [rsp+48],xmm9\n \
         vpshufd xmm3,xmm3,0x93\n vpxor xmm3,xmm3,xmm0\n vprord xmm3,xmm3,16\n vmovdqa [rsp+112],xmm3\n"
    };
}

/// The first round of a group whose counters are in `$d0`. Rows of [`common`]: 0 the sums
/// of column 0 with its first word, 16 with both; 32 the sums of the diagonals with their
/// first words, as far as they are known, 48 with both; 64, 80 and 96 the rows b, c and d
/// between columns and diagonals; 112 d of the third diagonal, turned.
macro_rules! first_round {
    ($v:literal $n:literal
     $a0:literal $a1:literal $a2:literal $a3:literal $b0:literal $b1:literal $b2:literal $b3:literal
     $c0:literal $c1:literal $c2:literal $c3:literal $d0:literal $d1:literal $d2:literal $d3:literal) => { concat!(
        broadcast_from!($v $a1 "rsp+48+4" $a2 "rsp+48+8" $b1 "rsp+64+4" $b2 "rsp+64+8" $c1 "rsp+80+4" $c2 "rsp+80+8" $c3 "rsp+80+12"
              $d1 "rsp+112+8" $d2 "rsp+96+8" $d3 "rsp+96+12"),
        // 11 operations of column 0.
        "vpxord ", $v, $d0, ",", $v, $d0, ",[rsp]", $n, "\n vprord ", $v, $d0, ",", $v, $d0, ",16\n",
        "vpaddd ", $v, $c0, ",", $v, $d0, ",[rip+{iv}]", $n, "\n",
        "vpxord ", $v, $b0, ",", $v, $c0, ",[r8+16]", $n, "\n vprord ", $v, $b0, ",", $v, $b0, ",12\n",
        "vpaddd ", $v, $a0, ",", $v, $b0, ",[rsp+16]", $n, "\n",
        "vpxord ", $v, $d0, ",", $v, $d0, ",", $v, $a0, "\n vprord ", $v, $d0, ",", $v, $d0, ",8\n",
        "vpaddd ", $v, $c0, ",", $v, $c0, ",", $v, $d0, "\n",
        "vpxord ", $v, $b0, ",", $v, $b0, ",", $v, $c0, "\n vprord ", $v, $b0, ",", $v, $b0, ",7\n",
        // 13, 11, 9 and 13 of the diagonals.
        "vpaddd ", $v, $a0, ",", $v, $a0, ",[rsp+32]", $n, "\n",
        "vpxord ", $v, $d0, ",", $v, $d0, ",[rsp+32+4]", $n, "\n",
        "vpaddd ", $v, $c0, ",", $v, $c0, ",", $v, $d1, "\n",
        "vpaddd ", $v, $a3, ",", $v, $b0, ",[rsp+32+12]", $n, "\n",
        "vpxord ", $v, $d3, ",", $v, $d3, ",", $v, $a0, "\n vprord ", $v, $d3, ",", $v, $d3, ",16\n",
        "vprord ", $v, $d0, ",", $v, $d0, ",16\n",
        "vpxord ", $v, $b3, ",", $v, $c0, ",[rsp+64+12]", $n, "\n vprord ", $v, $b3, ",", $v, $b3, ",12\n",
        "vpxord ", $v, $d2, ",", $v, $d2, ",", $v, $a3, "\n vprord ", $v, $d2, ",", $v, $d2, ",16\n",
        "vpaddd ", $v, $c2, ",", $v, $c2, ",", $v, $d3, "\n vpaddd ", $v, $c3, ",", $v, $c3, ",", $v, $d0, "\n",
        "vpaddd ", $v, $c1, ",", $v, $c1, ",", $v, $d2, "\n",
        "vpaddd ", $v, $a0, ",", $v, $a0, ",[r9+4*9]", $n, "\n vpaddd ", $v, $a3, ",", $v, $a3, ",[r9+4*15]", $n, "\n",
        "vpxord ", $v, $b1, ",", $v, $b1, ",", $v, $c2, "\n vprord ", $v, $b1, ",", $v, $b1, ",12\n",
        "vpxord ", $v, $b2, ",", $v, $b2, ",", $v, $c3, "\n vprord ", $v, $b2, ",", $v, $b2, ",12\n",
        "vpxord ", $v, $b0, ",", $v, $b0, ",", $v, $c1, "\n vprord ", $v, $b0, ",", $v, $b0, ",12\n",
        second_half!($v $a0 $b1 $c2 $d3 $a1 $b2 $c3 $d0 $a2 $b3 $c0 $d1 $a3 $b0 $c1 $d2),
    ) };
}

macro_rules! broadcast_from {
    ($v:literal $($r:literal $at:literal)*) => { concat!($("vpbroadcastd ", $v, $r, ",[", $at, "]\n",)*) };
}

/// The last step of words 8 to 15: exclusive ors of registers with words of the chaining value
/// at r8, to others.
macro_rules! xor_cv {
    ($v:literal $n:literal $($to:literal $a:literal $i:literal)*) => { concat!($(
        "vpxord ", $v, $to, ",", $v, $a, ",[r8+4*", $i, "]", $n, "\n",
    )*) };
}
