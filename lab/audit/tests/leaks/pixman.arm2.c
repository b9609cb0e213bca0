// Implementations that are chained: each has a table of operations and hands on what it lacks.
#include "arm2.h"
typedef struct { int op; int flags; work_t func; } fast_path_t;
typedef struct implementation_t implementation_t;
struct implementation_t { implementation_t *toplevel, *fallback; const fast_path_t *fast_paths; work_t blt; };
PLAIN(over_general) PLAIN(src_general) PLAIN(add_general) PLAIN(blt_general) DOT(over_dot) DOT(blt_dot) SVE(src_sve) I8MM(add_i8mm)
static const fast_path_t general_paths[] = {{1, 0, over_general}, {2, 0, src_general}, {3, 0, add_general}, {0}};
static const fast_path_t dot_paths[] = {{1, 0, over_dot}, {0}};
static const fast_path_t sve_paths[] = {{2, 0, src_sve}, {0}};
static const fast_path_t i8mm_paths[] = {{3, 0, add_i8mm}, {0}};
__attribute__((noinline)) static implementation_t *create(implementation_t *fallback, const fast_path_t *paths) {
    implementation_t *imp = malloc(sizeof *imp);
    if (!imp) return NULL;
    memset(imp, 0, sizeof *imp);
    imp->fallback = fallback;
    imp->fast_paths = paths;
    for (implementation_t *d = imp; d; d = d->fallback) d->toplevel = imp;
    return imp;
}
__attribute__((noinline)) static implementation_t *arm_get_implementations(implementation_t *imp) {
    unsigned long hwcap = getauxval(AT_HWCAP), hwcap2 = getauxval(AT_HWCAP2);
    if (hwcap & HWCAP_ASIMDDP) { imp = create(imp, dot_paths); imp->blt = blt_dot; }
    if (hwcap & HWCAP_SVE) imp = create(imp, sve_paths);
#ifdef BAD
    if (hwcap & HWCAP_ASIMDDP) imp = create(imp, i8mm_paths);
#else
    if (hwcap2 & HWCAP2_I8MM) imp = create(imp, i8mm_paths);
#endif
    (void)hwcap2;
    return imp;
}
static implementation_t *global_implementation;
__attribute__((noinline)) static implementation_t *choose(void) {
    implementation_t *imp = create(NULL, general_paths);
    imp->blt = blt_general;
    return arm_get_implementations(imp);
}
__attribute__((noinline)) static work_t lookup(implementation_t *imp, int op) {
    for (; imp; imp = imp->fallback)
        for (const fast_path_t *p = imp->fast_paths; p->op; p++)
            if (p->op == op) return p->func;
    return NULL;
}
__attribute__((noinline)) static int blt(implementation_t *imp, const int *a, int n) {
    while (imp) {
        if (imp->blt) return imp->blt(a, n);
        imp = imp->fallback;
    }
    return 0;
}
int main(int argc, char **argv) {
    int n = fill(argc), s = 0;
    if (!global_implementation) global_implementation = choose();
    for (int op = 1; op <= 3; op++) s += lookup(global_implementation, op)(data, n);
    printf("%d\n", s + blt(global_implementation, data, n));
}
