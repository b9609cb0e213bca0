// What the two hashes of a whole message share. Rows a and b of the state
// (rax, rbx, rcx, rdx, rsi, rdi, rbp, r8) stay as they are.

// Copies the r9 bytes at r15, fewer than a block of `block` bytes, to rsp + `to`,
// with zeros up to a block after them; r15 then points there. No byte outside of
// the message is read.
//
// All stores are of whole words at multiples of 8: a load of a word then finds
// all of it in one store, and need not wait until the stores have left for the
// cache. So the bytes that fill no word are put together in a register.
.macro karat_b2_pad block, to
    pxor xmm0, xmm0
    lea r10, [rsp + \to]
.if \block == 128
    movups [r10 + 64], xmm0
    movups [r10 + 80], xmm0
    movups [r10 + 96], xmm0
    movups [r10 + 112], xmm0
    cmp r9d, 64
    jb 20f
    movups xmm0, [r15]
    movups xmm1, [r15 + 16]
    movups xmm2, [r15 + 32]
    movups xmm3, [r15 + 48]
    movups [r10], xmm0
    movups [r10 + 16], xmm1
    movups [r10 + 32], xmm2
    movups [r10 + 48], xmm3
    add r15, 64
    add r10, 64
    sub r9d, 64
    jz 29f
    jmp 22f
20:
.endif
    movups [r10], xmm0
    movups [r10 + 16], xmm0
    movups [r10 + 32], xmm0
    movups [r10 + 48], xmm0
22: // Fewer than 64 bytes. r11: those in whole words, first and last ones by moves
    // that may overlap.
    mov r11d, r9d
    and r11d, -8
    jz 26f
    cmp r11d, 16
    jb 24f
    cmp r11d, 32
    jb 23f
    movups xmm0, [r15]
    movups xmm1, [r15 + 16]
    movups xmm2, [r15 + r11 - 32]
    movups xmm3, [r15 + r11 - 16]
    movups [r10], xmm0
    movups [r10 + 16], xmm1
    movups [r10 + r11 - 32], xmm2
    movups [r10 + r11 - 16], xmm3
    jmp 25f
23:
    movups xmm0, [r15]
    movups xmm1, [r15 + r11 - 16]
    movups [r10], xmm0
    movups [r10 + r11 - 16], xmm1
    jmp 25f
24:
    mov r12, [r15]
    mov [r10], r12
25: // The last 1 to 7 bytes are the upper ones of the last 8.
    test r9d, 7
    jz 29f
    mov r12, [r15 + r9 - 8]
    mov r13, rcx
    mov ecx, r9d
    neg ecx
    shl ecx, 3
    shr r12, cl
    mov rcx, r13
    mov [r10 + r11], r12
    jmp 29f
26: // Fewer than 8 bytes: pieces that may overlap, each where it belongs.
    test r9d, r9d
    jz 29f
    mov r13, rcx
    cmp r9d, 4
    jb 27f
    mov r12d, [r15]
    mov r11d, [r15 + r9 - 4]
    lea ecx, [r9*8 - 32]
    shl r11, cl
    jmp 28f
27:
    movzx r12d, byte ptr [r15]
    mov r14d, r9d
    shr r14d, 1
    movzx r11d, byte ptr [r15 + r14]
    lea ecx, [r14*8]
    shl r11d, cl
    or r12d, r11d
    movzx r11d, byte ptr [r15 + r9 - 1]
    lea ecx, [r9*8 - 8]
    shl r11d, cl
28:
    or r12, r11
    mov rcx, r13
    mov [r10], r12
29:
    lea r15, [rsp + \to]
.endm

// Copies the first r11 bytes of the words at rsp + `h`, of `w` bytes each, to r10.
// word: r9 at that width. Word by word, for the reason above.
.macro karat_b2_digest w, word, h
    xor r12d, r12d
30:
    mov \word, [rsp + \h + r12]
    cmp r11, \w
    jb 32f
    mov [r10 + r12], \word
    add r12, \w
    sub r11, \w
    jmp 30b
32: // What fills no word.
.if \w == 8
    test r11d, 4
    jz 33f
    mov [r10 + r12], r9d
    shr r9, 32
    add r12, 4
33:
.endif
    test r11d, 2
    jz 34f
    mov [r10 + r12], r9w
    shr r9d, 16
    add r12, 2
34:
    test r11d, 1
    jz 35f
    mov [r10 + r12], r9b
35:
.endm
