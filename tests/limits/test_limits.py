"""Small versions of the inputs that `tests/robustness.py` measures: what is answered to each."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze
from limits import deep, long, wide
from limits.case import Case
from limits.measure import write

CASES = (*long.CASES, *deep.CASES, *wide.CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_small_one_is_answered(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KCOST_DEBUG", "1")
    report = analyze(str(write(case.make(case.small), tmp_path))).files[0]
    if case.kernels is None:
        assert report.kernels or report.diagnostics
        return
    codes = sorted({diagnostic.code.id for diagnostic in report.diagnostics})
    assert (len(report.kernels), codes) == (case.kernels, sorted(case.codes))


def test_names_are_unique() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
