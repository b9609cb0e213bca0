// Slots of functions whose first value is a resolver's trampoline; dispatchers return a provider.
#include "arm2.h"
PLAIN(crc_base) DOT(crc_neon) SVE(crc_sve) PLAIN(gf_base) DOT(gf_neon) SVE(gf_sve) PLAIN(raid_base) SHA3(raid_eor3)
__attribute__((noinline)) static void *crc_dispatcher(void) {
    unsigned long auxval = getauxval(AT_HWCAP);
    if (auxval & HWCAP_SVE) return crc_sve;
    if (auxval & HWCAP_ASIMDDP) return crc_neon;
    return crc_base;
}
__attribute__((noinline)) static void *gf_dispatcher(void) {
    unsigned long auxval = getauxval(AT_HWCAP);
    if (auxval & HWCAP_SVE) return gf_sve;
#ifdef BAD
    if (auxval & HWCAP_ASIMD) return gf_neon;
#else
    if (auxval & HWCAP_ASIMDDP) return gf_neon;
#endif
    return gf_base;
}
__attribute__((noinline)) static void *raid_dispatcher(void) {
    if (getauxval(AT_HWCAP) & HWCAP_SHA3) return raid_eor3;
    return raid_base;
}
#define INTERFACE(name)                                                                \
    static int name##_mbinit(const int *, int);                                        \
    static work_t name##_dispatched = name##_mbinit;                                   \
    __attribute__((noinline)) static int name##_mbinit(const int *a, int n) {          \
        name##_dispatched = (work_t)name##_dispatcher();                               \
        return name##_dispatched(a, n);                                                \
    }                                                                                  \
    __attribute__((noinline)) int name(const int *a, int n) { return name##_dispatched(a, n); }
INTERFACE(crc) INTERFACE(gf) INTERFACE(raid)
int main(int argc, char **argv) {
    int n = fill(argc), s = 0;
    for (int i = 0; i < 2; i++) s += crc(data, n) + gf(data, n) + raid(data, n);
    printf("%d\n", s);
}
