"""The lab's evidence, and its judge, in Python.

Tables are dicts of columns, which ``pandas.DataFrame`` and ``polars.DataFrame`` take as
they are.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

from . import _karat

__all__ = ["AbResult", "Run", "ab", "audit", "compare", "load"]

_Path = Union[str, "os.PathLike[str]"]
_Document = dict[str, Any]
_Table = dict[str, list[Any]]


def _native(name: str) -> Callable[..., Any]:
    function: Callable[..., Any] | None = getattr(_karat, name, None)
    if function is None:
        raise NotImplementedError("this karat was built without its feature `lab`")
    return function


def _columns(rows: Sequence[_Document], names: Iterable[str]) -> _Table:
    return {name: [row.get(name) for row in rows] for name in names}


_SAMPLE = (
    "round position attempt wall cpu rss faults waits switches steal disturbed quiet waited clock at"
).split()


@dataclass(frozen=True)
class Run:
    """What a run found. ``evidence`` is all of it, as a dict."""

    evidence: _Document = field(repr=False)
    #: Name of the study.
    study: str
    #: GO, NO-GO, SAME or INCONCLUSIVE; None when it is withheld.
    verdict: str | None

    @property
    def samples(self) -> _Table:
        """One row for each value that a workload measured: a dict of columns."""
        evidence = self.evidence
        arms = evidence["arms"]
        rows = []
        for workload in evidence["workloads"]:
            unit = workload["metric"]["unit"]
            for sample in evidence["samples"]:
                values = sample["values"]
                if sample["workload"] != workload["run"] or workload["value"] >= len(values):
                    continue
                arm = arms[sample["arm"]]
                row = {name: sample.get(name) for name in _SAMPLE}
                row.update(
                    workload=workload["name"],
                    variant=arm["variant"],
                    role=arm["role"],
                    layout=arm["layout"],
                    value=values[workload["value"]],
                    unit=unit,
                )
                rows.append(row)
        return _columns(rows, "workload variant role layout value unit".split() + _SAMPLE)

    @property
    def comparisons(self) -> _Table:
        """One row for each variant on each workload: a dict of columns.

        ``speed`` is that of the variant over that of the baseline, ``low`` and ``high``
        bound it.
        """
        rows = []
        for workload in self.evidence["workloads"]:
            for comparison in workload["comparisons"]:
                ratio = comparison["speed"]
                rows.append(
                    {
                        "workload": workload["name"],
                        "variant": comparison["variant"],
                        "judgement": comparison["judgement"],
                        "speed": ratio["estimate"],
                        "low": ratio["low"],
                        "high": ratio["high"],
                        "p": comparison["p_adjusted"],
                    }
                )
        return _columns(rows, "workload variant judgement speed low high p".split())

    @property
    def findings(self) -> _Table:
        """One row for each finding: a dict of columns."""
        return _columns(self.evidence["findings"], "code severity variant message".split())


def load(run: _Path) -> Run:
    """The evidence of a run: of its folder, or of the file ``evidence.json`` in it."""
    path = os.fspath(run)
    if os.path.isdir(path):
        inside = os.path.join(path, "evidence.json")
        if not os.path.exists(inside):
            raise FileNotFoundError(
                f"{path} has no evidence.json: give the folder of a run that has ended"
            )
        path = inside
    evidence = json.loads(_native("evidence_json")(path))
    return Run(
        evidence=evidence,
        study=evidence["study"]["name"],
        verdict=evidence["verdict"]["verdict"],
    )


def _paths(paths: _Path | Iterable[_Path]) -> list[str]:
    if isinstance(paths, (str, bytes, os.PathLike)):
        paths = [paths]
    return [os.fspath(path) for path in paths]


def audit(
    paths: _Path | Iterable[_Path], *, baseline: _Path | None = None, top: int = 20
) -> _Document:
    """What ``karat audit`` says of a binary or of several, as a dict.

    ``files`` has for each file its instructions by extension and width, its functions,
    known kernels and more; ``findings`` is what is worth a look against the baseline.
    """
    document: _Document = json.loads(_native("audit_json")(_paths(paths), baseline, top))
    return document


def compare(
    before: _Path | Iterable[_Path],
    after: _Path | Iterable[_Path],
    *,
    noise: _Path | Iterable[_Path] = (),
    margin: float = 0.01,
) -> _Document:
    """What ``karat compare`` says of the logs of two sides, as a dict.

    Each side is a path or a list of paths, of files or folders.
    """
    text = _native("compare_json")(_paths(before), _paths(after), _paths(noise), margin)
    document: _Document = json.loads(text)
    return document


@dataclass(frozen=True)
class AbResult:
    """Two functions compared. ``speed`` is that of b over that of a."""

    #: FASTER, SLOWER, SAME or INCONCLUSIVE: b against a. INCONCLUSIVE too when a against
    #: itself came out different, for then nothing else can be believed.
    judgement: str
    speed: float
    low: float | None
    high: float | None
    #: Nanoseconds of a call.
    a_ns: float
    b_ns: float
    rounds: int
    #: Whether a against a came out not different.
    again_passed: bool
    #: All that the bench found, as a dict.
    report: _Document = field(repr=False)
    text: str = field(repr=False)

    def __str__(self) -> str:
        return self.text


def ab(
    a: Callable[[], object],
    b: Callable[[], object],
    *,
    margin: float = 0.01,
    seconds: float = 10.0,
    seed: int = 1,
    wall: bool = False,
) -> AbResult:
    """Compares two functions without arguments by karat's judge.

    They are called in batches, interleaved in random order, beside a second run of ``a``
    that shows what the machine's noise is. What is measured is the processor time of this
    thread; ``wall=True`` measures by the clock, for functions that wait or use threads.
    """
    for name, function in (("a", a), ("b", b)):
        if not callable(function):
            raise TypeError(f"{name} is a {type(function).__name__}: a function is wanted")
    return _result(*_native("ab_report")(a, b, margin, seconds, seed, wall))


def judged(
    a: Callable[[int], float], b: Callable[[int], float], *, margin: float, seconds: float
) -> AbResult:
    """The same of two functions that make so many calls, somewhere, and return how many
    nanoseconds of processor time these took. ``pytest --karat`` asks other processes so.
    """
    return _result(*_native("batches_report")(a, b, margin, seconds))


def _result(text: str, document: str) -> AbResult:
    report = json.loads(document)
    first, second = report["arms"]
    comparison = second["comparison"]
    ratio = comparison["speed"]
    return AbResult(
        judgement=comparison["judgement"] if report["again_passed"] else "INCONCLUSIVE",
        speed=ratio["estimate"],
        low=ratio["low"],
        high=ratio["high"],
        a_ns=first["ns"]["faster_half"],
        b_ns=second["ns"]["faster_half"],
        rounds=report["rounds"],
        again_passed=report["again_passed"],
        report=report,
        text=text,
    )
