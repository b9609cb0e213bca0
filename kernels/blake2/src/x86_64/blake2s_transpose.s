// Rows 0 to 7 of eight words become columns, in registers 8 to 15.
.macro karat_b2_transpose
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
.endm

// Writes those to rows at `to`.
.macro karat_b2_columns to
    vmovdqu [\to], ymm8
    vmovdqu [\to + 32], ymm9
    vmovdqu [\to + 64], ymm10
    vmovdqu [\to + 96], ymm11
    vmovdqu [\to + 128], ymm12
    vmovdqu [\to + 160], ymm13
    vmovdqu [\to + 192], ymm14
    vmovdqu [\to + 224], ymm15
.endm
