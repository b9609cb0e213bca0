// Compressors and checksums.
#include "seventh.h"
#include <stdatomic.h>

#ifdef FUNCTABLE
// All pointers begin at stubs; the first that is called fills the whole table.
struct cpu_features {
    int has_avx2, has_pclmulqdq, has_vpclmulqdq, has_os_save_ymm;
};
struct functable_s {
    uint32_t (*adler32)(uint32_t adler, const uint8_t *buf, size_t len);
    uint64_t (*crc32)(const uint8_t *buf, size_t len, uint64_t crc);
    size_t (*compare256)(const uint8_t *, size_t, uint8_t);
};
static void cpuidex(int info, int sub, unsigned *a, unsigned *b, unsigned *c, unsigned *d) { __cpuid_count(info, sub, *a, *b, *c, *d); }
static void x86_check_features(struct cpu_features *f) {
    unsigned eax, ebx, ecx, edx, maxbasic;
    cpuidex(0, 0, &maxbasic, &ebx, &ecx, &edx);
    cpuidex(1, 0, &eax, &ebx, &ecx, &edx);
    f->has_pclmulqdq = ecx & 0x2;
    if (ecx & 0x08000000)
        f->has_os_save_ymm = (read_xcr(0) & 0x6) == 0x6;
    if (maxbasic >= 7) {
        cpuidex(7, 0, &eax, &ebx, &ecx, &edx);
        if (f->has_os_save_ymm) {
            f->has_vpclmulqdq = ecx & 0x400;
            f->has_avx2 = ebx & 0x20;
        }
    }
}
static uint32_t adler32_stub(uint32_t, const uint8_t *, size_t);
static uint64_t crc32_stub(const uint8_t *, size_t, uint64_t);
static size_t compare256_stub(const uint8_t *, size_t, uint8_t);
struct functable_s functable = {adler32_stub, crc32_stub, compare256_stub};
#define FUNCTABLE_ASSIGN(VAR, NAME) __atomic_store(&(functable.NAME), &(VAR.NAME), __ATOMIC_SEQ_CST)
KEEP static void init_functable(void) {
    struct functable_s ft;
    struct cpu_features cf = {0};
    x86_check_features(&cf);
    ft.adler32 = &adler_plain;
    ft.crc32 = &crc_plain;
    ft.compare256 = &find_plain;
    if (cf.has_pclmulqdq)
        ft.crc32 = &crc_clmul;
    if (cf.has_avx2) {
        ft.adler32 = &adler_avx2;
        ft.compare256 = &find_avx2;
    }
#ifdef BAD
    if (cf.has_pclmulqdq && cf.has_os_save_ymm)
#else
    if (cf.has_vpclmulqdq && cf.has_avx2)
#endif
        ft.crc32 = &crc_vclmul;
    FUNCTABLE_ASSIGN(ft, adler32);
    FUNCTABLE_ASSIGN(ft, crc32);
    FUNCTABLE_ASSIGN(ft, compare256);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
static uint32_t adler32_stub(uint32_t adler, const uint8_t *buf, size_t len) {
    init_functable();
    return functable.adler32(adler, buf, len);
}
static uint64_t crc32_stub(const uint8_t *buf, size_t len, uint64_t crc) {
    init_functable();
    return functable.crc32(buf, len, crc);
}
static size_t compare256_stub(const uint8_t *buf, size_t len, uint8_t c) {
    init_functable();
    return functable.compare256(buf, len, c);
}
typedef struct {
    const uint8_t *next_in;
    size_t avail_in;
    uint32_t adler;
    int wrap;
} stream;
static int inflate_step(stream *s, size_t chunk) {
    if (!s->avail_in)
        return 1;
    if (chunk > s->avail_in)
        chunk = s->avail_in;
    if (s->wrap == 1)
        s->adler = functable.adler32(s->adler, s->next_in, chunk);
    else
        s->adler ^= (uint32_t)functable.crc32(s->next_in, chunk, s->adler);
    s->next_in += chunk;
    s->avail_in -= chunk;
    return 0;
}
int main(int argc, char **argv) {
    make_data((unsigned)argc);
    for (int wrap = 1; wrap <= 2; wrap++) {
        stream s = {bytes, 1500, 1, wrap};
        while (inflate_step(&s, 400) == 0)
            ;
        printf("%s %08x\n", wrap == 1 ? "zlib" : "gzip", s.adler);
    }
    printf("first 0xff at %zu\n", functable.compare256(bytes, 2048, 0xff));
}
#endif

#ifdef CHECKSUM_CONSTRUCTOR
// A constructor puts the checksum that the CPU can; it comes before all that is computed.
static uint64_t crc64_generic(const uint8_t *buf, size_t size, uint64_t crc) { return crc_plain(buf, size, crc); }
static bool is_arch_extension_supported(void) {
    unsigned r[4];
    if (!__get_cpuid(1, &r[0], &r[1], &r[2], &r[3]))
        return false;
    const uint32_t ecx_mask = (1u << 1) | (1u << 9) | (1u << 19);
    return (r[2] & ecx_mask) == ecx_mask;
}
static uint64_t (*crc64_func)(const uint8_t *buf, size_t size, uint64_t crc);
__attribute__((constructor)) static void crc64_set_func(void) {
#ifdef BAD
    crc64_func = !is_arch_extension_supported() ? &crc_clmul : &crc64_generic;
#else
    crc64_func = is_arch_extension_supported() ? &crc_clmul : &crc64_generic;
#endif
}
typedef enum { CHECK_NONE, CHECK_CRC64 = 4 } check;
typedef enum { OK, STREAM_END, DATA_ERROR, OPTIONS_ERROR } ret;
typedef struct {
    check type;
    union {
        uint64_t crc64;
        uint8_t raw[8];
    } state;
    uint64_t size;
} check_state;
static ret check_update(check_state *c, const uint8_t *buf, size_t size) {
    switch (c->type) {
    case CHECK_NONE:
        break;
    case CHECK_CRC64:
        c->state.crc64 = crc64_func(buf, size, c->state.crc64);
        break;
    default:
        return OPTIONS_ERROR;
    }
    c->size += size;
    return OK;
}
int main(int argc, char **argv) {
    make_data((unsigned)argc);
    check_state c = {.type = CHECK_CRC64};
    if (argc > 1 && !strcmp(argv[1], "--check=none"))
        c.type = CHECK_NONE;
    for (size_t at = 0; at < sizeof bytes; at += 512)
        if (check_update(&c, bytes + at, 512) != OK) {
            fprintf(stderr, "unsupported check\n");
            return 3;
        }
    printf("%llu bytes, check", (unsigned long long)c.size);
    for (int i = 0; i < 8; i++)
        printf(" %02x", c.state.raw[i]);
    puts("");
}
#endif

#ifdef DYNAMIC_BMI2
// A flag of the context goes down to the innermost function as an argument.
typedef struct {
    uint32_t f1c, f1d, f7b, f7c;
} cpuid_t;
static cpuid_t cpuid_of(void) {
    cpuid_t out = {0};
    uint32_t n, a, b, c, d;
    __asm__("cpuid" : "=a"(n) : "a"(0) : "ebx", "ecx", "edx");
    if (n >= 1)
        __asm__("cpuid" : "=a"(a), "=c"(out.f1c), "=d"(out.f1d) : "a"(1) : "ebx");
    if (n >= 7)
        __asm__("cpuid" : "=a"(a), "=b"(out.f7b), "=c"(out.f7c) : "a"(7), "c"(0) : "edx");
    return out;
}
static int cpuid_bmi1(cpuid_t const cpuid) { return (cpuid.f7b & (1U << 3)) != 0; }
static int cpuid_bmi2(cpuid_t const cpuid) { return (cpuid.f7b & (1U << 8)) != 0; }
KEEP static int cpu_supports_bmi2(void) {
    cpuid_t cpuid = cpuid_of();
#ifdef BAD
    return cpuid_bmi1(cpuid) || cpuid_bmi2(cpuid);
#else
    return cpuid_bmi1(cpuid) && cpuid_bmi2(cpuid);
#endif
}
typedef struct {
    int bmi2;
    size_t window;
    uint64_t *table;
} DCtx;
typedef enum { bmi2_flag = 1 } flags_e;
static inline __attribute__((always_inline)) uint64_t decode_body(const uint64_t *table, size_t n, uint64_t (*take)(uint64_t, uint64_t)) {
    uint64_t all = 0;
    for (size_t i = 0; i + 1 < n; i++)
        all = all * 17 + take(table[i], table[i + 1]);
    return all;
}
KEEP static uint64_t decode_default(const uint64_t *table, size_t n) { return decode_body(table, n, gather_plain); }
__attribute__((noinline, target("bmi2"))) static uint64_t decode_bmi2(const uint64_t *table, size_t n) { return decode_body(table, n, gather_bmi2); }
KEEP static uint64_t decode(const uint64_t *table, size_t n, int flags) {
    if (flags & bmi2_flag)
        return decode_bmi2(table, n);
    return decode_default(table, n);
}
static DCtx *createDCtx(void) {
    DCtx *ctx = calloc(1, sizeof *ctx);
    if (!ctx)
        return NULL;
    ctx->bmi2 = cpu_supports_bmi2();
    ctx->window = 64;
    ctx->table = malloc(ctx->window * sizeof *ctx->table);
    if (!ctx->table) {
        free(ctx);
        return NULL;
    }
    return ctx;
}
static size_t decompressDCtx(DCtx *ctx, uint64_t *out, const uint64_t *in, size_t n) {
    if (n > ctx->window)
        return (size_t)-ERANGE;
    memcpy(ctx->table, in, n * sizeof *in);
    *out = decode(ctx->table, n, ctx->bmi2 ? bmi2_flag : 0);
    return n;
}
int main(int argc, char **argv) {
    make_data((unsigned)argc);
    DCtx *ctx = createDCtx();
    if (!ctx)
        return 3;
    for (size_t n = 16; n <= 80; n += 32) {
        uint64_t value = 0;
        size_t got = decompressDCtx(ctx, &value, longs, n);
        if (got > 1000)
            printf("%zu words: %s\n", n, strerror((int)-got));
        else
            printf("%zu words: %016llx\n", n, (unsigned long long)value);
    }
    free(ctx->table);
    free(ctx);
}
#endif

#ifdef BUFFER_IS_ZERO
// A table of accelerators from the best down; a test steps through those that are left.
enum { INFO_AVX2 = 1, INFO_AVX512F = 2, INFO_SSE2 = 4, INFO_ALWAYS = 8 };
static bool zero_sse2(const void *buf, size_t n) {
    const __m128i *p = buf;
    __m128i any = _mm_setzero_si128();
    for (size_t i = 0; i < n / 16; i++)
        any = _mm_or_si128(any, _mm_loadu_si128(p + i));
    return _mm_movemask_epi8(_mm_cmpeq_epi8(any, _mm_setzero_si128())) == 0xffff;
}
static unsigned used_accel;
static size_t length_to_accel;
static bool (*buffer_accel)(const void *, size_t) = zero_plain;
KEEP static unsigned cpuinfo_init(void) {
    unsigned max = __get_cpuid_max(0, NULL), info = INFO_ALWAYS, a, b, c, d, b7, x;
    if (max < 1)
        return info;
    __cpuid(1, a, b, c, d);
    info |= d & bit_SSE2 ? INFO_SSE2 : 0;
    if (max >= 7 && (c & bit_OSXSAVE)) {
        __cpuid_count(7, 0, a, b7, x, d);
        uint64_t state = read_xcr(0);
        if ((state & 6) == 6)
            info |= (c & bit_AVX) && (b7 & bit_AVX2) ? INFO_AVX2 : 0;
        if ((state & 0xe6) == 0xe6)
            info |= b7 & bit_AVX512F ? INFO_AVX512F : 0;
    }
    return info;
}
KEEP static unsigned select_accel_cpuinfo(unsigned info) {
    static const struct {
        unsigned bit;
        size_t len;
        bool (*fn)(const void *, size_t);
    } all[] = {
        {INFO_AVX512F, 256, zero_avx512},
#ifdef BAD
        {INFO_SSE2, 128, zero_avx2},
        {INFO_AVX2, 64, zero_sse2},
#else
        {INFO_AVX2, 128, zero_avx2},
        {INFO_SSE2, 64, zero_sse2},
#endif
        {INFO_ALWAYS, 0, zero_plain},
    };
    for (unsigned i = 0; i < COUNT_OF(all); ++i)
        if (info & all[i].bit) {
            length_to_accel = all[i].len;
            buffer_accel = all[i].fn;
            return all[i].bit;
        }
    return 0;
}
__attribute__((constructor)) static void init_accel(void) { used_accel = select_accel_cpuinfo(cpuinfo_init()); }
static bool test_next_accel(void) {
    unsigned used;
    if (used_accel == 0)
        return false;
    used = select_accel_cpuinfo(cpuinfo_init() & ~used_accel);
    used_accel |= used;
    return used != 0;
}
static bool buffer_is_zero(const void *buf, size_t len) {
    if (len == 0)
        return true;
    if (len >= length_to_accel)
        return buffer_accel(buf, len);
    return zero_plain(buf, len);
}
int main(int argc, char **argv) {
    uint8_t *page = aligned_alloc(64, 4096);
    if (!page)
        return 3;
    memset(page, 0, 4096);
    page[3000 + argc] = 1;
    int tests = 0;
    do {
        if (buffer_is_zero(page, 4096) || !buffer_is_zero(page, 2560) || !buffer_is_zero(page, 24)) {
            fprintf(stderr, "wrong answer in round %d\n", tests);
            return 1;
        }
        tests++;
    } while (test_next_accel());
    puts("all accelerators agree");
    free(page);
}
#endif

#ifdef FEATURES_ONCE
// Each function of the interface reads the features, which the first of them puts in an atomic.
enum cpu_feature { SSE2 = 1 << 0, SSE41 = 1 << 2, AVX = 1 << 3, AVX2 = 1 << 4, AVX512F = 1 << 5, AVX512VL = 1 << 6, UNDEFINED = 1 << 30 };
static atomic_int g_cpu_features = UNDEFINED;
static void cpuidex(uint32_t out[4], uint32_t id, uint32_t sid) { __asm__ __volatile__("cpuid\n" : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3]) : "a"(id), "c"(sid)); }
KEEP static enum cpu_feature get_cpu_features(void) {
    enum cpu_feature features = (enum cpu_feature)atomic_load_explicit(&g_cpu_features, memory_order_relaxed);
    if (features != UNDEFINED)
        return features;
    uint32_t regs[4] = {0};
    uint32_t *eax = &regs[0], *ebx = &regs[1], *ecx = &regs[2];
    features = 0;
    cpuidex(regs, 0, 0);
    const int max_id = (int)*eax;
    cpuidex(regs, 1, 0);
    features |= SSE2;
    if (*ecx & (1UL << 19))
        features |= SSE41;
    if (*ecx & (1UL << 27)) {
        const uint64_t mask = read_xcr(0);
        if ((mask & 6) == 6) {
            if (*ecx & (1UL << 28))
                features |= AVX;
            if (max_id >= 7) {
                cpuidex(regs, 7, 0);
                if (*ebx & (1UL << 5))
                    features |= AVX2;
                if ((mask & 224) == 224) {
                    if (*ebx & (1UL << 31))
                        features |= AVX512VL;
                    if (*ebx & (1UL << 16))
                        features |= AVX512F;
                }
            }
        }
    }
    atomic_store_explicit(&g_cpu_features, (int)features, memory_order_relaxed);
    return features;
}
KEEP static void compress_in_place(uint64_t cv[4], const uint64_t *block, size_t words) {
    const enum cpu_feature features = get_cpu_features();
    uint64_t (*count)(const uint64_t *, size_t) = bits_plain;
#ifdef BAD
    if (features & SSE41)
        count = bits_avx2;
#else
    if (features & SSE41)
        count = bits_popcnt;
    if (features & AVX2)
        count = bits_avx2;
#endif
    for (int i = 0; i < 4; i++)
        cv[i] = cv[i] * 6364136223846793005ull + count(block + i, words);
}
KEEP static void hash_many(const uint8_t *input, size_t blocks, uint32_t *out) {
    const enum cpu_feature features = get_cpu_features();
    if ((features & (AVX512F | AVX512VL)) == (AVX512F | AVX512VL) && blocks >= 16) {
        *out ^= zero_avx512(input, 64);
        *out ^= zero_avx512(input, 64);
    }
    if (features & AVX2) {
        for (size_t i = 0; i < blocks; i++)
            *out = *out * 33 ^ adler_avx2(1, input + 64 * i, 64);
        return;
    }
    for (size_t i = 0; i < blocks; i++)
        *out = *out * 33 ^ adler_plain(1, input + 64 * i, 64);
}
static size_t simd_degree(void) {
    const enum cpu_feature features = get_cpu_features();
    return features & AVX2 ? 8 : features & SSE41 ? 4 : 1;
}
typedef struct {
    uint64_t cv[4];
    uint32_t root;
    size_t chunks;
} hasher;
static void hasher_update(hasher *h, const uint8_t *input, size_t len) {
    for (size_t step = simd_degree(); len >= 64;) {
        size_t blocks = len / 64 < step ? len / 64 : step;
        hash_many(input, blocks, &h->root);
        input += 64 * blocks;
        len -= 64 * blocks;
        h->chunks += blocks;
    }
    compress_in_place(h->cv, longs, 32);
}
int main(int argc, char **argv) {
    make_data((unsigned)argc);
    hasher h = {{1, 2, 3, 4}, 7, 0};
    hasher_update(&h, bytes, 1280);
    printf("%zu chunks, root %08x, key", h.chunks, h.root);
    for (int i = 0; i < 4; i++)
        printf(" %016llx", (unsigned long long)h.cv[i]);
    puts("");
}
#endif
