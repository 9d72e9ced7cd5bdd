"""Sizes that a set divides, written as whole tiles and a rest.

A union whose ends lie at 32·⌊n/32⌋ and at n makes barvinok count for each n mod 32. With
n = 32·q + r, 0 ≤ r < 32, the same set divides nothing, and its count is a polynomial in q and r.
"""

from __future__ import annotations

from math import lcm
from typing import Any

from estimator.algebra.integer import floor_divide
from estimator.algebra.poly import Poly

_FEW_INDICES, _FEW_TILES = 3, 2


def in_tiles(points: Any, meaning: dict[str, Poly]) -> tuple[Any, dict[str, Poly], Any]:
    """An isl set and what its parameters mean, without the sizes that it divides.

    Third comes what holds of the new parameters anyway, an isl set without indices. Sets that
    barvinok counts at once stay as they are: their counts have the fewer cases.
    """
    import islpy as isl

    parameter = isl.dim_type.param
    meaning = dict(meaning)
    known = isl.Set.read_from_str(points.get_ctx(), "{ : }")
    tiles = _tiles(points.compute_divs()) if points.dim(isl.dim_type.set) >= _FEW_INDICES else {}
    for name, length in tiles.items() if len(tiles) >= _FEW_TILES else ():
        size = meaning.pop(name)
        quotient, rest = f"{name}q", f"{name}r"
        meaning[quotient] = floor_divide(size, Poly.of(length))
        meaning[rest] = size - meaning[quotient] * Poly.of(length)
        limits = f"[{rest}] -> {{ : 0 <= {rest} < {length} }}"
        known = known.intersect_params(isl.Set.read_from_str(points.get_ctx(), limits))
        equal = f"[{name}, {quotient}, {rest}] -> {{ : {name} = {length}{quotient} + {rest} }}"
        points = points.intersect_params(isl.Set.read_from_str(points.get_ctx(), equal))
        points = points.intersect_params(known)
        points = points.project_out(parameter, points.find_dim_by_name(parameter, name), 1)
    return points.detect_equalities(), meaning, known


def _tiles(points: Any) -> dict[str, int]:
    """The parameters that are divided by themselves, and by what."""
    import islpy as isl

    inputs, parameter, div = isl.dim_type.in_, isl.dim_type.param, isl.dim_type.div
    parts: list[Any] = []
    points.foreach_basic_set(parts.append)
    found: dict[str, int] = {}
    for part in parts:
        for n in range(part.dim(div)):
            division = part.get_div(n)
            if division.involves_dims(inputs, 0, division.dim(inputs)):
                continue
            if division.involves_dims(div, 0, division.dim(div)):
                continue
            inside = [
                at
                for at in range(division.dim(parameter))
                if division.involves_dims(parameter, at, 1)
            ]
            if len(inside) == 1:
                name = division.get_dim_name(parameter, inside[0])
                length = int(division.get_denominator_val().to_str())
                found[name] = lcm(found.get(name, 1), length)
    return found
