"""Grids with a cap, such as min((n + 255)/256, 65535): formulas are for sizes below it.

A cap at the number of blocks that old hardware launches is there so that no size fails; what
a kernel costs is said for the sizes that people run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from estimator.algebra.atoms import Atom, Extremum
from estimator.algebra.poly import Poly
from estimator.algebra.printing import HUMAN, text
from estimator.algebra.walk import parts_of, symbols
from estimator.ir.kernel import LaunchShape

# Fewer blocks than this are a choice that matters at ordinary sizes.
_LEAST_CAP = 32_767


def below_caps(
    launch: LaunchShape, values: Mapping[str, int | Fraction]
) -> tuple[dict[Atom, Poly], list[str]]:
    """What capped extents are below their caps, and what to say of it.

    Extents whose sizes all have values need no assumption.
    """
    replaced: dict[Atom, Poly] = {}
    said: list[str] = []
    for atom in _minima(launch.grid):
        cap, other = atom.left.integer, atom.right
        if cap is None:
            cap, other = atom.right.integer, atom.left
        inside = symbols(other)
        if cap is None or cap < _LEAST_CAP or all(s.name in values for s in inside):
            continue
        replaced[atom] = other
        said.append(f"the grid is below its cap: {text(other, HUMAN)} <= {cap}")
    return replaced, said


def _minima(polys: tuple[Poly, ...]) -> Iterator[Extremum]:
    for poly in polys:
        for atom in poly.atoms():
            if isinstance(atom, Extremum) and not atom.largest:
                yield atom
            yield from _minima(parts_of(atom))
