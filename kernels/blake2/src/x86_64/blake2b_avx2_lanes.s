// BLAKE2b: four lanes, 128 bytes a block.

.macro karat_b2_turn_d1 x:vararg
    karat_b2_turn32 \x
.endm
.macro karat_b2_turn32 x0,x1,x2,x3
    vpshufd ymm\x0, ymm\x0, 0xb1
    vpshufd ymm\x1, ymm\x1, 0xb1
    vpshufd ymm\x2, ymm\x2, 0xb1
    vpshufd ymm\x3, ymm\x3, 0xb1
.endm
.macro karat_b2_turn_b1 x:vararg
    karat_b2_shuffle 544, \x
.endm
.macro karat_b2_turn_d2 x:vararg
    karat_b2_shuffle 576, \x
.endm
.macro karat_b2_turn_b2 x:vararg
    karat_b2_shift q, 1, 63, \x
.endm

// Words i..i + 4 of four lanes.
.macro karat_b2_load i
    vmovdqu ymm0, [rax + 8*\i]
    vmovdqu ymm1, [r9 + 8*\i]
    vmovdqu ymm2, [r10 + 8*\i]
    vmovdqu ymm3, [r11 + 8*\i]
    vpunpcklqdq ymm4, ymm0, ymm1
    vpunpckhqdq ymm5, ymm0, ymm1
    vpunpcklqdq ymm6, ymm2, ymm3
    vpunpckhqdq ymm7, ymm2, ymm3
    vperm2i128 ymm0, ymm4, ymm6, 0x20
    vperm2i128 ymm1, ymm5, ymm7, 0x20
    vperm2i128 ymm2, ymm4, ymm6, 0x31
    vperm2i128 ymm3, ymm5, ymm7, 0x31
    vmovdqa [rsp + 32*\i], ymm0
    vmovdqa [rsp + 32*\i + 32], ymm1
    vmovdqa [rsp + 32*\i + 64], ymm2
    vmovdqa [rsp + 32*\i + 96], ymm3
.endm
.macro karat_b2_gather
    mov rax, [rdi + 32*15]
    mov r9, [rdi + 32*15 + 8]
    mov r10, [rdi + 32*15 + 16]
    mov r11, [rdi + 32*15 + 24]
    karat_b2_load 0
    karat_b2_load 4
    karat_b2_load 8
    karat_b2_load 12
.endm

    karat_b2_lanes q, 8, 128, 12
.purgem karat_b2_lanes
.purgem karat_b2_turn32
