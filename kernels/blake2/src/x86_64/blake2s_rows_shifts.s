// Blocks of BLAKE2s in xmm registers, where a shift takes one cycle and a rotation two
// (Zen 4). rot(x ^ y) is rot(x) ^ y << n ^ y >> m: of what a row waits for only the shifts
// and one three-way logic remain, for its own rotation there is time before.
//
// rsi blocks, rdx count, r8 step, r10 counter before the first, xmm10 and xmm11 h,
// xmm12 and xmm13 initialisation vector, the second half with the flags.
// rsi, r10, xmm10 and xmm11 move on; rdx and xmm0 to xmm7 are lost.

// x = turned ^ (y rotated right by \right, left by \left).
.macro karat_b2_turn x, turned, y, right, left
    vpslld xmm6, \y, \left
    vpsrld \x, \y, \right
    vpternlogd \x, \turned, xmm6, 0x96
.endm

.macro karat_b2_half h
    vpaddd xmm0, xmm0, xmm4
    vpaddd xmm0, xmm0, xmm1
.if \h == 1
    vprord xmm5, xmm3, 16
    karat_b2_turn xmm3, xmm5, xmm0, 16, 16
    vprord xmm7, xmm1, 12
    vpaddd xmm2, xmm2, xmm3
    karat_b2_turn xmm1, xmm7, xmm2, 12, 20
.else
    vprord xmm5, xmm3, 8
    karat_b2_turn xmm3, xmm5, xmm0, 8, 24
    vprord xmm7, xmm1, 7
    vpaddd xmm2, xmm2, xmm3
    karat_b2_turn xmm1, xmm7, xmm2, 7, 25
.endif
.endm

    .cfi_startproc
    .p2align 4
2:
    add r10, r8
    vmovq xmm3, r10
    vpxor xmm3, xmm3, xmm13
    vmovdqa xmm0, xmm10
    vmovdqa xmm1, xmm11
    vmovdqa xmm2, xmm12
    karat_b2_ten
    add rsi, 64
    vpternlogd xmm10, xmm0, xmm2, 0x96
    vpxor xmm11, xmm11, xmm3
    vpxor xmm11, xmm11, xmm1
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
