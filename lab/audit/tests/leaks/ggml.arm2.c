// Variants of a back end: each says a score, nought where the CPU will not do; the best one is taken.
#include "arm2.h"
typedef struct { const char *name; int (*score)(void); work_t vec_dot, mul_mat; } backend;
PLAIN(vec_base) PLAIN(mat_base) DOT(vec_dot82) DOT(mat_dot82) I8MM(mat_i8mm) SVE(vec_sve) SVE(mat_sve)
static int score_base(void) { return 1; }
static int score_dot(void) { return getauxval(AT_HWCAP) & HWCAP_ASIMDDP ? 1 + 2 : 0; }
static int score_sve(void) {
    int score = 1;
    unsigned long hwcap = getauxval(AT_HWCAP);
    if (!(hwcap & HWCAP_ASIMDHP)) return 0;
    score += 1 << 1;
#ifndef BAD
    if (!(hwcap & HWCAP_SVE)) return 0;
#endif
    score += 1 << 2;
    return score;
}
static int score_i8mm(void) {
    int score = 1;
    if (!(getauxval(AT_HWCAP) & HWCAP_ASIMDDP)) return 0;
    score += 1 << 2;
    if (!(getauxval(AT_HWCAP2) & HWCAP2_I8MM)) return 0;
    score += 1 << 4;
    return score;
}
static const backend backends[] = {
    {"armv8.0", score_base, vec_base, mat_base}, {"armv8.2", score_dot, vec_dot82, mat_dot82},
    {"armv8.2-sve", score_sve, vec_sve, mat_sve}, {"armv8.6", score_i8mm, vec_dot82, mat_i8mm}};
__attribute__((noinline)) static const backend *load_best(void) {
    const backend *best = NULL;
    int best_score = 0;
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
        int s = backends[i].score();
        if (s > best_score) { best_score = s; best = &backends[i]; }
    }
    return best;
}
int main(int argc, char **argv) {
    int n = fill(argc);
    const backend *b = load_best();
    if (!b) return 3;
    printf("%s %d\n", b->name, b->vec_dot(data, n) + b->mul_mat(data, n));
}
