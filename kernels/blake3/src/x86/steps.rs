//! What bodies over lanes with AVX-512's rotations are made of, for registers of any width
//! (`$v`): "xmm", "ymm" or "zmm".

/// The steps of several quarter rounds, each step of all of them in turn. Registers of a, b,
/// c and d, then the two message words, each as a text before its addition and an operand.
macro_rules! quarter_rounds {
    ($v:literal $(($a:literal $b:literal $c:literal $d:literal $p:expr, $x:expr, $q:expr, $y:expr))*) => { concat!(
        $($p, "vpaddd ", $v, $a, ",", $v, $a, ",", $x, "\n",)*
        $("vpaddd ", $v, $a, ",", $v, $a, ",", $v, $b, "\n",)*
        $("vpxord ", $v, $d, ",", $v, $d, ",", $v, $a, "\n",)*
        $("vprord ", $v, $d, ",", $v, $d, ",16\n",)*
        $("vpaddd ", $v, $c, ",", $v, $c, ",", $v, $d, "\n",)*
        $($q, "vpaddd ", $v, $a, ",", $v, $a, ",", $y, "\n",)*
        $("vpxord ", $v, $b, ",", $v, $b, ",", $v, $c, "\n",)*
        $("vprord ", $v, $b, ",", $v, $b, ",12\n",)*
        second_half!($v $($a $b $c $d)*),
    ) };
}

/// The second half of quarter rounds, behind the second message word.
macro_rules! second_half {
    ($v:literal $($a:literal $b:literal $c:literal $d:literal)*) => { concat!(
        $("vpaddd ", $v, $a, ",", $v, $a, ",", $v, $b, "\n",)*
        $("vpxord ", $v, $d, ",", $v, $d, ",", $v, $a, "\n",)*
        $("vprord ", $v, $d, ",", $v, $d, ",8\n",)*
        $("vpaddd ", $v, $c, ",", $v, $c, ",", $v, $d, "\n",)*
        $("vpxord ", $v, $b, ",", $v, $b, ",", $v, $c, "\n",)*
        $("vprord ", $v, $b, ",", $v, $b, ",7\n",)*
    ) };
}

/// Quarter rounds whose message words are 64 bytes apart at `$m`.
macro_rules! columns_at {
    ($v:literal $m:literal $(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal))*) => {
        quarter_rounds!($v $(($a $b $c $d "", concat!("[", $m, "+64*", $x, "]"), "", concat!("[", $m, "+64*", $y, "]")))*)
    };
}

/// Exclusive ors of registers with others, the chaining value's last step.
macro_rules! fold_in {
    ($v:literal $($a:literal $b:literal)*) => { concat!($("vpxord ", $v, $a, ",", $v, $a, ",", $v, $b, "\n",)*) };
}

/// A step of a transposition: `$op` is "ldq", "hdq", "lqdq" or "hqdq".
macro_rules! unpack_to {
    ($v:literal $op:literal $($to:literal $a:literal $b:literal)*) => { concat!($(
        "vpunpck", $op, " ", $v, $to, ",", $v, $a, ",", $v, $b, "\n",
    )*) };
}

/// Words number `$i` at `$at` to all lanes of registers.
macro_rules! broadcast_to {
    ($v:literal $at:literal $($r:literal $i:literal)*) => { concat!($("vpbroadcastd ", $v, $r, ",[", $at, "+4*", $i, "]\n",)*) };
}
