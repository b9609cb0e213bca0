/*
 * A bytecode interpreter and a hash table, branchy on purpose: the kind of code
 * whose speed depends on where it lies in memory.
 *
 * Compiled with -DGATE it has a debug gate in both hot loops, which asks a
 * variable that is set once, from the environment, and is never true in this
 * study; what the gate would call is in a cold function. The output is the same
 * with and without it.
 *
 * usage: interp [ROUNDS]; prints one line: {"checksum": N}
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef GATE
static int tracing;

__attribute__((constructor)) static void ask(void)
{
    tracing = getenv("INTERP_TRACE") != NULL;
}

__attribute__((cold, noinline)) static void trace(const char *where, uint64_t a, uint64_t b)
{
    fprintf(stderr, "%s: %llu %llu\n", where, (unsigned long long)a, (unsigned long long)b);
}

#define TRACE(where, a, b)                                                                        \
    do {                                                                                          \
        if (__builtin_expect(tracing, 0))                                                         \
            trace(where, a, b);                                                                   \
    } while (0)
#else
#define TRACE(where, a, b) ((void)0)
#endif

enum op { PUSH, ADD, SUB, XOR, ROT, DUP, SWAP, JNZ, LOOK, DEC, OVER, DROP, OPS };

#define PROGRAM 512
#define STACK 64
#define SLOTS 1024 /* a power of two */

struct slot {
    uint32_t key;
    uint32_t value;
};

static uint8_t program[PROGRAM];
static struct slot table[SLOTS];

/* xorshift64, G. Marsaglia, Journal of Statistical Software 8(14), 2003. */
static uint64_t state = 88172645463325252u;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void prepare(void)
{
    for (int i = 0; i < PROGRAM; i++)
        program[i] = next() % OPS;
    /* Half full: looking up meets chains of every short length. */
    for (int i = 0; i < SLOTS / 2; i++) {
        uint32_t key = 1 + next() % 4096;
        uint32_t at = key * 2654435761u % SLOTS;
        while (table[at].key != 0 && table[at].key != key)
            at = (at + 1) % SLOTS;
        table[at].key = key;
        table[at].value = (uint32_t)next();
    }
}

/* Hot loop one: linear probing (Knuth, TAOCP 3, 6.4, algorithm L). */
__attribute__((noinline)) uint32_t look_up(uint32_t key)
{
    uint32_t at = key * 2654435761u % SLOTS;
    for (;;) {
        TRACE("look_up", key, at);
        if (table[at].key == key)
            return table[at].value;
        if (table[at].key == 0)
            return key ^ at;
        at = (at + 1) % SLOTS;
    }
}

/* Hot loop two: one run through the program, with short jumps back. */
__attribute__((noinline)) uint64_t interpret(uint64_t seed)
{
    uint64_t stack[STACK] = {seed, seed >> 7, 3};
    unsigned sp = 3;
    uint64_t sum = 0;
    int budget = 4 * PROGRAM;
    for (int pc = 0; pc < PROGRAM && budget > 0; pc++, budget--) {
        uint64_t *top = &stack[(sp - 1) % STACK];
        uint64_t *under = &stack[(sp - 2) % STACK];
        TRACE("interpret", program[pc], *top);
        switch ((enum op)program[pc]) {
        case PUSH:
            stack[sp++ % STACK] = sum + pc;
            break;
        case ADD:
            *under += *top;
            sp--;
            break;
        case SUB:
            *under -= *top;
            sp--;
            break;
        case XOR:
            *under ^= *top;
            sum += *under;
            sp--;
            break;
        case ROT:
            *top = *top << 11 | *top >> 53;
            break;
        case DUP:
            stack[sp++ % STACK] = *top;
            break;
        case SWAP: {
            uint64_t other = *top;
            *top = *under;
            *under = other;
            break;
        }
        case JNZ:
            if (*top & 3)
                pc -= pc > 4 ? 4 : 0;
            *top >>= 1;
            break;
        case LOOK:
            sum += look_up(1 + (uint32_t)(*top % 4096));
            break;
        case DEC:
            if (*top > sum)
                *top -= sum;
            else
                *top += 1;
            break;
        case OVER:
            stack[sp++ % STACK] = *under;
            break;
        case DROP:
            sp--;
            break;
        case OPS:
            break;
        }
    }
    return sum ^ stack[(sp - 1) % STACK];
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 8000;
    prepare();
    uint64_t checksum = 0;
    for (long i = 0; i < rounds; i++)
        checksum = checksum * 31 + interpret(checksum ^ (uint64_t)i);
    printf("{\"checksum\": %llu}\n", (unsigned long long)(checksum >> 12));
    return 0;
}
