/* Asks for memory from two places and two threads, and says where all functions begin: `keep`
 * keeps 20 000 blocks of 1000 bytes, `churn` frees each of 50 000 blocks of 3000 at once. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *kept[20000];

__attribute__((noinline)) static void keep(int from, int to) {
  for (int i = from; i < to; i++) kept[i] = malloc(1000);
}

__attribute__((noinline)) static void churn(void) {
  for (int i = 0; i < 50000; i++) {
    char *block = malloc(3000);
    *block = 1;
    free(block);
  }
}

static void *other(void *nothing) {
  keep(10000, 20000);
  return nothing;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, other, NULL)) return 2;
  keep(0, 10000);
  churn();
  pthread_join(thread, NULL);
  /* Neither sampled twice nor forgotten when it moves. */
  for (int i = 0; i < 20000; i += 100) kept[i] = realloc(kept[i], 1000);
  printf("%lu %lu %lu %lu\n", (unsigned long)keep, (unsigned long)churn, (unsigned long)other,
         (unsigned long)main);
  return 0;
}
