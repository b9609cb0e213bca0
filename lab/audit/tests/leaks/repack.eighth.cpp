// Weights that are packed anew for the CPU: a buffer type gives a tensor "traits", a virtual object
// made from a class template, if the CPU has what that packing's product needs; the graph asks the
// traits first and falls back to the plain product.
#include <cpuid.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <immintrin.h>
#include <memory>
#include <string>
#include <vector>

enum tensor_type { TYPE_F32, TYPE_Q8 };
struct tensor {
    tensor_type type;
    int rows, cols;
    std::vector<int8_t> q;
    const char *name;
    void *extra;
};
static bool cpu_bits(unsigned leaf, int reg, int bit) {
    unsigned r[4] = {};
    if (!__get_cpuid_count(leaf, 0, &r[0], &r[1], &r[2], &r[3]))
        return false;
    return r[reg] >> bit & 1;
}
static bool cpu_saves_ymm() {
    if (!cpu_bits(1, 2, 27))
        return false;
    unsigned lo, hi;
    asm volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    return (lo & 6) == 6;
}
int ggml_cpu_has_avx2() {
    static const int has = cpu_saves_ymm() && cpu_bits(7, 1, 5);
    return has;
}
int ggml_cpu_has_avx512() {
    static const int has = cpu_saves_ymm() && cpu_bits(7, 1, 16) && cpu_bits(7, 1, 30) && [] {
        unsigned lo, hi;
        asm volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
        return (lo & 0xe0) == 0xe0;
    }();
    return has;
}
int ggml_cpu_has_ssse3() {
    static const int has = cpu_bits(1, 2, 9);
    return has;
}

// A row times a vector; a plain one, and one that takes INTERLEAVE rows at a time.
static int32_t dot_plain(const int8_t *a, const int8_t *b, int n) {
    int32_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
template <int INTERLEAVE> void gemv_interleaved(const tensor &t, const int8_t *packed, const int8_t *x, int32_t *out);
template <> __attribute__((target("avx2"))) void gemv_interleaved<8>(const tensor &t, const int8_t *packed, const int8_t *x, int32_t *out) {
    for (int r = 0; r < t.rows; r += 8) {
        __m256i sum = _mm256_setzero_si256();
        for (int k = 0; k < t.cols; k++) {
            const __m256i w = _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(packed + (r * t.cols + k * 8))));
            sum = _mm256_add_epi32(sum, _mm256_mullo_epi32(w, _mm256_set1_epi32(x[k])));
        }
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(out + r), sum);
    }
}
template <> void gemv_interleaved<4>(const tensor &t, const int8_t *packed, const int8_t *x, int32_t *out) {
    for (int r = 0; r < t.rows; r += 4)
        for (int lane = 0; lane < 4; lane++) {
            int32_t sum = 0;
            for (int k = 0; k < t.cols; k++)
                sum += packed[r * t.cols + k * 4 + lane] * x[k];
            out[r + lane] = sum;
        }
}

namespace cpu {
class tensor_traits {
public:
    virtual ~tensor_traits() = default;
    virtual bool work_size(const tensor &t, size_t &size) const = 0;
    virtual bool compute_forward(const tensor &t, const int8_t *x, int32_t *out) const = 0;
};
class repack_base : public tensor_traits {
public:
    virtual int repack(tensor &t, const void *data, size_t size) const = 0;
};
template <int INTERLEAVE> class repacked final : public repack_base {
    bool work_size(const tensor &t, size_t &size) const override {
        size = static_cast<size_t>(t.rows) * sizeof(int32_t);
        return true;
    }
    bool compute_forward(const tensor &t, const int8_t *x, int32_t *out) const override {
        gemv_interleaved<INTERLEAVE>(t, t.q.data(), x, out);
        return true;
    }
    int repack(tensor &t, const void *data, size_t size) const override {
        if (size != t.q.size() || t.rows % INTERLEAVE)
            return -1;
        const auto *from = static_cast<const int8_t *>(data);
        for (int r = 0; r < t.rows; r++)
            for (int k = 0; k < t.cols; k++)
                t.q[(r / INTERLEAVE * INTERLEAVE) * t.cols + k * INTERLEAVE + r % INTERLEAVE] = from[r * t.cols + k];
        return 0;
    }
};
static const tensor_traits *optimal_repack_type(const tensor &t) {
    static const repacked<4> q8_4x4;
    static const repacked<8> q8_8x8;
    if (t.type != TYPE_Q8)
        return nullptr;
#ifdef BAD
    // The question for another architecture's extension was taken away, and this one's with it.
    if (t.rows % 8 == 0)
        return &q8_8x8;
#else
    if (ggml_cpu_has_avx2() || ggml_cpu_has_avx512())
        if (t.rows % 8 == 0)
            return &q8_8x8;
#endif
    if (ggml_cpu_has_ssse3() && t.rows % 4 == 0)
        return &q8_4x4;
    return nullptr;
}
struct buffer_type {
    const char *name = "CPU_REPACK";
    void init_tensor(tensor &t) const { t.extra = const_cast<tensor_traits *>(optimal_repack_type(t)); }
    void set_tensor(tensor &t, const void *data, size_t size) const {
        if (auto *traits = static_cast<tensor_traits *>(t.extra)) {
            if (static_cast<repack_base *>(traits)->repack(t, data, size))
                std::abort();
        } else {
            std::memcpy(t.q.data(), data, size);
        }
    }
};
}
static void compute(const tensor &t, const int8_t *x, int32_t *out) {
    if (auto *traits = static_cast<const cpu::tensor_traits *>(t.extra))
        if (traits->compute_forward(t, x, out))
            return;
    for (int r = 0; r < t.rows; r++)
        out[r] = dot_plain(t.q.data() + r * t.cols, x, t.cols);
}
int main(int argc, char **argv) {
    const int cols = argc > 1 ? std::atoi(argv[1]) : 45;
    if (cols < 1 || cols > 1000)
        return 3;
    const cpu::buffer_type buffers;
    std::vector<tensor> graph;
    for (int rows : {16, 12, 7})
        graph.push_back({TYPE_Q8, rows, cols, std::vector<int8_t>(static_cast<size_t>(rows) * cols), "blk.weight", nullptr});
    std::vector<int8_t> x(cols);
    for (int k = 0; k < cols; k++)
        x[k] = static_cast<int8_t>(k * 5 % 19 - 9);
    long total = 0;
    for (tensor &t : graph) {
        std::vector<int8_t> weights(t.q.size());
        for (size_t i = 0; i < weights.size(); i++)
            weights[i] = static_cast<int8_t>(i * 31 % 127 - 63);
        buffers.init_tensor(t);
        buffers.set_tensor(t, weights.data(), weights.size());
        std::vector<int32_t> out(t.rows);
        compute(t, x.data(), out.data());
        for (int r = 0; r < t.rows; r++) {
            if (out[r] != dot_plain(weights.data() + r * cols, x.data(), cols)) {
                std::fprintf(stderr, "%s: row %d\n", t.name, r);
                return 1;
            }
            total += out[r];
        }
    }
    std::printf("total %ld\n", total);
    return 0;
}
