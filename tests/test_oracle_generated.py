"""Generated kernels: what the formulas give is what the oracle counts, exactly."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from oracle.compare import compare
from oracle.generate import Generated, kernels


@settings(
    max_examples=int(os.environ.get("KCOST_EXAMPLES", "60")),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(kernels())
def test_generated_kernels(generated: Generated) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "k.cu"
        file.write_text(generated.source)
        result = compare(file, "k", generated.launch, generated.values)
    shown = f"{generated.source}\n{generated.launch}\n{generated.values}"
    assert not result.differences, f"{result.differences}\n{shown}"
