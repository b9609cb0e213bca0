// A static initialiser chooses the function; a class with virtual functions is made by what there is.
#include "arm2.h"
PLAIN(extend_software) LSE(extend_arm) PLAIN(hash_base) SHA3(hash_crypto) SVE(hash_wide)
typedef int (*Function)(const int *, int);
__attribute__((noinline)) static uint32_t crc32c_runtime_check() {
    uint64_t auxv = getauxval(AT_HWCAP);
    return (auxv & HWCAP_ATOMICS) != 0;
}
static inline Function Choose_Extend() { return crc32c_runtime_check() ? extend_arm : extend_software; }
static Function ChosenExtend = Choose_Extend();
class CRCImpl {
public:
    virtual ~CRCImpl() = default;
    virtual int extend(const int *a, int n) const = 0;
    static CRCImpl *NewInternal();
};
class CRC32 : public CRCImpl { public: int extend(const int *a, int n) const override { return hash_base(a, n); } };
class CRC32Crypto : public CRC32 { public: int extend(const int *a, int n) const override { return hash_crypto(a, n); } };
class CRC32Wide : public CRC32 { public: int extend(const int *a, int n) const override { return hash_wide(a, n); } };
enum class CpuType { kUnknown, kArmPlain, kArmCrypto, kArmWide };
__attribute__((noinline)) static CpuType GetCpuType() {
    uint64_t hwcap = getauxval(AT_HWCAP);
    if (hwcap & HWCAP_SVE) return CpuType::kArmWide;
#ifdef BAD
    if (hwcap & HWCAP_PMULL) return CpuType::kArmCrypto;
#else
    if (hwcap & HWCAP_SHA3) return CpuType::kArmCrypto;
#endif
    return CpuType::kArmPlain;
}
CRCImpl *CRCImpl::NewInternal() {
    switch (GetCpuType()) {
    case CpuType::kArmWide: return new CRC32Wide();
    case CpuType::kArmCrypto: return new CRC32Crypto();
    default: return new CRC32();
    }
}
static CRCImpl *Get() { static CRCImpl *const it = CRCImpl::NewInternal(); return it; }
int main(int argc, char **argv) {
    int n = fill(argc);
    printf("%d %d\n", ChosenExtend(data, n), Get()->extend(data, n));
}
