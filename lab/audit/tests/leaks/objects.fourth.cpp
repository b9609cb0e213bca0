// Libraries of objects: virtual functions, factories, registries, objects of a thread.
#include "fourth.h"
#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {
struct Registers {
    uint32_t eax, ebx, ecx, edx;
};
inline Registers cpuid(uint32_t leaf, uint32_t sub = 0) {
    Registers r{};
    __asm__ volatile("cpuid" : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx) : "a"(leaf), "c"(sub));
    return r;
}
inline bool systemSavesYmm() {
    if (!(cpuid(1).ecx & 1u << 27)) return false;
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & 6) == 6;
}
} // namespace

#ifdef SIMDJSON_BEST
// Implementations with the sets of instructions that they require; a pointer to one that
// detects which is best at its first use.
namespace internal {
enum instruction_set { DEFAULT = 0, SSE42 = 1, PCLMULQDQ = 2, AVX2 = 4, BMI1 = 8, BMI2 = 16 };
static uint32_t detect_supported_architectures() {
    uint32_t host = 0;
    const Registers one = cpuid(1);
    if (one.ecx & 1u << 20) host |= SSE42;
    if (one.ecx & 1u << 1) host |= PCLMULQDQ;
    if (!systemSavesYmm() || cpuid(0).eax < 7) return host;
    const Registers seven = cpuid(7);
    if (seven.ebx & 1u << 5) host |= AVX2;
    if (seven.ebx & 1u << 3) host |= BMI1;
    if (seven.ebx & 1u << 8) host |= BMI2;
    return host;
}
} // namespace internal
class implementation {
public:
    virtual std::string name() const { return _name; }
    uint32_t required_instruction_sets() const { return _required; }
    virtual bool supported_by_runtime_system() const {
        const uint32_t required = required_instruction_sets(), supported = internal::detect_supported_architectures();
        return (supported & required) == required;
    }
    virtual const uint8_t *find_quote(const uint8_t *at, size_t n) const noexcept = 0;
    virtual uint32_t minify(const uint8_t *at, size_t n) const noexcept = 0;
    virtual ~implementation() = default;

protected:
    constexpr implementation(const char *name, uint32_t required) : _name(name), _required(required) {}

private:
    const char *_name;
    uint32_t _required;
};
struct fallback final : implementation {
    fallback() : implementation("fallback", 0) {}
    const uint8_t *find_quote(const uint8_t *at, size_t n) const noexcept final { return scan_c(at, '"', n); }
    uint32_t minify(const uint8_t *at, size_t n) const noexcept final { return check_c(1, at, n); }
};
struct haswell final : implementation {
#ifdef BAD
    haswell() : implementation("haswell", internal::SSE42 | internal::PCLMULQDQ) {}
#else
    haswell() : implementation("haswell", internal::AVX2 | internal::PCLMULQDQ | internal::BMI1 | internal::BMI2) {}
#endif
    const uint8_t *find_quote(const uint8_t *at, size_t n) const noexcept final { return scan_avx2(at, '"', n); }
    uint32_t minify(const uint8_t *at, size_t n) const noexcept final { return check_avx2(1, at, n); }
};
static const std::vector<const implementation *> &available() {
    static const haswell best;
    static const fallback last;
    static const std::vector<const implementation *> all{&best, &last};
    return all;
}
static std::atomic<const implementation *> &active();
struct detect_best final : implementation {
    detect_best() : implementation("best_supported_detector", 0) {}
    static const implementation *set_best() {
        for (const implementation *one : available())
            if (one->supported_by_runtime_system()) return active() = one;
        return active() = available().back();
    }
    const uint8_t *find_quote(const uint8_t *at, size_t n) const noexcept final { return set_best()->find_quote(at, n); }
    uint32_t minify(const uint8_t *at, size_t n) const noexcept final { return set_best()->minify(at, n); }
};
static std::atomic<const implementation *> &active() {
    static const detect_best detector;
    static std::atomic<const implementation *> now{&detector};
    return now;
}
int main(int argc, char **) {
    fill(argc);
    sink = active().load()->find_quote(input, 1000) != nullptr;
    sink += active().load()->minify(input, 512);
}
#endif

#ifdef CV_HAL
// An array of bools in a structure that is filled before `main`; macros of calls.
enum { CV_CPU_SSE4_1 = 6, CV_CPU_AVX = 10, CV_CPU_FP16 = 9, CV_CPU_AVX2 = 11, CV_CPU_FMA3 = 12, CV_HARDWARE_MAX_FEATURE = 64 };
struct HWFeatures {
    bool have[CV_HARDWARE_MAX_FEATURE + 1];
    explicit HWFeatures(bool run) {
        memset(have, 0, sizeof(have));
        if (run) initialize();
    }
    NI void initialize() {
        const Registers one = cpuid(1);
        have[CV_CPU_SSE4_1] = (one.ecx & 1u << 19) != 0;
        have[CV_CPU_FMA3] = (one.ecx & 1u << 12) != 0;
        have[CV_CPU_AVX] = (one.ecx & 1u << 28) != 0;
        have[CV_CPU_FP16] = (one.ecx & 1u << 29) != 0;
        if (cpuid(0).eax >= 7) have[CV_CPU_AVX2] = (cpuid(7).ebx & 1u << 5) != 0;
        if (!systemSavesYmm()) have[CV_CPU_AVX] = have[CV_CPU_FP16] = have[CV_CPU_AVX2] = have[CV_CPU_FMA3] = false;
        const char *off = getenv("OPENCV_CPU_DISABLE");
        if (off && strstr(off, "AVX2")) have[CV_CPU_AVX2] = false;
    }
};
static HWFeatures featuresEnabled(true), featuresDisabled(false);
static HWFeatures *currentFeatures = &featuresEnabled;
NI bool checkHardwareSupport(int feature) { return currentFeatures->have[feature]; }
NI void setUseOptimized(bool flag) { currentFeatures = flag ? &featuresEnabled : &featuresDisabled; }
#define CV_CPU_CALL(feature, fn, ...) \
    if (checkHardwareSupport(CV_CPU_##feature)) return fn(__VA_ARGS__)
namespace hal {
NI int norm(const uint8_t *a, const uint8_t *b, int rows) {
#ifdef BAD
    CV_CPU_CALL(AVX, sad_avx2, a, 32, b, 32, rows);
#else
    CV_CPU_CALL(AVX2, sad_avx2, a, 32, b, 32, rows);
#endif
    return sad_sse2(a, 32, b, 32, rows);
}
NI float dotProd(const float *a, const float *b, int n) {
    CV_CPU_CALL(FMA3, dot_fma, a, b, n);
    CV_CPU_CALL(AVX, dot_avx, a, b, n);
    return dot_sse(a, b, n);
}
} // namespace hal
int main(int argc, char **) {
    fill(argc);
    setUseOptimized(argc < 5);
    sink = hal::norm(input, input + 512, argc + 7);
    sink += (long)hal::dotProd(floats, floats + 128, 128);
}
#endif

#ifdef CLICK_SELECTOR
// Implementations are registered if their architecture is there; the last is taken.
enum class TargetArch : uint32_t { Default = 0, SSE42 = 1, AVX = 2, AVX2 = 4 };
static bool isArchSupported(TargetArch arch) {
    static const uint32_t archs = [] {
        uint32_t out = 0;
        if (cpuid(1).ecx & 1u << 20) out |= 1;
        if (systemSavesYmm() && cpuid(1).ecx & 1u << 28) out |= 2;
        if (out & 2 && cpuid(0).eax >= 7 && cpuid(7).ebx & 1u << 5) out |= 4;
        return out;
    }();
    return arch == TargetArch::Default || archs & static_cast<uint32_t>(arch);
}
struct IFunction {
    virtual uint32_t execute(const uint8_t *at, size_t n) const = 0;
    virtual ~IFunction() = default;
};
struct FunctionDefault : IFunction {
    uint32_t execute(const uint8_t *at, size_t n) const override { return check_c(1, at, n); }
};
struct FunctionAVX2 : IFunction {
    uint32_t execute(const uint8_t *at, size_t n) const override { return check_avx2(1, at, n); }
};
template <typename Base> class ImplementationSelector {
    std::vector<std::unique_ptr<Base>> implementations;

public:
    template <TargetArch arch, typename Impl, typename... Args> void registerImplementation(Args &&...args) {
        if (isArchSupported(arch)) implementations.emplace_back(std::make_unique<Impl>(std::forward<Args>(args)...));
    }
    uint32_t selectAndExecute(const uint8_t *at, size_t n) const {
        if (implementations.empty()) throw std::runtime_error("no available implementations");
        return implementations[implementations.size() - 1]->execute(at, n);
    }
};
class FunctionStringHash {
    ImplementationSelector<IFunction> selector;

public:
    FunctionStringHash() {
        selector.registerImplementation<TargetArch::Default, FunctionDefault>();
#ifdef BAD
        selector.registerImplementation<TargetArch::AVX, FunctionAVX2>();
#else
        selector.registerImplementation<TargetArch::AVX2, FunctionAVX2>();
#endif
    }
    uint32_t run(const uint8_t *at, size_t n) const { return selector.selectAndExecute(at, n); }
};
int main(int argc, char **) {
    fill(argc);
    auto function = std::make_shared<FunctionStringHash>();
    sink = function->run(input, 512);
}
#endif

#ifdef AUDIO_FACTORY
// A factory gives an object for the number of channels and the CPU.
class Mixer {
public:
    virtual ~Mixer() = default;
    virtual float mix(const float *left, const float *right, int frames) = 0;
    static std::unique_ptr<Mixer> create(int channels);
};
template <dot_fn *kernel> class MixerOf final : public Mixer {
    float gain = 1.f;

public:
    float mix(const float *left, const float *right, int frames) override { return gain * kernel(left, right, frames); }
};
class Surround final : public Mixer {
    std::vector<dot_fn *> lanes;

public:
    Surround(int channels, bool fused) : lanes(channels, fused ? dot_fma : dot_sse) {}
    float mix(const float *left, const float *right, int frames) override {
        float all = 0;
        for (auto lane : lanes) all += lane(left, right, frames);
        return all;
    }
};
static bool hasFma() { return systemSavesYmm() && (cpuid(1).ecx & 0x10001000u) == 0x10001000u; }
NI std::unique_ptr<Mixer> Mixer::create(int channels) {
#ifdef BAD
    if (channels > 2) return std::make_unique<Surround>(channels, true);
#else
    if (channels > 2) return std::make_unique<Surround>(channels, hasFma());
#endif
    if (hasFma()) return std::make_unique<MixerOf<dot_fma>>();
    return std::make_unique<MixerOf<dot_sse>>();
}
int main(int argc, char **) {
    fill(argc);
    for (int channels : {2, 6}) sink += (long)Mixer::create(channels)->mix(floats, floats + 128, 64 * argc);
}
#endif

#ifdef STAGES
// A pipeline of `std::function`, built once for the CPU.
using Stage = std::function<uint32_t(uint32_t, const uint8_t *, size_t)>;
class Pipeline {
    std::vector<Stage> stages;

public:
    explicit Pipeline(bool fast) {
        stages.emplace_back([](uint32_t seed, const uint8_t *at, size_t n) { return seed ^ at[n / 2]; });
        if (fast)
            stages.emplace_back(check_avx2);
        else
            stages.emplace_back(check_c);
        const int rows = fast ? 16 : 8;
        auto difference = fast ? sad_avx2 : sad_sse2;
        stages.emplace_back([=](uint32_t seed, const uint8_t *at, size_t) { return seed + difference(at, 32, at + 256, 32, rows); });
    }
    uint32_t run(const uint8_t *at, size_t n) const {
        uint32_t value = 1;
        for (const auto &stage : stages) value = stage(value, at, n);
        return value;
    }
};
int main(int argc, char **) {
    __builtin_cpu_init();
    fill(argc);
    const Pipeline pipeline(__builtin_cpu_supports("avx2"));
    sink = pipeline.run(input, 512);
}
#endif

#ifdef REGEX_TLS
// Each thread has an engine of its own, which knows the way of searching.
enum class Way : uint8_t { Scalar, Narrow, Wide };
struct Engine {
#ifdef BAD
    Way way = Way::Wide;
#else
    Way way = detect();
#endif
    std::vector<uint32_t> found;
    static Way detect() {
        if (systemSavesYmm() && cpuid(0).eax >= 7 && cpuid(7).ebx & 1u << 5) return Way::Wide;
        return cpuid(1).edx & 1u << 26 ? Way::Narrow : Way::Scalar;
    }
    NI void search(const uint8_t *at, int byte, size_t n) {
        const uint8_t *hit = nullptr;
        switch (way) {
        case Way::Wide: hit = scan_avx2(at, byte, n); break;
        case Way::Narrow: hit = scan_sse2(at, byte, n); break;
        case Way::Scalar: hit = scan_c(at, byte, n); break;
        }
        if (hit) found.push_back(static_cast<uint32_t>(hit - at));
    }
};
static Engine &engine() {
    thread_local std::unique_ptr<Engine> mine;
    if (!mine) mine = std::make_unique<Engine>();
    return *mine;
}
int main(int argc, char **) {
    fill(argc);
    engine().way = Engine::detect();
    engine().search(input, 'x', 1000);
    std::thread other([] {
        engine().search(input, 'y', 1000);
        sink = (long)engine().found.size();
    });
    other.join();
}
#endif

#ifdef V8_PROBE
// Features are bits by number; a scope says that code may use one.
enum CpuFeature { SSE4_2, AVX, FMA3, BMI2, NUMBER_OF_CPU_FEATURES };
class CpuFeatures {
    static unsigned supported_;
    static bool initialized_;
    static void ProbeImpl() {
        const Registers one = cpuid(1);
        if (one.ecx & 1u << 20) supported_ |= 1u << SSE4_2;
        if (one.ecx & 1u << 28 && systemSavesYmm()) {
            supported_ |= 1u << AVX;
            if (one.ecx & 1u << 12) supported_ |= 1u << FMA3;
        }
        if (cpuid(0).eax >= 7 && cpuid(7).ebx & 1u << 8) supported_ |= 1u << BMI2;
    }

public:
    NI static void Probe() {
        if (initialized_) return;
        initialized_ = true;
        ProbeImpl();
    }
    static bool IsSupported(CpuFeature f) { return supported_ & 1u << f; }
};
unsigned CpuFeatures::supported_ = 0;
bool CpuFeatures::initialized_ = false;
class CodeAssembler {
public:
    NI uint64_t Extract(uint64_t value) const {
        if (CpuFeatures::IsSupported(BMI2)) return limb_bmi2(value, 0xff00ff00ff);
        return limb_c(value, 0xff00ff00ff);
    }
    NI float MulAdd(const float *a, const float *b) const {
        if (CpuFeatures::IsSupported(FMA3)) return dot_fma(a, b, 64);
        if (CpuFeatures::IsSupported(AVX)) return dot_avx(a, b, 64);
        return dot_c(a, b, 64);
    }
};
int main(int argc, char **) {
    fill(argc);
    CpuFeatures::Probe();
    CodeAssembler code;
    sink = (long)code.Extract(input[argc] * 0x123456789ull);
    sink += (long)code.MulAdd(floats, floats + 64);
}
#endif

#ifdef GAME_STATICS
// Objects that are made before `main`: what the platform is, and a system that goes by it.
struct Platform {
    int features;
    static int query() {
        int out = 1;
        if (systemSavesYmm() && cpuid(1).ecx & 1u << 28) out |= 2;
        if (out & 2 && cpuid(0).eax >= 7 && cpuid(7).ebx & 1u << 5) out |= 4;
        return out;
    }
    NI Platform() : features(query()) {}
    NI bool hasWide() const { return features & 4; }
};
static int cachedFeatures = -1; // until somebody has asked
struct Culling {
    sad_fn *test;
#ifdef BAD
    NI Culling() : test(cachedFeatures & 4 ? sad_avx2 : sad_sse2) {}
#else
    NI Culling();
#endif
};
#ifdef BAD
static Culling culling;
static Platform platform;
static const bool isKnown = (cachedFeatures = platform.features) != 0;
#else
static Platform platform;
static Culling culling;
Culling::Culling() : test(platform.hasWide() ? sad_avx2 : sad_sse2) { cachedFeatures = platform.features; }
#endif
int main(int argc, char **) {
    fill(argc);
    sink = culling.test(input, 32, input + 256, 32, argc + 4) + cachedFeatures;
}
#endif
