// A scaler's context in the manner of FFmpeg: a word of flags that is found once and cached in an
// atomic, macros that test for a flag and against the "slow" one, and init functions that fill a
// context by bit depth. `-cpuflags N` overrides what was found.
#define _GNU_SOURCE
#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AV_CPU_FLAG_SSE2 0x0010
#define AV_CPU_FLAG_SSE4 0x0100
#define AV_CPU_FLAG_AVX 0x4000
#define AV_CPU_FLAG_FMA3 0x10000
#define AV_CPU_FLAG_AVX2 0x8000
#define AV_CPU_FLAG_AVXSLOW 0x8000000
#define CPUEXT_FAST(flags, ext) (((flags) & AV_CPU_FLAG_##ext) && !((flags) & AV_CPU_FLAG_AVXSLOW))
#define EXTERNAL_SSE4(flags) ((flags) & AV_CPU_FLAG_SSE4)
#define EXTERNAL_AVX2(flags) ((flags) & AV_CPU_FLAG_AVX2)
#define EXTERNAL_AVX_FAST(flags) CPUEXT_FAST(flags, AVX)
#define EXTERNAL_AVX2_FAST(flags) CPUEXT_FAST(flags, AVX2)

static atomic_int cpu_flags = -1;

static int ff_get_cpu_flags_x86(void) {
    int rval = 0;
    unsigned a, b, c, d, max, vendor[3];
    __cpuid(0, max, vendor[0], vendor[2], vendor[1]);
    if (max < 1)
        return 0;
    __cpuid(1, a, b, c, d);
    unsigned family = ((a >> 8) & 0xf) + ((a >> 20) & 0xff);
    if (d & 1u << 26)
        rval |= AV_CPU_FLAG_SSE2;
    if (c & 0x80000)
        rval |= AV_CPU_FLAG_SSE4;
    if ((c & 0x18000000) == 0x18000000) {
        uint32_t lo, hi;
        __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
        if ((lo & 6) == 6) {
            rval |= AV_CPU_FLAG_AVX;
            if (c & 0x1000)
                rval |= AV_CPU_FLAG_FMA3;
        }
    }
    if (max >= 7 && rval & AV_CPU_FLAG_AVX) {
        __cpuid_count(7, 0, a, b, c, d);
        if (b & 0x20)
            rval |= AV_CPU_FLAG_AVX2;
    }
    // Bulldozer and its kin have AVX, but not for speed.
    if (!memcmp(vendor, "AuthenticAMD", 12) && family == 0x15 && rval & AV_CPU_FLAG_AVX && !(rval & AV_CPU_FLAG_AVX2))
        rval |= AV_CPU_FLAG_AVXSLOW;
    return rval;
}

int av_get_cpu_flags(void) {
    int flags = atomic_load_explicit(&cpu_flags, memory_order_relaxed);
    if (flags == -1) {
        flags = ff_get_cpu_flags_x86();
        atomic_store_explicit(&cpu_flags, flags, memory_order_relaxed);
    }
    return flags;
}
void av_force_cpu_flags(int arg) {
    atomic_store_explicit(&cpu_flags, arg & ff_get_cpu_flags_x86(), memory_order_relaxed);
}

typedef struct SwsContext {
    int width, bits;
    void (*yuv2plane)(const int16_t *src, uint8_t *dst, int w);
    int64_t (*hscale)(const uint8_t *src, const int16_t *filter, int n);
} SwsContext;

static void yuv2plane_c(const int16_t *src, uint8_t *dst, int w) {
    for (int i = 0; i < w; i++) {
        int v = (src[i] + 64) >> 7;
        dst[i] = v < 0 ? 0 : v > 255 ? 255 : v;
    }
}
__attribute__((target("avx2"))) static void ff_yuv2plane_avx2(const int16_t *src, uint8_t *dst, int w) {
    int i = 0;
    for (; i + 32 <= w; i += 32) {
        __m256i a = _mm256_srai_epi16(_mm256_adds_epi16(_mm256_loadu_si256((const __m256i *)(src + i)), _mm256_set1_epi16(64)), 7);
        __m256i b = _mm256_srai_epi16(_mm256_adds_epi16(_mm256_loadu_si256((const __m256i *)(src + i + 16)), _mm256_set1_epi16(64)), 7);
        _mm256_storeu_si256((__m256i *)(dst + i), _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xd8));
    }
    for (; i < w; i++) {
        int v = (src[i] + 64) >> 7;
        dst[i] = v < 0 ? 0 : v > 255 ? 255 : v;
    }
}
static int64_t hscale_c(const uint8_t *src, const int16_t *filter, int n) {
    int64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += src[i] * filter[i];
    return sum;
}
__attribute__((target("avx2"))) static int64_t ff_hscale_avx2(const uint8_t *src, const int16_t *filter, int n) {
    __m256i sum = _mm256_setzero_si256();
    int i = 0;
    for (; i + 16 <= n; i += 16)
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(src + i))), _mm256_loadu_si256((const __m256i *)(filter + i))));
    int32_t part[8];
    _mm256_storeu_si256((__m256i *)part, sum);
    int64_t all = 0;
    for (int k = 0; k < 8; k++)
        all += part[k];
    for (; i < n; i++)
        all += src[i] * filter[i];
    return all;
}

static void ff_sws_init_x86(SwsContext *c) {
    int flags = av_get_cpu_flags();
    switch (c->bits) {
    case 8:
        if (EXTERNAL_AVX2_FAST(flags))
            c->yuv2plane = ff_yuv2plane_avx2;
        break;
    default:
        break;
    }
#ifdef BAD
    // The macro's name lost a digit.
    if (EXTERNAL_AVX_FAST(flags))
#else
    if (EXTERNAL_AVX2_FAST(flags))
#endif
        c->hscale = ff_hscale_avx2;
}
static SwsContext *sws_init_context(int width, int bits) {
    SwsContext *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->width = width;
    c->bits = bits;
    c->yuv2plane = yuv2plane_c;
    c->hscale = hscale_c;
    ff_sws_init_x86(c);
    return c;
}

int main(int argc, char **argv) {
    int bits = 8;
    for (int i = 1; i + 1 < argc; i++) {
        if (!strcmp(argv[i], "-cpuflags"))
            av_force_cpu_flags((int)strtol(argv[++i], NULL, 0));
        else if (!strcmp(argv[i], "-bits"))
            bits = atoi(argv[++i]);
    }
    SwsContext *c = sws_init_context(203, bits);
    if (!c)
        return 3;
    int16_t line[256], filter[256];
    uint8_t out[256] = {0}, want[256] = {0};
    for (int i = 0; i < 256; i++)
        line[i] = (int16_t)(i * 149 - 3000), filter[i] = (int16_t)(i * 7 % 97 - 40);
    c->yuv2plane(line, out, c->width);
    yuv2plane_c(line, want, c->width);
    int64_t got = c->hscale(out, filter, c->width), plain = hscale_c(want, filter, c->width);
    if (memcmp(out, want, sizeof out) || got != plain) {
        fprintf(stderr, "%s: self-test failed\n", argv[0]);
        return 1;
    }
    printf("scaled %d pixels, sum %lld\n", c->width, (long long)got);
    free(c);
    return 0;
}
