// OpenSSL 3 as a peer of karat's hashes (docs/peer-programs.md):
//
//	cc -O2 -o /tmp/openssl-peer lab/peers/c/openssl.c -lcrypto
//	karat kernels bench --kernel sha512 --peer /tmp/openssl-peer
//
// SHA-2 is by its own functions, which are deprecated but take the least time a call. The
// others have none; for them the algorithm is fetched once, and one context used again.
// Many messages are hashed one by one.

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Hashes of one message; the names with `-many` are accepted as well.
static const struct {
	const char *task, *algorithm;
	size_t bytes;
} TASKS[] = {
	{"sha256", "SHA256", 32},
	{"sha512", "SHA512", 64},
	{"sha3-256", "SHA3-256", 32},
	{"blake2b", "BLAKE2B-512", 64},
	{"blake2s", "BLAKE2S-256", 32},
};

struct call {
	size_t count, length;
	unsigned char *bytes, *out;
};

struct set {
	size_t count;
	struct call *calls;
};

static EVP_MD_CTX *context;
static EVP_MD *algorithm;
static size_t digest_bytes;
static int current = -1;

static void fail(const char *what)
{
	fprintf(stderr, "openssl-peer: %s\n", what);
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
		free(set->calls[i].bytes);
		free(set->calls[i].out);
	}
	free(set->calls);
	set->calls = NULL;
	set->count = 0;
}

// The task of a name, or -1.
static int find(const char *name)
{
	for (size_t i = 0; i < sizeof TASKS / sizeof *TASKS; i++) {
		size_t length = strlen(TASKS[i].task);
		if (!strncmp(name, TASKS[i].task, length) &&
		    (!name[length] || !strcmp(name + length, "-many")))
			return (int)i;
	}
	return -1;
}

static void choose(int task)
{
	current = task;
	digest_bytes = TASKS[task].bytes;
	EVP_MD_free(algorithm);
	algorithm = EVP_MD_fetch(NULL, TASKS[task].algorithm, NULL);
	if (!algorithm || !EVP_DigestInit_ex2(context, algorithm, NULL))
		fail("the algorithm is not there");
}

// Reads `ITEMS BYTES NUMBERS`: messages of equal length.
static void prepare(struct call *c, char *line)
{
	char *items = strtok(line, " \n"), *hex = strtok(NULL, " \n");
	if (!items || !hex)
		fail("an input has items, bytes and numbers");
	c->count = strtoul(items, NULL, 10);
	if (!c->count)
		fail("an input has no message");
	size_t length = strcmp(hex, "-") ? strlen(hex) / 2 : 0;
	c->length = length / c->count;
	c->bytes = allocate(length, 1);
	c->out = allocate(c->count, digest_bytes);
	for (size_t i = 0; i < length; i++) {
		char byte[3] = {hex[2 * i], hex[2 * i + 1], 0};
		c->bytes[i] = (unsigned char)strtoul(byte, NULL, 16);
	}
}

static void compute(struct call *c)
{
	for (size_t i = 0; i < c->count; i++) {
		const unsigned char *message = c->bytes + i * c->length;
		unsigned char *out = c->out + i * digest_bytes;
		if (current == 0) {
			SHA256_CTX state;
			SHA256_Init(&state);
			SHA256_Update(&state, message, c->length);
			SHA256_Final(out, &state);
		} else if (current == 1) {
			SHA512_CTX state;
			SHA512_Init(&state);
			SHA512_Update(&state, message, c->length);
			SHA512_Final(out, &state);
		} else {
			EVP_DigestInit_ex2(context, NULL, NULL);
			EVP_DigestUpdate(context, message, c->length);
			EVP_DigestFinal_ex(context, out, NULL);
		}
	}
}

static void answer(const struct call *c)
{
	for (size_t i = 0; i < c->count * digest_bytes; i++)
		printf("%02x", c->out[i]);
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
	return strcmp(name, "warm-up") ? &timed : &warm_up;
}

int main(void)
{
	char *line = NULL;
	size_t room = 0;
	context = EVP_MD_CTX_new();
	if (!context)
		fail("no memory");
	while (getline(&line, &room, stdin) > 0) {
		char *request = strtok(line, " \n");
		char *first = request ? strtok(NULL, " \n") : NULL;
		char *second = first ? strtok(NULL, " \n") : NULL;
		if (!request) {
			printf("an empty request\n");
		} else if (!strcmp(request, "hello")) {
			printf("hello 1 OpenSSL %s\n", OpenSSL_version(OPENSSL_VERSION_STRING));
		} else if (!strcmp(request, "task") && first) {
			int found = find(first);
			if (found >= 0) {
				release(&timed);
				release(&warm_up);
				choose(found);
			}
			printf(found < 0 ? "no\n" : "yes\n");
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
	release(&timed);
	release(&warm_up);
	EVP_MD_free(algorithm);
	EVP_MD_CTX_free(context);
	free(line);
	return 0;
}
