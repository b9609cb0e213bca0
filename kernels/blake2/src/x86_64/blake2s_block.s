// A block of BLAKE2s on general registers: rows a and b hold h, row d counter and
// flags, r15 the block's place; v10 and v11 are at rsp.

.macro karat_b2_do s:vararg
    karat_b2_round 4, 16,12,8,7, eax,ebx,ecx,edx, esi,edi,ebp,r8d, r9d,r10d,[rsp],[rsp+4], r11d,r12d,r13d,r14d, \s
.endm

// Begins rows c and d, and does all rounds.
.macro karat_b2_rounds
    // RFC 7693, 2.6: the initialisation vector.
    xor r11d, 0x510e527f
    xor r12d, 0x9b05688c
    xor r13d, 0x1f83d9ab
    xor r14d, 0x5be0cd19
    mov dword ptr [rsp], 0x3c6ef372
    mov dword ptr [rsp + 4], 0xa54ff53a
    mov r9d, 0x6a09e667
    mov r10d, 0xbb67ae85

    karat_b2_ten
.endm

// Adds h, which r9 then points to, and moves on to the next block. State before the
// block: at rsp + 16.
.macro karat_b2_feed
    // h ^= v[0..8] ^ v[8..16]. Row b is last in the chain, so d meets h first.
    add r15, 64
    xor eax, r9d
    mov r9, [rsp + 16]
    xor ebx, r10d
    xor ecx, [rsp]
    xor edx, [rsp + 4]
    xor r11d, [r9 + 16]
    xor r12d, [r9 + 20]
    xor r13d, [r9 + 24]
    xor r14d, [r9 + 28]
    xor eax, [r9]
    xor ebx, [r9 + 4]
    xor ecx, [r9 + 8]
    xor edx, [r9 + 12]
    xor esi, r11d
    xor edi, r12d
    xor ebp, r13d
    xor r8d, r14d
.endm
