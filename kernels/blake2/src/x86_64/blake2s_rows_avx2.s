// Blocks of BLAKE2s in xmm registers with AVX2, for blake2s_rows_sse_compress.s and
// blake2s_rows_sse_hash.s.
//
// rsi blocks, rdx count, r8 step, r9 constants, r10 counter before the first, xmm10 and xmm11
// h, xmm12 and xmm13 initialisation vector, the second half with the flags.
// rsi, r10, xmm10 and xmm11 move on; rdx, xmm0 to xmm7, xmm14 and xmm15 are lost.

// Broadcasts are loads and no more, and blends run on every unit: rows and rotations have the
// units for shuffles to themselves.
.macro karat_b2_words i0,i1,i2,i3
    vpbroadcastd xmm4, dword ptr [rsi + 4*\i0]
    vpbroadcastd xmm5, dword ptr [rsi + 4*\i1]
    vpblendd xmm4, xmm4, xmm5, 2
    vpbroadcastd xmm5, dword ptr [rsi + 4*\i2]
    vpbroadcastd xmm6, dword ptr [rsi + 4*\i3]
    vpblendd xmm5, xmm5, xmm6, 8
    vpblendd xmm4, xmm4, xmm5, 12
.endm

// Row b by an exclusive or with row c and a rotation to the right. Two shifts of one register
// seldom begin in the same cycle on Zen 3, and have one unit on others. So one is of row b
// before row c is there, and of row c beside the exclusive or.
.macro karat_b2_turn right, left
    vpslld xmm7, xmm1, \left
    vpaddd xmm2, xmm2, xmm3
    vpxor xmm1, xmm1, xmm2
    vpslld xmm5, xmm2, \left
    vpxor xmm7, xmm7, xmm5
    vpsrld xmm1, xmm1, \right
    vpxor xmm1, xmm1, xmm7
.endm

.macro karat_b2_half h
    vpaddd xmm0, xmm0, xmm4
    vpaddd xmm0, xmm0, xmm1
    vpxor xmm3, xmm3, xmm0
.if \h == 1
    vpshufb xmm3, xmm3, xmm14
    karat_b2_turn 12, 20
.else
    vpshufb xmm3, xmm3, xmm15
    karat_b2_turn 7, 25
.endif
.endm

.macro karat_b2_rows a, c, d
    vpshufd xmm0, xmm0, \a
    vpshufd xmm3, xmm3, \d
    vpshufd xmm2, xmm2, \c
.endm

    .cfi_startproc
    vmovdqa xmm14, [r9 + 32]
    vmovdqa xmm15, [r9 + 64]
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
    vpxor xmm0, xmm0, xmm2
    vpxor xmm3, xmm3, xmm11
    vpxor xmm10, xmm10, xmm0
    vpxor xmm11, xmm3, xmm1
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
