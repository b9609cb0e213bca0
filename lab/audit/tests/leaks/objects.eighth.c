// Hash objects of an interpreter's module: each object has a tag that says which implementation its
// state belongs to, set when it is made by what the module found at its import, and every method
// switches by the tag.
#include <cpuid.h>
#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    bool sse, sse2, sse3, sse41, sse42, cmov, avx, avx2;
    bool done;
} cpu_flags;
typedef struct {
    cpu_flags flags;
    bool can_run_simd128, can_run_simd256;
} Blake2State;
typedef enum { Blake2b, Blake2b_128, Blake2b_256 } blake2_impl;
typedef struct {
    blake2_impl impl;
    uint64_t rows[4];
    uint64_t count;
} Blake2Object;

static void detect_cpu_features(cpu_flags *flags) {
    if (flags->done)
        return;
    unsigned a = 0, b = 0, c = 0, d = 0, b7 = 0;
    __get_cpuid(1, &a, &b, &c, &d);
    unsigned c1 = c, d1 = d;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d))
        b7 = b;
    flags->sse = d1 & 1u << 25;
    flags->sse2 = d1 & 1u << 26;
    flags->cmov = d1 & 1u << 15;
    flags->sse3 = c1 & 1u << 0;
    flags->sse41 = c1 & 1u << 19;
    flags->sse42 = c1 & 1u << 20;
    flags->avx = c1 & 1u << 28;
    bool os = false;
    if (c1 & 1u << 27) {
        unsigned lo, hi;
        __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
        os = (lo & 6) == 6;
    }
    flags->avx = flags->avx && os;
    flags->avx2 = b7 & 1u << 5 && os;
    flags->done = true;
}
static bool has_simd128(const cpu_flags *f) {
    return f->sse && f->sse2 && f->sse3 && f->sse41 && f->sse42 && f->cmov;
}
static bool has_simd256(const cpu_flags *f) { return f->avx && f->avx2; }

static int blake2_exec(Blake2State *st) {
    detect_cpu_features(&st->flags);
    st->can_run_simd128 = has_simd128(&st->flags);
    st->can_run_simd256 = has_simd256(&st->flags);
    return 0;
}

static void update_scalar(uint64_t rows[4], const uint8_t *p, size_t blocks) {
    for (; blocks; blocks--, p += 32)
        for (int i = 0; i < 4; i++) {
            uint64_t word;
            memcpy(&word, p + 8 * i, 8);
            uint64_t x = rows[i] + word;
            rows[i] = (x << 24 | x >> 40) ^ word;
        }
}
static void update_128(uint64_t rows[4], const uint8_t *p, size_t blocks) {
    __m128i low = _mm_loadu_si128((const __m128i *)rows), high = _mm_loadu_si128((const __m128i *)(rows + 2));
    for (; blocks; blocks--, p += 32) {
        __m128i a = _mm_loadu_si128((const __m128i *)p), b = _mm_loadu_si128((const __m128i *)(p + 16));
        low = _mm_add_epi64(low, a), high = _mm_add_epi64(high, b);
        low = _mm_xor_si128(_mm_or_si128(_mm_slli_epi64(low, 24), _mm_srli_epi64(low, 40)), a);
        high = _mm_xor_si128(_mm_or_si128(_mm_slli_epi64(high, 24), _mm_srli_epi64(high, 40)), b);
    }
    _mm_storeu_si128((__m128i *)rows, low);
    _mm_storeu_si128((__m128i *)(rows + 2), high);
}
__attribute__((target("avx2"))) static void update_256(uint64_t rows[4], const uint8_t *p, size_t blocks) {
    __m256i all = _mm256_loadu_si256((const __m256i *)rows);
    for (; blocks; blocks--, p += 32) {
        __m256i a = _mm256_loadu_si256((const __m256i *)p);
        all = _mm256_add_epi64(all, a);
        all = _mm256_xor_si256(_mm256_or_si256(_mm256_slli_epi64(all, 24), _mm256_srli_epi64(all, 40)), a);
    }
    _mm256_storeu_si256((__m256i *)rows, all);
}

static blake2_impl type_to_impl(const Blake2State *st, const char *name) {
    if (!strncmp(name, "blake2b", 7)) {
#ifdef BAD
        // That SIMD of 128 bits runs is taken for 256.
        if (st->can_run_simd128)
            return Blake2b_256;
#else
        if (st->can_run_simd256)
            return Blake2b_256;
        if (st->can_run_simd128)
            return Blake2b_128;
#endif
    }
    return Blake2b;
}
static Blake2Object *new_object(const Blake2State *st, const char *name) {
    Blake2Object *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->impl = type_to_impl(st, name);
    for (int i = 0; i < 4; i++)
        self->rows[i] = 0x510e527fade682d1ull * (uint64_t)(i + 1);
    return self;
}
static void object_update(Blake2Object *self, const void *data, size_t n) {
    switch (self->impl) {
    case Blake2b_256:
        update_256(self->rows, data, n / 32);
        break;
    case Blake2b_128:
        update_128(self->rows, data, n / 32);
        break;
    case Blake2b:
        update_scalar(self->rows, data, n / 32);
        break;
    default:
        abort();
    }
    self->count += n;
}
static Blake2Object *object_copy(const Blake2Object *self) {
    Blake2Object *copy = malloc(sizeof *copy);
    if (copy)
        *copy = *self;
    return copy;
}

int main(int argc, char **argv) {
    Blake2State *module = calloc(1, sizeof *module);
    if (!module || blake2_exec(module))
        return 3;
    static uint8_t message[640];
    for (size_t i = 0; i < sizeof message; i++)
        message[i] = (uint8_t)(i ^ i >> 3);
    const char *name = argc > 1 ? argv[1] : "blake2b";
    Blake2Object *hash = new_object(module, name), *plain = new_object(module, "reference");
    if (!hash || !plain)
        return 3;
    object_update(hash, message, 320);
    object_update(plain, message, sizeof message);
    Blake2Object *copy = object_copy(hash);
    free(hash);
    object_update(copy, message + 320, 320);
    if (memcmp(copy->rows, plain->rows, sizeof copy->rows)) {
        fprintf(stderr, "%s: digests differ\n", name);
        return 1;
    }
    printf("%s %016llx after %llu bytes\n", name, (unsigned long long)copy->rows[0], (unsigned long long)copy->count);
    free(copy);
    free(plain);
    free(module);
    return 0;
}
