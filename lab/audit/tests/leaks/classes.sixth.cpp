// Classes and objects that know what the CPU can.
#include "sixth.h"
#include <atomic>
#include <bitset>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#ifdef INSTRUCTION_SET
// A class with a static object that keeps the registers as sets of bits, as in a well-known example.
class InstructionSet {
public:
    static bool AVX() { return cpu().f_1_ECX_[28]; }
    static bool OSXSAVE() { return cpu().f_1_ECX_[27]; }
    static bool FMA() { return cpu().f_1_ECX_[12]; }
    static bool BMI2() { return cpu().f_7_EBX_[8]; }
#ifdef BAD
    // Of the other register, where it is the bit of VMX.
    static bool AVX2() { return cpu().f_1_ECX_[9]; }
#else
    static bool AVX2() { return cpu().f_7_EBX_[5]; }
#endif
    static const std::string &Vendor() { return cpu().vendor_; }

private:
    struct Internal {
        Internal() {
            unsigned r[4];
            __cpuid(0, r[0], r[1], r[2], r[3]);
            unsigned nIds = r[0];
            for (unsigned i = 0; i <= nIds && i < 32; ++i) {
                __cpuid_count(i, 0, r[0], r[1], r[2], r[3]);
                data_.push_back({r[0], r[1], r[2], r[3]});
            }
            char vendor[13] = {};
            memcpy(vendor, &data_[0].ebx, 4), memcpy(vendor + 4, &data_[0].edx, 4), memcpy(vendor + 8, &data_[0].ecx, 4);
            vendor_ = vendor;
            isIntel_ = vendor_ == "GenuineIntel";
            isAMD_ = vendor_ == "AuthenticAMD";
            if (nIds >= 1)
                f_1_ECX_ = data_[1].ecx;
            if (nIds >= 7)
                f_7_EBX_ = data_[7].ebx;
        }
        struct Registers {
            unsigned eax, ebx, ecx, edx;
        };
        std::string vendor_;
        bool isIntel_ = false, isAMD_ = false;
        std::bitset<32> f_1_ECX_, f_7_EBX_;
        std::vector<Registers> data_;
    };
    static const Internal &cpu() {
        static const Internal instance;
        return instance;
    }
};
int main(int argc, char **argv) {
    fill(argc);
    bool ymm = InstructionSet::OSXSAVE() && (xcr0() & 6) == 6;
    uint64_t sum = ymm && InstructionSet::AVX2() ? sum_avx2(text, 1000) : sum_c(text, 1000);
    uint64_t bits = InstructionSet::BMI2() ? deposit_bmi2(sum, 0xff00ff) : deposit_c(sum, 0xff00ff);
    printf("%llu %llu [%s]\n", (unsigned long long)sum, (unsigned long long)bits, InstructionSet::Vendor().c_str());
}
#endif

#ifdef MEMBER_POINTER
// An object holds a pointer to one of its own methods.
class Decoder {
public:
    explicit Decoder(size_t rows) : rows_(rows) {
        if (hasWide())
            step_ = &Decoder::stepWide;
    }
    uint64_t decode() {
        for (size_t row = 0; row < rows_; row++)
            (this->*step_)(text + row * 64, 64);
        return total_;
    }

private:
    static bool hasWide() {
#ifdef BAD
        return __builtin_cpu_supports("avx");
#else
        return __builtin_cpu_supports("avx2");
#endif
    }
    void stepPlain(const uint8_t *p, size_t n) { total_ = total_ * 17 + sum_c(p, n); }
    void stepWide(const uint8_t *p, size_t n) { total_ = total_ * 17 + sum_avx2(p, n); }
    void (Decoder::*step_)(const uint8_t *, size_t) = &Decoder::stepPlain;
    size_t rows_;
    uint64_t total_ = 0;
};
int main(int argc, char **argv) {
    fill(argc);
    auto decoder = std::make_unique<Decoder>(8 + argc);
    printf("%llu\n", (unsigned long long)decoder->decode());
}
#endif

#ifdef MADE_OR_NOT
// A static method gives an engine or nothing; the first that is made is used.
struct Engine {
    virtual ~Engine() = default;
    virtual float dot(int n) const = 0;
};
class PlainEngine : public Engine {
public:
    static std::unique_ptr<Engine> make() { return std::make_unique<PlainEngine>(); }
    float dot(int n) const override { return dot_sse(xs, ys, n); }
};
class AvxEngine : public Engine {
public:
    static std::unique_ptr<Engine> make() {
        if (!__builtin_cpu_supports("avx"))
            return nullptr;
        return std::make_unique<AvxEngine>();
    }
    float dot(int n) const override { return dot_avx(xs, ys, n); }
};
class FmaEngine final : public AvxEngine {
public:
#ifndef BAD
    // Without this the one of the class above is taken.
    static std::unique_ptr<Engine> make() {
        if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
            return nullptr;
        return std::make_unique<FmaEngine>();
    }
#else
    static std::unique_ptr<Engine> make() { return AvxEngine::make() ? std::make_unique<FmaEngine>() : nullptr; }
#endif
    float dot(int n) const override { return dot_fma(xs, ys, n); }
};
int main(int argc, char **argv) {
    fill(argc);
    std::unique_ptr<Engine> (*const makers[])() = {FmaEngine::make, AvxEngine::make, PlainEngine::make};
    std::unique_ptr<Engine> engine;
    for (auto make : makers)
        if ((engine = make()))
            break;
    printf("%g\n", engine->dot(64 * argc));
}
#endif

#ifdef GLOBAL_OBJECTS
// Objects of the program that are made before main, one from another.
namespace cpu {
struct Features {
    bool avx2 = false, aes = false, clmul = false;
    Features() {
        unsigned a, b, c, d;
        if (!__get_cpuid(1, &a, &b, &c, &d))
            return;
        aes = c & bit_AES;
#ifdef BAD
        clmul = c & (bit_PCLMUL | bit_SSE4_2);
#else
        clmul = c & bit_PCLMUL;
#endif
        if ((c & bit_OSXSAVE) && (xcr0() & 6) == 6 && __get_cpuid_count(7, 0, &a, &b, &c, &d))
            avx2 = b & bit_AVX2;
    }
};
const Features features;
} // namespace cpu
class Dispatcher {
public:
    explicit Dispatcher(const cpu::Features &f)
        : sum(f.avx2 ? sum_avx2 : sum_c), block(f.aes ? block_aesni : block_c), poly(f.clmul ? poly_clmul : poly_c) {}
    sum_fn *const sum;
    block_fn *const block;
    mix_fn *const poly;
};
static const Dispatcher dispatcher{cpu::features};
int main(int argc, char **argv) {
    fill(argc);
    dispatcher.block(text, text + 16);
    printf("%llu %llx\n", (unsigned long long)dispatcher.sum(text, 400), (unsigned long long)dispatcher.poly(words[0], words[9]));
}
#endif

#ifdef CAPABILITY_CAST
// A backend that can more has more bases; who needs that asks by dynamic_cast.
struct Backend {
    virtual ~Backend() = default;
    virtual uint64_t sum(const uint8_t *p, size_t n) { return sum_c(p, n); }
};
struct WideOps {
    virtual ~WideOps() = default;
    virtual size_t count(const uint8_t *p, size_t n, uint8_t c) = 0;
};
struct SseBackend : Backend {
    uint64_t sum(const uint8_t *p, size_t n) override { return sum_sse2(p, n); }
};
struct AvxBackend : SseBackend, WideOps {
    size_t count(const uint8_t *p, size_t n, uint8_t c) override { return count_avx2(p, n, c); }
    uint64_t sum(const uint8_t *p, size_t n) override { return sum_avx2(p, n); }
};
NI static std::shared_ptr<Backend> create_backend() {
#ifdef BAD
    if (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt"))
#else
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"))
#endif
        return std::make_shared<AvxBackend>();
    return std::make_shared<SseBackend>();
}
int main(int argc, char **argv) {
    fill(argc);
    auto backend = create_backend();
    size_t found = 0;
    if (auto wide = dynamic_cast<WideOps *>(backend.get()))
        found = wide->count(text, 1000, 5);
    else
        found = count_c(text, 1000, 5);
    printf("%zu %llu\n", found, (unsigned long long)backend->sum(text, 200));
}
#endif

#ifdef PER_THREAD
// Each thread has its own kernels, chosen when it first needs them.
class ThreadKernels {
public:
    ThreadKernels() {
        const char *off = getenv("NO_SIMD");
        if (off && *off == '1')
            return;
#ifdef BAD
        if (supported(bit_AVX, 0))
#else
        if (supported(bit_AVX, bit_AVX2))
#endif
            sum_ = sum_avx2;
    }
    uint64_t operator()(const uint8_t *p, size_t n) const { return sum_(p, n); }

private:
    static bool supported(unsigned one, unsigned seven) {
        unsigned a, b = 0, c = 0, d;
        __get_cpuid(1, &a, &b, &c, &d);
        if ((c & one) != one || !(c & bit_OSXSAVE) || (xcr0() & 6) != 6)
            return false;
        __get_cpuid_count(7, 0, &a, &b, &c, &d);
        return (b & seven) == seven;
    }
    sum_fn *sum_ = sum_c;
};
static thread_local ThreadKernels kernels;
int main(int argc, char **argv) {
    fill(argc);
    std::vector<std::thread> threads;
    std::atomic<uint64_t> total{0};
    for (int i = 0; i < 3; i++)
        threads.emplace_back([i, &total] { total += kernels(text + i, 300); });
    for (auto &thread : threads)
        thread.join();
    printf("%llu\n", (unsigned long long)total.load());
}
#endif

#ifdef QT_LIKE
// Features as an enumeration, in an atomic that is filled by the first who asks.
enum class Feature : unsigned { SSE4_2, AVX, F16C, AVX2, BMI, Count, Initialized = 31 };
struct FeatureStorage {
    std::atomic<unsigned> features[1];
};
static FeatureStorage storage;
static constexpr unsigned bit(Feature f) { return 1u << unsigned(f); }
NI static unsigned detectProcessorFeatures() {
    unsigned a, b, c, d, out = 0;
    unsigned top = __get_cpuid_max(0, nullptr);
    __cpuid(1, a, b, c, d);
    if (c & bit_SSE4_2)
        out |= bit(Feature::SSE4_2);
    if (c & bit_AVX)
        out |= bit(Feature::AVX);
    if (c & bit_F16C)
        out |= bit(Feature::F16C);
    const bool saves = (c & bit_OSXSAVE) && (xcr0() & 6) == 6;
    if (top >= 7) {
        __cpuid_count(7, 0, a, b, c, d);
        if (b & bit_AVX2)
            out |= bit(Feature::AVX2);
        if (b & bit_BMI)
            out |= bit(Feature::BMI);
    }
    if (!saves)
        out &= ~(bit(Feature::AVX) | bit(Feature::F16C) | bit(Feature::AVX2));
    out |= bit(Feature::Initialized);
    storage.features[0].store(out, std::memory_order_relaxed);
    return out;
}
static inline unsigned cpuFeatures() {
    unsigned features = storage.features[0].load(std::memory_order_relaxed);
    if (__builtin_expect(features == 0, 0))
        features = detectProcessorFeatures();
    return features;
}
template <typename... F> static inline bool hasFeatures(F... f) {
    const unsigned all = (bit(f) | ...);
    return (cpuFeatures() & all) == all;
}
NI static float floats(const uint64_t *p, int n) {
#ifdef BAD
    if (hasFeatures(Feature::AVX))
#else
    if (hasFeatures(Feature::AVX, Feature::F16C))
#endif
        return half_f16c(p, n);
    return half_c(p, n);
}
int main(int argc, char **argv) {
    fill(argc);
    unsigned rest = hasFeatures(Feature::BMI) ? rest_bmi(words, words + 20, 20) : rest_c(words, words + 20, 20);
    printf("%g %u\n", floats(words, 32), rest);
}
#endif
