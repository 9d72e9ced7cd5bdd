"""`ceil((float)n / t)` and its kind: quotients of integers that host code rounds by floats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.immutable import immutable
from estimator.simplify.names import FLOAT_WORDS
from estimator.simplify.scopes import last_name

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.evaluable import Evaluator

_UP = frozenset({"ceil", "ceilf", "ceill"})
_DOWN = frozenset({"floor", "floorf", "floorl", "trunc", "truncf"})
_DEEPEST = 8


@immutable()
class Rounding:
    """A quotient of integers rounded up (`up`) or down. Several `below` are multiplied.

    A part is an expression of integers, or the text of an integer that was written as a float.
    """

    up: bool
    above: Node | str
    below: tuple[Node | str, ...]

    @property
    def nodes(self) -> list[Node]:
        """The expressions in it."""
        return [part for part in (self.above, *self.below) if not isinstance(part, str)]


@immutable()
class _Quotient:
    above: Node | str
    below: tuple[Node | str, ...]
    is_float: bool


def rounding(node: Node, evaluator: Evaluator) -> Rounding | None:
    """What a call of `ceil` or `floor` rounds; None for other calls and other arguments."""
    if node.type != "call_expression":
        return None
    function = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    if function is None or arguments is None or arguments.named_child_count != 1:
        return None
    name = evaluator.draft.text_of(last_name(function))
    if name not in _UP | _DOWN:
        return None
    found = _quotient(arguments.named_children[0], evaluator, 0)
    if found is None:
        return None
    # A quotient of integers is rounded down before ceil sees it.
    return Rounding(name in _UP and found.is_float, found.above, found.below)


def _quotient(node: Node, evaluator: Evaluator, deep: int) -> _Quotient | None:
    """An expression as a quotient of integers; one that is no quotient has nothing below."""
    draft = evaluator.draft
    if deep > _DEEPEST:
        return None
    if node.type == "parenthesized_expression" and node.named_child_count == 1:
        return _quotient(node.named_children[0], evaluator, deep + 1)
    inner = _float_cast(node, evaluator)
    if inner is not None:
        found = _quotient(inner, evaluator, deep + 1)
        # (float)(n / t) divides integers first.
        if found is None or (found.below and not found.is_float):
            return None
        return _Quotient(found.above, found.below, True)
    if node.type == "number_literal":
        return _literal(draft.text_of(node), node)
    if node.type == "binary_expression":
        combined = _combined(node, evaluator, deep)
        if combined is not None:
            return combined
    if node.type == "identifier" and evaluator.type_of(draft.text_of(node)) == "float":
        known = evaluator.code.variables.get(draft.text_of(node))
        if known is None or known.is_changed or known.is_parameter or len(known.events) != 1:
            return None
        value = known.events[0].value
        found = _quotient(value, evaluator, deep + 1) if value is not None else None
        if found is None or (found.below and not found.is_float):
            return None
        return _Quotient(found.above, found.below, True)
    return _Quotient(node, (), False) if evaluator.is_integer(node) else None


def _combined(node: Node, evaluator: Evaluator, deep: int) -> _Quotient | None:
    sides = [node.child_by_field_name(side) for side in ("left", "right")]
    operator = node.child_by_field_name("operator")
    if operator is None or operator.type not in {"/", "*"} or None in sides:
        return None
    left, right = (_quotient(side, evaluator, deep + 1) for side in sides if side is not None)
    if left is None or right is None:
        return None
    is_float = left.is_float or right.is_float
    if operator.type == "/":
        if right.below or (left.below and left.is_float != is_float):
            return None
        return _Quotient(left.above, (*left.below, right.above), is_float)
    for one, other in ((left, right), (right, left)):
        if one.above == "1" and not one.below and one.is_float:
            return _Quotient(other.above, other.below, True) if not other.below else None
    return None


def _literal(text: str, node: Node) -> _Quotient | None:
    """64 and 64.0f, but not 0.5."""
    plain = text.replace("'", "").rstrip("fFlLuU")
    if plain.isdigit():
        return _Quotient(node, (), False)
    try:
        value = float(plain)
    except ValueError:
        return None
    return _Quotient(str(int(value)), (), True) if value == int(value) and value > 0 else None


def _float_cast(node: Node, evaluator: Evaluator) -> Node | None:
    """x, of `(float)x`, `float(x)` and `static_cast<float>(x)`."""
    draft = evaluator.draft
    if node.type == "cast_expression":
        target, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        is_float = target is not None and draft.text_of(target).strip() in FLOAT_WORDS
        return value if is_float else None
    if node.type != "call_expression":
        return None
    function, arguments = (node.child_by_field_name(name) for name in ("function", "arguments"))
    if function is None or arguments is None or arguments.named_child_count != 1:
        return None
    called = "".join(draft.text_of(function).split())
    casts = {*FLOAT_WORDS, *(f"static_cast<{word}>" for word in FLOAT_WORDS)}
    return arguments.named_children[0] if called in casts else None
