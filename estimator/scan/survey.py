"""A first, cheap look at every file: which kernels it defines and which it launches, by name.

It reads no syntax. What it says too much costs a file being looked at in vain, and what it misses
costs a launch in another file not being seen.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

# The first name before a parenthesis that is no attribute.
_KERNEL = re.compile(
    r"__global__(?:[^;{}()]|__\w+\s*\((?:[^()]|\([^()]*\))*\)){0,500}?\b(?!__)([A-Za-z_]\w*)\s*\("
)
_LAUNCH = re.compile(r"\b([A-Za-z_]\w*)\s*(?:<[^;{}]*?>\s*)?<<<")


@dataclass(frozen=True, slots=True)
class Survey:
    """The names of kernels that a file defines or declares, and of those that it launches."""

    kernels: frozenset[str]
    launches: frozenset[str]


def survey(text: str) -> Survey:
    """The names in a file's text."""
    kernels = frozenset(_KERNEL.findall(text)) if "__global__" in text else frozenset()
    launches = frozenset(_LAUNCH.findall(text)) if "<<<" in text else frozenset()
    return Survey(kernels, launches)


def launched_elsewhere(surveys: Mapping[str, Survey]) -> dict[str, tuple[str, ...]]:
    """For each file, the others that launch a kernel which it has and does not launch itself."""
    by_launch: dict[str, list[str]] = {}
    for path, found in surveys.items():
        for name in found.launches:
            by_launch.setdefault(name, []).append(path)
    return {
        path: tuple(
            sorted(
                {
                    other
                    for name in found.kernels - found.launches
                    for other in by_launch.get(name, ())
                    if other != path
                }
            )
        )
        for path, found in surveys.items()
    }
