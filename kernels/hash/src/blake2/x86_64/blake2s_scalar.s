// compress(h: rdi, blocks: rsi, count: rdx >= 1, counter: rcx, step: r8)
//
// Stack: 0 v10, 4 v11, 16 h, 24 count, 32 counter, 40 step.

.macro karat_b2_do s:vararg
    karat_b2_round 4, 16,12,8,7, eax,ebx,ecx,edx, esi,edi,ebp,r8d, r9d,r10d,[rsp],[rsp+4], r11d,r12d,r13d,r14d, \s
.endm

    .cfi_startproc
    karat_b2_enter 56
    mov [rsp + 16], rdi
    mov [rsp + 24], rdx
    mov [rsp + 32], rcx
    mov [rsp + 40], r8
    mov r15, rsi

    mov r9, rdi
    mov eax, [r9]
    mov ebx, [r9 + 4]
    mov ecx, [r9 + 8]
    mov edx, [r9 + 12]
    mov esi, [r9 + 16]
    mov edi, [r9 + 20]
    mov ebp, [r9 + 24]
    mov r8d, [r9 + 28]

    .p2align 5
2:  // Rows a and b hold h; everything else is free here.
    mov r9, [rsp + 32]
    mov r11, [r9]
    add r11, [rsp + 40]
    mov [r9], r11
    mov r12, r11
    shr r12, 32
    mov r13d, [r9 + 8]
    mov r14d, [r9 + 12]
    // RFC 7693, 2.6: the initialisation vector.
    xor r11d, 0x510e527f
    xor r12d, 0x9b05688c
    xor r13d, 0x1f83d9ab
    xor r14d, 0x5be0cd19
    mov dword ptr [rsp], 0x3c6ef372
    mov dword ptr [rsp + 4], 0xa54ff53a
    mov r9d, 0x6a09e667
    mov r10d, 0xbb67ae85

    karat_b2_ten

    // h ^= v[0..8] ^ v[8..16]. Row b is last in the chain, so d meets h first.
    add r15, 64
    xor eax, r9d
    mov r9, [rsp + 16]
    xor ebx, r10d
    xor ecx, [rsp]
    xor edx, [rsp + 4]
    xor r11d, [r9 + 16]
    xor r12d, [r9 + 20]
    xor r13d, [r9 + 24]
    xor r14d, [r9 + 28]
    xor eax, [r9]
    xor ebx, [r9 + 4]
    xor ecx, [r9 + 8]
    xor edx, [r9 + 12]
    xor esi, r11d
    xor edi, r12d
    xor ebp, r13d
    xor r8d, r14d
    mov [r9], eax
    mov [r9 + 4], ebx
    mov [r9 + 8], ecx
    mov [r9 + 12], edx
    mov [r9 + 16], esi
    mov [r9 + 20], edi
    mov [r9 + 24], ebp
    mov [r9 + 28], r8d
    dec qword ptr [rsp + 24]
    jnz 2b

    karat_b2_leave 56
    .cfi_endproc
.purgem karat_b2_half
.purgem karat_b2_round
.purgem karat_b2_ten
.purgem karat_b2_do
.purgem karat_b2_enter
.purgem karat_b2_leave
