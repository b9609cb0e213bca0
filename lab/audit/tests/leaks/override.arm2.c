// The whole word of the CPU may come from the environment, or from a file of settings.
// FILE: it is a file. MASK: the environment only takes features away.
#include "arm2.h"
static unsigned long hwcap;
__attribute__((noinline)) static void init(void) {
    hwcap = getauxval(AT_HWCAP);
#if defined(MASK)
    const char *e = getenv("CPU_MASK");
    if (e) hwcap &= strtoul(e, NULL, 16);
#elif defined(SETTINGS)
    FILE *f = fopen("/etc/cpu-settings", "r");
    if (f) { if (fscanf(f, "%lx", &hwcap) != 1) hwcap = 0; fclose(f); }
#else
    const char *e = getenv("CPU_HWCAP");
    if (e) hwcap = strtoul(e, NULL, 16);
#endif
}
PLAIN(dot_c) DOT(dot_dot) SVE(dot_sve)
struct ops { work_t dot; };
static struct ops ops = {dot_c};
__attribute__((noinline)) static void take(void) {
    if (hwcap & HWCAP_ASIMDDP) ops.dot = dot_dot;
#ifdef BAD
    if (hwcap & HWCAP_ASIMD) ops.dot = dot_sve;
#else
    if (hwcap & HWCAP_SVE) ops.dot = dot_sve;
#endif
}
int main(int argc, char **argv) {
    init();
    take();
    int n = fill(argc);
    printf("%d\n", ops.dot(data, n));
}
