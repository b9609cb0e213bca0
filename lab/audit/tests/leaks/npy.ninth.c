// An array library's CPU features: a table of bytes by an enum, names in a table beside, a variable of
// the environment that disables some with errors for what is unknown, and dispatch by macros.
#include "ninth.h"
#include <cpuid.h>
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum npy_cpu_features { NPY_NONE, NPY_SSE2, NPY_SSE41, NPY_AVX, NPY_F16C, NPY_FMA3, NPY_AVX2, NPY_AVX512F, NPY_AVX512_SKX, NPY_MAX };
static unsigned char have[NPY_MAX];
static const struct {
    enum npy_cpu_features feature;
    const char *string;
} features[] = {{NPY_SSE2, "SSE2"}, {NPY_SSE41, "SSE41"}, {NPY_AVX, "AVX"}, {NPY_F16C, "F16C"}, {NPY_FMA3, "FMA3"}, {NPY_AVX2, "AVX2"}, {NPY_AVX512F, "AVX512F"}, {NPY_AVX512_SKX, "AVX512_SKX"}};
#define NPY_CPU_HAVE(NAME) have[NPY_##NAME]
static char last_error[160];

static void init_features(void) {
    memset(have, 0, sizeof have);
    unsigned a, b, c, d;
    __cpuid(1, a, b, c, d);
    have[NPY_SSE2] = (d & (1 << 26)) != 0;
    have[NPY_SSE41] = (c & (1 << 19)) != 0;
    if ((c & (1 << 27)) == 0)
        return;
    unsigned xcr0, edx;
    __asm__(".byte 0x0f, 0x01, 0xd0" : "=a"(xcr0), "=d"(edx) : "c"(0));
    if ((xcr0 & 6) != 6)
        return;
    have[NPY_AVX] = (c & (1 << 28)) != 0;
    if (!have[NPY_AVX])
        return;
    have[NPY_F16C] = (c & (1 << 29)) != 0;
    have[NPY_FMA3] = (c & (1 << 12)) != 0;
    __cpuid_count(7, 0, a, b, c, d);
    have[NPY_AVX2] = (b & (1 << 5)) != 0;
    if (!have[NPY_AVX2])
        return;
    if ((xcr0 & 0xe6) != 0xe6)
        return;
    have[NPY_AVX512F] = (b & (1 << 16)) != 0;
    have[NPY_AVX512_SKX] = have[NPY_AVX512F] && (b >> 17 & b >> 28 & b >> 30 & b >> 31 & 1);
}
static int feature_id(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        if (strlen(features[i].string) == length && !strncmp(features[i].string, name, length))
            return features[i].feature;
    return 0;
}
static int check_env(int disable, const char *env) {
    static const char *const names[] = {"NPY_ENABLE_CPU_FEATURES", "NPY_DISABLE_CPU_FEATURES"};
    unsigned char asked[NPY_MAX] = {0};
    for (const char *p = env + strspn(env, ", \t"); *p; p += strspn(p, ", \t")) {
        size_t length = strcspn(p, ", \t");
        int id = feature_id(p, length);
        if (!id) {
            snprintf(last_error, sizeof last_error, "During parsing of '%s': '%.*s' is no feature", names[disable], (int)length, p);
            return -1;
        }
        if (id <= NPY_SSE41 && disable) {
            snprintf(last_error, sizeof last_error, "You cannot disable CPU feature '%.*s', since it is part of the baseline", (int)length, p);
            return -1;
        }
        asked[id] = 1;
        p += length;
    }
    for (int i = NPY_AVX; i < NPY_MAX; i++)
        if (disable ? asked[i] : !asked[i])
            have[i] = 0;
    return 0;
}
static int npy_cpu_init(void) {
    init_features();
    char *enable = getenv("NPY_ENABLE_CPU_FEATURES"), *disable = getenv("NPY_DISABLE_CPU_FEATURES");
    if (enable && *enable && disable && *disable) {
        snprintf(last_error, sizeof last_error, "Both are set");
        return -1;
    }
    if (enable && *enable)
        return check_env(0, enable);
    return disable && *disable ? check_env(1, disable) : 0;
}

typedef void (*loop_fn)(char **args, const intptr_t *dims, const intptr_t *steps, void *data);
static void FLOAT_multiply_add(char **args, const intptr_t *dims, const intptr_t *steps, void *data) {
    const float *a = (const float *)args[0], *b = (const float *)args[1];
    float *out = (float *)args[2];
    (void)steps, (void)data;
    for (intptr_t i = 0; i < dims[0]; i++)
        out[i] = a[i] * b[i] + out[i];
}
__attribute__((target("avx2,fma"))) static void FLOAT_multiply_add_AVX2(char **args, const intptr_t *dims, const intptr_t *steps, void *data) {
    const float *a = (const float *)args[0], *b = (const float *)args[1];
    float *out = (float *)args[2];
    intptr_t i = 0, n = dims[0];
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(out + i, _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), _mm256_loadu_ps(out + i)));
    const __m256i mask = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(n - i)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    __m256 last = _mm256_fmadd_ps(_mm256_maskload_ps(a + i, mask), _mm256_maskload_ps(b + i, mask), _mm256_maskload_ps(out + i, mask));
    _mm256_maskstore_ps(out + i, mask, last);
    (void)steps, (void)data;
}
__attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,avx512cd"))) static void FLOAT_multiply_add_AVX512_SKX(char **args, const intptr_t *dims, const intptr_t *steps, void *data) {
    const float *a = (const float *)args[0], *b = (const float *)args[1];
    float *out = (float *)args[2];
    (void)steps, (void)data;
    for (intptr_t i = 0; i < dims[0]; i += 16) {
        __mmask16 m = dims[0] - i >= 16 ? 0xffff : (__mmask16)((1u << (dims[0] - i)) - 1);
        __m512 v = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(m, a + i), _mm512_maskz_loadu_ps(m, b + i), _mm512_maskz_loadu_ps(m, out + i));
        _mm512_mask_storeu_ps(out + i, m, v);
    }
}
#define NPY__CPU_DISPATCH_CALL(CB) CB((NPY_CPU_HAVE(AVX512_SKX)), AVX512_SKX) CB(AVX2_TEST, AVX2)
#ifdef BAD
// The two that the target names, by the one that comes first in the configuration.
#define AVX2_TEST (NPY_CPU_HAVE(FMA3) && NPY_CPU_HAVE(AVX))
#else
#define AVX2_TEST (NPY_CPU_HAVE(AVX2) && NPY_CPU_HAVE(FMA3))
#endif
typedef struct {
    const char *name;
    loop_fn loop;
    int nargs;
} ufunc;
static int init_ufuncs(ufunc *u) {
    u->name = "multiply_add";
    u->nargs = 3;
    u->loop = NULL;
#define CB(TEST, NAME) \
    if (!u->loop && (TEST)) \
        u->loop = FLOAT_multiply_add_##NAME;
    NPY__CPU_DISPATCH_CALL(CB)
#undef CB
    if (!u->loop)
        u->loop = FLOAT_multiply_add;
    return 0;
}
int main(int argc, char **argv) {
    if (npy_cpu_init() < 0) {
        fprintf(stderr, "%s: %s\n", argv[0], last_error);
        return 3;
    }
    ufunc u;
    if (init_ufuncs(&u))
        return 3;
    static float a[120], b[120], out[120];
    for (int i = 0; i < 120; i++)
        a[i] = (float)(i % 8), b[i] = (float)(i % 3), out[i] = 1;
    intptr_t dims = argc > 1 ? 64 : 117, steps[3] = {4, 4, 4};
    u.loop((char *[]){(char *)a, (char *)b, (char *)out}, &dims, steps, NULL);
    double sum = 0;
    for (int i = 0; i < 120; i++)
        sum += out[i];
    printf("%s %.1f, found:", u.name, sum);
    for (size_t i = 0; i < sizeof features / sizeof *features && argc > 1; i++)
        if (have[features[i].feature])
            printf(" %s", features[i].string);
    puts("");
    return 0;
}
