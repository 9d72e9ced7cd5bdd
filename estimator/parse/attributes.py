"""CUDA's words on pycparser's nodes: `[[cuda::global]] [[cuda::launch_bounds(256)]]`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Union

from pycparser import c_ast

from estimator.parse.c11 import MARK
from estimator.source.position import Position

# Strings and integers; None stands for any other number.
Arguments = tuple[Union[str, int, None], ...]
Attributes = Mapping[str, Arguments]


def cuda_attributes(node: c_ast.Node) -> dict[str, Arguments]:
    """The attributes of a declaration in CUDA's namespace, each with its arguments.

    Arguments that are not all literals are left out.
    """
    found: dict[str, Arguments] = {}
    for specifier in getattr(node, "align", None) or ():
        named = specifier.alignment
        arguments: Arguments = ()
        if isinstance(named, c_ast.FuncCall):
            listed = named.args.exprs if named.args is not None else ()
            named, arguments = named.name, tuple(_literal(argument) for argument in listed)
        if isinstance(named, c_ast.ID) and named.name.startswith(MARK):
            found[named.name.removeprefix(MARK)] = arguments
    return found


def is_attribute(node: c_ast.Node) -> bool:
    """Whether what stands in an `_Alignas` is an attribute of ours, and no alignment."""
    named = node.name if isinstance(node, c_ast.FuncCall) else node
    return isinstance(named, c_ast.ID) and named.name.startswith(MARK)


def _literal(node: c_ast.Node) -> str | int | None:
    if isinstance(node, c_ast.UnaryOp):
        value = _literal(node.expr)
        return -value if isinstance(value, int) else None
    if node.type == "string":
        return re.sub(r"\\(.)", r"\1", node.value[1:-1])
    return int(node.value) if node.value.isdigit() else None


def string_argument(arguments: Arguments | None) -> str:
    """The first string among an attribute's arguments; empty if there is none."""
    return next((one for one in arguments or () if isinstance(one, str)), "")


def number_arguments(arguments: Arguments | None) -> list[int]:
    """The integers among an attribute's arguments."""
    return [one for one in arguments or () if isinstance(one, int)]


def place_arguments(arguments: Arguments | None, path: str) -> list[Position]:
    """The positions among an attribute's arguments: `12, 5, "b.cu", 7, 9`; `path` is the first
    one's file where none is named."""
    found: list[Position] = []
    file, numbers = path, [0]
    for argument in arguments or ():
        if isinstance(argument, str):
            file = argument
        elif argument is not None:
            numbers.append(argument)
        if len(numbers) == 3:
            found.append(Position(file, numbers[1], numbers[2]))
            file, numbers = path, [0]
    return found
