// An engine for queries: a function has implementations in namespaces per architecture, a selector
// collects them with their factories as std::function, by `isArchSupported`, and a query's tasks
// run on a pool of threads.
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cpuid.h>
#include <deque>
#include <functional>
#include <future>
#include <immintrin.h>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

enum class TargetArch : uint32_t { Default = 0, SSE42 = 1 << 0, AVX = 1 << 1, AVX2 = 1 << 2, AVX512F = 1 << 3, BMI2 = 1 << 4 };
static uint32_t getSupportedArchs() {
    uint32_t result = 0;
    unsigned a, b, c, d, lo = 0, hi;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return 0;
    if (c & bit_SSE4_2)
        result |= static_cast<uint32_t>(TargetArch::SSE42);
    if (c & bit_OSXSAVE)
        asm volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    const bool ymm = (lo & 6) == 6 && c & bit_AVX;
    if (ymm)
        result |= static_cast<uint32_t>(TargetArch::AVX);
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
        if (ymm && b & bit_AVX2)
            result |= static_cast<uint32_t>(TargetArch::AVX2);
        if (ymm && b & bit_AVX512F && (lo & 0xe0) == 0xe0)
            result |= static_cast<uint32_t>(TargetArch::AVX512F);
        if (b & bit_BMI2)
            result |= static_cast<uint32_t>(TargetArch::BMI2);
    }
    return result;
}
static bool isArchSupported(TargetArch arch) {
    static const uint32_t arches = getSupportedArchs();
    return arch == TargetArch::Default || (arches & static_cast<uint32_t>(arch));
}

using Column = std::vector<int64_t>;
struct IFunction {
    virtual ~IFunction() = default;
    virtual int64_t execute(const Column &column, size_t from, size_t to) const = 0;
};
namespace TargetSpecific::Default {
struct CountGreater : IFunction {
    int64_t limit;
    explicit CountGreater(int64_t l) : limit(l) {}
    int64_t execute(const Column &c, size_t from, size_t to) const override {
        int64_t n = 0;
        for (; from < to; from++)
            n += c[from] > limit;
        return n;
    }
};
}
namespace TargetSpecific::AVX2 {
struct CountGreater : IFunction {
    int64_t limit;
    explicit CountGreater(int64_t l) : limit(l) {}
    __attribute__((target("avx2"))) int64_t execute(const Column &c, size_t from, size_t to) const override {
        const __m256i bound = _mm256_set1_epi64x(limit);
        __m256i sum = _mm256_setzero_si256();
        for (; from + 4 <= to; from += 4)
            sum = _mm256_sub_epi64(sum, _mm256_cmpgt_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(c.data() + from)), bound));
        int64_t part[4];
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(part), sum);
        int64_t n = part[0] + part[1] + part[2] + part[3];
        for (; from < to; from++)
            n += c[from] > limit;
        return n;
    }
};
}

class ImplementationSelector {
    using Factory = std::function<std::unique_ptr<IFunction>(int64_t)>;
    std::vector<std::pair<std::string, Factory>> implementations;

public:
    template <TargetArch Arch, typename Function> void registerImplementation(std::string name) {
#ifdef BAD
        // What the template is asked for is not what is asked of the CPU.
        if (isArchSupported(TargetArch::SSE42))
#else
        if (isArchSupported(Arch))
#endif
            implementations.emplace_back(std::move(name), [](int64_t limit) -> std::unique_ptr<IFunction> { return std::make_unique<Function>(limit); });
    }
    std::unique_ptr<IFunction> selectBest(const std::string &hint, int64_t limit) const {
        if (implementations.empty())
            throw std::runtime_error("no implementation");
        for (const auto &[name, factory] : implementations)
            if (name == hint)
                return factory(limit);
        return implementations.back().second(limit);
    }
};

class ThreadPool {
    std::vector<std::thread> threads;
    std::deque<std::packaged_task<int64_t()>> jobs;
    std::mutex mutex;
    std::condition_variable ready;
    bool shutdown = false;

public:
    explicit ThreadPool(unsigned n) {
        for (unsigned i = 0; i < n; i++)
            threads.emplace_back([this] {
                for (;;) {
                    std::unique_lock lock(mutex);
                    ready.wait(lock, [this] { return shutdown || !jobs.empty(); });
                    if (jobs.empty())
                        return;
                    auto job = std::move(jobs.front());
                    jobs.pop_front();
                    lock.unlock();
                    job();
                }
            });
    }
    std::future<int64_t> schedule(std::function<int64_t()> f) {
        std::packaged_task<int64_t()> task(std::move(f));
        auto result = task.get_future();
        {
            std::lock_guard lock(mutex);
            jobs.push_back(std::move(task));
        }
        ready.notify_one();
        return result;
    }
    ~ThreadPool() {
        {
            std::lock_guard lock(mutex);
            shutdown = true;
        }
        ready.notify_all();
        for (auto &thread : threads)
            thread.join();
    }
};

int main(int argc, char **argv) {
    const std::map<std::string, int64_t> settings{{"max_threads", 2}, {"limit", argc > 1 ? std::atoll(argv[1]) : 500}};
    ImplementationSelector selector;
    selector.registerImplementation<TargetArch::Default, TargetSpecific::Default::CountGreater>("default");
    selector.registerImplementation<TargetArch::AVX2, TargetSpecific::AVX2::CountGreater>("avx2");
    const char *hint = std::getenv("QUERY_IMPLEMENTATION");
    try {
        const auto function = selector.selectBest(hint ? hint : "", settings.at("limit"));
        Column column(3001);
        for (size_t i = 0; i < column.size(); i++)
            column[i] = static_cast<int64_t>(i * 7919 % 1000);
        int64_t total = 0;
        {
            ThreadPool pool(static_cast<unsigned>(settings.at("max_threads")));
            std::vector<std::future<int64_t>> parts;
            for (size_t from = 0; from < column.size(); from += 1000)
                parts.push_back(pool.schedule([&, from] { return function->execute(column, from, std::min(from + 1000, column.size())); }));
            for (auto &part : parts)
                total += part.get();
        }
        if (total != TargetSpecific::Default::CountGreater(settings.at("limit")).execute(column, 0, column.size()))
            return 1;
        std::printf("%lld rows\n", static_cast<long long>(total));
    } catch (const std::exception &error) {
        std::fprintf(stderr, "Code: 3. %s\n", error.what());
        return 3;
    }
    return 0;
}
