// Blocks of BLAKE2b in ymm registers with AVX2, for blake2b_rows_compress.s and
// blake2b_rows_avx2_hash.s.
//
// rsi blocks, rdx count, r8 step, r9 constants, r10 and r11 counter before the first, ymm10
// and ymm11 h, ymm12 and ymm13 initialisation vector, the second half with the flags.
// rsi, r10, r11, ymm10 and ymm11 move on; rdx, ymm0 to ymm8, ymm14 and ymm15 are lost.

// A round in the order that a search found: Zen 3 gives an operation its unit long before it
// begins, so the order decides what waits. Rows a, c and d turn for the diagonals, as in
// rows.s. Row d turns by vperm2i128, which takes three cycles there where vpermq takes six:
// that is what makes room for another order (docs/notes/blake2.md).
.macro karat_b2_do s0,s1,s2,s3,s4,s5,s6,s7,s8,s9,s10,s11,s12,s13,s14,s15
    vmovq xmm4, qword ptr [rsi + 8*\s4]
    vmovq xmm5, qword ptr [rsi + 8*\s0]
    vmovq xmm6, qword ptr [rsi + 8*\s14]
    vmovq xmm7, qword ptr [rsi + 8*\s10]
    vmovq xmm8, qword ptr [rsi + 8*\s5]
    vmovhps xmm4, xmm4, [rsi + 8*\s6]
    vmovhps xmm5, xmm5, [rsi + 8*\s2]
    vinserti128 ymm4, ymm5, xmm4, 1
    vpaddq ymm0, ymm0, ymm4
    vmovhps xmm8, xmm8, [rsi + 8*\s7]
    vmovq xmm4, qword ptr [rsi + 8*\s1]
    vmovq xmm5, qword ptr [rsi + 8*\s15]
    vpaddq ymm0, ymm0, ymm1
    vpxor ymm3, ymm3, ymm0
    vpshufd ymm3, ymm3, 0xb1
    vpaddq ymm2, ymm2, ymm3
    vpxor ymm1, ymm1, ymm2
    vpshufb ymm1, ymm1, ymm14
    vmovhps xmm4, xmm4, [rsi + 8*\s3]
    vinserti128 ymm8, ymm4, xmm8, 1
    vpaddq ymm0, ymm0, ymm8
    vpaddq ymm0, ymm0, ymm1
    vpxor ymm3, ymm3, ymm0
    vpermq ymm0, ymm0, 0x93
    vpshufb ymm3, ymm3, ymm15
    vpaddq ymm2, ymm2, ymm3
    vmovhps xmm7, xmm7, [rsi + 8*\s12]
    vpxor ymm1, ymm1, ymm2
    vperm2i128 ymm3, ymm3, ymm3, 1
    vpaddq ymm8, ymm1, ymm1
    vpsrlq ymm1, ymm1, 63
    vpxor ymm1, ymm1, ymm8
    vpermq ymm2, ymm2, 0x39
    vmovhps xmm6, xmm6, [rsi + 8*\s8]
    vinserti128 ymm7, ymm6, xmm7, 1
    vmovhps xmm5, xmm5, [rsi + 8*\s9]
    vpaddq ymm0, ymm0, ymm7
    vpaddq ymm0, ymm0, ymm1
    vpxor ymm3, ymm3, ymm0
    vpshufd ymm3, ymm3, 0xb1
    vmovq xmm7, qword ptr [rsi + 8*\s11]
    vmovhps xmm7, xmm7, [rsi + 8*\s13]
    vinserti128 ymm7, ymm5, xmm7, 1
    vpaddq ymm0, ymm0, ymm7
    vpaddq ymm2, ymm2, ymm3
    vpxor ymm1, ymm1, ymm2
    vpshufb ymm1, ymm1, ymm14
    vpaddq ymm0, ymm0, ymm1
    vpxor ymm3, ymm3, ymm0
    vpshufb ymm3, ymm3, ymm15
    vpermq ymm0, ymm0, 0x39
    vpaddq ymm2, ymm2, ymm3
    vpxor ymm1, ymm1, ymm2
    vperm2i128 ymm3, ymm3, ymm3, 1
    vpaddq ymm7, ymm1, ymm1
    vpsrlq ymm1, ymm1, 63
    vpxor ymm1, ymm1, ymm7
    vpermq ymm2, ymm2, 0x93
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
