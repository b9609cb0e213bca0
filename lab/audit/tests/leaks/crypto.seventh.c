// Cryptography.
#include "seventh.h"

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
