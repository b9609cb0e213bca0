// Codecs of sound and pictures.
#include "fifth.h"
#include <pthread.h>

#ifdef FLAC_LPC
// An encoder with private state: what the CPU has is a struct in it, kernels are members.
typedef struct {
    bool use_asm;
    struct {
        bool sse42, avx, avx2, fma;
    } x86;
} cpu_info;
typedef struct {
    cpu_info cpu;
    sum_fn *energy;
    axpy_fn *window;
    float last[128];
} private_part;
typedef struct {
    private_part *priv;
    int order;
} encoder;

static void ask_cpu(cpu_info *info) {
    uint32_t a, b, c, d;
    memset(info, 0, sizeof *info);
    info->use_asm = true;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return;
    info->x86.sse42 = (c & 0x00100000) != 0;
    bool os = (c & 0x08000000) && (kept_registers() & 6) == 6;
    info->x86.avx = os && (c & 0x10000000);
    info->x86.fma = os && (c & 0x00001000);
#ifdef BAD
    // The register of the leaf before.
    info->x86.avx2 = (d & 0x00000020) != 0;
#else
    if (os && __get_cpuid_count(7, 0, &a, &b, &c, &d))
        info->x86.avx2 = (b & 0x00000020) != 0;
#endif
}
static encoder *encoder_new(void) {
    encoder *e = calloc(1, sizeof *e);
    if (e)
        e->priv = calloc(1, sizeof *e->priv);
    return e;
}
static int encoder_init(encoder *e, int order) {
    e->order = order;
    ask_cpu(&e->priv->cpu);
    e->priv->energy = sum_c;
    e->priv->window = axpy_c;
    if (e->priv->cpu.use_asm) {
        if (e->priv->cpu.x86.sse42)
            e->priv->energy = sum_sse2;
        if (e->priv->cpu.x86.avx2)
            e->priv->energy = sum_avx2;
        if (e->priv->cpu.x86.fma)
            e->priv->window = axpy_fma;
    }
    return 0;
}
NI static uint64_t process_subframe(encoder *e, const uint8_t *at, int n) {
    e->priv->window(e->priv->last, reals, (float)e->order, 128);
    return e->priv->energy(at, (size_t)n);
}
NI static uint64_t process_frame(encoder *e, const uint8_t *at, int n) {
    uint64_t out = 0;
    for (int channel = 0; channel < 2; channel++)
        out = out * 3 + process_subframe(e, at + channel * n / 2, n / 2);
    return out;
}
int main(int argc, char **argv) {
    fill(argc);
    encoder *e = encoder_new();
    if (!e || encoder_init(e, 8 + argc))
        return 1;
    printf("%llu %f\n", (unsigned long long)process_frame(e, bytes, 512), e->priv->last[9]);
    free(e->priv);
    free(e);
}
#endif

#ifdef AOM_RTCD
// Pointers that one set-up function fills, run once; a variable of the environment takes
// features away.
#define HAS_SSE2 0x04
#define HAS_SSE4_2 0x20
#define HAS_AVX 0x40
#define HAS_AVX2 0x80
#ifdef BAD
#define NEEDS_AVX2 (HAS_AVX | HAS_SSE4_2)
#else
#define NEEDS_AVX2 HAS_AVX2
#endif
static sum_fn *block_sum;
static axpy_fn *blend;

static int simd_caps(void) {
    uint32_t top, a, b, c, d;
    int flags = 0, mask = ~0;
    const char *env = getenv("CODEC_SIMD_CAPS");
    if (env && *env)
        return (int)strtol(env, NULL, 0) & HAS_SSE2;
    env = getenv("CODEC_SIMD_CAPS_MASK");
    if (env && *env)
        mask = (int)strtoul(env, NULL, 0);
    __cpuid(0, top, b, c, d);
    if (top < 1)
        return 0;
    __cpuid(1, a, b, c, d);
    if (d & (1u << 26))
        flags |= HAS_SSE2;
    if (c & (1u << 20))
        flags |= HAS_SSE4_2;
    if ((c & (3u << 27)) == (3u << 27) && (kept_registers() & 0x6) == 0x6) {
        flags |= HAS_AVX;
        if (top >= 7) {
            __cpuid_count(7, 0, a, b, c, d);
            if (b & (1u << 5))
                flags |= HAS_AVX2;
        }
    }
    return flags & mask;
}
static void setup_rtcd(void) {
    int flags = simd_caps();
    block_sum = sum_c;
    if (flags & HAS_SSE2)
        block_sum = sum_sse2;
    if (flags & NEEDS_AVX2)
        block_sum = sum_avx2;
    blend = axpy_c;
    if (flags & HAS_AVX)
        blend = axpy_avx;
}
static void rtcd(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, setup_rtcd);
}
int main(int argc, char **argv) {
    float out[128] = {0};
    fill(argc);
    rtcd();
    blend(out, reals, 2, 128);
    printf("%llu %f\n", (unsigned long long)block_sum(bytes, 512), out[5]);
}
#endif

#ifdef MP3_HAVE
// Answers of 1 and 2, so that 0 is "not asked yet".
static int have_simd(void) {
    static int known;
    int regs[4];
    if (known)
        goto end;
    known = 1;
    __cpuid(0, regs[0], regs[1], regs[2], regs[3]);
    if (regs[0] >= 7) {
        __cpuid(1, regs[0], regs[1], regs[2], regs[3]);
        int os = regs[2] >> 27 & 1;
        __cpuid_count(7, 0, regs[0], regs[1], regs[2], regs[3]);
        known = (regs[1] >> 5 & os & 1) + 1;
    }
end:
#ifdef BAD
    return known;
#else
    return known - 1;
#endif
}
NI static uint64_t synth(const uint8_t *at, int bands) {
    uint64_t out = 0;
    for (int band = 0; band < bands; band++) {
        if (have_simd())
            out += sum_avx2(at + 32 * band, 32) << band;
        else
            out += sum_c(at + 32 * band, 32) << band;
    }
    return out;
}
int main(int argc, char **argv) {
    fill(argc);
    printf("%llu\n", (unsigned long long)synth(bytes, 12 + argc));
}
#endif

#ifdef IMG_ROWS
// Rows of a picture, each with a question of its own; what is left of a row is done after.
typedef struct {
    int width, height;
    uint8_t *rows;
} picture;

FOR("avx2") int shade_32(uint8_t *row, int n) {
    int x = 0;
    for (; x + 32 <= n; x += 32) {
        __m256i all = _mm256_loadu_si256((const __m256i *)(row + x));
        _mm256_storeu_si256((__m256i *)(row + x), _mm256_subs_epu8(all, _mm256_set1_epi8(9)));
    }
    return x;
}
FOR("avx2") void shade_rest(uint8_t *row, int n) {
    uint8_t part[32] = {0};
    memcpy(part, row, (size_t)n);
    __m256i all = _mm256_loadu_si256((const __m256i *)part);
    _mm256_storeu_si256((__m256i *)part, _mm256_subs_epu8(all, _mm256_set1_epi8(9)));
    memcpy(row, part, (size_t)n);
}
NI static void shade(picture *p) {
    for (int y = 0; y < p->height; y++) {
        uint8_t *row = p->rows + y * p->width;
        int x = 0;
        if (__builtin_cpu_supports("avx2")) {
            x = shade_32(row, p->width);
#ifndef BAD
            shade_rest(row + x, p->width - x);
            continue;
#endif
        } else {
            for (; x + 32 <= p->width; x++)
                row[x] = row[x] > 9 ? (uint8_t)(row[x] - 9) : 0;
        }
#ifdef BAD
        if (x < p->width)
            shade_rest(row + x, p->width - x);
#else
        for (; x < p->width; x++)
            row[x] = row[x] > 9 ? (uint8_t)(row[x] - 9) : 0;
#endif
    }
}
int main(int argc, char **argv) {
    fill(argc);
    picture p = {50 + argc, 7, bytes};
    shade(&p);
    printf("%llu\n", (unsigned long long)sum_c(bytes, 512));
}
#endif

#ifdef YUV_FLAGS
// Flags that are asked for at the first test; each row function is a local pointer.
enum { kInit = 1, kSse2 = 2, kAvx = 4, kAvx2 = 8, kFma = 16, kAvx512 = 32 };
static int cpu_info_;
NI static int init_flags(void) {
    uint32_t a, b, c, d, max = __get_cpuid_max(0, NULL);
    int info = kInit;
    __cpuid(1, a, b, c, d);
    if (d & bit_SSE2)
        info |= kSse2;
    if (max >= 7 && (c & bit_OSXSAVE) && (c & bit_AVX) && (kept_registers() & 6) == 6) {
        info |= kAvx;
        if (c & bit_FMA)
            info |= kFma;
        __cpuid_count(7, 0, a, b, c, d);
        if (b & bit_AVX2)
            info |= kAvx2;
        if ((kept_registers() & 0xe0) == 0xe0 && (b & bit_AVX512F) && (b & bit_AVX512BW))
            info |= kAvx512;
    }
    __atomic_store_n(&cpu_info_, info, __ATOMIC_RELAXED);
    return info;
}
static inline int test_flag(int flag) {
    int info = __atomic_load_n(&cpu_info_, __ATOMIC_RELAXED);
    if (!info)
        info = init_flags();
    return info & flag;
}
NI static uint64_t plane(const uint8_t *at, int stride, int width, int height) {
    uint64_t out = 0;
    sum_fn *row = sum_c;
    if (test_flag(kSse2))
        row = sum_sse2;
    if (test_flag(kAvx2))
        row = sum_avx2;
    if (test_flag(kAvx512) && width % 64 == 0)
        row = sum_avx512;
    for (int y = 0; y < height; y++)
        out = out * 5 + row(at + y * stride, (size_t)width);
    return out;
}
NI static void scale(float *to, const float *from, int n) {
    void (*row)(float *, const float *, float, int) = axpy_c;
    if (test_flag(kFma))
        row = axpy_fma;
    row(to, from, 0.25f, n);
}
int main(int argc, char **argv) {
    float out[128] = {0};
    fill(argc);
    scale(out, reals, 127 + argc);
    printf("%llu %f\n", (unsigned long long)plane(bytes, 64, 63 + argc, 8), out[3]);
}
#endif
