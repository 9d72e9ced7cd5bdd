"""Tensor work and textures in the formats that people and programs read."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

from estimator.analysis import analyze
from estimator.gpus import find_gpu
from estimator.options import Options
from estimator.report import hint, json_, text
from estimator.report.model import FileReport, Report
from estimator.report.verdicts import with_verdicts

SAMPLE = Path(__file__).parents[2] / "samples" / "wmma_matmul.cu"
TEXTURE = """
__global__ void k(cudaTextureObject_t t, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = tex1Dfetch<float>(t, i);
}
"""


def judged(path: Path, **values: int) -> Report:
    options = Options(gpus=(find_gpu("l40s"),))
    (kernel,) = analyze(str(path), options).kernels
    return Report((FileReport(str(path), (with_verdicts(kernel, options.gpus, values, {}),), ()),))


def test_tensor_work_has_rows_roofs_and_a_verdict() -> None:
    lines = [" ".join(line.split()) for line in text.render(judged(SAMPLE)).splitlines()]
    for expected in (
        "tensor FP16 FLOPs 16N 2N³",
        "peak 362 TFLOP/s tensor FP16",
        "ridge point 419 FLOP/B",
    ):
        assert expected in lines
    (verdict,) = [line for line in lines if line.startswith("verdict, compulsory")]
    # N/4 FLOP/B reach 419 at N = 1677, and the next multiple of 64 is 1728.
    turn = int(verdict.removeprefix("verdict, compulsory compute-bound from N = "))
    assert 1677 <= turn <= 1728


def test_hints_name_the_unit() -> None:
    assert "wmma_matmul: 16N tensor FP16 FLOPs/thread, N/4 FLOP/B" in hint.render(judged(SAMPLE))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x[i] *= 2.0f;", "k: 1 FLOP/thread"),
        ("x[i] = x[i] * 2.0f + 1.0f;", "k: 2 FLOPs/thread"),
        ("y[i] *= 2.0;", "k: 1 FP64 FLOP/thread"),
        ("y[i] *= 2.0; x[i] *= 2.0f;", "k: 1 FP64 and 1 FP32 FLOPs/thread"),
    ],
)
def test_hints_name_every_unit_but_fp32(tmp_path: Path, body: str, expected: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void k(float *x, double *y) {\n"
        f"    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    {body}\n}}\n"
    )
    assert expected in hint.render(analyze(str(path)))


def test_json_follows_the_schema(tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((files("estimator.report") / "schema.json").read_text(encoding="utf-8"))
    path = tmp_path / "t.cu"
    path.write_text(TEXTURE)
    for report in (judged(SAMPLE), judged(SAMPLE, N=4096), judged(path)):
        loaded = json.loads(json_.render(report))
        jsonschema.Draft202012Validator(schema).validate(loaded)
    (kernel,) = loaded["files"][0]["kernels"]
    assert kernel["per_thread"]["loads"] == {"texture": "1"}
    assert kernel["bytes"]["compulsory"] == "8*n"
