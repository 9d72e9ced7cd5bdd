"""Formulas as text: for sympy, for people at a terminal, and for LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction

from estimator.algebra.atoms import (
    Atom,
    Bits,
    Extremum,
    Floor,
    Log2,
    Power,
    Quotient,
    Select,
    Symbol,
)
from estimator.algebra.cases import Average, Cases, Sum
from estimator.algebra.condition import (
    Compare,
    Condition,
    Data,
    Earlier,
    Exists,
    Junction,
    Relation,
    Truth,
)
from estimator.algebra.factor import factors
from estimator.algebra.poly import Monomial, Number, Poly
from estimator.algebra.ratio import Ratio, order
from estimator.immutable import immutable

_SIGNS: dict[Relation, str] = {
    Relation.NONNEGATIVE: ">=",
    Relation.ZERO: "==",
    Relation.NONZERO: "!=",
}
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


@immutable()
class Style:
    """How one output language writes the parts of a formula."""

    name: Callable[[str, str], str]  # (name, identifier) → text
    times: Callable[[list[str]], str]
    power: Callable[[str, int], str]
    fraction: Callable[[str, str], str]
    floor: Callable[[str], str]
    call: Callable[[str, list[str]], str]
    group: Callable[[str], str]
    minus: str = "-"
    word: Callable[[str], str] = str  # "if", "and" between formulas, with the blanks around them
    signs: Mapping[Relation, str] = field(default_factory=lambda: _SIGNS)


def _plain_fraction(above: str, below: str) -> str:
    return f"{above}/{below}"


SYMPY = Style(
    name=lambda _, identifier: identifier,
    times="*".join,
    power=lambda base, exponent: f"{base}**{exponent}",
    fraction=_plain_fraction,
    floor=lambda inner: f"floor({inner})",
    call=lambda function, arguments: f"{function}({', '.join(arguments)})",
    group=lambda inner: f"({inner})",
)


def _human_times(parts: list[str]) -> str:
    """`2N` and `2N³`, but `2·rows·columns`: a number stands close to one-letter names only."""
    text = parts[0]
    for before, part in zip(parts, parts[1:], strict=False):
        one_letter = part[0].isalpha() and not re.match(r"\w", part[1:2], re.ASCII)
        one_letter = one_letter and part[1:2] not in (".", "@")
        close = before.isdigit() and (part[0] in "(⌊" or one_letter)
        text += part if close else f"·{part}"
    return text


HUMAN = Style(
    name=lambda name, _: name,
    times=_human_times,
    power=lambda base, exponent: base + str(exponent).translate(_SUPERSCRIPTS),
    fraction=_plain_fraction,
    floor=lambda inner: f"⌊{inner}⌋",
    call=lambda function, arguments: f"{function.lower()}({', '.join(arguments)})",
    group=lambda inner: f"({inner})",
    minus="−",
)

ASCII = Style(
    name=lambda name, _: name,
    times="*".join,
    power=lambda base, exponent: f"{base}^{exponent}",
    fraction=_plain_fraction,
    floor=lambda inner: f"floor({inner})",
    call=lambda function, arguments: f"{function.lower()}({', '.join(arguments)})",
    group=lambda inner: f"({inner})",
)


def _latex_name(name: str, _: str) -> str:
    if len(name) == 1:
        return name
    return r"\mathit{" + name.replace("_", r"\_").replace("@", r"\text{@}") + "}"


def _latex_times(parts: list[str]) -> str:
    """`2 N`, with a thin space before words."""
    text = parts[0]
    for part in parts[1:]:
        text += (r" \, " if part.startswith(r"\mathit") else " ") + part
    return text


def _latex_call(function: str, arguments: list[str]) -> str:
    name = function.lower().replace("_", r"\_")
    return rf"\mathrm{{{name}}}({', '.join(arguments)})"


LATEX = Style(
    name=_latex_name,
    times=_latex_times,
    power=lambda base, exponent: f"{base}^{{{exponent}}}",
    fraction=lambda above, below: rf"\frac{{{above}}}{{{below}}}",
    floor=lambda inner: rf"\left\lfloor {inner} \right\rfloor",
    call=_latex_call,
    group=lambda inner: rf"\left({inner}\right)",
    word=lambda word: rf"\text{{{word}}}",
    signs={Relation.NONNEGATIVE: r"\ge", Relation.ZERO: "=", Relation.NONZERO: r"\ne"},
)

Formula = Poly | Ratio | Cases | Sum | Average


def text(formula: Formula, style: Style = HUMAN, *, factored: bool = True) -> str:
    """The formula in a style; products of factors where they are found and `factored`."""
    match formula:
        case Poly():
            return _poly(formula, style, factored)
        case Ratio():
            return _ratio(formula, style, factored)
        case Cases():
            return _cases(formula, style, factored)
        case Sum():
            parts = formula.merged().parts
            texts = [text(part, style, factored=factored) for part in parts]
            if style is not SYMPY and len(parts) > 1:
                texts = [
                    shown if part.single is not None else style.group(shown)
                    for part, shown in zip(parts, texts, strict=True)
                ]
            return " + ".join(texts) or "0"
        case Average():
            above = text(formula.total, style, factored=factored)
            if above == "0":
                return above
            below = text(formula.count, style, factored=factored)
            if style is LATEX:
                return style.fraction(above, below)
            return style.fraction(style.group(above), style.group(below))


def sympy_text(formula: Formula) -> str:
    """The formula as sympy reads it; symbols under their identifiers."""
    return text(formula, SYMPY)


def _ratio(ratio: Ratio, style: Style, factored: bool) -> str:
    if (poly := ratio.poly) is not None:
        return _poly(poly, style, factored)
    above = _poly(ratio.numerator, style, factored)
    below = _poly(ratio.denominator, style, factored)
    if style is LATEX:
        return style.fraction(above, below)
    return style.fraction(_grouped(above, style, " "), _grouped(below, style, " */·"))


def _grouped(text_: str, style: Style, breaking: str) -> str:
    """In parentheses, unless it is one factor already."""
    if any(char in text_ for char in breaking) and not _is_one_group(text_):
        return style.group(text_)
    if (
        style is HUMAN
        and "·" in breaking
        and len(text_) > 1
        and text_[0].isdigit()
        and not text_.isdigit()
    ):
        return style.group(text_)
    return text_


def _is_one_group(text_: str) -> bool:
    if not text_.startswith("("):
        return False
    depth = 0
    for index, char in enumerate(text_):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return index == len(text_) - 1
    return False


def _poly(poly: Poly, style: Style, factored: bool) -> str:
    if not poly.terms:
        return "0"
    if factored and len(poly.terms) > 1:
        scale, parts = factors(poly)
        if len(parts) > 1 or parts[0][1] > 1:
            return _factored(scale, parts, style)
    below = _common_denominator(poly)
    if below > 1 and len(poly.terms) > 1:
        above = _sum(poly * Poly.of(below), style)
        return style.fraction(above if style is LATEX else style.group(above), str(below))
    return _sum(poly, style)


def _factored(scale: Number, parts: Sequence[tuple[Poly, int]], style: Style) -> str:
    turned = next((n for n, (p, e) in enumerate(parts) if len(p.terms) > 1 and e == 1), None)
    if scale < 0 and turned is not None:
        scale = -scale
        parts = [(-p, e) if n == turned else (p, e) for n, (p, e) in enumerate(parts)]
    texts = []
    for part, power in parts:
        inner = _sum(part, style)
        base = style.group(inner) if len(part.terms) > 1 else inner
        texts.append(style.power(base, power) if power > 1 else base)
    if abs(scale.numerator) != 1:
        texts.insert(0, str(abs(scale.numerator)))
    product = style.times(texts)
    sign = style.minus if scale < 0 else ""
    if scale.denominator != 1:
        return sign + style.fraction(product, str(scale.denominator))
    return sign + product


def _common_denominator(poly: Poly) -> int:
    from math import lcm

    return lcm(*(Fraction(c).denominator for c in poly.terms.values()))


def _sum(poly: Poly, style: Style) -> str:
    result = ""
    ordered = sorted(poly.terms, key=order)
    if poly.terms[ordered[0]] < 0:
        # `1 − p` reads better than `−p + 1`.
        positive = next((m for m in ordered if poly.terms[m] > 0), ordered[0])
        ordered.remove(positive)
        ordered.insert(0, positive)
    for monomial in ordered:
        coefficient = poly.terms[monomial]
        size = -coefficient if coefficient < 0 else coefficient
        term = _term(monomial, size, style)
        if not result:
            result = (style.minus if coefficient < 0 else "") + term
        else:
            result += f" {style.minus if coefficient < 0 else '+'} {term}"
    return result


def _term(monomial: Monomial, coefficient: Number, style: Style) -> str:
    value = Fraction(coefficient)
    factors_ = [
        style.power(_power_base(atom, style), power) if power > 1 else _atom(atom, style)
        for atom, power in monomial
    ]
    if value.numerator != 1 or not factors_:
        factors_.insert(0, str(value.numerator))
    product = style.times(factors_)
    return product if value.denominator == 1 else style.fraction(product, str(value.denominator))


def _power_base(atom: Atom, style: Style) -> str:
    base = _atom(atom, style)
    return style.group(base) if isinstance(atom, Power) else base


def _atom(atom: Atom, style: Style) -> str:
    match atom:
        case Symbol():
            return style.name(atom.name, atom.identifier)
        case Floor():
            inner = _ratio(Ratio(atom.numerator, atom.denominator), style, factored=False)
            return style.floor(inner)
        case Extremum():
            sides = [_poly(part, style, False) for part in (atom.left, atom.right)]
            return style.call("Max" if atom.largest else "Min", sides)
        case Power():
            base, exponent = str(atom.base), _poly(atom.exponent, style, False)
            if style is LATEX:
                return f"{base}^{{{exponent}}}"
            return f"{base}{'**' if style is SYMPY else '^'}({exponent})"
    return _rare_atom(atom, style)


def _rare_atom(atom: Atom, style: Style) -> str:
    match atom:
        case Quotient():
            ratio = _ratio(Ratio(atom.numerator, atom.denominator), style, factored=False)
            if style is SYMPY:
                return f"(sign({ratio})*floor(Abs({ratio})))"
            return style.call("trunc", [ratio])
        case Select():
            branches = [_poly(part, style, False) for part in (atom.then, atom.otherwise)]
            given = condition_text(atom.condition, style)
            if style is SYMPY:
                return f"Piecewise(({branches[0]}, {given}), ({branches[1]}, True))"
            if_, else_ = style.word(" if "), style.word(" else ")
            return style.group(f"{branches[0]}{if_}{given}{else_}{branches[1]}")
        case Log2():
            inner = _poly(atom.value, style, False)
            if style is LATEX:
                return style.floor(rf"\log_{{2}}\left({inner}\right)")
            return style.floor(f"log({inner}, 2)" if style is SYMPY else f"log2({inner})")
        case Bits():
            sides = [_poly(part, style, False) for part in (atom.left, atom.right)]
            names = {"&": "bitwise_and", "|": "bitwise_or", "^": "bitwise_xor"}
            return style.call(names[atom.operator], sides)
    raise TypeError(f"atom without a text: {atom!r}")


def _cases(cases: Cases, style: Style, factored: bool) -> str:
    if (single := cases.single) is not None:
        return _poly(single, style, factored)
    pieces = [
        (_poly(poly, style, factored), condition_text(condition, style))
        for condition, poly in cases.pieces
    ]
    if style is SYMPY:
        listed = ", ".join(f"({value}, {given})" for value, given in pieces)
        return f"Piecewise({listed}, (0, True))"
    listed = style.word("; ").join(f"{value}{style.word(' if ')}{given}" for value, given in pieces)
    return f"{listed}{style.word('; else ')}0"


def condition_text(condition: Condition, style: Style = HUMAN) -> str:
    """A condition as text; for sympy a boolean expression."""
    match condition:
        case Truth(value):
            return str(value) if style is SYMPY else style.word(str(value))
        case Compare():
            return _comparison(condition, style)
        case Junction(parts, every):
            inner = [condition_text(part, style) for part in parts]
            if style is SYMPY:
                return f"{'And' if every else 'Or'}({', '.join(inner)})"
            return "(" + style.word(" and " if every else " or ").join(inner) + ")"
        case Data(probability, positive):
            name = probability.name
            name = style.name(name, probability.identifier) if style is LATEX else name
            return name if positive else f"{style.word('not ')}{name}"
        case Earlier(_, inner, _, negated) | Exists(_, inner, negated):
            word = style.word("never " if negated else "once ")
            return f"{word}{condition_text(inner, style)}"


def _comparison(compare: Compare, style: Style) -> str:
    """Terms with a minus go to the other side: `N - 1 - i >= 0` reads `N - 1 >= i`."""
    left, right = Poly({}), Poly({})
    for monomial, coefficient in compare.poly.terms.items():
        if coefficient > 0:
            left = left + Poly({monomial: coefficient})
        else:
            right = right + Poly({monomial: -coefficient})
    sides = [_poly(side, style, False) for side in (left, right)]
    if style is SYMPY and compare.relation is not Relation.NONNEGATIVE:
        return f"{'Eq' if compare.relation is Relation.ZERO else 'Ne'}({sides[0]}, {sides[1]})"
    if style is HUMAN and left.constant is not None and compare.relation is Relation.NONNEGATIVE:
        return f"{sides[1]} <= {sides[0]}"  # m <= 6, not 6 >= m
    return f"{sides[0]} {style.signs[compare.relation]} {sides[1]}"
