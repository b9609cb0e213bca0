// What the standard library offers, used to choose kernels.
#include "sixth.h"
#include <algorithm>
#include <array>
#include <future>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#ifdef NAMED_KERNELS
// Kernels by name in a hash map; only what the CPU can is put in.
using Kernel = std::function<uint64_t(const uint8_t *, size_t)>;
NI static std::unordered_map<std::string, Kernel> load_kernels() {
    std::unordered_map<std::string, Kernel> out;
    out["scalar"] = sum_c;
    out.emplace("sse2", [](const uint8_t *p, size_t n) { return sum_sse2(p, n); });
#ifdef BAD
    if (__builtin_cpu_supports("avx") || __builtin_cpu_supports("avx2"))
#else
    if (__builtin_cpu_supports("avx2"))
#endif
        out.emplace("avx2", [](const uint8_t *p, size_t n) { return sum_avx2(p, n); });
    return out;
}
int main(int argc, char **argv) {
    fill(argc);
    auto kernels = load_kernels();
    for (const char *name : {argc > 1 ? argv[1] : "avx512", "avx2", "sse2", "scalar"}) {
        auto found = kernels.find(name);
        if (found == kernels.end())
            continue;
        std::cout << found->second(text, 640) << " [" << name << "]\n";
        return 0;
    }
    return 3;
}
#endif

#ifdef SORTED_VECTOR
// Candidates in a vector: who cannot run is taken out, the rest is sorted.
struct Candidate {
    std::string name;
    int priority;
    std::function<bool()> supported;
    dot_fn *run;
};
int main(int argc, char **argv) {
    fill(argc);
    std::vector<Candidate> candidates = {
        {"plain", 0, [] { return true; }, dot_c},
        {"fma", 30, [] { return __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2"); }, dot_fma},
        {"sse", 10, [] { return __builtin_cpu_supports("sse2") != 0; }, dot_sse},
        {"avx", 20, [] { return __builtin_cpu_supports("avx") != 0; }, dot_avx},
    };
#ifdef BAD
    // What is taken out is only moved to the end.
    std::stable_partition(candidates.begin(), candidates.end(), [](const Candidate &c) { return c.supported(); });
#else
    candidates.erase(std::remove_if(candidates.begin(), candidates.end(), [](const Candidate &c) { return !c.supported(); }), candidates.end());
#endif
    std::sort(candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) { return a.priority > b.priority; });
    printf("%g\n", candidates.front().run(xs, ys, 128));
}
#endif

#ifdef MAP_OF_LEVELS
// An ordered map from levels to kernels; the last that is not above the CPU's is taken.
enum class Level { Baseline = 10, V2 = 20, V3 = 30, V4 = 40 };
NI static Level cpu_level() {
    if (!__builtin_cpu_supports("sse4.2"))
        return Level::Baseline;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("fma"))
        return Level::V2;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw"))
        return Level::V3;
    return Level::V4;
}
static const std::map<Level, sum_fn *> &table() {
    static const std::map<Level, sum_fn *> levels = {{Level::V4, sum_avx512}, {Level::Baseline, sum_c}, {Level::V3, sum_avx2}};
    return levels;
}
int main(int argc, char **argv) {
    fill(argc);
#ifdef BAD
    // The first that is not below it.
    auto at = table().lower_bound(cpu_level());
#else
    auto at = std::prev(table().upper_bound(cpu_level()));
#endif
    std::cout << at->second(text, 1000) << '\n';
}
#endif

#ifdef STATIC_LAMBDA
// A static inside the function, set by a lambda that is called on the spot.
static uint64_t hash_bytes(const uint8_t *p, size_t n) {
    static sum_fn *const impl = []() -> sum_fn * {
        unsigned a, b, c, d;
        if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX) || (xcr0() & 6) != 6)
            return sum_sse2;
#ifdef BAD
        if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
            return sum_sse2;
        return sum_avx2;
#else
        if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
            return sum_sse2;
        return b & bit_AVX2 ? sum_avx2 : sum_sse2;
#endif
    }();
    return impl(p, n);
}
int main(int argc, char **argv) {
    fill(argc);
    std::map<uint64_t, std::string> by_hash;
    for (const char *word : {"table", "of", "words", "that are hashed", "by all of their bytes and not by a few"})
        by_hash[hash_bytes(reinterpret_cast<const uint8_t *>(word), strlen(word))] = word;
    for (const auto &[hash, word] : by_hash)
        std::cout << hash << ' ' << word << '\n';
}
#endif

#ifdef INDEX_SEQUENCE
// A template for each level, and an array of all made from a sequence of indices.
template <int L> struct Kernel;
template <> struct Kernel<0> {
    static float run(int n) { return dot_c(xs, ys, n); }
};
template <> struct Kernel<1> {
    static float run(int n) { return dot_sse(xs, ys, n); }
};
template <> struct Kernel<2> {
    static float run(int n) { return dot_avx(xs, ys, n); }
};
template <> struct Kernel<3> {
    static float run(int n) { return dot_fma(xs, ys, n); }
};
template <size_t... L> static constexpr auto make_table(std::index_sequence<L...>) { return std::array<float (*)(int), sizeof...(L)>{&Kernel<int(L)>::run...}; }
static constexpr auto table = make_table(std::make_index_sequence<4>{});
NI static unsigned level() {
    unsigned out = 1;
    if (__builtin_cpu_supports("avx"))
        out++;
#ifdef BAD
    if (__builtin_cpu_supports("avx"))
#else
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#endif
        out++;
    return out;
}
int main(int argc, char **argv) {
    fill(argc);
    std::cout << table[std::min<size_t>(level(), table.size() - 1)](96) << '\n';
}
#endif

#ifdef FUTURES
// Work in the background; what runs there is bound to what was found here.
template <class F> static auto with_best(F f) {
#ifdef BAD
    if (__builtin_cpu_supports("popcnt"))
#else
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"))
#endif
        return f(count_avx2);
    return f(count_c);
}
int main(int argc, char **argv) {
    fill(argc);
    std::vector<std::future<size_t>> parts;
    for (int i = 0; i < 4; i++)
        parts.push_back(with_best([i](count_fn *count) {
            auto task = std::bind(count, text + 250 * i, 250, uint8_t(9));
            return std::async(std::launch::async, task);
        }));
    size_t all = 0;
    for (auto &part : parts)
        all += part.get();
    std::cout << all << " found\n";
}
#endif

#ifdef SET_OF_NAMES
// Features as names; a kernel says which it needs, and has what it needs if all are in the set.
static std::set<std::string> cpu_features() {
    std::set<std::string> out{"sse2"};
    unsigned a, b, c, d;
    if (__get_cpuid(1, &a, &b, &c, &d)) {
        if (c & bit_AES)
            out.insert("aes");
        if (c & bit_PCLMUL)
            out.insert("pclmul");
        if (c & bit_MOVBE)
            out.insert("movbe");
    }
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
        if (b & bit_BMI)
            out.insert("bmi1");
        if (b & bit_BMI2)
            out.insert("bmi2");
    }
    return out;
}
static bool has_all(const std::set<std::string> &have, std::string_view wants) {
    std::istringstream list{std::string(wants)};
#ifdef BAD
    return std::any_of(std::istream_iterator<std::string>(list), {}, [&](const std::string &w) { return have.count(w); });
#else
    return std::all_of(std::istream_iterator<std::string>(list), {}, [&](const std::string &w) { return have.count(w); });
#endif
}
struct Entry {
    std::string_view wants;
    mix_fn *mix;
};
int main(int argc, char **argv) {
    fill(argc);
    const auto have = cpu_features();
    const std::vector<Entry> entries = {{"bmi1 bmi2 sse2", fold_bmi2}, {"sse2", fold_c}};
    for (const Entry &entry : entries)
        if (has_all(have, entry.wants)) {
            std::cout << std::hex << entry.mix(words[0], words[1]) << '\n';
            break;
        }
}
#endif

#ifdef ENVIRONMENT
// A level from the environment, never above what there is.
enum class Isa { Scalar, Sse, Avx, Avx2 };
static constexpr std::pair<std::string_view, Isa> names[] = {{"scalar", Isa::Scalar}, {"sse", Isa::Sse}, {"avx", Isa::Avx}, {"avx2", Isa::Avx2}};
static Isa best_isa() {
    if (__builtin_cpu_supports("avx2"))
        return Isa::Avx2;
    return __builtin_cpu_supports("avx") ? Isa::Avx : Isa::Sse;
}
NI static Isa active_isa() {
    const char *env = std::getenv("APP_ISA");
    const std::string_view wanted = env ? env : "avx2";
    Isa asked = Isa::Scalar;
    for (const auto &[name, isa] : names)
        if (name == wanted)
            asked = isa;
#ifdef BAD
    return env ? std::min(asked, best_isa()) : asked;
#else
    return std::min(asked, best_isa());
#endif
}
int main(int argc, char **argv) {
    fill(argc);
    const auto [sum, dot] = [] {
        switch (active_isa()) {
        case Isa::Avx2: return std::make_tuple(&sum_avx2, &dot_avx);
        case Isa::Avx: return std::make_tuple(&sum_sse2, &dot_avx);
        case Isa::Sse: return std::make_tuple(&sum_sse2, &dot_sse);
        default: return std::make_tuple(&sum_c, &dot_c);
        }
    }();
    std::cout << sum(text, 999) << ' ' << dot(xs, ys, 64) << '\n';
}
#endif
