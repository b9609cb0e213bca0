// compress(h: rdi, blocks: rsi, count: rdx >= 1, counter: rcx, step: r8)
//
// Stack: 0 message, 64 v9, 68 v11, 80 h, 88 blocks, 96 count, 104 counter,
// 112 step.

.macro karat_b2_do s:vararg
    karat_b2_round 4, 16,12,8,7, eax,ebx,ecx,edx, esi,edi,ebp,r8d, r9d,r10d,r11d, r12d,r13d,r14d,r15d, \s
.endm

    .cfi_startproc
    karat_b2_enter 120
    mov [rsp + 80], rdi
    mov [rsp + 88], rsi
    mov [rsp + 96], rdx
    mov [rsp + 104], rcx
    mov [rsp + 112], r8

    mov r9, rdi
    mov eax, [r9]
    mov ebx, [r9 + 4]
    mov ecx, [r9 + 8]
    mov edx, [r9 + 12]
    mov esi, [r9 + 16]
    mov edi, [r9 + 20]
    mov ebp, [r9 + 24]
    mov r8d, [r9 + 28]

    .p2align 4
2:  // The chain holds h in rows a and b; everything else is free here.
    mov r9, [rsp + 88]
.irp i, 0, 16, 32, 48
    movups xmm0, [r9 + \i]
    movaps [rsp + \i], xmm0
.endr
    add r9, 64
    mov [rsp + 88], r9
    mov r9, [rsp + 104]
    mov r12, [r9]
    add r12, [rsp + 112]
    mov [r9], r12
    mov r13, r12
    shr r13, 32
    mov r14d, [r9 + 8]
    mov r15d, [r9 + 12]
    // RFC 7693, 2.6: the initialisation vector.
    xor r12d, 0x510e527f
    xor r13d, 0x9b05688c
    xor r14d, 0x1f83d9ab
    xor r15d, 0x5be0cd19
    mov dword ptr [rsp + 68], 0xa54ff53a
    mov r9d, 0x6a09e667
    mov r10d, 0xbb67ae85
    mov r11d, 0x3c6ef372

    karat_b2_ten

    // h ^= v[0..8] ^ v[8..16]. Row b is last in the chain, so d meets h first.
    xor eax, r9d
    mov r9, [rsp + 80]
    xor ebx, r10d
    xor ecx, r11d
    xor edx, [rsp + 68]
    xor eax, [r9]
    xor ebx, [r9 + 4]
    xor ecx, [r9 + 8]
    xor edx, [r9 + 12]
    xor r12d, [r9 + 16]
    xor r13d, [r9 + 20]
    xor r14d, [r9 + 24]
    xor r15d, [r9 + 28]
    xor esi, r12d
    xor edi, r13d
    xor ebp, r14d
    xor r8d, r15d
    mov [r9], eax
    mov [r9 + 4], ebx
    mov [r9 + 8], ecx
    mov [r9 + 12], edx
    mov [r9 + 16], esi
    mov [r9 + 20], edi
    mov [r9 + 24], ebp
    mov [r9 + 28], r8d
    dec qword ptr [rsp + 96]
    jnz 2b

    karat_b2_leave 120
    .cfi_endproc
.purgem karat_b2_pair
.purgem karat_b2_round
.purgem karat_b2_ten
.purgem karat_b2_do
.purgem karat_b2_enter
.purgem karat_b2_leave
