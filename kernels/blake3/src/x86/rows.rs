//! One block after the other, with a row of the state in each register, for single
//! blocks and messages of one chunk. It is for CPUs whose vector operations take one
//! cycle.
//!
//! The limit is latency: a compression is 14 half rounds. With AVX-512's rotations each
//! is a chain of 12 operations: 168 cycles a block. Without them the rotations by 12 and
//! 7 bits take a shift and an or: 14 operations, 196 cycles. Where a rotation takes two cycles
//! (Zen 4) it is 224, and 168 by [`super::shifts`]. Throughput is no limit.
//!
//! Between columns and diagonals `a`, `c` and `d` move, because they are ready before
//! `b` is. Message words are permuted beside the chain ([`super::avx512_rows`] has the
//! same order of lanes).

use super::super::constants::{BLOCK_LEN, IV, flags};
use super::super::mode::{Cv, Mode};
use super::ahead;
use core::mem::offset_of;

/// Byte orders within words: rotations right by 16 and by 8.
#[repr(C, align(32))]
pub(super) struct Rotations {
    by16: [u8; 32],
    by8: [u8; 32],
}

pub(super) static ROTATIONS: Rotations = {
    let mut r = Rotations {
        by16: [0; 32],
        by8: [0; 32],
    };
    let mut i = 0;
    while i < 32 {
        let word = i % 16 / 4 * 4;
        r.by16[i] = (word + (i + 2) % 4) as u8;
        r.by8[i] = (word + (i + 1) % 4) as u8;
        i += 1;
    }
    r
};

/// 16 bytes from number k on move the last k bytes of a register to its beginning, and
/// zeros behind them.
static LAST: [u8; 32] = {
    let mut shuffle = [0x80; 32];
    let mut i = 0;
    while i < 16 {
        shuffle[i] = i as u8;
        i += 1;
    }
    shuffle
};

/// The message words of the first round from words 0-3, 4-7, 8-11 and 12-15.
macro_rules! first {
    ($m:literal $n:literal $o:literal $p:literal $s:literal $t:literal $u:literal $v:literal) => { concat!(
        "vshufps xmm", $s, ",xmm", $m, ",xmm", $n, ",0x88\n vshufps xmm", $t, ",xmm", $m, ",xmm", $n, ",0xdd\n",
        "vshufps xmm", $u, ",xmm", $o, ",xmm", $p, ",0x88\n vshufps xmm", $v, ",xmm", $o, ",xmm", $p, ",0xdd\n",
        "vpshufd xmm", $u, ",xmm", $u, ",0x93\n vpshufd xmm", $v, ",xmm", $v, ",0x93\n",
    ) };
}

/// The message words of the next round: s = m1 n1 n3 m2, t = m3 o2 m0 p3, u = p0 n0 o3
/// p1, v = o1 p2 n2 o0. Register 12 is free.
macro_rules! permute {
    ($m:literal $n:literal $o:literal $p:literal $s:literal $t:literal $u:literal $v:literal) => { concat!(
        "vshufps xmm", $s, ",xmm", $m, ",xmm", $n, ",0xd9\n vpshufd xmm", $s, ",xmm", $s, ",0x78\n",
        "vshufps xmm", $t, ",xmm", $o, ",xmm", $p, ",0xfa\n vpshufd xmm12,xmm", $m, ",0x03\n",
        "vpblendd xmm", $t, ",xmm", $t, ",xmm12,5\n",
        "vpunpckldq xmm", $u, ",xmm", $p, ",xmm", $n, "\n vpshufd xmm", $u, ",xmm", $u, ",0x84\n",
        "vpshufd xmm12,xmm", $o, ",0x30\n vpblendd xmm", $u, ",xmm", $u, ",xmm12,4\n",
        "vpunpckhdq xmm", $v, ",xmm", $p, ",xmm", $n, "\n vpshufd xmm", $v, ",xmm", $v, ",0x10\n",
        "vpshufd xmm12,xmm", $o, ",0x01\n vpblendd xmm", $v, ",xmm", $v, ",xmm12,9\n",
    ) };
}

/// Row b by an exclusive or with row c and a rotation to the right. With AVX2 that is by three
/// shifts, and `early!` is one of them. On Zen 3 two shifts of one register seldom begin in the
/// same cycle: so it is two operations more, and a cycle less for what waits. Registers 12
/// and 13 are free.
macro_rules! turn {
    (avx512vl $right:literal $left:literal) => { concat!("vpxor xmm1,xmm1,xmm2\n vprord xmm1,xmm1,", $right, "\n") };
    (avx2 $right:literal $left:literal) => { concat!(
        "vpslld xmm12,xmm2,", $left, "\n vpxor xmm1,xmm1,xmm2\n vpsrld xmm1,xmm1,", $right, "\n",
        "vpxor xmm13,xmm13,xmm12\n vpor xmm1,xmm1,xmm13\n",
    ) };
}

macro_rules! early {
    (avx512vl $left:literal) => { "" };
    (avx2 $left:literal) => { concat!("vpslld xmm13,xmm1,", $left, "\n") };
}

/// Rotates row d to the right. Registers 14 and 15 are [`ROTATIONS`].
macro_rules! rotate {
    (avx512vl $n:literal) => { concat!("vprord xmm3,xmm3,", $n, "\n") };
    (avx2 16) => { "vpshufb xmm3,xmm3,xmm14\n" };
    (avx2 8) => { "vpshufb xmm3,xmm3,xmm15\n" };
}

/// A half round: the message words to add, and how `a`, `c` and `d` move for the next.
macro_rules! half {
    ($isa:ident $am:literal $cm:literal $dm:literal $x:literal $y:literal) => { concat!(
        "vpaddd xmm0,xmm0,xmm", $x, "\n vpaddd xmm0,xmm0,xmm1\n", early!($isa 20),
        "vpxor xmm3,xmm3,xmm0\n", rotate!($isa 16),
        "vpaddd xmm0,xmm0,xmm", $y, "\n vpaddd xmm2,xmm2,xmm3\n", turn!($isa 12 20),
        "vpaddd xmm0,xmm0,xmm1\n", early!($isa 25), "vpxor xmm3,xmm3,xmm0\n", rotate!($isa 8),
        "vpshufd xmm0,xmm0,", $am, "\n vpaddd xmm2,xmm2,xmm3\n vpshufd xmm3,xmm3,", $dm, "\n",
        turn!($isa 7 25),
        "vpshufd xmm2,xmm2,", $cm, "\n",
    ) };
}

macro_rules! round {
    ($isa:ident $x:literal $y:literal $u:literal $v:literal) => { concat!(
        half!($isa 0x93 0x39 0x4e $x $y), half!($isa 0x39 0x93 0x4e $u $v),
    ) };
}

/// The masks of [`super::shifts`], if the body has them. It uses eax.
macro_rules! masks {
    (shifts) => {
        "mov eax,0x5555\n kmovw k1,eax\n mov eax,0x4444\n kmovw k2,eax\n mov eax,0x9999\n kmovw k3,eax\n"
    };
    ($isa:ident) => { "" };
}

/// All rounds of the block in registers 4 to 7, without the last addition.
macro_rules! seven {
    (shifts) => { concat!("/* not used: {rotations} */\n", first!(4 5 6 7 8 9 10 11), all_by_shifts!("xmm")) };
    ($isa:ident) => { concat!(
        "vmovdqa xmm14,[rip+{rotations}]\n vmovdqa xmm15,[rip+{rotations}+32]\n",
        first!(4 5 6 7 8 9 10 11),
        round!($isa 8 9 10 11), permute!(8 9 10 11 4 5 6 7),
        round!($isa 4 5 6 7), permute!(4 5 6 7 8 9 10 11),
        round!($isa 8 9 10 11), permute!(8 9 10 11 4 5 6 7),
        round!($isa 4 5 6 7), permute!(4 5 6 7 8 9 10 11),
        round!($isa 8 9 10 11), permute!(8 9 10 11 4 5 6 7),
        round!($isa 4 5 6 7), permute!(4 5 6 7 8 9 10 11),
        round!($isa 8 9 10 11),
    ) };
}

/// Two and more blocks before the last one by [`ahead`], if the body has it: of [`Blocks`],
/// and of a chunk, whose `rdx` bytes are at rsi.
///
/// [`Blocks`]: super::super::body::Blocks
macro_rules! blocks_ahead {
    (shifts) => {
        "cmp rdx,3\n jb 4f\n mov r10d,r9d\n shr r10d,8\n movzx r10d,r10b\n lea r11,[rdx-1]\n call {ahead}\n mov edx,1\n 4:\n"
    };
    ($isa:ident) => { "/* not used: {ahead} */\n" };
}

macro_rules! chunk_ahead {
    (shifts) => {
        "cmp rdx,129\n jb 3f\n lea r11,[rdx-1]\n mov rdi,r11\n and rdi,-64\n sub rdx,rdi\n shr r11,6\n call {ahead}\n mov eax,r10d\n"
    };
    ($isa:ident) => { "/* not used: {ahead} */\n" };
}

/// Third and fourth row of a block: counter in rcx, length and flags in these registers.
macro_rules! lower {
    ($len:literal $flags:literal) => { concat!(
        "vmovq xmm3,rcx\n vpinsrd xmm3,xmm3,", $len, ",2\n vpinsrd xmm3,xmm3,", $flags, ",3\n",
    ) };
}

/// Loads a full block from rsi.
macro_rules! whole {
    () => {
        "vmovdqu xmm4,[rsi]\n vmovdqu xmm5,[rsi+16]\n vmovdqu xmm6,[rsi+32]\n vmovdqu xmm7,[rsi+48]\n"
    };
}

macro_rules! bodies {
    ($isa:ident) => {
        pub(crate) mod $isa {
            use super::*;

            /// One compression.
            ///
            /// In: xmm0 and xmm1 are the chaining value, xmm3 is the fourth row, xmm4 to
            /// xmm7 are the block. Out: xmm0 and xmm1 are the new chaining value, xmm2
            /// and xmm3 the third and fourth row before the last addition. General
            /// registers stay.
            ///
            /// # Safety
            /// Only assembly may call it: it follows no ABI.
            #[unsafe(naked)]
            unsafe extern "sysv64" fn compress() {
                core::arch::naked_asm!(
                    concat!(
                        ".cfi_startproc\n vmovdqu xmm2,[rip+{iv}]\n",
                        seven!($isa),
                        "vpxor xmm0,xmm0,xmm2\n vpxor xmm1,xmm1,xmm3\n ret\n .cfi_endproc\n",
                    ),
                    iv = sym IV,
                    rotations = sym ROTATIONS,
                )
            }

            /// See [`super::super::super::body::Blocks`].
            #[unsafe(naked)]
            unsafe extern "sysv64" fn body(
                cv: *mut u32,
                input: *const u8,
                blocks: usize,
                counter: u64,
                last_len: u32,
                flags: u32,
            ) {
                core::arch::naked_asm!(
                    concat!(
                        ".cfi_startproc\n test rdx,rdx\n jz 9f\n", masks!($isa),
                        "vmovdqu xmm0,[rdi]\n vmovdqu xmm1,[rdi+16]\n",
                        "movzx eax,r9b\n",
                        blocks_ahead!($isa),
                        // Flags of this block, of the last, and of those between.
                        "mov r10d,r9d\n shr r10d,16\n movzx r10d,r10b\n",
                        ".p2align 4\n 2:\n mov r11d,{block}\n",
                        "cmp rdx,1\n cmove r11d,r8d\n cmove eax,r10d\n",
                        lower!("r11d" "eax"),
                        whole!(),
                        "call {compress}\n",
                        "mov eax,r9d\n shr eax,8\n movzx eax,al\n",
                        "add rsi,{block}\n dec rdx\n jnz 2b\n",
                        "shr r9d,24\n jz 3f\n",
                        "vpxor xmm2,xmm2,[rdi]\n vpxor xmm3,xmm3,[rdi+16]\n",
                        "vmovdqu [rdi+32],xmm2\n vmovdqu [rdi+48],xmm3\n",
                        "3:\n vmovdqu [rdi],xmm0\n vmovdqu [rdi+16],xmm1\n",
                        "9:\n ret\n .cfi_endproc\n",
                    ),
                    compress = sym compress,
                    ahead = sym ahead::blocks,
                    block = const BLOCK_LEN,
                )
            }

            /// See [`super::super::super::body::Blocks`].
            ///
            /// # Safety
            /// The same conditions as there, and the CPU must have the ISAs of the table.
            pub(crate) unsafe fn blocks(
                cv: *mut u32,
                input: *const u8,
                blocks: usize,
                counter: u64,
                last_len: u32,
                flags: u32,
            ) {
                // SAFETY: the caller upholds the safety contract.
                unsafe { body(cv, input, blocks, counter, last_len, flags) }
            }

            /// See [`super::super::super::body::Chunk`].
            ///
            /// The bytes after the last full 16 are the end of the 16 bytes before the
            /// message's end, moved to the front. Only a message of less than 16 bytes
            /// has no such 16 bytes. It is two pieces that overlap.
            #[unsafe(naked)]
            unsafe extern "sysv64" fn whole(
                mode: *const Mode,
                input: *const u8,
                len: usize,
                counter: u64,
                last: u32,
                out: *mut Cv,
            ) {
                core::arch::naked_asm!(
                    concat!(
                        ".cfi_startproc\n", masks!($isa), "mov r10d,[rdi+{flags}]\n or r8d,r10d\n",
                        "vmovdqu xmm0,[rdi+{key}]\n vmovdqu xmm1,[rdi+{key}+16]\n",
                        // Flags of this block.
                        "mov eax,r10d\n or eax,{start}\n",
                        chunk_ahead!($isa),
                        "jmp 3f\n",
                        // The blocks before the last one.
                        ".p2align 4\n 2:\n mov r11d,{block}\n",
                        lower!("r11d" "eax"),
                        whole!(),
                        "call {compress}\n",
                        "mov eax,r10d\n add rsi,{block}\n sub rdx,{block}\n",
                        "3:\n cmp rdx,{block}\n ja 2b\n jne 4f\n",
                        whole!(),
                        "jmp 8f\n",
                        // The last block is padded: rdx bytes at rsi, less than 64.
                        "4:\n cmp edx,16\n jae 5f\n test eax,{start}\n jnz 6f\n",
                        "5:\n lea rdi,[rip+{last}]\n mov r11d,edx\n and r11d,15\n",
                        // Bytes 16 - k of the table on move the last k bytes.
                        "sub rdi,r11\n vmovdqu xmm8,[rsi+rdx-16]\n vpshufb xmm8,xmm8,[rdi+16]\n",
                        "vpxor xmm5,xmm5,xmm5\n vpxor xmm6,xmm6,xmm6\n vpxor xmm7,xmm7,xmm7\n",
                        "cmp edx,32\n jae 52f\n cmp edx,16\n jae 51f\n vmovdqa xmm4,xmm8\n jmp 8f\n",
                        "51:\n vmovdqu xmm4,[rsi]\n vmovdqa xmm5,xmm8\n jmp 8f\n",
                        "52:\n vmovdqu xmm4,[rsi]\n vmovdqu xmm5,[rsi+16]\n cmp edx,48\n jae 53f\n",
                        "vmovdqa xmm6,xmm8\n jmp 8f\n",
                        "53:\n vmovdqu xmm6,[rsi+32]\n vmovdqa xmm7,xmm8\n jmp 8f\n",
                        // A message of less than 16 bytes. r11 are its first 8.
                        "6:\n vpxor xmm5,xmm5,xmm5\n vpxor xmm6,xmm6,xmm6\n vpxor xmm7,xmm7,xmm7\n",
                        "mov rdi,rcx\n cmp edx,8\n jb 61f\n",
                        "mov r11,[rsi]\n vmovq xmm4,r11\n mov r11,[rsi+rdx-8]\n",
                        // Shifts take the count modulo 64, and 8 bytes have no second half.
                        "mov ecx,edx\n neg ecx\n shl ecx,3\n xor esi,esi\n cmp edx,8\n",
                        "cmove r11,rsi\n shr r11,cl\n vpinsrq xmm4,xmm4,r11,1\n jmp 66f\n",
                        "61:\n xor r11d,r11d\n xor ecx,ecx\n cmp edx,4\n jb 62f\n",
                        "mov r11d,[rsi+rdx-4]\n lea ecx,[8*rdx-32]\n shl r11,cl\n mov esi,[rsi]\n or r11,rsi\n jmp 65f\n",
                        "62:\n cmp edx,2\n jb 63f\n",
                        "movzx r11d,word ptr [rsi+rdx-2]\n lea ecx,[8*rdx-16]\n shl r11d,cl\n",
                        "movzx esi,word ptr [rsi]\n or r11d,esi\n jmp 65f\n",
                        "63:\n test edx,edx\n jz 65f\n movzx r11d,byte ptr [rsi]\n",
                        "65:\n vmovq xmm4,r11\n",
                        "66:\n mov rcx,rdi\n",
                        "8:\n or eax,r8d\n",
                        lower!("edx" "eax"),
                        "call {compress}\n",
                        "vmovdqu [r9],xmm0\n vmovdqu [r9+16],xmm1\n ret\n .cfi_endproc\n",
                    ),
                    compress = sym compress,
                    ahead = sym ahead::blocks,
                    last = sym LAST,
                    key = const offset_of!(Mode, key),
                    flags = const offset_of!(Mode, flags),
                    start = const flags::CHUNK_START,
                    block = const BLOCK_LEN,
                )
            }

            /// See [`super::super::super::body::Chunk`].
            ///
            /// # Safety
            /// The same conditions as there, and the CPU must have the ISAs of the table.
            pub(crate) unsafe fn chunk(
                mode: &Mode,
                input: *const u8,
                len: usize,
                counter: u64,
                last: u32,
                out: *mut Cv,
            ) {
                // SAFETY: the caller upholds the safety contract.
                unsafe { whole(mode, input, len, counter, last, out) }
            }
        }
    };
}

bodies!(avx2);
bodies!(avx512vl);
bodies!(shifts);
