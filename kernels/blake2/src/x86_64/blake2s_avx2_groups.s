// BLAKE2s's eight lanes: see avx2_groups.s.

.macro karat_b2_digests
.irp i, 0, 1, 2, 3, 4, 5, 6, 7
    vmovdqa ymm\i, [rdi + 32*\i]
.endr
    karat_b2_transpose
    karat_b2_columns r14
    lea r14, [r14 + 8*r9]
.endm

    karat_b2_groups d, 4, 64, 6
.purgem karat_b2_transpose
.purgem karat_b2_columns
