.macro karat_b2_turn which
.ifc \which, d1
    vprorq ymm3, ymm3, 32
.endif
.ifc \which, b1
    vprorq ymm1, ymm1, 24
.endif
.ifc \which, d2
    vprorq ymm3, ymm3, 16
.endif
.ifc \which, b2
    vprorq ymm1, ymm1, 63
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
