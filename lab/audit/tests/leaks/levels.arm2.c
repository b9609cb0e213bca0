// A renderer: levels from the CPU's word, arrays of functions by level, a level that users may lower.
#include "arm2.h"
enum level { LEVEL_BASE, LEVEL_DOT, LEVEL_I8MM, LEVEL_SVE, LEVELS };
static enum level best_level(void) {
    unsigned long hwcap = getauxval(AT_HWCAP), hwcap2 = getauxval(AT_HWCAP2);
    if (!(hwcap & HWCAP_ASIMDDP)) return LEVEL_BASE;
    if (!(hwcap2 & HWCAP2_I8MM)) return LEVEL_DOT;
    if (!(hwcap & HWCAP_SVE)) return LEVEL_I8MM;
    return LEVEL_SVE;
}
PLAIN(blend_base) DOT(blend_dot) I8MM(blend_i8mm) SVE(blend_sve) PLAIN(fill_base) DOT(fill_dot)
static const work_t blend[LEVELS] = {blend_base, blend_dot, blend_i8mm, blend_sve};
#ifdef BAD
static const work_t fills[LEVELS] = {fill_dot, fill_dot, fill_dot, fill_dot};
#else
static const work_t fills[LEVELS] = {fill_base, fill_dot, fill_dot, fill_dot};
#endif
static enum level level = LEVEL_BASE;
__attribute__((noinline)) static void set_level(enum level wanted) {
    enum level best = best_level();
    level = wanted < best ? wanted : best;
}
__attribute__((noinline)) static int render(const int *a, int n) { return blend[level](a, n) + fills[level](a, n); }
int main(int argc, char **argv) {
    set_level(argc > 500 ? LEVEL_DOT : LEVEL_SVE);
    int n = fill(argc);
    printf("%d %d\n", level, render(data, n));
}
