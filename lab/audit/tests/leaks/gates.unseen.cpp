// As values.unseen.c, in C++.
#include "unseen.h"

#include <memory>
#include <functional>
#include <array>
#include <vector>
#include <bitset>
#include <string>
#include <atomic>
#include <map>
#include <unordered_map>
#include <iostream>
#include <stdexcept>

#if defined(VIRT)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
struct K {
    virtual long sum(const int *, long) = 0;
    virtual ~K() {}
};
struct B : K {
    long sum(const int *p, long n) override { return sum_base(p, n); }
};
struct A : K {
    long sum(const int *p, long n) override { return sum_avx2(p, n); }
};
NI std::unique_ptr<K> make() {
    if (GATE)
        return std::make_unique<A>();
    return std::make_unique<B>();
}
int main(int argc, char **) {
    fill(argc);
    auto k = make();
    std::cout << k->sum(data, 64) << "\n";
}

#elif defined(STATIC_LOCAL)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
using F = long (*)(const int *, long);
NI F pick() { return GATE ? sum_avx2 : sum_base; }
NI long sum(const int *p, long n) {
    static const F f = pick();
    return f(p, n);
}
int main(int argc, char **) {
    fill(argc);
    std::cout << sum(data, 64) << "\n";
}

#elif defined(STDFUNCTION)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
int main(int argc, char **) {
    fill(argc);
    std::function<long(const int *, long)> f = sum_base;
    if (GATE)
        f = sum_avx2;
    std::cout << f(data, 64) << "\n";
}

#elif defined(LAMBDA_REGISTRY)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
struct E {
    const char *n;
    bool (*ok)();
    long (*f)(const int *, long);
};
int main(int argc, char **) {
    fill(argc);
    const std::array<E, 2> es{
        {{"avx2", [] { return bool(GATE); }, sum_avx2}, {"c", [] { return true; }, sum_base}}};
    for (auto &e : es)
        if (e.ok()) {
            std::cout << e.n << e.f(data, 64) << "\n";
            break;
        }
}

#elif defined(TMPL)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
enum class I { Base, Avx2 };
template <I> long sum(const int *p, long n);
template <> long sum<I::Base>(const int *p, long n) { return sum_base(p, n); }
template <> long sum<I::Avx2>(const int *p, long n) { return sum_avx2(p, n); }
NI I isa() { return GATE ? I::Avx2 : I::Base; }
template <class G> long dispatch(G g) {
    switch (isa()) {
    case I::Avx2:
        return g.template operator()<I::Avx2>();
    default:
        return g.template operator()<I::Base>();
    }
}
struct S {
    template <I i> long operator()() { return sum<i>(data, 64); }
};
int main(int argc, char **) {
    fill(argc);
    std::cout << dispatch(S{}) << "\n";
}

#elif defined(STRMAP)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
using F = long (*)(const int *, long);
int main(int argc, char **) {
    fill(argc);
    std::map<std::string, F> m{{"avx2", sum_avx2}, {"c", sum_base}};
    std::string best = GATE ? "avx2" : "c";
    std::cout << m[best](data, 64) << "\n";
}

#elif defined(ATOMICFN)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
using F = long (*)(const int *, long);
std::atomic<F> fn{nullptr};
NI long sum(const int *p, long n) {
    F f = fn.load(std::memory_order_acquire);
    if (!f) {
        f = GATE ? sum_avx2 : sum_base;
        fn.store(f, std::memory_order_release);
    }
    return f(p, n);
}
int main(int argc, char **) {
    fill(argc);
    std::cout << sum(data, 64) << "\n";
}

#elif defined(MSDN)
#if defined(BAD)
#define GATE SSE42
#else
#define GATE AVX2
#endif
class Set {
    struct R {
        int nIds_;
        std::bitset<32> f_1_ECX_{0}, f_7_EBX_{0};
        std::vector<std::array<int, 4>> data_;
        R() {
            unsigned r[4];
            __cpuid(0, r[0], r[1], r[2], r[3]);
            nIds_ = r[0];
            for (int i = 0; i <= nIds_; i++) {
                __cpuid_count(i, 0, r[0], r[1], r[2], r[3]);
                data_.push_back({(int)r[0], (int)r[1], (int)r[2], (int)r[3]});
            }
            if (nIds_ >= 1)
                f_1_ECX_ = data_[1][2];
            if (nIds_ >= 7)
                f_7_EBX_ = data_[7][1];
        }
    };
    static const R rep;

  public:
    static bool AVX2() { return rep.f_7_EBX_[5]; }
    static bool SSE42() { return rep.f_1_ECX_[20]; }
};
const Set::R Set::rep;
int main(int argc, char **) {
    fill(argc);
    std::cout << (Set::GATE() ? sum_avx2(data, 64) : sum_base(data, 64)) << "\n";
}

#elif defined(MEMBERPTR)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
struct D {
    long (D::*m)(const int *, long);
    long a(const int *p, long n) { return sum_avx2(p, n); }
    long b(const int *p, long n) { return sum_base(p, n); }
    D() { m = GATE ? &D::a : &D::b; }
    long sum(const int *p, long n) { return (this->*m)(p, n); }
};
int main(int argc, char **) {
    fill(argc);
    D d;
    std::cout << d.sum(data, 64) << "\n";
}

#elif defined(SINGLETON)
#if defined(BAD)
#define GATE sse42
#else
#define GATE avx2
#endif
class Cpu {
    bool s, a;
    Cpu() : s(sse42_by_cpuid()), a(avx2_by_cpuid()) {}

  public:
    static const Cpu &get() {
        static Cpu c;
        return c;
    }
    bool sse42() const { return s; }
    bool avx2() const { return a; }
};
NI long sum(const int *p, long n) { return Cpu::get().GATE() ? sum_avx2(p, n) : sum_base(p, n); }
int main(int argc, char **) {
    fill(argc);
    std::cout << sum(data, 64) << "\n";
}

#elif defined(EXCEPTION)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
NI void require() {
    if (!(GATE))
        throw std::runtime_error("no");
}
int main(int argc, char **) {
    fill(argc);
    try {
        require();
        std::cout << sum_avx2(data, 64) << "\n";
    } catch (const std::exception &e) {
        std::cout << sum_base(data, 64) << e.what() << "\n";
    }
}

#elif defined(VECTOR_FN)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
using F = long (*)(const int *, long);
static std::vector<F> fs;
NI void reg() {
    fs.push_back(sum_base);
    if (GATE)
        fs.push_back(sum_avx2);
}
int main(int argc, char **) {
    fill(argc);
    reg();
    std::cout << fs.back()(data, 64) << "\n";
}

#elif defined(GLOBAL_INIT)
#if defined(BAD)
#define GATE sse42_by_cpuid()
#else
#define GATE avx2_by_cpuid()
#endif
static const bool kFast = GATE;
NI long sum(const int *p, long n) { return kFast ? sum_avx2(p, n) : sum_base(p, n); }
int main(int argc, char **) {
    fill(argc);
    std::cout << sum(data, 64) << "\n";
}

#endif
