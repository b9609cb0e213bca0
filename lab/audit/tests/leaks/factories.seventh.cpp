// Factories and singletons.
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

#ifdef TRY_NEW
// A factory looks at the kind of machine, and gives an accelerated object or none.
enum class CpuType { kUnknown, kIntelHaswell, kIntelSandybridge, kIntelWestmere, kAmdPiledriver, kAmdZen };
class CRCImpl {
public:
    virtual ~CRCImpl() = default;
    virtual void Extend(uint64_t *crc, const void *p, size_t n) const = 0;
    virtual size_t Cutoff() const { return 0; }
};
class CRC32 : public CRCImpl {
public:
    void Extend(uint64_t *crc, const void *p, size_t n) const override {
        auto at = static_cast<const uint8_t *>(p);
        *crc ^= uint64_t(adler_plain(1, at, n / 2 & ~size_t(31)));
        *crc = crc_plain(at, n, *crc);
    }
};
template <bool wide>
class AcceleratedMultipleStreams : public CRCImpl {
public:
    void Extend(uint64_t *crc, const void *p, size_t n) const override {
        auto at = static_cast<const uint8_t *>(p);
        if constexpr (wide) {
            size_t half = n / 2 & ~size_t(31);
            *crc ^= uint64_t(adler_avx2(1, at, half));
            *crc = crc_clmul(at, half, *crc);
            *crc = crc_clmul(at + half, n - half, *crc);
        } else {
            size_t half = n / 2 & ~size_t(31);
            *crc ^= uint64_t(adler_plain(1, at, half));
            *crc = crc_clmul(at, n, *crc);
        }
    }
    size_t Cutoff() const override { return 64; }
};
static std::string Vendor(uint32_t *max) {
    uint32_t ebx, ecx, edx;
    __cpuid(0, *max, ebx, ecx, edx);
    std::string vendor;
    for (uint32_t reg : {ebx, edx, ecx})
        vendor.append(reinterpret_cast<const char *>(&reg), 4);
    return vendor;
}
static CpuType GetCpuType() {
    uint32_t max, eax, ebx, ecx, edx;
    std::string vendor = Vendor(&max);
    __cpuid(1, eax, ebx, ecx, edx);
    int family = (eax >> 8) & 0xf, model = ((eax >> 4) & 0xf) | ((eax >> 12) & 0xf0);
    if (family == 0xf)
        family += (eax >> 20) & 0xff;
    if (vendor == "GenuineIntel" && family == 6) {
        switch (model) {
        case 0x3c:
        case 0x45:
        case 0x46:
            return CpuType::kIntelHaswell;
        case 0x2a:
        case 0x2d:
            return CpuType::kIntelSandybridge;
        case 0x25:
        case 0x2c:
            return CpuType::kIntelWestmere;
        }
    } else if (vendor == "AuthenticAMD") {
        if (family == 0x15)
            return CpuType::kAmdPiledriver;
        if (family >= 0x17)
            return CpuType::kAmdZen;
    }
    return CpuType::kUnknown;
}
static bool SupportsPclmul() {
    uint32_t eax, ebx, ecx, edx;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) && (ecx & (1u << 1)) && (ecx & (1u << 19));
}
static bool SupportsAvx2() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
}
KEEP static CRCImpl *TryNewAccelerated() {
    switch (GetCpuType()) {
    case CpuType::kIntelHaswell:
    case CpuType::kAmdZen:
        if (SupportsPclmul() && SupportsAvx2())
            return new AcceleratedMultipleStreams<true>();
        return nullptr;
    case CpuType::kIntelSandybridge:
    case CpuType::kIntelWestmere:
        if (SupportsPclmul())
            return new AcceleratedMultipleStreams<false>();
        return nullptr;
    case CpuType::kAmdPiledriver:
#ifdef BAD
        if (SupportsPclmul())
            return new AcceleratedMultipleStreams<true>();
#endif
        return nullptr;
    case CpuType::kUnknown:
        break;
    }
    return nullptr;
}
static const CRCImpl *CRC() {
    static const CRCImpl *const crc = []() -> CRCImpl * {
        if (CRCImpl *fast = TryNewAccelerated())
            return fast;
        return new CRC32();
    }();
    return crc;
}
class Cord {
    std::vector<std::string> chunks;

public:
    void Append(std::string chunk) { chunks.push_back(std::move(chunk)); }
    uint64_t Checksum() const {
        uint64_t crc = 7;
        for (const std::string &chunk : chunks)
            CRC()->Extend(&crc, chunk.data(), chunk.size());
        return crc;
    }
};
int main(int argc, char **argv) {
    make_data(1);
    Cord cord;
    for (int i = 1; i < argc; i++)
        cord.Append(argv[i]);
    cord.Append(std::string(reinterpret_cast<const char *>(bytes), 800));
    cord.Append(std::string(reinterpret_cast<const char *>(other), 320));
    std::cout << std::hex << cord.Checksum() << std::endl;
    std::clog << "cutoff " << CRC()->Cutoff() << std::endl;
}
#endif

#ifdef EXECUTORS
// Executors refuse to be made where they cannot work, and the pipeline falls back.
struct unsupported : std::runtime_error {
    explicit unsupported(const std::string &what) : std::runtime_error("this CPU lacks " + what) {}
};
class Executor {
public:
    virtual ~Executor() = default;
    virtual unsigned difference(const uint8_t *a, const uint8_t *b, size_t n) = 0;
    virtual std::unique_ptr<Executor> clone() const = 0;
};
class PlainExecutor : public Executor {
public:
    unsigned difference(const uint8_t *a, const uint8_t *b, size_t n) override { return sad_plain(a, b, n); }
    std::unique_ptr<Executor> clone() const override { return std::make_unique<PlainExecutor>(); }
};
class WideExecutor : public Executor {
    size_t calls = 0;

public:
    WideExecutor() {
        __builtin_cpu_init();
#ifdef BAD
        if (!__builtin_cpu_supports("sse4.2"))
            throw unsupported("SSE4.2");
#else
        if (!__builtin_cpu_supports("avx2"))
            throw unsupported("AVX2");
#endif
    }
    unsigned difference(const uint8_t *a, const uint8_t *b, size_t n) override { return calls++, sad_avx2(a, b, n); }
    std::unique_ptr<Executor> clone() const override { return std::make_unique<WideExecutor>(); }
};
template <typename E, typename... Rest>
std::unique_ptr<Executor> first_that_works(std::string &log) {
    try {
        return std::make_unique<E>();
    } catch (const unsupported &e) {
        log += e.what();
        if constexpr (sizeof...(Rest) > 0)
            return first_that_works<Rest...>(log);
        throw;
    }
}
class Pipeline {
    std::string log;
    std::unique_ptr<Executor> executor;

public:
    Pipeline() : executor(first_that_works<WideExecutor, PlainExecutor>(log)) {}
    std::vector<unsigned> run(size_t tasks) {
        std::vector<std::future<unsigned>> pending;
        for (size_t i = 0; i < tasks; i++) {
            std::packaged_task<unsigned()> task([own = std::shared_ptr<Executor>(executor->clone()), i] { return own->difference(bytes + 64 * i, other, 900); });
            pending.push_back(task.get_future());
            std::thread(std::move(task)).detach();
        }
        std::vector<unsigned> out;
        for (auto &f : pending)
            out.push_back(f.get());
        return out;
    }
    const std::string &said() const { return log; }
};
int main(int argc, char **argv) {
    make_data(1);
    try {
        Pipeline pipeline;
        if (!pipeline.said().empty())
            std::cerr << pipeline.said() << '\n';
        for (unsigned d : pipeline.run(argc > 1 ? std::stoul(argv[1]) : 4))
            std::cout << d << ' ';
        std::cout << std::endl;
    } catch (const std::exception &e) {
        std::cerr << argv[0] << ": " << e.what() << '\n';
        return 3;
    }
}
#endif

#ifdef ENGINE_ONCE
// An engine that call_once makes; kernels are std::functions by name, with a test for each.
class Engine {
    struct Kernel {
        std::function<bool()> available;
        std::function<uint64_t(const uint64_t *, size_t)> run;
        int weight;
    };
    std::map<std::string, Kernel, std::less<>> kernels;
    const Kernel *chosen = nullptr;
    Engine() {
        __builtin_cpu_init();
        auto always = [] { return true; };
        kernels["table"] = {always, bits_plain, 1};
        kernels["popcnt"] = {[] { return __builtin_cpu_supports("popcnt") != 0; }, bits_popcnt, 5};
#ifdef BAD
        kernels["nibbles"] = {always, [](const uint64_t *p, size_t n) { return bits_avx2(p, n); }, 9};
#else
        kernels["nibbles"] = {[] { return __builtin_cpu_supports("avx2") != 0; }, [](const uint64_t *p, size_t n) { return bits_avx2(p, n); }, 9};
#endif
        kernels["vpopcnt"] = {[] { return __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512f"); }, bits_avx512, 12};
    }

public:
    Engine(const Engine &) = delete;
    static Engine &instance() {
        static std::once_flag flag;
        static std::unique_ptr<Engine> engine;
        std::call_once(flag, [] { engine.reset(new Engine); });
        return *engine;
    }
    bool use(std::string_view name) {
        auto it = kernels.find(name);
        if (it == kernels.end() || !it->second.available())
            return false;
        chosen = &it->second;
        return true;
    }
    void use_best() {
        for (const auto &[name, kernel] : kernels)
            if (kernel.available() && (!chosen || kernel.weight > chosen->weight))
                chosen = &kernel;
    }
    uint64_t count(const std::vector<uint64_t> &words) const { return chosen->run(words.data(), words.size()); }
};
int main(int argc, char **argv) {
    make_data(1);
    if (argc > 1 && std::string_view(argv[1]) != "auto") {
        if (!Engine::instance().use(argv[1])) {
            std::cerr << "no kernel " << argv[1] << " here\n";
            return 3;
        }
    } else
        Engine::instance().use_best();
    std::vector<uint64_t> words(longs, longs + 101);
    std::cout << Engine::instance().count(words) << " bits\n";
}
#endif
