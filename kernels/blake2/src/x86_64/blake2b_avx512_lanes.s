// BLAKE2b: eight lanes a set, 128 bytes a block.

.macro karat_b2_do row
    karat_b2_round \row, q, 32,24,16,63
.endm

// Bytes `from`..`from` + 64 of eight messages, as eight words of eight lanes.
// lane: 8 times the first lane. mask: where the masks of these bytes are.
.macro karat_b2_transpose row, lane, mask, from, to
.irp i, 0, 1, 2, 3, 4, 5, 6, 7
    karat_b2_load \i, \row*15 + \lane + 8*\i, \mask + \lane + 8*\i, \from
.endr
    vpunpcklqdq zmm16, zmm0, zmm1
    vpunpckhqdq zmm20, zmm0, zmm1
    vpunpcklqdq zmm17, zmm2, zmm3
    vpunpckhqdq zmm21, zmm2, zmm3
    vpunpcklqdq zmm18, zmm4, zmm5
    vpunpckhqdq zmm22, zmm4, zmm5
    vpunpcklqdq zmm19, zmm6, zmm7
    vpunpckhqdq zmm23, zmm6, zmm7
    karat_b2_chunks 16,17,18,19, \to, \to + 128, \to + 256, \to + 384
    karat_b2_chunks 20,21,22,23, \to + 64, \to + 192, \to + 320, \to + 448
.endm

.macro karat_b2_gather row
    karat_b2_transpose \row, 0, \row*16, 0, 0
    karat_b2_transpose \row, 0, \row*18, 64, 512
.if \row == 128
    karat_b2_transpose \row, 64, \row*16, 0, 1024
    karat_b2_transpose \row, 64, \row*18, 64, 1536
.endif
.endm

.macro karat_b2_all row
    karat_b2_lanes \row, q, 8, 128, 12
.endm
