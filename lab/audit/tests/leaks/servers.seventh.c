// Servers, data bases and interpreters.
#include "seventh.h"
#include <pthread.h>

#ifdef CHOOSE_ON_FIRST_CALL
// Pointers begin at functions that choose, and replace themselves.
static uint64_t pg_popcount_choose(const char *buf, int bytes);
static uint64_t pg_popcount_masked_choose(const char *buf, int bytes, uint8_t mask);
uint64_t (*pg_popcount_optimized)(const char *buf, int bytes) = pg_popcount_choose;
uint64_t (*pg_popcount_masked_optimized)(const char *buf, int bytes, uint8_t mask) = pg_popcount_masked_choose;
static inline bool xsave_available(void) {
    unsigned int exx[4] = {0, 0, 0, 0};
    __get_cpuid(1, &exx[0], &exx[1], &exx[2], &exx[3]);
    return (exx[2] & (1 << 27)) != 0;
}
static inline bool ymm_regs_available(void) { return (read_xcr(0) & 0x6) == 0x6; }
static inline bool zmm_regs_available(void) { return (read_xcr(0) & 0xe6) == 0xe6; }
static inline bool avx2_available(void) {
    unsigned int exx[4] = {0, 0, 0, 0};
    __get_cpuid_count(7, 0, &exx[0], &exx[1], &exx[2], &exx[3]);
    return (exx[1] & (1 << 5)) != 0;
}
static inline bool avx512_popcnt_available(void) {
    unsigned int exx[4] = {0, 0, 0, 0};
    __get_cpuid_count(7, 0, &exx[0], &exx[1], &exx[2], &exx[3]);
    return (exx[2] & (1 << 14)) != 0 && (exx[1] & (1 << 16)) != 0;
}
static bool pg_popcount_avx512_available(void) { return xsave_available() && zmm_regs_available() && avx512_popcnt_available(); }
static bool pg_popcount_avx2_available(void) {
#ifdef BAD
    return xsave_available() && (ymm_regs_available() || avx2_available());
#else
    return xsave_available() && ymm_regs_available() && avx2_available();
#endif
}
static uint64_t pg_popcount_slow(const char *buf, int n) { return bits_plain((const uint64_t *)buf, (size_t)n / 8); }
static uint64_t pg_popcount_avx2(const char *buf, int n) { return bits_avx2((const uint64_t *)buf, (size_t)n / 8); }
static uint64_t pg_popcount_avx512(const char *buf, int n) { return bits_avx512((const uint64_t *)buf, (size_t)n / 8); }
static uint64_t pg_popcount_masked_slow(const char *buf, int n, uint8_t mask) {
    uint64_t all = 0;
    for (int i = 0; i < n; i++)
        all += (uint64_t)__builtin_popcount((uint8_t)buf[i] & mask);
    return all;
}
static uint64_t pg_popcount_masked_avx2(const char *buf, int n, uint8_t mask) {
    return n % 32 || mask != 0xff ? pg_popcount_masked_slow(buf, n, mask) : pg_popcount_avx2(buf, n);
}
KEEP static void choose_popcount_functions(void) {
    pg_popcount_optimized = pg_popcount_slow;
    pg_popcount_masked_optimized = pg_popcount_masked_slow;
    if (pg_popcount_avx2_available()) {
        pg_popcount_optimized = pg_popcount_avx2;
        pg_popcount_masked_optimized = pg_popcount_masked_avx2;
    }
    if (pg_popcount_avx512_available())
        pg_popcount_optimized = pg_popcount_avx512;
}
static uint64_t pg_popcount_choose(const char *buf, int n) {
    choose_popcount_functions();
    return pg_popcount_optimized(buf, n);
}
static uint64_t pg_popcount_masked_choose(const char *buf, int n, uint8_t mask) {
    choose_popcount_functions();
    return pg_popcount_masked_optimized(buf, n, mask);
}
static inline uint64_t pg_popcount(const char *buf, int n) {
    const int threshold = 8;
    if (n < threshold) {
        uint64_t popcnt = 0;
        while (n--)
            popcnt += (uint64_t)__builtin_popcount((unsigned char)*buf++);
        return popcnt;
    }
    return pg_popcount_optimized(buf, n);
}
struct relation {
    char name[16];
    int pages;
    uint8_t *visibility;
};
int main(int argc, char **argv) {
    make_data((unsigned)argc);
    struct relation rels[] = {{"pg_class", 40, bytes}, {"pg_proc", 256, bytes + 512}, {"pg_toast", 4, bytes + 1024}};
    for (size_t i = 0; i < COUNT_OF(rels); i++) {
        uint64_t all_visible = pg_popcount_masked_optimized((const char *)rels[i].visibility, rels[i].pages * 2, 0x55);
        uint64_t set = pg_popcount((const char *)rels[i].visibility, rels[i].pages);
        printf("%-10s %llu %llu\n", rels[i].name, (unsigned long long)all_visible, (unsigned long long)set);
    }
}
#endif

#ifdef SERVER_COMMANDS
// A server with commands by name; what the CPU can is found once at its start.
#define OK 0
#define ERR -1
struct client;
typedef void command_proc(struct client *c);
struct command {
    const char *name;
    command_proc *proc;
    int arity;
    unsigned long long calls;
};
struct server {
    char *pidfile;
    int simd;
    int has_avx2;
    int has_popcnt;
    unsigned long long dirty;
    struct command *commands;
    size_t n_commands;
} server;
struct client {
    int argc;
    const char *argv[4];
    char reply[64];
};
struct object {
    const char *key;
    const uint8_t *data;
    size_t len;
} db[] = {{"short", bytes, 48}, {"long", bytes, 1024}, {"other", other, 512}};
static struct object *lookup_key(const char *key) {
    for (size_t i = 0; i < COUNT_OF(db); i++)
        if (!strcmp(db[i].key, key))
            return db + i;
    return NULL;
}
KEEP static long long redis_popcount(const uint8_t *s, size_t count) {
    if (server.has_avx2 && count >= 128)
        return (long long)bits_avx2((const uint64_t *)s, count / 8);
    return (long long)bits_plain((const uint64_t *)s, count / 8);
}
static void bitcount_command(struct client *c) {
    struct object *o = lookup_key(c->argv[1]);
    if (!o)
        snprintf(c->reply, sizeof c->reply, ":0");
    else
        snprintf(c->reply, sizeof c->reply, ":%lld", redis_popcount(o->data, o->len));
}
static void bitpos_command(struct client *c) {
    struct object *o = lookup_key(c->argv[1]);
    if (!o) {
        snprintf(c->reply, sizeof c->reply, ":-1");
        return;
    }
    size_t at;
#ifdef BAD
    if (o->len >= 256)
        at = find_avx2(o->data, o->len, 0xff);
    else if (server.has_avx2)
        at = find_avx2(o->data, o->len, 0xff);
#else
    if (server.has_avx2 && o->len >= 32)
        at = find_avx2(o->data, o->len, 0xff);
#endif
    else
        at = find_plain(o->data, o->len, 0xff);
    snprintf(c->reply, sizeof c->reply, ":%zu", at);
}
static void ping_command(struct client *c) { snprintf(c->reply, sizeof c->reply, "+PONG"); }
static void vsim_command(struct client *c) {
    snprintf(c->reply, sizeof c->reply, ",%g", server.has_avx2 ? dist_avx(left, right, 256) : dist_plain(left, right, 256));
}
static struct command command_table[] = {{"ping", ping_command, 1, 0}, {"bitcount", bitcount_command, 2, 0}, {"bitpos", bitpos_command, 2, 0}, {"vsim", vsim_command, 3, 0}};
static int load_config(const char *config) {
    char line[64];
    while (*config) {
        size_t n = strcspn(config, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, config);
        config += n + (config[n] == '\n');
        char *value = strchr(line, ' ');
        if (!value)
            continue;
        *value++ = 0;
        if (!strcmp(line, "pidfile"))
            server.pidfile = strdup(value);
        else if (!strcmp(line, "simd")) {
            if (strcmp(value, "yes") && strcmp(value, "no"))
                return ERR;
            server.simd = !strcmp(value, "yes");
        }
    }
    return OK;
}
static void init_server(void) {
    server.commands = command_table;
    server.n_commands = COUNT_OF(command_table);
    if (server.simd) {
        __builtin_cpu_init();
        server.has_avx2 = __builtin_cpu_supports("avx2") != 0;
        server.has_popcnt = __builtin_cpu_supports("popcnt") != 0;
    }
}
static int process_command(struct client *c) {
    for (size_t i = 0; i < server.n_commands; i++) {
        struct command *cmd = server.commands + i;
        if (strcasecmp(cmd->name, c->argv[0]))
            continue;
        if (cmd->arity != c->argc) {
            snprintf(c->reply, sizeof c->reply, "-ERR wrong number of arguments for '%s' command", cmd->name);
            return ERR;
        }
        cmd->calls++;
        cmd->proc(c);
        return OK;
    }
    snprintf(c->reply, sizeof c->reply, "-ERR unknown command '%s'", c->argv[0]);
    return ERR;
}
int main(int argc, char **argv) {
    make_data(1);
    if (load_config(argc > 1 ? argv[1] : "pidfile /run/server.pid\nsimd yes\n") != OK) {
        fprintf(stderr, "*** FATAL CONFIG FILE ERROR ***\n");
        return 3;
    }
    init_server();
    struct client todo[] = {{1, {"PING"}}, {2, {"bitcount", "long"}}, {2, {"BITCOUNT", "short"}}, {2, {"bitpos", "other"}}, {2, {"bitpos", "short"}}, {1, {"bitpos"}}, {3, {"vsim", "a", "b"}}, {1, {"quit"}}};
    for (size_t i = 0; i < COUNT_OF(todo); i++) {
        process_command(todo + i);
        puts(todo[i].reply);
    }
    free(server.pidfile);
}
#endif

#ifdef MATCHERS
// Matchers register in a table; which is the default depends on whether the platform will do.
enum { MPM_NOTSET, MPM_AC, MPM_HS, MPM_TABLE_SIZE };
typedef struct {
    const uint8_t *data;
    size_t len;
} packet;
typedef struct {
    const char *name;
    uint32_t (*search)(const packet *, uint8_t pattern);
    int (*prepare)(void);
} mpm_entry;
mpm_entry mpm_table[MPM_TABLE_SIZE];
static int mpm_default = MPM_NOTSET;
#define HS_SUCCESS 0
#define HS_ARCH_ERROR (-11)
KEEP static int hs_valid_platform(void) {
    unsigned a, b, c, d;
#ifdef BAD
    if (!__get_cpuid(1, &a, &b, &c, &d) || (read_xcr(0) & 6) != 6 || !(c & bit_AVX))
#else
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || (read_xcr(0) & 6) != 6)
#endif
        return HS_ARCH_ERROR;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_AVX2))
        return HS_ARCH_ERROR;
    return HS_SUCCESS;
}
static uint32_t ac_search(const packet *p, uint8_t pattern) {
    uint32_t matches = 0;
    for (size_t at = 0; (at += find_plain(p->data + at, p->len - at, pattern)) < p->len; at++)
        matches++;
    return matches;
}
static uint32_t hs_search(const packet *p, uint8_t pattern) {
    uint32_t matches = 0;
    for (size_t at = 0; (at += find_avx2(p->data + at, p->len - at, pattern)) < p->len; at++)
        matches++;
    return matches;
}
static int nothing_to_prepare(void) { return 0; }
static void mpm_ac_register(void) { mpm_table[MPM_AC] = (mpm_entry){"ac", ac_search, nothing_to_prepare}; }
static void mpm_hs_register(void) { mpm_table[MPM_HS] = (mpm_entry){"hs", hs_search, nothing_to_prepare}; }
static void mpm_table_setup(void) {
    memset(mpm_table, 0, sizeof mpm_table);
    mpm_default = MPM_AC;
    mpm_ac_register();
    if (hs_valid_platform() == HS_SUCCESS) {
        mpm_default = MPM_HS;
        mpm_hs_register();
    } else
        fprintf(stderr, "matcher hs is not there on this platform\n");
}
static int pattern_matcher_default(const char *conf) {
    if (!conf || !strcmp(conf, "auto"))
        return mpm_default;
    for (int u = 1; u < MPM_TABLE_SIZE; u++)
        if (mpm_table[u].name && !strcmp(mpm_table[u].name, conf))
            return u;
    return MPM_NOTSET;
}
typedef struct {
    uint8_t pattern;
    uint32_t id, hits;
} signature;
int main(int argc, char **argv) {
    make_data(1);
    mpm_table_setup();
    int matcher = pattern_matcher_default(argc > 1 ? argv[1] : "auto");
    if (matcher == MPM_NOTSET || mpm_table[matcher].prepare() < 0) {
        fprintf(stderr, "Invalid mpm algo supplied in the yaml conf file: \"%s\"\n", argv[1]);
        return 3;
    }
    signature signatures[] = {{0x00, 2001, 0}, {0x41, 2002, 0}, {0x90, 2003, 0}};
    for (size_t i = 0; i < 8; i++) {
        packet p = {bytes + i * 256, 256 - i};
        for (size_t s = 0; s < COUNT_OF(signatures); s++)
            signatures[s].hits += mpm_table[matcher].search(&p, signatures[s].pattern);
    }
    for (size_t s = 0; s < COUNT_OF(signatures); s++)
        printf("[1:%u] %u\n", signatures[s].id, signatures[s].hits);
}
#endif

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
