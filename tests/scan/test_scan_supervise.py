"""Kernels that hang, crash or break lose nothing but themselves."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from scanning import add, scan_here, tree

from estimator.scan import process
from estimator.scan.merge import ScanReport
from estimator.scan.process import ClosedError, Crew

BREAKING = Path(__file__).with_name("breaking.py")


@pytest.fixture(autouse=True)
def _breaking(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(process, "command", lambda: [sys.executable, str(BREAKING)])
    return


def reasons(report: ScanReport) -> dict[str, str]:
    return {kernel.name: kernel.reason.code for kernel in report.lost}


def test_a_kernel_that_hangs_in_native_code_is_left_out(tmp_path: Path) -> None:
    text = add("first", "hangs", "middle", "hangs_in_isl", "last")
    tree(tmp_path, {"a.cu": text, "b.cu": add("other")})
    start = time.monotonic()
    report = scan_here(tmp_path, budget_s=2)
    assert time.monotonic() - start < 120
    assert [row.name for row in report.rows] == ["first", "middle", "last", "other"]
    assert reasons(report) == {"hangs": "K310", "hangs_in_isl": "K310"}
    (place, _) = [kernel.place for kernel in report.lost]
    assert (place.line, place.column) == (7, 17)
    assert "2 s" in report.lost[0].reason.message
    assert not report.complete


def test_a_kernel_that_ends_the_process_is_left_out(tmp_path: Path) -> None:
    text = add("crashes_1", "first", "leaves", "raises", "eats_memory", "last", "crashes_2")
    report = scan_here(tree(tmp_path, {"a.cu": text}))
    assert [row.name for row in report.rows] == ["first", "last"]
    found = reasons(report)
    assert found.pop("raises") in ("K303", "K311")
    assert found.pop("eats_memory") in ("K303", "K311")
    assert found == {"crashes_1": "K311", "leaves": "K311", "crashes_2": "K311"}
    messages = [kernel.reason.message for kernel in report.lost]
    assert any("SIGABRT" in message for message in messages)
    assert any("exit status 7" in message for message in messages)


def test_a_file_that_cannot_be_read_in_time_is_reported(tmp_path: Path) -> None:
    tree(tmp_path, {"a.cu": add("k") + "// reading hangs", "b.cu": add("other")})
    tree(tmp_path, {"c.cu": add("k") + "// reading crashes"})
    report = scan_here(tmp_path, budget_s=2)
    assert [row.name for row in report.rows] == ["other"]
    assert [(found.code, Path(found.place.path).name) for found in report.errors] == [
        ("K310", "a.cu"),
        ("K311", "c.cu"),
    ]


def test_the_budget_is_a_kernels_own_processor_time(tmp_path: Path) -> None:
    names = [f"busy_{index}" for index in range(5)]  # 0.8 s each, 4 s together
    names.append("slow")  # sleeps, as if others had the machine
    report = scan_here(tree(tmp_path, {"a.cu": add(*names)}), budget_s=3)
    assert [row.name for row in report.rows] == names


def test_several_processes_do_the_same_as_one(tmp_path: Path) -> None:
    tree(tmp_path, {f"{n}.cu": add(f"k{n}", f"crashes_{n}", f"l{n}") for n in range(3)})
    report = scan_here(tmp_path, jobs=2)
    assert sorted(row.name for row in report.rows) == [f"{k}{n}" for k in "kl" for n in range(3)]
    assert len(report.lost) == 3


def test_a_closed_crew_starts_nothing(tmp_path: Path) -> None:
    crew = Crew()
    child = crew.take()
    crew.close()
    with pytest.raises(ClosedError):
        crew.drop(child)
    with pytest.raises(ClosedError):
        crew.take()
