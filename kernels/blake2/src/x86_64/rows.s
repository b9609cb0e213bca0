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
