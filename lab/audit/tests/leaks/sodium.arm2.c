// Features in a static structure with a "runtime_has" for each; pick_best takes a structure of functions.
#include "arm2.h"
typedef struct { int initialized, has_neon, has_armcrypto, has_sha3, has_sve; } CPUFeatures;
static CPUFeatures _cpu_features;
__attribute__((noinline)) static int runtime_arm_features(CPUFeatures *const f) {
    f->has_neon = 1;
    f->has_armcrypto = 0;
    const long hwcap = (long)getauxval(AT_HWCAP);
    f->has_armcrypto = (hwcap & (1L << 3)) != 0;
    f->has_sha3 = (hwcap & (1L << 17)) != 0;
    f->has_sve = (hwcap & (1L << 22)) != 0;
    return 0;
}
int _runtime_get_cpu_features(void) {
    int ret = -1;
    ret &= runtime_arm_features(&_cpu_features);
    _cpu_features.initialized = 1;
    return ret;
}
int runtime_has_neon(void) { return _cpu_features.has_neon; }
int runtime_has_armcrypto(void) { return _cpu_features.has_armcrypto; }
int runtime_has_sha3(void) { return _cpu_features.has_sha3; }
int runtime_has_sve(void) { return _cpu_features.has_sve; }
PLAIN(keccak_ref) PLAIN(keccak_ref_final) SHA3(keccak_armsha3) PLAIN(stream_ref) SVE(stream_sve)
typedef struct { work_t permute, final; } keccak_impl;
typedef struct { int (*const stream)(const int *, int); int (*const xor_ic)(const int *, int); } stream_impl;
static keccak_impl impl_ref = {keccak_ref, keccak_ref_final}, impl_sha3 = {keccak_armsha3, keccak_ref_final};
static stream_impl stream_impl_ref = {.stream = stream_ref, .xor_ic = stream_ref}, stream_impl_sve = {.stream = stream_sve, .xor_ic = stream_sve};
static const keccak_impl *implementation = &impl_ref;
static const stream_impl *stream_implementation = &stream_impl_ref;
__attribute__((noinline)) int _keccak_pick_best(void) {
    implementation = &impl_ref;
#ifdef BAD
    if (runtime_has_armcrypto()) implementation = &impl_sha3;
#else
    if (runtime_has_sha3()) implementation = &impl_sha3;
#endif
    return 0;
}
__attribute__((noinline)) int _stream_pick_best(void) {
    if (runtime_has_sve()) { stream_implementation = &stream_impl_sve; return 0; }
    return 0;
}
static volatile int initialized;
__attribute__((noinline)) int init(void) {
    if (initialized != 0) return 1;
    _runtime_get_cpu_features();
    _keccak_pick_best();
    _stream_pick_best();
    initialized = 1;
    return 0;
}
int main(int argc, char **argv) {
    if (init() < 0) return 3;
    int n = fill(argc);
    printf("%d %d\n", implementation->permute(data, n) + implementation->final(data, n), stream_implementation->stream(data, n) + stream_implementation->xor_ic(data, n));
}
