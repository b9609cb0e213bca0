// compress(h: rdi, blocks: rsi, count: rdx >= 1, counter: rcx, step: r8,
// constants: r9).
//
// The state and the counter are loaded in pieces no wider than those the caller stored.

    .cfi_startproc
    vmovdqu xmm10, [rdi]
    vinserti128 ymm10, ymm10, [rdi + 16], 1
    vmovdqu xmm11, [rdi + 32]
    vinserti128 ymm11, ymm11, [rdi + 48], 1
    vmovdqa ymm12, [r9]
    vmovq xmm13, qword ptr [rcx + 16]
    vpinsrq xmm13, xmm13, qword ptr [rcx + 24], 1
    vpxor xmm0, xmm0, xmm0
    vinserti128 ymm13, ymm0, xmm13, 1
    vpxor ymm13, ymm13, [r9 + 32]
    mov r10, [rcx]
    mov r11, [rcx + 8]
    call {blocks}
    mov [rcx], r10
    mov [rcx + 8], r11
    vmovdqu [rdi], ymm10
    vmovdqu [rdi + 32], ymm11
    vzeroupper
    ret
    .cfi_endproc
