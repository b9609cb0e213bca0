// Databases, servers and parsers.
#include "sixth.h"
#include <ctype.h>
#include <pthread.h>

#ifdef SELF_REPLACED
// The first call of a function finds a better one and puts it in its place.
static size_t find_newlines_first(const uint8_t *, size_t, uint8_t);
static count_fn *find_newlines = find_newlines_first;
static int probe_cpu(void) {
    unsigned a, b, c, d, has;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return 0;
    has = c & (bit_OSXSAVE | bit_AVX | bit_POPCNT);
    if (has != (bit_OSXSAVE | bit_AVX | bit_POPCNT) || (xcr0() & 6) != 6)
        return 0;
#ifdef BAD
    return 1;
#else
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_AVX2 ? 1 : 0;
#endif
}
NI static size_t find_newlines_first(const uint8_t *p, size_t n, uint8_t c) {
    count_fn *better = probe_cpu() ? count_avx2 : count_c;
    __atomic_store_n(&find_newlines, better, __ATOMIC_RELEASE);
    return better(p, n, c);
}
static inline size_t lines_of(const uint8_t *p, size_t n) { return __atomic_load_n(&find_newlines, __ATOMIC_ACQUIRE)(p, n, '\n'); }
int main(int argc, char **argv) {
    fill(argc);
    size_t lines = 0;
    for (size_t at = 0; at + 100 <= sizeof text; at += 100)
        lines += lines_of(text + at, 100);
    printf("%zu lines\n", lines);
}
#endif

#ifdef ANY_BIT
// What the hardware supports as bits, kept in an atomic; a mask has several bits.
enum { SUPPORTS_AVX2 = 1, SUPPORTS_AVX512 = 2, UNINITIALIZED = 32768 };
enum { CPUID_AVX = 1 << 28, CPUID_OSXSAVE = 1 << 27, EBX_BMI1 = 1 << 3, EBX_AVX2 = 1 << 5, EBX_BMI2 = 1 << 8 };
static uint32_t dynamic_detect_supported(void) {
    uint32_t a, b, c, d, host = 0;
    __cpuid_count(1, 0, a, b, c, d);
    if (!(c & CPUID_OSXSAVE) || !(c & CPUID_AVX))
        return host;
    if (!(xcr0() & 4))
        return host;
    __cpuid_count(7, 0, a, b, c, d);
#ifdef BAD
    if (b & (EBX_AVX2 | EBX_BMI1))
#else
    if ((b & (EBX_AVX2 | EBX_BMI1)) == (EBX_AVX2 | EBX_BMI1))
#endif
        host |= SUPPORTS_AVX2;
    return host;
}
static uint32_t hardware_support(void) {
    static uint32_t buffer = UNINITIALIZED;
    uint32_t out = __atomic_load_n(&buffer, __ATOMIC_RELAXED);
    if (out == UNINITIALIZED) {
        out = dynamic_detect_supported();
        __atomic_store_n(&buffer, out, __ATOMIC_RELAXED);
    }
    return out;
}
struct container {
    uint64_t *words;
    int n;
};
static unsigned andnot_cardinality(const struct container *a, const struct container *b) {
    if (hardware_support() & SUPPORTS_AVX2)
        return rest_bmi(a->words, b->words, a->n);
    return rest_c(a->words, b->words, a->n);
}
static uint64_t array_sum(const uint8_t *p, size_t n) {
    const uint32_t support = hardware_support();
    if (support & SUPPORTS_AVX512)
        return sum_avx512(p, n);
    else if (support & SUPPORTS_AVX2)
        return sum_avx2(p, n);
    else
        return sum_c(p, n);
}
int main(int argc, char **argv) {
    fill(argc);
    struct container a = {words, 32}, b = {words + 32, 32};
    printf("%u %llu\n", andnot_cardinality(&a, &b), (unsigned long long)array_sum(text, 512));
}
#endif

#ifdef COLUMNS
// Objects on the heap, each with a table of functions that its maker chose.
struct column;
struct column_vtable {
    const char *(*type)(void);
    uint64_t (*aggregate)(const struct column *);
    void (*destroy)(struct column *);
};
struct column {
    const struct column_vtable *vtable;
    size_t rows;
    uint8_t *data;
};
static const char *type_u8(void) { return "UInt8"; }
static void destroy(struct column *c) {
    free(c->data);
    free(c);
}
static uint64_t aggregate_plain(const struct column *c) { return sum_c(c->data, c->rows); }
static uint64_t aggregate_avx2(const struct column *c) { return sum_avx2(c->data, c->rows); }
static uint64_t aggregate_avx512(const struct column *c) { return sum_avx512(c->data, c->rows); }
static const struct column_vtable vtables[] = {
    {type_u8, aggregate_plain, destroy},
    {type_u8, aggregate_avx2, destroy},
    {type_u8, aggregate_avx512, destroy},
};
enum arch { ARCH_DEFAULT, ARCH_AVX2, ARCH_AVX512BW };
static bool is_arch_supported(enum arch arch) {
    switch (arch) {
    case ARCH_DEFAULT: return true;
    case ARCH_AVX2: return __builtin_cpu_supports("avx2");
    case ARCH_AVX512BW: return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512f");
    }
    return false;
}
NI static struct column *column_new(size_t rows) {
    struct column *c = malloc(sizeof *c);
    enum arch best = ARCH_DEFAULT;
#ifdef BAD
    for (enum arch arch = ARCH_DEFAULT; is_arch_supported(arch) && arch < ARCH_AVX512BW; arch++)
        best = arch + 1;
#else
    for (enum arch arch = ARCH_DEFAULT; arch <= ARCH_AVX512BW && is_arch_supported(arch); arch++)
        best = arch;
#endif
    c->vtable = &vtables[best];
    c->rows = rows;
    c->data = malloc(rows);
    memcpy(c->data, text, rows);
    return c;
}
int main(int argc, char **argv) {
    fill(argc);
    struct column *table[3];
    for (int i = 0; i < 3; i++)
        table[i] = column_new(100 * (size_t)(i + 1));
    for (int i = 0; i < 3; i++) {
        printf("%s %llu\n", table[i]->vtable->type(), (unsigned long long)table[i]->vtable->aggregate(table[i]));
        table[i]->vtable->destroy(table[i]);
    }
}
#endif

#ifdef CONFIGURED
// A text of settings; what it says is never above what the CPU has.
enum simd { SIMD_NONE, SIMD_SSE, SIMD_AVX, SIMD_AVX2, SIMD_AUTO };
static const char *const simd_names[] = {"none", "sse", "avx", "avx2", "auto"};
struct config {
    int workers;
    enum simd simd;
    char log[32];
};
static enum simd simd_limit(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX) || (xcr0() & 6) != 6)
        return SIMD_SSE;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX2) ? SIMD_AVX2 : SIMD_AVX;
}
static bool set(struct config *config, const char *key, const char *value) {
    if (!strcmp(key, "workers"))
        return (config->workers = atoi(value)) > 0;
    if (!strcmp(key, "log"))
        return snprintf(config->log, sizeof config->log, "%s", value) > 0;
    if (!strcmp(key, "simd"))
        for (unsigned i = 0; i < LENGTH(simd_names); i++)
            if (!strcmp(value, simd_names[i])) {
                config->simd = (enum simd)i;
                return true;
            }
    return false;
}
NI static bool parse(struct config *config, const char *from) {
    char key[16], value[32];
    int used;
    while (sscanf(from, " %15[a-z] = %31[a-z0-9/.] ;%n", key, value, &used) == 2) {
        if (!set(config, key, value))
            return false;
        from += used;
    }
    enum simd limit = simd_limit();
#ifdef BAD
    if (config->simd == SIMD_AUTO)
        config->simd = SIMD_AVX2;
#else
    if (config->simd > limit)
        config->simd = limit;
#endif
    return limit >= SIMD_SSE;
}
int main(int argc, char **argv) {
    struct config config = {1, SIMD_AUTO, ""};
    fill(argc);
    if (!parse(&config, argc > 1 ? argv[1] : "workers = 4; simd = auto; log = /dev/null;"))
        return 3;
    float result;
    switch (config.simd) {
    case SIMD_AVX2: result = dot_fma(xs, ys, 64) + (float)count_avx2(text, 640, 3); break;
    case SIMD_AVX: result = dot_avx(xs, ys, 64) + (float)count_c(text, 640, 3); break;
    case SIMD_SSE: result = dot_sse(xs, ys, 64) + (float)count_c(text, 640, 3); break;
    default: result = dot_c(xs, ys, 64) + (float)count_c(text, 640, 3);
    }
    printf("%d workers: %g [%s]\n", config.workers, result, simd_names[config.simd]);
}
#endif

#ifdef WORKERS
// Threads take jobs from a queue; which function a job has was decided before they started.
struct job {
    sum_fn *run;
    const uint8_t *at;
    size_t n;
    uint64_t result;
};
struct pool {
    pthread_mutex_t lock;
    struct job jobs[16];
    int next, count;
};
static void *worker(void *arg) {
    struct pool *pool = arg;
    for (;;) {
        pthread_mutex_lock(&pool->lock);
        int mine = pool->next < pool->count ? pool->next++ : -1;
        pthread_mutex_unlock(&pool->lock);
        if (mine < 0)
            return NULL;
        struct job *job = &pool->jobs[mine];
        job->result = job->run(job->at, job->n);
    }
}
NI static bool wide_cpu(void) {
    unsigned a, b, c, d;
    if (__get_cpuid_max(0, NULL) < 7)
        return false;
    __cpuid(1, a, b, c, d);
    if ((c >> 27 & 3) != 3 || (xcr0() & 6) != 6)
        return false;
    __cpuid_count(7, 0, a, b, c, d);
    return b >> 5 & 1;
}
int main(int argc, char **argv) {
    static struct pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t threads[3];
    fill(argc);
    bool wide = wide_cpu();
    for (int i = 0; i < 16; i++)
#ifdef BAD
        // Long jobs were meant to be added where the CPU is good for them.
        pool.jobs[pool.count++] = (struct job){wide || i % 8 == 7 ? sum_avx2 : sum_c, text + i, 100, 0};
#else
        pool.jobs[pool.count++] = (struct job){wide && i % 8 ? sum_avx2 : sum_c, text + i, 100, 0};
#endif
    for (int i = 0; i < 3; i++)
        if (pthread_create(&threads[i], NULL, worker, &pool))
            return 3;
    uint64_t all = 0;
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 16; i++)
        all += pool.jobs[i].result;
    printf("%llu\n", (unsigned long long)all);
}
#endif
