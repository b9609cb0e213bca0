// Classes and objects that stand for what a CPU can.
#include "fifth.h"
#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#ifdef FACTORY
// A filter made by a factory that knows the CPU; each class has a kernel of its own.
class Filter {
public:
    virtual ~Filter() = default;
    virtual void apply(float *to, const float *from, int n) const = 0;
    virtual uint64_t weigh(const uint8_t *at, size_t n) const { return sum_c(at, n); }
};
class PlainFilter : public Filter {
public:
    void apply(float *to, const float *from, int n) const override { axpy_c(to, from, gain, n); }

protected:
    float gain = 0.5f;
};
class AvxFilter : public PlainFilter {
public:
    void apply(float *to, const float *from, int n) const override { axpy_avx(to, from, gain, n); }
};
class Avx2Filter final : public AvxFilter {
public:
    uint64_t weigh(const uint8_t *at, size_t n) const override { return sum_avx2(at, n); }
};
class Cpu {
public:
    static const Cpu &instance() {
        static const Cpu cpu;
        return cpu;
    }
    bool avx() const { return avx_; }
    bool avx2() const { return avx2_; }

private:
    Cpu() {
        unsigned a, b, c, d;
        if (__get_cpuid(1, &a, &b, &c, &d))
            avx_ = (c & bit_AVX) && (c & bit_OSXSAVE) && (kept_registers() & 6) == 6;
        if (avx_ && __get_cpuid_count(7, 0, &a, &b, &c, &d))
            avx2_ = (b & bit_AVX2) != 0;
    }
    bool avx_ = false, avx2_ = false;
};
static std::unique_ptr<Filter> make_filter() {
#ifdef BAD
    if (Cpu::instance().avx())
        return std::make_unique<Avx2Filter>();
#else
    if (Cpu::instance().avx2())
        return std::make_unique<Avx2Filter>();
    if (Cpu::instance().avx())
        return std::make_unique<AvxFilter>();
#endif
    return std::make_unique<PlainFilter>();
}
int main(int argc, char **argv) {
    float out[128] = {};
    fill(argc);
    auto filter = make_filter();
    filter->apply(out, reals, 100 + argc);
    printf("%f %llu\n", out[9], (unsigned long long)filter->weigh(bytes, 512));
}
#endif

#ifdef THROWS
// A codec that throws in its constructor if the CPU will not do; who makes one tries them.
struct Codec {
    virtual ~Codec() = default;
    virtual uint32_t run(const uint8_t *at, size_t n) = 0;
};
static void demand(bool has, const char *what) {
    if (!has)
        throw std::runtime_error(std::string("this CPU lacks ") + what);
}
class ClmulCodec : public Codec {
public:
#ifdef BAD
    // Members come before the body.
    ClmulCodec() : start_(crc_clmul(0, bytes, 64)) {
#else
    ClmulCodec() {
#endif
        demand(__builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1"), "PCLMUL");
#ifndef BAD
        start_ = crc_clmul(0, bytes, 64);
#endif
    }
    uint32_t run(const uint8_t *at, size_t n) override { return crc_clmul(start_, at, n); }

private:
    uint32_t start_;
};
class TableCodec : public Codec {
public:
    uint32_t run(const uint8_t *at, size_t n) override { return crc_c(0, at, n); }
};
static std::shared_ptr<Codec> open_codec() {
    try {
        return std::make_shared<ClmulCodec>();
    } catch (const std::exception &error) {
        fprintf(stderr, "%s\n", error.what());
        return std::make_shared<TableCodec>();
    }
}
int main(int argc, char **argv) {
    fill(argc);
    auto codec = open_codec();
    printf("%x\n", codec->run(bytes, 256));
}
#endif

#ifdef CALL_ONCE
// Kernels as std::function and lambdas in a struct, filled once.
struct Kernels {
    std::function<uint64_t(const uint8_t *, size_t)> total = sum_c;
    std::function<float(const float *, const float *, int)> product;
};
static Kernels kernels;
static std::once_flag once;
static const Kernels &get() {
    std::call_once(once, [] {
        const bool avx2 = __builtin_cpu_supports("avx2");
        const bool fma = __builtin_cpu_supports("fma");
        if (avx2)
            kernels.total = [](const uint8_t *at, size_t n) { return sum_avx2(at, n); };
        if (avx2 && fma)
            kernels.product = dot_avx2;
        else
            kernels.product = [bias = 0.0f](const float *a, const float *b, int n) { return dot_c(a, b, n) + bias; };
    });
    return kernels;
}
int main(int argc, char **argv) {
    fill(argc);
    printf("%llu %f\n", (unsigned long long)get().total(bytes, 512), get().product(reals, reals, 64));
}
#endif

#ifdef VARIANT
// What runs is one of some types. A variant that is not given a value holds the first.
struct Scalar {
    uint64_t operator()(uint64_t value, uint64_t mask) const { return bits_c(value, mask); }
};
struct Bmi {
    uint64_t operator()(uint64_t value, uint64_t mask) const { return bits_bmi2(value, mask); }
};
#ifdef BAD
using Engine = std::variant<Bmi, Scalar>;
#else
using Engine = std::variant<Scalar, Bmi>;
#endif
class Indexer {
public:
    Indexer() {
        unsigned a, b, c, d;
        if (__get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_BMI2))
            engine_ = Bmi{};
    }
    NI uint64_t index(uint64_t x, uint64_t y) const {
        return std::visit([&](auto &engine) { return engine(x, 0x55555555) | engine(y, 0xaaaaaaaa); }, engine_);
    }

private:
    Engine engine_;
};
int main(int argc, char **argv) {
    fill(argc);
    auto indexer = std::make_unique<Indexer>();
    printf("%llu\n", (unsigned long long)indexer->index(bytes[1], bytes[2]));
}
#endif

#ifdef IMPLEMENTATIONS
// A list of implementations, each with the sets of instructions that it needs; the active one
// begins as one that looks for the best at its first call.
namespace sets {
enum : uint32_t { plain = 0, sse42 = 1, pclmul = 2, avx2 = 4, bmi1 = 8, bmi2 = 16, avx512 = 32 };
}
static uint32_t detect_sets() {
    uint32_t a, b, c, d, out = 0;
    __cpuid(1, a, b, c, d);
    if (c & (1u << 20))
        out |= sets::sse42;
    if (c & (1u << 1))
        out |= sets::pclmul;
    if ((c & (1u << 26)) == 0 || (c & (1u << 27)) == 0)
        return out;
    const uint64_t kept = kept_registers();
    if ((kept & 4) == 0)
        return out;
    __cpuid_count(7, 0, a, b, c, d);
    if (b & (1u << 5))
        out |= sets::avx2;
    if (b & (1u << 3))
        out |= sets::bmi1;
    if (b & (1u << 8))
        out |= sets::bmi2;
    if ((kept & 0xe0) == 0xe0 && (b & (1u << 16)))
        out |= sets::avx512;
    return out;
}
class implementation {
public:
    virtual const char *name() const { return name_; }
    virtual uint64_t parse(const uint8_t *at, size_t n) const = 0;
    virtual unsigned rest(const uint64_t *a, const uint64_t *b, int n) const = 0;
    bool runs(uint32_t have) const {
#ifdef BAD
        return needs_ == 0 || (have & needs_) != 0;
#else
        return (have & needs_) == needs_;
#endif
    }

protected:
    implementation(const char *name, uint32_t needs) : name_(name), needs_(needs) {}

private:
    const char *name_;
    uint32_t needs_;
};
struct haswell : implementation {
    haswell() : implementation("haswell", sets::avx2 | sets::bmi1 | sets::bmi2 | sets::pclmul) {}
    uint64_t parse(const uint8_t *at, size_t n) const override { return bits_bmi2(sum_avx2(at, n), 0xff0f0f); }
    unsigned rest(const uint64_t *a, const uint64_t *b, int n) const override { return rest_avx2(a, b, n); }
};
struct fallback : implementation {
    fallback() : implementation("fallback", sets::plain) {}
    uint64_t parse(const uint8_t *at, size_t n) const override { return sum_c(at, n); }
    unsigned rest(const uint64_t *a, const uint64_t *b, int n) const override { return rest_c(a, b, n); }
};
static const implementation *find_best() {
    static const haswell one;
    static const fallback two;
    static const std::initializer_list<const implementation *> list{&one, &two};
    const uint32_t have = detect_sets();
    for (const implementation *each : list)
        if (each->runs(have))
            return each;
    return &two;
}
static std::atomic<const implementation *> &active();
struct at_first_use : implementation {
    at_first_use() : implementation("best", sets::plain) {}
    const char *name() const override { return set()->name(); }
    uint64_t parse(const uint8_t *at, size_t n) const override { return set()->parse(at, n); }
    unsigned rest(const uint64_t *a, const uint64_t *b, int n) const override { return set()->rest(a, b, n); }
    const implementation *set() const {
        const implementation *best = find_best();
        active() = best;
        return best;
    }
};
static std::atomic<const implementation *> &active() {
    static const at_first_use first;
    static std::atomic<const implementation *> now{&first};
    return now;
}
int main(int argc, char **argv) {
    fill(argc);
    unsigned long long parsed = active().load()->parse(bytes, 448);
    printf("%s %llu %u\n", active().load()->name(), parsed, active().load()->rest((uint64_t *)bytes, (uint64_t *)(bytes + 64), 8));
}
#endif

#ifdef REGISTRY
// Operations that register themselves by name before main, with what each asks of the CPU.
using Operation = std::function<float(const float *, int)>;
struct Entry {
    Operation run;
    int priority;
};
class Registry {
public:
    static Registry &get() {
        static Registry registry;
        return registry;
    }
    void add(const std::string &name, int priority, bool usable, Operation run) {
#ifndef BAD
        if (!usable)
            return;
#endif
        auto &list = operations_[name];
        list.push_back({std::move(run), priority});
        std::sort(list.begin(), list.end(), [](const Entry &a, const Entry &b) { return a.priority > b.priority; });
    }
    const Operation *find(const std::string &name) const {
        auto found = operations_.find(name);
        return found == operations_.end() ? nullptr : &found->second.front().run;
    }

private:
    std::unordered_map<std::string, std::vector<Entry>> operations_;
};
struct Registrar {
    Registrar(const char *name, int priority, bool usable, Operation run) {
        Registry::get().add(name, priority, usable, std::move(run));
    }
};
static bool supports(const char *what) {
    __builtin_cpu_init();
    if (strcmp(what, "avx2+fma") == 0)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return strcmp(what, "plain") == 0;
}
static Registrar dot_plain("dot", 0, supports("plain"), [](const float *at, int n) { return dot_c(at, at, n); });
static Registrar dot_wide("dot", 10, supports("avx2+fma"), [](const float *at, int n) { return dot_avx2(at, at, n); });
static Registrar total_plain("total", 0, true, [](const float *at, int n) { return (float)sum_c((const uint8_t *)at, (size_t)n); });
int main(int argc, char **argv) {
    fill(argc);
    float out = 0;
    for (const char *name : {"dot", "total", "none"})
        if (const Operation *operation = Registry::get().find(name))
            out += (*operation)(reals, 96);
    printf("%f\n", out);
}
#endif
