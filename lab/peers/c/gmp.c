// GMP as a peer of karat's integers (docs/peer-programs.md):
//
//	cc -O2 -o /tmp/gmp-peer lab/peers/c/gmp.c -lgmp
//	karat kernels bench --kernel bigint-mul --peer /tmp/gmp-peer
//
// FLINT 3 instead of GMP, for what it multiplies itself:
//
//	cc -O2 -DWITH_FLINT -o /tmp/flint-peer lab/peers/c/gmp.c -lflint -lgmp
//
// Sums and products are by the functions on limbs (mpn), which are the fastest that both
// have: nothing is allocated, and no sign or length is looked at.

#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef WITH_FLINT
#include <flint/flint.h>
#include <flint/mpn_extras.h>
#define NAME "FLINT " FLINT_VERSION
#define MUL(out, a, b, n) flint_mpn_mul_n(out, a, b, n)
#define SQUARE(out, a, n) flint_mpn_sqr(out, a, n)
#else
#define MUL(out, a, b, n) mpn_mul_n(out, a, b, n)
#define SQUARE(out, a, n) mpn_sqr(out, a, n)
#endif

enum task { NONE, ADD, MULTIPLY, SQUARE_TASK, CHAIN, POWERS };

static const struct {
	const char *name;
	enum task task;
} TASKS[] = {
	{"bigint-add", ADD},
	{"bigint-mul", MULTIPLY},
	{"bigint-square", SQUARE_TASK},
	{"bigint-mul-chain", CHAIN},
#ifndef WITH_FLINT
	{"bigint-modexp", POWERS},
	{"bigint-modexp-many", POWERS},
#endif
};

// The numbers of an input, end to end, and its results.
struct call {
	size_t count, limbs, results, result_limbs;
	mp_limb_t *numbers, *out, *scratch;
	mpz_t *z, *power;
};

struct set {
	size_t count;
	struct call *calls;
};

static enum task current;

static void fail(const char *what)
{
	fprintf(stderr, "gmp-peer: %s\n", what);
	exit(1);
}

static void *allocate(size_t count, size_t size)
{
	void *place = calloc(count ? count : 1, size);
	if (!place)
		fail("no memory");
	return place;
}

static void release(struct set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		struct call *c = &set->calls[i];
		for (size_t k = 0; c->z && k < c->count; k++)
			mpz_clear(c->z[k]);
		for (size_t k = 0; c->z && k < c->results; k++)
			mpz_clear(c->power[k]);
		free(c->z);
		free(c->power);
		free(c->numbers);
		free(c->out);
		free(c->scratch);
	}
	free(set->calls);
	set->calls = NULL;
	set->count = 0;
}

// Reads `ITEMS BYTES NUMBERS`: numbers of equal length, the most significant byte first.
static void prepare(struct call *c, char *line)
{
	char *items = strtok(line, " \n"), *hex = strtok(NULL, " \n");
	if (!items || !hex)
		fail("an input has items, bytes and numbers");
	c->count = strtoul(items, NULL, 10);
	size_t digits = c->count ? strlen(hex) / c->count : 0;
	if (!digits || digits % 16 || digits * c->count != strlen(hex))
		fail("numbers are whole limbs of equal length");
	size_t n = c->limbs = digits / 16;
	c->numbers = allocate(c->count * n, sizeof(mp_limb_t));
	for (size_t i = 0; i < c->count * n; i++) {
		char limb[17] = {0};
		memcpy(limb, hex + 16 * i, 16);
		c->numbers[i / n * n + (n - 1 - i % n)] = strtoull(limb, NULL, 16);
	}
	c->results = current == CHAIN ? 1 : current == POWERS ? c->count / 3 : c->count / 2;
	c->result_limbs = current == ADD ? n + 1 : current == CHAIN || current == POWERS ? n : 2 * n;
	c->out = allocate(c->results * c->result_limbs, sizeof(mp_limb_t));
	c->scratch = allocate(2 * n, sizeof(mp_limb_t));
	if (current != POWERS)
		return;
	c->z = allocate(c->count, sizeof(mpz_t));
	c->power = allocate(c->results, sizeof(mpz_t));
	for (size_t i = 0; i < c->count; i++) {
		mpz_init(c->z[i]);
		mpz_import(c->z[i], n, -1, sizeof(mp_limb_t), 0, 0, c->numbers + i * n);
	}
	for (size_t i = 0; i < c->results; i++)
		mpz_init(c->power[i]);
}

static void compute(struct call *c)
{
	size_t n = c->limbs;
	const mp_limb_t *a = c->numbers;
	switch (current) {
	case ADD:
		for (size_t i = 0; i < c->results; i++, a += 2 * n)
			c->out[i * (n + 1) + n] = mpn_add_n(c->out + i * (n + 1), a, a + n, n);
		break;
	case MULTIPLY:
		for (size_t i = 0; i < c->results; i++, a += 2 * n)
			MUL(c->out + 2 * n * i, a, a + n, n);
		break;
	case SQUARE_TASK:
		for (size_t i = 0; i < c->results; i++, a += 2 * n)
			SQUARE(c->out + 2 * n * i, a, n);
		break;
	case CHAIN:
		// Each product's lower half is a factor of the next one.
		mpn_copyi(c->out, a, n);
		for (size_t i = 1; i < c->count; i++) {
			MUL(c->scratch, c->out, a + i * n, n);
			mpn_copyi(c->out, c->scratch, n);
		}
		break;
	default:
		for (size_t i = 0; i < c->results; i++)
			mpz_powm(c->power[i], c->z[3 * i], c->z[3 * i + 1], c->z[3 * i + 2]);
	}
}

static void answer(struct call *c)
{
	size_t n = c->result_limbs;
	for (size_t i = 0; i < c->results; i++) {
		mp_limb_t *out = c->out + i * n;
		if (current == POWERS) {
			memset(out, 0, n * sizeof(mp_limb_t));
			mpz_export(out, NULL, -1, sizeof(mp_limb_t), 0, 0, c->power[i]);
		}
		for (size_t k = n; k-- > 0;)
			printf("%016lx", out[k]);
	}
	putchar('\n');
}

static long long now(int wall)
{
	struct timespec t;
	clock_gettime(wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static struct set timed, warm_up;

static struct set *of_name(const char *name)
{
	return name && !strcmp(name, "warm-up") ? &warm_up : &timed;
}

int main(void)
{
	char *line = NULL;
	size_t room = 0;
	while (getline(&line, &room, stdin) > 0) {
		char *request = strtok(line, " \n");
		char *first = request ? strtok(NULL, " \n") : NULL;
		char *second = first ? strtok(NULL, " \n") : NULL;
		if (!request) {
			printf("an empty request\n");
		} else if (!strcmp(request, "hello")) {
#ifdef WITH_FLINT
			printf("hello 1 " NAME "\n");
#else
			printf("hello 1 GMP %s\n", gmp_version);
#endif
		} else if (!strcmp(request, "task") && first) {
			enum task found = NONE;
			for (size_t i = 0; i < sizeof TASKS / sizeof *TASKS; i++)
				if (!strcmp(TASKS[i].name, first))
					found = TASKS[i].task;
			if (found != NONE) {
				release(&timed);
				release(&warm_up);
				current = found;
			}
			printf(found == NONE ? "no\n" : "yes\n");
		} else if (!strcmp(request, "inputs") && second) {
			struct set *set = of_name(first);
			size_t count = strtoul(second, NULL, 10);
			release(set);
			set->calls = allocate(count, sizeof(struct call));
			for (set->count = 0; set->count < count; set->count++) {
				if (getline(&line, &room, stdin) <= 0)
					fail("inputs are missing");
				prepare(&set->calls[set->count], line);
			}
			printf("ok\n");
		} else if (!strcmp(request, "run") && second) {
			struct set *set = of_name(first);
			unsigned long passes = strtoul(second, NULL, 10);
			char *clock = strtok(NULL, " \n");
			int wall = clock && !strcmp(clock, "wall");
			long long start = now(wall);
			for (unsigned long pass = 0; pass < passes; pass++)
				for (size_t i = 0; i < set->count; i++)
					compute(&set->calls[i]);
			printf("%lld\n", now(wall) - start);
		} else if (!strcmp(request, "result") && first) {
			size_t index = strtoul(first, NULL, 10);
			if (index >= timed.count)
				fail("there is no such input");
			answer(&timed.calls[index]);
		} else {
			printf("unknown request %s\n", request);
		}
		fflush(stdout);
	}
	free(line);
	return 0;
}
