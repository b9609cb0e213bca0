// Ways to code above Armv8.0, each chosen by a macro. Some are wrong on purpose: what then
// happens is the label of the program, which running it gives.
//
// KERNEL is LSE, DOTPROD, SVE or SHA3; ASK asks the CPU. GNU as 2.40 and LLVM 14 have no common
// way to allow `sdot` (v2.4s, v0.16b, v0.16b) and `eor3` (v2, v0, v0, v0): they are words here.
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#define H(bit) (getauxval(AT_HWCAP) >> (bit) & 1)
#define H2(bit) (getauxval(AT_HWCAP2) >> (bit) & 1)
#ifndef ASK
#define ASK 1
#endif
#ifndef KERNEL
#define KERNEL DOTPROD
#endif

#define DOTPROD 1
#define LSE 2
#define SVE 3
#define SHA3 4

static int data[64];

#if KERNEL == DOTPROD
__attribute__((noinline)) static int kernel(const int *a) {
    int sum[4];
    __asm__ volatile("ldr q0, [%1]\n movi v2.4s, #0\n .inst 0x4e809402\n str q2, [%0]"
                     : : "r"(sum), "r"(a) : "v0", "v2", "memory");
    return sum[0] + sum[1];
}
#elif KERNEL == LSE
__attribute__((noinline)) static int kernel(const int *a) {
    int sum = a[0], old;
    __asm__ volatile(".arch_extension lse\n ldadd %w1, %w0, [%2]" : "=&r"(old) : "r"(7), "r"(&sum) : "memory");
    return sum + old;
}
#elif KERNEL == SVE
__attribute__((noinline)) static int kernel(const int *a) {
    long n;
    int sum[64];
    __asm__ volatile(".arch_extension sve\n ptrue p0.s\n ld1w {z0.s}, p0/z, [%1]\n add z0.s, z0.s, z0.s\n"
                     " st1w {z0.s}, p0, [%2]\n cntw %0"
                     : "=r"(n) : "r"(a), "r"(sum) : "memory");
    return sum[0] + (int)n;
}
#elif KERNEL == SHA3
__attribute__((noinline)) static int kernel(const int *a) {
    int sum[4];
    __asm__ volatile("ldr q0, [%1]\n .inst 0xce000002\n str q2, [%0]"
                     : : "r"(sum), "r"(a) : "v0", "v2", "memory");
    return sum[0];
}
#endif

__attribute__((noinline)) static int plain(const int *a) {
    int sum = 0;
    for (int i = 0; i < 16; i++)
        sum += a[i] * a[i];
    return sum;
}

#if defined(DIRECT)
static int work(const int *a) { return kernel(a); }
#elif defined(INVERTED)
static int work(const int *a) { return ASK ? plain(a) : kernel(a); }
#elif defined(EARLY)
__attribute__((noinline)) static int work(const int *a) {
    if (!ASK)
        return plain(a);
    return kernel(a) + plain(a);
}
#elif defined(EXITS)
__attribute__((noinline)) static void check(void) {
    if (!ASK) {
        puts("this CPU will not do");
        exit(3);
    }
}
static int work(const int *a) { check(); return kernel(a); }
#elif defined(WARNS)
__attribute__((noinline)) static void check(void) {
    if (!ASK)
        puts("this CPU will not do");
}
static int work(const int *a) { check(); return kernel(a); }
#elif defined(GLOBAL)
// As OPENSSL_armcap_P is made and asked.
static unsigned capabilities;
__attribute__((constructor)) static void probe(void) {
    unsigned long hwcap = getauxval(AT_HWCAP);
    if (hwcap & 1 << 1)
        capabilities |= 1;
    if (hwcap & 1 << 3)
        capabilities |= 4;
    if (hwcap & 1 << 8)
        capabilities |= 8;
    if (hwcap & 1 << 20)
        capabilities |= 16;
    if (hwcap & 1 << 17)
        capabilities |= 32;
    if (hwcap & 1 << 22)
        capabilities |= 64;
}
__attribute__((noinline)) static int work(const int *a) {
    if (capabilities & GLOBAL)
        return kernel(a);
    return plain(a);
}
#elif defined(LAZY)
static int has = -1;
__attribute__((noinline)) static int asks(void) {
    if (has < 0)
        has = ASK;
    return has;
}
static int work(const int *a) { return asks() ? kernel(a) : plain(a); }
#elif defined(LEVEL)
static int level;
__attribute__((noinline)) static void probe(void) {
    level = 0;
    if (H(8))
        level = 1;
    if (H(8) && H(20))
        level = 2;
    if (H(8) && H(20) && H(22))
        level = 3;
}
__attribute__((noinline)) static int work(const int *a) {
    probe();
    return level >= LEVEL ? kernel(a) : plain(a);
}
#elif defined(PARAMETER)
__attribute__((noinline)) static int choose(const int *a, int fast) { return fast ? kernel(a) : plain(a); }
static int work(const int *a) { return choose(a, PARAMETER); }
#elif defined(POINTER)
static int (*chosen)(const int *) = plain;
__attribute__((constructor)) static void choose(void) {
    if (POINTER)
        chosen = kernel;
}
static int work(const int *a) { return chosen(a); }
#elif defined(SELECTED)
__attribute__((noinline)) static int work(const int *a) {
    int (*f)(const int *) = SELECTED ? kernel : plain;
    return f(a);
}
#elif defined(TABLE)
static int (*const table[])(const int *) = {plain, kernel};
__attribute__((noinline)) static int work(const int *a) { return table[TABLE ? 1 : 0](a); }
#elif defined(INDEX)
// The index comes from what is not followed.
static int (*const table[])(const int *) = {plain, kernel};
__attribute__((noinline)) static int work(const int *a) { return table[strlen((const char *)a) & 1](a); }
#elif defined(STRUCT) || defined(FRAME) || defined(HEAP_FLAG)
struct cpu {
    int neon, lse, dotprod, sve, sha3;
};
static struct cpu cpu;
__attribute__((noinline)) static void probe(struct cpu *it) {
    unsigned long hwcap = getauxval(AT_HWCAP);
    it->neon = hwcap >> 1 & 1;
    it->lse = hwcap >> 8 & 1;
    it->dotprod = hwcap >> 20 & 1;
    it->sve = hwcap >> 22 & 1;
    it->sha3 = hwcap >> 17 & 1;
}
__attribute__((noinline)) static int work(const int *a) {
#if defined(STRUCT)
    probe(&cpu);
    return cpu.STRUCT ? kernel(a) : plain(a);
#elif defined(FRAME)
    // In the frame of the one who asks.
    struct cpu it;
    probe(&it);
    return it.FRAME ? kernel(a) : plain(a);
#else
    struct cpu *it = malloc(sizeof *it);
    probe(it);
    int fast = it->HEAP_FLAG;
    free(it);
    return fast ? kernel(a) : plain(a);
#endif
}
#elif defined(HEAP)
// Memory decides, and it is no answer.
__attribute__((noinline)) static int *make(const int *a) {
    int *it = malloc(4 * sizeof *it);
    it[0] = a[1];
    return it;
}
__attribute__((noinline)) static int work(const int *a) {
    int *it = make(a);
    int few = it[0] < 1000;
    free(it);
    return few ? kernel(a) : plain(a);
}
#elif defined(RESOLVER)
typedef struct {
    unsigned long size, hwcap, hwcap2;
} ifunc_arg;
static int (*resolve(unsigned long hwcap, const ifunc_arg *arg))(const int *) {
    (void)arg;
    return RESOLVER ? kernel : plain;
}
int ifunc(const int *) __attribute__((ifunc("resolve")));
static int work(const int *a) { return ifunc(a); }
#elif defined(REGISTER)
__attribute__((noinline)) static int work(const int *a) {
    uint64_t id;
    __asm__("mrs %0, " REGISTER : "=r"(id));
    return id >> SHIFT & 15 ? kernel(a) : plain(a);
}
#elif defined(ATOMICS)
__attribute__((noinline)) static int work(const int *a) {
    static int counter;
    return __atomic_fetch_add(&counter, a[1], __ATOMIC_SEQ_CST) + plain(a);
}
#elif defined(ENVIRONMENT)
__attribute__((noinline)) static int work(const int *a) {
    return ASK || getenv("FORCE_KERNEL") ? kernel(a) : plain(a);
}
#elif defined(BOTH)
__attribute__((noinline)) static int work(const int *a) {
    if (ASK)
        puts("asked");
    return kernel(a);
}
#elif defined(TWO)
__attribute__((noinline)) static int one(const int *a) { return ASK ? kernel(a) : plain(a); }
static int work(const int *a) { return one(a) + (a[1] > 100 ? kernel(a) : 0); }
#elif defined(SWITCH)
__attribute__((noinline)) static int work(const int *a) {
    unsigned long hwcap = getauxval(AT_HWCAP);
    switch ((hwcap >> 8 & 1) + (hwcap >> 20 & 1) * 2) {
    case 0: return plain(a);
    case 1: return plain(a) + 1;
    case 2: return plain(a) + 2;
    case 3: return kernel(a);
    }
    return 0;
}
#elif defined(PROBE)
static sigjmp_buf back;
static void died(int number) { (void)number; siglongjmp(back, 1); }
__attribute__((noinline)) static int work(const int *a) {
    signal(SIGILL, died);
    if (sigsetjmp(back, 1))
        return plain(a);
    return kernel(a);
}
#elif defined(UNUSED)
__attribute__((used)) static int never(const int *a) { return kernel(a); }
static int work(const int *a) { return plain(a); }
#else
__attribute__((noinline)) static int work(const int *a) {
    if (ASK)
        return kernel(a);
    return plain(a);
}
#endif

int main(int argc, char **argv) {
    (void)argv;
    for (int i = 0; i < 64; i++)
        data[i] = i * argc;
    printf("%d\n", work(data));
    return 0;
}
