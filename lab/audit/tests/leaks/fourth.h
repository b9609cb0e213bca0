#pragma once
// What the programs of the fourth set share: data, and kernels such as libraries have. How the
// CPU is asked, where the answer is kept and how a kernel is chosen is each program's own.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <cpuid.h>
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef SHARED
// A library that can be run, as libc.so.6 can.
__asm__(".pushsection .interp,\"a\"\n.string \"/lib64/ld-linux-x86-64.so.2\"\n.popsection");
#endif
#define NI __attribute__((noinline))
#define FOR(isa) __attribute__((target(isa), noinline)) static
#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static uint8_t input[1024];
static float floats[256];
static volatile long sink;

NI static void fill(int seed) {
    for (int i = 0; i < 1024; i++)
        input[i] = (uint8_t)(i * seed + (i >> 3));
    for (int i = 0; i < 256; i++)
        floats[i] = (float)(i % 7) * 0.25f + (float)seed;
}

// A checksum, as of adler32.
typedef uint32_t check_fn(uint32_t, const uint8_t *, size_t);
NI static uint32_t check_c(uint32_t sum, const uint8_t *at, size_t length) {
    uint32_t low = sum & 0xffff, high = sum >> 16;
    while (length--) {
        low = (low + *at++) % 65521;
        high = (high + low) % 65521;
    }
    return high << 16 | low;
}
FOR("avx2") uint32_t check_avx2(uint32_t sum, const uint8_t *at, size_t length) {
    __m256i low = _mm256_setzero_si256(), high = low;
    for (; length >= 32; length -= 32, at += 32) {
        high = _mm256_add_epi32(high, low);
        low = _mm256_add_epi32(low, _mm256_sad_epu8(_mm256_loadu_si256((const __m256i *)at), _mm256_setzero_si256()));
    }
    uint32_t a[8], b[8];
    _mm256_storeu_si256((__m256i *)a, low);
    _mm256_storeu_si256((__m256i *)b, high);
    return sum + a[0] + a[2] + a[4] + a[6] + ((b[0] + b[4]) << 16);
}
FOR("pclmul") uint32_t check_pclmul(uint32_t sum, const uint8_t *at, size_t length) {
    __m128i all = _mm_cvtsi32_si128((int)sum), keys = _mm_set_epi32(0, 0x1c6e4159, 1, 0x54442bd4);
    for (; length >= 16; length -= 16, at += 16) {
        __m128i more = _mm_loadu_si128((const __m128i *)at);
        all = _mm_xor_si128(_mm_clmulepi64_si128(all, keys, 0x11), _mm_xor_si128(_mm_clmulepi64_si128(all, keys, 0x00), more));
    }
    return (uint32_t)_mm_cvtsi128_si32(all);
}
FOR("avx512f") uint32_t check_avx512(uint32_t sum, const uint8_t *at, size_t length) {
    __m512i all = _mm512_set1_epi32((int)sum);
    for (; length >= 64; length -= 64, at += 64)
        all = _mm512_add_epi32(_mm512_rol_epi32(all, 7), _mm512_loadu_si512(at));
    uint32_t out[16];
    _mm512_storeu_si512(out, all);
    return out[0] ^ out[9];
}

// The sum of absolute differences of two blocks, 32 wide.
typedef int sad_fn(const uint8_t *, ptrdiff_t, const uint8_t *, ptrdiff_t, int);
NI static int sad_c(const uint8_t *a, ptrdiff_t pa, const uint8_t *b, ptrdiff_t pb, int h) {
    int sum = 0;
    for (; h > 0; h--, a += pa, b += pb)
        for (int x = 0; x < 32; x++)
            sum += abs(a[x] - b[x]);
    return sum;
}
NI static int sad_sse2(const uint8_t *a, ptrdiff_t pa, const uint8_t *b, ptrdiff_t pb, int h) {
    __m128i sum = _mm_setzero_si128();
    for (; h > 0; h--, a += pa, b += pb)
        for (int x = 0; x < 32; x += 16)
            sum = _mm_add_epi32(sum, _mm_sad_epu8(_mm_loadu_si128((const __m128i *)(a + x)), _mm_loadu_si128((const __m128i *)(b + x))));
    return _mm_cvtsi128_si32(sum) + _mm_extract_epi16(sum, 4);
}
FOR("avx2") int sad_avx2(const uint8_t *a, ptrdiff_t pa, const uint8_t *b, ptrdiff_t pb, int h) {
    __m256i sum = _mm256_setzero_si256();
    for (; h > 0; h--, a += pa, b += pb)
        sum = _mm256_add_epi32(sum, _mm256_sad_epu8(_mm256_loadu_si256((const __m256i *)a), _mm256_loadu_si256((const __m256i *)b)));
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    return _mm_cvtsi128_si32(half) + _mm_extract_epi16(half, 4);
}

// An inner product.
typedef float dot_fn(const float *, const float *, int);
NI static float dot_c(const float *a, const float *b, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
NI static float dot_sse(const float *a, const float *b, int n) {
    __m128 sum = _mm_setzero_ps();
    for (int i = 0; i + 4 <= n; i += 4)
        sum = _mm_add_ps(sum, _mm_mul_ps(_mm_loadu_ps(a + i), _mm_loadu_ps(b + i)));
    float out[4];
    _mm_storeu_ps(out, sum);
    return out[0] + out[1] + out[2] + out[3];
}
FOR("avx") float dot_avx(const float *a, const float *b, int n) {
    __m256 sum = _mm256_setzero_ps();
    for (int i = 0; i + 8 <= n; i += 8)
        sum = _mm256_add_ps(sum, _mm256_mul_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i)));
    float out[8];
    _mm256_storeu_ps(out, sum);
    return out[0] + out[2] + out[4] + out[6];
}
FOR("avx,fma") float dot_fma(const float *a, const float *b, int n) {
    __m256 sum = _mm256_setzero_ps();
    for (int i = 0; i + 8 <= n; i += 8)
        sum = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), sum);
    float out[8];
    _mm256_storeu_ps(out, sum);
    return out[1] + out[3] + out[5] + out[7];
}
// Weights of eight bits with floats, as in quantised networks: AVX2 and F16C.
FOR("avx2,f16c") float dot_q8(const float *a, const float *b, int n) {
    __m256 sum = _mm256_setzero_ps();
    for (int i = 0; i + 8 <= n; i += 8) {
        __m256i q = _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(a + i)));
        __m256 w = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(b + i)));
        sum = _mm256_add_ps(sum, _mm256_mul_ps(_mm256_cvtepi32_ps(q), w));
    }
    float out[8];
    _mm256_storeu_ps(out, sum);
    return out[0] + out[7];
}

// Where a byte is.
typedef const uint8_t *scan_fn(const uint8_t *, int, size_t);
NI static const uint8_t *scan_c(const uint8_t *at, int what, size_t length) {
    for (; length; length--, at++)
        if (*at == what)
            return at;
    return NULL;
}
NI static const uint8_t *scan_sse2(const uint8_t *at, int what, size_t length) {
    for (; length >= 16; length -= 16, at += 16) {
        int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)at), _mm_set1_epi8((char)what)));
        if (mask)
            return at + __builtin_ctz(mask);
    }
    return scan_c(at, what, length);
}
FOR("avx2") const uint8_t *scan_avx2(const uint8_t *at, int what, size_t length) {
    for (; length >= 32; length -= 32, at += 32) {
        int mask = _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)at), _mm256_set1_epi8((char)what)));
        if (mask)
            return at + __builtin_ctz(mask);
    }
    return scan_c(at, what, length);
}

// Bits of a number by a mask, for entropy coding and large integers.
typedef uint64_t limb_fn(uint64_t, uint64_t);
NI static uint64_t limb_c(uint64_t value, uint64_t mask) {
    uint64_t out = 0;
    for (int to = 0; mask; mask &= mask - 1, to++)
        out |= (value >> __builtin_ctzll(mask) & 1) << to;
    return out;
}
FOR("bmi2") uint64_t limb_bmi2(uint64_t value, uint64_t mask) {
    return _pext_u64(value, mask) ^ _bzhi_u64(mask, (unsigned)value & 31);
}

// A block of a cipher.
typedef void block_fn(uint8_t *, const uint8_t *, const uint8_t *);
NI static void block_c(uint8_t *out, const uint8_t *in, const uint8_t *key) {
    for (int i = 0; i < 16; i++)
        out[i] = (uint8_t)((in[i] ^ key[i]) * 5 + in[(i + 5) & 15]);
}
FOR("aes") void block_aes(uint8_t *out, const uint8_t *in, const uint8_t *key) {
    __m128i k = _mm_loadu_si128((const __m128i *)key);
    __m128i s = _mm_xor_si128(_mm_loadu_si128((const __m128i *)in), k);
    for (int round = 0; round < 9; round++)
        s = _mm_aesenc_si128(s, k);
    _mm_storeu_si128((__m128i *)out, _mm_aesenclast_si128(s, k));
}
