// Performance primitives as vendors ship them: each function is a jump through a table by the index
// of the CPU's generation, and a table of masks says which generation a CPU is.
#include <cpuid.h>
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t Ipp32s;
typedef uint16_t Ipp16u;
typedef enum { ippStsNoErr = 0, ippStsNullPtrErr = -8, ippStsSizeErr = -6 } IppStatus;
#define ippCPUID_SSE41 0x0040
#define ippCPUID_SSE42 0x0080
#define ippCPUID_AVX 0x0100
#define ippAVX_ENABLEDBYOS 0x0200
#define ippCPUID_F16C 0x0800
#define ippCPUID_AVX2 0x8000
#define ippCPUID_MOVBE 0x20000

enum { CPU_mx, CPU_y8, CPU_e9, CPU_l9, CPU_count };
static const struct {
    uint64_t mask;
    int index;
} generations[] = {
#ifdef BAD
    {ippCPUID_SSE42 | ippCPUID_AVX | ippAVX_ENABLEDBYOS, CPU_l9},
#else
    {ippCPUID_SSE42 | ippCPUID_AVX | ippAVX_ENABLEDBYOS | ippCPUID_AVX2 | ippCPUID_MOVBE, CPU_l9},
#endif
    {ippCPUID_SSE42 | ippCPUID_AVX | ippAVX_ENABLEDBYOS, CPU_e9},
    {ippCPUID_SSE41 | ippCPUID_SSE42, CPU_y8},
    {0, CPU_mx},
};
static int ippJumpIndexForMergedLibs = -1;

static uint64_t ippGetCpuFeatures(void) {
    unsigned a, b, c, d;
    uint64_t out = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return 0;
    out |= c & bit_SSE4_1 ? ippCPUID_SSE41 : 0;
    out |= c & bit_SSE4_2 ? ippCPUID_SSE42 : 0;
    out |= c & bit_AVX ? ippCPUID_AVX : 0;
    out |= c & bit_F16C ? ippCPUID_F16C : 0;
    out |= c & bit_MOVBE ? ippCPUID_MOVBE : 0;
    if (c & bit_OSXSAVE) {
        unsigned lo, hi;
        __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
        if ((lo & 6) == 6)
            out |= ippAVX_ENABLEDBYOS;
    }
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_AVX2)
        out |= ippCPUID_AVX2;
    return out;
}
IppStatus ippInit(void) {
    uint64_t have = ippGetCpuFeatures();
    for (size_t i = 0; i < sizeof generations / sizeof *generations; i++)
        if ((have & generations[i].mask) == generations[i].mask) {
            ippJumpIndexForMergedLibs = generations[i].index;
            break;
        }
    return ippStsNoErr;
}

typedef IppStatus MaxFn(const Ipp32s *, int, Ipp32s *);
static IppStatus mx_ippsMax_32s(const Ipp32s *src, int len, Ipp32s *max) {
    Ipp32s best = src[0];
    for (int i = 1; i < len; i++)
        best = src[i] > best ? src[i] : best;
    *max = best;
    return ippStsNoErr;
}
__attribute__((target("sse4.1"))) static IppStatus y8_ippsMax_32s(const Ipp32s *src, int len, Ipp32s *max) {
    __m128i best = _mm_set1_epi32(src[0]);
    int i = 0;
    for (; i + 4 <= len; i += 4)
        best = _mm_max_epi32(best, _mm_loadu_si128((const __m128i *)(src + i)));
    Ipp32s part[4];
    _mm_storeu_si128((__m128i *)part, best);
    for (; i < len; i++)
        part[0] = src[i] > part[0] ? src[i] : part[0];
    return mx_ippsMax_32s(part, 4, max);
}
__attribute__((target("avx2"))) static IppStatus l9_ippsMax_32s(const Ipp32s *src, int len, Ipp32s *max) {
    __m256i best = _mm256_set1_epi32(src[0]);
    int i = 0;
    for (; i + 8 <= len; i += 8)
        best = _mm256_max_epi32(best, _mm256_loadu_si256((const __m256i *)(src + i)));
    Ipp32s part[8];
    _mm256_storeu_si256((__m256i *)part, best);
    for (; i < len; i++)
        part[0] = src[i] > part[0] ? src[i] : part[0];
    return mx_ippsMax_32s(part, 8, max);
}
typedef IppStatus SumFn(const double *, int, double *);
static IppStatus mx_ippsSum_64f(const double *src, int len, double *sum) {
    double all = 0;
    for (int i = 0; i < len; i++)
        all += src[i];
    *sum = all;
    return ippStsNoErr;
}
__attribute__((target("avx"))) static IppStatus e9_ippsSum_64f(const double *src, int len, double *sum) {
    __m256d all = _mm256_setzero_pd();
    int i = 0;
    for (; i + 4 <= len; i += 4)
        all = _mm256_add_pd(all, _mm256_loadu_pd(src + i));
    double part[4];
    _mm256_storeu_pd(part, all);
    for (; i < len; i++)
        part[0] += src[i];
    return mx_ippsSum_64f(part, 4, sum);
}
static MaxFn *const ippsMax_32s_table[CPU_count] = {mx_ippsMax_32s, y8_ippsMax_32s, y8_ippsMax_32s, l9_ippsMax_32s};
static SumFn *const ippsSum_64f_table[CPU_count] = {mx_ippsSum_64f, mx_ippsSum_64f, e9_ippsSum_64f, e9_ippsSum_64f};

IppStatus ippsMax_32s(const Ipp32s *src, int len, Ipp32s *max) {
    if (!src || !max)
        return ippStsNullPtrErr;
    if (len < 1)
        return ippStsSizeErr;
    if (ippJumpIndexForMergedLibs < 0)
        ippInit();
    return ippsMax_32s_table[ippJumpIndexForMergedLibs](src, len, max);
}
IppStatus ippsSum_64f(const double *src, int len, double *sum) {
    if (!src || !sum)
        return ippStsNullPtrErr;
    if (len < 1)
        return ippStsSizeErr;
    if (ippJumpIndexForMergedLibs < 0)
        ippInit();
    return ippsSum_64f_table[ippJumpIndexForMergedLibs](src, len, sum);
}

int main(int argc, char **argv) {
    int len = argc > 1 ? atoi(argv[1]) : 301;
    if (len < 1 || len > 4096) {
        fprintf(stderr, "usage: %s [LENGTH up to 4096]\n", argv[0]);
        return 3;
    }
    Ipp32s *samples = malloc((size_t)len * sizeof *samples), max = 0, want;
    double *values = malloc((size_t)len * sizeof *values), sum = 0, all = 0;
    if (!samples || !values)
        return 3;
    for (int i = 0; i < len; i++)
        samples[i] = (i * 7919) % 1009 - 500, values[i] = samples[i] / 4.0, all += values[i];
    IppStatus status = ippsMax_32s(samples, len, &max);
    if (status == ippStsNoErr)
        status = ippsSum_64f(values, len, &sum);
    mx_ippsMax_32s(samples, len, &want);
    if (status != ippStsNoErr || max != want || sum != all) {
        fprintf(stderr, "status %d, max %d, sum %g\n", status, max, sum);
        return 1;
    }
    printf("max %d, sum %g of %d\n", max, sum, len);
    free(samples);
    free(values);
    return 0;
}
