// Groups of messages of one length, from the slices to the digests: 4 lanes of
// BLAKE2b, 8 of BLAKE2s. See `Groups` in equal.rs.
//
// groups(batch: rdi, equal: rsi, messages: rdx, groups: rcx >= 1, out: r8)
//
// A message has 32 bytes or more, a digest 32, or 64. The last block, if it is short,
// goes to the stack in pieces of 32 bytes, as the lanes load it. The last piece is the
// last 32 bytes of the message, moved down. What is behind it stays zero for all groups.
//
// Registers: rbx equal, r12 messages, r13 groups, r14 out, r15 bytes in the last block.
// Stack: 0 last blocks, 512 and 544 the shuffles that move a last piece.

// karat_b2_digests: transposes the states at rdi and writes the digests of a group, of r9
// bytes each.
.macro karat_b2_groups u, w, block, shift
    .cfi_startproc
    push rbp
    .cfi_def_cfa_offset 16
    .cfi_offset rbp, -16
    mov rbp, rsp
    .cfi_def_cfa_register rbp
    push rbx
    .cfi_offset rbx, -24
    push r12
    .cfi_offset r12, -32
    push r13
    .cfi_offset r13, -40
    push r14
    .cfi_offset r14, -48
    push r15
    .cfi_offset r15, -56
    sub rsp, 600
    and rsp, -64
    mov rbx, rsi
    mov r12, rdx
    mov r13, rcx
    mov r14, r8
    // The counters of the first and the last block tell how long the last one is.
.if \w == 8
    mov r15, [rbx + {low} + 8]
    sub r15, [rbx + {low}]
.else
    mov r15d, [rbx + {low} + 4]
    sub r15d, [rbx + {low}]
.endif
    mov rax, [rbx + {blocks}]
    sub rax, 2
    shl rax, \shift
.if \w == 8
    sub r15, rax
.else
    sub r15d, eax
.endif
    // The same for all groups: high words and flags, zeros, shuffles.
    vpbroadcast\u ymm0, [rbx + {high}]
    vpxor xmm1, xmm1, xmm1
    vmovdqa [rdi + 32*10], ymm0
    vmovdqa [rdi + 32*11], ymm1
    vmovdqa [rdi + 32*13], ymm1
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    vmovdqa [rsp + 32*\i], ymm1
.endr
    mov eax, r15d
    and eax, 31
    lea rcx, [rip + {last} + 32]
    sub rcx, rax
    vbroadcasti128 ymm0, [rcx + 16]
    vbroadcasti128 ymm1, [rcx]
    vmovdqa [rsp + 512], ymm0
    vmovdqa [rsp + 544], ymm1
    .p2align 6
2:  // States, counters, addresses.
.irp i, 0, 1, 2, 3, 4, 5, 6, 7
    vpbroadcast\u ymm0, [rbx + \w*\i]
    vmovdqa [rdi + 32*\i], ymm0
.endr
    vpbroadcast\u ymm0, [rbx + {low}]
    vmovdqa [rdi + 32*8], ymm0
.irp i, 0, 1, 2, 3, 4, 5, 6, 7
.if \i < 32/\w
    mov rax, [r12 + {stride}*\i]
    mov [rdi + 32*15 + 8*\i], rax
.endif
.endr
    mov rsi, [rbx + {blocks}]
    cmp r15d, \block
    je 7f
    // Last blocks.
    lea r8, [rsi - 1]
    shl r8, \shift
    vmovdqa ymm2, [rsp + 512]
    vmovdqa ymm3, [rsp + 544]
    mov r10d, r15d
    and r10d, -32
    mov r9, rsp
    xor r11d, r11d
3:
    mov rax, [r12 + r11]
    add rax, r8
    xor ecx, ecx
    jmp 5f
4:
    vmovdqu ymm0, [rax + rcx]
    vmovdqa [r9 + rcx], ymm0
    add ecx, 32
5:
    cmp ecx, r10d
    jb 4b
    cmp ecx, r15d
    je 6f
    vmovdqu ymm0, [rax + r15 - 32]
    vperm2i128 ymm1, ymm0, ymm0, 0x81
    vpshufb ymm0, ymm0, ymm2
    vpshufb ymm1, ymm1, ymm3
    vpor ymm0, ymm0, ymm1
    vmovdqa [r9 + rcx], ymm0
6:
    add r9, \block
    add r11d, {stride}
    cmp r11d, {stride}*32/\w
    jne 3b
    dec rsi
    jz 6f
    // The blocks before them, of which none is a message's last.
    lea rax, [rsi - 1]
    shl rax, \shift
    add rax, [rbx + {low}]
    vmovq xmm0, rax
    vpbroadcast\u ymm0, xmm0
    vpxor xmm1, xmm1, xmm1
    vmovdqa [rdi + 32*9], ymm0
    vmovdqa [rdi + 32*12], ymm1
    vmovdqa [rdi + 32*14], ymm1
    mov edx, \block
    lea rcx, [rip + {constants}]
    call {kernel}
6:
.irp i, 0, 1, 2, 3, 4, 5, 6, 7
.if \i < 32/\w
    lea rax, [rsp + \block*\i]
    mov [rdi + 32*15 + 8*\i], rax
.endif
.endr
    mov esi, 1
7:  // To the last block.
    vpbroadcast\u ymm0, [rbx + {low} + \w]
    vpcmpeqd ymm1, ymm1, ymm1
    vpbroadcast\u ymm2, [rbx + {node}]
    vmovdqa [rdi + 32*9], ymm0
    vmovdqa [rdi + 32*12], ymm1
    vmovdqa [rdi + 32*14], ymm2
    mov edx, \block
    lea rcx, [rip + {constants}]
    call {kernel}
    mov r9, [rbx + {digest}]
    karat_b2_digests
    add r12, {stride}*32/\w
    dec r13
    jnz 2b
    vzeroupper
    lea rsp, [rbp - 40]
    pop r15
    .cfi_restore r15
    pop r14
    .cfi_restore r14
    pop r13
    .cfi_restore r13
    pop r12
    .cfi_restore r12
    pop rbx
    .cfi_restore rbx
    pop rbp
    .cfi_restore rbp
    .cfi_def_cfa rsp, 8
    ret
    .cfi_endproc
.purgem karat_b2_groups
.purgem karat_b2_digests
.endm
