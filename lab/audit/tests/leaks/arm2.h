#pragma once
// Kernels above Armv8.0 and a plain one, for the second set for AArch64. GNU as 2.40 and LLVM 14
// have no common way to allow all of them: they are words.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#define KERNEL __attribute__((noinline, unused)) static int
#define WORDS(name, ...)                                                              \
    KERNEL name(const int *a, int n) {                                                \
        int out[4], all = 0;                                                          \
        for (int i = 0; i + 4 <= n; i += 4) {                                         \
            __asm__ volatile("ldr q0, [%1]\n movi v2.4s, #0\n" __VA_ARGS__ " str q2, [%0]" \
                             : : "r"(out), "r"(a + i) : "v0", "v1", "v2", "memory");  \
            all += out[0] + out[1];                                                   \
        }                                                                             \
        return all;                                                                   \
    }
// sdot v2.4s, v0.16b, v0.16b
#define DOT(name) WORDS(name, ".inst 0x4e809402\n")
// smmla v2.4s, v0.16b, v0.16b
#define I8MM(name) WORDS(name, ".inst 0x4e80a402\n")
// bfmmla v2.4s, v0.8h, v0.8h
#define BF16(name) WORDS(name, ".inst 0x6e40ec02\n")
// eor3 v2.16b, v0.16b, v0.16b, v0.16b
#define SHA3(name) WORDS(name, ".inst 0xce000002\n")
// sha512su0 v2.2d, v0.2d
#define SHA512(name) WORDS(name, ".inst 0xcec08002\n")
// aese v2.16b, v0.16b
#define AES(name) WORDS(name, ".inst 0x4e284802\n")
// fadd v2.8h, v0.8h, v0.8h
#define FP16(name) WORDS(name, ".inst 0x4e401402\n")
#define LSE(name)                                                                     \
    KERNEL name(const int *a, int n) {                                                \
        int sum = n, old;                                                             \
        for (int i = 0; i < n; i++)                                                   \
            __asm__ volatile(".arch_extension lse\n ldadd %w1, %w0, [%2]"             \
                             : "=&r"(old) : "r"(a[i]), "r"(&sum) : "memory");         \
        return sum;                                                                   \
    }
#define SVE(name)                                                                     \
    KERNEL name(const int *a, int n) {                                                \
        int out[64];                                                                  \
        __asm__ volatile(".arch_extension sve\n ptrue p0.s\n ld1w {z0.s}, p0/z, [%0]\n" \
                         " add z0.s, z0.s, z0.s\n st1w {z0.s}, p0, [%1]\n"            \
                         : : "r"(a), "r"(out) : "v0", "memory");                      \
        return out[0] + n;                                                            \
    }
#define PLAIN(name)                                                                   \
    KERNEL name(const int *a, int n) {                                                \
        int sum = 0;                                                                  \
        for (int i = 0; i < n; i++)                                                   \
            sum += a[i] * a[i];                                                       \
        return sum;                                                                   \
    }

typedef int (*work_t)(const int *, int);

static int data[64];
static int fill(int argc) {
    for (int i = 0; i < 64; i++)
        data[i] = i * argc;
    return 64;
}
