// hash(start: rdi, message: rsi, length: rdx, digest: rcx, digest's length: r8,
// constants: r9).
//
// The last block is padded before any ymm register is written: moves of xmm registers by
// SSE's instructions cost much on some CPUs while upper halves are in use.
//
// Stack: the last block.

    .cfi_startproc
    karat_b2_enter 136
    mov rbx, r9
    mov r15, rsi
    mov r9, rdx
    xor edx, edx
    cmp r9, 128
    jbe 2f
    // All blocks but the last, which has 1 to 128 bytes.
    lea rdx, [r9 - 1]
    mov rax, rdx
    and rax, -128
    shr rdx, 7
    add r15, rax
    sub r9, rax
2:
    mov eax, r9d
    cmp r9d, 128
    je 3f
    karat_b2_pad 128, 0
3:
    mov r9, rbx
    vmovdqu xmm10, [rdi]
    vinserti128 ymm10, ymm10, [rdi + 16], 1
    vmovdqu xmm11, [rdi + 32]
    vinserti128 ymm11, ymm11, [rdi + 48], 1
    vmovdqa ymm12, [r9]
    vmovdqa ymm13, [r9 + 32]
    mov rdi, r8
    xor r10d, r10d
    xor r11d, r11d
    test rdx, rdx
    jz 4f
    mov r8d, 128
    call {blocks}
4:  // The flag of the last block.
    vpxor xmm0, xmm0, xmm0
    vpcmpeqd ymm1, ymm1, ymm1
    vpblendd ymm0, ymm0, ymm1, 0x30
    vpxor ymm13, ymm13, ymm0
    mov r8d, eax
    mov rsi, r15
    mov edx, 1
    call {blocks}
    cmp rdi, 32
    je 6f
    cmp rdi, 64
    jne 7f
    vmovdqu [rcx + 32], ymm11
6:
    vmovdqu [rcx], ymm10
    jmp 9f
7:
    cmp rdi, 16
    jb 8f
    vmovdqu [rcx], xmm10
    vperm2i128 ymm10, ymm10, ymm11, 0x21
    vextracti128 xmm11, ymm11, 1
    add rcx, 16
    sub rdi, 16
    jmp 7b
8:
    karat_b2_rest rcx, edi
9:
    vzeroupper
    karat_b2_leave 136
    .cfi_endproc
.purgem karat_b2_rest
.purgem karat_b2_pad
.purgem karat_b2_digest
