// Interpreters, pools of threads and packets.
#include "seventh.h"
#include <pthread.h>

#ifdef SCRIPT_LIBRARY
// A small interpreter: libraries are arrays of names and functions, which scripts call by name.
typedef struct State State;
typedef int (*CFunction)(State *);
typedef struct {
    const char *name;
    CFunction func;
} Reg;
typedef struct {
    char name[16];
    CFunction func;
} Entry;
struct State {
    double stack[16];
    int top;
    Entry *globals;
    size_t used, room;
    char error[64];
};
static void push(State *L, double v) { L->stack[L->top++] = v; }
static double pop(State *L) { return L->stack[--L->top]; }
static void setglobal(State *L, const char *name, CFunction f) {
    for (size_t i = 0; i < L->used; i++)
        if (!strcmp(L->globals[i].name, name)) {
            L->globals[i].func = f;
            return;
        }
    if (L->used == L->room) {
        L->room = L->room ? 2 * L->room : 4;
        L->globals = realloc(L->globals, L->room * sizeof *L->globals);
        if (!L->globals)
            abort();
    }
    snprintf(L->globals[L->used].name, sizeof L->globals->name, "%s", name);
    L->globals[L->used++].func = f;
}
static void setfuncs(State *L, const Reg *l) {
    for (; l->name != NULL; l++)
        setglobal(L, l->name, l->func);
}
static int b_add(State *L) { return push(L, pop(L) + pop(L)), 1; }
static int b_norm(State *L) { return push(L, dist_plain(left, right, (size_t)pop(L))), 1; }
static int b_sum(State *L) { return push(L, sad_plain(bytes, other, (size_t)pop(L))), 1; }
static int b_half(State *L) { return push(L, widen_plain(bytes, (size_t)pop(L) & ~(size_t)7)), 1; }
static int v_norm(State *L) { return push(L, dist_fma(left, right, (size_t)pop(L))), 1; }
static int v_half(State *L) { return push(L, widen_f16c(bytes, (size_t)pop(L) & ~(size_t)7)), 1; }
static int w_sum(State *L) { return push(L, sad_avx2(bytes, other, (size_t)pop(L))), 1; }
static const Reg baselib[] = {{"add", b_add}, {"norm", b_norm}, {"sum", b_sum}, {"half", b_half}, {NULL, NULL}};
static const Reg fmalib[] = {
    {"norm", v_norm},
    {"half", v_half},
#ifdef BAD
    {"sum", w_sum},
#endif
    {NULL, NULL},
};
static const Reg avx2lib[] = {{"sum", w_sum}, {NULL, NULL}};
static int open_base(State *L) { return setfuncs(L, baselib), 1; }
static int open_fma(State *L) {
    unsigned a, b, c, d;
    if (!__builtin_cpu_supports("fma") || !__builtin_cpu_supports("avx"))
        return 0;
    // Not all compilers know this one by name.
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_F16C))
        return 0;
    setfuncs(L, fmalib);
    return 1;
}
static int open_avx2(State *L) {
    if (!__builtin_cpu_supports("avx2"))
        return 0;
    setfuncs(L, avx2lib);
    return 1;
}
static const struct {
    const char *name;
    CFunction open;
} loadedlibs[] = {{"_G", open_base}, {"fma", open_fma}, {"avx2", open_avx2}};
static State *newstate(void) {
    State *L = calloc(1, sizeof *L);
    if (!L)
        return NULL;
    __builtin_cpu_init();
    for (size_t i = 0; i < COUNT_OF(loadedlibs); i++)
        if (!loadedlibs[i].open(L))
            fprintf(stderr, "library %s left out\n", loadedlibs[i].name);
    return L;
}
KEEP static int dostring(State *L, const char *script) {
    char *copy = strdup(script), *save = NULL;
    int status = 0;
    if (!copy)
        return -1;
    for (char *word = strtok_r(copy, " ", &save); word && !status; word = strtok_r(NULL, " ", &save)) {
        char *end;
        double number = strtod(word, &end);
        if (!*end) {
            push(L, number);
            continue;
        }
        status = -1;
        for (size_t i = 0; i < L->used; i++)
            if (!strcmp(L->globals[i].name, word)) {
                L->globals[i].func(L);
                status = 0;
                break;
            }
        if (status)
            snprintf(L->error, sizeof L->error, "attempt to call a nil value (global '%s')", word);
    }
    free(copy);
    return status;
}
int main(int argc, char **argv) {
    make_data(1);
    State *L = newstate();
    if (!L)
        return 3;
    const char *script = argc > 1 ? argv[1] : "256 norm 512 sum add 64 half add";
    if (dostring(L, script) != 0) {
        fprintf(stderr, "script: %s\n", L->error);
        return 3;
    }
    printf("%.14g\n", pop(L));
    free(L->globals);
    free(L);
}
#endif

#ifdef JOB_POOL
// A pool of threads that takes jobs from a queue; jobs carry the kernel that was chosen for them.
typedef struct job {
    struct job *next;
    uint32_t (*run)(uint32_t, const uint8_t *, size_t);
    const uint8_t *data;
    size_t len;
    uint32_t *result;
} job;
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t more, done;
    job *head, **tail;
    unsigned busy;
    bool stopping;
    pthread_t threads[3];
} pool;
static void *worker(void *arg) {
    pool *p = arg;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (!p->head && !p->stopping)
            pthread_cond_wait(&p->more, &p->lock);
        job *j = p->head;
        if (!j)
            break;
        if (!(p->head = j->next))
            p->tail = &p->head;
        p->busy++;
        pthread_mutex_unlock(&p->lock);
        *j->result = j->run(1, j->data, j->len);
        free(j);
        pthread_mutex_lock(&p->lock);
        if (!--p->busy && !p->head)
            pthread_cond_signal(&p->done);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}
static int pool_submit(pool *p, adler_t *run, const uint8_t *data, size_t len, uint32_t *result) {
    job *j = malloc(sizeof *j);
    if (!j)
        return -ENOMEM;
    *j = (job){NULL, run, data, len, result};
    pthread_mutex_lock(&p->lock);
    *p->tail = j;
    p->tail = &j->next;
    pthread_cond_signal(&p->more);
    pthread_mutex_unlock(&p->lock);
    return 0;
}
static adler_t *pick_kernel(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") ? adler_avx2 : adler_plain;
}
KEEP static int checksum_file(pool *p, const uint8_t *data, size_t len, uint32_t *parts, size_t *n) {
    adler_t *kernel = pick_kernel();
    const size_t chunk = 500;
    int r = 0;
    for (*n = 0; len >= chunk && !r; len -= chunk, data += chunk)
        r = pool_submit(p, kernel, data, chunk, parts + (*n)++);
    if (len && !r)
#ifdef BAD
        r = pool_submit(p, len >= 32 ? adler_avx2 : adler_plain, data, len, parts + (*n)++);
#else
        r = pool_submit(p, len >= 32 ? kernel : adler_plain, data, len, parts + (*n)++);
#endif
    return r;
}
int main(int argc, char **argv) {
    make_data((unsigned)argc);
    static pool p = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
    p.tail = &p.head;
    for (size_t i = 0; i < COUNT_OF(p.threads); i++)
        if (pthread_create(p.threads + i, NULL, worker, &p)) {
            perror("pthread_create");
            return 3;
        }
    uint32_t parts[8];
    size_t n;
    int r = checksum_file(&p, bytes, sizeof bytes, parts, &n);
    pthread_mutex_lock(&p.lock);
    while (p.head || p.busy)
        pthread_cond_wait(&p.done, &p.lock);
    p.stopping = true;
    pthread_cond_broadcast(&p.more);
    pthread_mutex_unlock(&p.lock);
    for (size_t i = 0; i < COUNT_OF(p.threads); i++)
        pthread_join(p.threads[i], NULL);
    for (size_t i = 0; i < n; i++)
        printf("part %zu: %08x\n", i, parts[i]);
    return r ? 3 : 0;
}
#endif

#ifdef FLAG_TABLE
// A table says for each flag where it is found; each question asks the CPU anew.
enum cpu_flag_t { CPUFLAG_SSE4_2, CPUFLAG_AES, CPUFLAG_OSXSAVE, CPUFLAG_AVX, CPUFLAG_BMI2, CPUFLAG_AVX2, CPUFLAG_NUMFLAGS };
enum cpu_register_t { REG_EAX = 0, REG_EBX, REG_ECX, REG_EDX };
typedef uint32_t cpuid_registers_t[4];
struct feature_entry {
    uint32_t leaf, subleaf, reg, bit;
    const char *name;
};
#define FEAT_DEF(name, leaf, subleaf, reg, bit) [CPUFLAG_##name] = {leaf, subleaf, reg, bit, #name},
static const struct feature_entry cpu_feature_table[] = {
    FEAT_DEF(SSE4_2, 0x00000001, 0, REG_ECX, 20)
    FEAT_DEF(AES, 0x00000001, 0, REG_ECX, 25)
    FEAT_DEF(OSXSAVE, 0x00000001, 0, REG_ECX, 27)
    FEAT_DEF(AVX, 0x00000001, 0, REG_ECX, 28)
    FEAT_DEF(BMI2, 0x00000007, 0, REG_EBX, 8)
#ifdef BAD
    FEAT_DEF(AVX2, 0x00000001, 0, REG_ECX, 28)
#else
    FEAT_DEF(AVX2, 0x00000007, 0, REG_EBX, 5)
#endif
};
KEEP static int cpu_get_flag_enabled(enum cpu_flag_t feature) {
    const struct feature_entry *feat;
    cpuid_registers_t regs;
    unsigned int maxleaf;
    if (feature >= CPUFLAG_NUMFLAGS)
        return -ENOENT;
    feat = &cpu_feature_table[feature];
    if (!feat->leaf)
        return -EFAULT;
    maxleaf = __get_cpuid_max(feat->leaf & 0x80000000, NULL);
    if (maxleaf < feat->leaf)
        return 0;
    __cpuid_count(feat->leaf, feat->subleaf, regs[REG_EAX], regs[REG_EBX], regs[REG_ECX], regs[REG_EDX]);
    return (regs[feat->reg] >> feat->bit) & 1;
}
static uint16_t max_simd_bitwidth = 512;
static int simd256_usable(void) {
    return max_simd_bitwidth >= 256 && cpu_get_flag_enabled(CPUFLAG_OSXSAVE) == 1 && (read_xcr(0) & 6) == 6;
}
enum lookup_type { LOOKUP_DEFAULT, LOOKUP_SCALAR, LOOKUP_AVX2 };
struct table {
    char name[32];
    find_t *lookup;
    crc_t *hash;
};
static find_t *get_lookup_fn(enum lookup_type type) {
    switch (type) {
    case LOOKUP_SCALAR:
        return find_plain;
    case LOOKUP_AVX2:
        return cpu_get_flag_enabled(CPUFLAG_AVX2) > 0 && simd256_usable() ? find_avx2 : NULL;
    default:
        break;
    }
    if (cpu_get_flag_enabled(CPUFLAG_AVX2) > 0 && simd256_usable())
        return find_avx2;
    return find_plain;
}
static struct table *table_create(const char *name, enum lookup_type type) {
    struct table *t = calloc(1, sizeof *t);
    if (t == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    snprintf(t->name, sizeof t->name, "%s", name);
    t->lookup = get_lookup_fn(type);
    if (t->lookup == NULL) {
        free(t);
        errno = ENOTSUP;
        return NULL;
    }
    return t;
}
int main(int argc, char **argv) {
    make_data(1);
    enum lookup_type type = LOOKUP_DEFAULT;
    for (int i = 1; i < argc; i++) {
        if (!strncmp(argv[i], "--force-max-simd-bitwidth=", 26))
            max_simd_bitwidth = (uint16_t)atoi(argv[i] + 26);
        else if (!strcmp(argv[i], "--scalar"))
            type = LOOKUP_SCALAR;
    }
    for (int f = 0; f < CPUFLAG_NUMFLAGS; f++)
        if (cpu_get_flag_enabled(f) < 0)
            fprintf(stderr, "EAL: no flag %s\n", cpu_feature_table[f].name);
    struct table *t = table_create("fib", type);
    if (!t) {
        fprintf(stderr, "cannot create table: %s\n", strerror(errno));
        return 3;
    }
    unsigned long long hops = 0;
    for (int ip = 0; ip < 64; ip++)
        hops = hops * 5 + t->lookup(bytes + ip * 16, 1024, (uint8_t)ip);
    printf("%s: %llu\n", t->name, hops);
    free(t);
}
#endif
