"""Headers: where they are looked for, what is silent, and where their text comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.source.headers import is_known
from estimator.source.position import SourceFile
from estimator.source.preprocess import PreprocessedUnit, preprocess


def run(
    folder: Path, files: dict[str, str], include_dirs: tuple[str, ...] = ()
) -> PreprocessedUnit:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    main = SourceFile(str(folder / "k.cu"), files["k.cu"])
    return preprocess(main, include_dirs=[str(folder / name) for name in include_dirs])


def test_text_and_positions_of_a_header(tmp_path: Path) -> None:
    header = "#pragma once\n#define N 4\n__device__ int f();\n"
    files = {"k.cu": '#include "sub/a.h"\n#include "sub/a.h"\n\n\n\n  int b[N];', "sub/a.h": header}
    unit = run(tmp_path, files)
    assert unit.text.split() == ["__device__", "int", "f();", "int", "b[4];"]
    place = unit.positions.position(unit.text.index("f();"))
    assert (place.path, place.line, place.column) == (str(tmp_path / "sub/a.h"), 3, 16)
    place = unit.positions.position(unit.text.index("b["))
    assert (place.path, place.line, place.column) == (str(tmp_path / "k.cu"), 6, 7)
    assert unit.text.splitlines()[5] == "  int b[4];"


def test_the_including_files_folder_comes_first_for_quotes_only(tmp_path: Path) -> None:
    files = {
        "k.cu": '#include "sub/a.h"\n#include <b.h>\n',
        "sub/a.h": '#include "b.h"\n',
        "sub/b.h": "next_to_it;\n",
        "inc/b.h": "in_the_path;\n",
    }
    assert run(tmp_path, files, ("inc",)).text.split() == ["next_to_it;", "in_the_path;"]


def test_include_guards(tmp_path: Path) -> None:
    guarded = "#ifndef A_H\n#define A_H\nx;\n#endif\n"
    unit = run(tmp_path, {"k.cu": '#include "a.h"\n#include "a.h"\n', "a.h": guarded})
    assert unit.text.split() == ["x;"]


def test_a_header_that_is_not_found(tmp_path: Path) -> None:
    unit = run(tmp_path, {"k.cu": '#define A 1\n  #include "none.h"\nA'})
    (diagnostic,) = unit.diagnostics
    assert (diagnostic.code.id, diagnostic.position.line, diagnostic.position.column) == (
        "K111",
        2,
        3,
    )
    assert unit.text.split() == ["1"]


def test_a_header_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_bytes(b"\0")
    (diagnostic,) = run(tmp_path, {"k.cu": '#include "a.h"\n'}).diagnostics
    assert diagnostic.code.id == "K110"
    assert "NUL" in diagnostic.message


_KNOWN = """cuda_runtime.h cuda.h cuda_fp16.h mma.h cooperative_groups.h cooperative_groups/reduce.h
    cub/cub.cuh thrust/device_vector.h math.h cmath iostream vector stdint.h curand_kernel.h
    device_launch_parameters.h math_constants.h cublas_v2.h cuda/std/atomic"""


@pytest.mark.parametrize(
    "name",
    _KNOWN.split(),
)
def test_known_headers_are_silent(tmp_path: Path, name: str) -> None:
    assert is_known(name)
    unit = run(
        tmp_path, {"k.cu": f'#include "{name}"\n#include <{name}>\n#include <any/at_all.h>\n'}
    )
    assert unit.diagnostics == ()


@pytest.mark.parametrize("name", ["helper_cuda.h", "common.h", "my/cuda_utils.h", "vector.h"])
def test_other_headers_are_not_known(name: str) -> None:
    assert not is_known(name)


def test_a_header_that_includes_itself_ends(tmp_path: Path) -> None:
    unit = run(tmp_path, {"k.cu": 'x;\n#include "k.cu"\n#include "k.cu"\n'})
    assert [d.code.id for d in unit.diagnostics] == ["K110"]
    assert "includes itself without end" in unit.diagnostics[0].message


def test_includes_that_differ_end_by_their_depth(tmp_path: Path) -> None:
    chain = {f"h{n}.cuh": f'#include "h{n + 1}.cuh"\n' for n in range(300)}
    unit = run(tmp_path, {"k.cu": '#include "h0.cuh"\n', **chain})
    assert "200 deep" in unit.diagnostics[0].message
