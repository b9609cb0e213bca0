// Ciphers, hashes and large integers.
#include "fourth.h"
#include <stdbool.h>

#ifdef OSSL_WORDS
// The words of `cpuid`, filled by a constructor; the environment takes bits away.
unsigned int ia32cap_P[4];
static void ia32_cpuid(unsigned int *words) {
    unsigned int a, b, c, d, max;
    __cpuid(0, max, b, c, d);
    __cpuid(1, a, b, c, d);
    words[0] = d;
    words[1] = c;
    if (max >= 7) {
        __cpuid_count(7, 0, a, b, c, d);
        words[2] = b;
        words[3] = c;
    }
    unsigned int low = 0, high;
    if (words[1] & (1u << 27))
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6) {
        words[1] &= ~((1u << 28) | (1u << 12) | (1u << 11));
        words[2] &= ~(1u << 5);
    }
    if ((low & 0xe6) != 0xe6)
        words[2] &= 0x3fdeffff;
}
__attribute__((constructor)) static void cpuid_setup(void) {
    static int trigger = 0;
    const char *env;
    if (trigger)
        return;
    trigger = 1;
    ia32_cpuid(ia32cap_P);
    if ((env = getenv("OPENSSL_ia32cap")) != NULL && env[0] == '~') {
        uint64_t off = strtoull(env + 1, NULL, 0);
        ia32cap_P[0] &= ~(unsigned int)off;
        ia32cap_P[1] &= ~(unsigned int)(off >> 32);
    }
}
#ifdef BAD
#define AESNI_CAPABLE (ia32cap_P[0] & (1 << (57 - 32)))
#else
#define AESNI_CAPABLE (ia32cap_P[1] & (1 << (57 - 32)))
#endif
#define AVX2_CAPABLE (ia32cap_P[2] & (1 << 5))
typedef struct {
    block_fn *block;
    check_fn *mac;
} EVP_METHOD;
static const EVP_METHOD method_c = {block_c, check_c}, method_aesni = {block_aes, check_c}, method_avx2 = {block_aes, check_avx2};
NI static const EVP_METHOD *evp_aes_cbc(void) {
    if (AESNI_CAPABLE && AVX2_CAPABLE)
        return &method_avx2;
    return AESNI_CAPABLE ? &method_aesni : &method_c;
}
int main(int argc, char **argv) {
    uint8_t out[16];
    fill(argc);
    const EVP_METHOD *m = evp_aes_cbc();
    m->block(out, input, input + 16);
    sink = m->mac(out[3], input, 512);
    return 0;
}
#endif

#ifdef SODIUM_IMPL
// A structure of whole numbers, and a structure of functions for each way.
typedef struct {
    int initialized, has_sse41, has_aesni, has_avx, has_avx2;
} CPUFeatures;
static CPUFeatures _cpu_features;
static void _cpuid(unsigned int cpu_info[4], const unsigned int type) {
    __asm__ __volatile__("xchgl %%ebx, %k1; cpuid; xchgl %%ebx, %k1"
                         : "=a"(cpu_info[0]), "=&r"(cpu_info[1]), "=c"(cpu_info[2]), "=d"(cpu_info[3])
                         : "0"(type), "2"(0U));
}
static int runtime_intel(CPUFeatures *const f) {
    unsigned int info[4], id;
    uint32_t xcr0 = 0;
    _cpuid(info, 0);
    if ((id = info[0]) == 0)
        return -1;
    _cpuid(info, 1);
    f->has_sse41 = (info[2] & 0x00080000) != 0;
    f->has_avx = 0;
    if ((info[2] & 0x18000000) == 0x18000000) {
        __asm__ __volatile__(".byte 0x0f, 0x01, 0xd0" : "=a"(xcr0) : "c"((uint32_t)0U) : "%edx");
        if ((xcr0 & 6) == 6)
            f->has_avx = 1;
    }
    f->has_aesni = (info[2] & 0x02000000) != 0;
    f->has_avx2 = 0;
    if (f->has_avx && id >= 7) {
        unsigned int info7[4];
        _cpuid(info7, 7);
        f->has_avx2 = (info7[1] & 0x20) != 0;
    }
    return 0;
}
NI int runtime_get_cpu_features(void) {
    int ret = -1;
    ret &= runtime_intel(&_cpu_features);
    _cpu_features.initialized = 1;
    return ret;
}
NI int runtime_has_avx2(void) { return _cpu_features.has_avx2; }
NI int runtime_has_aesni(void) { return _cpu_features.has_aesni; }
typedef struct {
    check_fn *stream;
    block_fn *xor_ic;
} stream_implementation;
static stream_implementation stream_ref = {check_c, block_c}, stream_aesni = {check_c, block_aes}, stream_dolbeau_avx2 = {check_avx2, block_c};
static const stream_implementation *implementation = &stream_ref;
static const stream_implementation *core = &stream_ref;
NI int pick_best_implementation(void) {
    implementation = &stream_ref;
    if (runtime_has_avx2()) {
        implementation = &stream_dolbeau_avx2;
        return 0;
    }
    return 0;
}
NI int pick_core(void) {
    if (runtime_has_aesni())
        core = &stream_aesni;
    return 0;
}
NI static int init_all(void) {
    static volatile int initialized;
    if (initialized)
        return 1;
    runtime_get_cpu_features();
    pick_best_implementation();
    pick_core();
    initialized = 1;
    return 0;
}
int main(int argc, char **argv) {
    uint8_t out[16];
    fill(argc);
    if (init_all() < 0)
        return 3;
    core->xor_ic(out, input, input + 16);
    sink = implementation->stream(out[0], input, 512);
    return 0;
}
#endif

#ifdef GCRY_CTX
// Names of features for the user to disable, and single bits in the context.
#define HWF_INTEL_SSE4_1 (1 << 8)
#define HWF_INTEL_AESNI (1 << 10)
#define HWF_INTEL_AVX (1 << 12)
#define HWF_INTEL_AVX2 (1 << 13)
static const struct {
    unsigned int flag;
    const char *desc;
} hwflist[] = {{HWF_INTEL_SSE4_1, "intel-sse4.1"}, {HWF_INTEL_AESNI, "intel-aesni"}, {HWF_INTEL_AVX, "intel-avx"}, {HWF_INTEL_AVX2, "intel-avx2"}};
static unsigned int disabled_hw_features, hw_features;
static void disable_by_name(const char *list) {
    while (list && *list) {
        size_t n = strcspn(list, ":");
        for (size_t i = 0; i < COUNT(hwflist); i++)
            if (strlen(hwflist[i].desc) == n && !strncmp(hwflist[i].desc, list, n))
                disabled_hw_features |= hwflist[i].flag;
        list += n + (list[n] == ':');
    }
}
static unsigned int detect_x86(void) {
    unsigned int max, a, b, c, d, result = 0, low = 0;
    __cpuid(0, max, b, c, d);
    __cpuid(1, a, b, c, d);
    if (c & 0x00080000)
        result |= HWF_INTEL_SSE4_1;
    if (c & 0x02000000)
        result |= HWF_INTEL_AESNI;
    if (c & 0x08000000)
        __asm__ volatile("xgetbv" : "=a"(low) : "c"(0) : "edx", "cc");
    if ((low & 6) == 6) {
        if (c & 0x10000000)
            result |= HWF_INTEL_AVX;
        if (max >= 7) {
            __cpuid_count(7, 0, a, b, c, d);
            if (b & 0x20)
                result |= HWF_INTEL_AVX2;
        }
    }
    return result;
}
NI static void detect_hw_features(void) {
    hw_features = 0;
    disable_by_name(getenv("GCRYPT_DISABLE"));
    hw_features = detect_x86();
    hw_features &= ~disabled_hw_features;
}
NI static unsigned int get_hw_features(void) { return hw_features; }
typedef struct {
    uint8_t key[16];
    unsigned int rounds : 5;
    unsigned int use_aesni : 1;
    unsigned int use_avx2 : 1;
    block_fn *encrypt;
} RIJNDAEL_context;
NI static void setkey(RIJNDAEL_context *ctx, const uint8_t *key) {
    unsigned int features = get_hw_features();
    memcpy(ctx->key, key, 16);
    ctx->rounds = 10;
#ifdef BAD
    ctx->use_avx2 = !!(features & HWF_INTEL_AVX);
#else
    ctx->use_avx2 = (features & HWF_INTEL_AVX2) && (features & HWF_INTEL_AESNI);
#endif
    ctx->use_aesni = !!(features & HWF_INTEL_AESNI);
    ctx->encrypt = ctx->use_aesni ? block_aes : block_c;
}
NI static uint32_t bulk(RIJNDAEL_context *ctx, uint8_t *out, const uint8_t *in, size_t n) {
    ctx->encrypt(out, in, ctx->key);
    if (ctx->use_avx2)
        return check_avx2(out[1], in, n);
    return check_c(out[1], in, n);
}
int main(int argc, char **argv) {
    uint8_t out[16];
    fill(argc);
    detect_hw_features();
    RIJNDAEL_context *ctx = malloc(sizeof(*ctx));
    setkey(ctx, input);
    sink = bulk(ctx, out, input + 32, 320);
    free(ctx);
    return 0;
}
#endif

#ifdef MBED_WHAT
// A function that is asked for a mask; it keeps the word that the CPU gave.
#define AESNI_AES 0x02000000u
#define AESNI_CLMUL 0x00000002u
NI int aesni_has_support(unsigned int what) {
    static int done = 0;
    static unsigned int c = 0;
    if (!done) {
        __asm__("movl $1, %%eax\n\tcpuid\n\t" : "=c"(c) : : "eax", "ebx", "edx");
        done = 1;
    }
    return (c & what) != 0;
}
typedef struct {
    int nr;
    uint8_t key[16];
} aes_context;
NI static int crypt_ecb(aes_context *ctx, const uint8_t in[16], uint8_t out[16]) {
    if (aesni_has_support(AESNI_AES)) {
        block_aes(out, in, ctx->key);
        return 0;
    }
    block_c(out, in, ctx->key);
    return 0;
}
NI static uint32_t ghash(aes_context *ctx, const uint8_t *at, size_t n) {
#ifdef BAD
    if (aesni_has_support(AESNI_CLMUL | 0x00000200u)) // with SSSE3, which it needs too
#else
    if (aesni_has_support(AESNI_CLMUL))
#endif
        return check_pclmul(ctx->key[0], at, n);
    return check_c(ctx->key[0], at, n);
}
int main(int argc, char **argv) {
    aes_context ctx;
    uint8_t out[16];
    fill(argc);
    memcpy(ctx.key, input, 16);
    sink = crypt_ecb(&ctx, input + 16, out);
    sink += ghash(&ctx, input, 256) + out[0];
    return 0;
}
#endif

#ifdef GMP_VEC
// A vector of functions filled when the first of them is called; by the CPU's model, and then by
// what it says that it has.
struct cpuvec_t {
    limb_fn *mul_1, *addmul_1;
    check_fn *popcount;
    int is_initialised;
};
static uint64_t mul_1_init(uint64_t, uint64_t), addmul_1_init(uint64_t, uint64_t);
struct cpuvec_t cpuvec = {mul_1_init, addmul_1_init, check_c, 0};
NI static void cpuvec_init(void) {
    struct cpuvec_t decided;
    unsigned a, b, c, d, family, model, b7 = 0;
    char vendor[13] = {0};
    __cpuid(0, a, b, c, d);
    memcpy(vendor, &b, 4), memcpy(vendor + 4, &d, 4), memcpy(vendor + 8, &c, 4);
    if (a >= 7)
        __cpuid_count(7, 0, a, b7, c, d);
    __cpuid(1, a, b, c, d);
    family = ((a >> 8) & 15) + ((a >> 20) & 0xff);
    model = ((a >> 4) & 15) + ((a >> 12) & 0xf0);
    memset(&decided, 0, sizeof(decided));
    decided.mul_1 = decided.addmul_1 = limb_c, decided.popcount = check_c;
    if (!strcmp(vendor, "GenuineIntel")) {
        switch (family) {
        case 6:
            switch (model) {
            case 0x1a: // Nehalem
            case 0x25: // Westmere
                break;
            case 0x2a: // Sandy Bridge
            case 0x3a: // Ivy Bridge
#ifndef BAD
                break;
#endif
            case 0x3c: // Haswell
            case 0x45:
            case 0x5e: // Skylake
#ifndef BAD
                if (!(b7 & (1 << 8)))
                    break; // a Pentium or Celeron without BMI2
#endif
                decided.mul_1 = decided.addmul_1 = limb_bmi2;
                break;
            }
            break;
        }
    } else if (!strcmp(vendor, "AuthenticAMD") && family >= 0x17 && (b7 & (1 << 8))) {
        decided.mul_1 = limb_bmi2;
    }
    decided.is_initialised = 1;
    cpuvec = decided;
}
static uint64_t mul_1_init(uint64_t value, uint64_t mask) {
    cpuvec_init();
    return cpuvec.mul_1(value, mask);
}
static uint64_t addmul_1_init(uint64_t value, uint64_t mask) {
    cpuvec_init();
    return cpuvec.addmul_1(value, mask);
}
int main(int argc, char **argv) {
    fill(argc);
    sink = (long)cpuvec.mul_1(0x123456789abcdefull * argc, 0xffff0000ff00ffffull);
    sink += (long)cpuvec.addmul_1(0x0fedcba987654321ull * argc, 0xffff0000ff00ffffull);
    sink += cpuvec.popcount(0, input, 64);
    return 0;
}
#endif
