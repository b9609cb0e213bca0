// Extensions other than AVX2, each with what people confuse it with, and compilers' own ways.
#include "third.h"

static inline int ymm_saved(unsigned c) {
    if (!(c & bit_OSXSAVE)) return 0;
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & 6) == 6;
}

#if defined WIDE // AVX-512 behind its own bit, or behind AVX2's
int main(int n, char **v) {
    unsigned a, b, c, d, low, high;
    fill(n);
    if (__get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE) {
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
#ifdef BAD
            if ((low & 6) == 6 && b & bit_AVX2) {
#else
            if ((low & 0xe6) == 0xe6 && b & bit_AVX512F) {
#endif
                sink = with_avx512(cells, 64);
                return 0;
            }
        }
    }
    sink = plain(cells, 64);
}

#elif defined HASH // SHA extensions: their bit, or a name that sounds alike
NI static int has_sha(void) {
    unsigned a, b, c, d;
#ifdef BAD // AES, from a list of "crypto extensions"
    return __get_cpuid(1, &a, &b, &c, &d) && c & bit_AES;
#else
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_SHA;
#endif
}
static long (*compress)(const int32_t *, int) = plain;
int main(int n, char **v) {
    fill(n);
    if (has_sha())
        compress = with_sha;
    sink = compress(cells, 64);
}

#elif defined SWAP // MOVBE, one bit beside POPCNT
static struct { unsigned char movbe, popcnt; } has;
static void look(void) {
    unsigned a, b, c, d;
    __cpuid(1, a, b, c, d);
    has.movbe = c >> 22 & 1;
    has.popcnt = c >> 23 & 1;
}
int main(int n, char **v) {
    fill(n);
    look();
#ifdef BAD
    if (has.popcnt)
#else
    if (has.movbe)
#endif
        sink = with_movbe(cells, 10);
    else
        sink = plain(cells, 10);
}

#elif defined HALF // F16C, that came after AVX
NI static long convert(const int32_t *at, int count) {
    static signed char can = -1;
    if (can < 0) {
        unsigned a, b, c, d;
        __cpuid(1, a, b, c, d);
#ifdef BAD
        can = c & bit_AVX && ymm_saved(c);
#else
        can = c & bit_F16C && c & bit_AVX && ymm_saved(c);
#endif
    }
    return can ? with_f16c(at, count) : plain(at, count);
}
int main(int n, char **v) {
    fill(n);
    sink = convert(cells, 64) + convert(cells + 4, 8);
}

#elif defined FUSED // FMA came before AVX2 on some CPUs, and after it on others
typedef struct { int fma : 1, avx2 : 1, os : 1; } caps;
NI static void caps_get(caps *out) {
    unsigned a, b, c, d;
    memset(out, 0, sizeof *out);
    __cpuid(1, a, b, c, d);
    out->os = ymm_saved(c) ? -1 : 0;
    out->fma = c & bit_FMA ? -1 : 0;
    __cpuid_count(7, 0, a, b, c, d);
    out->avx2 = b & bit_AVX2 ? -1 : 0;
}
int main(int n, char **v) {
    caps it;
    fill(n);
    caps_get(&it);
    if (!it.os) return 0;
#ifdef BAD
    if (it.fma) sink = with_fma(cells, 8) + with_avx2(cells, 64);
#else
    if (it.fma && it.avx2) sink = with_fma(cells, 8) + with_avx2(cells, 64);
    else if (it.fma) sink = with_fma(cells, 8);
#endif
}

#elif defined CARRYLESS // a database's CRC: both of two extensions
NI static int both(void) {
    unsigned r[4] = {0};
    __get_cpuid(1, &r[0], &r[1], &r[2], &r[3]);
#ifdef BAD
    return (r[2] & (1 << 20 | 1 << 1)) != 0;
#else
    return (r[2] & (1 << 20)) != 0 && (r[2] & (1 << 1)) != 0;
#endif
}
static long choose(const int32_t *, int);
static long (*crc)(const int32_t *, int) = choose;
static long choose(const int32_t *at, int count) {
    if (both())
        crc = with_pclmul;
    else
        crc = plain;
    return crc(at, count);
}
int main(int n, char **v) {
    fill(n);
    sink = crc(cells, 64) ^ crc(cells, 32);
}

#elif defined ROUND_KEYS // AES behind a switch over kinds that were decided elsewhere
enum kind { SOFT, NI_128, NI_AVX };
struct key { enum kind kind; int rounds; };
NI static void expand(struct key *key) {
    unsigned a, b, c, d;
    key->rounds = 10;
    key->kind = SOFT;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return;
#ifdef BAD
    if (c & bit_SSE4_2) key->kind = NI_128;
#else
    if (c & bit_AES) key->kind = NI_128;
#endif
    if (c & bit_AES && c & bit_AVX && ymm_saved(c)) key->kind = NI_AVX;
}
NI static long encrypt(const struct key *key, const int32_t *at) {
    switch (key->kind) {
    case NI_AVX: return with_aes(at, 8) + with_avx(at, 8);
    case NI_128: return with_aes(at, 8);
    default: return plain(at, key->rounds);
    }
}
int main(int n, char **v) {
    struct key key;
    fill(n);
    expand(&key);
    sink = encrypt(&key, cells);
}

#elif defined BIT_TRICKS // BMI1 and BMI2 are two bits
static unsigned leaf_7_b;
static void __attribute__((constructor(101))) early(void) {
    unsigned a, c, d;
    if (__get_cpuid_max(0, NULL) < 7) return;
    __cpuid_count(7, 0, a, leaf_7_b, c, d);
}
int main(int n, char **v) {
    fill(n);
#ifdef BAD
    sink = leaf_7_b & bit_BMI ? with_bmi2(cells, 5) : plain(cells, 5);
#else
    sink = leaf_7_b & bit_BMI ? with_bmi1(cells, 5) : plain(cells, 5);
    if ((leaf_7_b & (bit_BMI | bit_BMI2)) == (bit_BMI | bit_BMI2)) sink = with_bmi2(cells, 5);
#endif
}

#elif defined COMPILER_ASKED // the compiler's function, behind a name
static int supports(int what) {
    __builtin_cpu_init();
    switch (what) {
    case 0: return 1;
    case 1: return __builtin_cpu_supports("avx") != 0;
    case 2: return __builtin_cpu_supports("avx2") != 0;
    default: return __builtin_cpu_supports("avx512f") != 0;
    }
}
static kernel *const of_level[] = {plain, with_avx, with_avx2, with_avx512};
int main(int n, char **v) {
    int level = 0;
    fill(n);
#ifdef BAD // starts one too high
    for (int i = 3; i > 0; i--)
        if (supports(i - 1)) { level = i; break; }
#else
    for (int i = 3; i > 0; i--)
        if (supports(i)) { level = i; break; }
#endif
    sink = of_level[level](cells, 32);
}

#elif defined IFUNC_WORDS // a resolver that asks the CPU itself
static kernel *resolve_sum(void) {
    unsigned a, b, c, d;
    __cpuid(1, a, b, c, d);
    if (!ymm_saved(c)) return plain;
#ifndef BAD
    __cpuid_count(7, 0, a, b, c, d);
    if (!(b & bit_AVX2)) return plain;
#endif
    return with_avx2;
}
long sum(const int32_t *at, int count) __attribute__((ifunc("resolve_sum")));
int main(int n, char **v) {
    fill(n);
    sink = sum(cells, 72);
}

#elif defined IFUNC_COMPILER
static kernel *pick(void) {
    __builtin_cpu_init();
#ifdef BAD // inverted
    return !__builtin_cpu_supports("avx2") ? with_avx2 : plain;
#else
    return __builtin_cpu_supports("avx2") ? with_avx2 : __builtin_cpu_supports("avx") ? with_avx : plain;
#endif
}
static long sum(const int32_t *at, int count) __attribute__((ifunc("pick")));
NI static long twice(const int32_t *at, int count) { return sum(at, count) + sum(at, count / 2); }
int main(int n, char **v) {
    fill(n);
    sink = twice(cells, 72);
}

#elif defined CLONES // the compiler makes copies of a function, and picks
__attribute__((target_clones("avx2", "default"), noinline)) long mix(int32_t *at, int count) {
    for (int i = 0; i < count; i++) at[i] = at[i] * 5 + (at[i] << 3);
    return at[count / 2];
}
int main(int n, char **v) {
    fill(n);
    sink = mix(cells, 64 + n);
#ifdef BAD // and one call that is not asked about
    sink = with_avx2(cells, 64);
#endif
}
#endif
