// Ways that are rarer, and all met somewhere: names of features, models, offsets, patched code.
#include "third.h"

#if defined STRING // a text of features, and searches in it
static char text[80];
static void describe(void) {
    unsigned a, b, c, d, low, high;
    __cpuid(1, a, b, c, d);
    if (c & 1u << 20) strcat(text, "sse4.2 ");
    if (!(c & 1u << 27)) return;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6) return;
    if (c & 1u << 28) strcat(text, "avx ");
    __cpuid_count(7, 0, a, b, c, d);
    if (b & 1u << 5) strcat(text, "avx2 ");
}
int main(int n, char **v) {
    fill(n);
    describe();
#ifdef BAD // avx is in avx2
    sink = strstr(text, "avx") ? with_avx2(cells, 64) : plain(cells, 64);
#else
    sink = strstr(text, "avx2") ? with_avx2(cells, 64) : plain(cells, 64);
#endif
}

#elif defined BITFIELD // the manual's table, as a union
union leaf_7 {
    uint32_t word;
    struct {
        uint32_t fsgsbase : 1;
#ifndef BAD // older manuals do not have these two
        uint32_t tsc_adjust : 1, sgx : 1;
#endif
        uint32_t bmi1 : 1, hle : 1, avx2 : 1, fdp : 1, smep : 1, bmi2 : 1;
    };
};
NI static union leaf_7 read_leaf(void) {
    union leaf_7 out = {0};
    unsigned a, c, d, low, high;
    __cpuid(1, a, low, c, d);
    if (c >> 27 & 1) {
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        if ((low & 6) == 6) __cpuid_count(7, 0, a, out.word, c, d);
    }
    return out;
}
int main(int n, char **v) {
    union leaf_7 it = read_leaf();
    fill(n);
    if (it.avx2) sink = with_avx2(cells, 64);
    else sink = plain(cells, 64);
}

#elif defined MODEL // by family and model, as before there were bits
int main(int n, char **v) {
    unsigned a, b, c, d, most;
    char vendor[13] = {0};
    __cpuid(0, most, b, c, d);
    memcpy(vendor, &b, 4);
    memcpy(vendor + 4, &d, 4);
    memcpy(vendor + 8, &c, 4);
    __cpuid(1, a, b, c, d);
    int family = a >> 8 & 15, model = (a >> 4 & 15) | (a >> 12 & 0xf0);
    fill(n);
#ifdef BAD
    if (!strcmp(vendor, "GenuineIntel") && family == 6 && model >= 0x2a && c >> 27 & 1)
#else
    if (!strcmp(vendor, "GenuineIntel") && family == 6 && model >= 0x3c && c >> 27 & 1)
#endif
        sink = with_avx2(cells, 64);
    else
        sink = plain(cells, 64);
}

#elif defined PROBE // an instruction is tried, and a signal says that it is not there
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf back;
static void on_signal(int which) { siglongjmp(back, which); }
NI static int can(kernel *it) {
    struct sigaction now = {0}, before;
    now.sa_handler = on_signal;
    sigaction(SIGILL, &now, &before);
    volatile int ok = 0;
    if (sigsetjmp(back, 1) == 0) {
        sink = it(cells, 8);
        ok = 1;
    }
    sigaction(SIGILL, &before, NULL);
    return ok;
}
int main(int n, char **v) {
    fill(n);
    int there = can(with_avx2);
#ifdef BAD
    sink = !there ? with_avx2_max(cells, 64) : plain(cells, 64);
#else
    sink = there ? with_avx2_max(cells, 64) : plain(cells, 64);
#endif
}

#elif defined STATIC_KEY // code that is written anew at the start, as kernels do
#include <sys/mman.h>
struct key { char *site, *target; };
extern struct key __start_keys[], __stop_keys[];
NI static long hot(const int32_t *at, int count) {
    __asm__ goto("1: .byte 0x0f, 0x1f, 0x44, 0, 0\n.pushsection keys, \"aw\"\n"
                 ".balign 8\n.quad 1b, %l[fast]\n.popsection" : : : : fast);
    return plain(at, count);
fast:
    return with_avx2(at, count);
}
static void patch(void) {
    for (struct key *it = __start_keys; it < __stop_keys; it++) {
        char *page = (char *)((uintptr_t)it->site & ~4095ul);
        mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
        int32_t far = (int32_t)(it->target - it->site - 5);
        it->site[0] = (char)0xe9;
        memcpy(it->site + 1, &far, 4);
        mprotect(page, 8192, PROT_READ | PROT_EXEC);
    }
}
int main(int n, char **v) {
    unsigned a, b, c, d, low, high;
    fill(n);
    __cpuid(1, a, b, c, d);
    if (c >> 27 & 1) {
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        __cpuid_count(7, 0, a, b, c, d);
#ifdef BAD
        if ((low & 6) == 6) patch();
#else
        if ((low & 6) == 6 && b >> 5 & 1) patch();
#endif
    }
    sink = hot(cells, 64);
}

#elif defined OFFSETS // distances of 32 bits instead of pointers
__asm__(".pushsection .rodata\n.balign 4\n.globl distances\n.hidden distances\ndistances:\n"
        ".long k_plain - distances, k_avx - distances, k_avx2 - distances\n.popsection");
extern const int32_t distances[] __attribute__((visibility("hidden")));
#define NAMED __attribute__((used, visibility("hidden")))
NAMED long k_plain(const int32_t *at, int count) { return plain(at, count); }
NAMED FOR("avx") long k_avx(const int32_t *at, int count) {
    return _mm256_extract_epi32(_mm256_loadu_si256((const __m256i *)at), 5) + count;
}
NAMED FOR("avx2") long k_avx2(const int32_t *at, int count) {
    return _mm256_extract_epi32(_mm256_abs_epi32(_mm256_loadu_si256((const __m256i *)at)), 5) + count;
}
int main(int n, char **v) {
    unsigned level = 0, a, b, c, d, low, high;
    fill(n);
    __cpuid(1, a, b, c, d);
    if ((c >> 27 & 3) == 3) {
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        if ((low & 6) == 6) {
            __cpuid_count(7, 0, a, b, c, d);
#ifdef BAD
            level = 2 - (b >> 5 & 1);
#else
            level = 1 + (b >> 5 & 1);
#endif
        }
    }
    kernel *it = (kernel *)((const char *)distances + distances[level]);
    sink = it(cells, 64);
}

#elif defined LABELS // addresses of labels, as interpreters have them
static int steps(void) {
    unsigned a, b, c, d, low = 0, high;
    int out = 0;
    __cpuid(1, a, b, c, d);
    if (c >> 27 & 1) __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) == 6 && c >> 28 & 1) out++;
    __cpuid_count(7, 0, a, b, c, d);
    if (out && b >> 5 & 1) out++;
    return out;
}
int main(int n, char **v) {
    static const void *const to[] = {&&none, &&avx, &&avx2, &&avx2};
    fill(n);
#ifdef BAD
    goto *to[steps() + 1];
#else
    goto *to[steps()];
#endif
none:
    sink = plain(cells, 64);
    return 0;
avx:
    sink = with_avx(cells, 64);
    return 0;
avx2:
    sink = with_avx2(cells, 64);
    return 0;
}

#elif defined MULTI_BINARY // written in assembler: pointers that are moved under conditions
__asm__(".pushsection .data\n.balign 8\nsum_ptr: .quad sum_first\n.popsection\n"
        ".pushsection .text\n.hidden sum\n.globl sum\nsum: jmp *sum_ptr(%rip)\n"
        "sum_first: push %rdi\n push %rsi\n push %rbx\n push %r12\n sub $8, %rsp\n"
        "lea sum_plain(%rip), %r12\n mov $1, %eax\n cpuid\n"
        "and $0x18000000, %ecx\n cmp $0x18000000, %ecx\n jne 1f\n"
        "xor %ecx, %ecx\n mov $7, %eax\n cpuid\n"
        "lea sum_fast(%rip), %rax\n"
#ifdef BAD // BMI1 for AVX2
        "test $8, %ebx\n"
#else
        "test $32, %ebx\n"
#endif
        "cmovne %rax, %r12\n"
        "xor %ecx, %ecx\n xgetbv\n and $6, %eax\n cmp $6, %eax\n je 1f\n"
        "lea sum_plain(%rip), %r12\n"
        "1: mov %r12, sum_ptr(%rip)\n add $8, %rsp\n pop %r12\n pop %rbx\n pop %rsi\n pop %rdi\n"
        "jmp *sum_ptr(%rip)\n"
        "sum_plain: xor %eax, %eax\n 2: add -4(%rdi,%rsi,4), %eax\n dec %rsi\n jne 2b\n ret\n"
        "sum_fast: vpbroadcastd (%rdi), %ymm0\n vpaddd 32(%rdi), %ymm0, %ymm0\n vmovd %xmm0, %eax\n"
        "vzeroupper\n ret\n.popsection");
extern long sum(const int32_t *at, long count);
int main(int n, char **v) {
    fill(n);
    sink = sum(cells, 64);
    sink = sum(cells, 32);
}

#elif defined REFUSE // the whole program needs it, and says so
static int short_of(const char **what) {
    unsigned a, b, c, d, low, high;
    *what = "AVX2";
    if (__get_cpuid_max(0, 0) < 7) return 1;
    __cpuid(1, a, b, c, d);
    if (!(c & 1 << 27)) return 1;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6) return 1;
    __cpuid_count(7, 0, a, b, c, d);
    return !(b & 1 << 5);
}
int main(int n, char **v) {
    const char *what;
    fill(n);
    if (short_of(&what)) {
        fprintf(stderr, "this CPU lacks %s\n", what);
#ifndef BAD // and goes on
        exit(3);
#endif
    }
    sink = with_avx2(cells, 64);
    sink = with_avx2_max(cells, 64);
}

#elif defined BY_VALUE // a small struct in registers, asked of after, or before, it is filled
struct caps { char os, avx, avx2, spare; float weight; };
NI static struct caps probe(void) {
    struct caps out = {0, 0, 0, 0, 1.f};
    unsigned a, b, c, d, low, high;
    __cpuid(1, a, b, c, d);
    if (c & 1 << 27) {
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        out.os = (low & 6) == 6;
    }
    out.avx = out.os && c & 1 << 28;
    __cpuid_count(7, 0, a, b, c, d);
    out.avx2 = out.avx && b & 1 << 5;
    return out;
}
NI static kernel *best(struct caps it) { return it.avx2 ? with_avx2 : it.avx ? with_avx : plain; }
int main(int n, char **v) {
    struct caps unknown = {1, 1, 1, 0, 0.f}, known;
    fill(n);
#ifdef BAD
    kernel *it = best(unknown);
    known = probe();
#else
    known = probe();
    kernel *it = best(known);
#endif
    sink = it(cells, 64) + (long)known.weight;
}

#elif defined MACRO // a macro that writes a function with its own memory
static int is_there(unsigned leaf, int word, int bit) {
    unsigned r[4], low, high;
    __cpuid(1, r[0], r[1], r[2], r[3]);
    if (!(r[2] >> 27 & 1)) return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6) return 0;
    __cpuid_count(leaf, 0, r[0], r[1], r[2], r[3]);
    return r[word] >> bit & 1;
}
#define DISPATCH(name, fast, leaf, word, bit)                   \
    NI static long name(const int32_t *at, int count) {         \
        static enum { ASK, FAST, SLOW } state;                  \
        if (state == ASK)                                       \
            state = is_there(leaf, word, bit) ? FAST : SLOW;    \
        return state == FAST ? fast(at, count) : plain(at, count); \
    }
DISPATCH(fused, with_fma, 1, 2, 12)
#ifdef BAD // of leaf 1, copied from above
DISPATCH(most, with_avx2_max, 1, 1, 5)
DISPATCH(added, with_avx2, 1, 2, 12)
#else
DISPATCH(most, with_avx2_max, 7, 1, 5)
DISPATCH(added, with_avx2, 7, 1, 5)
#endif
int main(int n, char **v) {
    fill(n);
    sink = fused(cells, 64) + most(cells, 64) + added(cells, 64);
}

#elif defined CLAMPED // what the user wants, no more than what there is
NI static int there(void) {
    unsigned a, b, c, d, low, high;
    __cpuid(1, a, b, c, d);
    if ((c >> 27 & 3) != 3) return 1;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6) return 1;
    __cpuid_count(7, 0, a, b, c, d);
    return b >> 5 & 1 ? 3 : 2;
}
int main(int n, char **v) {
    int wanted = n > 1 ? atoi(v[1]) : 3, has = there(), level;
    fill(n);
#ifdef BAD
    level = wanted > has ? wanted : has;
#else
    level = wanted < has ? wanted : has;
#endif
    switch (level) {
    case 3: sink = with_avx2(cells, 64); break;
    case 2: sink = with_avx(cells, 64); break;
    default: sink = plain(cells, 64);
    }
}

#elif defined COUNTED // a number of rungs, each above the other
static const struct { unsigned leaf; int word; unsigned bit; } rungs[] = {{1, 2, 19}, {1, 2, 20}, {1, 2, 28}, {7, 1, 5}};
static unsigned char level;
__attribute__((constructor)) static void climb(void) {
    unsigned r[4], low, high;
    __cpuid(1, r[0], r[1], r[2], r[3]);
    if (!(r[2] >> 27 & 1)) return;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6) return;
    for (level = 0; level < COUNT(rungs); level++) {
        __cpuid_count(rungs[level].leaf, 0, r[0], r[1], r[2], r[3]);
        if (!(r[rungs[level].word] >> rungs[level].bit & 1)) break;
    }
}
int main(int n, char **v) {
    fill(n);
#ifdef BAD
    if (level >= 3) sink = with_avx2(cells, 64);
#else
    if (level > 3) sink = with_avx2(cells, 64);
#endif
    else sink = plain(cells, 64);
}

#elif defined PACKED // four levels in a byte of two bits each, for four kinds of work
static unsigned char packed;
NI static void pack(void) {
    unsigned a, b, c, d, low = 0, high, sum = 0;
    __cpuid(1, a, b, c, d);
    if (c >> 27 & 1) __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    unsigned avx = c >> 28 & (low & 6) == 6;
    __cpuid_count(7, 0, a, b, c, d);
    unsigned avx2 = avx & b >> 5;
    for (int kind = 0; kind < 4; kind++) sum |= (avx + avx2) << 2 * kind;
    packed = (unsigned char)sum;
}
int main(int n, char **v) {
    fill(n);
    pack();
    int level = packed >> 4 & 3;
#ifdef BAD
    if (level & 3) sink = with_avx2(cells, 64);
#else
    if (level == 2) sink = with_avx2(cells, 64);
#endif
    else sink = plain(cells, 64);
}
#endif
