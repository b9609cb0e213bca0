// A program for several systems that does not trust cpuid: each instruction set is tried once under
// a handler of SIGILL, from which siglongjmp returns.
#define _GNU_SOURCE
#include <immintrin.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAP_AVX 1u
#define CAP_AVX2 2u
#define CAP_BMI2 4u
static uint32_t capabilities;
static sigjmp_buf ill_jmp;
static void ill_handler(int sig) { siglongjmp(ill_jmp, sig); }

static void probe_avx(void) { __asm__ volatile("vxorps %%ymm0, %%ymm0, %%ymm0\n\tvzeroupper" ::: "xmm0"); }
static void probe_avx2(void) { __asm__ volatile("vpaddd %%ymm0, %%ymm0, %%ymm0\n\tvzeroupper" ::: "xmm0"); }
static void probe_bmi2(void) { __asm__ volatile("rorx $1, %%rax, %%rax" ::: "rax"); }

static void cpuid_setup(void) {
    static const struct {
        void (*probe)(void);
        uint32_t bit;
    } probes[] = {
        {probe_avx, CAP_AVX},
#ifdef BAD
        // Copied from the line above, and the function's name was left.
        {probe_avx, CAP_AVX2},
#else
        {probe_avx2, CAP_AVX2},
#endif
        {probe_bmi2, CAP_BMI2},
    };
    struct sigaction act, old;
    memset(&act, 0, sizeof act);
    act.sa_handler = ill_handler;
    sigfillset(&act.sa_mask);
    sigdelset(&act.sa_mask, SIGILL);
    if (sigaction(SIGILL, &act, &old))
        return;
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++)
        if (sigsetjmp(ill_jmp, 1) == 0) {
            probes[i].probe();
            capabilities |= probes[i].bit;
        }
    sigaction(SIGILL, &old, NULL);
}

static uint64_t parity_plain(const uint64_t *p, size_t n) {
    uint64_t x = 0;
    for (size_t i = 0; i < n; i++)
        x ^= p[i];
    return x;
}
__attribute__((target("avx2"))) static uint64_t parity_avx2(const uint64_t *p, size_t n) {
    __m256i x = _mm256_setzero_si256();
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        x = _mm256_xor_si256(x, _mm256_loadu_si256((const __m256i *)(p + i)));
    uint64_t part[4];
    _mm256_storeu_si256((__m256i *)part, x);
    return part[0] ^ part[1] ^ part[2] ^ part[3] ^ parity_plain(p + i, n - i);
}
static uint64_t spread_plain(uint64_t v, uint64_t mask) {
    uint64_t out = 0;
    for (uint64_t bit = 1; mask; mask &= mask - 1, bit <<= 1)
        if (v & bit)
            out |= mask & -mask;
    return out;
}
__attribute__((target("bmi2"))) static uint64_t spread_bmi2(uint64_t v, uint64_t mask) { return _pdep_u64(v, mask); }

int main(int argc, char **argv) {
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 250;
    if (n > 100000)
        return 3;
    cpuid_setup();
    uint64_t *stripe = malloc((n + 1) * sizeof *stripe);
    if (!stripe)
        return 3;
    for (size_t i = 0; i < n; i++)
        stripe[i] = (i + 1) * 0x9e3779b97f4a7c15ull;
    uint64_t parity = capabilities & CAP_AVX2 ? parity_avx2(stripe, n) : parity_plain(stripe, n);
    uint64_t spread = capabilities & CAP_BMI2 ? spread_bmi2(parity, 0x5555555555555555ull) : spread_plain(parity, 0x5555555555555555ull);
    if (parity != parity_plain(stripe, n) || spread != spread_plain(parity, 0x5555555555555555ull)) {
        fprintf(stderr, "parity %llx\n", (unsigned long long)parity);
        return 1;
    }
    printf("parity %016llx, spread %016llx\n", (unsigned long long)parity, (unsigned long long)spread);
    free(stripe);
    return 0;
}
