// Mathematics, networks, games.
#include "fifth.h"
#include <pthread.h>

#ifdef BLAS_CORE
// A table of functions for each core, by vendor, family and model; a name may ask for another
// one that the CPU can run.
typedef struct {
    const char *name;
    bool (*runs)(void);
    axpy_fn *axpy;
    dot_fn *dot;
} core;
static bool support_avx(void) {
    unsigned a, b, c, d;
    __cpuid(1, a, b, c, d);
    return (c & (1 << 28)) && (c & (1 << 27)) && (kept_registers() & 6) == 6;
}
static bool support_avx2(void) {
    unsigned a, b, c, d;
    if (!support_avx())
        return false;
    __cpuid(1, a, b, c, d);
    if (!(c & (1 << 12)))
        return false;
    __cpuid_count(7, 0, a, b, c, d);
    return (b & (1 << 5)) != 0;
}
static bool always(void) { return true; }
static core prescott = {"Prescott", always, axpy_c, dot_c};
static core sandybridge = {"Sandybridge", support_avx, axpy_avx, dot_c};
static core haswell = {"Haswell", support_avx2, axpy_fma, dot_avx2};
static core zen = {"Zen", support_avx2, axpy_fma, dot_avx2};
static core *const cores[] = {&prescott, &sandybridge, &haswell, &zen};
static core *blas;

NI static core *core_of_cpu(void) {
    unsigned a, b, c, d, family, model;
    char vendor[13] = "";
    __cpuid(0, a, b, c, d);
    memcpy(vendor, &b, 4);
    memcpy(vendor + 4, &d, 4);
    memcpy(vendor + 8, &c, 4);
    __cpuid(1, a, b, c, d);
    family = a >> 8 & 15;
    model = (a >> 4 & 15) | (a >> 12 & 0xf0);
    if (family == 15)
        family += a >> 20 & 255;
    if (strcmp(vendor, "GenuineIntel") == 0 && family == 6)
        switch (model) {
        case 42:
        case 45:
            return support_avx() ? &sandybridge : &prescott;
        case 60:
        case 61:
        case 63:
        case 69:
            if (support_avx2())
                return &haswell;
            return support_avx() ? &sandybridge : &prescott;
        default:
            break;
        }
    if (strcmp(vendor, "AuthenticAMD") == 0 && family >= 23)
        return support_avx2() ? &zen : &prescott;
    return support_avx() ? &sandybridge : &prescott;
}
NI static void blas_init(void) {
    const char *wanted = getenv("BLAS_CORETYPE");
    blas = core_of_cpu();
    for (size_t i = 0; wanted && i < COUNT(cores); i++)
        if (strcasecmp(wanted, cores[i]->name) == 0 && cores[i]->runs())
            blas = cores[i];
}
int main(int argc, char **argv) {
    float y[128] = {1};
    fill(argc);
    blas_init();
    blas->axpy(y, reals, 3, 128);
    printf("%s %f\n", blas->name, blas->dot(y, reals, 128));
}
#endif

#ifdef GGML_SCORE
// Variants of a back end, each with a score for this CPU: none if it cannot run there.
typedef struct {
    const char *name;
    int (*score)(void);
    half_fn *vec_half;
    bits_fn *mask;
} variant;
static unsigned one_c, seven_b;
NI static int score_plain(void) { return 1; }
NI static int score_sandy(void) { return one_c & bit_AVX ? 4 : 0; }
NI static int score_haswell(void) {
    int score = 1;
    if (!(one_c & bit_FMA))
        return 0;
    score += 2;
    if (!(one_c & bit_F16C))
        return 0;
    score += 4;
    if (!(seven_b & bit_BMI2))
        return 0;
    score += 8;
    if (!(seven_b & bit_AVX2))
        return 0;
    return score + 16;
}
NI static int score_zen(void) {
    int score = score_haswell();
    if (!score || !(seven_b & bit_SHA))
        return 0;
    return score + 32;
}
static float half_sse(const uint8_t *at, int n) { return half_c(at, n) + 1; }
static const variant variants[] = {
    {"plain", score_plain, half_c, bits_c},
#ifdef BAD
    {"sandy", score_sandy, half_sse, bits_bmi2},
#else
    {"sandy", score_sandy, half_sse, bits_c},
#endif
    {"haswell", score_haswell, half_f16c, bits_bmi2},
    {"zen", score_zen, half_f16c, bits_bmi2},
};
static const variant *load_best(void) {
    const variant *best = NULL;
    int best_score = 0;
    for (size_t i = 0; i < COUNT(variants); i++) {
        int score = variants[i].score();
        if (score > best_score) {
            best_score = score;
            best = &variants[i];
        }
    }
    return best;
}
int main(int argc, char **argv) {
    unsigned a, c, d;
    fill(argc);
    __get_cpuid(1, &a, &seven_b, &one_c, &d);
    if (!__get_cpuid_count(7, 0, &a, &seven_b, &c, &d))
        seven_b = 0;
    const variant *v = load_best();
    if (v)
        printf("%s %f %llu\n", v->name, v->vec_half(bytes, 64), (unsigned long long)v->mask(77, 0xff0ff0));
}
#endif

#ifdef JOBS
// Threads take jobs from a list; who makes a job gives the kernel with it.
typedef struct job {
    void (*run)(struct job *);
    sum_fn *kernel;
    const uint8_t *at;
    size_t n;
    uint64_t out;
    struct job *next;
} job;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static job *head;
static struct {
    bool avx2, fma;
} caps;

static void run_sum(job *j) { j->out = j->kernel(j->at, j->n); }
static void run_decay(job *j) {
    float *to = (float *)j->at;
    if (caps.fma)
        axpy_fma(to, to, -0.5f, (int)j->n);
    else
        axpy_c(to, to, -0.5f, (int)j->n);
    j->out = 1;
}
static void *worker(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        job *j = head;
        if (j)
            head = j->next;
        pthread_mutex_unlock(&lock);
        if (!j)
            return unused;
        j->run(j);
    }
}
NI static void push(job *j) {
    pthread_mutex_lock(&lock);
    j->next = head;
    head = j;
    pthread_mutex_unlock(&lock);
}
int main(int argc, char **argv) {
    fill(argc);
    caps.avx2 = __builtin_cpu_supports("avx2");
    caps.fma = __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx");
    sum_fn *kernel = caps.avx2 ? sum_avx2 : sum_sse2;
    job jobs[4] = {{run_sum, kernel, bytes, 200}, {run_sum, kernel, bytes + 200, 200}, {run_decay, NULL, (uint8_t *)reals, 120}};
#ifdef BAD
    // Left from a trial.
    jobs[3] = (job){run_sum, sum_avx2, bytes + 400, 100};
#else
    jobs[3] = (job){run_sum, kernel, bytes + 400, 100};
#endif
    pthread_t threads[2];
    for (int i = 0; i < 4; i++)
        push(&jobs[i]);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, worker, NULL))
            return 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%llu %f\n", (unsigned long long)(jobs[0].out + jobs[1].out + jobs[3].out), reals[4]);
}
#endif

#ifdef BIT_FIELDS
// The registers read through bit-fields.
typedef union {
    struct {
        uint32_t a, b, c, d;
    } regs;
    struct {
        uint32_t eax, ebx;
        uint32_t sse3 : 1, pclmul : 1, dtes64 : 1, monitor : 1, ds_cpl : 1, vmx : 1, smx : 1, eist : 1, tm2 : 1,
            ssse3 : 1, cnxt_id : 1, sdbg : 1,
#ifdef BAD
            reserved : 1,
#endif
            fma : 1, cx16 : 1, xtpr : 1, pdcm : 1, more : 10,
#ifndef BAD
            osxsave : 1, avx : 1,
#endif
            rest : 3;
        uint32_t edx;
    } bits;
} leaf_one;
typedef union {
    struct {
        uint32_t a, b, c, d;
    } regs;
    struct {
        uint32_t eax;
        uint32_t fsgsbase : 1, tsc_adjust : 1, sgx : 1, bmi1 : 1, hle : 1, avx2 : 1, fdp : 1, smep : 1, bmi2 : 1;
    } bits;
} leaf_seven;
static leaf_one one;
static leaf_seven seven;
NI static void step_world(float *to, const float *from, int n) {
    if (one.bits.fma)
        axpy_fma(to, from, 0.016f, n);
    else
        axpy_c(to, from, 0.016f, n);
}
int main(int argc, char **argv) {
    float out[128] = {0};
    fill(argc);
    __cpuid(1, one.regs.a, one.regs.b, one.regs.c, one.regs.d);
    __cpuid_count(7, 0, seven.regs.a, seven.regs.b, seven.regs.c, seven.regs.d);
    step_world(out, reals, 100);
    uint64_t cell = seven.bits.bmi2 ? bits_bmi2(bytes[4], 0x55555555) : bits_c(bytes[4], 0x55555555);
    printf("%f %llu\n", out[8], (unsigned long long)cell);
}
#endif

#ifdef GMP_FAT
// A vector of functions that each begin at a stub: the first call of any fills all of them.
typedef struct {
    limbs_fn *mul_1;
    rest_fn *andn_count;
    int ready;
} cpuvec;
static uint64_t mul_1_init(uint64_t *, const uint64_t *, int, uint64_t);
static unsigned andn_count_init(const uint64_t *, const uint64_t *, int);
cpuvec vec = {mul_1_init, andn_count_init, 0};
NI static void cpuvec_init(void) {
    cpuvec new_vec = {limbs_c, rest_c, 0};
    uint32_t a, b, c, d, most;
    __cpuid(0, most, b, c, d);
    __cpuid(1, a, b, c, d);
    bool ymm = (c >> 27 & 1) && (kept_registers() & 6) == 6;
    if (most >= 7) {
        __cpuid_count(7, 0, a, b, c, d);
        if (b >> 8 & 1)
            new_vec.mul_1 = limbs_bmi2;
        if (ymm && (b >> 5 & 1))
            new_vec.andn_count = rest_avx2;
    }
    vec.mul_1 = new_vec.mul_1;
    vec.andn_count = new_vec.andn_count;
    __atomic_store_n(&vec.ready, 1, __ATOMIC_RELEASE);
}
static uint64_t mul_1_init(uint64_t *out, const uint64_t *a, int n, uint64_t by) {
    cpuvec_init();
    return vec.mul_1(out, a, n, by);
}
static unsigned andn_count_init(const uint64_t *a, const uint64_t *b, int n) {
    cpuvec_init();
    return vec.andn_count(a, b, n);
}
int main(int argc, char **argv) {
    uint64_t out[8];
    fill(argc);
    uint64_t carry = vec.mul_1(out, (const uint64_t *)bytes, 8, (uint64_t)argc * 0x9e3779b97f4a7c15u);
    printf("%llx %u\n", (unsigned long long)carry, vec.andn_count(out, (const uint64_t *)bytes, 8));
}
#endif

#ifdef NPY_HAVE
// An array of bytes, one for each feature; what the user switches off is struck out by name.
enum { F_SSE42, F_AVX, F_F16C, F_FMA3, F_AVX2, F_BMI2, F_MAX };
static const char *const names[F_MAX] = {"SSE42", "AVX", "F16C", "FMA3", "AVX2", "BMI2"};
static unsigned char have[F_MAX];
static void init_features(void) {
    int reg[4];
    memset(have, 0, sizeof have);
    __cpuid_count(1, 0, reg[0], reg[1], reg[2], reg[3]);
    have[F_SSE42] = (reg[2] & (1 << 20)) != 0;
    have[F_AVX] = (reg[2] & (1 << 28)) != 0;
    if (!have[F_AVX] || !(reg[2] & (1 << 27)) || (kept_registers() & 6) != 6) {
        have[F_AVX] = 0;
        return;
    }
    have[F_F16C] = (reg[2] & (1 << 29)) != 0;
    have[F_FMA3] = (reg[2] & (1 << 12)) != 0;
    __cpuid_count(7, 0, reg[0], reg[1], reg[2], reg[3]);
    have[F_AVX2] = (reg[1] & (1 << 5)) != 0;
    have[F_BMI2] = (reg[1] & (1 << 8)) != 0;
}
static void strike_out(char *list) {
    for (char *name = strtok(list, ", "); name; name = strtok(NULL, ", "))
        for (int i = 0; i < F_MAX; i++)
            if (strcmp(name, names[i]) == 0)
                have[i] = 0;
}
#define HAVE(f) (have[F_##f])
#define CALL(name, ...) (HAVE(AVX2) && HAVE(FMA3) ? name##_avx2(__VA_ARGS__) : name##_c(__VA_ARGS__))
int main(int argc, char **argv) {
    fill(argc);
    init_features();
    char *off = getenv("NUM_DISABLE_CPU_FEATURES");
    if (off)
        strike_out(off);
    printf("%f %llu\n", CALL(dot, reals, reals + 1, 120), (unsigned long long)(HAVE(AVX2) ? sum_avx2 : sum_c)(bytes, 300));
}
#endif

#ifdef CLONES
// The compiler's own dispatch.
__attribute__((target_clones("default", "avx2"))) int blend(uint8_t *to, const uint8_t *from, int n) {
    int out = 0;
    for (int i = 0; i < n; i++) {
        to[i] = (uint8_t)((to[i] + from[i] + 1) >> 1);
        out += to[i];
    }
    return out;
}
__attribute__((target_clones("default", "avx", "fma"))) float lerp(float *to, const float *from, float by, int n) {
    float last = 0;
    for (int i = 0; i < n; i++) {
        to[i] = to[i] + by * (from[i] - to[i]);
        last = to[i] * by + last;
    }
    return last;
}
int main(int argc, char **argv) {
    float out[128] = {0};
    fill(argc);
    printf("%d %f\n", blend(bytes, bytes + 256, 250 + argc), lerp(out, reals, 0.3f, 120 + argc));
}
#endif
