"""Analysing an extreme input: the answer, the time and the memory that it takes."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from limits.case import Case, Files

TESTS = Path(__file__).parent.parent
_WALL_LIMIT_S = 200
_MEMORY_LIMIT_BYTES = 4 << 30


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered. `seconds` are of the processor; `failure` is empty if all went well."""

    kernels: int
    codes: tuple[str, ...]
    seconds: float
    megabytes: int
    failure: str = ""


def write(files: Files, folder: Path) -> Path:
    """Write an input; gives the file to analyse."""
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "k.cu"


def measured(case: Case, size: int) -> Answer:
    """The answer of a process of its own, imports and all formats' text among its work."""
    with tempfile.TemporaryDirectory() as folder:
        path = write(case.make(size), Path(folder))
        command = [sys.executable, "-m", "limits.measure", str(path)]
        try:
            done = subprocess.run(
                command, cwd=TESTS, capture_output=True, text=True, timeout=_WALL_LIMIT_S
            )
        except subprocess.TimeoutExpired:
            return Answer(0, (), _WALL_LIMIT_S, 0, "no answer")
    if done.returncode != 0:
        return Answer(
            0, (), 0.0, 0, (done.stderr.strip().splitlines() or [str(done.returncode)])[-1]
        )
    found = json.loads(done.stdout)
    return Answer(found["kernels"], tuple(found["codes"]), found["seconds"], found["megabytes"])


def main() -> None:
    """Analyse one file, and print the answer as JSON."""
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY_LIMIT_BYTES, _MEMORY_LIMIT_BYTES))
    from estimator.analysis import analyze
    from estimator.cli.analyze import rendered

    report = analyze(sys.argv[1])
    rendered(report, "text", False)
    file = report.files[0]
    usage = resource.getrusage(resource.RUSAGE_SELF)
    answer = {
        "kernels": len(file.kernels),
        "codes": sorted({diagnostic.code.id for diagnostic in file.diagnostics}),
        "seconds": time.process_time(),
        "megabytes": usage.ru_maxrss // 1024,
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
