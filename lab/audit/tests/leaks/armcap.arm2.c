// A library of ciphers: one word of capabilities, made by a constructor; methods in static tables.
// ENV: the word may come from the environment.
#include "arm2.h"
#define ARMV7_NEON (1 << 0)
#define ARMV8_AES (1 << 2)
#define ARMV8_SHA1 (1 << 3)
#define ARMV8_SHA256 (1 << 4)
#define ARMV8_PMULL (1 << 5)
#define ARMV8_SHA512 (1 << 6)
#define ARMV8_SHA3 (1 << 11)
#define ARMV8_SVE (1 << 13)
unsigned int OPENSSL_armcap_P;
__attribute__((constructor)) void OPENSSL_cpuid_setup(void) {
    static int trigger = 0;
    if (trigger) return;
    trigger = 1;
    OPENSSL_armcap_P = 0;
#ifdef ENV
    const char *e;
    if ((e = getenv("OPENSSL_armcap"))) { OPENSSL_armcap_P = (unsigned int)strtoul(e, NULL, 0); return; }
#endif
    if (getauxval(AT_HWCAP) & HWCAP_ASIMD) {
        unsigned long hwcap = getauxval(AT_HWCAP);
        OPENSSL_armcap_P |= ARMV7_NEON;
        if (hwcap & HWCAP_AES) OPENSSL_armcap_P |= ARMV8_AES;
        if (hwcap & HWCAP_PMULL) OPENSSL_armcap_P |= ARMV8_PMULL;
        if (hwcap & HWCAP_SHA1) OPENSSL_armcap_P |= ARMV8_SHA1;
        if (hwcap & HWCAP_SHA2) OPENSSL_armcap_P |= ARMV8_SHA256;
        if (hwcap & HWCAP_SHA512) OPENSSL_armcap_P |= ARMV8_SHA512;
        if (hwcap & HWCAP_SHA3) OPENSSL_armcap_P |= ARMV8_SHA3;
        if (hwcap & HWCAP_SVE) OPENSSL_armcap_P |= ARMV8_SVE;
    }
}
PLAIN(sha512_plain) PLAIN(keccak_plain) PLAIN(chacha_plain) SHA512(sha512_ce) SHA3(keccak_ce) SVE(chacha_sve)
__attribute__((noinline)) static int sha512_block(const int *a, int n) {
    if (OPENSSL_armcap_P & ARMV8_SHA512) return sha512_ce(a, n);
    return sha512_plain(a, n);
}
typedef struct { work_t absorb; work_t final; } sha3_method;
static const sha3_method sha3_generic = {keccak_plain, keccak_plain}, sha3_armsha3 = {keccak_ce, keccak_plain};
struct context { const sha3_method *meth; int md_size; };
__attribute__((noinline)) static struct context *new_context(void) {
    struct context *c = calloc(1, sizeof *c);
    c->md_size = 32;
    c->meth = &sha3_generic;
#ifdef BAD
    if (OPENSSL_armcap_P & ARMV8_SHA256) c->meth = &sha3_armsha3;
#else
    if (OPENSSL_armcap_P & ARMV8_SHA3) c->meth = &sha3_armsha3;
#endif
    return c;
}
__attribute__((noinline)) static int chacha(const int *a, int n) { return OPENSSL_armcap_P & ARMV8_SVE ? chacha_sve(a, n) : chacha_plain(a, n); }
int main(int argc, char **argv) {
    int n = fill(argc);
    struct context *c = new_context();
    printf("%d %d %d\n", sha512_block(data, n), c->meth->absorb(data, n) + c->meth->final(data, n), chacha(data, n));
    free(c);
}
