// What an SPMD compiler links for several targets: an integer for the best target, found once, and
// for each exported function a dispatcher that goes down from the highest and calls.
#include <cpuid.h>
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ISA_SSE2 = 0, ISA_SSE4 = 1, ISA_AVX = 2, ISA_AVX11 = 3, ISA_AVX2 = 4, ISA_SKX = 5, ISA_INVALID = -1 };
static int32_t __system_best_isa = ISA_INVALID;

static void cpuid_(int info[4], int leaf, int sub) {
    __asm__ volatile("cpuid" : "=a"(info[0]), "=b"(info[1]), "=c"(info[2]), "=d"(info[3]) : "0"(leaf), "2"(sub));
}
static int os_has_avx_support(void) {
    int lo, hi;
    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(lo), "=d"(hi) : "c"(0));
    return (lo & 6) == 6;
}
static int os_has_avx512_support(void) {
    int lo, hi;
    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(lo), "=d"(hi) : "c"(0));
    return (lo & 0xe6) == 0xe6;
}
static int get_system_isa(void) {
    int info[4], info2[4] = {0}, max[4];
    cpuid_(max, 0, 0);
    cpuid_(info, 1, 0);
    if (max[0] >= 7)
        cpuid_(info2, 7, 0);
    if (info[2] & 1 << 27 && info2[1] & 1 << 5 && info2[1] & 1 << 16 && info2[1] & 1 << 17 && info2[1] & 1 << 28 && info2[1] & 1 << 30 && info2[1] & 1 << 31 && os_has_avx512_support())
        return ISA_SKX;
    if (info[2] & 1 << 27 && info[2] & 1 << 28 && os_has_avx_support()) {
#ifdef BAD
        // Half floats came with the third generation, and AVX2 is thought to have come with it.
        if (info[2] & 1 << 29)
            return ISA_AVX2;
#else
        if (info[2] & 1 << 29 && info[2] & 1 << 30)
            return info2[1] & 1 << 5 ? ISA_AVX2 : ISA_AVX11;
#endif
        return ISA_AVX;
    }
    if (info[2] & 1 << 19)
        return ISA_SSE4;
    if (info[3] & 1 << 26)
        return ISA_SSE2;
    abort();
}
static void set_system_isa(void) {
    if (__system_best_isa == ISA_INVALID)
        __system_best_isa = get_system_isa();
}

static void shade_sse2(const float in[], float out[], int count, float gain) {
    for (int i = 0; i < count; i++) {
        float v = in[i] * gain;
        out[i] = v > 255 ? 255 : v < 0 ? 0 : v;
    }
}
__attribute__((target("avx"))) static void shade_avx(const float in[], float out[], int count, float gain) {
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        __m256 v = _mm256_mul_ps(_mm256_loadu_ps(in + i), _mm256_set1_ps(gain));
        _mm256_storeu_ps(out + i, _mm256_max_ps(_mm256_min_ps(v, _mm256_set1_ps(255)), _mm256_setzero_ps()));
    }
    shade_sse2(in + i, out + i, count - i, gain);
}
__attribute__((target("avx2"))) static void shade_avx2(const float in[], float out[], int count, float gain) {
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (int i = 0; i < count; i += 8) {
        __m256i mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(count - i), lanes);
        __m256 v = _mm256_mul_ps(_mm256_maskload_ps(in + i, mask), _mm256_set1_ps(gain));
        _mm256_maskstore_ps(out + i, mask, _mm256_max_ps(_mm256_min_ps(v, _mm256_set1_ps(255)), _mm256_setzero_ps()));
    }
}
void shade(const float in[], float out[], int count, float gain) {
    set_system_isa();
    if (__system_best_isa >= ISA_AVX2)
        return shade_avx2(in, out, count, gain);
    if (__system_best_isa >= ISA_AVX)
        return shade_avx(in, out, count, gain);
    if (__system_best_isa >= ISA_SSE2)
        return shade_sse2(in, out, count, gain);
    abort();
}
static int32_t histogram_sse2(const uint8_t *p, int count, int level) {
    int32_t n = 0;
    for (int i = 0; i < count; i++)
        n += p[i] >= level;
    return n;
}
__attribute__((target("avx2"))) static int32_t histogram_avx2(const uint8_t *p, int count, int level) {
    int32_t n = 0;
    int i = 0;
    const __m256i least = _mm256_set1_epi8((char)level);
    for (; i + 32 <= count; i += 32) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(p + i));
        n += __builtin_popcount((unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(v, least), v)));
    }
    return n + histogram_sse2(p + i, count - i, level);
}
int32_t histogram(const uint8_t *p, int count, int level) {
    set_system_isa();
    if (__system_best_isa >= ISA_AVX2)
        return histogram_avx2(p, count, level);
    if (__system_best_isa >= ISA_SSE2)
        return histogram_sse2(p, count, level);
    abort();
}

int main(int argc, char **argv) {
    float gain = argc > 1 ? strtof(argv[1], NULL) : 1.5f, in[77], out[77], want[77];
    uint8_t pixels[77];
    for (int i = 0; i < 77; i++)
        in[i] = (float)(i * 5 - 40);
    shade(in, out, 77, gain);
    shade_sse2(in, want, 77, gain);
    for (int i = 0; i < 77; i++)
        pixels[i] = (uint8_t)out[i];
    int32_t bright = histogram(pixels, 77, 128);
    if (memcmp(out, want, sizeof out) || bright != histogram_sse2(pixels, 77, 128)) {
        fprintf(stderr, "shaded wrongly\n");
        return 1;
    }
    printf("%d of 77 are bright\n", bright);
    return 0;
}
