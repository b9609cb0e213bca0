// A compositor's chain of implementations: each has a table of fast paths and a fallback, and puts
// itself in front of the chain if the CPU has what it needs and the environment does not disable it.
#include "ninth.h"
#include <cpuid.h>
#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { OP_NONE, OP_SRC, OP_OVER, OP_ADD } op_t;
typedef enum { FORMAT_ANY, A8, A8R8G8B8 } format_t;
typedef struct implementation implementation_t;
typedef struct {
    uint8_t *dest;
    const uint8_t *src;
    int width, height, dest_stride, src_stride;
} composite_info_t;
typedef void (*composite_func_t)(implementation_t *imp, composite_info_t *info);
typedef struct {
    op_t op;
    format_t format;
    composite_func_t func;
} fast_path_t;
struct implementation {
    implementation_t *toplevel, *fallback;
    const fast_path_t *fast_paths;
    const char *name;
};

static implementation_t *create_implementation(implementation_t *fallback, const fast_path_t *paths, const char *name) {
    implementation_t *imp = calloc(1, sizeof *imp);
    if (!imp) {
        fputs("out of memory\n", stderr);
        exit(3);
    }
    imp->fallback = fallback;
    imp->fast_paths = paths;
    imp->name = name;
    for (implementation_t *d = imp; d; d = d->fallback)
        d->toplevel = imp;
    return imp;
}

static void add_n_8_general(implementation_t *imp, composite_info_t *info) {
    (void)imp;
    for (int y = 0; y < info->height; y++)
        for (int x = 0; x < info->width; x++) {
            int v = info->dest[y * info->dest_stride + x] + info->src[y * info->src_stride + x];
            info->dest[y * info->dest_stride + x] = v > 255 ? 255 : (uint8_t)v;
        }
}
static void src_general(implementation_t *imp, composite_info_t *info) {
    (void)imp;
    for (int y = 0; y < info->height; y++)
        memmove(info->dest + y * info->dest_stride, info->src + y * info->src_stride, (size_t)info->width);
}
static void add_8_8_sse2(implementation_t *imp, composite_info_t *info) {
    (void)imp;
    for (int y = 0; y < info->height; y++) {
        int x = 0;
        for (; x + 16 <= info->width; x += 16) {
            __m128i *d = (__m128i *)(info->dest + y * info->dest_stride + x);
            _mm_storeu_si128(d, _mm_adds_epu8(_mm_loadu_si128(d), _mm_loadu_si128((const __m128i *)(info->src + y * info->src_stride + x))));
        }
        composite_info_t rest = {info->dest + y * info->dest_stride + x, info->src + y * info->src_stride + x, info->width - x, 1, 0, 0};
        add_n_8_general(imp, &rest);
    }
}
__attribute__((target("avx2"))) static void add_8_8_avx2(implementation_t *imp, composite_info_t *info) {
    for (int y = 0; y < info->height; y++) {
        int x = 0;
        for (; x + 32 <= info->width; x += 32) {
            __m256i *d = (__m256i *)(info->dest + y * info->dest_stride + x);
            _mm256_storeu_si256(d, _mm256_adds_epu8(_mm256_loadu_si256(d), _mm256_loadu_si256((const __m256i *)(info->src + y * info->src_stride + x))));
        }
        composite_info_t rest = {info->dest + y * info->dest_stride + x, info->src + y * info->src_stride + x, info->width - x, 1, 0, 0};
        add_n_8_general(imp, &rest);
    }
}
static const fast_path_t general_paths[] = {{OP_SRC, FORMAT_ANY, src_general}, {OP_ADD, A8, add_n_8_general}, {OP_NONE}};
static const fast_path_t sse2_paths[] = {{OP_ADD, A8, add_8_8_sse2}, {OP_NONE}};
static const fast_path_t avx2_paths[] = {{OP_ADD, A8, add_8_8_avx2}, {OP_NONE}};

typedef enum { X86_SSE = 1 << 0, X86_SSE2 = 1 << 1, X86_SSSE3 = 1 << 2, X86_AVX = 1 << 3, X86_AVX2 = 1 << 4 } cpu_features_t;
static cpu_features_t detect_cpu_features(void) {
    unsigned a, b, c, d, features = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return 0;
    if (d & (1 << 25))
        features |= X86_SSE;
    if (d & (1 << 26))
        features |= X86_SSE2;
    if (c & (1 << 9))
        features |= X86_SSSE3;
    if (c & (1 << 27)) {
        unsigned lo, hi;
        __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
        if ((lo & 6) == 6 && (c & (1 << 28))) {
            features |= X86_AVX;
            if (__get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1 << 5)))
                features |= X86_AVX2;
        }
    }
    return features;
}
static bool have_feature(cpu_features_t feature) {
    static bool initialized;
    static cpu_features_t features;
    if (!initialized) {
        features = detect_cpu_features();
        initialized = true;
    }
    return (features & feature) == feature;
}
static bool disabled(const char *name) {
    const char *env = getenv("PIXMAN_DISABLE");
    size_t length = strlen(name);
    while (env) {
        env += strspn(env, " ");
        const char *end = strchr(env, ' ');
        size_t n = end ? (size_t)(end - env) : strlen(env);
        if (n == length && !strncmp(env, name, n)) {
            printf("pixman: Disabled %s implementation\n", name);
            return true;
        }
        env = end;
    }
    return false;
}
static implementation_t *x86_get_implementations(implementation_t *imp) {
#define SSE2_BITS (X86_SSE | X86_SSE2)
#ifdef BAD
#define AVX2_BITS (X86_SSE | X86_SSE2 | X86_SSSE3)
#else
#define AVX2_BITS (X86_SSE | X86_SSE2 | X86_SSSE3 | X86_AVX | X86_AVX2)
#endif
    if (!disabled("sse2") && have_feature(SSE2_BITS))
        imp = create_implementation(imp, sse2_paths, "sse2");
    if (!disabled("avx2") && have_feature(AVX2_BITS))
        imp = create_implementation(imp, avx2_paths, "avx2");
    return imp;
}
static implementation_t *choose_implementation(void) {
    implementation_t *imp = create_implementation(NULL, general_paths, "general");
    return x86_get_implementations(imp);
}
static implementation_t *global_implementation;
static inline implementation_t *get_implementation(void) {
    if (!global_implementation)
        global_implementation = choose_implementation();
    return global_implementation;
}
static bool lookup_composite(implementation_t *toplevel, op_t op, format_t format, implementation_t **out_imp, composite_func_t *out_func) {
    static struct {
        op_t op;
        format_t format;
        implementation_t *imp;
        composite_func_t func;
    } cache[4];
    for (int i = 0; i < 4; i++)
        if (cache[i].func && cache[i].op == op && cache[i].format == format) {
            *out_imp = cache[i].imp;
            *out_func = cache[i].func;
            return true;
        }
    for (implementation_t *imp = toplevel; imp; imp = imp->fallback)
        for (const fast_path_t *info = imp->fast_paths; info->op != OP_NONE; info++)
            if (info->op == op && (info->format == format || info->format == FORMAT_ANY)) {
                *out_imp = imp;
                *out_func = info->func;
                memmove(&cache[1], &cache[0], 3 * sizeof cache[0]);
                cache[0].op = op, cache[0].format = format, cache[0].imp = imp, cache[0].func = info->func;
                return true;
            }
    return false;
}
static bool composite(op_t op, format_t format, composite_info_t *info) {
    implementation_t *imp;
    composite_func_t func;
    if (!lookup_composite(get_implementation(), op, format, &imp, &func))
        return false;
    func(imp, info);
    return true;
}
int main(int argc, char **argv) {
    int width = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) % 200 + 1 : 77, height = 9;
    uint8_t *src = malloc((size_t)(width * height)), *dest = calloc((size_t)width, (size_t)height);
    if (!src || !dest)
        return 3;
    for (int i = 0; i < width * height; i++)
        src[i] = (uint8_t)(i * 31);
    composite_info_t info = {dest, src, width, height, width, width};
    bool ok = composite(OP_SRC, A8, &info) && composite(OP_ADD, A8, &info) && composite(OP_ADD, A8, &info);
    unsigned sum = 0;
    for (int i = 0; i < width * height; i++) {
        int want = 3 * src[i] > 255 ? 255 : 3 * src[i];
        if (dest[i] != want)
            return 1;
        sum += dest[i];
    }
    printf("%d %u, %s\n", ok, sum, composite(OP_OVER, A8R8G8B8, &info) ? "over" : "no path for over");
    free(src);
    free(dest);
    return 0;
}
