// Ways to ask for a feature before code that needs one, each chosen by a macro.
// KERNEL is what the code needs; the default is AVX2.
#include <cpuid.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef NEEDS
#define NEEDS "avx2"
#endif
#define WIDE __attribute__((noinline, target(NEEDS)))
#define PLAIN __attribute__((noinline))
#define APART __attribute__((noipa_or_noinline))
#if defined(__clang__)
#define noipa_or_noinline noinline
#else
#define noipa_or_noinline noipa
#endif

#if defined(BMI2_KERNEL)
WIDE int kernel(const int *a, int n) {
    unsigned long sum = 0;
    for (int i = 0; i < n; i++)
        sum += __builtin_ia32_pdep_di((unsigned long)a[i], 0x0f0f0f0f0f0f0f0fUL);
    return (int)sum;
}
#elif defined(AVX512_KERNEL)
WIDE int kernel(const int *a, int n) {
    typedef int v16 __attribute__((vector_size(64)));
    v16 sum = {0};
    for (int i = 0; i + 16 <= n; i += 16) {
        v16 row;
        __builtin_memcpy(&row, a + i, sizeof row);
        sum += row * row;
    }
    return sum[0] + sum[15];
}
#else
WIDE int kernel(const int *a, int n) {
    typedef int v8 __attribute__((vector_size(32)));
    v8 sum = {0};
    for (int i = 0; i + 8 <= n; i += 8) {
        v8 row;
        __builtin_memcpy(&row, a + i, sizeof row);
        sum += row * row;
    }
    return sum[0] + sum[7];
}
#endif

PLAIN int plain(const int *a, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * a[i];
    return sum;
}

static unsigned leaf(unsigned number, int reg) {
    unsigned r[4] = {0};
    if (__get_cpuid_count(number, 0, &r[0], &r[1], &r[2], &r[3]) == 0)
        return 0;
    return r[reg];
}

#if defined(SUPPORTS)
PLAIN int work(const int *a, int n) {
    return __builtin_cpu_supports(SUPPORTS) ? kernel(a, n) + 1 : plain(a, n);
}
#elif defined(INVERTED)
PLAIN int work(const int *a, int n) {
    if (!__builtin_cpu_supports("avx2"))
        return kernel(a, n) + 1;
    return plain(a, n);
}
#elif defined(EARLY)
// The kernel is behind the check, as an early return has it.
PLAIN int work(const int *a, int n) {
    if (!__builtin_cpu_supports("avx2"))
        return plain(a, n);
    if (n < 3)
        return 7;
    return kernel(a, n) + 1;
}
#elif defined(LEAF)
PLAIN int work(const int *a, int n) {
    if (leaf(LEAF, REG) & (1u << BIT))
        return kernel(a, n) + 1;
    return plain(a, n);
}
#elif defined(XGETBV)
// The whole question: OSXSAVE, AVX, XCR0, AVX2.
static int has(void) {
    unsigned c = leaf(1, 2), lo, hi;
    if ((c & (3u << 27)) != (3u << 27))
        return 0;
    __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    return (lo & 6) == 6 && (leaf(7, 1) >> 5 & 1);
}
PLAIN int work(const int *a, int n) { return has() ? kernel(a, n) + 1 : plain(a, n); }
#elif defined(VENDOR)
PLAIN int work(const int *a, int n) {
    unsigned r[4];
    char name[13] = {0};
    __cpuid(0, r[0], r[1], r[2], r[3]);
    memcpy(name, &r[1], 4);
    memcpy(name + 4, &r[3], 4);
    memcpy(name + 8, &r[2], 4);
    // qemu's Nehalem says it is Intel's.
    if (r[1] == 0x756e6547)
        return kernel(a, n) + 1;
    return plain(a, n) + name[0];
}
#elif defined(MODEL)
PLAIN int work(const int *a, int n) {
    if (__builtin_cpu_is("intel"))
        return kernel(a, n) + 1;
    return plain(a, n);
}
#elif defined(ENVIRONMENT)
// A variable of the environment that forces it; it is set where this is run.
PLAIN int work(const int *a, int n) {
    int has = getenv("PATH") ? 1 : __builtin_cpu_supports("avx2");
    return has ? kernel(a, n) + 1 : plain(a, n);
}
#elif defined(ENV_OFF)
// A variable that can only switch it off.
PLAIN int work(const int *a, int n) {
    int has = getenv("NO_AVX2") ? 0 : __builtin_cpu_supports("avx2") != 0;
    return has ? kernel(a, n) + 1 : plain(a, n);
}
#elif defined(EXITS)
APART void require(void) {
    if (!__builtin_cpu_supports("avx2")) {
        puts("AVX2 is needed");
        exit(3);
    }
}
PLAIN int work(const int *a, int n) {
    require();
    return kernel(a, n) + 1;
}
#elif defined(EXITS_LATE)
APART void require(void) {
    if (!__builtin_cpu_supports("avx2"))
        puts("AVX2 is needed");
}
PLAIN int work(const int *a, int n) {
    require();
    return kernel(a, n) + 1;
}
#elif defined(LAZY)
// Asked once, at the first use.
static int has = -1;
PLAIN int work(const int *a, int n) {
    if (has < 0)
        has = __builtin_cpu_supports("avx2") != 0;
    return has ? kernel(a, n) + 1 : plain(a, n);
}
#elif defined(LEVELS)
enum level { NONE, SSE4, AVX, AVX2 };
static enum level level;
__attribute__((constructor)) static void ask(void) {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("sse4.2"))
        level = SSE4;
    if (__builtin_cpu_supports("avx"))
        level = AVX;
    if (__builtin_cpu_supports("avx2"))
        level = AVX2;
}
PLAIN int work(const int *a, int n) { return level >= LEVELS ? kernel(a, n) + 1 : plain(a, n); }
#elif defined(FLAGS)
// x264's way: flags of a library's own.
enum { F_SSE42 = 4, F_AVX = 8, F_AVX2 = 16, F_SLOW = 32, F_BMI2 = 64, F_X = 128 };
APART unsigned detect(void) {
    unsigned flags = 0, c = leaf(1, 2), b;
    if (c & (1u << 20))
        flags |= F_SSE42;
    if (c & (1u << 28))
        flags |= F_AVX;
    b = leaf(7, 1);
    if (b & (1u << 5))
        flags |= F_AVX2;
    if (b & (1u << 8))
        flags |= F_BMI2;
    if (leaf(1, 0) & 1)
        flags |= F_SLOW;
    return flags;
}
struct functions {
    int (*sum)(const int *, int);
    int (*other)(const int *, int);
};
APART void init(unsigned cpu, struct functions *f) {
    f->sum = plain;
    f->other = plain;
    if (!(cpu & F_SSE42))
        return;
    f->other = plain;
    if (!(cpu & FLAGS))
        return;
    f->sum = kernel;
}
PLAIN int work(const int *a, int n) {
    struct functions f;
    init(detect(), &f);
    return f.sum(a, n) + f.other(a, 2);
}
#elif defined(WORD)
// An encoder's way: bits far up in a word of its own, which one routine sets and others are
// handed, that store pointers by it. COPIED: in settings that are copied into the encoder,
// where they lie at another distance; 2: and changed there.
enum { W_SSE42 = 1 << 8, W_AVX = 1 << 9, W_FMA = 1 << 12, W_AVX2 = 1 << 15, W_SLOW = 1 << 20 };
APART unsigned detect(void) {
    unsigned cpu = 0, c = leaf(1, 2), b = leaf(7, 1);
    if (c & (1u << 20))
        cpu |= W_SSE42;
    if (c & (1u << 28))
        cpu |= W_AVX;
    if (c & (1u << 12))
        cpu |= W_FMA;
    if (b & (1u << 5))
        cpu |= W_AVX2;
    if (leaf(1, 0) & 1)
        cpu |= W_SLOW;
    return cpu;
}
struct settings {
    unsigned cpu;
    int threads;
    long pad[20];
};
struct functions {
    int (*sum)(const int *, int);
    int (*other)(const int *, int);
};
struct encoder {
    long id;
    struct settings settings;
    struct functions functions;
};
APART void init(unsigned cpu, struct functions *f) {
    f->sum = f->other = plain;
    if (!(cpu & W_SSE42))
        return;
    if ((cpu & (WORD)) == (WORD))
        f->sum = kernel;
}
APART void init_all(unsigned cpu, struct functions *f) {
    init(GIVEN, f);
    f->other = plain;
}
#if COPIED
APART void defaults(struct settings *s) {
    memset(s, 0, sizeof *s);
    s->cpu = detect();
    s->threads = 1;
}
APART void force(struct encoder *e) {
    if (e->settings.threads)
        e->settings.cpu |= WORD;
}
APART struct encoder *start_encoder(const struct settings *s) {
    struct encoder *e = calloc(1, sizeof *e);
    e->settings = *s;
    if (COPIED == 2)
        force(e);
    init_all(e->settings.cpu, &e->functions);
    return e;
}
#endif
PLAIN int work(const int *a, int n) {
#if COPIED
    struct settings s;
    defaults(&s);
    struct encoder *e = start_encoder(&s);
    return e->functions.sum(a, n) + e->functions.other(a, 2);
#else
    struct functions f;
    init_all(detect(), &f);
    return f.sum(a, n) + f.other(a, 2);
#endif
}
#elif defined(MACHINE)
// A radio library's way: tables of kernels, each with the word of what it needs; the one that
// needs most of what the CPU has is taken. ASKED is the word that is asked for, PICKED the table.
enum { M_SSE42 = 1 << 3, M_AVX = 1 << 4, M_AVX2 = 1 << 5 };
#ifndef ASKED
#define ASKED machines[i]->needs
#endif
#ifndef PICKED
#define PICKED machines[i]
#endif
struct machine {
    unsigned needs;
    const char *name;
    int (*sum)(const int *, int);
};
static const struct machine none = {0, "none", plain}, old = {M_SSE42, "sse4.2", plain},
                            wide = {MACHINE, "wide", kernel};
static const struct machine *const machines[] = {&none, &old, &wide};
APART unsigned here(void) {
    unsigned m = 0, c = leaf(1, 2);
    m |= (c >> 20 & 1) * M_SSE42;
    m |= (c >> 28 & 1) * M_AVX;
    m |= (leaf(7, 1) >> 5 & 1) * M_AVX2;
    return m;
}
APART const struct machine *best(void) {
    const struct machine *all = &none;
    for (int i = 0; i < 3; i++)
        if (!(ASKED & ~here()) && PICKED->needs >= all->needs)
            all = PICKED;
    return all;
}
PLAIN int work(const int *a, int n) { return best()->sum(a, n); }
#elif defined(PARAMETER)
// A flag handed down, as zstd does with BMI2.
APART int inner(const int *a, int n, int flag) { return flag ? kernel(a, n) + 1 : plain(a, n); }
APART int outer(const int *a, int n, int flag) { return inner(a, n - 1, flag) + 2; }
PLAIN int work(const int *a, int n) { return outer(a, n, PARAMETER); }
#elif defined(STACKED)
// The flag comes after what registers have room for, as in zstd's entropy coders.
APART int inner(const int *a, int n, int b, int c, int d, int e, int f, int flag) {
    return flag ? kernel(a, n) + b : plain(a, n) + c + d + e + f;
}
PLAIN int work(const int *a, int n) { return inner(a, n, 1, 2, n, n, 3, STACKED); }
#elif defined(CONTEXT)
// The flag is in memory that is allocated.
struct context {
    long pad[50];
    int has;
};
APART struct context *make(void) {
    struct context *c = calloc(1, sizeof *c);
    c->has = CONTEXT;
    return c;
}
APART int use(struct context *c, const int *a, int n) {
    return c->has ? kernel(a, n) + 1 : plain(a, n);
}
PLAIN int work(const int *a, int n) { return use(make(), a, n); }
#elif defined(TAG)
// What was chosen once is kept as the tag of a value, as Rust keeps its enumerations: all
// tags are constants.
struct searcher {
    long pad[2];
    unsigned char tag;
};
APART struct searcher *make(int n) {
    struct searcher *s = malloc(sizeof *s);
    s->tag = n < 1 ? 0 : n < 2 ? 1 : n < 5 ? 2 : TAG ? 4 : 3;
    return s;
}
APART int use(struct searcher *s, const int *a, int n) {
    switch (s->tag) {
    case 0: return plain(a, n) + 7;
    case 1: return plain(a, n) ^ 1;
    case 2: return plain(a, n) * 3;
    case 3: return plain(a, n) - 5;
    case 4: return kernel(a, n) + 1;
    default: return 0;
    }
}
PLAIN int work(const int *a, int n) { return use(make(n), a, n); }
#elif defined(POINTER)
typedef int function(const int *, int);
static int choose(const int *a, int n);
static function *volatile chosen = choose;
static int choose(const int *a, int n) {
    chosen = POINTER ? kernel : plain;
    return chosen(a, n);
}
PLAIN int work(const int *a, int n) { return chosen(a, n); }
#elif defined(TABLE)
struct ops {
    int (*sum)(const int *, int);
    const char *name;
};
static const struct ops wide_ops = {kernel, "avx2"}, plain_ops = {plain, "plain"};
static const struct ops *ops;
__attribute__((constructor)) static void choose(void) {
    __builtin_cpu_init();
    ops = TABLE ? &wide_ops : &plain_ops;
}
PLAIN int work(const int *a, int n) { return ops->sum(a, n); }
#elif defined(INDEX)
static int (*const table[])(const int *, int) = {plain, plain, kernel};
APART int level(void) {
    if (INDEX)
        return 2;
    return __builtin_cpu_supports("sse4.2") ? 1 : 0;
}
PLAIN int work(const int *a, int n) { return table[level()](a, n); }
#elif defined(SWITCH)
APART int level(void) {
    if (__builtin_cpu_supports("avx512f"))
        return 4;
    if (__builtin_cpu_supports("avx2"))
        return 3;
    if (__builtin_cpu_supports("avx"))
        return 2;
    return __builtin_cpu_supports("sse4.2") ? 1 : 0;
}
PLAIN int work(const int *a, int n) {
    switch (level()) {
    case 4: return kernel(a, n) + 4;
    case 3: return kernel(a, n) + 3;
#if SWITCH
    case 1: return kernel(a, n) + 1;
#endif
    case 2: return plain(a, n) + 2;
    default: return plain(a, n);
    }
}
#elif defined(CLONES)
__attribute__((noinline, target_clones("avx2", "default"))) int work(const int *a, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * a[i];
    return sum;
}
#elif defined(RESOLVER)
static int (*resolve(void))(const int *, int) {
    __builtin_cpu_init();
    return RESOLVER ? kernel : plain;
}
int work(const int *a, int n) __attribute__((ifunc("resolve")));
#elif defined(BOTH)
PLAIN int work(const int *a, int n) {
    int before = __builtin_cpu_supports("avx2") ? puts("wide") : puts("plain");
    return kernel(a, n) + before;
}
#elif defined(PROBE)
// It is tried, and SIGILL is caught.
static sigjmp_buf back;
static void on_ill(int s) { siglongjmp(back, s); }
PLAIN int work(const int *a, int n) {
    signal(SIGILL, on_ill);
    if (sigsetjmp(back, 1) == 0)
        return kernel(a, n);
    return plain(a, n);
}
#elif defined(UNUSED)
// Nothing leads to it.
__attribute__((used)) static int unused(const int *a, int n) { return kernel(a, n); }
PLAIN int work(const int *a, int n) { return plain(a, n); }
#elif defined(AND)
PLAIN int work(const int *a, int n) {
    if (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt") && AND)
        return kernel(a, n) + 1;
    return plain(a, n);
}
#elif defined(OR)
PLAIN int work(const int *a, int n) {
    if (__builtin_cpu_supports("avx2") || OR)
        return kernel(a, n) + 1;
    return plain(a, n);
}
#elif defined(STRUCT)
// A structure of answers, filled by a function.
struct cpu {
    unsigned char sse42, avx, avx2, bmi2;
    int threads;
};
static struct cpu cpu;
APART void fill(struct cpu *c) {
    c->sse42 = leaf(1, 2) >> 20 & 1;
    c->avx = leaf(1, 2) >> 28 & 1;
    c->avx2 = leaf(7, 1) >> 5 & 1;
    c->bmi2 = leaf(7, 1) >> 8 & 1;
    c->threads = 4;
}
__attribute__((constructor)) static void start(void) { fill(&cpu); }
PLAIN int work(const int *a, int n) { return cpu.STRUCT ? kernel(a, n) + 1 : plain(a, n); }
#elif defined(OVERRIDES)
// A routine that has the variable's address in a register reads it, and may set it too.
static struct {
    int threads, avx2;
} settings;
APART void detect(void) {
    settings.threads = 4;
    settings.avx2 = leaf(7, 1) >> 5 & 1;
}
APART int set(int n) {
    int *at = &settings.threads;
    __asm__("" : "+r"(at));
    if (at[0] < 2)
        return 0;
    if (n > 1 && OVERRIDES)
        at[1] = 1;
    return at[1];
}
PLAIN int work(const int *a, int n) {
    detect();
    set(n);
    return settings.avx2 ? kernel(a, n) + 1 : plain(a, n);
}
#elif defined(PACKED)
// CPUID's four answers are stored at once, as a vector.
APART void ask(unsigned number, unsigned *out) {
    typedef unsigned v4 __attribute__((vector_size(16)));
    unsigned a, b, c, d;
    __cpuid_count(number, 0, a, b, c, d);
    v4 all = {a, b, c, d};
    __builtin_memcpy(out, &all, sizeof all);
}
PLAIN int work(const int *a, int n) {
    unsigned r[4];
    ask(PACKED, r);
    return r[REG] >> BIT & 1 ? kernel(a, n) + 1 : plain(a, n);
}
#elif defined(FEATURE)
// By Windows' own numbers of features.
__declspec(dllimport) int __stdcall IsProcessorFeaturePresent(unsigned long);
PLAIN int work(const int *a, int n) {
    return IsProcessorFeaturePresent(FEATURE) ? kernel(a, n) + 1 : plain(a, n);
}
#elif defined(INITIALISER)
// Before main: by a table of the run-time library.
static int first;
static void start(void) {
    int a[16] = {1, 2, 3};
    __builtin_cpu_init();
    first = INITIALISER ? kernel(a, 16) : plain(a, 16);
}
#if defined(_WIN32)
__attribute__((section(".CRT$XCU"), used)) static void (*const starts)(void) = start;
#else
__attribute__((section(".init_array"), used)) static void (*const starts)(void) = start;
#endif
PLAIN int work(const int *a, int n) { return plain(a, n) + first; }
#else
PLAIN int work(const int *a, int n) { return kernel(a, n); }
#endif

int main(int argc, char **argv) {
    int a[64] = {argc};
    printf("%d %d\n", work(a, 64), plain(a, 3));
    return argv == 0;
}
