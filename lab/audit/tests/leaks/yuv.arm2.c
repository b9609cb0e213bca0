// Rows: each call takes a pointer by tests of one word, which is made at the first test.
// ENV: the environment may say the CPU's features.
#include "arm2.h"
static const int kCpuInitialized = 0x1, kCpuHasARM = 0x2, kCpuHasNEON = 0x100, kCpuHasNeonDotProd = 0x200, kCpuHasNeonI8MM = 0x400, kCpuHasSVE = 0x800, kCpuHasSVE2 = 0x1000;
static int cpu_info_;
__attribute__((noinline)) static int Arm64CpuCaps(unsigned long hwcap, unsigned long hwcap2) {
    int features = kCpuHasNEON;
    if (hwcap & HWCAP_ASIMDDP) {
        features |= kCpuHasNeonDotProd;
        if (hwcap2 & HWCAP2_I8MM) {
            features |= kCpuHasNeonI8MM;
            if (hwcap & HWCAP_SVE) {
                features |= kCpuHasSVE;
                if (hwcap2 & HWCAP2_SVE2) features |= kCpuHasSVE2;
            }
        }
    }
    return features;
}
__attribute__((noinline)) static int GetCpuFlags(void) {
    int cpu_info = Arm64CpuCaps(getauxval(AT_HWCAP), getauxval(AT_HWCAP2));
#ifdef ENV
    if (getenv("LIBYUV_FORCE")) cpu_info |= kCpuHasNeonDotProd | kCpuHasNeonI8MM;
#endif
    return cpu_info | kCpuHasARM | kCpuInitialized;
}
__attribute__((noinline)) int InitCpuFlags(void) {
    int cpu_info = GetCpuFlags();
    __atomic_store_n(&cpu_info_, cpu_info, __ATOMIC_RELAXED);
    return cpu_info;
}
static inline int TestCpuFlag(int test_flag) {
    int cpu_info = __atomic_load_n(&cpu_info_, __ATOMIC_RELAXED);
    return (!cpu_info ? InitCpuFlags() : cpu_info) & test_flag;
}
PLAIN(Row_C) PLAIN(Row_NEON) DOT(Row_NEON_DotProd) I8MM(Row_NEON_I8MM) SVE(Row_SVE) PLAIN(Sum_C) DOT(Sum_NEON_DotProd)
__attribute__((noinline)) static int ARGBToUV(const int *a, int n) {
    int (*Row)(const int *, int) = Row_C;
    if (TestCpuFlag(kCpuHasNEON)) Row = Row_NEON;
    if (TestCpuFlag(kCpuHasNeonDotProd)) { if (n > 1) Row = Row_NEON_DotProd; }
    if (TestCpuFlag(kCpuHasNeonI8MM)) Row = Row_NEON_I8MM;
    if (TestCpuFlag(kCpuHasSVE)) Row = Row_SVE;
    return Row(a, n);
}
__attribute__((noinline)) static int ComputeSum(const int *a, int n) {
    int (*Sum)(const int *, int) = Sum_C;
#ifdef BAD
    if (TestCpuFlag(kCpuHasNEON)) Sum = Sum_NEON_DotProd;
#else
    if (TestCpuFlag(kCpuHasNeonDotProd)) Sum = Sum_NEON_DotProd;
#endif
    int s = 0;
    for (int i = 0; i < n; i += 16) s += Sum(a + i, 16);
    return s;
}
int main(int argc, char **argv) { int n = fill(argc); printf("%d %d\n", ARGBToUV(data, n), ComputeSum(data, n)); }
