//! Lanes of 256 bits with the registers and rotations of AVX-512: sixteen inputs in two
//! groups, or eight. It is for CPUs that make an operation of 512 bits in two passes.
//!
//! Limits of a block on Zen 4, which starts 4 operations of 256 bits a cycle, of them 2
//! rotations; a result takes 1 cycle, of a rotation 2. Eight inputs are one chain of 14
//! half rounds, 224 cycles, and with the columns in each other's way 290. Two groups are
//! 1,568 operations, 392 cycles, and 420 are reached (docs/notes/blake3-zen4.md). Jumps between
//! half rounds keep that wherever the code lies.
//!
//! Two groups have 32 words of state, which fill the registers. Message words are memory
//! operands, and general registers, which have nothing else to do, copy the next block's
//! to their places meanwhile. Eight inputs leave half of the registers free, and those
//! transpose the next block, as in [`super::avx512`].

use super::super::constants::IV;
use super::super::job::{Job, LANES};
use super::avx512_behind;
use super::avx512_once;
use super::avx512_rows;
use core::mem::offset_of;

/// A round. The message is at r9: a word's lanes are 64 bytes, those of the second group the
/// last 32 of them. Fillers (`$p`, `$q`) are assembly text.
macro_rules! round8 {
    ((($($p:tt)*) ($($q:tt)*))
     $m0:literal $m1:literal $m2:literal $m3:literal $m4:literal $m5:literal $m6:literal $m7:literal
     $m8:literal $m9:literal $m10:literal $m11:literal $m12:literal $m13:literal $m14:literal $m15:literal) => { concat!(
        columns_at!("ymm" "r9" (0 4 8 12 $m0 $m1) (1 5 9 13 $m2 $m3) (2 6 10 14 $m4 $m5) (3 7 11 15 $m6 $m7)),
        $($p)*,
        columns_at!("ymm" "r9" (0 5 10 15 $m8 $m9) (1 6 11 12 $m10 $m11) (2 7 8 13 $m12 $m13) (3 4 9 14 $m14 $m15)),
        $($q)*,
        karat_hash_core::hop!(),
    ) };
}

/// A round of two groups.
macro_rules! round16_256 {
    ((($($p:tt)*) ($($q:tt)*) ($($r:tt)*) ($($s:tt)*))
     $m0:literal $m1:literal $m2:literal $m3:literal $m4:literal $m5:literal $m6:literal $m7:literal
     $m8:literal $m9:literal $m10:literal $m11:literal $m12:literal $m13:literal $m14:literal $m15:literal) => { concat!(
        columns_at!("ymm" "r9" (0 4 8 12 $m0 $m1) (1 5 9 13 $m2 $m3) (2 6 10 14 $m4 $m5) (3 7 11 15 $m6 $m7)),
        $($p)*,
        columns_at!("ymm" "r9+32" (16 20 24 28 $m0 $m1) (17 21 25 29 $m2 $m3) (18 22 26 30 $m4 $m5) (19 23 27 31 $m6 $m7)),
        $($q)*,
        karat_hash_core::hop!(),
        columns_at!("ymm" "r9" (0 5 10 15 $m8 $m9) (1 6 11 12 $m10 $m11) (2 7 8 13 $m12 $m13) (3 4 9 14 $m14 $m15)),
        $($r)*,
        columns_at!("ymm" "r9+32" (16 21 26 31 $m8 $m9) (17 22 27 28 $m10 $m11) (18 23 24 29 $m12 $m13) (19 20 25 30 $m14 $m15)),
        $($s)*,
        karat_hash_core::hop!(),
    ) };
}

/// Where the next block of a lane is. `far`: a job's table of addresses, at r11, and rbx are
/// added up, in a register. `near`: chunks lie one behind the other, from rsi on.
macro_rules! lane {
    (far $r:literal $l:literal) => { concat!("mov ", $r, ",[r11+8*", $l, "]\n ") };
    (near $r:literal $l:literal) => { "" };
}

macro_rules! place {
    (far $r:literal $l:literal) => { concat!($r, "+rbx") };
    (near $r:literal $l:literal) => { concat!("rsi+1024*", $l) };
}

/// What [`copy16`] prefetches of a lane.
macro_rules! ahead16 {
    (far $l:literal) => { "rdx+r8" };
    (near $l:literal) => { concat!("rsi+rbx+1024*", $l) };
}

/// Copies halves of the next block of some lanes to the words' places at r10.
macro_rules! copy16 {
    ($of:ident $($l:literal $h:tt)*) => { concat!($(lane!($of "rdx" $l), copy16!(@ $of $l $h),)*) };
    (@ $of:ident $l:literal 0) => { concat!(
        "prefetcht0 [", ahead16!($of $l), "]\n", copy16!(@@ $of $l 0 0 1), copy16!(@@ $of $l 8 2 3), copy16!(@@ $of $l 16 4 5), copy16!(@@ $of $l 24 6 7),
    ) };
    (@ $of:ident $l:literal 1) => { concat!(
        copy16!(@@ $of $l 32 8 9), copy16!(@@ $of $l 40 10 11), copy16!(@@ $of $l 48 12 13), copy16!(@@ $of $l 56 14 15),
    ) };
    (@@ $of:ident $l:literal $o:literal $v:literal $w:literal) => { concat!(
        "mov rax,[", place!($of "rdx" $l), "+", $o, "]\n mov [r10+64*", $v, "+4*", $l, "],eax\n",
        "shr rax,32\n mov [r10+64*", $w, "+4*", $l, "],eax\n",
    ) };
}

/// All rounds of sixteen lanes, while the next block is copied.
macro_rules! rounds_copying {
    ($of:ident) => { rounds!(round16_256
        ((copy16!($of 0 0)) (copy16!($of 0 1)) (copy16!($of 1 0)) (copy16!($of 1 1)))
        ((copy16!($of 2 0)) (copy16!($of 2 1)) (copy16!($of 3 0)) (copy16!($of 3 1)))
        ((copy16!($of 4 0)) (copy16!($of 4 1)) (copy16!($of 5 0)) (copy16!($of 5 1)))
        ((copy16!($of 6 0 6 1)) (copy16!($of 7 0)) (copy16!($of 7 1)) (copy16!($of 8 0)))
        ((copy16!($of 8 1 9 0)) (copy16!($of 9 1)) (copy16!($of 10 0)) (copy16!($of 10 1)))
        ((copy16!($of 11 0 11 1)) (copy16!($of 12 0)) (copy16!($of 12 1)) (copy16!($of 13 0)))
        ((copy16!($of 13 1 14 0)) (copy16!($of 14 1)) (copy16!($of 15 0)) (copy16!($of 15 1))))
    };
}

/// Loads 16 bytes of each lane from `$o` on: lanes i and i + 4 to one register.
macro_rules! gather8 {
    ($of:ident $o:literal $($r:literal $low:literal $high:literal)*) => { concat!($(
        lane!($of "rax" $low), "vmovdqu32 xmm", $r, ",[", place!($of "rax" $low), "+", $o, "]\n",
        lane!($of "rax" $high), "vinserti32x4 ymm", $r, ",ymm", $r, ",[", place!($of "rax" $high), "+", $o, "],1\n",
    )*) };
}

/// Transposes four words of four lanes in each half of the registers: rows to `$p`..., and
/// from there words to the first four.
macro_rules! pairs8 {
    ($a:literal $b:literal $c:literal $d:literal $p:literal $q:literal $r:literal $s:literal) => { concat!(
        unpack_to!("ymm" "ldq" $p $a $b $r $c $d), unpack_to!("ymm" "hdq" $q $a $b $s $c $d),
    ) };
}

macro_rules! words8 {
    ($a:literal $b:literal $c:literal $d:literal $p:literal $q:literal $r:literal $s:literal) => { concat!(
        unpack_to!("ymm" "lqdq" $a $p $r $c $q $s), unpack_to!("ymm" "hqdq" $b $p $r $d $q $s),
    ) };
}

macro_rules! put8 {
    ($o:literal $a:literal $b:literal $c:literal $d:literal) => { concat!(
        "vmovdqa32 [r10+", $o, "],ymm", $a, "\n vmovdqa32 [r10+", $o, "+64],ymm", $b, "\n",
        "vmovdqa32 [r10+", $o, "+128],ymm", $c, "\n vmovdqa32 [r10+", $o, "+192],ymm", $d, "\n",
    ) };
}

/// Transposes a block of eight lanes to r10, without pauses. The second is for lanes 8 to
/// 15.
macro_rules! block8 {
    ($of:ident 0) => { concat!(
        quarter8!($of 0 0 0 4 1 5 2 6 3 7), quarter8!($of 16 256 0 4 1 5 2 6 3 7),
        quarter8!($of 32 512 0 4 1 5 2 6 3 7), quarter8!($of 48 768 0 4 1 5 2 6 3 7),
    ) };
    ($of:ident 8) => { concat!(
        quarter8!($of 0 32 8 12 9 13 10 14 11 15), quarter8!($of 16 288 8 12 9 13 10 14 11 15),
        quarter8!($of 32 544 8 12 9 13 10 14 11 15), quarter8!($of 48 800 8 12 9 13 10 14 11 15),
    ) };
}

macro_rules! quarter8 {
    ($of:ident $o:literal $m:literal $i:literal $j:literal $k:literal $l:literal $p:literal $q:literal $r:literal $s:literal) => { concat!(
        gather8!($of $o 16 $i $j 17 $k $l 18 $p $q 19 $r $s), pairs8!(16 17 18 19 20 21 22 23), words8!(16 17 18 19 20 21 22 23),
        put8!($m 16 17 18 19),
    ) };
}

/// All rounds of eight lanes, while the next block is transposed.
macro_rules! rounds_transposing {
    ($of:ident) => { rounds!(round8
        ((gather8!($of 0 16 0 4 17 1 5 18 2 6 19 3 7)) (pairs8!(16 17 18 19 20 21 22 23)))
        ((words8!(16 17 18 19 20 21 22 23)) (put8!(0 16 17 18 19)))
        ((gather8!($of 16 24 0 4 25 1 5 26 2 6 27 3 7)) (pairs8!(24 25 26 27 28 29 30 31)))
        ((words8!(24 25 26 27 28 29 30 31)) (put8!(256 24 25 26 27)))
        ((gather8!($of 32 16 0 4 17 1 5 18 2 6 19 3 7)) (pairs8!(16 17 18 19 20 21 22 23)))
        ((words8!(16 17 18 19 20 21 22 23), put8!(512 16 17 18 19)) (gather8!($of 48 24 0 4 25 1 5 26 2 6 27 3 7)))
        ((pairs8!(24 25 26 27 28 29 30 31)) (words8!(24 25 26 27 28 29 30 31), put8!(768 24 25 26 27))))
    };
}

/// How [`lanes8`] and [`lanes16`] begin: a frame with two blocks of all lanes (r9 and r10).
macro_rules! enter_lanes {
    () => {
        ".cfi_startproc\n push rbp\n .cfi_def_cfa_offset 16\n .cfi_offset rbp,-16\n \
         mov rbp,rsp\n .cfi_def_cfa_register rbp\n push rbx\n .cfi_offset rbx,-24\n \
         and rsp,-64\n sub rsp,2048\n lea r11,[rdi+{inputs}]\n lea rcx,[rdi+{flags}]\n \
         lea r9,[rsp+1024]\n mov r10,rsp\n xor ebx,ebx\n"
    };
}

/// How their blocks begin: lengths and flags of the last block or of others, and the place of
/// the next block.
macro_rules! choose_lanes {
    () => {
        "xchg r9,r10\n cmp rsi,1\n lea rax,[rdi+{flags}+128]\n cmove rcx,rax\n \
         lea r8,[rdi+{lens}]\n lea rax,[rdi+{lens}+64]\n cmove r8,rax\n \
         lea rax,[rbx+64]\n cmovne rbx,rax\n"
    };
}

macro_rules! exit_lanes {
    () => {
        "vzeroupper\n mov rbx,[rbp-8]\n .cfi_restore rbx\n mov rsp,rbp\n pop rbp\n \
         .cfi_def_cfa rsp,8\n ret\n .cfi_endproc\n"
    };
}

/// Stores chaining values of eight lanes to rax. `$r` lists the registers of eight words,
/// then eight free ones.
macro_rules! leave8 {
    ($a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal
     $s:literal $t:literal $u:literal $v:literal $w:literal $x:literal $y:literal $z:literal) => { concat!(
        pairs8!($a $b $c $d $s $t $u $v), words8!($a $b $c $d $s $t $u $v),
        pairs8!($e $f $g $h $w $x $y $z), words8!($e $f $g $h $w $x $y $z),
        leave8!(@ 0 $a $e $s $t), leave8!(@ 1 $b $f $u $v), leave8!(@ 2 $c $g $w $x), leave8!(@ 3 $d $h $y $z),
    ) };
    // The words 0-3 and 4-7 of a lane, each beside those of the lane four after it.
    (@ $i:literal $a:literal $e:literal $s:literal $t:literal) => { concat!(
        "vshufi32x4 ymm", $s, ",ymm", $a, ",ymm", $e, ",0\n vshufi32x4 ymm", $t, ",ymm", $a, ",ymm", $e, ",3\n",
        "vmovdqu32 [rax+32*", $i, "],ymm", $s, "\n vmovdqu32 [rax+32*", $i, "+128],ymm", $t, "\n",
    ) };
}

/// Rows of chaining values, 64 bytes apart, at rax.
macro_rules! rows8 {
    (load $($r:literal $o:literal)*) => { concat!($("vmovdqu32 ymm", $r, ",[rax+", $o, "]\n",)*) };
    (store $($r:literal $o:literal)*) => { concat!($("vmovdqu32 [rax+", $o, "],ymm", $r, "\n",)*) };
}

/// Runs the first eight lanes. While a block is compressed, the next one
/// is transposed to the other half of the frame (r9 and r10). The last block is transposed
/// again as its own successor.
///
/// # Safety
/// The same conditions as for [`super::super::body::Advance`], and the CPU must have
/// AVX-512F and VL.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn lanes8(job: *mut Job, blocks: usize) {
    core::arch::naked_asm!(
        concat!(
            enter_lanes!(),
            "mov rax,[rdi+{key}]\n test rax,rax\n jz 2f\n",
            broadcast_to!("ymm" "rax" 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7), "jmp 3f\n",
            "2:\n mov rax,[rdi+{cv}]\n",
            rows8!(load 0 0 1 64 2 128 3 192 4 256 5 320 6 384 7 448),
            "3:\n",
            block8!(far 0),
            ".p2align 4\n 4:\n ", choose_lanes!(),
            broadcast_to!("ymm" "rip+{iv}" 8 0 9 1 10 2 11 3),
            "vmovdqu ymm12,[rdi+{counter}]\n vmovdqu ymm13,[rdi+{counter}+64]\n",
            "vmovdqu ymm14,[r8]\n vmovdqu ymm15,[rcx]\n",
            rounds_transposing!(far),
            fold_in!("ymm" 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15),
            "lea rcx,[rdi+{flags}+64]\n dec rsi\n jnz 4b\n",
            "mov rax,[rdi+{out}]\n test rax,rax\n jz 5f\n",
            leave8!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
            "jmp 6f\n 5:\n mov rax,[rdi+{cv}]\n",
            rows8!(store 0 0 1 64 2 128 3 192 4 256 5 320 6 384 7 448),
            "6:\n", exit_lanes!(),
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

/// Runs sixteen lanes. While a block is compressed, the next one is copied to the other
/// half of the frame (r9 and r10). The last block is copied again as its own successor.
///
/// # Safety
/// The same conditions as for [`lanes8`].
#[unsafe(naked)]
unsafe extern "sysv64" fn lanes16(job: *mut Job, blocks: usize) {
    core::arch::naked_asm!(
        concat!(
            enter_lanes!(),
            block8!(far 0), block8!(far 8),
            "mov rax,[rdi+{key}]\n test rax,rax\n jz 2f\n",
            broadcast_to!("ymm" "rax" 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
            broadcast_to!("ymm" "rax" 16 0 17 1 18 2 19 3 20 4 21 5 22 6 23 7), "jmp 3f\n",
            "2:\n mov rax,[rdi+{cv}]\n",
            rows8!(load 0 0 1 64 2 128 3 192 4 256 5 320 6 384 7 448),
            rows8!(load 16 32 17 96 18 160 19 224 20 288 21 352 22 416 23 480),
            "3:\n .p2align 6\n 4:\n ", choose_lanes!(),
            broadcast_to!("ymm" "rip+{iv}" 8 0 9 1 10 2 11 3), broadcast_to!("ymm" "rip+{iv}" 24 0 25 1 26 2 27 3),
            "vmovdqu ymm12,[rdi+{counter}]\n vmovdqu ymm13,[rdi+{counter}+64]\n",
            "vmovdqu ymm14,[r8]\n vmovdqu ymm15,[rcx]\n",
            "vmovdqu32 ymm28,[rdi+{counter}+32]\n vmovdqu32 ymm29,[rdi+{counter}+96]\n",
            "vmovdqu32 ymm30,[r8+32]\n vmovdqu32 ymm31,[rcx+32]\n",
            "lea r8,[rbx+256]\n lea rax,[rbx+256+15*1024]\n cmp rbx,1024-256\n cmovae r8,rax\n",
            rounds_copying!(far),
            fold_in!("ymm" 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15),
            fold_in!("ymm" 16 24 17 25 18 26 19 27 20 28 21 29 22 30 23 31),
            "lea rcx,[rdi+{flags}+64]\n dec rsi\n jnz 4b\n",
            "mov rax,[rdi+{out}]\n test rax,rax\n jz 5f\n",
            leave8!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15), "add rax,256\n",
            leave8!(16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31),
            "jmp 6f\n 5:\n mov rax,[rdi+{cv}]\n",
            rows8!(store 0 0 1 64 2 128 3 192 4 256 5 320 6 384 7 448),
            rows8!(store 16 32 17 96 18 160 19 224 20 288 21 352 22 416 23 480),
            "6:\n", exit_lanes!(),
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

/// From this many blocks on copies by general registers are worth it: the first block has
/// none before it. Sixteen inputs of four blocks were 3 % slower here than in 512 bits.
const COPIED: usize = 5;

/// See [`super::super::body::Advance`]. Up to four inputs go through [`avx512_rows`], nine
/// and more of a few blocks through registers of 512 bits.
///
/// # Safety
/// The same conditions as there, and the CPU must have AVX-512F and VL.
pub(crate) unsafe fn advance(jobs: &mut [Job], blocks: usize, used: usize) {
    let uniform = !jobs[0].key.is_null() && !jobs[0].out.is_null();
    if uniform && used <= avx512_rows::MOST_256 {
        // SAFETY: the caller upholds the safety contract.
        return unsafe { avx512_rows::advance256(&mut jobs[0], blocks, used) };
    }
    for (job, first) in jobs.iter_mut().zip((0..used).step_by(LANES)) {
        // SAFETY: the caller upholds the safety contract.
        unsafe {
            if used - first <= 8 {
                lanes8(job, blocks);
            } else if blocks == 1 {
                avx512_once::lanes16_once(job);
            } else if blocks < COPIED {
                avx512_behind::lanes16(job, blocks);
            } else {
                lanes16(job, blocks);
            }
        }
    }
}
