// A library that tells of the CPU: a global structure of booleans that is made once, small functions
// that read it.
#include "arm2.h"
#include <pthread.h>
#include <stdbool.h>
struct cpuinfo_arm_isa { bool atomics, bf16, crc32, dot, fp16arith, i8mm, sve, sve2, sha3; uint32_t svelen; };
struct cpuinfo_arm_isa cpuinfo_isa;
static bool cpuinfo_is_initialized;
static pthread_once_t init_guard = PTHREAD_ONCE_INIT;
__attribute__((noinline)) void cpuinfo_arm64_linux_decode_isa(uint32_t features, uint64_t features2, uint32_t midr, struct cpuinfo_arm_isa isa[1]) {
    if (features & 0x8) { }
    if (features & 0x80) isa->crc32 = true;
    if (features & 0x100) isa->atomics = true;
    switch (midr >> 16) {
    case 0x5123: isa->fp16arith = true; break;
    default:
        if ((features & 0x600) == 0x600) isa->fp16arith = true;
        break;
    }
    if (features & 0x100000) isa->dot = true;
    if (features2 & 0x2000) isa->i8mm = true;
    if (features & 0x400000) isa->sve = true;
    if (features2 & 0x2) isa->sve2 = true;
    if (features2 & 0x4000) isa->bf16 = true;
    if (features & 0x20000) isa->sha3 = true;
}
static void cpuinfo_arm_linux_init(void) {
    uint32_t isa_features = (uint32_t)getauxval(16);
    uint64_t isa_features2 = getauxval(26);
    cpuinfo_arm64_linux_decode_isa(isa_features, isa_features2, 0, &cpuinfo_isa);
    cpuinfo_is_initialized = true;
}
__attribute__((noinline)) bool cpuinfo_initialize(void) { pthread_once(&init_guard, &cpuinfo_arm_linux_init); return cpuinfo_is_initialized; }
static inline bool has_dot(void) { return cpuinfo_isa.dot; }
static inline bool has_i8mm(void) { return cpuinfo_isa.i8mm; }
static inline bool has_bf16(void) { return cpuinfo_isa.bf16; }
static inline bool has_sve(void) { return cpuinfo_isa.sve; }
PLAIN(q_c) DOT(q_dot) I8MM(q_i8mm) PLAIN(f_c) BF16(f_bf16) PLAIN(v_c) SVE(v_sve)
__attribute__((noinline)) static int q(const int *a, int n) {
    if (has_i8mm() && has_dot()) return q_i8mm(a, n);
#ifdef BAD
    if (has_dot() || cpuinfo_isa.crc32) return q_dot(a, n);
#else
    if (has_dot()) return q_dot(a, n);
#endif
    return q_c(a, n);
}
__attribute__((noinline)) static int f(const int *a, int n) { return (has_bf16() ? f_bf16 : f_c)(a, n); }
__attribute__((noinline)) static int v(const int *a, int n) { if (!cpuinfo_initialize() || !has_sve()) return v_c(a, n); return v_sve(a, n); }
int main(int argc, char **argv) {
    if (!cpuinfo_initialize()) return 3;
    int n = fill(argc);
    printf("%d %d %d\n", q(data, n), f(data, n), v(data, n));
}
