// Machines with what each needs, the widest that the CPU has is taken; kernels of it by lists.
#include "arm2.h"
#define LV_NEON (1u << 0)
#define LV_DOT (1u << 1)
#define LV_SVE (1u << 2)
struct impl { const char *name; unsigned deps; work_t func; };
struct machine { unsigned caps; const char *name; int n_impls; struct impl add[3]; };
PLAIN(add_generic) DOT(add_dot) SVE(add_sve)
static struct machine machine_generic = {0, "generic", 1, {{"generic", 0, add_generic}}};
static struct machine machine_dot = {LV_NEON | LV_DOT, "dot", 2, {{"generic", 0, add_generic}, {"dot", LV_NEON | LV_DOT, add_dot}}};
#ifdef BAD
static struct machine machine_sve = {LV_NEON | LV_DOT, "sve", 3, {{"generic", 0, add_generic}, {"dot", LV_NEON | LV_DOT, add_dot}, {"sve", LV_NEON, add_sve}}};
#else
static struct machine machine_sve = {LV_NEON | LV_DOT | LV_SVE, "sve", 3, {{"generic", 0, add_generic}, {"dot", LV_NEON | LV_DOT, add_dot}, {"sve", LV_NEON | LV_SVE, add_sve}}};
#endif
static struct machine *machines[] = {&machine_generic, &machine_dot, &machine_sve};
__attribute__((noinline)) unsigned get_lvarch(void) {
    unsigned retval = LV_NEON;
    unsigned long hwcap = getauxval(AT_HWCAP);
    retval += hwcap & HWCAP_ASIMDDP ? LV_DOT : 0;
    retval += hwcap & HWCAP_SVE ? LV_SVE : 0;
    return retval;
}
__attribute__((noinline)) static struct machine *get_machine(void) {
    static struct machine *machine;
    if (machine) return machine;
    struct machine *best = NULL;
    unsigned max_score = 0, arch = get_lvarch();
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (!(machines[i]->caps & ~arch) && (!best || machines[i]->caps > max_score)) {
            max_score = machines[i]->caps;
            best = machines[i];
        }
    return machine = best;
}
__attribute__((noinline)) static int rank(const struct impl *impls, int n) {
    unsigned best = 0, arch = get_lvarch();
    int at = 0;
    for (int i = 0; i < n; i++)
        if (!(impls[i].deps & ~arch) && impls[i].deps >= best) { best = impls[i].deps; at = i; }
    return at;
}
int main(int argc, char **argv) {
    int n = fill(argc);
    struct machine *m = get_machine();
    printf("%s %d\n", m->name, m->add[rank(m->add, m->n_impls)].func(data, n));
}
