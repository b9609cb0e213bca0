"""Evidence, audits, logs, and the judge."""

import pathlib
import shutil

import pytest

import karat

# `karat ab --max-time 8s -- true -- sleep 0.002`, with its first samples only.
RUN = pathlib.Path(__file__).parent / "run" / "evidence.json"


def equally_long(table):
    return len({len(column) for column in table.values()}) == 1


def test_load(tmp_path):
    run = karat.load(RUN)
    assert run.verdict in ("GO", "NO-GO", "SAME", "INCONCLUSIVE", None)
    assert run.study == run.evidence["study"]["name"]
    samples, comparisons = run.samples, run.comparisons
    assert equally_long(samples) and equally_long(comparisons) and equally_long(run.findings)
    assert len(samples["value"]) == 24 and set(samples["role"]) == {"baseline", "again", "variant"}
    assert comparisons["judgement"] == ["SLOWER"] and comparisons["high"][0] < 1
    assert min(samples["value"]) > 0 and "KR008" in run.findings["code"]
    assert set(comparisons["judgement"]) <= {"FASTER", "SLOWER", "SAME", "INCONCLUSIVE"}
    shutil.copy(RUN, tmp_path / "evidence.json")
    assert karat.load(tmp_path) == run


def test_tables_become_frames():
    pandas = pytest.importorskip("pandas")
    run = karat.load(RUN)
    frame = pandas.DataFrame(run.samples)
    assert frame.groupby("variant").value.mean().notna().all()


def test_load_what_is_none(tmp_path):
    with pytest.raises(FileNotFoundError):
        karat.load(tmp_path)
    with pytest.raises(FileNotFoundError):
        karat.load(tmp_path / "none.json")
    (tmp_path / "evidence.json").write_text("{}")
    with pytest.raises(ValueError, match="no evidence"):
        karat.load(tmp_path)


def test_audit(tmp_path):
    document = karat.audit(karat._karat.__file__, top=5)
    (file,) = document["files"]
    assert len(file["audit"]["functions"]) <= 5
    assert "AVX2" in str(file["audit"])
    text = tmp_path / "text"
    text.write_text("no program")
    with pytest.raises(ValueError, match="text"):
        karat.audit([text])


def test_compare(tmp_path):
    def log(name, ok):
        path = tmp_path / name
        path.write_text(
            "running 2 tests\n"
            "test one ... ok\n"
            f"test two ... {'ok' if ok else 'FAILED'}\n\n"
            f"test result: {'ok' if ok else 'FAILED'}. {1 + ok} passed; {1 - ok} failed; 0 ignored; "
            "0 measured; 0 filtered out; finished in 0.00s\n")
        return path
    before, after = log("before", True), log("after", False)
    same = karat.compare(before, [before])
    changed = karat.compare(before, after)
    assert same["verdict"] != changed["verdict"]
    with pytest.raises(OSError):
        karat.compare(before, tmp_path / "none")
    empty = tmp_path / "empty"
    empty.write_text("")
    with pytest.raises(ValueError, match="nothing readable"):
        karat.compare(before, empty)


def test_ab_of_a_clear_case():
    short, long = (lambda: sum(range(100))), (lambda: sum(range(1000)))
    result = karat.ab(short, long, seconds=1)
    # A noisy machine may withhold the word, but never turns it round.
    assert result.judgement in ("SLOWER", "INCONCLUSIVE")
    assert result.speed < 0.5 and result.a_ns < result.b_ns
    assert "a" in str(result)


def test_ab_of_wrong_functions():
    calls = []

    def fails():
        calls.append(1)
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        karat.ab(lambda: None, fails)
    assert len(calls) == 1
    with pytest.raises(TypeError):
        karat.ab(1, 2)
    with pytest.raises(ValueError):
        karat.ab(lambda: 1, lambda: 2, margin=-1)
    with pytest.raises(ValueError):
        karat.ab(lambda: 1, lambda: 2, seconds=float("nan"))
