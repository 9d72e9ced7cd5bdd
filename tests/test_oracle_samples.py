"""Every sample: what the formulas give at small sizes is what the oracle counts, exactly."""

from __future__ import annotations

import pytest
from cases.load import Case, cases
from oracle.compare import compare
from oracle.errors import OracleError

ORACLE = [case for case in cases() if case.facts.get("oracle", True)]


@pytest.mark.parametrize("case", ORACLE, ids=lambda case: case.name)
def test_sample(case: Case) -> None:
    result = compare(case.file, case.symbol or case.kernel, case.launch, case.sizes)
    assert not result.differences


@pytest.mark.parametrize("size", [0, 1])
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_sample_with_nothing_or_one(case: Case, size: int) -> None:
    """All sizes 0 or 1, where a launch and the accesses allow it."""
    sizes = dict.fromkeys(case.sizes, size)
    try:
        result = compare(case.file, case.symbol or case.kernel, case.launch, sizes)
    except (OracleError, ZeroDivisionError) as error:
        pytest.skip(f"no such launch: {error}")
    assert not result.differences
