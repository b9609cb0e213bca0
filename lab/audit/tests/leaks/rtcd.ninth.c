// A codec's run-time CPU detection: pointers without a first value are set by one "setup" under
// pthread_once, capabilities and a mask may come from the environment.
#include "ninth.h"
#include <cpuid.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HAS_SSE2 0x004
#define HAS_SSSE3 0x010
#define HAS_AVX 0x040
#define HAS_AVX2 0x080
#define HAS_AVX512 0x100
#define BIT(n) (1u << (n))

static int set_caps(int max_caps, const char *const name, int flags) {
    const char *env = getenv(name);
    if (env && *env)
        return (int)strtol(env, NULL, 0) & max_caps;
    return flags;
}
static int x86_simd_caps(void) {
    unsigned int flags = 0, mask = ~0u, max, a, b, c, d;
    __cpuid(0, max, b, c, d);
    if (max < 1)
        return 0;
    __cpuid_count(1, 0, a, b, c, d);
    if (d & BIT(26))
        flags |= HAS_SSE2;
    if (c & BIT(9))
        flags |= HAS_SSSE3;
    if ((c & (BIT(27) | BIT(28))) == (BIT(27) | BIT(28))) {
        unsigned lo, hi;
        __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
        if ((lo & 0x6) == 0x6) {
            flags |= HAS_AVX;
            if (max >= 7) {
                __cpuid_count(7, 0, a, b, c, d);
                if (b & BIT(5)) {
                    flags |= HAS_AVX2;
                    if ((b & (BIT(16) | BIT(17) | BIT(28) | BIT(30) | BIT(31))) == (BIT(16) | BIT(17) | BIT(28) | BIT(30) | BIT(31)) && (lo & 0xe6) == 0xe6)
                        flags |= HAS_AVX512;
                }
            }
        }
    }
    char *env = getenv("VPX_SIMD_CAPS_MASK");
    if (env && *env)
        mask = (unsigned)strtoul(env, NULL, 0);
    return set_caps((int)(flags & mask), "VPX_SIMD_CAPS", (int)(flags & mask));
}

unsigned int sad16_c(const uint8_t *src, int src_stride, const uint8_t *ref, int ref_stride) {
    unsigned sad = 0;
    for (int y = 0; y < 16; y++, src += src_stride, ref += ref_stride)
        for (int x = 0; x < 16; x++)
            sad += (unsigned)abs(src[x] - ref[x]);
    return sad;
}
__attribute__((target("sse2"))) unsigned int sad16_sse2(const uint8_t *src, int src_stride, const uint8_t *ref, int ref_stride) {
    __m128i sum = _mm_setzero_si128();
    for (int y = 0; y < 16; y++, src += src_stride, ref += ref_stride)
        sum = _mm_add_epi32(sum, _mm_sad_epu8(_mm_loadu_si128((const __m128i *)src), _mm_loadu_si128((const __m128i *)ref)));
    return (unsigned)(_mm_cvtsi128_si32(sum) + _mm_extract_epi16(sum, 4));
}
__attribute__((target("avx2"))) unsigned int sad16_avx2(const uint8_t *src, int src_stride, const uint8_t *ref, int ref_stride) {
    __m256i sum = _mm256_setzero_si256();
    for (int y = 0; y < 16; y += 2, src += 2 * src_stride, ref += 2 * ref_stride) {
        __m256i s = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)src)), _mm_loadu_si128((const __m128i *)(src + src_stride)), 1);
        __m256i r = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)ref)), _mm_loadu_si128((const __m128i *)(ref + ref_stride)), 1);
        sum = _mm256_add_epi32(sum, _mm256_sad_epu8(s, r));
    }
    unsigned parts[8];
    _mm256_storeu_si256((__m256i *)parts, sum);
    return parts[0] + parts[2] + parts[4] + parts[6];
}
void convolve_copy_c(const uint8_t *src, uint8_t *dst, int n) { memcpy(dst, src, (size_t)n); }
__attribute__((target("avx"))) void convolve_copy_avx(const uint8_t *src, uint8_t *dst, int n) {
    for (; n >= 32; n -= 32, src += 32, dst += 32)
        _mm256_storeu_si256((__m256i *)dst, _mm256_loadu_si256((const __m256i *)src));
    for (; n; n--)
        *dst++ = *src++;
}
unsigned int (*sad16)(const uint8_t *, int, const uint8_t *, int);
void (*convolve_copy)(const uint8_t *, uint8_t *, int);

static void setup_rtcd_internal(void) {
    int flags = x86_simd_caps();
    (void)flags;
    sad16 = sad16_c;
    if (flags & HAS_SSE2)
        sad16 = sad16_sse2;
#ifdef BAD
    // Of a generated header for another configuration.
    if (flags & (HAS_AVX | HAS_AVX2))
        sad16 = sad16_avx2;
#else
    if (flags & HAS_AVX2)
        sad16 = sad16_avx2;
#endif
    convolve_copy = convolve_copy_c;
    if (flags & HAS_AVX)
        convolve_copy = convolve_copy_avx;
}
static void once(void (*func)(void)) {
    static pthread_once_t lock = PTHREAD_ONCE_INIT;
    pthread_once(&lock, func);
}
void dsp_rtcd(void) { once(setup_rtcd_internal); }

typedef struct {
    int width, height;
    uint8_t *planes[2];
} encoder;
static int encoder_init(encoder *e, int width, int height) {
    dsp_rtcd();
    if (width < 16 || height < 16 || width > 256 || height > 256)
        return -1;
    e->width = width;
    e->height = height;
    for (int p = 0; p < 2; p++) {
        e->planes[p] = malloc((size_t)(width * height));
        if (!e->planes[p])
            return -2;
        for (int i = 0; i < width * height; i++)
            e->planes[p][i] = (uint8_t)(i * (p + 3) + i / width);
    }
    return 0;
}
static unsigned motion_search(const encoder *e, int bx, int by, int *mv) {
    uint8_t block[16 * 16];
    for (int y = 0; y < 16; y++)
        convolve_copy(e->planes[0] + (by + y) * e->width + bx, block + 16 * y, 16);
    unsigned best = ~0u;
    for (int dx = -4; dx <= 4; dx++) {
        int x = bx + dx;
        if (x < 0 || x + 16 > e->width)
            continue;
        const uint8_t *ref = e->planes[1] + by * e->width + x;
        unsigned sad = sad16(block, 16, ref, e->width);
        if (sad != sad16_c(block, 16, ref, e->width))
            exit(1);
        if (sad < best)
            best = sad, *mv = dx;
    }
    return best;
}
int main(int argc, char **argv) {
    encoder e = {0};
    int width = argc > 1 ? atoi(argv[1]) : 64, error = encoder_init(&e, width ? width : 48, 32);
    if (error) {
        fprintf(stderr, "%s: encoder: %d\n", argv[0], error);
        return 3;
    }
    unsigned total = 0;
    int mvs = 0, mv = 0;
    for (int by = 0; by + 16 <= e.height; by += 16)
        for (int bx = 0; bx + 16 <= e.width; bx += 16)
            total += motion_search(&e, bx, by, &mv), mvs += mv;
    printf("cost %u, vectors %d\n", total, mvs);
    free(e.planes[0]);
    free(e.planes[1]);
    return 0;
}
