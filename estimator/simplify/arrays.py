"""Arrays whose elements something makes: constructors, one for each, or a list of values."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from estimator.immutable import immutable
from estimator.simplify import packs, passing
from estimator.simplify.constants import constant_in
from estimator.simplify.declarators import layers
from estimator.simplify.inference import CType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from estimator.simplify.draft import Draft

# More elements than this are made by a loop.
MOST_WRITTEN = 64


@immutable()
class Array:
    """An array's elements, and its extents as simplified text; an empty one is not written."""

    element: CType
    extents: tuple[str, ...]

    @property
    def sizes(self) -> tuple[int, ...] | None:
        """The extents as numbers, if all are."""
        if not all(one.isdecimal() for one in self.extents):
            return None
        return tuple(map(int, self.extents))

    @property
    def row(self) -> Array:
        """What the first index leads to, of an array with several."""
        return Array(self.element, self.extents[1:])


def array_of(found: CType, declarator: Node | None, draft: Draft) -> Array | None:
    """The array that a declarator declares, of the type `found`; None where it is none."""
    around = [one for one in layers(declarator) if one.type != "init_declarator"]
    extents: list[str] = []
    for layer in reversed(around[:-1]):
        if layer.type != "array_declarator":
            break
        size = layer.child_by_field_name("size")
        value = constant_in(draft.text_of(size), draft, size) if size is not None else None
        rendered = draft.rendered_node(size) if size is not None and value is None else ""
        extents.append(rendered if value is None else str(value))
    if not extents:
        return None
    return Array(CType(found.base, found.is_const, found.depth - len(extents)), tuple(extents))


def made_alone(element: CType, draft: Draft, at: Node) -> str:
    """The object that a declaration without a value makes; empty where it makes nothing."""
    record = draft.program.records.get(element.base)
    if record is None or element.depth or passing.is_trivial(record, draft):
        return ""
    made = passing.plan(element, (), draft, at)
    if made.function:
        return f"{made.function}({', '.join(made.added)})"
    return f"({element.base}){{{made.defaults}}}"


def nested(texts: Sequence[str], sizes: Sequence[int]) -> str:
    """A list in braces, rows in braces of their own."""
    if len(sizes) < 2:
        return f"{{{', '.join(texts)}}}"
    step = prod(sizes[1:])
    rows = (texts[start : start + step] for start in range(0, len(texts), step))
    return f"{{{', '.join(nested(row, sizes[1:]) for row in rows)}}}"


def loop(target: str, name: str, extents: Sequence[str], text: str, start: int = 0) -> str:
    """Loops that give every element from `start` on a value."""
    counters = [f"{'ijklmnop'[place]}__{name}" for place in range(len(extents))]
    heads = "".join(
        f"for (int {one} = {0 if place else start}; {one} < {extent}; {one}++) "
        for place, (one, extent) in enumerate(zip(counters, extents, strict=True))
    )
    return f"{heads}{target}{''.join(f'[{one}]' for one in counters)} = {text};"


def listed(value: Node, array: Array, draft: Draft) -> list[str]:
    """The elements that a list gives values, in order, rows filled up. Raises LostError."""
    nodes = [one for one in value.named_children if one.type != "comment"]
    rows = [one for one in nodes if one.type == "initializer_list"]
    sizes = array.sizes
    if len(array.extents) > 1 and rows:
        if len(rows) != len(nodes) or sizes is None:
            raise draft.lose(value, "a list of rows and elements")
        texts: list[str] = []
        for row in rows:
            found = listed(row, array.row, draft)
            texts += found + [zero(array.element, draft, row)] * (prod(sizes[1:]) - len(found))
    else:
        texts = [text for one in nodes for text in _element(one, array.element, draft)]
    if sizes is not None and len(texts) > prod(sizes):
        raise draft.lose(value, "a list of more values than the array has elements")
    return texts


def zero(element: CType, draft: Draft, at: Node) -> str:
    """What an element starts with that a list leaves out."""
    is_object = not element.depth and (
        element.base in draft.program.records or draft.is_aggregate(element.base)
    )
    return made_alone(element, draft, at) or (f"({element.base}){{0}}" if is_object else "0")


def _element(node: Node, element: CType, draft: Draft) -> list[str]:
    if node.type == "parameter_pack_expansion" and element.base not in draft.program.records:
        return packs.expansions(node, draft)
    if node.type in {"parameter_pack_expansion", "initializer_pair"}:
        raise draft.lose(node, "such a list of an array's elements")
    inner = draft.inner()
    passing.convert(node, element, inner, copies=True)
    inner.run(node.start_byte, node.end_byte)
    pieces = inner.pieces(node.start_byte, node.end_byte)
    return [" ".join("".join(piece.text for piece in pieces).split())]


def member_statements(name: str, value: Node | None, array: Array, draft: Draft, at: Node) -> str:
    """`self.e[0] = …; self.e[1] = …;`: a list's values, or what the elements make themselves of."""
    texts = listed(value, array, draft) if value is not None else []
    rest = zero(array.element, draft, at) if value is not None else ""
    rest = rest or made_alone(array.element, draft, at)
    target, sizes = f"self.{name}", array.sizes
    if sizes is None:
        if not rest:
            return ""
        raise draft.lose(at, f"the initialisation of the array '{name}'")
    missing = prod(sizes) - len(texts) if rest else 0
    if missing > MOST_WRITTEN:
        if texts and len(sizes) > 1:
            raise draft.lose(at, f"the initialisation of the array '{name}'")
        last = f" {loop(target, name, array.extents, rest, len(texts))}"
    else:
        texts, last = texts + [rest] * missing, ""
    written = zip(_places(sizes), texts, strict=False)
    return "".join(f" {target}{_indices(place)} = {text};" for place, text in written) + last


def _places(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The indices of an array's elements in order; there may be very many."""
    for number in range(prod(sizes)):
        place: list[int] = []
        for size in reversed(sizes):
            number, index = divmod(number, size)
            place.append(index)
        yield tuple(reversed(place))


def _indices(place: Sequence[int]) -> str:
    return "".join(f"[{one}]" for one in place)


def member_list(value: Node | None, array: Array, draft: Draft, at: Node) -> str:
    """The braces that say what an array of objects among the members starts with."""
    sizes = array.sizes
    if sizes is None or prod(sizes) > MOST_WRITTEN:
        raise draft.lose(at, f"an array of objects with a constructor, '{array.element.base}',")
    texts = listed(value, array, draft) if value is not None else []
    rest = zero(array.element, draft, at)
    return nested(texts + [rest] * (prod(sizes) - len(texts)), sizes)


def default_constructed(node: Node, name: Node, array: Array, end: int, draft: Draft) -> None:
    """`V a[2];` → `V a[2] = {V__new(), V__new()};`, a loop where there are many."""
    made = made_alone(array.element, draft, name)
    if not made:
        return
    sizes = array.sizes
    if sizes is not None and prod(sizes) <= MOST_WRITTEN:
        draft.after(end, f" = {nested([made] * prod(sizes), sizes)}")
        return
    if not all(array.extents):
        raise draft.lose(name, f"an array of objects with a constructor, '{array.element.base}',")
    text = draft.text_of(name)
    draft.after(node.end_byte, f" {loop(text, text, array.extents, made)}")


def fill_up(value: Node, array: Array, draft: Draft) -> None:
    """Convert the elements of a local array of objects, and make those that its list leaves out."""
    nodes = [one for one in value.named_children if one.type != "comment"]
    for child in nodes:
        if child.type == "initializer_list" and len(array.extents) > 1:
            fill_up(child, array.row, draft)
        elif child.type == "initializer_list" and passing.constructors_of(array.element, draft):
            passing.braces(child, array.element, draft)
        elif child.type != "initializer_list":
            passing.convert(child, array.element, draft, copies=True)
    made = made_alone(array.element, draft, value)
    if not made or not array.extents[0]:
        return
    sizes = array.sizes
    is_flat = len(array.extents) > 1 and any(one.type != "initializer_list" for one in nodes)
    missing = sizes[0] - len(nodes) if sizes is not None else 1
    if is_flat or (missing > 0 and (sizes is None or prod(sizes) > MOST_WRITTEN)):
        raise draft.lose(value, f"an array of objects with a constructor, '{array.element.base}',")
    if sizes is None or missing <= 0:
        return
    one = nested([made] * prod(sizes[1:]), sizes[1:]) if sizes[1:] else made
    closed = value.end_byte - 1
    comma = (
        ", " if nodes and draft.tree.parsed[value.start_byte : closed].rstrip()[-1] != "," else ""
    )
    draft.replace(closed, closed + 1, f"{comma}{', '.join([one] * missing)}}}")
