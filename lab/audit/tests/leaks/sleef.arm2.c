// Functions through pointers whose first value is a dispatcher that sets them and goes on.
#include "arm2.h"
__attribute__((noinline)) static int available(int what) {
    if (what == 1) return (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
    if (what == 2) return (getauxval(AT_HWCAP) & HWCAP_SVE) != 0;
    return 1;
}
PLAIN(sin_purec) DOT(sin_advsimd) SVE(sin_sve) PLAIN(cos_purec) SVE(cos_sve) PLAIN(exp_purec) DOT(exp_dot)
#define DISPATCH(name, ...)                                                     \
    static int disp_##name(const int *, int);                                   \
    static int (*pnt_##name)(const int *, int) = disp_##name;                   \
    __attribute__((noinline)) static int disp_##name(const int *a, int n) {     \
        int (*p)(const int *, int) = name##_purec;                              \
        __VA_ARGS__                                                             \
        pnt_##name = p;                                                         \
        return (*pnt_##name)(a, n);                                             \
    }                                                                           \
    __attribute__((noinline)) int x##name(const int *a, int n) { return (*pnt_##name)(a, n); }
DISPATCH(sin, if (available(1)) p = sin_advsimd; if (available(2)) p = sin_sve;)
#ifdef BAD
DISPATCH(cos, if (available(1) || available(0)) p = cos_sve;)
#else
DISPATCH(cos, if (available(1) && available(2)) p = cos_sve;)
#endif
DISPATCH(exp, if (available(1)) p = exp_dot;)
int main(int argc, char **argv) {
    int n = fill(argc), s = 0;
    for (int i = 0; i < 2; i++) s += xsin(data, n) + xcos(data, n) + xexp(data, n);
    printf("%d\n", s);
}
