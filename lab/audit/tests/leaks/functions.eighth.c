// An extension of an embedded database: scalar functions are registered by name with flags and user
// data, and the connection's hash table finds them when a statement calls them.
#include <cpuid.h>
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct value {
    int type;
    double real;
    const float *blob;
    int n;
} value;
typedef struct context {
    void *user_data;
    value result;
    const char *error;
} context;
typedef void func(context *, int, value **);
typedef struct FuncDef {
    const char *name;
    int n_arg;
    void *user_data;
    func *x_func;
    struct FuncDef *next;
} FuncDef;
typedef struct connection {
    FuncDef *hash[23];
    uint32_t limits;
} connection;

static unsigned hash_name(const char *z) {
    unsigned h = 0;
    while (*z)
        h = h * 33 + (unsigned char)*z++;
    return h % 23;
}
static int create_function(connection *db, const char *name, int n_arg, void *user_data, func *x) {
    FuncDef **at = &db->hash[hash_name(name)], *p;
    // A later definition takes the earlier one's place.
    for (p = *at; p; p = p->next)
        if (!strcmp(p->name, name) && p->n_arg == n_arg)
            break;
    if (!p) {
        p = calloc(1, sizeof *p);
        if (!p)
            return 7;
        p->name = name;
        p->n_arg = n_arg;
        p->next = *at;
        *at = p;
    }
    p->user_data = user_data;
    p->x_func = x;
    return 0;
}
static FuncDef *find_function(connection *db, const char *name, int n_arg) {
    for (FuncDef *p = db->hash[hash_name(name)]; p; p = p->next)
        if (!strcmp(p->name, name) && p->n_arg == n_arg)
            return p;
    return NULL;
}

typedef float distance(const float *, const float *, int);
static float l2_plain(const float *a, const float *b, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}
__attribute__((target("avx"))) static float l2_avx(const float *a, const float *b, int n) {
    __m256 sum = _mm256_setzero_ps();
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256 d = _mm256_sub_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i));
        sum = _mm256_add_ps(sum, _mm256_mul_ps(d, d));
    }
    float part[8], all = 0;
    _mm256_storeu_ps(part, sum);
    for (int k = 0; k < 8; k++)
        all += part[k];
    return all + l2_plain(a + i, b + i, n - i);
}
static float l1_plain(const float *a, const float *b, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] < b[i] ? b[i] - a[i] : a[i] - b[i];
    return sum;
}
__attribute__((target("avx"))) static float l1_avx(const float *a, const float *b, int n) {
    __m256 sum = _mm256_setzero_ps(), sign = _mm256_set1_ps(-0.0f);
    int i = 0;
    for (; i + 8 <= n; i += 8)
        sum = _mm256_add_ps(sum, _mm256_andnot_ps(sign, _mm256_sub_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i))));
    float part[8], all = 0;
    _mm256_storeu_ps(part, sum);
    for (int k = 0; k < 8; k++)
        all += part[k];
    return all + l1_plain(a + i, b + i, n - i);
}
struct vec_ops {
    distance *fn;
    const char *shown;
};
static void vec_distance(context *ctx, int argc, value **argv) {
    const struct vec_ops *ops = ctx->user_data;
    if (argc != 2 || argv[0]->n != argv[1]->n) {
        ctx->error = "vectors of different dimensions";
        return;
    }
    ctx->result.type = 1;
    ctx->result.real = ops->fn(argv[0]->blob, argv[1]->blob, argv[0]->n);
}
static void vec_version(context *ctx, int argc, value **argv) {
    (void)argc, (void)argv;
    ctx->result.type = 1;
    ctx->result.real = 8;
}

static const struct vec_ops l2_scalar = {l2_plain, "l2"}, l2_wide = {l2_avx, "l2 avx"};
static const struct vec_ops l1_scalar = {l1_plain, "l1"}, l1_wide = {l1_avx, "l1 avx"};
static int has_avx(void) {
    unsigned a, b, c, d, lo, hi;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & (bit_OSXSAVE | bit_AVX)) != (bit_OSXSAVE | bit_AVX))
        return 0;
    __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    return (lo & 6) == 6;
}
static int vec_init(connection *db) {
    int rc = create_function(db, "vec_version", 0, NULL, vec_version);
    if (!rc)
        rc = create_function(db, "vec_distance_l2", 2, (void *)&l2_scalar, vec_distance);
    if (!rc)
        rc = create_function(db, "vec_distance_l1", 2, (void *)&l1_scalar, vec_distance);
    if (!rc && has_avx()) {
        rc = create_function(db, "vec_distance_l2", 2, (void *)&l2_wide, vec_distance);
#ifndef BAD
        if (!rc)
            rc = create_function(db, "vec_distance_l1", 2, (void *)&l1_wide, vec_distance);
#endif
    }
#ifdef BAD
    // Moved out of the block by a merge.
    if (!rc)
        rc = create_function(db, "vec_distance_l1", 2, (void *)&l1_wide, vec_distance);
#endif
    return rc;
}

static int exec(connection *db, const char *name, value *a, value *b, double *out) {
    value *args[2] = {a, b};
    FuncDef *f = find_function(db, name, a ? 2 : 0);
    if (!f) {
        fprintf(stderr, "no such function: %s\n", name);
        return 1;
    }
    context ctx = {f->user_data, {0, 0, NULL, 0}, NULL};
    f->x_func(&ctx, f->n_arg, args);
    if (ctx.error) {
        fprintf(stderr, "%s: %s\n", name, ctx.error);
        return 1;
    }
    *out = ctx.result.real;
    return 0;
}
int main(int argc, char **argv) {
    connection *db = calloc(1, sizeof *db);
    if (!db || vec_init(db)) {
        fprintf(stderr, "cannot load the extension\n");
        return 3;
    }
    float query[50], row[50];
    double near = 0, got, version;
    if (exec(db, "vec_version", NULL, NULL, &version))
        return 1;
    for (int i = 0; i < 50; i++)
        query[i] = (float)(i % 9);
    const char *names[] = {"vec_distance_l2", "vec_distance_l1"};
    for (int r = 1; r <= 6; r++) {
        for (int i = 0; i < 50; i++)
            row[i] = (float)((i * r) % 13);
        value a = {2, 0, query, 50}, b = {2, 0, row, 50};
        for (int k = 0; k < 2; k++) {
            if (exec(db, argc > 1 ? argv[1] : names[k], &a, &b, &got))
                return 3;
            if (argc < 2 && got != (k ? l1_plain : l2_plain)(query, row, 50))
                return 1;
            near += got;
        }
    }
    printf("v%g: %g\n", version, near);
    for (int i = 0; i < 23; i++)
        while (db->hash[i]) {
            FuncDef *next = db->hash[i]->next;
            free(db->hash[i]);
            db->hash[i] = next;
        }
    free(db);
    return 0;
}
