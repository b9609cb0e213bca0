#pragma once
// What the programs of the seventh set share: some data, and small kernels in a plain form and in
// forms for extensions. All forms give the same, so that a program prints the same on every CPU.
// How a program asks the CPU and comes to a kernel is its own.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <cpuid.h>
#include <errno.h>
#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define FOR(isa) __attribute__((target(isa))) static
#define KEEP __attribute__((noinline))
#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

static uint8_t bytes[2048], other[2048];
static float left[512], right[512];
static uint64_t longs[128];

KEEP static void make_data(unsigned seed) {
    uint32_t state = 12345 + seed;
    for (size_t i = 0; i < sizeof bytes; i++) {
        state = state * 1664525 + 1013904223;
        bytes[i] = (uint8_t)(state >> 24);
        other[i] = (uint8_t)(state >> 16);
    }
    for (size_t i = 0; i < COUNT_OF(left); i++)
        left[i] = (float)(i % 5), right[i] = (float)((i + seed) % 3);
    for (size_t i = 0; i < COUNT_OF(longs); i++)
        longs[i] = (uint64_t)(i + seed) * 0xd1342543de82ef95ull;
}

KEEP static uint64_t read_xcr(unsigned which) {
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(which));
    return low | (uint64_t)high << 32;
}

// Differences of bytes, without sign, added up.
typedef unsigned sad_t(const uint8_t *, const uint8_t *, size_t);
static unsigned sad_plain(const uint8_t *a, const uint8_t *b, size_t n) {
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (unsigned)abs(a[i] - b[i]);
    return sum;
}
static unsigned sad_sse2(const uint8_t *a, const uint8_t *b, size_t n) {
    __m128i sum = _mm_setzero_si128();
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
        sum = _mm_add_epi64(sum, _mm_sad_epu8(_mm_loadu_si128((const __m128i *)(a + i)), _mm_loadu_si128((const __m128i *)(b + i))));
    return (unsigned)_mm_cvtsi128_si32(sum) + (unsigned)_mm_cvtsi128_si32(_mm_srli_si128(sum, 8)) + sad_plain(a + i, b + i, n - i);
}
FOR("avx2") unsigned sad_avx2(const uint8_t *a, const uint8_t *b, size_t n) {
    __m256i sum = _mm256_setzero_si256();
    size_t i = 0;
    for (; i + 32 <= n; i += 32)
        sum = _mm256_add_epi64(sum, _mm256_sad_epu8(_mm256_loadu_si256((const __m256i *)(a + i)), _mm256_loadu_si256((const __m256i *)(b + i))));
    uint64_t part[4];
    _mm256_storeu_si256((__m256i *)part, sum);
    unsigned all = (unsigned)(part[0] + part[1] + part[2] + part[3]);
    for (; i < n; i++)
        all += (unsigned)abs(a[i] - b[i]);
    return all;
}
FOR("avx512f,avx512bw") unsigned sad_avx512(const uint8_t *a, const uint8_t *b, size_t n) {
    __m512i sum = _mm512_setzero_si512();
    size_t i = 0;
    for (; i + 64 <= n; i += 64)
        sum = _mm512_add_epi64(sum, _mm512_sad_epu8(_mm512_loadu_si512(a + i), _mm512_loadu_si512(b + i)));
    unsigned all = (unsigned)_mm512_reduce_add_epi64(sum);
    for (; i < n; i++)
        all += (unsigned)abs(a[i] - b[i]);
    return all;
}

// Adler's checksum, of data so short that nothing overflows.
typedef uint32_t adler_t(uint32_t, const uint8_t *, size_t);
static uint32_t adler_plain(uint32_t start, const uint8_t *p, size_t n) {
    uint32_t a = start & 0xffff, b = start >> 16;
    for (size_t i = 0; i < n; i++)
        a = (a + p[i]) % 65521, b = (b + a) % 65521;
    return b << 16 | a;
}
FOR("avx2") uint32_t adler_avx2(uint32_t start, const uint8_t *p, size_t n) {
    uint64_t a = start & 0xffff, b = start >> 16;
    const __m256i weights = _mm256_setr_epi8(32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
    for (; n >= 32; n -= 32, p += 32) {
        __m256i block = _mm256_loadu_si256((const __m256i *)p);
        uint64_t sums[4];
        uint32_t weighted[8];
        _mm256_storeu_si256((__m256i *)sums, _mm256_sad_epu8(block, _mm256_setzero_si256()));
        _mm256_storeu_si256((__m256i *)weighted, _mm256_madd_epi16(_mm256_maddubs_epi16(block, weights), _mm256_set1_epi16(1)));
        b += 32 * a;
        for (int i = 0; i < 8; i++)
            b += weighted[i];
        a += sums[0] + sums[1] + sums[2] + sums[3];
    }
    for (; n; n--)
        a += *p++, b += a;
    return (uint32_t)(b % 65521) << 16 | (uint32_t)(a % 65521);
}

// Whether all is zero.
typedef bool zero_t(const void *, size_t);
static bool zero_plain(const void *buf, size_t n) {
    const uint8_t *p = (const uint8_t *)buf;
    uint8_t any = 0;
    for (size_t i = 0; i < n; i++)
        any |= p[i];
    return !any;
}
FOR("avx2") bool zero_avx2(const void *buf, size_t n) {
    const uint8_t *p = (const uint8_t *)buf;
    __m256i any = _mm256_setzero_si256();
    for (size_t i = 0; i + 32 <= n; i += 32)
        any = _mm256_or_si256(any, _mm256_loadu_si256((const __m256i *)(p + i)));
    return _mm256_testz_si256(any, any);
}
FOR("avx512f") bool zero_avx512(const void *buf, size_t n) {
    const uint8_t *p = (const uint8_t *)buf;
    __m512i any = _mm512_setzero_si512();
    for (size_t i = 0; i + 64 <= n; i += 64)
        any = _mm512_or_si512(any, _mm512_loadu_si512(p + i));
    return _mm512_test_epi64_mask(any, any) == 0;
}

// The place of a byte, or the length.
typedef size_t find_t(const uint8_t *, size_t, uint8_t);
static size_t find_plain(const uint8_t *p, size_t n, uint8_t what) {
    size_t i = 0;
    while (i < n && p[i] != what)
        i++;
    return i;
}
FOR("avx2") size_t find_avx2(const uint8_t *p, size_t n, uint8_t what) {
    const __m256i all = _mm256_set1_epi8((char)what);
    size_t i = 0;
    for (; i + 32 <= n; i += 32) {
        int is = _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(p + i)), all));
        if (is)
            return i + (size_t)__builtin_ctz((unsigned)is);
    }
    while (i < n && p[i] != what)
        i++;
    return i;
}
FOR("avx512f,avx512bw") size_t find_avx512(const uint8_t *p, size_t n, uint8_t what) {
    const __m512i all = _mm512_set1_epi8((char)what);
    size_t i = 0;
    for (; i + 64 <= n; i += 64) {
        uint64_t is = _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(p + i), all);
        if (is)
            return i + (size_t)__builtin_ctzll(is);
    }
    while (i < n && p[i] != what)
        i++;
    return i;
}

// Squares of differences of floats; the numbers are small and whole.
typedef float dist_t(const float *, const float *, size_t);
static float dist_plain(const float *a, const float *b, size_t n) {
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}
FOR("avx") float dist_avx(const float *a, const float *b, size_t n) {
    __m256 sum = _mm256_setzero_ps();
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256 d = _mm256_sub_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i));
        sum = _mm256_add_ps(sum, _mm256_mul_ps(d, d));
    }
    float part[8], all = 0;
    _mm256_storeu_ps(part, sum);
    for (int k = 0; k < 8; k++)
        all += part[k];
    for (; i < n; i++)
        all += (a[i] - b[i]) * (a[i] - b[i]);
    return all;
}
FOR("avx,fma") float dist_fma(const float *a, const float *b, size_t n) {
    __m256 sum = _mm256_setzero_ps();
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256 d = _mm256_sub_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i));
        sum = _mm256_fmadd_ps(d, d, sum);
    }
    float part[8], all = 0;
    _mm256_storeu_ps(part, sum);
    for (int k = 0; k < 8; k++)
        all += part[k];
    for (; i < n; i++)
        all += (a[i] - b[i]) * (a[i] - b[i]);
    return all;
}
FOR("avx512f") float dist_avx512(const float *a, const float *b, size_t n) {
    __m512 sum = _mm512_setzero_ps();
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        __m512 d = _mm512_sub_ps(_mm512_loadu_ps(a + i), _mm512_loadu_ps(b + i));
        sum = _mm512_fmadd_ps(d, d, sum);
    }
    float all = _mm512_reduce_add_ps(sum);
    for (; i < n; i++)
        all += (a[i] - b[i]) * (a[i] - b[i]);
    return all;
}

// Bits that are set.
typedef uint64_t bits_t(const uint64_t *, size_t);
static uint64_t bits_plain(const uint64_t *p, size_t n) {
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        for (uint64_t word = p[i]; word; word >>= 1)
            all += word & 1;
    return all;
}
__attribute__((target("popcnt"))) static uint64_t bits_popcnt(const uint64_t *p, size_t n) {
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all += (uint64_t)_mm_popcnt_u64(p[i]);
    return all;
}
FOR("avx2") uint64_t bits_avx2(const uint64_t *p, size_t n) {
    const __m256i nibbles = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15);
    __m256i sum = _mm256_setzero_si256();
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(p + i));
        __m256i here = _mm256_add_epi8(_mm256_shuffle_epi8(nibbles, _mm256_and_si256(v, low)), _mm256_shuffle_epi8(nibbles, _mm256_and_si256(_mm256_srli_epi16(v, 4), low)));
        sum = _mm256_add_epi64(sum, _mm256_sad_epu8(here, _mm256_setzero_si256()));
    }
    uint64_t part[4];
    _mm256_storeu_si256((__m256i *)part, sum);
    uint64_t all = part[0] + part[1] + part[2] + part[3];
    for (; i < n; i++)
        for (uint64_t word = p[i]; word; word &= word - 1)
            all++;
    return all;
}
FOR("avx512f,avx512vpopcntdq") uint64_t bits_avx512(const uint64_t *p, size_t n) {
    __m512i sum = _mm512_setzero_si512();
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_loadu_si512(p + i)));
    uint64_t all = (uint64_t)_mm512_reduce_add_epi64(sum);
    for (; i < n; i++)
        for (uint64_t word = p[i]; word; word &= word - 1)
            all++;
    return all;
}

// Bits of a mask gathered; a product of 128 bits, folded; a bit field; a row of a long product.
static uint64_t gather_plain(uint64_t value, uint64_t mask) {
    uint64_t out = 0;
    for (unsigned k = 0; mask; mask &= mask - 1, k++)
        out |= (uint64_t)((value & (mask & -mask)) != 0) << k;
    return out;
}
FOR("bmi2") uint64_t gather_bmi2(uint64_t value, uint64_t mask) { return _pext_u64(value, mask); }
typedef uint64_t row_t(uint64_t *, const uint64_t *, size_t, uint64_t);
static uint64_t row_plain(uint64_t *out, const uint64_t *a, size_t n, uint64_t by) {
    uint64_t carry = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned __int128 all = (unsigned __int128)a[i] * by + carry;
        out[i] = (uint64_t)all;
        carry = (uint64_t)(all >> 64);
    }
    return carry;
}
FOR("bmi2") uint64_t row_mulx(uint64_t *out, const uint64_t *a, size_t n, uint64_t by) {
    unsigned long long carry = 0, high, low;
    for (size_t i = 0; i < n; i++) {
        __asm__("mulx %3, %0, %1" : "=r"(low), "=r"(high) : "d"(by), "r"(a[i]));
        low += carry;
        carry = high + (low < carry);
        out[i] = low;
    }
    return carry;
}
FOR("bmi2,adx") uint64_t row_adx(uint64_t *out, const uint64_t *a, size_t n, uint64_t by) {
    uint64_t carry = 0, high, low;
    for (size_t i = 0; i < n; i++) {
        __asm__("mulx %3, %0, %1\n\txor %%ecx, %%ecx\n\tadcx %4, %0\n\tadcx %%rcx, %1" : "=&r"(low), "=&r"(high) : "d"(by), "r"(a[i]), "r"(carry) : "rcx", "cc");
        out[i] = low;
        carry = high;
    }
    return carry;
}

// A product without carries, folded.
static uint64_t fold_plain(uint64_t a, uint64_t b) {
    uint64_t low = 0, high = 0;
    for (int i = 0; i < 64; i++)
        if (b >> i & 1) {
            low ^= a << i;
            high ^= i ? a >> (64 - i) : 0;
        }
    return low ^ high;
}
FOR("pclmul,sse4.1") uint64_t fold_clmul(uint64_t a, uint64_t b) {
    __m128i all = _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)a), _mm_set_epi64x(0, (long long)b), 0);
    return (uint64_t)_mm_extract_epi64(all, 0) ^ (uint64_t)_mm_extract_epi64(all, 1);
}
FOR("vpclmulqdq,avx2") uint64_t fold_vclmul(uint64_t a, uint64_t b) {
    __m256i all = _mm256_clmulepi64_epi128(_mm256_set_epi64x(0, (long long)a, 0, (long long)a), _mm256_set_epi64x(0, (long long)b, 0, (long long)b), 0);
    return (uint64_t)_mm256_extract_epi64(all, 0) ^ (uint64_t)_mm256_extract_epi64(all, 1);
}
// A checksum of 64 bits made of such products.
typedef uint64_t crc_t(const uint8_t *, size_t, uint64_t);
static uint64_t crc_plain(const uint8_t *p, size_t n, uint64_t crc) {
    for (uint64_t word; n >= 8; n -= 8, p += 8) {
        memcpy(&word, p, 8);
        crc = fold_plain(crc ^ word, 0x87d15f5de1a1a35bull);
    }
    return crc;
}
FOR("pclmul,sse4.1") uint64_t crc_clmul(const uint8_t *p, size_t n, uint64_t crc) {
    for (uint64_t word; n >= 8; n -= 8, p += 8) {
        memcpy(&word, p, 8);
        crc = fold_clmul(crc ^ word, 0x87d15f5de1a1a35bull);
    }
    return crc;
}
FOR("vpclmulqdq,avx2") uint64_t crc_vclmul(const uint8_t *p, size_t n, uint64_t crc) {
    for (uint64_t word; n >= 8; n -= 8, p += 8) {
        memcpy(&word, p, 8);
        crc = fold_vclmul(crc ^ word, 0x87d15f5de1a1a35bull);
    }
    return crc;
}

// The last round of AES without its table: what is left is a permutation, an xor and S-boxes.
static uint8_t gf_mul(uint8_t a, uint8_t b) {
    uint8_t out = 0;
    for (int i = 0; i < 8; i++) {
        if (b >> i & 1)
            out ^= a;
        a = (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
    }
    return out;
}
static uint8_t gf_box(uint8_t x) {
    uint8_t inverse = 1;
    for (int i = 0; i < 254; i++)
        inverse = gf_mul(inverse, x);
    uint8_t out = 0x63;
    for (int i = 0; i < 5; i++)
        out ^= (uint8_t)(inverse << i | inverse >> (8 - i));
    return out;
}
typedef void cipher_t(uint8_t *, const uint8_t *);
static void cipher_plain(uint8_t *block, const uint8_t *key) {
    uint8_t in[16];
    memcpy(in, block, 16);
    for (int i = 0; i < 16; i++)
        block[i] = gf_box(in[(i + 4 * (i & 3)) & 15]) ^ key[i];
}
FOR("aes") void cipher_aesni(uint8_t *block, const uint8_t *key) {
    _mm_storeu_si128((__m128i *)block, _mm_aesenclast_si128(_mm_loadu_si128((const __m128i *)block), _mm_loadu_si128((const __m128i *)key)));
}
FOR("vaes,avx2") void cipher_vaes(uint8_t *block, const uint8_t *key) {
    __m256i state = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)block));
    __m256i round = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)key));
    _mm_storeu_si128((__m128i *)block, _mm256_extracti128_si256(_mm256_aesenclast_epi128(state, round), 1));
}

// SHA-256's first schedule step.
typedef void schedule_t(uint32_t *);
static void schedule_plain(uint32_t *w) {
    for (int i = 0; i < 4; i++) {
        uint32_t x = w[i + 1];
        w[i] += (x >> 7 | x << 25) ^ (x >> 18 | x << 14) ^ x >> 3;
    }
}
FOR("sha,sse4.1") void schedule_ni(uint32_t *w) {
    __m128i first = _mm_loadu_si128((const __m128i *)w), next = _mm_loadu_si128((const __m128i *)(w + 4));
    _mm_storeu_si128((__m128i *)w, _mm_sha256msg1_epu32(first, next));
}

// Words of network order, mixed.
typedef uint64_t swap_t(const uint64_t *, size_t);
static uint64_t swap_plain(const uint64_t *p, size_t n) {
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all = all * 31 + __builtin_bswap64(p[i]);
    return all;
}
FOR("movbe") uint64_t swap_movbe(const uint64_t *p, size_t n) {
    uint64_t all = 0, word;
    for (size_t i = 0; i < n; i++) {
        __asm__("movbe %1, %0" : "=r"(word) : "m"(p[i]));
        all = all * 31 + word;
    }
    return all;
}

// Half floats from 1 to 2 as floats, added up.
typedef float widen_t(const uint8_t *, size_t);
static float widen_plain(const uint8_t *p, size_t n) {
    float all = 0;
    for (size_t i = 0; i < n; i++)
        all += 1 + (float)p[i] / 256;
    return all;
}
FOR("f16c,avx") float widen_f16c(const uint8_t *p, size_t n) {
    __m256 sum = _mm256_setzero_ps();
    for (size_t i = 0; i + 8 <= n; i += 8) {
        __m128i wide = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(p + i)), _mm_setzero_si128());
        sum = _mm256_add_ps(sum, _mm256_cvtph_ps(_mm_or_si128(_mm_slli_epi16(wide, 2), _mm_set1_epi16(0x3c00))));
    }
    float part[8], all = 0;
    _mm256_storeu_ps(part, sum);
    for (int k = 0; k < 8; k++)
        all += part[k];
    return all;
}
