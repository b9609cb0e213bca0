// A C library's strings: resolvers of indirect functions ask a block of the CPU's features, which
// has both what is usable and what is preferred.
#define _GNU_SOURCE
#include <cpuid.h>
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { usable_SSE4_2, usable_AVX, usable_AVX2, usable_BMI2, usable_AVX512BW };
enum { Prefer_No_VZEROUPPER, Fast_Unaligned_Load, AVX_Fast_Unaligned_Load, Slow_BSF };
struct cpu_features {
    unsigned max_cpuid, family, model;
    unsigned usable, preferred;
};
static struct cpu_features features;
#define CPU_FEATURE_USABLE_P(f, name) (((f)->usable >> usable_##name) & 1)
#define CPU_FEATURES_ARCH_P(f, name) (((f)->preferred >> name) & 1)

static const struct cpu_features *init_cpu_features(void) {
    struct cpu_features *f = &features;
    unsigned a, b, c, d, ebx0, ecx0, edx0;
    if (f->max_cpuid)
        return f;
    __cpuid(0, f->max_cpuid, ebx0, ecx0, edx0);
    __cpuid(1, a, b, c, d);
    f->family = a >> 8 & 15;
    f->model = (a >> 4 & 15) | (a >> 12 & 0xf0);
    unsigned usable = (c >> 20 & 1) << usable_SSE4_2, preferred = 0;
    if (c >> 27 & 1) {
        unsigned lo, hi;
        __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
        if ((lo & 6) == 6 && c >> 28 & 1) {
            usable |= 1u << usable_AVX;
            if (f->max_cpuid >= 7) {
                __cpuid_count(7, 0, a, b, c, d);
                if (b >> 5 & 1) {
                    usable |= 1u << usable_AVX2;
                    preferred |= 1u << AVX_Fast_Unaligned_Load;
                }
                usable |= (b >> 8 & 1) << usable_BMI2;
                if ((lo & 0xe6) == 0xe6 && b >> 16 & b >> 30 & 1)
                    usable |= 1u << usable_AVX512BW;
            }
        }
    }
    // "Genu": Nehalem and later.
    if (ebx0 == 0x756e6547 && f->family == 6 && f->model >= 0x1a)
        preferred |= 1u << Fast_Unaligned_Load;
    f->usable = usable;
    f->preferred = preferred;
    return f;
}

typedef size_t span_t(const char *, char);
__attribute__((used)) static size_t strspan_sse2(const char *s, char c) {
    size_t n = 0;
    while (s[n] && s[n] != c)
        n++;
    return n;
}
__attribute__((used, target("avx2"))) static size_t strspan_avx2(const char *s, char c) {
    const __m256i want = _mm256_set1_epi8(c), zero = _mm256_setzero_si256();
    const char *p = (const char *)((uintptr_t)s & ~(uintptr_t)31);
    unsigned skip = (unsigned)(s - p);
    for (;; p += 32, skip = 0) {
        __m256i v = _mm256_load_si256((const __m256i *)p);
        unsigned hit = (unsigned)_mm256_movemask_epi8(_mm256_or_si256(_mm256_cmpeq_epi8(v, want), _mm256_cmpeq_epi8(v, zero)));
        hit = hit >> skip << skip;
        if (hit)
            return (size_t)(p - s) + (size_t)__builtin_ctz(hit);
    }
}
static span_t *span_selector(void) {
    const struct cpu_features *f = init_cpu_features();
#ifdef BAD
    // What is preferred stands beside what is usable.
    if (CPU_FEATURE_USABLE_P(f, AVX2) || CPU_FEATURES_ARCH_P(f, Fast_Unaligned_Load))
        return strspan_avx2;
#else
    if (CPU_FEATURE_USABLE_P(f, AVX2) && CPU_FEATURES_ARCH_P(f, AVX_Fast_Unaligned_Load))
        return strspan_avx2;
#endif
    return strspan_sse2;
}
size_t strspan(const char *, char) __attribute__((ifunc("span_selector")));

static _Alignas(32) char text[512];
int main(int argc, char **argv) {
    char delimiter = argc > 1 ? argv[1][0] : ',';
    size_t used = 0;
    for (int i = 0; used + 24 < sizeof text; i++)
        used += (size_t)sprintf(text + used, "field-%d-%d,", i, i * i);
    size_t fields = 0, longest = 0;
    for (const char *p = text; *p; fields++) {
        size_t n = strspan(p, delimiter);
        if (n != strcspn(p, (char[]){delimiter, 0})) {
            fprintf(stderr, "%s: wrong at %td\n", argv[0], p - text);
            return 1;
        }
        longest = n > longest ? n : longest;
        p += n + (p[n] != 0);
    }
    printf("%zu fields, longest %zu\n", fields, longest);
    return 0;
}
