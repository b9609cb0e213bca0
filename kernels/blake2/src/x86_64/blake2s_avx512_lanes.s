// BLAKE2s: sixteen lanes a set, 64 bytes a block.

.macro karat_b2_do row
    karat_b2_round \row, d, 16,12,8,7
.endm

// Four messages' words 4c + 0..3 of each chunk c into zmm\q0..\q3.
.macro karat_b2_four row, lane, q0,q1,q2,q3
    karat_b2_load 28, \row*15 + \lane, \row*17 + \lane, 0
    karat_b2_load 29, \row*15 + \lane + 8, \row*17 + \lane + 8, 0
    karat_b2_load 30, \row*15 + \lane + 16, \row*17 + \lane + 16, 0
    karat_b2_load 31, \row*15 + \lane + 24, \row*17 + \lane + 24, 0
    vpunpckldq zmm16, zmm28, zmm29
    vpunpckhdq zmm17, zmm28, zmm29
    vpunpckldq zmm18, zmm30, zmm31
    vpunpckhdq zmm19, zmm30, zmm31
    vpunpcklqdq zmm\q0, zmm16, zmm18
    vpunpckhqdq zmm\q1, zmm16, zmm18
    vpunpcklqdq zmm\q2, zmm17, zmm19
    vpunpckhqdq zmm\q3, zmm17, zmm19
.endm

.macro karat_b2_transpose row, lane, to
    karat_b2_four \row, \lane, 0,4,8,12
    karat_b2_four \row, \lane + 32, 1,5,9,13
    karat_b2_four \row, \lane + 64, 2,6,10,14
    karat_b2_four \row, \lane + 96, 3,7,11,15
    karat_b2_chunks 0,1,2,3, \to, \to + 256, \to + 512, \to + 768
    karat_b2_chunks 4,5,6,7, \to + 64, \to + 320, \to + 576, \to + 832
    karat_b2_chunks 8,9,10,11, \to + 128, \to + 384, \to + 640, \to + 896
    karat_b2_chunks 12,13,14,15, \to + 192, \to + 448, \to + 704, \to + 960
.endm

.macro karat_b2_gather row
    karat_b2_transpose \row, 0, 0
.if \row == 128
    karat_b2_transpose \row, 128, 1024
.endif
.endm

.macro karat_b2_all row
    karat_b2_lanes \row, d, 4, 64, 10
.purgem karat_b2_four
.endm
