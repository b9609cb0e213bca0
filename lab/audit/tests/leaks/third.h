#pragma once
// What the programs of the third set share: data, and kernels of many extensions. How a CPU
// is asked is each program's own.
#include <cpuid.h>
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef SHARED
// A library that can be run, as libc.so.6 can.
__asm__(".pushsection .interp,\"a\"\n.string \"/lib64/ld-linux-x86-64.so.2\"\n.popsection");
#endif
#define NI __attribute__((noinline))
#define FOR(isa) __attribute__((target(isa), noinline))
#define COUNT(a) ((int)(sizeof(a) / sizeof(*(a))))

static int32_t cells[96];
static volatile long sink;
static void fill(int seed) {
    for (int i = 0; i < COUNT(cells); i++)
        cells[i] = i * seed + 1;
}
typedef long kernel(const int32_t *at, int count);

NI static long plain(const int32_t *at, int count) {
    long all = 0;
    while (count-- > 0)
        all += at[count];
    return all;
}
FOR("avx2") static long with_avx2(const int32_t *at, int count) {
    __m256i all = _mm256_setzero_si256();
    for (; count >= 8; count -= 8, at += 8)
        all = _mm256_add_epi32(all, _mm256_loadu_si256((const __m256i *)at));
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    half = _mm_add_epi32(half, _mm_srli_si128(half, 8));
    half = _mm_add_epi32(half, _mm_srli_si128(half, 4));
    return _mm_cvtsi128_si32(half);
}
FOR("avx2") static long with_avx2_max(const int32_t *at, int count) {
    __m256i most = _mm256_loadu_si256((const __m256i *)at);
    for (int i = 8; i + 8 <= count; i += 8)
        most = _mm256_max_epi32(most, _mm256_loadu_si256((const __m256i *)(at + i)));
    int32_t out[8];
    _mm256_storeu_si256((__m256i *)out, most);
    return out[0] ^ out[7];
}
FOR("avx") static long with_avx(const int32_t *at, int count) {
    __m256 all = _mm256_set1_ps(1.f);
    for (int i = 0; i + 8 <= count; i += 8)
        all = _mm256_add_ps(all, _mm256_loadu_ps((const float *)(at + i)));
    float out[8];
    _mm256_storeu_ps(out, all);
    return out[3] > 4.f;
}
FOR("fma") static long with_fma(const int32_t *at, int count) {
    __m128d all = _mm_set1_pd(0.5);
    for (int i = 0; i + 2 <= count; i += 2) {
        __m128d two = _mm_set_pd(at[i], at[i + 1]);
        all = _mm_fmadd_pd(two, two, all);
    }
    return (long)_mm_cvtsd_f64(all);
}
FOR("f16c") static long with_f16c(const int32_t *at, int count) {
    long all = 0;
    for (int i = 0; i + 4 <= count; i += 4)
        all += _mm_cvtsi128_si32(_mm_castps_si128(_mm_cvtph_ps(_mm_loadl_epi64((const __m128i *)(at + i)))));
    return all;
}
FOR("bmi2") static long with_bmi2(const int32_t *at, int count) {
    uint64_t all = 0;
    for (int i = 0; i < count; i++)
        all ^= _pext_u64((uint64_t)at[i] * 77, 0x0f0f00ff0f0full);
    return (long)all;
}
FOR("bmi") static long with_bmi1(const int32_t *at, int count) {
    long all = 0;
    for (int i = 0; i < count; i++) {
        uint32_t out;
        __asm__("andnl %2, %1, %0" : "=r"(out) : "r"(at[i]), "r"(0xff00ff));
        all += out;
    }
    return all;
}
FOR("movbe") static long with_movbe(const int32_t *at, int count) {
    long all = 0;
    for (int i = 0; i < count; i++) {
        uint32_t out;
        __asm__("movbel %1, %0" : "=r"(out) : "m"(at[i]));
        all += out;
    }
    return all;
}
FOR("pclmul") static long with_pclmul(const int32_t *at, int count) {
    __m128i all = _mm_setzero_si128();
    for (int i = 0; i + 4 <= count; i += 4)
        all = _mm_xor_si128(all, _mm_clmulepi64_si128(_mm_loadu_si128((const __m128i *)(at + i)), _mm_set1_epi32(0x1edc), 0x10));
    return _mm_cvtsi128_si64(all);
}
FOR("aes") static long with_aes(const int32_t *at, int count) {
    __m128i all = _mm_setzero_si128();
    for (int i = 0; i + 4 <= count; i += 4)
        all = _mm_aesenc_si128(all, _mm_loadu_si128((const __m128i *)(at + i)));
    return _mm_cvtsi128_si64(all);
}
FOR("sha") static long with_sha(const int32_t *at, int count) {
    __m128i all = _mm_setzero_si128();
    for (int i = 0; i + 4 <= count; i += 4)
        all = _mm_sha256msg1_epu32(all, _mm_loadu_si128((const __m128i *)(at + i)));
    return _mm_cvtsi128_si32(all);
}
FOR("avx512f") static long with_avx512(const int32_t *at, int count) {
    __m512i all = _mm512_setzero_si512();
    for (int i = 0; i + 16 <= count; i += 16)
        all = _mm512_add_epi32(all, _mm512_loadu_si512(at + i));
    int32_t out[16];
    _mm512_storeu_si512(out, all);
    return out[5];
}
