// A compressor: features are kept with a bit that says they were asked; implementations are volatile
// pointers that begin with a dispatcher. A table of names may switch features off.
#include "arm2.h"
#define FEATURE_CRC32 (1 << 2)
#define FEATURE_SHA3 (1 << 3)
#define FEATURE_DOTPROD (1 << 4)
#define FEATURES_KNOWN (1U << 31)
struct cpu_feature { uint32_t bit; const char *name; };
static const struct cpu_feature feature_table[] = {{FEATURE_CRC32, "crc32"}, {FEATURE_SHA3, "sha3"}, {FEATURE_DOTPROD, "dotprod"}};
volatile uint32_t arm_cpu_features;
__attribute__((noinline)) static uint32_t query(void) {
    uint32_t f = 0;
    unsigned long hwcap = getauxval(AT_HWCAP);
    if (hwcap & (1 << 7)) f |= FEATURE_CRC32;
    if (hwcap & (1 << 17)) f |= FEATURE_SHA3;
    if (hwcap & (1 << 20)) f |= FEATURE_DOTPROD;
    return f;
}
__attribute__((noinline)) static void disable(uint32_t *features) {
    char *env = getenv("LIBDEFLATE_DISABLE_CPU_FEATURES"), *saved = NULL;
    if (!env) return;
    char *copy = strdup(env);
    for (char *p = strtok_r(copy, ",", &saved); p; p = strtok_r(NULL, ",", &saved))
        for (size_t i = 0; i < 3; i++)
            if (!strcmp(p, feature_table[i].name)) *features &= ~feature_table[i].bit;
    free(copy);
}
__attribute__((noinline)) void init_arm_cpu_features(void) {
    uint32_t features = query();
    disable(&features);
    arm_cpu_features = features | FEATURES_KNOWN;
}
static inline uint32_t get_arm_cpu_features(void) {
    if (arm_cpu_features == 0) init_arm_cpu_features();
    return arm_cpu_features;
}
PLAIN(crc_generic) SHA3(crc_eor3) PLAIN(adler_generic) DOT(adler_dot)
typedef int (*func_t)(const int *, int);
__attribute__((noinline)) static func_t arch_select_crc32(void) {
    const uint32_t features = get_arm_cpu_features();
#ifdef BAD
    if (features & FEATURE_CRC32) return crc_eor3;
#else
    if ((features & FEATURE_CRC32) && (features & FEATURE_SHA3)) return crc_eor3;
#endif
    return NULL;
}
static inline func_t arch_select_adler(void) { return get_arm_cpu_features() & FEATURE_DOTPROD ? adler_dot : NULL; }
static int dispatch_crc32(const int *, int), dispatch_adler(const int *, int);
static volatile func_t crc32_impl = dispatch_crc32, adler_impl = dispatch_adler;
static int dispatch_crc32(const int *a, int n) {
    func_t f = arch_select_crc32();
    if (f == NULL) f = crc_generic;
    crc32_impl = f;
    return f(a, n);
}
static int dispatch_adler(const int *a, int n) {
    func_t f = arch_select_adler();
    if (f == NULL) f = adler_generic;
    adler_impl = f;
    return f(a, n);
}
int main(int argc, char **argv) { int n = fill(argc); printf("%d %d\n", crc32_impl(data, n), adler_impl(data, n)); }
