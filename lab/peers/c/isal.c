// ISA-L as a peer of karat's erasure codes (docs/peer-programs.md):
//
//	cc -O2 -o /tmp/isal-peer lab/peers/c/isal.c -lisal
//	karat kernels bench --kernel rs-gf8 --peer /tmp/isal-peer
//
// Its matrix `cauchy1`, which is code D. The tables of a matrix are made once for encoding; a
// reconstruction inverts its matrix and makes their tables in each call, as karat makes its
// plan in each.

#include "line.h"

#include <isa-l.h>

// Bytes of its table for one constant (erasure_code.h).
#define TABLE 32

struct call {
	int data, parity, length, lost;
	unsigned char **shards;
	unsigned char *matrix, *tables;
	// For a reconstruction: the rows of what is left, and their inverse.
	unsigned char *left, *inverse;
};

static int reconstructs;

static int choose(const char *task)
{
	size_t length = strlen(task);
	if (strncmp(task, "rs-d-", 5))
		return 0;
	reconstructs = length > 5 && !strcmp(task + length - 5, "-lost");
	return 1;
}

static void release(struct call *c)
{
	for (int i = 0; i < c->data + c->parity; i++)
		free(c->shards[i]);
	free(c->shards);
	free(c->matrix);
	free(c->tables);
	free(c->left);
	free(c->inverse);
	free(c);
}

static void encode(struct call *c)
{
	ec_encode_data(c->length, c->data, c->parity, c->tables, c->shards, c->shards + c->data);
}

// Data shards end to end, and the number of parity shards.
static struct call *prepare(char *line)
{
	struct call *c = allocate(1, sizeof *c);
	char *items = strtok(line, " \n"), *hex = strtok(NULL, " \n");
	char *numbers = hex ? strtok(NULL, " \n") : NULL;
	if (!numbers)
		fail("an input has items, bytes and numbers");
	c->data = atoi(items);
	c->parity = atoi(numbers);
	int all = c->data + c->parity;
	if (c->data < 1 || c->parity < 1 || all > 256)
		fail("its field has 256 elements");
	c->length = strlen(hex) / 2 / c->data;
	c->shards = allocate(all, sizeof *c->shards);
	for (int i = 0; i < all; i++) {
		void *place = NULL;
		if (posix_memalign(&place, 64, c->length))
			fail("no memory");
		c->shards[i] = place;
		memset(place, 0, c->length);
	}
	for (int i = 0; i < c->data; i++)
		for (int k = 0; k < c->length; k++, hex += 2) {
			char byte[3] = {hex[0], hex[1], 0};
			c->shards[i][k] = strtoul(byte, NULL, 16);
		}
	c->matrix = allocate(all, c->data);
	gf_gen_cauchy1_matrix(c->matrix, all, c->data);
	c->tables = allocate((size_t)c->data * c->parity, TABLE);
	ec_init_tables(c->data, c->parity, c->matrix + c->data * c->data, c->tables);
	if (!reconstructs)
		return c;
	encode(c);
	c->lost = c->data < c->parity ? c->data : c->parity;
	for (int i = 0; i < c->lost; i++)
		memset(c->shards[i], 0, c->length);
	c->left = allocate(c->data, c->data);
	c->inverse = allocate(c->data, c->data);
	return c;
}

// The first data shards from the others and as many parity shards: what is behind them.
static void reconstruct(struct call *c)
{
	int n = c->data;
	memcpy(c->left, c->matrix + c->lost * n, (size_t)n * n);
	if (gf_invert_matrix(c->left, c->inverse, n))
		fail("the matrix has no inverse");
	ec_init_tables(n, c->lost, c->inverse, c->tables);
	ec_encode_data(c->length, n, c->lost, c->tables, c->shards + c->lost, c->shards);
}

static void compute(struct call *c)
{
	if (reconstructs)
		reconstruct(c);
	else
		encode(c);
}

static void answer(struct call *c)
{
	int first = reconstructs ? 0 : c->data, count = reconstructs ? c->lost : c->parity;
	for (int i = first; i < first + count; i++)
		for (int k = 0; k < c->length; k++)
			printf("%02x", c->shards[i][k]);
	putchar('\n');
}

int main(void)
{
	return serve("ISA-L cauchy1");
}
