"""CUDA's words on pycparser's nodes: `[[cuda::global, cuda::launch_bounds(256)]]`."""

from __future__ import annotations

import re

from pycparser import c_ast

from estimator.source.position import Position


def cuda_attributes(node: c_ast.Node) -> dict[str, str | None]:
    """The attributes in CUDA's namespace, each with the text of its arguments or None."""
    found: dict[str, str | None] = {}
    for specifier in getattr(node, "attributes", None) or ():
        for attribute in specifier.attributes:
            if attribute.namespace == "cuda":
                arguments = attribute.arguments
                found[attribute.name] = None if arguments is None else str(arguments)
    return found


def string_argument(arguments: str | None) -> str:
    """The first string literal among an attribute's arguments; empty if there is none."""
    match = re.search(r'"((?:[^"\\]|\\.)*)"', arguments or "")
    return match.group(1).replace('\\"', '"') if match else ""


def place_arguments(arguments: str | None, path: str) -> list[Position]:
    """The positions among an attribute's arguments: `12, 5, "b.cu", 7, 9`; `path` is the first
    one's file where none is named."""
    found: list[Position] = []
    file, numbers = path, [0]
    for word in re.findall(r'"(?:[^"\\]|\\.)*"|\d+', arguments or ""):
        if word.startswith('"'):
            file = re.sub(r"\\(.)", r"\1", word[1:-1])
        else:
            numbers.append(int(word))
        if len(numbers) == 3:
            found.append(Position(file, numbers[1], numbers[2]))
            file, numbers = path, [0]
    return found


def number_arguments(arguments: str | None) -> list[int]:
    """The plain integers among an attribute's arguments, string literals left out."""
    without_strings = re.sub(r'"(?:[^"\\]|\\.)*"', "", arguments or "")
    return [int(word) for word in re.findall(r"(?<![\w.])-?\d+(?![\w.])", without_strings)]
