// A script engine: the CPU is an object whose members are booleans, a static class probes it once into
// a mask that flags of the command line take from, and builtins are picked from the mask.
#include "ninth.h"
#include <cpuid.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <immintrin.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace base {
class CPU final {
  public:
    CPU();
    const char *vendor() const { return vendor_; }
    int family() const { return family_; }
    int model() const { return model_; }
    bool has_sse41() const { return has_sse41_; }
    bool has_osxsave() const { return has_osxsave_; }
    bool has_avx() const { return has_avx_; }
    bool has_avx2() const { return has_avx2_; }
    bool has_fma3() const { return has_fma3_; }
    bool has_bmi2() const { return has_bmi2_; }

  private:
    char vendor_[13]{};
    int stepping_ = 0, model_ = 0, family_ = 0;
    bool has_sse41_ = false, has_osxsave_ = false, has_avx_ = false, has_avx2_ = false, has_fma3_ = false, has_bmi2_ = false;
};
CPU::CPU() {
    int cpu_info[4];
    auto cpuid = [&](int type, int sub = 0) { __cpuid_count(type, sub, cpu_info[0], cpu_info[1], cpu_info[2], cpu_info[3]); };
    cpuid(0);
    unsigned num_ids = unsigned(cpu_info[0]);
    std::swap(cpu_info[2], cpu_info[3]);
    std::memcpy(vendor_, cpu_info + 1, 12);
    if (num_ids > 0) {
        cpuid(1);
        stepping_ = cpu_info[0] & 0xF;
        model_ = ((cpu_info[0] >> 4) & 0xF) + ((cpu_info[0] >> 12) & 0xF0);
        family_ = (cpu_info[0] >> 8) & 0xF;
        has_sse41_ = (cpu_info[2] & 0x00080000) != 0;
        has_osxsave_ = (cpu_info[2] & 0x08000000) != 0;
        has_avx_ = (cpu_info[2] & 0x10000000) != 0;
        has_fma3_ = (cpu_info[2] & 0x00001000) != 0;
    }
    if (num_ids >= 7) {
        cpuid(7);
        has_avx2_ = (cpu_info[1] & 0x00000020) != 0;
        has_bmi2_ = (cpu_info[1] & 0x00000100) != 0;
    }
}
} // namespace base

enum CpuFeature { SSE4_1, AVX, AVX2, FMA3, BMI2, NUMBER_OF_CPU_FEATURES };
struct FlagValues {
    bool enable_avx = true, enable_avx2 = true, enable_fma3 = true, predictable = false;
    int iterations = 2;
};
static FlagValues v8_flags;
class CpuFeatures {
    static inline unsigned supported_ = 0;
    static inline bool initialized_ = false;
    static void ProbeImpl(bool cross_compile);

  public:
    static void Probe(bool cross_compile) {
        if (initialized_)
            return;
        initialized_ = true;
        ProbeImpl(cross_compile);
    }
    static bool IsSupported(CpuFeature f) { return (supported_ & (1u << f)) != 0; }
    static void SetSupported(CpuFeature f) { supported_ |= 1u << f; }
    static void SetUnsupported(CpuFeature f) { supported_ &= ~(1u << f); }
};
static bool OSHasAVXSupport() {
    uint32_t eax, edx;
    __asm__ volatile("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
    return (eax & 0x6) == 0x6;
}
void CpuFeatures::ProbeImpl(bool cross_compile) {
    base::CPU cpu;
    if (cross_compile)
        return;
    if (cpu.has_sse41())
        SetSupported(SSE4_1);
    if (cpu.has_avx() && cpu.has_osxsave() && OSHasAVXSupport()) {
        SetSupported(AVX);
#ifdef BAD
        // Behind the system's support of it, it was thought to be the same.
        SetSupported(AVX2);
#else
        if (cpu.has_avx2())
            SetSupported(AVX2);
#endif
        if (cpu.has_fma3())
            SetSupported(FMA3);
    }
    if (cpu.has_bmi2())
        SetSupported(BMI2);
    if (!v8_flags.enable_avx)
        SetUnsupported(AVX);
    if (!v8_flags.enable_avx2 || !IsSupported(AVX))
        SetUnsupported(AVX2);
    if (!v8_flags.enable_fma3 || !IsSupported(AVX))
        SetUnsupported(FMA3);
}

class Isolate;
using Builtin = intptr_t (*)(const Isolate &, const uint32_t *, intptr_t, uint32_t);
enum class BuiltinId { kArrayIndexOf, kArraySum, kCount };
static intptr_t ArrayIndexOf_Generic(const Isolate &, const uint32_t *array, intptr_t length, uint32_t element) {
    for (intptr_t i = 0; i < length; i++)
        if (array[i] == element)
            return i;
    return -1;
}
__attribute__((target("avx2"))) static intptr_t ArrayIndexOf_AVX2(const Isolate &isolate, const uint32_t *array, intptr_t length, uint32_t element) {
    const __m256i wanted = _mm256_set1_epi32(int(element));
    intptr_t i = 0;
    for (; i + 8 <= length; i += 8) {
        __m256i equal = _mm256_cmpeq_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(array + i)), wanted);
        if (int mask = _mm256_movemask_ps(_mm256_castsi256_ps(equal)))
            return i + __builtin_ctz(unsigned(mask));
    }
    intptr_t rest = ArrayIndexOf_Generic(isolate, array + i, length - i, element);
    return rest < 0 ? rest : i + rest;
}
static intptr_t ArraySum_Generic(const Isolate &, const uint32_t *array, intptr_t length, uint32_t start) {
    uint64_t sum = start;
    for (intptr_t i = 0; i < length; i++)
        sum += array[i];
    return intptr_t(sum);
}
class Isolate {
    Builtin builtins_[size_t(BuiltinId::kCount)];
    std::vector<std::string> pending_;

  public:
    static std::unique_ptr<Isolate> New() {
        CpuFeatures::Probe(false);
        auto isolate = std::make_unique<Isolate>();
        isolate->builtins_[size_t(BuiltinId::kArrayIndexOf)] = CpuFeatures::IsSupported(AVX2) && !v8_flags.predictable ? ArrayIndexOf_AVX2 : ArrayIndexOf_Generic;
        isolate->builtins_[size_t(BuiltinId::kArraySum)] = ArraySum_Generic;
        return isolate;
    }
    intptr_t Call(BuiltinId id, const std::vector<uint32_t> &array, uint32_t argument) {
        if (array.empty()) {
            pending_.push_back("TypeError: array is empty");
            return -2;
        }
        return builtins_[size_t(id)](*this, array.data(), intptr_t(array.size()), argument);
    }
    const std::vector<std::string> &pending() const { return pending_; }
};
static int SetFlagsFromCommandLine(int argc, char **argv) {
    static const struct {
        std::string_view name;
        bool *value;
    } flags[] = {{"enable-avx", &v8_flags.enable_avx}, {"enable-avx2", &v8_flags.enable_avx2}, {"enable-fma3", &v8_flags.enable_fma3}, {"predictable", &v8_flags.predictable}};
    for (int i = 1; i < argc; i++) {
        std::string_view arg = argv[i];
        if (!arg.starts_with("--"))
            continue;
        arg.remove_prefix(2);
        bool value = true;
        if (arg.starts_with("no-")) {
            value = false;
            arg.remove_prefix(3);
        }
        bool known = false;
        for (const auto &flag : flags)
            if (flag.name == arg)
                *flag.value = value, known = true;
        if (!known) {
            std::fprintf(stderr, "Error: unrecognized flag %s\n", argv[i]);
            return i;
        }
    }
    return 0;
}
int main(int argc, char **argv) {
    if (SetFlagsFromCommandLine(argc, argv))
        return 3;
    auto isolate = Isolate::New();
    std::vector<uint32_t> array;
    for (uint32_t i = 0; i < 83; i++)
        array.push_back(i * i % 97);
    long total = 0;
    for (int i = 0; i < v8_flags.iterations; i++)
        for (uint32_t element : {0u, 25u, 96u, 1000u})
            total += isolate->Call(BuiltinId::kArrayIndexOf, array, element);
    total += isolate->Call(BuiltinId::kArraySum, array, 1);
    isolate->Call(BuiltinId::kArraySum, {}, 1);
    std::printf("%ld\n", total);
    for (const auto &message : isolate->pending())
        std::printf("%s\n", message.c_str());
    return 0;
}
