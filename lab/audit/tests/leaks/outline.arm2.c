// Atomics out of line of a library's own, and the compiler's; one byte says whether there are LSE.
#include "arm2.h"
static unsigned char have_lse;
__attribute__((constructor(101))) static void init_have_lse(void) {
    unsigned long hwcap = getauxval(AT_HWCAP);
#ifdef BAD
    have_lse = (hwcap & HWCAP_CRC32) != 0;
#else
    have_lse = (hwcap & HWCAP_ATOMICS) != 0;
#endif
}
__attribute__((noinline)) static int fetch_add(int v, int *p) {
    int old;
    if (have_lse) {
        __asm__ volatile(".arch_extension lse\n ldaddal %w1, %w0, [%2]" : "=&r"(old) : "r"(v), "r"(p) : "memory");
        return old;
    }
    int new, fail;
    __asm__ volatile("1: ldaxr %w0, [%4]\n add %w1, %w0, %w3\n stlxr %w2, %w1, [%4]\n cbnz %w2, 1b"
                     : "=&r"(old), "=&r"(new), "=&r"(fail) : "r"(v), "r"(p) : "memory");
    return old;
}
__attribute__((noinline)) static int compare_swap(int expected, int desired, int *p) {
    if (have_lse) {
        __asm__ volatile(".arch_extension lse\n casal %w0, %w1, [%2]" : "+r"(expected) : "r"(desired), "r"(p) : "memory");
        return expected;
    }
    __atomic_compare_exchange_n(p, &expected, desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
}
int main(int argc, char **argv) {
    static int counter, lock;
    int n = fill(argc);
    for (int i = 0; i < n; i++) fetch_add(data[i], &counter);
    int was = compare_swap(0, 1, &lock);
    printf("%d %d %d\n", counter, was, __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST));
}
