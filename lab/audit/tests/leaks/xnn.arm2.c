// Configurations of matrix multiplication, made once each, from one configuration of the hardware.
#include "arm2.h"
#include <pthread.h>
#include <stdbool.h>
struct hardware_config { bool use_arm_neon_fp16_arith, use_arm_neon_bf16, use_arm_neon_dot, use_arm_neon_i8mm, use_arm_sve; };
static struct hardware_config hardware;
static pthread_once_t hardware_guard = PTHREAD_ONCE_INIT;
static void init_hardware(void) {
    unsigned long hwcap = getauxval(AT_HWCAP), hwcap2 = getauxval(AT_HWCAP2);
    hardware.use_arm_neon_fp16_arith = (hwcap & (HWCAP_FPHP | HWCAP_ASIMDHP)) == (HWCAP_FPHP | HWCAP_ASIMDHP);
    hardware.use_arm_neon_dot = (hwcap & HWCAP_ASIMDDP) != 0;
    hardware.use_arm_neon_i8mm = (hwcap2 & HWCAP2_I8MM) != 0;
    hardware.use_arm_neon_bf16 = (hwcap2 & HWCAP2_BF16) != 0;
    hardware.use_arm_sve = (hwcap & HWCAP_SVE) != 0;
}
__attribute__((noinline)) static const struct hardware_config *xnn_init_hardware_config(void) {
    pthread_once(&hardware_guard, init_hardware);
    return &hardware;
}
PLAIN(gemm_neon) DOT(gemm_dot) I8MM(gemm_i8mm) BF16(gemm_bf16) FP16(gemm_fp16)
struct gemm_config { work_t gemm[4]; uint8_t mr, nr, log2_kr; };
static struct gemm_config qs8, f16, bf16;
static pthread_once_t qs8_guard = PTHREAD_ONCE_INIT, f16_guard = PTHREAD_ONCE_INIT, bf16_guard = PTHREAD_ONCE_INIT;
static void init_qs8(void) {
    const struct hardware_config *h = xnn_init_hardware_config();
#ifdef BAD
    if (h->use_arm_neon_dot) { qs8.gemm[0] = gemm_i8mm; qs8.gemm[1] = gemm_dot; qs8.mr = 4; }
#else
    if (h->use_arm_neon_i8mm) { qs8.gemm[0] = gemm_i8mm; qs8.gemm[1] = gemm_i8mm; qs8.mr = 4; qs8.log2_kr = 3; }
    else if (h->use_arm_neon_dot) { qs8.gemm[0] = gemm_dot; qs8.gemm[1] = gemm_dot; qs8.mr = 4; }
#endif
    else { qs8.gemm[0] = gemm_neon; qs8.gemm[1] = gemm_neon; qs8.mr = 2; }
}
static void init_f16(void) {
    const struct hardware_config *h = xnn_init_hardware_config();
    if (h->use_arm_neon_fp16_arith) { f16.gemm[0] = gemm_fp16; f16.mr = 6; }
}
static void init_bf16(void) {
    const struct hardware_config *h = xnn_init_hardware_config();
    if (h->use_arm_neon_bf16) { bf16.gemm[0] = gemm_bf16; bf16.mr = 6; }
}
__attribute__((noinline)) static const struct gemm_config *qs8_config(void) { pthread_once(&qs8_guard, init_qs8); return &qs8; }
__attribute__((noinline)) static const struct gemm_config *f16_config(void) { pthread_once(&f16_guard, init_f16); return f16.mr ? &f16 : NULL; }
__attribute__((noinline)) static const struct gemm_config *bf16_config(void) { pthread_once(&bf16_guard, init_bf16); return bf16.gemm[0] ? &bf16 : NULL; }
__attribute__((noinline)) static int run(const int *a, int n) {
    const struct gemm_config *q = qs8_config(), *f = f16_config(), *b = bf16_config();
    int s = q->gemm[0](a, n) + q->gemm[1](a, n);
    if (f) s += f->gemm[0](a, n);
    if (b) s += b->gemm[0](a, n);
    return s;
}
int main(int argc, char **argv) { int n = fill(argc); printf("%d\n", run(data, n)); }
