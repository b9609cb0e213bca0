// message(start: rdi, message: rsi, length: rdx, digest: rcx, digest's length: r8)
//
// Stack: 0 v10, 4 v11, 16 state before the block, 24 where the last block begins,
// 32 counter, 40 flag, 48 digest, 56 its length, 64 h, 96 the last block,
// 160 the message's length.
//
// Limits: as blake2b_message.s; 64 bytes are a whole block, without padding, and take
// 5 % longer than one inside of a long message.

// Puts rows a and b to h.
.macro karat_b2_keep
    mov [rsp + 64], eax
    mov [rsp + 68], ebx
    mov [rsp + 72], ecx
    mov [rsp + 76], edx
    mov [rsp + 80], esi
    mov [rsp + 84], edi
    mov [rsp + 88], ebp
    mov [rsp + 92], r8d
.endm

    .cfi_startproc
    karat_b2_enter 168
    mov [rsp + 16], rdi
    mov qword ptr [rsp + 32], 0
    mov qword ptr [rsp + 40], 0
    mov [rsp + 48], rcx
    mov [rsp + 56], r8
    mov r15, rsi
    mov r9, rdx

    mov eax, [rdi]
    mov ebx, [rdi + 4]
    mov ecx, [rdi + 8]
    mov edx, [rdi + 12]
    mov esi, [rdi + 16]
    mov ebp, [rdi + 24]
    mov r8d, [rdi + 28]
    mov edi, [rdi + 20]
    cmp r9, 64
    jbe 4f
    lea r10, [r9 - 1]
    and r10, -64
    add r10, r15
    mov [rsp + 160], r9
    mov [rsp + 24], r10
    lea r10, [rsp + 64]
    mov [rsp + 16], r10

    .p2align 5
2:  // Not the last block. Rows a and b hold h.
    karat_b2_keep
    add qword ptr [rsp + 32], 64
3:
    mov r11, [rsp + 32]
    mov r12, r11
    shr r12, 32
    mov r13d, [rsp + 40]
    xor r14d, r14d
    karat_b2_rounds
    karat_b2_feed
    cmp dword ptr [rsp + 40], 0
    jne 5f
    cmp r15, [rsp + 24]
    jb 2b
    karat_b2_keep
    mov r9, [rsp + 160]
    sub r9, [rsp + 32]

4:  // The last block: the 0 to 64 bytes that are left, r9 of them.
    add [rsp + 32], r9
    mov dword ptr [rsp + 40], -1
    cmp r9, 64
    je 3b
    karat_b2_pad 64, 96
    jmp 3b

5:  // The digest.
    mov r10, [rsp + 48]
    mov r11, [rsp + 56]
    cmp r11, 32
    jne 6f
    // Two words at once, so that who reads it by 8 bytes finds them in one store.
    shl rbx, 32
    shl rdx, 32
    shl rdi, 32
    shl r8, 32
    or rax, rbx
    or rcx, rdx
    or rsi, rdi
    or rbp, r8
    mov [r10], rax
    mov [r10 + 8], rcx
    mov [r10 + 16], rsi
    mov [r10 + 24], rbp
    jmp 7f
6:
    karat_b2_keep
    karat_b2_digest 4, r9d, 64
7:
    karat_b2_leave 168
    .cfi_endproc
.purgem karat_b2_keep
.purgem karat_b2_pad
.purgem karat_b2_digest
