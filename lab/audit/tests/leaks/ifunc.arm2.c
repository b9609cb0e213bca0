// Resolvers: of one word, of both by the second argument, and by the library's function.
#include "arm2.h"
#define ARG_HWCAP (1ULL << 62)
typedef struct { unsigned long size, hwcap, hwcap2; } ifunc_arg_t;
PLAIN(copy_c) DOT(copy_dot) SVE(copy_sve) PLAIN(sum_c) I8MM(sum_i8mm) BF16(sum_bf16) PLAIN(hash_c) SHA3(hash_sha3)
static work_t resolve_copy(uint64_t hwcap) {
    if (hwcap & HWCAP_SVE) return copy_sve;
    return hwcap & HWCAP_ASIMDDP ? copy_dot : copy_c;
}
static work_t resolve_sum(uint64_t hwcap, const ifunc_arg_t *arg) {
    if (!(hwcap & ARG_HWCAP) || arg->size < sizeof(ifunc_arg_t)) return sum_c;
    if (arg->hwcap2 & HWCAP2_BF16) return sum_bf16;
    if (arg->hwcap2 & HWCAP2_I8MM) return sum_i8mm;
    return sum_c;
}
static work_t resolve_hash(uint64_t hwcap) {
#ifdef BAD
    return hwcap & (HWCAP_SHA3 | HWCAP_SHA2) ? hash_sha3 : hash_c;
#else
    return (hwcap & (HWCAP_SHA3 | HWCAP_SHA2)) == (HWCAP_SHA3 | HWCAP_SHA2) ? hash_sha3 : hash_c;
#endif
}
int copy(const int *, int) __attribute__((ifunc("resolve_copy")));
int sum(const int *, int) __attribute__((ifunc("resolve_sum")));
int hash(const int *, int) __attribute__((ifunc("resolve_hash")));
int main(int argc, char **argv) {
    int n = fill(argc);
    work_t p = copy;
    printf("%d %d %d\n", p(data, n), sum(data, n), hash(data, n));
}
