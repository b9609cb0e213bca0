// What a vendor's compiler makes of a function with automatic versions: a loop that compares an
// indicator with each version's mask, and fills the indicator when it is zero.
#include <cpuid.h>
#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define F_GENERIC 0x1ull
#define F_SSE2 0x20ull
#define F_SSE4_2 0x400ull
#define F_POPCNT 0x800ull
#define F_AVX 0x10000ull
#define F_F16C 0x20000ull
#define F_FMA 0x40000ull
#define F_BMI 0x80000ull
#define F_AVX2 0x800000ull
#define MASK_CORE_AVX2 (F_SSE2 | F_SSE4_2 | F_POPCNT | F_AVX | F_F16C | F_FMA | F_BMI | F_AVX2)
#define MASK_AVX (F_SSE2 | F_SSE4_2 | F_POPCNT | F_AVX)

uint64_t cpu_feature_indicator_x[2];

__attribute__((noinline)) void cpu_features_init_x(void) {
    unsigned a, b, c, d, max;
    uint64_t word = F_GENERIC;
    __cpuid(0, max, b, c, d);
    __cpuid(1, a, b, c, d);
    if (d >> 26 & 1)
        word |= F_SSE2;
    if (c >> 20 & 1)
        word |= F_SSE4_2;
    if (c >> 23 & 1)
        word |= F_POPCNT;
    if (c >> 27 & 1) {
        uint32_t lo, hi;
        __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(lo), "=d"(hi) : "c"(0));
        if ((lo & 6) == 6) {
            if (c >> 28 & 1)
                word |= F_AVX;
            if (c >> 29 & 1)
                word |= F_F16C;
            if (c >> 12 & 1)
                word |= F_FMA;
            if (max >= 7) {
                __cpuid_count(7, 0, a, b, c, d);
                if (b >> 3 & 1)
                    word |= F_BMI;
                if (b >> 5 & 1)
                    word |= F_AVX2;
            }
        }
    }
    cpu_feature_indicator_x[0] = word;
}

static double horner_A(const double *c, int n, double x) {
    double y = 0;
    for (int i = n; i-- > 0;)
        y = y * x + c[i];
    return y;
}
__attribute__((target("avx,fma"))) static double horner_V(const double *c, int n, double x) {
    // Four polynomials of x^4 at a time.
    __m256d y = _mm256_setzero_pd(), x4 = _mm256_set1_pd(x * x * x * x);
    int whole = n & ~3;
    for (int i = whole - 4; i >= 0; i -= 4)
        y = _mm256_fmadd_pd(y, x4, _mm256_loadu_pd(c + i));
    double part[4];
    _mm256_storeu_pd(part, y);
    double all = part[0] + x * (part[1] + x * (part[2] + x * part[3])), power = 1;
    for (int i = 0; i < whole; i++)
        power *= x;
    for (int i = whole; i < n; i++, power *= x)
        all += c[i] * power;
    return all;
}
double horner(const double *c, int n, double x) {
    for (;;) {
#ifdef BAD
        // The mask of the generation before.
        if ((cpu_feature_indicator_x[0] & MASK_AVX) == MASK_AVX)
#else
        if ((cpu_feature_indicator_x[0] & MASK_CORE_AVX2) == MASK_CORE_AVX2)
#endif
            return horner_V(c, n, x);
        if (cpu_feature_indicator_x[0] & F_GENERIC)
            return horner_A(c, n, x);
        cpu_features_init_x();
    }
}
static int64_t dot_A(const int16_t *p, const int16_t *q, int n) {
    int64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += p[i] * q[i];
    return sum;
}
__attribute__((target("avx2"))) static int64_t dot_V(const int16_t *p, const int16_t *q, int n) {
    __m256i sum = _mm256_setzero_si256();
    int i = 0;
    for (; i + 16 <= n; i += 16)
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_loadu_si256((const __m256i *)(p + i)), _mm256_loadu_si256((const __m256i *)(q + i))));
    int32_t part[8];
    _mm256_storeu_si256((__m256i *)part, sum);
    int64_t all = 0;
    for (int k = 0; k < 8; k++)
        all += part[k];
    for (; i < n; i++)
        all += p[i] * q[i];
    return all;
}
int64_t dot(const int16_t *p, const int16_t *q, int n) {
    for (;;) {
        if ((cpu_feature_indicator_x[0] & MASK_CORE_AVX2) == MASK_CORE_AVX2)
            return dot_V(p, q, n);
        if (cpu_feature_indicator_x[0] & F_GENERIC)
            return dot_A(p, q, n);
        cpu_features_init_x();
    }
}

int main(int argc, char **argv) {
    double x = argc > 1 ? strtod(argv[1], NULL) : 0.5, c[15];
    int16_t p[100], q[100];
    for (int i = 0; i < 15; i++)
        c[i] = i + 1;
    for (int i = 0; i < 100; i++)
        p[i] = (int16_t)(i * 31 % 201 - 100), q[i] = (int16_t)(i * 17 % 83);
    double y = horner(c, 15, x), plain = horner_A(c, 15, x);
    int64_t sum = dot(p, q, 100);
    if (fabs(y - plain) > 1e-9 * fabs(plain) || sum != dot_A(p, q, 100)) {
        fprintf(stderr, "%g is not %g\n", y, plain);
        return 1;
    }
    printf("%.6f %lld\n", y, (long long)sum);
    return 0;
}
