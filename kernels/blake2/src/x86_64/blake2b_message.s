// message(start: rdi, message: rsi, length: rdx, digest: rcx, digest's length: r8)
//
// Stack: 0 v10, 8 v11, 16 state before the block, 24 where the last block begins,
// 32 counter, 40 flag, 48 digest, 56 its length, 64 h, 128 the last block,
// 256 the message's length.
//
// Limits on Zen 5: scalar.s's for the rounds. A message of 64 bytes takes 7 % longer
// than a block inside of a long one, some 22 cycles, for about 110 operations round
// the rounds.

// Puts rows a and b to h.
.macro karat_b2_keep
    mov [rsp + 64], rax
    mov [rsp + 72], rbx
    mov [rsp + 80], rcx
    mov [rsp + 88], rdx
    mov [rsp + 96], rsi
    mov [rsp + 104], rdi
    mov [rsp + 112], rbp
    mov [rsp + 120], r8
.endm

    .cfi_startproc
    karat_b2_enter 264
    mov [rsp + 16], rdi
    mov qword ptr [rsp + 32], 0
    mov qword ptr [rsp + 40], 0
    mov [rsp + 48], rcx
    mov [rsp + 56], r8
    mov r15, rsi
    mov r9, rdx

    mov rax, [rdi]
    mov rbx, [rdi + 8]
    mov rcx, [rdi + 16]
    mov rdx, [rdi + 24]
    mov rsi, [rdi + 32]
    mov rbp, [rdi + 48]
    mov r8, [rdi + 56]
    mov rdi, [rdi + 40]
    cmp r9, 128
    jbe 4f
    lea r10, [r9 - 1]
    and r10, -128
    add r10, r15
    mov [rsp + 256], r9
    mov [rsp + 24], r10
    lea r10, [rsp + 64]
    mov [rsp + 16], r10

    .p2align 5
2:  // Not the last block. Rows a and b hold h.
    karat_b2_keep
    add qword ptr [rsp + 32], 128
3:  // No message has 2^64 bytes: the counter's high word is 0.
    mov r11, [rsp + 32]
    xor r12d, r12d
    mov r13, [rsp + 40]
    xor r14d, r14d
    karat_b2_rounds
    karat_b2_feed
    cmp dword ptr [rsp + 40], 0
    jne 5f
    cmp r15, [rsp + 24]
    jb 2b
    karat_b2_keep
    mov r9, [rsp + 256]
    sub r9, [rsp + 32]

4:  // The last block: the 0 to 128 bytes that are left, r9 of them.
    add [rsp + 32], r9
    mov qword ptr [rsp + 40], -1
    cmp r9, 128
    je 3b
    karat_b2_pad 128, 128
    jmp 3b

5:  // The digest.
    mov r10, [rsp + 48]
    mov r11, [rsp + 56]
    cmp r11, 32
    je 7f
    cmp r11, 64
    jne 6f
    mov [r10 + 32], rsi
    mov [r10 + 40], rdi
    mov [r10 + 48], rbp
    mov [r10 + 56], r8
    jmp 7f
6:
    karat_b2_keep
    karat_b2_digest 8, r9, 64
    jmp 8f
7:
    mov [r10], rax
    mov [r10 + 8], rbx
    mov [r10 + 16], rcx
    mov [r10 + 24], rdx
8:
    karat_b2_leave 264
    .cfi_endproc
.purgem karat_b2_keep
.purgem karat_b2_pad
.purgem karat_b2_digest
