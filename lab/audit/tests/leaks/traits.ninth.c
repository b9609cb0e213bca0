// An inference engine's CPU backend: "has" functions look in a struct that one guarded start fills,
// a table of traits by type gets its products from them, and a small graph is computed.
#include "ninth.h"
#include <immintrin.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum ggml_type { TYPE_F32, TYPE_I8, TYPE_COUNT };
enum ggml_op { OP_NONE, OP_ADD, OP_MUL_MAT, OP_SCALE };
typedef void (*vec_dot_t)(int n, float *s, const void *x, const void *y);
struct type_traits_cpu {
    vec_dot_t vec_dot;
    size_t size;
    const char *name;
};
static struct {
    int has_avx, has_avx2, has_fma, has_f16c, has_avx512;
} features;
static struct type_traits_cpu traits[TYPE_COUNT];

static void vec_dot_f32(int n, float *s, const void *vx, const void *vy) {
    const float *x = vx, *y = vy;
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    *s = sum;
}
__attribute__((target("avx,fma"))) static void vec_dot_f32_fma(int n, float *s, const void *vx, const void *vy) {
    const float *x = vx, *y = vy;
    __m256 acc = _mm256_setzero_ps();
    int i = 0;
    for (; i + 8 <= n; i += 8)
        acc = _mm256_fmadd_ps(_mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i), acc);
    __m128 q = _mm_add_ps(_mm256_castps256_ps128(acc), _mm256_extractf128_ps(acc, 1));
    q = _mm_hadd_ps(q, q);
    float sum = _mm_cvtss_f32(_mm_hadd_ps(q, q));
    for (; i < n; i++)
        sum += x[i] * y[i];
    *s = sum;
}
static void vec_dot_i8(int n, float *s, const void *vx, const void *vy) {
    const int8_t *x = vx, *y = vy;
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    *s = (float)sum;
}
__attribute__((target("avx2"))) static void vec_dot_i8_avx2(int n, float *s, const void *vx, const void *vy) {
    const int8_t *x = vx, *y = vy;
    __m256i acc = _mm256_setzero_si256();
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m256i a = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(x + i)));
        __m256i b = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(y + i)));
        acc = _mm256_add_epi32(acc, _mm256_madd_epi16(a, b));
    }
    int parts[8], sum = 0;
    _mm256_storeu_si256((__m256i *)parts, acc);
    for (int j = 0; j < 8; j++)
        sum += parts[j];
    for (; i < n; i++)
        sum += x[i] * y[i];
    *s = (float)sum;
}

static atomic_flag barrier = ATOMIC_FLAG_INIT;
static void critical_section_start(void) {
    while (atomic_flag_test_and_set(&barrier))
        _mm_pause();
}
static void critical_section_end(void) { atomic_flag_clear(&barrier); }
int cpu_has_avx(void) { return features.has_avx; }
int cpu_has_avx2(void) { return features.has_avx2; }
int cpu_has_fma(void) { return features.has_fma; }

void ggml_cpu_init(void) {
    critical_section_start();
    static bool is_first_call = true;
    if (is_first_call) {
        __builtin_cpu_init();
        features.has_avx = !!__builtin_cpu_supports("avx");
        features.has_avx2 = !!__builtin_cpu_supports("avx2");
        features.has_fma = !!__builtin_cpu_supports("fma");
        features.has_avx512 = !!__builtin_cpu_supports("avx512f");
        traits[TYPE_F32] = (struct type_traits_cpu){vec_dot_f32, 4, "f32"};
        traits[TYPE_I8] = (struct type_traits_cpu){vec_dot_i8, 1, "i8"};
#ifdef BAD
        // One question for both.
        if (cpu_has_avx() && cpu_has_fma()) {
            traits[TYPE_F32].vec_dot = vec_dot_f32_fma;
            traits[TYPE_I8].vec_dot = vec_dot_i8_avx2;
        }
#else
        if (cpu_has_avx() && cpu_has_fma())
            traits[TYPE_F32].vec_dot = vec_dot_f32_fma;
        if (cpu_has_avx2())
            traits[TYPE_I8].vec_dot = vec_dot_i8_avx2;
#endif
        is_first_call = false;
    }
    critical_section_end();
}

struct tensor {
    enum ggml_type type;
    enum ggml_op op;
    int ne[2];
    float scale;
    struct tensor *src[2];
    void *data;
};
struct graph {
    int n_nodes;
    struct tensor *nodes[8];
};
static struct tensor *new_tensor(enum ggml_type type, int ne0, int ne1) {
    struct tensor *t = calloc(1, sizeof *t);
    if (!t || !(t->data = calloc((size_t)ne0 * (size_t)ne1, traits[type].size))) {
        fprintf(stderr, "out of memory for a %s\n", traits[type].name);
        exit(3);
    }
    t->type = type;
    t->ne[0] = ne0;
    t->ne[1] = ne1;
    return t;
}
static struct tensor *mul_mat(struct graph *g, struct tensor *a, struct tensor *b) {
    struct tensor *t = new_tensor(TYPE_F32, a->ne[1], b->ne[1]);
    t->op = OP_MUL_MAT;
    t->src[0] = a;
    t->src[1] = b;
    return g->nodes[g->n_nodes++] = t;
}
static struct tensor *scale(struct graph *g, struct tensor *a, float by) {
    struct tensor *t = new_tensor(TYPE_F32, a->ne[0], a->ne[1]);
    t->op = OP_SCALE;
    t->src[0] = a;
    t->scale = by;
    return g->nodes[g->n_nodes++] = t;
}
static void compute_mul_mat(struct tensor *t) {
    const struct tensor *a = t->src[0], *b = t->src[1];
    const struct type_traits_cpu *tr = &traits[a->type];
    for (int j = 0; j < b->ne[1]; j++)
        for (int i = 0; i < a->ne[1]; i++)
            tr->vec_dot(a->ne[0], (float *)t->data + j * t->ne[0] + i, (char *)a->data + (size_t)(i * a->ne[0]) * tr->size, (char *)b->data + (size_t)(j * b->ne[0]) * tr->size);
}
static int graph_compute(struct graph *g) {
    for (int n = 0; n < g->n_nodes; n++) {
        struct tensor *t = g->nodes[n];
        switch (t->op) {
        case OP_MUL_MAT:
            compute_mul_mat(t);
            break;
        case OP_SCALE:
            for (int i = 0; i < t->ne[0] * t->ne[1]; i++)
                ((float *)t->data)[i] = ((float *)t->src[0]->data)[i] * t->scale;
            break;
        default:
            fprintf(stderr, "op %d is not implemented\n", t->op);
            return -1;
        }
    }
    return 0;
}
int main(int argc, char **argv) {
    ggml_cpu_init();
    int width = argc > 1 ? atoi(argv[1]) % 64 + 20 : 35;
    struct graph g = {0};
    struct tensor *w = new_tensor(TYPE_I8, width, 6), *x = new_tensor(TYPE_I8, width, 4), *f = new_tensor(TYPE_F32, width, 3), *y = new_tensor(TYPE_F32, width, 2);
    for (int i = 0; i < width * 6; i++)
        ((int8_t *)w->data)[i] = (int8_t)(i * 5 % 90 - 45);
    for (int i = 0; i < width * 4; i++)
        ((int8_t *)x->data)[i] = (int8_t)(i * 3 % 80 - 40);
    for (int i = 0; i < width * 2; i++)
        ((float *)f->data)[i] = (float)(i % 9), ((float *)y->data)[i] = (float)(i % 4);
    struct tensor *q = scale(&g, mul_mat(&g, w, x), 0.125f), *r = mul_mat(&g, f, y);
    if (graph_compute(&g))
        return 3;
    printf("%.3f %.3f %.3f\n", ((float *)q->data)[0], ((float *)q->data)[23], ((float *)r->data)[0]);
    return 0;
}
