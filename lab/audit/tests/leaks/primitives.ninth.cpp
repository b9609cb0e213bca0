// A library of deep learning: an ISA is a mask of bits that contains those it is built on, a list of
// implementations is tried in order, and a limit on the ISA is set by a function or the environment.
#include "ninth.h"
#include <atomic>
#include <cpuid.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <immintrin.h>
#include <memory>
#include <vector>

enum status_t { success, out_of_memory, invalid_arguments, unimplemented };
enum cpu_isa_bit_t : unsigned { sse41_bit = 1u << 0, avx_bit = 1u << 1, avx2_bit = 1u << 2, avx512_core_bit = 1u << 6 };
enum cpu_isa_t : unsigned {
    isa_undef = 0u,
    sse41 = sse41_bit,
    avx = avx_bit | sse41,
    avx2 = avx2_bit | avx,
    avx512_core = avx512_core_bit | avx2,
    isa_all = ~0u,
};
// A class of an assembler at run time, which knows the CPU.
class Cpu {
    uint64_t type_ = 0;

  public:
    static constexpr uint64_t tSSE41 = 1, tAVX = 2, tAVX2 = 4, tFMA = 8, tBMI2 = 16, tAVX512F = 32, tAVX512BW = 64, tAVX512VL = 128, tAVX512DQ = 256;
    Cpu() {
        unsigned data[4];
        const unsigned &ebx = data[1], &ecx = data[2];
        getCpuid(0, data);
        const unsigned maxNum = data[0];
        if (maxNum == 0)
            return;
        getCpuid(1, data);
        if (ecx & 1u << 19)
            type_ |= tSSE41;
        if (ecx & 1u << 27) {
            unsigned lo, hi;
            __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
            if ((lo & 6) == 6) {
                if (ecx & 1u << 28)
                    type_ |= tAVX;
                if (ecx & 1u << 12)
                    type_ |= tFMA;
                if (maxNum >= 7) {
                    getCpuid(7, data);
                    if ((type_ & tAVX) && (ebx & 1u << 5))
                        type_ |= tAVX2;
                    if (ebx & 1u << 8)
                        type_ |= tBMI2;
                    if (((lo >> 5) & 7) == 7 && (ebx & 1u << 16)) {
                        type_ |= tAVX512F;
                        if (ebx & 1u << 17)
                            type_ |= tAVX512DQ;
                        if (ebx & 1u << 30)
                            type_ |= tAVX512BW;
                        if (ebx & 1u << 31)
                            type_ |= tAVX512VL;
                    }
                }
            }
        }
    }
    static void getCpuid(unsigned leaf, unsigned data[4]) { __cpuid_count(leaf, 0, data[0], data[1], data[2], data[3]); }
    bool has(uint64_t type) const { return (type & type_) == type; }
};
static inline const Cpu &cpu() {
    static const Cpu cpu_;
    return cpu_;
}
template <typename T> class set_once_before_first_get_setting_t {
    T value_;
    std::atomic<unsigned> state_{0};

  public:
    explicit set_once_before_first_get_setting_t(T init) : value_(init) {}
    bool set(T value) {
        if (state_.load() == 2)
            return false;
        value_ = value;
        state_.store(1);
        return true;
    }
    T get() {
        if (state_.load() != 2)
            state_.store(2);
        return value_;
    }
};
static cpu_isa_t init_max_cpu_isa() {
    cpu_isa_t max_cpu_isa_val = isa_all;
    char buffer[32] = "";
    if (const char *value = getenv("ONEDNN_MAX_CPU_ISA"))
        snprintf(buffer, sizeof buffer, "%s", value);
#define IF_HANDLE_CASE(cpu_isa) if (!strcasecmp(buffer, #cpu_isa)) max_cpu_isa_val = cpu_isa
    IF_HANDLE_CASE(sse41);
    else IF_HANDLE_CASE(avx);
    else IF_HANDLE_CASE(avx2);
    else IF_HANDLE_CASE(avx512_core);
#undef IF_HANDLE_CASE
    return max_cpu_isa_val;
}
static set_once_before_first_get_setting_t<cpu_isa_t> &max_cpu_isa() {
    static set_once_before_first_get_setting_t<cpu_isa_t> setting(init_max_cpu_isa());
    return setting;
}
static inline bool is_subset(unsigned what, unsigned of) { return (what & ~of) == 0; }
static bool mayiuse(const cpu_isa_t cpu_isa) {
    unsigned mask = max_cpu_isa().get();
    if (!is_subset(cpu_isa, mask))
        return false;
    switch (cpu_isa) {
    case sse41:
        return cpu().has(Cpu::tSSE41);
    case avx:
        return cpu().has(Cpu::tAVX);
    case avx2:
#ifdef BAD
        // One was enough on what was at hand.
        return cpu().has(Cpu::tFMA);
#else
        return cpu().has(Cpu::tAVX2 | Cpu::tFMA);
#endif
    case avx512_core:
        return cpu().has(Cpu::tAVX512F | Cpu::tAVX512BW | Cpu::tAVX512VL | Cpu::tAVX512DQ);
    case isa_undef:
        return true;
    default:
        return false;
    }
}

enum alg_kind_t { eltwise_relu, eltwise_abs };
struct eltwise_desc_t {
    alg_kind_t alg;
    size_t n;
    float alpha;
};
struct primitive_t {
    virtual ~primitive_t() = default;
    virtual status_t execute(const float *src, float *dst) const = 0;
};
struct primitive_desc_t {
    eltwise_desc_t desc;
    explicit primitive_desc_t(const eltwise_desc_t &d) : desc(d) {}
    virtual ~primitive_desc_t() = default;
    virtual const char *name() const = 0;
    virtual status_t init() = 0;
    virtual status_t create_primitive(std::unique_ptr<primitive_t> &out) const = 0;
};
template <typename prim_t, typename pd_t> static status_t make(std::unique_ptr<primitive_t> &out, const pd_t *pd) {
    out.reset(new (std::nothrow) prim_t(pd->desc));
    return out ? success : out_of_memory;
}
struct ref_eltwise_t : primitive_t {
    struct pd_t : primitive_desc_t {
        using primitive_desc_t::primitive_desc_t;
        const char *name() const override { return "ref:any"; }
        status_t init() override { return desc.n ? success : invalid_arguments; }
        status_t create_primitive(std::unique_ptr<primitive_t> &out) const override { return make<ref_eltwise_t>(out, this); }
    };
    eltwise_desc_t d;
    explicit ref_eltwise_t(const eltwise_desc_t &desc) : d(desc) {}
    status_t execute(const float *src, float *dst) const override {
        for (size_t i = 0; i < d.n; i++)
            dst[i] = src[i] < 0 ? src[i] * (d.alg == eltwise_relu ? d.alpha : -1) : src[i];
        return success;
    }
};
template <cpu_isa_t isa> struct jit_uni_eltwise_t : primitive_t {
    struct pd_t : primitive_desc_t {
        using primitive_desc_t::primitive_desc_t;
        const char *name() const override { return "jit:avx2"; }
        status_t init() override {
            bool ok = mayiuse(isa) && desc.alg == eltwise_relu && desc.n >= 8;
            return ok ? success : unimplemented;
        }
        status_t create_primitive(std::unique_ptr<primitive_t> &out) const override { return make<jit_uni_eltwise_t>(out, this); }
    };
    eltwise_desc_t d;
    explicit jit_uni_eltwise_t(const eltwise_desc_t &desc) : d(desc) {}
    __attribute__((target("avx2,fma"))) status_t execute(const float *src, float *dst) const override {
        const __m256 alpha = _mm256_set1_ps(d.alpha), zero = _mm256_setzero_ps();
        for (size_t i = 0; i < d.n; i += 8) {
            __m256i mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(int(d.n - i)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
            __m256 v = _mm256_maskload_ps(src + i, mask);
            _mm256_maskstore_ps(dst + i, mask, _mm256_fmadd_ps(_mm256_min_ps(v, zero), alpha, _mm256_max_ps(v, zero)));
        }
        return success;
    }
};
using create_fn = status_t (*)(std::unique_ptr<primitive_desc_t> &, const eltwise_desc_t &);
template <typename prim_t> static status_t create(std::unique_ptr<primitive_desc_t> &out, const eltwise_desc_t &d) {
    auto pd = std::make_unique<typename prim_t::pd_t>(d);
    status_t status = pd->init();
    if (status == success)
        out = std::move(pd);
    return status;
}
static const create_fn impl_list[] = {create<jit_uni_eltwise_t<avx2>>, create<ref_eltwise_t>, nullptr};
static status_t primitive_create(const eltwise_desc_t &d, std::unique_ptr<primitive_t> &out, const char *&name) {
    std::unique_ptr<primitive_desc_t> pd;
    status_t status = unimplemented;
    for (const create_fn *f = impl_list; *f; f++)
        if ((status = (*f)(pd, d)) == success) {
            name = pd->name();
            return pd->create_primitive(out);
        }
    return status;
}
int main(int argc, char **argv) {
    size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) % 500 : 67;
    std::vector<float> src(n), dst(n);
    for (size_t i = 0; i < n; i++)
        src[i] = float(int(i * 7 % 41) - 20);
    for (alg_kind_t alg : {eltwise_relu, eltwise_abs}) {
        std::unique_ptr<primitive_t> primitive;
        const char *name = "";
        status_t status = primitive_create({alg, n, 0.25f}, primitive, name);
        if (status != success || primitive->execute(src.data(), dst.data()) != success) {
            std::fprintf(stderr, "eltwise: status %d\n", status);
            return 3;
        }
        double sum = 0;
        for (float v : dst)
            sum += v;
        std::printf("%d: %.2f\n", alg, sum);
    }
    return max_cpu_isa().set(avx2) ? 1 : 0;
}
