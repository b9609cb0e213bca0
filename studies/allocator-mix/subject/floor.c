/* The least that malloc can do: one thread, sizes up to 1040 bytes (larger ones come from fresh
 * pages and never go back), no limits, nothing checked, no memory given back. What the
 * programs of mix.c reach with it is about what they themselves cost. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { STEP = 16, CLASSES = 66, SLAB = 1 << 16, STACK = 1 << 23 };
static const size_t ARENA = (size_t)1 << 34;
static uint8_t class_of[1 << 18];
static char *arena, *fresh;
/* A stack of free blocks a class, and the slab that new ones are cut from. */
static struct { void **top, **base; char *at, *end; } classes[CLASSES];

static void *reserve(size_t bytes) {
  return mmap(NULL, bytes, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static __attribute__((noinline)) void *slowly(size_t bytes) {
  if (!arena) {
    arena = fresh = reserve(ARENA);
    for (int i = 0; i < CLASSES; i++) classes[i].top = classes[i].base = reserve(STACK);
  }
  size_t class = bytes ? (bytes + 15) / STEP : 1;
  if (class >= CLASSES) {
    void *p = fresh;
    fresh += (bytes + SLAB - 1) / SLAB * SLAB;
    return p;
  }
  if (classes[class].at == classes[class].end) {
    class_of[(fresh - arena) / SLAB] = class;
    classes[class].at = fresh;
    classes[class].end = fresh + SLAB / (class * STEP) * (class * STEP);
    fresh += SLAB;
  }
  void *p = classes[class].at;
  classes[class].at += class * STEP;
  return p;
}

void *malloc(size_t bytes) {
  size_t class = (bytes + 15) / STEP;
  if (class >= CLASSES || classes[class].top == classes[class].base) return slowly(bytes);
  return *--classes[class].top;
}

void free(void *p) {
  size_t slab = ((char *)p - arena) / SLAB;
  if (slab >= sizeof class_of || !class_of[slab]) return;
  *classes[class_of[slab]].top++ = p;
}

void *calloc(size_t n, size_t bytes) {
  return memset(malloc(n * bytes), 0, n * bytes);
}

void *realloc(void *p, size_t bytes) {
  void *q = malloc(bytes);
  size_t slab = ((char *)p - arena) / SLAB;
  if (p && slab < sizeof class_of) {
    size_t old = class_of[slab] ? class_of[slab] * STEP : bytes;
    memcpy(q, p, old < bytes ? old : bytes);
  }
  return q;
}
