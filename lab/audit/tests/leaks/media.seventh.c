// Codecs and pixels: what the CPU can is a word of flags, and set-up functions fill pointers by it.
#include "seventh.h"
#include <pthread.h>

#ifdef RUNTIME_CPU_DETECT
// One pointer a function, with the plain form first; better ones overwrite it, once for the process.
#define HAS_SSE2 0x04
#define HAS_SSE4_1 0x10
#define HAS_AVX 0x40
#define HAS_AVX2 0x80
#define HAS_AVX512 0x100
#define BIT(n) (1u << (n))
static inline int x86_simd_caps(void) {
    unsigned flags = 0, mask = ~0u, max, a, b, c, d;
    const char *env = getenv("CODEC_SIMD_CAPS_MASK");
    if (env && *env)
        mask = (unsigned)strtoul(env, NULL, 0);
    __cpuid(0, max, b, c, d);
    if (max < 1)
        return 0;
    __cpuid(1, a, b, c, d);
    if (d & BIT(26))
        flags |= HAS_SSE2;
    if (c & BIT(19))
        flags |= HAS_SSE4_1;
    if ((c & (BIT(27) | BIT(28))) == (BIT(27) | BIT(28))) {
        uint64_t state = read_xcr(0);
        if ((state & 6) == 6) {
            flags |= HAS_AVX;
            if (max >= 7) {
                __cpuid_count(7, 0, a, b, c, d);
                if (b & BIT(5))
                    flags |= HAS_AVX2;
                if ((b & (BIT(16) | BIT(30))) == (BIT(16) | BIT(30)) && (state & 0xe6) == 0xe6)
                    flags |= HAS_AVX512;
            }
        }
    }
    return (int)(flags & mask);
}
sad_t *codec_sad64x64;
sad_t *codec_sad16x16;
dist_t *codec_mse;
static void setup_rtcd_internal(void) {
    int flags = x86_simd_caps();
    (void)flags;
    codec_sad64x64 = sad_plain;
    if (flags & HAS_SSE2)
        codec_sad64x64 = sad_sse2;
    if (flags & HAS_AVX2)
        codec_sad64x64 = sad_avx2;
    if (flags & HAS_AVX512)
        codec_sad64x64 = sad_avx512;
    codec_sad16x16 = sad_plain;
#ifdef BAD
    if (flags & HAS_AVX)
#else
    if (flags & HAS_AVX2)
#endif
        codec_sad16x16 = sad_avx2;
    codec_mse = dist_plain;
    if (flags & HAS_AVX)
        codec_mse = dist_avx;
}
static void codec_rtcd(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, setup_rtcd_internal);
}
struct frame {
    int width, height;
    uint8_t *luma;
};
static struct frame *frame_alloc(int width, int height) {
    struct frame *f = malloc(sizeof *f);
    if (!f)
        return NULL;
    f->width = width;
    f->height = height;
    f->luma = calloc((size_t)height, (size_t)width);
    if (!f->luma) {
        free(f);
        return NULL;
    }
    return f;
}
int main(int argc, char **argv) {
    make_data((unsigned)argc);
    codec_rtcd();
    struct frame *f = frame_alloc(128, 16);
    if (!f) {
        fprintf(stderr, "%s: out of memory\n", argv[0]);
        return 3;
    }
    memcpy(f->luma, bytes, 2048);
    unsigned long long cost = 0;
    for (int y = 0; y < f->height; y++)
        cost += codec_sad64x64(f->luma + y * f->width, other, 64) + 2 * codec_sad16x16(f->luma + y * f->width + 64, other + 64, 48);
    printf("cost %llu mse %g\n", cost, codec_mse(left, right, 500));
    free(f->luma);
    free(f);
}
#endif

#ifdef NAMED_FLAGS
// A table of names and flags serves --asm and the line that says what is used.
#define CPU_SSE42 (1u << 5)
#define CPU_AVX (1u << 6)
#define CPU_FMA3 (1u << 8)
#define CPU_BMI1 (1u << 9)
#define CPU_AVX2 (1u << 10)
typedef struct {
    const char *name;
    uint32_t flags;
} cpu_name_t;
static const cpu_name_t cpu_names[] = {
    {"SSE42", CPU_SSE42},
    {"AVX", CPU_SSE42 | CPU_AVX},
    {"FMA3", CPU_SSE42 | CPU_AVX | CPU_FMA3},
    {"BMI1", CPU_BMI1},
    {"AVX2", CPU_SSE42 | CPU_AVX | CPU_FMA3 | CPU_AVX2},
    {"", 0},
};
static void cpu_cpuid(uint32_t op, uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d) { __cpuid_count(op, 0, *a, *b, *c, *d); }
static uint32_t cpu_detect(void) {
    uint32_t cpu = 0, eax, ebx, ecx, edx, max, xcr = 0;
    cpu_cpuid(0, &max, &ebx, &ecx, &edx);
    if (max == 0)
        return 0;
    cpu_cpuid(1, &eax, &ebx, &ecx, &edx);
    if (ecx & 0x00100000)
        cpu |= CPU_SSE42;
    if (ecx & 0x08000000) {
        xcr = (uint32_t)read_xcr(0);
        if ((xcr & 0x6) == 0x6) {
            if (ecx & 0x10000000)
                cpu |= CPU_AVX;
            if (ecx & 0x00001000)
                cpu |= CPU_FMA3;
        }
    }
    if (max >= 7) {
        cpu_cpuid(7, &eax, &ebx, &ecx, &edx);
        if (ebx & 0x00000008)
            cpu |= CPU_BMI1;
#ifdef BAD
        if ((xcr & 0x6) == 0x6 && (ebx & 0x00000008))
#else
        if ((xcr & 0x6) == 0x6 && (ebx & 0x00000020))
#endif
            cpu |= CPU_AVX2;
    }
    return cpu;
}
typedef struct {
    uint32_t cpu;
    int rows;
} param_t;
static int param_parse(param_t *p, const char *name, const char *value) {
    if (!strcmp(name, "rows")) {
        p->rows = atoi(value);
        return p->rows > 0 && p->rows <= 16 ? 0 : -1;
    }
    if (!strcmp(name, "asm")) {
        if (!strcmp(value, "auto"))
            p->cpu = cpu_detect();
        else if (!strcmp(value, "none"))
            p->cpu = 0;
        else {
            uint32_t wanted = 0;
            for (int i = 0; cpu_names[i].flags; i++)
                if (!strcasecmp(value, cpu_names[i].name))
                    wanted |= cpu_names[i].flags;
            p->cpu = wanted & cpu_detect();
        }
        return 0;
    }
    return -2;
}
typedef struct {
    sad_t *sad;
    dist_t *ssd;
} pixel_t;
static void pixel_init(uint32_t cpu, pixel_t *pixf) {
    memset(pixf, 0, sizeof *pixf);
    pixf->sad = sad_plain;
    pixf->ssd = dist_plain;
    if (cpu & CPU_SSE42)
        pixf->sad = sad_sse2;
    if (cpu & CPU_AVX)
        pixf->ssd = dist_avx;
    if (cpu & CPU_FMA3)
        pixf->ssd = dist_fma;
    if (cpu & CPU_AVX2)
        pixf->sad = sad_avx2;
}
int main(int argc, char **argv) {
    param_t param = {cpu_detect(), 8};
    for (int i = 1; i < argc; i++) {
        char *eq = strchr(argv[i], '=');
        if (!eq || strncmp(argv[i], "--", 2))
            continue;
        *eq = 0;
        if (param_parse(&param, argv[i] + 2, eq + 1) < 0) {
            fprintf(stderr, "bad option %s\n", argv[i]);
            return 3;
        }
    }
    make_data((unsigned)param.rows);
    pixel_t pixf;
    pixel_init(param.cpu, &pixf);
    char line[128] = "using cpu capabilities:";
    for (int i = 0; cpu_names[i].flags; i++)
        if ((param.cpu & cpu_names[i].flags) == cpu_names[i].flags)
            strcat(strcat(line, " "), cpu_names[i].name);
    fprintf(stderr, "%s\n", line);
    for (int row = 0; row < param.rows; row++)
        printf("%u %g\n", pixf.sad(bytes + row * 100, other, 100), pixf.ssd(left + row, right, 64));
}
#endif

#ifdef SET_MACROS
// Set-up by macros that take all forms of a function, in the order of extensions.
#define FLAG_SSE2 (1ull << 2)
#define FLAG_AVX2 (1ull << 8)
#define FLAG_AVX512 (1ull << 9)
#define SET_FUNCTIONS_SSE2(ptr, fn) if (flags & FLAG_SSE2) ptr = fn;
#define SET_FUNCTIONS_AVX2(ptr, fn) if (flags & FLAG_AVX2) ptr = fn;
#define SET_FUNCTIONS_AVX512(ptr, fn) if (flags & FLAG_AVX512) ptr = fn;
#define SET_FUNCTIONS(ptr, c, sse2, avx2, avx512)                  \
    do {                                                           \
        ptr = c;                                                   \
        if (((uintptr_t)NULL != (uintptr_t)sse2)) { SET_FUNCTIONS_SSE2(ptr, sse2) }       \
        if (((uintptr_t)NULL != (uintptr_t)avx2)) { SET_FUNCTIONS_AVX2(ptr, avx2) }       \
        if (((uintptr_t)NULL != (uintptr_t)avx512)) { SET_FUNCTIONS_AVX512(ptr, avx512) } \
    } while (0)
#define SET_ONLY_C(ptr, c) SET_FUNCTIONS(ptr, c, 0, 0, 0)
#define SET_AVX2(ptr, c, avx2) SET_FUNCTIONS(ptr, c, 0, avx2, 0)
#define SET_SSE2_AVX2(ptr, c, sse2, avx2) SET_FUNCTIONS(ptr, c, sse2, avx2, 0)
#define SET_SSE2_AVX2_AVX512(ptr, c, sse2, avx2, avx512) SET_FUNCTIONS(ptr, c, sse2, avx2, avx512)
sad_t *enc_sad_loop, *enc_full_sad, *enc_chroma_sad;
zero_t *enc_is_flat;
find_t *enc_scan;
dist_t *enc_spatial_dist;
static uint64_t get_cpu_flags_to_use(uint64_t allowed) {
    uint64_t flags = 0;
    __builtin_cpu_init();
    flags |= __builtin_cpu_supports("sse2") ? FLAG_SSE2 : 0;
    flags |= __builtin_cpu_supports("avx2") ? FLAG_AVX2 : 0;
    flags |= (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) ? FLAG_AVX512 : 0;
    return flags & allowed;
}
KEEP static void setup_common_rtcd(uint64_t flags) {
    SET_SSE2_AVX2_AVX512(enc_sad_loop, sad_plain, sad_sse2, sad_avx2, sad_avx512);
#ifdef BAD
    SET_SSE2_AVX2(enc_full_sad, sad_plain, sad_avx2, sad_sse2);
#else
    SET_SSE2_AVX2(enc_full_sad, sad_plain, sad_sse2, sad_avx2);
#endif
    SET_ONLY_C(enc_chroma_sad, sad_plain);
    SET_AVX2(enc_is_flat, zero_plain, zero_avx2);
    SET_FUNCTIONS(enc_scan, find_plain, 0, find_avx2, find_avx512);
    SET_FUNCTIONS(enc_spatial_dist, dist_plain, 0, 0, dist_avx512);
}
int main(int argc, char **argv) {
    uint64_t allowed = ~0ull;
    if (argc > 2 && !strcmp(argv[1], "--asm"))
        allowed = strtoull(argv[2], NULL, 10);
    make_data((unsigned)argc);
    setup_common_rtcd(get_cpu_flags_to_use(allowed));
    unsigned best = ~0u, where = 0;
    for (unsigned x = 0; x < 32; x++) {
        unsigned cost = enc_sad_loop(bytes + x, other, 640) + enc_full_sad(bytes + x, other + 640, 96) + enc_chroma_sad(bytes + x, other + 736, 32);
        if (cost < best)
            best = cost, where = x;
    }
    printf("best %u at %u, flat %d, scan %zu, dist %g\n", best, where, enc_is_flat(bytes, 512), enc_scan(bytes, 1024, 200), enc_spatial_dist(left, right, 256));
}
#endif

#ifdef ROWS
// Every operation asks for its row function, by the width too.
enum { kCpuInitialized = 1, kCpuHasX86 = 0x10, kCpuHasSSE2 = 0x100, kCpuHasAVX2 = 0x2000 };
int cpu_info_;
static void CpuId(unsigned leaf, unsigned sub, unsigned *info) { __cpuid_count(leaf, sub, info[0], info[1], info[2], info[3]); }
KEEP static int InitCpuFlags(void) {
    unsigned info0[4], info1[4], info7[4] = {0};
    CpuId(0, 0, info0);
    CpuId(1, 0, info1);
    if (info0[0] >= 7)
        CpuId(7, 0, info7);
    int cpu_info = kCpuHasX86 | (info1[3] & 0x04000000 ? kCpuHasSSE2 : 0);
    if ((info1[2] & 0x1c000000) == 0x1c000000 && (read_xcr(0) & 6) == 6)
        cpu_info |= (info7[1] & 0x20) ? kCpuHasAVX2 : 0;
    cpu_info |= kCpuInitialized;
    __atomic_store_n(&cpu_info_, cpu_info, __ATOMIC_RELAXED);
    return cpu_info;
}
static inline int TestCpuFlag(int test_flag) {
    int cpu_info = __atomic_load_n(&cpu_info_, __ATOMIC_RELAXED);
    return (!cpu_info ? InitCpuFlags() : cpu_info) & test_flag;
}
static unsigned SumRow_Any_AVX2(const uint8_t *a, const uint8_t *b, size_t n) {
    size_t whole = n & ~(size_t)31;
    return (whole ? sad_avx2(a, b, whole) : 0) + sad_plain(a + whole, b + whole, n - whole);
}
#define IS_ALIGNED(v, by) (!((v) & ((by)-1)))
typedef struct {
    int width, height, stride;
    const uint8_t *data;
} plane;
KEEP static int ComparePlanes(const plane *a, const plane *b, unsigned long long *sum) {
    unsigned (*SumRow)(const uint8_t *, const uint8_t *, size_t) = sad_plain;
    if (a->width != b->width || a->height != b->height || a->width <= 0)
        return -1;
    if (TestCpuFlag(kCpuHasSSE2) && IS_ALIGNED(a->width, 16))
        SumRow = sad_sse2;
#ifdef BAD
    if (TestCpuFlag(kCpuHasAVX2))
        SumRow = SumRow_Any_AVX2;
    if (IS_ALIGNED(a->width, 32))
        SumRow = sad_avx2;
#else
    if (TestCpuFlag(kCpuHasAVX2)) {
        SumRow = SumRow_Any_AVX2;
        if (IS_ALIGNED(a->width, 32))
            SumRow = sad_avx2;
    }
#endif
    *sum = 0;
    for (int y = 0; y < a->height; y++)
        *sum += SumRow(a->data + y * a->stride, b->data + y * b->stride, (size_t)a->width);
    return 0;
}
int main(int argc, char **argv) {
    make_data((unsigned)argc);
    int status = 0;
    for (int width = 40; width <= 64; width += 8) {
        plane a = {width, 12, 64, bytes}, b = {width, 12, 64, other};
        unsigned long long sum;
        if (ComparePlanes(&a, &b, &sum) != 0) {
            status = 3;
            fprintf(stderr, "planes differ in size\n");
            break;
        }
        printf("%dx%d: %llu\n", width, 12, sum);
    }
    return status;
}
#endif

#ifdef DELEGATES
// Implementations are a chain; each has a table of fast paths, and what it lacks the next one does.
typedef enum { OP_SRC, OP_OVER, OP_ADD, OP_NONE } op_t;
typedef enum { X86_SSE2 = 1 << 1, X86_AVX2 = 1 << 4, X86_AVX512 = 1 << 5 } cpu_features_t;
typedef struct {
    op_t op;
    uint32_t format;
    sad_t *func;
} fast_path_t;
typedef struct implementation_t implementation_t;
struct implementation_t {
    implementation_t *fallback;
    const fast_path_t *fast_paths;
    bool (*fill)(const void *, size_t);
    const char *name;
};
static const fast_path_t general_paths[] = {{OP_SRC, 0, sad_plain}, {OP_OVER, 0, sad_plain}, {OP_ADD, 0, sad_plain}, {OP_NONE, 0, NULL}};
static const fast_path_t sse2_paths[] = {
    {OP_OVER, 8888, sad_sse2},
#ifdef BAD
    {OP_ADD, 8888, sad_avx2},
#endif
    {OP_ADD, 565, sad_sse2},
    {OP_NONE, 0, NULL},
};
static const fast_path_t avx2_paths[] = {{OP_OVER, 8888, sad_avx2}, {OP_ADD, 8888, sad_avx2}, {OP_NONE, 0, NULL}};
static implementation_t *create(implementation_t *fallback, const fast_path_t *paths, const char *name) {
    implementation_t *imp = malloc(sizeof *imp);
    if (!imp)
        abort();
    memset(imp, 0, sizeof *imp);
    imp->fallback = fallback;
    imp->fast_paths = paths;
    imp->name = name;
    return imp;
}
static cpu_features_t detect_cpu_features(void) {
    unsigned a, b, c, d, out = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return (cpu_features_t)0;
    if (d & (1 << 26))
        out |= X86_SSE2;
    bool saves = (c & bit_OSXSAVE) && (read_xcr(0) & 6) == 6;
    if (saves && (c & bit_AVX) && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX2))
        out |= X86_AVX2;
    return (cpu_features_t)out;
}
static bool have_feature(cpu_features_t feature) {
    static bool initialized;
    static cpu_features_t features;
    if (!initialized) {
        features = detect_cpu_features();
        initialized = true;
    }
    return (features & feature) == feature;
}
static bool is_disabled(const char *name) {
    const char *env = getenv("COMPOSE_DISABLE");
    while (env && *env) {
        size_t n = strcspn(env, " ");
        if (strlen(name) == n && !strncmp(name, env, n))
            return true;
        env += n + (env[n] != 0);
    }
    return false;
}
static implementation_t *choose_implementation(void) {
    implementation_t *imp = create(NULL, general_paths, "general");
    imp->fill = zero_plain;
    if (!is_disabled("sse2") && have_feature(X86_SSE2))
        imp = create(imp, sse2_paths, "sse2");
    if (!is_disabled("avx2") && have_feature(X86_AVX2)) {
        imp = create(imp, avx2_paths, "avx2");
        imp->fill = zero_avx2;
    }
    return imp;
}
KEEP static sad_t *lookup(implementation_t *top, op_t op, uint32_t format) {
    static __thread struct {
        op_t op;
        uint32_t format;
        sad_t *func;
    } cache[4] = {{OP_NONE}, {OP_NONE}, {OP_NONE}, {OP_NONE}};
    for (int i = 0; i < 4; i++)
        if (cache[i].op == op && cache[i].format == format && cache[i].func)
            return cache[i].func;
    for (implementation_t *imp = top; imp; imp = imp->fallback)
        for (const fast_path_t *p = imp->fast_paths; p->op != OP_NONE; p++)
            if (p->op == op && (!p->format || p->format == format)) {
                static int next;
                int i = next++ & 3;
                cache[i].op = op;
                cache[i].format = format;
                cache[i].func = p->func;
                return p->func;
            }
    return NULL;
}
int main(int argc, char **argv) {
    make_data((unsigned)argc);
    implementation_t *imp = choose_implementation();
    static const struct {
        op_t op;
        uint32_t format;
    } todo[] = {{OP_SRC, 8888}, {OP_OVER, 8888}, {OP_ADD, 8888}, {OP_ADD, 565}, {OP_OVER, 8888}};
    for (size_t i = 0; i < COUNT_OF(todo); i++) {
        sad_t *func = lookup(imp, todo[i].op, todo[i].format);
        if (!func) {
            fprintf(stderr, "no function known for operator %d\n", todo[i].op);
            return 3;
        }
        printf("%d/%u: %u\n", todo[i].op, todo[i].format, func(bytes, other, 900 + i));
    }
    for (implementation_t *i = imp; i; i = i->fallback)
        if (i->fill) {
            printf("fill %d\n", i->fill(longs, 512));
            break;
        }
    while (imp) {
        implementation_t *next = imp->fallback;
        free(imp);
        imp = next;
    }
}
#endif
