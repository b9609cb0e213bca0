// compress(h: rdi, blocks: rsi, count: rdx >= 1, counter: rcx, step: r8,
// constants: r9).
//
// The state and the counter are loaded in pieces no wider than those the caller stored.

    .cfi_startproc
    vmovdqu xmm10, [rdi]
    vmovdqu xmm11, [rdi + 16]
    vmovdqa xmm12, [r9]
    vmovd xmm13, dword ptr [rcx + 8]
    vpinsrd xmm13, xmm13, dword ptr [rcx + 12], 1
    vpslldq xmm13, xmm13, 8
    vpxor xmm13, xmm13, [r9 + 16]
    mov r10, [rcx]
    call {blocks}
    mov [rcx], r10
    vmovdqu [rdi], xmm10
    vmovdqu [rdi + 16], xmm11
    ret
    .cfi_endproc
