/* Random calls: every buffer ends, or begins, at a page that must not be touched, so that a
 * byte too much ends the program, in code that no sanitizer sees too.
 *
 *     random SEED ROUNDS
 */
#include "karat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE ((size_t)4096)
#define ROOM (4 * PAGE)
#define PLACES 40

static uint64_t state;

static uint64_t next(void) {
    /* xorshift64* (Vigna 2016). */
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545f4914f6cdd1du;
}

static size_t below(size_t limit) { return (size_t)(next() % limit); }

#define CHECK(condition)                                                             \
    do {                                                                             \
        if (!(condition)) {                                                          \
            printf("line %d: %s (%s)\n", __LINE__, #condition, karat_message());      \
            exit(1);                                                                 \
        }                                                                            \
    } while (0)

/* Places with forbidden pages on both sides, taken in turns. */
static uint8_t *places[PLACES];
static size_t taken;

static void make_places(void) {
    size_t i;
    for (i = 0; i < PLACES; i++) {
        uint8_t *all = (uint8_t *)mmap(NULL, ROOM + 2 * PAGE, PROT_NONE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(all != MAP_FAILED);
        CHECK(mprotect(all + PAGE, ROOM, PROT_READ | PROT_WRITE) == 0);
        places[i] = all + PAGE;
    }
}

/* So many random bytes at one of the edges of a place. */
static uint8_t *bytes(size_t length) {
    uint8_t *place = places[taken++ % PLACES];
    size_t i;
    if (below(2)) place += ROOM - length;
    for (i = 0; i < length; i++) place[i] = (uint8_t)next();
    return place;
}

static karat_slice slice(size_t length) {
    karat_slice made;
    made.data = length == 0 && below(2) ? NULL : bytes(length);
    made.length = length;
    return made;
}

/* A length: mostly short or near a multiple of a block. */
static size_t length(void) {
    switch (below(4)) {
        case 0: return below(4);
        case 1: return 64 * below(40) + below(3);
        case 2: return below(300);
        default: return below(ROOM);
    }
}

static const char *const NAMES[] = {
    "sha224",    "sha256",    "sha384",    "sha512",   "sha512_256",     "sha3_224",
    "sha3_256",  "sha3_512",  "keccak_256", "blake2b", "blake2s",        "blake2bp",
    "blake2sp",  "blake3",    "shake_128", "shake_256", "turboshake_128", "kmac_128",
    "cshake_256", "kt_128",   "none",      "",          "sha256 ",
};

static void hash(void) {
    const char *name = NAMES[below(sizeof NAMES / sizeof *NAMES)];
    karat_options options, *given = NULL;
    karat_slice message = slice(length()), both[2];
    karat_hasher *hasher = NULL, *copy = NULL;
    uint8_t *one, *other, *many;
    size_t size = 0, at = 0;
    karat_status status;

    memset(&options, 0, sizeof options);
    if (below(2)) {
        given = &options;
        if (below(2)) options.digest_size = below(100);
        if (below(2)) options.key = slice(below(2) ? 32 : below(140));
        if (below(4) == 0) options.salt = slice(below(20));
        if (below(4) == 0) options.personal = slice(below(20));
        if (below(4) == 0) options.customization = slice(below(200));
        if (below(8) == 0) options.context = "a context";
    }
    status = karat_digest_size(name, given, &size);
    CHECK(status == KARAT_OK || status == KARAT_ARGUMENT);
    if (status != KARAT_OK || size == 0) size = 1 + below(300);
    one = bytes(size);
    other = bytes(size);
    status = karat_hash(name, given, message.data, message.length, one, size);
    CHECK(status == KARAT_OK || status == KARAT_ARGUMENT);
    if (status != KARAT_OK) return;

    CHECK(karat_hasher_new(name, given, &hasher) == KARAT_OK);
    while (at < message.length) {
        size_t piece = 1 + below(message.length - at);
        CHECK(karat_hasher_update(hasher, message.data + at, piece) == KARAT_OK);
        at += piece;
        if (below(3) == 0) {
            CHECK(karat_hasher_clone(hasher, &copy) == KARAT_OK);
            karat_hasher_free(hasher);
            hasher = copy;
        }
    }
    CHECK(karat_hasher_digest(hasher, 0, other, size) == KARAT_OK);
    CHECK(memcmp(one, other, size) == 0);
    status = karat_hasher_digest(hasher, next() >> (44 + below(20)), other, below(size + 1));
    CHECK(status == KARAT_OK || status == KARAT_ARGUMENT);
    karat_hasher_free(hasher);

    both[0] = message;
    both[1] = slice(length());
    many = bytes(2 * size);
    status = karat_hash_many(name, given, both, 2, many, 2 * size);
    CHECK(status == KARAT_OK || status == KARAT_ARGUMENT);
    CHECK(status != KARAT_OK || memcmp(one, many, size) == 0);
    CHECK(karat_hash_many(name, given, both, 2, many, 2 * size - 1) != KARAT_OK || size == 1);
}

static void codec(void) {
    size_t data = 1 + below(12), parity = 1 + below(6), total = data + parity, i, lost = 0;
    size_t size = 64 * (1 + below(8)) + (below(2) ? 0 : below(64));
    uint8_t *shards[18], *kept[18], present[18];
    karat_codec *codec = NULL;
    bool fits = false;
    karat_status status = karat_codec_new("ABCDE"[below(5)], data, parity, &codec);

    CHECK(status == KARAT_OK || status == KARAT_ARGUMENT);
    if (status != KARAT_OK) return;
    for (i = 0; i < total; i++) shards[i] = bytes(size);
    status = karat_codec_encode(codec, (const uint8_t *const *)shards, shards + data, size);
    /* Some codes want lengths that are multiples of 64. */
    CHECK(status == KARAT_OK || (status == KARAT_ARGUMENT && size % 64 != 0));
    if (status == KARAT_OK) {
        for (i = 0; i < total; i++) {
            kept[i] = bytes(size);
            memcpy(kept[i], shards[i], size);
            present[i] = lost == parity || below(2);
            lost += present[i] == 0;
            if (present[i] == 0) memset(shards[i], 0xa5, size);
        }
        CHECK(karat_codec_reconstruct(codec, shards, present, size) == KARAT_OK);
        for (i = 0; i < total; i++) CHECK(memcmp(shards[i], kept[i], size) == 0);
        CHECK(karat_codec_verify(codec, (const uint8_t *const *)shards,
                                 (const uint8_t *const *)(shards + data), size, &fits) ==
              KARAT_OK);
        CHECK(fits);
    }
    karat_codec_free(codec);
}

static void tree(void) {
    karat_leaf leaves[12];
    karat_nmt_format format;
    karat_nmt_tree *tree = NULL;
    karat_slice root, proof, data[12];
    size_t count = below(13), start = below(14), end = below(14), size = 0, i;
    uint8_t *room;
    karat_status status;

    format.namespace_size = (uint8_t)(1 + below(40));
    format.ignore_max = below(2) == 0;
    for (i = 0; i < count; i++) {
        uint8_t *name_space = bytes(format.namespace_size);
        /* In order, with some that are equal. */
        memset(name_space, (int)(i / 2), format.namespace_size);
        leaves[i].name_space.data = name_space;
        leaves[i].name_space.length = format.namespace_size;
        leaves[i].data = slice(below(200));
        data[i] = leaves[i].data;
    }
    /* Sometimes a wrong length. */
    if (count > 0 && below(8) == 0) leaves[below(count)].name_space.length -= 1;
    status = karat_nmt_tree_new(format, leaves, count, &tree);
    CHECK(status == KARAT_OK || status == KARAT_ARGUMENT);
    if (status != KARAT_OK) return;
    root.length = 2 * (size_t)format.namespace_size + 32;
    room = bytes(root.length);
    root.data = room;
    CHECK(karat_nmt_tree_root(tree, room, root.length) == KARAT_OK);

    status = karat_nmt_tree_prove(tree, start, end, NULL, &size);
    CHECK((status == KARAT_OK) == (start < end && end <= count));
    if (status == KARAT_OK) {
        room = bytes(size);
        proof.data = room;
        proof.length = size;
        CHECK(karat_nmt_tree_prove(tree, start, end, room, &size) == KARAT_OK);
        CHECK(karat_nmt_verify(format, root, count, proof, leaves + start, end - start) ==
              KARAT_OK);
        room[below(size)] ^= (uint8_t)(1u << below(8));
        proof.length -= below(2);
        status = karat_nmt_verify(format, root, count, proof, leaves + start, end - start);
        CHECK(status != KARAT_INTERNAL && status != KARAT_NULL);
        status = karat_nmt_verify_namespace(format, root, next(), proof, leaves[0].name_space,
                                            data, count);
        CHECK(status != KARAT_INTERNAL && status != KARAT_NULL);
    }
    karat_nmt_tree_free(tree);
}

static void proof(void) {
    static const char *const discriminants[] = {
        "-0x1f", "-0x", "", "-0xc8fd905ec4869c162aa4fde5f2630fd51a44784a380aaff309d9df647b2060fc7"};
    karat_status status = karat_vdf_verify(discriminants[below(4)], slice(below(120)),
                                           slice(below(300)), next() >> below(64));
    CHECK(status == KARAT_ARGUMENT || status == KARAT_NOT_VERIFIED);
}

int main(int argc, char **argv) {
    unsigned long rounds, i;
    if (argc != 3) {
        printf("usage: random SEED ROUNDS\n");
        return 2;
    }
    state = strtoul(argv[1], NULL, 10) * 2 + 1;
    rounds = strtoul(argv[2], NULL, 10);
    make_places();
    for (i = 0; i < rounds; i++) {
        switch (below(8)) {
            case 0: codec(); break;
            case 1: tree(); break;
            case 2: proof(); break;
            default: hash(); break;
        }
    }
    printf("%lu rounds of random calls with seed %s\n", rounds, argv[1]);
    return 0;
}
