//! One block after the other in general registers: for single blocks, and for
//! messages of one chunk.
//!
//! A compression is a chain of 14 half rounds of 12 dependent operations. In
//! general registers an operation takes one cycle, so the limit is 168 cycles a
//! block; in vector registers it takes one to two (always two on Zen 5 once the
//! schedulers are full, measured), 336 cycles there. 784 operations over 6 ALUs
//! are 131 cycles, so latency is what counts, and no lane of a vector is lost
//! that one message could have filled.
//!
//! Sixteen words and fifteen registers: of the four words `c`, one is in memory.
//! It is `c` because that word is ready two cycles before a half round ends and
//! first needed three cycles into the next, which hides most of the way through
//! memory. About 206 cycles a block are reached.

use super::super::constants::IV;

/// Steps of one quarter round, for several columns at once: registers of a, b,
/// c and d, then the two message words.
macro_rules! columns {
    ($(($a:literal $b:literal $c:literal $d:literal $x:literal $y:literal))*) => { concat!(
        $("add ", $a, ",[rsp+4*", $x, "]\n",)*
        $("add ", $a, ",", $b, "\n",)*
        $("xor ", $d, ",", $a, "\n",)*
        $("ror ", $d, ",16\n",)*
        $("add ", $c, ",", $d, "\n",)*
        $("add ", $a, ",[rsp+4*", $y, "]\n",)*
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

/// A round. c0 to c2 are r13d to r15d and c3 in [rsp+68] when it begins and
/// ends; c0's place is [rsp+64].
macro_rules! round {
    (($p:literal $q:literal)
     $m0:literal $m1:literal $m2:literal $m3:literal $m4:literal $m5:literal $m6:literal $m7:literal
     $m8:literal $m9:literal $m10:literal $m11:literal $m12:literal $m13:literal $m14:literal $m15:literal) => { concat!(
        columns!(("eax" "esi" "r13d" "r9d" $m0 $m1) ("ecx" "edi" "r14d" "r10d" $m2 $m3)
                 ("edx" "ebp" "r15d" "r11d" $m4 $m5)),
        "mov [rsp+64],r13d\n mov r13d,[rsp+68]\n",
        columns!(("ebx" "r8d" "r13d" "r12d" $m6 $m7)),
        columns!(("eax" "edi" "r15d" "r12d" $m8 $m9) ("ecx" "ebp" "r13d" "r9d" $m10 $m11)
                 ("ebx" "esi" "r14d" "r11d" $m14 $m15)),
        "mov [rsp+68],r13d\n mov r13d,[rsp+64]\n",
        columns!(("edx" "r8d" "r13d" "r10d" $m12 $m13)),
    ) };
}

/// See [`super::super::kernel::Blocks`].
///
/// # Safety
/// `input` must be readable for `blocks` blocks.
pub(crate) unsafe fn blocks(
    cv: &mut [u32; 16],
    input: *const u8,
    blocks: usize,
    counter: u64,
    last_len: u32,
    flags: u32,
) {
    // SAFETY: the caller's promise; the body has no other needs.
    unsafe { body(cv, input, blocks, counter, last_len, flags) }
}

// Frame: message 0-63, c0 64, c3 68, cv 72, input 80, blocks 88, counter 96,
// length of the last block 104, flags of this block 108, between 112, last 116,
// all of them 120.
#[unsafe(naked)]
unsafe extern "sysv64" fn body(
    cv: *mut [u32; 16],
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
            "push rbx\n .cfi_adjust_cfa_offset 8\n .cfi_rel_offset rbx,0\n",
            "push rbp\n .cfi_adjust_cfa_offset 8\n .cfi_rel_offset rbp,0\n",
            "push r12\n .cfi_adjust_cfa_offset 8\n .cfi_rel_offset r12,0\n",
            "push r13\n .cfi_adjust_cfa_offset 8\n .cfi_rel_offset r13,0\n",
            "push r14\n .cfi_adjust_cfa_offset 8\n .cfi_rel_offset r14,0\n",
            "push r15\n .cfi_adjust_cfa_offset 8\n .cfi_rel_offset r15,0\n",
            "sub rsp,136\n .cfi_adjust_cfa_offset 136\n",
            "mov [rsp+72],rdi\n mov [rsp+80],rsi\n mov [rsp+88],rdx\n mov [rsp+96],rcx\n",
            "mov [rsp+104],r8d\n mov [rsp+120],r9d\n",
            "movzx eax,r9b\n mov [rsp+108],eax\n",
            "movzx eax,byte ptr [rsp+121]\n mov [rsp+112],eax\n",
            "movzx eax,byte ptr [rsp+122]\n mov [rsp+116],eax\n",
            "mov r13,rdi\n",
            "mov eax,[r13]\n mov ecx,[r13+4]\n mov edx,[r13+8]\n mov ebx,[r13+12]\n",
            "mov esi,[r13+16]\n mov edi,[r13+20]\n mov ebp,[r13+24]\n mov r8d,[r13+28]\n",
            ".p2align 4\n",
            "2:\n",
            "mov r13,[rsp+80]\n",
            "movups xmm0,[r13]\n movups xmm1,[r13+16]\n movups xmm2,[r13+32]\n movups xmm3,[r13+48]\n",
            "movups [rsp],xmm0\n movups [rsp+16],xmm1\n movups [rsp+32],xmm2\n movups [rsp+48],xmm3\n",
            "add r13,64\n mov [rsp+80],r13\n",
            "mov r9d,[rsp+96]\n mov r10d,[rsp+100]\n mov r11d,64\n mov r12d,[rsp+108]\n",
            "mov r13d,[rsp+112]\n mov [rsp+108],r13d\n",
            "cmp qword ptr [rsp+88],1\n cmove r11d,[rsp+104]\n cmove r12d,[rsp+116]\n",
            "mov r13d,[rip+{iv}]\n mov r14d,[rip+{iv}+12]\n mov [rsp+68],r14d\n",
            "mov r14d,[rip+{iv}+4]\n mov r15d,[rip+{iv}+8]\n",
            rounds!(round),
            "xor eax,r13d\n xor ecx,r14d\n xor edx,r15d\n xor ebx,[rsp+68]\n",
            "xor esi,r9d\n xor edi,r10d\n xor ebp,r11d\n xor r8d,r12d\n",
            "dec qword ptr [rsp+88]\n jnz 2b\n",
            "mov [rsp+64],eax\n mov rax,[rsp+72]\n",
            "cmp byte ptr [rsp+123],0\n je 3f\n",
            "xor r13d,[rax]\n xor r14d,[rax+4]\n xor r15d,[rax+8]\n",
            "mov [rax+32],r13d\n mov [rax+36],r14d\n mov [rax+40],r15d\n",
            "mov r13d,[rsp+68]\n xor r13d,[rax+12]\n mov [rax+44],r13d\n",
            "xor r9d,[rax+16]\n xor r10d,[rax+20]\n xor r11d,[rax+24]\n xor r12d,[rax+28]\n",
            "mov [rax+48],r9d\n mov [rax+52],r10d\n mov [rax+56],r11d\n mov [rax+60],r12d\n",
            "3:\n",
            "mov r13d,[rsp+64]\n mov [rax],r13d\n mov [rax+4],ecx\n mov [rax+8],edx\n mov [rax+12],ebx\n",
            "mov [rax+16],esi\n mov [rax+20],edi\n mov [rax+24],ebp\n mov [rax+28],r8d\n",
            "add rsp,136\n .cfi_adjust_cfa_offset -136\n",
            "pop r15\n .cfi_adjust_cfa_offset -8\n .cfi_restore r15\n",
            "pop r14\n .cfi_adjust_cfa_offset -8\n .cfi_restore r14\n",
            "pop r13\n .cfi_adjust_cfa_offset -8\n .cfi_restore r13\n",
            "pop r12\n .cfi_adjust_cfa_offset -8\n .cfi_restore r12\n",
            "pop rbp\n .cfi_adjust_cfa_offset -8\n .cfi_restore rbp\n",
            "pop rbx\n .cfi_adjust_cfa_offset -8\n .cfi_restore rbx\n",
            "9:\n ret\n",
            ".cfi_endproc\n",
        ),
        iv = sym IV,
    )
}
