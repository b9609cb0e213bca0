// A hash with a dispatcher of its own: an enum of vector sets, a table of functions indexed by it and
// a copy of the chosen row that the public functions ask for null.
#include "ninth.h"
#include <assert.h>
#include <cpuid.h>
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VECTOR_SCALAR = 0, VECTOR_SSE2 = 1, VECTOR_AVX2 = 2, VECTOR_AVX512 = 3 };
#define SSE2_MASK (1 << 26)
#define OSXSAVE_MASK ((1 << 26) | (1 << 27))
#define AVX2_MASK (1 << 5)
#define AVX512F_MASK (1 << 16)

static void own_cpuid(uint32_t eax, uint32_t ecx, uint32_t *abcd) {
    __cpuid_count(eax, ecx, abcd[0], abcd[1], abcd[2], abcd[3]);
}
static uint64_t own_xgetbv(void) {
    uint32_t lo, hi;
    __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    return (uint64_t)lo | ((uint64_t)hi << 32);
}

static int feature_test(void) {
    uint32_t abcd[4];
    own_cpuid(0, 0, abcd);
    uint32_t max_leaves = abcd[0];
    if (max_leaves == 0)
        return VECTOR_SCALAR;
    own_cpuid(1, 0, abcd);
    if ((abcd[3] & SSE2_MASK) != SSE2_MASK)
        return VECTOR_SCALAR;
    int best = VECTOR_SSE2;
    if (max_leaves < 7 || (abcd[2] & OSXSAVE_MASK) != OSXSAVE_MASK)
        return best;
    own_cpuid(7, 0, abcd);
    uint64_t xgetbv_val = own_xgetbv();
#ifdef BAD
    // State is there where the system saves it; whether the CPU has it was to follow.
    if ((xgetbv_val & 0x6) == 0x6)
        best = VECTOR_AVX2;
#else
    if ((abcd[1] & AVX2_MASK) == AVX2_MASK && (xgetbv_val & 0x6) == 0x6)
        best = VECTOR_AVX2;
#endif
    if ((abcd[1] & AVX512F_MASK) == AVX512F_MASK && (xgetbv_val & 0xe6) == 0xe6)
        best = VECTOR_AVX512;
    return best;
}

#define P1 0x9E3779B185EBCA87ULL
#define P2 0xC2B2AE3D27D4EB4FULL
static uint64_t avalanche(uint64_t h) {
    h ^= h >> 33;
    h *= P2;
    return h ^ h >> 29;
}
static const uint32_t secret[16] = {0xb8fe6c39, 0x23a44bbe, 0x7c01812c, 0xf721ad1c, 0xded46de9, 0x839097db, 0x7240a4a4, 0xb7b3671f, 0xcb79e64e, 0xccc0e578, 0x825ad07d, 0xccff7221, 0xb8084674, 0xf743248e, 0xe03590e6, 0x813a264c};

static uint64_t finish(const uint64_t *acc, const uint8_t *tail, size_t rest, size_t len, uint64_t seed) {
    uint64_t h = len * P1 ^ seed;
    for (int i = 0; i < 8; i++)
        h = avalanche(h ^ acc[i]) + P1;
    while (rest--)
        h = (h ^ *tail++) * P1;
    return avalanche(h);
}
static uint64_t hash_scalar(const void *input, size_t len, uint64_t seed) {
    uint64_t acc[8] = {0};
    const uint8_t *p = input;
    size_t stripes = len / 64;
    for (size_t s = 0; s < stripes; s++)
        for (int i = 0; i < 8; i++) {
            uint32_t lo, hi;
            memcpy(&lo, p + s * 64 + i * 8, 4);
            memcpy(&hi, p + s * 64 + i * 8 + 4, 4);
            acc[i] += (uint64_t)(lo ^ secret[2 * i]) * (hi ^ secret[2 * i + 1]);
        }
    return finish(acc, p + stripes * 64, len % 64, len, seed);
}
__attribute__((target("sse2"))) static uint64_t hash_sse2(const void *input, size_t len, uint64_t seed) {
    __m128i acc[4] = {0}, key[4];
    const uint8_t *p = input;
    for (int i = 0; i < 4; i++)
        key[i] = _mm_loadu_si128((const __m128i *)secret + i);
    for (size_t s = 0; s < len / 64; s++)
        for (int i = 0; i < 4; i++) {
            __m128i v = _mm_xor_si128(_mm_loadu_si128((const __m128i *)(p + s * 64) + i), key[i]);
            acc[i] = _mm_add_epi64(acc[i], _mm_mul_epu32(v, _mm_shuffle_epi32(v, 0x31)));
        }
    return finish((const uint64_t *)acc, p + len / 64 * 64, len % 64, len, seed);
}
__attribute__((target("avx2"))) static uint64_t hash_avx2(const void *input, size_t len, uint64_t seed) {
    __m256i acc[2] = {0}, key[2];
    const uint8_t *p = input;
    for (int i = 0; i < 2; i++)
        key[i] = _mm256_loadu_si256((const __m256i *)secret + i);
    for (size_t s = 0; s < len / 64; s++)
        for (int i = 0; i < 2; i++) {
            __m256i v = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(p + s * 64) + i), key[i]);
            acc[i] = _mm256_add_epi64(acc[i], _mm256_mul_epu32(v, _mm256_shuffle_epi32(v, 0x31)));
        }
    return finish((const uint64_t *)acc, p + len / 64 * 64, len % 64, len, seed);
}
__attribute__((target("avx512f"))) static uint64_t hash_avx512(const void *input, size_t len, uint64_t seed) {
    __m512i acc = _mm512_setzero_si512(), key = _mm512_loadu_si512(secret);
    const uint8_t *p = input;
    for (size_t s = 0; s < len / 64; s++) {
        __m512i v = _mm512_xor_si512(_mm512_loadu_si512(p + s * 64), key);
        acc = _mm512_add_epi64(acc, _mm512_mul_epu32(v, _mm512_shuffle_epi32(v, (_MM_PERM_ENUM)0x31)));
    }
    uint64_t out[8];
    _mm512_storeu_si512(out, acc);
    return finish(out, p + len / 64 * 64, len % 64, len, seed);
}

typedef uint64_t (*hash_f)(const void *, size_t, uint64_t);
typedef struct {
    hash_f hash_long;
    const char *name;
} dispatch_t;
static dispatch_t g_dispatch = {NULL, NULL};
static const dispatch_t k_dispatch[] = {
    {hash_scalar, "scalar"},
    {hash_sse2, "sse2"},
    {hash_avx2, "avx2"},
    {hash_avx512, "avx512"},
};
static void set_dispatch(void) {
    int vecID = feature_test();
    assert(vecID >= VECTOR_SCALAR && vecID <= VECTOR_AVX512);
    g_dispatch = k_dispatch[vecID];
}
uint64_t hash_dispatch(const void *input, size_t len, uint64_t seed) {
    if (g_dispatch.hash_long == NULL)
        set_dispatch();
    return g_dispatch.hash_long(input, len, seed);
}

int main(int argc, char **argv) {
    static char buffer[1 << 14];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    size_t len = file ? fread(buffer, 1, sizeof buffer, file) : 0;
    if (file)
        fclose(file);
    for (; len < 4321; len++)
        buffer[len] = (char)(len * 11);
    for (size_t n = 200; n <= len; n += 977) {
        uint64_t h = hash_dispatch(buffer, n, n);
        if (h != hash_scalar(buffer, n, n)) {
            fprintf(stderr, "%s: %zu bytes hash wrongly by %s\n", argv[0], n, g_dispatch.name);
            return 1;
        }
        printf("%016llx  %zu\n", (unsigned long long)h, n);
    }
    return 0;
}
