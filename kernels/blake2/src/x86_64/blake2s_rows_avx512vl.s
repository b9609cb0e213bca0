// BLAKE2s in xmm registers, AVX-512VL.
// compress(h: rdi, blocks: rsi, count: rdx >= 1, counter: rcx, step: r8,
// constants: r9).

.macro karat_b2_half h
    vpaddd xmm0, xmm0, xmm4
    vpaddd xmm0, xmm0, xmm1
    vpxor xmm3, xmm3, xmm0
    karat_b2_turn d\h
    vpaddd xmm2, xmm2, xmm3
    vpxor xmm1, xmm1, xmm2
    karat_b2_turn b\h
.endm

.macro karat_b2_turn which
.ifc \which, d1
    vprord xmm3, xmm3, 16
.endif
.ifc \which, b1
    vprord xmm1, xmm1, 12
.endif
.ifc \which, d2
    vprord xmm3, xmm3, 8
.endif
.ifc \which, b2
    vprord xmm1, xmm1, 7
.endif
.endm

    .cfi_startproc
    vmovdqu xmm10, [rdi]
    vmovdqu xmm11, [rdi + 16]
    vmovdqa xmm12, [r9]
    vmovdqa xmm13, [r9 + 16]
    mov r10, [rcx]
    .p2align 4
2:
    add r10, r8
    vmovq xmm3, r10
    vpinsrd xmm3, xmm3, dword ptr [rcx + 8], 2
    vpinsrd xmm3, xmm3, dword ptr [rcx + 12], 3
    vpxor xmm3, xmm3, xmm13
    vmovdqa xmm0, xmm10
    vmovdqa xmm1, xmm11
    vmovdqa xmm2, xmm12
    karat_b2_ten
    add rsi, 64
    vpxor xmm0, xmm0, xmm2
    vpxor xmm3, xmm3, xmm11
    vpxor xmm10, xmm10, xmm0
    vpxor xmm3, xmm3, xmm1
    vmovdqa xmm11, xmm3
    dec rdx
    jnz 2b
    mov [rcx], r10
    vmovdqu [rdi], xmm10
    vmovdqu [rdi + 16], xmm11
    ret
    .cfi_endproc
.purgem karat_b2_do
.purgem karat_b2_ten
.purgem karat_b2_words
.purgem karat_b2_half
.purgem karat_b2_rows
.purgem karat_b2_turn
