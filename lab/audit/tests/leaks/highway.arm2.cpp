// Targets are bits, best lowest; the chosen one is a mask whose lowest bit is the place in a table.
#include "arm2.h"
#include <atomic>
#define HWY_SVE2 (1LL << 23)
#define HWY_SVE (1LL << 25)
#define HWY_NEON_BF16 (1LL << 26)
#define HWY_NEON (1LL << 28)
#define HWY_SCALAR (1LL << 62)
#define HWY_TARGETS (HWY_SVE | HWY_NEON_BF16 | HWY_NEON)
static int64_t DetectTargets() {
    int64_t bits = HWY_SCALAR;
    const unsigned long hw = getauxval(AT_HWCAP);
#if defined(BAD)
    if ((hw & HWCAP_AES) == HWCAP_AES) {
        bits |= HWY_NEON | HWY_NEON_BF16;
    }
#else
    if ((hw & HWCAP_AES) == HWCAP_AES) {
        bits |= HWY_NEON;
        const unsigned long hw2 = getauxval(AT_HWCAP2);
        if ((hw & HWCAP_ASIMDHP) && (hw & HWCAP_ASIMDDP) && (hw2 & HWCAP2_BF16)) bits |= HWY_NEON_BF16;
    }
#endif
    if (hw & HWCAP_SVE) bits |= HWY_SVE;
    return bits;
}
static int64_t supported_mask, for_test;
__attribute__((noinline)) void DisableTargets(int64_t disabled) { supported_mask = ~disabled; }
__attribute__((noinline)) int64_t SupportedTargets() {
    int64_t targets = for_test;
    if (targets == 0) targets = DetectTargets();
    targets &= supported_mask == 0 ? ~0LL : supported_mask;
    return targets == 0 ? HWY_NEON : targets;
}
struct ChosenTarget {
    void Update(int64_t targets) { mask_.store((targets & HWY_TARGETS) >> 23 << 1); }
    bool IsInitialized() const { return mask_.load() != 1; }
    size_t GetIndex() const { return (size_t)__builtin_ctzll(mask_.load()); }
    std::atomic<int64_t> mask_{1};
};
__attribute__((noinline)) ChosenTarget &GetChosenTarget() { static ChosenTarget chosen; return chosen; }
PLAIN(sum_neon) BF16(sum_bf16) SVE(sum_sve)
static int choose(const int *, int);
static const work_t sum_table[] = {choose, nullptr, nullptr, sum_sve, sum_bf16, nullptr, sum_neon};
static int choose(const int *a, int n) {
    GetChosenTarget().Update(SupportedTargets());
    return sum_table[GetChosenTarget().GetIndex()](a, n);
}
int main(int argc, char **argv) {
    int n = fill(argc);
    if (argc > 1000) DisableTargets(HWY_SVE);
    int s = 0;
    for (int i = 0; i < 2; i++) s += sum_table[GetChosenTarget().GetIndex()](data, n);
    printf("%d\n", s);
}
