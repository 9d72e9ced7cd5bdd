"""`goto`: forward it is followed, anything else is refused where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.options import Options
from estimator.report.model import KernelReport

ONE_BLOCK = Options(launches=("k: grid=(1) block=(64)",))


def kernel_of(body: str, folder: Path) -> KernelReport:
    file = folder / "k.cu"
    file.write_text(
        f"__global__ void k(float *a, int N)\n{{\n    int i = threadIdx.x;\n{body}\n}}\n"
    )
    report = analyze(str(file), ONE_BLOCK)
    assert report.complete, [str(d) for d in report.files[0].diagnostics]
    return report.kernels[0]


REFUSED = {
    "again: if (i++ < 3) goto again;": ("K202", 21, "goto back to the label again"),
    "for (;;) { on: if (i++ > 3) goto on; }": ("K202", 29, "goto back to the label on"),
    "if (N) goto in; { in: a[i] = 1; }": ("K202", 8, "goto into a block, to the label in"),
    "if (N) goto two; if (N) { two: ; }": ("K202", 8, "goto into a block, to the label two"),
    "goto there;": ("K203", 1, "goto to a label that the function does not have: there"),
}


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_refused(body: str, tmp_path: Path) -> None:
    code, column, message = REFUSED[body]
    file = tmp_path / "k.cu"
    file.write_text(f"__global__ void k(float *a, int N) {{ int i = 0;\n{body}\n}}\n")
    report = analyze(str(file), ONE_BLOCK)
    (found,) = report.files[0].diagnostics
    assert (found.code.id, found.message) == (code, message)
    assert (found.position.line, found.position.column) == (2, column)  # type: ignore[union-attr]
    assert found.help
    assert not report.kernels


def test_a_goto_that_nobody_comes_to_is_not_refused(tmp_path: Path) -> None:
    kernel = kernel_of("    if (sizeof(int) == 8) { back: goto back; }\n a[i] = 1.0f;", tmp_path)
    assert sympy_text(kernel.grid.stores["global"].exact) == "64"


def test_who_leaves_by_data_is_a_share_with_a_name(tmp_path: Path) -> None:
    kernel = kernel_of(
        "    for (int k = 0; k < N; k++) if (a[k] > 1.0f) goto done;\n"
        "    a[i] = 1.0f;\n"
        "done:\n    a[i] += 1.0f;",
        tmp_path,
    )
    assert {one.name for one in kernel.unknowns} >= {"trips@4", "p_goto_done@4"}
    assert sympy_text(kernel.grid.stores["global"].exact) == "128 - 64*p_goto_done_4"


def test_who_leaves_for_the_end_of_a_loop_needs_no_share(tmp_path: Path) -> None:
    with_goto = kernel_of(
        "    for (int k = 0; k < N; k++) if (a[k] > 1.0f) goto done; done: a[i] = 1.0f;", tmp_path
    )
    with_break = kernel_of(
        "    for (int k = 0; k < N; k++) if (a[k] > 1.0f) break; a[i] = 1.0f;", tmp_path
    )
    assert with_goto.unknowns == with_break.unknowns
    assert with_goto.grid == with_break.grid


def test_each_way_to_a_label_brings_its_values(tmp_path: Path) -> None:
    kernel = kernel_of(
        "    int n = 2; if (i < 16) goto done; n = 5; if (i < 32) goto done; n = 7;\n"
        "done:\n    for (int k = 0; k < n; k++) a[k] = 1.0f;",
        tmp_path,
    )
    assert sympy_text(kernel.grid.stores["global"].exact) == str(16 * 2 + 16 * 5 + 32 * 7)


def test_a_halving_loop_that_is_left_early_has_an_unknown_trip_count(tmp_path: Path) -> None:
    kernel = kernel_of(
        "    for (int w = N; w > 0; w >>= 1) { a[w] = 1.0f; if (w < 4) break; }", tmp_path
    )
    (trips,) = (one for one in kernel.unknowns if one.name == "trips@4")
    assert sympy_text(trips.upper) == "floor(log(N, 2)) + 1"


def test_a_return_from_a_do_loop_takes_away_what_follows_only_where_it_happens(
    tmp_path: Path,
) -> None:
    kernel = kernel_of("    int k = 0; do { if (k == N) return; k++; } while (k < 8); a[i] = 1;",
                       tmp_path)  # fmt: skip
    exact = kernel.grid.stores["global"].exact
    assert [exact.evaluate({"N": n}) for n in (0, 7, 8, 9)] == [0, 0, 64, 64]  # type: ignore[union-attr]
