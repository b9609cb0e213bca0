/* A Merkle tree with proofs, an erasure code, and the proof of a delay function. */
#include "karat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            printf("line %d: %s (%s)\n", __LINE__, #condition, karat_message()); \
            return 1;                                                             \
        }                                                                         \
    } while (0)

static karat_slice slice(const void *data, size_t length) {
    karat_slice made;
    made.data = (const uint8_t *)data;
    made.length = length;
    return made;
}

static int tree(void) {
    static const uint8_t namespaces[3][4] = {{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 2}};
    static const char *const data[3] = {"one", "two", "six"};
    karat_nmt_format format;
    karat_leaf leaves[3];
    karat_slice held[2];
    karat_nmt_tree *tree = NULL;
    uint8_t root[40], *proof;
    size_t length = 0, i;

    format.namespace_size = 4;
    format.ignore_max = true;
    for (i = 0; i < 3; i++) {
        leaves[i].name_space = slice(namespaces[i], 4);
        leaves[i].data = slice(data[i], 3);
    }
    CHECK(karat_nmt_tree_new(format, leaves, 3, &tree) == KARAT_OK);
    CHECK(karat_nmt_tree_root(tree, root, sizeof root) == KARAT_OK);
    CHECK(karat_nmt_tree_root(tree, root, 39) == KARAT_ARGUMENT);

    CHECK(karat_nmt_tree_prove(tree, 1, 3, NULL, &length) == KARAT_OK && length > 0);
    proof = (uint8_t *)malloc(length);
    CHECK(proof != NULL);
    CHECK(karat_nmt_tree_prove(tree, 1, 3, proof, &length) == KARAT_OK);
    CHECK(karat_nmt_verify(format, slice(root, 40), 3, slice(proof, length), leaves + 1, 2) ==
          KARAT_OK);
    CHECK(karat_nmt_verify(format, slice(root, 40), 3, slice(proof, length), leaves, 2) ==
          KARAT_NOT_VERIFIED);
    CHECK(karat_nmt_verify(format, slice(root, 40), 3, slice("x", 1), leaves, 2) ==
          KARAT_NOT_VERIFIED);
    free(proof);

    length = 0;
    CHECK(karat_nmt_tree_prove_namespace(tree, leaves[1].name_space, NULL, &length) == KARAT_OK);
    proof = (uint8_t *)malloc(length);
    CHECK(proof != NULL);
    CHECK(karat_nmt_tree_prove_namespace(tree, leaves[1].name_space, proof, &length) ==
          KARAT_OK);
    held[0] = leaves[1].data;
    held[1] = leaves[2].data;
    CHECK(karat_nmt_verify_namespace(format, slice(root, 40), 3, slice(proof, length),
                                     leaves[1].name_space, held, 2) == KARAT_OK);
    CHECK(karat_nmt_verify_namespace(format, slice(root, 40), 3, slice(proof, length),
                                     leaves[1].name_space, held, 1) == KARAT_NOT_VERIFIED);
    free(proof);
    karat_nmt_tree_free(tree);

    leaves[0].name_space = slice(namespaces[1], 3);
    tree = NULL;
    CHECK(karat_nmt_tree_new(format, leaves, 3, &tree) == KARAT_ARGUMENT && tree == NULL);
    CHECK(karat_nmt_tree_prove(NULL, 0, 1, NULL, &length) == KARAT_NULL);
    return 0;
}

static int code(char letter) {
    uint8_t buffers[5][64], before[5][64], present[5] = {0, 1, 0, 1, 1};
    uint8_t *shards[5];
    const uint8_t *data[3], *parity[2];
    karat_codec *codec = NULL;
    bool fits = false;
    size_t i;

    for (i = 0; i < 5; i++)
        shards[i] = buffers[i];
    for (i = 0; i < 3; i++) {
        memset(buffers[i], (int)i + 1, 64);
        data[i] = buffers[i];
    }
    parity[0] = buffers[3];
    parity[1] = buffers[4];
    CHECK(karat_codec_new(letter, 3, 2, &codec) == KARAT_OK);
    CHECK(karat_codec_encode(codec, data, shards + 3, 64) == KARAT_OK);
    CHECK(karat_codec_verify(codec, data, parity, 64, &fits) == KARAT_OK && fits);
    memcpy(before, buffers, sizeof before);
    memset(buffers[0], 0xee, 64);
    memset(buffers[2], 0xee, 64);
    CHECK(karat_codec_verify(codec, data, parity, 64, &fits) == KARAT_OK && !fits);
    CHECK(karat_codec_reconstruct(codec, shards, present, 64) == KARAT_OK);
    CHECK(memcmp(before, buffers, sizeof before) == 0);
    present[1] = 0;
    CHECK(karat_codec_reconstruct(codec, shards, present, 64) == KARAT_ARGUMENT);
    shards[1] = shards[0] + 1;
    CHECK(karat_codec_reconstruct(codec, shards, present, 64) == KARAT_ARGUMENT);
    karat_codec_free(codec);
    CHECK(karat_codec_new('E', 3, 2, &codec) == KARAT_ARGUMENT);
    CHECK(karat_codec_new(letter, 0, 2, &codec) == KARAT_ARGUMENT);
    return 0;
}

/* What `karat.vdf` of the Python package makes for the seed "seed" and 256 bits. */
static const char DISCRIMINANT[] = "-0xfec8db6cdda0bf167b26271ae18bf7293e5f6301f9071bb5723410b5d567a32f";
static const uint8_t X[] = {
    0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00};
static const uint8_t PROOF[] = {
    0x00, 0x00, 0x34, 0x0a, 0xdc, 0x2a, 0x46, 0x85, 0xa7, 0x9b, 0xa5, 0xcf,
    0xe6, 0xcd, 0xd5, 0x94, 0x05, 0x75, 0xd7, 0x21, 0x6a, 0xc2, 0x4d, 0xe0,
    0x10, 0x12, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x50, 0x2e, 0x0b, 0x79, 0xe9, 0x5f,
    0x9f, 0x35, 0x30, 0x21, 0x97, 0xa9, 0xdf, 0xe4, 0xb4, 0x0b, 0x69, 0xc0,
    0xb4, 0x29, 0xf2, 0xd0, 0xc1, 0x07, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};

static int delay(void) {
    karat_slice x = slice(X, sizeof X), proof = slice(PROOF, sizeof PROOF);

    CHECK(karat_vdf_verify(DISCRIMINANT, x, proof, 1000) == KARAT_OK);
    CHECK(karat_vdf_verify(DISCRIMINANT, x, proof, 1001) == KARAT_NOT_VERIFIED);
    CHECK(karat_vdf_verify(DISCRIMINANT, x, slice(PROOF, 10), 1000) == KARAT_NOT_VERIFIED);
    CHECK(karat_vdf_verify("0x17", x, proof, 1000) == KARAT_ARGUMENT);
    return 0;
}

int main(void) {
    return tree() || code('A') || code('B') || code('C') || code('D') || delay();
}
