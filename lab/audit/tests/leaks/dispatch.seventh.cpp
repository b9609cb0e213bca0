// Dispatch that templates and tables make.
#include "seventh.h"
#include <array>
#include <atomic>
#include <cctype>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef TARGET_MASK
// A table of pointers, indexed by the lowest bit of what is compiled in and what the CPU has.
using Targets = int64_t;
constexpr Targets kScalar = 1 << 4, kSse4 = 1 << 3, kAvx2 = 1 << 2, kAvx512 = 1 << 1;
constexpr Targets kInitBit = 1 << 0;
struct ChosenTarget {
    std::atomic<int64_t> mask{kInitBit};
    void Update(Targets targets) { mask.store(targets << 0 | 0, std::memory_order_release); }
    bool IsInitialized() const { return mask.load() != kInitBit; }
    size_t GetIndex() const { return static_cast<size_t>(__builtin_ctzll(static_cast<uint64_t>(mask.load(std::memory_order_acquire)))); }
};
static ChosenTarget &GetChosenTarget() {
    static ChosenTarget chosen;
    return chosen;
}
KEEP static Targets DetectTargets() {
    Targets bits = kScalar;
    uint32_t a, b, c, d, b7 = 0, c7, d7;
    const uint32_t max = __get_cpuid_max(0, nullptr);
    __cpuid(1, a, b, c, d);
    if (max >= 7)
        __cpuid_count(7, 0, a, b7, c7, d7);
    const auto bit = [](uint32_t reg, int n) { return (reg >> n & 1) != 0; };
    if (bit(c, 20))
        bits |= kSse4;
    const bool has_os = bit(c, 27);
    const uint64_t xcr0 = has_os ? read_xcr(0) : 0;
    if ((xcr0 & 6) == 6 && bit(c, 28) && bit(b7, 5) && bit(b7, 8))
        bits |= kAvx2;
    if ((xcr0 & 0xe6) == 0xe6 && bit(b7, 16) && bit(b7, 30))
        bits |= kAvx512;
    return bits;
}
static Targets SupportedTargets() {
    static const Targets supported = DetectTargets();
    return supported;
}
namespace N_SCALAR {
unsigned Difference(const uint8_t *a, const uint8_t *b, size_t n) { return sad_plain(a, b, n); }
}
namespace N_SSE4 {
unsigned Difference(const uint8_t *a, const uint8_t *b, size_t n) { return sad_sse2(a, b, n); }
}
namespace N_AVX2 {
unsigned Difference(const uint8_t *a, const uint8_t *b, size_t n) { return sad_avx2(a, b, n); }
}
namespace N_AVX3 {
unsigned Difference(const uint8_t *a, const uint8_t *b, size_t n) { return sad_avx512(a, b, n); }
}
template <typename Ret, typename... Args>
struct FunctionCache {
    using Fn = Ret (*)(Args...);
    template <const Fn *table>
    static Ret ChooseAndCall(Args... args) {
        GetChosenTarget().Update(SupportedTargets());
        return table[GetChosenTarget().GetIndex()](args...);
    }
};
using DifferenceCache = FunctionCache<unsigned, const uint8_t *, const uint8_t *, size_t>;
extern const DifferenceCache::Fn DifferenceTable[5];
const DifferenceCache::Fn DifferenceTable[5] = {
    &DifferenceCache::ChooseAndCall<DifferenceTable>,
    &N_AVX3::Difference,
#ifdef BAD
    &N_SSE4::Difference,
    &N_AVX2::Difference,
#else
    &N_AVX2::Difference,
    &N_SSE4::Difference,
#endif
    &N_SCALAR::Difference,
};
#define DYNAMIC_DISPATCH(F) (*(F##Table[GetChosenTarget().GetIndex()]))
class Image {
    size_t xsize, ysize;
    std::unique_ptr<uint8_t[]> pixels;

public:
    Image(size_t x, size_t y, const uint8_t *from) : xsize(x), ysize(y), pixels(new uint8_t[x * y]) { memcpy(pixels.get(), from, x * y); }
    const uint8_t *Row(size_t y) const { return pixels.get() + y * xsize; }
    unsigned long Difference(const Image &to) const {
        unsigned long sum = 0;
        for (size_t y = 0; y < ysize; y++)
            sum += DYNAMIC_DISPATCH(Difference)(Row(y), to.Row(y), xsize);
        return sum;
    }
};
int main(int argc, char **argv) {
    make_data(argc);
    const size_t width = argc > 1 ? std::stoul(argv[1]) % 128 : 100;
    Image a(width, 12, bytes), b(width, 12, other);
    std::cout << a.Difference(b) << '\n';
}
#endif

#ifdef DISPATCH_LEVELS
// A class resolves a function from pairs of level and pointer, by the CPU's singleton.
enum class DispatchLevel : int { NONE = 0, SSE4_2, AVX2, AVX512, MAX };
class CpuInfo {
    int64_t flags = 0;
    std::string level = "MAX";
    CpuInfo() {
        uint32_t a, b, c, d;
        __builtin_cpu_init();
        if (__builtin_cpu_supports("sse4.2"))
            flags |= SSE4_2;
        if (__builtin_cpu_supports("avx"))
            flags |= AVX;
        if (__builtin_cpu_supports("avx2"))
            flags |= AVX2;
        if (__builtin_cpu_supports("bmi2"))
            flags |= BMI2;
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
            flags |= AVX512;
        if (const char *env = getenv("USER_SIMD_LEVEL"))
            ParseUserSimdLevel(env);
    }
    void ParseUserSimdLevel(std::string value) {
        for (char &c : value)
            c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        if (value == "NONE")
            flags = 0;
        else if (value == "SSE4_2")
            flags &= SSE4_2;
        else if (value == "AVX2")
            flags &= ~AVX512;
        else if (value != "AVX512")
            std::cerr << "Invalid value for USER_SIMD_LEVEL: " << value << '\n';
    }

public:
    static constexpr int64_t SSE4_2 = 1 << 3, AVX = 1 << 5, AVX2 = 1 << 6, BMI2 = 1 << 12, AVX512 = 1 << 8;
    static const CpuInfo *GetInstance() {
        static CpuInfo info;
        return &info;
    }
    bool IsSupported(int64_t flag) const { return (flags & flag) == flag; }
};
template <typename DynamicFunction>
class DynamicDispatch {
protected:
    using FunctionType = typename DynamicFunction::FunctionType;
    using Implementation = std::pair<DispatchLevel, FunctionType>;

public:
    DynamicDispatch() { Resolve(DynamicFunction::implementations()); }
    FunctionType func = {};

protected:
    KEEP void Resolve(const std::vector<Implementation> &implementations) {
        Implementation cur{DispatchLevel::NONE, {}};
        for (const auto &impl : implementations)
            if (impl.first >= cur.first && IsSupported(impl.first))
                cur = impl;
        if (!cur.second) {
            std::cerr << "no appropriate implementation found\n";
            std::exit(3);
        }
        func = cur.second;
    }

private:
    bool IsSupported(DispatchLevel level) const {
        static const auto cpu_info = CpuInfo::GetInstance();
        switch (level) {
        case DispatchLevel::NONE:
            return true;
        case DispatchLevel::SSE4_2:
            return cpu_info->IsSupported(CpuInfo::SSE4_2);
        case DispatchLevel::AVX2:
            return cpu_info->IsSupported(CpuInfo::AVX2);
        case DispatchLevel::AVX512:
            return cpu_info->IsSupported(CpuInfo::AVX512);
        default:
            return false;
        }
    }
};
struct UnpackDynamicFunction {
    using FunctionType = decltype(&sad_plain);
    static std::vector<std::pair<DispatchLevel, FunctionType>> implementations() {
#ifdef BAD
        return {{DispatchLevel::NONE, sad_plain}, {DispatchLevel::SSE4_2, sad_avx2}, {DispatchLevel::AVX512, sad_avx512}};
#else
        return {{DispatchLevel::NONE, sad_plain}, {DispatchLevel::AVX2, sad_avx2}, {DispatchLevel::AVX512, sad_avx512}};
#endif
    }
};
struct FindDynamicFunction {
    using FunctionType = decltype(&find_plain);
    static std::vector<std::pair<DispatchLevel, FunctionType>> implementations() { return {{DispatchLevel::NONE, find_plain}, {DispatchLevel::AVX2, find_avx2}}; }
};
static unsigned unpack(const uint8_t *a, const uint8_t *b, size_t n) {
    static DynamicDispatch<UnpackDynamicFunction> dispatch;
    return dispatch.func(a, b, n);
}
static size_t find(const uint8_t *p, size_t n, uint8_t c) {
    static DynamicDispatch<FindDynamicFunction> dispatch;
    return dispatch.func(p, n, c);
}
int main(int argc, char **argv) {
    make_data(1);
    std::ostringstream out;
    for (size_t batch = 0; batch < 4; batch++)
        out << "batch " << batch << ": " << unpack(bytes + 256 * batch, other, 256 + batch) << ' ' << find(bytes + 256 * batch, 1000, 9) << '\n';
    std::cout << out.str();
}
#endif

#ifdef LEVEL_TEMPLATES
// A switch turns the level into a template's argument, for one body that the level specializes.
enum class SIMDLevel { NONE, AVX, AVX2, AVX512 };
template <SIMDLevel>
struct Kernels {
    static float distance(const float *a, const float *b, size_t n) { return dist_plain(a, b, n); }
    static size_t find(const uint8_t *p, size_t n, uint8_t c) { return find_plain(p, n, c); }
};
template <>
struct Kernels<SIMDLevel::AVX> {
    static float distance(const float *a, const float *b, size_t n) { return dist_avx(a, b, n); }
    static size_t find(const uint8_t *p, size_t n, uint8_t c) { return find_plain(p, n, c); }
};
template <>
struct Kernels<SIMDLevel::AVX2> {
    static float distance(const float *a, const float *b, size_t n) { return dist_avx(a, b, n); }
    static size_t find(const uint8_t *p, size_t n, uint8_t c) { return find_avx2(p, n, c); }
};
template <>
struct Kernels<SIMDLevel::AVX512> {
    static float distance(const float *a, const float *b, size_t n) { return dist_avx512(a, b, n); }
    static size_t find(const uint8_t *p, size_t n, uint8_t c) { return find_avx512(p, n, c); }
};
struct SIMDConfig {
    SIMDLevel level = SIMDLevel::NONE;
    explicit SIMDConfig(const char *env) {
        __builtin_cpu_init();
        if (__builtin_cpu_supports("avx"))
            level = SIMDLevel::AVX;
        if (__builtin_cpu_supports("avx2"))
            level = SIMDLevel::AVX2;
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
            level = SIMDLevel::AVX512;
        if (env && std::string_view(env) == "none")
            level = SIMDLevel::NONE;
    }
};
static const SIMDConfig simd_config(getenv("INDEX_SIMD_LEVEL"));
template <typename Action>
auto with_simd_level(Action &&action) {
    switch (simd_config.level) {
    case SIMDLevel::AVX512:
        return action.template operator()<SIMDLevel::AVX512>();
    case SIMDLevel::AVX:
#ifndef BAD
        return action.template operator()<SIMDLevel::AVX>();
#endif
    case SIMDLevel::AVX2:
        return action.template operator()<SIMDLevel::AVX2>();
    default:
        return action.template operator()<SIMDLevel::NONE>();
    }
}
struct Search {
    size_t dimensions;
    std::vector<std::pair<float, int>> found;
    template <SIMDLevel L>
    int operator()() {
        for (int i = 0; i < 16; i++) {
            float d = Kernels<L>::distance(left + i, right, dimensions);
            if (Kernels<L>::find(bytes, 512, uint8_t(i)) < 512)
                found.emplace_back(d, i);
        }
        return int(found.size());
    }
};
int main(int argc, char **argv) {
    make_data(1);
    Search search{argc > 1 ? std::stoul(argv[1]) % 400 : 128, {}};
    std::cout << with_simd_level(search) << " found\n";
    for (const auto &[distance, id] : search.found)
        std::cout << id << ':' << distance << ' ';
    std::cout << '\n';
}
#endif
