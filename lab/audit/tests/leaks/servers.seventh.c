// Servers and data bases.
#include "seventh.h"

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
