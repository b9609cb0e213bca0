// Half a G of rows of BLAKE2b in ymm registers; karat_b2_turn is what rotates.

.macro karat_b2_half h
    vpaddq ymm0, ymm0, ymm4
    vpaddq ymm0, ymm0, ymm1
    vpxor ymm3, ymm3, ymm0
    karat_b2_turn d\h
    vpaddq ymm2, ymm2, ymm3
    vpxor ymm1, ymm1, ymm2
    karat_b2_turn b\h
.endm
