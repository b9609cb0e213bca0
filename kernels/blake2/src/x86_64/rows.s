// BLAKE2 of one message, a row of the state in a register: a, b, c, d in 0..3.
//
// For the diagonals rows a, c and d turn, not b as in the paper's code: b is
// what the chain waits for, the others have time. The chain of a G is then the
// 12 steps that it has on general registers; where vector operations take one
// cycle (Intel) this needs fewer of them, where they take two (Zen 5) it loses.
//
// The state and the counter are loaded in pieces no wider than those the caller stored:
// a load of what two stores wrote waits until both are in the cache.

// A round. karat_b2_words gathers four message words, karat_b2_half is half a G,
// karat_b2_rows turns rows a, c, d by the given orders.
.macro karat_b2_do s0,s1,s2,s3,s4,s5,s6,s7,s8,s9,s10,s11,s12,s13,s14,s15
    karat_b2_words \s0,\s2,\s4,\s6
    karat_b2_half 1
    karat_b2_words \s1,\s3,\s5,\s7
    karat_b2_half 2
    karat_b2_rows 0x93, 0x39, 0x4e
    karat_b2_words \s14,\s8,\s10,\s12
    karat_b2_half 1
    karat_b2_words \s15,\s9,\s11,\s13
    karat_b2_half 2
    karat_b2_rows 0x39, 0x93, 0x4e
.endm

// The ten permutations of RFC 7693, 2.7.
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
