//! Sixteen lanes a register: one group of 16 inputs, or two groups.
//!
//! Limits on Zen 5. A vector operation has a latency of 2 cycles once the schedulers
//! are full. 4 start in a cycle, of rotates and 128-bit shuffles 2.
//! * One group is bound by latency: 14 half rounds of 12 dependent operations are 336
//!   cycles for 16 blocks. 366 are reached.
//! * Two groups are bound by throughput: 2 x (784 + 8 + 64) operations at 4 a cycle are
//!   428 cycles for 32 blocks. About 510 are reached.
//!
//! Two groups have 32 words of state, and there are 32 registers. So message words are
//! memory operands, and every step works in place. The rounds of two groups are a loop
//! (see [`turns!`]).
//!
//! What was tried to make one group faster: docs/notes/blake3-avx512.md.

use super::super::constants::IV;
use super::super::job::Job;
use super::avx512_duet;
use super::avx512_once;
use super::avx512_rows;
use super::schedule::order;
use core::mem::{offset_of, size_of};

/// A round of one group. The message is at r9. Fillers (`$p`, `$q`) are assembly text.
macro_rules! round16 {
    ((($($p:tt)*) ($($q:tt)*))
     $m0:literal $m1:literal $m2:literal $m3:literal $m4:literal $m5:literal $m6:literal $m7:literal
     $m8:literal $m9:literal $m10:literal $m11:literal $m12:literal $m13:literal $m14:literal $m15:literal) => { concat!(
        columns_at!("zmm" "r9" (0 4 8 12 $m0 $m1) (1 5 9 13 $m2 $m3)),
        columns_at!("zmm" "r9" (2 6 10 14 $m4 $m5) (3 7 11 15 $m6 $m7)),
        $($p)*,
        columns_at!("zmm" "r9" (0 5 10 15 $m8 $m9) (1 6 11 12 $m10 $m11)),
        columns_at!("zmm" "r9" (2 7 8 13 $m12 $m13) (3 4 9 14 $m14 $m15)),
        $($q)*,
    ) };
}

/// Quarter rounds whose message words are given by their places in the round, see [`turns`].
macro_rules! columns_in_turn {
    ($m:literal $(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal))*) => {
        quarter_rounds!("zmm" $(($a $b $c $d
            concat!("movzx eax,byte ptr [r9+", $x, "]\n "), concat!("[", $m, "+8*rax]"),
            concat!("movzx eax,byte ptr [r9+", $y, "]\n "), concat!("[", $m, "+8*rax]")))*)
    };
}

/// Offsets of transposed words, which are 64 bytes each, divided by eight.
pub(super) static ORDER: [[u8; 16]; 7] = order(8);

/// A round of two groups. Their messages are at rsp and behind.
macro_rules! round32 {
    () => { concat!(
        columns_in_turn!("rsp" (0 4 8 12 0 1) (1 5 9 13 2 3) (2 6 10 14 4 5) (3 7 11 15 6 7)),
        columns_in_turn!("rsp+1024" (16 20 24 28 0 1) (17 21 25 29 2 3) (18 22 26 30 4 5) (19 23 27 31 6 7)),
        columns_in_turn!("rsp" (0 5 10 15 8 9) (1 6 11 12 10 11) (2 7 8 13 12 13) (3 4 9 14 14 15)),
        columns_in_turn!("rsp+1024" (16 21 26 31 8 9) (17 22 27 28 10 11) (18 23 24 29 12 13) (19 20 25 30 14 15)),
    ) };
}

/// Loads half blocks, two lanes a register: from `rdx + $o` of the inputs of the job at
/// `rdi + $j`, or of chunks that lie one behind the other from rsi on (`near`). Of those the
/// first half of a block, where the token 0 asks for it (between rounds), prefetches rbx bytes
/// ahead.
macro_rules! gather16 {
    (near 0 $($r:literal $low:literal $high:literal)*) => { concat!(
        gather16!(near "0" $($r $low $high)*),
        $("prefetcht0 [rsi+rbx+1024*", $low, "]\n prefetcht0 [rsi+rbx+1024*", $high, "]\n",)*
    ) };
    (near $o:literal $($r:literal $low:literal $high:literal)*) => { concat!($(
        "vmovdqu32 ymm", $r, ",[rsi+1024*", $low, "+", $o, "]\n",
        "vinserti64x4 zmm", $r, ",zmm", $r, ",[rsi+1024*", $high, "+", $o, "],1\n",
    )*) };
    ($j:literal $o:literal $($r:literal $low:literal $high:literal)*) => { concat!($(
        "mov rax,[rdi+", $j, "+{inputs}+8*", $low, "]\n vmovdqu32 ymm", $r, ",[rax+rdx+", $o, "]\n",
        "mov rax,[rdi+", $j, "+{inputs}+8*", $high, "]\n vinserti64x4 zmm", $r, ",zmm", $r, ",[rax+rdx+", $o, "],1\n",
    )*) };
}

/// The last step of a transposition: stores words w and w+4 of the half block to `$m`.
macro_rules! put16 {
    ($m:literal $t:literal $u:literal $($w:literal $a:literal $b:literal)*) => { concat!($(
        "vshufi32x4 zmm", $t, ",zmm", $a, ",zmm", $b, ",0x88\n vmovdqa32 [", $m, "+64*", $w, "],zmm", $t, "\n",
        "vshufi32x4 zmm", $u, ",zmm", $a, ",zmm", $b, ",0xdd\n vmovdqa32 [", $m, "+64*", $w, "+256],zmm", $u, "\n",
    )*) };
}

/// Transposes half a block (8 words at offset `$o`) of 16 lanes to `$m`. It uses
/// registers 8 to 15 and 24 to 31. A row holds lanes i and i+4, so that the 128-bit
/// quarters come out in lane order.
macro_rules! transpose16 {
    ($j:tt $m:literal $o:literal) => { concat!(
        gather16!($j $o 8 0 4 9 1 5 10 2 6 11 3 7 12 8 12 13 9 13 14 10 14 15 11 15),
        unpack_to!("zmm" "ldq" 24 8 9 25 10 11 26 12 13 27 14 15),
        unpack_to!("zmm" "hdq" 28 8 9 29 10 11 30 12 13 31 14 15),
        unpack_to!("zmm" "lqdq" 8 24 25 10 28 29 12 26 27 14 30 31),
        unpack_to!("zmm" "hqdq" 9 24 25 11 28 29 13 26 27 15 30 31),
        put16!($m 24 25 0 8 12 1 9 13 2 10 14 3 11 15),
    ) };
}

/// Prefetches the input, one cache line for each lane and block, because the hardware
/// prefetcher follows fewer streams than there are lanes. Other distances are slower
/// (docs/notes/blake3-avx512.md).
macro_rules! ahead {
    ($j:literal $($l:literal)*) => { concat!($("mov rax,[rdi+", $j, "+{inputs}+8*", $l, "]\n prefetcht0 [rax+rdx+256]\n",)*) };
}

/// Loads the chaining values of the job at `rdi + $j`, from its key or from its `cv`.
macro_rules! take {
    ($j:literal $($r:literal $i:literal)*) => { concat!(
        "mov rax,[rdi+", $j, "+{key}]\n test rax,rax\n jz 4f\n",
        $("vpbroadcastd zmm", $r, ",[rax+4*", $i, "]\n",)*
        "jmp 5f\n 4:\n mov rax,[rdi+", $j, "+{cv}]\n",
        $("vmovdqa32 zmm", $r, ",[rax+64*", $i, "]\n",)*
        "5:\n",
    ) };
}

/// Stores chaining values. `$r` lists 8 registers of words, then 8 free ones.
macro_rules! leave {
    ($j:literal $a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal
     $s:literal $t:literal $u:literal $v:literal $w:literal $x:literal $y:literal $z:literal) => { concat!(
        "mov rax,[rdi+", $j, "+{out}]\n test rax,rax\n jz 4f\n",
        unpack_to!("zmm" "ldq" $s $a $b $t $c $d $u $e $f $v $g $h),
        unpack_to!("zmm" "hdq" $w $a $b $x $c $d $y $e $f $z $g $h),
        // Quarter q of register j holds lane 4q + j: words 0-3 and words 4-7.
        unpack_to!("zmm" "lqdq" $a $s $t $c $w $x $e $u $v $g $y $z),
        unpack_to!("zmm" "hqdq" $b $s $t $d $w $x $f $u $v $h $y $z),
        leave!(@ 0 $a $e $s $t), leave!(@ 1 $b $f $u $v), leave!(@ 2 $c $g $w $x), leave!(@ 3 $d $h $y $z),
        "jmp 5f\n 4:\n mov rax,[rdi+", $j, "+{cv}]\n",
        leave!(@@ $a 0 $b 1 $c 2 $d 3 $e 4 $f 5 $g 6 $h 7),
        "5:\n",
    ) };
    (@ $i:literal $a:literal $e:literal $s:literal $t:literal) => { concat!(
        "vshufi32x4 zmm", $s, ",zmm", $a, ",zmm", $e, ",0x44\n",
        "vshufi32x4 zmm", $t, ",zmm", $a, ",zmm", $e, ",0xee\n",
        "vshufi32x4 zmm", $s, ",zmm", $s, ",zmm", $s, ",0xd8\n",
        "vshufi32x4 zmm", $t, ",zmm", $t, ",zmm", $t, ",0xd8\n",
        "vmovdqu32 [rax+32*", $i, "],ymm", $s, "\n",
        "vextracti64x4 [rax+32*", $i, "+128],zmm", $s, ",1\n",
        "vmovdqu32 [rax+32*", $i, "+256],ymm", $t, "\n",
        "vextracti64x4 [rax+32*", $i, "+384],zmm", $t, ",1\n",
    ) };
    (@@ $($r:literal $i:literal)*) => { concat!($(
        "vmovdqa32 [rax+64*", $i, "],zmm", $r, "\n",
    )*) };
}

/// All rounds of one group, while the next block is transposed to r10.
macro_rules! rounds_transposing16 {
    ($j:tt) => { rounds!(round16
        ((gather16!($j 0 16 0 4 17 1 5 18 2 6 19 3 7)) (gather16!($j 0 20 8 12 21 9 13 22 10 14 23 11 15)))
        ((unpack_to!("zmm" "ldq" 24 16 17 25 18 19 26 20 21 27 22 23)) (unpack_to!("zmm" "hdq" 28 16 17 29 18 19 30 20 21 31 22 23)))
        ((unpack_to!("zmm" "lqdq" 16 24 25 18 28 29 20 26 27 22 30 31)) (unpack_to!("zmm" "hqdq" 17 24 25 19 28 29 21 26 27 23 30 31)))
        ((put16!("r10" 24 25 0 16 20 1 17 21 2 18 22 3 19 23)) (gather16!($j 32 16 0 4 17 1 5 18 2 6 19 3 7)))
        ((gather16!($j 32 20 8 12 21 9 13 22 10 14 23 11 15)) (unpack_to!("zmm" "ldq" 24 16 17 25 18 19 26 20 21 27 22 23)))
        ((unpack_to!("zmm" "hdq" 28 16 17 29 18 19 30 20 21 31 22 23)) (unpack_to!("zmm" "lqdq" 16 24 25 18 28 29 20 26 27 22 30 31)))
        ((unpack_to!("zmm" "hqdq" 17 24 25 19 28 29 21 26 27 23 30 31)) (put16!("r10+512" 24 25 0 16 20 1 17 21 2 18 22 3 19 23))))
    };
}

/// Loads the lower half of the state. Lengths are at r8, flags at rcx.
macro_rules! lower {
    ($j:literal $c0:literal $c1:literal $c2:literal $c3:literal $d0:literal $d1:literal $d2:literal $d3:literal) => { concat!(
        "vpbroadcastd zmm", $c0, ",[rip+{iv}]\n vpbroadcastd zmm", $c1, ",[rip+{iv}+4]\n",
        "vpbroadcastd zmm", $c2, ",[rip+{iv}+8]\n vpbroadcastd zmm", $c3, ",[rip+{iv}+12]\n",
        "vmovdqa32 zmm", $d0, ",[rdi+", $j, "+{counter}]\n vmovdqa32 zmm", $d1, ",[rdi+", $j, "+{counter}+64]\n",
        "vmovdqa32 zmm", $d2, ",[r8+", $j, "]\n vmovdqa32 zmm", $d3, ",[rcx+", $j, "]\n",
    ) };
}

/// Sets up a frame that is aligned to 64 bytes and has room for the messages.
macro_rules! enter {
    () => {
        ".cfi_startproc\n push rbp\n .cfi_def_cfa_offset 16\n .cfi_offset rbp,-16\n \
         mov rbp,rsp\n .cfi_def_cfa_register rbp\n and rsp,-64\n sub rsp,2048\n"
    };
}

macro_rules! exit {
    () => {
        "vzeroupper\n mov rsp,rbp\n pop rbp\n .cfi_def_cfa rsp,8\n ret\n .cfi_endproc\n"
    };
}

/// Selects lengths and flags of this block: those of the last block when one block is
/// left.
macro_rules! choose {
    () => {
        "cmp rsi,1\n lea rax,[rdi+{flags}+128]\n cmove rcx,rax\n \
         lea r8,[rdi+{lens}]\n lea rax,[rdi+{lens}+64]\n cmove r8,rax\n"
    };
}

/// Runs sixteen lanes. While a block is compressed, the next one is transposed to the
/// other half of the frame (r9 and r10). The last block is transposed again as its own
/// successor.
///
/// # Safety
/// The same conditions as for [`super::super::body::Advance`], and the CPU must have
/// AVX-512F and VL.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn lanes16(job: *mut Job, blocks: usize) {
    core::arch::naked_asm!(
        concat!(
            enter!(),
            "lea r9,[rsp+1024]\n mov r10,rsp\n xor edx,edx\n lea rcx,[rdi+{flags}]\n",
            take!(0 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
            transpose16!(0 "r10" 0), transpose16!(0 "r10+512" 32),
            "2:\n xchg r9,r10\n",
            choose!(),
            "lea rax,[rdx+64]\n cmovne rdx,rax\n",
            lower!(0 8 9 10 11 12 13 14 15),
            rounds_transposing16!(0),
            fold_in!("zmm" 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15),
            "lea rcx,[rdi+{flags}+64]\n dec rsi\n jnz 2b\n",
            leave!(0 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
            exit!(),
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

// The assembly relies on this distance to the second job of a pair.
const _: () = assert!(size_of::<Job>() == 640);

/// Runs two jobs at once.
///
/// # Safety
/// The same conditions as for [`super::super::body::Advance`] with two jobs, and the CPU must
/// have AVX-512F and VL.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn lanes32(jobs: *mut Job, blocks: usize) {
    core::arch::naked_asm!(
        concat!(
            enter!(),
            "xor edx,edx\n lea rcx,[rdi+{flags}]\n",
            take!(0 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
            take!(640 16 0 17 1 18 2 19 3 20 4 21 5 22 6 23 7),
            "2:\n",
            choose!(),
            transpose16!(0 "rsp" 0), transpose16!(0 "rsp+512" 32),
            transpose16!(640 "rsp+1024" 0), transpose16!(640 "rsp+1536" 32),
            lower!(0 8 9 10 11 12 13 14 15),
            lower!(640 24 25 26 27 28 29 30 31),
            ahead!(0 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15), ahead!(640 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
            turns!(round32),
            fold_in!("zmm" 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15),
            fold_in!("zmm" 16 24 17 25 18 26 19 27 20 28 21 29 22 30 23 31),
            "add rdx,64\n lea rcx,[rdi+{flags}+64]\n dec rsi\n jnz 2b\n",
            leave!(0 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
            leave!(640 16 17 18 19 20 21 22 23 8 9 10 11 12 13 14 15),
            exit!(),
        ),
        iv = sym IV,
        order = sym ORDER,
        counter = const offset_of!(Job, counter),
        lens = const offset_of!(Job, lens),
        flags = const offset_of!(Job, flags),
        inputs = const offset_of!(Job, inputs),
        key = const offset_of!(Job, key),
        out = const offset_of!(Job, out),
        cv = const offset_of!(Job, cv),
    )
}

/// See [`super::super::body::Advance`]. With `DUET`, a few lanes go through
/// [`avx512_duet`].
///
/// # Safety
/// The same conditions as there, and the CPU must have AVX-512F and VL.
pub(crate) unsafe fn advance<const DUET: bool>(jobs: &mut [Job], blocks: usize, used: usize) {
    debug_assert!(blocks > 0 && used > 0);
    let pair = used > super::super::job::LANES;
    assert!(jobs.len() > usize::from(pair));
    let uniform = !jobs[0].key.is_null() && !jobs[0].out.is_null();
    // SAFETY: the caller upholds the safety contract. The check above shows that a pair
    // has two jobs.
    unsafe {
        if DUET && uniform && used <= avx512_duet::MOST {
            avx512_duet::advance(&mut jobs[0], blocks, used);
        } else if uniform && used <= avx512_rows::MOST {
            avx512_rows::advance(&mut jobs[0], blocks, used);
        } else if pair {
            lanes32(jobs.as_mut_ptr(), blocks);
        } else if blocks == 1 {
            avx512_once::lanes16_once(&mut jobs[0]);
        } else {
            lanes16(jobs.as_mut_ptr(), blocks);
        }
    }
}
