"""Conditions that nothing decides: one warning, which says what was taken and how to choose."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.source.position import SourceFile
from estimator.source.preprocess import preprocess


def warnings(text: str, **macros: str) -> list[str]:
    unit = preprocess(SourceFile("k.cu", text), macros=macros)
    return [
        f"{one.position.line}:{one.position.column} {one.code.id} {one.message}"
        for one in unit.diagnostics
    ]


IN_KERNEL = (
    "__global__ void k(float *x) {\n#ifdef FAST\n  x[0] = 1;\n#else\n  x[0] = 2;\n#endif\n}\n"
)
DEPENDS = "on which this condition depends"


def test_the_branch_that_is_taken() -> None:
    assert warnings(IN_KERNEL) == [
        f"2:1 K112 nothing defines 'FAST', {DEPENDS}: the branch of #else is taken, line 5"
    ]


def test_nothing_is_taken() -> None:
    text = "#if MODE > 1\n__global__ void k(float *x) { }\n#endif\n"
    assert warnings(text) == [
        f"1:1 K112 nothing defines 'MODE', {DEPENDS}: what stands behind it is left out"
    ]


def test_not_defined_is_a_branch_too() -> None:
    text = "#ifndef SLOW\n__device__ int f()\n{ return 1; }\n#endif\n"
    assert warnings(text) == [
        f"1:1 K112 nothing defines 'SLOW', {DEPENDS}: the branch of #ifndef is taken, lines 2 to 3"
    ]


def test_one_warning_for_each_macro() -> None:
    text = IN_KERNEL + IN_KERNEL.replace("k(", "l(")
    (found,) = warnings(text)
    assert found.endswith("is taken, line 5; also at line 9")


def test_the_option_decides() -> None:
    assert warnings(IN_KERNEL, FAST="1") == []
    unit = preprocess(SourceFile("k.cu", IN_KERNEL))
    assert unit.diagnostics[0].help.startswith("Set it with --macro FAST")


DECIDED = {
    "host code": "#ifdef DEBUG\nvoid f() {}\n#endif\n__global__ void k(float *x) { x[0] = 1; }\n",
    "default": "#ifndef TILE\n#define TILE 4\n#endif\n__global__ void k(float *x) { x[TILE] = 1; }\n",
    "guard": "#ifndef K_CU\n#define K_CU\n__global__ void k(float *x) { x[0] = 1; }\n#endif\n",
    "defined": "#define FAST\n" + IN_KERNEL,
    "compilers": IN_KERNEL.replace("FAST", "__HIP_PLATFORM_AMD__"),
    "version": IN_KERNEL.replace("#ifdef FAST", "#if CUDART_VERSION >= 9000"),
    "not reached": f"#if 0\n{IN_KERNEL}#endif\n",
    "after the kernel": "__global__ void k(float *x) { x[0] = 1; }\n#ifdef TEST\nint y;\n#endif\n",
}


@pytest.mark.parametrize("text", DECIDED.values(), ids=DECIDED)
def test_what_is_decided_is_silent(text: str) -> None:
    assert warnings(text) == []


def test_a_condition_in_a_header(tmp_path: Path) -> None:
    (tmp_path / "k.cuh").write_text(IN_KERNEL)
    main = SourceFile(str(tmp_path / "k.cu"), '#include "k.cuh"\n')
    (found,) = preprocess(main).diagnostics
    assert (found.position.path, found.position.line) == (str(tmp_path / "k.cuh"), 2)
