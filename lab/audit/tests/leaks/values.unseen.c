// A second set of ways to ask for AVX2, written without a look at the first or at the search, to
// see how far its claims carry. Here values are asked; in pointers.unseen.c they pick pointers.
// Each is chosen by a macro; with BAD the question is a wrong one.
#include "unseen.h"

#if defined(LEVEL_ENUM)
#if defined(BAD)
#define GATE __builtin_cpu_supports("avx")
#else
#define GATE __builtin_cpu_supports("avx2")
#endif
enum L { BASE, SSE, AVX, AVX2 };
static enum L level;
static enum L detect(void) {
    __builtin_cpu_init();
    if (GATE)
        return AVX2;
    if (__builtin_cpu_supports("ssse3"))
        return SSE;
    return BASE;
}
int main(int argc, char **v) {
    fill(argc);
    level = detect();
    long r;
    switch (level) {
    case AVX2:
        r = sum_avx2(data, 64);
        break;
    default:
        r = sum_base(data, 64);
    }
    printf("%ld\n", r);
    return 0;
}

#elif defined(BITMASK)
#if defined(BAD)
#define GATE F_SSE42
#else
#define GATE F_AVX2
#endif
#define F_SSE42 1u
#define F_AVX2 4u
NI unsigned features(void) {
    static unsigned f;
    if (!f) {
        f = 0x80000000u;
        if (sse42_by_cpuid())
            f |= F_SSE42;
        if (avx2_by_cpuid())
            f |= F_AVX2;
    }
    return f;
}
int main(int argc, char **v) {
    fill(argc);
    long r = features() & GATE ? sum_avx2(data, 64) : sum_base(data, 64);
    printf("%ld\n", r);
    return 0;
}

#elif defined(FMA_BIT)
#if defined(BAD)
#define GATE return (c & bit_FMA) != 0;
#else
#define GATE                                                                                       \
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))                                                  \
        return 0;                                                                                  \
    return (b & bit_AVX2) != 0;
#endif
NI int ok(void) {
    unsigned a, b, c, d;
    __cpuid(1, a, b, c, d);
    if (!(c >> 27 & 1))
        return 0;
    unsigned lo, hi;
    __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    if ((lo & 6) != 6)
        return 0;
    GATE
}
int main(int argc, char **v) {
    fill(argc);
    if (ok())
        printf("%ld\n", sum_avx2(data, 64));
    else
        printf("%ld\n", sum_base(data, 64));
    return 0;
}

#elif defined(TLS)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
static __thread int cached = -1;
int main(int argc, char **v) {
    fill(argc);
    if (cached < 0)
        cached = GATE;
    printf("%ld\n", cached ? sum_avx2(data, 64) : sum_base(data, 64));
    return 0;
}

#elif defined(ENV_OFF)
#if defined(BAD)
#define GATE __builtin_cpu_supports("sse4.2")
#else
#define GATE __builtin_cpu_supports("avx2")
#endif
int main(int argc, char **v) {
    fill(argc);
    __builtin_cpu_init();
    int fast = GATE;
    if (getenv("NO_SIMD"))
        fast = 0;
    printf("%ld\n", fast ? sum_avx2(data, 64) : sum_base(data, 64));
    return 0;
}

#elif defined(ASM_CPUID)
#if defined(BAD)
#define LEAF " mov $1,%eax\n"
#else
#define LEAF " mov $7,%eax\n"
#endif
int has_it(void);
__asm__(".text\n.p2align 4\n.globl has_it\nhas_it:\n push %rbx\n" LEAF " xor %ecx,%ecx\n cpuid\n"
#if defined(BAD)
        " mov %ecx,%eax\n shr $20,%eax\n"
#else
        " mov %ebx,%eax\n shr $5,%eax\n"
#endif
        " and $1,%eax\n pop %rbx\n ret\n");
int main(int argc, char **v) {
    fill(argc);
    printf("%ld\n", has_it() ? sum_avx2(data, 64) : sum_base(data, 64));
    return 0;
}

#elif defined(CTX_MALLOC)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
struct ctx {
    int pad[3];
    int use_avx2;
    int n;
};
NI struct ctx *mk(void) {
    struct ctx *c = malloc(sizeof *c);
    memset(c, 0, sizeof *c);
    c->use_avx2 = GATE;
    c->n = 64;
    return c;
}
NI long run(struct ctx *c) {
    if (c->use_avx2)
        return sum_avx2(data, c->n);
    return sum_base(data, c->n);
}
int main(int argc, char **v) {
    fill(argc);
    struct ctx *c = mk();
    printf("%ld\n", run(c));
    free(c);
    return 0;
}

#elif defined(GLOBAL_STRUCT)
#if defined(BAD)
#define GATE avx
#else
#define GATE avx2
#endif
static struct {
    _Bool sse2, sse42, avx, avx2;
} cpu;
NI void init_cpu(void) {
    __builtin_cpu_init();
    cpu.sse2 = 1;
    cpu.sse42 = !!__builtin_cpu_supports("sse4.2");
    cpu.avx = !!__builtin_cpu_supports("avx");
    cpu.avx2 = !!__builtin_cpu_supports("avx2");
}
NI long sum(const int *p, long n) {
    if (cpu.GATE)
        return sum_avx2(p, n);
    return sum_base(p, n);
}
int main(int argc, char **v) {
    fill(argc);
    init_cpu();
    printf("%ld\n", sum(data, 64));
    return 0;
}

#elif defined(GLOBAL_BITS)
#if defined(BAD)
#define GATE sse42
#else
#define GATE avx2
#endif
struct bits {
    unsigned sse2 : 1, sse41 : 1, sse42 : 1, avx : 1, avx2 : 1;
};
struct bits cpu;
NI void init_cpu(void) {
    cpu.sse2 = 1;
    cpu.sse42 = sse42_by_cpuid();
    cpu.avx2 = avx2_by_cpuid();
}
NI long sum(const int *p, long n) { return cpu.GATE ? sum_avx2(p, n) : sum_base(p, n); }
int main(int argc, char **v) {
    fill(argc);
    init_cpu();
    printf("%ld\n", sum(data, 64));
    return 0;
}

#elif defined(MEMO_BYTE)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
static signed char cached = -1;
NI static int fast(void) {
    if (cached < 0)
        cached = (signed char)GATE;
    return cached;
}
int main(int argc, char **v) {
    fill(argc);
    printf("%ld\n", fast() ? sum_avx2(data, 64) : sum_base(data, 64));
    return 0;
}

#elif defined(VOLATILE_FLAG)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
static volatile int flag;
int main(int argc, char **v) {
    fill(argc);
    flag = GATE;
    printf("%ld\n", flag ? sum_avx2(data, 64) : sum_base(data, 64));
    return 0;
}

#elif defined(NEGATIVE)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
NI long sum(const int *p, long n) {
    if (!(GATE))
        return sum_base(p, n);
    long r = 0;
    for (int k = 0; k < 2; k++)
        r += sum_avx2(p + k * 32, n / 2);
    return r;
}
int main(int argc, char **v) {
    fill(argc);
    printf("%ld\n", sum(data, 64));
    return 0;
}

#elif defined(EARLY_MAIN)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
int main(int argc, char **v) {
    if (!GATE) {
        fputs("this CPU will not do\n", stderr);
        return 3;
    }
    fill(argc);
    printf("%ld\n", sum_avx2(data, 64));
    return 0;
}

#elif defined(WORD64)
#if defined(BAD)
#define GATE 20
#else
#define GATE 37
#endif
NI uint64_t word(void) {
    unsigned a, b, c, d;
    uint64_t w = 0;
    __cpuid(1, a, b, c, d);
    w = c;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d))
        w |= (uint64_t)b << 32;
    return w;
}
static uint64_t caps;
int main(int argc, char **v) {
    fill(argc);
    caps = word();
    printf("%ld\n", caps >> GATE & 1 ? sum_avx2(data, 64) : sum_base(data, 64));
    return 0;
}

#elif defined(UNION_BITS)
#if defined(BAD)
#define GATE l1.b.sse42
#else
#define GATE l7.b.avx2
#endif
union L7 {
    struct {
        unsigned fsgs : 1, tsc : 1, sgx : 1, bmi1 : 1, hle : 1, avx2 : 1, : 2, bmi2 : 1;
    } b;
    unsigned w;
};
union L1 {
    struct {
        unsigned sse3 : 1, pcl : 1, : 7, ssse3 : 1, : 9, sse41 : 1, sse42 : 1;
    } b;
    unsigned w;
};
struct info {
    union L1 l1;
    union L7 l7;
};
NI void get(struct info *i) {
    unsigned a, b, c, d;
    __cpuid(1, a, b, c, d);
    i->l1.w = c;
    __cpuid_count(7, 0, a, b, c, d);
    i->l7.w = b;
}
int main(int argc, char **v) {
    struct info i;
    get(&i);
    fill(argc);
    printf("%ld\n", i.GATE ? sum_avx2(data, 64) : sum_base(data, 64));
    return 0;
}

#elif defined(MIN_LEVEL)
#if defined(BAD)
#define GATE 3
#else
#define GATE 1
#endif
NI int detect(void) {
    int l = 0;
    if (sse42_by_cpuid())
        l = GATE;
    if (avx2_by_cpuid())
        l = 3;
    return l;
}
NI int limit(void) {
    const char *e = getenv("MAX_LEVEL");
    return e ? atoi(e) : 3;
}
int main(int argc, char **v) {
    fill(argc);
    int l = detect(), m = limit();
    if (m < l)
        l = m;
    printf("%ld\n", l >= 3 ? sum_avx2(data, 64) : sum_base(data, 64));
    return 0;
}

#elif defined(OUT_POINTER)
#if defined(BAD)
#define GATE sse42
#else
#define GATE avx2
#endif
NI void query(int *sse42, int *avx2) {
    *sse42 = sse42_by_cpuid();
    *avx2 = avx2_by_cpuid();
}
int main(int argc, char **v) {
    int sse42, avx2;
    fill(argc);
    query(&sse42, &avx2);
    printf("%ld\n", GATE ? sum_avx2(data, 64) : sum_base(data, 64));
    return 0;
}

#elif defined(FLAGS_AND)
#if defined(BAD)
#define GATE sse42 || avx2
#else
#define GATE avx && avx2 && bmi2
#endif
static int sse42, avx, avx2, bmi2;
NI void init(void) {
    __builtin_cpu_init();
    sse42 = __builtin_cpu_supports("sse4.2");
    avx = __builtin_cpu_supports("avx");
    avx2 = __builtin_cpu_supports("avx2");
    bmi2 = __builtin_cpu_supports("bmi2");
}
int main(int argc, char **v) {
    init();
    fill(argc);
    if (GATE)
        printf("%ld\n", sum_avx2(data, 64));
    else
        printf("%ld\n", sum_base(data, 64));
    return 0;
}

#elif defined(STRUCT_RETURN)
#if defined(BAD)
#define GATE sse42
#else
#define GATE avx2
#endif
struct f {
    int sse42, avx2;
};
NI struct f get(void) {
    struct f f = {sse42_by_cpuid(), avx2_by_cpuid()};
    return f;
}
int main(int argc, char **v) {
    fill(argc);
    struct f f = get();
    printf("%ld\n", f.GATE ? sum_avx2(data, 64) : sum_base(data, 64));
    return 0;
}

#elif defined(STRING_NAME)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
NI const char *best(void) { return GATE ? "avx2" : "generic"; }
int main(int argc, char **v) {
    fill(argc);
    const char *b = best();
    printf("%ld\n", !strcmp(b, "avx2") ? sum_avx2(data, 64) : sum_base(data, 64));
    return 0;
}

#elif defined(TWO_ARGS)
#if defined(BAD)
#define GATE 2
#else
#define GATE 1
#endif
NI static long go(const int *p, long n, unsigned features, int verbose) {
    if (verbose)
        puts("go");
    if (features & 2)
        return sum_avx2(p, n);
    return sum_base(p, n);
}
NI static long mid(unsigned features, int v) { return go(data, 64, features, v) + 1; }
int main(int argc, char **v) {
    fill(argc);
    unsigned f = sse42_by_cpuid() * GATE;
    if (avx2_by_cpuid())
        f |= 2;
    printf("%ld\n", mid(f, argc > 1));
    return 0;
}

#endif
