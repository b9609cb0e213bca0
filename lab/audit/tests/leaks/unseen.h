#pragma once
// What the programs of the second set share: a kernel, a plain one, and two questions.
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cpuid.h>
#define NI __attribute__((noinline))
__attribute__((target("avx2"), noinline)) static long sum_avx2(const int *p, long n) {
    __m256i s = _mm256_setzero_si256();
    long i = 0;
    for (; i + 8 <= n; i += 8)
        s = _mm256_add_epi32(s, _mm256_loadu_si256((const __m256i *)(p + i)));
    int t[8];
    _mm256_storeu_si256((__m256i *)t, s);
    long r = 0;
    for (int k = 0; k < 8; k++)
        r += t[k];
    for (; i < n; i++)
        r += p[i];
    return r;
}
NI static long sum_base(const int *p, long n) {
    long r = 0;
    for (long i = 0; i < n; i++)
        r += p[i];
    return r;
}
static int data[64];
static void fill(int k) {
    for (int i = 0; i < 64; i++)
        data[i] = i * k;
}
static inline int avx2_by_cpuid(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return 0;
    if (!(b >> 5 & 1))
        return 0;
    __cpuid(1, a, b, c, d);
    if (!(c >> 27 & 1))
        return 0;
    unsigned lo, hi;
    __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    return (lo & 6) == 6;
}
static inline int sse42_by_cpuid(void) {
    unsigned a, b, c, d;
    __cpuid(1, a, b, c, d);
    return c >> 20 & 1;
}
