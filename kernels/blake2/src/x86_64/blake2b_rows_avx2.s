.macro karat_b2_turn which
.ifc \which, d1
    vpshufd ymm3, ymm3, 0xb1
.endif
.ifc \which, b1
    vpshufb ymm1, ymm1, ymm14
.endif
.ifc \which, d2
    vpshufb ymm3, ymm3, ymm15
.endif
.ifc \which, b2
    vpaddq ymm5, ymm1, ymm1
    vpsrlq ymm1, ymm1, 63
    vpor ymm1, ymm1, ymm5
.endif
.endm
    karat_b2_one
.purgem karat_b2_do
.purgem karat_b2_ten
.purgem karat_b2_words
.purgem karat_b2_half
.purgem karat_b2_rows
.purgem karat_b2_turn
.purgem karat_b2_one
