"""What is kept between scans, when it holds, and what a damaged folder costs: nothing."""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from scanning import add, found, kcost, kept, names, tree

from estimator.gpus import find_gpu
from estimator.scan import results
from estimator.scan.cache import Cache, key_of

HEADER = "#define FACTOR 2.0f *\n"
WITH_HEADER = """#include "factor.h"
__global__ void k(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = FACTOR x[i];
}
"""


def entries(cache: Path) -> list[Path]:
    return sorted(cache.glob("??/*"))


def written_anew(folder: Path, cache: Path, **options: Any) -> int:
    """How many entries a scan writes."""
    before = {path.name: path.stat().st_ino for path in entries(cache)}
    kept(folder, cache, **options)
    after = {path.name: path.stat().st_ino for path in entries(cache)}
    return sum(before.get(name) != inode for name, inode in after.items())


# --- the store ----------------------------------------------------------------------------------


def test_what_was_put_is_got(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "c")
    assert cache.get(key_of({"a": 1})) is None
    cache.put(key_of({"a": 1}), {"x": [1, "é"]})
    assert cache.get(key_of({"a": 1})) == {"x": [1, "é"]}
    assert cache.get(key_of({"a": 2})) is None


@pytest.mark.parametrize("damage", ["empty", "short", "changed", "longer", "folder", "no JSON"])
def test_a_damaged_entry_is_none(tmp_path: Path, damage: str) -> None:
    cache = Cache(tmp_path)
    key = key_of({})
    cache.put(key, {"flops": "2*N"})
    (path,) = tmp_path.glob("??/*")
    data = path.read_bytes()
    match damage:
        case "empty":
            path.write_bytes(b"")
        case "short":
            path.write_bytes(data[:-3])
        case "changed":
            path.write_bytes(data.replace(b"2*N", b"3*N"))
        case "longer":
            path.write_bytes(data + b" ")
        case "no JSON":
            path.write_bytes(os.urandom(200))
        case "folder":
            path.unlink()
            path.mkdir()
    assert cache.get(key) is None
    cache.put(key, 1)  # a folder in the way is no error either
    assert cache.get(key) == (None if damage == "folder" else 1)


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file" / "cache")
    cache.put(key_of({}), 1)
    cache.prune()
    assert cache.get(key_of({})) is None


def test_what_nobody_asked_for_in_a_month_goes(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    old, new = key_of({"n": 1}), key_of({"n": 2})
    cache.put(old, 1)
    cache.put(new, 2)
    month_ago = time.time() - 31 * 24 * 3600
    os.utime(tmp_path / old[:2] / old[2:], (month_ago, month_ago))
    cache.prune()
    assert (cache.get(old), cache.get(new)) == (None, 2)
    os.utime(tmp_path / new[:2] / new[2:], (month_ago, month_ago))
    cache.prune()  # not again on the same day
    assert cache.get(new) == 2


# --- when rows hold -----------------------------------------------------------------------------


def test_rows_hold_until_something_they_rest_on_changes(tmp_path: Path) -> None:
    root, cache = tmp_path / "tree", tmp_path / "cache"
    tree(root, {"a.cu": WITH_HEADER, "factor.h": HEADER, "b.cu": add("other"), "inc/x": ""})
    assert written_anew(root, cache) == 2
    assert written_anew(root, cache) == 0
    l40s = find_gpu("l40s")
    for options in (
        {"values": {"n": 64}},
        {"values": {"n": 65}},
        {"macros": {"Q": "1"}},
        {"gpus": (l40s,)},
        {"gpus": (replace(l40s, sm_count=1),)},
        {"include": "inc"},
        {"unknowns": {"p@3": Fraction(1, 2)}},
    ):
        assert written_anew(root, cache, **options) == 2
        assert written_anew(root, cache, **options) == 0
    assert written_anew(root, cache) == 0
    tree(root, {"b.cu": add("another")})
    assert written_anew(root, cache) == 1
    tree(root, {"factor.h": "#define FACTOR 1.0f + 3.0f *\n"})
    assert written_anew(root, cache) == 1
    assert kept(root, cache)["kernels"][0]["flops"]["formula"] == "2*n"


def test_another_kcost_takes_nothing_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, cache = tree(tmp_path / "tree", {"a.cu": add("k")}), tmp_path / "cache"
    assert written_anew(root, cache) == 1
    monkeypatch.setattr(results, "state", lambda: "another")
    assert written_anew(root, cache) == 1


def test_a_header_that_comes_up_before_another_is_seen(tmp_path: Path) -> None:
    root, cache = tmp_path / "tree", tmp_path / "cache"
    text = WITH_HEADER.replace("factor.h", "inner.h")
    tree(root, {"src/a.cu": text, "inc/inner.h": '#include "factor.h"\n', "inc/factor.h": HEADER})

    def flops() -> str:
        formula: str = kept(root, cache, include="inc")["kernels"][0]["flops"]["formula"]
        return formula

    assert flops() == "n"
    tree(root, {"inc/factor.h": "#define FACTOR 1.0f + 3.0f *\n"})  # included by what is included
    assert flops() == "2*n"
    tree(root, {"src/inner.h": "#define FACTOR 1.0f + 3.0f * x[i] *\n"})  # stands before -I
    assert flops() == "3*n"
    (root / "src" / "inner.h").unlink()
    assert flops() == "2*n"
    (root / "inc" / "factor.h").unlink()
    assert kept(root, cache, include="inc")["kernels"] == []


def test_a_launch_in_another_file_is_part_of_it(tmp_path: Path) -> None:
    root, cache = tmp_path / "tree", tmp_path / "cache"
    main = "__global__ void k(const float *x, float *y, int n);\n"
    main += "void f(float *x, int n) {{ k<<<n / {0}, {0}>>>(x, x, n); }}\n"
    tree(root, {"k.cu": add("k"), "main.cu": main.format(64)})
    assert kept(root, cache)["kernels"][0]["launch"]["block"][0] == "64"
    tree(root, {"main.cu": main.format(32)})
    assert kept(root, cache)["kernels"][0]["launch"]["block"][0] == "32"
    (root / "main.cu").unlink()
    assert kept(root, cache)["kernels"][0]["launch"]["origin"] == "assumed"


def test_a_missing_header_that_appears_is_seen(tmp_path: Path) -> None:
    root, cache = tmp_path / "tree", tmp_path / "cache"
    tree(root, {"a.cu": WITH_HEADER})
    assert kept(root, cache)["summary"]["analysed"] == 0
    tree(root, {"factor.h": HEADER})
    assert kept(root, cache)["summary"]["analysed"] == 1


def test_no_cache_writes_nothing(tmp_path: Path) -> None:
    root, cache = tree(tmp_path / "tree", {"a.cu": add("k")}), tmp_path / "cache"
    assert names(found(root, cache, "--no-cache")) == ["k"]
    assert not cache.exists()


def test_any_damage_to_the_folder_is_a_miss(tmp_path: Path) -> None:
    root, cache = tmp_path / "tree", tmp_path / "cache"
    tree(root, {f"{n}.cu": add(f"k{n}") for n in range(4)})
    first = kept(root, cache)
    one, two, three, _ = entries(cache)
    one.write_bytes(b"")
    two.write_bytes(two.read_bytes()[:100])
    three.write_bytes(three.read_bytes().replace(b"8*n", b"9*n"))
    assert kept(root, cache) == first
    shutil.rmtree(cache)
    assert kept(root, cache) == first
    assert len(entries(cache)) == 4


def test_a_folder_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    root = tree(tmp_path / "tree", {"a.cu": add("k")})
    blocked = tmp_path / "blocked"
    blocked.write_text("a file, so no folder can be made in it")
    done = kcost(root, blocked, ".")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
