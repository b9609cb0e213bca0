/* Programs that do little but allocate and free, to be run under LD_PRELOAD.
 *
 *   mix same|apart SLOTS OPERATIONS     one thread; size and slot from one draw or two
 *   mix cross SLOTS OPERATIONS          two threads; each takes blocks from the other
 *   mix xmalloc BATCHES                 one thread allocates, the other frees
 *   mix larson SLOTS OPERATIONS         threads that pass their blocks on and end
 *   mix drain SLOTS OPERATIONS          `apart`, then all is freed and memory is read
 *   mix soak SLOTS OPERATIONS FIRST     FIRST operations of `apart`, then OPERATIONS every
 *                                       20 ms, until it is ended; a line each time: all
 *                                       operations, processor time
 *   mix grow SLOTS OPERATIONS TIMES     OPERATIONS of `apart` at full speed, so many times; a
 *                                       line each time: all operations, memory, and what
 *                                       each size of 16 bytes had most of, together
 *
 * An operation is one malloc or one free. It prints its operations a second of wall time
 * and of processor time, and of
 * /proc/self/status: memory before, the peak, and memory after all is freed.
 * Nothing here allocates but what is measured. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static uint32_t draw(uint32_t *state) { /* xorshift32, Marsaglia 2003 */
  uint32_t x = *state;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return *state = x;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static double processor(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

/* KiB of a line of /proc/self/status. */
static long status(const char *name) {
  static char text[8192];
  int file = open("/proc/self/status", O_RDONLY);
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  text[length > 0 ? length : 0] = 0;
  const char *line = strstr(text, name);
  return line ? strtol(line + strlen(name), NULL, 10) : -1;
}

/* A library that cannot be preloaded is a warning of the loader only: ask the kernel. */
static void preloaded(void) {
  static char maps[1 << 16];
  const char *path = getenv("LD_PRELOAD");
  if (!path || !*path) return;
  const char *slash = strrchr(path, '/');
  int file = open("/proc/self/maps", O_RDONLY);
  size_t length = 0;
  ssize_t got;
  while (length < sizeof maps - 1 && (got = read(file, maps + length, sizeof maps - 1 - length)) > 0)
    length += got;
  close(file);
  maps[length] = 0;
  if (strstr(maps, slash ? slash + 1 : path)) return;
  fprintf(stderr, "mix: LD_PRELOAD=%s is not loaded\n", path);
  exit(3);
}

static void *pages(size_t bytes) {
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (p == MAP_FAILED) exit(2);
  return p;
}

static void *block(size_t size) {
  char *p = malloc(size);
  if (!p) { fputs("mix: no memory\n", stderr); exit(2); }
  *p = 1;
  return p;
}

static void mix(void **slots, size_t count, size_t operations, uint32_t seed, int apart) {
  for (size_t i = 0; i < operations; i++) {
    uint32_t r = draw(&seed);
    size_t slot = r % count;
    if (slots[slot]) {
      free(slots[slot]);
      slots[slot] = NULL;
    } else {
      if (apart) r = draw(&seed);
      slots[slot] = block(16 + (r & 0x3ff));
    }
  }
}

/* Seeds of parts of one load: numbers far apart, where xorshift32's own would begin each part
 * one draw after the last. SplitMix64, Steele 2014. */
static uint32_t another(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return (uint32_t)(z >> 32) | 1;
}

static void drop(void **slots, size_t count) {
  for (size_t i = 0; i < count; i++) free(slots[i]), slots[i] = NULL;
}

static void both(void *(*run)(void *)) {
  pthread_t other;
  if (pthread_create(&other, NULL, run, (void *)1)) exit(2);
  run((void *)0);
  pthread_join(other, NULL);
}

static _Atomic(void *) *shared;
static size_t slot_count, operation_count;

static void *cross(void *which) {
  uint32_t seed = which ? 7654321 : 1234567;
  for (size_t i = 0; i < operation_count / 2; i++) {
    size_t slot = draw(&seed) % slot_count;
    void *mine = NULL;
    if (!atomic_load_explicit(&shared[slot], memory_order_relaxed))
      mine = block(16 + (draw(&seed) & 0x3ff));
    void *old = atomic_exchange_explicit(&shared[slot], mine, memory_order_acq_rel);
    if (old) free(old);
  }
  return NULL;
}

/* Batches of blocks go round between an allocating and a freeing thread. */
enum { BLOCKS = 120, RING = 64 };
static struct { void *blocks[BLOCKS]; } *ring;
static atomic_size_t made, freed;
/* Processor time of each thread in the allocator, without its waits for the other. */
static double spent[2];

static double batch(size_t number, int frees, uint32_t *seed) {
  double start = processor(CLOCK_THREAD_CPUTIME_ID);
  void **blocks = ring[number % RING].blocks;
  for (int k = 0; k < BLOCKS; k++)
    if (frees) free(blocks[k]);
    else blocks[k] = block(16 + draw(seed) % 400);
  return processor(CLOCK_THREAD_CPUTIME_ID) - start;
}

static void *xmalloc(void *which) {
  if (which) {
    for (size_t i = 0; i < operation_count; i++) {
      while (atomic_load_explicit(&made, memory_order_acquire) <= i) sched_yield();
      spent[1] += batch(i, 1, NULL);
      atomic_store_explicit(&freed, i + 1, memory_order_release);
    }
  } else {
    uint32_t seed = 1234567;
    for (size_t i = 0; i < operation_count; i++) {
      while (i >= RING + atomic_load_explicit(&freed, memory_order_acquire)) sched_yield();
      spent[0] += batch(i, 0, &seed);
      atomic_store_explicit(&made, i + 1, memory_order_release);
    }
  }
  return NULL;
}

/* As in Larson and Krishnan's benchmark (ISMM 1998): a thread replaces blocks of its
 * slots, then a new thread goes on with the slots. */
enum { GENERATIONS = 50 };
static void *generation(void *slots) {
  uint32_t seed = (uint32_t)(uintptr_t)slots | 1;
  void **mine = slots;
  for (size_t i = 0; i < operation_count / 4 / GENERATIONS; i++) {
    size_t slot = draw(&seed) % slot_count;
    free(mine[slot]);
    mine[slot] = block(16 + draw(&seed) % 500);
  }
  return NULL;
}

static void *larson(void *which) {
  void **slots = (void **)shared + (which ? slot_count : 0);
  for (int i = 0; i < GENERATIONS; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, generation, slots)) exit(2);
    pthread_join(thread, NULL);
  }
  return NULL;
}

enum { PART = 20000 };

/* For `karat soak`: a low rate, so that hours of it disturb nobody. The first operations go
 * at full speed and unseen, because the rare ones among them touch pages for the first time. */
static void soak(void **slots, size_t first) {
  uint64_t seed = 1234567;
  for (size_t i = 0; i < first; i += PART) mix(slots, slot_count, PART, another(&seed), 1);
  struct timespec turn;
  clock_gettime(CLOCK_MONOTONIC, &turn);
  for (size_t total = operation_count;; total += operation_count) {
    double start = processor(CLOCK_THREAD_CPUTIME_ID);
    mix(slots, slot_count, operation_count, another(&seed), 1);
    double took = processor(CLOCK_THREAD_CPUTIME_ID) - start;
    char line[100];
    int length = snprintf(line, sizeof line, "total %zu took %.0f us\n", total, took * 1e6);
    if (write(1, line, length) != length) exit(0);
    turn.tv_nsec += 20000000;
    if (turn.tv_nsec >= 1000000000) turn.tv_nsec -= 1000000000, turn.tv_sec++;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &turn, NULL);
  }
}

/* What no allocator can be below that gives each size memory of its own: the largest number of
 * blocks of each size there ever was. It rises for ever, more slowly all the time. */
static void grow(void **slots, size_t times) {
  static size_t now_of[66], most_of[66];
  size_t *size = pages(slot_count * sizeof *size), total = 0;
  uint64_t seeds = 1234567;
  while (times--) {
    for (size_t i = 0; i < operation_count; total++, i++) {
      static uint32_t seed;
      if (i % PART == 0) seed = another(&seeds);
      uint32_t r = draw(&seed);
      size_t slot = r % slot_count;
      if (slots[slot]) {
        free(slots[slot]);
        slots[slot] = NULL;
        now_of[size[slot]]--;
      } else {
        size_t bytes = 16 + (draw(&seed) & 0x3ff);
        slots[slot] = block(bytes);
        size_t of = size[slot] = (bytes + 15) / 16;
        if (++now_of[of] > most_of[of]) most_of[of] = now_of[of];
      }
    }
    size_t most = 0;
    for (size_t of = 0; of < 66; of++) most += most_of[of] * of * 16;
    char line[100];
    int length = snprintf(line, sizeof line, "operations %zu rss_kib %ld most_kib %zu\n", total,
                          status("VmRSS:"), most / 1024);
    if (write(1, line, length) != length) exit(0);
  }
}

int main(int count, char **words) {
  if (count < 3) { fputs("usage: see the head of mix.c\n", stderr); return 2; }
  preloaded();
  const char *what = words[1];
  slot_count = strtoul(words[2], NULL, 10);
  operation_count = count > 3 ? strtoul(words[3], NULL, 10) : 0;
  size_t bytes = slot_count * 2 * sizeof(void *);
  if (!strcmp(what, "xmalloc")) {
    operation_count = slot_count;
    bytes = RING * sizeof *ring;
  }
  void **slots = pages(bytes);
  shared = (void *)slots;
  ring = (void *)slots;
  free(malloc(1)); /* the allocator's start belongs to what was before */
  if (!strcmp(what, "soak")) soak(slots, count > 4 ? strtoul(words[4], NULL, 10) : 0);
  if (!strcmp(what, "grow")) return grow(slots, count > 4 ? strtoul(words[4], NULL, 10) : 0), 0;
  long before = status("VmRSS:");
  size_t operations = operation_count;
  int apart = !strcmp(what, "apart") || !strcmp(what, "drain");
  int single = apart || !strcmp(what, "same");
  if (single) mix(slots, slot_count, operation_count / 10, 42, apart);
  double start = now(), busy = processor(CLOCK_PROCESS_CPUTIME_ID);
  if (single) mix(slots, slot_count, operation_count, 1234567, apart);
  else if (!strcmp(what, "cross")) both(cross);
  else if (!strcmp(what, "larson")) both(larson);
  else if (!strcmp(what, "xmalloc")) both(xmalloc), operations *= 2 * BLOCKS;
  else return 2;
  double seconds = now() - start;
  busy = processor(CLOCK_PROCESS_CPUTIME_ID) - busy;
  if (!strcmp(what, "xmalloc")) busy = spent[0] + spent[1];
  long peak = status("VmHWM:");
  if (strcmp(what, "xmalloc")) drop(slots, slot_count * 2);
  long after = status("VmRSS:");
  char line[200];
  int length = snprintf(line, sizeof line,
                        "ops_per_s %.0f\nops_per_cpu_s %.0f\nbefore_kib %ld\npeak_kib %ld\nafter_kib %ld\n",
                        operations / seconds, operations / busy, before, peak, after);
  return write(1, line, length) != length;
}
