#!/usr/bin/env python3
"""Runs real programs under allocators that are preloaded, in rounds: every round runs every
allocator once, in random order. A program that fails under one is told, and ends with 1.

    ./programs.py [--rounds N] [--program NAME]... [--csv FILE] NAME=LIBRARY[,VARIABLE=VALUE]...

Prints processor time (user and system, of all processes of a run) over the first
allocator's, the median of the rounds' ratios with the least and the largest, and the peak
memory of its largest process in MiB, the median. A peak below this script's own, which
children inherit, is printed as `<`.
"""

import argparse
import os
import random
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

from measure import environments

SQL = """create table t(a integer primary key, b text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 150000)
insert into t select i, hex(i * 7919) from n; create index b on t(b);
select count(*), sum(length(b)), max(b) from t where b like '%31%';"""

JAVA = """import java.util.*;
public class Churn { public static void main(String[] a) {
  Map<Integer, String> m = new HashMap<>();
  for (int i = 0; i < 600000; i++) m.put(i % 50000, "v" + i);
  System.out.println(m.size()); } }"""

CXX = """#include <map>
#include <regex>
#include <string>
#include <unordered_map>
int main(int n, char **w) { std::map<std::string, std::regex> m; m.emplace("a", "b+");
  std::unordered_map<int, std::string> u; u[n] = w[0]; return m.size() + u.size() == 3; }"""

# Words of a command; `{here}` is the repository, `{tmp}` a folder that is empty at first.
PROGRAMS = {
    "python tests": ["python3", "-m", "test", "-q", "test_json", "test_dict", "test_list", "test_set", "test_bytes", "test_collections"],
    "sqlite3": ["sqlite3", ":memory:", SQL],
    "git log": ["git", "-C", "{here}", "log", "--stat", "-n", "150"],
    "g++": ["g++", "-O2", "-c", "-o", "{tmp}/out.o", "{tmp}/in.cc"],
    "java": ["java", "-XX:+UseSerialGC", "{tmp}/Churn.java"],
    "redis": "a server with redis-benchmark",
}


def once(name, environment):
    """Processor seconds and peak KiB of a run."""
    # Python has an allocator of its own, which would ask for little.
    env = {**os.environ, "PYTHONMALLOC": "malloc", **environment}
    with tempfile.TemporaryDirectory() as tmp:
        for file, text in (("in.cc", CXX), ("Churn.java", JAVA)):
            with open(os.path.join(tmp, file), "w") as out:
                out.write(text)
        if name == "redis":
            return redis(env, tmp)
        here = os.path.dirname(os.path.abspath(__file__)) + "/../.."
        words = [w.replace("{here}", here).replace("{tmp}", tmp) for w in PROGRAMS[name]]
        child = subprocess.Popen(words, env=env, cwd=tmp, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        said = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode or "cannot be preloaded" in said:
            sys.exit(f"{name} under {environment}: {child.returncode}: {said}")
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def redis(env, tmp):
    """The server's own processor time and VmHWM, while the same requests are served."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    server = subprocess.Popen(["redis-server", "--port", port, "--save", "", "--dir", tmp], env=env, stdout=subprocess.DEVNULL)
    try:
        client = ["redis-benchmark", "-q", "-p", port, "-n", "60000", "-r", "20000", "-d", "300", "-P", "16", "-t", "set,lpush,hset,zadd"]
        for _ in range(100):
            if subprocess.run(["redis-cli", "-p", port, "ping"], capture_output=True, text=True).stdout == "PONG\n":
                break
            time.sleep(0.05)
        subprocess.run(client, check=True, stdout=subprocess.DEVNULL)
        with open(f"/proc/{server.pid}/status") as status:
            peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
    finally:
        server.terminate()
    _, status, usage = os.wait4(server.pid, 0)
    server.returncode = os.waitstatus_to_exitcode(status)
    if server.returncode:
        sys.exit(f"redis under {env.get('LD_PRELOAD')}: {server.returncode}")
    return usage.ru_utime + usage.ru_stime, peak


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
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for program in options.program or PROGRAMS:
        tool = "redis-server" if program == "redis" else PROGRAMS[program][0]
        if not shutil.which(tool):
            print(f"\n{program}: SKIPPED: no {tool}")
            continue
        runs = {name: [] for name in allocators}
        for number in range(options.rounds):
            for name in random.sample(list(allocators), len(allocators)):
                runs[name].append(once(program, allocators[name]))
                if csv:
                    seconds, peak = runs[name][-1]
                    print(program, name, number, f"{seconds:.3f}", peak, sep=",", file=csv, flush=True)
        print(f"\n{program}, {options.rounds} rounds\n| allocator | processor s | over {first} | peak MiB |\n|---|---|---|---|")
        for name in allocators:
            ratios = sorted(a[0] / b[0] for a, b in zip(runs[name], runs[first]))
            peak = statistics.median(r[1] for r in runs[name])
            less = "<" if program != "redis" and peak <= own else ""
            print(
                f"| {name} | {statistics.median(r[0] for r in runs[name]):.2f} | {statistics.median(ratios):.3f}"
                f" [{ratios[0]:.3f}, {ratios[-1]:.3f}] | {less}{peak / 1024:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
