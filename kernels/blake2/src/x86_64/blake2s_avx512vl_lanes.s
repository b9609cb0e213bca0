// BLAKE2s: sixteen lanes as two groups of eight in ymm, for CPUs that make an
// operation of 512 bits in two passes.
//
// blocks(rows: rdi, blocks: rsi >= 1, stride: rdx, plan: rcx, at: r8, row: r9): whole
// blocks, none of which is a message's last. rdi is the first of sixteen lanes in the
// rows of a `Batch` (batch.rs), r8 their addresses, r9 the bytes of a row, 64 or 128.
// Counters and addresses move on. rcx, rdx, rdi and r9 stay.
//
// Limit on Zen 4 (docs/notes/blake2.md): 2,240 operations a block of sixteen lanes, four
// at once: 560 cycles. The states fill the registers, so message words are operands in
// memory. General registers, which have nothing else to do, copy the next block's to
// their places meanwhile: loads that wait for a message stop nothing then.
//
// Stack: 0 and 1024 messages, 2048 states, 2560 counters, 2624 a block's length,
// 2688 words 13 to 15 of the first state.

// Half a quarter round on four columns of a group. m is the offset of its words, whose places
// are in rsi, rdi, r8 and r12.
.macro karat_b2_columns m, r1,r2, a0,a1,a2,a3, b0,b1,b2,b3, c0,c1,c2,c3, d0,d1,d2,d3
    vpaddd ymm\a0, ymm\a0, [r9 + rsi + \m]
    vpaddd ymm\a1, ymm\a1, [r9 + rdi + \m]
    vpaddd ymm\a2, ymm\a2, [r9 + r8 + \m]
    vpaddd ymm\a3, ymm\a3, [r9 + r12 + \m]
    vpaddd ymm\a0, ymm\a0, ymm\b0
    vpaddd ymm\a1, ymm\a1, ymm\b1
    vpaddd ymm\a2, ymm\a2, ymm\b2
    vpaddd ymm\a3, ymm\a3, ymm\b3
    vpxord ymm\d0, ymm\d0, ymm\a0
    vpxord ymm\d1, ymm\d1, ymm\a1
    vpxord ymm\d2, ymm\d2, ymm\a2
    vpxord ymm\d3, ymm\d3, ymm\a3
    vprord ymm\d0, ymm\d0, \r1
    vprord ymm\d1, ymm\d1, \r1
    vprord ymm\d2, ymm\d2, \r1
    vprord ymm\d3, ymm\d3, \r1
    vpaddd ymm\c0, ymm\c0, ymm\d0
    vpaddd ymm\c1, ymm\c1, ymm\d1
    vpaddd ymm\c2, ymm\c2, ymm\d2
    vpaddd ymm\c3, ymm\c3, ymm\d3
    vpxord ymm\b0, ymm\b0, ymm\c0
    vpxord ymm\b1, ymm\b1, ymm\c1
    vpxord ymm\b2, ymm\b2, ymm\c2
    vpxord ymm\b3, ymm\b3, ymm\c3
    vprord ymm\b0, ymm\b0, \r2
    vprord ymm\b1, ymm\b1, \r2
    vprord ymm\b2, ymm\b2, \r2
    vprord ymm\b3, ymm\b3, \r2
.endm

// The places of a round's message words number k, k + 2, k + 4, k + 6.
.macro karat_b2_words k
    movzx esi, word ptr [rcx + 2*\k]
    movzx edi, word ptr [rcx + 2*\k + 4]
    movzx r8d, word ptr [rcx + 2*\k + 8]
    movzx r12d, word ptr [rcx + 2*\k + 12]
.endm

// Copies half a block of the lane number n behind r11 and r10, if there are `copies`:
// bytes from o on, words from w on.
.macro karat_b2_copy copies, n, o, w
.if \copies
.if \o == 0
    mov rdx, [r11 + 8*\n]
    prefetcht0 [rdx + rbx + 256]
.endif
.irp i, 0, 1, 2, 3
    mov rax, [rdx + rbx + \o + 8*\i]
    mov [r10 + 64*\w + 128*\i + 4*\n], eax
    shr rax, 32
    mov [r10 + 64*\w + 128*\i + 64 + 4*\n], eax
.endr
.endif
.endm

// A round, and the copies of two lanes.
.macro karat_b2_turn copies
    karat_b2_words 0
    karat_b2_columns 0, 16,12, 0,1,2,3, 4,5,6,7, 8,9,10,11, 12,13,14,15
    karat_b2_columns 32, 16,12, 16,17,18,19, 20,21,22,23, 24,25,26,27, 28,29,30,31
    karat_b2_copy \copies, 0, 0, 0
    karat_b2_words 1
    karat_b2_columns 0, 8,7, 0,1,2,3, 4,5,6,7, 8,9,10,11, 12,13,14,15
    karat_b2_columns 32, 8,7, 16,17,18,19, 20,21,22,23, 24,25,26,27, 28,29,30,31
    karat_b2_copy \copies, 0, 32, 8
    karat_b2_words 8
    karat_b2_columns 0, 16,12, 0,1,2,3, 5,6,7,4, 10,11,8,9, 15,12,13,14
    karat_b2_columns 32, 16,12, 16,17,18,19, 21,22,23,20, 26,27,24,25, 31,28,29,30
    karat_b2_copy \copies, 1, 0, 0
    karat_b2_words 9
    karat_b2_columns 0, 8,7, 0,1,2,3, 5,6,7,4, 10,11,8,9, 15,12,13,14
    karat_b2_columns 32, 8,7, 16,17,18,19, 21,22,23,20, 26,27,24,25, 31,28,29,30
    karat_b2_copy \copies, 1, 32, 8
.endm

// A row of the states, to the stack and to a register of each group.
.macro karat_b2_take i, j
    vmovdqa64 zmm31, [rax]
    vmovdqa64 [rsp + 2048 + 64*\i], zmm31
    vmovdqa ymm\i, [rax]
    vmovdqa32 ymm\j, [rax + 32]
    add rax, r10
.endm

// h ^= v[i] ^ v[i + 8].
.macro karat_b2_folded lo, hi, at
    vpternlogd ymm\lo, ymm\hi, [rsp + 2048 + \at], 0x96
    vmovdqa32 [rsp + 2048 + \at], ymm\lo
.endm

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
    push rdi
    push rdx
    push rcx
    push r9
    mov rax, rsi
    imul rax, rdx
    push rax
    push rsi
    and rsp, -64
    sub rsp, 2880

    // The first block, by general registers too.
    mov r11, r8
    mov r10, rsp
    mov ebx, 16
5:  mov rsi, [r8]
.irp i, 0, 1, 2, 3, 4, 5, 6, 7
    mov rax, [rsi + 8*\i]
    mov [r10 + 128*\i], eax
    shr rax, 32
    mov [r10 + 128*\i + 64], eax
.endr
    add r8, 8
    add r10, 4
    dec ebx
    jnz 5b
    mov r10, r9

    mov rax, rdi
    karat_b2_take 0, 16
    karat_b2_take 1, 17
    karat_b2_take 2, 18
    karat_b2_take 3, 19
    karat_b2_take 4, 20
    karat_b2_take 5, 21
    karat_b2_take 6, 22
    karat_b2_take 7, 23
    vmovdqa64 zmm31, [rax]
    vmovdqa64 [rsp + 2560], zmm31
    vpbroadcastd zmm29, [rcx + 20]
    vpbroadcastd zmm30, [rcx + 24]
    vpbroadcastd zmm31, [rcx + 28]
    lea rax, [rax + 2*r10]
    vpxord zmm29, zmm29, [rax]
    vpxord zmm30, zmm30, [rax + r10]
    add rax, r10
    vpxord zmm31, zmm31, [rax + 2*r10]
    vmovdqa64 [rsp + 2688], zmm29
    vmovdqa64 [rsp + 2752], zmm30
    vmovdqa64 [rsp + 2816], zmm31
    mov eax, 64
    vpbroadcastd zmm31, eax
    vmovdqa64 [rsp + 2624], zmm31

    xor ebx, ebx
    lea r9, [rsp + 1024]
    mov r10, rsp
    .p2align 6
2:  // While a block at r9 is compressed, the next one goes to r10. The last block is
    // copied as its own successor.
    xchg r9, r10
    mov rax, [rbp - 40]
    add rax, rbx
    cmp qword ptr [rbp - 72], 1
    cmovne rbx, rax
    mov rcx, [rbp - 48]
    vpbroadcastd ymm12, [rcx + 16]
    vpxord ymm28, ymm12, [rsp + 2560 + 32]
    vpxord ymm12, ymm12, [rsp + 2560]
    vmovdqa64 zmm13, [rsp + 2560]
    vpaddd zmm13, zmm13, [rsp + 2624]
    vmovdqa64 [rsp + 2560], zmm13
    vmovdqa ymm13, [rsp + 2688]
    vmovdqa ymm14, [rsp + 2752]
    vmovdqa ymm15, [rsp + 2816]
    vmovdqa32 ymm29, [rsp + 2688 + 32]
    vmovdqa32 ymm30, [rsp + 2752 + 32]
    vmovdqa32 ymm31, [rsp + 2816 + 32]
    vpbroadcastd ymm8, [rcx]
    vpbroadcastd ymm9, [rcx + 4]
    vpbroadcastd ymm10, [rcx + 8]
    vpbroadcastd ymm11, [rcx + 12]
    vpbroadcastd ymm24, [rcx]
    vpbroadcastd ymm25, [rcx + 4]
    vpbroadcastd ymm26, [rcx + 8]
    vpbroadcastd ymm27, [rcx + 12]
    add rcx, 32
    lea r13, [rcx + 256]
    .p2align 5
3:
    karat_b2_turn 1
    add rcx, 32
    add r11, 16
    add r10, 8
    cmp rcx, r13
    jne 3b
    sub r11, 128
    sub r10, 64
    add r13, 64
    .p2align 5
4:
    karat_b2_turn 0
    add rcx, 32
    cmp rcx, r13
    jne 4b
    karat_b2_folded 0, 8, 0
    karat_b2_folded 1, 9, 64
    karat_b2_folded 2, 10, 128
    karat_b2_folded 3, 11, 192
    karat_b2_folded 4, 12, 256
    karat_b2_folded 5, 13, 320
    karat_b2_folded 6, 14, 384
    karat_b2_folded 7, 15, 448
    karat_b2_folded 16, 24, 32
    karat_b2_folded 17, 25, 64 + 32
    karat_b2_folded 18, 26, 128 + 32
    karat_b2_folded 19, 27, 192 + 32
    karat_b2_folded 20, 28, 256 + 32
    karat_b2_folded 21, 29, 320 + 32
    karat_b2_folded 22, 30, 384 + 32
    karat_b2_folded 23, 31, 448 + 32
    dec qword ptr [rbp - 72]
    jnz 2b

    mov rax, [rbp - 32]
    mov r10, [rbp - 56]
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8
    vmovdqa64 zmm0, [rsp + 2048 + 64*\i]
    vmovdqa64 [rax], zmm0
    add rax, r10
.endr
    vpbroadcastq zmm0, [rbp - 64]
    vpaddq zmm1, zmm0, [r11]
    vpaddq zmm0, zmm0, [r11 + 64]
    vmovdqa64 [r11], zmm1
    vmovdqa64 [r11 + 64], zmm0
    lea rsp, [rbp - 56]
    pop r9
    pop rcx
    pop rdx
    pop rdi
    pop r13
    .cfi_restore r13
    pop r12
    .cfi_restore r12
    pop rbx
    .cfi_restore rbx
    pop rbp
    .cfi_def_cfa rsp, 8
    ret
    .cfi_endproc
.purgem karat_b2_columns
.purgem karat_b2_words
.purgem karat_b2_copy
.purgem karat_b2_turn
.purgem karat_b2_take
.purgem karat_b2_folded
