//! Up to four inputs, each in a 128-bit quarter of a register. A register holds one row
//! of each state, so a half round is one chain of 12 operations and nothing is
//! transposed. Eight inputs are two such groups, whose chains run side by side.
//!
//! On Zen 5 [`super::avx512_duet`] takes up to nine inputs instead.
//!
//! The limit is latency as in [`super::avx512`], 336 cycles a block. One chain seldom
//! waits for an execution port: about 339 cycles a block are reached, against 366
//! there. Between columns and diagonals `a`, `c` and `d` move, because they are ready
//! before `b` is.
//!
//! Where an operation of 512 bits takes two passes (Zen 4), registers of 256 bits hold two
//! inputs each, and four inputs are two groups of those. The bound of a block is 224
//! cycles there: a result takes 1 cycle, of a rotation 2 (docs/notes/blake3-zen4.md).

use super::super::body::XofJob;
use super::super::constants::IV;
use super::super::job::Job;
use core::mem::offset_of;

/// Makes the message words of the first round from words 0-3, 4-7, 8-11 and 12-15: even
/// and odd words of the first half for the columns, of the second half for the
/// diagonals. For the diagonals each lane is moved up by one.
macro_rules! first {
    ($w:literal $m:literal $n:literal $o:literal $p:literal $s:literal $t:literal $u:literal $v:literal) => { concat!(
        "vshufps ", $w, $s, ",", $w, $m, ",", $w, $n, ",0x88\n vshufps ", $w, $t, ",", $w, $m, ",", $w, $n, ",0xdd\n",
        "vshufps ", $w, $u, ",", $w, $o, ",", $w, $p, ",0x88\n vshufps ", $w, $v, ",", $w, $o, ",", $w, $p, ",0xdd\n",
        "vpshufd ", $w, $u, ",", $w, $u, ",0x93\n vpshufd ", $w, $v, ",", $w, $v, ",0x93\n",
    ) };
}

/// Makes the message words of the next round. By lanes, table 2 of the paper gives this
/// order: s = m1 n1 n3 m2, t = m3 o2 m0 p3, u = p0 n0 o3 p1, v = o1 p2 n2 o0. All these
/// instructions run on four ports, so they leave the two rotate ports free. k1, k2 and
/// k3 select lanes 0 and 2, lane 2, lanes 0 and 3.
macro_rules! permute {
    ($w:literal $m:literal $n:literal $o:literal $p:literal $s:literal $t:literal $u:literal $v:literal) => { concat!(
        "vshufps ", $w, $s, ",", $w, $m, ",", $w, $n, ",0xd9\n vpshufd ", $w, $s, ",", $w, $s, ",0x78\n",
        "vshufps ", $w, $t, ",", $w, $o, ",", $w, $p, ",0xfa\n vpshufd ", $w, $t, "{{k1}},", $w, $m, ",0x03\n",
        "vpunpckldq ", $w, $u, ",", $w, $p, ",", $w, $n, "\n vpshufd ", $w, $u, ",", $w, $u, ",0x84\n",
        "vpshufd ", $w, $u, "{{k2}},", $w, $o, ",0x30\n",
        "vpunpckhdq ", $w, $v, ",", $w, $p, ",", $w, $n, "\n vpshufd ", $w, $v, ",", $w, $v, ",0x10\n",
        "vpshufd ", $w, $v, "{{k3}},", $w, $o, ",0x01\n",
    ) };
}

/// A half round of one group: rows a, b, c and d, the message words to add, and how
/// `a`, `c` and `d` move for the next half round.
macro_rules! half {
    ($w:literal $am:literal $cm:literal $dm:literal $a:literal $b:literal $c:literal $d:literal $x:literal $y:literal) => { concat!(
        "vpaddd ", $w, $a, ",", $w, $a, ",", $w, $x, "\n vpaddd ", $w, $a, ",", $w, $a, ",", $w, $b, "\n",
        "vpxord ", $w, $d, ",", $w, $d, ",", $w, $a, "\n vprord ", $w, $d, ",", $w, $d, ",16\n",
        "vpaddd ", $w, $a, ",", $w, $a, ",", $w, $y, "\n vpaddd ", $w, $c, ",", $w, $c, ",", $w, $d, "\n",
        "vpxord ", $w, $b, ",", $w, $b, ",", $w, $c, "\n vprord ", $w, $b, ",", $w, $b, ",12\n",
        "vpaddd ", $w, $a, ",", $w, $a, ",", $w, $b, "\n vpxord ", $w, $d, ",", $w, $d, ",", $w, $a, "\n",
        "vprord ", $w, $d, ",", $w, $d, ",8\n vpshufd ", $w, $a, ",", $w, $a, ",", $am, "\n",
        "vpaddd ", $w, $c, ",", $w, $c, ",", $w, $d, "\n vpshufd ", $w, $d, ",", $w, $d, ",", $dm, "\n",
        "vpxord ", $w, $b, ",", $w, $b, ",", $w, $c, "\n vprord ", $w, $b, ",", $w, $b, ",7\n",
        "vpshufd ", $w, $c, ",", $w, $c, ",", $cm, "\n",
    ) };
}

/// A round of one group of four inputs, or of two groups.
macro_rules! round {
    ($w:literal one $x:literal $y:literal $u:literal $v:literal $($other:literal)*) => { concat!(
        half!($w 0x93 0x39 0x4e 0 1 2 3 $x $y), half!($w 0x39 0x93 0x4e 0 1 2 3 $u $v),
    ) };
    ($w:literal two $x:literal $y:literal $u:literal $v:literal $p:literal $q:literal $r:literal $s:literal) => { concat!(
        half!($w 0x93 0x39 0x4e 0 1 2 3 $x $y), half!($w 0x93 0x39 0x4e 4 5 6 7 $p $q),
        half!($w 0x39 0x93 0x4e 0 1 2 3 $u $v), half!($w 0x39 0x93 0x4e 4 5 6 7 $r $s),
    ) };
}

/// Makes the next round's message words, from one set of registers to the other.
macro_rules! next {
    ($w:literal one there) => { permute!($w 8 9 10 11 16 17 18 19) };
    ($w:literal one back) => { permute!($w 16 17 18 19 8 9 10 11) };
    ($w:literal two there) => { concat!(permute!($w 8 9 10 11 16 17 18 19), permute!($w 12 13 14 15 20 21 22 23)) };
    ($w:literal two back) => { concat!(permute!($w 16 17 18 19 8 9 10 11), permute!($w 20 21 22 23 12 13 14 15)) };
}

/// All rounds. They use two sets of registers in turn.
macro_rules! all {
    ($w:literal shifts) => { all_by_shifts!($w) };
    ($w:literal spread) => { all_two!($w) };
    ($w:literal $n:ident) => { concat!(
        round!($w $n 8 9 10 11 12 13 14 15), next!($w $n there), round!($w $n 16 17 18 19 20 21 22 23), next!($w $n back),
        round!($w $n 8 9 10 11 12 13 14 15), next!($w $n there), round!($w $n 16 17 18 19 20 21 22 23), next!($w $n back),
        round!($w $n 8 9 10 11 12 13 14 15), next!($w $n there), round!($w $n 16 17 18 19 20 21 22 23), next!($w $n back),
        round!($w $n 8 9 10 11 12 13 14 15),
    ) };
}

/// Loads blocks of four inputs from number `$n` on: words 0-3, 4-7, 8-11 and 12-15 to
/// four registers, an input in each quarter. Loads are 16 bytes, like the stores of
/// [`put!`]. Parents are loaded a moment after those stores, and a wider load would
/// wait until the stores reach the cache. `$t` is free. Pointers are read again for
/// each block.
macro_rules! load {
    ($n:literal $i:literal $j:literal $k:literal $l:literal $t:literal) => { concat!(
        "mov rax,[rdi+{inputs}+8*", $n, "]\n mov r9,[rdi+{inputs}+8*", $n, "+8]\n",
        "mov r10,[rdi+{inputs}+8*", $n, "+16]\n mov r11,[rdi+{inputs}+8*", $n, "+24]\n",
        load!(@ 0 $i $t), load!(@ 16 $j $t), load!(@ 32 $k $t), load!(@ 48 $l $t),
    ) };
    (@ $o:literal $r:literal $t:literal) => { concat!(
        "vmovdqu32 xmm", $r, ",[rax+rdx+", $o, "]\n vinserti32x4 ymm", $r, ",ymm", $r, ",[r9+rdx+", $o, "],1\n",
        "vmovdqu32 xmm", $t, ",[r10+rdx+", $o, "]\n vinserti32x4 ymm", $t, ",ymm", $t, ",[r11+rdx+", $o, "],1\n",
        "vinserti64x4 zmm", $r, ",zmm", $r, ",ymm", $t, ",1\n",
    ) };
}

/// Loads third and fourth row for lanes from `$n` on. `$p` to `$s` are free.
macro_rules! lower {
    ($n:literal $c:literal $d:literal $p:literal $q:literal $r:literal $s:literal) => { concat!(
        "vbroadcasti32x4 zmm", $c, ",[rip+{iv}]\n",
        // Transposes four times four words.
        "vmovdqu xmm", $p, ",[rdi+{counter}+4*", $n, "]\n",
        "vpunpckhdq xmm", $q, ",xmm", $p, ",[rdi+{counter}+64+4*", $n, "]\n",
        "vpunpckldq xmm", $p, ",xmm", $p, ",[rdi+{counter}+64+4*", $n, "]\n",
        "vmovdqu xmm", $r, ",[r8+4*", $n, "]\n",
        "vpunpckhdq xmm", $s, ",xmm", $r, ",[rcx+4*", $n, "]\n vpunpckldq xmm", $r, ",xmm", $r, ",[rcx+4*", $n, "]\n",
        "vpunpcklqdq xmm", $d, ",xmm", $p, ",xmm", $r, "\n vpunpckhqdq xmm", $p, ",xmm", $p, ",xmm", $r, "\n",
        "vpunpcklqdq xmm", $r, ",xmm", $q, ",xmm", $s, "\n vpunpckhqdq xmm", $q, ",xmm", $q, ",xmm", $s, "\n",
        "vinserti32x4 ymm", $d, ",ymm", $d, ",xmm", $p, ",1\n vinserti32x4 ymm", $r, ",ymm", $r, ",xmm", $q, ",1\n",
        "vinserti64x4 zmm", $d, ",zmm", $d, ",ymm", $r, ",1\n",
    ) };
}

/// Stores chaining values of lanes from `$n` on to rax.
macro_rules! put {
    ($n:literal $a:literal $b:literal) => { concat!(
        "vmovdqu [rax+32*", $n, "],xmm", $a, "\n vmovdqu [rax+32*", $n, "+16],xmm", $b, "\n",
        "vextracti32x4 [rax+32*", $n, "+32],zmm", $a, ",1\n vextracti32x4 [rax+32*", $n, "+48],zmm", $b, ",1\n",
        "vextracti32x4 [rax+32*", $n, "+64],zmm", $a, ",2\n vextracti32x4 [rax+32*", $n, "+80],zmm", $b, ",2\n",
        "vextracti32x4 [rax+32*", $n, "+96],zmm", $a, ",3\n vextracti32x4 [rax+32*", $n, "+112],zmm", $b, ",3\n",
    ) };
}

/// A body for `$n` groups. The other arguments are assembly text for all of them.
macro_rules! rows {
    ($name:ident $w:literal $n:ident ($($key:tt)*) ($($blocks:tt)*) ($($fold:tt)*) ($($put:tt)*)) => {
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(job: *const Job, blocks: usize) {
            core::arch::naked_asm!(
                concat!(
                    ".cfi_startproc\n mov eax,0x5555\n kmovw k1,eax\n mov eax,0x4444\n kmovw k2,eax\n",
                    "mov eax,0x9999\n kmovw k3,eax\n mov rax,[rdi+{key}]\n", $($key)*,
                    "xor edx,edx\n lea rcx,[rdi+{flags}]\n .p2align 4\n 2:\n",
                    // Selects lengths and flags: of the last block or not.
                    "lea r8,[rdi+{lens}]\n cmp rsi,1\n jne 3f\n",
                    "add r8,64\n lea rcx,[rdi+{flags}+128]\n 3:\n",
                    $($blocks)*,
                    all!($w $n),
                    $($fold)*,
                    "add rdx,64\n lea rcx,[rdi+{flags}+64]\n dec rsi\n jnz 2b\n",
                    "mov rax,[rdi+{out}]\n", $($put)*,
                    "vzeroupper\n ret\n .cfi_endproc\n",
                ),
                iv = sym IV,
                counter = const offset_of!(Job, counter),
                lens = const offset_of!(Job, lens),
                flags = const offset_of!(Job, flags),
                inputs = const offset_of!(Job, inputs),
                key = const offset_of!(Job, key),
                out = const offset_of!(Job, out),
            )
        }
    };
}

rows!(rows4 "zmm" one
    ("vbroadcasti32x4 zmm0,[rax]\n vbroadcasti32x4 zmm1,[rax+16]\n")
    (lower!(0 2 3 8 9 10 11), load!(0 16 17 18 19 8), first!("zmm" 16 17 18 19 8 9 10 11))
    ("vpxord zmm0,zmm0,zmm2\n vpxord zmm1,zmm1,zmm3\n")
    (put!(0 0 1)));
rows!(rows8 "zmm" two
    ("vbroadcasti32x4 zmm0,[rax]\n vbroadcasti32x4 zmm1,[rax+16]\n vmovdqa32 zmm4,zmm0\n vmovdqa32 zmm5,zmm1\n")
    (lower!(0 2 3 8 9 10 11), lower!(4 6 7 12 13 14 15), load!(0 16 17 18 19 8), load!(4 20 21 22 23 12),
     first!("zmm" 16 17 18 19 8 9 10 11), first!("zmm" 20 21 22 23 12 13 14 15))
    ("vpxord zmm0,zmm0,zmm2\n vpxord zmm1,zmm1,zmm3\n vpxord zmm4,zmm4,zmm6\n vpxord zmm5,zmm5,zmm7\n")
    (put!(0 0 1), put!(4 4 5)));

/// [`load!`] for four inputs, by masked broadcasts: k4, k5 and k6 select the second to fourth
/// quarter. No port is needed that shuffles are waiting for.
macro_rules! quarters {
    ($($o:literal $r:literal)*) => { concat!(
        "mov rax,[rdi+{inputs}]\n mov r9,[rdi+{inputs}+8]\n",
        "mov r10,[rdi+{inputs}+16]\n mov r11,[rdi+{inputs}+24]\n",
        $("vbroadcasti32x4 zmm", $r, ",[rax+rdx+", $o, "]\n vbroadcasti32x4 zmm", $r, "{{k4}},[r9+rdx+", $o, "]\n",
        "vbroadcasti32x4 zmm", $r, "{{k5}},[r10+rdx+", $o, "]\n vbroadcasti32x4 zmm", $r, "{{k6}},[r11+rdx+", $o, "]\n",)*
    ) };
}

/// `rows4` for CPUs with one port for shuffles of 512 bits (Intel): it has fewer of them.
/// The fourth rows of the first block, the blocks between and the last one are made once,
/// in registers 29 to 31.
#[unsafe(naked)]
unsafe extern "sysv64" fn rows4_few_shuffles(job: *const Job, blocks: usize) {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n mov eax,0x5555\n kmovw k1,eax\n mov eax,0x4444\n kmovw k2,eax\n",
            "mov eax,0x9999\n kmovw k3,eax\n mov eax,0x00f0\n kmovw k4,eax\n",
            "mov eax,0x0f00\n kmovw k5,eax\n mov eax,0xf000\n kmovw k6,eax\n",
            "mov rax,[rdi+{key}]\n vbroadcasti32x4 zmm0,[rax]\n vbroadcasti32x4 zmm1,[rax+16]\n",
            "xor edx,edx\n lea r8,[rdi+{lens}+64]\n lea rcx,[rdi+{flags}+128]\n",
            lower!(0 28 31 8 9 10 11),
            "cmp rsi,1\n je 3f\n lea r8,[rdi+{lens}]\n lea rcx,[rdi+{flags}]\n",
            lower!(0 28 29 8 9 10 11),
            "add rcx,64\n",
            lower!(0 28 30 8 9 10 11),
            ".p2align 4\n 2:\n vmovdqa64 zmm3,zmm29\n vmovdqa64 zmm29,zmm30\n",
            "cmp rsi,1\n jne 4f\n 3:\n vmovdqa64 zmm3,zmm31\n 4:\n vmovdqa64 zmm2,zmm28\n",
            quarters!(0 16 16 17 32 18 48 19),
            first!("zmm" 16 17 18 19 8 9 10 11),
            all!("zmm" one),
            "vpxord zmm0,zmm0,zmm2\n vpxord zmm1,zmm1,zmm3\n",
            "add rdx,64\n dec rsi\n jnz 2b\n",
            "mov rax,[rdi+{out}]\n", put!(0 0 1),
            "vzeroupper\n ret\n .cfi_endproc\n",
        ),
        iv = sym IV,
        counter = const offset_of!(Job, counter),
        lens = const offset_of!(Job, lens),
        flags = const offset_of!(Job, flags),
        inputs = const offset_of!(Job, inputs),
        key = const offset_of!(Job, key),
        out = const offset_of!(Job, out),
    )
}

/// [`load!`] for two inputs from number `$n` on.
macro_rules! load256 {
    ($n:literal $i:literal $j:literal $k:literal $l:literal) => { concat!(
        "mov rax,[rdi+{inputs}+8*", $n, "]\n mov r9,[rdi+{inputs}+8*", $n, "+8]\n",
        load256!(@ 0 $i), load256!(@ 16 $j), load256!(@ 32 $k), load256!(@ 48 $l),
    ) };
    (@ $o:literal $r:literal) => { concat!(
        "vmovdqu32 xmm", $r, ",[rax+rdx+", $o, "]\n vinserti32x4 ymm", $r, ",ymm", $r, ",[r9+rdx+", $o, "],1\n",
    ) };
}

/// [`lower!`] for the two lanes from `$n` on. `$t` is free.
macro_rules! lower256 {
    ($n:literal $c:literal $d:literal $t:literal) => { concat!(
        "vbroadcasti128 ymm", $c, ",[rip+{iv}]\n", lower256!(@ $n $d), lower256!(@ "4+4*" $n $t),
        "vinserti128 ymm", $d, ",ymm", $d, ",xmm", $t, ",1\n",
    ) };
    (@ $n:literal $d:literal) => { lower256!(@ "4*" $n $d) };
    (@ $o:literal $n:literal $d:literal) => { concat!(
        "vmovd xmm", $d, ",[rdi+{counter}+", $o, $n, "]\n vpinsrd xmm", $d, ",xmm", $d, ",[rdi+{counter}+64+", $o, $n, "],1\n",
        "vpinsrd xmm", $d, ",xmm", $d, ",[r8+", $o, $n, "],2\n vpinsrd xmm", $d, ",xmm", $d, ",[rcx+", $o, $n, "],3\n",
    ) };
}

/// [`put!`] for the two lanes from `$n` on.
macro_rules! put256 {
    ($n:literal $a:literal $b:literal) => { concat!(
        "vmovdqu [rax+32*", $n, "],xmm", $a, "\n vmovdqu [rax+32*", $n, "+16],xmm", $b, "\n",
        "vextracti128 [rax+32*", $n, "+32],ymm", $a, ",1\n vextracti128 [rax+32*", $n, "+48],ymm", $b, ",1\n",
    ) };
}

rows!(two256 "ymm" one
    ("vbroadcasti128 ymm0,[rax]\n vbroadcasti128 ymm1,[rax+16]\n")
    (lower256!(0 2 3 8), load256!(0 16 17 18 19), first!("ymm" 16 17 18 19 8 9 10 11))
    ("vpxor ymm0,ymm0,ymm2\n vpxor ymm1,ymm1,ymm3\n")
    (put256!(0 0 1)));
// The same by shifts.
rows!(two256_shifts "ymm" shifts
    ("vbroadcasti128 ymm0,[rax]\n vbroadcasti128 ymm1,[rax+16]\n")
    (lower256!(0 2 3 8), load256!(0 16 17 18 19), first!("ymm" 16 17 18 19 8 9 10 11))
    ("vpxor ymm0,ymm0,ymm2\n vpxor ymm1,ymm1,ymm3\n")
    (put256!(0 0 1)));
rows!(four256 "ymm" spread
    ("vbroadcasti128 ymm0,[rax]\n vbroadcasti128 ymm1,[rax+16]\n vmovdqa ymm4,ymm0\n vmovdqa ymm5,ymm1\n")
    (lower256!(0 2 3 8), lower256!(2 6 7 12), load256!(0 16 17 18 19), load256!(2 20 21 22 23),
     first!("ymm" 16 17 18 19 8 9 10 11), first!("ymm" 20 21 22 23 12 13 14 15))
    ("vpxor ymm0,ymm0,ymm2\n vpxor ymm1,ymm1,ymm3\n vpxor ymm4,ymm4,ymm6\n vpxor ymm5,ymm5,ymm7\n")
    (put256!(0 0 1), put256!(2 4 5)));

/// Added to the fourth row of four blocks of extended output.
static NUMBERS: [u32; 16] = [0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0];

/// Stores the rows of block number `$n` to rsi.
macro_rules! output {
    ($n:literal) => { concat!(
        "vextracti32x4 [rsi+64*", $n, "],zmm0,", $n, "\n vextracti32x4 [rsi+64*", $n, "+16],zmm1,", $n, "\n",
        "vextracti32x4 [rsi+64*", $n, "+32],zmm2,", $n, "\n vextracti32x4 [rsi+64*", $n, "+48],zmm3,", $n, "\n",
    ) };
}

/// Makes up to four blocks of extended output. The low words of their counters must not
/// overflow.
///
/// # Safety
/// The CPU must have AVX-512F and VL. `blocks` are 1 to 4, and `out` must be writable for 64
/// bytes each.
#[unsafe(naked)]
pub(crate) unsafe extern "sysv64" fn xof4(job: *const XofJob, out: *mut u8, blocks: usize) {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n mov eax,0x5555\n kmovw k1,eax\n mov eax,0x4444\n kmovw k2,eax\n",
            "mov eax,0x9999\n kmovw k3,eax\n mov r8,[rdi+{cv}]\n mov r9,[rdi+{block}]\n",
            "vbroadcasti32x4 zmm0,[r8]\n vbroadcasti32x4 zmm1,[r8+16]\n vbroadcasti32x4 zmm2,[rip+{iv}]\n",
            // One load for the row d would wait until the stores of its parts reach the cache.
            "vmovq xmm3,[rdi+{counter}]\n vmovd xmm4,[rdi+{len}]\n vpinsrd xmm4,xmm4,[rdi+{flags}],1\n",
            "vpunpcklqdq xmm3,xmm3,xmm4\n vshufi32x4 zmm3,zmm3,zmm3,0\n vpaddd zmm3,zmm3,[rip+{numbers}]\n",
            "vbroadcasti32x4 zmm16,[r9]\n vbroadcasti32x4 zmm17,[r9+16]\n",
            "vbroadcasti32x4 zmm18,[r9+32]\n vbroadcasti32x4 zmm19,[r9+48]\n",
            first!("zmm" 16 17 18 19 8 9 10 11),
            all!("zmm" one),
            "vbroadcasti32x4 zmm8,[r8]\n vbroadcasti32x4 zmm9,[r8+16]\n",
            "vpxord zmm0,zmm0,zmm2\n vpxord zmm1,zmm1,zmm3\n vpxord zmm2,zmm2,zmm8\n vpxord zmm3,zmm3,zmm9\n",
            output!(0), "cmp edx,2\n jb 2f\n", output!(1), "je 2f\n",
            output!(2), "cmp edx,4\n jb 2f\n", output!(3),
            "2:\n vzeroupper\n ret\n .cfi_endproc\n",
        ),
        iv = sym IV,
        numbers = sym NUMBERS,
        block = const offset_of!(XofJob, block),
        cv = const offset_of!(XofJob, cv),
        counter = const offset_of!(XofJob, counter),
        len = const offset_of!(XofJob, len),
        flags = const offset_of!(XofJob, flags),
    )
}

/// Lanes that a job may use here.
pub(crate) const MOST: usize = 8;

/// Runs the first four or eight lanes of a job that has a key and an `out`.
///
/// # Safety
/// The same conditions as for [`super::super::body::Advance`], and the CPU must have
/// AVX-512F and VL.
pub(crate) unsafe fn advance(job: &mut Job, blocks: usize, used: usize) {
    debug_assert!(used <= MOST);
    // SAFETY: the caller upholds the safety contract.
    unsafe {
        if used <= 4 {
            rows4(job, blocks);
        } else {
            rows8(job, blocks);
        }
    }
}

/// Lanes that a job may use in [`advance256`].
pub(crate) const MOST_256: usize = 4;

/// Runs the first two or four lanes of a job that has a key and an `out`, in registers of
/// 256 bits, two by shifts ([`super::shifts`]).
///
/// # Safety
/// The same conditions as for [`super::super::body::Advance`], and the CPU must have
/// AVX-512F and VL.
pub(crate) unsafe fn advance256(job: &mut Job, blocks: usize, used: usize) {
    debug_assert!(used <= MOST_256);
    // SAFETY: the caller upholds the safety contract.
    unsafe {
        if used <= 2 {
            two256_shifts(job, blocks);
        } else {
            four256(job, blocks);
        }
    }
}

/// Lanes that a job may use in [`advance_few`].
pub(crate) const MOST_FEW: usize = 4;

/// Runs the first two or four lanes of a job that has a key and an `out`: two in registers
/// of 256 bits, four in registers of 512 bits with few shuffles.
///
/// # Safety
/// The same conditions as for [`super::super::body::Advance`], and the CPU must have
/// AVX-512F and VL.
pub(crate) unsafe fn advance_few(job: &mut Job, blocks: usize, used: usize) {
    debug_assert!(used <= MOST_FEW);
    // SAFETY: the caller upholds the safety contract.
    unsafe {
        if used <= 2 {
            two256(job, blocks);
        } else {
            rows4_few_shuffles(job, blocks);
        }
    }
}
