// BLAKE2s: eight lanes, 64 bytes a block.

.macro karat_b2_turn_d1 x:vararg
    karat_b2_shuffle 544, \x
.endm
.macro karat_b2_turn_b1 x:vararg
    karat_b2_shift d, 20, 12, \x
.endm
.macro karat_b2_turn_d2 x:vararg
    karat_b2_shuffle 576, \x
.endm
.macro karat_b2_turn_b2 x:vararg
    karat_b2_shift d, 25, 7, \x
.endm

// Words i..i + 8 of eight lanes.
.macro karat_b2_load i
.irp lane, 0, 1, 2, 3, 4, 5, 6, 7
    mov rax, [rdi + 32*15 + 8*\lane]
    vmovdqu ymm\lane, [rax + 4*\i]
.endr
    karat_b2_transpose
    karat_b2_columns "rsp + 32*\i"
.endm
.macro karat_b2_gather
    karat_b2_load 0
    karat_b2_load 8
.endm

    karat_b2_lanes d, 4, 64, 10
.purgem karat_b2_lanes
.purgem karat_b2_transpose
.purgem karat_b2_columns
