"""Names of the simplified text as the user wrote them: `Vec__float_4` is `Vec<float, 4>`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.symbols import TypeKind

if TYPE_CHECKING:
    from estimator.simplify.program import Program


def written(program: Program, text: str) -> str:
    """A template argument as the user wrote it: `Add<float>`, made as Add__float; `E::A`."""
    const = "const " if text.startswith("const ") else ""
    base = text.removeprefix("const ").rstrip(" *")
    behind = text.removeprefix("const ")[len(base) :]
    record = program.bindings.get(base)
    if record is None:
        return _enumerator(program, text)
    if not record.arguments:
        return text
    inside = ", ".join(written(program, argument) for argument in record.arguments)
    name = record.defined.name.replace("std__", "std::")
    return f"{const}{name}<{inside}>{behind}"


def _enumerator(program: Program, text: str) -> str:
    name, mark, constant = text.partition("__")
    types = program.symbols.types.get(name, ()) if mark else ()
    is_own = any(one.kind is TypeKind.SCOPED_ENUM and constant in one.constants for one in types)
    return f"{name}::{constant}" if is_own else text


def written_types(program: Program) -> dict[str, str]:
    """The instances of class templates, by the names that they have in the text."""
    return {
        name: written(program, name)
        for name, record in program.bindings.items()
        if record.arguments
    }
