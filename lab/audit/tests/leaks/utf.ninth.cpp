// A library of Unicode: implementations are objects with virtual functions, and the active one is an
// atomic pointer that begins with an object which detects the best at its first use.
#include "ninth.h"
#include <atomic>
#include <cpuid.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <immintrin.h>
#include <initializer_list>
#include <string>
#include <vector>

namespace internal {
enum instruction_set : uint32_t { DEFAULT = 0x0, AVX2 = 0x4, SSE42 = 0x8, PCLMULQDQ = 0x10, BMI1 = 0x20, BMI2 = 0x40, AVX512F = 0x100, AVX512BW = 0x4000 };
static inline void cpuid(uint32_t *eax, uint32_t *ebx, uint32_t *ecx, uint32_t *edx) {
    uint32_t level = 0;
    __get_cpuid_count(*eax, *ecx, eax, ebx, ecx, edx);
    (void)level;
}
static inline uint64_t xgetbv() {
    uint32_t lo, hi;
    __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    return lo | uint64_t(hi) << 32;
}
static inline uint32_t detect_supported_architectures() {
    uint32_t eax = 1, ebx = 0, ecx = 0, edx = 0, host = 0;
    cpuid(&eax, &ebx, &ecx, &edx);
    if (ecx & 1u << 20)
        host |= SSE42;
    if (ecx & 1u << 1)
        host |= PCLMULQDQ;
    if (!(ecx & 1u << 26) || !(ecx & 1u << 27))
        return host;
    uint64_t xcr0 = xgetbv();
    if ((xcr0 & 4) == 0)
        return host;
    eax = 7, ecx = 0;
    cpuid(&eax, &ebx, &ecx, &edx);
    if (ebx & 1u << 5)
        host |= AVX2;
    if (ebx & 1u << 3)
        host |= BMI1;
    if (ebx & 1u << 8)
        host |= BMI2;
    if ((xcr0 & 0xe0) != 0xe0)
        return host;
    if (ebx & 1u << 16)
        host |= AVX512F;
    if (ebx & 1u << 30)
        host |= AVX512BW;
    return host;
}
} // namespace internal

class implementation {
  public:
    virtual const std::string &name() const { return _name; }
    virtual bool supported_by_runtime_system() const;
    virtual uint32_t required_instruction_sets() const { return _required; }
    virtual bool validate_ascii(const char *buf, size_t len) const noexcept = 0;
    virtual size_t count_utf8(const char *buf, size_t len) const noexcept = 0;

  protected:
    implementation(std::string name, uint32_t required) : _name(std::move(name)), _required(required) {}
    virtual ~implementation() = default;

  private:
    std::string _name;
    uint32_t _required;
};
bool implementation::supported_by_runtime_system() const {
    uint32_t required = this->required_instruction_sets(), supported = internal::detect_supported_architectures();
#ifdef BAD
    // All of them, was meant.
    return required == 0 || (supported & required) != 0;
#else
    return (supported & required) == required;
#endif
}

namespace fallback {
class implementation final : public ::implementation {
  public:
    implementation() : ::implementation("fallback", 0) {}
    bool validate_ascii(const char *buf, size_t len) const noexcept override {
        for (size_t i = 0; i < len; i++)
            if (buf[i] & 0x80)
                return false;
        return true;
    }
    size_t count_utf8(const char *buf, size_t len) const noexcept override {
        size_t n = 0;
        for (size_t i = 0; i < len; i++)
            n += int8_t(buf[i]) > -65;
        return n;
    }
};
} // namespace fallback
namespace haswell {
#define TARGET_HASWELL __attribute__((target("avx2,bmi,bmi2,popcnt")))
class implementation final : public ::implementation {
  public:
    implementation() : ::implementation("haswell", internal::AVX2 | internal::PCLMULQDQ | internal::BMI1 | internal::BMI2) {}
    TARGET_HASWELL bool validate_ascii(const char *buf, size_t len) const noexcept override {
        __m256i seen = _mm256_setzero_si256();
        size_t i = 0;
        for (; i + 32 <= len; i += 32)
            seen = _mm256_or_si256(seen, _mm256_loadu_si256(reinterpret_cast<const __m256i *>(buf + i)));
        unsigned high = unsigned(_mm256_movemask_epi8(seen));
        for (; i < len; i++)
            high |= buf[i] & 0x80;
        return !high;
    }
    TARGET_HASWELL size_t count_utf8(const char *buf, size_t len) const noexcept override {
        size_t n = 0, i = 0;
        for (; i + 32 <= len; i += 32) {
            __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(buf + i));
            n += size_t(__builtin_popcount(unsigned(_mm256_movemask_epi8(_mm256_cmpgt_epi8(v, _mm256_set1_epi8(-65))))));
        }
        for (; i < len; i++)
            n += int8_t(buf[i]) > -65;
        return n;
    }
};
} // namespace haswell

namespace internal {
static const fallback::implementation *get_fallback_singleton() {
    static const fallback::implementation singleton{};
    return &singleton;
}
static const haswell::implementation *get_haswell_singleton() {
    static const haswell::implementation singleton{};
    return &singleton;
}
class detect_best_supported_implementation_on_first_use final : public implementation {
  public:
    const std::string &name() const noexcept final { return set_best()->name(); }
    bool supported_by_runtime_system() const noexcept final { return set_best()->supported_by_runtime_system(); }
    uint32_t required_instruction_sets() const noexcept final { return set_best()->required_instruction_sets(); }
    bool validate_ascii(const char *buf, size_t len) const noexcept final { return set_best()->validate_ascii(buf, len); }
    size_t count_utf8(const char *buf, size_t len) const noexcept final { return set_best()->count_utf8(buf, len); }
    detect_best_supported_implementation_on_first_use() noexcept : implementation("best_supported_detector", 0) {}

  private:
    const implementation *set_best() const noexcept;
};
static const std::initializer_list<const implementation *> &get_available_implementation_pointers() {
    static const std::initializer_list<const implementation *> list{get_haswell_singleton(), get_fallback_singleton()};
    return list;
}
} // namespace internal
class available_implementation_list {
  public:
    const implementation *const *begin() const noexcept { return internal::get_available_implementation_pointers().begin(); }
    const implementation *const *end() const noexcept { return internal::get_available_implementation_pointers().end(); }
    const implementation *operator[](const std::string &name) const noexcept {
        for (const implementation *impl : *this)
            if (impl->name() == name)
                return impl;
        return nullptr;
    }
    const implementation *detect_best_supported() const noexcept {
        for (const implementation *impl : *this)
            if (impl->supported_by_runtime_system())
                return impl;
        return internal::get_fallback_singleton();
    }
};
static const available_implementation_list &get_available_implementations() {
    static const available_implementation_list list{};
    return list;
}
static std::atomic<const implementation *> &get_active_implementation() {
    static const internal::detect_best_supported_implementation_on_first_use detector;
    static std::atomic<const implementation *> active{&detector};
    return active;
}
const implementation *internal::detect_best_supported_implementation_on_first_use::set_best() const noexcept {
    if (const char *forced = getenv("SIMDUTF_FORCE_IMPLEMENTATION")) {
        const implementation *impl = get_available_implementations()[forced];
        if (impl && impl->supported_by_runtime_system())
            return get_active_implementation() = impl;
    }
    return get_active_implementation() = get_available_implementations().detect_best_supported();
}
static bool validate_ascii(const char *buf, size_t len) noexcept { return get_active_implementation().load()->validate_ascii(buf, len); }
static size_t count_utf8(const char *buf, size_t len) noexcept { return get_active_implementation().load()->count_utf8(buf, len); }

int main(int argc, char **argv) {
    std::vector<std::string> lines{"plain text that is longer than one vector of bytes", "na\xc3\xafve caf\xc3\xa9, and then some more of it, and more", ""};
    for (int i = 1; i < argc; i++)
        lines.emplace_back(argv[i]);
    for (const auto &line : lines) {
        size_t n = count_utf8(line.data(), line.size());
        if (n != internal::get_fallback_singleton()->count_utf8(line.data(), line.size()))
            return 1;
        std::printf("%s %zu\n", validate_ascii(line.data(), line.size()) ? "ascii" : "utf-8", n);
    }
    return 0;
}
