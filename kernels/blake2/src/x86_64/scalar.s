// BLAKE2 rounds on general registers, for BLAKE2b (64 bits) and BLAKE2s (32).
//
// Sixteen words, fourteen registers: v10 and v11 stay on the stack. The CPUs
// for which this is chosen forward a store to a load of the same stack place
// without delay (Zen 5: the same time with none, one or two words there), and a
// message that is read where it lies needs no copy.
//
// Limits on Zen 5 (add, xor, rotate: 1 cycle; 5.2 of them at once, 3 rotates):
// the chain of a G is 12 cycles, so a round is 24: 288 cycles for BLAKE2b's 12
// rounds and 240 for BLAKE2s's 10. A G is 14 operations: 1344 and 1120, 258 and
// 215 cycles at 5.2. Rounds alone reach 304 and 252, whole blocks 315 and 262:
// 92 % of the chain's bound.
// In vector registers each step of the chain takes 2 cycles: 576 and 480.

// Half a G in four columns side by side. w: bytes of a word. r: rotations.
.macro karat_b2_half w, r1,r2, a0,a1,a2,a3, b0,b1,b2,b3, c0,c1,c2,c3, d0,d1,d2,d3, s0,s1,s2,s3
    add \a0, [r15 + \w*\s0]
    add \a1, [r15 + \w*\s1]
    add \a2, [r15 + \w*\s2]
    add \a3, [r15 + \w*\s3]
    add \a0, \b0
    add \a1, \b1
    add \a2, \b2
    add \a3, \b3
    xor \d0, \a0
    xor \d1, \a1
    xor \d2, \a2
    xor \d3, \a3
    ror \d0, \r1
    ror \d1, \r1
    ror \d2, \r1
    ror \d3, \r1
    add \c0, \d0
    add \c1, \d1
    add \c2, \d2
    add \c3, \d3
    xor \b0, \c0
    xor \b1, \c1
    xor \b2, \c2
    xor \b3, \c3
    ror \b0, \r2
    ror \b1, \r2
    ror \b2, \r2
    ror \b3, \r2
.endm

// A round of rows a, b, c, d. s: the round's permutation of the message words.
.macro karat_b2_round w, r1,r2,r3,r4, a0,a1,a2,a3, b0,b1,b2,b3, c0,c1,c2,c3, d0,d1,d2,d3, s0,s1,s2,s3,s4,s5,s6,s7,s8,s9,s10,s11,s12,s13,s14,s15
    karat_b2_half \w, \r1,\r2, \a0,\a1,\a2,\a3, \b0,\b1,\b2,\b3, \c0,\c1,\c2,\c3, \d0,\d1,\d2,\d3, \s0,\s2,\s4,\s6
    karat_b2_half \w, \r3,\r4, \a0,\a1,\a2,\a3, \b0,\b1,\b2,\b3, \c0,\c1,\c2,\c3, \d0,\d1,\d2,\d3, \s1,\s3,\s5,\s7
    karat_b2_half \w, \r1,\r2, \a0,\a1,\a2,\a3, \b1,\b2,\b3,\b0, \c2,\c3,\c0,\c1, \d3,\d0,\d1,\d2, \s8,\s10,\s12,\s14
    karat_b2_half \w, \r3,\r4, \a0,\a1,\a2,\a3, \b1,\b2,\b3,\b0, \c2,\c3,\c0,\c1, \d3,\d0,\d1,\d2, \s9,\s11,\s13,\s15
.endm
