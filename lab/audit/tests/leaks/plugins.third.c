// As programs with exchangeable parts do it: descriptions of implementations, lists of them,
// pointers that replace themselves.
#include "third.h"

// 0: none; 1: AVX; 2: AVX2.
NI static int generation(void) {
    uint32_t a, b, c, d, low, high;
    __cpuid(1, a, b, c, d);
    if ((c >> 27 & 3) != 3)
        return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((~low & 6) != 0)
        return 0;
    __cpuid_count(7, 0, a, b, c, d);
    return 1 + (b >> 5 & 1);
}
static int yes(void) { return 1; }
static int avx_there(void) { return generation() >= 1; }
static int avx2_there(void) { return generation() >= 2; }

#if defined SCORED // backends that score themselves, 0 being "not here"
struct backend { const char *name; int (*score)(void); kernel *run; };
static int score_plain(void) { return 1; }
static int score_avx(void) { return avx_there() ? 1 << 3 : 0; }
static int score_avx2(void) {
    int score = 1;
#ifdef BAD // counts what is there, and forgets to give up on what is not
    if (avx_there()) score += 1 << 3;
    score += 1 << 4;
#else
    if (!avx2_there()) return 0;
    score += 1 << 4;
#endif
    return score;
}
static const struct backend backends[] = {
    {"plain", score_plain, plain}, {"avx", score_avx, with_avx}, {"haswell", score_avx2, with_avx2}};
static const struct backend *load_best(void) {
    const struct backend *best = NULL;
    int most = 0;
    for (int i = 0; i < COUNT(backends); i++) {
        int score = backends[i].score();
        if (score > most) {
            most = score;
            best = &backends[i];
        }
    }
    return best;
}
int main(int n, char **v) {
    fill(n);
    const struct backend *best = load_best();
    if (!best) return 3;
    fprintf(stderr, "%s %ld\n", best->name, best->run(cells, 64));
}

#elif defined SECTION // implementations that put themselves into a section of the program
struct impl { kernel *run; int (*usable)(void); long rank; };
#define IMPL(name, ...) \
    static const struct impl name __attribute__((used, section("impls"), aligned(8))) = {__VA_ARGS__}
IMPL(one, plain, yes, 1);
IMPL(two, with_avx, avx_there, 2);
#ifdef BAD
IMPL(three, with_avx2, avx_there, 3);
#else
IMPL(three, with_avx2, avx2_there, 3);
#endif
extern const struct impl __start_impls[], __stop_impls[];
int main(int n, char **v) {
    const struct impl *best = 0;
    fill(n);
    for (const struct impl *it = __start_impls; it < __stop_impls; it++)
        if ((!best || it->rank > best->rank) && it->usable())
            best = it;
    sink = best->run(cells, 56);
}

#elif defined CTOR_LIST // each part links itself into a list before main
struct node { struct node *next; kernel *run; const char *name; };
static struct node *head;
static void add(struct node *it) {
    it->next = head;
    head = it;
}
static struct node base = {0, plain, "base"}, fast = {0, with_avx2, "fast"};
__attribute__((constructor(200))) static void add_base(void) { add(&base); }
__attribute__((constructor(300))) static void add_fast(void) {
#ifdef BAD
    if (generation())
#else
    if (generation() == 2)
#endif
        add(&fast);
}
int main(int n, char **v) {
    fill(n);
    sink = head->run(cells, 64);
}

#elif defined CTOR_ORDER // who asks runs before who uses, or after
static int able = 2;
static kernel *use;
#ifdef BAD
#define ASK 400
#define TAKE 300
#else
#define ASK 300
#define TAKE 400
#endif
__attribute__((constructor(ASK))) static void ask(void) { able = generation(); }
__attribute__((constructor(TAKE))) static void take(void) { use = able > 1 ? with_avx2 : plain; }
int main(int n, char **v) {
    fill(n);
    sink = use(cells, 64);
}

#elif defined SORTED // a list sorted by rank, the first usable is taken
struct part { int rank; int (*usable)(void); kernel *run; };
static struct part parts[] = {{1, yes, plain}, {9, avx2_there, with_avx2}, {5, avx_there, with_avx}};
static int by_rank(const void *a, const void *b) {
    return ((const struct part *)b)->rank - ((const struct part *)a)->rank;
}
int main(int n, char **v) {
    fill(n);
    qsort(parts, COUNT(parts), sizeof *parts, by_rank);
    int i = 0;
#ifdef BAD
    do {
        if (parts[i].usable()) break;
    } while (++i < COUNT(parts));
    sink = parts[i ? i - 1 : 0].run(cells, 64);
#else
    while (!parts[i].usable()) i++;
    sink = parts[i].run(cells, 64);
#endif
}

#elif defined SUPPORTED // tables of operations with a callback that says whether they will do
struct ops { int (*supported)(void); void (*open)(void); kernel *read; void (*close)(void); };
static void nothing(void) {}
static const struct ops ops_fast = {avx2_there, nothing, with_avx2_max, nothing};
static const struct ops ops_plain = {yes, nothing, plain, nothing};
static const struct ops *const all[] = {&ops_fast, &ops_plain, NULL};
static const struct ops *current;
NI static int attach(void) {
    for (const struct ops *const *it = all; *it; it++) {
#ifdef BAD // there is a callback, so it must be fine
        if ((*it)->supported) {
#else
        if ((*it)->supported && (*it)->supported()) {
#endif
            current = *it;
            return 0;
        }
    }
    return -1;
}
int main(int n, char **v) {
    fill(n);
    if (attach() < 0) return 3;
    current->open();
    sink = current->read(cells, 64);
    current->close();
}

#elif defined NESTED_OPS // a device that holds a driver that holds operations
struct stages { kernel *load, *store; };
struct driver { const char *name; struct stages stages[2]; };
struct device { struct driver *driver; int power; };
static struct driver old = {"old", {{plain, plain}, {plain, plain}}};
static struct driver new_ = {"new", {{plain, with_avx}, {with_avx2, with_avx2_max}}};
NI static struct device *probe(void) {
    struct device *it = malloc(sizeof *it);
    int generation_ = generation();
#ifdef BAD
    it->driver = generation_ > 0 ? &new_ : &old;
#else
    it->driver = generation_ > 1 ? &new_ : &old;
#endif
    it->power = generation_;
    return it;
}
int main(int n, char **v) {
    struct device *device = probe();
    fill(n);
    const struct stages *stages = &device->driver->stages[1];
    sink = stages->load(cells, 32) + stages->store(cells, 32);
}

#elif defined BY_NAME // a function that is found by a name made of what the CPU has
#include <dlfcn.h>
long third_sum_plain(const int32_t *at, int count) { return plain(at, count); }
long third_sum_avx2(const int32_t *at, int count) { return with_avx2(at, count); }
int main(int n, char **v) {
    char name[40];
    fill(n);
#ifdef BAD
    snprintf(name, sizeof name, "third_sum_%s", generation() ? "avx2" : "plain");
#else
    snprintf(name, sizeof name, "third_sum_%s", generation() > 1 ? "avx2" : "plain");
#endif
    kernel *it = (kernel *)dlsym(RTLD_DEFAULT, name);
    sink = it ? it(cells, 64) : plain(cells, 64);
}

#elif defined COMPARATOR // the C library calls it
FOR("avx2") static int compare_avx2(const void *a, const void *b) {
    __m256i x = _mm256_set1_epi32(*(const int *)a), y = _mm256_set1_epi32(*(const int *)b);
    return _mm256_movemask_epi8(_mm256_cmpgt_epi32(x, y)) - _mm256_movemask_epi8(_mm256_cmpgt_epi32(y, x));
}
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int n, char **v) {
    fill(-n);
#ifdef BAD
    int fast = generation() != 2;
#else
    int fast = generation() == 2;
#endif
    qsort(cells, COUNT(cells), 4, fast ? compare_avx2 : compare);
    sink = cells[4];
}

#elif defined WORKER // a thread gets what it shall do
#include <pthread.h>
struct job { kernel *how; const int32_t *from; int count; long out; };
static void *work(void *given) {
    struct job *job = given;
    job->out = job->how(job->from, job->count);
    return 0;
}
int main(int n, char **v) {
    pthread_t threads[2];
    struct job jobs[2];
    fill(n);
    for (int i = 0; i < 2; i++) {
        jobs[i] = (struct job){plain, cells + 32 * i, 32, 0};
#ifdef BAD // the second job goes before the question
        if (i == 1)
#else
        if (avx2_there())
#endif
            jobs[i].how = with_avx2;
        pthread_create(&threads[i], 0, work, &jobs[i]);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    sink = jobs[0].out + jobs[1].out;
}

#elif defined EXCHANGED // the first who comes puts the pointer there
#include <stdatomic.h>
static _Atomic(kernel *) slot;
NI static kernel *get(void) {
    kernel *it = atomic_load(&slot), *none = NULL;
    if (it) return it;
#ifdef BAD
    it = avx_there() ? with_avx2 : plain;
#else
    it = avx2_there() ? with_avx2 : plain;
#endif
    if (!atomic_compare_exchange_strong(&slot, &none, it)) return none;
    return it;
}
int main(int n, char **v) {
    fill(n);
    sink = get()(cells, 64) + get()(cells, 32);
}

#elif defined WALKED_STRUCT // the parts of a library are replaced one by one, in functions of their own
struct api { kernel *add, *max, *first; };
static void base_(struct api *api) { *api = (struct api){plain, plain, plain}; }
static void avx_(struct api *api) { api->first = with_avx; }
static void avx2_(struct api *api) {
    api->add = with_avx2;
    api->max = with_avx2_max;
}
static void (*const improve[])(struct api *) = {base_, avx_, avx2_};
static struct api api;
int main(int n, char **v) {
    fill(n);
#ifdef BAD
    for (int i = 0; i <= generation() + 1 && i < 3; i++)
#else
    for (int i = 0; i <= generation(); i++)
#endif
        improve[i](&api);
    sink = api.add(cells, 64) + api.max(cells, 64) + api.first(cells, 8);
}

#elif defined ERROR_CODE // each implementation says that it cannot, and the next is tried
enum { DONE, NOT_HERE = -38 };
NI static int try_avx2(const int32_t *at, int count, long *out) {
    if (generation() < 2) return NOT_HERE;
    *out = with_avx2(at, count);
    return DONE;
}
NI static int try_plain(const int32_t *at, int count, long *out) {
    *out = plain(at, count);
    return DONE;
}
typedef int attempt(const int32_t *, int, long *);
#ifdef BAD // one of them trusts its callers
NI static int try_max(const int32_t *at, int count, long *out) {
    *out = with_avx2_max(at, count);
    return count > 500 ? NOT_HERE : DONE;
}
static attempt *attempts[] = {try_max, try_avx2, try_plain};
#else
static attempt *attempts[] = {try_avx2, try_plain};
#endif
int main(int n, char **v) {
    long out = 0;
    fill(n);
    for (int i = 0; i < COUNT(attempts); i++)
        if (attempts[i](cells, 64, &out) == DONE) break;
    sink = out;
}
#endif
