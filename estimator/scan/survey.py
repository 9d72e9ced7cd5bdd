"""A first, cheap look at every file: which kernels it defines and which it launches, by name.

It reads no syntax. What it says too much costs a file being read in vain, and what it misses
costs a launch in another file not being seen: the kernel then has an assumed launch.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

from estimator.immutable import immutable

# The first name before a parenthesis that is no attribute, its parameters, and a body.
_KERNEL = re.compile(
    r"__global__(?:[^;{}()]|__\w+\s*\((?:[^()]|\([^()]*\))*\)){0,500}?"
    r"\b(?!__)([A-Za-z_]\w*)\s*\((?:[^;{}()]|\([^;{}()]*\))*\)\s*\{"
)
_LAUNCH = re.compile(r"\b([A-Za-z_]\w*)\s*(?:<[^;{}]{0,500}?>\s*)?<<<")
# A macro that launches its first argument: `#define LAUNCH(kernel, n, ...) kernel<<<…`.
_MACRO = re.compile(
    r"#[ \t]*define[ \t]+(\w+)\([ \t]*(\w+)(?:\\\n|[^\n]){0,2000}?\b\2\s*<<<",
)
_GIVEN = r"\b(?:%s)\s*\(\s*\(?\s*(?:\w+\s*::\s*)*([A-Za-z_]\w*)"


@immutable()
class Survey:
    """The names of kernels that a file defines, and of those that it launches."""

    kernels: frozenset[str]
    launches: frozenset[str]


def survey(text: str) -> Survey:
    """The names in a file's text."""
    kernels = _KERNEL.findall(text) if "__global__" in text else ()
    launches: list[str] = _LAUNCH.findall(text) if "<<<" in text else []
    macros: dict[str, str] = dict(_MACRO.findall(text)) if launches else {}
    if macros:
        given = re.findall(_GIVEN % "|".join(sorted(macros)), text)
        launches = [name for name in (*launches, *given) if name not in macros.values()]
    return Survey(frozenset(kernels), frozenset(launches))


def launched_elsewhere(surveys: Mapping[str, Survey]) -> dict[str, tuple[str, ...]]:
    """For each file, the others that launch a kernel of it and define none of that name.

    Where several files define one, as in a folder of examples, the launch is of the one whose
    folder is nearest; of none, if two are equally near.
    """
    homes: dict[str, list[str]] = {}
    for path, found in surveys.items():
        for name in found.kernels:
            homes.setdefault(name, []).append(path)
    launching: dict[str, set[str]] = {path: set() for path in surveys}
    for path, found in surveys.items():
        for name in found.launches - found.kernels:
            home = _nearest(path, homes.get(name, ()))
            if home is not None:
                launching[home].add(path)
    return {path: tuple(sorted(others)) for path, others in launching.items()}


def _nearest(path: str, homes: Iterable[str]) -> str | None:
    ranked = sorted((_distance(path, home), home) for home in homes)
    if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
        return None
    return ranked[0][1]


def _distance(path: str, other: str) -> int:
    """How many steps lead from one file's folder to the other's."""
    way = os.path.relpath(os.path.dirname(other) or os.curdir, os.path.dirname(path) or os.curdir)
    return 0 if way == os.curdir else len(way.split(os.sep))
