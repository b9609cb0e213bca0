#pragma once
// What the programs of the fifth set share: data, and small kernels. How the CPU is asked, where
// the answer is kept and how a kernel is chosen is each program's own.
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
#ifdef SHARED
// A library that can be run, as libc.so.6 can.
__asm__(".pushsection .interp,\"a\"\n.string \"/lib64/ld-linux-x86-64.so.2\"\n.popsection");
#endif
// Nothing keeps these from being cloned, as the static functions of real code are.
#define FOR(isa) __attribute__((target(isa))) static
#define NI __attribute__((noinline))
#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static uint8_t bytes[512];
static float reals[128];

NI static void fill(int seed) {
    for (int i = 0; i < 512; i++)
        bytes[i] = (uint8_t)(i * 37 + seed);
    for (int i = 0; i < 128; i++)
        reals[i] = (float)(i % 5 + seed) * 0.5f;
}

// What the system keeps of the registers, by XCR0.
static inline uint64_t kept_registers(void) {
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

// The sum of bytes.
typedef uint64_t sum_fn(const uint8_t *, size_t);
static uint64_t sum_c(const uint8_t *at, size_t n) {
    uint64_t out = 0;
    for (size_t i = 0; i < n; i++)
        out += at[i];
    return out;
}
static uint64_t sum_sse2(const uint8_t *at, size_t n) {
    __m128i all = _mm_setzero_si128();
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
        all = _mm_add_epi64(all, _mm_sad_epu8(_mm_loadu_si128((const __m128i *)(at + i)), _mm_setzero_si128()));
    all = _mm_add_epi64(all, _mm_unpackhi_epi64(all, all));
    return (uint64_t)_mm_cvtsi128_si64(all) + sum_c(at + i, n - i);
}
FOR("avx2") uint64_t sum_avx2(const uint8_t *at, size_t n) {
    __m256i all = _mm256_setzero_si256();
    size_t i = 0;
    for (; i + 32 <= n; i += 32)
        all = _mm256_add_epi64(all, _mm256_sad_epu8(_mm256_loadu_si256((const __m256i *)(at + i)), _mm256_setzero_si256()));
    __m128i two = _mm_add_epi64(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    uint64_t out = (uint64_t)_mm_cvtsi128_si64(two) + (uint64_t)_mm_extract_epi64(two, 1);
    for (; i < n; i++)
        out += at[i];
    return out;
}
FOR("avx512f,avx512bw") uint64_t sum_avx512(const uint8_t *at, size_t n) {
    __m512i all = _mm512_setzero_si512();
    for (size_t i = 0; i + 64 <= n; i += 64)
        all = _mm512_add_epi64(all, _mm512_sad_epu8(_mm512_loadu_si512(at + i), _mm512_setzero_si512()));
    return (uint64_t)_mm512_reduce_add_epi64(all);
}

// y += a * x.
typedef void axpy_fn(float *, const float *, float, int);
static void axpy_c(float *y, const float *x, float a, int n) {
    for (int i = 0; i < n; i++)
        y[i] += a * x[i];
}
FOR("avx") void axpy_avx(float *y, const float *x, float a, int n) {
    __m256 all = _mm256_set1_ps(a);
    int i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(y + i, _mm256_add_ps(_mm256_loadu_ps(y + i), _mm256_mul_ps(all, _mm256_loadu_ps(x + i))));
    for (; i < n; i++)
        y[i] += a * x[i];
}
FOR("avx,fma") void axpy_fma(float *y, const float *x, float a, int n) {
    __m256 all = _mm256_set1_ps(a);
    int i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(y + i, _mm256_fmadd_ps(all, _mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i)));
    for (; i < n; i++)
        y[i] += a * x[i];
}

// An inner product.
typedef float dot_fn(const float *, const float *, int);
static float dot_c(const float *a, const float *b, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
FOR("avx2,fma") float dot_avx2(const float *a, const float *b, int n) {
    __m256 sum = _mm256_setzero_ps();
    for (int i = 0; i + 8 <= n; i += 8)
        sum = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), sum);
    // Turned about as whole numbers, which is what needs AVX2.
    __m256i turned = _mm256_permutevar8x32_epi32(_mm256_castps_si256(sum), _mm256_set_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    sum = _mm256_add_ps(sum, _mm256_castsi256_ps(turned));
    float out[8];
    _mm256_storeu_ps(out, sum);
    return out[0] + out[1] + out[2] + out[3];
}

// Half floats of a table of weights.
typedef float half_fn(const uint8_t *, int);
static float half_c(const uint8_t *at, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += (float)(at[2 * i] | (at[2 * i + 1] & 3) << 8) / 1024;
    return sum;
}
FOR("avx2,f16c,fma") float half_f16c(const uint8_t *at, int n) {
    __m256 sum = _mm256_setzero_ps();
    for (int i = 0; i + 8 <= n; i += 8) {
        __m128i raw = _mm_and_si128(_mm_loadu_si128((const __m128i *)(at + 2 * i)), _mm_set1_epi16(0x3ff));
        __m256i index = _mm256_cvtepu16_epi32(raw);
        sum = _mm256_fmadd_ps(_mm256_cvtph_ps(raw), _mm256_cvtepi32_ps(index), sum);
    }
    float out[8];
    _mm256_storeu_ps(out, sum);
    return out[0] + out[3] + out[6];
}

// Bits of a number to the places of a mask.
typedef uint64_t bits_fn(uint64_t, uint64_t);
static uint64_t bits_c(uint64_t value, uint64_t mask) {
    uint64_t out = 0;
    for (; mask; mask &= mask - 1, value >>= 1)
        if (value & 1)
            out |= mask & -mask;
    return out;
}
FOR("bmi2") uint64_t bits_bmi2(uint64_t value, uint64_t mask) {
    return _pdep_u64(value, mask) + _bzhi_u64(value, (unsigned)mask & 15);
}

// A product of a long number and a word.
typedef uint64_t limbs_fn(uint64_t *, const uint64_t *, int, uint64_t);
static uint64_t limbs_c(uint64_t *out, const uint64_t *a, int n, uint64_t by) {
    uint64_t carry = 0;
    for (int i = 0; i < n; i++) {
        unsigned __int128 all = (unsigned __int128)a[i] * by + carry;
        out[i] = (uint64_t)all;
        carry = (uint64_t)(all >> 64);
    }
    return carry;
}
FOR("bmi2") uint64_t limbs_bmi2(uint64_t *out, const uint64_t *a, int n, uint64_t by) {
    unsigned long long carry = 0, high;
    for (int i = 0; i < n; i++) {
        unsigned long long low = _mulx_u64(a[i], by, &high);
        out[i] = low + carry;
        carry = high + (out[i] < low);
    }
    return carry;
}

// Words of bits with others taken away: how many sets of one are left.
typedef unsigned rest_fn(const uint64_t *, const uint64_t *, int);
static unsigned rest_c(const uint64_t *a, const uint64_t *b, int n) {
    unsigned out = 0;
    for (int i = 0; i < n; i++)
        for (uint64_t word = a[i] & ~b[i]; word; word &= word - 1)
            out++;
    return out;
}
FOR("avx2") unsigned rest_avx2(const uint64_t *a, const uint64_t *b, int n) {
    __m256i low = _mm256_set1_epi8(15), all = _mm256_setzero_si256();
    __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    for (int i = 0; i + 4 <= n; i += 4) {
        __m256i word = _mm256_andnot_si256(_mm256_loadu_si256((const __m256i *)(b + i)), _mm256_loadu_si256((const __m256i *)(a + i)));
        __m256i one = _mm256_shuffle_epi8(table, _mm256_and_si256(word, low));
        __m256i two = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(word, 4), low));
        all = _mm256_add_epi64(all, _mm256_sad_epu8(_mm256_add_epi8(one, two), _mm256_setzero_si256()));
    }
    uint64_t out[4];
    _mm256_storeu_si256((__m256i *)out, all);
    return (unsigned)(out[0] + out[1] + out[2] + out[3]);
}

// A block of a cipher.
typedef void block_fn(uint8_t *, const uint8_t *);
static void block_c(uint8_t *block, const uint8_t *key) {
    for (int i = 0; i < 16; i++)
        block[i] = (uint8_t)((block[i] ^ key[i]) * 7 + key[(i + 3) & 15]);
}
FOR("aes") void block_aes(uint8_t *block, const uint8_t *key) {
    __m128i k = _mm_loadu_si128((const __m128i *)key);
    __m128i s = _mm_xor_si128(_mm_loadu_si128((const __m128i *)block), k);
    for (int round = 0; round < 9; round++)
        s = _mm_aesenc_si128(s, k);
    _mm_storeu_si128((__m128i *)block, _mm_aesenclast_si128(s, k));
}

// A remainder of polynomials.
typedef uint32_t crc_fn(uint32_t, const uint8_t *, size_t);
static uint32_t crc_c(uint32_t crc, const uint8_t *at, size_t n) {
    while (n--) {
        crc ^= *at++;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
    }
    return crc;
}
FOR("pclmul,sse4.1") uint32_t crc_clmul(uint32_t crc, const uint8_t *at, size_t n) {
    __m128i key = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4), x = _mm_cvtsi32_si128((int)crc);
    for (; n >= 16; n -= 16, at += 16) {
        x = _mm_xor_si128(x, _mm_loadu_si128((const __m128i *)at));
        x = _mm_xor_si128(_mm_clmulepi64_si128(x, key, 0x00), _mm_clmulepi64_si128(x, key, 0x11));
    }
    return (uint32_t)_mm_extract_epi32(x, 0) ^ (uint32_t)_mm_extract_epi32(x, 2);
}
