// Data bases, compressors, parsers.
#include "fifth.h"
#include <sys/auxv.h>
#include <unistd.h>

#ifdef PG_CHOOSE
// A function that chooses, behind a pointer that begins at it; a test of its own per feature.
static unsigned popcount_choose(const uint64_t *, const uint64_t *, int);
static uint32_t crc_choose(uint32_t, const uint8_t *, size_t);
unsigned (*popcount_rest)(const uint64_t *, const uint64_t *, int) = popcount_choose;
uint32_t (*comp_crc)(uint32_t, const uint8_t *, size_t) = crc_choose;

static bool xsave_available(void) {
    unsigned exx[4] = {0, 0, 0, 0};
    __get_cpuid(1, &exx[0], &exx[1], &exx[2], &exx[3]);
    return (exx[2] & (1 << 27)) != 0;
}
static bool ymm_available(void) { return (kept_registers() & 0x6) == 0x6; }
static bool avx2_available(void) {
    unsigned exx[4] = {0, 0, 0, 0};
    __get_cpuid_count(7, 0, &exx[0], &exx[1], &exx[2], &exx[3]);
    return (exx[1] & (1 << 5)) != 0;
}
static bool clmul_available(void) {
    unsigned exx[4] = {0, 0, 0, 0};
    __get_cpuid(1, &exx[0], &exx[1], &exx[2], &exx[3]);
    return (exx[2] & (1 << 1)) != 0 && (exx[2] & (1 << 19)) != 0;
}
static unsigned popcount_choose(const uint64_t *a, const uint64_t *b, int n) {
    if (xsave_available() && ymm_available() && avx2_available())
        popcount_rest = rest_avx2;
    else
        popcount_rest = rest_c;
    return popcount_rest(a, b, n);
}
static uint32_t crc_choose(uint32_t crc, const uint8_t *at, size_t n) {
    if (clmul_available())
        comp_crc = crc_clmul;
    else
        comp_crc = crc_c;
    return comp_crc(crc, at, n);
}
int main(int argc, char **argv) {
    fill(argc);
    printf("%u %x\n", popcount_rest((uint64_t *)bytes, (uint64_t *)(bytes + 64), 8), comp_crc(7, bytes, 256));
}
#endif

#ifdef PUNNED
// Distances of vectors: a set of abilities, and a search for a kernel that hands out a pointer
// with the type taken away.
typedef enum { cap_serial = 1, cap_haswell = 1 << 10, cap_skylake = 1 << 11, cap_any = 0x7fffffff } capability;
typedef enum { metric_dot, metric_half, metric_sum } metric;
typedef void (*punned)(void);

NI static capability capabilities(void) {
    union {
        int array[4];
        struct {
            int a, b, c, d;
        } named;
    } one, seven;
    __cpuid_count(1, 0, one.array[0], one.array[1], one.array[2], one.array[3]);
    __cpuid_count(7, 0, seven.array[0], seven.array[1], seven.array[2], seven.array[3]);
    unsigned has_avx2 = (seven.named.b & 0x00000020) != 0;
    unsigned has_f16c = (one.named.c & 0x20000000) != 0;
    unsigned has_fma = (one.named.c & 0x00001000) != 0;
    unsigned has_wide = (seven.named.b & 0x40010000) == 0x40010000;
#ifdef BAD
    unsigned haswell = has_f16c && has_fma;
    (void)has_avx2;
#else
    unsigned haswell = has_avx2 && has_f16c && has_fma;
#endif
    return (capability)(cap_serial | cap_haswell * haswell | cap_skylake * (haswell && has_wide));
}
NI static void find_kernel(capability can, metric what, capability allowed, punned *out, capability *used) {
    capability both = (capability)(can & allowed);
    if (both & cap_skylake)
        switch (what) {
        case metric_sum:
            *out = (punned)sum_avx512, *used = cap_skylake;
            return;
        default:
            break;
        }
    if (both & cap_haswell)
        switch (what) {
        case metric_dot:
            *out = (punned)dot_avx2, *used = cap_haswell;
            return;
        case metric_half:
            *out = (punned)half_f16c, *used = cap_haswell;
            return;
        case metric_sum:
            *out = (punned)sum_avx2, *used = cap_haswell;
            return;
        }
    switch (what) {
    case metric_dot:
        *out = (punned)dot_c;
        break;
    case metric_half:
        *out = (punned)half_c;
        break;
    case metric_sum:
        *out = (punned)sum_c;
        break;
    }
    *used = cap_serial;
}
int main(int argc, char **argv) {
    fill(argc);
    punned kernel = NULL;
    capability used, can = capabilities();
    find_kernel(can, argc > 5 ? metric_dot : metric_half, cap_any, &kernel, &used);
    float out = used && argc > 5 ? ((dot_fn *)kernel)(reals, reals + 8, 64) : ((half_fn *)kernel)(bytes, 64);
    find_kernel(can, metric_sum, cap_any, &kernel, &used);
    printf("%f %llu %d\n", out, (unsigned long long)((sum_fn *)kernel)(bytes, 512), (int)used);
}
#endif

#ifdef FAT_IFUNC
// A run-time library for many CPUs: every public function is an ifunc whose resolver reads the
// CPU's words for itself.
#define CREATE_DISPATCH(type, name, ...)                                                           \
    static type(*resolve_##name(void))(__VA_ARGS__) {                                              \
        if (check_avx512())                                                                        \
            return name##_avx512_;                                                                 \
        if (check_avx2())                                                                          \
            return name##_avx2;                                                                    \
        return name##_sse2;                                                                        \
    }                                                                                              \
    type name(__VA_ARGS__) __attribute__((ifunc("resolve_" #name)))
static inline int check_ymm(void) {
    unsigned a, b, c, d;
    __cpuid(1, a, b, c, d);
    if ((c & (bit_AVX | bit_OSXSAVE)) != (bit_AVX | bit_OSXSAVE))
        return 0;
    return (kept_registers() & 6) == 6;
}
static inline int check_avx2(void) {
    unsigned a, b, c, d;
    if (!check_ymm())
        return 0;
    __cpuid_count(7, 0, a, b, c, d);
    return (b & bit_AVX2) != 0;
}
static inline int check_avx512(void) {
    unsigned a, b, c, d;
    if (!check_ymm() || (kept_registers() & 0xe0) != 0xe0)
        return 0;
    __cpuid_count(7, 0, a, b, c, d);
    return (b & bit_AVX512BW) && (b & bit_AVX512F);
}
#define scan_sum_sse2 sum_sse2
#define scan_sum_avx2 sum_avx2
#define scan_sum_avx512_ sum_avx512
static unsigned match_sse2(const uint64_t *a, const uint64_t *b, int n) { return rest_c(a, b, n); }
#define match_avx2 rest_avx2
#define match_avx512_ rest_avx2
CREATE_DISPATCH(uint64_t, scan_sum, const uint8_t *, size_t);
CREATE_DISPATCH(unsigned, match, const uint64_t *, const uint64_t *, int);
int main(int argc, char **argv) {
    fill(argc);
    printf("%llu %u\n", (unsigned long long)scan_sum(bytes, 512), match((uint64_t *)bytes, (uint64_t *)(bytes + 32), 12));
}
#endif

#ifdef CSV_ARGS
// A tool whose first argument says how wide: of what the CPU can, by default the widest.
static int widest(void) {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return 2;
    return __builtin_cpu_supports("sse2") ? 1 : 0;
}
FOR("avx2,bmi2") unsigned commas_avx2(const uint8_t *at, size_t n) {
    uint64_t out = 0;
    for (size_t i = 0; i + 32 <= n; i += 32) {
        __m256i hit = _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(at + i)), _mm256_set1_epi8(','));
        out += _pext_u64(0x123456789abcdefu, (uint32_t)_mm256_movemask_epi8(hit));
    }
    return (unsigned)out;
}
static unsigned commas_sse2(const uint8_t *at, size_t n) {
    unsigned out = 0;
    for (size_t i = 0; i + 16 <= n; i += 16)
        out += !!_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(at + i)), _mm_set1_epi8(',')));
    return out;
}
static unsigned commas_c(const uint8_t *at, size_t n) {
    unsigned out = 0;
    while (n--)
        out += *at++ == ',';
    return out;
}
static unsigned commas(int mode, const uint8_t *at, size_t n) {
    switch (mode) {
    case 2:
        return commas_avx2(at, n);
    case 1:
        return commas_sse2(at, n);
    default:
        return commas_c(at, n);
    }
}
int main(int argc, char **argv) {
    fill(argc);
#ifdef BAD
    // The widest is looked at only when the user wants something.
    int mode = 2;
    if (argc > 1) {
        mode = atoi(argv[1]);
        if (mode > widest())
            mode = widest();
    }
#else
    int best = widest(), mode = argc > 1 ? atoi(argv[1]) : best;
    if (mode > best) {
        fprintf(stderr, "this CPU has no mode %d\n", mode);
        mode = best;
    }
#endif
    printf("%u\n", commas(mode, bytes, 512));
}
#endif

#ifdef ZSTD_BMI2
// The CPU's words in a struct by value, a number in a context, passed down as an argument.
typedef struct {
    uint32_t f1c, f1d, f7b, f7c;
} cpuid_t;
static cpuid_t cpuid_all(void) {
    uint32_t f1c = 0, f1d = 0, f7b = 0, f7c = 0, n, a, b, c, d;
    __asm__("cpuid" : "=a"(n) : "a"(0) : "ebx", "ecx", "edx");
    if (n >= 1)
        __asm__("cpuid" : "=a"(a), "=c"(f1c), "=d"(f1d) : "a"(1) : "ebx");
    if (n >= 7)
        __asm__("cpuid" : "=a"(a), "=b"(f7b), "=c"(f7c) : "a"(7), "c"(0) : "edx");
    cpuid_t out = {f1c, f1d, f7b, f7c};
    return out;
}
#define BIT_OF(name, word, bit)                                                                    \
    static int cpuid_##name(cpuid_t const cpuid) { return (cpuid.word & (1u << bit)) != 0; }
BIT_OF(sse42, f1c, 20)
BIT_OF(avx, f1c, 28)
BIT_OF(bmi1, f7b, 3)
BIT_OF(bmi2, f7b, 8)
typedef struct {
    int bmi2, level;
    uint64_t bits;
    const uint8_t *from;
} dctx;
static dctx *dctx_create(void) {
    dctx *d = malloc(sizeof *d);
    if (!d)
        return NULL;
    cpuid_t cpuid = cpuid_all();
#ifdef BAD
    d->bmi2 = cpuid_bmi1(cpuid) && cpuid_avx(cpuid);
#else
    d->bmi2 = cpuid_bmi1(cpuid) && cpuid_bmi2(cpuid);
#endif
    d->level = 3;
    d->bits = 1;
    return d;
}
NI static uint64_t decode_default(dctx *d, int n) {
    for (int i = 0; i < n; i++)
        d->bits = d->bits * 31 + (bits_c(d->from[i], 0x249249) & 0xffff);
    return d->bits;
}
FOR("bmi,bmi2") NI uint64_t decode_bmi2(dctx *d, int n) {
    for (int i = 0; i < n; i++)
        d->bits = d->bits * 31 + _bzhi_u64(_pdep_u64(d->from[i], 0x249249), 16);
    return d->bits;
}
NI static uint64_t decode_stream(dctx *d, int n, int bmi2) {
    if (bmi2)
        return decode_bmi2(d, n);
    return decode_default(d, n);
}
NI static uint64_t decompress(dctx *d, const uint8_t *from, int n) {
    uint64_t out = 0;
    d->from = from;
    for (int block = 0; block < d->level; block++)
        out ^= decode_stream(d, n >> block, d->bmi2);
    return out;
}
int main(int argc, char **argv) {
    fill(argc);
    dctx *d = dctx_create();
    if (!d)
        return 1;
    printf("%llu\n", (unsigned long long)decompress(d, bytes, 64));
    free(d);
}
#endif

#ifdef AUXV
// The system's words where it gives some, the CPU's for the rest. They come after the
// environment; `getauxval(AT_HWCAP)` of glibc gives a word of its own on x86.
static unsigned long word_of_system(unsigned long type) {
    char **at = environ;
    while (*at)
        at++;
    for (const unsigned long *word = (const unsigned long *)(at + 1); word[0] != AT_NULL; word += 2)
        if (word[0] == type)
            return word[1];
    return 0;
}
NI static unsigned long machine(void) {
    unsigned long out = 0;
    unsigned a, b, c, d;
#ifdef BAD
    // On x86 these are the bits of EDX, not those of ECX: bit 25 is SSE, and no AES.
    if (word_of_system(AT_HWCAP) & (1ul << 25))
        out |= 1;
#else
    if (word_of_system(AT_HWCAP) & (1ul << 26))
        if (__get_cpuid(1, &a, &b, &c, &d) && (c & (1u << 25)))
            out |= 1;
#endif
    if (!getauxval(AT_SECURE) && getenv("STORE_NO_SIMD"))
        return out;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 8 & 1))
        out |= 2;
    return out;
}
static unsigned long hwcap;
int main(int argc, char **argv) {
    fill(argc);
    hwcap = machine();
    if (hwcap & 1)
        block_aes(bytes, bytes + 32);
    else
        block_c(bytes, bytes + 32);
    uint64_t out = hwcap & 2 ? bits_bmi2(bytes[7], 0x11111111) : bits_c(bytes[7], 0x11111111);
    printf("%d %llu\n", bytes[1], (unsigned long long)out);
}
#endif
