"""C++'s promotions and usual arithmetic conversions, on types as expressions have them."""

from __future__ import annotations

from estimator.simplify.inference import CType
from estimator.simplify.synonyms import plain_name

# Integers that are promoted to int before anything is computed with them.
SMALL = frozenset(
    {"bool", "char", "signed char", "unsigned char", "short", "unsigned short", "wchar_t"}
)
_FLOATING = ("double", "float", "__half", "__nv_bfloat16")
_WHOLE = (
    "unsigned long long",
    "long long",
    "unsigned long",
    "long",
    "unsigned int",
    "int",
)
_RANKS = (*_FLOATING, *_WHOLE)
_COMPARISONS = frozenset({"<", ">", "<=", ">=", "==", "!=", "&&", "||"})
_SHIFTS = frozenset({"<<", ">>"})


def is_number(found: CType) -> bool:
    """Whether a type is one of the builtin numbers, or of CUDA's half-precision ones."""
    name = plain_name(found.base)
    return not found.depth and (name in SMALL or name in _RANKS)


def promoted(found: CType) -> CType:
    """The type of `+x`: a small integer is an int; a value is not `const`."""
    if found.depth:
        return found
    return CType("int") if plain_name(found.base) in SMALL else CType(found.base)


def unary_type(sign: str, found: CType) -> CType | None:
    """The type of `-x`, `+x`, `~x`, `!x` for a builtin operator."""
    return CType("bool") if sign == "!" else promoted(found)


def binary_type(sign: str, left: CType | None, right: CType | None) -> CType | None:
    """The type of `left sign right` for a builtin operator; None where it is not known."""
    if sign in _COMPARISONS:
        return CType("bool")
    if sign in _SHIFTS and left is not None and not left.depth:
        return promoted(left) if is_number(left) else None
    if sign == "-" and left is not None and right is not None and left.depth and right.depth:
        return CType("long")
    return combined(left, right)


def combined(left: CType | None, right: CType | None) -> CType | None:
    """The type of `left + right`, after the usual arithmetic conversions; None if not known.

    A pointer stays one. The higher of two types keeps the name that it has (`size_t`).
    """
    for found in (left, right):
        if found is not None and found.depth:
            return found
    if left is None or right is None:
        return None
    if not (is_number(left) and is_number(right)):
        return _with_other(left, right)
    left, right = promoted(left), promoted(right)
    if {plain_name(left.base), plain_name(right.base)} == {"long long", "unsigned long"}:
        return CType("unsigned long long")
    return min(left, right, key=lambda one: _RANKS.index(plain_name(one.base)))


def _with_other(left: CType, right: CType) -> CType | None:
    """Types that are not both numbers: two of one kind, or anything with the highest number."""
    if left.base == right.base:
        return CType(left.base)
    return CType("double") if "double" in (left.base, right.base) else None


def chosen_type(left: CType | None, right: CType | None) -> CType | None:
    """The type of `c ? left : right`: what both have, or what they are converted to."""
    if left is None or right is None:
        return combined(left, right)
    if plain_name(left.base) == plain_name(right.base) and left.depth == right.depth:
        return CType(left.base, left.is_const or right.is_const, left.depth)
    if left.depth and right.depth and "void" in (left.base, right.base):
        is_const = left.is_const or right.is_const
        return CType("void", is_const, left.depth)
    return combined(left, right)
