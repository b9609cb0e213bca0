// Dispatch by templates, tables and the compiler.
#include "fifth.h"
#include <array>
#include <atomic>
#include <bitset>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>

#ifdef STUB
// A stub for each operation: the first call puts the pointer for the CPU there.
enum class Capability : int { Default = 0, Avx2 = 1, Avx512 = 2, Count };
static Capability compute_capability() {
    const unsigned most = __get_cpuid_max(0, nullptr);
    Capability best = Capability::Default;
    if (most >= 7 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        best = Capability::Avx2;
    if (best == Capability::Avx2 && __builtin_cpu_supports("avx512bw"))
        best = Capability::Avx512;
    if (const char *wanted = std::getenv("TENSOR_CPU_CAPABILITY")) {
        const std::string_view name(wanted);
        if (name == "default")
            best = Capability::Default;
        if (name == "avx2" && best == Capability::Avx512)
            best = Capability::Avx2;
    }
    return best;
}
static Capability get_capability() {
    static Capability known = compute_capability();
    return known;
}
template <class F, class T> struct Stub;
template <class R, class T, class... Args> struct Stub<R (*)(Args...), T> {
    using Pointer = R (*)(Args...);
    template <class... Given> R operator()(Given &&...given) {
        Pointer now = now_.load(std::memory_order_relaxed);
        if (!now) {
            now = choose();
            now_.store(now, std::memory_order_relaxed);
        }
        return (*now)(std::forward<Given>(given)...);
    }
    Pointer choose() const {
        auto capability = static_cast<int>(get_capability());
#ifdef BAD
        // There is always one for the capability, so whatever is there is taken.
        if (T::wide)
            return T::wide;
#else
        if (capability >= static_cast<int>(Capability::Avx2) && T::wide)
            return T::wide;
#endif
        return capability >= 0 ? T::plain : nullptr;
    }

private:
    std::atomic<Pointer> now_{nullptr};
};
struct DotStub : Stub<dot_fn *, DotStub> {
    static dot_fn *plain, *wide;
};
struct SumStub : Stub<sum_fn *, SumStub> {
    static sum_fn *plain, *wide;
};
dot_fn *DotStub::plain = dot_c;
dot_fn *DotStub::wide = dot_avx2;
sum_fn *SumStub::plain = sum_sse2;
sum_fn *SumStub::wide = sum_avx2;
static DotStub dot_stub;
static SumStub sum_stub;
int main(int argc, char **argv) {
    fill(argc);
    const uint8_t *at = bytes;
    printf("%f %llu\n", dot_stub(reals, reals + 8, 80), (unsigned long long)sum_stub(at, size_t(400 + argc)));
}
#endif

#ifdef HARDWARE
// A global object with an array of bool members, made before main, and a macro that asks it.
enum Feature { CPU_SSE = 2, CPU_SSE2 = 3, CPU_AVX = 10, CPU_AVX2 = 11, CPU_FMA3 = 12, CPU_AVX512 = 13, CPU_MAX = 512 };
struct HWFeatures {
    explicit HWFeatures(bool run) {
        if (run)
            initialize();
    }
    void initialize() {
        int one[4], seven[4] = {0, 0, 0, 0};
        __cpuid(0, one[0], one[1], one[2], one[3]);
        const int most = one[0];
        __cpuid(1, one[0], one[1], one[2], one[3]);
        have[CPU_SSE] = (one[3] & (1 << 25)) != 0;
        have[CPU_SSE2] = (one[3] & (1 << 26)) != 0;
        have[CPU_FMA3] = (one[2] & (1 << 12)) != 0;
        have[CPU_AVX] = (one[2] & (1 << 28)) != 0;
        if (most >= 7) {
            __cpuid_count(7, 0, seven[0], seven[1], seven[2], seven[3]);
            have[CPU_AVX2] = (seven[1] & (1 << 5)) != 0;
            have[CPU_AVX512] = (seven[1] & (1 << 30)) != 0;
        }
        bool os = false;
        if (one[2] & (1 << 27))
            os = (kept_registers() & 6) == 6;
        if (!os)
            have[CPU_AVX] = have[CPU_AVX2] = have[CPU_FMA3] = have[CPU_AVX512] = false;
    }
    bool have[CPU_MAX + 1] = {};
};
static HWFeatures enabled(true), disabled(false);
static HWFeatures *current = &enabled;
static bool check_hardware(int feature) { return current->have[feature]; }
static void use_optimized(bool on) { current = on ? &enabled : &disabled; }
#define TRY_CPU(feature, call)                                                                     \
    if (check_hardware(CPU_##feature))                                                             \
        return call;
NI static uint64_t total(const uint8_t *at, size_t n) {
    TRY_CPU(AVX2, sum_avx2(at, n))
    TRY_CPU(SSE2, sum_sse2(at, n))
    return sum_c(at, n);
}
NI static void accumulate(float *to, const float *from, int n) {
    if (check_hardware(CPU_FMA3) && check_hardware(CPU_AVX)) {
        axpy_fma(to, from, 2, n);
        return;
    }
    axpy_c(to, from, 2, n);
}
int main(int argc, char **argv) {
    float out[128] = {};
    fill(argc);
    use_optimized(argc < 4);
    accumulate(out, reals, 128);
    printf("%llu %f\n", (unsigned long long)total(bytes, 512), out[7]);
}
#endif

#ifdef HIGHWAY
// Targets as bits, the best the lowest; a table whose first place looks for the chosen one, and
// a place in it by the lowest bit.
enum : int64_t { T_AVX3 = 1 << 0, T_AVX2 = 1 << 1, T_SSE4 = 1 << 2, T_SCALAR = 1 << 3 };
static int64_t detect_targets() {
    int64_t bits = T_SCALAR;
    uint32_t a, b, c, d;
    __cpuid(1, a, b, c, d);
    const auto is_set = [](uint32_t word, int bit) { return (word >> bit & 1) != 0; };
    if (is_set(c, 19) && is_set(c, 20) && is_set(c, 9))
        bits |= T_SSE4;
    const bool ymm = is_set(c, 27) && is_set(c, 28) && (kept_registers() & 6) == 6;
    const bool fma = is_set(c, 12) && is_set(c, 29);
    if (!ymm || __get_cpuid_max(0, nullptr) < 7)
        return bits;
    __cpuid_count(7, 0, a, b, c, d);
    if (fma && is_set(b, 5) && is_set(b, 3) && is_set(b, 8))
        bits |= T_AVX2;
    if ((bits & T_AVX2) && is_set(b, 16) && is_set(b, 30) && (kept_registers() & 0xe0) == 0xe0)
        bits |= T_AVX3;
    return bits;
}
class ChosenTarget {
public:
    // The first place of a table is taken until something is chosen.
    void update(int64_t targets) { mask_.store(targets << 1); }
    size_t index() const { return (size_t)__builtin_ctzll((uint64_t)mask_.load() & all_); }

private:
    static constexpr uint64_t all_ = 31;
    std::atomic<int64_t> mask_{1};
};
static ChosenTarget chosen;
static uint64_t choose_and_call(const uint8_t *, size_t);
#ifdef BAD
// A kernel between was put in, and not its target.
static sum_fn *const table[] = {choose_and_call, sum_avx512, sum_avx2, sum_avx2, sum_sse2, sum_c};
#else
static sum_fn *const table[] = {choose_and_call, sum_avx512, sum_avx2, sum_sse2, sum_c};
#endif
static uint64_t choose_and_call(const uint8_t *at, size_t n) {
    chosen.update(detect_targets());
    return table[chosen.index()](at, n);
}
int main(int argc, char **argv) {
    fill(argc);
    uint64_t out = 0;
    for (int i = 0; i < 3; i++)
        out += table[chosen.index()](bytes + 64 * i, 128);
    printf("%llu\n", (unsigned long long)out);
}
#endif

#ifdef ARCH_LIST
// A list of types, gone through from the best on by recursion; the kernel is a template.
struct generic_arch {
    static constexpr unsigned version = 0;
};
struct avx_arch {
    static constexpr unsigned version = 20;
};
struct fma_arch {
    static constexpr unsigned version = 30;
};
template <class... Archs> struct arch_list {};
static unsigned best_version() {
    static const unsigned best = [] {
        unsigned out = 0;
        if (__builtin_cpu_supports("avx"))
            out = avx_arch::version;
        if (out && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            out = fma_arch::version;
        return out;
    }();
    return best;
}
template <class F> class dispatcher {
public:
    explicit dispatcher(F f) : f_(f), best_(best_version()) {}
    template <class... Args> auto operator()(Args... args) { return walk(arch_list<fma_arch, avx_arch, generic_arch>{}, args...); }

private:
    template <class Last, class... Args> auto walk(arch_list<Last>, Args... args) { return f_(Last{}, args...); }
    template <class Arch, class Next, class... More, class... Args> auto walk(arch_list<Arch, Next, More...>, Args... args) {
        if (Arch::version <= best_)
            return f_(Arch{}, args...);
        return walk(arch_list<Next, More...>{}, args...);
    }
    F f_;
    const unsigned best_;
};
struct scale {
    template <class Arch> float operator()(Arch, float *to, const float *from, int n) {
        if constexpr (std::is_same_v<Arch, fma_arch>)
            axpy_fma(to, from, 3, n);
        else if constexpr (std::is_same_v<Arch, avx_arch>)
            axpy_avx(to, from, 3, n);
        else
            axpy_c(to, from, 3, n);
        return to[n / 2];
    }
};
int main(int argc, char **argv) {
    float out[128] = {};
    fill(argc);
    dispatcher<scale> run{scale{}};
    printf("%f\n", run(out, (const float *)reals, 100 + argc));
}
#endif

#ifdef VERSIONS
// Versions of one function: the compiler's resolver chooses.
__attribute__((target("default"))) int find(const uint8_t *at, int n, int what) {
    for (int i = 0; i < n; i++)
        if (at[i] == what)
            return i;
    return -1;
}
__attribute__((target("avx2"))) int find(const uint8_t *at, int n, int what) {
    const __m256i all = _mm256_set1_epi8((char)what);
    for (int i = 0; i + 32 <= n; i += 32) {
        int hit = _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(at + i)), all));
        if (hit)
            return i + __builtin_ctz(hit);
    }
    return -1;
}
__attribute__((target("avx512f"))) int find(const uint8_t *at, int n, int what) {
    __m512i all = _mm512_set1_epi32(what);
    return (int)_mm512_reduce_add_epi32(_mm512_xor_si512(all, _mm512_loadu_si512(at)));
}
int main(int argc, char **argv) {
    fill(argc);
    printf("%d %d\n", find(bytes, 512, 77), find(bytes + 64, 256, 78));
}
#endif

#ifdef CPUID_CLASS
// A class that reads the words when it is made and has a question for each bit; the answer is a
// std::bitset in another place, indexed by an enumeration.
class CpuId {
public:
    CpuId() {
        uint32_t n, a, b;
        __asm__("cpuid" : "=a"(n) : "a"(0) : "ebx", "ecx", "edx");
        if (n >= 1)
            __asm__("cpuid" : "=a"(a), "=c"(f1c_), "=d"(f1d_) : "a"(1) : "ebx");
        if (n >= 7)
            __asm__("cpuid" : "=a"(b), "=b"(f7b_), "=c"(f7c_) : "a"(7), "c"(0) : "edx");
    }
#define X(name, word, bit)                                                                         \
    bool name() const { return ((word##_) & (1u << bit)) != 0; }
    X(pclmul, f1c, 1)
    X(fma, f1c, 12)
    X(sse41, f1c, 19)
    X(sse42, f1c, 20)
    X(aes, f1c, 25)
    X(osxsave, f1c, 27)
    X(avx, f1c, 28)
    X(sse2, f1d, 26)
    X(bmi1, f7b, 3)
    X(avx2, f7b, 5)
    X(bmi2, f7b, 8)
#undef X

private:
    uint32_t f1c_ = 0, f1d_ = 0, f7b_ = 0, f7c_ = 0;
};
enum class Can : size_t { Crc, Bits, Wide, Count };
class Abilities {
public:
    Abilities() {
        const CpuId id;
#ifdef BAD
        set(Can::Crc, id.sse42() && id.sse41());
#else
        set(Can::Crc, id.pclmul() && id.sse41());
#endif
        set(Can::Bits, id.bmi2() && id.bmi1());
        set(Can::Wide, id.osxsave() && id.avx() && id.avx2());
    }
    bool test(Can can) const { return bits_.test(static_cast<size_t>(can)); }

private:
    void set(Can can, bool has) { bits_.set(static_cast<size_t>(can), has); }
    std::bitset<static_cast<size_t>(Can::Count)> bits_;
};
static const Abilities &abilities() {
    static const Abilities known;
    return known;
}
static constexpr std::array<crc_fn *, 2> crcs{crc_c, crc_clmul};
NI static uint32_t checksum(const uint8_t *at, size_t n) { return crcs[abilities().test(Can::Crc) ? 1 : 0](0, at, n); }
NI static std::optional<uint64_t> morton(uint64_t x) {
    if (abilities().test(Can::Bits))
        return bits_bmi2(x, 0x5555);
    return std::nullopt;
}
int main(int argc, char **argv) {
    fill(argc);
    const uint64_t total = abilities().test(Can::Wide) ? sum_avx2(bytes, 512) : sum_sse2(bytes, 512);
    printf("%x %llu %llu\n", checksum(bytes, 320), (unsigned long long)morton(bytes[5]).value_or(0), (unsigned long long)total);
}
#endif
