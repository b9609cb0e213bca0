// compress(h: rdi, blocks: rsi, count: rdx >= 1, counter: rcx, step: r8)
//
// Stack: 0 v10, 8 v11, 16 h, 24 count, 32 counter, 40 step.

.macro karat_b2_do s:vararg
    karat_b2_round 8, 32,24,16,63, rax,rbx,rcx,rdx, rsi,rdi,rbp,r8, r9,r10,[rsp],[rsp+8], r11,r12,r13,r14, \s
.endm

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
    // RFC 7693, 2.6: the initialisation vector.
    movabs r10, 0x510e527fade682d1
    xor r11, r10
    movabs r10, 0x9b05688c2b3e6c1f
    xor r12, r10
    movabs r10, 0x1f83d9abfb41bd6b
    xor r13, r10
    movabs r10, 0x5be0cd19137e2179
    xor r14, r10
    movabs r10, 0x3c6ef372fe94f82b
    mov [rsp], r10
    movabs r10, 0xa54ff53a5f1d36f1
    mov [rsp + 8], r10
    movabs r9, 0x6a09e667f3bcc908
    movabs r10, 0xbb67ae8584caa73b

    karat_b2_ten
    karat_b2_do 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    karat_b2_do 14,10,4,8,9,15,13,6,1,12,0,2,11,7,5,3

    // h ^= v[0..8] ^ v[8..16]. Row b is last in the chain, so d meets h first.
    sub r15, -128
    xor rax, r9
    mov r9, [rsp + 16]
    xor rbx, r10
    xor rcx, [rsp]
    xor rdx, [rsp + 8]
    xor r11, [r9 + 32]
    xor r12, [r9 + 40]
    xor r13, [r9 + 48]
    xor r14, [r9 + 56]
    xor rax, [r9]
    xor rbx, [r9 + 8]
    xor rcx, [r9 + 16]
    xor rdx, [r9 + 24]
    xor rsi, r11
    xor rdi, r12
    xor rbp, r13
    xor r8, r14
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
.purgem karat_b2_half
.purgem karat_b2_round
.purgem karat_b2_ten
.purgem karat_b2_do
.purgem karat_b2_enter
.purgem karat_b2_leave
