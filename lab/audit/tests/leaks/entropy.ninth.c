// An entropy coder in the way of a compressor: leaves of CPUID are a struct that is passed by value,
// contexts keep whether BMI2 is there, and every function that matters has a body in two targets.
#include "ninth.h"
#include <cpuid.h>
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t f1c, f1d, f7b, f7c;
} cpuid_t;

static inline cpuid_t read_cpuid(void) {
    uint32_t f1c = 0, f1d = 0, f7b = 0, f7c = 0, n, b, c, d, a;
    __cpuid(0, n, b, c, d);
    if (n >= 1)
        __cpuid(1, a, b, f1c, f1d);
    if (n >= 7)
        __cpuid_count(7, 0, a, f7b, f7c, d);
    cpuid_t cpuid = {f1c, f1d, f7b, f7c};
    return cpuid;
}
#define X(name, r, bit) \
    static inline int cpuid_##name(cpuid_t const cpuid) { return ((cpuid.r) & (1U << bit)) != 0; }
X(sse42, f1c, 20)
X(avx, f1c, 28)
X(bmi1, f7b, 3)
X(avx2, f7b, 5)
X(bmi2, f7b, 8)
#undef X

#define TARGET_BMI2 __attribute__((target("lzcnt,bmi,bmi2")))
#define FORCE_INLINE static inline __attribute__((always_inline))

enum { OK = 0, ERROR_CORRUPT = -1, ERROR_TABLE = -2, MAX_LOG = 11 };
typedef struct {
    uint8_t symbol, bits;
} entry_t;
typedef struct {
    entry_t table[1 << MAX_LOG];
    unsigned log;
    int bmi2;
    size_t decoded;
} dctx_t;

static int build_table(dctx_t *ctx, const uint8_t *lengths, unsigned symbols) {
    unsigned at = 0;
    for (unsigned length = 1; length <= ctx->log; length++)
        for (unsigned s = 0; s < symbols; s++) {
            if (lengths[s] != length)
                continue;
            unsigned span = 1u << (ctx->log - length);
            if (at + span > 1u << ctx->log)
                return ERROR_TABLE;
            for (unsigned i = 0; i < span; i++)
                ctx->table[at + i] = (entry_t){(uint8_t)s, (uint8_t)length};
            at += span;
        }
    return at == 1u << ctx->log ? OK : ERROR_TABLE;
}

FORCE_INLINE int decode_body(const dctx_t *ctx, uint8_t *out, size_t count, const uint8_t *in, size_t size) {
    uint64_t container = 0;
    unsigned have = 0;
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        while (have <= 56 && at < size) {
            container |= (uint64_t)in[at++] << (56 - have);
            have += 8;
        }
        entry_t e = ctx->table[container >> (64 - ctx->log)];
        if (e.bits > have)
            return ERROR_CORRUPT;
        out[i] = e.symbol;
        container <<= e.bits;
        have -= e.bits;
    }
    return OK;
}
static __attribute__((noinline)) int decode_default(const dctx_t *ctx, uint8_t *out, size_t count, const uint8_t *in, size_t size) {
    return decode_body(ctx, out, count, in, size);
}
static TARGET_BMI2 __attribute__((noinline)) int decode_bmi2(const dctx_t *ctx, uint8_t *out, size_t count, const uint8_t *in, size_t size) {
    return decode_body(ctx, out, count, in, size);
}
static int decode(dctx_t *ctx, uint8_t *out, size_t count, const uint8_t *in, size_t size) {
    ctx->decoded += count;
    if (ctx->bmi2)
        return decode_bmi2(ctx, out, count, in, size);
    return decode_default(ctx, out, count, in, size);
}

static dctx_t *create_dctx(unsigned log) {
    dctx_t *ctx = calloc(1, sizeof *ctx);
    if (!ctx)
        return NULL;
    cpuid_t const cpuid = read_cpuid();
    ctx->log = log;
#ifdef BAD
    // As if all that has AVX had it.
    ctx->bmi2 = cpuid_avx(cpuid);
#else
    ctx->bmi2 = cpuid_bmi1(cpuid) && cpuid_bmi2(cpuid);
#endif
    return ctx;
}

int main(int argc, char **argv) {
    static const uint8_t lengths[6] = {1, 2, 3, 4, 5, 5};
    unsigned log = argc > 1 && atoi(argv[1]) >= 5 && atoi(argv[1]) <= MAX_LOG ? (unsigned)atoi(argv[1]) : 9;
    dctx_t *ctx = create_dctx(log);
    if (!ctx || build_table(ctx, lengths, 6) != OK) {
        fprintf(stderr, "%s: no table\n", argv[0]);
        return 3;
    }
    uint8_t in[512], out[700], want[700];
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (uint8_t)(i * 73 + (i >> 3));
    memset(want, 0, sizeof want);
    int error = decode(ctx, out, sizeof out, in, sizeof in);
    int plain = decode_default(ctx, want, sizeof want, in, sizeof in);
    if (error != plain || (error == OK && memcmp(out, want, sizeof out)))
        return 1;
    unsigned histogram[6] = {0};
    for (size_t i = 0; i < sizeof out && error == OK; i++)
        histogram[out[i]]++;
    printf("%zu symbols, error %d:", ctx->decoded, error);
    for (int i = 0; i < 6; i++)
        printf(" %u", histogram[i]);
    puts("");
    free(ctx);
    return 0;
}
