// Features are bytes of an array; kernels are called where all they need is there, best first.
#include "arm2.h"
enum { NPY_NEON = 1, NPY_ASIMD, NPY_ASIMDHP, NPY_ASIMDDP, NPY_ASIMDFHM, NPY_SVE, NPY_SVE2, NPY_SHA3, NPY_MAX };
static unsigned char npy__cpu_have[NPY_MAX];
__attribute__((noinline)) static void npy__cpu_init_features(void) {
    memset(npy__cpu_have, 0, sizeof(npy__cpu_have[0]) * NPY_MAX);
    unsigned long hwcap = getauxval(AT_HWCAP);
    if (hwcap == 0) { npy__cpu_have[NPY_NEON] = 1; return; }
    npy__cpu_have[NPY_ASIMDHP] = (hwcap & HWCAP_ASIMDHP) != 0;
    npy__cpu_have[NPY_ASIMDDP] = (hwcap & HWCAP_ASIMDDP) != 0;
    npy__cpu_have[NPY_ASIMDFHM] = (hwcap & HWCAP_ASIMDFHM) != 0;
    npy__cpu_have[NPY_SVE] = (hwcap & HWCAP_SVE) != 0;
    npy__cpu_have[NPY_SHA3] = (hwcap & HWCAP_SHA3) != 0;
    npy__cpu_have[NPY_ASIMD] = npy__cpu_have[NPY_NEON] = 1;
}
__attribute__((noinline)) int npy_cpu_have(int id) {
    if (id <= 0 || id >= NPY_MAX) return 0;
    return npy__cpu_have[id];
}
PLAIN(add_base) PLAIN(mul_base) PLAIN(argmax_base) DOT(add_asimddp) SVE(add_sve) FP16(mul_asimdhp) SVE(argmax_sve)
struct loops { const char *name; work_t call; void *data; };
static struct loops ufuncs[3] = {{"add"}, {"mul"}, {"argmax"}};
__attribute__((noinline)) static int init_umath(void) {
    ufuncs[0].call = add_base;
    if (npy_cpu_have(NPY_ASIMD) && npy_cpu_have(NPY_SVE)) ufuncs[0].call = add_sve;
    else if (npy_cpu_have(NPY_ASIMDDP)) ufuncs[0].call = add_asimddp;
    ufuncs[1].call = mul_base;
#ifdef BAD
    if (npy_cpu_have(NPY_ASIMD)) ufuncs[1].call = mul_asimdhp;
#else
    if (npy_cpu_have(NPY_ASIMD) && npy_cpu_have(NPY_ASIMDHP)) ufuncs[1].call = mul_asimdhp;
#endif
    return 0;
}
__attribute__((noinline)) static int argmax(const int *a, int n) {
    if (npy_cpu_have(NPY_SVE)) return argmax_sve(a, n);
    return argmax_base(a, n);
}
int main(int argc, char **argv) {
    npy__cpu_init_features();
    init_umath();
    int n = fill(argc), s = argmax(data, n);
    for (int i = 0; i < 2; i++) s += ufuncs[i].call(data, n);
    printf("%d\n", s);
}
