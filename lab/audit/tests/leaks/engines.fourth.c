// Engines: of patterns, of linear algebra and networks, of signals, of games.
#include "fourth.h"
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <strings.h>
#include <sys/auxv.h>
#include <time.h>

static inline bool os_saves_ymm(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
        return false;
    __asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
    return (a & 6) == 6;
}

#ifdef HS_IFUNC
// The loader asks; a macro makes each function.
static inline int check_avx2_there(void) {
    unsigned int eax, ebx, ecx, edx;
    if (!os_saves_ymm() || __get_cpuid_max(0, NULL) < 7)
        return 0;
    __cpuid_count(7, 0, eax, ebx, ecx, edx);
    return (ebx & bit_AVX2) && (ebx & bit_BMI2);
}
#define CREATE_DISPATCH(RTYPE, NAME, FAST, SLOW, ...)                                          \
    static RTYPE (*resolve_##NAME(void))(__VA_ARGS__) { return check_avx2_there() ? FAST : SLOW; } \
    RTYPE NAME(__VA_ARGS__) __attribute__((ifunc("resolve_" #NAME)))
CREATE_DISPATCH(const uint8_t *, hs_scan, scan_avx2, scan_sse2, const uint8_t *, int, size_t);
CREATE_DISPATCH(uint64_t, hs_compress, limb_bmi2, limb_c, uint64_t, uint64_t);
int main(int argc, char **argv) {
    fill(argc);
    sink = hs_scan(input, '#' + argc, 1000) != NULL;
    sink += (long)hs_compress(input[9] * 0x01010101ull, 0xf0f0f0f0);
    return 0;
}
#endif

#ifdef BLAS_CORE
// A structure of functions for each core; by the CPU's model, with the extension asked as well.
typedef struct {
    const char *name;
    int align;
    dot_fn *sdot;
    check_fn *copy;
} gotoblas_t;
static gotoblas_t gotoblas_NEHALEM = {"Nehalem", 15, dot_sse, check_c};
static gotoblas_t gotoblas_SANDYBRIDGE = {"Sandybridge", 31, dot_avx, check_c};
static gotoblas_t gotoblas_HASWELL = {"Haswell", 31, dot_fma, check_avx2};
static gotoblas_t *gotoblas = NULL;
static int support_avx(void) {
    unsigned a, b, c, d;
    __cpuid(1, a, b, c, d);
    return (c & (1 << 28)) != 0 && os_saves_ymm();
}
static int support_avx2(void) {
    unsigned a, b, c, d;
    if (!support_avx())
        return 0;
    __cpuid_count(7, 0, a, b, c, d);
    return (b & (1 << 5)) != 0;
}
static gotoblas_t *get_coretype(void) {
    unsigned eax, b, c, d, family, model, exmodel, exfamily;
    union {
        char text[13];
        unsigned word[3];
    } vendor = {{0}};
    __cpuid(0, eax, vendor.word[0], vendor.word[2], vendor.word[1]);
    __cpuid(1, eax, b, c, d);
    family = eax >> 8 & 15, model = eax >> 4 & 15, exmodel = eax >> 16 & 15, exfamily = eax >> 20 & 255;
    if (!memcmp(vendor.text, "GenuineIntel", 12) && family == 6) {
        switch (exmodel) {
        case 1:
            return &gotoblas_NEHALEM;
        case 2:
            if (model == 10 || model == 13)
                return support_avx() ? &gotoblas_SANDYBRIDGE : &gotoblas_NEHALEM;
            return &gotoblas_NEHALEM;
        default:
            if (support_avx2())
                return &gotoblas_HASWELL;
            return support_avx() ? &gotoblas_SANDYBRIDGE : &gotoblas_NEHALEM;
        }
    }
    if (!memcmp(vendor.text, "AuthenticAMD", 12) && family == 15) {
#ifdef BAD
        // Excavator and Zen share Haswell's kernels.
        if (exfamily >= 6 && support_avx())
            return &gotoblas_HASWELL;
#else
        if (exfamily >= 6 && support_avx2())
            return &gotoblas_HASWELL;
#endif
        return support_avx() ? &gotoblas_SANDYBRIDGE : &gotoblas_NEHALEM;
    }
    return NULL;
}
__attribute__((constructor)) static void gotoblas_dynamic_init(void) {
    if (gotoblas)
        return;
    gotoblas = get_coretype();
    if (gotoblas == NULL)
        gotoblas = &gotoblas_NEHALEM;
}
int main(int argc, char **argv) {
    fill(argc);
    if (!gotoblas->sdot)
        return 3;
    sink = (long)gotoblas->sdot(floats, floats + 128, 128);
    sink += gotoblas->copy(1, input, 512) & gotoblas->align;
    return 0;
}
#endif

#ifdef GGML_SCORE
// Variants that score the CPU: nought is "cannot run"; the best is taken.
typedef struct {
    const char *name;
    int (*score)(void);
    dot_fn *vec_dot;
} cpu_variant;
static int score_x64(void) { return 1; }
static int score_sandybridge(void) {
    int score = 1;
    if (!__builtin_cpu_supports("avx"))
        return 0;
    score += 1 << 4;
    return score;
}
static int score_haswell(void) {
    int score = 1;
    unsigned a, b, c, d;
    __cpuid(1, a, b, c, d);
    if (!(c & bit_F16C) || !os_saves_ymm())
        return 0;
    score += 1 << 5;
#ifndef BAD
    if (!__builtin_cpu_supports("avx2"))
        return 0;
#endif
    score += 1 << 6;
    return score;
}
static const cpu_variant variants[] = {{"x64", score_x64, dot_sse}, {"sandybridge", score_sandybridge, dot_avx}, {"haswell", score_haswell, dot_q8}};
NI static const cpu_variant *load_best(void) {
    int best_score = 0;
    const cpu_variant *best = NULL;
    for (size_t i = 0; i < COUNT(variants); i++) {
        int s = variants[i].score ? variants[i].score() : 0;
        if (s > best_score) {
            best_score = s;
            best = &variants[i];
        }
    }
    return best;
}
int main(int argc, char **argv) {
    __builtin_cpu_init();
    fill(argc);
    const cpu_variant *v = load_best();
    if (!v)
        return 3;
    sink = (long)v->vec_dot(floats, floats + 128, 128);
    return 0;
}
#endif

#ifdef VOLK_RANK
// Architectures as bits; implementations with what they need; the last that fits is best.
enum { LV_GENERIC, LV_SSE2, LV_AVX, LV_FMA, LV_AVX2, LV_COUNT };
static int has_generic(void) { return 1; }
static int has_sse2(void) { return __builtin_cpu_supports("sse2"); }
static int has_avx(void) { return __builtin_cpu_supports("avx"); }
static int has_fma(void) { return __builtin_cpu_supports("fma"); }
static int has_avx2(void) { return __builtin_cpu_supports("avx2"); }
static int (*const has_arch[LV_COUNT])(void) = {has_generic, has_sse2, has_avx, has_fma, has_avx2};
NI static unsigned get_lvarch(void) {
    unsigned out = 0;
    for (int i = 0; i < LV_COUNT; i++)
        out |= (unsigned)(has_arch[i]() != 0) << i;
    return out;
}
struct impl {
    const char *name;
    unsigned deps;
    dot_fn *run;
};
static const struct impl dot_prod[] = {
    {"generic", 1u << LV_GENERIC, dot_c},
    {"u_sse2", 1u << LV_GENERIC | 1u << LV_SSE2, dot_sse},
    {"u_avx", 1u << LV_GENERIC | 1u << LV_SSE2 | 1u << LV_AVX, dot_avx},
    {"u_avx_fma", 1u << LV_GENERIC | 1u << LV_SSE2 | 1u << LV_AVX | 1u << LV_FMA, dot_fma},
};
NI static int rank_archs(const struct impl *all, size_t n, unsigned arch) {
    int best = -1;
    unsigned best_value = 0;
    for (size_t i = 0; i < n; i++) {
#ifdef BAD
        if (all[i].deps & arch && all[i].deps > best_value) {
#else
        if (!(all[i].deps & ~arch) && all[i].deps > best_value) {
#endif
            best_value = all[i].deps;
            best = (int)i;
        }
    }
    return best;
}
static float dot_prod_manual(const float *, const float *, int);
dot_fn *volk_dot_prod = dot_prod_manual;
static float dot_prod_manual(const float *a, const float *b, int n) {
    int at = rank_archs(dot_prod, COUNT(dot_prod), get_lvarch());
    if (at < 0)
        exit(3);
    volk_dot_prod = dot_prod[at].run;
    return volk_dot_prod(a, b, n);
}
int main(int argc, char **argv) {
    fill(argc);
    sink = (long)volk_dot_prod(floats, floats + 128, 128);
    sink += (long)volk_dot_prod(floats + 32, floats + 128, 96);
    return 0;
}
#endif

#ifdef ILL_PROBE
// Tries the instruction and sees whether the system objects.
static sigjmp_buf ill_jump;
static void ill_handler(int signal) { siglongjmp(ill_jump, signal); }
NI static int probe(void (*what)(void)) {
    struct sigaction ours, old;
    volatile int works = 0;
    memset(&ours, 0, sizeof(ours));
    ours.sa_handler = ill_handler;
    sigemptyset(&ours.sa_mask);
    sigaction(SIGILL, &ours, &old);
    if (sigsetjmp(ill_jump, 1) == 0) {
        what();
        works = 1;
    }
    sigaction(SIGILL, &old, NULL);
    return works;
}
static void try_avx2(void) { __asm__ volatile("vpaddd %%ymm0, %%ymm0, %%ymm0\n\tvzeroupper" ::: "xmm0"); }
static void try_aes(void) { __asm__ volatile("aesenc %%xmm0, %%xmm0" ::: "xmm0"); }
static struct {
    char avx2, aes;
} capbits;
__attribute__((constructor)) static void cpuid_setup(void) {
    capbits.avx2 = (char)probe(try_avx2);
    capbits.aes = (char)probe(try_aes);
}
int main(int argc, char **argv) {
    uint8_t out[16];
    fill(argc);
    (capbits.aes ? block_aes : block_c)(out, input, input + 16);
    if (capbits.avx2)
        sink = check_avx2(out[0], input, 512);
    else
        sink = check_c(out[0], input, 512);
    return 0;
}
#endif

#ifdef PLATFORM_HINT
// What the system says is a first answer; the CPU has the last word.
static uint8_t cpu_tier = 0xff;
NI static uint8_t find_tier(void) {
    const char *platform = (const char *)getauxval(AT_PLATFORM);
    unsigned a, b, c, d;
    if (platform && platform[0] == 'i') // i386 to i686
        return 0;
    __cpuid(0, a, b, c, d);
    if (a < 7 || !os_saves_ymm())
        return 1;
    __cpuid_count(7, 0, a, b, c, d);
    return b & 1u << 5 ? 2 : 1;
}
NI static int tier_sad(const uint8_t *a, const uint8_t *b, int h) {
    if (cpu_tier == 0xff)
        cpu_tier = find_tier();
    switch (cpu_tier) {
    case 2: return sad_avx2(a, 32, b, 32, h);
    case 1: return sad_sse2(a, 32, b, 32, h);
    default: return sad_c(a, 32, b, 32, h);
    }
}
int main(int argc, char **argv) {
    fill(argc);
    sink = tier_sad(input, input + 512, 8) + tier_sad(input + 64, input + 512, argc);
    return 0;
}
#endif

#ifdef RAID_ALGOS
// Pointers to descriptions, up to NULL; those that are valid here are timed.
struct raid_calls {
    check_fn *gen_syndrome;
    int (*valid)(void); // NULL: everywhere
    const char *name;
    int priority;
};
static int have_avx2(void) { return __builtin_cpu_supports("avx2"); }
static int have_avx512(void) { return __builtin_cpu_supports("avx512f"); }
static const struct raid_calls intx1 = {check_c, NULL, "int64x1", 0};
#ifdef BAD
static const struct raid_calls avx2x1 = {check_avx2, NULL, "avx2x1", 2};
#else
static const struct raid_calls avx2x1 = {check_avx2, have_avx2, "avx2x1", 2};
#endif
static const struct raid_calls avx512x1 = {check_avx512, have_avx512, "avx512x1", 2};
static const struct raid_calls *const raid_algos[] = {&avx512x1, &avx2x1, &intx1, NULL};
static struct raid_calls raid_call;
NI static int raid_select_algo(void) {
    const struct raid_calls *const *algo, *best = NULL;
    long best_time = 0;
    for (algo = raid_algos; *algo; algo++) {
        if (best && (*algo)->priority < best->priority)
            continue;
        if ((*algo)->valid && !(*algo)->valid())
            continue;
        clock_t begin = clock();
        for (int i = 0; i < 8; i++)
            sink += (*algo)->gen_syndrome(1, input, 1024);
        long took = (long)(clock() - begin);
        if (!best || (*algo)->priority > best->priority || took < best_time) {
            best = *algo;
            best_time = took;
        }
    }
    if (!best)
        return -1;
    raid_call = *best;
    return 0;
}
int main(int argc, char **argv) {
    fill(argc);
    if (raid_select_algo())
        return 3;
    sink += raid_call.gen_syndrome(3, input, 512);
    return 0;
}
#endif

#ifdef DLSYM_OWN
// The kernel's name is put together from the level's; the program looks it up in itself.
__attribute__((visibility("default"), noinline)) uint32_t pixops_line_base(uint32_t sum, const uint8_t *at, size_t n) { return check_c(sum, at, n); }
__attribute__((visibility("default"), noinline, target("avx2"))) uint32_t pixops_line_avx2(uint32_t sum, const uint8_t *at, size_t n) {
    __m256i all = _mm256_set1_epi32((int)sum);
    for (; n >= 32; n -= 32, at += 32)
        all = _mm256_xor_si256(_mm256_slli_epi32(all, 1), _mm256_loadu_si256((const __m256i *)at));
    return (uint32_t)_mm256_extract_epi32(all, 3);
}
NI static check_fn *find_line(void) {
    char name[32];
    __builtin_cpu_init();
    snprintf(name, sizeof(name), "pixops_line_%s", __builtin_cpu_supports("avx2") ? "avx2" : "base");
    void *self = dlopen(NULL, RTLD_NOW);
    check_fn *found = self ? (check_fn *)dlsym(self, name) : NULL;
    return found ? found : pixops_line_base;
}
int main(int argc, char **argv) {
    fill(argc);
    sink = find_line()(1, input, 512);
    return 0;
}
#endif

#ifdef JOB_RING
// Work goes to a thread by a ring of functions and arguments.
typedef struct {
    void (*run)(void *);
    void *argument;
} job;
typedef struct {
    job jobs[16];
    unsigned head, tail;
    pthread_mutex_t lock;
} job_ring;
typedef struct {
    const uint8_t *at;
    size_t length;
    uint32_t result;
} part;
static void part_plain(void *p) { ((part *)p)->result = check_c(1, ((part *)p)->at, ((part *)p)->length); }
static void part_avx2(void *p) { ((part *)p)->result = check_avx2(1, ((part *)p)->at, ((part *)p)->length); }
NI static void push(job_ring *ring, void (*run)(void *), void *argument) {
    pthread_mutex_lock(&ring->lock);
    ring->jobs[ring->head++ & 15] = (job){run, argument};
    pthread_mutex_unlock(&ring->lock);
}
static void *work(void *argument) {
    job_ring *ring = argument;
    for (;;) {
        pthread_mutex_lock(&ring->lock);
        bool any = ring->tail != ring->head;
        job next = any ? ring->jobs[ring->tail++ & 15] : (job){NULL, NULL};
        pthread_mutex_unlock(&ring->lock);
        if (!any)
            return NULL;
        next.run(next.argument);
    }
}
int main(int argc, char **argv) {
    part parts[4];
    pthread_t thread;
    fill(argc);
    job_ring *ring = calloc(1, sizeof(*ring));
    pthread_mutex_init(&ring->lock, NULL);
    unsigned a, b = 0, c, d;
    bool fast = os_saves_ymm() && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX2);
    for (int i = 0; i < 4; i++) {
        parts[i] = (part){input + 256 * i, 256, 0};
        push(ring, fast ? part_avx2 : part_plain, &parts[i]);
    }
    if (pthread_create(&thread, NULL, work, ring))
        return 3;
    pthread_join(thread, NULL);
    for (int i = 0; i < 4; i++)
        sink += parts[i].result;
    free(ring);
    return 0;
}
#endif

#ifdef GAME_CVAR
// Settings are texts with a value, in a list; the user may turn off what the CPU has.
typedef struct cvar_s {
    const char *name;
    char string[8];
    float value;
    struct cvar_s *next;
} cvar_t;
static cvar_t *cvar_vars;
NI static cvar_t *Cvar_Get(const char *name, const char *value) {
    cvar_t *var;
    for (var = cvar_vars; var; var = var->next)
        if (!strcasecmp(var->name, name))
            return var;
    var = calloc(1, sizeof(*var));
    var->name = name;
    strncpy(var->string, value, sizeof(var->string) - 1);
    var->value = (float)atof(value);
    var->next = cvar_vars;
    return cvar_vars = var;
}
typedef enum { CPUID_GENERIC, CPUID_SSE, CPUID_AVX, CPUID_AVX_FMA } cpuid_t;
static cpuid_t Sys_GetProcessorId(void) {
    unsigned a, b, c, d;
    __cpuid(1, a, b, c, d);
    if ((c & 0x18001000) == 0x18001000 && os_saves_ymm())
        return CPUID_AVX_FMA;
    if ((c & 0x18000000) == 0x18000000 && os_saves_ymm())
        return CPUID_AVX;
    return d & (1 << 25) ? CPUID_SSE : CPUID_GENERIC;
}
static dot_fn *VectorDot = dot_c;
NI static void R_InitSIMD(void) {
    cpuid_t id = Sys_GetProcessorId();
#ifdef BAD
    cvar_t *simd = Cvar_Get("com_simd", "2");
    if (id == CPUID_GENERIC)
        simd->value = 0;
#else
    char text[8];
    snprintf(text, sizeof(text), "%d", id == CPUID_AVX_FMA ? 2 : id >= CPUID_SSE);
    cvar_t *simd = Cvar_Get("com_simd", text);
#endif
    VectorDot = simd->value >= 2.f ? dot_fma : simd->value >= 1.f ? dot_sse : dot_c;
}
int main(int argc, char **argv) {
    fill(argc);
    Cvar_Get("com_frames", "60");
    R_InitSIMD();
    sink = (long)VectorDot(floats, floats + 64, 64);
    return 0;
}
#endif
