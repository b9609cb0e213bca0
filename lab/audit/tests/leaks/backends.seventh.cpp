// Backends behind interfaces: lists of implementations, selectors, variants.
#include "seventh.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <future>
#include <initializer_list>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <variant>
#include <vector>

#ifdef IMPLEMENTATIONS
// The active implementation is an atomic pointer, which begins at one that detects the best.
namespace instruction_set {
enum : uint32_t { DEFAULT = 0, AVX2 = 0x4, SSE42 = 0x8, PCLMULQDQ = 0x10, BMI1 = 0x20, BMI2 = 0x40, AVX512F = 0x100, AVX512BW = 0x200 };
}
static inline void cpuid(uint32_t *eax, uint32_t *ebx, uint32_t *ecx, uint32_t *edx) {
    uint32_t a = *eax, b, c = *ecx, d;
    asm volatile("cpuid\n\t" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    *eax = a, *ebx = b, *ecx = c, *edx = d;
}
static inline uint32_t detect_supported_architectures() {
    uint32_t eax = 1, ebx, ecx = 0, edx, host_isa = 0;
    cpuid(&eax, &ebx, &ecx, &edx);
    if (ecx & (1u << 20))
        host_isa |= instruction_set::SSE42;
    if (ecx & (1u << 1))
        host_isa |= instruction_set::PCLMULQDQ;
    if ((ecx & (3u << 26)) != (3u << 26))
        return host_isa;
    const uint64_t xcr0 = read_xcr(0);
    if (!(xcr0 & 4))
        return host_isa;
    eax = 7, ecx = 0;
    cpuid(&eax, &ebx, &ecx, &edx);
    host_isa |= ebx & (1u << 5) ? instruction_set::AVX2 : 0;
    host_isa |= ebx & (1u << 3) ? instruction_set::BMI1 : 0;
    host_isa |= ebx & (1u << 8) ? instruction_set::BMI2 : 0;
    if ((xcr0 & 0xe0) == 0xe0) {
        host_isa |= ebx & (1u << 16) ? instruction_set::AVX512F : 0;
        host_isa |= ebx & (1u << 30) ? instruction_set::AVX512BW : 0;
    }
    return host_isa;
}
class implementation {
public:
    virtual const std::string &name() const { return _name; }
    bool supported_by_runtime_system() const {
        uint32_t required = _required_instruction_sets;
        return (detect_supported_architectures() & required) == required;
    }
    virtual size_t find_structural(const uint8_t *buf, size_t len, uint8_t what) const noexcept = 0;
    virtual unsigned validate(const uint8_t *buf, size_t len) const noexcept = 0;

protected:
    implementation(std::string_view name, uint32_t required) : _name(name), _required_instruction_sets(required) {}
    virtual ~implementation() = default;

private:
    const std::string _name;
    const uint32_t _required_instruction_sets;
};
namespace fallback {
struct implementation final : ::implementation {
    implementation() : ::implementation("fallback", 0) {}
    size_t find_structural(const uint8_t *b, size_t n, uint8_t c) const noexcept override { return find_plain(b, n, c); }
    unsigned validate(const uint8_t *b, size_t n) const noexcept override { return sad_plain(b, other, n); }
};
}
namespace haswell {
struct implementation final : ::implementation {
#ifdef BAD
    implementation() : ::implementation("haswell", instruction_set::SSE42 | instruction_set::PCLMULQDQ) {}
#else
    implementation() : ::implementation("haswell", instruction_set::AVX2 | instruction_set::PCLMULQDQ | instruction_set::BMI1 | instruction_set::BMI2) {}
#endif
    size_t find_structural(const uint8_t *b, size_t n, uint8_t c) const noexcept override { return find_avx2(b, n, c); }
    unsigned validate(const uint8_t *b, size_t n) const noexcept override { return sad_avx2(b, other, n); }
};
}
namespace icelake {
struct implementation final : ::implementation {
    implementation() : ::implementation("icelake", instruction_set::AVX2 | instruction_set::AVX512F | instruction_set::AVX512BW) {}
    size_t find_structural(const uint8_t *b, size_t n, uint8_t c) const noexcept override { return find_avx512(b, n, c); }
    unsigned validate(const uint8_t *b, size_t n) const noexcept override { return sad_avx512(b, other, n); }
};
}
struct unsupported_implementation final : implementation {
    unsupported_implementation() : implementation("unsupported", 0) {}
    size_t find_structural(const uint8_t *, size_t n, uint8_t) const noexcept override { return n; }
    unsigned validate(const uint8_t *, size_t) const noexcept override { return ~0u; }
};
static const std::initializer_list<const implementation *> &get_available_implementation_pointers() {
    static const icelake::implementation icelake_singleton{};
    static const haswell::implementation haswell_singleton{};
    static const fallback::implementation fallback_singleton{};
    static const std::initializer_list<const implementation *> pointers{&icelake_singleton, &haswell_singleton, &fallback_singleton};
    return pointers;
}
struct available_implementation_list {
    const implementation *const *begin() const { return get_available_implementation_pointers().begin(); }
    const implementation *const *end() const { return get_available_implementation_pointers().end(); }
    const implementation *operator[](const std::string_view &name) const {
        for (const implementation *impl : *this)
            if (impl->name() == name)
                return impl;
        return nullptr;
    }
    const implementation *detect_best_supported() const {
        static const unsupported_implementation unsupported;
        for (const implementation *impl : *this)
            if (impl->supported_by_runtime_system())
                return impl;
        return &unsupported;
    }
};
std::atomic<const implementation *> &get_active_implementation();
struct detect_best_supported_implementation_on_first_use final : implementation {
    detect_best_supported_implementation_on_first_use() : implementation("best_supported_detector", 0) {}
    const std::string &name() const noexcept override { return set_best()->name(); }
    size_t find_structural(const uint8_t *b, size_t n, uint8_t c) const noexcept override { return set_best()->find_structural(b, n, c); }
    unsigned validate(const uint8_t *b, size_t n) const noexcept override { return set_best()->validate(b, n); }

private:
    const implementation *set_best() const noexcept {
        if (char *force = getenv("PARSER_FORCE_IMPLEMENTATION")) {
            const implementation *it = available_implementation_list()[force];
            if (it && it->supported_by_runtime_system())
                return get_active_implementation() = it;
        }
        return get_active_implementation() = available_implementation_list().detect_best_supported();
    }
};
std::atomic<const implementation *> &get_active_implementation() {
    static const detect_best_supported_implementation_on_first_use singleton;
    static std::atomic<const implementation *> active{&singleton};
    return active;
}
class parser {
    std::vector<uint8_t> document;

public:
    size_t parse(const uint8_t *data, size_t n, std::vector<size_t> &out) {
        document.assign(data, data + n);
        const implementation *impl = get_active_implementation();
        if (get_active_implementation().load()->validate(document.data(), n) == ~0u)
            throw std::runtime_error("no implementation");
        for (size_t at = 0; at < n; at++) {
            at += get_active_implementation().load()->find_structural(document.data() + at, n - at, 0x7b);
            if (at < n)
                out.push_back(at);
        }
        return out.size();
    }
};
int main(int argc, char **) {
    make_data(argc);
    parser p;
    std::vector<size_t> places;
    try {
        std::cout << p.parse(bytes, 2000, places) << " structural";
        for (size_t at : places)
            std::cout << ' ' << at;
        std::cout << std::endl;
    } catch (const std::exception &e) {
        std::cerr << e.what() << '\n';
        return 3;
    }
}
#endif

#ifdef SELECTOR
// A function of a data base has several executables, which register with the architecture they need.
enum class TargetArch : uint32_t { Default = 0, SSE42 = 1 << 0, AVX = 1 << 1, AVX2 = 1 << 2, AVX512F = 1 << 3, AVX512BW = 1 << 4 };
namespace Cpu {
struct CpuIdResult {
    uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
    explicit CpuIdResult(uint32_t op, uint32_t sub = 0) noexcept {
        if (__get_cpuid_max(0, nullptr) >= op)
            __cpuid_count(op, sub, eax, ebx, ecx, edx);
    }
};
inline bool haveOSXSAVE() noexcept { return (CpuIdResult(1).ecx >> 27) & 1u; }
inline bool haveSSE42() noexcept { return (CpuIdResult(1).ecx >> 20) & 1u; }
inline bool haveAVX() noexcept { return haveOSXSAVE() && (read_xcr(0) & 6u) == 6u && ((CpuIdResult(1).ecx >> 28) & 1u); }
inline bool haveAVX2() noexcept { return haveAVX() && ((CpuIdResult(7).ebx >> 5) & 1u); }
inline bool haveAVX512F() noexcept { return haveAVX() && (read_xcr(0) & 0xe6u) == 0xe6u && ((CpuIdResult(7).ebx >> 16) & 1u); }
inline bool haveAVX512BW() noexcept { return haveAVX512F() && ((CpuIdResult(7).ebx >> 30) & 1u); }
struct CpuFlagsCache {
    static inline bool have_SSE42 = haveSSE42();
    static inline bool have_AVX = haveAVX();
    static inline bool have_AVX2 = haveAVX2();
    static inline bool have_AVX512BW = haveAVX512BW();
};
}
static uint32_t getSupportedArchs() {
    uint32_t result = 0;
    if (Cpu::CpuFlagsCache::have_SSE42)
        result |= static_cast<uint32_t>(TargetArch::SSE42);
    if (Cpu::CpuFlagsCache::have_AVX)
        result |= static_cast<uint32_t>(TargetArch::AVX);
    if (Cpu::CpuFlagsCache::have_AVX2)
        result |= static_cast<uint32_t>(TargetArch::AVX2);
    if (Cpu::CpuFlagsCache::have_AVX512BW)
        result |= static_cast<uint32_t>(TargetArch::AVX512F) | static_cast<uint32_t>(TargetArch::AVX512BW);
    return result;
}
KEEP static bool isArchSupported(TargetArch arch) {
    static const uint32_t archs = getSupportedArchs();
    return arch == TargetArch::Default || (archs & static_cast<uint32_t>(arch));
}
struct Column {
    std::string name;
    const uint8_t *data;
    size_t rows;
};
struct IExecutable {
    virtual ~IExecutable() = default;
    virtual uint64_t execute(const Column &) const = 0;
};
namespace TargetSpecific::Default {
struct Hash : IExecutable {
    uint64_t execute(const Column &c) const override { return adler_plain(1, c.data, c.rows); }
};
}
namespace TargetSpecific::AVX2 {
struct Hash : IExecutable {
    explicit Hash(uint32_t seed_) : seed(seed_) {}
    uint64_t execute(const Column &c) const override { return adler_avx2(seed, c.data, c.rows); }
    uint32_t seed;
};
}
namespace TargetSpecific::AVX512BW {
struct Hash : IExecutable {
    uint64_t execute(const Column &c) const override { return find_avx512(c.data, 64, 0) ? adler_plain(1, c.data, c.rows) : adler_plain(1, c.data, c.rows); }
};
}
template <typename Interface>
class ImplementationSelector {
    std::vector<std::shared_ptr<const Interface>> implementations;
    mutable std::vector<size_t> rows_by;
    mutable std::mutex mutex;

public:
    template <TargetArch Arch, typename Impl, typename... Args>
    void registerImplementation(Args &&...args) {
        if (isArchSupported(Arch)) {
            implementations.emplace_back(std::make_shared<Impl>(std::forward<Args>(args)...));
            rows_by.push_back(0);
        }
    }
    uint64_t selectAndExecute(const Column &column) const {
        if (implementations.empty())
            throw std::logic_error("There are no implementations for function");
        size_t id;
        {
            std::lock_guard lock(mutex);
            id = std::min_element(rows_by.begin(), rows_by.end()) - rows_by.begin();
            rows_by[id] += column.rows;
        }
        return implementations[id]->execute(column);
    }
};
class FunctionHash {
    ImplementationSelector<IExecutable> selector;

public:
    FunctionHash() {
        selector.registerImplementation<TargetArch::Default, TargetSpecific::Default::Hash>();
#ifdef BAD
        selector.registerImplementation<TargetArch::AVX, TargetSpecific::AVX2::Hash>(1u);
#else
        selector.registerImplementation<TargetArch::AVX2, TargetSpecific::AVX2::Hash>(1u);
#endif
        selector.registerImplementation<TargetArch::AVX512BW, TargetSpecific::AVX512BW::Hash>();
    }
    uint64_t operator()(const Column &c) const { return selector.selectAndExecute(c); }
};
int main(int argc, char **argv) {
    make_data(1);
    std::vector<Column> block;
    for (int i = 0; i < 6; i++)
        block.push_back({"c" + std::to_string(i), bytes + 100 * i, size_t(600 + i)});
    FunctionHash hash;
    for (const auto &column : block)
        if (argc < 2 || column.name == argv[1])
            std::cout << column.name << '\t' << hash(column) << '\n';
}
#endif

#ifdef BACKEND_VARIANT
// The backend is a variant, made once from what is found, and visited.
struct ScalarBackend {
    static constexpr std::string_view name = "scalar";
    double norm(const std::vector<float> &a, const std::vector<float> &b) const { return dist_plain(a.data(), b.data(), a.size()); }
    uint64_t population(const uint64_t *p, size_t n) const { return bits_plain(p, n); }
};
struct AvxBackend {
    static constexpr std::string_view name = "avx";
    double norm(const std::vector<float> &a, const std::vector<float> &b) const { return dist_avx(a.data(), b.data(), a.size()); }
    uint64_t population(const uint64_t *p, size_t n) const { return bits_popcnt(p, n); }
};
struct Avx2Backend {
    static constexpr std::string_view name = "avx2";
    size_t cutoff;
    double norm(const std::vector<float> &a, const std::vector<float> &b) const { return dist_fma(a.data(), b.data(), a.size()); }
    uint64_t population(const uint64_t *p, size_t n) const { return n < cutoff ? bits_plain(p, n) : bits_avx2(p, n); }
};
using Backend = std::variant<ScalarBackend, AvxBackend, Avx2Backend>;
KEEP static Backend make_backend(std::optional<std::string> wanted) {
    __builtin_cpu_init();
    const bool avx = __builtin_cpu_supports("avx"), avx2 = __builtin_cpu_supports("avx2"), fma = __builtin_cpu_supports("fma");
    if (wanted == "scalar")
        return ScalarBackend{};
#ifdef BAD
    if (avx && fma)
#else
    if (avx2 && fma)
#endif
        return Avx2Backend{16};
    if (avx)
        return AvxBackend{};
    return ScalarBackend{};
}
class Index {
    Backend backend;
    std::map<std::string, std::vector<float>> vectors;

public:
    explicit Index(Backend b) : backend(std::move(b)) {}
    void add(std::string key, const float *from, size_t n) { vectors.emplace(std::move(key), std::vector<float>(from, from + n)); }
    std::pair<std::string, double> nearest(const std::vector<float> &to) const {
        std::pair<std::string, double> best{"", 1e30};
        for (const auto &[key, value] : vectors) {
            if (value.size() != to.size())
                continue;
            double d = std::visit([&, &v = value](const auto &b) { return b.norm(v, to); }, backend);
            if (d < best.second)
                best = {key, d};
        }
        return best;
    }
    uint64_t bitmap() const {
        return std::visit([](const auto &b) { return b.population(longs, 100); }, backend);
    }
};
int main(int argc, char **argv) {
    make_data(1);
    std::optional<std::string> wanted;
    if (argc > 1)
        wanted = argv[1];
    Index index(make_backend(wanted));
    index.add("left", left, 100);
    index.add("right", right, 100);
    index.add("short", left, 10);
    auto [key, distance] = index.nearest(std::vector<float>(left + 2, left + 102));
    std::cout << key << ' ' << distance << ' ' << index.bitmap() << '\n';
}
#endif
