// A video decoder: flags and a mask are globals, each module's context of functions begins with C's
// and is overwritten by what flags allow, from the lower set to the higher.
#include "ninth.h"
#include <cpuid.h>
#include <errno.h>
#include <getopt.h>
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum CpuFlags {
    CPU_FLAG_SSE2 = 1 << 0,
    CPU_FLAG_SSSE3 = 1 << 1,
    CPU_FLAG_SSE41 = 1 << 2,
    CPU_FLAG_AVX2 = 1 << 3,
    CPU_FLAG_AVX512ICL = 1 << 4,
    CPU_FLAG_SLOW_GATHER = 1 << 5,
};
static unsigned cpu_flags, cpu_flags_mask = ~0U;

typedef struct {
    uint32_t eax, ebx, edx, ecx;
} CpuidRegisters;
static void cpu_cpuid(CpuidRegisters *r, unsigned leaf, unsigned subleaf) {
    __cpuid_count(leaf, subleaf, r->eax, r->ebx, r->ecx, r->edx);
}
static uint64_t cpu_xgetbv(unsigned xcr) {
    uint32_t lo, hi;
    __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(xcr));
    return (uint64_t)hi << 32 | lo;
}
#define X(reg, mask) (((reg) & (mask)) == (mask))

static __attribute__((cold)) unsigned get_cpu_flags_x86(void) {
    union {
        CpuidRegisters r;
        struct {
            uint32_t max_leaf;
            char vendor[12];
        };
    } cpu;
    cpu_cpuid(&cpu.r, 0, 0);
    unsigned flags = 0;
    if (cpu.max_leaf >= 1) {
        CpuidRegisters r;
        cpu_cpuid(&r, 1, 0);
        const unsigned model = ((r.eax >> 4) & 0x0f) + ((r.eax >> 12) & 0xf0);
        const unsigned family = ((r.eax >> 8) & 0x0f) + ((r.eax >> 20) & 0xff);
        if (X(r.edx, 0x06008000)) {
            flags |= CPU_FLAG_SSE2;
            if (X(r.ecx, 0x00000201)) {
                flags |= CPU_FLAG_SSSE3;
                if (X(r.ecx, 0x00080000))
                    flags |= CPU_FLAG_SSE41;
            }
        }
        if (X(r.ecx, 0x18000000)) {
            const uint64_t xcr0 = cpu_xgetbv(0);
            if (X(xcr0, 0x6) && cpu.max_leaf >= 7) {
                cpu_cpuid(&r, 7, 0);
#ifdef BAD
                // BMI1 only: a digit of the mask was lost.
                if (X(r.ebx, 0x00000008)) {
#else
                if (X(r.ebx, 0x00000128)) {
#endif
                    flags |= CPU_FLAG_AVX2;
                    if (X(xcr0, 0xe0) && X(r.ebx, 0xd0230000) && X(r.ecx, 0x00005f42))
                        flags |= CPU_FLAG_AVX512ICL;
                }
            }
        }
        if (!memcmp(cpu.vendor, "AuthcAMDenti", sizeof cpu.vendor) && (flags & CPU_FLAG_AVX2) && family <= 0x19 && model)
            flags |= CPU_FLAG_SLOW_GATHER;
    }
    return flags;
}
static __attribute__((cold)) void init_cpu(void) { cpu_flags = get_cpu_flags_x86(); }
static void set_cpu_flags_mask(const unsigned mask) { cpu_flags_mask = mask; }
static inline unsigned get_cpu_flags(void) { return cpu_flags & cpu_flags_mask; }

typedef void (*avg_fn)(uint8_t *dst, ptrdiff_t stride, const int16_t *a, const int16_t *b, int w, int h);
typedef int (*cdef_dir_fn)(const uint8_t *src, ptrdiff_t stride, unsigned *var);
typedef struct {
    avg_fn avg;
    cdef_dir_fn dir;
} DSPContext;

static inline uint8_t clip(int v) { return v < 0 ? 0 : v > 255 ? 255 : (uint8_t)v; }
static void avg_c(uint8_t *dst, ptrdiff_t stride, const int16_t *a, const int16_t *b, int w, int h) {
    for (; h; h--, dst += stride, a += w, b += w)
        for (int x = 0; x < w; x++)
            dst[x] = clip((a[x] + b[x] + 16) >> 5);
}
__attribute__((target("avx2"))) static void avg_avx2(uint8_t *dst, ptrdiff_t stride, const int16_t *a, const int16_t *b, int w, int h) {
    const __m256i round = _mm256_set1_epi16(16);
    for (; h; h--, dst += stride, a += w, b += w)
        for (int x = 0; x < w; x += 16) {
            __m256i v = _mm256_add_epi16(_mm256_loadu_si256((const __m256i *)(a + x)), _mm256_loadu_si256((const __m256i *)(b + x)));
            v = _mm256_srai_epi16(_mm256_add_epi16(v, round), 5);
            v = _mm256_permute4x64_epi64(_mm256_packus_epi16(v, v), 0xd8);
            _mm_storeu_si128((__m128i *)(dst + x), _mm256_castsi256_si128(v));
        }
}
static int dir_c(const uint8_t *src, ptrdiff_t stride, unsigned *var) {
    unsigned rows = 0, columns = 0;
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 7; x++)
            rows += (unsigned)abs(src[y * stride + x] - src[y * stride + x + 1]), columns += (unsigned)abs(src[x * stride + y] - src[(x + 1) * stride + y]);
    *var = rows > columns ? rows - columns : columns - rows;
    return rows > columns ? 2 : 6;
}
__attribute__((target("avx2,bmi2"))) static int dir_avx2(const uint8_t *src, ptrdiff_t stride, unsigned *var) {
    unsigned rows = 0, columns = 0;
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 7; x++)
            rows += (unsigned)abs(src[y * stride + x] - src[y * stride + x + 1]), columns += (unsigned)abs(src[x * stride + y] - src[(x + 1) * stride + y]);
    __m256i both = _mm256_set_epi32(0, 0, 0, 0, 0, 0, (int)columns, (int)rows);
    both = _mm256_max_epu32(both, _mm256_shuffle_epi32(both, 0xb1));
    *var = 2 * (unsigned)_mm256_extract_epi32(both, 0) - rows - columns;
    return rows > columns ? 2 : 6;
}
static __attribute__((cold)) void dsp_init_x86(DSPContext *const c) {
    const unsigned flags = get_cpu_flags();
    if (!(flags & CPU_FLAG_SSSE3))
        return;
    if (!(flags & CPU_FLAG_AVX2))
        return;
    c->avg = avg_avx2;
    if (!(flags & CPU_FLAG_SLOW_GATHER))
        c->dir = dir_avx2;
}
static __attribute__((cold)) void dsp_init(DSPContext *const c) {
    c->avg = avg_c;
    c->dir = dir_c;
    dsp_init_x86(c);
}

int main(int argc, char **argv) {
    static const struct option options[] = {{"cpumask", required_argument, NULL, 'm'}, {"frames", required_argument, NULL, 'n'}, {0}};
    int frames = 2, o;
    init_cpu();
    while ((o = getopt_long(argc, argv, "m:n:", options, NULL)) != -1) {
        char *end;
        if (o == 'm') {
            errno = 0;
            unsigned long mask = strtoul(optarg, &end, 0);
            if (errno || *end) {
                fprintf(stderr, "invalid mask %s\n", optarg);
                return 3;
            }
            set_cpu_flags_mask((unsigned)mask);
        } else if (o == 'n')
            frames = atoi(optarg);
        else
            return 3;
    }
    DSPContext *c = malloc(sizeof *c);
    if (!c)
        return 3;
    dsp_init(c);
    static int16_t a[32 * 16], b[32 * 16];
    static uint8_t picture[32 * 32], want[32 * 32];
    unsigned total = 0;
    for (int frame = 0; frame < frames; frame++) {
        for (int i = 0; i < 32 * 16; i++)
            a[i] = (int16_t)(i * 7 % 4000 + frame), b[i] = (int16_t)(i * 13 % 4000);
        c->avg(picture, 32, a, b, 32, 16);
        avg_c(want, 32, a, b, 32, 16);
        unsigned var, var_want;
        int dir = c->dir(picture, 32, &var);
        if (memcmp(picture, want, sizeof want) || dir != dir_c(want, 32, &var_want) || var != var_want)
            return 1;
        total += var + (unsigned)dir;
    }
    printf("%d frames, %u\n", frames, total);
    free(c);
    return 0;
}
