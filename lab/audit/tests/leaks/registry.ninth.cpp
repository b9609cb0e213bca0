// A server's scoring functions: a registry maps names to std::function, filled under std::call_once
// from a list of providers, each of which is asked whether the CPU will do; queries name a function.
#include "ninth.h"
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <immintrin.h>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using Vector = std::vector<float>;
using ScoreFunction = std::function<float(const Vector &, const Vector &)>;

static float dot_plain(const float *a, const float *b, size_t n) {
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
__attribute__((target("avx,fma"))) static float dot_fma(const float *a, const float *b, size_t n) {
    __m256 sum = _mm256_setzero_ps();
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        sum = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), sum);
    alignas(32) float parts[8];
    _mm256_store_ps(parts, sum);
    float whole = dot_plain(a + i, b + i, n - i);
    for (float part : parts)
        whole += part;
    return whole;
}
static float hamming_plain(const float *a, const float *b, size_t n) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += a[i] != b[i];
    return float(count);
}
__attribute__((target("avx2"))) static float hamming_avx2(const float *a, const float *b, size_t n) {
    __m256i count = _mm256_setzero_si256();
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(a + i)), y = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(b + i));
        count = _mm256_sub_epi32(count, _mm256_xor_si256(_mm256_cmpeq_epi32(x, y), _mm256_set1_epi32(-1)));
    }
    alignas(32) int parts[8];
    _mm256_store_si256(reinterpret_cast<__m256i *>(parts), count);
    float whole = hamming_plain(a + i, b + i, n - i);
    for (int part : parts)
        whole += float(part);
    return whole;
}

class Provider {
  public:
    virtual ~Provider() = default;
    virtual int priority() const = 0;
    virtual bool available() const = 0;
    virtual std::map<std::string, ScoreFunction> functions() const = 0;
};
class PlainProvider : public Provider {
  public:
    int priority() const override { return 0; }
    bool available() const override { return true; }
    std::map<std::string, ScoreFunction> functions() const override {
        return {
            {"dot", [](const Vector &a, const Vector &b) { return dot_plain(a.data(), b.data(), a.size()); }},
            {"hamming", [](const Vector &a, const Vector &b) { return hamming_plain(a.data(), b.data(), a.size()); }},
            {"first", [](const Vector &a, const Vector &) { return a.empty() ? 0 : a[0]; }},
        };
    }
};
class FmaProvider : public Provider {
  public:
    int priority() const override { return 10; }
    bool available() const override { return __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx"); }
    std::map<std::string, ScoreFunction> functions() const override {
        return {{"dot", [](const Vector &a, const Vector &b) { return dot_fma(a.data(), b.data(), a.size()); }}};
    }
};
class Avx2Provider : public FmaProvider {
  public:
    int priority() const override { return 20; }
#ifndef BAD
    // Without it what is inherited answers.
    bool available() const override { return FmaProvider::available() && __builtin_cpu_supports("avx2"); }
#endif
    std::map<std::string, ScoreFunction> functions() const override {
        auto all = FmaProvider::functions();
        all["hamming"] = [](const Vector &a, const Vector &b) { return hamming_avx2(a.data(), b.data(), a.size()); };
        return all;
    }
};
class Registry {
    std::map<std::string, ScoreFunction> functions_;
    std::vector<std::unique_ptr<Provider>> providers_;
    Registry() = default;
    void fill() {
        __builtin_cpu_init();
        providers_.push_back(std::make_unique<Avx2Provider>());
        providers_.push_back(std::make_unique<PlainProvider>());
        providers_.push_back(std::make_unique<FmaProvider>());
        std::sort(providers_.begin(), providers_.end(), [](const auto &a, const auto &b) { return a->priority() < b->priority(); });
        const char *off = std::getenv("SCORING_PLAIN");
        for (const auto &provider : providers_) {
            if (!provider->available() || (off && provider->priority() > 0))
                continue;
            for (auto &[name, function] : provider->functions())
                functions_[name] = function;
        }
    }

  public:
    static Registry &instance() {
        static Registry registry;
        static std::once_flag once;
        std::call_once(once, [] { registry.fill(); });
        return registry;
    }
    std::optional<ScoreFunction> find(const std::string &name) const {
        auto found = functions_.find(name);
        if (found == functions_.end())
            return std::nullopt;
        return found->second;
    }
    size_t size() const { return functions_.size(); }
};
struct Query {
    std::string function;
    Vector vector;
};
class Index {
    std::vector<Vector> rows_;
    size_t width_;

  public:
    explicit Index(size_t width) : width_(width) {
        for (size_t row = 0; row < 7; row++) {
            Vector v(width);
            for (size_t i = 0; i < width; i++)
                v[i] = float((i * (row + 1)) % 5);
            rows_.push_back(std::move(v));
        }
    }
    std::pair<size_t, float> best(const Query &query) const {
        if (query.vector.size() != width_)
            throw std::length_error("vector of " + std::to_string(query.vector.size()) + " in an index of " + std::to_string(width_));
        auto score = Registry::instance().find(query.function);
        if (!score)
            throw std::out_of_range("no function " + query.function);
        std::pair<size_t, float> best{0, -1};
        for (size_t row = 0; row < rows_.size(); row++)
            if (float s = (*score)(rows_[row], query.vector); s > best.second)
                best = {row, s};
        return best;
    }
};
int main(int argc, char **argv) {
    size_t width = argc > 1 ? std::strtoul(argv[1], nullptr, 10) % 100 + 1 : 29;
    Index index(width);
    Vector v(width);
    for (size_t i = 0; i < width; i++)
        v[i] = float(i % 3);
    const std::vector<Query> queries{{"dot", v}, {"hamming", v}, {"first", v}, {"cosine", v}, {"dot", Vector(3)}};
    for (const auto &query : queries)
        try {
            auto [row, score] = index.best(query);
            std::printf("%s: row %zu, %.1f\n", query.function.c_str(), row, score);
        } catch (const std::exception &e) {
            std::printf("%s: %s\n", query.function.c_str(), e.what());
        }
    std::printf("%zu functions\n", Registry::instance().size());
    return 0;
}
