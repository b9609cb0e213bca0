// Arrays and sets.
#include "seventh.h"

#ifdef HAVE_TABLE
// One byte a feature; what a feature implies and what the environment disables is worked in.
enum cpu_features { CPU_NONE, CPU_SSE42, CPU_AVX, CPU_F16C, CPU_FMA3, CPU_AVX2, CPU_AVX512F, CPU_FEATURE_MAX };
static unsigned char cpu__have[CPU_FEATURE_MAX];
#define CPU_HAVE(F) cpu__have[CPU_##F]
static const struct {
    enum cpu_features feature;
    const char *string;
} features[] = {{CPU_SSE42, "SSE42"}, {CPU_AVX, "AVX"}, {CPU_F16C, "F16C"}, {CPU_FMA3, "FMA3"}, {CPU_AVX2, "AVX2"}, {CPU_AVX512F, "AVX512F"}};
static void cpu__cpuid(int reg[4], int func_id) { __cpuid_count(func_id, 0, reg[0], reg[1], reg[2], reg[3]); }
static void cpu__init_features(void) {
    memset(cpu__have, 0, sizeof cpu__have);
    int reg[] = {0, 0, 0, 0}, reg7[] = {0, 0, 0, 0};
    cpu__cpuid(reg, 0);
    int maxleaf = reg[0];
    cpu__cpuid(reg, 1);
    CPU_HAVE(SSE42) = (reg[2] & (1 << 20)) != 0;
    if (!(reg[2] & (1 << 27)))
        return;
    int xcr = (int)read_xcr(0);
    if ((xcr & 6) != 6)
        return;
    CPU_HAVE(AVX) = (reg[2] & (1 << 28)) != 0;
    if (!CPU_HAVE(AVX))
        return;
    CPU_HAVE(F16C) = (reg[2] & (1 << 29)) != 0;
    if (maxleaf >= 7)
        cpu__cpuid(reg7, 7);
#ifdef BAD
    CPU_HAVE(AVX2) = (reg[2] & (1 << 12)) != 0;
    CPU_HAVE(FMA3) = (reg7[1] & (1 << 5)) != 0;
#else
    CPU_HAVE(FMA3) = (reg[2] & (1 << 12)) != 0;
    CPU_HAVE(AVX2) = (reg7[1] & (1 << 5)) != 0;
#endif
    if ((xcr & 0xe6) == 0xe6)
        CPU_HAVE(AVX512F) = (reg7[1] & (1 << 16)) != 0;
}
static int cpu__check_env(void) {
    const char *env = getenv("ARRAY_DISABLE_CPU_FEATURES");
    if (!env || !*env)
        return 0;
    char copy[128], *save = NULL;
    if (strlen(env) >= sizeof copy) {
        fprintf(stderr, "Length of environment variable is %zu, only %zu accepted\n", strlen(env) + 1, sizeof copy);
        return -1;
    }
    strcpy(copy, env);
    for (char *f = strtok_r(copy, ", \t", &save); f; f = strtok_r(NULL, ", \t", &save))
        for (size_t i = 0; i < COUNT_OF(features); i++)
            if (!strcmp(features[i].string, f))
                cpu__have[features[i].feature] = 0;
    return 0;
}
KEEP static int cpu_init(void) {
    cpu__init_features();
    return cpu__check_env();
}
// Calls what the dispatcher found, or assigns it.
#define DISPATCH_CHOOSE(TEST, CALL) if (TEST) { CALL; } else
typedef struct {
    char kind;
    void (*contiguous)(const void *a, const void *b, size_t n, double *out);
} loop_t;
static void add_u8(const void *a, const void *b, size_t n, double *out) { *out += sad_plain(a, b, n); }
static void add_u8_avx2(const void *a, const void *b, size_t n, double *out) { *out += sad_avx2(a, b, n); }
static void add_f32(const void *a, const void *b, size_t n, double *out) { *out += dist_plain(a, b, n / 4); }
static void add_f32_avx(const void *a, const void *b, size_t n, double *out) { *out += dist_avx(a, b, n / 4); }
static void add_f32_fma(const void *a, const void *b, size_t n, double *out) { *out += dist_fma(a, b, n / 4); }
static void add_f16(const void *a, const void *b, size_t n, double *out) { *out += widen_plain(a, n); }
static void add_f16_f16c(const void *a, const void *b, size_t n, double *out) { *out += widen_f16c(a, n); }
static loop_t loops[3];
static void init_loops(void) {
    loops[0].kind = 'B';
    DISPATCH_CHOOSE(CPU_HAVE(AVX2), loops[0].contiguous = add_u8_avx2)
        loops[0].contiguous = add_u8;
    loops[1].kind = 'f';
    DISPATCH_CHOOSE(CPU_HAVE(FMA3) && CPU_HAVE(AVX), loops[1].contiguous = add_f32_fma)
    DISPATCH_CHOOSE(CPU_HAVE(AVX), loops[1].contiguous = add_f32_avx)
        loops[1].contiguous = add_f32;
    loops[2].kind = 'e';
    DISPATCH_CHOOSE(CPU_HAVE(F16C), loops[2].contiguous = add_f16_f16c)
        loops[2].contiguous = add_f16;
}
int main(int argc, char **argv) {
    if (cpu_init() < 0)
        return 3;
    init_loops();
    make_data((unsigned)argc);
    const char *kinds = argc > 1 ? argv[1] : "Bfe";
    for (; *kinds; kinds++) {
        double out = 0;
        size_t i = 0;
        while (i < COUNT_OF(loops) && loops[i].kind != *kinds)
            i++;
        if (i == COUNT_OF(loops)) {
            fprintf(stderr, "no loop for type '%c'\n", *kinds);
            return 3;
        }
        loops[i].contiguous(*kinds == 'f' ? (void *)left : bytes, *kinds == 'f' ? (void *)right : other, 960, &out);
        printf("%c %.10g\n", *kinds, out);
    }
}
#endif

#ifdef SUPPORT_WORD
// A word says what is supported; every container operation tests it, then calls one or the other.
#include <stdatomic.h>
enum { SUPPORTS_AVX2 = 1, SUPPORTS_AVX512 = 2, UNINITIALIZED = 32768 };
enum instruction_set { I_DEFAULT = 0, I_SSE42 = 4, I_PCLMULQDQ = 0x10, I_AVX2 = 0x20, I_BMI1 = 0x40, I_BMI2 = 0x80, I_AVX512F = 0x100 };
static inline void cpuid4(uint32_t *eax, uint32_t *ebx, uint32_t *ecx, uint32_t *edx) {
    uint32_t a = *eax, b, c = *ecx, d;
    __asm__ volatile("cpuid\n\t" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    *eax = a, *ebx = b, *ecx = c, *edx = d;
}
KEEP static uint32_t dynamic_detect_supported_architectures(void) {
    uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0, host_isa = 0;
    cpuid4(&eax, &ebx, &ecx, &edx);
    uint32_t most = eax;
    eax = 1, ecx = 0;
    cpuid4(&eax, &ebx, &ecx, &edx);
    host_isa |= ecx & (1u << 20) ? I_SSE42 : 0;
    host_isa |= ecx & (1u << 1) ? I_PCLMULQDQ : 0;
    if ((ecx & (1u << 26 | 1u << 27)) != (1u << 26 | 1u << 27))
        return host_isa;
    uint64_t xcr0 = read_xcr(0);
    if (!(xcr0 & 4) || most < 7)
        return host_isa;
    eax = 7, ecx = 0;
    cpuid4(&eax, &ebx, &ecx, &edx);
    host_isa |= ebx & (1u << 5) ? I_AVX2 : 0;
    host_isa |= ebx & (1u << 3) ? I_BMI1 : 0;
    host_isa |= ebx & (1u << 8) ? I_BMI2 : 0;
    if ((xcr0 & 0xe0) == 0xe0)
        host_isa |= ebx & (1u << 16) ? I_AVX512F : 0;
    return host_isa;
}
static inline uint32_t detect_supported_architectures(void) {
    static _Atomic uint32_t buffer = UNINITIALIZED;
    if (buffer == UNINITIALIZED)
        buffer = dynamic_detect_supported_architectures();
    return buffer;
}
KEEP static int hardware_support(void) {
    static _Atomic int support = UNINITIALIZED;
    if (support == UNINITIALIZED) {
        uint32_t isa = detect_supported_architectures();
        bool has_avx2 = (isa & (I_AVX2 | I_BMI1 | I_BMI2)) == (I_AVX2 | I_BMI1 | I_BMI2);
        support = (has_avx2 ? SUPPORTS_AVX2 : 0) | (has_avx2 && isa & I_AVX512F ? SUPPORTS_AVX512 : 0);
    }
    return support;
}
typedef struct {
    int32_t cardinality;
    uint64_t *words;
} bitset;
typedef struct {
    int32_t cardinality;
    uint8_t *array;
} array;
static bitset *bitset_create(void) {
    bitset *b = malloc(sizeof *b);
    if (!b)
        return NULL;
    b->words = aligned_alloc(64, sizeof longs);
    if (!b->words) {
        free(b);
        return NULL;
    }
    memset(b->words, 0, sizeof longs);
    b->cardinality = 0;
    return b;
}
static int bitset_compute_cardinality(const bitset *b) {
    int support = hardware_support();
    if (support & SUPPORTS_AVX2)
        return (int)bits_avx2(b->words, 128);
    return (int)bits_plain(b->words, 128);
}
static bool bitset_is_empty(const bitset *b) {
    if (hardware_support() & SUPPORTS_AVX512)
        return zero_avx512(b->words, sizeof longs);
    if (hardware_support() & SUPPORTS_AVX2)
        return zero_avx2(b->words, sizeof longs);
    return zero_plain(b->words, sizeof longs);
}
KEEP static size_t array_find(const array *a, uint8_t what) {
#ifdef BAD
    if (!(hardware_support() & SUPPORTS_AVX2))
#else
    if (hardware_support() & SUPPORTS_AVX2)
#endif
        return find_avx2(a->array, (size_t)a->cardinality, what);
    return find_plain(a->array, (size_t)a->cardinality, what);
}
int main(int argc, char **argv) {
    make_data((unsigned)argc);
    bitset *b = bitset_create();
    if (!b)
        return 3;
    bool was_empty = bitset_is_empty(b);
    for (int i = 0; i < 128; i++)
        b->words[i] |= longs[i] & longs[(i + 1) & 127];
    b->cardinality = bitset_compute_cardinality(b);
    array a = {500, bytes};
    printf("empty %d then %d, cardinality %d, found at %zu\n", was_empty, bitset_is_empty(b), b->cardinality, array_find(&a, 77));
    free(b->words);
    free(b);
}
#endif

#ifdef FEATURE_STRUCT
// A library that gives a struct of bit fields, and a program that reads them.
typedef struct {
    int aes : 1, pclmulqdq : 1, sse4_2 : 1, avx : 1, avx2 : 1, fma3 : 1, bmi1 : 1, bmi2 : 1, movbe : 1, f16c : 1, sha : 1, adx : 1;
} X86Features;
typedef struct {
    X86Features features;
    int family, model, stepping;
    char vendor[13];
} X86Info;
typedef struct {
    uint32_t eax, ebx, ecx, edx;
} Leaf;
typedef struct {
    Leaf leaf_0, leaf_1, leaf_7;
    uint32_t max_cpuid_leaf;
} Leaves;
typedef struct {
    bool sse_registers, avx_registers, avx512_registers;
} OsPreserves;
static Leaf GetCpuidLeaf(uint32_t leaf_id, int ecx) {
    Leaf leaf;
    __cpuid_count(leaf_id, ecx, leaf.eax, leaf.ebx, leaf.ecx, leaf.edx);
    return leaf;
}
static Leaf SafeCpuIdEx(uint32_t max_cpuid_leaf, uint32_t leaf_id, int ecx) {
    if (leaf_id <= max_cpuid_leaf)
        return GetCpuidLeaf(leaf_id, ecx);
    return (Leaf){0};
}
static bool IsBitSet(uint32_t value, uint32_t bit) { return (value >> bit) & 1; }
static bool HasMask(uint32_t value, uint32_t mask) { return (value & mask) == mask; }
static Leaves ReadLeaves(void) {
    const Leaf leaf_0 = GetCpuidLeaf(0, 0);
    return (Leaves){leaf_0, SafeCpuIdEx(leaf_0.eax, 1, 0), SafeCpuIdEx(leaf_0.eax, 7, 0), leaf_0.eax};
}
KEEP static void ParseCpuId(const Leaves *leaves, X86Info *info, OsPreserves *os) {
    const Leaf leaf_1 = leaves->leaf_1, leaf_7 = leaves->leaf_7;
    const bool have_xsave = IsBitSet(leaf_1.ecx, 26), have_osxsave = IsBitSet(leaf_1.ecx, 27);
    X86Features *const features = &info->features;
    if (have_xsave && have_osxsave) {
        const uint32_t xcr0_eax = (uint32_t)read_xcr(0);
        os->sse_registers = HasMask(xcr0_eax, 2);
        os->avx_registers = HasMask(xcr0_eax, 6);
        os->avx512_registers = HasMask(xcr0_eax, 0xe6);
    }
    info->family = ((leaf_1.eax >> 8) & 15) + ((leaf_1.eax >> 20) & 255);
    info->model = ((leaf_1.eax >> 4) & 15) | ((leaf_1.eax >> 12) & 0xf0);
    memcpy(info->vendor, &leaves->leaf_0.ebx, 4);
    memcpy(info->vendor + 4, &leaves->leaf_0.edx, 4);
    memcpy(info->vendor + 8, &leaves->leaf_0.ecx, 4);
    features->aes = IsBitSet(leaf_1.ecx, 25);
    features->pclmulqdq = IsBitSet(leaf_1.ecx, 1);
    features->movbe = IsBitSet(leaf_1.ecx, 22);
    features->sse4_2 = IsBitSet(leaf_1.ecx, 20);
    features->bmi1 = IsBitSet(leaf_7.ebx, 3);
    features->bmi2 = IsBitSet(leaf_7.ebx, 8);
    features->sha = IsBitSet(leaf_7.ebx, 29);
    features->adx = IsBitSet(leaf_7.ebx, 19);
    if (os->avx_registers) {
        features->fma3 = IsBitSet(leaf_1.ecx, 12);
        features->avx = IsBitSet(leaf_1.ecx, 28);
        features->f16c = IsBitSet(leaf_1.ecx, 29);
#ifdef BAD
        features->avx2 = IsBitSet(leaf_1.edx, 5);
#else
        features->avx2 = IsBitSet(leaf_7.ebx, 5);
#endif
    }
}
static X86Info GetX86Info(void) {
    X86Info info = {0};
    OsPreserves os = {0};
    const Leaves leaves = ReadLeaves();
    ParseCpuId(&leaves, &info, &os);
    return info;
}
struct encoder {
    X86Features can;
    unsigned level;
};
static uint64_t encode(const struct encoder *e, const uint8_t *data, size_t n) {
    uint64_t out = e->can.avx2 ? adler_avx2(1, data, n) : adler_plain(1, data, n);
    if (e->level > 1)
        out = out << 16 ^ (e->can.pclmulqdq ? crc_clmul(data, n, out) : crc_plain(data, n, out));
    if (e->level > 2) {
        uint64_t row[9];
        row[8] = e->can.bmi2 && e->can.adx ? row_adx(row, longs, 8, out) : e->can.bmi2 ? row_mulx(row, longs, 8, out) : row_plain(row, longs, 8, out);
        out ^= row[3] + row[8];
    }
    if (e->level > 3)
        out += e->can.movbe ? swap_movbe(longs, 64) : swap_plain(longs, 64);
    return out;
}
int main(int argc, char **argv) {
    make_data((unsigned)argc);
    const X86Info info = GetX86Info();
    struct encoder *e = malloc(sizeof *e);
    if (!e)
        return 3;
    e->can = info.features;
    fprintf(stderr, "%s %d/%d\n", info.vendor, info.family, info.model);
    for (e->level = 1; e->level <= 4; e->level++)
        printf("level %u: %016llx\n", e->level, (unsigned long long)encode(e, bytes, 1000));
    free(e);
}
#endif

#ifdef CLONES
// The compiler makes the forms and the resolver.
typedef struct {
    size_t rows, columns;
    int *cells;
} matrix;
static matrix *matrix_new(size_t rows, size_t columns) {
    matrix *m = malloc(sizeof *m + rows * columns * sizeof *m->cells);
    if (m) {
        *m = (matrix){rows, columns, (int *)(m + 1)};
        for (size_t i = 0; i < rows * columns; i++)
            m->cells[i] = (int)(bytes[i % 2048]) - 100;
    }
    return m;
}
__attribute__((target_clones("avx2", "avx512f", "default"))) void matrix_scale_add(int *out, const int *in, int by, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] += in[i] * by;
}
__attribute__((target_clones("avx2", "default"))) long matrix_trace(const int *cells, size_t n, size_t step) {
    long sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += cells[i * step] < 0 ? -cells[i * step] : cells[i * step];
    return sum;
}
int main(int argc, char **argv) {
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 24;
    make_data(1);
    matrix *a = matrix_new(n, n), *b = matrix_new(n, n);
    if (!a || !b || n > 40) {
        fprintf(stderr, "too big\n");
        return 3;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            matrix_scale_add(a->cells + i * n, b->cells + k * n, (int)(k % 5), n);
    printf("trace %ld\n", matrix_trace(a->cells, n, n + 1));
    free(a);
    free(b);
}
#endif
