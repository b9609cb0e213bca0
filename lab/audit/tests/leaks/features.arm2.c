// A library of features: a table of bits, texts and setters fills a structure of bit fields, which
// is handed back by value.
#include "arm2.h"
typedef struct { int fp : 1, asimd : 1, aes : 1, crc32 : 1, atomics : 1, asimdhp : 1, asimddp : 1, sha3 : 1, sve : 1, sve2 : 1, i8mm : 1; } Aarch64Features;
typedef struct { Aarch64Features features; int implementer, variant, part, revision; } Aarch64Info;
typedef struct { unsigned long hwcaps, hwcaps2; } HardwareCapabilities;
#define SETTER(name) static void set_##name(Aarch64Features *f, int v) { f->name = v; }
SETTER(fp) SETTER(asimd) SETTER(aes) SETTER(crc32) SETTER(atomics) SETTER(asimdhp) SETTER(asimddp) SETTER(sha3) SETTER(sve) SETTER(sve2) SETTER(i8mm)
static void (*const kSetters[])(Aarch64Features *, int) = {set_fp, set_asimd, set_aes, set_crc32, set_atomics, set_asimdhp, set_asimddp, set_sha3, set_sve, set_sve2, set_i8mm};
static const HardwareCapabilities kHardwareCapabilities[] = {{1 << 0, 0}, {1 << 1, 0}, {1 << 3, 0}, {1 << 7, 0}, {1 << 8, 0}, {1 << 10, 0}, {1 << 20, 0}, {1 << 17, 0}, {1 << 22, 0}, {0, 1 << 1}, {0, 1 << 13}};
static int IsHwCapsSet(const HardwareCapabilities mask, const HardwareCapabilities h) {
    if (mask.hwcaps && (h.hwcaps & mask.hwcaps) != mask.hwcaps) return 0;
    if (mask.hwcaps2 && (h.hwcaps2 & mask.hwcaps2) != mask.hwcaps2) return 0;
    return 1;
}
static const Aarch64Info kEmpty;
__attribute__((noinline)) Aarch64Info GetAarch64Info(void) {
    Aarch64Info info = kEmpty;
    const HardwareCapabilities h = {getauxval(AT_HWCAP), getauxval(AT_HWCAP2)};
    for (size_t i = 0; i < sizeof kSetters / sizeof *kSetters; ++i)
        if (IsHwCapsSet(kHardwareCapabilities[i], h)) kSetters[i](&info.features, 1);
    return info;
}
PLAIN(a_c) DOT(a_dot) PLAIN(b_c) LSE(b_lse) PLAIN(c_c) SVE(c_sve)
int main(int argc, char **argv) {
    int n = fill(argc);
    const Aarch64Features f = GetAarch64Info().features;
    int s = f.asimddp ? a_dot(data, n) : a_c(data, n);
    if (f.atomics) s += b_lse(data, n);
    else s += b_c(data, n);
#ifdef BAD
    if (f.asimdhp | f.asimd) s += c_sve(data, n);
#else
    if (f.sve) s += c_sve(data, n);
#endif
    else s += c_c(data, n);
    printf("%d\n", s);
}
