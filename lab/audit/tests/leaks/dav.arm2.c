// A decoder: flags of the CPU and a mask for them, contexts of pointers that are filled per bit depth.
#include "arm2.h"
enum { FLAG_NEON = 1 << 0, FLAG_DOTPROD = 1 << 1, FLAG_I8MM = 1 << 2, FLAG_SVE = 1 << 3, FLAG_SVE2 = 1 << 4 };
static unsigned cpu_flags = 0U;
static unsigned cpu_flags_mask = ~0U;
__attribute__((cold, noinline)) static unsigned get_flags_arm(void) {
    unsigned long hw_cap = getauxval(AT_HWCAP), hw_cap2 = getauxval(AT_HWCAP2);
    unsigned flags = hw_cap & HWCAP_ASIMD ? FLAG_NEON : 0;
    flags |= hw_cap & HWCAP_ASIMDDP ? FLAG_DOTPROD : 0;
    flags |= hw_cap2 & HWCAP2_I8MM ? FLAG_I8MM : 0;
    flags |= hw_cap & HWCAP_SVE ? FLAG_SVE : 0;
    flags |= hw_cap2 & HWCAP2_SVE2 ? FLAG_SVE2 : 0;
    return flags;
}
__attribute__((cold, noinline)) void init_cpu(void) { cpu_flags = get_flags_arm(); }
__attribute__((cold, noinline)) void set_cpu_flags_mask(unsigned mask) { cpu_flags_mask = mask; }
static inline unsigned get_cpu_flags(void) { return cpu_flags & cpu_flags_mask; }
PLAIN(put_c) PLAIN(avg_c) DOT(put_neon_dotprod) I8MM(put_neon_i8mm) DOT(avg_neon_dotprod) SVE(avg_sve)
typedef struct { work_t mc[4]; work_t mct[2]; } MCDSPContext;
typedef struct { int bpc; MCDSPContext mc; } DSPContext;
static DSPContext dsp[3];
__attribute__((cold, noinline)) static void mc_dsp_init_arm(MCDSPContext *const c) {
    const unsigned flags = get_cpu_flags();
    if (!(flags & FLAG_NEON)) return;
#ifdef BAD
    if (!(flags & FLAG_NEON)) return;
#else
    if (!(flags & FLAG_DOTPROD)) return;
#endif
    c->mc[0] = put_neon_dotprod;
    c->mct[0] = avg_neon_dotprod;
    if (flags & FLAG_I8MM) c->mc[1] = put_neon_i8mm;
    if (!(flags & FLAG_SVE)) return;
    c->mct[1] = avg_sve;
}
__attribute__((cold, noinline)) static void mc_dsp_init(MCDSPContext *const c) {
    c->mc[0] = c->mc[1] = c->mc[2] = c->mc[3] = put_c;
    c->mct[0] = c->mct[1] = avg_c;
    mc_dsp_init_arm(c);
}
__attribute__((noinline)) static int decode(const DSPContext *c, const int *a, int n) {
    int sum = 0;
    for (int i = 0; i < 4; i++) sum += c->mc.mc[i](a, n);
    for (int i = 0; i < 2; i++) sum += c->mc.mct[i](a, n);
    return sum;
}
int main(int argc, char **argv) {
    init_cpu();
    if (argc > 300) set_cpu_flags_mask(atoi(argv[1]));
    int n = fill(argc);
    DSPContext *c = &dsp[argc > 100];
    if (!c->bpc) { c->bpc = 8; mc_dsp_init(&c->mc); }
    printf("%d\n", decode(c, data, n));
}
