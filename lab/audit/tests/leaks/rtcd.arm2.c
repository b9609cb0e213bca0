// A codec's run-time CPU detection: pointers of their own, set once from a word of flags.
// ENV: the environment may say which flags there are, beyond what the CPU has.
#include "arm2.h"
#include <pthread.h>
#define HAS_NEON (1 << 0)
#define HAS_ARM_CRC32 (1 << 1)
#define HAS_NEON_DOTPROD (1 << 2)
#define HAS_NEON_I8MM (1 << 3)
#define HAS_SVE (1 << 4)
__attribute__((noinline)) static int arm_get_cpu_caps(void) {
    int flags = 0;
    unsigned long hwcap = getauxval(AT_HWCAP), hwcap2 = getauxval(AT_HWCAP2);
    flags |= HAS_NEON;
    if (hwcap & HWCAP_CRC32) flags |= HAS_ARM_CRC32;
    if (hwcap & HWCAP_ASIMDDP) flags |= HAS_NEON_DOTPROD;
    if (hwcap2 & HWCAP2_I8MM) flags |= HAS_NEON_I8MM;
    if (hwcap & HWCAP_SVE) flags |= HAS_SVE;
    return flags;
}
__attribute__((noinline)) static int aom_arm_cpu_caps(void) {
    int flags = 0, mask = ~0;
#ifdef ENV
    const char *env = getenv("AOM_SIMD_CAPS");
    if (env && *env) return (int)strtol(env, NULL, 0);
#endif
    const char *m = getenv("AOM_SIMD_CAPS_MASK");
    if (m && *m) mask = (int)strtol(m, NULL, 0);
    flags = arm_get_cpu_caps();
    if (!(flags & HAS_NEON_DOTPROD)) flags &= ~HAS_NEON_I8MM;
    return flags & mask;
}
PLAIN(sad_c) PLAIN(conv_c) PLAIN(var_c) DOT(sad_neon_dotprod) I8MM(conv_neon_i8mm) SVE(var_sve)
work_t aom_sad, aom_conv, aom_var;
static void setup_rtcd_internal(void) {
    int flags = aom_arm_cpu_caps();
    (void)flags;
    aom_sad = sad_c;
    if (flags & HAS_NEON_DOTPROD) aom_sad = sad_neon_dotprod;
    aom_conv = conv_c;
#ifdef BAD
    if (flags & HAS_ARM_CRC32) aom_conv = conv_neon_i8mm;
#else
    if (flags & HAS_NEON_I8MM) aom_conv = conv_neon_i8mm;
#endif
    aom_var = var_c;
    if (flags & HAS_SVE) aom_var = var_sve;
}
static void once(void (*func)(void)) {
    static pthread_once_t lock = PTHREAD_ONCE_INIT;
    pthread_once(&lock, func);
}
__attribute__((noinline)) void aom_dsp_rtcd(void) { once(setup_rtcd_internal); }
int main(int argc, char **argv) {
    int n = fill(argc);
    aom_dsp_rtcd();
    printf("%d\n", aom_sad(data, n) + aom_conv(data, n) + aom_var(data, n));
}
