// A block of BLAKE2b on general registers: rows a and b hold h, row d counter and
// flags, r15 the block's place; v10 and v11 are at rsp.

.macro karat_b2_do s:vararg
    karat_b2_round 8, 32,24,16,63, rax,rbx,rcx,rdx, rsi,rdi,rbp,r8, r9,r10,[rsp],[rsp+8], r11,r12,r13,r14, \s
.endm

// Begins rows c and d, and does all rounds.
.macro karat_b2_rounds
    // RFC 7693, 2.6: the initialisation vector.
    movabs r10, 0x510e527fade682d1
    xor r11, r10
    movabs r10, 0x9b05688c2b3e6c1f
    xor r12, r10
    movabs r10, 0x1f83d9abfb41bd6b
    xor r13, r10
    movabs r10, 0x5be0cd19137e2179
    xor r14, r10
    movabs r10, 0x3c6ef372fe94f82b
    mov [rsp], r10
    movabs r10, 0xa54ff53a5f1d36f1
    mov [rsp + 8], r10
    movabs r9, 0x6a09e667f3bcc908
    movabs r10, 0xbb67ae8584caa73b

    karat_b2_ten
    karat_b2_do 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    karat_b2_do 14,10,4,8,9,15,13,6,1,12,0,2,11,7,5,3
.endm

// Adds h, which r9 then points to, and moves on to the next block. State before the
// block: at rsp + 16.
.macro karat_b2_feed
    // h ^= v[0..8] ^ v[8..16]. Row b is last in the chain, so d meets h first.
    sub r15, -128
    xor rax, r9
    mov r9, [rsp + 16]
    xor rbx, r10
    xor rcx, [rsp]
    xor rdx, [rsp + 8]
    xor r11, [r9 + 32]
    xor r12, [r9 + 40]
    xor r13, [r9 + 48]
    xor r14, [r9 + 56]
    xor rax, [r9]
    xor rbx, [r9 + 8]
    xor rcx, [r9 + 16]
    xor rdx, [r9 + 24]
    xor rsi, r11
    xor rdi, r12
    xor rbp, r13
    xor r8, r14
.endm
