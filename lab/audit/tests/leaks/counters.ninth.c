// A server of data structures: commands in a table, a configuration that can turn vectors off, and
// a probabilistic counter whose merge asks the compiler's CPU model before it goes wide.
#include "ninth.h"
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define REGISTERS 1024
typedef struct client client;
typedef struct {
    const char *name;
    int arity;
    void (*proc)(client *);
} command;
struct client {
    int argc;
    const char **argv;
    char reply[256];
    const command *cmd;
};
static struct {
    uint8_t registers[4][REGISTERS];
    uint64_t calls;
} db;
static int simd_enabled = 1;
#ifdef BAD
// Either will do, was thought.
#define USE_AVX2 (simd_enabled || __builtin_cpu_supports("avx2"))
#else
#define USE_AVX2 (simd_enabled && __builtin_cpu_supports("avx2"))
#endif
#define ATTRIBUTE_TARGET_AVX2 __attribute__((target("avx2")))

static uint64_t murmur(const char *s, uint64_t seed) {
    uint64_t h = seed ^ 0x9ae16a3b2f90404fULL;
    for (; *s; s++)
        h = (h ^ (uint8_t)*s) * 0xc6a4a7935bd1e995ULL, h ^= h >> 47;
    return h;
}
static int key_of(const char *name) { return name[0] >= 'a' && name[0] <= 'd' && !name[1] ? name[0] - 'a' : -1; }

ATTRIBUTE_TARGET_AVX2 static void merge_dense_avx2(uint8_t *max, const uint8_t *other) {
    for (int i = 0; i < REGISTERS; i += 32) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(max + i));
        __m256i b = _mm256_loadu_si256((const __m256i *)(other + i));
        _mm256_storeu_si256((__m256i *)(max + i), _mm256_max_epu8(a, b));
    }
}
static void merge_dense(uint8_t *max, const uint8_t *other) {
    if (USE_AVX2) {
        merge_dense_avx2(max, other);
        return;
    }
    for (int i = 0; i < REGISTERS; i++)
        if (other[i] > max[i])
            max[i] = other[i];
}
static uint64_t estimate(const uint8_t *registers) {
    uint64_t sum = 0, zeros = 0;
    for (int i = 0; i < REGISTERS; i++)
        sum += 1ull << (40 - registers[i]), zeros += !registers[i];
    return zeros > REGISTERS / 2 ? REGISTERS - zeros : (uint64_t)(0.72 * REGISTERS * REGISTERS * (double)(1ull << 40) / (double)sum);
}

static void add_reply(client *c, const char *text) { snprintf(c->reply, sizeof c->reply, "%s", text); }
static void pfadd_command(client *c) {
    int key = key_of(c->argv[1]);
    if (key < 0) {
        add_reply(c, "-ERR no such key");
        return;
    }
    int changed = 0;
    for (int i = 2; i < c->argc; i++) {
        uint64_t h = murmur(c->argv[i], 7);
        uint8_t run = (uint8_t)(__builtin_ctzll(h >> 10 | 1ull << 38) + 1), *r = &db.registers[key][h & (REGISTERS - 1)];
        if (run > *r)
            *r = run, changed = 1;
    }
    snprintf(c->reply, sizeof c->reply, ":%d", changed);
}
static void pfcount_command(client *c) {
    uint8_t max[REGISTERS] = {0};
    for (int i = 1; i < c->argc; i++) {
        int key = key_of(c->argv[i]);
        if (key < 0) {
            add_reply(c, "-WRONGTYPE");
            return;
        }
        merge_dense(max, db.registers[key]);
    }
    snprintf(c->reply, sizeof c->reply, ":%llu", (unsigned long long)estimate(max));
}
static void pfdebug_command(client *c) {
    if (!strcasecmp(c->argv[1], "simd") && c->argc == 3) {
        simd_enabled = !strcasecmp(c->argv[2], "on");
        add_reply(c, "+OK");
    } else
        add_reply(c, "-ERR unknown subcommand");
}
static const command commands[] = {
    {"pfadd", -2, pfadd_command},
    {"pfcount", -2, pfcount_command},
    {"pfdebug", -2, pfdebug_command},
};
static int process_command(client *c) {
    c->cmd = NULL;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcasecmp(c->argv[0], commands[i].name))
            c->cmd = &commands[i];
    if (!c->cmd) {
        add_reply(c, "-ERR unknown command");
        return -1;
    }
    if ((c->cmd->arity > 0 && c->cmd->arity != c->argc) || c->argc < -c->cmd->arity) {
        add_reply(c, "-ERR wrong number of arguments");
        return -1;
    }
    c->cmd->proc(c);
    db.calls++;
    return 0;
}
static int run_line(client *c, char *line) {
    const char *words[32];
    c->argc = 0;
    c->argv = words;
    for (char *word = strtok(line, " "); word && c->argc < 32; word = strtok(NULL, " "))
        words[c->argc++] = word;
    if (!c->argc)
        return 0;
    int error = process_command(c);
    printf("%s: %s\n", words[0], c->reply);
    return error;
}
int main(int argc, char **argv) {
    client *c = calloc(1, sizeof *c);
    if (!c)
        return 3;
    __builtin_cpu_init();
    if (argc > 1 && !strcmp(argv[1], "--no-simd"))
        simd_enabled = 0;
    static char script[][96] = {"pfadd a one two three four five", "pfadd b four five six seven", "pfcount a", "pfcount a b", "get a", "pfcount z", "pfadd"};
    int errors = 0;
    for (size_t i = 0; i < sizeof script / sizeof *script; i++)
        errors -= run_line(c, script[i]);
    printf("%llu calls, %d errors\n", (unsigned long long)db.calls, errors);
    free(c);
    return 0;
}
