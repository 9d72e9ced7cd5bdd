"""isl's answers as formulas: piecewise quasi-polynomials over the parameters."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from estimator.algebra.cases import Cases
from estimator.algebra.condition import (
    Condition,
    conjunction,
    disjunction,
    nonnegative,
    zero,
)
from estimator.algebra.integer import floor_divide
from estimator.algebra.poly import ZERO, Number, Poly


def read_counts(answer: Any, meaning: dict[str, Poly]) -> Cases:
    """A piecewise quasi-polynomial as cases. `meaning` gives each isl parameter's formula."""
    import islpy as isl

    pieces: list[tuple[Condition, Poly]] = []
    for domain, polynomial in answer.coalesce().get_pieces():
        names = [
            meaning[domain.get_dim_name(isl.dim_type.param, n)]
            for n in range(domain.dim(isl.dim_type.param))
        ]
        value = _polynomial(polynomial, names)
        if value:
            pieces.append((_domain(domain, names), value))
    return Cases(tuple(pieces))


def read_condition(domain: Any, meaning: dict[str, Poly]) -> Condition:
    """A set of parameters as a condition."""
    import islpy as isl

    count = domain.dim(isl.dim_type.param)
    names = [meaning[domain.get_dim_name(isl.dim_type.param, n)] for n in range(count)]
    return _domain(domain, names)


def _polynomial(polynomial: Any, names: list[Poly]) -> Poly:
    import islpy as isl

    total = ZERO
    for term in polynomial.get_terms():
        product = Poly.of(_number(term.get_coefficient_val()))
        for n, name in enumerate(names):
            exponent = term.get_exp(isl.dim_type.param, n)
            if exponent:
                product = product * name**exponent
        for n in range(term.dim(isl.dim_type.div)):
            exponent = term.get_exp(isl.dim_type.div, n)
            if exponent:
                product = product * _floor(term.get_div(n), names) ** exponent
        total = total + product
    return total


def _number(value: Any) -> Number:
    text = value.to_str()
    if text is None:
        import islpy as isl

        raise isl.Error("isl had no operations left for a number")
    return Fraction(text) if "/" in text else int(text)


def _affine(aff: Any, names: list[Poly]) -> Poly:
    import islpy as isl

    total = Poly.of(_number(aff.get_constant_val()))
    for n, name in enumerate(names):
        coefficient = _number(aff.get_coefficient_val(isl.dim_type.param, n))
        if coefficient:
            total = total + name * coefficient
    for n in range(aff.dim(isl.dim_type.div)):
        coefficient = _number(aff.get_coefficient_val(isl.dim_type.div, n))
        if coefficient:
            total = total + _floor(aff.get_div(n), names) * coefficient
    return total


def _floor(aff: Any, names: list[Poly]) -> Poly:
    """⌊aff⌋ for an affine expression with rational coefficients."""
    from math import lcm

    inner = _affine(aff, names)
    below = lcm(*(Fraction(c).denominator for c in inner.terms.values())) if inner.terms else 1
    return floor_divide(inner * Poly.of(below), Poly.of(below))


def _domain(domain: Any, names: list[Poly]) -> Condition:
    alternatives = [
        conjunction(*(_constraint(c, names) for c in basic.get_constraints()))
        for basic in domain.compute_divs().get_basic_sets()
    ]
    return disjunction(*alternatives)


def _constraint(constraint: Any, names: list[Poly]) -> Condition:
    poly = _affine(constraint.get_aff(), names)
    return zero(poly) if constraint.is_equality() else nonnegative(poly)
