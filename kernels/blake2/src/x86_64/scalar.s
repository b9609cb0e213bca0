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

// The ten permutations of RFC 7693, 2.7. `karat_b2_do` is the width's round.
.macro karat_b2_ten
    karat_b2_do 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    karat_b2_do 14,10,4,8,9,15,13,6,1,12,0,2,11,7,5,3
    karat_b2_do 11,8,12,0,5,2,15,13,10,14,3,6,7,1,9,4
    karat_b2_do 7,9,3,1,13,12,11,14,2,6,5,10,4,0,15,8
    karat_b2_do 9,0,5,7,2,4,10,15,14,1,11,12,6,8,3,13
    karat_b2_do 2,12,6,10,0,11,8,3,4,13,7,5,15,14,1,9
    karat_b2_do 12,5,1,15,14,13,4,10,0,7,6,3,9,2,8,11
    karat_b2_do 13,11,7,14,12,1,3,9,5,0,15,4,8,6,2,10
    karat_b2_do 6,15,14,9,11,3,0,8,12,2,13,7,1,4,10,5
    karat_b2_do 10,2,8,4,7,6,1,5,15,11,9,14,3,12,13,0
.endm
