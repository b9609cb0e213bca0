// Codecs of images, video and sound.
#include "fourth.h"
#include <stdatomic.h>

static inline void ask(unsigned leaf, unsigned r[4]) {
    __cpuid_count(leaf, 0, r[0], r[1], r[2], r[3]);
}
static inline uint64_t xgetbv0(void) {
    uint32_t low, high;
    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

#ifdef JPEG_SIMD
// A word for each thread. All its bits are set as long as nobody has asked the CPU.
enum { JS_SSE2 = 0x08, JS_AVX2 = 0x80 };
static __thread unsigned simd_support = ~0u;
NI static unsigned cpu_support(void) {
    unsigned r[4], out = JS_SSE2;
    if (__get_cpuid_max(0, NULL) < 7)
        return out;
    ask(1, r);
    if ((r[2] & (bit_OSXSAVE | bit_AVX)) != (bit_OSXSAVE | bit_AVX) || (xgetbv0() & 6) != 6)
        return out;
    ask(7, r);
    return r[1] & bit_AVX2 ? out | JS_AVX2 : out;
}
NI static void init_simd(void) {
    const char *env;
    if (simd_support != ~0u)
        return;
    simd_support = cpu_support();
    if ((env = getenv("JSIMD_FORCESSE2")) != NULL && !strcmp(env, "1"))
        simd_support &= JS_SSE2;
    if ((env = getenv("JSIMD_FORCENONE")) != NULL && !strcmp(env, "1"))
        simd_support = 0;
}
NI static int can_downsample(void) {
#ifndef BAD
    init_simd();
#endif
    return (simd_support & (JS_AVX2 | JS_SSE2)) != 0;
}
NI static int can_convert(void) {
    init_simd();
    return (simd_support & (JS_AVX2 | JS_SSE2)) != 0;
}
NI static int downsample(const uint8_t *at, int rows) {
    if (simd_support & JS_AVX2)
        return sad_avx2(at, 32, at + 512, 32, rows);
    return sad_sse2(at, 32, at + 512, 32, rows);
}
NI static uint32_t convert(const uint8_t *at, size_t width) {
    return simd_support & JS_AVX2 ? check_avx2(1, at, width) : check_c(1, at, width);
}
int main(int argc, char **argv) {
    fill(argc);
    sink = can_downsample() ? downsample(input, argc + 3) : sad_c(input, 32, input + 512, 32, argc + 3);
    sink += can_convert() ? convert(input, 640) : check_c(1, input, 640);
    return 0;
}
#endif

#ifdef WEBP_DSP
// A pointer to the function that asks, which a program may replace.
typedef enum { kSSE2, kSSE4_1, kAVX, kAVX2 } CPUFeature;
typedef int (*CPUInfo)(CPUFeature);
static int x86_info(CPUFeature feature) {
    unsigned r[4], max;
    ask(0, r);
    if ((max = r[0]) < 1)
        return 0;
    ask(1, r);
    switch (feature) {
    case kSSE2: return !!(r[3] & (1 << 26));
    case kSSE4_1: return !!(r[2] & (1 << 19));
    case kAVX: return (r[2] & 0x18000000) == 0x18000000 && (xgetbv0() & 6) == 6;
    case kAVX2:
        if (max < 7 || !x86_info(kAVX))
            return 0;
        ask(7, r);
        return !!(r[1] & (1 << 5));
    }
    return 0;
}
CPUInfo dsp_get_cpu_info = x86_info;
sad_fn *dsp_predictor;
check_fn *dsp_alpha;
static void init_sse2(void) { dsp_predictor = sad_sse2; }
static void init_avx2(void) {
    dsp_predictor = sad_avx2;
    dsp_alpha = check_avx2;
}
NI static void dsp_init(void) {
    static volatile CPUInfo last_used = (CPUInfo)&last_used;
    if (last_used == dsp_get_cpu_info)
        return;
    dsp_predictor = sad_c;
    dsp_alpha = check_c;
    if (dsp_get_cpu_info != NULL) {
        if (dsp_get_cpu_info(kSSE2))
            init_sse2();
#ifdef BAD
        if (dsp_get_cpu_info(kSSE4_1))
            init_avx2();
#else
        if (dsp_get_cpu_info(kAVX2))
            init_avx2();
#endif
    }
    last_used = dsp_get_cpu_info;
}
int main(int argc, char **argv) {
    fill(argc);
    dsp_init();
    sink = dsp_predictor(input, 32, input + 256, 32, argc + 7);
    dsp_init();
    sink += dsp_alpha(1, input, 512);
    return 0;
}
#endif

#ifdef X264_PIXEL
// A word of bits in the encoder on the heap, and functions for each size of a block.
enum { CPU_SSE2 = 1 << 3, CPU_SSE42 = 1 << 8, CPU_AVX = 1 << 9, CPU_FMA3 = 1 << 12, CPU_AVX2 = 1 << 14 };
static const struct {
    const char *name;
    uint32_t flags;
} cpu_names[] = {{"SSE2", CPU_SSE2}, {"AVX", CPU_SSE2 | CPU_AVX}, {"FMA3", CPU_SSE2 | CPU_AVX | CPU_FMA3}, {"AVX2", CPU_SSE2 | CPU_AVX | CPU_FMA3 | CPU_AVX2}, {"", 0}};
NI static uint32_t cpu_detect(void) {
    uint32_t cpu = 0, eax, ebx, ecx, edx, max_basic;
    __cpuid(0, max_basic, ebx, ecx, edx);
    if (!max_basic)
        return 0;
    __cpuid(1, eax, ebx, ecx, edx);
    if (edx & 0x04000000)
        cpu |= CPU_SSE2;
    if (ecx & 0x00100000)
        cpu |= CPU_SSE42;
    if ((ecx & 0x08000000) && (xgetbv0() & 6) == 6) {
        if (ecx & 0x10000000)
            cpu |= CPU_AVX;
        if (ecx & 0x00001000)
            cpu |= CPU_FMA3;
        if (max_basic >= 7) {
            __cpuid_count(7, 0, eax, ebx, ecx, edx);
            if (ebx & 0x00000020)
                cpu |= CPU_AVX2;
        }
    }
    return cpu;
}
typedef struct {
    sad_fn *sad[4];
    check_fn *var[4];
} pixel_functions;
typedef struct {
    uint32_t cpu;
    pixel_functions pixf;
} encoder;
#define INIT4(name, suffix) (pf->name[0] = pf->name[1] = pf->name[2] = pf->name[3] = what_##name##suffix)
#define what_sad_c sad_c
#define what_sad_sse2 sad_sse2
#define what_sad_avx2 sad_avx2
#define what_var_c check_c
#define what_var_avx2 check_avx2
NI static void pixel_init(uint32_t cpu, pixel_functions *pf) {
    memset(pf, 0, sizeof(*pf));
    INIT4(sad, _c);
    INIT4(var, _c);
    if (cpu & CPU_SSE2)
        INIT4(sad, _sse2);
#ifdef BAD
    if (cpu & CPU_AVX) {
#else
    if (cpu & CPU_AVX2) {
#endif
        INIT4(sad, _avx2);
        pf->var[0] = check_avx2;
    }
}
NI static encoder *encoder_open(uint32_t mask) {
    encoder *h = calloc(1, sizeof(*h));
    h->cpu = cpu_detect() & mask;
    for (int i = 0; cpu_names[i].flags; i++)
        if ((h->cpu & cpu_names[i].flags) == cpu_names[i].flags)
            fprintf(stderr, " %s", cpu_names[i].name);
    pixel_init(h->cpu, &h->pixf);
    return h;
}
int main(int argc, char **argv) {
    fill(argc);
    encoder *h = encoder_open(argc > 9 ? CPU_SSE2 : ~0u);
    for (int size = 0; size < 4; size++) {
        sink += h->pixf.sad[size](input, 32, input + 256, 32, 16 >> size);
        sink += h->pixf.var[size](1, input, 256);
    }
    free(h);
    return 0;
}
#endif

#ifdef AV_FLAGS
// Asked once, kept in an atomic word; the environment takes away only.
#define FLAG_SSE2 0x10
#define FLAG_AVX 0x4000
#define FLAG_AVX2 0x8000
#define FLAG_AVXSLOW 0x8000000
#define EXTERNAL(flags, name) ((flags)&FLAG_##name)
#define EXTERNAL_FAST(flags, name) (((flags)&FLAG_##name) && !((flags)&FLAG_AVXSLOW))
static atomic_int cpu_flags = -1;
static int arch_flags(void) {
    unsigned r[4], max, family;
    int out = 0;
    ask(0, r);
    max = r[0];
    int is_amd = r[2] == signature_AMD_ecx;
    if (max < 1)
        return 0;
    ask(1, r);
    family = ((r[0] >> 8) & 0xf) + ((r[0] >> 20) & 0xff);
    if (r[3] & (1 << 26))
        out |= FLAG_SSE2;
    if ((r[2] & 0x18000000) == 0x18000000 && (xgetbv0() & 6) == 6) {
        out |= FLAG_AVX;
        if (is_amd && family == 0x15)
            out |= FLAG_AVXSLOW;
        if (max >= 7) {
            ask(7, r);
            if (r[1] & 0x20)
                out |= FLAG_AVX2;
        }
    }
    return out;
}
NI static int get_cpu_flags(void) {
    int flags = atomic_load_explicit(&cpu_flags, memory_order_relaxed);
    if (flags == -1) {
        const char *mask = getenv("AV_CPU_MASK");
        flags = arch_flags();
        if (mask)
            flags &= (int)strtol(mask, NULL, 0);
        atomic_store_explicit(&cpu_flags, flags, memory_order_relaxed);
    }
    return flags;
}
typedef struct {
    sad_fn *pix_abs[2];
    dot_fn *scalarproduct;
} DSPContext;
NI static void dsp_init(DSPContext *c) {
    int flags = get_cpu_flags();
    c->pix_abs[0] = c->pix_abs[1] = sad_c;
    c->scalarproduct = dot_c;
    if (EXTERNAL(flags, SSE2))
        c->pix_abs[0] = sad_sse2;
    if (EXTERNAL_FAST(flags, AVX))
        c->scalarproduct = dot_avx;
    if (EXTERNAL_FAST(flags, AVX2))
        c->pix_abs[0] = sad_avx2;
}
int main(int argc, char **argv) {
    DSPContext *c = malloc(sizeof(*c));
    fill(argc);
    dsp_init(c);
    sink = c->pix_abs[0](input, 32, input + 256, 32, 8) + c->pix_abs[1](input, 32, input + 256, 32, 8);
    sink += (long)c->scalarproduct(floats, floats + 128, 128);
    free(c);
    return 0;
}
#endif

#ifdef DAV1D_BPC
// The same tables for samples of 8 and of 16 bits.
enum { F_SSE2 = 1, F_SSE41 = 4, F_AVX2 = 8 };
static unsigned flags;
static unsigned flags_mask = ~0u;
static void init_cpu(void) {
    unsigned r[4], max;
    ask(0, r);
    max = r[0];
    ask(1, r);
    flags = F_SSE2;
    if (r[2] & (1 << 19))
        flags |= F_SSE41;
    if (max >= 7 && (r[2] & 0x18000000) == 0x18000000 && (xgetbv0() & 6) == 6) {
        ask(7, r);
        if ((r[1] & 0x128) == 0x128) // BMI1, BMI2 and AVX2
            flags |= F_AVX2;
    }
}
static inline unsigned get_cpu_flags(void) { return flags & flags_mask; }
typedef struct {
    sad_fn *mc[2];
    check_fn *warp;
} McContext;
NI static void mc_init_8bpc(McContext *c) {
    const unsigned have = get_cpu_flags();
    c->mc[0] = c->mc[1] = sad_c, c->warp = check_c;
    if (!(have & F_SSE2))
        return;
    c->mc[0] = sad_sse2;
    if (!(have & F_AVX2))
        return;
    c->mc[0] = c->mc[1] = sad_avx2, c->warp = check_avx2;
}
NI static void mc_init_16bpc(McContext *c) {
    const unsigned have = get_cpu_flags();
    c->mc[0] = c->mc[1] = sad_c, c->warp = check_c;
    if (!(have & F_SSE41))
        return;
    c->mc[1] = sad_sse2;
#ifndef BAD
    if (!(have & F_AVX2))
        return;
#endif
    c->mc[0] = sad_avx2;
}
int main(int argc, char **argv) {
    McContext c;
    int bpc = argc > 4 ? 8 : 10;
    fill(argc);
    init_cpu();
    if (argc > 2)
        flags_mask = (unsigned)strtoul(argv[1], NULL, 0);
    switch (bpc) {
    case 8: mc_init_8bpc(&c); break;
    case 10:
    case 12: mc_init_16bpc(&c); break;
    default: return 3;
    }
    for (int i = 0; i < 2; i++)
        sink += c.mc[i](input, 32, input + 256, 32, argc + 4);
    sink += c.warp(1, input, 512);
    return 0;
}
#endif

#ifdef OPUS_ARCH
// A number of a level, and tables that it is the index of.
typedef struct {
    int sse, sse2, sse41, avx2;
} CPU_Feature;
static void cpu_feature_check(CPU_Feature *f) {
    unsigned r[4], max;
    memset(f, 0, sizeof(*f));
    ask(0, r);
    max = r[0];
    if (max < 1)
        return;
    ask(1, r);
    f->sse = (r[3] & (1 << 25)) != 0;
    f->sse2 = (r[3] & (1 << 26)) != 0;
    f->sse41 = (r[2] & (1 << 19)) != 0;
    f->avx2 = (r[2] & (1 << 28)) && (r[2] & (1 << 12)) && (r[2] & (1 << 27)) && (xgetbv0() & 6) == 6;
    if (max >= 7) {
        ask(7, r);
        f->avx2 = f->avx2 && (r[1] & (1 << 5));
    } else {
        f->avx2 = 0;
    }
}
NI static int select_arch(void) {
    CPU_Feature f;
    int arch = 0;
    cpu_feature_check(&f);
    if (!f.sse)
        return arch;
    arch++;
    if (!f.sse2)
        return arch;
    arch++;
    if (!f.sse41)
        return arch;
    arch++;
    if (!f.avx2)
        return arch;
    arch++;
    return arch;
}
#ifdef BAD
static dot_fn *const PITCH_XCORR[8] = {dot_c, dot_sse, dot_sse, dot_fma, dot_fma};
#else
static dot_fn *const PITCH_XCORR[8] = {dot_c, dot_sse, dot_sse, dot_sse, dot_fma};
#endif
static sad_fn *const NSQ[8] = {sad_c, sad_c, sad_sse2, sad_sse2, sad_avx2};
typedef struct {
    int Fs, channels, arch;
} Encoder;
NI static float analyse(const Encoder *st, const float *pcm, int n) {
    return (*PITCH_XCORR[st->arch & 7])(pcm, pcm + 64, n) + (float)(*NSQ[st->arch & 7])(input, 32, input + 256, 32, 8);
}
int main(int argc, char **argv) {
    Encoder *st = malloc(sizeof(*st));
    fill(argc);
    st->Fs = 48000;
    st->channels = argc;
    st->arch = select_arch();
    sink = (long)analyse(st, floats, 128);
    free(st);
    return 0;
}
#endif
