// The names of BLAKE2's reference code in C, for programs that swap karat in.
// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

#include "karat.h"

enum blake2b_constant {
    BLAKE2B_BLOCKBYTES = 128,
    BLAKE2B_OUTBYTES = KARAT_BLAKE2B_OUTBYTES,
    BLAKE2B_KEYBYTES = 64,
    BLAKE2B_SALTBYTES = 16,
    BLAKE2B_PERSONALBYTES = 16
};
enum blake2s_constant {
    BLAKE2S_BLOCKBYTES = 64,
    BLAKE2S_OUTBYTES = KARAT_BLAKE2S_OUTBYTES,
    BLAKE2S_KEYBYTES = 32,
    BLAKE2S_SALTBYTES = 8,
    BLAKE2S_PERSONALBYTES = 8
};

typedef karat_blake2b_state blake2b_state;
typedef karat_blake2s_state blake2s_state;
typedef karat_blake2b_param blake2b_param;
typedef karat_blake2s_param blake2s_param;

// 0 is well, -1 is not, as there.
#define KARAT_BLAKE2_NAMES(B)                                                              \
    static inline int B##_init(B##_state *S, size_t outlen) {                              \
        return karat_##B##_init(S, outlen) == KARAT_OK ? 0 : -1;                           \
    }                                                                                      \
    static inline int B##_init_key(B##_state *S, size_t outlen, const void *key,           \
                                   size_t keylen) {                                        \
        if (keylen == 0)                                                                   \
            return -1;                                                                     \
        return karat_##B##_init_key(S, outlen, (const uint8_t *)key, keylen) == KARAT_OK   \
                   ? 0                                                                     \
                   : -1;                                                                   \
    }                                                                                      \
    /* A key among the parameters is refused: there, its block is the caller's. */         \
    static inline int B##_init_param(B##_state *S, const B##_param *P) {                   \
        return karat_##B##_init_param(S, P) == KARAT_OK ? 0 : -1;                          \
    }                                                                                      \
    static inline int B##_update(B##_state *S, const void *in, size_t inlen) {             \
        return karat_##B##_update(S, (const uint8_t *)in, inlen) == KARAT_OK ? 0 : -1;     \
    }                                                                                      \
    static inline int B##_final(B##_state *S, void *out, size_t outlen) {                  \
        return karat_##B##_final(S, (uint8_t *)out, outlen) == KARAT_OK ? 0 : -1;          \
    }                                                                                      \
    static inline int B(void *out, size_t outlen, const void *in, size_t inlen,            \
                        const void *key, size_t keylen) {                                  \
        return karat_##B((uint8_t *)out, outlen, (const uint8_t *)in, inlen,               \
                         (const uint8_t *)key, keylen) == KARAT_OK                         \
                   ? 0                                                                     \
                   : -1;                                                                   \
    }

KARAT_BLAKE2_NAMES(blake2b)
KARAT_BLAKE2_NAMES(blake2s)

#undef KARAT_BLAKE2_NAMES

// BLAKE2b in one call, under its other name.
static inline int blake2(void *out, size_t outlen, const void *in, size_t inlen, const void *key,
                         size_t keylen) {
    return blake2b(out, outlen, in, inlen, key, keylen);
}
