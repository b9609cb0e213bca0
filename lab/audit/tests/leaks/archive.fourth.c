// Compression, hashes and databases.
#include "fourth.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifdef ZNG_FUNCTABLE
// A table of functions, each of which fills the table when it is first called.
struct x86_cpu_features {
    int has_avx2, has_sse42, has_pclmulqdq, has_os_save_ymm;
};
struct functable_s {
    check_fn *adler32;
    check_fn *crc32;
    sad_fn *compare256;
};
static uint32_t adler32_stub(uint32_t, const uint8_t *, size_t);
static uint32_t crc32_stub(uint32_t, const uint8_t *, size_t);
static int compare256_stub(const uint8_t *, ptrdiff_t, const uint8_t *, ptrdiff_t, int);
struct functable_s functable = {adler32_stub, crc32_stub, compare256_stub};
static void x86_check_features(struct x86_cpu_features *f) {
    unsigned eax, ebx, ecx, edx, low = 0, high, max = __get_cpuid_max(0, 0);
    __cpuid(1, eax, ebx, ecx, edx);
    f->has_sse42 = ecx & 0x100000;
    f->has_pclmulqdq = ecx & 0x2;
    if (ecx & 0x08000000)
        __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    f->has_os_save_ymm = (low & 6) == 6;
    if (max >= 7) {
        __cpuid_count(7, 0, eax, ebx, ecx, edx);
        f->has_avx2 = f->has_os_save_ymm ? ebx & 0x20 : 0;
    }
}
NI static void init_functable(void) {
    struct functable_s ft;
    struct x86_cpu_features cf;
    memset(&cf, 0, sizeof(cf));
    x86_check_features(&cf);
    ft.adler32 = check_c;
    ft.crc32 = check_c;
    ft.compare256 = sad_sse2;
    if (cf.has_pclmulqdq)
        ft.crc32 = check_pclmul;
#ifdef BAD
    if (cf.has_pclmulqdq) {
#else
    if (cf.has_avx2) {
#endif
        ft.adler32 = check_avx2;
        ft.compare256 = sad_avx2;
    }
    functable.adler32 = ft.adler32;
    functable.crc32 = ft.crc32;
    functable.compare256 = ft.compare256;
    __sync_synchronize();
}
static uint32_t adler32_stub(uint32_t sum, const uint8_t *at, size_t length) {
    init_functable();
    return functable.adler32(sum, at, length);
}
static uint32_t crc32_stub(uint32_t sum, const uint8_t *at, size_t length) {
    init_functable();
    return functable.crc32(sum, at, length);
}
static int compare256_stub(const uint8_t *a, ptrdiff_t pa, const uint8_t *b, ptrdiff_t pb, int h) {
    init_functable();
    return functable.compare256(a, pa, b, pb, h);
}
int main(int argc, char **argv) {
    fill(argc);
    sink = functable.crc32(0, input, 512);
    sink += functable.adler32(1, input, 512);
    sink += functable.compare256(input, 32, input + 256, 32, 8);
    return 0;
}
#endif

#ifdef ZSTD_CTX
// A number in the context on the heap; small functions ask words of `cpuid` that go by value.
typedef struct {
    uint32_t f1c, f1d, f7b, f7c;
} ZSTD_cpuid_t;
static ZSTD_cpuid_t ZSTD_cpuid(void) {
    uint32_t f1c = 0, f1d = 0, f7b = 0, f7c = 0, n, a;
    __asm__("cpuid" : "=a"(n) : "a"(0) : "ebx", "ecx", "edx");
    if (n >= 1)
        __asm__("cpuid" : "=a"(a), "=c"(f1c), "=d"(f1d) : "a"(1) : "ebx");
    if (n >= 7)
        __asm__("cpuid" : "=a"(a), "=b"(f7b), "=c"(f7c) : "a"(7), "c"(0) : "edx");
    ZSTD_cpuid_t cpuid = {f1c, f1d, f7b, f7c};
    return cpuid;
}
#define ASK(name, word, bit) \
    static int ZSTD_cpuid_##name(ZSTD_cpuid_t const cpuid) { return ((cpuid.word) & (1U << bit)) != 0; }
ASK(bmi1, f7b, 3)
ASK(bmi2, f7b, 8)
typedef struct {
    size_t used;
    int bmi2;
    uint64_t table[64];
} DCtx;
NI static uint64_t decode_body_default(DCtx *d, const uint8_t *at, size_t n) {
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all += limb_c(d->table[at[i] & 63], 0x0ff00ff0);
    return all;
}
__attribute__((target("bmi2"), noinline)) static uint64_t decode_body_bmi2(DCtx *d, const uint8_t *at, size_t n) {
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all += _pext_u64(d->table[at[i] & 63], 0x0ff00ff0);
    return all;
}
NI static uint64_t decode(DCtx *d, const uint8_t *at, size_t n) {
    if (d->bmi2)
        return decode_body_bmi2(d, at, n);
    return decode_body_default(d, at, n);
}
NI static DCtx *create(void) {
    DCtx *d = malloc(sizeof(*d));
    d->used = 0;
#ifdef BAD
    d->bmi2 = ZSTD_cpuid_bmi1(ZSTD_cpuid());
#else
    d->bmi2 = ZSTD_cpuid_bmi1(ZSTD_cpuid()) && ZSTD_cpuid_bmi2(ZSTD_cpuid());
#endif
    for (int i = 0; i < 64; i++)
        d->table[i] = (uint64_t)input[i] * 0x0101010101ull;
    return d;
}
int main(int argc, char **argv) {
    fill(argc);
    DCtx *d = create();
    if (!d)
        return 3;
    sink = (long)decode(d, input, 128);
    free(d);
    return 0;
}
#endif

#ifdef XXH_TABLE
// One of several structures of functions is copied into the one that is used.
typedef struct {
    check_fn *hash_long;
    dot_fn *update;
} XXH_dispatchFunctions_s;
enum { XXH_SCALAR = 0, XXH_SSE2 = 1, XXH_AVX2 = 2, XXH_AVX512 = 3 };
static const XXH_dispatchFunctions_s XXH_kDispatch[] = {
    {check_c, dot_c},
    {check_c, dot_sse},
    {check_avx2, dot_avx},
    {check_avx512, dot_fma},
};
static XXH_dispatchFunctions_s XXH_g_dispatch = {NULL, NULL};
NI static int XXH_featureTest(void) {
    uint32_t abcd[4], max_leaves, low, high;
    int best = XXH_SCALAR;
    __cpuid(0, abcd[0], abcd[1], abcd[2], abcd[3]);
    max_leaves = abcd[0];
    __cpuid(1, abcd[0], abcd[1], abcd[2], abcd[3]);
    if (!(abcd[3] & (1u << 26)))
        return best;
    best = XXH_SSE2;
    if (max_leaves < 7 || (abcd[2] & 0x18000000) != 0x18000000)
        return best;
#ifdef BAD
    best = XXH_AVX2;
#endif
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    __cpuid_count(7, 0, abcd[0], abcd[1], abcd[2], abcd[3]);
    if ((low & 6) == 6 && (abcd[1] & (1u << 5)))
        best = XXH_AVX2;
    if ((low & 0xe6) == 0xe6 && (abcd[1] & (1u << 16)))
        best = XXH_AVX512;
    return best;
}
NI static void XXH_setDispatch(void) {
    int vecID = XXH_featureTest();
    XXH_g_dispatch = XXH_kDispatch[vecID];
}
NI static uint32_t hash_dispatch(const void *at, size_t length) {
    if (XXH_g_dispatch.hash_long == NULL)
        XXH_setDispatch();
    return XXH_g_dispatch.hash_long(7, at, length);
}
int main(int argc, char **argv) {
    fill(argc);
    sink = hash_dispatch(input, 1024);
    sink += (long)XXH_g_dispatch.update(floats, floats + 64, 64);
    return 0;
}
#endif

#ifdef BLAKE_ATOMIC
// Bits of an enumeration in an atomic, with a bit for "not yet asked".
enum cpu_feature { SSE2 = 1, SSSE3 = 2, SSE41 = 4, AVX = 8, AVX2 = 16, AVX512F = 32, UNDEFINED = 1 << 30 };
static _Atomic enum cpu_feature g_cpu_features = UNDEFINED;
static void cpuidex(uint32_t out[4], uint32_t id, uint32_t sid) {
    __asm__ __volatile__("cpuid" : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3]) : "a"(id), "c"(sid));
}
static uint64_t xgetbv(void) {
    uint32_t eax = 0, edx = 0;
    __asm__ __volatile__("xgetbv\n" : "=a"(eax), "=d"(edx) : "c"(0));
    return ((uint64_t)edx << 32) | eax;
}
static enum cpu_feature get_cpu_features(void) {
    enum cpu_feature features = atomic_load(&g_cpu_features);
    if (features != UNDEFINED)
        return features;
    uint32_t regs[4] = {0}, *eax = &regs[0], *ebx = &regs[1], *ecx = &regs[2], *edx = &regs[3];
    features = 0;
    cpuidex(regs, 0, 0);
    const uint32_t max_id = *eax;
    cpuidex(regs, 1, 0);
    if (*edx & (1UL << 26))
        features |= SSE2;
    if (*ecx & (1UL << 9))
        features |= SSSE3;
    if (*ecx & (1UL << 19))
        features |= SSE41;
    if (*ecx & (1UL << 27)) {
        const uint64_t mask = xgetbv();
        if ((mask & 6) == 6) {
            if (*ecx & (1UL << 28))
                features |= AVX;
            if (max_id >= 7) {
                cpuidex(regs, 7, 0);
                if (*ebx & (1UL << 5))
                    features |= AVX2;
                if ((mask & 224) == 224 && (*ebx & (1UL << 16)))
                    features |= AVX512F;
            }
        }
    }
    atomic_store(&g_cpu_features, features);
    return features;
}
NI static uint32_t hash_many(const uint8_t *at, size_t length) {
    const enum cpu_feature features = get_cpu_features();
    if (features & AVX512F)
        return check_avx512(1, at, length);
    if (features & AVX2)
        return check_avx2(1, at, length);
    return check_c(1, at, length);
}
NI static size_t simd_degree(void) {
    const enum cpu_feature features = get_cpu_features();
    return features & AVX512F ? 16 : features & AVX2 ? 8 : features & (SSE41 | SSE2) ? 4 : 1;
}
int main(int argc, char **argv) {
    fill(argc);
    size_t step = 16 * simd_degree();
    for (size_t at = 0; at + step <= 1024; at += step)
        sink += hash_many(input + at, step);
    return 0;
}
#endif

#ifdef PG_CHOOSE
// A pointer that first points to the function which chooses.
__attribute__((target("xsave"))) static bool ymm_regs_available(void) { return (_xgetbv(0) & 6) == 6; }
static bool avx2_available(void) {
    unsigned int exx[4] = {0, 0, 0, 0};
    __get_cpuid(1, &exx[0], &exx[1], &exx[2], &exx[3]);
    if ((exx[2] & (1 << 27)) == 0 || !ymm_regs_available())
        return false;
    __get_cpuid_count(7, 0, &exx[0], &exx[1], &exx[2], &exx[3]);
    return (exx[1] & (1 << 5)) != 0;
}
static bool clmul_available(void) {
    unsigned int exx[4] = {0, 0, 0, 0};
    __get_cpuid(1, &exx[0], &exx[1], &exx[2], &exx[3]);
#ifdef BAD
    return (exx[2] & (1 << 20)) != 0; // SSE 4.2
#else
    return (exx[2] & (1 << 20)) != 0 && (exx[2] & (1 << 1)) != 0;
#endif
}
static uint32_t pg_popcount_choose(uint32_t sum, const uint8_t *at, size_t length);
static uint32_t pg_crc_choose(uint32_t sum, const uint8_t *at, size_t length);
check_fn *pg_popcount = pg_popcount_choose;
check_fn *pg_comp_crc32c = pg_crc_choose;
static uint32_t pg_popcount_choose(uint32_t sum, const uint8_t *at, size_t length) {
    if (avx2_available())
        pg_popcount = check_avx2;
    else
        pg_popcount = check_c;
    return pg_popcount(sum, at, length);
}
static uint32_t pg_crc_choose(uint32_t sum, const uint8_t *at, size_t length) {
    pg_comp_crc32c = check_c;
    if (clmul_available())
        pg_comp_crc32c = check_pclmul;
    return pg_comp_crc32c(sum, at, length);
}
int main(int argc, char **argv) {
    fill(argc);
    for (int page = 0; page < 4; page++) {
        sink += pg_popcount(0, input + 256 * page, 256);
        sink += pg_comp_crc32c(~0u, input + 256 * page, 256);
    }
    return 0;
}
#endif

#ifdef REDIS_BITS
// The compiler's own question, in front of each use; which kernel depends on the size as well.
NI static uint32_t bitcount(const uint8_t *at, size_t count) {
#ifdef BAD
    if (count >= 512)
        return check_avx2(0, at, count);
#endif
    if (count >= 64 && __builtin_cpu_supports("avx2"))
        return check_avx2(0, at, count);
    return check_c(0, at, count);
}
NI static const uint8_t *find_separator(const uint8_t *at, size_t count) {
    if (count < 32)
        return scan_c(at, '\n', count);
    return __builtin_cpu_supports("avx2") ? scan_avx2(at, '\n', count) : scan_sse2(at, '\n', count);
}
int main(int argc, char **argv) {
    __builtin_cpu_init();
    fill(argc);
    for (size_t count = 16; count <= 1024; count *= 4)
        sink += bitcount(input, count) + (find_separator(input, count) != NULL);
    return 0;
}
#endif

#ifdef DEFLATE_FEATURES
// A word with a bit that says it is known; a volatile pointer to what was selected.
#define X86_CPU_FEATURE_PCLMUL 0x2
#define X86_CPU_FEATURE_AVX2 0x8
#define X86_CPU_FEATURE_BMI2 0x10
#define X86_CPU_FEATURES_KNOWN 0x80000000
#define HAVE_PCLMUL(features) ((features)&X86_CPU_FEATURE_PCLMUL)
#define HAVE_AVX2(features) ((features)&X86_CPU_FEATURE_AVX2)
#define HAVE_BMI2(features) ((features)&X86_CPU_FEATURE_BMI2)
static volatile uint32_t x86_cpu_features = 0;
NI static void init_x86_cpu_features(void) {
    uint32_t max_leaf, a, b, c, d, features = 0;
    uint64_t xcr0 = 0;
    __cpuid_count(0, 0, max_leaf, b, c, d);
    if (max_leaf < 1)
        goto out;
    __cpuid_count(1, 0, a, b, c, d);
    if (c & (1 << 1))
        features |= X86_CPU_FEATURE_PCLMUL;
    if (c & (1 << 27)) {
        __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=d"(d), "=a"(a) : "c"(0));
        xcr0 = ((uint64_t)d << 32) | a;
    }
    if (max_leaf < 7)
        goto out;
    __cpuid_count(7, 0, a, b, c, d);
    if ((xcr0 & 6) == 6 && (b & (1 << 5)))
        features |= X86_CPU_FEATURE_AVX2;
    if (b & (1 << 8))
        features |= X86_CPU_FEATURE_BMI2;
out:
    x86_cpu_features = features | X86_CPU_FEATURES_KNOWN;
}
static inline uint32_t get_x86_cpu_features(void) {
    if (x86_cpu_features == 0)
        init_x86_cpu_features();
    return x86_cpu_features;
}
static check_fn *select_adler32(void) { return HAVE_AVX2(get_x86_cpu_features()) ? check_avx2 : NULL; }
static check_fn *select_crc32(void) { return HAVE_PCLMUL(get_x86_cpu_features()) ? check_pclmul : NULL; }
static uint32_t dispatch_adler32(uint32_t, const uint8_t *, size_t);
static uint32_t dispatch_crc32(uint32_t, const uint8_t *, size_t);
static check_fn *volatile adler32_impl = dispatch_adler32;
static check_fn *volatile crc32_impl = dispatch_crc32;
static uint32_t dispatch_adler32(uint32_t sum, const uint8_t *at, size_t length) {
    check_fn *f = select_adler32();
    if (f == NULL)
        f = check_c;
    adler32_impl = f;
    return f(sum, at, length);
}
static uint32_t dispatch_crc32(uint32_t sum, const uint8_t *at, size_t length) {
    check_fn *f = select_crc32();
    if (f == NULL)
        f = check_c;
    crc32_impl = f;
    return f(sum, at, length);
}
int main(int argc, char **argv) {
    fill(argc);
    sink = adler32_impl(1, input, 600) ^ crc32_impl(0, input, 600);
    sink += (long)(HAVE_BMI2(get_x86_cpu_features()) ? limb_bmi2 : limb_c)(sink, 0xff00ff);
    return 0;
}
#endif
