// As codecs, compressors and crypto libraries do it: flags that are asked once, and looked at
// in many places.
#include "third.h"

static uint64_t xcr0(void) {
    uint32_t low, high;
    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

#if defined NESTED_MASK // a codec: questions in each other, a mask that users may set
enum { SSSE3 = 1, SSE41 = 2, AVX2 = 4, AVX512 = 8 };
struct leaf { uint32_t a, b, c, d; };
struct dsp { kernel *blend, *sad; };
static unsigned found, allowed = ~0u;
void allow_only(unsigned mask) { allowed = mask; }
NI static void ask(struct leaf *out, uint32_t of) { __cpuid_count(of, 0, out->a, out->b, out->c, out->d); }
NI static unsigned look(void) {
    struct leaf it;
    unsigned flags = 0;
    ask(&it, 0);
    uint32_t most = it.a;
    if (most >= 1) {
        ask(&it, 1);
        if (it.c & 1 << 9) flags |= SSSE3;
        if (it.c & 1 << 19) flags |= SSE41;
        if (it.c & 1 << 27) {
            uint64_t xcr = xcr0();
            if ((xcr & 6) == 6 && most >= 7) {
                ask(&it, 7);
                if ((it.b & 0x128) == 0x128) flags |= AVX2;
                if ((xcr & 0xe0) == 0xe0 && (it.b & 0xd0030000) == 0xd0030000) flags |= AVX512;
            }
        }
    }
    return flags;
}
NI static void init(struct dsp *dsp) {
    unsigned flags = found & allowed;
    dsp->blend = dsp->sad = plain;
    if (!(flags & SSSE3)) return;
#ifdef BAD
    if (!(flags & SSE41)) return;
#else
    if (!(flags & AVX2)) return;
#endif
    dsp->blend = with_avx2;
    dsp->sad = with_avx2_max;
}
int main(int n, char **v) {
    struct dsp dsp;
    fill(n);
    found = look();
    init(&dsp);
    sink = dsp.blend(cells, 64) + dsp.sad(cells, 32);
}

#elif defined BYTES // an array library: a byte a feature, a function that looks one up
enum { NONE, SSE3, SSSE3, POPCNT, SSE42, AVX, F16C, FMA3, AVX2, MOST };
static unsigned char have[MOST];
NI int cpu_have(int feature) { return feature > NONE && feature < MOST ? have[feature] : 0; }
NI static void init(void) {
    int reg[4];
    memset(have, 0, sizeof have);
    __cpuid(1, reg[0], reg[1], reg[2], reg[3]);
    have[SSE3] = reg[2] & 1;
    have[SSSE3] = (reg[2] & 1 << 9) != 0;
    have[POPCNT] = (reg[2] & 1 << 23) != 0;
    have[SSE42] = (reg[2] & 1 << 20) != 0;
    if (!(reg[2] & 1 << 27) || (xcr0() & 6) != 6)
        return;
    have[AVX] = (reg[2] & 1 << 28) != 0;
    if (!have[AVX])
        return;
    have[F16C] = (reg[2] & 1 << 29) != 0;
    have[FMA3] = (reg[2] & 1 << 12) != 0;
    __cpuid_count(7, 0, reg[0], reg[1], reg[2], reg[3]);
    have[AVX2] = (reg[1] & 1 << 5) != 0;
}
int main(int n, char **v) {
    fill(n);
    init();
#ifdef BAD // one less
    int asked = AVX2 - 1;
#else
    int asked = AVX2;
#endif
    sink = cpu_have(asked) ? with_avx2(cells, 48) : plain(cells, 48);
}

#elif defined CAPABILITY_WORDS // a crypto library: words of CPUID, bits tested where they are used
uint32_t capability[4] __attribute__((visibility("hidden")));
__attribute__((constructor)) static void setup(void) {
    uint32_t a, b, c, d, most;
    __cpuid(0, most, b, c, d);
    __cpuid(1, a, b, c, d);
    int os = c >> 27 & 1 && (xcr0() & 6) == 6;
    if (!os)
        c &= ~(1u << 28 | 1u << 12 | 1u << 11);
    capability[0] = d;
    capability[1] = c;
    if (most >= 7) {
        __cpuid_count(7, 0, a, b, c, d);
        if (!os)
            b &= ~(1u << 5);
        capability[2] = b;
        capability[3] = c;
    }
}
NI static long digest(const int32_t *at, int count) {
#ifdef BAD // the right bit of the wrong word
    if (capability[1] & 1 << 5 | capability[1] & 1 << 28)
#else
    if ((capability[2] & (1 << 5 | 1 << 8)) == (1 << 5 | 1 << 8))
#endif
        return with_avx2(at, count) ^ with_bmi2(at, count);
    return plain(at, count);
}
int main(int n, char **v) {
    fill(n);
    sink = digest(cells, 90);
}

#elif defined FROM_ENVIRONMENT // words that users may change: taking away, or all of them
static uint64_t words;
static void load(void) {
    uint32_t a, b = 0, c, d;
    __cpuid(1, a, b, c, d);
    uint32_t first = c;
    b = 0;
    if (first >> 27 & 1 && (xcr0() & 6) == 6)
        __cpuid_count(7, 0, a, b, c, d);
    words = (uint64_t)b << 32 | first;
    const char *said = getenv("THIRD_CAPABILITIES");
#ifdef BAD
    words = strtoull(said ? said : "0x2000000000", 0, 0);
#else
    if (said && *said == '~')
        words &= ~strtoull(said + 1, 0, 0);
#endif
}
int main(int n, char **v) {
    fill(n);
    load();
    if (words >> 37 & 1)
        sink = with_avx2_max(cells, 40);
    else
        sink = plain(cells, 40);
}

#elif defined RTCD // a codec's pointers by name, set up once under a lock
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#ifdef BAD // they are what they will be on new CPUs, until the setup, which comes later
static kernel *variance = with_avx2;
#else
static kernel *variance;
#endif
static kernel *subtract;
static void setup_rtcd(void) {
    int flags = 0;
    uint32_t a, b, c, d;
    __cpuid(1, a, b, c, d);
    if ((c & (1 << 27 | 1 << 28)) == (1 << 27 | 1 << 28) && (xcr0() & 6) == 6) {
        flags |= 0x40;
        __cpuid_count(7, 0, a, b, c, d);
        if (b & 32) flags |= 0x80;
    }
    variance = plain;
    if (flags & 0x80) variance = with_avx2;
    subtract = plain;
    if (flags & 0x40) subtract = with_avx;
}
static void once(void (*what)(void)) {
    static int done;
    pthread_mutex_lock(&lock);
    if (!done) {
        what();
        done = 1;
    }
    pthread_mutex_unlock(&lock);
}
int main(int n, char **v) {
    fill(n);
#ifdef BAD
    sink = variance(cells, 64);
#endif
    once(setup_rtcd);
    sink = variance(cells, 64) + subtract(cells, 64);
}

#elif defined CONTEXT_FLAG // a compressor: one flag in a context, given on as an argument
struct cpu { uint32_t one_c, one_d, seven_b; };
struct context { char name[12]; int bmi2; const int32_t *from; };
static struct cpu ask(void) {
    struct cpu it = {0};
    uint32_t a, b, c, d;
    __cpuid(0, a, b, c, d);
    uint32_t most = a;
    if (most >= 1) {
        __cpuid(1, a, b, it.one_c, it.one_d);
    }
    if (most >= 7) {
        __cpuid_count(7, 0, a, it.seven_b, c, d);
    }
    return it;
}
static int has_bmi1(struct cpu it) { return (it.seven_b & 1u << 3) != 0; }
static int has_bmi2(struct cpu it) { return (it.seven_b & 1u << 8) != 0; }
NI static struct context *create(void) {
    struct context *out = calloc(1, sizeof *out);
    out->from = cells;
#ifdef BAD
    out->bmi2 = has_bmi1(ask());
#else
    out->bmi2 = has_bmi1(ask()) && has_bmi2(ask());
#endif
    return out;
}
NI static long literals(struct context *context, int count, int bmi2) {
    if (bmi2)
        return with_bmi2(context->from, count);
    return plain(context->from, count);
}
NI static long block(struct context *context) { return literals(context, 30, context->bmi2); }
int main(int n, char **v) {
    fill(n);
    struct context *context = create();
    sink = block(context);
    free(context);
}

#elif defined LAZY_BIT // a compressor: features with a bit that says that they were asked
#define KNOWN 1u
#define HAS_AVX2 4u
#define HAS_BMI2 8u
static volatile uint32_t features;
static void query(uint32_t leaf, uint32_t sub, uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d) {
    __asm__ volatile("cpuid" : "=a"(*a), "=b"(*b), "=c"(*c), "=d"(*d) : "a"(leaf), "c"(sub));
}
NI static void find(void) {
    uint32_t a, b, c, d, most, out = 0;
    query(0, 0, &most, &b, &c, &d);
    if (most >= 1) {
        query(1, 0, &a, &b, &c, &d);
        int ymm = c >> 27 & 1 && (xcr0() & 6) == 6;
        if (most >= 7) {
            query(7, 0, &a, &b, &c, &d);
            if (b & 1 << 5 && ymm) out |= HAS_AVX2;
            if (b & 1 << 8) out |= HAS_BMI2;
        }
    }
    features = out | KNOWN;
}
static inline uint32_t get(void) {
    if (features == 0) find();
    return features;
}
static kernel *arch_select(void) {
    const uint32_t it = get();
#ifdef BAD // what was asked is not zero
    if (it)
#else
    if (it & HAS_AVX2)
#endif
        return with_avx2;
    return NULL;
}
static long dispatch(const int32_t *, int);
static kernel *volatile chosen = dispatch;
NI static long dispatch(const int32_t *at, int count) {
    kernel *it = arch_select();
    if (it == NULL) it = plain;
    chosen = it;
    return it(at, count);
}
int main(int n, char **v) {
    fill(n);
    sink = chosen(cells, 24);
    sink = chosen(cells, 48);
}

#elif defined ATOMIC_FLAGS // a codec: flags that are -1 until somebody asks
#include <stdatomic.h>
static atomic_int cached = -1;
#define AVX 0x4000
#define AVX2 0x8000
#define AVX_SLOW 0x8000000
NI static int flags_of_cpu(void) {
    int out = 0;
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
    int model = (a >> 4 & 15) + (a >> 12 & 0xf0);
    if ((c & 0x18000000) == 0x18000000 && (xcr0() & 6) == 6) {
        out |= AVX;
        if (__get_cpuid_count(7, 0, &a, &b, &c, &d) && b & 0x20) out |= AVX2;
        if (model == 2) out |= AVX_SLOW;
    }
    return out;
}
int get_flags(void) {
    int it = atomic_load_explicit(&cached, memory_order_relaxed);
    if (it == -1) {
        it = flags_of_cpu();
        atomic_store_explicit(&cached, it, memory_order_relaxed);
    }
    return it;
}
#define FAST(flags, what) ((flags) & what && !((flags) & AVX_SLOW))
NI static void init(kernel **table) {
    int flags = get_flags();
    table[0] = table[1] = plain;
    if (FAST(flags, AVX)) table[1] = with_avx;
#ifdef BAD
    if (FAST(flags, AVX)) table[0] = with_avx2;
#else
    if (FAST(flags, AVX2)) table[0] = with_avx2;
#endif
}
int main(int n, char **v) {
    kernel *table[2];
    fill(n);
    init(table);
    for (int i = 0; i < 2; i++) sink = table[i](cells, 64);
}

#elif defined NAMED_LEVELS // an encoder: names with masks, cumulative
#define L_SSE42 (1u << 2)
#define L_AVX (1u << 3 | L_SSE42)
#define L_AVX2 (1u << 4 | L_AVX)
static const struct { char name[8]; uint32_t flags; } names[] = {{"SSE4.2", L_SSE42}, {"AVX", L_AVX}, {"AVX2", L_AVX2}, {"", 0}};
static struct { kernel *sad[3], *dct; } primitives;
static uint32_t detect(void) {
    uint32_t a, b, c, d, out = 0;
    __cpuid(1, a, b, c, d);
    if (c >> 20 & 1) out |= L_SSE42;
    if ((c >> 27 & 3) == 3 && (xcr0() & 6) == 6) {
        out |= L_AVX;
        __cpuid_count(7, 0, a, b, c, d);
        if (b >> 5 & 1) out |= L_AVX2;
    }
    return out;
}
NI static void setup(uint32_t mask) {
    for (int i = 0; i < 3; i++) primitives.sad[i] = plain;
    primitives.dct = plain;
    if (mask & 1u << 3) primitives.sad[1] = with_avx;
#ifdef BAD // any of the bits of the level
    if (mask & L_AVX2) primitives.sad[2] = with_avx2;
#else
    if ((mask & L_AVX2) == L_AVX2) primitives.sad[2] = with_avx2;
#endif
}
int main(int n, char **v) {
    fill(n);
    uint32_t mask = detect();
    for (int i = 0; names[i].flags; i++)
        if ((mask & names[i].flags) == names[i].flags) fprintf(stderr, " %s", names[i].name);
    setup(mask);
    for (int i = 0; i < 3; i++) sink = primitives.sad[i](cells, 64);
    sink = primitives.dct(cells, 9);
}

#elif defined TEST_FLAG // an image library: a test of one flag, a local pointer in each function
static int info;
enum { INITIALIZED = 1, SSSE3 = 0x40, HAS_AVX = 0x200, HAS_AVX2 = 0x400 };
NI static int set_up(void) {
    int out = INITIALIZED;
    uint32_t a, b, c, d, b7;
    __cpuid(1, a, b, c, d);
    __cpuid_count(7, 0, a, b7, a, a);
    out |= c & 1 << 9 ? SSSE3 : 0;
    if ((c & 0x18000000) == 0x18000000 && (xcr0() & 6) == 6)
        out |= HAS_AVX | (b7 & 0x20 ? HAS_AVX2 : 0);
    info = out;
    return out;
}
static inline int test(int flag) {
    int it = info;
    return (it ? it : set_up()) & flag;
}
NI static long row(const int32_t *at, int width) {
    kernel *it = plain;
    if (test(SSSE3)) it = plain;
    if (test(HAS_AVX)) {
        it = with_avx;
#ifdef BAD // meant for rows of whole vectors, and put a brace too early
    }
    if (width % 8 == 0) it = with_avx2;
#else
    }
    if (test(HAS_AVX2)) {
        it = plain;
        if (width % 8 == 0) it = with_avx2;
    }
#endif
    long all = 0;
    for (int y = 0; y < 2; y++) all += it(at + y * width, width);
    return all;
}
int main(int n, char **v) {
    fill(n);
    sink = row(cells, 40 + 8 * (n & 1));
}

#elif defined LIBRARY_ASKED // glibc answers
#include <sys/platform/x86.h>
int main(int n, char **v) {
    fill(n);
#ifdef BAD
    if (CPU_FEATURE_ACTIVE(AVX))
#else
    if (CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(BMI2))
#endif
        sink = with_avx2(cells, 32) - with_bmi2(cells, 32);
    else
        sink = plain(cells, 32);
}

#elif defined USABLE // two arrays by leaf, as C libraries have: what is there, what may be used
enum { LEAF_1, LEAF_7, LEAVES };
struct cpu_features { struct { uint32_t cpuid[4], usable[4]; } leaf[LEAVES]; };
static struct cpu_features it;
NI const struct cpu_features *features_of_cpu(void) { return &it; }
NI static void init(struct cpu_features *out) {
    __cpuid(1, out->leaf[LEAF_1].cpuid[0], out->leaf[LEAF_1].cpuid[1], out->leaf[LEAF_1].cpuid[2], out->leaf[LEAF_1].cpuid[3]);
    __cpuid_count(7, 0, out->leaf[LEAF_7].cpuid[0], out->leaf[LEAF_7].cpuid[1], out->leaf[LEAF_7].cpuid[2], out->leaf[LEAF_7].cpuid[3]);
    if (out->leaf[LEAF_1].cpuid[2] & 1u << 27 && (xcr0() & 6) == 6) {
        out->leaf[LEAF_1].usable[2] |= out->leaf[LEAF_1].cpuid[2] & (1u << 28 | 1u << 12);
        out->leaf[LEAF_7].usable[1] |= out->leaf[LEAF_7].cpuid[1] & 1u << 5;
    }
}
#define USABLE_IN(where, reg, bit) (features_of_cpu()->leaf[where].usable[reg] >> (bit) & 1)
int main(int n, char **v) {
    fill(n);
    init(&it);
#ifdef BAD
    kernel *best = USABLE_IN(LEAF_1, 2, 28) ? with_avx2 : plain;
#else
    kernel *best = USABLE_IN(LEAF_7, 1, 5) ? with_avx2 : plain;
#endif
    sink = best(cells, 80);
}

#elif defined NO_SYSTEM // the CPU is asked, the system is not
int main(int n, char **v) {
    uint32_t a, b, c, d;
    fill(n);
    __cpuid(1, a, b, c, d);
    uint32_t one = c;
    __cpuid_count(7, 0, a, b, c, d);
#ifdef BAD
    sink = one >> 28 & 1 ? with_avx2(cells, 16) : plain(cells, 16);
#else
    sink = b >> 5 & 1 ? with_avx2(cells, 16) : plain(cells, 16);
#endif
}
#endif
