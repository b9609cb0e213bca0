// Dispatch in classes, and by the language itself.
#include "seventh.h"
#include <array>
#include <atomic>
#include <cctype>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef VERSIONS_BY_TARGET
// The same function in versions for targets, which the compiler dispatches by itself.
struct Histogram {
    std::array<unsigned, 8> bins{};
    size_t total = 0;
};
namespace detail {
__attribute__((target("avx2"), noinline)) void accumulate_wide(Histogram &h, const uint8_t *p, size_t n) {
    for (unsigned bin = 0; bin < 8; bin++) {
        __m256i low = _mm256_set1_epi8(char(bin << 5)), mask = _mm256_set1_epi8(char(0xe0));
        size_t i = 0;
        for (; i + 32 <= n; i += 32) {
            __m256i here = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(p + i)), mask);
            h.bins[bin] += unsigned(__builtin_popcount(unsigned(_mm256_movemask_epi8(_mm256_cmpeq_epi8(here, low)))));
        }
        for (; i < n; i++)
            h.bins[bin] += (p[i] & 0xe0) == bin << 5;
    }
    h.total += n;
}
void accumulate_narrow(Histogram &h, const uint8_t *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        h.bins[p[i] >> 5]++;
    h.total += n;
}
}
__attribute__((target("default"))) void accumulate(Histogram &h, const uint8_t *p, size_t n) { detail::accumulate_narrow(h, p, n); }
__attribute__((target("avx2"))) void accumulate(Histogram &h, const uint8_t *p, size_t n) { detail::accumulate_wide(h, p, n); }
template <typename Source>
void accumulate_all(Histogram &h, const Source &source) {
    for (const auto &[data, size] : source) {
#ifdef BAD
        if (size >= 256) {
            detail::accumulate_wide(h, data, size);
            continue;
        }
#endif
        accumulate(h, data, size);
    }
}
int main(int argc, char **argv) {
    make_data(argc);
    std::vector<std::pair<const uint8_t *, size_t>> parts{{bytes, 100}, {bytes + 100, 700}, {other, 200}, {other + 200, 33}};
    Histogram h;
    accumulate_all(h, parts);
    std::cout << h.total << ':';
    for (unsigned bin : h.bins)
        std::cout << ' ' << bin;
    std::cout << '\n';
}
#endif

#ifdef SPACES
// Spaces of vectors choose the distance in their constructor, by the dimension and by the CPU.
template <typename D>
using DISTFUNC = D (*)(const void *, const void *, const void *);
static void cpuid(int32_t out[4], int32_t eax, int32_t ecx) { __cpuid_count(eax, ecx, out[0], out[1], out[2], out[3]); }
static bool AVXCapable() {
    int cpuInfo[4];
    cpuid(cpuInfo, 0, 0);
    int nIds = cpuInfo[0];
    bool HW_AVX = false;
    if (nIds >= 1) {
        cpuid(cpuInfo, 1, 0);
        HW_AVX = (cpuInfo[2] & (1 << 28)) != 0;
    }
    cpuid(cpuInfo, 1, 0);
    bool osUsesXSAVE_XRSTORE = (cpuInfo[2] & (1 << 27)) != 0, avxSupported = false;
    if (osUsesXSAVE_XRSTORE && HW_AVX)
        avxSupported = (read_xcr(0) & 6) == 6;
    return HW_AVX && avxSupported;
}
static bool AVX512Capable() {
    if (!AVXCapable())
        return false;
    int cpuInfo[4];
    bool HW_AVX512F = false;
    cpuid(cpuInfo, 0, 0);
    if (cpuInfo[0] >= 7) {
        cpuid(cpuInfo, 7, 0);
        HW_AVX512F = (cpuInfo[1] & (1 << 16)) != 0;
    }
    return HW_AVX512F && (read_xcr(0) & 0xe6) == 0xe6;
}
static float L2Sqr(const void *a, const void *b, const void *qty) { return dist_plain((const float *)a, (const float *)b, *(const size_t *)qty); }
static float L2SqrSIMD4Ext(const void *a, const void *b, const void *qty) { return dist_plain((const float *)a, (const float *)b, *(const size_t *)qty); }
static float L2SqrSIMD16ExtAVX(const void *a, const void *b, const void *qty) { return dist_avx((const float *)a, (const float *)b, *(const size_t *)qty); }
static float L2SqrSIMD16ExtAVX512(const void *a, const void *b, const void *qty) { return dist_avx512((const float *)a, (const float *)b, *(const size_t *)qty); }
#ifdef BAD
static DISTFUNC<float> L2SqrSIMD16Ext = L2SqrSIMD16ExtAVX;
#else
static DISTFUNC<float> L2SqrSIMD16Ext = L2SqrSIMD4Ext;
#endif
static float L2SqrSIMD16ExtResiduals(const void *a, const void *b, const void *qty_ptr) {
    size_t qty = *(const size_t *)qty_ptr, qty16 = qty >> 4 << 4, rest = qty - qty16;
    return L2SqrSIMD16Ext(a, b, &qty16) + L2Sqr((const float *)a + qty16, (const float *)b + qty16, &rest);
}
template <typename MTYPE>
class SpaceInterface {
public:
    virtual size_t get_data_size() = 0;
    virtual DISTFUNC<MTYPE> get_dist_func() = 0;
    virtual void *get_dist_func_param() = 0;
    virtual ~SpaceInterface() {}
};
class L2Space : public SpaceInterface<float> {
    DISTFUNC<float> fstdistfunc_;
    size_t data_size_, dim_;

public:
    L2Space(size_t dim) {
        fstdistfunc_ = L2Sqr;
        if (AVX512Capable())
            L2SqrSIMD16Ext = L2SqrSIMD16ExtAVX512;
        else if (AVXCapable())
            L2SqrSIMD16Ext = L2SqrSIMD16ExtAVX;
        if (dim % 16 == 0)
            fstdistfunc_ = L2SqrSIMD16Ext;
        else if (dim % 4 == 0)
            fstdistfunc_ = L2SqrSIMD4Ext;
        else if (dim > 16)
            fstdistfunc_ = L2SqrSIMD16ExtResiduals;
        dim_ = dim;
        data_size_ = dim * sizeof(float);
    }
    size_t get_data_size() override { return data_size_; }
    DISTFUNC<float> get_dist_func() override { return fstdistfunc_; }
    void *get_dist_func_param() override { return &dim_; }
    ~L2Space() override {}
};
template <typename dist_t>
class BruteforceSearch {
    std::vector<char> data;
    size_t count = 0, size;
    DISTFUNC<dist_t> dist;
    void *param;

public:
    explicit BruteforceSearch(SpaceInterface<dist_t> *s) : size(s->get_data_size()), dist(s->get_dist_func()), param(s->get_dist_func_param()) {}
    void addPoint(const void *point) {
        data.insert(data.end(), (const char *)point, (const char *)point + size);
        count++;
    }
    std::pair<dist_t, size_t> searchKnn(const void *query) const {
        std::pair<dist_t, size_t> best{1e30f, 0};
        for (size_t i = 0; i < count; i++) {
            dist_t d = dist(query, data.data() + i * size, param);
            if (d < best.first)
                best = {d, i};
        }
        return best;
    }
};
int main(int argc, char **argv) {
    make_data(1);
    for (size_t dim : {6, 16, 20, 37}) {
        L2Space space(dim);
        BruteforceSearch<float> index(&space);
        for (int i = 0; i < 20; i++)
            index.addPoint(left + i * 3);
        auto [distance, label] = index.searchKnn(right);
        std::cout << dim << ": " << label << " at " << distance << '\n';
    }
}
#endif

#ifdef CPU_CLASS
// A class for the CPU, with one flag a member, that is made once and never destroyed.
template <typename T>
class NoDestructor {
    alignas(T) char storage[sizeof(T)];

public:
    template <typename... Args>
    explicit NoDestructor(Args &&...args) { new (storage) T(std::forward<Args>(args)...); }
    T *get() { return reinterpret_cast<T *>(storage); }
    T &operator*() { return *get(); }
};
class CPU final {
    int family_ = 0, model_ = 0;
    bool has_sse42_ = false, has_popcnt_ = false, has_avx_ = false, has_fma3_ = false, has_avx2_ = false;
    std::string cpu_vendor_ = "unknown";
    void Initialize() {
        int cpu_info[4] = {-1}, cpu_info7[4] = {0};
        char cpu_string[13];
        Cpuid(cpu_info, 0, 0);
        int num_ids = cpu_info[0];
        std::swap(cpu_info[2], cpu_info[3]);
        memcpy(cpu_string, &cpu_info[1], 12);
        cpu_vendor_.assign(cpu_string, 12);
        if (num_ids > 0) {
            if (num_ids >= 7)
                Cpuid(cpu_info7, 7, 0);
            Cpuid(cpu_info, 1, 0);
            family_ = ((cpu_info[0] >> 8) & 0xf) + ((cpu_info[0] >> 20) & 0xff);
            model_ = ((cpu_info[0] >> 4) & 0xf) + ((cpu_info[0] >> 12) & 0xf0);
            has_sse42_ = (cpu_info[2] & 0x00100000) != 0;
            has_popcnt_ = (cpu_info[2] & 0x00800000) != 0;
            has_avx_ = (cpu_info[2] & 0x10000000) != 0 && (cpu_info[2] & 0x04000000) != 0 && (cpu_info[2] & 0x08000000) != 0 && (read_xcr(0) & 6) == 6;
            has_fma3_ = has_avx_ && (cpu_info[2] & 0x00001000) != 0;
#ifdef BAD
            has_avx2_ = (has_avx_ && (cpu_info7[1] & 0x00000020) != 0) || has_fma3_;
#else
            has_avx2_ = has_avx_ && has_fma3_ && (cpu_info7[1] & 0x00000020) != 0;
#endif
        }
    }
    static void Cpuid(int info[4], int leaf, int sub) { __cpuid_count(leaf, sub, info[0], info[1], info[2], info[3]); }

public:
    KEEP CPU() { Initialize(); }
    static CPU &GetInstanceNoAllocation() {
        static NoDestructor<CPU> cpu;
        return *cpu;
    }
    bool has_avx() const { return has_avx_; }
    bool has_avx2() const { return has_avx2_; }
    const std::string &vendor() const { return cpu_vendor_; }
};
class ChannelMixer {
    using Mix = float (*)(const float *, const float *, size_t);
    Mix mix_;
    size_t frames_;

public:
    explicit ChannelMixer(size_t frames) : frames_(frames) {
        const CPU &cpu = CPU::GetInstanceNoAllocation();
        mix_ = cpu.has_avx() ? dist_avx : dist_plain;
    }
    float Transform() const { return mix_(left, right, frames_); }
};
class Decoder {
    std::vector<uint8_t> buffer_;

public:
    explicit Decoder(size_t n) : buffer_(bytes, bytes + n) {}
    size_t NextStartCode(size_t from) const {
        if (CPU::GetInstanceNoAllocation().has_avx2())
            return from + find_avx2(buffer_.data() + from, buffer_.size() - from, 1);
        return from + find_plain(buffer_.data() + from, buffer_.size() - from, 1);
    }
    size_t size() const { return buffer_.size(); }
};
int main(int argc, char **argv) {
    make_data(1);
    std::clog << CPU::GetInstanceNoAllocation().vendor() << '\n';
    ChannelMixer mixer(480);
    Decoder decoder(argc > 1 ? std::stoul(argv[1]) % 2000 : 1900);
    std::cout << "mixed " << mixer.Transform() << ", start codes at";
    for (size_t at = decoder.NextStartCode(0); at < decoder.size(); at = decoder.NextStartCode(at + 1))
        std::cout << ' ' << at;
    std::cout << '\n';
}
#endif
