// Hashes, random numbers and long numbers.
#include "seventh.h"
#include <limits.h>
#include <sys/random.h>

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
