// Versions by level, which the compiler makes and chooses between: a database's distances of bits
// and of numbers, as an extension has them since levels have names.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LEVELS __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))

LEVELS uint64_t hamming(const uint64_t *a, const uint64_t *b, int n) {
    uint64_t distance = 0;
    for (int i = 0; i < n; i++)
        distance += (uint64_t)__builtin_popcountll(a[i] ^ b[i]);
    return distance;
}
LEVELS int64_t inner(const int32_t *a, const int32_t *b, int n) {
    int64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 130;
    if (n < 1 || n > 200)
        return 3;
    uint64_t a[200], b[200], want = 0;
    int32_t p[200], q[200];
    for (int i = 0; i < n; i++) {
        a[i] = (uint64_t)i * 0x9e3779b97f4a7c15ull, b[i] = a[i] ^ (1ull << i % 64) ^ 1ull << (i + 7) % 64;
        p[i] = i - 60, q[i] = i % 5, want += 2;
    }
    uint64_t bits = hamming(a, b, n);
    if (bits != want)
        return 1;
    printf("%llu bits, %lld\n", (unsigned long long)bits, (long long)inner(p, q, n));
    return 0;
}
