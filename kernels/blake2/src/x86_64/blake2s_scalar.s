// compress(h: rdi, blocks: rsi, count: rdx >= 1, counter: rcx, step: r8)
//
// Stack: 0 v10, 4 v11, 16 h, 24 count, 32 counter, 40 step.

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
    karat_b2_rounds
    karat_b2_feed
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
