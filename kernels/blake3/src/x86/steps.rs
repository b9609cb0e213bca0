//! What bodies over lanes with AVX-512's rotations are made of, for registers of any width
//! (`$v`): "xmm", "ymm" or "zmm".

/// A step of 14 of a quarter round, by its number: registers of a, b, c and d, then the two
/// message words, each as a text before its addition and an operand. Steps from 8 on need no
/// words.
macro_rules! quarter_step {
    (0 $v:literal ($a:literal $b:literal $c:literal $d:literal $p:expr, $x:expr, $q:expr, $y:expr)) => {
        concat!($p, "vpaddd ", $v, $a, ",", $v, $a, ",", $x, "\n")
    };
    (5 $v:literal ($a:literal $b:literal $c:literal $d:literal $p:expr, $x:expr, $q:expr, $y:expr)) => {
        concat!($q, "vpaddd ", $v, $a, ",", $v, $a, ",", $y, "\n")
    };
    (1 $v:literal ($a:literal $b:literal $c:literal $d:literal $($words:tt)*)) => { concat!("vpaddd ", $v, $a, ",", $v, $a, ",", $v, $b, "\n") };
    (2 $v:literal ($a:literal $b:literal $c:literal $d:literal $($words:tt)*)) => { concat!("vpxord ", $v, $d, ",", $v, $d, ",", $v, $a, "\n") };
    (3 $v:literal ($a:literal $b:literal $c:literal $d:literal $($words:tt)*)) => { concat!("vprord ", $v, $d, ",", $v, $d, ",16\n") };
    (4 $v:literal ($a:literal $b:literal $c:literal $d:literal $($words:tt)*)) => { concat!("vpaddd ", $v, $c, ",", $v, $c, ",", $v, $d, "\n") };
    (6 $v:literal ($a:literal $b:literal $c:literal $d:literal $($words:tt)*)) => { concat!("vpxord ", $v, $b, ",", $v, $b, ",", $v, $c, "\n") };
    (7 $v:literal ($a:literal $b:literal $c:literal $d:literal $($words:tt)*)) => { concat!("vprord ", $v, $b, ",", $v, $b, ",12\n") };
    (8 $v:literal ($a:literal $b:literal $c:literal $d:literal $($words:tt)*)) => { concat!("vpaddd ", $v, $a, ",", $v, $a, ",", $v, $b, "\n") };
    (9 $v:literal ($a:literal $b:literal $c:literal $d:literal $($words:tt)*)) => { concat!("vpxord ", $v, $d, ",", $v, $d, ",", $v, $a, "\n") };
    (10 $v:literal ($a:literal $b:literal $c:literal $d:literal $($words:tt)*)) => { concat!("vprord ", $v, $d, ",", $v, $d, ",8\n") };
    (11 $v:literal ($a:literal $b:literal $c:literal $d:literal $($words:tt)*)) => { concat!("vpaddd ", $v, $c, ",", $v, $c, ",", $v, $d, "\n") };
    (12 $v:literal ($a:literal $b:literal $c:literal $d:literal $($words:tt)*)) => { concat!("vpxord ", $v, $b, ",", $v, $b, ",", $v, $c, "\n") };
    (13 $v:literal ($a:literal $b:literal $c:literal $d:literal $($words:tt)*)) => { concat!("vprord ", $v, $b, ",", $v, $b, ",7\n") };
}

/// Several quarter rounds, each step of all of them in turn.
macro_rules! quarter_rounds {
    ($v:literal $($r:tt)*) => { concat!(
        $(quarter_step!(0 $v $r),)*
        $(quarter_step!(1 $v $r),)*
        $(quarter_step!(2 $v $r),)*
        $(quarter_step!(3 $v $r),)*
        $(quarter_step!(4 $v $r),)*
        $(quarter_step!(5 $v $r),)*
        $(quarter_step!(6 $v $r),)*
        $(quarter_step!(7 $v $r),)*
        $(quarter_step!(8 $v $r),)*
        $(quarter_step!(9 $v $r),)*
        $(quarter_step!(10 $v $r),)*
        $(quarter_step!(11 $v $r),)*
        $(quarter_step!(12 $v $r),)*
        $(quarter_step!(13 $v $r),)*
    ) };
}

/// The second half of quarter rounds, behind the second message word, as [`quarter_rounds`].
macro_rules! second_half {
    ($v:literal $($a:literal $b:literal $c:literal $d:literal)*) => { concat!(
        $(quarter_step!(8 $v ($a $b $c $d)),)*
        $(quarter_step!(9 $v ($a $b $c $d)),)*
        $(quarter_step!(10 $v ($a $b $c $d)),)*
        $(quarter_step!(11 $v ($a $b $c $d)),)*
        $(quarter_step!(12 $v ($a $b $c $d)),)*
        $(quarter_step!(13 $v ($a $b $c $d)),)*
    ) };
}

/// Four quarter rounds, each a step behind the one before. Where every operation takes one
/// cycle, and two start in a cycle of which one may be a rotation, that is 2 to 3 % faster
/// than [`quarter_rounds`] (docs/notes/intel.md).
macro_rules! staggered {
    ($v:literal $a:tt $b:tt $c:tt $d:tt) => { concat!(
        quarter_step!(0 $v $a),
        quarter_step!(1 $v $a), quarter_step!(0 $v $b),
        quarter_step!(2 $v $a), quarter_step!(1 $v $b), quarter_step!(0 $v $c),
        quarter_step!(3 $v $a), quarter_step!(2 $v $b), quarter_step!(1 $v $c), quarter_step!(0 $v $d),
        quarter_step!(4 $v $a), quarter_step!(3 $v $b), quarter_step!(2 $v $c), quarter_step!(1 $v $d),
        quarter_step!(5 $v $a), quarter_step!(4 $v $b), quarter_step!(3 $v $c), quarter_step!(2 $v $d),
        quarter_step!(6 $v $a), quarter_step!(5 $v $b), quarter_step!(4 $v $c), quarter_step!(3 $v $d),
        quarter_step!(7 $v $a), quarter_step!(6 $v $b), quarter_step!(5 $v $c), quarter_step!(4 $v $d),
        quarter_step!(8 $v $a), quarter_step!(7 $v $b), quarter_step!(6 $v $c), quarter_step!(5 $v $d),
        quarter_step!(9 $v $a), quarter_step!(8 $v $b), quarter_step!(7 $v $c), quarter_step!(6 $v $d),
        quarter_step!(10 $v $a), quarter_step!(9 $v $b), quarter_step!(8 $v $c), quarter_step!(7 $v $d),
        quarter_step!(11 $v $a), quarter_step!(10 $v $b), quarter_step!(9 $v $c), quarter_step!(8 $v $d),
        quarter_step!(12 $v $a), quarter_step!(11 $v $b), quarter_step!(10 $v $c), quarter_step!(9 $v $d),
        quarter_step!(13 $v $a), quarter_step!(12 $v $b), quarter_step!(11 $v $c), quarter_step!(10 $v $d),
        quarter_step!(13 $v $b), quarter_step!(12 $v $c), quarter_step!(11 $v $d),
        quarter_step!(13 $v $c), quarter_step!(12 $v $d),
        quarter_step!(13 $v $d),
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
