// What the rows of BLAKE2b in ymm registers share whatever turns them: message words from
// rsi on, and the diagonals.

.macro karat_b2_words i0,i1,i2,i3
    vmovq xmm4, qword ptr [rsi + 8*\i0]
    vmovhps xmm4, xmm4, [rsi + 8*\i1]
    vmovq xmm5, qword ptr [rsi + 8*\i2]
    vmovhps xmm5, xmm5, [rsi + 8*\i3]
    vinserti128 ymm4, ymm4, xmm5, 1
.endm

.macro karat_b2_rows a, c, d
    vpermq ymm0, ymm0, \a
    vpermq ymm3, ymm3, \d
    vpermq ymm2, ymm2, \c
.endm
