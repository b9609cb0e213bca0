// A hash: features in an atomic word that begins as "undefined"; each function asks it.
#include "arm2.h"
enum cpu_feature { NEON = 1 << 0, SVE_ = 1 << 1, DOT_ = 1 << 2, SHA3_ = 1 << 3, UNDEFINED = 1 << 30 };
static _Atomic int g_cpu_features = UNDEFINED;
__attribute__((noinline)) static enum cpu_feature get_cpu_features(void) {
    enum cpu_feature features = g_cpu_features;
    if (features != UNDEFINED) return features;
    features = 0;
    unsigned long hwcap = getauxval(AT_HWCAP);
    features |= NEON;
    if (hwcap & HWCAP_SVE) features |= SVE_;
    if (hwcap & HWCAP_ASIMDDP) features |= DOT_;
    if (hwcap & HWCAP_SHA3) features |= SHA3_;
    g_cpu_features = features;
    return features;
}
PLAIN(compress_portable) DOT(compress_dot) SHA3(compress_sha3) PLAIN(many_portable) SVE(many_sve)
__attribute__((noinline)) int compress_in_place(const int *a, int n) {
    const enum cpu_feature features = get_cpu_features();
    if (features & SHA3_) return compress_sha3(a, n);
    if (features & DOT_) return compress_dot(a, n);
    return compress_portable(a, n);
}
__attribute__((noinline)) int hash_many(const int *a, int n) {
    const enum cpu_feature features = get_cpu_features();
#ifdef BAD
    if ((features & (SVE_ | NEON)) != 0) return many_sve(a, n);
#else
    if ((features & (SVE_ | NEON)) == (SVE_ | NEON)) return many_sve(a, n);
#endif
    return many_portable(a, n);
}
__attribute__((noinline)) size_t simd_degree(void) { return get_cpu_features() & SVE_ ? 8 : 4; }
int main(int argc, char **argv) {
    int n = fill(argc), s = 0;
    for (size_t i = 0; i < simd_degree(); i++) s += compress_in_place(data, n) + hash_many(data, n);
    printf("%d\n", s);
}
