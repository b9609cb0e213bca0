// BLAKE2s: eight lanes, 64 bytes a block.

.macro karat_b2_turn_d1 x:vararg
    karat_b2_shuffle 544, \x
.endm
.macro karat_b2_turn_b1 x:vararg
    karat_b2_shift d, 20, 12, \x
.endm
.macro karat_b2_turn_d2 x:vararg
    karat_b2_shuffle 576, \x
.endm
.macro karat_b2_turn_b2 x:vararg
    karat_b2_shift d, 25, 7, \x
.endm

// Words i..i + 8 of eight lanes.
.macro karat_b2_load i
.irp lane, 0, 1, 2, 3, 4, 5, 6, 7
    mov rax, [rdi + 32*15 + 8*\lane]
    vmovdqu ymm\lane, [rax + 4*\i]
.endr
    vpunpckldq ymm8, ymm0, ymm1
    vpunpckhdq ymm9, ymm0, ymm1
    vpunpckldq ymm10, ymm2, ymm3
    vpunpckhdq ymm11, ymm2, ymm3
    vpunpckldq ymm12, ymm4, ymm5
    vpunpckhdq ymm13, ymm4, ymm5
    vpunpckldq ymm14, ymm6, ymm7
    vpunpckhdq ymm15, ymm6, ymm7
    vpunpcklqdq ymm0, ymm8, ymm10
    vpunpckhqdq ymm1, ymm8, ymm10
    vpunpcklqdq ymm2, ymm9, ymm11
    vpunpckhqdq ymm3, ymm9, ymm11
    vpunpcklqdq ymm4, ymm12, ymm14
    vpunpckhqdq ymm5, ymm12, ymm14
    vpunpcklqdq ymm6, ymm13, ymm15
    vpunpckhqdq ymm7, ymm13, ymm15
    vperm2i128 ymm8, ymm0, ymm4, 0x20
    vperm2i128 ymm9, ymm1, ymm5, 0x20
    vperm2i128 ymm10, ymm2, ymm6, 0x20
    vperm2i128 ymm11, ymm3, ymm7, 0x20
    vperm2i128 ymm12, ymm0, ymm4, 0x31
    vperm2i128 ymm13, ymm1, ymm5, 0x31
    vperm2i128 ymm14, ymm2, ymm6, 0x31
    vperm2i128 ymm15, ymm3, ymm7, 0x31
    vmovdqa [rsp + 32*\i + 0], ymm8
    vmovdqa [rsp + 32*\i + 32], ymm9
    vmovdqa [rsp + 32*\i + 64], ymm10
    vmovdqa [rsp + 32*\i + 96], ymm11
    vmovdqa [rsp + 32*\i + 128], ymm12
    vmovdqa [rsp + 32*\i + 160], ymm13
    vmovdqa [rsp + 32*\i + 192], ymm14
    vmovdqa [rsp + 32*\i + 224], ymm15
.endm
.macro karat_b2_gather
    karat_b2_load 0
    karat_b2_load 8
.endm

    karat_b2_lanes d, 4, 64, 10
.purgem karat_b2_lanes
