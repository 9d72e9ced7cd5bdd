"""Names of the simplified text as the user wrote them: `Vec__float_4` is `Vec<float, 4>`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.symbols import FunctionKind, Role, TypeKind
from estimator.simplify.unit import Spoken

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


def spoken_functions(program: Program) -> dict[str, Spoken]:
    """The functions that have another name in the text than in C++."""
    from estimator.simplify.draft import Returns
    from estimator.simplify.functions import function_draft, returns

    found: dict[str, Spoken] = {}
    for wanted in program.instances.values():
        name, function, owner = wanted.name, wanted.function, wanted.owner
        if function.kind is FunctionKind.KERNEL or (owner is None and name == function.name):
            continue
        called = function.name
        if function.role is Role.CONSTRUCTOR:
            called = owner.defined.name if owner is not None else called
        elif function.role is Role.CONVERSION:
            called = ""
        elif function.role is Role.STATIC and owner is not None:
            called = f"{owner.defined.name}::{called}"
        is_method = function.role in {Role.METHOD, Role.LAMBDA}
        result = returns(function_draft(program, wanted), function)
        found[name] = Spoken(called, is_method, result is Returns.POINTER)
    return found
