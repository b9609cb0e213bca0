// A compressor: a static table of functions begins with stubs that fill it and go on through it.
#include "arm2.h"
struct cpu_features { int has_neon, has_crc32, has_dotprod, has_eor3, has_sve; };
__attribute__((noinline)) static void arm_check_features(struct cpu_features *f) {
    unsigned long hwcap = getauxval(AT_HWCAP);
    f->has_neon = 1;
    f->has_crc32 = (hwcap & HWCAP_CRC32) != 0;
    f->has_dotprod = (hwcap & HWCAP_ASIMDDP) != 0;
    f->has_eor3 = (hwcap & HWCAP_SHA3) != 0;
    f->has_sve = (hwcap & HWCAP_SVE) != 0;
}
__attribute__((noinline)) static void cpu_check_features(struct cpu_features *f) { memset(f, 0, sizeof *f); arm_check_features(f); }
struct functable_s { work_t adler32, crc32, compare256; };
PLAIN(adler32_c) PLAIN(crc32_c) PLAIN(compare256_c) DOT(adler32_dotprod) SHA3(crc32_pmull_eor3) SVE(compare256_sve)
static int adler32_stub(const int *, int), crc32_stub(const int *, int), compare256_stub(const int *, int);
static struct functable_s functable = {adler32_stub, crc32_stub, compare256_stub};
__attribute__((noinline)) static void init_functable(void) {
    struct functable_s ft;
    struct cpu_features cf;
    cpu_check_features(&cf);
    ft.adler32 = &adler32_c;
    ft.crc32 = &crc32_c;
    ft.compare256 = &compare256_c;
    if (cf.has_dotprod) ft.adler32 = &adler32_dotprod;
#ifdef BAD
    if (cf.has_crc32) ft.crc32 = &crc32_pmull_eor3;
#else
    if (cf.has_eor3) ft.crc32 = &crc32_pmull_eor3;
#endif
    if (cf.has_sve) ft.compare256 = &compare256_sve;
    __atomic_store_n(&functable.adler32, ft.adler32, __ATOMIC_SEQ_CST);
    __atomic_store_n(&functable.crc32, ft.crc32, __ATOMIC_SEQ_CST);
    __atomic_store_n(&functable.compare256, ft.compare256, __ATOMIC_SEQ_CST);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
static int adler32_stub(const int *a, int n) { init_functable(); return functable.adler32(a, n); }
static int crc32_stub(const int *a, int n) { init_functable(); return functable.crc32(a, n); }
static int compare256_stub(const int *a, int n) { init_functable(); return functable.compare256(a, n); }
__attribute__((noinline)) static int deflate(const int *a, int n) {
    int s = functable.adler32(a, n);
    s += functable.crc32(a, n);
    return s + functable.compare256(a, n);
}
int main(int argc, char **argv) { int n = fill(argc); printf("%d\n", deflate(data, n)); }
