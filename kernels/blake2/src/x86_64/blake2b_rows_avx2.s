// Blocks of BLAKE2b in ymm registers with AVX2, for blake2b_rows_compress.s and
// blake2b_rows_avx2_hash.s.
//
// rsi blocks, rdx count, r8 step, r9 constants, r10 and r11 counter before the first, ymm10
// and ymm11 h, ymm12 and ymm13 initialisation vector, the second half with the flags.
// rsi, r10, r11, ymm10 and ymm11 move on; rdx, ymm0 to ymm5, ymm14 and ymm15 are lost.

.macro karat_b2_turn which
.ifc \which, d1
    vpshufd ymm3, ymm3, 0xb1
.endif
.ifc \which, b1
    vpshufb ymm1, ymm1, ymm14
.endif
.ifc \which, d2
    vpshufb ymm3, ymm3, ymm15
.endif
.ifc \which, b2
    vpaddq ymm5, ymm1, ymm1
    vpsrlq ymm1, ymm1, 63
    vpor ymm1, ymm1, ymm5
.endif
.endm
    .cfi_startproc
    vmovdqa ymm14, [r9 + 64]
    vmovdqa ymm15, [r9 + 96]
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
    vpxor ymm0, ymm0, ymm2
    vpxor ymm3, ymm3, ymm11
    vpxor ymm10, ymm10, ymm0
    vpxor ymm11, ymm3, ymm1
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
