"""The stubs say what is there, and the package's own types hold."""

import subprocess
import sys

import pytest

import karat

# PyO3 gives the private module an `__all__`; what users import has its own.
ALLOWED = "karat._karat.__all__\n"


@pytest.mark.skipif(not hasattr(karat._karat, "audit_json"), reason="built without `lab`")
def test_stubs_agree_with_the_module(tmp_path):
    pytest.importorskip("mypy", reason="no mypy")
    (tmp_path / "allowed").write_text(ALLOWED)
    for command in (
        ["mypy.stubtest", "karat", "--allowlist", "allowed"],
        ["mypy", "--strict", "-p", "karat"],
    ):
        made = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True,
                              cwd=tmp_path)
        assert made.returncode == 0, made.stdout + made.stderr
