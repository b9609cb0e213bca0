//! One block after the other in general registers, for single blocks and messages of
//! one chunk.
//!
//! The limit is latency: a compression is 14 half rounds of 12 dependent operations. In
//! general registers an operation takes one cycle: 168 cycles a block. About 206 are
//! reached. In vector registers of Zen 5 it takes two once the schedulers are full: 336
//! cycles. Throughput is no limit: 784 operations over 6 ALUs are 131 cycles. A single
//! message has nothing to fill vector lanes with.
//!
//! There are sixteen words and fifteen registers, so one of the four words `c` is in
//! memory. `c` is ready two cycles before a half round ends and is first needed three
//! cycles into the next. That hides most of the time through memory.
//!
//! [`compress`] is the only text of the rounds. A call costs a cycle or two outside of
//! the chain. The callers keep the chaining value in registers from block to block.

use super::super::constants::{BLOCK_LEN, IV, flags};
use super::super::mode::{Cv, Mode};
use core::mem::offset_of;

/// The steps of one quarter round, for several columns at once: registers of a, b, c
/// and d, then the two message words.
macro_rules! columns {
    ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal))*) => { concat!(
        $("add ", $a, ",[rsp+8+4*", $x, "]\n",)*
        $("add ", $a, ",", $b, "\n",)*
        $("xor ", $d, ",", $a, "\n",)*
        $("ror ", $d, ",16\n",)*
        $("add ", $c, ",", $d, "\n",)*
        $("add ", $a, ",[rsp+8+4*", $y, "]\n",)*
        $("xor ", $b, ",", $c, "\n",)*
        $("ror ", $b, ",12\n",)*
        $("add ", $a, ",", $b, "\n",)*
        $("xor ", $d, ",", $a, "\n",)*
        $("ror ", $d, ",8\n",)*
        $("add ", $c, ",", $d, "\n",)*
        $("xor ", $b, ",", $c, "\n",)*
        $("ror ", $b, ",7\n",)*
    ) };
}

/// A round. Before and after it c0 to c2 are in r13d to r15d and c3 is in [rsp+76].
/// [rsp+72] is the place of c0.
macro_rules! round {
    (($p:literal $q:literal)
     $m0:literal $m1:literal $m2:literal $m3:literal $m4:literal $m5:literal $m6:literal $m7:literal
     $m8:literal $m9:literal $m10:literal $m11:literal $m12:literal $m13:literal $m14:literal $m15:literal) => { concat!(
        columns!(("eax" "esi" "r13d" "r9d" $m0 $m1) ("ecx" "edi" "r14d" "r10d" $m2 $m3)
                 ("edx" "ebp" "r15d" "r11d" $m4 $m5)),
        "mov [rsp+72],r13d\n mov r13d,[rsp+76]\n",
        columns!(("ebx" "r8d" "r13d" "r12d" $m6 $m7)),
        columns!(("eax" "edi" "r15d" "r12d" $m8 $m9) ("ecx" "ebp" "r13d" "r9d" $m10 $m11)
                 ("ebx" "esi" "r14d" "r11d" $m14 $m15)),
        "mov [rsp+76],r13d\n mov r13d,[rsp+72]\n",
        columns!(("edx" "r8d" "r13d" "r10d" $m12 $m13)),
    ) };
}

/// Copies a full block from r13 to where [`compress`] reads it.
macro_rules! whole {
    () => {
        "movups xmm0,[r13]\n movups xmm1,[r13+16]\n movups xmm2,[r13+32]\n movups xmm3,[r13+48]\n \
         movups [rsp],xmm0\n movups [rsp+16],xmm1\n movups [rsp+32],xmm2\n movups [rsp+48],xmm3\n"
    };
}

/// One compression. The caller's frame begins with the block (64 bytes) and room for
/// two words.
///
/// In: eax, ecx, edx, ebx, esi, edi, ebp and r8d are the chaining value; r9d to r12d
/// are counter, length and flags. Out: the new chaining value in the same registers. Of
/// the state words before the last addition, 8 to 10 are in r13d to r15d, 11 in the
/// second word of room, 12 to 15 in r9d to r12d. Nothing else changes.
///
/// # Safety
/// Only assembly may call it: it follows no ABI.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn compress() {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n",
            "mov r13d,[rip+{iv}]\n mov r14d,[rip+{iv}+12]\n mov [rsp+76],r14d\n",
            "mov r14d,[rip+{iv}+4]\n mov r15d,[rip+{iv}+8]\n",
            rounds!(round),
            "xor eax,r13d\n xor ecx,r14d\n xor edx,r15d\n xor ebx,[rsp+76]\n",
            "xor esi,r9d\n xor edi,r10d\n xor ebp,r11d\n xor r8d,r12d\n",
            "ret\n .cfi_endproc\n",
        ),
        iv = sym IV,
    )
}

/// See [`super::super::body::Blocks`].
///
/// # Safety
/// The same conditions as there.
pub(crate) unsafe fn blocks(
    cv: *mut u32,
    input: *const u8,
    blocks: usize,
    counter: u64,
    last_len: u32,
    flags: u32,
) {
    // SAFETY: the caller upholds the safety contract. The body needs no ISA beyond
    // x86-64.
    unsafe { body(cv, input, blocks, counter, last_len, flags) }
}

// Frame: message 0-63, c0 64, c3 68, cv 72, input 80, blocks 88, counter 96, length of
// the last block 104, flags of this block 108, between 112, last 116, all of them 120.
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
            ".cfi_startproc\n",
            "test rdx,rdx\n jz 9f\n",
            save!(136),
            "mov [rsp+72],rdi\n mov [rsp+80],rsi\n mov [rsp+88],rdx\n mov [rsp+96],rcx\n",
            "mov [rsp+104],r8d\n mov [rsp+120],r9d\n",
            "movzx eax,r9b\n mov [rsp+108],eax\n",
            "movzx eax,byte ptr [rsp+121]\n mov [rsp+112],eax\n",
            "movzx eax,byte ptr [rsp+122]\n mov [rsp+116],eax\n",
            "mov r13,rdi\n",
            start!(),
            ".p2align 4\n",
            "2:\n",
            "mov r13,[rsp+80]\n",
            whole!(),
            "add r13,64\n mov [rsp+80],r13\n",
            "mov r9d,[rsp+96]\n mov r10d,[rsp+100]\n mov r11d,64\n mov r12d,[rsp+108]\n",
            "mov r13d,[rsp+112]\n mov [rsp+108],r13d\n",
            "cmp qword ptr [rsp+88],1\n cmove r11d,[rsp+104]\n cmove r12d,[rsp+116]\n",
            "call {compress}\n",
            "dec qword ptr [rsp+88]\n jnz 2b\n",
            "mov [rsp+64],eax\n mov rax,[rsp+72]\n",
            "cmp byte ptr [rsp+123],0\n je 3f\n",
            "xor r13d,[rax]\n xor r14d,[rax+4]\n xor r15d,[rax+8]\n",
            "mov [rax+32],r13d\n mov [rax+36],r14d\n mov [rax+40],r15d\n",
            "mov r13d,[rsp+68]\n xor r13d,[rax+12]\n mov [rax+44],r13d\n",
            "xor r9d,[rax+16]\n xor r10d,[rax+20]\n xor r11d,[rax+24]\n xor r12d,[rax+28]\n",
            "mov [rax+48],r9d\n mov [rax+52],r10d\n mov [rax+56],r11d\n mov [rax+60],r12d\n",
            "3:\n",
            "mov r13,rax\n mov eax,[rsp+64]\n",
            end!(),
            restore!(136),
            "9:\n ret\n",
            ".cfi_endproc\n",
        ),
        compress = sym compress,
    )
}

/// See [`super::super::body::Chunk`].
///
/// # Safety
/// The same conditions as there.
pub(crate) unsafe fn chunk(mode: &Mode, input: *const u8, len: usize, counter: u64, last: u32, out: *mut Cv) {
    // SAFETY: the caller upholds the safety contract. The body needs no ISA beyond
    // x86-64.
    unsafe { whole(mode, input, len, counter, last, out) }
}

// Frame: message 0-63, room of `compress` 64-71, input 80, bytes left 88, counter 96,
// flags of all blocks 104, of the last 108, out 120.
//
// A padded block is stored in pieces of whole words. A piece may overlap only zeros.
// `compress` loads words a moment later, and a word made of two pieces would wait until
// both reach the cache. So the last 1 to 8 bytes are taken from the last 8 bytes of the
// message, shifted. A message of fewer bytes is two pieces that overlap.
// the message, shifted; of messages of fewer, they are two pieces that overlap.
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
            ".cfi_startproc\n",
            save!(136),
            "mov [rsp+88],rdx\n mov [rsp+96],rcx\n mov [rsp+120],r9\n",
            "mov r12d,[rdi+{flags}]\n mov [rsp+104],r12d\n or r8d,r12d\n mov [rsp+108],r8d\n",
            "or r12d,{start}\n mov r14,rdx\n mov r15,rsi\n lea r13,[rdi+{key}]\n",
            start!(),
            "mov r13,r15\n jmp 3f\n",
            ".p2align 4\n",
            // The blocks before the last one.
            "2:\n",
            whole!(),
            "add r13,{block}\n mov [rsp+80],r13\n sub r14,{block}\n mov [rsp+88],r14\n",
            "mov r9d,[rsp+96]\n mov r10d,[rsp+100]\n mov r11d,{block}\n",
            "call {compress}\n",
            "mov r12d,[rsp+104]\n mov r13,[rsp+80]\n mov r14,[rsp+88]\n",
            "3:\n cmp r14,{block}\n ja 2b\n jne 4f\n",
            // The last block, if it is full.
            whole!(),
            "jmp 8f\n",
            // The last block, if it is padded: r14 bytes at r13. cl otherwise belongs
            // to the chaining value.
            "4:\n pxor xmm0,xmm0\n movups [rsp],xmm0\n movups [rsp+16],xmm0\n",
            "movups [rsp+32],xmm0\n movups [rsp+48],xmm0\n",
            "test r14,r14\n jz 8f\n",
            "mov r15d,ecx\n lea r9,[r13+r14]\n",
            "cmp r14,8\n jae 5f\n test r12d,{start}\n jnz 6f\n",
            "5:\n lea r10d,[r14-1]\n mov ecx,r14d\n neg ecx\n shl ecx,3\n",
            "mov r9,[r9-8]\n shr r9,cl\n xor r11d,r11d\n",
            "test r10d,32\n jz 51f\n",
            "movups xmm0,[r13]\n movups xmm1,[r13+16]\n movups [rsp],xmm0\n movups [rsp+16],xmm1\n mov r11d,32\n",
            "51:\n test r10d,16\n jz 52f\n",
            "movups xmm0,[r13+r11]\n movups [rsp+r11],xmm0\n add r11d,16\n",
            "52:\n test r10d,8\n jz 53f\n",
            "mov r10,[r13+r11]\n mov [rsp+r11],r10\n add r11d,8\n",
            "53:\n mov [rsp+r11],r9\n mov ecx,r15d\n jmp 8f\n",
            // A message of 1 to 7 bytes.
            "6:\n cmp r14d,4\n jb 61f\n",
            "mov r10d,[r13]\n mov r9d,[r9-4]\n lea ecx,[8*r14-32]\n jmp 63f\n",
            "61:\n cmp r14d,2\n jb 62f\n",
            "movzx r10d,word ptr [r13]\n movzx r9d,word ptr [r9-2]\n lea ecx,[8*r14-16]\n jmp 63f\n",
            "62:\n movzx r10d,byte ptr [r13]\n mov r9d,r10d\n xor ecx,ecx\n",
            "63:\n shl r9,cl\n or r9,r10\n mov [rsp],r9\n mov ecx,r15d\n",
            "8:\n or r12d,[rsp+108]\n mov r9d,[rsp+96]\n mov r10d,[rsp+100]\n mov r11d,r14d\n",
            "call {compress}\n",
            "mov r13,[rsp+120]\n",
            end!(),
            restore!(136),
            "ret\n .cfi_endproc\n",
        ),
        compress = sym compress,
        key = const offset_of!(Mode, key),
        flags = const offset_of!(Mode, flags),
        start = const flags::CHUNK_START,
        block = const BLOCK_LEN,
    )
}
