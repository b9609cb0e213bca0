// A library of cryptography: its init takes a lock, finds features into a struct of ints, and lets
// each primitive pick an implementation, which is a static struct of functions.
#include "ninth.h"
#include <cpuid.h>
#include <errno.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int initialized, has_sse2, has_ssse3, has_sse41, has_avx, has_avx2, has_avx512f, has_pclmul, has_aesni;
} CPUFeatures;
static CPUFeatures _cpu_features;
static void _cpuid(unsigned int info[4], const unsigned int type) {
    info[0] = info[1] = info[2] = info[3] = 0;
    __cpuid_count(type, 0, info[0], info[1], info[2], info[3]);
}
static int runtime_intel_cpu_features(CPUFeatures *const f) {
    unsigned int cpu_info[4];
    uint32_t xcr0 = 0;
    _cpuid(cpu_info, 0);
    if (cpu_info[0] == 0)
        return -1;
    unsigned int id = cpu_info[0];
    _cpuid(cpu_info, 1);
    f->has_sse2 = (cpu_info[3] & 0x04000000) != 0;
    f->has_ssse3 = (cpu_info[2] & 0x00000200) != 0;
    f->has_sse41 = (cpu_info[2] & 0x00080000) != 0;
    f->has_avx = 0;
    if ((cpu_info[2] & 0x18000000) == 0x18000000) {
        __asm__ __volatile__(".byte 0x0f, 0x01, 0xd0" : "=a"(xcr0) : "c"((uint32_t)0U) : "%edx");
        if ((xcr0 & 6) == 6)
            f->has_avx = 1;
    }
    f->has_avx2 = 0;
    if (f->has_avx && id >= 7) {
        unsigned int cpu_info7[4];
        _cpuid(cpu_info7, 7);
        f->has_avx2 = (cpu_info7[1] & 0x20) != 0;
        f->has_avx512f = f->has_avx2 && (cpu_info7[1] & 0x00010000) != 0 && (xcr0 & 0xe0) == 0xe0;
    }
    f->has_pclmul = (cpu_info[2] & 0x2) != 0;
    f->has_aesni = (cpu_info[2] & 0x02000000) != 0;
    return 0;
}
int runtime_has_ssse3(void) { return _cpu_features.has_ssse3; }
int runtime_has_avx(void) { return _cpu_features.has_avx; }
int runtime_has_avx2(void) { return _cpu_features.has_avx2; }
static int runtime_get_cpu_features(void) {
    int ret = -1;
    ret &= runtime_intel_cpu_features(&_cpu_features);
    _cpu_features.initialized = 1;
    return ret;
}

typedef struct {
    int (*stream)(unsigned char *c, unsigned long long clen, const unsigned char *k);
    int (*stream_xor)(unsigned char *c, const unsigned char *m, unsigned long long mlen, const unsigned char *k);
} stream_implementation;

static inline uint32_t rotl(uint32_t v, int c) { return v << c | v >> (32 - c); }
static void block_ref(uint32_t *out, const uint32_t *key, uint32_t counter) {
    for (int i = 0; i < 8; i++) {
        uint32_t v = key[i] ^ counter;
        for (int r = 0; r < 4; r++)
            v = rotl(v + 0x61707865u, 7) ^ key[i];
        out[i] = v;
    }
}
static int stream_xor_ref(unsigned char *c, const unsigned char *m, unsigned long long mlen, const unsigned char *k) {
    uint32_t key[8], block[8];
    memcpy(key, k, 32);
    for (unsigned long long at = 0; at < mlen; at += 32) {
        block_ref(block, key, (uint32_t)(at / 32));
        for (int i = 0; i < 32 && at + (unsigned)i < mlen; i++)
            c[at + (unsigned)i] = m[at + (unsigned)i] ^ ((unsigned char *)block)[i];
    }
    return 0;
}
static int stream_ref(unsigned char *c, unsigned long long clen, const unsigned char *k) {
    memset(c, 0, clen);
    return stream_xor_ref(c, c, clen, k);
}
__attribute__((target("avx2"))) static int stream_xor_avx2(unsigned char *c, const unsigned char *m, unsigned long long mlen, const unsigned char *k) {
    const __m256i key = _mm256_loadu_si256((const __m256i *)k), sigma = _mm256_set1_epi32(0x61707865);
    for (unsigned long long at = 0; at < mlen; at += 32) {
        __m256i v = _mm256_xor_si256(key, _mm256_set1_epi32((int)(at / 32)));
        for (int r = 0; r < 4; r++) {
            v = _mm256_add_epi32(v, sigma);
            v = _mm256_xor_si256(_mm256_or_si256(_mm256_slli_epi32(v, 7), _mm256_srli_epi32(v, 25)), key);
        }
        if (mlen - at >= 32) {
            v = _mm256_xor_si256(v, _mm256_loadu_si256((const __m256i *)(m + at)));
            _mm256_storeu_si256((__m256i *)(c + at), v);
        } else {
            unsigned char last[32];
            _mm256_storeu_si256((__m256i *)last, v);
            for (unsigned i = 0; at + i < mlen; i++)
                c[at + i] = m[at + i] ^ last[i];
        }
    }
    return 0;
}
static int stream_avx2(unsigned char *c, unsigned long long clen, const unsigned char *k) {
    memset(c, 0, clen);
    return stream_xor_avx2(c, c, clen, k);
}
struct stream_implementation_all {
    stream_implementation ref, avx2;
};
stream_implementation stream_ref_implementation = {stream_ref, stream_xor_ref};
stream_implementation stream_avx2_implementation = {stream_avx2, stream_xor_avx2};
static const stream_implementation *implementation = &stream_ref_implementation;
static int stream_pick_best_implementation(void) {
    implementation = &stream_ref_implementation;
#ifdef BAD
    // The wider one, where the narrower one was to be.
    if (runtime_has_ssse3()) {
        implementation = &stream_avx2_implementation;
        return 0;
    }
#else
    if (runtime_has_avx2()) {
        implementation = &stream_avx2_implementation;
        return 0;
    }
#endif
    return 0;
}
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int initialized;
static int crit_enter(void) { return pthread_mutex_lock(&lock) == 0 ? 0 : (errno = EINVAL, -1); }
static int crit_leave(void) { return pthread_mutex_unlock(&lock) == 0 ? 0 : -1; }
int library_init(void) {
    if (crit_enter() != 0)
        return -1;
    if (initialized != 0)
        return crit_leave() != 0 ? -1 : 1;
    runtime_get_cpu_features();
    stream_pick_best_implementation();
    initialized = 1;
    return crit_leave() != 0 ? -1 : 0;
}
int crypto_stream_xor(unsigned char *c, const unsigned char *m, unsigned long long mlen, const unsigned char *k) {
    if (mlen > 1ull << 38)
        abort();
    return implementation->stream_xor(c, m, mlen, k);
}
int crypto_stream(unsigned char *c, unsigned long long clen, const unsigned char *k) { return implementation->stream(c, clen, k); }

int main(int argc, char **argv) {
    if (library_init() < 0) {
        fprintf(stderr, "%s: the library could not be started\n", argv[0]);
        return 3;
    }
    unsigned char key[32], message[200], out[200], back[200], want[200];
    for (int i = 0; i < 32; i++)
        key[i] = (unsigned char)(i * 9 + 1);
    memset(message, 'm', sizeof message);
    if (argc > 1)
        strncpy((char *)message, argv[1], sizeof message - 1);
    crypto_stream_xor(out, message, sizeof message, key);
    crypto_stream_xor(back, out, sizeof out, key);
    stream_xor_ref(want, message, sizeof message, key);
    if (memcmp(back, message, sizeof message) || memcmp(out, want, sizeof out))
        return 1;
    crypto_stream(out, 70, key);
    for (int i = 60; i < 70; i++)
        printf("%02x", out[i]);
    puts("");
    return library_init() == 1 ? 0 : 1;
}
