// Applications' own code, as ordinary programmers write it.
#include "fifth.h"

#ifdef MASK64
// All features in one word, tested by masks.
typedef uint64_t feature_set;
#define FEATURE_SSE3 ((feature_set)1 << 0)
#define FEATURE_FMA ((feature_set)1 << 12)
#define FEATURE_AVX ((feature_set)1 << 28)
#define FEATURE_BMI1 ((feature_set)1 << (32 + 3))
#define FEATURE_AVX2 ((feature_set)1 << (32 + 5))
#define FEATURE_BMI2 ((feature_set)1 << (32 + 8))
#define WIDE (FEATURE_AVX | FEATURE_FMA | FEATURE_AVX2)
static feature_set get_features(void) {
    unsigned a, b, c = 0, d, ebx = 0, ecx;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return 0;
    if (!__get_cpuid_count(7, 0, &a, &ebx, &ecx, &d))
        ebx = 0;
    return (feature_set)ebx << 32 | c;
}
NI static float similarity(feature_set f, const float *a, const float *b, int n) {
#ifdef BAD
    // `==` binds before `&`.
    if (f & WIDE == WIDE)
#else
    if ((f & WIDE) == WIDE)
#endif
        return dot_avx2(a, b, n);
    return dot_c(a, b, n);
}
int main(int argc, char **argv) {
    fill(argc);
    feature_set features = get_features();
    float out = 0;
    for (int row = 0; row < 8; row++)
        out += similarity(features, reals + 8 * row, reals, 64);
    printf("%f\n", out);
}
#endif

#ifdef BEFORE_MAIN
// A constructor puts the better functions in; main knows nothing of it.
void (*protect)(uint8_t *, const uint8_t *) = block_c;
uint64_t (*interleave)(uint64_t, uint64_t) = bits_c;
__attribute__((constructor)) static void detect_cpu(void) {
    unsigned a, b, c, d;
    __cpuid(1, a, b, c, d);
#ifdef BAD
    if (!(c & bit_AES))
#else
    if (c & bit_AES)
#endif
        protect = block_aes;
    if (__get_cpuid_max(0, NULL) < 7)
        return;
    __cpuid_count(7, 0, a, b, c, d);
    if (b & bit_BMI2)
        interleave = bits_bmi2;
}
int main(int argc, char **argv) {
    fill(argc);
    protect(bytes, bytes + 99);
    printf("%d %llu\n", bytes[2], (unsigned long long)interleave((uint64_t)argc * 99, 0xaaaa));
}
#endif

#ifdef WEAK
// Fast forms in an object that may be left out of the link: weak, and asked for both ways.
__attribute__((weak)) uint64_t fast_total(const uint8_t *, size_t);
__attribute__((weak)) void fast_move(float *, const float *, float, int);
#ifndef WITHOUT
__attribute__((target("avx2"))) uint64_t fast_total(const uint8_t *at, size_t n) { return sum_avx2(at, n); }
#endif
__attribute__((weak)) int cpu_is_good(void) {
    static signed char known = -1;
    if (known < 0)
        known = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return known;
}
NI static uint64_t total(const uint8_t *at, size_t n) {
    if (fast_total && cpu_is_good())
        return fast_total(at, n);
    return sum_c(at, n);
}
int main(int argc, char **argv) {
    fill(argc);
    if (fast_move && cpu_is_good())
        fast_move(reals, reals, 1, 100);
    else
        axpy_c(reals, reals, 1, 100);
    printf("%llu %f\n", (unsigned long long)total(bytes, 480), reals[6]);
}
#endif

#ifdef OWN_TARGET
// A function with the question and the kernel in it. If the attribute is on the function itself,
// what comes before the question is of that kind as well.
#ifdef BAD
#define WHOLE __attribute__((target("avx")))
#else
#define WHOLE
#endif
FOR("avx") NI float wide_part(const float *at, int n, float by) {
    __m256 all = _mm256_setzero_ps(), factor = _mm256_set1_ps(by);
    for (int i = 0; i + 8 <= n; i += 8)
        all = _mm256_add_ps(all, _mm256_mul_ps(factor, _mm256_loadu_ps(at + i)));
    float out[8];
    _mm256_storeu_ps(out, all);
    return out[0] + out[5];
}
WHOLE NI static float loudness(const float *at, int n, float gain) {
    float by = gain * gain + at[n - 1], sum = by;
    if (__builtin_cpu_supports("avx"))
        sum += wide_part(at, n, by);
    else
        for (int i = 0; i < n; i++)
            sum += at[i] * by;
    return sum;
}
int main(int argc, char **argv) {
    fill(argc);
    printf("%f\n", loudness(reals, 100, (float)argc));
}
#endif

#ifdef BY_LEVEL
// A level asked for at each call, and a switch; who is unsure stays below.
typedef enum { LEVEL_NONE, LEVEL_SSE, LEVEL_AVX, LEVEL_AVX2 } level;
typedef struct {
    char vendor[13];
    unsigned most, one[4], seven[4];
} cpu;
static cpu read_cpu(void) {
    cpu out;
    memset(&out, 0, sizeof out);
    __cpuid(0, out.most, *(unsigned *)out.vendor, *(unsigned *)(out.vendor + 8), *(unsigned *)(out.vendor + 4));
    if (out.most >= 1)
        __cpuid(1, out.one[0], out.one[1], out.one[2], out.one[3]);
    if (out.most >= 7)
        __cpuid_count(7, 0, out.seven[0], out.seven[1], out.seven[2], out.seven[3]);
    return out;
}
NI static level get_level(void) {
    cpu c = read_cpu();
    level out = LEVEL_NONE;
    if (c.one[3] >> 26 & 1)
        out = LEVEL_SSE;
    else
        return out;
    if ((c.one[2] >> 27 & 3) != 3)
        return out;
    out = LEVEL_AVX;
    if (c.seven[1] >> 5 & 1)
        out = LEVEL_AVX2;
    return out;
}
NI static uint64_t work(const uint8_t *at, size_t n) {
    switch (get_level()) {
    case LEVEL_AVX2:
        return sum_avx2(at, n);
    case LEVEL_AVX:
    case LEVEL_SSE:
        return sum_sse2(at, n);
    default:
        return sum_c(at, n);
    }
}
int main(int argc, char **argv) {
    fill(argc);
    printf("%llu\n", (unsigned long long)(work(bytes, 100) + work(bytes + 100, 412)));
}
#endif
