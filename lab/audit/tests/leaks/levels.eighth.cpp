// An index of vectors in C++20: a level is a value that a static object finds (or takes from the
// environment), and a generic lambda with a template parameter of the level runs in a switch.
#include <array>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <immintrin.h>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

enum class SIMDLevel : uint8_t { NONE, AVX2, AVX512, COUNT };
struct SIMDConfig {
    static SIMDLevel level;
    static uint32_t supported;
    static const char *level_name();
    static void set_level(SIMDLevel to);
    static bool is_supported(SIMDLevel l) { return supported >> static_cast<unsigned>(l) & 1; }
    explicit SIMDConfig(const char *env);
};
SIMDLevel SIMDConfig::level = SIMDLevel::NONE;
uint32_t SIMDConfig::supported = 1;
static std::optional<SIMDLevel> to_simd_level(std::string_view name) {
    static constexpr std::array<std::pair<std::string_view, SIMDLevel>, 3> names{{{"NONE", SIMDLevel::NONE}, {"AVX2", SIMDLevel::AVX2}, {"AVX512", SIMDLevel::AVX512}}};
    for (const auto &[text, level] : names)
        if (text == name)
            return level;
    return std::nullopt;
}
SIMDConfig::SIMDConfig(const char *env) {
    __builtin_cpu_init();
#ifdef BAD
    if (__builtin_cpu_supports("avx")) {
#else
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
#endif
        supported |= 1u << static_cast<unsigned>(SIMDLevel::AVX2);
        level = SIMDLevel::AVX2;
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) {
        supported |= 1u << static_cast<unsigned>(SIMDLevel::AVX512);
        level = SIMDLevel::AVX512;
    }
    if (env && *env)
        if (const auto asked = to_simd_level(env); asked && is_supported(*asked))
            level = *asked;
}
void SIMDConfig::set_level(SIMDLevel to) {
    if (!is_supported(to))
        throw std::invalid_argument("level is not supported");
    level = to;
}
const char *SIMDConfig::level_name() {
    switch (level) {
    case SIMDLevel::AVX512:
        return "AVX512";
    case SIMDLevel::AVX2:
        return "AVX2";
    default:
        return "NONE";
    }
}
static SIMDConfig simd_config(std::getenv("INDEX_SIMD_LEVEL"));

template <SIMDLevel> float fvec_L2sqr(const float *x, const float *y, size_t d);
template <> float fvec_L2sqr<SIMDLevel::NONE>(const float *x, const float *y, size_t d) {
    float sum = 0;
    for (size_t i = 0; i < d; i++)
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sum;
}
template <> __attribute__((target("avx2,fma"))) float fvec_L2sqr<SIMDLevel::AVX2>(const float *x, const float *y, size_t d) {
    __m256 sum = _mm256_setzero_ps();
    size_t i = 0;
    for (; i + 8 <= d; i += 8) {
        const __m256 diff = _mm256_sub_ps(_mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i));
        sum = _mm256_fmadd_ps(diff, diff, sum);
    }
    float part[8], all = 0;
    _mm256_storeu_ps(part, sum);
    for (float f : part)
        all += f;
    return all + fvec_L2sqr<SIMDLevel::NONE>(x + i, y + i, d - i);
}
template <> __attribute__((target("avx512f,avx512bw"))) float fvec_L2sqr<SIMDLevel::AVX512>(const float *x, const float *y, size_t d) {
    __m512 sum = _mm512_setzero_ps();
    size_t i = 0;
    for (; i + 16 <= d; i += 16) {
        const __m512 diff = _mm512_sub_ps(_mm512_loadu_ps(x + i), _mm512_loadu_ps(y + i));
        sum = _mm512_fmadd_ps(diff, diff, sum);
    }
    return _mm512_reduce_add_ps(sum) + fvec_L2sqr<SIMDLevel::NONE>(x + i, y + i, d - i);
}

template <typename Action> auto with_simd_level(Action &&action) {
    switch (SIMDConfig::level) {
    case SIMDLevel::NONE:
        return action.template operator()<SIMDLevel::NONE>();
    case SIMDLevel::AVX2:
        return action.template operator()<SIMDLevel::AVX2>();
    case SIMDLevel::AVX512:
        return action.template operator()<SIMDLevel::AVX512>();
    default:
        throw std::runtime_error("invalid SIMD level");
    }
}

struct IndexFlat {
    size_t d;
    std::vector<float> xb;
    void add(std::span<const float> x) { xb.insert(xb.end(), x.begin(), x.end()); }
    size_t ntotal() const { return xb.size() / d; }
    std::pair<size_t, float> search(std::span<const float> query) const {
        return with_simd_level([&]<SIMDLevel SL>() {
            std::pair<size_t, float> best{0, 1e30f};
            for (size_t i = 0; i < ntotal(); i++)
                if (const float dis = fvec_L2sqr<SL>(query.data(), xb.data() + i * d, d); dis < best.second)
                    best = {i, dis};
            return best;
        });
    }
};
int main(int argc, char **argv) {
    try {
        if (argc > 1) {
            const auto level = to_simd_level(argv[1]);
            if (!level)
                throw std::invalid_argument(std::string("unknown level ") + argv[1]);
            SIMDConfig::set_level(*level);
        }
        IndexFlat index{27, {}};
        std::vector<float> row(27);
        for (int i = 0; i < 40; i++) {
            for (int k = 0; k < 27; k++)
                row[k] = static_cast<float>((i * 17 + k * k) % 31);
            index.add(row);
        }
        for (float &f : row)
            f += 1;
        const auto [id, distance] = index.search(row);
        if (distance != fvec_L2sqr<SIMDLevel::NONE>(row.data(), index.xb.data() + id * 27, 27))
            return 1;
        std::printf("nearest %zu at %g\n", id, distance);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 3;
    }
    return 0;
}
