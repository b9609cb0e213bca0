// Functions for several targets in one file, as Highway has them: an exported table with one pointer
// a target, the first of which detects the targets, and a chosen mask whose lowest bit is the index.
#include <atomic>
#include <cpuid.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <immintrin.h>
#include <vector>

#define HWY_ATTR_AVX2 __attribute__((target("avx2,fma")))
#define HWY_ATTR_AVX3 __attribute__((target("avx512f,avx512bw")))
namespace hwy {
// Better targets have lower bits.
constexpr int64_t HWY_AVX3 = 1 << 1, HWY_AVX2 = 1 << 2, HWY_SSE4 = 1 << 3, HWY_SCALAR = 1 << 4;
constexpr size_t HWY_MAX_DYNAMIC_TARGETS = 4;
// Bit 0 is of what has not been chosen yet.
struct ChosenTarget {
    void Update(int64_t targets) { mask_.store(targets | HWY_SCALAR); }
    bool IsInitialized() const { return mask_.load() != 1; }
    void DeInit() { mask_.store(1); }
    size_t GetIndex() const { return static_cast<size_t>(__builtin_ctzll(static_cast<uint64_t>(mask_.load()))); }

private:
    std::atomic<int64_t> mask_{1};
};
ChosenTarget &GetChosenTarget() {
    static ChosenTarget chosen_target;
    return chosen_target;
}
static int64_t supported_mask_ = -1;
void DisableTargets(int64_t targets) { supported_mask_ = ~targets; }
static bool IsBitSet(unsigned reg, int index) { return (reg & (1U << index)) != 0; }
static int64_t DetectTargets() {
    int64_t bits = HWY_SCALAR;
    unsigned a, b, c, d, max, b7 = 0, lo = 0, hi;
    __cpuid(0, max, b, c, d);
    __cpuid(1, a, b, c, d);
    const unsigned c1 = c;
    if (max >= 7)
        __cpuid_count(7, 0, a, b7, c, d);
    if (IsBitSet(c1, 27))
        asm volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    if (IsBitSet(c1, 19) && IsBitSet(c1, 20))
        bits |= HWY_SSE4;
#ifdef BAD
    // Group of AVX2: AVX, FMA and half floats; "IsBitSet(b7, 5)" is lost.
    const bool avx2_group = IsBitSet(c1, 28) && IsBitSet(c1, 12) && IsBitSet(c1, 29);
#else
    const bool avx2_group = IsBitSet(c1, 28) && IsBitSet(c1, 12) && IsBitSet(c1, 29) && IsBitSet(b7, 5);
#endif
    if (avx2_group)
        bits |= HWY_AVX2;
    if (avx2_group && IsBitSet(b7, 16) && IsBitSet(b7, 30))
        bits |= HWY_AVX3;
    if ((lo & 6) != 6)
        bits &= ~(HWY_AVX2 | HWY_AVX3);
    if ((lo & 0xe6) != 0xe6)
        bits &= ~HWY_AVX3;
    return bits;
}
int64_t SupportedTargets() {
    const int64_t targets = DetectTargets();
    GetChosenTarget().Update(targets & supported_mask_);
    return targets & supported_mask_;
}
template <typename RetType, typename... Args> struct FunctionCache {
    using FunctionType = RetType(Args...);
    template <FunctionType *const table[]> static RetType ChooseAndCall(Args... args) {
        SupportedTargets();
        return (table[GetChosenTarget().GetIndex()])(args...);
    }
};
template <typename RetType, typename... Args> FunctionCache<RetType, Args...> DeduceFunctionCache(RetType (*)(Args...)) { return {}; }
}
#define HWY_EXPORT(NAME)                                                                                               \
    extern decltype(&N_SCALAR::NAME) const NAME##HighwayDispatchTable[hwy::HWY_MAX_DYNAMIC_TARGETS + 1];               \
    decltype(&N_SCALAR::NAME) const NAME##HighwayDispatchTable[hwy::HWY_MAX_DYNAMIC_TARGETS + 1] = {                   \
        &decltype(hwy::DeduceFunctionCache(&N_SCALAR::NAME))::ChooseAndCall<NAME##HighwayDispatchTable>,               \
        &N_AVX3::NAME, &N_AVX2::NAME, &N_SSE4::NAME, &N_SCALAR::NAME}
#define HWY_DYNAMIC_DISPATCH(NAME) (*(NAME##HighwayDispatchTable[hwy::GetChosenTarget().GetIndex()]))

namespace skeleton {
namespace N_SCALAR {
int64_t SumAbs(const int32_t *p, size_t n) {
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += std::abs(p[i]);
    return sum;
}
float MulAdd(const float *a, const float *b, size_t n) {
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
}
namespace N_SSE4 {
using N_SCALAR::MulAdd;
int64_t SumAbs(const int32_t *p, size_t n) { return N_SCALAR::SumAbs(p, n); }
}
namespace N_AVX2 {
HWY_ATTR_AVX2 int64_t SumAbs(const int32_t *p, size_t n) {
    __m256i sum = _mm256_setzero_si256();
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        sum = _mm256_add_epi32(sum, _mm256_abs_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(p + i))));
    int32_t part[8];
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(part), sum);
    return N_SCALAR::SumAbs(part, 8) + N_SCALAR::SumAbs(p + i, n - i);
}
HWY_ATTR_AVX2 float MulAdd(const float *a, const float *b, size_t n) {
    __m256 sum = _mm256_setzero_ps();
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        sum = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), sum);
    float part[8], ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    _mm256_storeu_ps(part, sum);
    return N_SCALAR::MulAdd(part, ones, 8) + N_SCALAR::MulAdd(a + i, b + i, n - i);
}
}
namespace N_AVX3 {
HWY_ATTR_AVX3 int64_t SumAbs(const int32_t *p, size_t n) {
    __m512i sum = _mm512_setzero_si512();
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
        sum = _mm512_add_epi32(sum, _mm512_abs_epi32(_mm512_loadu_si512(p + i)));
    return _mm512_reduce_add_epi32(sum) + N_SCALAR::SumAbs(p + i, n - i);
}
HWY_ATTR_AVX3 float MulAdd(const float *a, const float *b, size_t n) {
    __m512 sum = _mm512_setzero_ps();
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
        sum = _mm512_fmadd_ps(_mm512_loadu_ps(a + i), _mm512_loadu_ps(b + i), sum);
    return _mm512_reduce_add_ps(sum) + N_SCALAR::MulAdd(a + i, b + i, n - i);
}
}
HWY_EXPORT(SumAbs);
HWY_EXPORT(MulAdd);
int64_t CallSumAbs(const std::vector<int32_t> &v) { return HWY_DYNAMIC_DISPATCH(SumAbs)(v.data(), v.size()); }
float CallMulAdd(const std::vector<float> &a, const std::vector<float> &b) { return HWY_DYNAMIC_DISPATCH(MulAdd)(a.data(), b.data(), a.size()); }
}

int main(int argc, char **argv) {
    if (argc > 1)
        hwy::DisableTargets(std::strtoll(argv[1], nullptr, 0));
    std::vector<int32_t> v(333);
    std::vector<float> a(333), b(333);
    for (int i = 0; i < 333; i++)
        v[i] = i * 37 % 101 - 50, a[i] = static_cast<float>(i % 8), b[i] = static_cast<float>(i % 3);
    const int64_t sum = skeleton::CallSumAbs(v);
    const float product = skeleton::CallMulAdd(a, b);
    if (sum != skeleton::N_SCALAR::SumAbs(v.data(), v.size()) || product != skeleton::N_SCALAR::MulAdd(a.data(), b.data(), 333))
        return 1;
    std::printf("%lld %g\n", static_cast<long long>(sum), product);
    return 0;
}
