// compress(h: rdi, blocks: rsi, count: rdx >= 1, counter: rcx, step: r8)
//
// Stack: 0 v10, 8 v11, 16 h, 24 count, 32 counter, 40 step.

    .cfi_startproc
    karat_b2_enter 56
    mov [rsp + 16], rdi
    mov [rsp + 24], rdx
    mov [rsp + 32], rcx
    mov [rsp + 40], r8
    mov r15, rsi

    mov r9, rdi
    mov rax, [r9]
    mov rbx, [r9 + 8]
    mov rcx, [r9 + 16]
    mov rdx, [r9 + 24]
    mov rsi, [r9 + 32]
    mov rdi, [r9 + 40]
    mov rbp, [r9 + 48]
    mov r8, [r9 + 56]

    .p2align 5
2:  // Rows a and b hold h; everything else is free here.
    mov r9, [rsp + 32]
    mov r11, [r9]
    mov r12, [r9 + 8]
    add r11, [rsp + 40]
    adc r12, 0
    mov [r9], r11
    mov [r9 + 8], r12
    mov r13, [r9 + 16]
    mov r14, [r9 + 24]
    karat_b2_rounds
    karat_b2_feed
    mov [r9], rax
    mov [r9 + 8], rbx
    mov [r9 + 16], rcx
    mov [r9 + 24], rdx
    mov [r9 + 32], rsi
    mov [r9 + 40], rdi
    mov [r9 + 48], rbp
    mov [r9 + 56], r8
    dec qword ptr [rsp + 24]
    jnz 2b

    karat_b2_leave 56
    .cfi_endproc
