// The words are mixed up: a bit of the first is asked of the second, or the other way.
// FIRST: bit 13 of the first word is JSCVT's, not I8MM's. ANDED: the right one is asked too.
#include "arm2.h"
PLAIN(dot_c) DOT(dot_dot) I8MM(dot_i8mm)
__attribute__((noinline)) static int dot(const int *a, int n) {
    unsigned long hwcap = getauxval(AT_HWCAP), hwcap2 = getauxval(AT_HWCAP2);
#if defined(FIRST)
    if (hwcap & HWCAP2_I8MM) return dot_i8mm(a, n);
#elif defined(ANDED)
    if ((hwcap2 & HWCAP2_I8MM) && (hwcap & HWCAP2_I8MM)) return dot_i8mm(a, n);
#elif defined(SECOND)
    if (hwcap2 & HWCAP_ASIMDDP) return dot_dot(a, n);
#else
    if (hwcap2 & HWCAP2_I8MM) return dot_i8mm(a, n);
    if (hwcap & HWCAP_ASIMDDP) return dot_dot(a, n);
#endif
    return dot_c(a, n);
}
int main(int argc, char **argv) { int n = fill(argc); printf("%d\n", dot(data, n)); }
