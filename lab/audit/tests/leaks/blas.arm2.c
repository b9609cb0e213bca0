// One table of kernels per core, picked by the number of the part, or by what the CPU has.
#include "arm2.h"
typedef struct { int dtb_entries; const char *name; work_t dot, axpy, gemm; } gotoblas_t;
PLAIN(dot_armv8) PLAIN(axpy_armv8) PLAIN(gemm_armv8) DOT(dot_n1) LSE(axpy_n1) DOT(gemm_n1) SVE(dot_sve) SVE(axpy_sve) SVE(gemm_sve)
static gotoblas_t gotoblas_ARMV8 = {64, "armv8", dot_armv8, axpy_armv8, gemm_armv8};
static gotoblas_t gotoblas_NEOVERSEN1 = {128, "neoversen1", dot_n1, axpy_n1, gemm_n1};
static gotoblas_t gotoblas_ARMV8SVE = {128, "armv8sve", dot_sve, axpy_sve, gemm_sve};
gotoblas_t *gotoblas = NULL;
__attribute__((noinline)) static gotoblas_t *get_coretype(void) {
    unsigned long hwcap = getauxval(AT_HWCAP);
    if (!(hwcap & HWCAP_CPUID)) return hwcap & HWCAP_SVE ? &gotoblas_ARMV8SVE : NULL;
    uint64_t midr;
    __asm__("mrs %0, MIDR_EL1" : "=r"(midr));
    unsigned implementer = midr >> 24 & 0xff, part = midr >> 4 & 0xfff;
    switch (implementer) {
    case 0x41:
        switch (part) {
        case 0xd03: case 0xd07: case 0xd08: return &gotoblas_ARMV8;
#ifdef BAD
        default: return &gotoblas_NEOVERSEN1;
#else
        case 0xd0c: if (hwcap & HWCAP_ASIMDDP && hwcap & HWCAP_ATOMICS) return &gotoblas_NEOVERSEN1;
#endif
        }
        break;
#ifndef BAD
    case 0x46: if (hwcap & HWCAP_SVE) return &gotoblas_ARMV8SVE; break;
#endif
    }
#ifdef BAD
    return &gotoblas_NEOVERSEN1;
#endif
    if (hwcap & HWCAP_SVE) return &gotoblas_ARMV8SVE;
    return NULL;
}
__attribute__((constructor)) void gotoblas_init(void) {
    if (gotoblas) return;
    gotoblas = get_coretype();
    if (gotoblas == NULL) gotoblas = &gotoblas_ARMV8;
    if (!gotoblas->dot) { fprintf(stderr, "no architecture\n"); exit(1); }
}
__attribute__((noinline)) static int cblas(const int *a, int n) { return gotoblas->dot(a, n) + gotoblas->axpy(a, n) + gotoblas->gemm(a, n); }
int main(int argc, char **argv) { int n = fill(argc); printf("%s %d\n", gotoblas->name, cblas(data, n)); }
