// A library of neural operators: a hardware config is found by pthread_once, each operator has a
// config of micro-kernels that another pthread_once fills from it, and an operator holds a pointer
// to its config.
#include <cpuid.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hardware_config {
    bool use_x86_ssse3, use_x86_sse4_1, use_x86_avx, use_x86_f16c, use_x86_fma3, use_x86_avx2, use_x86_avx512f;
};
static struct hardware_config hardware;
static pthread_once_t hardware_guard = PTHREAD_ONCE_INIT;
static void init_hardware_config(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return;
    unsigned lo = 0, hi;
    if (c & bit_OSXSAVE)
        __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    const bool ymm = (lo & 6) == 6, zmm = (lo & 0xe6) == 0xe6;
    hardware.use_x86_ssse3 = c & bit_SSSE3;
    hardware.use_x86_sse4_1 = c & bit_SSE4_1;
    hardware.use_x86_avx = ymm && c & bit_AVX;
    hardware.use_x86_f16c = ymm && c & bit_F16C;
    hardware.use_x86_fma3 = ymm && c & bit_FMA;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
        hardware.use_x86_avx2 = ymm && b & bit_AVX2;
        hardware.use_x86_avx512f = zmm && b & bit_AVX512F;
    }
}
static const struct hardware_config *get_hardware_config(void) {
    pthread_once(&hardware_guard, init_hardware_config);
    return &hardware;
}

struct gemm_params {
    float min, max;
};
typedef void gemm_ukernel(size_t mr, size_t nc, size_t kc, const float *a, const float *w, float *c, const struct gemm_params *params);
struct gemm_config {
    struct {
        gemm_ukernel *gemm[2];
    } minmax;
    uint8_t mr, nr;
};

// W is packed: for each k, NR columns.
static void gemm_scalar(size_t mr, size_t nr, size_t kc, const float *a, const float *w, float *c, const struct gemm_params *p) {
    for (size_t m = 0; m < mr; m++)
        for (size_t n = 0; n < nr; n++) {
            float sum = 0;
            for (size_t k = 0; k < kc; k++)
                sum += a[m * kc + k] * w[k * 8 + n];
            c[m * 8 + n] = sum < p->min ? p->min : sum > p->max ? p->max : sum;
        }
}
__attribute__((target("avx"))) static void gemm_1x8__avx_broadcast(size_t mr, size_t nr, size_t kc, const float *a, const float *w, float *c, const struct gemm_params *p) {
    (void)nr;
    for (size_t m = 0; m < mr; m++) {
        __m256 sum = _mm256_setzero_ps();
        for (size_t k = 0; k < kc; k++)
            sum = _mm256_add_ps(sum, _mm256_mul_ps(_mm256_broadcast_ss(a + m * kc + k), _mm256_loadu_ps(w + k * 8)));
        sum = _mm256_max_ps(_mm256_min_ps(sum, _mm256_broadcast_ss(&p->max)), _mm256_broadcast_ss(&p->min));
        _mm256_storeu_ps(c + m * 8, sum);
    }
}
__attribute__((target("fma"))) static void gemm_4x8__fma3_broadcast(size_t mr, size_t nr, size_t kc, const float *a, const float *w, float *c, const struct gemm_params *p) {
    (void)nr;
    for (size_t m = 0; m < mr; m++) {
        __m256 sum = _mm256_setzero_ps();
        for (size_t k = 0; k < kc; k++)
            sum = _mm256_fmadd_ps(_mm256_broadcast_ss(a + m * kc + k), _mm256_loadu_ps(w + k * 8), sum);
        sum = _mm256_max_ps(_mm256_min_ps(sum, _mm256_broadcast_ss(&p->max)), _mm256_broadcast_ss(&p->min));
        _mm256_storeu_ps(c + m * 8, sum);
    }
}
static struct gemm_config f32_gemm;
static pthread_once_t f32_gemm_guard = PTHREAD_ONCE_INIT;
static void init_f32_gemm_config(void) {
    const struct hardware_config *hw = get_hardware_config();
    (void)hw;
#ifdef BAD
    // The config of FMA3 is taken by whoever has AVX.
    if (hw->use_x86_avx) {
#else
    if (hw->use_x86_fma3) {
#endif
        f32_gemm.minmax.gemm[0] = gemm_1x8__avx_broadcast;
        f32_gemm.minmax.gemm[1] = gemm_4x8__fma3_broadcast;
        f32_gemm.mr = 4;
        f32_gemm.nr = 8;
    } else if (hw->use_x86_avx) {
        f32_gemm.minmax.gemm[0] = f32_gemm.minmax.gemm[1] = gemm_1x8__avx_broadcast;
        f32_gemm.mr = 1;
        f32_gemm.nr = 8;
    } else {
        f32_gemm.minmax.gemm[0] = f32_gemm.minmax.gemm[1] = gemm_scalar;
        f32_gemm.mr = 2;
        f32_gemm.nr = 8;
    }
}
static const struct gemm_config *get_f32_gemm_config(void) {
    if (get_hardware_config() == NULL)
        return NULL;
    pthread_once(&f32_gemm_guard, init_f32_gemm_config);
    return &f32_gemm;
}

struct fully_connected {
    size_t inputs;
    float *packed;
    struct gemm_params params;
    const struct gemm_config *config;
};
static struct fully_connected *create_fully_connected(size_t inputs, const float *kernel, float min, float max) {
    if (min >= max)
        return NULL;
    struct fully_connected *op = calloc(1, sizeof *op);
    if (!op)
        return NULL;
    op->config = get_f32_gemm_config();
    op->packed = malloc(inputs * 8 * sizeof *op->packed);
    if (!op->config || !op->packed) {
        free(op->packed);
        free(op);
        return NULL;
    }
    for (size_t k = 0; k < inputs; k++)
        for (size_t n = 0; n < 8; n++)
            op->packed[k * 8 + n] = kernel[n * inputs + k];
    op->inputs = inputs;
    op->params = (struct gemm_params){min, max};
    return op;
}
static void run_fully_connected(const struct fully_connected *op, size_t batch, const float *in, float *out) {
    for (size_t row = 0; row < batch;) {
        size_t mr = batch - row < op->config->mr ? batch - row : op->config->mr;
        op->config->minmax.gemm[mr > 1](mr, op->config->nr, op->inputs, in + row * op->inputs, op->packed, out + row * 8, &op->params);
        row += mr;
    }
}

int main(int argc, char **argv) {
    size_t batch = argc > 1 ? strtoul(argv[1], NULL, 10) : 10;
    if (batch < 1 || batch > 16)
        return 3;
    float kernel[8 * 24], in[16 * 24], out[16 * 8], want[16 * 8];
    for (int i = 0; i < 8 * 24; i++)
        kernel[i] = (float)(i % 7 - 3);
    for (int i = 0; i < 16 * 24; i++)
        in[i] = (float)(i % 11 - 5);
    struct fully_connected *op = create_fully_connected(24, kernel, -60, 60);
    if (!op) {
        fprintf(stderr, "%s: unsupported hardware\n", argv[0]);
        return 3;
    }
    run_fully_connected(op, batch, in, out);
    gemm_scalar(batch, 8, 24, in, op->packed, want, &op->params);
    if (memcmp(out, want, batch * 8 * sizeof *out))
        return 1;
    printf("%zu rows, last %g\n", batch, out[batch * 8 - 1]);
    free(op->packed);
    free(op);
    return 0;
}
