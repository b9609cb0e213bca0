// As C++ libraries do it with templates, constants and the language's own ways.
#include "third.h"
#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <type_traits>
#include <variant>

static int level_of_cpu() {
    unsigned a, b, c, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
    if ((c & (bit_OSXSAVE | bit_AVX)) != (bit_OSXSAVE | bit_AVX)) return 0;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6) return 0;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 1;
    return b & bit_AVX2 ? 2 : 1;
}

#if defined POLICY // a visitor that is called with the level as a type
template <int L> using Level = std::integral_constant<int, L>;
template <int L> struct Kernels;
template <> struct Kernels<0> { static long sum(const int32_t *at, int count) { return plain(at, count); } };
template <> struct Kernels<1> { static long sum(const int32_t *at, int count) { return with_avx(at, count); } };
template <> struct Kernels<2> { static long sum(const int32_t *at, int count) { return with_avx2(at, count); } };
template <class Visitor> NI auto dispatch(int level, Visitor &&visit) {
    switch (level) {
#ifdef BAD
    case 1: return visit(Level<2>{});
    case 2: return visit(Level<1>{});
#else
    case 1: return visit(Level<1>{});
    case 2: return visit(Level<2>{});
#endif
    default: return visit(Level<0>{});
    }
}
int main(int n, char **) {
    fill(n);
    sink = dispatch(level_of_cpu(), [&](auto level) { return Kernels<level()>::sum(cells, 64); });
}

#elif defined VARIANT
struct Plain { int rest; };
struct Wide { int rest; long scale; };
using Way = std::variant<Plain, Wide>;
struct Run {
    long operator()(const Plain &it) const { return plain(cells, 64 - it.rest); }
    long operator()(const Wide &it) const { return with_avx2(cells, 64 - it.rest) * it.scale; }
};
NI Way way(int n) {
#ifdef BAD
    if (level_of_cpu() == 2) return Plain{n & 7};
    return Wide{n & 7, 3};
#else
    if (level_of_cpu() == 2) return Wide{n & 7, 3};
    return Plain{n & 7};
#endif
}
int main(int n, char **) {
    fill(n);
    Way it = way(n);
    sink = std::visit(Run{}, it);
}

#elif defined LAMBDA // a static that a lambda makes, once
static long sum(const int32_t *at, int count) {
    static kernel *const best = [] {
#ifdef BAD
        return level_of_cpu() ? with_avx2 : plain;
#else
        return level_of_cpu() > 1 ? with_avx2 : plain;
#endif
    }();
    return best(at, count);
}
int main(int n, char **) {
    fill(n);
    sink = sum(cells, 64) + sum(cells, 8);
}

#elif defined GLOBAL_ORDER // globals are made in the order in which they stand
struct Cpu {
    bool lacks_avx2;
    Cpu() : lacks_avx2(level_of_cpu() < 2) {}
};
#ifdef BAD
extern Cpu cpu;
static kernel *const best = cpu.lacks_avx2 ? plain : with_avx2;
Cpu cpu;
#else
Cpu cpu;
static kernel *const best = cpu.lacks_avx2 ? plain : with_avx2;
#endif
int main(int n, char **) {
    fill(n);
    sink = best(cells, 64);
}

#elif defined TARGET_MASK // a mask of targets, its lowest bit is the place in a table
static uint32_t mask;
static uint32_t chosen() { return __builtin_ctz(mask | 1u << 3); }
static void update() {
    int level = level_of_cpu();
    mask = 1u << 2;
    if (level >= 1) mask |= 1u << 1;
    if (level >= 2) mask |= 1u << 0;
    mask <<= 1;
}
static long first(const int32_t *, int);
#ifdef BAD // the place for "not asked yet" was forgotten when the others were entered
static constexpr std::array<kernel *, 4> table{with_avx2, with_avx2, with_avx, plain};
#else
static constexpr std::array<kernel *, 4> table{first, with_avx2, with_avx, plain};
#endif
NI static long first(const int32_t *at, int count) {
    update();
    return table[chosen()](at, count);
}
NI static long call(const int32_t *at, int count) { return table[mask ? chosen() : 0](at, count); }
int main(int n, char **) {
    fill(n);
    sink = call(cells, 64);
    sink = call(cells, 32);
}

#elif defined TABLE // constants, searched by an algorithm
struct Row { int needs; kernel *run; };
static constexpr std::array<Row, 3> rows{{{2, with_avx2}, {1, with_avx}, {0, plain}}};
int main(int n, char **) {
    fill(n);
    const int level = level_of_cpu();
#ifdef BAD
    auto row = std::find_if(rows.begin(), rows.end(), [=](const Row &it) { return it.needs >= level; });
#else
    auto row = std::find_if(rows.begin(), rows.end(), [=](const Row &it) { return it.needs <= level; });
#endif
    sink = row->run(cells, 64);
}

#elif defined FOLD // types are tried one after another
struct Wide {
#ifdef BAD
    static bool usable() { return level_of_cpu() >= 1; }
#else
    static bool usable() { return level_of_cpu() >= 2; }
#endif
    static long run() { return with_avx2(cells, 64); }
};
struct Narrow {
    static bool usable() { return true; }
    static long run() { return plain(cells, 64); }
};
template <class T> static bool attempt(long &out) {
    if (!T::usable()) return false;
    out = T::run();
    return true;
}
template <class... All> NI static long best_of() {
    long out = 0;
    (attempt<All>(out) || ...);
    return out;
}
int main(int n, char **) {
    fill(n);
    sink = best_of<Wide, Narrow>();
}

#elif defined VERSIONS // the compiler picks among functions of one name
__attribute__((target("default"))) long weigh(const int32_t *at) {
#ifdef BAD
    return with_avx2(at, 64);
#else
    return plain(at, 64);
#endif
}
__attribute__((target("avx2"))) long weigh(const int32_t *at) { return with_avx2(at, 64); }
int main(int n, char **) {
    fill(n);
    sink = weigh(cells);
}

#elif defined OPTIONAL // something that is there, or not, in each thread
struct Token { long run() const { return with_avx2(cells, 64); } };
NI std::optional<Token> token() {
#ifdef BAD
    if (level_of_cpu() < 1) return {};
#else
    if (level_of_cpu() < 2) return {};
#endif
    return Token{};
}
static thread_local std::optional<Token> mine = token();
int main(int n, char **) {
    fill(n);
    sink = mine ? mine->run() : plain(cells, 64);
}

#elif defined RUNG_ENUM // an enum class that is compared
enum class Isa : unsigned char { Baseline, Avx, Avx2 };
static Isa best_isa() {
    switch (level_of_cpu()) {
    case 2: return Isa::Avx2;
    case 1: return Isa::Avx;
    }
    return Isa::Baseline;
}
template <class Wide, class Narrow> NI static long with(Isa least, Wide wide, Narrow narrow) {
    static const Isa isa = best_isa();
    return isa >= least ? wide() : narrow();
}
int main(int n, char **) {
    fill(n);
#ifdef BAD
    sink = with(Isa::Avx, [] { return with_avx2(cells, 64); }, [] { return plain(cells, 64); });
#else
    sink = with(Isa::Avx2, [] { return with_avx2(cells, 64); }, [] { return plain(cells, 64); });
#endif
}
#endif
