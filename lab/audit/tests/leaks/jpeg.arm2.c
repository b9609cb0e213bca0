// An image library: support is asked once per thread, each function has a "can" before it.
#include "arm2.h"
#define JSIMD_NEON 0x10
#define JSIMD_DOTPROD 0x20
#define JSIMD_SVE 0x40
static __thread unsigned int simd_support = ~0U;
__attribute__((noinline)) static void init_simd(void) {
    if (simd_support != ~0U) return;
    simd_support = 0;
    simd_support |= JSIMD_NEON;
    unsigned long caps = getauxval(AT_HWCAP);
    if (caps & HWCAP_ASIMDDP) simd_support |= JSIMD_DOTPROD;
    if (caps & HWCAP_SVE) simd_support |= JSIMD_SVE;
}
PLAIN(rgb_ycc_convert) PLAIN(fdct_islow) DOT(jsimd_rgb_ycc_convert_dotprod) SVE(jsimd_fdct_islow_sve)
__attribute__((noinline)) int jsimd_can_rgb_ycc(int components) {
    init_simd();
    if (components != 3) return 0;
    if (simd_support & JSIMD_DOTPROD) return 1;
    return 0;
}
__attribute__((noinline)) int jsimd_can_fdct_islow(int size) {
    init_simd();
    if (size != 8) return 0;
    if (sizeof(short) != 2) return 0;
#ifdef BAD
    if (simd_support & JSIMD_NEON) return 1;
#else
    if (simd_support & JSIMD_SVE) return 1;
#endif
    return 0;
}
struct compress { int components, size; work_t color_convert, fdct; };
__attribute__((noinline)) static void start(struct compress *c) {
    if (jsimd_can_rgb_ycc(c->components)) c->color_convert = jsimd_rgb_ycc_convert_dotprod;
    else c->color_convert = rgb_ycc_convert;
    if (jsimd_can_fdct_islow(c->size)) c->fdct = jsimd_fdct_islow_sve;
    else c->fdct = fdct_islow;
}
int main(int argc, char **argv) {
    struct compress c = {argc < 1000 ? 3 : 4, 8};
    start(&c);
    int n = fill(argc);
    printf("%d\n", c.color_convert(data, n) + c.fdct(data, n));
}
