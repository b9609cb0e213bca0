// A library of pictures: an object with an array of flags by number; each call asks by number. The
// better object is a variable that users may swap for an empty one.
#include "arm2.h"
enum { CPU_NEON = 100, CPU_FP16 = 101, CPU_NEON_DOTPROD = 102, CPU_NEON_BF16 = 103, CPU_SVE = 104, HARDWARE_MAX_FEATURE = 512 };
struct HWFeatures {
    explicit HWFeatures(bool run = false) {
        memset(have, 0, sizeof have);
        if (run) initialize();
    }
    static HWFeatures initialized() { return HWFeatures(true); }
    void initialize() {
        unsigned long hwcap = getauxval(AT_HWCAP), hwcap2 = getauxval(AT_HWCAP2);
        have[CPU_NEON] = true;
        have[CPU_FP16] = true;
        if (hwcap & (1 << 20)) have[CPU_NEON_DOTPROD] = true;
        if (hwcap2 & (1 << 14)) have[CPU_NEON_BF16] = true;
        if (hwcap & (1 << 22)) have[CPU_SVE] = true;
    }
    bool have[HARDWARE_MAX_FEATURE + 1];
};
static HWFeatures featuresEnabled = HWFeatures::initialized(), featuresDisabled;
static HWFeatures *currentFeatures = &featuresEnabled;
__attribute__((noinline)) bool checkHardwareSupport(int feature) { return currentFeatures->have[feature]; }
__attribute__((noinline)) void setUseOptimized(bool flag) { currentFeatures = flag ? &featuresEnabled : &featuresDisabled; }
PLAIN(dot_baseline) DOT(dot_neon_dotprod) PLAIN(mul_baseline) SVE(mul_sve) BF16(conv_bf16)
__attribute__((noinline)) static int dot(const int *a, int n) {
    if (checkHardwareSupport(CPU_NEON_DOTPROD)) return dot_neon_dotprod(a, n);
    return dot_baseline(a, n);
}
__attribute__((noinline)) static work_t getMul() {
#ifdef BAD
    if (checkHardwareSupport(CPU_FP16)) return mul_sve;
#else
    if (checkHardwareSupport(CPU_SVE)) return mul_sve;
#endif
    return mul_baseline;
}
class Conv {
public:
    Conv() : useBF16(checkHardwareSupport(CPU_NEON_BF16)) {}
    int run(const int *a, int n) const { return useBF16 ? conv_bf16(a, n) : mul_baseline(a, n); }
private:
    bool useBF16;
};
int main(int argc, char **argv) {
    int n = fill(argc);
    if (argc > 1000) setUseOptimized(false);
    Conv conv;
    printf("%d %d %d\n", dot(data, n), getMul()(data, n), conv.run(data, n));
}
