// Linear algebra, signals and ciphers.
#include "sixth.h"

#ifdef CORE_TYPE
// Which CPU it is, by family and model; a whole table of kernels for each kind.
typedef struct {
    const char *corename;
    int align;
    dot_fn *dot;
    axpy_fn *axpy;
} core_table;
static core_table core_NEHALEM = {"NEHALEM", 15, dot_sse, axpy_c};
static core_table core_SANDYBRIDGE = {"SANDYBRIDGE", 31, dot_avx, axpy_avx};
static core_table core_HASWELL = {"HASWELL", 31, dot_fma, axpy_fma};
static core_table core_SKYLAKEX = {"SKYLAKEX", 63, dot_avx512, axpy_fma};
static core_table *kernels;
static int support_avx(void) {
    unsigned a, b, c, d;
    __cpuid(1, a, b, c, d);
    return (c & (1 << 28)) && (c & (1 << 27)) && (c & (1 << 26)) && (xcr0() & 6) == 6;
}
static int support_avx2(void) {
    unsigned a, b, c, d;
    if (!support_avx())
        return 0;
    __cpuid_count(7, 0, a, b, c, d);
    return (b & (1 << 5)) != 0;
}
NI static core_table *get_coretype(void) {
    unsigned a, b, c, d, id[4] = {0};
    __cpuid(0, a, id[0], id[2], id[1]);
    __cpuid(1, a, b, c, d);
    unsigned family = a >> 8 & 15, model = a >> 4 & 15, exmodel = a >> 16 & 15, exfamily = a >> 20 & 255;
    if (!memcmp(id, "GenuineIntel", 12)) {
        if (family != 6)
            return NULL;
        switch (exmodel) {
        case 1:
            return &core_NEHALEM;
        case 2:
            if (model == 10 || model == 13)
                return support_avx() ? &core_SANDYBRIDGE : &core_NEHALEM;
            return &core_NEHALEM;
        case 3:
            if (model == 12 || model == 15)
                return support_avx2() ? &core_HASWELL : support_avx() ? &core_SANDYBRIDGE : &core_NEHALEM;
            return support_avx() ? &core_SANDYBRIDGE : &core_NEHALEM;
        case 5:
            if (model == 5 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
                return &core_SKYLAKEX;
        }
    } else if (!memcmp(id, "AuthenticAMD", 12) && family == 15) {
#ifdef BAD
        if (exfamily >= 6)
            return support_avx() ? &core_HASWELL : &core_NEHALEM;
#else
        if (exfamily >= 6)
            return support_avx2() ? &core_HASWELL : support_avx() ? &core_SANDYBRIDGE : &core_NEHALEM;
#endif
    }
    return NULL;
}
static void dynamic_init(void) {
    if (kernels)
        return;
    kernels = get_coretype();
    if (!kernels)
        kernels = support_avx2() && __builtin_cpu_supports("fma") ? &core_HASWELL : &core_NEHALEM;
}
__attribute__((constructor)) static void library_init(void) { dynamic_init(); }
int main(int argc, char **argv) {
    fill(argc);
    float c[4] = {0};
    for (int i = 0; i < 4; i++)
        c[i] = kernels->dot(xs + 64 * i, ys, 64);
    kernels->axpy(ys, xs, 3, 64);
    printf("%g %g %g %g %g [%s]\n", c[0], c[1], c[2], c[3], ys[13], kernels->corename);
}
#endif

#ifdef SOLVERS
// A planner asks its solvers whether they may be used, and keeps the cheapest plan.
typedef struct {
    int n;
    const float *in;
} problem;
typedef struct plan plan;
struct plan {
    float (*apply)(const plan *, const problem *);
    dot_fn *kernel;
    double ops;
};
typedef struct {
    unsigned flags;
    int have_fma, have_avx;
} planner;
typedef struct {
    bool (*applicable)(const problem *, const planner *);
    dot_fn *kernel;
    double cost;
} solver;
static float apply(const plan *ego, const problem *p) { return ego->kernel(p->in, ys, p->n); }
static bool ok_generic(const problem *p, const planner *plnr) { return p->n > 0; }
static bool ok_avx(const problem *p, const planner *plnr) { return p->n % 8 == 0 && plnr->have_avx; }
#ifdef BAD
static bool ok_fma(const problem *p, const planner *plnr) { return p->n % 8 == 0 && p->n >= 32 && plnr->flags == 0; }
#else
static bool ok_fma(const problem *p, const planner *plnr) { return p->n % 8 == 0 && p->n >= 32 && plnr->flags == 0 && plnr->have_fma; }
#endif
static const solver solvers[] = {{ok_generic, dot_c, 1}, {ok_avx, dot_avx, 0.125}, {ok_fma, dot_fma, 0.0625}};
NI static plan *make_plan(const problem *p, const planner *plnr) {
    plan *best = NULL;
    for (size_t i = 0; i < LENGTH(solvers); i++) {
        if (!solvers[i].applicable(p, plnr))
            continue;
        plan *now = malloc(sizeof *now);
        now->apply = apply;
        now->kernel = solvers[i].kernel;
        now->ops = p->n * solvers[i].cost;
        if (best && best->ops <= now->ops) {
            free(now);
        } else {
            free(best);
            best = now;
        }
    }
    return best;
}
int main(int argc, char **argv) {
    fill(argc);
    planner plnr = {argc > 1 ? 1u : 0, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"), __builtin_cpu_supports("avx")};
    static const int sizes[] = {5, 8, 64, 128};
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        problem p = {sizes[i], xs};
        plan *it = make_plan(&p, &plnr);
        printf("%d: %g\n", p.n, it->apply(it, &p));
        free(it);
    }
}
#endif

#ifdef MACHINES
// Architectures have bits, machines need some of them; the machine with most bits wins.
enum { ARCH_GENERIC, ARCH_SSE42, ARCH_AVX, ARCH_FMA, ARCH_AVX2, ARCH_AVX512 };
static int i_can_has_generic(void) { return 1; }
static int i_can_has_sse42(void) { return __builtin_cpu_supports("sse4.2") != 0; }
static int i_can_has_avx(void) { return __builtin_cpu_supports("avx") != 0; }
static int i_can_has_fma(void) { return __builtin_cpu_supports("fma") != 0; }
static int i_can_has_avx2(void) { return __builtin_cpu_supports("avx2") != 0; }
static int i_can_has_avx512(void) { return __builtin_cpu_supports("avx512f") != 0; }
static int (*const can_has[])(void) = {i_can_has_generic, i_can_has_sse42, i_can_has_avx, i_can_has_fma, i_can_has_avx2, i_can_has_avx512};
struct machine {
    unsigned caps;
    const char *name;
    dot_fn *impls[3];
    unsigned impl_deps[3];
    int n_impls;
};
#define A(x) (1u << ARCH_##x)
static const struct machine machines[] = {
    {A(GENERIC), "generic", {dot_c}, {A(GENERIC)}, 1},
    {A(GENERIC) | A(SSE42), "sse4_2", {dot_c, dot_sse}, {A(GENERIC), A(SSE42)}, 2},
    {A(GENERIC) | A(SSE42) | A(AVX), "avx", {dot_c, dot_sse, dot_avx}, {A(GENERIC), A(SSE42), A(AVX)}, 3},
    {A(GENERIC) | A(SSE42) | A(AVX) | A(FMA) | A(AVX2), "avx2", {dot_c, dot_avx, dot_fma}, {A(GENERIC), A(AVX), A(AVX2) | A(FMA)}, 3},
    {A(GENERIC) | A(SSE42) | A(AVX) | A(FMA) | A(AVX2) | A(AVX512), "avx512", {dot_fma, dot_avx512}, {A(AVX2) | A(FMA), A(AVX512)}, 2},
};
static unsigned get_lvarch(void) {
    unsigned out = 0;
    for (unsigned i = 0; i < LENGTH(can_has); i++)
        out |= (unsigned)can_has[i]() << i;
    return out;
}
static const struct machine *get_machine(void) {
    static const struct machine *machine;
    if (machine)
        return machine;
    unsigned lvarch = get_lvarch(), max_score = 0;
    for (size_t i = 0; i < LENGTH(machines); i++) {
#ifdef BAD
        if (machines[i].caps & lvarch) {
#else
        if (!(machines[i].caps & ~lvarch)) {
#endif
            unsigned score = (unsigned)__builtin_popcount(machines[i].caps);
            if (score > max_score) {
                max_score = score;
                machine = &machines[i];
            }
        }
    }
    return machine;
}
static int rank_archs(const unsigned *deps, int n) {
    int best = 0;
    for (int i = 1; i < n; i++)
        if (deps[i] > deps[best])
            best = i;
    return best;
}
static float dot_dispatched(const float *, const float *, int);
static dot_fn *dot_prod = dot_dispatched;
NI static float dot_dispatched(const float *a, const float *b, int n) {
    const struct machine *machine = get_machine();
    dot_prod = machine->impls[rank_archs(machine->impl_deps, machine->n_impls)];
    return dot_prod(a, b, n);
}
int main(int argc, char **argv) {
    fill(argc);
    printf("%g %g\n", dot_prod(xs, ys, 64), dot_prod(xs + 8, ys, 128));
}
#endif

#ifdef HAS_SUPPORT
// Asked at each call, answered from a static word.
#define AESNI_AES 0x02000000u
#define AESNI_CLMUL 0x00000002u
NI static int aesni_has_support(unsigned what) {
    static int done = 0;
    static unsigned c = 0;
    if (!done) {
        unsigned eax = 1, ebx, ecx = 0, edx;
        __asm__("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
#ifdef BAD
        // Bit 25 there is SSE.
        c = edx;
#else
        c = ecx;
#endif
        done = 1;
    }
    return (c & what) != 0;
}
typedef struct {
    int rounds;
    uint8_t key[16];
} aes_context;
static int crypt_ecb(const aes_context *ctx, uint8_t *block) {
    for (int round = 0; round < ctx->rounds; round++)
        if (aesni_has_support(AESNI_AES))
            block_aesni(block, ctx->key);
        else
            block_c(block, ctx->key);
    return 0;
}
int main(int argc, char **argv) {
    fill(argc);
    aes_context ctx = {9 + argc, {1, 2, 3}};
    uint8_t block[16];
    memcpy(block, text, 16);
    if (crypt_ecb(&ctx, block))
        return 1;
    for (int i = 0; i < 16; i++)
        printf("%02x", block[i]);
    uint64_t tag = aesni_has_support(AESNI_CLMUL) ? poly_clmul(words[0], words[1]) : poly_c(words[0], words[1]);
    printf(" %llx\n", (unsigned long long)tag);
}
#endif

#ifdef IN_ASSEMBLY
// Assembly that tests a word of capabilities itself, and has both ways in one function.
__attribute__((used, visibility("hidden"))) uint32_t lib_ia32cap_P[4];
uint64_t asm_sum(const uint8_t *, size_t);
__asm__(".pushsection .text\n.globl asm_sum\n.type asm_sum,@function\nasm_sum:\n"
        " xor %eax, %eax\n"
#ifdef BAD
        " testl $0x10000000, lib_ia32cap_P+4(%rip)\n"
#else
        " testl $0x20, lib_ia32cap_P+8(%rip)\n"
#endif
        " jz .Lsum_tail\n"
        " vpxor %ymm0, %ymm0, %ymm0\n vpxor %ymm1, %ymm1, %ymm1\n"
        ".Lsum_wide: cmp $32, %rsi\n jb .Lsum_wide_done\n"
        " vmovdqu (%rdi), %ymm2\n vpsadbw %ymm1, %ymm2, %ymm2\n vpaddq %ymm2, %ymm0, %ymm0\n"
        " add $32, %rdi\n sub $32, %rsi\n jmp .Lsum_wide\n"
        ".Lsum_wide_done:\n vextracti128 $1, %ymm0, %xmm1\n vpaddq %xmm1, %xmm0, %xmm0\n"
        " vpunpckhqdq %xmm0, %xmm0, %xmm1\n vpaddq %xmm1, %xmm0, %xmm0\n vmovq %xmm0, %rax\n vzeroupper\n"
        ".Lsum_tail: test %rsi, %rsi\n jz .Lsum_end\n"
        ".Lsum_next: movzbl (%rdi), %ecx\n add %rcx, %rax\n inc %rdi\n dec %rsi\n jnz .Lsum_next\n"
        ".Lsum_end: ret\n.size asm_sum,.-asm_sum\n.popsection");
__attribute__((constructor)) static void cpuid_setup(void) {
    uint32_t a, b, c, d, most;
    __cpuid(0, most, b, c, d);
    __cpuid(1, a, b, c, d);
    lib_ia32cap_P[0] = d;
    uint32_t one = c, seven = 0;
    if (most >= 7) {
        __cpuid_count(7, 0, a, b, c, d);
        seven = b;
    }
    if (!(one & 1u << 27) || (xcr0() & 6) != 6) {
        one &= ~(1u << 28 | 1u << 12 | 1u << 11);
        seven &= ~(1u << 5 | 1u << 16);
    }
    lib_ia32cap_P[1] = one;
    lib_ia32cap_P[2] = seven;
}
int main(int argc, char **argv) {
    fill(argc);
    printf("%llu %llu\n", (unsigned long long)asm_sum(text, 1000), (unsigned long long)asm_sum(text + 1, 20));
}
#endif
