/* Hashes: at once, in pieces, many at a time; what goes wrong is told. */
#include "karat.h"
#include "karat_blake2.h"
#include "karat_blake3.h"

#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            printf("line %d: %s (%s)\n", __LINE__, #condition, karat_message()); \
            return 1;                                                             \
        }                                                                         \
    } while (0)

static const uint8_t *bytes(const char *text) { return (const uint8_t *)text; }

static int by_name(void) {
    static const uint8_t expected[4] = {0xba, 0x78, 0x16, 0xbf};
    uint8_t digest[32], again[32], many[64];
    karat_hasher *hasher = NULL, *copy = NULL;
    karat_slice messages[2];

    CHECK(karat_hash("sha256", NULL, bytes("abc"), 3, digest, 32) == KARAT_OK);
    CHECK(memcmp(digest, expected, 4) == 0);

    CHECK(karat_hasher_new("SHA-256", NULL, &hasher) == KARAT_OK);
    CHECK(karat_hasher_update(hasher, bytes("ab"), 2) == KARAT_OK);
    CHECK(karat_hasher_clone(hasher, &copy) == KARAT_OK);
    CHECK(karat_hasher_update(hasher, bytes("c"), 1) == KARAT_OK);
    CHECK(karat_hasher_digest(hasher, 0, again, 32) == KARAT_OK);
    CHECK(memcmp(digest, again, 32) == 0);
    CHECK(karat_hasher_digest(copy, 0, again, 32) == KARAT_OK);
    CHECK(memcmp(digest, again, 32) != 0);
    karat_hasher_free(hasher);
    karat_hasher_free(copy);
    karat_hasher_free(NULL);

    messages[0].data = bytes("abc");
    messages[0].length = 3;
    messages[1].data = NULL;
    messages[1].length = 0;
    CHECK(karat_hash_many("sha256", NULL, messages, 2, many, 64) == KARAT_OK);
    CHECK(memcmp(digest, many, 32) == 0);
    CHECK(karat_hash("sha256", NULL, NULL, 0, again, 32) == KARAT_OK);
    CHECK(memcmp(again, many + 32, 32) == 0);
    return 0;
}

static int options(void) {
    karat_options options;
    uint8_t digest[20], other[20];
    size_t size = 0;

    memset(&options, 0, sizeof options);
    options.digest_size = 20;
    options.key.data = bytes("secret");
    options.key.length = 6;
    CHECK(karat_digest_size("blake2b", &options, &size) == KARAT_OK && size == 20);
    CHECK(karat_hash("blake2b", &options, bytes("abc"), 3, digest, 20) == KARAT_OK);
    CHECK(karat_blake2b(other, 20, bytes("abc"), 3, bytes("secret"), 6) == KARAT_OK);
    CHECK(memcmp(digest, other, 20) == 0);
    return 0;
}

static int wrong(void) {
    uint8_t digest[32] = {7};
    karat_options options;

    CHECK(karat_hash("sha257", NULL, NULL, 0, digest, 32) == KARAT_ARGUMENT);
    CHECK(strstr(karat_message(), "sha257") != NULL);
    CHECK(karat_hash("sha256", NULL, NULL, 0, digest, 31) == KARAT_ARGUMENT);
    CHECK(karat_hash("sha256", NULL, NULL, 3, digest, 32) == KARAT_NULL);
    CHECK(karat_hash(NULL, NULL, NULL, 0, digest, 32) == KARAT_NULL);
    CHECK(karat_hash("\xff", NULL, NULL, 0, digest, 32) == KARAT_ARGUMENT);
    CHECK(karat_hash("sha256", NULL, digest, SIZE_MAX, digest, 32) == KARAT_ARGUMENT);
    memset(&options, 0, sizeof options);
    options.key.data = bytes("k");
    options.key.length = 1;
    CHECK(karat_hash("sha256", &options, NULL, 0, digest, 32) == KARAT_ARGUMENT);
    CHECK(karat_hasher_update(NULL, NULL, 0) == KARAT_NULL);
    CHECK(karat_hasher_new("sha256", NULL, NULL) == KARAT_NULL);
    CHECK(karat_blake2s(digest, 33, NULL, 0, NULL, 0) == KARAT_ARGUMENT);
    CHECK(digest[0] == 7);
    return 0;
}

/* Programs for the reference libraries, as they stand. */
static int blake3(void) {
    static const uint8_t expected[4] = {0x64, 0x37, 0xb3, 0xac};
    uint8_t key[BLAKE3_KEY_LEN] = {1}, out[BLAKE3_OUT_LEN], more[64];
    blake3_hasher hasher, copy;

    blake3_hasher_init(&hasher);
    blake3_hasher_update(&hasher, "ab", 2);
    copy = hasher;
    blake3_hasher_update(&copy, "c", 1);
    blake3_hasher_finalize(&copy, out, BLAKE3_OUT_LEN);
    CHECK(memcmp(out, expected, 4) == 0);
    blake3_hasher_finalize(&copy, more, 64);
    blake3_hasher_finalize_seek(&copy, 32, out, 32);
    CHECK(memcmp(out, more + 32, 32) == 0);
    blake3_hasher_reset(&copy);
    blake3_hasher_update(&copy, "abc", 3);
    blake3_hasher_finalize(&copy, out, 32);
    CHECK(memcmp(out, more, 32) == 0);
    blake3_hasher_init_keyed(&hasher, key);
    blake3_hasher_finalize(&hasher, more, 32);
    CHECK(memcmp(out, more, 32) != 0);
    blake3_hasher_init_derive_key(&hasher, "example 2026 context");
    blake3_hasher_update(&hasher, "material", 8);
    blake3_hasher_finalize(&hasher, more, 32);
    CHECK(memcmp(out, more, 32) != 0);
    return 0;
}

static int blake2_names(void) {
    static const uint8_t b[4] = {0xba, 0x80, 0xa5, 0x3f}, s[4] = {0x50, 0x8c, 0x5e, 0x8c};
    uint8_t out[64], other[64];
    blake2b_state state;
    blake2s_state small;

    CHECK(blake2b_init(&state, 64) == 0 && blake2b_update(&state, "ab", 2) == 0);
    CHECK(blake2b_update(&state, "c", 1) == 0 && blake2b_final(&state, out, 64) == 0);
    CHECK(memcmp(out, b, 4) == 0);
    CHECK(blake2s_init(&small, 32) == 0 && blake2s_update(&small, "abc", 3) == 0);
    CHECK(blake2s_final(&small, out, 32) == 0 && memcmp(out, s, 4) == 0);
    CHECK(blake2b_init_key(&state, 32, "key", 3) == 0);
    CHECK(blake2b_update(&state, "abc", 3) == 0 && blake2b_final(&state, out, 32) == 0);
    CHECK(blake2b(other, 32, "abc", 3, "key", 3) == 0 && memcmp(out, other, 32) == 0);
    CHECK(blake2b_init(&state, 65) == -1 && blake2b_final(&state, out, 31) == -1);
    return 0;
}

int main(void) {
    printf("karat %s\n", karat_version());
    return by_name() || options() || wrong() || blake3() || blake2_names();
}
