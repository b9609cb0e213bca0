// Modules of a scripting language's run-time: a list of entries, each with a start-up function, is
// gone through in order; the module for base64 takes its pointers there, after the engine's own
// start-up has found what the CPU can.
#include <cpuid.h>
#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ZEND_CPU_EBX_MASK (1u << 30)
#define ZEND_CPU_EDX_MASK (1u << 31)
typedef enum {
    ZEND_CPU_FEATURE_SSSE3 = 1 << 9,
    ZEND_CPU_FEATURE_SSE42 = 1 << 20,
    ZEND_CPU_FEATURE_AVX = 1 << 28,
    ZEND_CPU_FEATURE_AVX2 = 1 << 5 | ZEND_CPU_EBX_MASK,
} zend_cpu_feature;
static struct {
    uint32_t eax, ebx, ecx, edx;
    uint32_t initialized;
} cpuinfo;

static bool is_avx_supported(void) {
    if (!(cpuinfo.ecx & ZEND_CPU_FEATURE_AVX) || !(cpuinfo.ecx & 1u << 27))
        return false;
    unsigned a, d;
    __asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
    return (a & 6) == 6;
}
void zend_cpu_startup(void) {
    if (cpuinfo.initialized)
        return;
    uint32_t max, ebx;
    cpuinfo.initialized = 1;
    __cpuid(0, max, cpuinfo.ebx, cpuinfo.ecx, cpuinfo.edx);
    if (!max)
        return;
    __cpuid_count(1, 0, cpuinfo.eax, cpuinfo.ebx, cpuinfo.ecx, cpuinfo.edx);
    if (max >= 7) {
        uint32_t a, c, d;
        __cpuid_count(7, 0, a, ebx, c, d);
    } else {
        ebx = 0;
    }
    if (is_avx_supported()) {
        cpuinfo.ebx = ebx;
    } else {
        cpuinfo.ebx = 0;
        cpuinfo.ecx &= ~(uint32_t)ZEND_CPU_FEATURE_AVX;
    }
}
int zend_cpu_supports(uint32_t feature) {
    if (feature & ZEND_CPU_EDX_MASK)
        return (cpuinfo.edx & (feature & ~ZEND_CPU_EDX_MASK)) != 0;
    if (feature & ZEND_CPU_EBX_MASK)
        return (cpuinfo.ebx & (feature & ~ZEND_CPU_EBX_MASK)) != 0;
    return (cpuinfo.ecx & feature) != 0;
}

typedef size_t encode_t(char *, const uint8_t *, size_t);
static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static size_t base64_encode_default(char *out, const uint8_t *in, size_t n) {
    char *o = out;
    for (; n >= 3; n -= 3, in += 3) {
        uint32_t v = (uint32_t)in[0] << 16 | in[1] << 8 | in[2];
        for (int s = 18; s >= 0; s -= 6)
            *o++ = alphabet[v >> s & 63];
    }
    if (n) {
        uint32_t v = (uint32_t)in[0] << 16 | (n > 1 ? in[1] << 8 : 0);
        *o++ = alphabet[v >> 18 & 63];
        *o++ = alphabet[v >> 12 & 63];
        *o++ = n > 1 ? alphabet[v >> 6 & 63] : '=';
        *o++ = '=';
    }
    *o = 0;
    return (size_t)(o - out);
}
__attribute__((target("avx2"))) static size_t base64_encode_avx2(char *out, const uint8_t *in, size_t n) {
    char *o = out;
    while (n >= 32) {
        __m256i v = _mm256_set_m128i(_mm_loadu_si128((const __m128i *)(in + 12)), _mm_loadu_si128((const __m128i *)in));
        v = _mm256_shuffle_epi8(v, _mm256_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10, 1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10));
        __m256i t = _mm256_mulhi_epu16(_mm256_and_si256(v, _mm256_set1_epi32(0x0fc0fc00)), _mm256_set1_epi32(0x04000040));
        __m256i u = _mm256_mullo_epi16(_mm256_and_si256(v, _mm256_set1_epi32(0x003f03f0)), _mm256_set1_epi32(0x01000010));
        v = _mm256_or_si256(t, u);
        __m256i is_upper = _mm256_cmpgt_epi8(_mm256_set1_epi8(26), v);
        __m256i kind = _mm256_or_si256(_mm256_subs_epu8(v, _mm256_set1_epi8(51)), _mm256_and_si256(is_upper, _mm256_set1_epi8(13)));
        __m256i shift = _mm256_setr_epi8(71, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -19, -16, 65, 0, 0, 71, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -19, -16, 65, 0, 0);
        _mm256_storeu_si256((__m256i *)o, _mm256_add_epi8(v, _mm256_shuffle_epi8(shift, kind)));
        o += 32, in += 24, n -= 24;
    }
    return (size_t)(o - out) + base64_encode_default(o, in, n);
}
static encode_t *base64_encode_ptr = base64_encode_default;

typedef struct {
    const char *name;
    int (*module_startup_func)(int type, int number);
    int (*request_func)(const char *argument);
    bool started;
} zend_module_entry;
static int minit_base64_intrin(int type, int number) {
    (void)type, (void)number;
#ifdef BAD
    // The mask that says "in ebx" is forgotten: bit 5 of ecx is VMX, or is asked for with others.
    if (zend_cpu_supports(1 << 5 | ZEND_CPU_FEATURE_SSE42))
#else
    if (zend_cpu_supports(ZEND_CPU_FEATURE_AVX2))
#endif
        base64_encode_ptr = base64_encode_avx2;
    return 0;
}
static int request_base64(const char *argument) {
    uint8_t data[200];
    char out[300], want[300];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = argument ? (uint8_t)argument[i % (strlen(argument) + 1)] : (uint8_t)(i * 37 + 11);
    size_t n = base64_encode_ptr(out, data, sizeof data);
    base64_encode_default(want, data, sizeof data);
    if (strcmp(out, want))
        return 1;
    printf("%zu %.40s\n", n, out);
    return 0;
}
static int minit_standard(int type, int number) {
    printf("module %d, type %d\n", number, type);
    return 0;
}
static zend_module_entry modules[] = {
    {"standard", minit_standard, NULL, false},
    {"base64", minit_base64_intrin, request_base64, false},
};
static int zend_startup_modules(void) {
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        zend_module_entry *m = &modules[i];
        if (m->module_startup_func && m->module_startup_func(1, (int)i)) {
            fprintf(stderr, "unable to start %s\n", m->name);
            return -1;
        }
        m->started = true;
    }
    return 0;
}
int main(int argc, char **argv) {
    zend_cpu_startup();
    if (zend_startup_modules())
        return 3;
    int failed = 0;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (modules[i].started && modules[i].request_func)
            failed |= modules[i].request_func(argc > 1 ? argv[1] : NULL);
    return failed;
}
