// Cryptography, random numbers and long numbers.
#include "seventh.h"
#include <limits.h>
#include <sys/random.h>

#ifdef PICK_BEST
// Implementations are structs of functions; each primitive picks one when the library starts.
typedef struct {
    int initialized, has_sse2, has_sse41, has_avx, has_avx2, has_pclmul, has_aesni, has_avx512f;
} CPUFeatures;
static CPUFeatures _cpu_features;
#define CPUID_EBX_AVX2 0x00000020
#define CPUID_EBX_AVX512F 0x00010000
#define CPUID_ECX_SSE41 0x00080000
#define CPUID_ECX_PCLMUL 0x00000002
#define CPUID_ECX_AESNI 0x02000000
#define CPUID_ECX_XSAVE 0x04000000
#define CPUID_ECX_OSXSAVE 0x08000000
#define CPUID_ECX_AVX 0x10000000
#define XCR0_SSE 0x00000002
#define XCR0_AVX 0x00000004
static void _cpuid(unsigned int cpu_info[4U], const unsigned int type) {
    __asm__ __volatile__("xchgq %%rbx, %q1; cpuid; xchgq %%rbx, %q1" : "=a"(cpu_info[0]), "=&r"(cpu_info[1]), "=c"(cpu_info[2]), "=d"(cpu_info[3]) : "0"(type), "2"(0U));
}
static int _runtime_intel_cpu_features(CPUFeatures *const cpu_features) {
    unsigned int cpu_info[4];
    uint32_t xcr0 = 0U, id;
    _cpuid(cpu_info, 0x0);
    if ((id = cpu_info[0]) == 0U)
        return -1;
    _cpuid(cpu_info, 0x00000001);
    cpu_features->has_sse2 = (cpu_info[3] & 0x04000000) != 0x0;
    cpu_features->has_sse41 = (cpu_info[2] & CPUID_ECX_SSE41) != 0x0;
    if ((cpu_info[2] & (CPUID_ECX_AVX | CPUID_ECX_XSAVE | CPUID_ECX_OSXSAVE)) == (CPUID_ECX_AVX | CPUID_ECX_XSAVE | CPUID_ECX_OSXSAVE)) {
        xcr0 = (uint32_t)read_xcr(0);
        if ((xcr0 & (XCR0_SSE | XCR0_AVX)) == (XCR0_SSE | XCR0_AVX))
            cpu_features->has_avx = 1;
    }
    if (cpu_features->has_avx && id >= 7) {
        unsigned int cpu_info7[4];
        _cpuid(cpu_info7, 0x00000007);
        cpu_features->has_avx2 = (cpu_info7[1] & CPUID_EBX_AVX2) != 0x0;
    }
    if (cpu_features->has_avx) {
        cpu_features->has_pclmul = (cpu_info[2] & CPUID_ECX_PCLMUL) != 0x0;
        cpu_features->has_aesni = (cpu_info[2] & CPUID_ECX_AESNI) != 0x0;
    }
    return 0;
}
KEEP static int _runtime_get_cpu_features(void) {
    int ret = -1;
    ret &= _runtime_intel_cpu_features(&_cpu_features);
    _cpu_features.initialized = 1;
    return ret;
}
static int runtime_has_avx2(void) { return _cpu_features.has_avx2; }
static int runtime_has_sse41(void) { return _cpu_features.has_sse41; }
static int runtime_has_aesni(void) { return _cpu_features.has_aesni & _cpu_features.has_pclmul; }
typedef struct {
    int (*stream)(uint8_t *c, unsigned long long clen, const uint8_t *k);
} stream_implementation;
typedef struct {
    uint32_t (*onetimeauth)(uint32_t, const uint8_t *, size_t);
} auth_implementation;
static int stream_ref(uint8_t *c, unsigned long long clen, const uint8_t *k) {
    for (; clen >= 16; clen -= 16, c += 16)
        cipher_plain(c, k);
    return (int)clen;
}
static int stream_aesni(uint8_t *c, unsigned long long clen, const uint8_t *k) {
    for (; clen >= 16; clen -= 16, c += 16)
        cipher_aesni(c, k);
    return (int)clen;
}
static stream_implementation stream_ref_implementation = {stream_ref}, stream_aesni_implementation = {stream_aesni};
static auth_implementation auth_donna = {adler_plain}, auth_avx2 = {adler_avx2};
static const stream_implementation *stream = &stream_ref_implementation;
static const auth_implementation *auth = &auth_donna;
static int _stream_pick_best_implementation(void) {
    stream = &stream_ref_implementation;
    if (runtime_has_aesni())
        stream = &stream_aesni_implementation;
    return 0;
}
static int _onetimeauth_pick_best_implementation(void) {
#ifdef BAD
    if (runtime_has_avx2() || runtime_has_sse41()) {
#else
    if (runtime_has_avx2()) {
#endif
        auth = &auth_avx2;
        return 0;
    }
    auth = &auth_donna;
    return 0;
}
static volatile int initialized;
KEEP static int library_init(void) {
    if (initialized != 0)
        return 1;
    _runtime_get_cpu_features();
    if (_stream_pick_best_implementation() != 0 || _onetimeauth_pick_best_implementation() != 0)
        return -1;
    initialized = 1;
    return 0;
}
int main(int argc, char **argv) {
    if (library_init() < 0) {
        fprintf(stderr, "library could not be started\n");
        return 3;
    }
    make_data((unsigned)argc);
    uint8_t message[100];
    memcpy(message, bytes, sizeof message);
    int rest = stream->stream(message, sizeof message, other);
    uint32_t tag = auth->onetimeauth(1, message, sizeof message);
    printf("tag %08x, %d bytes left, first", tag, rest);
    for (int i = 0; i < 8; i++)
        printf(" %02x", message[i]);
    puts("");
    return library_init() == 1 ? 0 : 3;
}
#endif

#ifdef FAT_BINARY
// Pointers begin at functions that start the library; the environment may override the features.
#define DECLARE_FAT(type, name, args, names)          \
    static type name##_init args;                     \
    static type(*name##_vec) args = name##_init;      \
    KEEP static type name args { return name##_vec names; }
struct x86_features {
    enum { X86_OTHER, X86_INTEL, X86_AMD } vendor;
    int have_aesni, have_sha_ni, have_pclmul;
};
#define SKIP(s, slen, literal, llen) (((slen) >= (llen) && memcmp((s), (literal), (llen)) == 0) ? ((slen) -= (llen), (s) += (llen), 1) : 0)
#define MATCH(s, slen, literal, llen) ((slen) == (llen) && memcmp((s), (literal), (llen)) == 0)
static void cpuid_input(uint32_t input, uint32_t regs[4]) { __cpuid_count(input, 0, regs[0], regs[1], regs[2], regs[3]); }
static void get_x86_features(struct x86_features *features) {
    features->vendor = X86_OTHER;
    features->have_aesni = features->have_sha_ni = features->have_pclmul = 0;
    const char *s = getenv("FAT_OVERRIDE");
    int forbid_aesni = 0, forbid_sha = 0;
    if (s)
        for (;;) {
            const char *sep = strchr(s, ',');
            size_t length = sep ? (size_t)(sep - s) : strlen(s);
            if (SKIP(s, length, "vendor:", 7)) {
                if (MATCH(s, length, "intel", 5))
                    features->vendor = X86_INTEL;
                else if (MATCH(s, length, "amd", 3))
                    features->vendor = X86_AMD;
            } else if (MATCH(s, length, "-aesni", 6))
                forbid_aesni = 1;
            else if (MATCH(s, length, "-sha_ni", 7))
                forbid_sha = 1;
            if (!sep)
                break;
            s = sep + 1;
        }
    uint32_t cpuid_data[4];
    cpuid_input(0, cpuid_data);
    uint32_t most = cpuid_data[0];
    if (memcmp(cpuid_data + 1, "Genu", 4) == 0)
        features->vendor = X86_INTEL;
    else if (memcmp(cpuid_data + 1, "Auth", 4) == 0)
        features->vendor = X86_AMD;
    cpuid_input(1, cpuid_data);
    if ((cpuid_data[2] & 0x02000000) && !forbid_aesni)
        features->have_aesni = 1;
    if (cpuid_data[2] & 0x2)
        features->have_pclmul = 1;
    if (most >= 7) {
        cpuid_input(7, cpuid_data);
#ifdef BAD
        if ((cpuid_data[1] & 0x00000020) && !forbid_sha)
#else
        if ((cpuid_data[1] & 0x20000000) && !forbid_sha)
#endif
            features->have_sha_ni = 1;
    }
}
DECLARE_FAT(void, sha256_compress, (uint32_t * state), (state))
DECLARE_FAT(void, aes_encrypt, (uint8_t * block, const uint8_t *key), (block, key))
DECLARE_FAT(uint64_t, ghash, (const uint8_t *p, size_t n, uint64_t x), (p, n, x))
__attribute__((constructor)) static void fat_init(void) {
    static int inited;
    struct x86_features features;
    if (inited)
        return;
    get_x86_features(&features);
    const int verbose = getenv("FAT_VERBOSE") != NULL;
    aes_encrypt_vec = features.have_aesni ? cipher_aesni : cipher_plain;
    ghash_vec = features.have_pclmul ? crc_clmul : crc_plain;
    if (features.have_sha_ni) {
        if (verbose)
            fprintf(stderr, "fat: using sha_ni instructions.\n");
        sha256_compress_vec = schedule_ni;
    } else {
        if (verbose)
            fprintf(stderr, "fat: not using sha_ni instructions.\n");
        sha256_compress_vec = schedule_plain;
    }
    inited = 1;
}
static void sha256_compress_init(uint32_t *state) {
    fat_init();
    sha256_compress(state);
}
static void aes_encrypt_init(uint8_t *block, const uint8_t *key) {
    fat_init();
    aes_encrypt(block, key);
}
static uint64_t ghash_init(const uint8_t *p, size_t n, uint64_t x) {
    fat_init();
    return ghash(p, n, x);
}
struct hash_ctx {
    uint32_t state[8];
    uint64_t count;
};
static void hash_update(struct hash_ctx *ctx, size_t length, const uint8_t *data) {
    for (; length >= 32; length -= 32, data += 32, ctx->count++) {
        for (int i = 0; i < 8; i++) {
            uint32_t word;
            memcpy(&word, data + 4 * i, 4);
            ctx->state[i] ^= word;
        }
        sha256_compress(ctx->state);
    }
}
int main(int argc, char **argv) {
    make_data((unsigned)argc);
    struct hash_ctx ctx = {{1, 2, 3, 4, 5, 6, 7, 8}, 0};
    hash_update(&ctx, 300, bytes);
    aes_encrypt(bytes, other);
    printf("%llu blocks: %08x%08x, tag %016llx\n", (unsigned long long)ctx.count, ctx.state[0], ctx.state[3], (unsigned long long)ghash(bytes, 160, 1));
}
#endif

#ifdef CLASS_OR_NULL
// A class of functions is handed out only where the CPU has what it needs; who gets none goes on.
typedef struct {
    size_t context_size;
    unsigned block_size;
    void (*init)(void *ctx, const uint8_t *key);
    void (*run)(const void *ctx, uint8_t *data, size_t len);
} block_class;
typedef struct {
    const block_class *vtable;
    uint8_t key[16];
} keys;
static inline int cpuid_has(uint32_t mask_eax, uint32_t mask_ebx, uint32_t mask_ecx, uint32_t mask_edx) {
    unsigned eax, ebx, ecx, edx;
    if (__get_cpuid(1, &eax, &ebx, &ecx, &edx)) {
        if ((eax & mask_eax) == mask_eax && (ebx & mask_ebx) == mask_ebx && (ecx & mask_ecx) == mask_ecx && (edx & mask_edx) == mask_edx)
            return 1;
    }
    return 0;
}
static void big_init(void *ctx, const uint8_t *key) { memcpy(((keys *)ctx)->key, key, 16); }
static void big_run(const void *ctx, uint8_t *data, size_t len) {
    for (size_t i = 0; i + 16 <= len; i += 16)
        cipher_plain(data + i, ((const keys *)ctx)->key);
}
static void x86ni_run(const void *ctx, uint8_t *data, size_t len) {
    for (size_t i = 0; i + 16 <= len; i += 16)
        cipher_aesni(data + i, ((const keys *)ctx)->key);
}
static const block_class aes_big_vtable = {sizeof(keys), 16, big_init, big_run};
static const block_class aes_x86ni_vtable = {sizeof(keys), 16, big_init, x86ni_run};
KEEP static const block_class *aes_x86ni_get_vtable(void) {
#ifdef BAD
    return cpuid_has(0, 0, 0, 0x02000000) ? &aes_x86ni_vtable : NULL;
#else
    return cpuid_has(0, 0, 0x02000000, 0) ? &aes_x86ni_vtable : NULL;
#endif
}
static uint64_t ghash_ctmul(const uint8_t *p, size_t n, uint64_t y) { return crc_plain(p, n, y); }
static crc_t *ghash_pclmul_get(void) { return cpuid_has(0, 0, 0x00080002, 0) ? &crc_clmul : 0; }
typedef struct {
    const block_class *iaes;
    crc_t *ghash;
    keys key;
    int err;
} engine_context;
static void engine_set_default_aes(engine_context *cc) {
    const block_class *iaes = aes_x86ni_get_vtable();
    if (iaes != NULL) {
        cc->iaes = iaes;
        return;
    }
    cc->iaes = &aes_big_vtable;
}
static void engine_set_default_gcm(engine_context *cc) {
    engine_set_default_aes(cc);
    crc_t *ighash = ghash_pclmul_get();
    cc->ghash = ighash ? ighash : ghash_ctmul;
}
int main(int argc, char **argv) {
    make_data((unsigned)argc);
    engine_context *cc = calloc(1, sizeof *cc);
    if (!cc)
        return 3;
    engine_set_default_gcm(cc);
    if (cc->iaes->context_size > sizeof cc->key)
        return 3;
    cc->iaes->init(&cc->key, other);
    cc->key.vtable = cc->iaes;
    const char *records[] = {"client hello, with some padding..", "a longer record that is more than two blocks of data"};
    for (size_t i = 0; i < COUNT_OF(records); i++) {
        uint8_t record[80] = {0};
        memcpy(record, records[i], strlen(records[i]));
        cc->key.vtable->run(&cc->key, record, sizeof record);
        printf("record %zu: tag %016llx\n", i, (unsigned long long)cc->ghash(record, sizeof record, 1 + i));
    }
    free(cc);
}
#endif

#ifdef TRANSFORM_CHECK
// The transform is a pointer that the first hash sets; flags have an accessor of macros.
#define CPUID_AVX1 0x0001
#define CPUID_AVX2 0x0002
#define CPUID_BMI2 0x0008
#define CPUID_MOVBE 0x0040
#define IS_INTEL_AVX1(f) ((f)&CPUID_AVX1)
#define IS_INTEL_AVX2(f) ((f)&CPUID_AVX2)
#define IS_INTEL_BMI2(f) ((f)&CPUID_BMI2)
#define IS_INTEL_MOVBE(f) ((f)&CPUID_MOVBE)
enum { EAX, EBX, ECX, EDX };
#define cpuid(reg, leaf, sub) __cpuid_count(leaf, sub, (reg)[0], (reg)[1], (reg)[2], (reg)[3])
static uint32_t cpuid_check, cpuid_flags;
static uint32_t cpuid_flag(uint32_t leaf, uint32_t sub, uint32_t num, uint32_t bit) {
    unsigned got_intel_cpu = 0, got_amd_cpu = 0, reg[5] = {0};
    cpuid(reg, 0, 0);
    if (memcmp(&reg[EBX], "Genu", 4) == 0 && memcmp(&reg[EDX], "ineI", 4) == 0 && memcmp(&reg[ECX], "ntel", 4) == 0)
        got_intel_cpu = 1;
    if (memcmp(&reg[EBX], "Auth", 4) == 0 && memcmp(&reg[EDX], "enti", 4) == 0 && memcmp(&reg[ECX], "cAMD", 4) == 0)
        got_amd_cpu = 1;
    if ((got_intel_cpu || got_amd_cpu) && reg[EAX] >= leaf) {
        cpuid(reg, leaf, sub);
        return (reg[num] >> bit) & 0x1;
    }
    return 0;
}
KEEP static void cpuid_set_flags(void) {
    if (cpuid_check)
        return;
    bool saves = cpuid_flag(1, 0, ECX, 27) && (read_xcr(0) & 6) == 6;
    if (saves && cpuid_flag(1, 0, ECX, 28))
        cpuid_flags |= CPUID_AVX1;
    if (saves && cpuid_flag(7, 0, EBX, 5))
        cpuid_flags |= CPUID_AVX2;
    if (cpuid_flag(7, 0, EBX, 8))
        cpuid_flags |= CPUID_BMI2;
    if (cpuid_flag(1, 0, ECX, 22))
        cpuid_flags |= CPUID_MOVBE;
    cpuid_check = 1;
}
static uint32_t cpuid_get_flags(void) {
    if (!cpuid_check)
        cpuid_set_flags();
    return cpuid_flags;
}
typedef struct Sha512 {
    uint64_t digest[4];
    uint64_t lo_len;
} Sha512;
static int Transform(Sha512 *sha) {
    sha->digest[0] += swap_plain(longs, 16);
    sha->digest[1] ^= bits_plain(longs, 64);
    return 0;
}
static int Transform_AVX1(Sha512 *sha) {
    sha->digest[0] += swap_plain(longs, 16);
    sha->digest[1] ^= bits_popcnt(longs, 64);
    return (int)dist_avx(left, left, 64);
}
static int Transform_AVX2(Sha512 *sha) {
    sha->digest[0] += swap_plain(longs, 16);
    sha->digest[1] ^= bits_avx2(longs, 64);
    return 0;
}
static int Transform_AVX2_RORX(Sha512 *sha) {
    sha->digest[0] += swap_movbe(longs, 16);
    sha->digest[1] ^= bits_avx2(longs, 64) + gather_bmi2(0, 1);
    return 0;
}
static int (*Transform_p)(Sha512 *sha) = Transform;
static int transform_check;
static uint32_t intel_flags;
KEEP static void SetTransform(void) {
    if (transform_check)
        return;
    intel_flags = cpuid_get_flags();
#ifdef BAD
    if (IS_INTEL_AVX1(intel_flags)) {
#else
    if (IS_INTEL_AVX2(intel_flags)) {
#endif
        if (IS_INTEL_BMI2(intel_flags) && IS_INTEL_MOVBE(intel_flags))
            Transform_p = Transform_AVX2_RORX;
        else
            Transform_p = Transform_AVX2;
    } else if (IS_INTEL_AVX1(intel_flags)) {
        Transform_p = Transform_AVX1;
    } else
        Transform_p = Transform;
    transform_check = 1;
}
static int InitSha512(Sha512 *sha) {
    if (sha == NULL)
        return -173;
    memset(sha, 0, sizeof *sha);
    sha->digest[0] = 0x6a09e667f3bcc908ull;
    SetTransform();
    return 0;
}
static int Sha512Update(Sha512 *sha, const uint8_t *data, uint32_t len) {
    if (sha == NULL || (data == NULL && len > 0))
        return -173;
    for (sha->lo_len += len; len >= 128; len -= 128, data += 128) {
        sha->digest[2] += data[0];
        int ret = (*Transform_p)(sha);
        if (ret != 0)
            return ret;
    }
    return 0;
}
int main(int argc, char **argv) {
    Sha512 sha;
    int ret;
    make_data((unsigned)argc);
    if ((ret = InitSha512(&sha)) != 0 || (ret = Sha512Update(&sha, bytes, 640)) != 0) {
        fprintf(stderr, "error %d\n", ret);
        return 3;
    }
    for (int i = 0; i < 3; i++)
        printf("%016llx", (unsigned long long)sha.digest[i]);
    puts("");
}
#endif

#ifdef RANDOM_SOURCE
// Who wants random bytes has them from the CPU if it gives some, else from the kernel.
#define GENERATE_BIT(n) (1u << (n))
static inline bool is_pow2(unsigned x) { return (x & (x - 1)) == 0; }
KEEP static int rdrand(unsigned long *ret) {
    static int have_rdrand = -1;
    unsigned long v;
    uint8_t success;
#ifdef BAD
    if (have_rdrand == 0)
        return -EOPNOTSUPP;
#endif
    if (have_rdrand < 0) {
        uint32_t eax, ebx, ecx, edx;
        if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) {
            have_rdrand = false;
            return -EOPNOTSUPP;
        }
        have_rdrand = !!(ecx & GENERATE_BIT(30));
    }
#ifndef BAD
    if (have_rdrand == 0)
        return -EOPNOTSUPP;
#endif
    __asm__ volatile("rdrand %0; setc %1" : "=r"(v), "=qm"(success));
    if (!success)
        return -EAGAIN;
    // Some CPUs give nothing but ones after a sleep.
    __asm__ volatile("rdrand %0; setc %1" : "=r"(*ret), "=qm"(success));
    if (!success)
        return -EAGAIN;
    if (v == ULONG_MAX && *ret == ULONG_MAX)
        return -EUCLEAN;
    *ret ^= v;
    return 0;
}
static int random_bytes(void *p, size_t n) {
    uint8_t *at = p;
    while (n > 0) {
        unsigned long u;
        if (rdrand(&u) < 0) {
            if (getrandom(at, n, 0) == (ssize_t)n)
                return 0;
            FILE *f = fopen("/dev/urandom", "re");
            if (!f)
                return -errno;
            size_t got = fread(at, 1, n, f);
            fclose(f);
            return got == n ? 0 : -EIO;
        }
        size_t m = n < sizeof u ? n : sizeof u;
        memcpy(at, &u, m);
        at += m;
        n -= m;
    }
    return 0;
}
typedef struct {
    uint8_t id[16];
} id128;
static int id128_randomize(id128 *ret) {
    int r = random_bytes(ret, sizeof *ret);
    if (r < 0)
        return r;
    ret->id[6] = (ret->id[6] & 0x0F) | 0x40;
    ret->id[8] = (ret->id[8] & 0x3F) | 0x80;
    return 0;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 4, versions = 0;
    id128 *ids = calloc((size_t)(n > 0 ? n : 1), sizeof *ids);
    if (!ids)
        return 3;
    for (int i = 0; i < n; i++) {
        int r = id128_randomize(ids + i);
        if (r < 0) {
            fprintf(stderr, "Failed to make an id: %s\n", strerror(-r));
            return 3;
        }
        versions += ids[i].id[6] >> 4;
    }
    printf("%d ids, sum of versions %d\n", n, versions);
    free(ids);
}
#endif

#ifdef CPUVEC
// A table for each kind of machine, by vendor, family and model; some models lack what others have.
struct cpuvec_t {
    row_t *mul_1;
    bits_t *popcount;
    unsigned mul_22_threshold;
};
static uint64_t mul_1_init(uint64_t *, const uint64_t *, size_t, uint64_t);
static uint64_t popcount_init(const uint64_t *, size_t);
struct cpuvec_t cpuvec = {mul_1_init, popcount_init, 0};
static int cpuvec_initialized;
static const struct cpuvec_t setup_x86_64 = {row_plain, bits_plain, 10}, setup_nehalem = {row_plain, bits_popcnt, 20}, setup_haswell = {row_mulx, bits_popcnt, 28}, setup_broadwell = {row_adx, bits_popcnt, 30};
static long cpuid_into(char dst[12], int leaf) {
    unsigned a, b, c, d;
    __cpuid_count(leaf, 0, a, b, c, d);
    memcpy(dst, &b, 4);
    memcpy(dst + 4, &d, 4);
    memcpy(dst + 8, &c, 4);
    return (long)a;
}
static bool has_mulx(char *dst) {
    cpuid_into(dst, 7);
    return (dst[0 + 8 / 8] & (1 << (8 % 8))) != 0;
}
static bool has_adx(char *dst) {
    cpuid_into(dst, 7);
    return (dst[0 + 19 / 8] & (1 << (19 % 8))) != 0;
}
KEEP static void cpuvec_init(void) {
    struct cpuvec_t decided = setup_x86_64;
    char vendor_string[13], dummy_string[12];
    long max = cpuid_into(vendor_string, 0);
    vendor_string[12] = 0;
    long fms = cpuid_into(dummy_string, 1);
    int family = ((fms >> 8) & 0xf) + ((fms >> 20) & 0xff);
    int model = ((fms >> 4) & 0xf) + ((fms >> 12) & 0xf0);
    if (strcmp(vendor_string, "GenuineIntel") == 0) {
        switch (family) {
        case 6:
            switch (model) {
            case 0x1a:
            case 0x1e:
            case 0x2e:
            case 0x25:
            case 0x2c:
#ifndef BAD
            case 0x2a:
            case 0x2d:
            case 0x3a:
                decided = setup_nehalem;
                break;
#else
                decided = setup_nehalem;
                break;
            case 0x2a:
            case 0x2d:
            case 0x3a:
                decided = setup_haswell;
                break;
#endif
            case 0x3c:
            case 0x3f:
            case 0x45:
            case 0x46:
                decided = setup_nehalem;
                // Some Pentiums and Celerons of these models lack mulx.
                if (max >= 7 && has_mulx(dummy_string))
                    decided = setup_haswell;
                break;
            case 0x3d:
            case 0x47:
            case 0x4f:
            case 0x56:
            case 0x8f:
            case 0xad:
                decided = setup_nehalem;
                if (max >= 7 && has_mulx(dummy_string))
                    decided = has_adx(dummy_string) ? setup_broadwell : setup_haswell;
                break;
            }
            break;
        }
    } else if (strcmp(vendor_string, "AuthenticAMD") == 0) {
        switch (family) {
        case 0x10:
        case 0x15:
            decided = setup_nehalem;
            break;
        case 0x17:
        case 0x19:
            decided = setup_nehalem;
            if (max >= 7 && has_mulx(dummy_string) && has_adx(dummy_string))
                decided = setup_broadwell;
            break;
        }
    }
    cpuvec = decided;
    *((volatile int *)&cpuvec_initialized) = 1;
}
static uint64_t mul_1_init(uint64_t *out, const uint64_t *a, size_t n, uint64_t by) {
    if (!cpuvec_initialized)
        cpuvec_init();
    return cpuvec.mul_1(out, a, n, by);
}
static uint64_t popcount_init(const uint64_t *p, size_t n) {
    if (!cpuvec_initialized)
        cpuvec_init();
    return cpuvec.popcount(p, n);
}
typedef struct {
    int alloc, size;
    uint64_t *limbs;
} integer;
static void integer_mul_ui(integer *r, uint64_t by) {
    if (r->size + 1 > r->alloc) {
        r->alloc = 2 * (r->size + 1);
        r->limbs = realloc(r->limbs, (size_t)r->alloc * sizeof *r->limbs);
        if (!r->limbs)
            abort();
    }
    uint64_t carry = cpuvec.mul_1(r->limbs, r->limbs, (size_t)r->size, by);
    if (carry)
        r->limbs[r->size++] = carry;
}
int main(int argc, char **argv) {
    unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 60;
    integer f = {1, 1, malloc(sizeof(uint64_t))};
    if (!f.limbs)
        return 3;
    f.limbs[0] = 1;
    for (unsigned i = 2; i <= n; i++)
        integer_mul_ui(&f, i);
    printf("%u! = 0x", n);
    for (int i = f.size; i-- > 0;)
        printf(i == f.size - 1 ? "%llx" : "%016llx", (unsigned long long)f.limbs[i]);
    printf(" with %llu bits set\n", (unsigned long long)cpuvec.popcount(f.limbs, (size_t)f.size));
    free(f.limbs);
}
#endif
