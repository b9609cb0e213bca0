// A wrapper of intrinsics: architectures are types in a list, a dispatcher walks the list by templates
// and calls a generic functor with the first that the CPU has; each has its own "available" test.
#include "ninth.h"
#include <cpuid.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <immintrin.h>
#include <numeric>
#include <utility>
#include <vector>

namespace detail {
struct supported_arch {
    unsigned sse2 : 1, sse4_2 : 1, avx : 1, fma3_avx : 1, avx2 : 1, fma3_avx2 : 1, avx512f : 1;
    supported_arch() noexcept {
        sse2 = sse4_2 = avx = fma3_avx = avx2 = fma3_avx2 = avx512f = 0;
        auto get_cpuid = [](int reg[4], int level, int count = 0) noexcept { __cpuid_count(level, count, reg[0], reg[1], reg[2], reg[3]); };
        auto get_xcr0_low = []() noexcept {
            uint32_t xcr0;
            __asm__("xorl %%ecx, %%ecx\nxgetbv\n" : "=a"(xcr0) : : "ecx", "edx");
            return xcr0;
        };
        int regs1[4];
        get_cpuid(regs1, 0x1);
        sse2 = regs1[3] >> 26 & 1;
        sse4_2 = regs1[2] >> 20 & 1;
        bool sse_enabled = false, avx_enabled = false, zmm_enabled = false;
        if (regs1[2] >> 27 & 1) {
            uint32_t xcr0 = get_xcr0_low();
            sse_enabled = xcr0 >> 1 & 1;
            avx_enabled = xcr0 >> 2 & 1 && sse_enabled;
            zmm_enabled = (xcr0 & 0xe0) == 0xe0 && avx_enabled;
        }
        avx = (regs1[2] >> 28 & 1) && avx_enabled;
        fma3_avx = avx && (regs1[2] >> 12 & 1);
        int regs7[4];
        get_cpuid(regs7, 0x7);
        avx2 = avx_enabled && (regs7[1] >> 5 & 1);
#ifdef BAD
        // FMA of either generation.
        fma3_avx2 = avx && fma3_avx;
#else
        fma3_avx2 = avx2 && fma3_avx;
#endif
        avx512f = zmm_enabled && (regs7[1] >> 16 & 1);
    }
};
} // namespace detail
static detail::supported_arch available_architectures() noexcept {
    static const detail::supported_arch supported;
    return supported;
}

struct generic {
    static bool available() noexcept { return true; }
    static constexpr const char *name() { return "generic"; }
};
struct sse2 {
    static bool available() noexcept { return available_architectures().sse2; }
    static constexpr const char *name() { return "sse2"; }
};
struct fma3_avx2 {
    static bool available() noexcept { return available_architectures().fma3_avx2; }
    static constexpr const char *name() { return "fma3+avx2"; }
};
template <class... Archs> struct arch_list {};

template <class F, class ArchList> class dispatcher {
    F functor;
    template <class Arch, class... Tys> auto walk_archs(arch_list<Arch>, Tys &&...args) noexcept { return functor(Arch{}, std::forward<Tys>(args)...); }
    template <class Arch, class Next, class... Rest, class... Tys> auto walk_archs(arch_list<Arch, Next, Rest...>, Tys &&...args) noexcept {
        if (Arch::available())
            return functor(Arch{}, std::forward<Tys>(args)...);
        return walk_archs(arch_list<Next, Rest...>{}, std::forward<Tys>(args)...);
    }

  public:
    explicit dispatcher(F f) : functor(std::move(f)) {}
    template <class... Tys> auto operator()(Tys &&...args) noexcept { return walk_archs(ArchList{}, std::forward<Tys>(args)...); }
};
using default_archs = arch_list<fma3_avx2, sse2, generic>;
template <class ArchList = default_archs, class F> static inline dispatcher<F, ArchList> dispatch(F &&f) { return dispatcher<F, ArchList>(std::forward<F>(f)); }

struct weighted_sum {
    template <class Arch> float operator()(Arch, const float *x, const float *w, const int *pick, size_t n);
};
template <> float weighted_sum::operator()(generic, const float *x, const float *w, const int *pick, size_t n) {
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[pick[i]] * w[i];
    return sum;
}
template <> __attribute__((target("sse2"))) float weighted_sum::operator()(sse2, const float *x, const float *w, const int *pick, size_t n) {
    __m128 acc = _mm_setzero_ps();
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        acc = _mm_add_ps(acc, _mm_mul_ps(_mm_setr_ps(x[pick[i]], x[pick[i + 1]], x[pick[i + 2]], x[pick[i + 3]]), _mm_loadu_ps(w + i)));
    float parts[4];
    _mm_storeu_ps(parts, acc);
    return std::accumulate(parts, parts + 4, (*this)(generic{}, x, w + i, pick + i, n - i));
}
template <> __attribute__((target("avx2,fma"))) float weighted_sum::operator()(fma3_avx2, const float *x, const float *w, const int *pick, size_t n) {
    __m256 acc = _mm256_setzero_ps();
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256i at = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(pick + i));
        acc = _mm256_fmadd_ps(_mm256_i32gather_ps(x, at, 4), _mm256_loadu_ps(w + i), acc);
    }
    float parts[8], sum = (*this)(generic{}, x, w + i, pick + i, n - i);
    _mm256_storeu_ps(parts, acc);
    for (float part : parts)
        sum += part;
    return sum;
}
struct name_of {
    template <class Arch> const char *operator()(Arch) { return Arch::name(); }
};

class SparseRow {
    std::vector<float> weights_;
    std::vector<int> columns_;

  public:
    SparseRow(size_t n, size_t width, unsigned seed) {
        for (size_t i = 0; i < n; i++) {
            weights_.push_back(float((i + seed) % 4));
            columns_.push_back(int((i * 7 + seed) % width));
        }
    }
    float times(const std::vector<float> &x) const {
        auto sum = dispatch(weighted_sum{});
        return sum(x.data(), weights_.data(), columns_.data(), weights_.size());
    }
    float plain(const std::vector<float> &x) const { return weighted_sum{}(generic{}, x.data(), weights_.data(), columns_.data(), weights_.size()); }
};
int main(int argc, char **argv) {
    size_t width = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 50;
    if (width == 0 || width > 10000) {
        width = 50;
        std::fprintf(stderr, "%s: width is taken to be 50\n", argv[0]);
    }
    std::vector<float> x(width);
    std::iota(x.begin(), x.end(), 0.0f);
    float total = 0;
    for (unsigned row = 0; row < 9; row++) {
        SparseRow r(row * 3 + 5, width, row);
        float y = r.times(x);
        if (y != r.plain(x))
            return 1;
        total += y;
    }
    std::printf("%.1f\n", total);
    if (argc > 2)
        std::printf("%s\n", dispatch(name_of{})());
    return 0;
}
