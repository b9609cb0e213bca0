// hash(start: rdi, message: rsi, length: rdx, digest: rcx, digest's length: r8,
// constants: r9): as blake2s_rows_shifts_hash.s.

    .cfi_startproc
    vmovdqu ymm10, [rdi]
    vmovdqu ymm11, [rdi + 32]
    vmovdqa ymm12, [r9]
    vmovdqa ymm13, [r9 + 32]
    mov r9, r8
    xor r10d, r10d
    xor r11d, r11d
    sub rsp, 200
    .cfi_adjust_cfa_offset 200
    cmp rdx, 128
    jbe 2f
    // All blocks but the last, which has 1 to 128 bytes.
    lea rax, [rdx - 1]
    mov rdi, rax
    and rdi, -128
    shr rax, 7
    sub rdx, rdi
    mov rdi, rdx
    mov rdx, rax
    mov r8d, 128
    call {blocks}
    mov rdx, rdi
2:  // The flag of the last block.
    movabs rax, 0x1f83d9abfb41bd6b ^ 0xffffffffffffffff
    vpbroadcastq ymm0, rax
    vpblendd ymm13, ymm13, ymm0, 0x30
    mov r8, rdx
    cmp rdx, 128
    je 5f
    lea rax, [rsp + 63]
    and rax, -64
    mov rdi, -1
    vpxor xmm0, xmm0, xmm0
    vpxor xmm1, xmm1, xmm1
    sub rdx, 64
    jbe 3f
    bzhi rdx, rdi, rdx
    kmovq k1, rdx
    vmovdqu64 zmm0, [rsi]
    vmovdqu8 zmm1{{k1}}{{z}}, [rsi + 64]
    jmp 4f
3:
    test r8, r8
    jz 4f
    bzhi rdi, rdi, r8
    kmovq k1, rdi
    vmovdqu8 zmm0{{k1}}{{z}}, [rsi]
4:
    vmovdqa64 [rax], zmm0
    vmovdqa64 [rax + 64], zmm1
    mov rsi, rax
5:
    mov edx, 1
    call {blocks}
    add rsp, 200
    .cfi_adjust_cfa_offset -200
    cmp r9, 32
    jne 6f
    vmovdqu [rcx], ymm10
    vzeroupper
    ret
6:
    vinserti64x4 zmm10, zmm10, ymm11, 1
    cmp r9, 64
    jne 7f
    vmovdqu64 [rcx], zmm10
    vzeroupper
    ret
7:
    cmp r9, 16
    jb 8f
    vmovdqu [rcx], xmm10
    valignq zmm10, zmm10, zmm10, 2
    add rcx, 16
    sub r9, 16
    jmp 7b
8:
    karat_b2_rest rcx, r9d
    vzeroupper
    ret
    .cfi_endproc
.purgem karat_b2_rest
