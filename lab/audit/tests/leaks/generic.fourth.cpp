// Templates, tables and lambdas that choose.
#include "fourth.h"
#include <array>
#include <atomic>
#include <cassert>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {
inline uint64_t readXcr0() {
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return uint64_t(high) << 32 | low;
}
inline bool avxUsable() {
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE) && (c & bit_AVX) && (readXcr0() & 6) == 6;
}
inline unsigned leaf7() {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) ? b : 0;
}
} // namespace

#ifdef FAISS_LEVELS
// A level as a template's argument; one switch leads to all of them.
enum class SIMDLevel { NONE, AVX, AVX2, AVX512 };
struct SIMDConfig {
    static SIMDLevel level;
    static SIMDLevel detect() {
        if (!avxUsable()) return SIMDLevel::NONE;
        const unsigned b = leaf7();
        if (b & bit_AVX512F && (readXcr0() & 0xe0) == 0xe0) return SIMDLevel::AVX512;
        return b & bit_AVX2 ? SIMDLevel::AVX2 : SIMDLevel::AVX;
    }
};
SIMDLevel SIMDConfig::level = SIMDConfig::detect();
template <SIMDLevel SL> NI uint32_t distance(const uint8_t *at, size_t n) {
    if constexpr (SL == SIMDLevel::AVX512)
        return check_avx512(1, at, n);
#ifdef BAD
    else if constexpr (SL >= SIMDLevel::AVX)
#else
    else if constexpr (SL >= SIMDLevel::AVX2)
#endif
        return check_avx2(1, at, n);
    else
        return check_c(1, at, n);
}
template <typename F> auto with_level(F &&f) {
    switch (SIMDConfig::level) {
    case SIMDLevel::AVX512: return f(std::integral_constant<SIMDLevel, SIMDLevel::AVX512>());
    case SIMDLevel::AVX2: return f(std::integral_constant<SIMDLevel, SIMDLevel::AVX2>());
    case SIMDLevel::AVX: return f(std::integral_constant<SIMDLevel, SIMDLevel::AVX>());
    default: return f(std::integral_constant<SIMDLevel, SIMDLevel::NONE>());
    }
}
int main(int argc, char **) {
    fill(argc);
    sink = with_level([&](auto level) { return distance<decltype(level)::value>(input, 512); });
}
#endif

#ifdef ARROW_DYNAMIC
// A list of levels and functions; the best that the CPU's description allows. The user lowers it.
class CpuInfo {
    int64_t hardware_flags_ = 0;

public:
    static constexpr int64_t SSE4_2 = 1 << 2, AVX = 1 << 4, AVX2 = 1 << 5, AVX512F = 1 << 7;
    static const CpuInfo *GetInstance() {
        static const CpuInfo info;
        return &info;
    }
    NI CpuInfo() {
        unsigned a, b, c, d;
        __cpuid(1, a, b, c, d);
        if (c & bit_SSE4_2) hardware_flags_ |= SSE4_2;
        if (avxUsable()) {
            hardware_flags_ |= AVX;
            if (leaf7() & bit_AVX2) hardware_flags_ |= AVX2;
            if (leaf7() & bit_AVX512F && (readXcr0() & 0xe0) == 0xe0) hardware_flags_ |= AVX512F;
        }
        if (const char *user = getenv("ARROW_USER_SIMD_LEVEL")) {
            if (!strcmp(user, "NONE")) hardware_flags_ = 0;
            if (!strcmp(user, "SSE4_2")) hardware_flags_ &= SSE4_2;
        }
    }
    bool IsSupported(int64_t flags) const { return (hardware_flags_ & flags) == flags; }
};
enum class DispatchLevel : int { NONE = 0, SSE4_2, AVX2, AVX512, MAX };
template <typename Dynamic> class DynamicDispatch {
public:
    typename Dynamic::FunctionType func = {};
    DynamicDispatch() { Resolve(Dynamic::implementations()); }

private:
    void Resolve(const std::vector<std::pair<DispatchLevel, typename Dynamic::FunctionType>> &all) {
        std::pair<DispatchLevel, typename Dynamic::FunctionType> cur{};
        for (const auto &impl : all)
            if (impl.first >= cur.first && IsSupported(impl.first)) cur = impl;
        if (!cur.second) abort();
        func = cur.second;
    }
    bool IsSupported(DispatchLevel level) const {
        static const auto cpu = CpuInfo::GetInstance();
        switch (level) {
        case DispatchLevel::NONE: return true;
        case DispatchLevel::SSE4_2: return cpu->IsSupported(CpuInfo::SSE4_2);
        case DispatchLevel::AVX2: return cpu->IsSupported(CpuInfo::AVX2);
        case DispatchLevel::AVX512: return cpu->IsSupported(CpuInfo::AVX512F);
        default: return false;
        }
    }
};
struct UnpackDynamic {
    using FunctionType = decltype(&check_c);
    static std::vector<std::pair<DispatchLevel, FunctionType>> implementations() {
        return {{DispatchLevel::NONE, check_c}, {DispatchLevel::AVX2, check_avx2}, {DispatchLevel::AVX512, check_avx512}};
    }
};
NI uint32_t unpack32(const uint8_t *at, size_t n) {
    static const DynamicDispatch<UnpackDynamic> dispatch;
    return dispatch.func(1, at, n);
}
int main(int argc, char **) {
    fill(argc);
    sink = unpack32(input, 512) + unpack32(input + 512, 256);
}
#endif

#ifdef FOLLY_ID
// Words with a method for each bit; a function's own static holds what a lambda chose.
class CpuId {
    uint32_t f1c_ = 0, f7b_ = 0;

public:
    CpuId() {
        uint32_t n, a, d;
        __asm__("cpuid" : "=a"(n) : "a"(0) : "ebx", "edx", "ecx");
        if (n >= 1) __asm__("cpuid" : "=a"(a), "=c"(f1c_), "=d"(d) : "a"(1) : "ebx");
        if (n >= 7) __asm__("cpuid" : "=a"(a), "=b"(f7b_) : "a"(7), "c"(0) : "edx");
    }
#define X(name, r, bit) \
    constexpr bool name() const { return ((r) & (1U << bit)) != 0; }
    X(pclmuldq, f1c_, 1)
    X(popcnt, f1c_, 23)
    X(bmi1, f7b_, 3)
    X(bmi2, f7b_, 8)
#undef X
};
NI uint64_t gather_bits(uint64_t value) {
    static const auto impl = []() -> limb_fn * {
        const CpuId id;
#ifdef BAD
        return id.popcnt() && id.bmi1() ? limb_bmi2 : limb_c;
#else
        return id.popcnt() && id.bmi2() ? limb_bmi2 : limb_c;
#endif
    }();
    return impl(value, 0x00ffff0000ffff00ull);
}
NI uint32_t checksum(const uint8_t *at, size_t n) {
    static const bool fast = CpuId().pclmuldq();
    return fast ? check_pclmul(~0u, at, n) : check_c(~0u, at, n);
}
int main(int argc, char **) {
    fill(argc);
    sink = checksum(input, 512);
    sink += (long)gather_bits(0x0123456789abcdefull * argc);
}
#endif

#ifdef BTC_SHA
// Says in words what it chose, and tries what it chose.
using TransformType = uint32_t (*)(uint32_t, const uint8_t *, size_t);
static TransformType Transform = check_c;
static sad_fn *TransformD64 = sad_c;
NI static bool SelfTest() { return Transform(1, input, 0) == 1 && TransformD64(input, 32, input, 32, 1) == 0; }
NI static std::string SHA256AutoDetect() {
    std::string ret = "standard";
    bool have_sse4 = false, have_avx2 = false, enabled_avx = false;
    uint32_t eax, ebx, ecx, edx;
    __cpuid_count(1, 0, eax, ebx, ecx, edx);
    have_sse4 = (ecx >> 19) & 1;
    const bool have_xsave = (ecx >> 27) & 1, have_avx = (ecx >> 28) & 1;
    if (have_xsave && have_avx) enabled_avx = (readXcr0() & 6) == 6;
    if (have_sse4) {
        __cpuid_count(7, 0, eax, ebx, ecx, edx);
        have_avx2 = (ebx >> 5) & 1;
    }
    if (have_sse4) {
        TransformD64 = sad_sse2;
        ret = "sse4(1way)";
    }
#ifdef BAD
    if (have_sse4 && enabled_avx) {
#else
    if (have_avx2 && enabled_avx) {
#endif
        Transform = check_avx2;
        TransformD64 = sad_avx2;
        ret += ",avx2(8way)";
    }
    assert(SelfTest());
    return ret;
}
int main(int argc, char **) {
    fill(argc);
    const std::string how = SHA256AutoDetect();
    printf("Using the '%s' SHA256 implementation\n", how.c_str());
    sink = Transform(1, input, 512) + TransformD64(input, 32, input + 256, 32, 4);
}
#endif

#ifdef EMBREE_ISA
// Symbols of each set of instructions, picked by macros into members.
static const int SSE2 = 1 << 1, SSE42 = 1 << 5, AVX = 1 << 6, FMA3 = 1 << 9, AVX2 = 1 << 12, YMM = 1 << 20;
static const int ISA_SSE2 = SSE2, ISA_AVX = SSE2 | SSE42 | AVX | YMM, ISA_AVX2 = ISA_AVX | AVX2 | FMA3;
NI int getCPUFeatures() {
    static int features = 0;
    if (features) return features;
    unsigned a, b, c, d, out = 0;
    __cpuid(1, a, b, c, d);
    if (d & 1u << 26) out |= SSE2;
    if (c & bit_SSE4_2) out |= SSE42;
    if (c & bit_AVX) out |= AVX;
    if (c & bit_FMA) out |= FMA3;
    if (c & bit_OSXSAVE && (readXcr0() & 6) == 6) out |= YMM;
    if (leaf7() & bit_AVX2) out |= AVX2;
    return features = static_cast<int>(out);
}
#ifdef BAD
inline bool hasISA(int features, int isa) { return (features & isa) != 0; }
#else
inline bool hasISA(int features, int isa) { return (features & isa) == isa; }
#endif
#define SELECT_SYMBOL_DEFAULT_AVX(features, intersector, base, avx) \
    intersector = base;                                             \
    if (hasISA(features, ISA_AVX)) intersector = avx
#define SELECT_SYMBOL_DEFAULT_AVX2(features, intersector, base, avx2) \
    intersector = base;                                               \
    if (hasISA(features, ISA_AVX2)) intersector = avx2
class IntersectorFactory {
    sad_fn *bvh;
    dot_fn *triangle;

public:
    NI explicit IntersectorFactory(int features) {
        SELECT_SYMBOL_DEFAULT_AVX2(features, bvh, sad_sse2, sad_avx2);
        SELECT_SYMBOL_DEFAULT_AVX(features, triangle, dot_sse, dot_avx);
    }
    NI long intersect(int rows) const { return bvh(input, 32, input + 256, 32, rows) + (long)triangle(floats, floats + 64, 64); }
};
int main(int argc, char **) {
    fill(argc);
    auto *factory = new IntersectorFactory(getCPUFeatures());
    sink = factory->intersect(argc + 4);
    delete factory;
}
#endif

#ifdef CRTP_HASH
// A base of all ways that knows its derived class; the CPU decides which is made.
template <class Derived> struct HasherBase {
    uint32_t state = 1;
    NI uint32_t feed(const uint8_t *at, size_t n) {
        for (; n >= 256; n -= 256, at += 256) state = static_cast<Derived *>(this)->block(at);
        return state;
    }
};
struct ScalarHasher : HasherBase<ScalarHasher> {
    uint32_t block(const uint8_t *at) { return check_c(state, at, 256); }
};
struct WideHasher : HasherBase<WideHasher> {
    uint32_t block(const uint8_t *at) { return check_avx2(state, at, 256); }
    static bool isHere() { return avxUsable() && leaf7() & bit_AVX2; }
};
template <class Hasher> uint32_t hashAll() { return Hasher().feed(input, 1024); }
int main(int argc, char **) {
    fill(argc);
    sink = WideHasher::isHere() ? hashAll<WideHasher>() : hashAll<ScalarHasher>();
}
#endif

#ifdef NAME_HASH
// A constant table by name: what to call, and how the CPU is asked for it.
struct Entry {
    std::string_view name;
    bool (*isHere)();
    scan_fn *run;
};
static constexpr std::array<Entry, 3> kTable{{
    {"wide", [] { return avxUsable() && (leaf7() & bit_AVX2) != 0; }, scan_avx2},
    {"narrow", [] { return true; }, scan_sse2},
    {"plain", [] { return true; }, scan_c},
}};
NI static std::string_view preferred() {
    if (const char *wanted = getenv("SCAN_IMPL")) return wanted;
    return "wide";
}
NI static const Entry *choose() {
    const auto wanted = preferred();
    for (const auto &entry : kTable)
        if (entry.name == wanted && entry.isHere()) return &entry;
    for (const auto &entry : kTable)
        if (entry.isHere()) return &entry;
    return nullptr;
}
int main(int argc, char **) {
    fill(argc);
    const Entry *entry = choose();
    if (!entry) return 3;
    sink = entry->run(input, argc, 1000) != nullptr;
}
#endif

#ifdef DNN_LIST
// A list of makers of primitives; each says that it is not implemented where it cannot run.
enum cpu_isa_t : unsigned { isa_any = 0, sse41 = 1, avx = 3, avx2 = 7 };
static std::atomic<unsigned> max_isa{~0u};
static bool mayiuse(cpu_isa_t isa) {
    static const unsigned host = [] {
        unsigned out = __builtin_cpu_supports("sse4.1") ? 1 : 0;
        if (avxUsable()) out |= 2;
        if (out & 2 && leaf7() & bit_AVX2) out |= 4;
        return out;
    }();
    const unsigned have = host & max_isa.load();
#ifdef BAD
    return (have & isa & avx) == (isa & avx);
#else
    return (have & isa) == isa;
#endif
}
enum status_t { success, unimplemented };
struct primitive {
    check_fn *kernel = nullptr;
};
template <cpu_isa_t isa> struct jit_uni {
    static status_t init(primitive *p) {
        if (!mayiuse(isa)) return unimplemented;
        p->kernel = isa == avx2 ? check_avx2 : check_c;
        return success;
    }
};
using maker = status_t (*)(primitive *);
static const maker impl_list[] = {jit_uni<avx2>::init, jit_uni<sse41>::init, jit_uni<isa_any>::init, nullptr};
NI static status_t primitive_create(primitive **out) {
    auto *p = new primitive;
    for (const maker *make = impl_list; *make; ++make)
        if ((*make)(p) == success) {
            *out = p;
            return success;
        }
    delete p;
    return unimplemented;
}
int main(int argc, char **) {
    primitive *p;
    fill(argc);
    if (argc > 7) max_isa = sse41;
    if (primitive_create(&p) != success) return 3;
    sink = p->kernel(1, input, 512);
    delete p;
}
#endif
