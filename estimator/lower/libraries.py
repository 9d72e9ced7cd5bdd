"""The functions of CUDA's libraries, by their names in simplified CUDA C."""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from estimator.lower import (
    complex_numbers,
    copies,
    functors,
    groups,
    matrices,
    plain_copies,
    ptx,
    random_numbers,
    textures,
)
from estimator.lower.machine import Machine
from estimator.lower.values import Value

Builtin = Callable[[Machine, str, list[Value], c_ast.FuncCall], Value]

_TABLE: dict[str, Builtin] = {
    **groups.FUNCTIONS,
    **complex_numbers.FUNCTIONS,
    **copies.FUNCTIONS,
    **functors.FUNCTIONS,
    **matrices.FUNCTIONS,
    **plain_copies.FUNCTIONS,
    **ptx.FUNCTIONS,
    **random_numbers.FUNCTIONS,
    **textures.FUNCTIONS,
}


def library_function(name: str) -> Builtin | None:
    """What executes a function; None where no library has one of that name."""
    found = _TABLE.get(name)
    if found is None and name.startswith(("tex", "surf")) and "__" in name:
        found = textures.FUNCTIONS.get(name.partition("__")[0])
    return found
