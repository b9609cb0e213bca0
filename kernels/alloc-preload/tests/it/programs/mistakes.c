/* Makes the mistake that it is told to make. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[100];

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "";
  char *volatile p = malloc(100);
  char *volatile large = malloc(100000);
  char local[32];
  if (!strcmp(what, "twice")) free(p), free(p);
  else if (!strcmp(what, "twice-large")) free(large), free(large);
  else if (!strcmp(what, "twice-later")) {
    free(p);
    for (int i = 0; i < 10; i++) free(malloc(100));
    free(p);
  }
  else if (!strcmp(what, "inside")) free(p + 16);
  else if (!strcmp(what, "inside-large")) free(large + 65536);
  else if (!strcmp(what, "static")) { char *volatile q = text; free(q); }
  else if (!strcmp(what, "stack")) { char *volatile q = local; free(q + 16); }
  else if (!strcmp(what, "wild")) { char *volatile q = (char *)0x123450; free(q); }
  else if (!strcmp(what, "never")) free((char *)((uintptr_t)large & ~(uintptr_t)0xffffff) + 0x20000000);
  else if (!strcmp(what, "overrun")) p[100] = 1, free(p);
  else if (!strcmp(what, "overrun-large")) large[100000] = 1, free(large);
  else if (!strcmp(what, "after")) {
    free(p);
    p[50] = 1;
    for (int i = 0; i < 3000; i++) free(malloc(100));
  }
  else if (!strcmp(what, "far")) p[112 + 16] = 1; /* behind the guarded page's end */
  else return 2;
  puts("not noticed");
  return 0;
}
