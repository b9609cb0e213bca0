"""Speed of the binding beside hashlib, blake3, pycryptodome, zfec, pyeclib, chiavdf and plain
Python.

    python bindings/python/bench/bench.py [--quick] [--only TEXT] [--size BYTES] [-o FILE.csv]

All contenders of a row are called in turns, in random order, in one process. What counts is
the processor time of the thread, the mean of the faster half of all rounds. A contender
whose package is not installed is left out and named.
"""

import argparse
import csv
import datetime
import hashlib
import importlib
import pathlib
import platform
import random
import sys
import time

import karat
from karat import bigint, erasure, nmt, vdf

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))
import reference  # noqa: E402

SIZES = [64, 1024, 16 << 10, 1 << 20, 64 << 20]
MISSING = set()


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        MISSING.add(name)
        return None


def hash_rows(sizes):
    blake3, keccak = module("blake3"), module("Crypto.Hash.keccak")
    for size in sizes:
        data = random.Random(1).randbytes(size)
        for name in ("sha256", "sha512", "sha3_256", "blake2b", "blake2s"):
            ours, theirs = getattr(karat, name), getattr(hashlib, name)
            yield name, size, {
                "karat": lambda f=ours, d=data: f(d).digest(),
                "karat.digest": lambda n=name, d=data: karat.digest(n, d),
                "hashlib": lambda f=theirs, d=data: f(d).digest(),
            }
        row = {"karat": lambda d=data: karat.blake3(d).digest(),
               "karat.digest": lambda d=data: karat.digest("blake3", d)}
        if blake3:
            row["blake3"] = lambda d=data: blake3.blake3(d).digest()
        yield "blake3", size, row
        row = {"karat": lambda d=data: karat.keccak_256(d).digest(),
               "karat.digest": lambda d=data: karat.digest("keccak_256", d)}
        if keccak:
            row["pycryptodome"] = lambda d=data: keccak.new(digest_bits=256, data=d).digest()
        yield "keccak_256", size, row


def refused(leaves):
    try:
        nmt.root(leaves)
    except ValueError:
        return
    raise AssertionError("it has a root")


def other_rows():
    rng = random.Random(2)
    short = [rng.randbytes(64) for _ in range(1000)]
    for name in ("sha256", "sha3_256", "blake2b"):
        theirs = getattr(hashlib, name)
        yield f"{name}, 1000 messages", 64000, {
            "karat": lambda n=name: karat.hash_many(n, short),
            "hashlib": lambda f=theirs: [f(m).digest() for m in short],
        }
    page = rng.randbytes(4096)
    yield "sha256", 4096, {
        "karat": lambda: karat.sha256(page).digest(),
        "plain Python": lambda: reference.sha256(page),
    }
    # 32 bytes are what performance guides of native libraries take.
    for size in (32, 512):
        leaves = [(bytes([i // 8]) * 29, rng.randbytes(size)) for i in range(1024)]
        # The same leaves, one behind the other: no object for each.
        rows = memoryview(b"".join(n + d for n, d in leaves)).cast("B", (1024, 29 + size))
        assert nmt.root(rows) == nmt.root(leaves) == reference.nmt_root(leaves)
        # The second leaf is out of order: the list is read, and no tree is made.
        unordered = [(b"\xff" * 29, leaves[0][1]), *leaves[1:]]
        yield "nmt root, 1024 leaves", 1024 * size, {
            "karat": lambda x=leaves: nmt.root(x),
            "karat, one array": lambda x=rows: nmt.root(x),
            "karat, the list alone": lambda x=unordered: refused(x),
            "plain Python": lambda x=leaves: reference.nmt_root(x),
        }
    shards = [rng.randbytes(4096) for _ in range(4)]
    small = erasure.Codec("D", 4, 2)
    yield "Reed-Solomon 4+2", 4 * 4096, {
        "karat": lambda: small.encode(shards),
        "plain Python": lambda: reference.cauchy_encode(shards, 2),
    }
    zfec, pyeclib = module("zfec"), module("pyeclib.ec_iface")
    for size in (1024, 64 << 10, 1 << 20):
        data = [rng.randbytes(size) for _ in range(10)]
        codec = erasure.Codec("D", 10, 4)
        row = {"karat": lambda c=codec, d=data: c.encode(d)}
        if zfec:
            encoder = zfec.Encoder(10, 14)
            row["zfec"] = lambda e=encoder, d=data: e.encode(d, range(10, 14))
        if pyeclib:
            # Takes one buffer, copies it into fragments, and adds headers with checksums.
            driver = pyeclib.ECDriver(k=10, m=4, ec_type="isa_l_rs_cauchy")
            row["pyeclib"] = lambda e=driver, d=b"".join(data): e.encode(d)
        yield "Reed-Solomon 10+4, encode", 10 * size, row
        lost = [None] * 4 + data[4:] + codec.encode(data)
        row = {"karat": lambda c=codec, s=lost: c.reconstruct(s)}
        if zfec:
            decoder, parity = zfec.Decoder(10, 14), zfec.Encoder(10, 14).encode(data, range(10, 14))
            held, numbers = parity + data[4:], [*range(10, 14), *range(4, 10)]
            row["zfec"] = lambda d=decoder, h=held, n=numbers: d.decode(h, n)
        yield "Reed-Solomon 10+4, 4 lost", 10 * size, row
    for bits in (256, 2048):
        base, exponent, modulus = (rng.getrandbits(bits) | 1 for _ in range(3))
        yield f"powmod, {bits} bits", bits // 8, {
            "karat": lambda a=base, b=exponent, m=modulus: bigint.powmod(a, b, m),
            "pow": lambda a=base, b=exponent, m=modulus: pow(a, b, m),
        }


def vdf_rows():
    chiavdf = module("chiavdf")
    seed, iterations = b"karat", 5000
    discriminant = vdf.create_discriminant(seed, 1024)
    x = vdf.generator(discriminant)
    proof = vdf.prove(discriminant, x, iterations)
    for what, ours, theirs in (
        ("VDF, 1024 bits: discriminant",
         lambda: vdf.create_discriminant(seed, 1024),
         lambda: chiavdf.create_discriminant(seed, 1024)),
        ("VDF, 1024 bits: prove 5000 squarings",
         lambda: vdf.prove(discriminant, x, iterations),
         lambda: chiavdf.prove(seed, x, 1024, iterations, "")),
        ("VDF, 1024 bits: verify",
         lambda: vdf.verify(discriminant, x, proof, iterations),
         lambda: chiavdf.verify_n_wesolowski(
             str(discriminant), x, proof, iterations, 1024, 0)),
    ):
        row = {"karat": ours}
        if chiavdf:
            assert theirs() != False, what  # noqa: E712 (a number or bytes)
            row["chiavdf"] = theirs
        yield what, 128, row


def calls(function, budget):
    """So many calls that a batch takes `budget` seconds."""
    count = 1
    while True:
        start = time.thread_time()
        for _ in range(count):
            function()
        took = time.thread_time() - start
        if took >= budget or count >= 1 << 20:
            return count
        count = max(2 * count, int(count * budget / took) if took > 0 else 0)


def measure(row, rounds, budget):
    counts = {name: calls(function, budget) for name, function in row.items()}
    times = {name: [] for name in row}
    names = list(row)
    for _ in range(rounds):
        random.shuffle(names)
        for name in names:
            function, count = row[name], counts[name]
            turns = range(count)
            start = time.thread_time_ns()
            for _ in turns:
                function()
            times[name].append((time.thread_time_ns() - start) / count)
    half = (rounds + 1) // 2
    return {name: sum(sorted(ns)[:half]) / half for name, ns in times.items()}


def machine():
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few rounds, up to 1 MiB")
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose name holds it")
    parser.add_argument("--size", type=int, metavar="BYTES", help="hashes of this size alone")
    parser.add_argument("-o", dest="file", help="also write the figures as CSV")
    args = parser.parse_args()
    rounds, budget = (3, 0.001) if args.quick else (15, 0.005)
    sizes = SIZES[:-1] if args.quick else SIZES
    others = [other_rows, vdf_rows]
    if args.size is not None:
        sizes, others = [args.size], []
    print(f"{machine()}, Python {platform.python_version()}, {datetime.date.today()}")
    rows = []
    for what, size, row in [*hash_rows(sizes), *(row for rows in others for row in rows())]:
        if args.only not in what:
            continue
        ns = measure(row, rounds if size < 16 << 20 else min(rounds, 5), budget)
        ours = ns["karat"]
        told = ", ".join(f"{name} {t:,.0f} ns ({t / ours:.2f}x)" for name, t in ns.items())
        print(f"{what}, {size} B: {told}", flush=True)
        rows += [(what, size, name, round(t, 1), round(t / ours, 3)) for name, t in ns.items()]
    if MISSING:
        print("not installed:", ", ".join(sorted(MISSING)))
    if args.file:
        with open(args.file, "w", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(["what", "bytes", "by", "ns", "time over karat's"])
            out.writerows(rows)


if __name__ == "__main__":
    main()
