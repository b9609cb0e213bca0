// Blocks of BLAKE2s in xmm registers with SSE4.1, for blake2s_rows_sse_compress.s and
// blake2s_rows_sse_hash.s.
//
// rsi blocks, rdx count, r8 step, r9 constants, r10 counter before the first, xmm10 and xmm11
// h, xmm12 and xmm13 initialisation vector, the second half with the flags.
// rsi, r10, xmm10 and xmm11 move on; rdx, xmm0 to xmm5, xmm14 and xmm15 are lost.

.macro karat_b2_words i0,i1,i2,i3
    movd xmm4, dword ptr [rsi + 4*\i0]
    pinsrd xmm4, dword ptr [rsi + 4*\i1], 1
    pinsrd xmm4, dword ptr [rsi + 4*\i2], 2
    pinsrd xmm4, dword ptr [rsi + 4*\i3], 3
.endm

.macro karat_b2_half h
    paddd xmm0, xmm4
    paddd xmm0, xmm1
    pxor xmm3, xmm0
    karat_b2_turn d\h
    paddd xmm2, xmm3
    pxor xmm1, xmm2
    karat_b2_turn b\h
.endm

.macro karat_b2_rows a, c, d
    pshufd xmm0, xmm0, \a
    pshufd xmm3, xmm3, \d
    pshufd xmm2, xmm2, \c
.endm

.macro karat_b2_turn which
.ifc \which, d1
    pshufb xmm3, xmm14
.endif
.ifc \which, b1
    movdqa xmm5, xmm1
    psrld xmm1, 12
    pslld xmm5, 20
    por xmm1, xmm5
.endif
.ifc \which, d2
    pshufb xmm3, xmm15
.endif
.ifc \which, b2
    movdqa xmm5, xmm1
    psrld xmm1, 7
    pslld xmm5, 25
    por xmm1, xmm5
.endif
.endm

    .cfi_startproc
    movdqa xmm14, [r9 + 32]
    movdqa xmm15, [r9 + 64]
    .p2align 4
2:
    add r10, r8
    movq xmm3, r10
    pxor xmm3, xmm13
    movdqa xmm0, xmm10
    movdqa xmm1, xmm11
    movdqa xmm2, xmm12
    karat_b2_ten
    add rsi, 64
    pxor xmm0, xmm2
    pxor xmm3, xmm11
    pxor xmm10, xmm0
    pxor xmm3, xmm1
    movdqa xmm11, xmm3
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
