// What the system and the compiler say of the CPU, and other ways to ask.
#include "sixth.h"
#include <ctype.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/auxv.h>
#include <threads.h>

#ifdef CPUINFO_FILE
// The flags of /proc/cpuinfo; cpuid has the last word.
NI static bool flag_in_file(const char *flag) {
    char line[8192];
    bool found = false;
    FILE *f = fopen("/proc/cpuinfo", "r");
    if (!f)
        return false;
    while (!found && fgets(line, sizeof line, f)) {
        if (strncmp(line, "flags", 5))
            continue;
        char *save, *colon = strchr(line, ':');
        for (char *word = colon ? strtok_r(colon + 1, " \t\n", &save) : NULL; word; word = strtok_r(NULL, " \t\n", &save))
            if (!strcmp(word, flag))
                found = true;
        break;
    }
    fclose(f);
    return found;
}
int main(int argc, char **argv) {
    fill(argc);
    sum_fn *sum = sum_c;
#ifdef BAD
    if (flag_in_file("sse4_2"))
#else
    if (flag_in_file("avx2") && __builtin_cpu_supports("avx2"))
#endif
        sum = sum_avx2;
    printf("%llu\n", (unsigned long long)sum(text, 900));
}
#endif

#ifdef AUXILIARY
// The auxiliary vector, as a file, which on x86 says only what all have.
enum { F_FPU = 1, F_SIMD = 2, F_WIDE = 4 };
static unsigned long auxiliary(unsigned long what) {
    unsigned long pair[2], out = 0;
    FILE *f = fopen("/proc/self/auxv", "rb");
    if (!f)
        return getauxval(what);
    while (fread(pair, sizeof pair, 1, f) == 1 && pair[0] != AT_NULL)
        if (pair[0] == what)
            out = pair[1];
    fclose(f);
    return out;
}
NI static unsigned features_of_system(void) {
    unsigned out = 0;
    unsigned long hwcap = auxiliary(AT_HWCAP);
    if (hwcap & 1)
        out |= F_FPU;
    if (hwcap & 1ul << 26)
        out |= F_SIMD;
#ifdef BAD
    // There bit 25 is SSE and 26 SSE2; AVX is in a register that is not handed over.
    if (hwcap & 1ul << 25)
        out |= F_WIDE;
#else
    unsigned a, b, c, d;
    if (out & F_SIMD && __get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE && c & bit_AVX && (xcr0() & 6) == 6)
        out |= F_WIDE;
#endif
    return out;
}
int main(int argc, char **argv) {
    fill(argc);
    unsigned features = features_of_system();
    dot_fn *dot = features & F_WIDE ? dot_avx : features & F_SIMD ? dot_sse : dot_c;
    printf("%g\n", dot(xs, ys, 32 * argc));
}
#endif

#ifdef CLONED
// The compiler makes the forms and asks; where it cannot, there is one form.
#ifdef __GLIBC__
#define CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CLONES NI
#endif
CLONES static void brighten(uint8_t *p, uint8_t by) {
    for (int i = 0; i < 1024; i++)
        p[i] = (uint8_t)(p[i] + by);
}
int main(int argc, char **argv) {
    fill(argc);
    brighten(text, (uint8_t)(20 + argc));
    uint64_t sum = 0;
    for (int i = 0; i < 1024; i++)
        sum += text[i];
    printf("%llu\n", (unsigned long long)sum);
}
#endif

#ifdef VARIADIC
// Implementations are handed over as a list of arguments that ends by NULL.
enum { NEED_AVX = 1, NEED_AVX2 = 2, NEED_FMA = 4 };
static int features;
NI static dot_fn *pick(dot_fn *fallback, ...) {
    va_list list;
    const char *name;
    dot_fn *best = fallback;
    va_start(list, fallback);
    while ((name = va_arg(list, const char *))) {
        int needs = va_arg(list, int);
        dot_fn *fn = va_arg(list, dot_fn *);
#ifdef BAD
        if (needs & features)
#else
        if ((needs & features) == needs)
#endif
            best = fn;
    }
    va_end(list);
    return best;
}
int main(int argc, char **argv) {
    fill(argc);
    features = __builtin_cpu_supports("avx") ? NEED_AVX : 0;
    features |= __builtin_cpu_supports("avx2") ? NEED_AVX2 : 0;
    features |= __builtin_cpu_supports("fma") ? NEED_FMA : 0;
    dot_fn *dot = pick(dot_sse, "avx", NEED_AVX, dot_avx, "haswell", NEED_AVX2 | NEED_FMA, dot_fma, (char *)NULL);
    printf("%g\n", dot(xs, ys, 96));
}
#endif

#ifdef SCORED
// Answers are added up, and the sum is an index.
static sum_fn *const forms[] = {sum_c, sum_sse2, sum_sse2, sum_avx2};
NI static int score(void) {
    int sse42 = __builtin_cpu_supports("sse4.2") != 0, avx = __builtin_cpu_supports("avx") != 0;
#ifdef BAD
    int last = __builtin_cpu_supports("fma") != 0 || __builtin_cpu_supports("avx2") != 0;
#else
    int last = __builtin_cpu_supports("avx2") != 0;
#endif
    return sse42 + (sse42 && avx) + (sse42 && avx && last);
}
int main(int argc, char **argv) {
    fill(argc);
    int index = score();
    printf("%llu [%d]\n", (unsigned long long)forms[index](text, 512 + (size_t)argc), index);
}
#endif

#ifdef ONCE_C11
// call_once of C11, and answers in a structure of bit-fields.
static once_flag asked = ONCE_FLAG_INIT;
static union {
    uint32_t all[2];
    struct {
        unsigned : 1, pclmul : 1, : 10, fma : 1, : 9, movbe : 1, : 2, aes : 1, : 1, osxsave : 1, avx : 1, f16c : 1, : 2;
        unsigned : 3, bmi1 : 1, : 1, avx2 : 1, : 2, bmi2 : 1, : 20, sha : 1, : 2;
    } bits;
} cpu;
static void ask(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return;
    cpu.all[0] = c;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d))
        cpu.all[1] = b;
}
#define CPU(name) (call_once(&asked, ask), cpu.bits.name)
NI static uint64_t read_header(const uint8_t *p, size_t n) {
#ifdef BAD
    if (CPU(aes))
#else
    if (CPU(movbe))
#endif
        return load_movbe(p, n);
    return load_c(p, n);
}
int main(int argc, char **argv) {
    uint32_t w[8];
    fill(argc);
    memcpy(w, words, sizeof w);
    (CPU(sha) ? sched_sha : sched_c)(w);
    printf("%016llx %08x\n", (unsigned long long)read_header(text, 64), w[3]);
}
#endif

#ifdef TRIED
// An instruction is tried, and a signal says that it is not there.
static sigjmp_buf back;
static void on_sigill(int signal) { siglongjmp(back, signal); }
NI static bool can_run(void (*what)(void)) {
    struct sigaction action = {.sa_handler = on_sigill}, old;
    bool can = false;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGILL, &action, &old))
        return false;
    if (!sigsetjmp(back, 1)) {
        what();
        can = true;
    }
    sigaction(SIGILL, &old, NULL);
    return can;
}
static void try_bmi2(void) {
    uint64_t x = 5;
    __asm__ volatile("pdep %0, %0, %0" : "+r"(x));
}
int main(int argc, char **argv) {
    fill(argc);
    mix_fn *spread = can_run(try_bmi2) ? deposit_bmi2 : deposit_c;
    printf("%llx\n", (unsigned long long)spread(words[1], 0x5555555555555555));
}
#endif

#ifdef NEWER_CRYPTO
// New extensions of old ones: VAES and SHA are asked for by themselves, or are not.
struct crypto_caps {
    bool aes, avx2, vaes, sha;
};
NI static struct crypto_caps caps(void) {
    struct crypto_caps out = {0};
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return out;
    out.aes = c & bit_AES;
    bool ymm = (c & bit_OSXSAVE) && (c & bit_AVX) && (xcr0() & 6) == 6;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return out;
    out.avx2 = ymm && (b & bit_AVX2);
    out.vaes = ymm && (c & 1u << 9);
    out.sha = b & bit_SHA;
    return out;
}
int main(int argc, char **argv) {
    uint32_t w[8];
    fill(argc);
    memcpy(w, words, sizeof w);
    const struct crypto_caps cpu = caps();
#ifdef BAD
    if (cpu.aes && cpu.avx2)
#else
    if (cpu.aes && cpu.avx2 && cpu.vaes)
#endif
        pair_vaes(text, text + 100);
    else if (cpu.aes)
        block_aesni(text, text + 100), block_aesni(text + 16, text + 116);
    else
        pair_c(text, text + 100);
    if (cpu.sha)
        sched_sha(w);
    else
        sched_c(w);
    printf("%d %d %08x\n", text[0], text[31], w[0]);
}
#endif

#ifdef XGETBV_FIRST
// The state of the registers before anything else.
NI static bool avx_enabled(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return false;
#ifdef BAD
    // Where there is no XGETBV this ends the program.
    return (xcr0() & 6) == 6 && (c & bit_AVX);
#else
    return (c & bit_XSAVE) && (c & bit_OSXSAVE) && (xcr0() & 6) == 6 && (c & bit_AVX);
#endif
}
int main(int argc, char **argv) {
    fill(argc);
    if (avx_enabled())
        axpy_avx(ys, xs, 4, 64);
    else
        axpy_c(ys, xs, 4, 64);
    printf("%g\n", ys[12] + ys[40]);
}
#endif
