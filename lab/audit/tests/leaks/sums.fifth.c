// Checksums, ciphers, sets of bits and codes.
#include "fifth.h"

#ifdef XXH_TABLE
// A table of structs by the number of what the CPU has.
enum { V_C, V_SSE2, V_AVX2, V_AVX512, V_COUNT };
typedef struct {
    sum_fn *lengthy;
    crc_fn *mixed;
} functions;
static const functions table[V_COUNT] = {
    {sum_c, crc_c}, {sum_sse2, crc_c}, {sum_avx2, crc_c}, {sum_avx512, crc_c}};
static functions chosen;

static int feature_test(void) {
    uint32_t abcd[4], max, best = V_C;
    __cpuid_count(0, 0, abcd[0], abcd[1], abcd[2], abcd[3]);
    max = abcd[0];
    __cpuid_count(1, 0, abcd[0], abcd[1], abcd[2], abcd[3]);
    if ((abcd[3] & (1u << 26)) == 0)
        return (int)best;
    best = V_SSE2;
    uint32_t both = (1u << 27) | (1u << 28);
    if (max < 7 || (abcd[2] & both) != both)
        return (int)best;
    uint64_t kept = kept_registers();
    __cpuid_count(7, 0, abcd[0], abcd[1], abcd[2], abcd[3]);
    if ((abcd[1] & (1u << 5)) && (kept & 0x6) == 0x6)
        best = V_AVX2;
    uint32_t wide = (1u << 16) | (1u << 30);
    if ((abcd[1] & wide) == wide && (kept & 0xe6) == 0xe6)
        best = V_AVX512;
    return (int)best;
}
NI static void set_dispatch(void) {
    int id = feature_test();
#ifdef BAD
    // Counted from one.
    if (id < V_AVX2)
        id++;
#endif
    chosen = table[id];
}
NI static uint64_t hash(const uint8_t *at, size_t n) {
    if (n < 16)
        return crc_c(0, at, n);
    if (chosen.lengthy == NULL)
        set_dispatch();
    return chosen.lengthy(at, n) ^ chosen.mixed(1, at, n);
}
int main(int argc, char **argv) {
    fill(argc);
    printf("%llx %llx\n", (unsigned long long)hash(bytes, 8), (unsigned long long)hash(bytes, 511 + argc));
}
#endif

#ifdef IA32CAP
// The registers as an array of words that everything tests bits of; the environment may take
// bits away.
uint32_t ia32cap[4];
NI static void cap_setup(void) {
    uint32_t a, b, c, d, max;
    __cpuid(0, max, b, c, d);
    __cpuid(1, a, b, c, d);
    ia32cap[0] = d;
    ia32cap[1] = c;
    if (max >= 7) {
        __cpuid_count(7, 0, a, b, c, d);
        ia32cap[2] = b;
        ia32cap[3] = c;
    }
    if (!(ia32cap[1] & (1u << 27)) || (kept_registers() & 6) != 6) {
        ia32cap[1] &= ~((1u << 28) | (1u << 12) | (1u << 29));
        ia32cap[2] &= ~(1u << 5);
    }
    const char *env = getenv("CRYPTO_ia32cap");
    if (env) {
        unsigned long long take = strtoull(env + (*env == '~'), NULL, 0);
        ia32cap[0] &= ~(uint32_t)take;
        ia32cap[1] &= ~(uint32_t)(take >> 32);
    }
}
NI static uint64_t mul_mont(uint64_t *out, const uint64_t *a, uint64_t by) {
#ifdef BAD
    // BMI1's.
    if (ia32cap[2] & (1u << 3))
#else
    if (ia32cap[2] & (1u << 8))
#endif
        return limbs_bmi2(out, a, 6, by);
    return limbs_c(out, a, 6, by);
}
NI static void encrypt(uint8_t *block, const uint8_t *key) {
    if (ia32cap[1] & (1u << (57 - 32))) {
        block_aes(block, key);
    } else {
        block_c(block, key);
    }
}
int main(int argc, char **argv) {
    uint64_t out[6];
    fill(argc);
    cap_setup();
    encrypt(bytes, bytes + 16);
    printf("%llx %d\n", (unsigned long long)mul_mont(out, (const uint64_t *)bytes, 0x9e3779b97f4a7c15u), bytes[3]);
}
#endif

#ifdef SELF_SET
// Pointers that begin at functions that look for a better one, put it there and go on to it.
static uint32_t crc_first(uint32_t, const uint8_t *, size_t);
static uint64_t sum_first(const uint8_t *, size_t);
static crc_fn *volatile crc_now = crc_first;
static sum_fn *volatile sum_now = sum_first;

static uint32_t crc_first(uint32_t crc, const uint8_t *at, size_t n) {
    unsigned a, b, c, d;
    crc_fn *best = crc_c;
    if (__get_cpuid(1, &a, &b, &c, &d)) {
#ifdef BAD
        if ((c & bit_PCLMUL) || (c & bit_SSE4_1))
#else
        if ((c & bit_PCLMUL) && (c & bit_SSE4_1))
#endif
            best = crc_clmul;
    }
    crc_now = best;
    return crc_now(crc, at, n);
}
static uint64_t sum_first(const uint8_t *at, size_t n) {
    __builtin_cpu_init();
    sum_now = __builtin_cpu_supports("avx2") ? sum_avx2 : sum_sse2;
    return sum_now(at, n);
}
int main(int argc, char **argv) {
    fill(argc);
    uint32_t crc = 0;
    for (int part = 0; part < 4; part++)
        crc = crc_now(crc, bytes + 128 * part, 128);
    printf("%x %llu\n", crc, (unsigned long long)sum_now(bytes, 500));
}
#endif

#ifdef POPCNT_LIB
// One header of counting: the answer is a word of the CPU's own bits.
#define BIT_AVX2 (1 << 5)
#define BIT_AVX512BW (1 << 30)
#define BIT_POPCNT (1 << 23)
static int cpuid_bits(void) {
    int flags = 0, a, b, c, d, most;
    __cpuid(0, most, b, c, d);
    __cpuid(1, a, b, c, d);
    if (c & BIT_POPCNT)
        flags |= BIT_POPCNT;
    int xsave = (1 << 27) | (1 << 28);
    if ((c & xsave) == xsave && most >= 7) {
        uint64_t kept = kept_registers();
        __cpuid_count(7, 0, a, b, c, d);
        if ((kept & 6) == 6)
            flags |= b & BIT_AVX2;
        if ((kept & 0xe6) == 0xe6)
            flags |= b & BIT_AVX512BW;
    }
    return flags;
}
__attribute__((target("popcnt"))) NI static unsigned words_popcnt(const uint64_t *a, const uint64_t *b, int n) {
    unsigned out = 0;
    for (int i = 0; i < n; i++)
        out += (unsigned)_mm_popcnt_u64(a[i] & ~b[i]);
    return out;
}
NI static unsigned count(const uint64_t *a, const uint64_t *b, int n) {
    static int known = -1;
    int bits = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (bits == -1) {
        bits = cpuid_bits();
        __atomic_store_n(&known, bits, __ATOMIC_RELAXED);
    }
    const int need = BIT_AVX2 | BIT_POPCNT;
#ifdef BAD
    if ((bits & need) && n >= 4) {
#else
    if ((bits & need) == need && n >= 4) {
#endif
        int whole = n / 4 * 4;
        return rest_avx2(a, b, whole) + words_popcnt(a + whole, b + whole, n - whole);
    }
    if (bits & BIT_POPCNT)
        return words_popcnt(a, b, n);
    return rest_c(a, b, n);
}
int main(int argc, char **argv) {
    fill(argc);
    printf("%u\n", count((const uint64_t *)bytes, (const uint64_t *)(bytes + 256), 28 + argc));
}
#endif

#ifdef GF_INIT
// Codes that correct: variables say what an old CPU has not; they are set before main, and a
// table is made before main too.
static bool lacks_avx2, lacks_bmi2;
static uint8_t field[256];
static uint64_t spread_of_one;
#ifdef BAD
#define ASK_FIRST 300
#define MAKE_NEXT 200
#else
#define ASK_FIRST 200
#define MAKE_NEXT 300
#endif
FOR("avx2") void field_avx2(uint8_t *to, uint8_t by) {
    __m256i step = _mm256_set1_epi8((char)by), all = step;
    for (int i = 0; i < 256; i += 32) {
        _mm256_storeu_si256((__m256i *)(to + i), all);
        all = _mm256_xor_si256(_mm256_add_epi8(all, all), step);
    }
}
static void field_c(uint8_t *to, uint8_t by) {
    uint8_t all = by;
    for (int i = 0; i < 256; i++) {
        to[i] = all;
        if (i % 32 == 31)
            all = (uint8_t)(2 * all ^ by);
    }
}
__attribute__((constructor(ASK_FIRST))) static void ask(void) {
    unsigned a, b, c, d;
    lacks_avx2 = lacks_bmi2 = true;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
        lacks_avx2 = !(b & bit_AVX2);
        lacks_bmi2 = !(b & bit_BMI2);
    }
}
__attribute__((constructor(MAKE_NEXT))) static void make(void) {
    if (lacks_avx2)
        field_c(field, 29);
    else
        field_avx2(field, 29);
}
int main(int argc, char **argv) {
    fill(argc);
    spread_of_one = lacks_bmi2 ? bits_c((uint64_t)argc, 0x5555) : bits_bmi2((uint64_t)argc, 0x5555);
    printf("%d %llu\n", field[bytes[argc]], (unsigned long long)spread_of_one);
}
#endif

#ifdef SODIUM_PICK
// Features in a struct of ints, implementations as structs of functions; one start function for
// all parts of the library.
typedef struct {
    int initialized, has_avx, has_avx2, has_pclmul, has_aesni;
} features;
static features cpu;
static int runtime_features(void) {
    unsigned a, b, c, d, kept = 0;
    __cpuid(0, a, b, c, d);
    if (a == 0)
        return -1;
    unsigned most = a;
    __cpuid(1, a, b, c, d);
    cpu.has_avx = 0;
    if ((c & (bit_AVX | bit_XSAVE | bit_OSXSAVE)) == (bit_AVX | bit_XSAVE | bit_OSXSAVE)) {
        kept = (unsigned)kept_registers();
        if ((kept & 6) == 6)
            cpu.has_avx = 1;
    }
    cpu.has_aesni = (c & bit_AES) != 0;
    cpu.has_pclmul = (c & bit_PCLMUL) != 0;
    if (cpu.has_avx && most >= 7) {
        __cpuid_count(7, 0, a, b, c, d);
        cpu.has_avx2 = (b & bit_AVX2) != 0;
    }
    cpu.initialized = 1;
    return 0;
}
NI static int runtime_has_avx2(void) { return cpu.has_avx2; }
NI static int runtime_has_aesni(void) { return cpu.has_aesni; }
typedef struct {
    sum_fn *absorb;
    block_fn *permute;
} implementation;
static const implementation plain = {sum_c, block_c}, with_aes = {sum_sse2, block_aes}, with_both = {sum_avx2, block_aes};
static const implementation *current = &plain;
static int pick_best(void) {
    current = &plain;
    if (runtime_has_aesni()) {
        if (runtime_has_avx2()) {
            current = &with_both;
            return 0;
        }
        current = &with_aes;
    }
    return 0;
}
NI static int library_init(void) {
    static volatile int done;
    if (done)
        return 1;
    if (runtime_features() != 0)
        return -1;
    pick_best();
    done = 1;
    return 0;
}
int main(int argc, char **argv) {
    fill(argc);
    if (library_init() < 0)
        return 1;
    current->permute(bytes, bytes + 64);
    printf("%llu\n", (unsigned long long)current->absorb(bytes, 256));
}
#endif
