// The line protocol of docs/peer-programs.md for peers in C. A peer defines what is declared
// here, and calls serve().

#ifndef KARAT_LINE_H
#define KARAT_LINE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// An input in a form of the peer's own, with its last result.
struct call;

// Makes `task` the current one, or says 0 when there is none of this name.
static int choose(const char *task);
// Reads `ITEMS BYTES NUMBERS`; the line may be changed.
static struct call *prepare(char *line);
static void compute(struct call *call);
// Prints the last result in hexadecimal.
static void answer(struct call *call);
static void release(struct call *call);

static void fail(const char *what)
{
	fprintf(stderr, "peer: %s\n", what);
	exit(1);
}

static void *allocate(size_t count, size_t size)
{
	void *place = calloc(count ? count : 1, size);
	if (!place)
		fail("no memory");
	return place;
}

struct set {
	size_t count;
	struct call **calls;
};

static struct set timed, warm_up;

static void clear(struct set *set)
{
	for (size_t i = 0; i < set->count; i++)
		release(set->calls[i]);
	free(set->calls);
	set->calls = NULL;
	set->count = 0;
}

static struct set *of_name(const char *name)
{
	return !strcmp(name, "warm-up") ? &warm_up : &timed;
}

static long long now(int wall)
{
	struct timespec t;
	clock_gettime(wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int serve(const char *name)
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
			printf("hello 1 %s\n", name);
		} else if (!strcmp(request, "task") && first) {
			int known = choose(first);
			if (known) {
				clear(&timed);
				clear(&warm_up);
			}
			printf(known ? "yes\n" : "no\n");
		} else if (!strcmp(request, "inputs") && second) {
			struct set *set = of_name(first);
			size_t count = strtoul(second, NULL, 10);
			clear(set);
			set->calls = allocate(count, sizeof *set->calls);
			for (set->count = 0; set->count < count; set->count++) {
				if (getline(&line, &room, stdin) <= 0)
					fail("inputs are missing");
				set->calls[set->count] = prepare(line);
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
					compute(set->calls[i]);
			printf("%lld\n", now(wall) - start);
		} else if (!strcmp(request, "result") && first) {
			size_t index = strtoul(first, NULL, 10);
			if (index >= timed.count)
				fail("there is no such input");
			answer(timed.calls[index]);
		} else {
			printf("unknown request %s\n", request);
		}
		fflush(stdout);
	}
	free(line);
	return 0;
}

#endif
