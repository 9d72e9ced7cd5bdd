"""The files of a scan: CUDA sources below folders, without what ignore files leave out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

CUDA_SUFFIXES = (".cu", ".cuh")
# C++ files count if they hold a kernel.
CPP_SUFFIXES = (".cpp", ".cc", ".h", ".hpp")
KERNEL_MARK = b"__global__"

# In one folder the later file's word counts.
_IGNORE_FILES = (".gitignore", ".ignore")
# A folder and the rules that hold in it and below.
_Rules = tuple[str, "GitIgnoreSpec"]


def find_files(paths: Sequence[str]) -> list[str]:
    """The files to analyse, each once: those given, and those below the folders given.

    Below a folder these are `.cu` and `.cuh` files, and `.cpp`, `.cc`, `.h` and `.hpp` files
    that hold the word `__global__`. Left out is what begins with a dot, and what `.gitignore`
    and `.ignore` files there, in folders in between and up to the repository's root leave out,
    as git does it. Links to folders are not followed.
    """
    found: dict[str, str] = {}
    for path in paths:
        if os.path.isdir(path):
            files = _below(os.path.normpath(path), _rules_above(path))
        else:
            files = iter((path,))
        for file in files:
            found.setdefault(os.path.realpath(file), file)
    return list(found.values())


def _below(folder: str, rules: list[_Rules]) -> Iterator[str]:
    rules = [*rules, *_rules_in(folder)]
    folders: list[str] = []
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        path = entry.name if folder == os.curdir else os.path.join(folder, entry.name)
        if entry.is_dir(follow_symlinks=False):
            if not _is_ignored(f"{path}/", rules):
                folders.append(path)
            continue
        if _may_hold_kernels(path) and entry.is_file() and not _is_ignored(path, rules):
            yield path
    for path in folders:
        yield from _below(path, rules)


def _may_hold_kernels(path: str) -> bool:
    suffix = os.path.splitext(path)[1].lower()
    return suffix in CUDA_SUFFIXES or (suffix in CPP_SUFFIXES and holds_kernel_mark(path))


def holds_kernel_mark(path: str) -> bool:
    """Whether the file can be read and has the word `__global__`."""
    try:
        with open(path, "rb") as file:
            return KERNEL_MARK in file.read()
    except OSError:
        return False


def _is_ignored(path: str, rules: list[_Rules]) -> bool:
    """What the nearest rule says that speaks of the path; a folder's ends in a slash."""
    slash = path[len(path.rstrip("/")) :]
    for folder, spec in reversed(rules):
        verdict = spec.check_file(os.path.relpath(path, folder).replace(os.sep, "/") + slash)
        if verdict.include is not None:
            return verdict.include
    return False


def _rules_above(path: str) -> list[_Rules]:
    """The rules of the folders around `path`, from the repository's root downward."""
    folders: list[str] = []
    folder = os.path.abspath(path)
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return []  # no repository: only what lies below `path` counts
        folders.append(parent)
        folder = parent
    return [rules for above in reversed(folders) for rules in _rules_in(above)]


def _rules_in(folder: str) -> list[_Rules]:
    files = [os.path.join(folder, name) for name in _IGNORE_FILES]
    files.insert(0, os.path.join(folder, ".git", "info", "exclude"))
    return [(os.path.abspath(folder), _spec(lines)) for file in files if (lines := _lines(file))]


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read().splitlines()
    except OSError:
        return []


def _spec(lines: list[str]) -> GitIgnoreSpec:
    """The patterns of an ignore file; git passes over those that are none, and so does this."""
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines(line for line in lines if _is_pattern(line))


def _is_pattern(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
