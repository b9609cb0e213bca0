// compress(h: rdi, blocks: rsi, count: rdx >= 1, counter: rcx, step: r8,
// constants: r9).
//
// `{blocks}` is SSE4.1's text or AVX2's.
//
// The flags are loaded in pieces no wider than those the caller stored.

    .cfi_startproc
    movdqu xmm10, [rdi]
    movdqu xmm11, [rdi + 16]
    movdqa xmm12, [r9]
    movd xmm13, dword ptr [rcx + 8]
    pinsrd xmm13, dword ptr [rcx + 12], 1
    pslldq xmm13, 8
    pxor xmm13, [r9 + 16]
    mov r10, [rcx]
    call {blocks}
    mov [rcx], r10
    movdqu [rdi], xmm10
    movdqu [rdi + 16], xmm11
    ret
    .cfi_endproc
