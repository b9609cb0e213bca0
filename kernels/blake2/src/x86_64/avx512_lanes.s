// BLAKE2 over many messages: one message a lane, one word of all of them a zmm.
//
// advance(batch: rdi, blocks: rsi >= 1, stride: rdx, plan: rcx). The layout of a
// batch is that of `Batch` in batch.rs, that of the plan in plan.rs. `row` is the bytes of one of its rows,
// 64 or 128; with 128 a second set of lanes lives in zmm16..31, with nothing
// left for temporaries: the message words are operands in memory.
//
// Why two sets: an add, xor or rotate has a latency of 2 cycles on Zen 5 and
// four run at once. One set has 4 chains: 4 lanes of work for 8 slots.
//
// Limits on Zen 5: one set waits for the chain, 24 cycles a half round: 576 cycles
// a block of BLAKE2b, 480 of BLAKE2s. Two sets wait for the units: 28 operations
// a set and half round, four at once: 672 and 560.
//
// The rounds are a loop that reads the places of the message words from a table.
// Unrolled they are 17 KB: on Zen 5, whether lines of code 12 KB apart fit the
// instruction cache together depends on where the linker puts them, and where
// they do not the same code takes 2.5 times as long.

// The places of a round's message words number k, k + 2, k + 4, k + 6.
.macro karat_b2_places k
    movzx eax, word ptr [r10 + 2*\k]
    movzx r8d, word ptr [r10 + 2*\k + 4]
    movzx r9d, word ptr [r10 + 2*\k + 8]
    movzx r11d, word ptr [r10 + 2*\k + 12]
.endm

// Half a G on four columns. u: suffix (q, d). m: offset of the message at rsp.
.macro karat_b2_half u, m, r1,r2, a0,a1,a2,a3, b0,b1,b2,b3, c0,c1,c2,c3, d0,d1,d2,d3
    vpadd\u zmm\a0, zmm\a0, [rsp + rax + \m]
    vpadd\u zmm\a1, zmm\a1, [rsp + r8 + \m]
    vpadd\u zmm\a2, zmm\a2, [rsp + r9 + \m]
    vpadd\u zmm\a3, zmm\a3, [rsp + r11 + \m]
    vpadd\u zmm\a0, zmm\a0, zmm\b0
    vpadd\u zmm\a1, zmm\a1, zmm\b1
    vpadd\u zmm\a2, zmm\a2, zmm\b2
    vpadd\u zmm\a3, zmm\a3, zmm\b3
    vpxor\u zmm\d0, zmm\d0, zmm\a0
    vpxor\u zmm\d1, zmm\d1, zmm\a1
    vpxor\u zmm\d2, zmm\d2, zmm\a2
    vpxor\u zmm\d3, zmm\d3, zmm\a3
    vpror\u zmm\d0, zmm\d0, \r1
    vpror\u zmm\d1, zmm\d1, \r1
    vpror\u zmm\d2, zmm\d2, \r1
    vpror\u zmm\d3, zmm\d3, \r1
    vpadd\u zmm\c0, zmm\c0, zmm\d0
    vpadd\u zmm\c1, zmm\c1, zmm\d1
    vpadd\u zmm\c2, zmm\c2, zmm\d2
    vpadd\u zmm\c3, zmm\c3, zmm\d3
    vpxor\u zmm\b0, zmm\b0, zmm\c0
    vpxor\u zmm\b1, zmm\b1, zmm\c1
    vpxor\u zmm\b2, zmm\b2, zmm\c2
    vpxor\u zmm\b3, zmm\b3, zmm\c3
    vpror\u zmm\b0, zmm\b0, \r2
    vpror\u zmm\b1, zmm\b1, \r2
    vpror\u zmm\b2, zmm\b2, \r2
    vpror\u zmm\b3, zmm\b3, \r2
.endm

// Half a G of all columns, or of all diagonals, in every set of lanes.
.macro karat_b2_columns row, u, r1,r2, k
    karat_b2_places \k
    karat_b2_half \u, 0, \r1,\r2, 0,1,2,3, 4,5,6,7, 8,9,10,11, 12,13,14,15
.if \row == 128
    karat_b2_half \u, 1024, \r1,\r2, 16,17,18,19, 20,21,22,23, 24,25,26,27, 28,29,30,31
.endif
.endm
.macro karat_b2_diagonals row, u, r1,r2, k
    karat_b2_places \k
    karat_b2_half \u, 0, \r1,\r2, 0,1,2,3, 5,6,7,4, 10,11,8,9, 15,12,13,14
.if \row == 128
    karat_b2_half \u, 1024, \r1,\r2, 16,17,18,19, 21,22,23,20, 26,27,24,25, 31,28,29,30
.endif
.endm

.macro karat_b2_round row, u, r1,r2,r3,r4
    karat_b2_columns \row, \u, \r1,\r2, 0
    karat_b2_columns \row, \u, \r3,\r4, 1
    karat_b2_diagonals \row, \u, \r1,\r2, 8
    karat_b2_diagonals \row, \u, \r3,\r4, 9
.endm

// The same chunk (16 bytes) of four registers into one, for all four chunks,
// stored to the offsets o0..o3 at rsp. Uses zmm28..31.
.macro karat_b2_chunks i0,i1,i2,i3, o0,o1,o2,o3
    vshufi64x2 zmm28, zmm\i0, zmm\i1, 0x88
    vshufi64x2 zmm30, zmm\i2, zmm\i3, 0x88
    vshufi64x2 zmm29, zmm\i0, zmm\i1, 0xdd
    vshufi64x2 zmm31, zmm\i2, zmm\i3, 0xdd
    vshufi64x2 zmm\i0, zmm28, zmm30, 0x88
    vshufi64x2 zmm\i1, zmm29, zmm31, 0x88
    vshufi64x2 zmm\i2, zmm28, zmm30, 0xdd
    vshufi64x2 zmm\i3, zmm29, zmm31, 0xdd
    vmovdqa64 [rsp + \o0], zmm\i0
    vmovdqa64 [rsp + \o1], zmm\i1
    vmovdqa64 [rsp + \o2], zmm\i2
    vmovdqa64 [rsp + \o3], zmm\i3
.endm

// One message's 64 bytes at `from`, those that its mask covers, into zmm\i.
.macro karat_b2_load i, at, mask, from
    mov rax, [rdi + \at]
    kmovq k1, [rdi + r9 + \mask]
    vmovdqu8 zmm\i{k1}{z}, [rax + \from]
.endm

// h ^= v[i] ^ v[i + 8], in one set.
.macro karat_b2_fold lo, hi, at
    vpternlogq zmm\lo, zmm\hi, [rdi + \at], 0x96
    vmovdqa64 [rdi + \at], zmm\lo
.endm

// State of one set before the first round; `first` is its offset in a row.
.macro karat_b2_start row, u, w, first, v0,v1,v2,v3,v4,v5,v6,v7,v8,v9,v10,v11,v12,v13,v14,v15
    vpbroadcast\u zmm\v12, [rcx + \w*4]
    vpbroadcast\u zmm\v13, [rcx + \w*5]
    vpbroadcast\u zmm\v14, [rcx + \w*6]
    vpbroadcast\u zmm\v15, [rcx + \w*7]
    vpxorq zmm\v12, zmm\v12, [rdi + r8 + \row*8 + \first]
    vpxorq zmm\v13, zmm\v13, [rdi + \row*10 + \first]
    vpxorq zmm\v14, zmm\v14, [rdi + r8 + \row*11 + \first]
    vpxorq zmm\v15, zmm\v15, [rdi + r8 + \row*13 + \first]
    vmovdqa64 zmm\v0, [rdi + \row*0 + \first]
    vmovdqa64 zmm\v1, [rdi + \row*1 + \first]
    vmovdqa64 zmm\v2, [rdi + \row*2 + \first]
    vmovdqa64 zmm\v3, [rdi + \row*3 + \first]
    vmovdqa64 zmm\v4, [rdi + \row*4 + \first]
    vmovdqa64 zmm\v5, [rdi + \row*5 + \first]
    vmovdqa64 zmm\v6, [rdi + \row*6 + \first]
    vmovdqa64 zmm\v7, [rdi + \row*7 + \first]
    vpbroadcast\u zmm\v8, [rcx]
    vpbroadcast\u zmm\v9, [rcx + \w]
    vpbroadcast\u zmm\v10, [rcx + \w*2]
    vpbroadcast\u zmm\v11, [rcx + \w*3]
.endm

// Around the rounds: karat_b2_gather transposes a block of every lane to rsp,
// karat_b2_do is the width's round.
.macro karat_b2_lanes row, u, w, block, rounds
    .cfi_startproc
    push rbp
    .cfi_def_cfa_offset 16
    .cfi_offset rbp, -16
    mov rbp, rsp
    .cfi_def_cfa_register rbp
    and rsp, -64
    sub rsp, 16*\row
    .p2align 4
2:  // Counters, flags and masks come in pairs: of the blocks before the last
    // one, and of the last one.
    xor r8d, r8d
    mov r9d, \row
    cmp rsi, 1
    cmove r8d, r9d
    // Masks have 8 bytes a lane.
    imul r9, r8, 8/\w
    karat_b2_gather \row
    karat_b2_start \row, \u, \w, 0, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
.if \row == 128
    karat_b2_start \row, \u, \w, 64, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
.endif
    lea r10, [rcx + 8*\w]
    .p2align 5
3:
    karat_b2_do \row
    add r10, 32
    lea rax, [rcx + 8*\w + 32*\rounds]
    cmp r10, rax
    jne 3b
    karat_b2_fold 0, 8, \row*0
    karat_b2_fold 1, 9, \row*1
    karat_b2_fold 2, 10, \row*2
    karat_b2_fold 3, 11, \row*3
    karat_b2_fold 4, 12, \row*4
    karat_b2_fold 5, 13, \row*5
    karat_b2_fold 6, 14, \row*6
    karat_b2_fold 7, 15, \row*7
.if \row == 128
    karat_b2_fold 16, 24, \row*0 + 64
    karat_b2_fold 17, 25, \row*1 + 64
    karat_b2_fold 18, 26, \row*2 + 64
    karat_b2_fold 19, 27, \row*3 + 64
    karat_b2_fold 20, 28, \row*4 + 64
    karat_b2_fold 21, 29, \row*5 + 64
    karat_b2_fold 22, 30, \row*6 + 64
    karat_b2_fold 23, 31, \row*7 + 64
.endif
    // Counters and places of the next block.
    mov eax, \block
.ifc \u, q
    vpbroadcastq zmm0, rax
.else
    vpbroadcastd zmm0, eax
.endif
    vpbroadcastq zmm1, rdx
    vpadd\u zmm2, zmm0, [rdi + \row*8]
    vmovdqa64 [rdi + \row*8], zmm2
.if \row == 128
    vpadd\u zmm2, zmm0, [rdi + \row*8 + 64]
    vmovdqa64 [rdi + \row*8 + 64], zmm2
.endif
    // 8 bytes a lane: as many registers as rows of this width hold, twice that
    // for BLAKE2s.
.irp i, 0, 64, 128, 192
.if \i < \row*8/\w
    vpaddq zmm2, zmm1, [rdi + \row*15 + \i]
    vmovdqa64 [rdi + \row*15 + \i], zmm2
.endif
.endr
    dec rsi
    jnz 2b
    mov rsp, rbp
    pop rbp
    .cfi_def_cfa rsp, 8
    vzeroupper
    ret
    .cfi_endproc
.endm
