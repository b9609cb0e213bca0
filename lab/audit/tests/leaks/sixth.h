#pragma once
// What the programs of the sixth set share: data, and small kernels that give what their plain
// forms give, so that a program prints the same on every CPU. How the CPU is asked and how a
// kernel is chosen is each program's own.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <cpuid.h>
#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define ISA(isa) __attribute__((target(isa))) static
#define NI __attribute__((noinline))
#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

static uint8_t text[1024];
static float xs[256], ys[256];
static uint64_t words[64];

NI static void fill(int seed) {
    for (int i = 0; i < 1024; i++)
        text[i] = (uint8_t)((unsigned)(i * i + i / 3 + 7 * seed) % 251);
    for (int i = 0; i < 256; i++)
        xs[i] = (float)(i % 7), ys[i] = (float)((i + seed) % 5);
    for (int i = 0; i < 64; i++)
        words[i] = 0x9e3779b97f4a7c15ull * (unsigned)(i + seed);
}

static inline uint32_t xcr0(void) {
    uint32_t low, high;
    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

// The sum of bytes.
typedef uint64_t sum_fn(const uint8_t *, size_t);
static uint64_t sum_c(const uint8_t *p, size_t n) {
    uint64_t sum = 0;
    while (n--)
        sum += *p++;
    return sum;
}
static uint64_t sum_sse2(const uint8_t *p, size_t n) {
    __m128i acc = _mm_setzero_si128();
    for (; n >= 16; n -= 16, p += 16)
        acc = _mm_add_epi64(acc, _mm_sad_epu8(_mm_loadu_si128((const __m128i *)p), _mm_setzero_si128()));
    acc = _mm_add_epi64(acc, _mm_unpackhi_epi64(acc, acc));
    return (uint64_t)_mm_cvtsi128_si64(acc) + sum_c(p, n);
}
ISA("avx2") uint64_t sum_avx2(const uint8_t *p, size_t n) {
    __m256i acc = _mm256_setzero_si256();
    for (; n >= 32; n -= 32, p += 32)
        acc = _mm256_add_epi64(acc, _mm256_sad_epu8(_mm256_loadu_si256((const __m256i *)p), _mm256_setzero_si256()));
    __m128i half = _mm_add_epi64(_mm256_castsi256_si128(acc), _mm256_extracti128_si256(acc, 1));
    uint64_t sum = (uint64_t)_mm_cvtsi128_si64(half) + (uint64_t)_mm_extract_epi64(half, 1);
    while (n--)
        sum += *p++;
    return sum;
}
ISA("avx512f,avx512bw") uint64_t sum_avx512(const uint8_t *p, size_t n) {
    __m512i acc = _mm512_setzero_si512();
    for (; n >= 64; n -= 64, p += 64)
        acc = _mm512_add_epi64(acc, _mm512_sad_epu8(_mm512_loadu_si512(p), _mm512_setzero_si512()));
    uint64_t sum = (uint64_t)_mm512_reduce_add_epi64(acc);
    while (n--)
        sum += *p++;
    return sum;
}

// How often a byte occurs.
typedef size_t count_fn(const uint8_t *, size_t, uint8_t);
static size_t count_c(const uint8_t *p, size_t n, uint8_t c) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        found += p[i] == c;
    return found;
}
ISA("avx2,popcnt") size_t count_avx2(const uint8_t *p, size_t n, uint8_t c) {
    size_t found = 0, i = 0;
    for (__m256i all = _mm256_set1_epi8((char)c); i + 32 <= n; i += 32) {
        __m256i is = _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(p + i)), all);
        found += (size_t)_mm_popcnt_u32((unsigned)_mm256_movemask_epi8(is));
    }
    for (; i < n; i++)
        found += p[i] == c;
    return found;
}

// Inner products and scaled sums; the numbers are small and whole, so that all orders agree.
typedef float dot_fn(const float *, const float *, int);
static float dot_c(const float *a, const float *b, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
static float dot_sse(const float *a, const float *b, int n) {
    __m128 acc = _mm_setzero_ps();
    for (int i = 0; i + 4 <= n; i += 4)
        acc = _mm_add_ps(acc, _mm_mul_ps(_mm_loadu_ps(a + i), _mm_loadu_ps(b + i)));
    float out[4];
    _mm_storeu_ps(out, acc);
    return out[0] + out[1] + out[2] + out[3];
}
ISA("avx") float dot_avx(const float *a, const float *b, int n) {
    __m256 acc = _mm256_setzero_ps();
    for (int i = 0; i + 8 <= n; i += 8)
        acc = _mm256_add_ps(acc, _mm256_mul_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i)));
    float out[8], sum = 0;
    _mm256_storeu_ps(out, acc);
    for (int i = 0; i < 8; i++)
        sum += out[i];
    return sum;
}
ISA("avx2,fma") float dot_fma(const float *a, const float *b, int n) {
    __m256 acc = _mm256_setzero_ps();
    for (int i = 0; i + 8 <= n; i += 8)
        acc = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), acc);
    // Halves are added as whole numbers, which is what needs AVX2.
    __m256i whole = _mm256_cvtps_epi32(acc);
    whole = _mm256_add_epi32(whole, _mm256_permute4x64_epi64(whole, 0x4e));
    float out[8];
    _mm256_storeu_ps(out, _mm256_cvtepi32_ps(whole));
    return out[0] + out[1] + out[2] + out[3];
}
ISA("avx512f") float dot_avx512(const float *a, const float *b, int n) {
    __m512 acc = _mm512_setzero_ps();
    for (int i = 0; i + 16 <= n; i += 16)
        acc = _mm512_fmadd_ps(_mm512_loadu_ps(a + i), _mm512_loadu_ps(b + i), acc);
    return _mm512_reduce_add_ps(acc);
}
typedef void axpy_fn(float *, const float *, float, int);
static void axpy_c(float *y, const float *x, float a, int n) {
    for (int i = 0; i < n; i++)
        y[i] += a * x[i];
}
ISA("avx") void axpy_avx(float *y, const float *x, float a, int n) {
    __m256 all = _mm256_set1_ps(a);
    for (int i = 0; i + 8 <= n; i += 8)
        _mm256_storeu_ps(y + i, _mm256_add_ps(_mm256_loadu_ps(y + i), _mm256_mul_ps(all, _mm256_loadu_ps(x + i))));
}
ISA("avx,fma") void axpy_fma(float *y, const float *x, float a, int n) {
    __m256 all = _mm256_set1_ps(a);
    for (int i = 0; i + 8 <= n; i += 8)
        _mm256_storeu_ps(y + i, _mm256_fmadd_ps(all, _mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i)));
}

// Bits of a word to the places of a mask, and a product that is folded.
typedef uint64_t mix_fn(uint64_t, uint64_t);
static uint64_t deposit_c(uint64_t value, uint64_t mask) {
    uint64_t out = 0;
    for (; mask; mask &= mask - 1, value >>= 1)
        out |= value & 1 ? mask & -mask : 0;
    return out;
}
ISA("bmi2") uint64_t deposit_bmi2(uint64_t value, uint64_t mask) { return _pdep_u64(value, mask); }
static uint64_t fold_c(uint64_t a, uint64_t b) {
    unsigned __int128 all = (unsigned __int128)a * b;
    return (uint64_t)all ^ (uint64_t)(all >> 64);
}
ISA("bmi2") uint64_t fold_bmi2(uint64_t a, uint64_t b) {
    unsigned long long high, low = _mulx_u64(a, b, &high);
    return low ^ high ^ _bzhi_u64(a, 0);
}
static uint64_t poly_c(uint64_t a, uint64_t b) {
    uint64_t low = 0, high = 0;
    for (int i = 0; i < 64; i++)
        if (b >> i & 1)
            low ^= a << i, high ^= i ? a >> (64 - i) : 0;
    return low ^ high;
}
ISA("pclmul,sse4.1") uint64_t poly_clmul(uint64_t a, uint64_t b) {
    __m128i all = _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)a), _mm_cvtsi64_si128((long long)b), 0);
    return (uint64_t)_mm_cvtsi128_si64(all) ^ (uint64_t)_mm_extract_epi64(all, 1);
}

// Words without the bits of others: how many bits are left.
typedef unsigned rest_fn(const uint64_t *, const uint64_t *, int);
static unsigned rest_c(const uint64_t *a, const uint64_t *b, int n) {
    unsigned out = 0;
    for (int i = 0; i < n; i++)
        for (uint64_t left = a[i] & ~b[i]; left; left &= left - 1)
            out++;
    return out;
}
ISA("bmi") unsigned rest_bmi(const uint64_t *a, const uint64_t *b, int n) {
    unsigned out = 0;
    for (int i = 0; i < n; i++)
        for (uint64_t left = _andn_u64(b[i], a[i]); left; left = _blsr_u64(left))
            out++;
    return out;
}

// A round of AES over a block.
typedef void block_fn(uint8_t *, const uint8_t *);
static uint8_t times(uint8_t a, uint8_t b) {
    uint8_t out = 0;
    for (; b; b >>= 1, a = (uint8_t)(a << 1 ^ (a >> 7) * 0x1b))
        out ^= b & 1 ? a : 0;
    return out;
}
static uint8_t sbox(uint8_t x) {
    uint8_t y = x;
    for (int i = 0; i < 6; i++)
        y = times(times(y, y), x);
    y = times(y, y);
    return (uint8_t)(y ^ (y << 1 | y >> 7) ^ (y << 2 | y >> 6) ^ (y << 3 | y >> 5) ^ (y << 4 | y >> 4) ^ 0x63);
}
static void block_c(uint8_t *block, const uint8_t *key) {
    uint8_t s[16];
    for (int i = 0; i < 16; i++)
        s[i] = sbox(block[(i + 4 * (i % 4)) % 16]);
    for (int i = 0; i < 16; i++) {
        int column = i & ~3;
        block[i] = (uint8_t)(times(s[i], 2) ^ times(s[column + (i + 1) % 4], 3) ^ s[column + (i + 2) % 4] ^ s[column + (i + 3) % 4] ^ key[i]);
    }
}
ISA("aes") void block_aesni(uint8_t *block, const uint8_t *key) {
    __m128i s = _mm_loadu_si128((const __m128i *)block);
    _mm_storeu_si128((__m128i *)block, _mm_aesenc_si128(s, _mm_loadu_si128((const __m128i *)key)));
}
// Two blocks at once, with two keys.
static void pair_c(uint8_t *block, const uint8_t *key) { block_c(block, key), block_c(block + 16, key + 16); }
ISA("vaes,avx2") void pair_vaes(uint8_t *block, const uint8_t *key) {
    __m256i s = _mm256_loadu_si256((const __m256i *)block);
    _mm256_storeu_si256((__m256i *)block, _mm256_aesenc_epi128(s, _mm256_loadu_si256((const __m256i *)key)));
}

// Half floats between 1 and 2, added up.
typedef float half_fn(const uint64_t *, int);
static float half_c(const uint64_t *p, int n) {
    float sum = 0;
    for (int i = 0; i < 4 * n; i++)
        sum += 1 + (float)(p[i / 4] >> (16 * (i % 4)) & 1023) / 1024;
    return sum;
}
ISA("f16c") float half_f16c(const uint64_t *p, int n) {
    __m128 acc = _mm_setzero_ps();
    for (int i = 0; i < n; i++) {
        __m128i raw = _mm_cvtsi64_si128((long long)((p[i] & 0x03ff03ff03ff03ff) | 0x3c003c003c003c00));
        acc = _mm_add_ps(acc, _mm_cvtph_ps(raw));
    }
    float out[4];
    _mm_storeu_ps(out, acc);
    return out[0] + out[1] + out[2] + out[3];
}

// Words of network order, added up.
typedef uint64_t load_fn(const uint8_t *, size_t);
static uint64_t load_c(const uint8_t *p, size_t n) {
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (uint64_t)p[i] << 8 * (7 - i % 8);
    return sum;
}
ISA("movbe") uint64_t load_movbe(const uint8_t *p, size_t n) {
    uint64_t sum = 0, word;
    for (size_t i = 0; i + 8 <= n; i += 8) {
        __asm__("movbe %1, %0" : "=r"(word) : "m"(*(const uint64_t *)(p + i)));
        sum += word;
    }
    return sum;
}

// A step of SHA-256's schedule over four words.
typedef void sched_fn(uint32_t *);
static uint32_t sigma(uint32_t x) { return (x >> 7 | x << 25) ^ (x >> 18 | x << 14) ^ x >> 3; }
static void sched_c(uint32_t *w) {
    for (int i = 0; i < 4; i++)
        w[i] += sigma(w[i + 1]);
}
ISA("sha,sse4.1") void sched_sha(uint32_t *w) {
    __m128i a = _mm_loadu_si128((const __m128i *)w), b = _mm_loadu_si128((const __m128i *)(w + 4));
    _mm_storeu_si128((__m128i *)w, _mm_sha256msg1_epu32(a, b));
}
