// As C++ libraries do it with objects: lists of implementations, factories, registrars.
#include "third.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace {
enum Set : uint32_t { Default = 0, Avx = 1, Avx2 = 2, Bmi1 = 4, Bmi2 = 8, Sse42 = 16 };

uint32_t detect_sets() {
    uint32_t eax = 1, ebx, ecx = 0, edx, sets = 0;
    asm volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
    if (ecx & 1u << 20) sets |= Sse42;
    if (!(ecx & 1u << 27)) return sets;
    uint32_t low, high;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6) return sets;
    if (ecx & 1u << 28) sets |= Avx;
    eax = 7, ecx = 0;
    asm volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
    if (ebx & 1u << 3) sets |= Bmi1;
    if (ebx & 1u << 5) sets |= Avx2;
    if (ebx & 1u << 8) sets |= Bmi2;
    return sets;
}
} // namespace

#if defined IMPL_LIST // a list in order of preference; the first of them asks and replaces itself
class implementation {
  public:
    constexpr implementation(const char *name, uint32_t required) : name_(name), required_(required) {}
    virtual long run(const int32_t *, int) const noexcept = 0;
    virtual const char *name() const noexcept { return name_; }
    virtual uint32_t required() const noexcept { return required_; }
  private:
    const char *name_;
    uint32_t required_;
};
struct haswell final : implementation {
    constexpr haswell() : implementation("haswell", Avx2 | Bmi2 | Sse42) {}
    long run(const int32_t *at, int count) const noexcept final { return with_avx2(at, count) + with_bmi2(at, 3); }
};
struct fallback final : implementation {
    constexpr fallback() : implementation("fallback", 0) {}
    long run(const int32_t *at, int count) const noexcept final { return plain(at, count); }
};
static const haswell haswell_;
static const fallback fallback_;
static const implementation *const available[] = {&haswell_, &fallback_};
struct detector final : implementation {
    constexpr detector() : implementation("detector", 0) {}
    long run(const int32_t *at, int count) const noexcept final { return set()->run(at, count); }
    const char *name() const noexcept final { return set()->name(); }
    const implementation *set() const noexcept;
};
static const detector detector_;
std::atomic<const implementation *> active{&detector_};
NI const implementation *detector::set() const noexcept {
    uint32_t has = detect_sets();
    for (const implementation *it : available) {
        uint32_t needs = it->required();
#ifdef BAD
        if (!needs || (has & needs)) return active = it;
#else
        if ((has & needs) == needs) return active = it;
#endif
    }
    return &fallback_;
}
int main(int n, char **) {
    fill(n);
    sink = active.load()->run(cells, 64);
    fprintf(stderr, "%s\n", active.load()->name());
}

#elif defined FACTORY // makes what fits
struct Codec {
    virtual ~Codec() = default;
    virtual long encode(const int32_t *) = 0;
};
struct PlainCodec : Codec {
    long encode(const int32_t *at) override { return plain(at, 64); }
};
struct FastCodec : Codec {
    int step;
    explicit FastCodec(int step) : step(step) {}
    long encode(const int32_t *at) override { return with_avx2(at, 64) * step; }
};
NI std::unique_ptr<Codec> make_codec(int step) {
#ifdef BAD
    if (detect_sets() & (Avx | Avx2))
#else
    if (detect_sets() & Avx2)
#endif
        return std::make_unique<FastCodec>(step);
    return std::make_unique<PlainCodec>();
}
int main(int n, char **) {
    fill(n);
    auto codec = make_codec(n + 1);
    sink = codec->encode(cells);
}

#elif defined REGISTRAR // static objects that enter themselves
struct Entry { int priority; std::function<bool()> usable; std::function<long(const int32_t *, int)> run; };
static std::vector<Entry> &entries() {
    static std::vector<Entry> all;
    return all;
}
struct Registrar {
    Registrar(int priority, std::function<bool()> usable, std::function<long(const int32_t *, int)> run) {
        entries().push_back({priority, std::move(usable), std::move(run)});
    }
};
static Registrar base(0, [] { return true; }, plain);
#ifdef BAD
static Registrar fast(10, [] { return detect_sets() != 0; }, with_avx2);
#else
static Registrar fast(10, [] { return (detect_sets() & Avx2) != 0; }, with_avx2);
#endif
int main(int n, char **) {
    fill(n);
    auto &all = entries();
    std::sort(all.begin(), all.end(), [](const Entry &a, const Entry &b) { return a.priority > b.priority; });
    auto it = std::find_if(all.begin(), all.end(), [](const Entry &e) { return e.usable(); });
    sink = it->run(cells, 64);
}

#elif defined CPUID_CLASS // a class whose methods are bits
class CpuId {
  public:
    CpuId() {
        uint32_t n, a, d;
        __cpuid(0, n, b7_, c7_, d);
        b7_ = c7_ = 0;
        if (n >= 1) __cpuid(1, a, d, c1_, d1_);
        if (n >= 7 && saved()) __cpuid_count(7, 0, a, b7_, c7_, d);
    }
#define BIT(name, word, bit) bool name() const { return word & 1u << bit; }
    BIT(sse42, c1_, 20)
    BIT(osxsave, c1_, 27)
    BIT(bmi1, b7_, 3)
#ifdef BAD
    BIT(avx2, b7_, 3)
#else
    BIT(avx2, b7_, 5)
#endif
    BIT(bmi2, b7_, 8)
#undef BIT
  private:
    bool saved() const {
        if (!osxsave()) return false;
        uint32_t low, high;
        asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        return (low & 6) == 6;
    }
    uint32_t b7_, c7_, c1_ = 0, d1_ = 0;
};
int main(int n, char **) {
    static const CpuId id;
    fill(n);
    sink = id.avx2() ? with_avx2(cells, 64) : plain(cells, 64);
}

#elif defined ADAPTOR // collects what this CPU can, and later takes one of it
class Adaptor {
  public:
    template <class Function> void add(Set needs, Function function) {
#ifdef BAD
        if (needs == Default || detect_sets())
#else
        if (needs == Default || detect_sets() & needs)
#endif
            functions_.emplace_back(function);
    }
    long operator()(const int32_t *at, int count) { return functions_[picks_++ % functions_.size()](at, count); }
  private:
    std::vector<std::function<long(const int32_t *, int)>> functions_;
    size_t picks_ = 0;
};
int main(int n, char **) {
    Adaptor adaptor;
    fill(n);
    adaptor.add(Default, plain);
    adaptor.add(Avx2, with_avx2);
    for (int i = 0; i < 4; i++) sink = adaptor(cells, 64);
}

#elif defined THROWS // a constructor that throws where the CPU will not do
class Engine {
  public:
    Engine() {
#ifdef BAD
        if (!(detect_sets() & Bmi1)) throw std::runtime_error("no AVX2");
#else
        if (!(detect_sets() & Avx2)) throw std::runtime_error("no AVX2");
#endif
    }
    NI long run() const { return with_avx2(cells, 64); }
};
int main(int n, char **) {
    fill(n);
    try {
        Engine engine;
        sink = engine.run();
    } catch (const std::exception &error) {
        sink = plain(cells, 64);
    }
}

#elif defined MEMBERS // pointers to member functions, set once
class Filter {
  public:
    long apply(const int32_t *at, int count) {
        std::call_once(once_, &Filter::setup, this);
        return (this->*run_)(at, count);
    }
  private:
    long slow(const int32_t *at, int count) { return plain(at, count) + bias_; }
    long fast(const int32_t *at, int count) { return with_avx2_max(at, count) + bias_; }
    void setup() {
#ifdef BAD
        run_ = detect_sets() & Avx ? &Filter::fast : &Filter::slow;
#else
        run_ = detect_sets() & Avx2 ? &Filter::fast : &Filter::slow;
#endif
    }
    std::once_flag once_;
    long (Filter::*run_)(const int32_t *, int) = nullptr;
    long bias_ = 7;
};
int main(int n, char **) {
    Filter filter;
    fill(n);
    sink = filter.apply(cells, 64);
}

#elif defined MAP // found by a text
int main(int n, char **) {
    std::map<std::string, kernel *> kernels{{"plain", plain}, {"avx", with_avx}, {"avx2", with_avx2}};
    fill(n);
    uint32_t sets = detect_sets();
#ifdef BAD
    std::string name = "avx2";
    if (!(sets & Sse42)) name = "plain";
#else
    std::string name = "plain";
    if (sets & Avx) name = "avx";
    if (sets & Avx2) name = "avx2";
#endif
    sink = kernels.at(name)(cells, 64);
}

#elif defined ERASED // what may be used is left, the rest is taken out of the list
struct Choice { uint32_t needs; kernel *run; };
int main(int n, char **) {
    std::vector<Choice> choices{{Default, plain}, {Avx, with_avx}, {Avx2, with_avx2}};
    uint32_t sets = detect_sets();
    fill(n);
#ifdef BAD
    std::remove_if(choices.begin(), choices.end(), [=](const Choice &it) { return (it.needs & sets) != it.needs; });
#else
    choices.erase(std::remove_if(choices.begin(), choices.end(),
                                 [=](const Choice &it) { return (it.needs & sets) != it.needs; }),
                  choices.end());
#endif
    sink = choices.back().run(cells, 64);
}
#endif
