// hash(start: rdi, message: rsi, length: rdx, digest: rcx, digest's length: r8,
// constants: r9).
//
// `{blocks}` is SSE4.1's text or AVX2's.
//
// Stack: 0 the last block, 64 the state.

    .cfi_startproc
    karat_b2_enter 104
    mov rbx, r9
    mov r15, rsi
    mov r9, rdx
    xor edx, edx
    cmp r9, 64
    jbe 2f
    // All blocks but the last, which has 1 to 64 bytes.
    lea rdx, [r9 - 1]
    mov rax, rdx
    and rax, -64
    shr rdx, 6
    add r15, rax
    sub r9, rax
2:
    mov eax, r9d
    cmp r9d, 64
    je 3f
    karat_b2_pad 64, 0
3:
    mov r9, rbx
    movdqu xmm10, [rdi]
    movdqu xmm11, [rdi + 16]
    movdqa xmm12, [r9]
    movdqa xmm13, [r9 + 16]
    xor r10d, r10d
    mov rdi, r8
    test rdx, rdx
    jz 4f
    mov r8d, 64
    call {blocks}
4:  // The flag of the last block.
    pxor xmm0, xmm0
    pcmpeqd xmm1, xmm1
    pblendw xmm0, xmm1, 0x30
    pxor xmm13, xmm0
    mov r8d, eax
    mov rsi, r15
    mov edx, 1
    call {blocks}
    cmp rdi, 32
    jne 5f
    movdqu [rcx], xmm10
    movdqu [rcx + 16], xmm11
    jmp 6f
5:
    movdqu [rsp + 64], xmm10
    movdqu [rsp + 80], xmm11
    mov r10, rcx
    mov r11, rdi
    karat_b2_digest 4, r9d, 64
6:
    karat_b2_leave 104
    .cfi_endproc
.purgem karat_b2_pad
.purgem karat_b2_digest
