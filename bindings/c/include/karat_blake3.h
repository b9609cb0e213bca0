// The names of BLAKE3's reference library in C, for programs that swap karat in.
// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

#include "karat.h"

#define BLAKE3_KEY_LEN KARAT_BLAKE3_KEY_LEN
#define BLAKE3_OUT_LEN KARAT_BLAKE3_OUT_LEN
#define BLAKE3_BLOCK_LEN 64
#define BLAKE3_CHUNK_LEN 1024
#define BLAKE3_MAX_DEPTH 54

typedef karat_blake3_hasher blake3_hasher;

// karat's version.
static inline const char *blake3_version(void) { return karat_version(); }

static inline void blake3_hasher_init(blake3_hasher *self) { karat_blake3_hasher_init(self); }

static inline void blake3_hasher_init_keyed(blake3_hasher *self,
                                            const uint8_t key[BLAKE3_KEY_LEN]) {
    karat_blake3_hasher_init_keyed(self, key);
}

// Without a context, or with one that is no UTF-8, the hasher stays as it was.
static inline void blake3_hasher_init_derive_key(blake3_hasher *self, const char *context) {
    karat_blake3_hasher_init_derive_key(self, context);
}

static inline void blake3_hasher_update(blake3_hasher *self, const void *input, size_t length) {
    karat_blake3_hasher_update(self, (const uint8_t *)input, length);
}

static inline void blake3_hasher_finalize(const blake3_hasher *self, uint8_t *out,
                                          size_t out_len) {
    karat_blake3_hasher_finalize(self, out, out_len);
}

static inline void blake3_hasher_finalize_seek(const blake3_hasher *self, uint64_t seek,
                                               uint8_t *out, size_t out_len) {
    karat_blake3_hasher_finalize_seek(self, seek, out, out_len);
}

static inline void blake3_hasher_reset(blake3_hasher *self) { karat_blake3_hasher_reset(self); }
