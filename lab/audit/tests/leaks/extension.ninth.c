// An extension of a database: at its start it registers functions of SQL by name, each with the
// kernel as user data; a statement finds them in a hash table and calls them with values.
#include "ninth.h"
#include <cpuid.h>
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct value {
    enum { TYPE_NULL, TYPE_BLOB, TYPE_REAL, TYPE_TEXT } type;
    int bytes;
    const void *blob;
    double real;
} value;
typedef struct context context;
typedef void (*sql_func)(context *, int, value **);
typedef struct func_def {
    const char *name;
    int args;
    void *user;
    sql_func step;
    struct func_def *next;
} func_def;
struct context {
    const func_def *func;
    value out;
    int is_error;
    char error[64];
};
typedef struct {
    func_def *buckets[23];
    int functions;
} database;

static unsigned hash_name(const char *z) {
    unsigned h = 0;
    while (*z)
        h = (h + (unsigned char)*z++) * 0x9e3779b1u;
    return h % 23;
}
static int create_function(database *db, const char *name, int args, void *user, sql_func step) {
    func_def *f = malloc(sizeof *f);
    if (!f)
        return 7;
    unsigned h = hash_name(name);
    *f = (func_def){name, args, user, step, db->buckets[h]};
    db->buckets[h] = f;
    db->functions++;
    return 0;
}
static const func_def *find_function(const database *db, const char *name, int args) {
    for (const func_def *f = db->buckets[hash_name(name)]; f; f = f->next)
        if (!strcmp(f->name, name) && (f->args == args || f->args < 0))
            return f;
    return NULL;
}
static void *user_data(context *c) { return c->func->user; }
static void result_error(context *c, const char *text) {
    c->is_error = 1;
    snprintf(c->error, sizeof c->error, "%s", text);
}
static void result_double(context *c, double r) { c->out = (value){TYPE_REAL, 0, NULL, r}; }

typedef float (*distance_fn)(const float *, const float *, int);
static float l2_sqr_float(const float *a, const float *b, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}
__attribute__((target("avx"))) static float l2_sqr_float_avx(const float *a, const float *b, int n) {
    __m256 sum = _mm256_setzero_ps();
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256 d = _mm256_sub_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i));
        sum = _mm256_add_ps(sum, _mm256_mul_ps(d, d));
    }
    float parts[8], rest = l2_sqr_float(a + i, b + i, n - i);
    _mm256_storeu_ps(parts, sum);
    for (int j = 0; j < 8; j++)
        rest += parts[j];
    return rest;
}
static float dot_float(const float *a, const float *b, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return 1 - sum;
}
__attribute__((target("avx2,fma"))) static float dot_float_fma(const float *a, const float *b, int n) {
    __m256 sum = _mm256_setzero_ps();
    int i = 0;
    for (; i + 8 <= n; i += 8)
        sum = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), sum);
    // What is left is loaded by a mask.
    __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(n - i), lanes);
    sum = _mm256_fmadd_ps(_mm256_maskload_ps(a + i, mask), _mm256_maskload_ps(b + i, mask), sum);
    float parts[8], whole = 1;
    _mm256_storeu_ps(parts, sum);
    for (int j = 0; j < 8; j++)
        whole -= parts[j];
    return whole;
}

static void vec_distance(context *c, int argc, value **argv) {
    if (argc != 2 || argv[0]->type != TYPE_BLOB || argv[1]->type != TYPE_BLOB) {
        result_error(c, "two vectors are needed");
        return;
    }
    if (argv[0]->bytes != argv[1]->bytes || argv[0]->bytes % 4) {
        result_error(c, "vectors differ in length");
        return;
    }
    distance_fn distance = (distance_fn)user_data(c);
    double d = distance(argv[0]->blob, argv[1]->blob, argv[0]->bytes / 4);
    // The root, without the library of mathematics.
    result_double(c, _mm_cvtsd_f64(_mm_sqrt_pd(_mm_set1_pd(d < 0 ? -d : d))));
}
static void vec_length(context *c, int argc, value **argv) {
    (void)argc;
    result_double(c, argv[0]->bytes / 4);
}

int sqlite_vec_init(database *db, char **error) {
    static const struct {
        const char *name;
        int args;
        sql_func f;
    } plain[] = {{"vec_length", 1, vec_length}};
    unsigned a, b, c, d;
    int has_avx = 0, has_avx2_fma = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE) {
        unsigned lo, hi;
        __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
        has_avx = (lo & 6) == 6 && (c & bit_AVX);
        int has_fma = has_avx && (c & bit_FMA);
#ifdef BAD
        // FMA came with AVX2, on the CPUs of one vendor.
        has_avx2_fma = has_fma;
#else
        has_avx2_fma = has_fma && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX2);
#endif
    }
    int rc = 0;
    for (size_t i = 0; i < sizeof plain / sizeof *plain && !rc; i++)
        rc = create_function(db, plain[i].name, plain[i].args, NULL, plain[i].f);
    if (!rc)
        rc = create_function(db, "vec_distance_l2", 2, (void *)(has_avx ? l2_sqr_float_avx : l2_sqr_float), vec_distance);
    if (!rc)
        rc = create_function(db, "vec_distance_cosine", 2, (void *)(has_avx2_fma ? dot_float_fma : dot_float), vec_distance);
    if (rc)
        *error = "out of memory";
    return rc;
}

static int execute(database *db, const char *name, int argc, value **argv) {
    context c = {find_function(db, name, argc), {0}, 0, ""};
    if (!c.func) {
        printf("no such function: %s/%d\n", name, argc);
        return 1;
    }
    c.func->step(&c, argc, argv);
    if (c.is_error)
        printf("%s: %s\n", name, c.error);
    else
        printf("%s = %.3f\n", name, c.out.real);
    return c.is_error;
}
int main(int argc, char **argv) {
    static database db;
    char *error = NULL;
    if (sqlite_vec_init(&db, &error)) {
        fprintf(stderr, "%s: %s\n", argv[0], error);
        return 3;
    }
    float x[40], y[40];
    for (int i = 0; i < 40; i++)
        x[i] = (float)(i % 5) / 8, y[i] = (float)((i + argc) % 7) / 16;
    value vx = {TYPE_BLOB, sizeof x, x, 0}, vy = {TYPE_BLOB, sizeof y, y, 0}, null = {0};
    static const char *const queries[] = {"vec_distance_l2", "vec_distance_cosine", "vec_nothing"};
    int errors = 0;
    for (int i = 0; i < 3; i++)
        errors += execute(&db, queries[i], 2, (value *[]){&vx, &vy});
    errors += execute(&db, "vec_length", 1, (value *[]){&vx});
    errors += execute(&db, "vec_distance_l2", 2, (value *[]){&vx, &null});
    printf("%d functions, %d errors\n", db.functions, errors);
    return 0;
}
