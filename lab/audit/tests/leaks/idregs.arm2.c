// ID registers, which the kernel lets programs read: fields of four bits, each with a least value.
#include "arm2.h"
#include <stdbool.h>
#define READ(reg) ({ uint64_t v; __asm__("mrs %0, " reg : "=r"(v)); v; })
static inline unsigned field(uint64_t reg, unsigned shift) { return (unsigned)(reg >> shift) & 0xf; }
typedef struct { bool lse, dot, sha3, fp16, sve, i8mm; } isa_t;
static isa_t isa;
__attribute__((noinline)) static void detect(isa_t *out) {
    if (!(getauxval(AT_HWCAP) & HWCAP_CPUID)) return;
    uint64_t isar0 = READ("ID_AA64ISAR0_EL1"), isar1 = READ("ID_AA64ISAR1_EL1"), pfr0 = READ("ID_AA64PFR0_EL1");
    out->lse = field(isar0, 20) >= 2;
    out->dot = field(isar0, 44) >= 1;
#ifdef BAD
    out->sha3 = field(isar0, 12) >= 1;
#else
    out->sha3 = field(isar0, 32) >= 1;
#endif
    out->fp16 = field(pfr0, 20) == 1;
    out->sve = field(pfr0, 32) != 0;
    out->i8mm = field(isar1, 52) >= 1;
}
PLAIN(a_c) PLAIN(b_c) PLAIN(c_c) LSE(a_lse) DOT(b_dot) SHA3(c_sha3) FP16(a_fp16) SVE(b_sve)
__attribute__((noinline)) static int run(const int *a, int n) {
    int s = isa.lse ? a_lse(a, n) : a_c(a, n);
    if (isa.sve) s += b_sve(a, n);
    else if (isa.dot) s += b_dot(a, n);
    else s += b_c(a, n);
    if (isa.fp16) s += a_fp16(a, n);
    return s + (isa.sha3 ? c_sha3(a, n) : c_c(a, n));
}
int main(int argc, char **argv) {
    detect(&isa);
    int n = fill(argc);
    printf("%d\n", run(data, n));
}
