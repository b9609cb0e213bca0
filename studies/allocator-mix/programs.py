#!/usr/bin/env python3
"""Runs real programs under allocators that are preloaded, in rounds: every round runs every
allocator once, in random order. A program that fails under one is told, and ends with 1.

    ./programs.py [--rounds N] [--program NAME]... [--csv FILE] NAME=LIBRARY[,VARIABLE=VALUE]...

Prints a table for each program, and one of all at the end: processor time (user and system,
of all processes of a run) over the first allocator's, the median of the rounds' ratios with
the least and the largest, and the peak memory of a run's largest process in MiB, the median.
Needs GNU time.
"""

import argparse
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

from measure import environments
from rust_compiler import without_its_allocator

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

SQL = """create table t(a integer primary key, b text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 150000)
insert into t select i, hex(i * 7919) from n; create index b on t(b);
select count(*), sum(length(b)), max(b) from t where b like '%31%';
create table u as select a % 5000 as k, group_concat(b) as all_b from t group by k;
select count(*) from t join u on u.k = t.a where instr(u.all_b, t.b);
update t set b = b || 'x' where a % 3 = 0; delete from t where a % 7 = 0; vacuum;"""

# A collector with threads of its own, and four that make garbage, in the Java heap and,
# by direct buffers and deflaters, in that of C.
JAVA = """import java.nio.ByteBuffer;
import java.util.*;
import java.util.zip.Deflater;
public class Churn {
  static void work(int seed) {
    Map<Integer, String> map = new HashMap<>();
    byte[] in = new byte[20000], out = new byte[20000];
    for (int i = 0; i < 400000; i++) {
      map.put(i % 50000, "v" + i + seed);
      if (i % 1000 == 0) {
        Deflater deflater = new Deflater();
        deflater.setInput(in); deflater.finish(); deflater.deflate(out); deflater.end();
        ByteBuffer.allocateDirect(1000 + i % 70000).putInt(i);
      }
    }
  }
  public static void main(String[] a) throws Exception {
    Thread[] threads = new Thread[4];
    for (int t = 0; t < 4; t++) { int seed = t; threads[t] = new Thread(() -> work(seed)); threads[t].start(); }
    for (Thread thread : threads) thread.join();
  }
}"""

CXX = """#include <map>
#include <regex>
#include <string>
#include <unordered_map>
int main(int n, char **w) { std::map<std::string, std::regex> m; m.emplace("a", "b+");
  std::unordered_map<int, std::string> u; u[n] = w[0]; return m.size() + u.size() == 3; }"""

CPYTHON_TESTS = "test_json test_dict test_list test_set test_bytes test_collections test_unicode test_thread test_queue"

# Words of a command; `{tmp}` is a folder with the files above, new for each run.
PROGRAMS = {
    "rustc": ["{rustc}", "--edition", "2024", "--crate-type", "lib", "-O", "--out-dir", "{tmp}", f"{ROOT}/lab/judge/src/lib.rs"],
    "python tests": ["python3", "-m", "test", "-q", *CPYTHON_TESTS.split()],
    "redis": "a server with redis-benchmark",
    "sqlite3": ["sqlite3", "{tmp}/db", SQL],
    "git log -p": ["git", "-C", ROOT, "log", "-p", "-n", "600"],
    # What `git gc` does, without a change of the repository.
    "git pack": ["git", "-C", ROOT, "pack-objects", "--all", "--no-reuse-delta", "--stdout", "-q"],
    "g++": ["g++", "-O2", "-c", "-o", "{tmp}/out.o", "{tmp}/in.cc"],
    "java": ["java", "-XX:+UseParallelGC", "-Xmx512m", "{tmp}/Churn.java"],
}


def measured(words, environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd=None):
    """Processor seconds and peak KiB of a command. A child inherits its parent's peak, and
    this script is fat: GNU time, which is small, starts the command and says its peak."""
    settings = [f"{name}={value}" for name, value in environment.items()]
    with tempfile.NamedTemporaryFile() as peak:
        words = ["time", "-q", "-f", "%M", "-o", peak.name, "env", *settings, *words]
        child = subprocess.Popen(words, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, text=True, cwd=cwd)
        said = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode or "cannot be preloaded" in said:
            sys.exit(f"{words}: {child.returncode}: {said}")
        return usage.ru_utime + usage.ru_stime, int(peak.read())


def once(name, environment, rustc):
    """Processor seconds and peak KiB of a run."""
    # Python has an allocator of its own, which would ask for little.
    environment = {"PYTHONMALLOC": "malloc", **environment}
    with tempfile.TemporaryDirectory() as tmp:
        for file, text in (("in.cc", CXX), ("Churn.java", JAVA)):
            with open(os.path.join(tmp, file), "w") as out:
                out.write(text)
        if name == "redis":
            return redis(environment, tmp)
        words = [w.replace("{tmp}", tmp).replace("{rustc}", rustc) for w in PROGRAMS[name]]
        return measured(words, environment, cwd=tmp)


def redis(environment, tmp):
    """The server's own processor time and VmHWM, while the same requests are served."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    server = subprocess.Popen(
        ["redis-server", "--bind", "127.0.0.1", "--port", port, "--save", "", "--dir", tmp],
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
    )
    try:
        client = ["redis-benchmark", "-q", "-p", port, "-n", "60000", "-r", "20000", "-d", "300", "-P", "16"]
        client += ["-t", "set,get,lpush,rpop,hset,zadd"]
        for _ in range(100):
            if subprocess.run(["redis-cli", "-p", port, "ping"], capture_output=True, text=True).stdout == "PONG\n":
                break
            time.sleep(0.05)
        else:
            sys.exit(f"redis under {environment}: does not answer, status {server.poll()}")
        subprocess.run(client, check=True, stdout=subprocess.DEVNULL, timeout=60)
        with open(f"/proc/{server.pid}/status") as status:
            peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
    finally:
        server.terminate()
    _, status, usage = os.wait4(server.pid, 0)
    server.returncode = os.waitstatus_to_exitcode(status)
    if server.returncode:
        sys.exit(f"redis under {environment}: {server.returncode}")
    return usage.ru_utime + usage.ru_stime, peak


def cells(runs, first, unit="s"):
    """What a table says of each allocator's runs: a figure and the peak of each."""
    said = {}
    for name in runs:
        ratios = sorted(a[0] / b[0] for a, b in zip(runs[name], runs[first]))
        peak = statistics.median(r[1] for r in runs[name]) / 1024
        speed = f"{statistics.median(ratios):.2f} [{ratios[0]:.2f}, {ratios[-1]:.2f}]"
        if name == first:
            speed = f"{statistics.median(r[0] for r in runs[name]):.3g} {unit}"
        said[name] = f"{speed}, {peak:.1f} MiB"
    return said


def print_table(columns):
    """A row for each allocator, a column for each program."""
    print("\n| | " + " | ".join(columns) + " |\n|" + "---|" * (len(columns) + 1))
    for name in next(iter(columns.values()), []):
        print(f"| {name} | " + " | ".join(column[name] for column in columns.values()) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--program", action="append", choices=PROGRAMS)
    parser.add_argument("--csv")
    parser.add_argument("allocators", nargs="+", metavar="NAME=LIBRARY")
    options = parser.parse_args()
    allocators = environments(options.allocators)
    first = next(iter(allocators))
    csv = open(options.csv, "a") if options.csv else None
    columns = {}
    with tempfile.TemporaryDirectory() as folder:
        for program in options.program or PROGRAMS:
            tool = {"redis": "redis-server", "rustc": "rustc"}.get(program, PROGRAMS[program][0])
            if not shutil.which(tool):
                print(f"{program}: SKIPPED: no {tool}")
                continue
            rustc = without_its_allocator(folder) if program == "rustc" else ""
            runs = {name: [] for name in allocators}
            for number in range(options.rounds):
                for name in random.sample(list(allocators), len(allocators)):
                    runs[name].append(once(program, allocators[name], rustc))
                    if csv:
                        seconds, peak = runs[name][-1]
                        print(program, name, number, f"{seconds:.3f}", peak, sep=",", file=csv, flush=True)
            columns[program] = cells(runs, first)
            print(f"\n{program}, {options.rounds} rounds")
            for name, cell in columns[program].items():
                print(f"{name}: {cell}", flush=True)
    print_table(columns)


if __name__ == "__main__":
    main()
