// Objects, modules and libraries that pick among forms.
#include "seventh.h"

#ifdef OBJECT_CLASSES
// Objects with classes that are made when their type is first used; a class overrides its parent's functions.
typedef struct TypeInfo TypeInfo;
typedef struct {
    const TypeInfo *type;
    bool (*is_available)(void);
    unsigned (*transform)(const uint8_t *, const uint8_t *, size_t);
    void (*finalize)(void *self);
} FilterClass;
typedef struct {
    const FilterClass *klass;
    unsigned refs, frames;
} Filter;
struct TypeInfo {
    const char *name;
    TypeInfo *parent;
    void (*class_init)(FilterClass *);
    FilterClass *klass;
    int rank;
};
static bool filter_is_available(void) { return true; }
static void filter_finalize(void *self) { free(self); }
static void filter_class_init(FilterClass *klass) {
    klass->is_available = filter_is_available;
    klass->transform = sad_plain;
    klass->finalize = filter_finalize;
}
static void sse_filter_class_init(FilterClass *klass) { klass->transform = sad_sse2; }
static bool avx2_filter_is_available(void) { return __builtin_cpu_supports("avx2"); }
static void avx2_filter_class_init(FilterClass *klass) {
    klass->transform = sad_avx2;
#ifndef BAD
    klass->is_available = avx2_filter_is_available;
#endif
}
static bool avx512_filter_is_available(void) { return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"); }
static void avx512_filter_class_init(FilterClass *klass) {
    klass->transform = sad_avx512;
    klass->is_available = avx512_filter_is_available;
}
static TypeInfo filter_type = {"Filter", NULL, filter_class_init, NULL, 0};
static TypeInfo sse_filter_type = {"SseFilter", &filter_type, sse_filter_class_init, NULL, 10};
static TypeInfo avx2_filter_type = {"Avx2Filter", &sse_filter_type, avx2_filter_class_init, NULL, 20};
static TypeInfo avx512_filter_type = {"Avx512Filter", &avx2_filter_type, avx512_filter_class_init, NULL, 30};
static TypeInfo *const types[] = {&filter_type, &avx512_filter_type, &sse_filter_type, &avx2_filter_type};
KEEP static FilterClass *type_class_ref(TypeInfo *type) {
    if (type->klass)
        return type->klass;
    FilterClass *klass = calloc(1, sizeof *klass);
    if (!klass)
        abort();
    if (type->parent)
        *klass = *type_class_ref(type->parent);
    klass->type = type;
    type->class_init(klass);
    return type->klass = klass;
}
static Filter *filter_new(TypeInfo *type) {
    Filter *self = calloc(1, sizeof *self);
    if (self) {
        self->klass = type_class_ref(type);
        self->refs = 1;
    }
    return self;
}
static unsigned filter_transform(Filter *self, const uint8_t *a, const uint8_t *b, size_t n) {
    self->frames++;
    return self->klass->transform(a, b, n);
}
static void filter_unref(Filter *self) {
    if (!--self->refs)
        self->klass->finalize(self);
}
static Filter *filter_new_best(const char *name) {
    TypeInfo *best = NULL;
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        if (name && strcmp(types[i]->name, name))
            continue;
        if (!type_class_ref(types[i])->is_available())
            continue;
        if (!best || types[i]->rank > best->rank)
            best = types[i];
    }
    return best ? filter_new(best) : NULL;
}
int main(int argc, char **argv) {
    make_data(1);
    __builtin_cpu_init();
    Filter *f = filter_new_best(argc > 1 ? argv[1] : NULL);
    if (!f) {
        fprintf(stderr, "no such filter\n");
        return 3;
    }
    unsigned total = 0;
    for (size_t at = 0; at < 2048; at += 512)
        total += filter_transform(f, bytes + at, other + at, 480);
    printf("%u frames, %u\n", f->frames, total);
    filter_unref(f);
}
#endif

#ifdef CHOSEN_BY_OPTION
// --impl names a form, or the configuration does; a form that the CPU lacks is refused.
struct impl {
    const char *name, *needs;
    int (*supported)(void);
    find_t *find;
};
static int always(void) { return 1; }
static int has_avx2(void) { return __builtin_cpu_supports("avx2"); }
static int has_avx512bw(void) { return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512f"); }
static const struct impl impls[] = {
    {"scalar", "nothing", always, find_plain},
    {"avx2", "AVX2", has_avx2, find_avx2},
    {"avx512", "AVX-512BW", has_avx512bw, find_avx512},
};
enum impl_error { IMPL_OK, IMPL_UNKNOWN, IMPL_UNSUPPORTED };
struct options {
    const char *impl;
    int verbose, list;
    unsigned char needle;
};
static enum impl_error impl_by_name(const char *name, const struct impl **out) {
    for (size_t i = 0; i < COUNT_OF(impls); i++)
        if (!strcmp(impls[i].name, name)) {
            *out = impls + i;
            return impls[i].supported() ? IMPL_OK : IMPL_UNSUPPORTED;
        }
    return IMPL_UNKNOWN;
}
static const struct impl *impl_best(void) {
    for (size_t i = COUNT_OF(impls); i-- > 0;)
        if (impls[i].supported())
            return impls + i;
    return impls;
}
static char *config_value(const char *config, const char *key) {
    size_t n = strlen(key);
    for (const char *line = config; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (!strncmp(line, key, n) && line[n] == '=')
            return strndup(line + n + 1, strcspn(line + n + 1, "\n"));
    return NULL;
}
static const char default_config[] = "# defaults\nneedle=42\nimpl=avx2\nverbose=0\n";
static int parse(int argc, char **argv, struct options *o) {
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-v"))
            o->verbose = 1;
        else if (!strcmp(argv[i], "--list"))
            o->list = 1;
        else if (!strncmp(argv[i], "--impl=", 7))
            o->impl = argv[i] + 7;
        else
            return -1;
    }
    return 0;
}
KEEP static const struct impl *choose(const struct options *o, const char *configured) {
    const struct impl *it = NULL;
    if (o->impl && strcmp(o->impl, "auto")) {
        switch (impl_by_name(o->impl, &it)) {
        case IMPL_OK:
            return it;
        case IMPL_UNKNOWN:
            fprintf(stderr, "unknown implementation '%s'\n", o->impl);
            return NULL;
        case IMPL_UNSUPPORTED:
            fprintf(stderr, "'%s' needs %s\n", it->name, it->needs);
            return NULL;
        }
    }
#ifdef BAD
    if (!o->impl && configured && impl_by_name(configured, &it) != IMPL_UNKNOWN)
#else
    if (!o->impl && configured && impl_by_name(configured, &it) == IMPL_OK)
#endif
        return it;
    return impl_best();
}
int main(int argc, char **argv) {
    struct options o = {NULL};
    if (parse(argc, argv, &o) != 0) {
        fprintf(stderr, "usage: %s [-v] [--list] [--impl=NAME]\n", argv[0]);
        return 3;
    }
    __builtin_cpu_init();
    if (o.list) {
        for (size_t i = 0; i < COUNT_OF(impls); i++)
            printf("%-8s %s\n", impls[i].name, impls[i].supported() ? "yes" : "no");
        return 0;
    }
    char *configured = config_value(default_config, "impl"), *needle = config_value(default_config, "needle");
    o.needle = needle ? (unsigned char)atoi(needle) : 0;
    make_data(1);
    const struct impl *it = choose(&o, configured);
    if (it) {
        if (o.verbose)
            fprintf(stderr, "using %s\n", it->name);
        for (size_t at = 0; at < sizeof bytes; at++) {
            at += it->find(bytes + at, sizeof bytes - at, o.needle);
            if (at < sizeof bytes)
                printf("%zu ", at);
        }
        puts("");
    }
    free(configured);
    free(needle);
    return it ? 0 : 3;
}
#endif

#ifdef LIBRARY_RESOLVERS
// A library of strings whose functions the loader resolves, from features found on the way.
struct cpu_features {
    unsigned cpuid[2][4];
    unsigned usable;
    int initialized;
};
enum { USABLE_AVX2 = 1, USABLE_BMI2 = 2, USABLE_AVX512BW = 4, PREFER_NO_AVX512 = 8 };
__attribute__((always_inline)) static inline unsigned init_cpu_features(void) {
    unsigned a, b, c, d, most, usable = 0, low, high;
    __cpuid(0, most, b, c, d);
    __cpuid(1, a, b, c, d);
    if (!(c & (1u << 27)) || most < 7)
        return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    __cpuid_count(7, 0, a, b, c, d);
    if ((low & 6) == 6 && (b & (1u << 5)))
        usable |= USABLE_AVX2;
    if (b & (1u << 8))
        usable |= USABLE_BMI2;
    if ((low & 0xe6) == 0xe6 && (b & (1u << 16)) && (b & (1u << 30)))
        usable |= USABLE_AVX512BW;
    return usable;
}
#define CPU_USABLE(f) (usable & USABLE_##f)
static find_t *select_memchr(void) {
    const unsigned usable = init_cpu_features();
    if (CPU_USABLE(AVX2)) {
        if (CPU_USABLE(AVX512BW) && CPU_USABLE(BMI2))
            return find_avx512;
        return find_avx2;
    }
    return find_plain;
}
static sad_t *select_memcmp(void) {
    const unsigned usable = init_cpu_features();
#ifdef BAD
    if (CPU_USABLE(AVX2) && CPU_USABLE(BMI2))
        return sad_avx512;
#else
    if (CPU_USABLE(AVX512BW) && CPU_USABLE(BMI2))
        return sad_avx512;
#endif
    if (CPU_USABLE(AVX2))
        return sad_avx2;
    return sad_sse2;
}
size_t fast_memchr(const uint8_t *, size_t, uint8_t) __attribute__((ifunc("select_memchr")));
unsigned fast_memcmp(const uint8_t *, const uint8_t *, size_t) __attribute__((ifunc("select_memcmp")));
struct line {
    const uint8_t *start;
    size_t len;
};
static size_t split(const uint8_t *p, size_t n, uint8_t at, struct line **out) {
    size_t used = 0, room = 0;
    *out = NULL;
    while (n) {
        size_t len = fast_memchr(p, n, at);
        if (used == room) {
            room = room ? room * 2 : 4;
            struct line *more = realloc(*out, room * sizeof **out);
            if (!more) {
                free(*out);
                *out = NULL;
                return 0;
            }
            *out = more;
        }
        (*out)[used++] = (struct line){p, len};
        len += len < n;
        p += len, n -= len;
    }
    return used;
}
int main(int argc, char **argv) {
    make_data((unsigned)argc);
    struct line *lines;
    size_t n = split(bytes, sizeof bytes, '\n', &lines);
    if (!lines)
        return 3;
    for (size_t i = 0; i < n; i++)
        printf("%zu: %zu bytes, %u\n", i, lines[i].len, fast_memcmp(lines[i].start, other, lines[i].len));
    free(lines);
}
#endif

#ifdef ALGORITHMS
// Modules register algorithms with priorities if the CPU matches; who asks for a name gets the best.
struct crypto_alg {
    const char *name, *driver;
    int priority;
    cipher_t *encrypt;
    schedule_t *update;
    struct crypto_alg *next;
};
static struct crypto_alg *alg_list;
static int crypto_register_alg(struct crypto_alg *alg) {
    for (struct crypto_alg *q = alg_list; q; q = q->next)
        if (!strcmp(q->driver, alg->driver))
            return -EEXIST;
    alg->next = alg_list;
    alg_list = alg;
    return 0;
}
#define X86_FEATURE(word, bit) ((word)*32 + (bit))
#define X86_FEATURE_AES X86_FEATURE(4, 25)
#define X86_FEATURE_OSXSAVE X86_FEATURE(4, 27)
#define X86_FEATURE_AVX2 X86_FEATURE(9, 5)
#define X86_FEATURE_SHA_NI X86_FEATURE(9, 29)
#define X86_FEATURE_VAES X86_FEATURE(16, 9)
static uint32_t x86_capability[17];
__attribute__((constructor(101))) static void early_identify_cpu(void) {
    unsigned a, b, c, d, most;
    __cpuid(0, most, b, c, d);
    __cpuid(1, a, b, x86_capability[4], x86_capability[0]);
    if (most >= 7)
        __cpuid_count(7, 0, a, x86_capability[9], x86_capability[16], d);
    if (!(x86_capability[4] >> 27 & 1) || (read_xcr(0) & 6) != 6) {
        x86_capability[9] &= ~(1u << 5);
        x86_capability[16] &= ~(1u << 9);
    }
}
static inline bool boot_cpu_has(unsigned bit) { return x86_capability[bit / 32] >> (bit % 32) & 1; }
static struct crypto_alg generic_algs[] = {{"aes", "aes-generic", 100, cipher_plain, NULL}, {"sha256", "sha256-generic", 100, NULL, schedule_plain}};
static int generic_init(void) {
    int err = crypto_register_alg(generic_algs);
    return err ? err : crypto_register_alg(generic_algs + 1);
}
static struct crypto_alg aesni_alg = {"aes", "aes-aesni", 300, cipher_aesni, NULL}, vaes_alg = {"aes", "aes-vaes-avx2", 600, cipher_vaes, NULL};
static int aesni_init(void) {
    if (!boot_cpu_has(X86_FEATURE_AES))
        return -ENODEV;
    int err = crypto_register_alg(&aesni_alg);
    if (err)
        return err;
    if (boot_cpu_has(X86_FEATURE_VAES) && boot_cpu_has(X86_FEATURE_AVX2))
        err = crypto_register_alg(&vaes_alg);
    return err;
}
static struct crypto_alg sha_ni_alg = {"sha256", "sha256-ni", 250, NULL, schedule_ni};
static int sha_ni_init(void) {
#ifndef BAD
    if (!boot_cpu_has(X86_FEATURE_SHA_NI))
        return -ENODEV;
#endif
    return crypto_register_alg(&sha_ni_alg);
}
typedef int (*initcall_t)(void);
#define module_init(fn) static initcall_t __initcall_##fn __attribute__((used, section("initcalls"))) = fn;
module_init(generic_init)
module_init(aesni_init)
module_init(sha_ni_init)
extern initcall_t __start_initcalls[], __stop_initcalls[];
KEEP static struct crypto_alg *crypto_alg_lookup(const char *name) {
    struct crypto_alg *best = NULL;
    for (struct crypto_alg *q = alg_list; q; q = q->next)
        if ((!strcmp(q->name, name) || !strcmp(q->driver, name)) && (!best || q->priority > best->priority))
            best = q;
    return best;
}
int main(int argc, char **argv) {
    make_data(1);
    for (initcall_t *fn = __start_initcalls; fn < __stop_initcalls; fn++) {
        int err = (*fn)();
        if (err && err != -ENODEV)
            return 3;
    }
    struct crypto_alg *aes = crypto_alg_lookup(argc > 1 ? argv[1] : "aes"), *sha = crypto_alg_lookup(argc > 2 ? argv[2] : "sha256");
    if (!aes || !sha || !aes->encrypt || !sha->update) {
        fprintf(stderr, "alg: %s\n", strerror(ENOENT));
        return 3;
    }
    uint32_t w[8];
    memcpy(w, bytes, sizeof w);
    for (int i = 0; i < 4; i++) {
        aes->encrypt(bytes, other);
        sha->update(w);
    }
    printf("%02x%02x%02x%02x %08x %08x\n", bytes[0], bytes[1], bytes[2], bytes[3], w[0], w[3]);
}
#endif
