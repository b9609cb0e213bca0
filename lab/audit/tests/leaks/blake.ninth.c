// A tree hash's dispatcher: an atomic enum of features with a value for "not asked yet", asked anew by
// each public function, which goes to kernels directly instead of by pointers.
#include "ninth.h"
#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ATOMIC_LOAD(x) atomic_load_explicit(&x, memory_order_relaxed)
#define ATOMIC_STORE(x, y) atomic_store_explicit(&x, y, memory_order_relaxed)
enum cpu_feature {
    SSE2 = 1 << 0,
    SSSE3 = 1 << 1,
    SSE41 = 1 << 2,
    AVX = 1 << 3,
    AVX2 = 1 << 4,
    AVX512F = 1 << 5,
    AVX512VL = 1 << 6,
    UNDEFINED = 1 << 30
};
static _Atomic int g_cpu_features = UNDEFINED;

static uint64_t xgetbv(void) {
    uint32_t eax = 0, edx = 0;
    __asm__ __volatile__("xgetbv\n" : "=a"(eax), "=d"(edx) : "c"(0));
    return ((uint64_t)edx << 32) | eax;
}
static void cpuid(uint32_t out[4], uint32_t id) { __cpuid(id, out[0], out[1], out[2], out[3]); }
static void cpuidex(uint32_t out[4], uint32_t id, uint32_t sid) { __cpuid_count(id, sid, out[0], out[1], out[2], out[3]); }

enum cpu_feature get_cpu_features(void) {
    enum cpu_feature features = ATOMIC_LOAD(g_cpu_features);
    if (features != UNDEFINED)
        return features;
    uint32_t regs[4] = {0};
    uint32_t *eax = &regs[0], *ebx = &regs[1], *ecx = &regs[2], *edx = &regs[3];
    features = 0;
    cpuid(regs, 0);
    const int max_id = (int)*eax;
    cpuid(regs, 1);
    (void)edx;
    features |= SSE2;
    if (*ecx & (1UL << 9))
        features |= SSSE3;
    if (*ecx & (1UL << 19))
        features |= SSE41;
    if (*ecx & (1UL << 27)) {
        const uint64_t mask = xgetbv();
        if ((mask & 6) == 6) {
            if (*ecx & (1UL << 28))
                features |= AVX;
            if (max_id >= 7) {
                cpuidex(regs, 7, 0);
                if (*ebx & (1UL << 5))
                    features |= AVX2;
                if ((mask & 224) == 224) {
                    if (*ebx & (1UL << 31))
                        features |= AVX512VL;
                    if (*ebx & (1UL << 16))
                        features |= AVX512F;
                }
            }
        }
    }
    ATOMIC_STORE(g_cpu_features, features);
    return features;
}

enum { CHUNK = 64, LANES_MAX = 8 };
static const uint32_t IV[8] = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
static inline uint32_t rotr(uint32_t w, int c) { return w >> c | w << (32 - c); }

static uint32_t hash_one_portable(const uint8_t *chunk, uint32_t counter) {
    uint32_t h = IV[0] ^ counter;
    for (int i = 0; i < CHUNK / 4; i++) {
        uint32_t w;
        memcpy(&w, chunk + 4 * i, 4);
        h = rotr(h + w, 7) ^ IV[i & 7];
    }
    return h;
}
static void hash_many_portable(const uint8_t *const *inputs, size_t num, uint32_t counter, uint32_t *out) {
    for (; num; num--)
        *out++ = hash_one_portable(*inputs++, counter++);
}
__attribute__((target("avx2"))) void hash_many_avx2(const uint8_t *const *inputs, size_t num, uint32_t counter, uint32_t *out) {
    for (; num >= 8; num -= 8, inputs += 8, counter += 8, out += 8) {
        __m256i h = _mm256_xor_si256(_mm256_set1_epi32((int)IV[0]), _mm256_add_epi32(_mm256_set1_epi32((int)counter), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)));
        for (int i = 0; i < CHUNK / 4; i++) {
            uint32_t words[8];
            for (int lane = 0; lane < 8; lane++)
                memcpy(&words[lane], inputs[lane] + 4 * i, 4);
            h = _mm256_add_epi32(h, _mm256_loadu_si256((const __m256i *)words));
            h = _mm256_or_si256(_mm256_srli_epi32(h, 7), _mm256_slli_epi32(h, 25));
            h = _mm256_xor_si256(h, _mm256_set1_epi32((int)IV[i & 7]));
        }
        _mm256_storeu_si256((__m256i *)out, h);
    }
    hash_many_portable(inputs, num, counter, out);
}
__attribute__((target("avx512f,avx512vl"))) void hash_many_avx512(const uint8_t *const *inputs, size_t num, uint32_t counter, uint32_t *out) {
    for (; num >= 8; num -= 8, inputs += 8, counter += 8, out += 8) {
        __m256i h = _mm256_xor_si256(_mm256_set1_epi32((int)IV[0]), _mm256_add_epi32(_mm256_set1_epi32((int)counter), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)));
        for (int i = 0; i < CHUNK / 4; i++) {
            uint32_t words[8];
            for (int lane = 0; lane < 8; lane++)
                memcpy(&words[lane], inputs[lane] + 4 * i, 4);
            h = _mm256_ror_epi32(_mm256_add_epi32(h, _mm256_loadu_si256((const __m256i *)words)), 7);
            h = _mm256_xor_si256(h, _mm256_set1_epi32((int)IV[i & 7]));
        }
        _mm256_storeu_si256((__m256i *)out, h);
    }
    hash_many_portable(inputs, num, counter, out);
}
void hash_many(const uint8_t *const *inputs, size_t num, uint32_t counter, uint32_t *out) {
    const enum cpu_feature features = get_cpu_features();
    (void)features;
    if ((features & (AVX512F | AVX512VL)) == (AVX512F | AVX512VL)) {
        hash_many_avx512(inputs, num, counter, out);
        return;
    }
#ifdef BAD
    // Any of the two, and one is not enough.
    if (features & (AVX | AVX2)) {
#else
    if (features & AVX2) {
#endif
        hash_many_avx2(inputs, num, counter, out);
        return;
    }
    hash_many_portable(inputs, num, counter, out);
}
size_t simd_degree(void) {
    const enum cpu_feature features = get_cpu_features();
    if (features & AVX2)
        return 8;
    return features & SSE41 ? 4 : 1;
}
typedef struct {
    uint32_t state;
    uint32_t chunks;
    size_t buffered;
    uint8_t buffer[CHUNK * LANES_MAX];
} hasher;
static void hasher_init(hasher *self) {
    memset(self, 0, sizeof *self);
    self->state = IV[7];
}
static void hasher_flush(hasher *self) {
    const uint8_t *inputs[LANES_MAX];
    uint32_t out[LANES_MAX];
    size_t n = self->buffered / CHUNK;
    for (size_t i = 0; i < n; i++)
        inputs[i] = self->buffer + i * CHUNK;
    hash_many(inputs, n, self->chunks, out);
    for (size_t i = 0; i < n; i++)
        self->state = rotr(self->state ^ out[i], 11) * 5;
    self->chunks += (uint32_t)n;
    self->buffered = 0;
}
static void hasher_update(hasher *self, const void *input, size_t size) {
    const uint8_t *p = input;
    while (size) {
        size_t take = sizeof self->buffer - self->buffered;
        take = take < size ? take : size;
        memcpy(self->buffer + self->buffered, p, take);
        self->buffered += take;
        p += take;
        size -= take;
        if (self->buffered == sizeof self->buffer)
            hasher_flush(self);
    }
}
int main(int argc, char **argv) {
    hasher h;
    hasher_init(&h);
    char line[256];
    if (argc > 1) {
        FILE *f = fopen(argv[1], "r");
        while (f && fgets(line, sizeof line, f))
            hasher_update(&h, line, strlen(line));
        if (f)
            fclose(f);
    }
    for (int i = 0; i < 60; i++) {
        int n = snprintf(line, sizeof line, "record %d of sixty, with some text behind it\n", i);
        hasher_update(&h, line, (size_t)n);
    }
    memset(h.buffer + h.buffered, 0, sizeof h.buffer - h.buffered);
    h.buffered = sizeof h.buffer;
    hasher_flush(&h);
    printf("%08x %u chunks\n", h.state, h.chunks);
    return simd_degree() ? 0 : 1;
}
