/* A program for the reference libraries of BLAKE2 and BLAKE3, as their users write them: it
 * includes their headers, which check.sh makes of karat's. Digests are those of hashlib. */
#include "blake2.h"
#include "blake3.h"

#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                          \
    do {                                                          \
        if (!(condition)) {                                       \
            printf("line %d: %s\n", __LINE__, #condition);        \
            return 1;                                             \
        }                                                         \
    } while (0)

/* As miners of Equihash begin: a personalisation, and 50 bytes. */
static int zcash(void) {
    static const uint8_t expected[4] = {0xdd, 0x04, 0x9c, 0x95};
    static const char salt[BLAKE2B_SALTBYTES + 1] = "sixteen bytes ok";
    blake2b_param param;
    blake2b_state state, copy;
    uint8_t out[BLAKE2B_OUTBYTES];

    memset(&param, 0, sizeof param);
    param.digest_length = 50;
    param.fanout = 1;
    param.depth = 1;
    memcpy(param.salt, salt, sizeof param.salt);
    memcpy(param.personal, "ZcashPoW\xc8\0\0\0\x09\0\0\0", sizeof param.personal);
    CHECK(blake2b_init_param(&state, &param) == 0);
    CHECK(blake2b_update(&state, "ab", 2) == 0);
    copy = state;
    CHECK(blake2b_update(&copy, "c", 1) == 0 && blake2b_final(&copy, out, 50) == 0);
    CHECK(memcmp(out, expected, 4) == 0);
    /* What is not there is refused. */
    param.key_length = 1;
    CHECK(blake2b_init_param(&state, &param) == -1);
    param.key_length = 0;
    param.digest_length = 65;
    CHECK(blake2b_init_param(&state, &param) == -1);
    param.digest_length = 64;
    param.depth = 0;
    CHECK(blake2b_init_param(&state, &param) == -1);
    param.depth = 1;
    param.xof_length = 9;
    CHECK(blake2b_init_param(&state, &param) == -1);
    CHECK(blake2b_init_param(&state, NULL) == -1);
    return 0;
}

/* A node of a tree. */
static int node(void) {
    static const uint8_t expected[4] = {0xc5, 0xae, 0x4d, 0x4d};
    blake2s_param param;
    blake2s_state state;
    uint8_t out[16];

    memset(&param, 0, sizeof param);
    param.digest_length = 16;
    param.fanout = 2;
    param.depth = 2;
    param.leaf_length = 64;
    param.node_offset = 3;
    param.node_depth = 1;
    param.inner_length = BLAKE2S_OUTBYTES;
    memcpy(param.salt, "8 bytes.", BLAKE2S_SALTBYTES);
    memcpy(param.personal, "personal", BLAKE2S_PERSONALBYTES);
    CHECK(blake2s_init_param(&state, &param) == 0 && blake2s_update(&state, "abc", 3) == 0);
    CHECK(blake2s_final(&state, out, sizeof out) == 0 && memcmp(out, expected, 4) == 0);
    param.inner_length = 33;
    CHECK(blake2s_init_param(&state, &param) == -1);
    return 0;
}

static int key(void) {
    static const uint8_t expected[4] = {0x8c, 0x67, 0x20, 0xfd};
    uint8_t key[BLAKE2B_KEYBYTES], out[64];

    memset(key, 'k', sizeof key);
    CHECK(blake2(out, sizeof out, "abc", 3, key, sizeof key) == 0);
    CHECK(memcmp(out, expected, 4) == 0);
    return 0;
}

static int chunks(void) {
    static const uint8_t input[3 * BLAKE3_CHUNK_LEN + BLAKE3_BLOCK_LEN] = {0};
    uint8_t out[BLAKE3_OUT_LEN], again[BLAKE3_OUT_LEN];
    blake3_hasher hasher;
    size_t at;

    CHECK(strlen(blake3_version()) > 0);
    blake3_hasher_init(&hasher);
    blake3_hasher_update(&hasher, input, sizeof input);
    blake3_hasher_finalize(&hasher, out, sizeof out);
    blake3_hasher_reset(&hasher);
    for (at = 0; at < sizeof input; at += BLAKE3_BLOCK_LEN)
        blake3_hasher_update(&hasher, input + at, BLAKE3_BLOCK_LEN);
    blake3_hasher_finalize(&hasher, again, sizeof again);
    CHECK(memcmp(out, again, sizeof out) == 0);
    return 0;
}

int main(void) { return zcash() || node() || key() || chunks(); }
