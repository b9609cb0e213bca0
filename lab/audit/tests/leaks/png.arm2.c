// A reader: filters in an array of an allocated structure, which starts with the plain ones.
#include "arm2.h"
#include <setjmp.h>
typedef struct png { jmp_buf jump; unsigned char *buffer; size_t row_bytes; unsigned options; work_t read_filter[4]; } png_t;
PLAIN(sub_c) PLAIN(up_c) PLAIN(avg_c) PLAIN(paeth_c) DOT(sub_dot) DOT(up_dot) SVE(avg_sve) SVE(paeth_sve)
__attribute__((noinline)) static int png_have_sve(png_t *pp) { (void)pp; return (getauxval(AT_HWCAP) & HWCAP_SVE) != 0; }
__attribute__((noinline)) static int png_have_dot(png_t *pp) { (void)pp; return (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0; }
__attribute__((noinline)) static void init_filter_functions_arm(png_t *pp, unsigned bpp) {
    static volatile int no_dot = -1;
    if (no_dot < 0) no_dot = !png_have_dot(pp);
    if (no_dot) return;
    pp->read_filter[1] = up_dot;
    if (bpp == 3) pp->read_filter[0] = sub_dot;
#ifdef BAD
    pp->read_filter[2] = avg_sve;
#endif
}
__attribute__((noinline)) static void init_filter_functions_sve(png_t *pp, unsigned bpp) {
    switch ((pp->options >> 2) & 3) {
    case 2: return;
    case 0: if (!png_have_sve(pp)) return; break;
    default: return;
    }
    if (bpp == 4) { pp->read_filter[2] = avg_sve; pp->read_filter[3] = paeth_sve; }
}
__attribute__((noinline)) static void init_filter_functions(png_t *pp, unsigned bpp) {
    pp->read_filter[0] = sub_c;
    pp->read_filter[1] = up_c;
    pp->read_filter[2] = avg_c;
    pp->read_filter[3] = paeth_c;
    init_filter_functions_arm(pp, bpp);
    init_filter_functions_sve(pp, bpp);
}
__attribute__((noinline)) static int read_filter_row(png_t *pp, const int *row, int n, int filter) {
    if (filter > 0 && filter < 5) {
        if (pp->read_filter[0] == NULL) init_filter_functions(pp, (unsigned)(n > 60 ? 3 : 4));
        return pp->read_filter[filter - 1](row, n);
    }
    return 0;
}
int main(int argc, char **argv) {
    png_t *pp = calloc(1, sizeof *pp);
    int n = fill(argc), sum = 0;
    for (int i = 0; i < 8; i++) sum += read_filter_row(pp, data, n, i);
    printf("%d\n", sum);
    free(pp);
}
