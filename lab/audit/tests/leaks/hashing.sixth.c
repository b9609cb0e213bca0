// Hashes and checksums: how one of several implementations is found.
#include "sixth.h"
#include <stdatomic.h>

#ifdef FEATURE_ATOMIC
// A set of features in an atomic, and a bit that says that it is not known yet.
enum cpu_feature { SSSE3 = 1 << 1, SSE41 = 1 << 2, AVX = 1 << 3, AVX2 = 1 << 4, AVX512F = 1 << 5, UNDEFINED = 1 << 30 };
static _Atomic enum cpu_feature g_cpu_features = UNDEFINED;
static void cpuid(uint32_t out[4], uint32_t id) {
    __asm__ volatile("cpuid" : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3]) : "a"(id));
}
static void cpuidex(uint32_t out[4], uint32_t id, uint32_t sid) {
    __asm__ volatile("cpuid" : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3]) : "a"(id), "c"(sid));
}
NI static enum cpu_feature get_cpu_features(void) {
    enum cpu_feature features = atomic_load(&g_cpu_features);
    if (features != UNDEFINED)
        return features;
    uint32_t regs[4] = {0}, *eax = &regs[0], *ebx = &regs[1], *ecx = &regs[2], *edx = &regs[3];
    (void)edx;
    features = 0;
    cpuid(regs, 0);
    const uint32_t max_id = *eax;
    cpuid(regs, 1);
    if (*ecx & (1u << 9))
        features |= SSSE3;
    if (*ecx & (1u << 19))
        features |= SSE41;
    if (*ecx & (1u << 27)) {
        const uint64_t mask = xcr0();
        if ((mask & 6) == 6) {
            if (*ecx & (1u << 28))
                features |= AVX;
            if (max_id >= 7) {
                cpuidex(regs, 7, 0);
                if (*ebx & (1u << 5))
                    features |= AVX2;
                if ((mask & 224) == 224 && *ebx & (1u << 16))
                    features |= AVX512F;
            }
        }
    }
    atomic_store(&g_cpu_features, features);
    return features;
}
static uint64_t hash_many(const uint8_t *input, size_t n) {
    const enum cpu_feature features = get_cpu_features();
#ifdef BAD
    if (features & (AVX2 | AVX))
#else
    if (features & AVX2)
#endif
        return sum_avx2(input, n);
    if (features & SSE41)
        return sum_sse2(input, n);
    return sum_c(input, n);
}
static size_t simd_degree(void) {
    const enum cpu_feature features = get_cpu_features();
    return features & AVX2 ? 8 : features & SSE41 ? 4 : 1;
}
int main(int argc, char **argv) {
    fill(argc);
    uint64_t all = 0;
    for (size_t at = 0; at < 1000; at += 125)
        all = all * 31 + hash_many(text + at, 125);
    printf("%016llx [%zu]\n", (unsigned long long)all, simd_degree());
}
#endif

#ifdef LOWEST_BIT
// The lowest bit of what is both supported and compiled in is the best one.
typedef unsigned TargetBits;
enum { TARGET_AVX512 = 1, TARGET_AVX2 = 2, TARGET_AVX = 4, TARGET_SSE41 = 8, TARGET_PORTABLE = 16 };
static bool is_bit_set(uint32_t reg, int index) { return reg >> index & 1; }
static TargetBits supported(void) {
    static TargetBits cached;
    if (cached)
        return cached;
    uint32_t a, b, c, d, max_level;
    TargetBits out = TARGET_PORTABLE, flags = 0;
    __cpuid(0, max_level, b, c, d);
    __cpuid(1, a, b, c, d);
    flags |= is_bit_set(c, 19) ? 1u : 0;
    flags |= is_bit_set(c, 28) ? 2u : 0;
    const bool has_xsave = is_bit_set(c, 27);
    if (max_level >= 7) {
        __cpuid_count(7, 0, a, b, c, d);
        flags |= is_bit_set(b, 5) ? 4u : 0;
        flags |= is_bit_set(b, 16) && is_bit_set(b, 30) ? 8u : 0;
    }
    if (has_xsave) {
        const uint32_t state = xcr0();
        if ((state & 6) != 6)
            flags &= ~14u;
        if ((state & 0xe6) != 0xe6)
            flags &= ~8u;
    } else {
        flags &= ~14u;
    }
    if (flags & 1)
        out |= TARGET_SSE41;
    if ((flags & 3) == 3)
        out |= TARGET_AVX;
#ifdef BAD
    if (flags & 7)
#else
    if ((flags & 7) == 7)
#endif
        out |= TARGET_AVX2;
    if ((flags & 15) == 15)
        out |= TARGET_AVX512;
    return cached = out;
}
NI static uint64_t run_best(TargetBits targets, const uint8_t *p, size_t n) {
    switch (targets & -targets) {
    case TARGET_AVX512: return sum_avx512(p, n);
    case TARGET_AVX2: return sum_avx2(p, n);
    case TARGET_SSE41: return sum_sse2(p, n);
    default: return sum_c(p, n);
    }
}
int main(int argc, char **argv) {
    fill(argc);
    const TargetBits compiled = TARGET_AVX2 | TARGET_SSE41 | TARGET_PORTABLE;
    printf("%llu\n", (unsigned long long)run_best(supported() & compiled, text, 777));
    // Each of them against the plain one.
    for (TargetBits left = supported(); left; left &= left - 1)
        if (run_best(left & -left, text, 256) != sum_c(text, 256))
            return printf("wrong\n"), 3;
}
#endif

#ifdef AVAILABLE
// A list of names, each with a function that says whether it can run.
typedef struct crc_impl {
    const char *name;
    int (*available)(void);
    uint64_t (*update)(uint64_t, const uint64_t *, size_t);
    struct crc_impl *next;
} crc_impl;
static int always(void) { return 1; }
static int has_clmul(void) {
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_PCLMUL) && (c & bit_SSE4_1);
}
static int has_sse41(void) {
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_1);
}
static int has_vector(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return 0;
    return c >> 10 & 1 && has_clmul() && b & bit_AVX512F;
}
static uint64_t update_plain(uint64_t crc, const uint64_t *p, size_t n) {
    while (n--)
        crc = poly_c(crc ^ *p++, 0x1db710641);
    return crc;
}
static uint64_t update_clmul(uint64_t crc, const uint64_t *p, size_t n) {
    while (n--)
        crc = poly_clmul(crc ^ *p++, 0x1db710641);
    return crc;
}
__attribute__((target("vpclmulqdq,avx512f,avx512dq"))) static uint64_t update_vector(uint64_t crc, const uint64_t *p, size_t n) {
    for (; n; n--, p++) {
        __m512i all = _mm512_zextsi128_si512(_mm_set_epi64x(0x1db710641, (long long)(crc ^ *p)));
        __m128i one = _mm512_castsi512_si128(_mm512_clmulepi64_epi128(all, all, 0x10));
        crc = (uint64_t)_mm_extract_epi64(one, 0) ^ (uint64_t)_mm_extract_epi64(one, 1);
    }
    return crc;
}
static crc_impl plain_impl = {"plain", always, update_plain, NULL};
#ifdef BAD
static crc_impl clmul_impl = {"clmul", has_sse41, update_clmul, &plain_impl};
#else
static crc_impl clmul_impl = {"clmul", has_clmul, update_clmul, &plain_impl};
#endif
static crc_impl vector_impl = {"vpclmul", has_vector, update_vector, &clmul_impl};
NI static const crc_impl *choose(const char *wanted) {
    for (const crc_impl *impl = &vector_impl; impl; impl = impl->next) {
        if (wanted && strcmp(wanted, impl->name) != 0)
            continue;
        if (impl->available())
            return impl;
        if (wanted)
            fprintf(stderr, "%s is not supported by this CPU\n", wanted);
    }
    return &plain_impl;
}
int main(int argc, char **argv) {
    fill(argc);
    const crc_impl *impl = choose(argc > 1 ? argv[1] : getenv("CRC_IMPL"));
    printf("crc %016llx [%s]\n", (unsigned long long)impl->update(7, words, 64), impl->name);
}
#endif

#ifdef SORTED
// Candidates are weighed and sorted, and the first is taken.
struct candidate {
    const char *name;
    sum_fn *fn;
    unsigned needs;
    double cycles_per_byte;
};
enum { NEEDS_NOTHING, NEEDS_AVX2 = 1, NEEDS_AVX512BW = 2 };
static const struct candidate all[] = {
    {"portable", sum_c, NEEDS_NOTHING, 1.3},
    {"avx2", sum_avx2, NEEDS_AVX2, 0.06},
    {"sse2", sum_sse2, NEEDS_NOTHING, 0.12},
    {"avx512bw", sum_avx512, NEEDS_AVX512BW, 0.04},
};
static int by_speed(const void *a, const void *b) {
    double x = ((const struct candidate *)a)->cycles_per_byte, y = ((const struct candidate *)b)->cycles_per_byte;
    return (x > y) - (x < y);
}
NI static unsigned detect(void) {
    unsigned out = 0;
#ifdef BAD
    if (__builtin_cpu_supports("avx2") || __builtin_cpu_supports("fma"))
#else
    if (__builtin_cpu_supports("avx2"))
#endif
        out |= NEEDS_AVX2;
    if (__builtin_cpu_supports("avx512bw"))
        out |= NEEDS_AVX512BW;
    return out;
}
int main(int argc, char **argv) {
    struct candidate usable[LENGTH(all)];
    size_t n = 0;
    unsigned have = detect();
    fill(argc);
    for (size_t i = 0; i < LENGTH(all); i++) {
        if ((all[i].needs & ~have) == 0)
            usable[n++] = all[i];
    }
    qsort(usable, n, sizeof *usable, by_speed);
    printf("%llu of %d [%s]\n", (unsigned long long)usable[0].fn(text, 1000), argc, usable[0].name);
}
#endif

#ifdef LISTED
// Every implementation puts itself into a list before main; the list is searched by priority.
struct alg {
    struct alg *next;
    const char *algorithm, *driver;
    int priority;
    bool (*usable)(void);
    uint64_t (*digest)(const uint64_t *, int);
};
static struct alg *algs;
static void register_alg(struct alg *alg) {
    struct alg **at = &algs;
    while (*at && (*at)->priority > alg->priority)
        at = &(*at)->next;
    alg->next = *at;
    *at = alg;
}
static uint64_t digest_generic(const uint64_t *p, int n) {
    uint64_t h = 1;
    for (int i = 0; i < n; i++)
        h = fold_c(h ^ p[i], 0xa0761d6478bd642f);
    return h;
}
static uint64_t digest_bmi2(const uint64_t *p, int n) {
    uint64_t h = 1;
    for (int i = 0; i < n; i++)
        h = fold_bmi2(h ^ p[i], 0xa0761d6478bd642f);
    return h;
}
static bool bmi2_usable(void) {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_BMI2);
}
static struct alg generic = {.algorithm = "wyhash", .driver = "wyhash-generic", .priority = 100, .digest = digest_generic};
static struct alg bmi2 = {.algorithm = "wyhash",
                          .driver = "wyhash-bmi2",
                          .priority = 200,
#ifndef BAD
                          .usable = bmi2_usable,
#endif
                          .digest = digest_bmi2};
__attribute__((constructor)) static void init_generic(void) { register_alg(&generic); }
__attribute__((constructor)) static void init_bmi2(void) { register_alg(&bmi2); }
static struct alg *find_alg(const char *name) {
    for (struct alg *alg = algs; alg; alg = alg->next)
        if (!strcmp(alg->algorithm, name) && (!alg->usable || alg->usable()))
            return alg;
    return NULL;
}
int main(int argc, char **argv) {
    fill(argc);
    struct alg *alg = find_alg(argc > 1 ? argv[1] : "wyhash");
    if (!alg)
        return 3;
    printf("%s %016llx\n", alg->algorithm, (unsigned long long)alg->digest(words, 64));
}
#endif
