// compress(h: rdi, blocks: rsi, count: rdx >= 1, counter: rcx, step: r8,
// constants: r9), with the rotations of AVX-512VL.

.macro karat_b2_half h
    vpaddq ymm0, ymm0, ymm4
    vpaddq ymm0, ymm0, ymm1
    vpxor ymm3, ymm3, ymm0
.if \h == 1
    vprorq ymm3, ymm3, 32
.else
    vprorq ymm3, ymm3, 16
.endif
    vpaddq ymm2, ymm2, ymm3
    vpxor ymm1, ymm1, ymm2
.if \h == 1
    vprorq ymm1, ymm1, 24
.else
    vprorq ymm1, ymm1, 63
.endif
.endm

    .cfi_startproc
    vmovdqu xmm10, [rdi]
    vinserti128 ymm10, ymm10, [rdi + 16], 1
    vmovdqu xmm11, [rdi + 32]
    vinserti128 ymm11, ymm11, [rdi + 48], 1
    vmovdqa ymm12, [r9]
    vmovdqa ymm13, [r9 + 32]
    vmovdqa ymm14, [r9 + 64]
    vmovdqa ymm15, [r9 + 96]
    mov r10, [rcx]
    mov r11, [rcx + 8]
    .p2align 4
2:
    add r10, r8
    adc r11, 0
    vmovq xmm3, r10
    vpinsrq xmm3, xmm3, r11, 1
    vmovq xmm4, qword ptr [rcx + 16]
    vpinsrq xmm4, xmm4, qword ptr [rcx + 24], 1
    vinserti128 ymm3, ymm3, xmm4, 1
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
    mov [rcx], r10
    mov [rcx + 8], r11
    vmovdqu [rdi], ymm10
    vmovdqu [rdi + 32], ymm11
    vzeroupper
    ret
    .cfi_endproc
.purgem karat_b2_do
.purgem karat_b2_ten
.purgem karat_b2_words
.purgem karat_b2_half
.purgem karat_b2_rows
