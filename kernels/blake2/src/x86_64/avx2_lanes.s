// BLAKE2 over many messages in ymm registers: 4 lanes of BLAKE2b, 8 of BLAKE2s.
//
// advance(batch: rdi, blocks: rsi >= 1, stride: rdx, constants: rcx). The layout
// of a batch is that of `Batch` in batch.rs, its rows have 32 bytes; the masks
// are not looked at. Constants: the initialisation vector, then the byte shuffles
// of the two rotations by whole bytes.
//
// Rows a, b and d are in ymm0..11, three words of row c in ymm12..14. The fourth is
// on the stack, except between a sum and the exclusive-or after it: so ymm15 is free
// when a rotation needs it, and the chains of all columns run side by side.
// Stack: 0 message, 512 the fourth word of row c, 544 the shuffles.

// Half a G on four columns: registers of rows a, b, c and d (the last column's c is
// on the stack), and places of message words.
// karat_b2_turn_d and karat_b2_turn_b rotate. karat_b2_hop is a jump, of karat_hash_core.
.macro karat_b2_half u, h, a0,a1,a2,a3, b0,b1,b2,b3, c0,c1,c2, d0,d1,d2,d3, s0,s1,s2,s3
    vpadd\u ymm\a0, ymm\a0, [rsp + 32*\s0]
    vpadd\u ymm\a1, ymm\a1, [rsp + 32*\s1]
    vpadd\u ymm\a2, ymm\a2, [rsp + 32*\s2]
    vpadd\u ymm\a3, ymm\a3, [rsp + 32*\s3]
    vpadd\u ymm\a0, ymm\a0, ymm\b0
    vpadd\u ymm\a1, ymm\a1, ymm\b1
    vpadd\u ymm\a2, ymm\a2, ymm\b2
    vpadd\u ymm\a3, ymm\a3, ymm\b3
    vpxor ymm\d0, ymm\d0, ymm\a0
    vpxor ymm\d1, ymm\d1, ymm\a1
    vpxor ymm\d2, ymm\d2, ymm\a2
    vpxor ymm\d3, ymm\d3, ymm\a3
    vmovdqa ymm15, [rsp + 512]
    karat_b2_turn_d\h \d0,\d1,\d2,\d3
    vpadd\u ymm\c0, ymm\c0, ymm\d0
    vpadd\u ymm\c1, ymm\c1, ymm\d1
    vpadd\u ymm\c2, ymm\c2, ymm\d2
    vpadd\u ymm15, ymm15, ymm\d3
    vpxor ymm\b0, ymm\b0, ymm\c0
    vpxor ymm\b1, ymm\b1, ymm\c1
    vpxor ymm\b2, ymm\b2, ymm\c2
    vpxor ymm\b3, ymm\b3, ymm15
    vmovdqa [rsp + 512], ymm15
    karat_b2_turn_b\h \b0,\b1,\b2,\b3
.endm

// Rotations of a row, by a shuffle of bytes at `from`, or by shifts.
.macro karat_b2_shuffle from, x0,x1,x2,x3
    vpshufb ymm\x0, ymm\x0, [rsp + \from]
    vpshufb ymm\x1, ymm\x1, [rsp + \from]
    vpshufb ymm\x2, ymm\x2, [rsp + \from]
    vpshufb ymm\x3, ymm\x3, [rsp + \from]
.endm
.macro karat_b2_shift1 u, left, right, x
    vpsll\u ymm15, ymm\x, \left
    vpsrl\u ymm\x, ymm\x, \right
    vpor ymm\x, ymm\x, ymm15
.endm
.macro karat_b2_shift u, left, right, x0,x1,x2,x3
    karat_b2_shift1 \u, \left, \right, \x0
    karat_b2_shift1 \u, \left, \right, \x1
    karat_b2_shift1 \u, \left, \right, \x2
    karat_b2_shift1 \u, \left, \right, \x3
.endm

// The diagonals' columns are 0, 2, 3, 1: the fourth word of row c comes last.
.macro karat_b2_do u, s0,s1,s2,s3,s4,s5,s6,s7,s8,s9,s10,s11,s12,s13,s14,s15
    karat_b2_hop
    karat_b2_half \u, 1, 0,1,2,3, 4,5,6,7, 12,13,14, 8,9,10,11, \s0,\s2,\s4,\s6
    karat_b2_half \u, 2, 0,1,2,3, 4,5,6,7, 12,13,14, 8,9,10,11, \s1,\s3,\s5,\s7
    karat_b2_hop
    karat_b2_half \u, 1, 0,2,3,1, 5,7,4,6, 14,12,13, 11,9,10,8, \s8,\s12,\s14,\s10
    karat_b2_half \u, 2, 0,2,3,1, 5,7,4,6, 14,12,13, 11,9,10,8, \s9,\s13,\s15,\s11
.endm

// h ^= v[i] ^ v[i + 8]; `hi` is a register or a place.
.macro karat_b2_fold lo, hi, at
    vpxor ymm\lo, ymm\lo, \hi
    vpxor ymm\lo, ymm\lo, [rdi + 32*\at]
    vmovdqa [rdi + 32*\at], ymm\lo
.endm

// Around the rounds: karat_b2_gather transposes a block of every lane to rsp.
.macro karat_b2_lanes u, w, block, rounds
    .cfi_startproc
    push rbp
    .cfi_def_cfa_offset 16
    .cfi_offset rbp, -16
    mov rbp, rsp
    .cfi_def_cfa_register rbp
    and rsp, -32
    sub rsp, 608
    vmovdqu ymm0, [rcx + 8*\w]
    vmovdqu ymm1, [rcx + 8*\w + 32]
    vmovdqa [rsp + 544], ymm0
    vmovdqa [rsp + 576], ymm1
    .p2align 6
2:  // Counters and flags come in pairs: of the blocks before the last one, and
    // of the last one.
    xor r8d, r8d
    mov r9d, 32
    cmp rsi, 1
    cmove r8d, r9d
    karat_b2_gather
    vpbroadcast\u ymm12, [rcx + \w*0]
    vpbroadcast\u ymm13, [rcx + \w*1]
    vpbroadcast\u ymm14, [rcx + \w*2]
    vpbroadcast\u ymm15, [rcx + \w*3]
    vmovdqa [rsp + 512], ymm15
    vpbroadcast\u ymm8, [rcx + \w*4]
    vpbroadcast\u ymm9, [rcx + \w*5]
    vpbroadcast\u ymm10, [rcx + \w*6]
    vpbroadcast\u ymm11, [rcx + \w*7]
    vpxor ymm8, ymm8, [rdi + r8 + 32*8]
    vpxor ymm9, ymm9, [rdi + 32*10]
    vpxor ymm10, ymm10, [rdi + r8 + 32*11]
    vpxor ymm11, ymm11, [rdi + r8 + 32*13]
    vmovdqa ymm0, [rdi + 32*0]
    vmovdqa ymm1, [rdi + 32*1]
    vmovdqa ymm2, [rdi + 32*2]
    vmovdqa ymm3, [rdi + 32*3]
    vmovdqa ymm4, [rdi + 32*4]
    vmovdqa ymm5, [rdi + 32*5]
    vmovdqa ymm6, [rdi + 32*6]
    vmovdqa ymm7, [rdi + 32*7]
    karat_b2_do \u, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    karat_b2_do \u, 14,10,4,8,9,15,13,6,1,12,0,2,11,7,5,3
    karat_b2_do \u, 11,8,12,0,5,2,15,13,10,14,3,6,7,1,9,4
    karat_b2_do \u, 7,9,3,1,13,12,11,14,2,6,5,10,4,0,15,8
    karat_b2_do \u, 9,0,5,7,2,4,10,15,14,1,11,12,6,8,3,13
    karat_b2_do \u, 2,12,6,10,0,11,8,3,4,13,7,5,15,14,1,9
    karat_b2_do \u, 12,5,1,15,14,13,4,10,0,7,6,3,9,2,8,11
    karat_b2_do \u, 13,11,7,14,12,1,3,9,5,0,15,4,8,6,2,10
    karat_b2_do \u, 6,15,14,9,11,3,0,8,12,2,13,7,1,4,10,5
    karat_b2_do \u, 10,2,8,4,7,6,1,5,15,11,9,14,3,12,13,0
.if \rounds == 12
    karat_b2_do \u, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    karat_b2_do \u, 14,10,4,8,9,15,13,6,1,12,0,2,11,7,5,3
.endif
    karat_b2_fold 0, ymm12, 0
    karat_b2_fold 1, ymm13, 1
    karat_b2_fold 2, ymm14, 2
    karat_b2_fold 3, "[rsp + 512]", 3
    karat_b2_fold 4, ymm8, 4
    karat_b2_fold 5, ymm9, 5
    karat_b2_fold 6, ymm10, 6
    karat_b2_fold 7, ymm11, 7
    // Counters and places of the next block.
    mov eax, \block
    vmovd xmm0, eax
    vpbroadcast\u ymm0, xmm0
    vpadd\u ymm0, ymm0, [rdi + 32*8]
    vmovdqa [rdi + 32*8], ymm0
    vmovq xmm0, rdx
    vpbroadcastq ymm0, xmm0
.irp i, 0, 32
.if \i < 256/\w
    vpaddq ymm1, ymm0, [rdi + 32*15 + \i]
    vmovdqa [rdi + 32*15 + \i], ymm1
.endif
.endr
    dec rsi
    jnz 2b
    mov rsp, rbp
    pop rbp
    .cfi_def_cfa rsp, 8
    vzeroupper
    ret
    .cfi_endproc
.purgem karat_b2_half
.purgem karat_b2_shuffle
.purgem karat_b2_shift
.purgem karat_b2_shift1
.purgem karat_b2_do
.purgem karat_b2_hop
.purgem karat_b2_fold
.purgem karat_b2_gather
.purgem karat_b2_turn_d1
.purgem karat_b2_turn_b1
.purgem karat_b2_turn_d2
.purgem karat_b2_turn_b2
.purgem karat_b2_load
.endm
