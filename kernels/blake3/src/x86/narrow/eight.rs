//! Eight lanes of 256 bits: the rounds of one block, and inputs of jobs.
//!
//! Sixteen registers hold fifteen words of state and what a rotation needs. The word that
//! is in memory is one of the third row, and not the same one all the time: a store and a
//! load of it take ten cycles (Zen 3), the word is used every seventh, and one that always
//! came from memory would be what all wait for.
//!
//! General registers have nothing else to do, so while a block is compressed they copy the
//! words of the next one to their lanes (docs/notes/avx2.md). Stores of four bytes and loads
//! of 32 do not meet, because the last rounds lie between them.
//!
//! Limits of a block: 14 half rounds of 14 dependent operations are 196 cycles; 1,016
//! operations on four units (Zen 3) are 254.

use super::super::rows::ROTATIONS;
use super::rows;
use crate::constants::IV;
use crate::job::{Job, LANES};
use core::mem::offset_of;

/// Operations on words of all lanes, by the numbers of their registers. `load` adds a word
/// of the third row in memory, `store` puts one there.
macro_rules! steps {
    (@ (m $a:literal $x:literal)) => { concat!("vpaddd ymm", $a, ",ymm", $a, ",[r9+32*", $x, "]\n") };
    (@ (add $a:literal $b:literal)) => { concat!("vpaddd ymm", $a, ",ymm", $a, ",ymm", $b, "\n") };
    (@ (xor $a:literal $b:literal)) => { concat!("vpxor ymm", $a, ",ymm", $a, ",ymm", $b, "\n") };
    (@ (load $c:literal $d:literal $n:literal)) => { concat!("vpaddd ymm", $c, ",ymm", $d, ",[rbx+1024+32*", $n, "]\n") };
    (@ (store $c:literal $n:literal)) => { concat!("vmovdqa [rbx+1024+32*", $n, "],ymm", $c, "\n") };
    (@ (by16 $d:literal)) => { concat!("vpshufb ymm", $d, ",ymm", $d, ",[rip+{rotations}]\n") };
    (@ (by8 $d:literal)) => { concat!("vpshufb ymm", $d, ",ymm", $d, ",[rip+{rotations}+32]\n") };
    (@ (by12 $b:literal $t:literal)) => { steps!(@ $b $t 12 20) };
    (@ (by7 $b:literal $t:literal)) => { steps!(@ $b $t 7 25) };
    (@ $b:literal $t:literal $right:literal $left:literal) => { concat!(
        "vpsrld ymm", $t, ",ymm", $b, ",", $right, "\n vpslld ymm", $b, ",ymm", $b, ",", $left, "\n",
        "vpor ymm", $b, ",ymm", $b, ",ymm", $t, "\n",
    ) };
    ($($step:tt)*) => { concat!($(steps!(@ $step),)*) };
}

/// Copies words number `2 * $j` and the next of one of two lanes to the next block.
macro_rules! fill {
    (() $($which:tt)*) => { "" };
    (($a:literal $b:literal) a $j:tt) => { fill!(@ $a $j) };
    (($a:literal $b:literal) b $j:tt) => { fill!(@ $b $j) };
    (@ $lane:literal 0) => { concat!("mov r8,[rcx+8*", $lane, "]\n prefetcht0 [r8+r11]\n", fill!(@ @ $lane 0)) };
    (@ $lane:literal $j:literal) => { fill!(@ @ $lane $j) };
    (@ @ $lane:literal $j:literal) => { concat!(
        "mov rax,[r8+rsi+8*", $j, "]\n mov [r10+64*", $j, "+4*", $lane, "],eax\n shr rax,32\n",
        "mov [r10+64*", $j, "+32+4*", $lane, "],eax\n",
    ) };
}

/// A round. Rows a, b and d are registers 0 to 11. Of c, words 0, 2 and 3 are registers 12,
/// 13 and 14, and word 1 is in memory. The order was searched on Zen 3.
macro_rules! round_of_eight {
    ($f:tt $m0:literal $m1:literal $m2:literal $m3:literal $m4:literal $m5:literal $m6:literal $m7:literal
     $m8:literal $m9:literal $m10:literal $m11:literal $m12:literal $m13:literal $m14:literal $m15:literal) => { concat!(
        karat_hash_core::hop!(),
        fill!($f a 0), steps!((m 0 $m0) (add 0 4) (m 2 $m4) (xor 8 0) (by16 8) (add 2 6) (add 12 8)),
        fill!($f a 1), steps!((m 1 $m2) (m 3 $m6) (xor 10 2) (xor 4 12) (add 1 5) (add 3 7) (xor 11 3)),
        fill!($f a 2), steps!((by16 11) (by16 10) (by12 4 15) (xor 9 1) (add 14 11) (add 13 10) (store 13 2) (m 0 $m1)),
        fill!($f a 3), steps!((by16 9) (xor 7 14) (xor 6 13) (add 0 4) (load 15 9 1) (by12 7 13) (by12 6 13)),
        fill!($f a 4), steps!((xor 8 0) (xor 5 15) (m 2 $m5) (m 3 $m7) (add 3 7) (by8 8) (by12 5 13)),
        fill!($f a 5), steps!((add 2 6) (add 12 8) (m 1 $m3) (xor 11 3) (xor 10 2) (xor 4 12) (add 1 5) (by8 11)),
        fill!($f a 6), steps!((by8 10) (by7 4 13) (xor 9 1) (add 14 11) (load 13 10 2) (store 13 2) (by8 9)),
        fill!($f a 7), steps!((xor 7 14) (xor 6 13) (add 15 9) (by7 7 13) (by7 6 13) (xor 5 15) (by7 5 13)),
        karat_hash_core::hop!(),
        fill!($f b 0), steps!((m 3 $m14) (add 3 4) (m 2 $m12) (m 1 $m10) (xor 10 3) (add 2 7) (add 1 6)),
        fill!($f b 1), steps!((by16 10) (xor 9 2) (m 0 $m8) (xor 8 1) (add 15 10) (by16 9) (by16 8)),
        fill!($f b 2), steps!((add 0 5) (xor 4 15) (add 12 9) (xor 11 0) (add 14 8) (store 14 3) (by12 4 13) (xor 7 12)),
        fill!($f b 3), steps!((by16 11) (xor 6 14) (m 3 $m15) (by12 7 13) (load 13 11 2) (by12 6 14) (add 3 4)),
        fill!($f b 4), steps!((m 2 $m13) (xor 5 13) (m 1 $m11) (xor 10 3) (by8 10) (add 2 7) (by12 5 14)),
        fill!($f b 5), steps!((add 1 6) (xor 9 2) (m 0 $m9) (xor 8 1) (add 15 10) (store 15 1) (by8 9) (add 0 5)),
        fill!($f b 6), steps!((by8 8) (xor 4 15) (add 12 9) (xor 11 0) (load 14 8 3) (by7 4 15) (xor 7 12)),
        fill!($f b 7), steps!((by8 11) (xor 6 14) (by7 7 15) (add 13 11) (by7 6 15) (xor 5 13) (by7 5 15)),
    ) };
}

/// Compresses a block of eight lanes, and copies the next one. Chaining values are in
/// registers 0 to 7, counters, length and flags in 8 to 11, the block is at r9. The next one
/// is at the addresses at rcx, rsi bytes further on, and goes to r10. What is r11 bytes
/// behind those addresses is prefetched. At rbx are 1,024 bytes for two blocks and 128 for
/// this function.
///
/// # Safety
/// Only assembly may call it: it follows no ABI. It uses rax, r8 and registers 8 to 15.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn block() {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n",
            "vpbroadcastd ymm15,[rip+{iv}+4]\n vmovdqa [rbx+1024+32],ymm15\n",
            "vpbroadcastd ymm12,[rip+{iv}]\n vpbroadcastd ymm13,[rip+{iv}+8]\n vpbroadcastd ymm14,[rip+{iv}+12]\n",
            rounds!(round_of_eight (0 1) (2 3) (4 5) (6 7) () () ()),
            "vpxor ymm0,ymm0,ymm12\n vpxor ymm1,ymm1,[rbx+1024+32]\n vpxor ymm2,ymm2,ymm13\n vpxor ymm3,ymm3,ymm14\n",
            "vpxor ymm4,ymm4,ymm8\n vpxor ymm5,ymm5,ymm9\n vpxor ymm6,ymm6,ymm10\n vpxor ymm7,ymm7,ymm11\n",
            "ret\n .cfi_endproc\n",
        ),
        iv = sym IV,
        rotations = sym ROTATIONS,
    )
}

/// Transposes the first block of the inputs at rcx, `$o` bytes of it further on, to r10.
macro_rules! first_block {
    () => { concat!(first_block!(@ 0 "r10" 0 1 2 3 4 5 6 7), first_block!(@ 32 "r10+256" 0 1 2 3 4 5 6 7)) };
    (@ $o:literal $to:literal $($r:literal)*) => { concat!(
        $("mov rax,[rcx+8*", $r, "]\n vmovdqu ymm", $r, ",[rax+", $o, "]\n",)*
        eight!(), stores!(avx2 $to 32 8 0 9 1 10 2 11 3 12 4 13 5 14 6 15 7),
    ) };
}

/// Saves rbx and r12 to r15, and makes a frame at rbx, with room for two blocks at r9 and r10.
macro_rules! enter {
    ($size:literal) => { concat!(
        ".cfi_startproc\n push rbp\n .cfi_def_cfa_offset 16\n .cfi_offset rbp,-16\n",
        "mov rbp,rsp\n .cfi_def_cfa_register rbp\n push rbx\n .cfi_offset rbx,-24\n push r12\n .cfi_offset r12,-32\n",
        "push r13\n .cfi_offset r13,-40\n push r14\n .cfi_offset r14,-48\n push r15\n .cfi_offset r15,-56\n",
        "and rsp,-64\n sub rsp,", $size, "\n mov rbx,rsp\n mov r9,rsp\n lea r10,[rsp+512]\n",
    ) };
}

macro_rules! exit {
    () => {
        "mov rbx,[rbp-8]\n .cfi_restore rbx\n mov r12,[rbp-16]\n .cfi_restore r12\n mov r13,[rbp-24]\n .cfi_restore r13\n \
         mov r14,[rbp-32]\n .cfi_restore r14\n mov r15,[rbp-40]\n .cfi_restore r15\n mov rsp,rbp\n pop rbp\n .cfi_def_cfa rsp,8\n"
    };
}

/// Eight lanes of a job from number `lane4 / 4` on, `groups` times.
#[unsafe(naked)]
unsafe extern "sysv64" fn lanes(job: *mut Job, blocks: usize, lane4: usize, groups: usize) {
    core::arch::naked_asm!(
        concat!(
            enter!("1152"),
            "mov r13,rsi\n mov r14,rcx\n lea rcx,[rdi+2*rdx+{inputs}]\n xor esi,esi\n",
            first_block!(),
            "2:\n mov r12,r13\n lea r15,[rdi+rdx+{flags}]\n",
            "mov rax,[rdi+{key}]\n test rax,rax\n jz 3f\n",
            broadcasts!(avx2 "rax" 0 1 2 3 4 5 6 7), "jmp 4f\n",
            "3:\n mov rax,[rdi+{cv}]\n", loads!(avx2 "rax+rdx" 64 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
            "4:\n xchg r9,r10\n lea r8,[rdi+rdx+{lens}]\n cmp r12,1\n je 5f\n",
            "add rsi,64\n jmp 6f\n",
            // Behind the last block is the first one of the next eight lanes, or nothing: it is
            // copied once more.
            "5:\n add r8,64\n lea r15,[rdi+rdx+{flags}+128]\n cmp r14,1\n je 6f\n add rcx,64\n xor esi,esi\n",
            "6:\n lea r11,[rsi+256]\n",
            "vmovdqu ymm8,[rdi+rdx+{counter}]\n vmovdqu ymm9,[rdi+rdx+{counter}+64]\n vmovdqu ymm10,[r8]\n vmovdqu ymm11,[r15]\n",
            "call {block}\n",
            "lea r15,[rdi+rdx+{flags}+64]\n dec r12\n jnz 4b\n",
            "mov rax,[rdi+{out}]\n test rax,rax\n jz 7f\n lea rax,[rax+8*rdx]\n",
            pack!(avx2), "jmp 8f\n",
            "7:\n mov rax,[rdi+{cv}]\n", stores!(avx2 "rax+rdx" 64 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
            "8:\n add rdx,32\n dec r14\n jnz 2b\n",
            "vzeroupper\n", exit!(), "ret\n .cfi_endproc\n",
        ),
        block = sym block,
        counter = const offset_of!(Job, counter),
        lens = const offset_of!(Job, lens),
        flags = const offset_of!(Job, flags),
        inputs = const offset_of!(Job, inputs),
        key = const offset_of!(Job, key),
        out = const offset_of!(Job, out),
        cv = const offset_of!(Job, cv),
    )
}

/// Runs eight lanes a register. Where up to four are left they go through [`rows`].
///
/// # Safety
/// The same conditions as for [`crate::body::Advance`], and the CPU must have
/// AVX2.
pub(crate) unsafe fn avx2(jobs: &mut [Job], blocks: usize, used: usize) {
    for (job, first) in jobs.iter_mut().zip((0..used).step_by(LANES)) {
        let used = (used - first).min(LANES);
        let (groups, rest) = (used / 8, used % 8);
        let uniform = !job.key.is_null() && !job.out.is_null();
        let few = uniform && rest <= rows::MAX_LANES;
        let groups = if few { groups } else { used.div_ceil(8) };
        // SAFETY: the caller upholds the safety contract. `few` jobs have a key and an `out`,
        // and the lanes behind full groups begin with number 0 or 8.
        unsafe {
            if groups > 0 {
                lanes(job, blocks, 0, groups);
            }
            if few && rest > 0 {
                rows::advance(job, blocks, 8 * groups, rest);
            }
        }
    }
}
