// A checksum's engine as a base library has it: the CPU is classified by vendor, family and model,
// what is not known by name goes by what it supports, and an abstract class has the engine that was
// made for it, kept for ever by call_once.
#include <cpuid.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <immintrin.h>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

enum class CpuType { kUnknown, kIntelHaswell, kIntelBroadwell, kIntelSandybridge, kIntelWestmere, kAmdRome, kAmdMilan };
struct CpuInfo {
    std::string vendor;
    unsigned family = 0, model = 0;
    bool pclmulqdq = false, sse42 = false, avx = false, avx2 = false, vpclmulqdq = false;
};
static CpuInfo read_cpu() {
    CpuInfo info;
    unsigned a, b, c, d, max;
    __cpuid(0, max, b, c, d);
    char vendor[12];
    std::memcpy(vendor, &b, 4), std::memcpy(vendor + 4, &d, 4), std::memcpy(vendor + 8, &c, 4);
    info.vendor.assign(vendor, sizeof vendor);
    __cpuid(1, a, b, c, d);
    info.family = a >> 8 & 15;
    info.model = a >> 4 & 15;
    if (info.family == 6 || info.family == 15)
        info.model |= a >> 12 & 0xf0;
    if (info.family == 15)
        info.family += a >> 20 & 0xff;
    info.pclmulqdq = c >> 1 & 1;
    info.sse42 = c >> 20 & 1;
    unsigned lo = 0, hi;
    if (c >> 27 & 1)
        asm volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    const bool ymm = (lo & 6) == 6;
    info.avx = ymm && c >> 28 & 1;
    if (max >= 7) {
        __cpuid_count(7, 0, a, b, c, d);
        info.avx2 = ymm && b >> 5 & 1;
        info.vpclmulqdq = ymm && c >> 10 & 1;
    }
    return info;
}
static CpuType get_cpu_type(const CpuInfo &cpu) {
    if (cpu.vendor == "GenuineIntel" && cpu.family == 6) {
        switch (cpu.model) {
        case 0x3c:
        case 0x3f:
        case 0x45:
            return CpuType::kIntelHaswell;
        case 0x3d:
        case 0x4f:
            return CpuType::kIntelBroadwell;
        case 0x2a:
        case 0x2d:
            return CpuType::kIntelSandybridge;
        case 0x2c:
            return CpuType::kIntelWestmere;
        }
    } else if (cpu.vendor == "AuthenticAMD") {
        if (cpu.family == 0x17)
            return CpuType::kAmdRome;
        if (cpu.family == 0x19)
            return CpuType::kAmdMilan;
    }
    return CpuType::kUnknown;
}

constexpr uint64_t kPoly = 0x87d15f5de1a1a35aull;
class Crc {
public:
    virtual ~Crc() = default;
    virtual void Extend(uint64_t *crc, const uint8_t *p, size_t n) const = 0;
    virtual const char *Name() const = 0;
    static const Crc *Get();
};
class CrcPortable : public Crc {
public:
    void Extend(uint64_t *crc, const uint8_t *p, size_t n) const override {
        for (uint64_t word; n >= 8; n -= 8, p += 8) {
            std::memcpy(&word, p, 8);
            word ^= *crc;
            uint64_t low = 0, high = 0;
            for (int i = 0; i < 64; i++)
                if (kPoly >> i & 1)
                    low ^= word << i, high ^= i ? word >> (64 - i) : 0;
            *crc = low ^ high;
        }
    }
    const char *Name() const override { return "portable"; }
};
class CrcPclmul : public CrcPortable {
public:
    __attribute__((target("pclmul,sse4.1"))) void Extend(uint64_t *crc, const uint8_t *p, size_t n) const override {
        __m128i state = _mm_cvtsi64_si128(static_cast<long long>(*crc)), poly = _mm_cvtsi64_si128(static_cast<long long>(kPoly));
        for (; n >= 8; n -= 8, p += 8) {
            state = _mm_xor_si128(state, _mm_loadl_epi64(reinterpret_cast<const __m128i *>(p)));
            state = _mm_clmulepi64_si128(state, poly, 0);
            state = _mm_move_epi64(_mm_xor_si128(state, _mm_srli_si128(state, 8)));
        }
        *crc = static_cast<uint64_t>(_mm_cvtsi128_si64(state));
    }
    const char *Name() const override { return "pclmul"; }
};
class CrcAvxPclmul final : public CrcPclmul {
public:
    __attribute__((target("pclmul,avx"))) void Extend(uint64_t *crc, const uint8_t *p, size_t n) const override {
        __m128i state = _mm_cvtsi64_si128(static_cast<long long>(*crc)), poly = _mm_cvtsi64_si128(static_cast<long long>(kPoly));
        for (; n >= 8; n -= 8, p += 8) {
            state = _mm_clmulepi64_si128(_mm_xor_si128(state, _mm_loadl_epi64(reinterpret_cast<const __m128i *>(p))), poly, 0);
            state = _mm_move_epi64(_mm_xor_si128(state, _mm_srli_si128(state, 8)));
        }
        *crc = static_cast<uint64_t>(_mm_cvtsi128_si64(state));
    }
    const char *Name() const override { return "avx and pclmul"; }
};

static std::unique_ptr<Crc> try_new_accelerated() {
    const CpuInfo cpu = read_cpu();
    const CpuType type = get_cpu_type(cpu);
#ifdef BAD
    // CRC's instruction came with the product without carries, somebody wrote.
    if (!cpu.sse42)
        return nullptr;
#else
    if (!cpu.sse42 || !cpu.pclmulqdq)
        return nullptr;
#endif
    switch (type) {
    case CpuType::kIntelHaswell:
    case CpuType::kIntelBroadwell:
    case CpuType::kAmdRome:
    case CpuType::kAmdMilan:
        if (cpu.avx)
            return std::make_unique<CrcAvxPclmul>();
        [[fallthrough]];
    case CpuType::kIntelSandybridge:
    case CpuType::kIntelWestmere:
        return std::make_unique<CrcPclmul>();
    case CpuType::kUnknown:
        break;
    }
    if (cpu.avx && cpu.pclmulqdq)
        return std::make_unique<CrcAvxPclmul>();
    return std::make_unique<CrcPclmul>();
}
const Crc *Crc::Get() {
    static std::once_flag once;
    static const Crc *engine;
    std::call_once(once, [] {
        std::unique_ptr<Crc> made = try_new_accelerated();
        if (!made)
            made = std::make_unique<CrcPortable>();
        engine = made.release();
    });
    return engine;
}

int main(int argc, char **argv) {
    std::string data = argc > 1 ? argv[1] : "";
    while (data.size() < 4096)
        data += static_cast<char>(data.size() * 7 + 3);
    uint64_t crc = ~0ull, want = ~0ull;
    const auto *p = reinterpret_cast<const uint8_t *>(data.data());
    Crc::Get()->Extend(&crc, p, 2048);
    Crc::Get()->Extend(&crc, p + 2048, data.size() - 2048);
    CrcPortable().Extend(&want, p, data.size());
    if (crc != want)
        return 1;
    std::printf("%016llx by %s\n", static_cast<unsigned long long>(crc), Crc::Get()->Name());
    return 0;
}
