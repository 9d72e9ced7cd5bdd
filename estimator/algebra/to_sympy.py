"""Formulas as sympy expressions, for those who compute on with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.algebra.printing import Formula, sympy_text

if TYPE_CHECKING:
    import sympy


def to_sympy(formula: Formula) -> sympy.Expr:
    """The formula as a sympy expression; its symbols are plain `Symbol`s by identifier."""
    return parse(sympy_text(formula))


def parse(text: str) -> sympy.Expr:
    """A formula's text as a sympy expression; names such as `N` or `beta` are symbols.

    `sympy.sympify` alone reads some names (N, S, E, I, beta, ...) as sympy's own objects.
    """
    import re

    import sympy

    functions = {
        "floor",
        "ceiling",
        "Max",
        "Min",
        "Piecewise",
        "And",
        "Or",
        "Eq",
        "Ne",
        "log",
        "sign",
        "Abs",
    }
    names = set(re.findall(r"[A-Za-z_]\w*", text)) - functions - {"True"}
    return sympy.sympify(text, locals={name: sympy.Symbol(name) for name in names})
