// An encoder: the CPU's word is in the parameters, and each part takes its pointers by it.
#include "arm2.h"
#define CPU_ARMV8 1
#define CPU_NEON 2
#define CPU_DOTPROD 0x100
#define CPU_I8MM 0x200
#define CPU_SVE 0x400
#define CPU_SVE2 0x800
typedef struct { const char *name; uint32_t flags; } cpu_name_t;
static const cpu_name_t cpu_names[] = {
    {"ARMv8", CPU_ARMV8}, {"NEON", CPU_NEON}, {"DotProd", CPU_DOTPROD}, {"I8MM", CPU_I8MM}, {"SVE", CPU_SVE}, {"SVE2", CPU_SVE2}, {"", 0}};
__attribute__((noinline)) uint32_t cpu_detect(void) {
    uint32_t flags = CPU_ARMV8 | CPU_NEON;
    unsigned long hwcap = getauxval(AT_HWCAP), hwcap2 = getauxval(AT_HWCAP2);
    if (hwcap & HWCAP_ASIMDDP) flags |= CPU_DOTPROD;
    if (hwcap2 & HWCAP2_I8MM) flags |= CPU_I8MM;
    if (hwcap & HWCAP_SVE) flags |= CPU_SVE;
    if (hwcap2 & HWCAP2_SVE2) flags |= CPU_SVE2;
    return flags;
}
typedef struct { uint32_t cpu; int threads, width, height; } param_t;
typedef struct { work_t sad[7], ssd[7]; } pixel_function_t;
typedef struct { work_t quant, dequant; } quant_function_t;
typedef struct { param_t param; pixel_function_t pixf; quant_function_t quantf; } encoder_t;
PLAIN(sad_c) PLAIN(ssd_c) PLAIN(quant_c) DOT(sad_neon_dotprod) DOT(ssd_neon_dotprod) SVE(ssd_sve) I8MM(quant_i8mm)
__attribute__((noinline)) void pixel_init(uint32_t cpu, pixel_function_t *pixf) {
    memset(pixf, 0, sizeof(*pixf));
    for (int i = 0; i < 7; i++) { pixf->sad[i] = sad_c; pixf->ssd[i] = ssd_c; }
    if (cpu & CPU_DOTPROD) { pixf->sad[0] = sad_neon_dotprod; pixf->sad[1] = sad_neon_dotprod; pixf->ssd[0] = ssd_neon_dotprod; }
#ifdef BAD
    if (cpu & CPU_DOTPROD) pixf->ssd[1] = ssd_sve;
#else
    if (cpu & CPU_SVE) pixf->ssd[1] = ssd_sve;
#endif
}
__attribute__((noinline)) void quant_init(uint32_t cpu, quant_function_t *pf) {
    pf->quant = pf->dequant = quant_c;
    if (cpu & CPU_I8MM) pf->quant = quant_i8mm;
}
__attribute__((noinline)) static void param_default(param_t *p) {
    memset(p, 0, sizeof(*p));
    p->cpu = cpu_detect();
    p->threads = 1; p->width = 64; p->height = 1;
}
__attribute__((noinline)) static encoder_t *encoder_open(param_t *p) {
    encoder_t *h = calloc(1, sizeof(*h));
    memcpy(&h->param, p, sizeof(*p));
    pixel_init(h->param.cpu, &h->pixf);
    quant_init(h->param.cpu, &h->quantf);
    return h;
}
__attribute__((noinline)) static int encode(encoder_t *h, const int *a, int n) {
    int s = 0;
    for (int i = 0; i < 7; i++) s += h->pixf.sad[i](a, n) + h->pixf.ssd[i](a, n);
    return s + h->quantf.quant(a, n) - h->quantf.dequant(a, n);
}
int main(int argc, char **argv) {
    param_t p;
    param_default(&p);
    encoder_t *h = encoder_open(&p);
    for (int i = 0; cpu_names[i].flags; i++)
        if (p.cpu & cpu_names[i].flags) printf(" %s", cpu_names[i].name);
    printf(" %d\n", encode(h, data, fill(argc)));
    free(h);
}
