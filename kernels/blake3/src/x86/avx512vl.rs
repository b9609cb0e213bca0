//! Lanes of 256 bits with the registers and rotations of AVX-512: sixteen inputs in two
//! groups, or eight. It is for CPUs that make an operation of 512 bits in two passes.
//!
//! Limits of a block on Zen 4, which starts 4 operations of 256 bits a cycle, of them 2
//! rotations; a result takes 1 cycle, of a rotation 2. Eight inputs are one chain of 14
//! half rounds, 224 cycles, and with the columns in each other's way 290. Two groups are
//! 1,568 operations, 392 cycles, and 420 are reached (docs/notes/blake3-zen4.md).
//!
//! Two groups have 32 words of state, which fill the registers. Message words are memory
//! operands, and general registers, which have nothing else to do, copy the next block's
//! to their places meanwhile. Eight inputs leave half of the registers free, and those
//! transpose the next block, as in [`super::avx512`].

use super::super::constants::IV;
use super::super::job::{Job, LANES};
use super::avx512;
use super::avx512_once;
use super::avx512_rows;
use core::mem::offset_of;

/// The steps of four quarter rounds. Each step is done for all of them in turn. A word's
/// lanes of the message are 64 bytes, those of the second group the last 32 of them.
macro_rules! columns {
    ($m:literal $(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal))*) => { concat!(
        $("vpaddd ymm", $a, ",ymm", $a, ",[", $m, "+64*", $x, "]\n",)*
        $("vpaddd ymm", $a, ",ymm", $a, ",ymm", $b, "\n",)*
        $("vpxord ymm", $d, ",ymm", $d, ",ymm", $a, "\n",)*
        $("vprord ymm", $d, ",ymm", $d, ",16\n",)*
        $("vpaddd ymm", $c, ",ymm", $c, ",ymm", $d, "\n",)*
        $("vpaddd ymm", $a, ",ymm", $a, ",[", $m, "+64*", $y, "]\n",)*
        $("vpxord ymm", $b, ",ymm", $b, ",ymm", $c, "\n",)*
        $("vprord ymm", $b, ",ymm", $b, ",12\n",)*
        $("vpaddd ymm", $a, ",ymm", $a, ",ymm", $b, "\n",)*
        $("vpxord ymm", $d, ",ymm", $d, ",ymm", $a, "\n",)*
        $("vprord ymm", $d, ",ymm", $d, ",8\n",)*
        $("vpaddd ymm", $c, ",ymm", $c, ",ymm", $d, "\n",)*
        $("vpxord ymm", $b, ",ymm", $b, ",ymm", $c, "\n",)*
        $("vprord ymm", $b, ",ymm", $b, ",7\n",)*
    ) };
}

/// A round. The message is at r9. Fillers (`$p`, `$q`) are assembly text.
macro_rules! round8 {
    ((($($p:tt)*) ($($q:tt)*))
     $m0:literal $m1:literal $m2:literal $m3:literal $m4:literal $m5:literal $m6:literal $m7:literal
     $m8:literal $m9:literal $m10:literal $m11:literal $m12:literal $m13:literal $m14:literal $m15:literal) => { concat!(
        columns!("r9" (0 4 8 12 $m0 $m1) (1 5 9 13 $m2 $m3) (2 6 10 14 $m4 $m5) (3 7 11 15 $m6 $m7)),
        $($p)*,
        columns!("r9" (0 5 10 15 $m8 $m9) (1 6 11 12 $m10 $m11) (2 7 8 13 $m12 $m13) (3 4 9 14 $m14 $m15)),
        $($q)*,
    ) };
}

/// A round of two groups.
macro_rules! round16_256 {
    ((($($p:tt)*) ($($q:tt)*) ($($r:tt)*) ($($s:tt)*))
     $m0:literal $m1:literal $m2:literal $m3:literal $m4:literal $m5:literal $m6:literal $m7:literal
     $m8:literal $m9:literal $m10:literal $m11:literal $m12:literal $m13:literal $m14:literal $m15:literal) => { concat!(
        columns!("r9" (0 4 8 12 $m0 $m1) (1 5 9 13 $m2 $m3) (2 6 10 14 $m4 $m5) (3 7 11 15 $m6 $m7)),
        copy!($($p)*),
        columns!("r9+32" (16 20 24 28 $m0 $m1) (17 21 25 29 $m2 $m3) (18 22 26 30 $m4 $m5) (19 23 27 31 $m6 $m7)),
        copy!($($q)*),
        columns!("r9" (0 5 10 15 $m8 $m9) (1 6 11 12 $m10 $m11) (2 7 8 13 $m12 $m13) (3 4 9 14 $m14 $m15)),
        copy!($($r)*),
        columns!("r9+32" (16 21 26 31 $m8 $m9) (17 22 27 28 $m10 $m11) (18 23 24 29 $m12 $m13) (19 20 25 30 $m14 $m15)),
        copy!($($s)*),
    ) };
}

/// Copies halves of the block at rbx of some lanes to the words' places at r10.
macro_rules! copy {
    ($($l:literal $h:tt)*) => { concat!($(
        "mov rdx,[r11+8*", $l, "]\n", copy!(@ $l $h),
    )*) };
    (@ $l:literal 0) => { concat!(
        "prefetcht0 [rdx+rbx+256]\n", copy!(@@ $l 0 0 1), copy!(@@ $l 8 2 3), copy!(@@ $l 16 4 5), copy!(@@ $l 24 6 7),
    ) };
    (@ $l:literal 1) => { concat!(
        copy!(@@ $l 32 8 9), copy!(@@ $l 40 10 11), copy!(@@ $l 48 12 13), copy!(@@ $l 56 14 15),
    ) };
    (@@ $l:literal $o:literal $v:literal $w:literal) => { concat!(
        "mov rax,[rdx+rbx+", $o, "]\n mov [r10+64*", $v, "+4*", $l, "],eax\n",
        "shr rax,32\n mov [r10+64*", $w, "+4*", $l, "],eax\n",
    ) };
}

/// Prefetches what copies meet before their own prefetches reach it: the blocks 1 to 4 of all
/// lanes. A copy that waits for memory would stop the rounds around it, one lane after the
/// other; all lanes together wait once (docs/notes/blake3-zen4.md).
macro_rules! first {
    ($($o:literal)*) => { concat!($(first!(@ $o 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),)*) };
    (@ $o:literal $($l:literal)*) => { concat!($("mov rax,[r11+8*", $l, "]\n prefetcht0 [rax+", $o, "]\n",)*) };
}

/// Loads 16 bytes of each lane, at rbx + `$o`: lanes i and i + 4 to one register. Pointers
/// are at r11.
macro_rules! gather {
    ($o:literal $($r:literal $low:literal $high:literal)*) => { concat!($(
        "mov rax,[r11+8*", $low, "]\n vmovdqu32 xmm", $r, ",[rax+rbx+", $o, "]\n",
        "mov rax,[r11+8*", $high, "]\n vinserti32x4 ymm", $r, ",ymm", $r, ",[rax+rbx+", $o, "],1\n",
    )*) };
}

macro_rules! unpack {
    ($op:literal $($to:literal $a:literal $b:literal)*) => { concat!($(
        "vpunpck", $op, " ymm", $to, ",ymm", $a, ",ymm", $b, "\n",
    )*) };
}

/// Transposes four words of four lanes in each half of the registers: rows to `$p`..., and
/// from there words to the first four.
macro_rules! pairs {
    ($a:literal $b:literal $c:literal $d:literal $p:literal $q:literal $r:literal $s:literal) => { concat!(
        unpack!("ldq" $p $a $b $r $c $d), unpack!("hdq" $q $a $b $s $c $d),
    ) };
}

macro_rules! words {
    ($a:literal $b:literal $c:literal $d:literal $p:literal $q:literal $r:literal $s:literal) => { concat!(
        unpack!("lqdq" $a $p $r $c $q $s), unpack!("hqdq" $b $p $r $d $q $s),
    ) };
}

macro_rules! put {
    ($o:literal $a:literal $b:literal $c:literal $d:literal) => { concat!(
        "vmovdqa32 [r10+", $o, "],ymm", $a, "\n vmovdqa32 [r10+", $o, "+64],ymm", $b, "\n",
        "vmovdqa32 [r10+", $o, "+128],ymm", $c, "\n vmovdqa32 [r10+", $o, "+192],ymm", $d, "\n",
    ) };
}

/// Transposes a block of eight lanes to r10, without pauses. The second is for lanes 8 to
/// 15.
macro_rules! block {
    (0) => { concat!(
        quarter!(0 0 0 4 1 5 2 6 3 7), quarter!(16 256 0 4 1 5 2 6 3 7),
        quarter!(32 512 0 4 1 5 2 6 3 7), quarter!(48 768 0 4 1 5 2 6 3 7),
    ) };
    (8) => { concat!(
        quarter!(0 32 8 12 9 13 10 14 11 15), quarter!(16 288 8 12 9 13 10 14 11 15),
        quarter!(32 544 8 12 9 13 10 14 11 15), quarter!(48 800 8 12 9 13 10 14 11 15),
    ) };
}

macro_rules! quarter {
    ($o:literal $m:literal $i:literal $j:literal $k:literal $l:literal $p:literal $q:literal $r:literal $s:literal) => { concat!(
        gather!($o 16 $i $j 17 $k $l 18 $p $q 19 $r $s), pairs!(16 17 18 19 20 21 22 23), words!(16 17 18 19 20 21 22 23),
        put!($m 16 17 18 19),
    ) };
}

macro_rules! broadcasts {
    ($base:literal $($r:literal $i:literal)*) => { concat!($("vpbroadcastd ymm", $r, ",[", $base, "+4*", $i, "]\n",)*) };
}

macro_rules! fold {
    ($($a:literal $b:literal)*) => { concat!($("vpxord ymm", $a, ",ymm", $a, ",ymm", $b, "\n",)*) };
}

/// Stores chaining values of eight lanes to rax. `$r` lists the registers of eight words,
/// then eight free ones.
macro_rules! leave {
    ($a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal
     $s:literal $t:literal $u:literal $v:literal $w:literal $x:literal $y:literal $z:literal) => { concat!(
        pairs!($a $b $c $d $s $t $u $v), words!($a $b $c $d $s $t $u $v),
        pairs!($e $f $g $h $w $x $y $z), words!($e $f $g $h $w $x $y $z),
        leave!(@ 0 $a $e $s $t), leave!(@ 1 $b $f $u $v), leave!(@ 2 $c $g $w $x), leave!(@ 3 $d $h $y $z),
    ) };
    // The words 0-3 and 4-7 of a lane, each beside those of the lane four after it.
    (@ $i:literal $a:literal $e:literal $s:literal $t:literal) => { concat!(
        "vshufi32x4 ymm", $s, ",ymm", $a, ",ymm", $e, ",0\n vshufi32x4 ymm", $t, ",ymm", $a, ",ymm", $e, ",3\n",
        "vmovdqu32 [rax+32*", $i, "],ymm", $s, "\n vmovdqu32 [rax+32*", $i, "+128],ymm", $t, "\n",
    ) };
}

/// Rows of chaining values, 64 bytes apart, at rax.
macro_rules! rows {
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
            ".cfi_startproc\n push rbp\n .cfi_def_cfa_offset 16\n .cfi_offset rbp,-16\n",
            "mov rbp,rsp\n .cfi_def_cfa_register rbp\n push rbx\n .cfi_offset rbx,-24\n",
            "and rsp,-64\n sub rsp,2048\n",
            "lea r11,[rdi+{inputs}]\n lea rcx,[rdi+{flags}]\n",
            "lea r9,[rsp+1024]\n mov r10,rsp\n xor ebx,ebx\n",
            "mov rax,[rdi+{key}]\n test rax,rax\n jz 2f\n",
            broadcasts!("rax" 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7), "jmp 3f\n",
            "2:\n mov rax,[rdi+{cv}]\n",
            rows!(load 0 0 1 64 2 128 3 192 4 256 5 320 6 384 7 448),
            "3:\n",
            block!(0),
            ".p2align 4\n 4:\n xchg r9,r10\n",
            "cmp rsi,1\n lea rax,[rdi+{flags}+128]\n cmove rcx,rax\n",
            "lea r8,[rdi+{lens}]\n lea rax,[rdi+{lens}+64]\n cmove r8,rax\n",
            "lea rax,[rbx+64]\n cmovne rbx,rax\n",
            broadcasts!("rip+{iv}" 8 0 9 1 10 2 11 3),
            "vmovdqu ymm12,[rdi+{counter}]\n vmovdqu ymm13,[rdi+{counter}+64]\n",
            "vmovdqu ymm14,[r8]\n vmovdqu ymm15,[rcx]\n",
            rounds!(round8
                ((gather!(0 16 0 4 17 1 5 18 2 6 19 3 7)) (pairs!(16 17 18 19 20 21 22 23)))
                ((words!(16 17 18 19 20 21 22 23)) (put!(0 16 17 18 19)))
                ((gather!(16 24 0 4 25 1 5 26 2 6 27 3 7)) (pairs!(24 25 26 27 28 29 30 31)))
                ((words!(24 25 26 27 28 29 30 31)) (put!(256 24 25 26 27)))
                ((gather!(32 16 0 4 17 1 5 18 2 6 19 3 7)) (pairs!(16 17 18 19 20 21 22 23)))
                ((words!(16 17 18 19 20 21 22 23), put!(512 16 17 18 19)) (gather!(48 24 0 4 25 1 5 26 2 6 27 3 7)))
                ((pairs!(24 25 26 27 28 29 30 31)) (words!(24 25 26 27 28 29 30 31), put!(768 24 25 26 27)))),
            fold!(0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15),
            "lea rcx,[rdi+{flags}+64]\n dec rsi\n jnz 4b\n",
            "mov rax,[rdi+{out}]\n test rax,rax\n jz 5f\n",
            leave!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
            "jmp 6f\n 5:\n mov rax,[rdi+{cv}]\n",
            rows!(store 0 0 1 64 2 128 3 192 4 256 5 320 6 384 7 448),
            "6:\n vzeroupper\n mov rbx,[rbp-8]\n .cfi_restore rbx\n mov rsp,rbp\n pop rbp\n .cfi_def_cfa rsp,8\n ret\n .cfi_endproc\n",
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
            ".cfi_startproc\n push rbp\n .cfi_def_cfa_offset 16\n .cfi_offset rbp,-16\n",
            "mov rbp,rsp\n .cfi_def_cfa_register rbp\n push rbx\n .cfi_offset rbx,-24\n",
            "and rsp,-64\n sub rsp,2048\n",
            "lea r11,[rdi+{inputs}]\n lea rcx,[rdi+{flags}]\n",
            "lea r9,[rsp+1024]\n mov r10,rsp\n xor ebx,ebx\n",
            block!(0), block!(8), first!(64 128 192 256),
            "mov rax,[rdi+{key}]\n test rax,rax\n jz 2f\n",
            broadcasts!("rax" 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
            broadcasts!("rax" 16 0 17 1 18 2 19 3 20 4 21 5 22 6 23 7), "jmp 3f\n",
            "2:\n mov rax,[rdi+{cv}]\n",
            rows!(load 0 0 1 64 2 128 3 192 4 256 5 320 6 384 7 448),
            rows!(load 16 32 17 96 18 160 19 224 20 288 21 352 22 416 23 480),
            "3:\n .p2align 6\n 4:\n xchg r9,r10\n",
            "cmp rsi,1\n lea rax,[rdi+{flags}+128]\n cmove rcx,rax\n",
            "lea r8,[rdi+{lens}]\n lea rax,[rdi+{lens}+64]\n cmove r8,rax\n",
            "lea rax,[rbx+64]\n cmovne rbx,rax\n",
            broadcasts!("rip+{iv}" 8 0 9 1 10 2 11 3), broadcasts!("rip+{iv}" 24 0 25 1 26 2 27 3),
            "vmovdqu ymm12,[rdi+{counter}]\n vmovdqu ymm13,[rdi+{counter}+64]\n",
            "vmovdqu ymm14,[r8]\n vmovdqu ymm15,[rcx]\n",
            "vmovdqu32 ymm28,[rdi+{counter}+32]\n vmovdqu32 ymm29,[rdi+{counter}+96]\n",
            "vmovdqu32 ymm30,[r8+32]\n vmovdqu32 ymm31,[rcx+32]\n",
            rounds!(round16_256
                ((0 0) (0 1) (1 0) (1 1)) ((2 0) (2 1) (3 0) (3 1)) ((4 0) (4 1) (5 0) (5 1))
                ((6 0 6 1) (7 0) (7 1) (8 0)) ((8 1 9 0) (9 1) (10 0) (10 1))
                ((11 0 11 1) (12 0) (12 1) (13 0)) ((13 1 14 0) (14 1) (15 0) (15 1))),
            fold!(0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15),
            fold!(16 24 17 25 18 26 19 27 20 28 21 29 22 30 23 31),
            "lea rcx,[rdi+{flags}+64]\n dec rsi\n jnz 4b\n",
            "mov rax,[rdi+{out}]\n test rax,rax\n jz 5f\n",
            leave!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15), "add rax,256\n",
            leave!(16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31),
            "jmp 6f\n 5:\n mov rax,[rdi+{cv}]\n",
            rows!(store 0 0 1 64 2 128 3 192 4 256 5 320 6 384 7 448),
            rows!(store 16 32 17 96 18 160 19 224 20 288 21 352 22 416 23 480),
            "6:\n vzeroupper\n mov rbx,[rbp-8]\n .cfi_restore rbx\n mov rsp,rbp\n pop rbp\n .cfi_def_cfa rsp,8\n ret\n .cfi_endproc\n",
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
                avx512::lanes16(job, blocks);
            } else {
                lanes16(job, blocks);
            }
        }
    }
}
