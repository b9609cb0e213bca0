#!/usr/bin/env python3
"""Runs the programs of mimalloc-bench (https://github.com/daanx/mimalloc-bench) with the
parameters that its `bench.sh` gives them for as many threads as there are processors, in
rounds: every round runs every allocator once, in random order.

    ./mimalloc_bench.py [--rounds N] [--program NAME]... [--csv FILE] FOLDER NAME=LIBRARY[,VARIABLE=VALUE]...

FOLDER is its folder `bench`, with the programs built in FOLDER/build: they are a project of
CMake there. Prints processor seconds (user and system) over the first allocator's, and the
peak memory in MiB. Of programs that end by the clock it is the seconds over what they say
they did. Needs GNU time.
"""

import argparse
import os
import random
import re
import shutil
import tempfile

from measure import environments
from programs import cells, measured, print_table

N = str(os.cpu_count())
# Words, and where the program prints how much it did, if that is not always the same.
PROGRAMS = {
    "cfrac": (["cfrac", "17545186520507317056371138836327483792789528"], None),
    "espresso": (["espresso", "../espresso/largest.espresso"], None),
    "barnes": (["barnes"], None),
    "alloc-test": (["alloc-test", N], None),
    "larson": (["larson", "2", "8", "1000", "5000", "100", "4141", N], r"Throughput = +(\d+)"),
    "larson-sized": (["larson-sized", "2", "8", "1000", "5000", "100", "4141", N], r"Throughput = +(\d+)"),
    "xmalloc-test": (["xmalloc-test", "-w", N, "-t", "2", "-s", "64"], r"free/sec: ([\d.]+)"),
    "mstress": (["mstress", N, "50", "25"], None),
    "rptest": (["rptest", N, "0", "1", "2", "500", "1000", "100", "8", "16000"], None),
    "cache-scratch": (["cache-scratch", N, "1000", "1", "2000000", N], None),
    "cache-thrash": (["cache-thrash", N, "1000", "1", "2000000", N], None),
    "glibc-simple": (["glibc-simple"], None),
    "glibc-thread": (["glibc-thread", N], r"(\d+) iterations"),
    "malloc-large": (["malloc-large"], None),
    "mleak": (["mleak", "5"], None),
    "rbstress": (["ruby", "{folder}/rbstress/stress_mem.rb", N], None),
}


def once(program, folder, environment):
    """Processor seconds, for what was done if the program says that, and peak KiB."""
    words, done = PROGRAMS[program]
    words = [w.replace("{folder}", folder) for w in words]
    if words[0] != "ruby":
        words[0] = f"./{words[0]}"
    given = os.path.join(folder, "barnes", "input") if program == "barnes" else os.devnull
    with open(given) as stdin, tempfile.TemporaryFile("w+") as stdout:
        seconds, peak = measured(words, environment, stdin, stdout, os.path.join(folder, "build"))
        if done:
            stdout.seek(0)
            seconds /= float(re.search(done, stdout.read())[1])
    return seconds, peak


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--program", action="append", choices=PROGRAMS)
    parser.add_argument("--csv")
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("allocators", nargs="+", metavar="NAME=LIBRARY")
    options = parser.parse_args()
    folder = os.path.abspath(options.folder)
    allocators = environments(options.allocators)
    first = next(iter(allocators))
    csv = open(options.csv, "a") if options.csv else None
    columns = {}
    for program in options.program or PROGRAMS:
        tool = PROGRAMS[program][0][0]
        if not shutil.which(tool if tool == "ruby" else os.path.join(folder, "build", tool)):
            print(f"{program}: SKIPPED: no {tool}")
            continue
        runs = {name: [] for name in allocators}
        for number in range(options.rounds):
            for name in random.sample(list(allocators), len(allocators)):
                runs[name].append(once(program, folder, allocators[name]))
                if csv:
                    seconds, peak = runs[name][-1]
                    print(program, name, number, f"{seconds:.4g}", peak, sep=",", file=csv, flush=True)
        columns[program] = cells(runs, first, "s" if PROGRAMS[program][1] is None else "s/unit")
        print(f"\n{program}, {options.rounds} rounds")
        for name, cell in columns[program].items():
            print(f"{name}: {cell}", flush=True)
    print_table(columns)


if __name__ == "__main__":
    main()
