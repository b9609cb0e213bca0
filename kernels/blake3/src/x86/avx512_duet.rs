//! Up to nine inputs. Four or eight are in the quarters of vector registers, as in
//! [`super::avx512_rows`]. One more is in general registers, as in [`super::one`].
//!
//! Both parts are chains of dependent operations, and they use different ports. Alone,
//! a block takes some 206 cycles in general registers and 339 in vectors. Together it
//! takes some 255 cycles with four in vectors and some 323 with eight. So the last
//! input runs in general registers even if vectors also hold it: it is computed twice.
//!
//! Fillers (`slack!`) hold the general registers back. Without them vector operations
//! seem to fill the schedulers, so that each takes 2 cycles instead of 1. The number of
//! fillers is measured.
//!
//! The rounds are a loop over a message that a vector permutes from round to round.
//! Unrolled they are 6 KiB, and two pages of code can evict each other from the
//! instruction cache (`schedule.rs`).
//!
//! On a CPU whose vector operations always take 1 cycle there is nothing to gain: 1400
//! instructions a block need longer than that chain. This is a count, not a
//! measurement. Figures: docs/notes/blake3-avx512.md.

use super::super::constants::{IV, SCHEDULE};
use super::super::job::Job;
use core::mem::offset_of;

/// For each place, which message word moves there in the next round.
static ORDER: [u32; 16] = {
    let mut order = [0; 16];
    let mut i = 0;
    while i < 16 {
        order[i] = SCHEDULE[1][i] as u32;
        i += 1;
    }
    order
};

/// Step `$k` of a quarter round in general registers: registers `a`, `b`, `c`, `d` and
/// two message words. The message begins at the stack pointer.
macro_rules! scalar {
    (0 ($a:literal $b:literal $c:literal $d:literal $x:tt $y:tt)) => { concat!("add ", $a, ",[rsp+4*", $x, "]\n") };
    (1 ($a:literal $b:literal $c:literal $d:literal $x:tt $y:tt)) => { concat!("add ", $a, ",", $b, "\n") };
    (2 ($a:literal $b:literal $c:literal $d:literal $x:tt $y:tt)) => { concat!("xor ", $d, ",", $a, "\n") };
    (3 ($a:literal $b:literal $c:literal $d:literal $x:tt $y:tt)) => { concat!("ror ", $d, ",16\n") };
    (4 ($a:literal $b:literal $c:literal $d:literal $x:tt $y:tt)) => { concat!("add ", $c, ",", $d, "\n") };
    (5 ($a:literal $b:literal $c:literal $d:literal $x:tt $y:tt)) => { concat!("add ", $a, ",[rsp+4*", $y, "]\n") };
    (6 ($a:literal $b:literal $c:literal $d:literal $x:tt $y:tt)) => { concat!("xor ", $b, ",", $c, "\n") };
    (7 ($a:literal $b:literal $c:literal $d:literal $x:tt $y:tt)) => { concat!("ror ", $b, ",12\n") };
    (8 ($a:literal $b:literal $c:literal $d:literal $x:tt $y:tt)) => { concat!("add ", $a, ",", $b, "\n") };
    (9 ($a:literal $b:literal $c:literal $d:literal $x:tt $y:tt)) => { concat!("xor ", $d, ",", $a, "\n") };
    (10 ($a:literal $b:literal $c:literal $d:literal $x:tt $y:tt)) => { concat!("ror ", $d, ",8\n") };
    (11 ($a:literal $b:literal $c:literal $d:literal $x:tt $y:tt)) => { concat!("add ", $c, ",", $d, "\n") };
    (12 ($a:literal $b:literal $c:literal $d:literal $x:tt $y:tt)) => { concat!("xor ", $b, ",", $c, "\n") };
    (13 ($a:literal $b:literal $c:literal $d:literal $x:tt $y:tt)) => { concat!("ror ", $b, ",7\n") };
}

/// Step `$k` of a half round in vectors, for each group: its rows, the message words to
/// add, and how `a` and `c` move afterwards.
macro_rules! vector {
    (0 ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal $am:literal $cm:literal))*)) => { concat!($("vpaddd zmm", $a, ",zmm", $a, ",zmm", $x, "\n",)*) };
    (1 ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal $am:literal $cm:literal))*)) => { concat!($("vpaddd zmm", $a, ",zmm", $a, ",zmm", $b, "\n",)*) };
    (2 ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal $am:literal $cm:literal))*)) => { concat!($("vpxord zmm", $d, ",zmm", $d, ",zmm", $a, "\n",)*) };
    (3 ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal $am:literal $cm:literal))*)) => { concat!($("vprord zmm", $d, ",zmm", $d, ",16\n",)*) };
    (4 ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal $am:literal $cm:literal))*)) => { concat!($("vpaddd zmm", $a, ",zmm", $a, ",zmm", $y, "\n",)*) };
    (5 ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal $am:literal $cm:literal))*)) => { concat!($("vpaddd zmm", $c, ",zmm", $c, ",zmm", $d, "\n",)*) };
    (6 ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal $am:literal $cm:literal))*)) => { concat!($("vpxord zmm", $b, ",zmm", $b, ",zmm", $c, "\n",)*) };
    (7 ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal $am:literal $cm:literal))*)) => { concat!($("vprord zmm", $b, ",zmm", $b, ",12\n",)*) };
    (8 ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal $am:literal $cm:literal))*)) => { concat!($("vpaddd zmm", $a, ",zmm", $a, ",zmm", $b, "\n",)*) };
    (9 ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal $am:literal $cm:literal))*)) => { concat!($("vpxord zmm", $d, ",zmm", $d, ",zmm", $a, "\n",)*) };
    (10 ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal $am:literal $cm:literal))*)) => { concat!($("vprord zmm", $d, ",zmm", $d, ",8\n",)*) };
    (11 ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal $am:literal $cm:literal))*)) => { concat!($("vpshufd zmm", $a, ",zmm", $a, ",", $am, "\n",)*) };
    (12 ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal $am:literal $cm:literal))*)) => { concat!($("vpaddd zmm", $c, ",zmm", $c, ",zmm", $d, "\n",)*) };
    (13 ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal $am:literal $cm:literal))*)) => { concat!($("vpshufd zmm", $d, ",zmm", $d, ",0x4e\n",)*) };
    (14 ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal $am:literal $cm:literal))*)) => { concat!($("vpxord zmm", $b, ",zmm", $b, ",zmm", $c, "\n",)*) };
    (15 ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal $am:literal $cm:literal))*)) => { concat!($("vprord zmm", $b, ",zmm", $b, ",7\n",)*) };
    (16 ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal $am:literal $cm:literal))*)) => { concat!($("vpshufd zmm", $c, ",zmm", $c, ",", $cm, "\n",)*) };
}

/// Step `$k` of the permutation that makes the next round's message words, for each
/// group. See `permute` of [`super::avx512_rows`].
macro_rules! next {
    (0 ($(($m:literal $n:literal $o:literal $p:literal $s:literal $t:literal $u:literal $v:literal))*)) => { concat!($("vshufps zmm", $s, ",zmm", $m, ",zmm", $n, ",0xd9\n",)*) };
    (1 ($(($m:literal $n:literal $o:literal $p:literal $s:literal $t:literal $u:literal $v:literal))*)) => { concat!($("vpshufd zmm", $s, ",zmm", $s, ",0x78\n",)*) };
    (2 ($(($m:literal $n:literal $o:literal $p:literal $s:literal $t:literal $u:literal $v:literal))*)) => { concat!($("vshufps zmm", $t, ",zmm", $o, ",zmm", $p, ",0xfa\n",)*) };
    (3 ($(($m:literal $n:literal $o:literal $p:literal $s:literal $t:literal $u:literal $v:literal))*)) => { concat!($("vpshufd zmm", $t, "{{k1}},zmm", $m, ",0x03\n",)*) };
    (4 ($(($m:literal $n:literal $o:literal $p:literal $s:literal $t:literal $u:literal $v:literal))*)) => { concat!($("vpunpckldq zmm", $u, ",zmm", $p, ",zmm", $n, "\n",)*) };
    (5 ($(($m:literal $n:literal $o:literal $p:literal $s:literal $t:literal $u:literal $v:literal))*)) => { concat!($("vpshufd zmm", $u, ",zmm", $u, ",0x84\n",)*) };
    (6 ($(($m:literal $n:literal $o:literal $p:literal $s:literal $t:literal $u:literal $v:literal))*)) => { concat!($("vpshufd zmm", $u, "{{k2}},zmm", $o, ",0x30\n",)*) };
    (7 ($(($m:literal $n:literal $o:literal $p:literal $s:literal $t:literal $u:literal $v:literal))*)) => { concat!($("vpunpckhdq zmm", $v, ",zmm", $p, ",zmm", $n, "\n",)*) };
    (8 ($(($m:literal $n:literal $o:literal $p:literal $s:literal $t:literal $u:literal $v:literal))*)) => { concat!($("vpshufd zmm", $v, ",zmm", $v, ",0x10\n",)*) };
    (9 ($(($m:literal $n:literal $o:literal $p:literal $s:literal $t:literal $u:literal $v:literal))*)) => { concat!($("vpshufd zmm", $v, "{{k3}},zmm", $o, ",0x01\n",)*) };
}

/// Fillers that hold the general registers back: 154 a block for one group, 308 for
/// two. They change only flags, which nothing reads.
macro_rules! slack {
    (($one:tt)) => { "test eax,eax\n" };
    (($one:tt $two:tt)) => { "test eax,eax\n test eax,eax\n" };
}

/// A half round of both parts. Arguments: three columns, the text that loads the fourth
/// `c`, the fourth column, the vectors' arguments, and steps of [`next!`].
macro_rules! half {
    ($a:tt $b:tt $c:tt $move:literal $d:tt $v:tt $n:tt $n0:tt $n1:tt $n2:tt $n3:tt $n4:tt) => { concat!(
        scalar!(0 $a), scalar!(0 $b), scalar!(0 $c), slack!($v), vector!(0 $v),
        scalar!(1 $a), scalar!(1 $b), scalar!(1 $c), slack!($v), vector!(1 $v),
        scalar!(2 $a), scalar!(2 $b), scalar!(2 $c), vector!(2 $v),
        scalar!(3 $a), scalar!(3 $b), scalar!(3 $c), slack!($v), vector!(3 $v),
        scalar!(4 $a), scalar!(4 $b), scalar!(4 $c), slack!($v), vector!(4 $v),
        scalar!(5 $a), scalar!(5 $b), scalar!(5 $c), vector!(5 $v),
        scalar!(6 $a), scalar!(6 $b), scalar!(6 $c), slack!($v), vector!(6 $v),
        scalar!(7 $a), scalar!(7 $b), scalar!(7 $c), slack!($v), vector!(7 $v),
        scalar!(8 $a), scalar!(8 $b), scalar!(8 $c), slack!($v), vector!(8 $v),
        scalar!(9 $a), scalar!(9 $b), scalar!(9 $c), slack!($v), vector!(9 $v),
        scalar!(10 $a), scalar!(10 $b), scalar!(10 $c), slack!($v), vector!(10 $v),
        scalar!(11 $a), scalar!(11 $b), scalar!(11 $c), vector!(11 $v),
        scalar!(12 $a), scalar!(12 $b), scalar!(12 $c), slack!($v), next!($n0 $n),
        scalar!(13 $a), scalar!(13 $b), scalar!(13 $c), slack!($v), next!($n1 $n),
        $move,
        scalar!(0 $d), scalar!(1 $d), vector!(12 $v),
        scalar!(2 $d), scalar!(3 $d), next!($n2 $n),
        scalar!(4 $d), vector!(13 $v),
        scalar!(5 $d), scalar!(6 $d), next!($n3 $n),
        scalar!(7 $d), vector!(14 $v),
        scalar!(8 $d), scalar!(9 $d), next!($n4 $n),
        scalar!(10 $d), vector!(15 $v),
        scalar!(11 $d), scalar!(12 $d), scalar!(13 $d), vector!(16 $v),
    ) };
}

/// Stores the permuted message for the general registers. Stores are 16 bytes, the
/// alignment of the frame, so that none crosses a cache line. The first half is stored
/// directly after the columns have used it, long before it is needed again.
macro_rules! message {
    (first) => { "vmovdqu32 [rsp],xmm24\n vextracti32x4 [rsp+16],zmm24,1\n" };
    (second) => { "vextracti32x4 [rsp+32],zmm24,2\n vextracti32x4 [rsp+48],zmm24,3\n" };
}

/// A round. Arguments: register numbers of its message words and of the next round's,
/// then the places of its message words.
macro_rules! round {
    ($v0:tt $v1:tt $n:tt
     $m0:tt $m1:tt $m2:tt $m3:tt $m4:tt $m5:tt $m6:tt $m7:tt
     $m8:tt $m9:tt $m10:tt $m11:tt $m12:tt $m13:tt $m14:tt $m15:tt) => { concat!(
        half!(("eax" "esi" "r13d" "r9d" $m0 $m1) ("ecx" "edi" "r14d" "r10d" $m2 $m3)
              ("edx" "ebp" "r15d" "r11d" $m4 $m5)
              "mov [rsp+64],r13d\n mov r13d,[rsp+68]\n"
              ("ebx" "r8d" "r13d" "r12d" $m6 $m7) $v0 $n 0 1 2 3 4),
        message!(first),
        half!(("eax" "edi" "r15d" "r12d" $m8 $m9) ("ecx" "ebp" "r13d" "r9d" $m10 $m11)
              ("ebx" "esi" "r14d" "r11d" $m14 $m15)
              "mov [rsp+68],r13d\n mov r13d,[rsp+64]\n"
              ("edx" "r8d" "r13d" "r10d" $m12 $m13) $v1 $n 5 6 7 8 9),
    ) };
}

/// Loads blocks of four inputs from number `$n` on, in pieces of 16 bytes. A parent's
/// children were written a moment before in pieces of that size. `$t` are free
/// registers.
macro_rules! load {
    ($n:literal $($o:literal $r:literal $t:literal)*) => { concat!(
        "mov r9,[r13+{inputs}+8*", $n, "]\n mov r10,[r13+{inputs}+8*", $n, "+8]\n",
        "mov r11,[r13+{inputs}+8*", $n, "+16]\n mov r12,[r13+{inputs}+8*", $n, "+24]\n",
        $("vmovdqu32 xmm", $r, ",[r9+r14+", $o, "]\n vinserti32x4 ymm", $r, ",ymm", $r, ",[r10+r14+", $o, "],1\n",
        "vmovdqu32 xmm", $t, ",[r11+r14+", $o, "]\n vinserti32x4 ymm", $t, ",ymm", $t, ",[r12+r14+", $o, "],1\n",
        "vinserti64x4 zmm", $r, ",zmm", $r, ",ymm", $t, ",1\n",)*
    ) };
}

/// Loads the fourth row for lanes from `$n` on. Lengths are at r9, flags at r10. `$p`
/// to `$s` are free.
macro_rules! lower {
    ($n:literal $d:literal $p:literal $q:literal $r:literal $s:literal) => { concat!(
        // Transposes four times four words.
        "vmovdqu xmm", $p, ",[r13+{counter}+4*", $n, "]\n",
        "vpunpckhdq xmm", $q, ",xmm", $p, ",[r13+{counter}+64+4*", $n, "]\n",
        "vpunpckldq xmm", $p, ",xmm", $p, ",[r13+{counter}+64+4*", $n, "]\n",
        "vmovdqu xmm", $r, ",[r9+4*", $n, "]\n",
        "vpunpckhdq xmm", $s, ",xmm", $r, ",[r10+4*", $n, "]\n vpunpckldq xmm", $r, ",xmm", $r, ",[r10+4*", $n, "]\n",
        "vpunpcklqdq xmm", $d, ",xmm", $p, ",xmm", $r, "\n vpunpckhqdq xmm", $p, ",xmm", $p, ",xmm", $r, "\n",
        "vpunpcklqdq xmm", $r, ",xmm", $q, ",xmm", $s, "\n vpunpckhqdq xmm", $q, ",xmm", $q, ",xmm", $s, "\n",
        "vinserti32x4 ymm", $d, ",ymm", $d, ",xmm", $p, ",1\n vinserti32x4 ymm", $r, ",ymm", $r, ",xmm", $q, ",1\n",
        "vinserti64x4 zmm", $d, ",zmm", $d, ",ymm", $r, ",1\n",
    ) };
}

/// Prepares the message words of the first round: see `first` of
/// [`super::avx512_rows`].
macro_rules! first {
    ($m:literal $n:literal $o:literal $p:literal $s:literal $t:literal $u:literal $v:literal) => { concat!(
        "vshufps zmm", $s, ",zmm", $m, ",zmm", $n, ",0x88\n vshufps zmm", $t, ",zmm", $m, ",zmm", $n, ",0xdd\n",
        "vshufps zmm", $u, ",zmm", $o, ",zmm", $p, ",0x88\n vshufps zmm", $v, ",zmm", $o, ",zmm", $p, ",0xdd\n",
        "vpshufd zmm", $u, ",zmm", $u, ",0x93\n vpshufd zmm", $v, ",zmm", $v, ",0x93\n",
    ) };
}

/// Loads the initial third row.
macro_rules! third {
    ($($c:literal)*) => { concat!($("vbroadcasti32x4 zmm", $c, ",[rip+{iv}]\n",)*) };
}

/// Copies registers `$b` to `$a`.
macro_rules! copy {
    ($($a:literal $b:literal)*) => { concat!($("vmovdqa32 zmm", $a, ",zmm", $b, "\n",)*) };
}

/// Combines rows `$a` and `$b` with the last two rows; the result is the new chaining
/// value.
macro_rules! fold {
    ($a:literal $b:literal $c:literal $d:literal) => { concat!(
        "vpxord zmm", $a, ",zmm", $a, ",zmm", $c, "\n vpxord zmm", $b, ",zmm", $b, ",zmm", $d, "\n",
    ) };
}

/// Stores chaining values of lanes from `$n` on to r13.
macro_rules! put {
    ($n:literal $a:literal $b:literal) => { concat!(
        "vmovdqu [r13+32*", $n, "],xmm", $a, "\n vmovdqu [r13+32*", $n, "+16],xmm", $b, "\n",
        "vextracti32x4 [r13+32*", $n, "+32],zmm", $a, ",1\n vextracti32x4 [r13+32*", $n, "+48],zmm", $b, ",1\n",
        "vextracti32x4 [r13+32*", $n, "+64],zmm", $a, ",2\n vextracti32x4 [r13+32*", $n, "+80],zmm", $b, ",2\n",
        "vextracti32x4 [r13+32*", $n, "+96],zmm", $a, ",3\n vextracti32x4 [r13+32*", $n, "+112],zmm", $b, ",3\n",
    ) };
}

// Frame: message 0-63, two words `c` 64-71, job 72, blocks left 80, offset 88. For the
// input in general registers: counter 96, lengths 104 and 108, flags of this block 112,
// between 116, last 120, rounds left 124, input 128, place for its chaining value 136.
// Flags of the vectors' block: 144.
/// A body with `$lanes` lanes in vectors. The other arguments are assembly text for all
/// of its groups.
macro_rules! duet {
    ($name:ident $lanes:literal ($($key:tt)*) ($($lower:tt)*) ($($blocks:tt)*) ($v0:tt $v1:tt $n:tt) ($($copy:tt)*) ($($fold:tt)*) ($($put:tt)*)) => {
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(job: *const Job, blocks: usize, alone: usize) {
            core::arch::naked_asm!(
                concat!(
                    ".cfi_startproc\n",
                    save!(152),
                    "mov eax,0x5555\n kmovw k1,eax\n mov eax,0x4444\n kmovw k2,eax\n mov eax,0x9999\n kmovw k3,eax\n",
                    "vmovdqu32 zmm25,[rip+{order}]\n mov [rsp+72],rdi\n mov [rsp+80],rsi\n mov qword ptr [rsp+88],0\n",
                    "mov eax,[rdi+4*rdx+{counter}]\n mov [rsp+96],eax\n mov eax,[rdi+4*rdx+{counter}+64]\n mov [rsp+100],eax\n",
                    "mov eax,[rdi+4*rdx+{lens}]\n mov [rsp+104],eax\n mov eax,[rdi+4*rdx+{lens}+64]\n mov [rsp+108],eax\n",
                    "mov eax,[rdi+4*rdx+{flags}]\n mov [rsp+112],eax\n mov eax,[rdi+4*rdx+{flags}+64]\n mov [rsp+116],eax\n",
                    "mov eax,[rdi+4*rdx+{flags}+128]\n mov [rsp+120],eax\n mov rax,[rdi+8*rdx+{inputs}]\n mov [rsp+128],rax\n",
                    // If vectors hold this input too, its result is discarded (written
                    // over the message). Parents are loaded in wider pieces than
                    // general registers write.
                    "mov rax,rdx\n shl rax,5\n add rax,[rdi+{out}]\n cmp rdx,", $lanes, "\n cmovb rax,rsp\n mov [rsp+136],rax\n",
                    "lea rax,[rdi+{flags}]\n mov [rsp+144],rax\n",
                    "mov r13,[rdi+{key}]\n vbroadcasti32x4 zmm0,[r13]\n vbroadcasti32x4 zmm1,[r13+16]\n", $($key)*,
                    start!(),
                    ".p2align 4\n 2:\n",
                    "mov r13,[rsp+72]\n mov r14,[rsp+88]\n",
                    // The fourth row changes with the second block and with the last
                    // one.
                    "cmp r14,64\n jbe 4f\n cmp qword ptr [rsp+80],1\n jne 5f\n 4:\n",
                    // Selects lengths and flags: of the last block or not.
                    "lea r9,[r13+{lens}]\n mov r10,[rsp+144]\n cmp qword ptr [rsp+80],1\n jne 3f\n",
                    "add r9,64\n lea r10,[r13+{flags}+128]\n 3:\n",
                    $($lower)*,
                    "5:\n",
                    $($blocks)*,
                    "mov r13,[rsp+128]\n add r13,r14\n",
                    "vmovdqu32 xmm24,[r13]\n vinserti32x4 ymm24,ymm24,[r13+16],1\n vmovdqu32 xmm26,[r13+32]\n",
                    "vinserti32x4 ymm26,ymm26,[r13+48],1\n vinserti64x4 zmm24,zmm24,ymm26,1\n",
                    message!(first), message!(second),
                    "add r14,64\n mov [rsp+88],r14\n",
                    "mov r9d,[rsp+96]\n mov r10d,[rsp+100]\n mov r11d,[rsp+104]\n mov r12d,[rsp+112]\n",
                    "mov r13d,[rsp+116]\n mov [rsp+112],r13d\n",
                    "cmp qword ptr [rsp+80],1\n cmove r11d,[rsp+108]\n cmove r12d,[rsp+120]\n",
                    "mov r13d,[rip+{iv}]\n mov r14d,[rip+{iv}+12]\n mov [rsp+68],r14d\n",
                    "mov r14d,[rip+{iv}+4]\n mov r15d,[rip+{iv}+8]\n",
                    "mov dword ptr [rsp+124],7\n .p2align 4\n 7:\n",
                    "vpermd zmm24,zmm25,zmm24\n",
                    round!($v0 $v1 $n 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
                    $($copy)*,
                    message!(second),
                    "dec dword ptr [rsp+124]\n jnz 7b\n",
                    $($fold)*,
                    "xor eax,r13d\n xor ecx,r14d\n xor edx,r15d\n xor ebx,[rsp+68]\n",
                    "xor esi,r9d\n xor edi,r10d\n xor ebp,r11d\n xor r8d,r12d\n",
                    "mov r9,[rsp+72]\n lea r9,[r9+{flags}+64]\n mov [rsp+144],r9\n",
                    "dec qword ptr [rsp+80]\n jnz 2b\n",
                    "mov r13,[rsp+72]\n mov r13,[r13+{out}]\n",
                    $($put)*,
                    "vzeroupper\n mov r13,[rsp+136]\n",
                    end!(),
                    restore!(152),
                    "ret\n .cfi_endproc\n",
                ),
                iv = sym IV,
                order = sym ORDER,
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

duet!(beside4 4
    ("")
    (lower!(0 28 8 9 10 11))
    (third!(2), copy!(3 28), load!(0 0 16 8 16 17 9 32 18 10 48 19 11), first!(16 17 18 19 8 9 10 11))
    (((0 1 2 3 8 9 0x93 0x39)) ((0 1 2 3 10 11 0x39 0x93)) ((8 9 10 11 16 17 18 19)))
    (copy!(8 16 9 17 10 18 11 19))
    (fold!(0 1 2 3))
    (put!(0 0 1)));
duet!(beside8 8
    (copy!(4 0 5 1))
    (lower!(0 28 8 9 10 11), lower!(4 29 12 13 14 15))
    (third!(2 6), copy!(3 28 7 29),
     load!(0 0 16 8 16 17 9 32 18 10 48 19 11), load!(4 0 20 12 16 21 13 32 22 14 48 23 15),
     first!(16 17 18 19 8 9 10 11), first!(20 21 22 23 12 13 14 15))
    (((0 1 2 3 8 9 0x93 0x39) (4 5 6 7 12 13 0x93 0x39)) ((0 1 2 3 10 11 0x39 0x93) (4 5 6 7 14 15 0x39 0x93))
     ((8 9 10 11 16 17 18 19) (12 13 14 15 20 21 22 23)))
    (copy!(8 16 9 17 10 18 11 19 12 20 13 21 14 22 15 23))
    (fold!(0 1 2 3), fold!(4 5 6 7))
    (put!(0 0 1), put!(4 4 5)));

/// Lanes that a job may use here.
pub(crate) const MOST: usize = 9;

/// Runs the first lanes of a job that has a key and an `out`. The last of them runs in
/// general registers.
///
/// # Safety
/// The same conditions as for [`super::super::body::Advance`], and the CPU must have
/// AVX-512F and VL.
pub(crate) unsafe fn advance(job: &mut Job, blocks: usize, used: usize) {
    debug_assert!((1..=MOST).contains(&used));
    // SAFETY: the caller upholds the safety contract.
    unsafe {
        if used <= 5 {
            beside4(job, blocks, used - 1);
        } else {
            beside8(job, blocks, used - 1);
        }
    }
}
