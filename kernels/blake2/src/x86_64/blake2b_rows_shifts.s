// Blocks of BLAKE2b in ymm registers, where a shift takes one cycle and a rotation two;
// see blake2s_rows_shifts.s. By 32 bits a shuffle turns them in one.
//
// rsi blocks, rdx count, r8 step, r10 and r11 counter before the first, ymm10 and ymm11 h,
// ymm12 and ymm13 initialisation vector, the second half with the flags.
// rsi, r10, r11, ymm10 and ymm11 move on; rdx and ymm0 to ymm7 are lost.

// x = turned ^ (y rotated right by \right, left by \left).
.macro karat_b2_turn x, turned, y, right, left
    vpsllq ymm6, \y, \left
    vpsrlq \x, \y, \right
    vpternlogq \x, \turned, ymm6, 0x96
.endm

.macro karat_b2_half h
    vpaddq ymm0, ymm0, ymm4
    vpaddq ymm0, ymm0, ymm1
.if \h == 1
    vprorq ymm7, ymm1, 24
    vpxor ymm3, ymm3, ymm0
    vpshufd ymm3, ymm3, 0xb1
    vpaddq ymm2, ymm2, ymm3
    karat_b2_turn ymm1, ymm7, ymm2, 24, 40
.else
    vprorq ymm5, ymm3, 16
    vprorq ymm7, ymm1, 63
    karat_b2_turn ymm3, ymm5, ymm0, 16, 48
    vpaddq ymm2, ymm2, ymm3
    karat_b2_turn ymm1, ymm7, ymm2, 63, 1
.endif
.endm

    .cfi_startproc
    .p2align 4
2:
    add r10, r8
    adc r11, 0
    vmovq xmm3, r10
    vpinsrq xmm3, xmm3, r11, 1
    vpxor ymm3, ymm3, ymm13
    vmovdqa ymm0, ymm10
    vmovdqa ymm1, ymm11
    vmovdqa ymm2, ymm12
    karat_b2_ten
    karat_b2_do 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    karat_b2_do 14,10,4,8,9,15,13,6,1,12,0,2,11,7,5,3
    sub rsi, -128
    vpternlogq ymm10, ymm0, ymm2, 0x96
    vpxor ymm11, ymm11, ymm3
    vpxor ymm11, ymm11, ymm1
    dec rdx
    jnz 2b
    ret
    .cfi_endproc
.purgem karat_b2_do
.purgem karat_b2_ten
.purgem karat_b2_words
.purgem karat_b2_half
.purgem karat_b2_rows
.purgem karat_b2_turn
