"""``pytest --karat=BASELINE``: benchmarks of two environments or revisions, judged by karat.

A benchmark is a test that calls the fixture ``karat_bench``:

    def test_parse(karat_bench):
        text = "1," * 1000
        karat_bench(parse, text)

Without ``--karat`` the function is called once. With it the test runs in two processes, here
and in BASELINE, which take turns in random order; the judge is that of ``karat.ab``.

This file is all that the process in the baseline needs: it imports karat only to judge.
"""

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import pytest

FIXTURE = "karat_bench"


def pytest_addoption(parser):
    group = parser.getgroup("karat", "benchmarks judged by karat")
    group.addoption(
        "--karat", metavar="BASELINE",
        help="compare benchmarks with those of another environment (its folder or its python) "
             "or of a git revision; one that is slower fails")
    group.addoption("--karat-seconds", type=float, default=10.0, metavar="S",
                    help="time for each benchmark (10)")
    group.addoption("--karat-margin", type=float, default=0.01, metavar="M",
                    help="the smallest relative change that matters (0.01)")
    group.addoption("--karat-side", help="internal: file descriptors of one side")


def pytest_configure(config):
    config.stash[JUDGED] = []
    # Pytest looks for its root folder and its settings before it knows this option, and takes
    # a path that stands alone for one of the tests.
    args = [*map(str, config.invocation_params.args), ""]
    for option, baseline in zip(args, args[1:]):
        if option == "--karat" and os.path.exists(baseline):
            raise pytest.UsageError(
                f"pytest would look for its settings at {baseline} too: write "
                f"--karat={baseline}, with `=`")
    # A wrong name is said once and at the beginning, not by each benchmark.
    if config.getoption("karat") is not None and not config.getoption("karat_side"):
        _baseline(config)


JUDGED = pytest.StashKey()
BASELINE = pytest.StashKey()


@pytest.fixture
def karat_bench(request):
    """Calls a function with arguments; ``pytest --karat`` measures that call."""
    side = request.config.getoption("karat_side")

    def bench(function, *args, **kwargs):
        result = function(*args, **kwargs)
        if side:
            _serve(lambda: function(*args, **kwargs), *map(int, side.split(",")))
        return result

    return bench


def _serve(call, requests, answers):
    """Reads how many calls to make, and answers their nanoseconds, until nobody asks."""
    clock = time.thread_time_ns
    with open(requests) as requests, open(answers, "w", buffering=1) as answers:
        answers.write("ready\n")
        for count in requests:
            turns = range(int(count))
            start = clock()
            for _ in turns:
                call()
            answers.write(f"{clock() - start}\n")


class Side:
    """A benchmark in a process of its own, waiting to be asked for batches of calls."""

    def __init__(self, python, root, plugin, nodeid, output):
        requests, asking = os.pipe()
        answered, answers = os.pipe()
        self._output = output
        paths = [str(plugin), *filter(None, [os.environ.get("PYTHONPATH")])]
        command = [python, "-m", "pytest", "-q", "-p", "pytest_karat", "-p", "no:cacheprovider",
                   f"--rootdir={root}", f"--karat-side={requests},{answers}", nodeid]
        self._process = subprocess.Popen(
            command, cwd=root, pass_fds=(requests, answers), stdin=subprocess.DEVNULL,
            stdout=output, stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})
        os.close(requests)
        os.close(answers)
        self._requests = open(asking, "w", buffering=1)
        self._answers = open(answered)

    def __enter__(self):
        if self._answers.readline() != "ready\n":
            code = self._process.wait()
            self.__exit__()
            # Pytest's code for a test that is not there.
            if code == pytest.ExitCode.USAGE_ERROR:
                pytest.skip(f"the baseline has no such benchmark:\n{self._said()}")
            pytest.fail(f"the benchmark does not run:\n{self._said()}", pytrace=False)
        return self

    def __exit__(self, *_):
        with contextlib.suppress(BrokenPipeError):
            self._requests.close()
        self._answers.close()
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __call__(self, calls):
        with contextlib.suppress(BrokenPipeError):
            self._requests.write(f"{calls}\n")
        answer = self._answers.readline()
        if not answer:
            pytest.fail(f"the benchmark ended:\n{self._said()}", pytrace=False)
        return float(answer)

    def _said(self):
        self._output.seek(0)
        return self._output.read().decode(errors="replace")[-4000:]


def _git(folder, *words):
    command = ["git", "-C", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True)


def _baseline(config):
    """Python and root folder of the baseline."""
    known = config.stash.get(BASELINE, None)
    if known is None:
        known = config.stash[BASELINE] = _found(config, config.getoption("karat"))
    return known


def _found(config, name):
    path = pathlib.Path(config.invocation_params.dir, name)
    for python in (path, path / "bin/python"):
        if python.is_file():
            return str(python), config.rootpath
    top = _git(config.rootpath, "rev-parse", "--show-toplevel")
    commit = _git(config.rootpath, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    if top.returncode or commit.returncode:
        raise pytest.UsageError(
            f"--karat {name}: neither an environment, nor a python, nor a revision of git here")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="karat-"))
    tree = folder / "tree"
    top = top.stdout.strip()

    def remove():
        _git(top, "worktree", "remove", "--force", str(tree))
        shutil.rmtree(folder, ignore_errors=True)

    config.add_cleanup(remove)
    added = _git(top, "worktree", "add", "--detach", str(tree), commit.stdout.strip())
    if added.returncode:
        raise pytest.UsageError(f"--karat {name}: {added.stderr}")
    return sys.executable, tree / config.rootpath.relative_to(pathlib.Path(top).resolve())


@contextlib.contextmanager
def _one_processor():
    """All of a benchmark runs on one processor: the sides are asked in turns."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    config = pyfuncitem.config
    if config.getoption("karat") is None or FIXTURE not in pyfuncitem.fixturenames:
        return None
    from karat.lab import judged

    python, root = _baseline(config)
    nodeid = pyfuncitem.nodeid
    with contextlib.ExitStack() as stack:
        plugin = stack.enter_context(tempfile.TemporaryDirectory())
        # Alone, so that the baseline sees no other package of this environment.
        shutil.copytree(pathlib.Path(__file__).parent, pathlib.Path(plugin, "pytest_karat"))
        stack.enter_context(_one_processor())
        before, after = (
            stack.enter_context(Side(
                *side, plugin, nodeid, stack.enter_context(tempfile.TemporaryFile())))
            for side in ((python, root), (sys.executable, config.rootpath)))
        result = judged(before, after, margin=config.getoption("karat_margin"),
                        seconds=config.getoption("karat_seconds"))
    config.stash[JUDGED].append((nodeid, result))
    if result.judgement == "SLOWER":
        pytest.fail(f"slower than {config.getoption('karat')}\n{result}", pytrace=False)
    return True


def pytest_terminal_summary(terminalreporter, config):
    judged = config.stash[JUDGED]
    if not judged:
        return
    terminalreporter.section(f"karat: against {config.getoption('karat')}")
    for nodeid, result in judged:
        bounds = "" if result.low is None else f" ({result.low:.3f} to {result.high:.3f})"
        terminalreporter.line(
            f"{result.judgement:12} {result.speed:.3f}x{bounds} "
            f"{result.a_ns:,.0f} ns -> {result.b_ns:,.0f} ns  {nodeid}")
