/*
 * An allocator of small blocks with gates, and a program that allocates and frees at
 * random: the shape of the audit that this study repeats.
 *
 * usage: alloc [OPERATIONS]; prints one line: {"checksum": N}
 *
 * Gates, each a question that is answered by the environment once and then by a variable:
 *   header_mode()        a constant since long ago: the compiler leaves nothing of it
 *   mid_enabled()        is the experimental path for middle sizes on? asked by each malloc
 *   mid_debug_enabled()  does that path say what it does? asked inside of it only
 *   stats_enabled()      are operations counted? asked by each malloc and free
 *
 * -DMINIMAL makes the gates of the middle path constants, -DNO_STATS that of the counts.
 * The output is the same in every form.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define SPAN (64 * 1024) /* spans are aligned to their size */
#define GRAIN 16
#define CLASSES 66
#define LARGEST (CLASSES - 1) * GRAIN
#define SPANS 1024
#define SLOTS 8192

enum kind { SMALL, MID };

struct block {
    struct block *next;
};

struct span {
    enum kind kind;
    unsigned class;
};

static struct block *free_small[CLASSES];
static struct block *free_mid[CLASSES];
static char *fresh;
static unsigned fresh_spans;
static uint64_t allocated, freed;

__attribute__((unused)) static int latched(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0' && *value != '0';
}

static inline int header_mode(void)
{
    return 0;
}

#ifdef MINIMAL
static inline int mid_enabled(void)
{
    return 0;
}
static inline int mid_debug_enabled(void)
{
    return 0;
}
#else
static inline int mid_enabled(void)
{
    static int enabled = -1;
    if (__builtin_expect(enabled == -1, 0))
        enabled = latched("ALLOC_MID");
    return enabled;
}
__attribute__((noinline)) int mid_debug_enabled(void)
{
    static int enabled = -1;
    if (__builtin_expect(enabled == -1, 0))
        enabled = latched("ALLOC_MID_DEBUG");
    return enabled;
}
#endif

#ifdef NO_STATS
static inline int stats_enabled(void)
{
    return 0;
}
#else
static inline int stats_enabled(void)
{
    static int enabled = -1;
    if (__builtin_expect(enabled == -1, 0))
        enabled = latched("ALLOC_STATS");
    return enabled;
}
#endif

/* A span for a class, cut into blocks. */
__attribute__((noinline)) static struct block *refill(struct block **list, unsigned class, enum kind kind)
{
    if (fresh_spans == 0) {
        /* One span more than wanted, for the alignment. */
        char *all = mmap(NULL, (SPANS + 1) * (size_t)SPAN, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (all == MAP_FAILED) {
            perror("mmap");
            exit(1);
        }
        fresh = (char *)(((uintptr_t)all + SPAN - 1) & ~(uintptr_t)(SPAN - 1));
        fresh_spans = SPANS;
    }
    struct span *span = (struct span *)fresh;
    span->kind = kind;
    span->class = class;
    size_t size = class * GRAIN;
    for (char *at = fresh + 64; at + size <= fresh + SPAN; at += size) {
        struct block *block = (struct block *)at;
        block->next = *list;
        *list = block;
    }
    fresh += SPAN;
    fresh_spans--;
    return *list;
}

/* The experimental path, which nothing turns on. */
__attribute__((noinline)) static void *mid_take(unsigned class)
{
    if (mid_debug_enabled())
        fprintf(stderr, "mid: take class %u\n", class);
    struct block *block = free_mid[class] ? free_mid[class] : refill(&free_mid[class], class, MID);
    if (mid_debug_enabled())
        fprintf(stderr, "mid: took %p\n", (void *)block);
    free_mid[class] = block->next;
    return block;
}

__attribute__((noinline)) static void mid_give(struct block *block, unsigned class)
{
    if (mid_debug_enabled())
        fprintf(stderr, "mid: give %p back\n", (void *)block);
    block->next = free_mid[class];
    free_mid[class] = block;
}

__attribute__((noinline)) void *take(size_t size)
{
    unsigned class = (unsigned)((size + GRAIN - 1) / GRAIN);
    if (header_mode())
        class += 1;
    if (stats_enabled())
        allocated++;
    if (mid_enabled() && size >= 257 && size <= 768)
        return mid_take(class);
    struct block *block = free_small[class];
    if (__builtin_expect(block == NULL, 0))
        block = refill(&free_small[class], class, SMALL);
    free_small[class] = block->next;
    return block;
}

__attribute__((noinline)) void give(void *at)
{
    struct span *span = (struct span *)((uintptr_t)at & ~(uintptr_t)(SPAN - 1));
    struct block *block = at;
    if (stats_enabled())
        freed++;
    if (__builtin_expect(span->kind == MID, 0)) {
        mid_give(block, span->class);
        return;
    }
    block->next = free_small[span->class];
    free_small[span->class] = block;
}

/* xorshift64, G. Marsaglia, Journal of Statistical Software 8(14), 2003. */
static uint64_t state = 88172645463325252u;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

int main(int argc, char **argv)
{
    static unsigned char *slots[SLOTS];
    long operations = argc > 1 ? atol(argv[1]) : 2000000;
    uint64_t checksum = 0;
    for (long i = 0; i < operations; i++) {
        uint64_t draw = next();
        /* Slot and size are drawn from different bits: else a slot had one size for ever. */
        unsigned slot = draw % SLOTS;
        if (slots[slot] != NULL) {
            checksum = checksum * 31 + *slots[slot];
            give(slots[slot]);
            slots[slot] = NULL;
        } else {
            size_t size = 16 + (draw >> 40) % (LARGEST - 16);
            slots[slot] = take(size);
            *slots[slot] = (unsigned char)draw;
        }
    }
    if (stats_enabled())
        fprintf(stderr, "%llu allocated, %llu freed\n", (unsigned long long)allocated,
                (unsigned long long)freed);
    printf("{\"checksum\": %llu}\n", (unsigned long long)(checksum >> 12));
    return 0;
}
