"""JSON: the schema, formulas that sympy reads, exact forms and values."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import sympy
from handmade import dot, hash_int, judged, matmul, spmv, valued, vector_add

from estimator.analysis import analyze
from estimator.options import Options
from estimator.report import json_
from estimator.report.model import FileReport, Report
from estimator.source import codes
from estimator.source.diagnostics import diagnose
from estimator.source.position import Position

jsonschema = pytest.importorskip("jsonschema")

SCHEMA = json.loads((files("estimator.report") / "schema.json").read_text(encoding="utf-8"))
DIAGNOSTIC = diagnose(codes.SYNTAX, Position("é.h", 7, 3), "this line is no C")
REPORT = Report(
    (
        FileReport(
            "a.cu",
            (
                judged(matmul(), "l40s", "h100-sxm"),
                judged(valued(matmul(), N=4096), "l40s", N=4096),
                judged(dot(), "l40s"),
                judged(spmv(), "l40s"),
                judged(hash_int(), "l40s"),
                vector_add(),
            ),
            (DIAGNOSTIC,),
        ),
        FileReport("b.cu", (), ()),
    )
)


def loaded(exact: bool = False) -> dict[str, Any]:
    text = json_.render(REPORT, exact=exact)
    assert text.isascii()
    return json.loads(text)


def kernels(exact: bool = False) -> list[dict[str, Any]]:
    return loaded(exact)["files"][0]["kernels"]


@pytest.mark.parametrize("exact", [False, True])
def test_reports_follow_the_schema(exact: bool) -> None:
    validator = jsonschema.Draft202012Validator
    validator.check_schema(SCHEMA)
    validator(SCHEMA).validate(loaded(exact))


def test_the_schema_refuses_what_it_does_not_know() -> None:
    wrong = loaded()
    wrong["files"][0]["kernels"][0]["bytes"]["extra"] = "1"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, SCHEMA)


def test_every_key_of_the_documentation_is_in_the_schema() -> None:
    gpu, kernel = SCHEMA["$defs"]["gpu"], SCHEMA["$defs"]["kernel"]
    assert set(kernels()[0]["gpus"]["l40s"]) == set(gpu["properties"])
    assert set(kernels()[1]) == set(kernel["properties"])


def test_matrix_product() -> None:
    kernel = kernels()[0]
    assert kernel["per_thread"]["flops"] == {"fp32": "2*N"}
    assert kernel["per_thread"]["uniform"] is True
    assert "in_thread_index" not in kernel["per_thread"]
    assert kernel["intensity"]["compulsory"] == "N/6"
    assert kernel["intensity"]["limits"] == {"requested": "1/4", "compulsory": None}
    assert kernel["launch"]["grid"] == ["floor((N + 15)/16)", "floor((N + 15)/16)", "1"]
    assert kernel["gpus"]["l40s"]["turns_at"] == {"N": 637}
    assert kernel["gpus"]["l40s"]["verdict"]["requested"] == "memory-bound"
    assert kernel["gpus"]["l40s"]["compute_time_s"] is None


def test_exact_holds_only_what_differs() -> None:
    kernel = kernels()[0]
    assert kernel["exact"] == {
        "grid": {"threads": "256*floor((N + 15)/16)**2"},
        "bytes": {"compulsory_sectors": "96*floor((N**2 + 7)/8)"},
    }
    exact = kernels(exact=True)[0]
    assert "exact" not in exact
    assert exact["grid"]["threads"] == "256*floor((N + 15)/16)**2"


def test_values() -> None:
    kernel = kernels()[1]
    assert kernel["parameters"]["N"] == {"type": "int", "value": 4096}
    assert kernel["values"]["grid"]["flops"] == {"fp32": 137_438_953_472}
    assert kernel["values"]["bytes"]["compulsory"] == 201_326_592
    assert kernel["values"]["intensity"]["compulsory"] == pytest.approx(682.667, rel=1e-5)
    assert "values" not in kernels()[0]


def test_threads_that_differ_and_unknowns() -> None:
    index = kernels()[2]["per_thread"]["in_thread_index"]
    assert index["index"] == {"i": "threadIdx.x", "b": "blockIdx.x"}
    assert index["flops"] == {"fp32": "2*i + 2"}
    (unknown,) = kernels()[3]["unknowns"]
    assert unknown["name"] == "trips@8"
    assert unknown["symbol"] == "trips_8"
    assert (unknown["lower"], unknown["upper"], unknown["value"]) == ("0", None, None)


def test_diagnostics_stand_with_their_file() -> None:
    assert loaded()["files"][0]["diagnostics"] == [
        {
            "code": "K201",
            "severity": "error",
            "path": "é.h",
            "line": 7,
            "column": 3,
            "message": "this line is no C",
            "help": codes.SYNTAX.help,
            "lost": [],
        }
    ]


def test_sympy_reads_every_formula() -> None:
    from estimator.algebra.to_sympy import parse

    def formulas(item: Any) -> list[str]:
        if isinstance(item, dict):
            return [text for value in item.values() for text in formulas(value)]
        return [item] if isinstance(item, str) else []

    for kernel in kernels():
        for part in ("grid", "bytes", "intensity", "exact"):
            for text in formulas(kernel.get(part, {})):
                parse(text)


EARLY = """__global__ void k(const float *a, float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = i; j < n; j++) {
        if (j % 8 == 7) { b[j] = 1.f * a[j]; return; }
        b[j] = a[j];
    }
    b[i] = a[i] + 1.f;
}
"""


def test_every_formula_of_one_thread_is_parsed(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(EARLY)
    report = json_.report_object(
        analyze(str(path), Options(launches=("grid=((n+63)/64) block=(64)",)))
    )
    index = report["files"][0]["kernels"][0]["per_thread"]["in_thread_index"]
    for group, formulas in index.items():
        for text in formulas.values() if isinstance(formulas, dict) and group != "index" else ():
            sympy.sympify(text)
