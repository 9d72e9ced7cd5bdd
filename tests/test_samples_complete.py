"""Every sample as it stands: all kernels under the launches of its own host code, for a GPU."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze
from estimator.gpus import find_gpu
from estimator.options import Options

SAMPLES = sorted((Path(__file__).parent.parent / "samples").glob("*.cu"))


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_complete(file: Path) -> None:
    report = analyze(str(file), Options(gpus=(find_gpu("l40s"),)))
    assert report.complete, [str(one) for one in report.files[0].diagnostics]
