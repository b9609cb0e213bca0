// Capabilities that are asked by small functions, made once; streams take a table of methods.
#include "arm2.h"
#include <pthread.h>
#define CAP_AES (1 << 2)
#define CAP_SHA512 (1 << 6)
#define CAP_LSE (1 << 7)
#define CAP_DOT (1 << 8)
static uint32_t armcap;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void cpuid_setup(void) {
    unsigned long hwcap = getauxval(AT_HWCAP);
    if (!(hwcap & HWCAP_ASIMD)) return;
    armcap |= 1;
    if (hwcap & HWCAP_AES) armcap |= CAP_AES;
#ifdef BAD
    if (hwcap & HWCAP_SHA2) armcap |= CAP_SHA512;
#else
    if (hwcap & HWCAP_SHA512) armcap |= CAP_SHA512;
#endif
    if (hwcap & HWCAP_ATOMICS) armcap |= CAP_LSE;
    if (hwcap & HWCAP_ASIMDDP) armcap |= CAP_DOT;
}
static uint32_t get_armcap(void) { pthread_once(&once, cpuid_setup); return armcap; }
__attribute__((noinline)) static int is_sha512_capable(void) { return (get_armcap() & CAP_SHA512) != 0; }
__attribute__((noinline)) static int is_lse_capable(void) { return (get_armcap() & CAP_LSE) != 0; }
__attribute__((noinline)) static int is_dot_capable(void) { return (get_armcap() & CAP_DOT) != 0; }
PLAIN(block_nohw) SHA512(block_hw) PLAIN(count_nohw) LSE(count_lse) PLAIN(mul_nohw) DOT(mul_dot)
struct stream { work_t block; work_t mul; int use_lse; };
__attribute__((noinline)) static void stream_init(struct stream *s) {
    s->block = is_sha512_capable() ? block_hw : block_nohw;
    if (is_dot_capable()) s->mul = mul_dot; else s->mul = mul_nohw;
    s->use_lse = is_lse_capable();
}
__attribute__((noinline)) static int stream_update(const struct stream *s, const int *a, int n) {
    int r = s->block(a, n) + s->mul(a, n);
    return r + (s->use_lse ? count_lse(a, n) : count_nohw(a, n));
}
int main(int argc, char **argv) {
    struct stream s;
    stream_init(&s);
    printf("%d\n", stream_update(&s, data, fill(argc)));
}
