// A graphics library's options: functions are global pointers with portable defaults, and Init
// functions per CPU generation assign others, after a cache of features that a global constructor
// or the first caller fills.
#include <cpuid.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <immintrin.h>
#include <memory>
#include <string>

struct SkCpu {
    enum : uint32_t {
        SSE41 = 1 << 4,
        SSE42 = 1 << 5,
        AVX = 1 << 6,
        F16C = 1 << 7,
        FMA = 1 << 8,
        AVX2 = 1 << 9,
        BMI1 = 1 << 10,
        BMI2 = 1 << 11,
        HSW = AVX2 | BMI1 | BMI2 | F16C | FMA,
    };
    static void CacheRuntimeFeatures();
    static bool Supports(uint32_t mask) {
        const uint32_t features = gCachedFeatures;
        return (features & mask) == mask;
    }

private:
    static uint32_t gCachedFeatures;
};
uint32_t SkCpu::gCachedFeatures = 0;
static uint32_t read_cpu_features() {
    uint32_t features = 0, abcd[4] = {0, 0, 0, 0};
    auto cpuid = [&](uint32_t fn) { __cpuid_count(fn, 0, abcd[0], abcd[1], abcd[2], abcd[3]); };
    cpuid(1);
    if (abcd[2] & (1 << 19))
        features |= SkCpu::SSE41;
    if (abcd[2] & (1 << 20))
        features |= SkCpu::SSE42;
    auto xgetbv = [] {
        uint32_t eax, edx;
        asm volatile("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
        return static_cast<uint64_t>(edx) << 32 | eax;
    };
    if ((abcd[2] & (3 << 26)) == (3 << 26) && (xgetbv() & 6) == 6) {
        if (abcd[2] & (1 << 28))
            features |= SkCpu::AVX;
        if (abcd[2] & (1 << 29))
            features |= SkCpu::F16C;
        if (abcd[2] & (1 << 12))
            features |= SkCpu::FMA;
        cpuid(7);
        if (abcd[1] & (1 << 5))
            features |= SkCpu::AVX2;
        if (abcd[1] & (1 << 3))
            features |= SkCpu::BMI1;
        if (abcd[1] & (1 << 8))
            features |= SkCpu::BMI2;
    }
    return features;
}
void SkCpu::CacheRuntimeFeatures() {
    static bool once = (gCachedFeatures = read_cpu_features(), true);
    (void)once;
}

namespace portable {
void blit_row(uint32_t *dst, int count, uint32_t color) {
    const unsigned inverse = 256 - (color >> 24);
    for (int i = 0; i < count; i++) {
        uint32_t out = 0;
        for (int s = 0; s < 32; s += 8)
            out |= (((color >> s & 255) + ((dst[i] >> s & 255) * inverse >> 8)) & 255) << s;
        dst[i] = out;
    }
}
uint32_t hash_fn(const void *data, size_t len, uint32_t seed) {
    const auto *p = static_cast<const uint8_t *>(data);
    for (size_t i = 0; i < len; i++)
        seed = (seed ^ p[i]) * 16777619u;
    return seed;
}
}
namespace hsw {
__attribute__((target("avx2"))) void blit_row(uint32_t *dst, int count, uint32_t color) {
    const __m256i source = _mm256_set1_epi32(static_cast<int>(color)), zero = _mm256_setzero_si256();
    const __m256i inverse = _mm256_set1_epi16(static_cast<short>(256 - (color >> 24)));
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        __m256i d = _mm256_loadu_si256(reinterpret_cast<__m256i *>(dst + i));
        __m256i lo = _mm256_srli_epi16(_mm256_mullo_epi16(_mm256_unpacklo_epi8(d, zero), inverse), 8);
        __m256i hi = _mm256_srli_epi16(_mm256_mullo_epi16(_mm256_unpackhi_epi8(d, zero), inverse), 8);
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(dst + i), _mm256_add_epi8(source, _mm256_packus_epi16(lo, hi)));
    }
    if (i < count)
        portable::blit_row(dst + i, count - i, color);
}
}
namespace opts {
#define DEFINE_DEFAULT(name) decltype(&portable::name) name = portable::name
DEFINE_DEFAULT(blit_row);
DEFINE_DEFAULT(hash_fn);
static void Init_hsw() { blit_row = hsw::blit_row; }
static bool init() {
#ifdef BAD
    // Inverted when it was made to return early.
    if (SkCpu::Supports(SkCpu::HSW))
        return true;
    Init_hsw();
#else
    if (SkCpu::Supports(SkCpu::HSW))
        Init_hsw();
#endif
    return true;
}
void Init() {
    static bool gInitialized = init();
    (void)gInitialized;
}
}
struct Graphics {
    static void Init() {
        SkCpu::CacheRuntimeFeatures();
        opts::Init();
    }
};

class Bitmap {
public:
    Bitmap(int width, int height) : fWidth(width), fHeight(height), fPixels(new uint32_t[static_cast<size_t>(width) * height]()) {}
    void fill(uint32_t color, int left, int right) {
        for (int y = 0; y < fHeight; y++)
            opts::blit_row(fPixels.get() + y * fWidth + left, right - left, color);
    }
    uint32_t hash() const { return opts::hash_fn(fPixels.get(), sizeof(uint32_t) * fWidth * fHeight, 2166136261u); }
    uint32_t *row(int y) { return fPixels.get() + y * fWidth; }

private:
    int fWidth, fHeight;
    std::unique_ptr<uint32_t[]> fPixels;
};
int main(int argc, char **argv) {
    Graphics::Init();
    const std::string out = argc > 1 ? argv[1] : "";
    Bitmap picture(61, 9), reference(61, 9);
    for (uint32_t layer = 0; layer < 5; layer++) {
        const uint32_t color = 0x20304050u + layer * 0x10010203u;
        picture.fill(color, static_cast<int>(layer), 60);
        for (int y = 0; y < 9; y++)
            portable::blit_row(reference.row(y) + layer, 60 - static_cast<int>(layer), color);
    }
    if (picture.hash() != reference.hash())
        return 1;
    if (!out.empty()) {
        std::FILE *file = std::fopen(out.c_str(), "wb");
        if (!file)
            return 3;
        std::fwrite(picture.row(0), 4, 61 * 9, file);
        std::fclose(file);
    }
    std::printf("picture %08x\n", picture.hash());
    return 0;
}
