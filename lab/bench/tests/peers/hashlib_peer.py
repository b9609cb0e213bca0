#!/usr/bin/env python3
"""Python's hashlib as a peer of karat's hashes (docs/peer-programs.md)."""

import hashlib
import sys
import time

TASKS = {
    "blake2b": hashlib.blake2b,
    "blake2s": hashlib.blake2s,
    "sha256": hashlib.sha256,
    "sha256-many": hashlib.sha256,
    "sha3-256": hashlib.sha3_256,
}
CLOCKS = {"thread": time.thread_time_ns, "wall": time.perf_counter_ns}


def read():
    """One input: its messages."""
    items, data, _ = sys.stdin.readline().split()
    data = b"" if data == "-" else bytes.fromhex(data)
    length = len(data) // int(items)
    return [data[i * length : (i + 1) * length] for i in range(int(items))]


def main():
    new, sets, results = None, {}, {}
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "hello":
            answer = "hello 1 hashlib"
        elif word == "task":
            new = TASKS.get(rest[0])
            answer = "yes" if new else "no"
        elif word == "inputs":
            sets[rest[0]] = [read() for _ in range(int(rest[1]))]
            answer = "ok"
        elif word == "run":
            name, passes, clock = rest[0], int(rest[1]), CLOCKS[rest[2]]
            start = clock()
            for _ in range(passes):
                results[name] = [[new(m).digest() for m in some] for some in sets[name]]
            answer = clock() - start
        elif word == "result":
            answer = b"".join(results["timed"][int(rest[0])]).hex()
        else:
            answer = "error: unknown request"
        print(answer, flush=True)


main()
