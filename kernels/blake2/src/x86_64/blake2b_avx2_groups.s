// BLAKE2b's four lanes: see avx2_groups.s.

// Words i..i + 4 of four states, to that place of digests that are r9 bytes apart.
.macro karat_b2_quarter i
    vmovdqa ymm0, [rdi + 32*\i]
    vmovdqa ymm1, [rdi + 32*\i + 32]
    vmovdqa ymm2, [rdi + 32*\i + 64]
    vmovdqa ymm3, [rdi + 32*\i + 96]
    vpunpcklqdq ymm4, ymm0, ymm1
    vpunpckhqdq ymm5, ymm0, ymm1
    vpunpcklqdq ymm6, ymm2, ymm3
    vpunpckhqdq ymm7, ymm2, ymm3
    vperm2i128 ymm0, ymm4, ymm6, 0x20
    vperm2i128 ymm1, ymm5, ymm7, 0x20
    vperm2i128 ymm2, ymm4, ymm6, 0x31
    vperm2i128 ymm3, ymm5, ymm7, 0x31
    vmovdqu [r14 + 8*\i], ymm0
    vmovdqu [r14 + r9 + 8*\i], ymm1
    vmovdqu [r14 + 2*r9 + 8*\i], ymm2
    vmovdqu [r14 + r10 + 8*\i], ymm3
.endm
.macro karat_b2_digests
    lea r10, [r9 + 2*r9]
    karat_b2_quarter 0
    cmp r9d, 64
    jne 8f
    karat_b2_quarter 4
8:
    lea r14, [r14 + 4*r9]
.endm

    karat_b2_groups q, 8, 128, 7
.purgem karat_b2_quarter
