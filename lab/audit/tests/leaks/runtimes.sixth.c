// Language runtimes, games and what is loaded into them.
#include "sixth.h"

#ifdef OPCODES
// An interpreter whose table of handlers is completed by the CPU's own when it starts.
enum opcode { OP_PUSH, OP_SUM, OP_COUNT, OP_ADD, OP_HALT, OPCODES_LENGTH };
typedef struct vm {
    uint64_t stack[16];
    int top;
    const uint8_t *pc;
    bool running;
} vm;
typedef void handler(vm *);
static void op_push(vm *m) { m->stack[m->top++] = *m->pc++; }
static void op_add(vm *m) {
    m->top--;
    m->stack[m->top - 1] += m->stack[m->top];
}
static void op_halt(vm *m) { m->running = false; }
static void op_sum(vm *m) { m->stack[m->top - 1] = sum_c(text, m->stack[m->top - 1]); }
static void op_sum_avx2(vm *m) { m->stack[m->top - 1] = sum_avx2(text, m->stack[m->top - 1]); }
static void op_count(vm *m) { m->stack[m->top - 1] = count_c(text, 1000, (uint8_t)m->stack[m->top - 1]); }
static void op_count_avx2(vm *m) { m->stack[m->top - 1] = count_avx2(text, 1000, (uint8_t)m->stack[m->top - 1]); }
static handler *handlers[OPCODES_LENGTH] = {op_push, op_sum, op_count, op_add, op_halt};
static void specialize(void) {
    unsigned a, b, c, d;
    __cpuid(1, a, b, c, d);
    bool avx = (c & bit_OSXSAVE) && (c & bit_AVX) && (xcr0() & 6) == 6;
    if (!avx)
        return;
#ifdef BAD
    handlers[OP_COUNT] = op_count_avx2;
#endif
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_AVX2))
        return;
    handlers[OP_SUM] = op_sum_avx2;
    handlers[OP_COUNT] = op_count_avx2;
}
NI static uint64_t interpret(const uint8_t *code) {
    vm m = {.pc = code, .running = true};
    while (m.running)
        handlers[*m.pc++ % OPCODES_LENGTH](&m);
    return m.stack[0];
}
int main(int argc, char **argv) {
    const uint8_t code[] = {OP_PUSH, (uint8_t)(200 + argc), OP_SUM, OP_PUSH, 17, OP_COUNT, OP_ADD, OP_HALT};
    fill(argc);
    specialize();
    printf("%llu\n", (unsigned long long)interpret(code));
}
#endif

#ifdef MODULES
// Modules are probed in order; who can run puts its operations into a table.
struct ops {
    const char *owner;
    block_fn *round;
    mix_fn *multiply;
};
struct module {
    const char *name;
    int (*probe)(const struct module *);
    int (*init)(struct ops *);
};
static struct {
    unsigned ecx, ebx7;
} boot_cpu;
static int probe_generic(const struct module *m) { return 0; }
static int init_generic(struct ops *ops) {
    ops->owner = "generic";
    ops->round = block_c;
    ops->multiply = poly_c;
    return 0;
}
static int probe_aesni(const struct module *m) { return boot_cpu.ecx & bit_AES ? 0 : -19; }
static int init_aesni(struct ops *ops) {
    ops->owner = "aesni";
    ops->round = block_aesni;
    return 0;
}
static int probe_ghash(const struct module *m) {
    if (!(boot_cpu.ecx & bit_PCLMUL)) {
        fprintf(stderr, "%s: no PCLMULQDQ\n", m->name);
        return -19;
    }
    return 0;
}
static int init_ghash(struct ops *ops) {
    ops->multiply = poly_clmul;
    return 0;
}
static const struct module modules[] = {
    {"generic", probe_generic, init_generic},
    {"aesni_intel", probe_aesni, init_aesni},
    {"ghash_clmulni", probe_ghash, init_ghash},
};
NI static int load_modules(struct ops *ops) {
    int loaded = 0;
    for (const struct module *m = modules; m < modules + LENGTH(modules); m++) {
        int error = m->probe(m);
#ifdef BAD
        if (error > 0)
#else
        if (error)
#endif
            continue;
        if (!m->init(ops))
            loaded++;
    }
    return loaded;
}
int main(int argc, char **argv) {
    struct ops ops = {0};
    unsigned a, b, c, d;
    if (__get_cpuid(1, &a, &b, &c, &d))
        boot_cpu.ecx = c;
    fill(argc);
    if (load_modules(&ops) < 1)
        return 1;
    ops.round(text, text + 64);
    printf("%d %d %llx [%s]\n", text[0], text[15], (unsigned long long)ops.multiply(words[3], words[4]), ops.owner);
}
#endif

#ifdef GAME
// A layer under games: one function for each question, and a word for all answers.
#define CPU_HAS_SSE42 (1 << 0)
#define CPU_HAS_AVX (1 << 1)
#define CPU_HAS_AVX2 (1 << 2)
#define CPU_HAS_F16C (1 << 3)
static int CPU_CPUIDFeatures[4];
static int CPU_CPUIDMaxFunction = 0;
static bool CPU_OSSavesYMM = false;
static uint32_t CPUFeatures = 0xFFFFFFFF;
static void calc_features(void) {
    static bool checked = false;
    if (checked)
        return;
    checked = true;
    int a, b, c, d;
    __cpuid(0, a, b, c, d);
    CPU_CPUIDMaxFunction = a;
    if (CPU_CPUIDMaxFunction < 1)
        return;
    __cpuid(1, a, b, c, d);
    CPU_CPUIDFeatures[0] = a;
    CPU_CPUIDFeatures[1] = b;
    CPU_CPUIDFeatures[2] = c;
    CPU_CPUIDFeatures[3] = d;
    if (c & 0x08000000)
        CPU_OSSavesYMM = ((xcr0() & 6) == 6);
}
static int have_avx(void) { return CPU_OSSavesYMM && (CPU_CPUIDFeatures[2] & 0x10000000); }
static int have_f16c(void) { return CPU_OSSavesYMM && (CPU_CPUIDFeatures[2] & 0x20000000); }
static int have_avx2(void) {
    if (CPU_OSSavesYMM && CPU_CPUIDMaxFunction >= 7) {
        int a, b, c, d;
        (void)a;
        __cpuid_count(7, 0, a, b, c, d);
        return b & 0x00000020;
    }
    return 0;
}
static uint32_t GetCPUFeatures(void) {
    if (CPUFeatures == 0xFFFFFFFF) {
        calc_features();
        CPUFeatures = 0;
        if (CPU_CPUIDFeatures[2] & 0x00100000)
            CPUFeatures |= CPU_HAS_SSE42;
        if (have_avx())
            CPUFeatures |= CPU_HAS_AVX;
        if (have_avx2())
            CPUFeatures |= CPU_HAS_AVX2;
        if (have_f16c())
            CPUFeatures |= CPU_HAS_F16C;
    }
    return CPUFeatures;
}
static bool HasAVX(void) { return GetCPUFeatures() & CPU_HAS_AVX; }
static bool HasAVX2(void) { return (GetCPUFeatures() & CPU_HAS_AVX2) ? true : false; }
static bool HasF16C(void) { return GetCPUFeatures() & CPU_HAS_F16C; }
typedef struct {
    float x[8], v[8];
} bodies;
__attribute__((target("avx"))) static void step_avx(bodies *b, float dt) {
    __m256 v = _mm256_loadu_ps(b->v);
    _mm256_storeu_ps(b->x, _mm256_add_ps(_mm256_loadu_ps(b->x), _mm256_mul_ps(v, _mm256_set1_ps(dt))));
}
static void step_scalar(bodies *b, float dt) {
    for (int i = 0; i < 8; i++)
        b->x[i] += b->v[i] * dt;
}
NI static void frame(bodies *b, int number) {
    if (HasAVX())
        step_avx(b, 0.5f);
    else
        step_scalar(b, 0.5f);
#ifdef BAD
    float blend = HasAVX() ? half_f16c(words, number) : half_c(words, number);
#else
    float blend = HasF16C() ? half_f16c(words, number) : half_c(words, number);
#endif
    uint64_t mixed = HasAVX2() ? sum_avx2(text, 100) : sum_c(text, 100);
    printf("frame %d: %g %g %llu\n", number, b->x[number], blend, (unsigned long long)mixed);
}
int main(int argc, char **argv) {
    bodies b;
    fill(argc);
    memcpy(b.x, xs, sizeof b.x);
    memcpy(b.v, ys, sizeof b.v);
    for (int i = 1; i < 4; i++)
        frame(&b, i);
}
#endif

#ifdef AT_EXIT
// Work that is left for the end: a function given to atexit, with what it needs in globals.
static struct {
    sum_fn *digest;
    size_t written;
    uint8_t buffer[256];
} journal;
static void flush_journal(void) {
    if (journal.written)
        printf("journal: %zu bytes, %llu\n", journal.written, (unsigned long long)journal.digest(journal.buffer, journal.written));
}
static void note(const char *what) {
    size_t n = strlen(what);
    if (journal.written + n <= sizeof journal.buffer)
        memcpy(journal.buffer + journal.written, what, n);
    journal.written += n;
}
NI static void journal_open(void) {
    journal.digest = sum_avx2;
#ifdef BAD
    if (!__builtin_cpu_supports("ssse3"))
#else
    if (!__builtin_cpu_supports("avx2"))
#endif
        journal.digest = sum_sse2;
    atexit(flush_journal);
}
int main(int argc, char **argv) {
    journal_open();
    note("start of a program with a journal that is longer than one vector;");
    for (int i = 1; i < argc; i++)
        note(argv[i]);
    puts("done");
}
#endif

#ifdef RESOLVED
// The dynamic linker asks; elsewhere a constructor does.
static sum_fn *resolve_checksum(void) {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512bw"))
        return sum_avx512;
#ifdef BAD
    if (__builtin_cpu_supports("avx"))
#else
    if (__builtin_cpu_supports("avx2"))
#endif
        return sum_avx2;
    return sum_c;
}
#ifdef __GLIBC__
uint64_t checksum(const uint8_t *, size_t) __attribute__((ifunc("resolve_checksum")));
#else
static sum_fn *checksum_impl;
__attribute__((constructor)) static void choose_checksum(void) { checksum_impl = resolve_checksum(); }
static uint64_t checksum(const uint8_t *p, size_t n) { return checksum_impl(p, n); }
#endif
int main(int argc, char **argv) {
    fill(argc);
    printf("%llu\n", (unsigned long long)(checksum(text, 1000) ^ checksum(text + argc, 64)));
}
#endif

#ifdef ENGINE_SLOTS
// A script engine: modules of natives by name, each with slots for forms of rising level.
enum level { LEVEL_BASE, LEVEL_V3, LEVEL_V4, LEVELS };
struct native {
    const char *name;
    union {
        sum_fn *bytes[LEVELS];
        dot_fn *floats[LEVELS];
    } forms;
    char kind;
};
static const struct native math_natives[] = {
    {"dot", {.floats = {dot_c, dot_fma, dot_avx512}}, 'f'},
    {NULL},
};
static const struct native string_natives[] = {
    {"sum", {.bytes = {sum_c, sum_avx2, NULL}}, 'b'},
    {NULL},
};
static const struct {
    const char *module;
    const struct native *natives;
} script_modules[] = {{"math", math_natives}, {"string", string_natives}};
NI static enum level cpu_level(void) {
#ifdef BAD
    if (__builtin_cpu_supports("bmi") && __builtin_cpu_supports("avx"))
#else
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma"))
#endif
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") ? LEVEL_V4 : LEVEL_V3;
    return LEVEL_BASE;
}
static double call(const char *module, const char *name) {
    enum level level = cpu_level();
    for (size_t m = 0; m < LENGTH(script_modules); m++) {
        if (strcmp(script_modules[m].module, module))
            continue;
        for (const struct native *n = script_modules[m].natives; n->name; n++) {
            if (strcmp(n->name, name))
                continue;
            enum level at = level;
            while (at > LEVEL_BASE && !n->forms.bytes[at])
                at--;
            if (n->kind == 'f')
                return n->forms.floats[at](xs, ys, 64);
            return (double)n->forms.bytes[at](text, 600);
        }
    }
    return -1;
}
int main(int argc, char **argv) {
    fill(argc);
    printf("%g %g %g\n", call("math", "dot"), call("string", "sum"), call("string", argc > 1 ? argv[1] : "none"));
}
#endif
