"""Every sample: what the formulas give at small sizes is what the oracle counts, exactly."""

from __future__ import annotations

import pytest
from cases.load import Case, cases
from oracle.compare import compare

ORACLE = [case for case in cases() if case.facts.get("oracle", True)]


@pytest.mark.parametrize("case", ORACLE, ids=lambda case: case.name)
def test_sample(case: Case) -> None:
    result = compare(case.file, case.symbol or case.kernel, case.launch, case.sizes)
    assert not result.differences
