"""Trees to scan, and scans of them in a process of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from estimator.options import Options
from estimator.scan import json_
from estimator.scan.cache import Cache
from estimator.scan.file import work
from estimator.scan.merge import ScanReport
from estimator.scan.order import Order, in_order
from estimator.scan.results import Results
from estimator.scan.rows import FileRows
from estimator.scan.scan import OnProgress, Scan, Spread
from estimator.scan.spread import here
from estimator.scan.work import Done, Read, Task, portable

ADD = """__global__ void {name}(const float *x, float *y, int n)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2.0f * x[i];
}}
"""


def add(*names: str) -> str:
    """Kernels of n FLOPs and 8n bytes, with these names."""
    return "\n".join(ADD.format(name=name) for name in names)


def tree(root: Path, files: dict[str, str]) -> Path:
    """Write files below a folder."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "estimator", "scan", *arguments]


def environment(cache: Path) -> dict[str, str]:
    return {**os.environ, "COLUMNS": "100", "XDG_CACHE_HOME": str(cache)}


def kcost(folder: Path, cache: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`kcost scan` in a folder."""
    return subprocess.run(
        command(*arguments),
        cwd=folder,
        env=environment(cache),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )


def found(folder: Path, cache: Path, *arguments: str) -> dict[str, Any]:
    """The JSON of `kcost scan .` in a folder."""
    done = kcost(folder, cache, ".", "--format", "json", "--jobs", "1", *arguments)
    assert done.returncode in (0, 1), done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def kept(root: Path, cache: Path, *, include: str = "", **options: Any) -> dict[str, Any]:
    """As `found`, with what is kept in a folder, but all in this process."""
    if include:
        options["include_dirs"] = (str(root / include),)
    given = portable(Options(**options))
    results = Results(Cache(cache), given, 10.0)
    report = Scan(given, 10.0, results, in_this_process, lambda done, total: None).run([str(root)])
    return json_.scan_object(report, in_order(report.rows, Order.FILE))


def in_this_process(tasks: Iterable[Task], count: int) -> Iterator[FileRows]:
    """What processes do with tasks, without any."""
    for task in tasks:
        read, *done = work(task)
        assert isinstance(read, Read)
        outcomes = [one for one in done if isinstance(one, Done)]
        yield FileRows(
            task.source.path,
            tuple(row for one in outcomes for row in one.rows),
            (*read.lost, *(kernel for one in outcomes for kernel in one.lost)),
            (*read.diagnostics, *(found for one in outcomes for found in one.diagnostics)),
            read.basis,
        )


def names(result: dict[str, Any]) -> list[str]:
    return sorted(kernel["name"] for kernel in result["kernels"])


def scan_with(
    path: Path,
    spread: Spread,
    budget_s: float = 60.0,
    on_progress: OnProgress = lambda done, total: None,
) -> ScanReport:
    """A scan from this process; nothing is kept."""
    return Scan(Options(), budget_s, None, spread, on_progress).run([str(path)])


def scan_here(path: Path, budget_s: float = 60.0, jobs: int = 1) -> ScanReport:
    """A scan by so many processes on this machine."""
    return scan_with(path, lambda tasks, _: here(tasks, jobs), budget_s)
