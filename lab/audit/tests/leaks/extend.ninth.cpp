// A storage engine's checksum: a static pointer is chosen before main by functions that ask for what
// they need, blocks are read and written with the checksum, and status objects carry errors.
#include "ninth.h"
#include <cpuid.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <immintrin.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crc32c {
static uint32_t table[256];
static bool make_table() {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? c >> 1 ^ 0x82f63b78u : c >> 1;
        table[i] = c;
    }
    return true;
}
static const bool has_table = make_table();

static inline uint32_t step(uint32_t crc, uint8_t byte) { return table[(crc ^ byte) & 0xff] ^ crc >> 8; }
uint32_t ExtendPortable(uint32_t crc, const char *buf, size_t size) {
    uint32_t l = crc ^ 0xffffffffu;
    while (size--)
        l = step(l, uint8_t(*buf++));
    return l ^ 0xffffffffu;
}
__attribute__((target("sse4.2"))) uint32_t ExtendSSE42(uint32_t crc, const char *buf, size_t size) {
    uint64_t l = crc ^ 0xffffffffu;
    for (; size >= 8; size -= 8, buf += 8) {
        uint64_t word;
        std::memcpy(&word, buf, 8);
        l = _mm_crc32_u64(l, word);
    }
    while (size--)
        l = _mm_crc32_u8(uint32_t(l), uint8_t(*buf++));
    return uint32_t(l) ^ 0xffffffffu;
}
// Two streams of 64 bytes each; the first's checksum is moved behind the second by a product
// without carries with x^(8*64-33) mod P.
__attribute__((target("sse4.2,pclmul"))) uint32_t crc32c_3way(uint32_t crc, const char *buf, size_t size) {
    uint64_t l = crc ^ 0xffffffffu;
    for (; size >= 128; size -= 128, buf += 128) {
        uint64_t second = 0;
        for (int i = 0; i < 64; i += 8) {
            uint64_t a, b;
            std::memcpy(&a, buf + i, 8);
            std::memcpy(&b, buf + 64 + i, 8);
            l = _mm_crc32_u64(l, a);
            second = _mm_crc32_u64(second, b);
        }
        static const uint64_t shift = [] {
            uint32_t x = 0x80000000u;
            for (int i = 0; i < 8 * 64 - 33; i++)
                x = x & 1 ? x >> 1 ^ 0x82f63b78u : x >> 1;
            return uint64_t(x);
        }();
        __m128i moved = _mm_clmulepi64_si128(_mm_cvtsi64_si128(int64_t(l)), _mm_cvtsi64_si128(int64_t(shift)), 0);
        l = _mm_crc32_u64(0, uint64_t(_mm_cvtsi128_si64(moved))) ^ second;
    }
    return ExtendSSE42(uint32_t(l) ^ 0xffffffffu, buf, size);
}
static bool isSSE42() {
    uint32_t a, b, c, d;
    __cpuid(1, a, b, c, d);
    return c & 1u << 20;
}
static bool isPCLMULQDQ() {
    uint32_t a, b, c, d;
    __cpuid(1, a, b, c, d);
    return c & 1u << 1;
}
typedef uint32_t (*Function)(uint32_t, const char *, size_t);
static inline Function Choose_Extend() {
#ifdef BAD
    // One instruction set, one year.
    return isSSE42() ? crc32c_3way : ExtendPortable;
#else
    return isSSE42() ? (isPCLMULQDQ() ? crc32c_3way : ExtendSSE42) : ExtendPortable;
#endif
}
static Function ChosenExtend = Choose_Extend();
uint32_t Extend(uint32_t crc, const char *buf, size_t size) { return ChosenExtend(crc, buf, size); }
std::string IsFastCrc32Supported() {
    bool fast = ChosenExtend != ExtendPortable;
    return std::string(fast ? "Supported on " : "Not supported on ") + "x86";
}
inline uint32_t Mask(uint32_t crc) { return (crc >> 15 | crc << 17) + 0xa282ead8u; }
} // namespace crc32c

class Status {
    enum Code { kOk, kCorruption, kNotFound } code_ = kOk;
    std::string message_;
    Status(Code code, std::string message) : code_(code), message_(std::move(message)) {}

  public:
    Status() = default;
    static Status OK() { return {}; }
    static Status Corruption(std::string m) { return {kCorruption, std::move(m)}; }
    static Status NotFound(std::string m) { return {kNotFound, std::move(m)}; }
    bool ok() const { return code_ == kOk; }
    std::string ToString() const {
        static const char *const names[] = {"OK", "Corruption: ", "NotFound: "};
        return names[code_] + message_;
    }
};
class WritableFile {
  public:
    virtual ~WritableFile() = default;
    virtual Status Append(std::string_view data) = 0;
};
class MemoryFile final : public WritableFile {
  public:
    std::string contents;
    Status Append(std::string_view data) override {
        contents += data;
        return Status::OK();
    }
};
class BlockWriter {
    WritableFile *file_;

  public:
    std::vector<std::pair<size_t, size_t>> handles;
    explicit BlockWriter(WritableFile *file) : file_(file) {}
    Status Add(std::string_view block) {
        uint32_t crc = crc32c::Mask(crc32c::Extend(0, block.data(), block.size()));
        char trailer[4];
        std::memcpy(trailer, &crc, 4);
        size_t at = handles.empty() ? 0 : handles.back().first + handles.back().second + 4;
        if (Status s = file_->Append(block); !s.ok())
            return s;
        handles.emplace_back(at, block.size());
        return file_->Append({trailer, 4});
    }
};
static Status ReadBlock(const MemoryFile &file, const BlockWriter &index, size_t number, std::string *out) {
    if (number >= index.handles.size())
        return Status::NotFound("block " + std::to_string(number));
    auto [at, size] = index.handles[number];
    uint32_t stored;
    std::memcpy(&stored, file.contents.data() + at + size, 4);
    if (crc32c::Mask(crc32c::ExtendPortable(0, file.contents.data() + at, size)) != stored)
        return Status::Corruption("block checksum mismatch");
    out->assign(file.contents, at, size);
    return Status::OK();
}
int main(int argc, char **argv) {
    MemoryFile file;
    BlockWriter writer(&file);
    for (int i = 0; i < 5; i++) {
        std::string block;
        while (block.size() < size_t(100 * i + 60))
            block += "key" + std::to_string(i * block.size()) + "=value;";
        if (argc > 1 && i == 0)
            block += argv[1];
        if (Status s = writer.Add(block); !s.ok())
            return 3;
    }
    std::string read;
    for (size_t i = 0; i < 4; i++)
        if (Status s = ReadBlock(file, writer, i, &read); !s.ok()) {
            std::printf("%s\n", s.ToString().c_str());
            return 1;
        }
    file.contents[file.contents.size() - 9] ^= 1;
    std::printf("%s %s %s\n", ReadBlock(file, writer, 4, &read).ToString().c_str(), ReadBlock(file, writer, 9, &read).ToString().c_str(), crc32c::IsFastCrc32Supported().c_str());
    return 0;
}
