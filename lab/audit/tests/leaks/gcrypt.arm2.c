// Features by a list of records: the system's bit beside the library's own.
#include "arm2.h"
#define HWF_ARM_NEON (1 << 0)
#define HWF_ARM_AES (1 << 1)
#define HWF_ARM_SHA2 (1 << 2)
#define HWF_ARM_SHA3 (1 << 4)
#define HWF_ARM_SHA512 (1 << 6)
#define HWF_ARM_SVE (1 << 8)
#define HWF_ARM_SVE2 (1 << 9)
struct feature_map_s { unsigned int hwcap_flag, hwcap2_flag; unsigned int hwf_flag; };
static const struct feature_map_s arm_features[] = {
    {1 << 1, 0, HWF_ARM_NEON}, {1 << 3, 0, HWF_ARM_AES}, {1 << 6, 0, HWF_ARM_SHA2},
#ifdef BAD
    {1 << 6, 0, HWF_ARM_SHA512},
#else
    {1 << 21, 0, HWF_ARM_SHA512},
#endif
    {1 << 17, 0, HWF_ARM_SHA3}, {1 << 22, 0, HWF_ARM_SVE}, {0, 1 << 1, HWF_ARM_SVE2}};
static unsigned int hw_features, disabled_hw_features;
__attribute__((noinline)) static unsigned int detect_arm_at_hwcap(void) {
    unsigned long hwcap = getauxval(AT_HWCAP), hwcap2 = getauxval(AT_HWCAP2);
    unsigned int features = 0;
    for (unsigned i = 0; i < sizeof arm_features / sizeof *arm_features; i++) {
        if (hwcap & arm_features[i].hwcap_flag) features |= arm_features[i].hwf_flag;
        if (hwcap2 & arm_features[i].hwcap2_flag) features |= arm_features[i].hwf_flag;
    }
    return features;
}
__attribute__((noinline)) static void detect_hw_features(void) {
    hw_features = detect_arm_at_hwcap();
    hw_features &= ~disabled_hw_features;
}
__attribute__((noinline)) unsigned int get_hw_features(void) { return hw_features; }
PLAIN(sha512_c) SHA512(sha512_ce) PLAIN(sha3_c) SHA3(sha3_ce) PLAIN(cam_c) SVE(cam_sve)
typedef struct { work_t transform; unsigned blocks; } md_context;
__attribute__((noinline)) static void sha512_init(md_context *ctx) {
    unsigned int features = get_hw_features();
    ctx->transform = sha512_c;
    if (features & HWF_ARM_SHA512) ctx->transform = sha512_ce;
    (void)features;
}
typedef struct { int (*permute)(const int *, int); } keccak_ops_t;
static const keccak_ops_t generic_ops = {sha3_c}, ce_ops = {sha3_ce};
__attribute__((noinline)) static const keccak_ops_t *keccak_ops(void) {
    unsigned int features = get_hw_features();
    if (features & HWF_ARM_SHA3) return &ce_ops;
    return &generic_ops;
}
__attribute__((noinline)) static int camellia(const int *a, int n) {
    int use_sve = (get_hw_features() & HWF_ARM_SVE) != 0;
    return use_sve ? cam_sve(a, n) : cam_c(a, n);
}
int main(int argc, char **argv) {
    detect_hw_features();
    int n = fill(argc);
    md_context c;
    sha512_init(&c);
    printf("%d %d %d\n", c.transform(data, n), keccak_ops()->permute(data, n), camellia(data, n));
}
