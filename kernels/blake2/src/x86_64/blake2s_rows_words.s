// What the rows of BLAKE2s in xmm registers share whatever turns them: message words from
// rsi on, and the diagonals.

.macro karat_b2_words i0,i1,i2,i3
    vmovd xmm4, dword ptr [rsi + 4*\i0]
    vpinsrd xmm4, xmm4, dword ptr [rsi + 4*\i1], 1
    vpinsrd xmm4, xmm4, dword ptr [rsi + 4*\i2], 2
    vpinsrd xmm4, xmm4, dword ptr [rsi + 4*\i3], 3
.endm

.macro karat_b2_rows a, c, d
    vpshufd xmm0, xmm0, \a
    vpshufd xmm3, xmm3, \d
    vpshufd xmm2, xmm2, \c
.endm
