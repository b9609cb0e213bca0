// hash(start: rdi, message: rsi, length: rdx, digest: rcx, digest's length: r8,
// constants: r9): a message from its slice to the digest, the same in every build.
//
// A short block goes to the stack in one piece, so that loads of its words need not wait,
// and the digest goes to its place in one piece: who reads it may do so in any.

    .cfi_startproc
    vmovdqu xmm10, [rdi]
    vmovdqu xmm11, [rdi + 16]
    vmovdqa xmm12, [r9]
    vmovdqa xmm13, [r9 + 16]
    mov r11, r8
    xor r10d, r10d
    sub rsp, 136
    .cfi_adjust_cfa_offset 136
    cmp rdx, 64
    jbe 2f
    // All blocks but the last, which has 1 to 64 bytes.
    lea rax, [rdx - 1]
    mov rdi, rax
    and rdi, -64
    shr rax, 6
    sub rdx, rdi
    mov rdi, rdx
    mov rdx, rax
    mov r8d, 64
    call {blocks}
    mov rdx, rdi
2:  // The flag of the last block.
    mov eax, 0x1f83d9ab ^ 0xffffffff
    vpinsrd xmm13, xmm13, eax, 2
    mov r8, rdx
    cmp rdx, 64
    je 4f
    lea rax, [rsp + 63]
    and rax, -64
    vpxor xmm0, xmm0, xmm0
    test rdx, rdx
    jz 3f
    mov rdi, -1
    bzhi rdi, rdi, rdx
    kmovq k1, rdi
    vmovdqu8 zmm0{{k1}}{{z}}, [rsi]
3:
    vmovdqa64 [rax], zmm0
    mov rsi, rax
4:
    mov edx, 1
    call {blocks}
    add rsp, 136
    .cfi_adjust_cfa_offset -136
    cmp r11, 32
    jne 5f
    vinserti128 ymm10, ymm10, xmm11, 1
    vmovdqu [rcx], ymm10
    vzeroupper
    ret
5:
    cmp r11, 16
    jb 6f
    vmovdqu [rcx], xmm10
    vmovdqa xmm10, xmm11
    add rcx, 16
6:
    karat_b2_rest rcx, r11d
    vzeroupper
    ret
    .cfi_endproc
.purgem karat_b2_rest
