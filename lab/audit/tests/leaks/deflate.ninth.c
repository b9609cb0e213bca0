// Checksums of a compression library: a volatile word of features with a bit for "known", a volatile
// pointer that begins with a dispatcher, and a chooser that goes from the best to the worst.
#include "ninth.h"
#include <cpuid.h>
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FEATURE_SSE2 (1u << 0)
#define FEATURE_PCLMULQDQ (1u << 1)
#define FEATURE_AVX (1u << 2)
#define FEATURE_AVX2 (1u << 3)
#define FEATURE_BMI2 (1u << 4)
#define FEATURE_AVX512BW (1u << 5)
#define FEATURES_KNOWN (1u << 31)
#define IS_SET(word, nr) ((word) >> (nr) & 1)
#define ATTR(isa) __attribute__((target(isa)))

static volatile uint32_t cpu_features;

static uint64_t read_xcr(uint32_t index) {
    uint32_t d, a;
    // The assembler may be old.
    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=d"(d), "=a"(a) : "c"(index));
    return ((uint64_t)d << 32) | a;
}

static __attribute__((noinline)) void init_cpu_features(void) {
    uint32_t max, a, b, c, d, features = 0;
    uint64_t xcr0 = 0;
    __cpuid(0, max, b, c, d);
    __cpuid(1, a, b, c, d);
    if (IS_SET(d, 26))
        features |= FEATURE_SSE2;
    if (IS_SET(c, 1))
        features |= FEATURE_PCLMULQDQ;
    if (IS_SET(c, 27))
        xcr0 = read_xcr(0);
    int has_ymm = (xcr0 & 0x6) == 0x6;
    int has_zmm = (xcr0 & 0xe6) == 0xe6;
    if (has_ymm && IS_SET(c, 28))
        features |= FEATURE_AVX;
    if (max >= 7) {
        __cpuid_count(7, 0, a, b, c, d);
        if (has_ymm && IS_SET(b, 5))
            features |= FEATURE_AVX2;
        if (IS_SET(b, 8))
            features |= FEATURE_BMI2;
        if (has_zmm && IS_SET(b, 30))
            features |= FEATURE_AVX512BW;
    }
    cpu_features = features | FEATURES_KNOWN;
}
static inline uint32_t get_cpu_features(void) {
    if (cpu_features == 0)
        init_cpu_features();
    return cpu_features;
}

enum { DIVISOR = 65521, CHUNK = 2048 };
typedef uint32_t (*adler32_func_t)(uint32_t, const uint8_t *, size_t);

static uint32_t adler32_generic(uint32_t adler, const uint8_t *p, size_t size) {
    uint32_t s1 = adler & 0xffff, s2 = adler >> 16;
    while (size) {
        size_t n = size < CHUNK ? size : CHUNK;
        size -= n;
        for (; n; n--)
            s1 += *p++, s2 += s1;
        s1 %= DIVISOR, s2 %= DIVISOR;
    }
    return s2 << 16 | s1;
}
static ATTR("avx2") uint32_t adler32_avx2(uint32_t adler, const uint8_t *p, size_t size) {
    uint32_t s1 = adler & 0xffff, s2 = adler >> 16;
    const __m256i zero = _mm256_setzero_si256(), ones = _mm256_set1_epi16(1);
    const __m256i weights = _mm256_setr_epi8(32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
    while (size >= 32) {
        size_t n = (size < CHUNK ? size : CHUNK) / 32;
        __m256i sums = zero, before = zero, weighed = zero;
        s2 += s1 * (uint32_t)n * 32;
        for (size_t i = 0; i < n; i++, p += 32, size -= 32) {
            __m256i v = _mm256_loadu_si256((const __m256i *)p);
            before = _mm256_add_epi32(before, sums);
            sums = _mm256_add_epi32(sums, _mm256_sad_epu8(v, zero));
            weighed = _mm256_add_epi32(weighed, _mm256_madd_epi16(_mm256_maddubs_epi16(v, weights), ones));
        }
        uint32_t s[8], b[8], w[8];
        _mm256_storeu_si256((__m256i *)s, sums);
        _mm256_storeu_si256((__m256i *)b, before);
        _mm256_storeu_si256((__m256i *)w, weighed);
        for (int i = 0; i < 8; i++)
            s1 += s[i], s2 = (s2 + (b[i] % DIVISOR) * 32 + w[i]) % DIVISOR;
        s1 %= DIVISOR;
    }
    return adler32_generic(s2 % DIVISOR << 16 | s1, p, size);
}

static adler32_func_t arch_select_adler32_func(void) {
    const uint32_t features = get_cpu_features();
#ifdef BAD
    // A name was cut when the list was copied.
    if (features & FEATURE_AVX)
        return adler32_avx2;
#else
    if (features & FEATURE_AVX2)
        return adler32_avx2;
#endif
    return NULL;
}
static uint32_t dispatch_adler32(uint32_t adler, const uint8_t *p, size_t size);
static volatile adler32_func_t adler32_impl = dispatch_adler32;
static uint32_t dispatch_adler32(uint32_t adler, const uint8_t *p, size_t size) {
    adler32_func_t f = arch_select_adler32_func();
    if (f == NULL)
        f = adler32_generic;
    adler32_impl = f;
    return f(adler, p, size);
}
uint32_t adler32(uint32_t adler, const void *buffer, size_t size) {
    if (buffer == NULL)
        return 1;
    return adler32_impl(adler, buffer, size);
}

int main(int argc, char **argv) {
    size_t size = 5000;
    if (argc > 1 && strtoul(argv[1], NULL, 10) > 0)
        size = strtoul(argv[1], NULL, 10) % 100000 + 1;
    uint8_t *data = malloc(size);
    if (!data) {
        perror(argv[0]);
        return 3;
    }
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)(i * i >> 3);
    uint32_t adler = 1, want = adler32_generic(1, data, size);
    for (size_t at = 0; at < size; at += 777)
        adler = adler32(adler, data + at, size - at < 777 ? size - at : 777);
    free(data);
    printf("%08x\n", adler);
    return adler == want ? 0 : 1;
}
