// Versions of functions, as compilers make them: a word of features by numbers of their own, made
// by what resolvers call first.
#include "arm2.h"
enum { FEAT_DOTPROD = 4, FEAT_LSE = 7, FEAT_SHA3 = 13, FEAT_FP16 = 16, FEAT_I8MM = 26, FEAT_BF16 = 27, FEAT_SVE = 30, FEAT_SVE2 = 36, FEAT_INIT = 62 };
#define ARG_HWCAP (1ULL << 62)
typedef struct { unsigned long size, hwcap, hwcap2; } ifunc_arg_t;
struct { unsigned long long features; } features_of_cpu __attribute__((visibility("hidden")));
static void init_features(unsigned long hwcap, const ifunc_arg_t *arg) {
    unsigned long hwcap2 = 0;
    unsigned long long feat = 0;
#define setCPUFeature(F) feat |= 1ULL << F
    if (hwcap & ARG_HWCAP) hwcap2 = arg->hwcap2;
    if (hwcap & HWCAP_ASIMDDP) setCPUFeature(FEAT_DOTPROD);
    if (hwcap & HWCAP_ATOMICS) setCPUFeature(FEAT_LSE);
    if (hwcap & HWCAP_SHA3) setCPUFeature(FEAT_SHA3);
    if (hwcap & HWCAP_FPHP) setCPUFeature(FEAT_FP16);
    if (hwcap & HWCAP_SVE) setCPUFeature(FEAT_SVE);
    if (hwcap2 & HWCAP2_I8MM) setCPUFeature(FEAT_I8MM);
    if (hwcap2 & HWCAP2_BF16) setCPUFeature(FEAT_BF16);
    if (hwcap2 & HWCAP2_SVE2) setCPUFeature(FEAT_SVE2);
    setCPUFeature(FEAT_INIT);
    features_of_cpu.features = feat;
}
__attribute__((noinline)) void init_cpu_features_resolver(unsigned long hwcap, const ifunc_arg_t *arg) {
    if (features_of_cpu.features) return;
    init_features(hwcap, arg);
}
#define HAS(mask) ((features_of_cpu.features & (mask)) == (mask))
#define F(n) (1ULL << FEAT_##n)
PLAIN(dot_default) DOT(dot_Mdotprod) I8MM(dot_Mi8mm) PLAIN(count_default) LSE(count_Mlse) PLAIN(f_default) FP16(f_Mfp16)
static work_t dot_resolver(unsigned long hwcap, const ifunc_arg_t *arg) {
    init_cpu_features_resolver(hwcap, arg);
    if (HAS(F(I8MM) | F(DOTPROD))) return dot_Mi8mm;
    if (HAS(F(DOTPROD))) return dot_Mdotprod;
    return dot_default;
}
static work_t count_resolver(unsigned long hwcap, const ifunc_arg_t *arg) {
    init_cpu_features_resolver(hwcap, arg);
#ifdef BAD
    return HAS(F(INIT)) ? count_Mlse : count_default;
#else
    return HAS(F(LSE)) ? count_Mlse : count_default;
#endif
}
static work_t f_resolver(unsigned long hwcap, const ifunc_arg_t *arg) {
    init_cpu_features_resolver(hwcap, arg);
    return HAS(F(FP16)) ? f_Mfp16 : f_default;
}
int dot(const int *, int) __attribute__((ifunc("dot_resolver")));
int count(const int *, int) __attribute__((ifunc("count_resolver")));
int f(const int *, int) __attribute__((ifunc("f_resolver")));
int main(int argc, char **argv) {
    int n = fill(argc);
    printf("%d %d %d\n", dot(data, n), count(data, n), f(data, n));
}
