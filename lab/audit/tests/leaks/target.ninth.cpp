// A column store's functions: macros make the same code for several targets in namespaces, and a
// selector collects those that the CPU has, then picks by how long they took.
#include "ninth.h"
#include <cpuid.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <immintrin.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

enum class TargetArch : uint32_t { Default = 0, SSE42 = 1 << 0, AVX = 1 << 1, AVX2 = 1 << 2, AVX512F = 1 << 3, AVX512BW = 1 << 4 };

namespace CPU {
static inline uint64_t xgetbv(uint32_t xcr) noexcept {
    uint32_t eax, edx;
    __asm__ volatile("xgetbv" : "=a"(eax), "=d"(edx) : "c"(xcr));
    return uint64_t(edx) << 32 | eax;
}
union CPUInfo {
    uint32_t info[4];
    struct {
        uint32_t eax, ebx, ecx, edx;
    } registers;
    explicit CPUInfo(uint32_t op, uint32_t sub = 0) noexcept { __cpuid_count(op, sub, registers.eax, registers.ebx, registers.ecx, registers.edx); }
};
static inline bool haveOSXSAVE() noexcept { return CPUInfo(1).registers.ecx >> 27 & 1u; }
static inline bool haveSSE42() noexcept { return CPUInfo(1).registers.ecx >> 20 & 1u; }
static inline bool haveAVX() noexcept { return haveOSXSAVE() && (xgetbv(0) & 6u) == 6u && (CPUInfo(1).registers.ecx >> 28 & 1u); }
static inline bool haveAVX2() noexcept { return haveAVX() && CPUInfo(0).registers.eax >= 7 && (CPUInfo(7).registers.ebx >> 5 & 1u); }
static inline bool haveAVX512F() noexcept { return haveOSXSAVE() && (xgetbv(0) & 0xe6u) == 0xe6u && CPUInfo(0).registers.eax >= 7 && (CPUInfo(7).registers.ebx >> 16 & 1u); }
static inline bool haveAVX512BW() noexcept { return haveAVX512F() && (CPUInfo(7).registers.ebx >> 30 & 1u); }
struct CPUFlagsCache {
    static inline bool have_SSE42 = haveSSE42();
    static inline bool have_AVX = haveAVX();
    static inline bool have_AVX2 = haveAVX2();
    static inline bool have_AVX512F = haveAVX512F();
    static inline bool have_AVX512BW = haveAVX512BW();
};
} // namespace CPU

static uint32_t getSupportedArchs() {
    uint32_t result = 0;
    if (CPU::CPUFlagsCache::have_SSE42)
        result |= uint32_t(TargetArch::SSE42);
    if (CPU::CPUFlagsCache::have_AVX)
        result |= uint32_t(TargetArch::AVX);
#ifdef BAD
    // A line was copied and half of it changed.
    if (CPU::CPUFlagsCache::have_AVX)
        result |= uint32_t(TargetArch::AVX2);
#else
    if (CPU::CPUFlagsCache::have_AVX2)
        result |= uint32_t(TargetArch::AVX2);
#endif
    if (CPU::CPUFlagsCache::have_AVX512F && CPU::CPUFlagsCache::have_AVX512BW)
        result |= uint32_t(TargetArch::AVX512F) | uint32_t(TargetArch::AVX512BW);
    return result;
}
bool isArchSupported(TargetArch arch) {
    static uint32_t arches = getSupportedArchs();
    return arch == TargetArch::Default || (arches & uint32_t(arch));
}

class IColumn {
  public:
    virtual ~IColumn() = default;
    virtual size_t size() const = 0;
    virtual const char *family() const = 0;
};
class ColumnUInt32 : public IColumn {
  public:
    std::vector<uint32_t> data;
    explicit ColumnUInt32(size_t n = 0) : data(n) {}
    size_t size() const override { return data.size(); }
    const char *family() const override { return "UInt32"; }
};
class ColumnString : public IColumn {
  public:
    std::vector<std::string> data;
    size_t size() const override { return data.size(); }
    const char *family() const override { return "String"; }
};
class IFunction {
  public:
    virtual ~IFunction() = default;
    virtual std::string getName() const = 0;
    virtual std::unique_ptr<IColumn> executeImpl(const IColumn &arg) const = 0;
};


static inline uint32_t mix(uint32_t h) {
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    return h ^ h >> 16;
}
namespace TargetSpecific::Default {
struct HashImpl {
    static void apply(const uint32_t *in, uint32_t *out, size_t n) {
        for (size_t i = 0; i < n; i++)
            out[i] = mix(in[i]);
    }
};
} // namespace TargetSpecific::Default
namespace TargetSpecific::AVX2 {
struct HashImpl {
    __attribute__((target("avx2"))) static void apply(const uint32_t *in, uint32_t *out, size_t n) {
        size_t i = 0;
        for (; i + 8 <= n; i += 8) {
            __m256i h = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(in + i));
            h = _mm256_xor_si256(h, _mm256_srli_epi32(h, 16));
            h = _mm256_mullo_epi32(h, _mm256_set1_epi32(int(0x85ebca6bu)));
            h = _mm256_xor_si256(h, _mm256_srli_epi32(h, 13));
            h = _mm256_mullo_epi32(h, _mm256_set1_epi32(int(0xc2b2ae35u)));
            h = _mm256_xor_si256(h, _mm256_srli_epi32(h, 16));
            _mm256_storeu_si256(reinterpret_cast<__m256i *>(out + i), h);
        }
        for (; i < n; i++)
            out[i] = mix(in[i]);
    }
};
} // namespace TargetSpecific::AVX2
template <typename Impl> class FunctionHash : public IFunction {
  public:
    std::string getName() const override { return "intHash32"; }
    std::unique_ptr<IColumn> executeImpl(const IColumn &arg) const override {
        const auto *column = dynamic_cast<const ColumnUInt32 *>(&arg);
        if (!column)
            throw std::invalid_argument("Illegal column " + std::string(arg.family()) + " of argument of function " + getName());
        auto result = std::make_unique<ColumnUInt32>(column->size());
        Impl::apply(column->data.data(), result->data.data(), column->size());
        return result;
    }
};

class PerformanceStatistics {
    struct Element {
        uint64_t runs = 0;
    };
    std::vector<Element> data;

  public:
    size_t select() {
        size_t best = data.size() - 1;
        for (size_t i = data.size(); i-- > 0;)
            if (data[i].runs + 2 < data[best].runs)
                best = i;
        return best;
    }
    void complete(size_t id) { data[id].runs++; }
    void emplace() { data.emplace_back(); }
};
template <typename FunctionInterface> class ImplementationSelector {
    std::vector<std::shared_ptr<FunctionInterface>> implementations;
    mutable PerformanceStatistics statistics;

  public:
    template <TargetArch Arch, typename FunctionImpl, typename... Args> void registerImplementation(Args &&...args) {
        if (isArchSupported(Arch)) {
            implementations.emplace_back(std::make_shared<FunctionImpl>(std::forward<Args>(args)...));
            statistics.emplace();
        }
    }
    std::unique_ptr<IColumn> selectAndExecute(const IColumn &argument) const {
        if (implementations.empty())
            throw std::logic_error("There are no available implementations for function");
        size_t id = statistics.select();
        auto result = implementations[id]->executeImpl(argument);
        statistics.complete(id);
        return result;
    }
};
class FunctionIntHash32 : public FunctionHash<TargetSpecific::Default::HashImpl> {
    ImplementationSelector<IFunction> selector;

  public:
    FunctionIntHash32() {
        selector.registerImplementation<TargetArch::Default, FunctionHash<TargetSpecific::Default::HashImpl>>();
        selector.registerImplementation<TargetArch::AVX2, FunctionHash<TargetSpecific::AVX2::HashImpl>>();
    }
    std::unique_ptr<IColumn> executeImpl(const IColumn &arg) const override { return selector.selectAndExecute(arg); }
};

int main(int argc, char **argv) {
    ColumnUInt32 numbers(argc > 1 ? std::strtoul(argv[1], nullptr, 10) % 1000 + 1 : 99);
    for (size_t i = 0; i < numbers.size(); i++)
        numbers.data[i] = uint32_t(i * i);
    FunctionIntHash32 function;
    uint32_t sum = 0;
    for (int block = 0; block < 6; block++) {
        auto result = function.executeImpl(numbers);
        for (size_t i = 0; i < numbers.size(); i++) {
            uint32_t h = static_cast<ColumnUInt32 &>(*result).data[i];
            if (h != mix(numbers.data[i]))
                return 1;
            sum += h;
        }
    }
    std::printf("%s: %u\n", function.getName().c_str(), sum);
    try {
        function.executeImpl(ColumnString{});
    } catch (const std::invalid_argument &e) {
        std::printf("Exception: %s\n", e.what());
    }
    return 0;
}
