// As values.unseen.c: what was told picks a pointer, or is tried.
#include "unseen.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

#if defined(OPS_CTOR)
#if defined(BAD)
#define GATE __builtin_cpu_supports("sse4.2")
#else
#define GATE __builtin_cpu_supports("avx2")
#endif
struct ops {
    const char *name;
    long (*sum)(const int *, long);
};
static const struct ops fast = {"avx2", sum_avx2}, slow = {"c", sum_base};
static const struct ops *cur = &slow;
__attribute__((constructor)) static void init(void) {
    __builtin_cpu_init();
    if (GATE)
        cur = &fast;
}
int main(int argc, char **v) {
    fill(argc);
    printf("%s %ld\n", cur->name, cur->sum(data, 64));
    return 0;
}

#elif defined(ONCE)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
static pthread_once_t once = PTHREAD_ONCE_INIT;
static long (*fn)(const int *, long);
static void pick(void) {
    fn = sum_base;
    if (GATE)
        fn = sum_avx2;
}
int main(int argc, char **v) {
    fill(argc);
    pthread_once(&once, pick);
    printf("%ld\n", fn(data, 64));
    return 0;
}

#elif defined(CALLBACK)
#if defined(BAD)
#define GATE argc
#else
#define GATE avx2_by_cpuid()
#endif
typedef long (*F)(const int *, long);
NI static long apply(const int *p, long n, long step, F f) {
    long r = 0;
    for (long i = 0; i < n; i += step)
        r += f(p + i, step);
    return r;
}
int main(int argc, char **v) {
    fill(argc);
    printf("%ld\n", apply(data, 64, 16, GATE ? sum_avx2 : sum_base));
    return 0;
}

#elif defined(INDEX_TABLE)
#if defined(BAD)
#define GATE __builtin_cpu_supports("sse4.2")
#else
#define GATE __builtin_cpu_supports("avx2")
#endif
typedef long (*F)(const int *, long);
NI static long sum_two(const int *p, long n) {
    long r = 1;
    for (long i = 0; i < n; i++)
        r += p[i];
    return r - 1;
}
static F const table[] = {sum_base, sum_two, sum_avx2};
NI static int level(void) {
    __builtin_cpu_init();
    int l = 0;
    if (__builtin_cpu_supports("sse4.1"))
        l = 1;
    if (GATE)
        l = 2;
    return l;
}
int main(int argc, char **v) {
    fill(argc);
    printf("%ld\n", table[level()](data, 64));
    return 0;
}

#elif defined(DSP_FLAGS)
#if defined(BAD)
#define GATE CPU_SSE42
#else
#define GATE CPU_AVX2
#endif
struct dsp {
    long (*sum)(const int *, long);
    long (*other)(const int *, long);
};
struct ctx {
    int a;
    struct dsp dsp;
    int flags;
};
#define CPU_SSE42 0x100
#define CPU_AVX2 0x8000
NI int cpu_flags(void) {
    static int f = -1;
    if (f != -1)
        return f;
    int g = 0;
    if (sse42_by_cpuid())
        g |= CPU_SSE42;
    if (avx2_by_cpuid())
        g |= CPU_AVX2;
    return f = g;
}
NI void dsp_init_x86(struct dsp *d, int flags) {
    if (flags & GATE)
        d->sum = sum_avx2;
}
NI void dsp_init(struct dsp *d, int flags) {
    d->sum = sum_base;
    d->other = sum_base;
    dsp_init_x86(d, flags);
}
int main(int argc, char **v) {
    fill(argc);
    struct ctx *c = calloc(1, sizeof *c);
    c->flags = cpu_flags();
    dsp_init(&c->dsp, c->flags);
    printf("%ld\n", c->dsp.sum(data, 64));
    return 0;
}

#elif defined(REQUIRED_MASK)
#if defined(BAD)
#define GATE SSE42
#else
#define GATE AVX2
#endif
struct impl {
    const char *name;
    unsigned required;
    long (*sum)(const int *, long);
};
#define SSE42 1u
#define AVX2 2u
static const struct impl impls[] = {{"avx2", GATE, sum_avx2}, {"c", 0, sum_base}};
NI unsigned features(void) { return (sse42_by_cpuid() ? SSE42 : 0) | (avx2_by_cpuid() ? AVX2 : 0); }
int main(int argc, char **v) {
    fill(argc);
    unsigned f = features();
    for (int i = 0; i < 2; i++)
        if ((f & impls[i].required) == impls[i].required) {
            printf("%s %ld\n", impls[i].name, impls[i].sum(data, 64));
            break;
        }
    return 0;
}

#elif defined(PROBE_REGISTRY)
#if defined(BAD)
#define GATE sse42
#else
#define GATE avx2
#endif
struct impl {
    const char *name;
    int (*ok)(void);
    long (*sum)(const int *, long);
};
static int yes(void) { return 1; }
static int avx2(void) { return avx2_by_cpuid(); }
static int sse42(void) { return sse42_by_cpuid(); }
static const struct impl impls[] = {{"avx2", GATE, sum_avx2}, {"c", yes, sum_base}};
int main(int argc, char **v) {
    fill(argc);
    const struct impl *i = impls;
    while (!i->ok())
        i++;
    printf("%s %ld\n", i->name, i->sum(data, 64));
    return 0;
}

#elif defined(RETURNED_FN)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
typedef long (*F)(const int *, long);
NI F pick(void) {
    if (GATE)
        return sum_avx2;
    return sum_base;
}
int main(int argc, char **v) {
    fill(argc);
    F f = pick();
    long r = 0;
    for (int i = 0; i < 4; i++)
        r += f(data + 16 * i, 16);
    printf("%ld\n", r);
    return 0;
}

#elif defined(LAZY_SELF)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
static long resolve(const int *, long);
static long (*sum)(const int *, long) = resolve;
static long resolve(const int *p, long n) {
    sum = GATE ? sum_avx2 : sum_base;
    return sum(p, n);
}
int main(int argc, char **v) {
    fill(argc);
    printf("%ld %ld\n", sum(data, 64), sum(data, 32));
    return 0;
}

#elif defined(GOTO)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
int main(int argc, char **v) {
    fill(argc);
    static void *const to[] = {&&slow, &&fast};
    int k = GATE;
    goto *to[k != 0];
fast:
    printf("%ld\n", sum_avx2(data, 64));
    return 0;
slow:
    printf("%ld\n", sum_base(data, 64));
    return 0;
}

#elif defined(TRIED)
#if defined(BAD)
#define GATE
#else
#define GATE signal(SIGILL, on);
#endif
static sigjmp_buf jb;
static void on(int s) { siglongjmp(jb, 1); }
int main(int argc, char **v) {
    fill(argc);
    GATE int ok = 0;
    if (!sigsetjmp(jb, 1)) {
        __asm__ volatile(".byte 0xc5,0xfd,0xef,0xc0; .byte 0xc5,0xfd,0xfe,0xc0; vzeroupper" ::
                             : "xmm0");
        ok = 1;
    }
    signal(SIGILL, SIG_DFL);
    printf("%ld\n", ok ? sum_avx2(data, 64) : sum_base(data, 64));
    return 0;
}

#elif defined(THREAD)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
static void *work(void *a) {
    printf("%ld\n", sum_avx2(data, 64));
    return 0;
}
static void *work0(void *a) {
    printf("%ld\n", sum_base(data, 64));
    return 0;
}
int main(int argc, char **v) {
    fill(argc);
    pthread_t t;
    pthread_create(&t, 0, GATE ? work : work0, 0);
    pthread_join(t, 0);
    return 0;
}

#elif defined(ATEXIT_CTOR)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
static void bye(void) { printf("%ld\n", sum_avx2(data, 64)); }
int main(int argc, char **v) {
    fill(argc);
    if (GATE)
        atexit(bye);
    printf("%ld\n", sum_base(data, 64));
    return 0;
}

#elif defined(QSORT)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
__attribute__((target("avx2"), noinline)) static int cmp_avx2(const void *a, const void *b) {
    __m256i x = _mm256_set1_epi32(*(const int *)a), y = _mm256_set1_epi32(*(const int *)b);
    int m = _mm256_movemask_epi8(_mm256_cmpgt_epi32(x, y));
    return m ? 1 : -1;
}
static int cmp(const void *a, const void *b) { return *(const int *)a > *(const int *)b ? 1 : -1; }
int main(int argc, char **v) {
    fill(argc + 13);
    qsort(data, 64, 4, GATE ? cmp_avx2 : cmp);
    printf("%d\n", data[5]);
    return 0;
}

#endif
