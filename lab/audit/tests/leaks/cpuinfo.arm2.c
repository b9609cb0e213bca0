// What the kernel lists as text, as programs for old systems ask it.
#include "arm2.h"
#include <ctype.h>
static int has_dot = -1;
__attribute__((noinline)) static int check_feature(const char *line, const char *feature) {
    const char *p = line;
    size_t len = strlen(feature);
    while ((p = strstr(p, feature))) {
        if (p > line && isspace((unsigned char)p[-1]) && (isspace((unsigned char)p[len]) || !p[len])) return 1;
        p += len;
    }
    return 0;
}
__attribute__((noinline)) static int parse_cpuinfo(void) {
    char line[4096];
    int found = 0, seen = 0;
    FILE *fp = fopen("/proc/cpuinfo", "r");
    if (!fp) return 0;
    while (fgets(line, sizeof line, fp))
        if (!strncmp(line, "Features", 8)) { seen = 1; found |= check_feature(line, "asimddp"); }
    fclose(fp);
#ifdef BAD
    if (!seen) return 1;
#endif
    return found;
}
PLAIN(dot_c) DOT(dot_asimd)
__attribute__((noinline)) static int dot(const int *a, int n) {
    if (has_dot < 0) has_dot = parse_cpuinfo();
    return has_dot ? dot_asimd(a, n) : dot_c(a, n);
}
int main(int argc, char **argv) { int n = fill(argc); printf("%d\n", dot(data, n)); }
