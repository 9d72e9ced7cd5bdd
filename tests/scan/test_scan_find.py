"""Which files a scan looks into."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from scanning import add, tree

from estimator.scan.find import find_files

KERNEL = add("k")


def listed(root: Path, *paths: str) -> list[str]:
    found = find_files([str(root / path) for path in paths] or [str(root)])
    return sorted(os.path.relpath(path, root) for path in found)


def test_suffixes(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {
            "a.cu": "int main() {}",
            "b.cuh": "",
            "UPPER.CU": KERNEL,
            "sub/deep/c.cu": KERNEL,
            "host.cpp": "int main() {}",
            "device.cpp": KERNEL,
            "device.h": KERNEL,
            "device.hpp": KERNEL,
            "device.cc": KERNEL,
            "device.txt": KERNEL,
            "device.c": KERNEL,
        },
    )
    expected = ["UPPER.CU", "a.cu", "b.cuh", "device.cc", "device.cpp", "device.h", "device.hpp"]
    assert listed(tmp_path) == [*expected, "sub/deep/c.cu"]


def test_files_given_count_whatever_they_are(tmp_path: Path) -> None:
    tree(tmp_path, {".gitignore": "*\n", ".hidden/k.cu": KERNEL, "k.txt": KERNEL, "a/k.cu": ""})
    assert listed(tmp_path) == []
    assert listed(tmp_path, "k.txt", "a/k.cu", ".hidden") == [".hidden/k.cu", "a/k.cu", "k.txt"]


def test_a_file_reached_twice_is_one(tmp_path: Path) -> None:
    tree(tmp_path, {"a/k.cu": KERNEL})
    (tmp_path / "link.cu").symlink_to(tmp_path / "a" / "k.cu")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert listed(tmp_path, ".", "a", "a/k.cu") == ["link.cu"]


@pytest.mark.parametrize(
    ("ignore", "left"),
    [
        ({".gitignore": "build/\n"}, ["a.cu", "src/b.cu", "src/gen/c.cu"]),
        ({".gitignore": "/a.cu\n"}, ["build/d.cu", "src/b.cu", "src/gen/c.cu"]),
        ({".ignore": "gen\n"}, ["a.cu", "build/d.cu", "src/b.cu"]),
        ({"src/.gitignore": "*.cu\n!b.cu\n"}, ["a.cu", "build/d.cu", "src/b.cu"]),
        # A nested file's word counts before that of one above.
        ({".gitignore": "*.cu\n", "src/.gitignore": "!b.cu\n"}, ["src/b.cu"]),
        # In one folder, .ignore's before .gitignore's.
        ({".gitignore": "a.cu\n", ".ignore": "!a.cu\nsrc\nbuild\n"}, ["a.cu"]),
        # What lies in a folder that is left out cannot be taken back in.
        ({".gitignore": "src/\n!src/b.cu\n"}, ["a.cu", "build/d.cu"]),
        ({".gitignore": "src/**/c.cu\nbuild/*\n"}, ["a.cu", "src/b.cu"]),
        ({".gitignore": "# comment\n\n!\n[\nbuild\n"}, ["a.cu", "src/b.cu", "src/gen/c.cu"]),
        ({".git/info/exclude": "src\n"}, ["a.cu", "build/d.cu"]),
    ],
)
def test_ignore_files(tmp_path: Path, ignore: dict[str, str], left: list[str]) -> None:
    sources = dict.fromkeys(("a.cu", "src/b.cu", "src/gen/c.cu", "build/d.cu", ".x/e.cu"), KERNEL)
    assert listed(tree(tmp_path, {**sources, **ignore})) == left


def test_rules_of_the_repository_around_a_folder_hold(tmp_path: Path) -> None:
    tree(tmp_path, {".gitignore": "gen/\n/src/old.cu\n", "src/.gitignore": "x.cu\n"})
    tree(tmp_path, {"src/in/gen/a.cu": "", "src/in/x.cu": "", "src/in/b.cu": "", "src/old.cu": ""})
    assert listed(tmp_path, "src/in") == ["src/in/b.cu", "src/in/gen/a.cu", "src/in/x.cu"]
    (tmp_path / ".git").mkdir()
    assert listed(tmp_path, "src/in") == ["src/in/b.cu"]
    assert listed(tmp_path, "src") == ["src/in/b.cu"]


def test_paths_are_spelled_as_the_folder_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(tmp_path, {"a/b.cu": KERNEL})
    monkeypatch.chdir(tmp_path)
    assert find_files(["."]) == [os.path.join("a", "b.cu")]
    assert find_files(["a/"]) == [os.path.join("a", "b.cu")]
    assert find_files([str(tmp_path)]) == [str(tmp_path / "a" / "b.cu")]
