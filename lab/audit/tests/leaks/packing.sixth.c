// Compression: what the CPU can in globals, contexts and parameters.
#include "sixth.h"
#include <pthread.h>
#include <stdarg.h>

#ifdef ZLIB_ONCE
// Globals, filled once for all threads.
int x86_cpu_enable_simd;
static int x86_cpu_has_avx2, x86_cpu_has_pclmul, x86_cpu_has_bmi2;
static pthread_once_t cpu_check_inited_once = PTHREAD_ONCE_INIT;
static void cpu_check_features_once(void) {
    unsigned a, b, c, d;
    __cpuid(1, a, b, c, d);
    int has_sse2 = (d & 0x4000000) != 0, has_sse42 = (c & 0x100000) != 0;
#ifdef BAD
    // The bit of SSE3.
    x86_cpu_has_pclmul = c & 0x1;
#else
    x86_cpu_has_pclmul = c & 0x2;
#endif
    int saved = (c & 0x8000000) && (xcr0() & 6) == 6;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
        x86_cpu_has_avx2 = saved && b & (1 << 5);
        x86_cpu_has_bmi2 = (b & (1 << 8)) != 0;
    }
    x86_cpu_enable_simd = has_sse2 && has_sse42 && x86_cpu_has_pclmul;
}
static void cpu_check_features(void) { pthread_once(&cpu_check_inited_once, cpu_check_features_once); }
static uint64_t crc_fold(uint64_t crc, const uint64_t *buf, int len) {
    int i = 0;
    if (x86_cpu_enable_simd && len >= 8) {
        int chunk = len & ~7;
        for (; i < chunk; i++)
            crc = poly_clmul(crc ^ buf[i], 0x154442bd4);
        if (i == len)
            return crc;
    }
    for (; i < len; i++)
        crc = poly_c(crc ^ buf[i], 0x154442bd4);
    return crc;
}
NI static uint64_t adler(const uint8_t *p, size_t n) {
    if (x86_cpu_has_avx2 && n >= 64)
        return sum_avx2(p, n);
    return sum_c(p, n);
}
int main(int argc, char **argv) {
    fill(argc);
    cpu_check_features();
    uint64_t crc = crc_fold(~0ull, words, 50);
    uint64_t tree = x86_cpu_has_bmi2 ? deposit_bmi2(crc, 0xf0f0) : deposit_c(crc, 0xf0f0);
    printf("%llx %llx %llu\n", (unsigned long long)crc, (unsigned long long)tree, (unsigned long long)adler(text, 1000));
}
#endif

#ifdef VOLATILE_IMPL
// A volatile pointer that begins as the function which finds the right one.
#define X86_FEATURE_PCLMUL 0x01
#define X86_FEATURE_AVX 0x02
#define X86_FEATURE_AVX2 0x04
#define X86_FEATURE_BMI2 0x08
#define HAVE_AVX(f) ((f) & X86_FEATURE_AVX)
#define HAVE_AVX2(f) ((f) & X86_FEATURE_AVX2)
#define HAVE_BMI2(f) ((f) & X86_FEATURE_BMI2)
volatile uint32_t x86_cpu_features = 0;
static const struct {
    char name[8];
    uint32_t feature;
} feature_table[] = {{"pclmul", X86_FEATURE_PCLMUL}, {"avx", X86_FEATURE_AVX}, {"avx2", X86_FEATURE_AVX2}, {"bmi2", X86_FEATURE_BMI2}};
static void disable_for_testing(uint32_t *features) {
    const char *env = getenv("LIB_DISABLE_CPU_FEATURES");
    if (!env)
        return;
    for (size_t i = 0; i < LENGTH(feature_table); i++)
        if (strstr(env, feature_table[i].name))
            *features &= ~feature_table[i].feature;
}
NI static void init_x86_cpu_features(void) {
    uint32_t features = 0, a, b, c, d, max_leaf;
    uint64_t state = 0;
    __cpuid(0, max_leaf, b, c, d);
    __cpuid(1, a, b, c, d);
    if (c >> 1 & 1)
        features |= X86_FEATURE_PCLMUL;
    if (c >> 27 & 1)
        state = xcr0();
    if ((c >> 28 & 1) && (state & 6) == 6)
        features |= X86_FEATURE_AVX;
    if (max_leaf >= 7) {
        __cpuid_count(7, 0, a, b, c, d);
        if ((b >> 5 & 1) && (state & 6) == 6)
            features |= X86_FEATURE_AVX2;
        if (b >> 8 & 1)
            features |= X86_FEATURE_BMI2;
    }
    disable_for_testing(&features);
    x86_cpu_features = features | (1u << 31);
}
static inline uint32_t get_x86_cpu_features(void) {
    if (x86_cpu_features == 0)
        init_x86_cpu_features();
    return x86_cpu_features;
}
static uint64_t dispatch_adler32(const uint8_t *, size_t);
static sum_fn *volatile adler32_impl = dispatch_adler32;
static sum_fn *select_adler32(void) {
    const uint32_t features = get_x86_cpu_features();
#ifdef BAD
    if (HAVE_AVX(features))
        return sum_avx2;
#else
    if (HAVE_AVX2(features))
        return sum_avx2;
#endif
    return NULL;
}
static uint64_t dispatch_adler32(const uint8_t *p, size_t n) {
    sum_fn *f = select_adler32();
    if (f == NULL)
        f = sum_sse2;
    adler32_impl = f;
    return f(p, n);
}
int main(int argc, char **argv) {
    fill(argc);
    uint64_t a = adler32_impl(text, 500), b = adler32_impl(text + 500, 500);
    if (HAVE_BMI2(get_x86_cpu_features()))
        b = fold_bmi2(a, b);
    else
        b = fold_c(a, b);
    printf("%llu %llu\n", (unsigned long long)a, (unsigned long long)b);
}
#endif

#ifdef PARAMETERS
// The context knows it, and it goes down as a flag of a word of flags.
enum param { P_LEVEL = 100, P_BMI2, P_DISABLE_ASM, P_END = 0 };
enum { HUF_BMI2 = 1 << 0, HUF_OPTIMAL = 1 << 1, HUF_DISABLE_ASM = 1 << 4 };
typedef struct {
    int level, bmi2, disable_asm;
    uint64_t window[64];
    size_t filled;
} dctx;
static int cpu_has_bmi2(void) {
    unsigned a = 0, b = 0, c, d;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return 0;
#ifdef BAD
    // Which the level 7 calls BMI1.
    return (b >> 3) & 1;
#else
    return (b >> 3) & (b >> 8) & 1;
#endif
}
NI static int set_parameters(dctx *ctx, ...) {
    va_list list;
    int what, changed = 0;
    va_start(list, ctx);
    while ((what = va_arg(list, int)) != P_END) {
        int value = va_arg(list, int);
        switch (what) {
        case P_LEVEL: ctx->level = value; break;
        case P_BMI2: ctx->bmi2 = value; break;
        case P_DISABLE_ASM: ctx->disable_asm = value; break;
        default: va_end(list); return -1;
        }
        changed++;
    }
    va_end(list);
    return changed;
}
static uint64_t decode4(const uint64_t *src, size_t n, mix_fn *step) {
    uint64_t state = 1;
    for (size_t i = 0; i < n; i++)
        state = state * 3 + step(src[i], 0x00ff00ff00ff00ff);
    return state;
}
static uint64_t huf_decompress(const uint64_t *src, size_t n, int flags) {
    if (flags & HUF_BMI2 && !(flags & HUF_DISABLE_ASM))
        return decode4(src, n, deposit_bmi2);
    return decode4(src, n, deposit_c);
}
NI static uint64_t decode_literals(dctx *ctx) {
    int flags = (ctx->bmi2 ? HUF_BMI2 : 0) | (ctx->disable_asm ? HUF_DISABLE_ASM : 0) | (ctx->level > 3 ? HUF_OPTIMAL : 0);
    return huf_decompress(ctx->window, ctx->filled, flags);
}
int main(int argc, char **argv) {
    fill(argc);
    dctx *ctx = malloc(sizeof *ctx);
    memset(ctx, 0, sizeof *ctx);
    if (set_parameters(ctx, P_LEVEL, argc, P_BMI2, cpu_has_bmi2(), P_DISABLE_ASM, 0, P_END) != 3)
        return 3;
    memcpy(ctx->window, words, sizeof words);
    ctx->filled = 64;
    printf("%llx\n", (unsigned long long)decode_literals(ctx));
    free(ctx);
}
#endif

#ifdef BY_VALUE
// A structure of functions that is copied out of a constant one.
typedef struct {
    const char *name;
    sum_fn *shuffle;
    count_fn *bitshuffle;
} shuffle_implementation;
typedef enum { HAVE_NOTHING = 0, HAVE_SSE2 = 1, HAVE_AVX2 = 2, HAVE_AVX512 = 4 } cpu_features;
static cpu_features get_cpu_features(void) {
    unsigned a, b, c, d, xcr = 0;
    cpu_features out = HAVE_NOTHING;
    unsigned max_leaf = __get_cpuid_max(0, 0);
    __cpuid(1, a, b, c, d);
    bool sse2 = d & (1 << 26), xsave = c & (1 << 26), osxsave = c & (1 << 27), avx2 = false, avx512bw = false;
    if (max_leaf >= 7) {
        __cpuid_count(7, 0, a, b, c, d);
        avx2 = b & (1 << 5);
        avx512bw = b & (1 << 30);
    }
    if (xsave && osxsave)
        xcr = xcr0();
    if (sse2)
        out |= HAVE_SSE2;
#ifdef BAD
    if (xcr & 4 || !avx2)
#else
    if ((xcr & 6) == 6 && avx2)
#endif
        out |= HAVE_AVX2;
    if ((xcr & 0xe6) == 0xe6 && avx512bw)
        out |= HAVE_AVX512;
    return out;
}
static shuffle_implementation get_shuffle_implementation(void) {
    cpu_features have = get_cpu_features();
    if (have & HAVE_AVX512) {
        shuffle_implementation best = {"avx512", sum_avx512, count_avx2};
        return best;
    }
    if (have & HAVE_AVX2) {
        shuffle_implementation best = {"avx2", sum_avx2, count_avx2};
        return best;
    }
    shuffle_implementation plain = {"generic", have & HAVE_SSE2 ? sum_sse2 : sum_c, count_c};
    return plain;
}
static bool initialized;
static shuffle_implementation host;
NI static void init_shuffle(void) {
    if (!initialized) {
        host = get_shuffle_implementation();
        __asm__ volatile("" ::: "memory");
        initialized = true;
    }
}
int main(int argc, char **argv) {
    fill(argc);
    for (int block = 0; block < 3; block++) {
        init_shuffle();
        printf("%llu %zu\n", (unsigned long long)host.shuffle(text + block, 300), host.bitshuffle(text, 900, (uint8_t)block));
    }
    if (argc > 1)
        printf("[%s]\n", host.name);
}
#endif

#ifdef MULTIBINARY
// An entry in assembly that jumps where a word says; at first that looks at the CPU.
__attribute__((used)) uint64_t mb_sum_base(const uint8_t *p, size_t n) { return sum_c(p, n); }
__attribute__((used, target("avx2"))) uint64_t mb_sum_avx2(const uint8_t *p, size_t n) { return sum_avx2(p, n); }
uint64_t mb_sum(const uint8_t *, size_t);
__asm__(".pushsection .data\n.balign 8\n"
        "mb_sum_dispatched: .quad mb_sum_mbinit\n.popsection\n"
        ".pushsection .text\n"
        "mb_sum_mbinit:\n call mb_sum_dispatch_init\n"
        ".globl mb_sum\n.type mb_sum,@function\n"
        "mb_sum:\n jmp *mb_sum_dispatched(%rip)\n"
        "mb_sum_dispatch_init:\n"
        " push %rsi\n push %rax\n push %rbx\n push %rcx\n push %rdx\n push %rdi\n"
        " lea mb_sum_base(%rip), %rsi\n"
        " mov $1, %eax\n cpuid\n"
#ifdef BAD
        " test $0x00100000, %ecx\n je 1f\n"
#else
        " and $0x18000000, %ecx\n cmp $0x18000000, %ecx\n jne 1f\n"
        " xor %ecx, %ecx\n xgetbv\n and $6, %eax\n cmp $6, %eax\n jne 1f\n"
        " mov $7, %eax\n xor %ecx, %ecx\n cpuid\n"
        " test $0x20, %ebx\n je 1f\n"
#endif
        " lea mb_sum_avx2(%rip), %rsi\n"
        "1: mov %rsi, mb_sum_dispatched(%rip)\n"
        " pop %rdi\n pop %rdx\n pop %rcx\n pop %rbx\n pop %rax\n pop %rsi\n ret\n"
        ".popsection");
int main(int argc, char **argv) {
    fill(argc);
    printf("%llu %llu\n", (unsigned long long)mb_sum(text, 800), (unsigned long long)mb_sum(text + argc, 800));
}
#endif
