"""Textures and surfaces: loads and stores in a memory space of their own.

A texel is as wide as the type that is read. Coordinates that are integers, or integers plus a
half as texel centres are, say which texels are touched; all others depend on data. What lies
outside a texture is taken as a texel of its own.
"""

from __future__ import annotations

import re
from fractions import Fraction

from pycparser import c_ast

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.ir.kernel import AccessKind, ArrayObject, Space
from estimator.lower.convert import fresh, known_amount, opaque_poly
from estimator.lower.machine import Machine
from estimator.lower.values import IntValue, OpaqueValue, PointerValue, Value, Variable
from estimator.lower.wording import source_text
from estimator.parse import types
from estimator.parse.table import UnknownTypeError
from estimator.parse.types import CType
from estimator.source import codes

# From one row to the next, and how many rows a slice or layer has: no two rows overlap.
_PITCH = Poly.of(Symbol("pitch of rows", Role.PITCH))
_LAYER = _PITCH * Poly.of(Symbol("rows of a slice", Role.PITCH))
_NAME = re.compile(r"(tex|surf)([123]D|Cubemap)(Layered)?(fetch|gather|Lod|Grad|read|write)?$")
_AXES = {"1D": 1, "2D": 2, "3D": 3, "Cubemap": 3}
_CORNERS = 4  # texels that a gather reads


def _texture(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    """`tex2D<float>(object, x, y)`, `tex2D(reference, x, y)`, `tex2D(&result, object, x, y)`."""
    base, _, typed = name.partition("__")
    arguments = list(node.args.exprs) if node.args is not None else []
    result: PointerValue | None = None
    if isinstance(values[0], PointerValue):
        result, values, arguments = values[0], values[1:], arguments[1:]
    texel, value_type = _types(m, typed, arguments[0], result, node)
    array = _object(m, values[0], arguments[0])
    kind = _NAME.match(base)
    assert kind is not None
    count = _AXES[kind[2]] + (kind[3] is not None)
    offset = _offset(m, kind, values[1 : count + 1], texel.size, texel.size)
    for _ in range(_CORNERS if kind[4] == "gather" else 1):
        m.record_access(AccessKind.LOAD, array, offset, texel.size, node)
    value = fresh(m, value_type)
    return _given_back(m, result, value, node)


def _surface(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    """`surf2Dread<float>(surface, 4*x, y)` and `surf2Dwrite(value, surface, 4*x, y)`."""
    base, _, typed = name.partition("__")
    arguments = list(node.args.exprs) if node.args is not None else []
    writes = base.endswith("write")
    result: PointerValue | None = None
    stored: Value | None = None
    if writes:
        stored, values, arguments = values[0], values[1:], arguments[1:]
    elif isinstance(values[0], PointerValue):
        result, values, arguments = values[0], values[1:], arguments[1:]
    ctype = _surface_type(m, typed, stored, result, node)
    array = _object(m, values[0], arguments[0])
    kind = _NAME.match(base)
    assert kind is not None
    count = _AXES[kind[2]] + (kind[3] is not None)
    # A surface's first coordinate is given in bytes.
    offset = _offset(m, kind, values[1 : count + 1], 1, ctype.size)
    if writes:
        m.record_access(AccessKind.STORE, array, offset, ctype.size, node)
        return OpaqueValue(types.VOID)
    m.record_access(AccessKind.LOAD, array, offset, ctype.size, node)
    return _given_back(m, result, fresh(m, ctype), node)


def _given_back(
    m: Machine, result: PointerValue | None, value: Value, node: c_ast.FuncCall
) -> Value:
    """The value, or its store where the call names a variable for it."""
    from estimator.lower.places import assign, deref

    if result is None:
        return value
    assign(m, deref(m, result, node), value, node)
    return OpaqueValue(types.VOID)


def _object(m: Machine, value: Value, node: c_ast.Node) -> ArrayObject:
    """What a texture or surface is known as: the kernel's argument, or the variable."""
    name = source_text(m, node)
    if isinstance(value, IntValue) and value.poly.atom is not None:
        name = value.poly.atom.key
    if name not in m.textures:
        m.textures[name] = ArrayObject(name, Space.TEXTURE, m.position(node), const=True)
    return m.textures[name]


def _types(
    m: Machine, typed: str, node: c_ast.Node, result: PointerValue | None, call: c_ast.FuncCall
) -> tuple[CType, CType]:
    """The type of a texel in memory, and that of what a read gives."""
    if typed:
        ctype = _named(m, typed, call)
        return ctype, ctype
    if result is not None:
        return result.target, result.target
    found = m.lookup(node.name) if isinstance(node, c_ast.ID) else None
    declared = getattr(found.type, "name", "") if isinstance(found, Variable) else ""
    if not declared.startswith("texture__"):
        raise m.fail(codes.UNSUPPORTED, call, f"the type that {source_text(m, call)} reads")
    word = declared.removeprefix("texture__")
    texel = _named(m, word.removesuffix("__normalized"), call)
    if not word.endswith("__normalized"):
        return texel, texel
    count = texel.size if word[0] in "uc" and "char" in word else texel.size // 2
    normalized = types.builtin(f"float{count}") if count > 1 else types.FLOAT
    return texel, normalized or types.FLOAT


def _surface_type(
    m: Machine, typed: str, stored: Value | None, result: PointerValue | None, node: c_ast.FuncCall
) -> CType:
    from estimator.lower.convert import type_of

    if typed:
        return _named(m, typed, node)
    if stored is not None:
        return type_of(stored)
    if result is not None:
        return result.target
    raise m.fail(codes.UNSUPPORTED, node, f"the type that {source_text(m, node)} reads")


def _named(m: Machine, word: str, node: c_ast.Node) -> CType:
    try:
        return m.unit.types.named(word, node)
    except UnknownTypeError:
        raise m.fail(codes.UNKNOWN_TYPE, node, f"type '{word}' is not known") from None


def _offset(
    m: Machine, kind: re.Match[str], coordinates: list[Value], first: int, size: int
) -> Poly:
    """The place in bytes; `first` is the width of a step of the first coordinate."""
    if kind[2] == "Cubemap":
        return opaque_poly(m) * size
    steps = [ONE * first, _PITCH * size, _LAYER * size]
    if kind[3] is not None:
        steps[_AXES[kind[2]]] = _LAYER * size
    total = ZERO
    for coordinate, step in zip(coordinates, steps, strict=False):
        place = _texel(coordinate)
        if place is None:
            return opaque_poly(m) * size
        total = total + place * step
    return total


def _texel(value: Value) -> Poly | None:
    """The texel that a coordinate lies in, where that is a whole number or half more."""
    amount = known_amount(value)
    if amount is None:
        return None
    whole = amount - Fraction(1, 2) if Fraction(amount.constant_term).denominator == 2 else amount
    if any(Fraction(c).denominator != 1 for c in whole.terms.values()):
        return None
    return whole


_TEXTURES = [
    *(f"tex{kind}{lod}" for kind in ("1D", "2D", "3D") for lod in ("", "Lod", "Grad")),
    *(f"tex{kind}Layered{lod}" for kind in ("1D", "2D") for lod in ("", "Lod", "Grad")),
    "tex1Dfetch",
    "tex2Dgather",
    "texCubemap",
    "texCubemapLayered",
]
_SURFACES = [
    f"surf{kind}{way}"
    for kind in ("1D", "2D", "3D", "1DLayered", "2DLayered")
    for way in ("read", "write")
]
FUNCTIONS = {**dict.fromkeys(_TEXTURES, _texture), **dict.fromkeys(_SURFACES, _surface)}
