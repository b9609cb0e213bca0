// OpenSSL 3 as a peer of karat's hashes (docs/peer-programs.md):
//
//	cc -O2 -o /tmp/openssl-peer lab/peers/c/openssl.c -lcrypto
//	karat kernels bench --kernel sha512 --peer /tmp/openssl-peer
//
// SHA-2 is by its own functions, which are deprecated but take the least time a call. The
// others have none; for them the algorithm is fetched once, and one context used again.
// Many messages are hashed one by one.

#define OPENSSL_SUPPRESS_DEPRECATED
#include "line.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

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

static EVP_MD_CTX *context;
static EVP_MD *algorithm;
static size_t digest_bytes;
static int current = -1;

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

static int choose(const char *task)
{
	int found = find(task);
	if (found < 0)
		return 0;
	current = found;
	digest_bytes = TASKS[found].bytes;
	EVP_MD_free(algorithm);
	algorithm = EVP_MD_fetch(NULL, TASKS[found].algorithm, NULL);
	if (!algorithm || !EVP_DigestInit_ex2(context, algorithm, NULL))
		fail("the algorithm is not there");
	return 1;
}

static void release(struct call *c)
{
	free(c->bytes);
	free(c->out);
	free(c);
}

// Messages of equal length.
static struct call *prepare(char *line)
{
	struct call *c = allocate(1, sizeof *c);
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
	return c;
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

static void answer(struct call *c)
{
	for (size_t i = 0; i < c->count * digest_bytes; i++)
		printf("%02x", c->out[i]);
	putchar('\n');
}

int main(void)
{
	char name[64];
	context = EVP_MD_CTX_new();
	if (!context)
		fail("no memory");
	snprintf(name, sizeof name, "OpenSSL %s", OpenSSL_version(OPENSSL_VERSION_STRING));
	return serve(name);
}
