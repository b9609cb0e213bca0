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

#include "line.h"

#include <gmp.h>

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

enum task { ADD, MULTIPLY, SQUARE_TASK, CHAIN, POWERS };

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

static enum task current;

static int choose(const char *task)
{
	for (size_t i = 0; i < sizeof TASKS / sizeof *TASKS; i++)
		if (!strcmp(TASKS[i].name, task)) {
			current = TASKS[i].task;
			return 1;
		}
	return 0;
}

static void release(struct call *c)
{
	for (size_t k = 0; c->z && k < c->count; k++)
		mpz_clear(c->z[k]);
	for (size_t k = 0; c->z && k < c->results; k++)
		mpz_clear(c->power[k]);
	free(c->z);
	free(c->power);
	free(c->numbers);
	free(c->out);
	free(c->scratch);
	free(c);
}

// Reads `ITEMS BYTES NUMBERS`: numbers of equal length, the most significant byte first.
static struct call *prepare(char *line)
{
	struct call *c = allocate(1, sizeof *c);
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
		return c;
	c->z = allocate(c->count, sizeof(mpz_t));
	c->power = allocate(c->results, sizeof(mpz_t));
	for (size_t i = 0; i < c->count; i++) {
		mpz_init(c->z[i]);
		mpz_import(c->z[i], n, -1, sizeof(mp_limb_t), 0, 0, c->numbers + i * n);
	}
	for (size_t i = 0; i < c->results; i++)
		mpz_init(c->power[i]);
	return c;
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

int main(void)
{
#ifdef WITH_FLINT
	return serve(NAME);
#else
	char name[64];
	snprintf(name, sizeof name, "GMP %s", gmp_version);
	return serve(name);
#endif
}
