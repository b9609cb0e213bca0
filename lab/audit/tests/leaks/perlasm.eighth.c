// A hash as perlasm writes it: one function in assembly begins with the plain form, and jumps to a
// shortcut further on by bits of a vector of capabilities, which a constructor fills and an
// environment variable may mask.
#include <cpuid.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((used, visibility("hidden"))) unsigned int cryptcap_P[4];

__attribute__((constructor)) static void cryptcap_setup(void) {
    unsigned a, b, c, d, max, b7 = 0, c7 = 0, d7 = 0;
    __cpuid(0, max, b, c, d);
    __cpuid(1, a, b, c, d);
    if (max >= 7)
        __cpuid_count(7, 0, a, b7, c7, d7);
    uint32_t lo = 0, hi;
    if (c & 1u << 27)
        __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    if ((lo & 6) != 6) {
        c &= ~(1u << 28 | 1u << 12 | 1u << 11 | 1u << 29);
        b7 &= ~(1u << 5 | 1u << 16 | 1u << 30 | 1u << 31);
    }
    cryptcap_P[0] = d;
    cryptcap_P[1] = c;
    cryptcap_P[2] = b7;
    cryptcap_P[3] = c7;
    const char *env = getenv("CRYPT_ia32cap");
    if (env && env[0] == '~') {
        uint64_t off = strtoull(env + 1, NULL, 0);
        cryptcap_P[0] &= ~(uint32_t)off;
        cryptcap_P[1] &= ~(uint32_t)(off >> 32);
    }
}

// rdi: eight words of state; rsi: input; rdx: blocks of 32 bytes. state[i] = rotl(state[i] + in[i], 7).
uint64_t mix_blocks(uint32_t *state, const void *in, size_t blocks);
__asm__(".text\n"
        ".globl mix_blocks\n"
        ".hidden mix_blocks\n"
        ".type mix_blocks,@function\n"
        ".align 16\n"
        "mix_blocks:\n"
        "    leaq cryptcap_P(%rip), %r11\n"
#ifdef BAD
        // Bit 28 of the second word says AVX only.
        "    movl 4(%r11), %r9d\n"
        "    btl $28, %r9d\n"
        "    jc .Lavx2_shortcut\n"
#else
        "    movl 4(%r11), %r9d\n"
        "    movl 8(%r11), %r10d\n"
        "    andl $0x10000000, %r9d\n"
        "    jz .Lscalar\n"
        "    testl $0x20, %r10d\n"
        "    jnz .Lavx2_shortcut\n"
        ".Lscalar:\n"
#endif
        "    xorl %eax, %eax\n"
        "    testq %rdx, %rdx\n"
        "    jz .Ldone\n"
        ".Lblock:\n"
        "    xorl %ecx, %ecx\n"
        ".Lword:\n"
        "    movl (%rdi,%rcx,4), %r8d\n"
        "    addl (%rsi,%rcx,4), %r8d\n"
        "    roll $7, %r8d\n"
        "    movl %r8d, (%rdi,%rcx,4)\n"
        "    incl %ecx\n"
        "    cmpl $8, %ecx\n"
        "    jne .Lword\n"
        "    addq $32, %rsi\n"
        "    addq $32, %rax\n"
        "    decq %rdx\n"
        "    jnz .Lblock\n"
        ".Ldone:\n"
        "    ret\n"
        ".align 16\n"
        ".Lavx2_shortcut:\n"
        "    xorl %eax, %eax\n"
        "    testq %rdx, %rdx\n"
        "    jz .Ldone\n"
        "    vmovdqu (%rdi), %ymm0\n"
        ".Lavx2_block:\n"
        "    vpaddd (%rsi), %ymm0, %ymm0\n"
        "    vpslld $7, %ymm0, %ymm1\n"
        "    vpsrld $25, %ymm0, %ymm0\n"
        "    vpor %ymm1, %ymm0, %ymm0\n"
        "    addq $32, %rsi\n"
        "    addq $32, %rax\n"
        "    decq %rdx\n"
        "    jnz .Lavx2_block\n"
        "    vmovdqu %ymm0, (%rdi)\n"
        "    vzeroupper\n"
        "    ret\n"
        ".size mix_blocks, .-mix_blocks\n");

struct md_ctx {
    uint32_t state[8];
    uint8_t buffer[32];
    size_t used;
    uint64_t total;
};
static void md_init(struct md_ctx *ctx) {
    memset(ctx, 0, sizeof *ctx);
    for (uint32_t i = 0; i < 8; i++)
        ctx->state[i] = 0x6a09e667u * (i + 1);
}
static void md_update(struct md_ctx *ctx, const void *data, size_t n) {
    const uint8_t *p = data;
    if (ctx->used) {
        size_t part = 32 - ctx->used < n ? 32 - ctx->used : n;
        memcpy(ctx->buffer + ctx->used, p, part);
        ctx->used += part, p += part, n -= part;
        if (ctx->used < 32)
            return;
        ctx->total += mix_blocks(ctx->state, ctx->buffer, 1);
        ctx->used = 0;
    }
    ctx->total += mix_blocks(ctx->state, p, n / 32);
    memcpy(ctx->buffer, p + n / 32 * 32, n % 32);
    ctx->used = n % 32;
}
static void md_final(struct md_ctx *ctx, uint32_t out[8]) {
    memset(ctx->buffer + ctx->used, 0x80, 32 - ctx->used);
    ctx->total += mix_blocks(ctx->state, ctx->buffer, 1);
    memcpy(out, ctx->state, 32);
}

int main(int argc, char **argv) {
    static uint8_t data[1000];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 131 + 7);
    FILE *in = argc > 1 ? fopen(argv[1], "rb") : NULL;
    size_t n = in ? fread(data, 1, sizeof data, in) : sizeof data;
    if (in)
        fclose(in);
    struct md_ctx ctx, again;
    uint32_t whole[8], parts[8];
    md_init(&ctx);
    md_update(&ctx, data, n);
    md_final(&ctx, whole);
    md_init(&again);
    for (size_t at = 0; at < n; at += 13)
        md_update(&again, data + at, n - at < 13 ? n - at : 13);
    md_final(&again, parts);
    if (memcmp(whole, parts, 32)) {
        fprintf(stderr, "the parts give another digest\n");
        return 1;
    }
    for (int i = 0; i < 8; i++)
        printf("%08x", whole[i]);
    printf("  %s\n", argc > 1 ? argv[1] : "-");
    return 0;
}
