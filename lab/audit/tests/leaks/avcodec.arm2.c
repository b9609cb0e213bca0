// A codec library: atomic flags that may be forced by the caller, contexts that each module fills.
#include "arm2.h"
#define AV_CPU_FLAG_ARMV8 (1 << 6)
#define AV_CPU_FLAG_NEON (1 << 5)
#define AV_CPU_FLAG_DOTPROD (1 << 8)
#define AV_CPU_FLAG_I8MM (1 << 9)
#define AV_CPU_FLAG_SVE (1 << 10)
static int cpu_flags = -1;
__attribute__((noinline)) static int detect_flags(void) {
    int flags = 0;
    unsigned long hwcap = getauxval(AT_HWCAP), hwcap2 = getauxval(AT_HWCAP2);
    if (hwcap & HWCAP_ASIMDDP) flags |= AV_CPU_FLAG_DOTPROD;
    if (hwcap2 & HWCAP2_I8MM) flags |= AV_CPU_FLAG_I8MM;
    if (hwcap & HWCAP_SVE) flags |= AV_CPU_FLAG_SVE;
    return flags;
}
__attribute__((noinline)) static int get_cpu_flags_aarch64(void) { return AV_CPU_FLAG_ARMV8 | AV_CPU_FLAG_NEON | detect_flags(); }
__attribute__((noinline)) int av_get_cpu_flags(void) {
    int flags = __atomic_load_n(&cpu_flags, __ATOMIC_RELAXED);
    if (flags == -1) {
        flags = get_cpu_flags_aarch64();
        __atomic_store_n(&cpu_flags, flags, __ATOMIC_RELAXED);
    }
    return flags;
}
#define have_neon(f) ((f) & AV_CPU_FLAG_NEON)
#define have_dotprod(f) ((f) & AV_CPU_FLAG_DOTPROD)
#define have_i8mm(f) ((f) & AV_CPU_FLAG_I8MM)
#define have_sve(f) ((f) & AV_CPU_FLAG_SVE)
typedef struct { work_t put[10], epel[10], sad[3]; int bits; } DSPContext;
PLAIN(put_c) PLAIN(epel_c) PLAIN(sad_c) DOT(put_dotprod) I8MM(epel_i8mm) SVE(epel_sve) DOT(sad_dotprod)
__attribute__((noinline)) void dsp_init_aarch64(DSPContext *c, int bit_depth) {
    int cpu_flags = av_get_cpu_flags();
    if (!have_neon(cpu_flags)) return;
    if (bit_depth == 8) {
        if (have_dotprod(cpu_flags)) { c->put[1] = c->put[3] = c->put[5] = put_dotprod; }
        if (have_i8mm(cpu_flags)) for (int i = 0; i < 10; i += 2) c->epel[i] = epel_i8mm;
        if (have_sve(cpu_flags)) c->epel[9] = epel_sve;
#ifdef BAD
        if (have_neon(cpu_flags)) c->sad[0] = sad_dotprod;
#else
        if (have_dotprod(cpu_flags)) c->sad[0] = sad_dotprod;
#endif
    }
}
__attribute__((noinline)) void dsp_init(DSPContext *c, int bit_depth) {
    for (int i = 0; i < 10; i++) { c->put[i] = put_c; c->epel[i] = epel_c; }
    for (int i = 0; i < 3; i++) c->sad[i] = sad_c;
    c->bits = bit_depth;
    dsp_init_aarch64(c, bit_depth);
}
typedef struct { void *priv; DSPContext dsp; } CodecContext;
__attribute__((noinline)) static int decode(CodecContext *s, const int *a, int n) {
    int r = 0;
    for (int i = 0; i < 10; i++) r += s->dsp.put[i](a, n) ^ s->dsp.epel[i](a, n);
    return r + s->dsp.sad[0](a, n) + s->dsp.sad[1](a, n);
}
int main(int argc, char **argv) {
    CodecContext *s = calloc(1, sizeof *s);
    dsp_init(&s->dsp, argc > 2000 ? 10 : 8);
    int n = fill(argc);
    printf("%d\n", decode(s, data, n));
    free(s);
}
