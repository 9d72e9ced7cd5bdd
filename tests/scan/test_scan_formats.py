"""What a scan prints: goldens, the JSON Schema, CSV that reads back, and the order."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from estimator.gpus import find_gpu
from estimator.options import Options
from estimator.report import markdown
from estimator.report.text import render_blocks
from estimator.scan import csv_, json_
from estimator.scan.file import work
from estimator.scan.merge import ScanReport, merged
from estimator.scan.order import Order, in_order
from estimator.scan.rows import FileRows, Found, Place, from_json, to_json
from estimator.scan.view import Look, scan_blocks
from estimator.scan.work import Done, Read, Task, portable
from estimator.source import codes
from estimator.source.position import SourceFile

SOURCE = """#include "missing.h"
__global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; k++) sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}
__global__ void add(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += x[i];
}
__global__ void mixed(const float *x, double *y, const int *ends, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double s = 0.0;
    for (int j = 0; j < ends[i]; j++) s += 2.0f * x[i];
    y[i] = s;
}
__global__ void clear(int *flag) { flag[0] = 0; }
__global__ void nothing(int n) {}
__global__ void lost(float *x) { float *p = new float[3]; x[0] = p[1]; }
void run(float *a, float *b, float *c, int n) { matmul<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n); }
"""
SCHEMA = json.loads((files("estimator.scan") / "schema.json").read_text(encoding="utf-8"))
UNREAD = Found(
    "K105", Place("old.cu", 3, 7), "byte 0xe9 on line 3 is not UTF-8", "Save it as UTF-8."
)


def report(*gpus: str, **values: int) -> ScanReport:
    profiles = tuple(map(find_gpu, gpus))
    options = portable(Options(gpus=profiles, values=values))
    rows, lost, found = [], [], []
    for message in work(Task(SourceFile("k.cu", SOURCE), ".", options, 10.0)):
        if isinstance(message, Read | Done):
            lost += message.lost
            found += message.diagnostics
        if isinstance(message, Done):
            rows += message.rows
    of_file = FileRows("k.cu", tuple(rows), tuple(lost), tuple(found))
    # As if it came from another process or from what is kept.
    of_file = from_json(json.loads(json.dumps(to_json(of_file))))
    return merged([of_file, FileRows("old.cu", diagnostics=(UNREAD,)), FileRows("empty.cu")])


REPORT = report("l40s", "h100-sxm")
AT_SIZES = report("l40s", N=4096, n=1 << 20)


def text(found: ScanReport, width: int, look: Look) -> str:
    blocks = list(scan_blocks(found, in_order(found.rows, Order.TIME), look))
    return render_blocks(blocks, width=width, unicode=look.unicode)


def test_table_for_a_pipe(golden: Callable[[str, str], None]) -> None:
    golden("scan_wide.txt", text(REPORT, 10_000, Look()))


def test_table_for_a_terminal(golden: Callable[[str, str], None]) -> None:
    shown = text(AT_SIZES, 80, Look(wide=False))
    assert max(map(len, shown.splitlines())) <= 80
    golden("scan_80_columns.txt", shown)


@pytest.mark.parametrize("styled", [False, True])
def test_what_no_table_has_room_for_stands_line_by_line(styled: bool) -> None:
    rows = in_order(REPORT.rows, Order.FILE)
    blocks = list(scan_blocks(REPORT, rows, Look(wide=False)))
    shown = render_blocks(blocks, width=40, unicode=True, styled=styled, color=False)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    lines = shown.splitlines()
    assert max(map(len, lines)) <= 40
    start = lines.index("  kernel    mixed")
    assert lines[start : start + 8] == [
        "  kernel    mixed",
        "            k.cu:17",
        "  FLOPs     n·trips@22 FP64 + n·trips@22",
        "            FP32",
        "  bytes     16n",
        "  FLOP/B    trips@22/8",
        "  L40S      depends on trips@22",
        "  H100 SXM  depends on trips@22",
    ]


def test_table_in_ascii() -> None:
    shown = text(AT_SIZES, 10_000, Look(unicode=False))
    assert shown.isascii()
    assert "2*N^3" in shown
    assert "\\x" not in shown


def test_markdown(golden: Callable[[str, str], None]) -> None:
    rows = in_order(REPORT.rows, Order.FILE)
    golden("scan.md", markdown.render_blocks(scan_blocks(REPORT, rows, Look())))


def test_csv(golden: Callable[[str, str], None]) -> None:
    shown = csv_.render(AT_SIZES, in_order(AT_SIZES.rows, Order.FILE), ["l40s"])
    golden("scan.csv", shown.replace("\r\n", "\n"))
    lines = list(csv.DictReader(io.StringIO(shown)))
    by_name = {line["kernel"]: line for line in lines}
    assert by_name["matmul"]["flops"] == "2*N**3"
    assert by_name["matmul"]["flops_value"] == str(2 * 4096**3)
    assert by_name["matmul"]["l40s_verdict"] == "compute-bound"
    assert (by_name["lost"]["code"], by_name["lost"]["flops"]) == ("K202", "")
    assert all(None not in line for line in lines)


@pytest.mark.parametrize("found", [REPORT, AT_SIZES, merged([])])
def test_json_follows_the_schema(found: ScanReport) -> None:
    shown = json_.render(found, in_order(found.rows, Order.TIME))
    assert shown.isascii()
    validator = jsonschema.Draft202012Validator
    validator.check_schema(SCHEMA)
    validator(SCHEMA).validate(json.loads(shown))


def test_the_schema_refuses_what_it_does_not_know() -> None:
    wrong: Any = json_.scan_object(REPORT, REPORT.rows)
    wrong["kernels"][0]["bytes"]["extra"] = "1"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, SCHEMA)


def test_json_has_formulas_values_and_counts() -> None:
    found: Any = json.loads(json_.render(AT_SIZES, AT_SIZES.rows))
    kernels = {kernel["name"]: kernel for kernel in found["kernels"]}
    assert kernels["matmul"]["flops"] == {"formula": "2*N**3", "value": 2 * 4096**3}
    assert kernels["matmul"]["bytes"]["value"] == 12 * 4096**2
    assert kernels["matmul"]["launch"]["line"] == 28
    assert kernels["mixed"]["unknowns"] == ["trips@22"]
    assert set(kernels["mixed"]["flops_by_precision"]) == {"fp64", "fp32"}
    assert kernels["mixed"]["flops"]["value"] is None
    assert kernels["nothing"]["intensity"] is None
    summary = found["summary"]
    assert (summary["files"], summary["kernels"], summary["analysed"]) == (3, 6, 5)
    assert summary["reasons"] == [{"code": "K202", "title": codes.UNSUPPORTED.title, "count": 1}]
    assert [one["code"] for one in summary["others"]] == ["K105"]
    assert [one["code"] for one in summary["warnings"]] == ["K111"]


@pytest.mark.parametrize(
    ("order", "first"),
    [
        (Order.TIME, ["matmul"]),
        (Order.FLOPS, ["matmul", "mixed"]),
        (Order.BYTES, ["matmul"]),
        (Order.INTENSITY, ["matmul", "mixed"]),  # 1024/6 and 1,024 trips of 1/8
        (Order.NAME, ["add", "clear", "matmul", "mixed", "nothing"]),
        (Order.FILE, ["matmul", "add", "mixed", "clear", "nothing"]),
    ],
)
def test_order(order: Order, first: list[str]) -> None:
    names = [row.name for row in in_order(REPORT.rows, order)]
    assert names[: len(first)] == first


def test_sizes_given_count_in_the_order() -> None:
    names = [row.name for row in in_order(report(N=16, n=10**6).rows, Order.TIME)]
    assert names.index("matmul") > names.index("add")
