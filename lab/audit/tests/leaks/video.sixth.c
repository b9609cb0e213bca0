// Video and image codecs: tables of functions that are filled by what the CPU can.
#include "sixth.h"
#include <stdatomic.h>

#ifdef DSP_CONTEXT
// Flags that are cached in an atomic, and a context whose functions each file of assembly replaces.
#define CPU_FLAG_SSE42 0x0200
#define CPU_FLAG_AVX 0x4000
#define CPU_FLAG_FMA3 0x10000
#define CPU_FLAG_AVX2 0x8000
#define CPU_FLAG_SLOW 0x100000
#define HAVE(flags, name) ((flags) & CPU_FLAG_##name)
#define HAVE_FAST(flags, name) (HAVE(flags, name) && !((flags) & CPU_FLAG_SLOW))
static atomic_int cpu_flags = -1;
NI static int ask_cpu(void) {
    unsigned a, b, c, d, most, flags = 0;
    __cpuid(0, most, b, c, d);
    if (most >= 1) {
        __cpuid(1, a, b, c, d);
        if (c & 0x00100000)
            flags |= CPU_FLAG_SSE42;
        if ((c & 0x18000000) == 0x18000000 && (xcr0() & 6) == 6) {
            flags |= CPU_FLAG_AVX;
            if (c & 0x00001000)
                flags |= CPU_FLAG_FMA3;
        }
        if (((a >> 8) & 15) == 6 && ((a >> 4) & 15) == 12)
            flags |= CPU_FLAG_SLOW;
    }
    if (most >= 7) {
        __cpuid_count(7, 0, a, b, c, d);
        if ((flags & CPU_FLAG_AVX) && (b & 0x20))
            flags |= CPU_FLAG_AVX2;
    }
    return (int)flags;
}
static int get_cpu_flags(void) {
    int flags = atomic_load_explicit(&cpu_flags, memory_order_relaxed);
    if (flags == -1) {
        flags = ask_cpu();
        atomic_store_explicit(&cpu_flags, flags, memory_order_relaxed);
    }
    return flags;
}
typedef struct DSPContext {
    void (*vector_fmac)(float *, const float *, float, int);
    float (*scalarproduct)(const float *, const float *, int);
    uint64_t (*pix_sum)(const uint8_t *, size_t);
} DSPContext;
typedef struct Decoder {
    char name[24];
    int width;
    DSPContext dsp;
} Decoder;
NI static void dsp_init_x86(DSPContext *c) {
    int flags = get_cpu_flags();
    if (HAVE(flags, AVX)) {
        c->vector_fmac = axpy_avx;
        c->scalarproduct = dot_avx;
    }
#ifdef BAD
    if (HAVE_FAST(flags, AVX)) {
#else
    if (HAVE_FAST(flags, AVX2)) {
#endif
        c->pix_sum = sum_avx2;
        if (HAVE(flags, FMA3))
            c->vector_fmac = axpy_fma;
    }
}
NI static void dsp_init(DSPContext *c) {
    c->vector_fmac = axpy_c;
    c->scalarproduct = dot_c;
    c->pix_sum = sum_c;
    dsp_init_x86(c);
}
int main(int argc, char **argv) {
    fill(argc);
    Decoder *d = calloc(1, sizeof *d);
    if (!d)
        return 3;
    snprintf(d->name, sizeof d->name, "%s", argc > 1 ? argv[1] : "h263");
    d->width = 128;
    dsp_init(&d->dsp);
    d->dsp.vector_fmac(ys, xs, 2, d->width);
    printf("%s %g %llu\n", d->name, d->dsp.scalarproduct(xs, ys, d->width), (unsigned long long)d->dsp.pix_sum(text, 700));
    free(d);
}
#endif

#ifdef PRIMITIVES
// One table for all block sizes; setups run from the plain one up.
enum { SIZE_8, SIZE_16, SIZE_32, SIZES };
enum { MASK_SSE4 = 1 << 4, MASK_AVX = 1 << 8, MASK_AVX2 = 1 << 14, MASK_AVX512 = 1 << 16 };
struct primitives {
    struct {
        sum_fn *sum;
        count_fn *zeros;
    } pu[SIZES];
    dot_fn *ssim[2];
} prims;
NI static uint32_t cpu_detect(void) {
    uint32_t mask = 0;
    __builtin_cpu_init();
    if (__builtin_cpu_supports("sse4.2"))
        mask |= MASK_SSE4;
    if (__builtin_cpu_supports("avx"))
        mask |= MASK_AVX;
    if (__builtin_cpu_supports("avx2"))
        mask |= MASK_AVX2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
        mask |= MASK_AVX512;
    return mask;
}
NI static void setup_c(struct primitives *p) {
    for (int i = 0; i < SIZES; i++) {
        p->pu[i].sum = sum_c;
        p->pu[i].zeros = count_c;
    }
    p->ssim[0] = p->ssim[1] = dot_c;
}
NI static void setup_assembly(struct primitives *p, uint32_t mask) {
    if (mask & MASK_SSE4)
        for (int i = 0; i < SIZES; i++)
            p->pu[i].sum = sum_sse2;
    if (mask & MASK_AVX) {
        p->ssim[1] = dot_avx;
#ifdef BAD
        p->pu[SIZE_32].zeros = count_avx2;
#endif
    }
    if (mask & MASK_AVX2) {
        for (int i = SIZE_16; i < SIZES; i++)
            p->pu[i].sum = sum_avx2;
        p->pu[SIZE_32].zeros = count_avx2;
    }
    if (mask & MASK_AVX512)
        p->pu[SIZE_32].sum = sum_avx512;
}
int main(int argc, char **argv) {
    fill(argc);
    setup_c(&prims);
    setup_assembly(&prims, cpu_detect());
    unsigned long long cost = 0;
    for (int i = 0; i < SIZES; i++)
        cost += prims.pu[i].sum(text + i, 512u >> i) * 3 + prims.pu[i].zeros(text, 1000, (uint8_t)argc);
    printf("cost %llu ssim %g\n", cost, prims.ssim[argc & 1](xs, ys, 64));
}
#endif

#ifdef EARLY_RETURN
// The functions of one level after another; who lacks a level goes home.
enum { FLAG_SSE41 = 2, FLAG_AVX2 = 4, FLAG_AVX512 = 8 };
static unsigned flags, flags_mask = ~0u;
typedef struct {
    sum_fn *avg, *w_avg;
    count_fn *cdef_dir;
} mc_functions;
static inline unsigned get_flags(void) { return flags & flags_mask; }
static void mc_init(mc_functions *c) {
    c->avg = c->w_avg = sum_c;
    c->cdef_dir = count_c;
    const unsigned f = get_flags();
    if (!(f & FLAG_SSE41))
        return;
    c->avg = sum_sse2;
#ifndef BAD
    if (!(f & FLAG_AVX2))
        return;
#endif
    c->w_avg = sum_avx2;
    c->cdef_dir = count_avx2;
    if (!(f & FLAG_AVX512))
        return;
    c->avg = c->w_avg = sum_avx512;
}
typedef union {
    struct {
        uint32_t eax, ebx, ecx, edx;
    };
    struct {
        uint32_t max_leaf;
        char vendor[12];
    };
} registers;
static void cpuid_of(registers *r, unsigned leaf, unsigned sub) { __cpuid_count(leaf, sub, r->eax, r->ebx, r->ecx, r->edx); }
static unsigned get_cpu_flags_x86(void) {
    registers cpu = {0}, r = {0};
    unsigned out = 0;
    cpuid_of(&cpu, 0, 0);
    if (cpu.max_leaf < 1)
        return out;
    cpuid_of(&r, 1, 0);
    if ((r.ecx & 0x00080201) == 0x00080201)
        out |= FLAG_SSE41;
    if (cpu.max_leaf >= 7 && (r.ecx & 0x18000000) == 0x18000000) {
        uint32_t state = xcr0();
        if ((state & 6) == 6) {
            cpuid_of(&r, 7, 0);
            if ((r.ebx & 0x00000128) == 0x00000128)
                out |= FLAG_AVX2;
            if ((state & 0xe0) == 0xe0 && (r.ebx & 0xd0230000) == 0xd0230000)
                out |= FLAG_AVX512;
        }
    }
    return out;
}
int main(int argc, char **argv) {
    mc_functions c;
    if (argc > 1 && !strncmp(argv[1], "--cpumask=", 10))
        flags_mask = (unsigned)strtoul(argv[1] + 10, NULL, 0);
    fill(argc);
    flags = get_cpu_flags_x86();
    mc_init(&c);
    printf("%llu %zu\n", (unsigned long long)(c.avg(text, 640) + c.w_avg(text + 5, 333)), c.cdef_dir(text, 1000, 17));
}
#endif

#ifdef CAN_IDCT
// All bits set means that nobody has asked yet; each question begins by asking.
#define SIMD_SSE2 0x08
#define SIMD_AVX2 0x80
static __thread unsigned int simd_support = ~0u;
NI static unsigned int simd_cpu_support(void) {
    unsigned a, b, c, d;
    unsigned int out = SIMD_SSE2;
    __cpuid(0, a, b, c, d);
    if (a < 7)
        return out;
    __cpuid_count(7, 0, a, b, c, d);
    if (!(b & (1 << 5)))
        return out;
    __cpuid(1, a, b, c, d);
    if ((c & (3u << 27)) == 3u << 27 && (xcr0() & 6) == 6)
        out |= SIMD_AVX2;
    return out;
}
static void init_simd(void) {
    if (simd_support != ~0u)
        return;
    simd_support = simd_cpu_support();
    const char *env = getenv("JSIMD_FORCESSE2");
    if (env && !strcmp(env, "1"))
        simd_support &= SIMD_SSE2;
    env = getenv("JSIMD_FORCENONE");
    if (env && !strcmp(env, "1"))
        simd_support = 0;
}
NI static int can_rgb_ycc(void) {
#ifndef BAD
    init_simd();
#endif
    return (simd_support & SIMD_AVX2) != 0;
}
NI static int can_idct(void) {
    init_simd();
    if (simd_support & SIMD_AVX2)
        return 1;
    return 0;
}
struct decompress {
    sum_fn *color_convert;
    count_fn *inverse;
};
static void jinit(struct decompress *d) {
    d->color_convert = can_rgb_ycc() ? sum_avx2 : sum_c;
    d->inverse = can_idct() ? count_avx2 : count_c;
}
int main(int argc, char **argv) {
    struct decompress d;
    fill(argc);
    jinit(&d);
    printf("%llu %zu\n", (unsigned long long)d.color_convert(text, 800), d.inverse(text, 999, 9));
}
#endif

#ifdef CPU_INFO_FN
// Who uses the library may put a function of their own that says what the CPU can, or none.
typedef enum { kSSE4_1, kAVX, kAVX2, kSlow } CPUFeature;
typedef int (*CPUInfo)(CPUFeature feature);
static int x86_cpu_info(CPUFeature feature) {
    unsigned a, b, c, d, most = __get_cpuid_max(0, NULL);
    if (!most)
        return 0;
    __cpuid(1, a, b, c, d);
    if (feature == kSSE4_1)
        return !!(c & 0x00080000);
    if (feature == kAVX)
        return (c & 0x18000000) == 0x18000000 && (xcr0() & 6) == 6;
    if (feature == kAVX2 && most >= 7 && x86_cpu_info(kAVX)) {
        __cpuid_count(7, 0, a, b, c, d);
        return (b & 0x20) == 0x20;
    }
    return 0;
}
CPUInfo GetCPUInfo = x86_cpu_info;
sum_fn *TransformSum;
dot_fn *ConvertRow;
static void InitAVX2(void) {
    TransformSum = sum_avx2;
    ConvertRow = dot_avx;
}
NI static void DspInit(void) {
    static volatile CPUInfo last_used = (CPUInfo)&last_used;
    if (last_used == GetCPUInfo)
        return;
    TransformSum = sum_c;
    ConvertRow = dot_c;
    if (GetCPUInfo != NULL) {
        if (GetCPUInfo(kSSE4_1)) {
            TransformSum = sum_sse2;
            ConvertRow = dot_sse;
#ifdef BAD
            if (!GetCPUInfo(kSlow))
                InitAVX2();
#endif
        }
        if (GetCPUInfo(kAVX2))
            InitAVX2();
    }
    last_used = GetCPUInfo;
}
int main(int argc, char **argv) {
    fill(argc);
    for (int frame = 0; frame < 3; frame++) {
        DspInit();
        printf("frame %d: %llu %g\n", frame, (unsigned long long)TransformSum(text + frame, 256), ConvertRow(xs, ys, 32 << frame));
        if (argc > 2)
            GetCPUInfo = NULL;
    }
}
#endif
