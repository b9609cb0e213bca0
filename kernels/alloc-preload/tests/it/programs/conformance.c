/* What C, POSIX and the C library of GNU promise of malloc and its kin. Prints what does
 * not hold, and how many things were asked. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int asked, wrong;
#define HOLDS(what) do { asked++; if (!(what)) { wrong++; \
  printf("line %d: %s does not hold\n", __LINE__, #what); } } while (0)

static int aligned(void *p, size_t a) { return p && (uintptr_t)p % a == 0; }

/* Not to be computed by the compiler. */
static volatile size_t most = SIZE_MAX, big = PTRDIFF_MAX;

static void *thread(void *block) {
  free(block);
  return malloc(100);
}

int main(void) {
  void *p = malloc(0), *q = malloc(0);
  HOLDS(p && q && p != q);
  free(p), free(q), free(NULL);

  errno = 0; HOLDS(!malloc(most) && errno == ENOMEM);
  errno = 0; HOLDS(!malloc(big + 1) && errno == ENOMEM);
  errno = 0; HOLDS(!calloc(most / 2, 3) && errno == ENOMEM);
  errno = 0; HOLDS(!reallocarray(NULL, most / 2, 3) && errno == ENOMEM);

  p = calloc(100, 3);
  int zero = 1;
  for (int i = 0; i < 300; i++) zero &= ((char *)p)[i] == 0;
  HOLDS(zero);
  memset(p, 7, 300);
  errno = 0; HOLDS(!realloc(p, most) && errno == ENOMEM);
  HOLDS(((char *)p)[299] == 7);
  p = realloc(p, 100000);
  HOLDS(p && ((char *)p)[299] == 7);
  p = realloc(p, 10);
  HOLDS(p && ((char *)p)[9] == 7);
  HOLDS(!realloc(p, 0));
  p = realloc(NULL, 10);
  HOLDS(p);
  p = reallocarray(p, 10, 10);
  HOLDS(p && malloc_usable_size(p) >= 100);
  HOLDS(malloc_usable_size(NULL) == 0);
  free(p);

  p = (void *)1;
  HOLDS(posix_memalign(&p, 3, 10) == EINVAL && p == (void *)1);
  HOLDS(posix_memalign(&p, 4, 10) == EINVAL && p == (void *)1);
  HOLDS(posix_memalign(&p, 0, 10) == EINVAL && p == (void *)1);
  errno = 5; HOLDS(posix_memalign(&p, 64, big) == ENOMEM && p == (void *)1 && errno == 5);
  for (size_t a = 8; a <= (size_t)1 << 30; a *= 2)
    for (size_t n = 1; n < 200000; n = n * 5 + 1) {
      p = NULL;
      HOLDS(posix_memalign(&p, a, n) == 0 && aligned(p, a) && malloc_usable_size(p) >= n);
      memset(p, 1, n < 5000 ? n : 5000);
      free(p);
      p = aligned_alloc(a, n);
      HOLDS(aligned(p, a));
      p = realloc(p, n + 5000);
      HOLDS(p);
      free(p);
    }
  errno = 0; HOLDS(!aligned_alloc(3, 10) && errno == EINVAL);
  p = memalign(48, 10);
  HOLDS(aligned(p, 64));
  free(p);
  p = valloc(10);
  HOLDS(aligned(p, 4096));
  free(p);
  p = pvalloc(4097);
  HOLDS(aligned(p, 4096) && malloc_usable_size(p) >= 8192);
  free(p);
  errno = 0; HOLDS(!pvalloc(most) && errno == ENOMEM);

  errno = 9;
  for (int i = 0; i < 2000; i++) free(malloc(i * 37));
  HOLDS(errno == 9);
  malloc_trim(0);

  for (int i = 0; i < 200; i++) {
    pthread_t t;
    HOLDS(pthread_create(&t, NULL, thread, malloc(1 + i * 50)) == 0);
    HOLDS(pthread_join(t, &p) == 0 && p);
    free(p);
  }
  for (int i = 0; i < 20; i++) {
    pid_t child = fork();
    if (!child) {
      for (int k = 0; k < 1000; k++) free(malloc(k * 10));
      _exit(0);
    }
    int status;
    HOLDS(waitpid(child, &status, 0) == child && status == 0);
  }
  printf("%d asked, %d wrong\n", asked, wrong);
  return wrong != 0;
}
