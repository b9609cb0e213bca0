// Writes the first \length bytes of xmm10, fewer than 16, to \place. No piece is of another
// size than a reader by halves would take, which a masked store is.
.macro karat_b2_rest place, length
    test \length, 8
    jz 20f
    vmovq qword ptr [\place], xmm10
    vpsrldq xmm10, xmm10, 8
    add \place, 8
20:
    vmovq rax, xmm10
    test \length, 4
    jz 21f
    mov [\place], eax
    shr rax, 32
    add \place, 4
21:
    test \length, 2
    jz 22f
    mov [\place], ax
    shr eax, 16
    add \place, 2
22:
    test \length, 1
    jz 23f
    mov [\place], al
23:
.endm
