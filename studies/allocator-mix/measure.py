#!/usr/bin/env python3
"""Runs the programs of subject/mix.c under allocators that are preloaded, in rounds: every
round runs every allocator once, in random order. Prints a table of each program, and
writes every run as a line of CSV.

    ./measure.py [--rounds N] [--program NAME]... [--csv FILE] NAME=LIBRARY[,VARIABLE=VALUE]...

The first allocator is what the others are compared with. Ratios are of operations a second
of processor time, of two threads together where there are two (waits for each other left
out): the median of the rounds' ratios, with the interval of order statistics that holds it
with 95 % or more (n rounds, sign test). Memory is the median, in KiB: peak (VmHWM) less what was there before the first
operation, and the same after all was freed, read from the program's own /proc/self/status.
"""

import argparse
import math
import os
import random
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Program, arguments, threads.
PROGRAMS = {
    "same-400": (["same", "400", "6000000"], 1),
    "same-8192": (["same", "8192", "6000000"], 1),
    "apart-400": (["apart", "400", "6000000"], 1),
    "apart-8192": (["apart", "8192", "6000000"], 1),
    "apart-100k": (["apart", "100000", "4000000"], 1),
    "drain-100k": (["drain", "100000", "1000000"], 1),
    "cross-8192": (["cross", "8192", "4000000"], 2),
    "xmalloc": (["xmalloc", "20000"], 2),
    "larson": (["larson", "5000", "8000000"], 2),
}


def interval(values):
    """Order statistics around the median, by the sign test at 95 %."""
    values, n = sorted(values), len(values)
    below = 0
    for k in range(n // 2):
        below += math.comb(n, k) / 2**n
        if below > 0.025:
            return values[max(k - 1, 0)], values[n - max(k, 1)], k > 0
    return values[0], values[-1], False


def run(allocator, words, processor):
    env = {"PATH": os.environ["PATH"], **allocator}
    command = [os.path.join(HERE, "subject", "mix"), *words]
    if processor is not None:
        command = ["taskset", "-c", str(processor), *command]
    # taskset itself runs under the allocator too; it replaces itself by the program.
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
    if done.returncode or "cannot be preloaded" in done.stderr:
        sys.exit(f"{command} under {allocator}: {done.returncode}: {done.stderr}")
    return {k: float(v) for k, v in (line.split() for line in done.stdout.splitlines())}


def environments(texts):
    """What NAME=LIBRARY[,VARIABLE=VALUE]... adds to the environment, by name."""
    allocators = {}
    for text in texts:
        name, _, rest = text.partition("=")
        library, *settings = rest.split(",")
        allocators[name] = dict(s.split("=", 1) for s in settings)
        if library:
            if not os.path.exists(library):
                sys.exit(f"{name}: there is no {library}")
            allocators[name]["LD_PRELOAD"] = os.path.abspath(library)
    return allocators


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--program", action="append", choices=PROGRAMS)
    parser.add_argument("--csv")
    parser.add_argument("allocators", nargs="+", metavar="NAME=LIBRARY")
    options = parser.parse_args()
    allocators = environments(options.allocators)
    csv = open(options.csv, "a") if options.csv else None
    first = next(iter(allocators))
    for program in options.program or PROGRAMS:
        words, threads = PROGRAMS[program]
        names = [n for n in allocators if threads == 1 or n != "floor"]
        rate = "ops_per_cpu_s"
        runs = {n: [] for n in names}
        for number in range(options.rounds):
            for name in random.sample(names, len(names)):
                result = run(allocators[name], words, 1 if threads == 1 else None)
                runs[name].append(result)
                if csv:
                    row = [program, name, number, *(f"{result[k]:.0f}" for k in sorted(result))]
                    print(*row, sep=",", file=csv, flush=True)
        print(f"\n{program} ({' '.join(words)}), {options.rounds} rounds, {rate}")
        print(f"| allocator | M op/s | over {first} | peak KiB | after KiB |\n|---|---|---|---|---|")
        for name in names:
            ratios = [a[rate] / b[rate] for a, b in zip(runs[name], runs[first])]
            low, high, sure = interval(ratios)
            bounds = f"[{low:.3f}, {high:.3f}]" if sure else f"[{low:.3f}, {high:.3f}, all]"
            middle = lambda key: statistics.median(r[key] for r in runs[name])
            peak, after = (middle(k) - middle("before_kib") for k in ("peak_kib", "after_kib"))
            print(
                f"| {name} | {middle(rate) / 1e6:.1f} | {statistics.median(ratios):.3f} {bounds}"
                f" | {peak:.0f} | {after:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
