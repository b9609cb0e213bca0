"""``pytest --karat``, as a project's users call it: two environments, two revisions."""

import os
import pathlib
import subprocess
import sys
import sysconfig

import pytest

BENCH = """
import sample

def test_sums(karat_bench):
    assert karat_bench(sample.sums, 3) == 3

def test_no_benchmark():
    assert sample.sums(4) == 6
"""


def sample(turns):
    return f"def sums(n):\n    for _ in range({turns}): sum(range(50))\n    return sum(range(n))\n"


def environment(folder, turns):
    """An environment with a version of the sample; all else is this one's."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "sample.py").write_text(sample(turns))
    (packages / "others.pth").write_text(sysconfig.get_path("platlib") + "\n")
    return folder / "bin/python"


def run(python, project, *options, plugins="pytest_karat"):
    command = [python, "-m", "pytest", "-p", "no:cacheprovider", *options]
    environ = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "PYTHON"))}
    if plugins:
        # Others than these take their time to load.
        environ.update(PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", PYTEST_PLUGINS=plugins)
    done = subprocess.run(command, cwd=project, env=environ, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


SHORT = ("--karat-seconds", "0.3", "--karat-margin", "0.2")


def test_two_environments(tmp_path):
    quick = environment(tmp_path / "quick", 10)
    slow = environment(tmp_path / "slow", 100)
    project = tmp_path / "project"
    project.mkdir()
    (project / "test_bench.py").write_text(BENCH)
    # A noisy machine may withhold the word, but never turns it round.
    code, said = run(slow, project, f"--karat={tmp_path / 'quick'}", *SHORT)
    assert ("SLOWER" in said and code == 1) or ("INCONCLUSIVE" in said and code == 0), said
    assert "FASTER" not in said and "test_bench.py::test_sums" in said, said
    # Without the option it is a test as others are; the wheel names the plugin to pytest.
    code, said = run(quick, project, plugins=None)
    assert code == 0 and "2 passed" in said and "karat" not in said.splitlines()[-1], said


@pytest.fixture
def repository(tmp_path):
    def git(*words):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", *words],
                       cwd=tmp_path, check=True, capture_output=True)

    package = tmp_path / "package"
    package.mkdir()
    (package / "sample.py").write_text(sample(100))
    (package / "test_bench.py").write_text(BENCH)
    (package / "pytest.ini").write_text("[pytest]\n")
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message=slow")
    (package / "sample.py").write_text(sample(10))
    new = BENCH + "\ndef test_new(karat_bench):\n    karat_bench(sample.sums, 1)\n"
    (package / "test_bench.py").write_text(new)
    return package


def test_two_revisions(repository):
    code, said = run(sys.executable, repository, "--karat", "HEAD", *SHORT)
    assert code == 0, said
    assert "FASTER" in said or "INCONCLUSIVE" in said, said
    # What is new has nothing to be compared with.
    assert "2 passed, 1 skipped" in said, said
    trees = subprocess.run(["git", "worktree", "list"], cwd=repository, capture_output=True)
    assert len(trees.stdout.splitlines()) == 1, trees.stdout


def test_wrong_baselines(repository):
    for name in ("none", "."):
        code, said = run(sys.executable, repository, f"--karat={name}", *SHORT)
        assert code == pytest.ExitCode.USAGE_ERROR and "Traceback" not in said, said
        assert "neither an environment, nor a python, nor a revision" in said, said
    (repository / "test_bench.py").write_text("def test(karat_bench):\n    karat_bench(int, 'x')\n")
    subprocess.run(["git", "add", "."], cwd=repository, check=True)
    code, said = run(sys.executable, repository, "--karat", sys.executable, *SHORT)
    assert code == pytest.ExitCode.USAGE_ERROR and f"--karat={sys.executable}" in said, said
    code, said = run(sys.executable, repository, f"--karat={sys.executable}", *SHORT)
    assert code == 1 and "does not run" in said and "invalid literal" in said, said


def test_the_file_is_all_that_the_baseline_needs():
    import pytest_karat

    source = pathlib.Path(pytest_karat.__file__).read_text()
    assert [p.name for p in pathlib.Path(pytest_karat.__file__).parent.glob("*.py")] == ["__init__.py"]
    top = [line for line in source.splitlines() if line.startswith(("import ", "from "))]
    assert top and not any("karat" in line for line in top)
