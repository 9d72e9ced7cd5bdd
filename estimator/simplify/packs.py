"""Parameter packs, which have a fixed length in every instance."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from estimator.immutable import immutable
from estimator.simplify.conversions import binary_type
from estimator.simplify.declarators import declared_name, pack_depth, reference_layer
from estimator.simplify.draft import Binding
from estimator.simplify.inference import CType
from estimator.simplify.typeof import record_type, type_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft

_WORD = re.compile(r"(?<!\w)[A-Za-z_]\w*")


def bindings(node: Node, draft: Draft) -> list[Binding]:
    """One binding for each element of the packs that a pattern names. Raises LostError."""
    packs = draft.binding.packs
    used = [word for word in dict.fromkeys(_WORD.findall(draft.text_of(node))) if word in packs]
    if not used:
        raise draft.lose(node, "a parameter pack")
    count = min(len(packs[name]) for name in used)
    outer = draft.binding
    return [
        Binding(
            {**outer.names, **{name: packs[name][index] for name in used}},
            outer.symbolic,
            outer.packs,
        )
        for index in range(count)
    ]


def _pattern(node: Node) -> Node:
    return node.child_by_field_name("pattern") or node.named_children[0]


def expansions(node: Node, draft: Draft) -> list[str]:
    """`f(args)...`, written out."""
    pattern = _pattern(node)
    plain = draft.binding.packs.get(draft.text_of(pattern))
    if plain is not None and draft.captured is None:
        return list(plain)  # the pack itself: recursive templates have long ones
    return [draft.inner(one).rendered_node(pattern) for one in bindings(pattern, draft)]


def expansion(node: Node, draft: Draft) -> None:
    """`f(args...)` → `f(args__0, args__1)`."""
    texts = expansions(node, draft)
    _write(node, texts, draft)


def _write(node: Node, texts: list[str], draft: Draft) -> None:
    """Put several texts in place of one in a list, with the comma in front if there are none."""
    start = node.start_byte
    if not texts:
        at = start - 1
        while draft.tree.parsed[at].isspace():
            at -= 1
        start = at if draft.tree.parsed[at] == "," else start
    draft.skip(start, node.end_byte, ", ".join(texts))


def argument_list(
    arguments: Node, draft: Draft, *, typed: bool
) -> tuple[list[Node], list[CType | None]]:
    """A call's arguments and their types, a pack's one by one."""
    nodes: list[Node] = []
    types: list[CType | None] = []
    for node in arguments.named_children:
        if node.type == "comment":
            continue
        if node.type != "parameter_pack_expansion":
            nodes.append(node)
            types.append(type_of(node, draft) if typed else None)
            continue
        pattern = _pattern(node)
        for one in bindings(pattern, draft):
            nodes.append(pattern)
            types.append(type_of(pattern, draft.inner(one)))
    return nodes, types


def parameters(node: Node, draft: Draft) -> None:
    """`Ts... args` → `float args__0, int args__1`."""
    declarator = node.child_by_field_name("declarator")
    name_node = declared_name(node)
    specifier = node.child_by_field_name("type")
    if specifier is None:
        raise draft.lose(node, "a parameter pack")
    types = draft.binding.packs.get(draft.text_of(specifier))
    if types is None and specifier.type == "placeholder_type_specifier":
        found = [one for key, one in draft.binding.packs.items() if key.startswith("auto__")]
        types = found[0] if found else None
    if types is None:
        raise draft.lose(node, "a parameter pack")
    names: Sequence[str] | None = [f"unnamed__pack__{n}" for n in range(len(types))]
    if name_node is not None:
        names = draft.binding.packs.get(draft.text_of(name_node))
    if names is None:
        raise draft.lose(node, "a parameter pack")
    mark = "[[cuda::reference]] " if reference_layer(declarator) is not None else ""
    const = "const " if draft.text_of(node).startswith("const ") else ""
    texts = []
    stars = "*" * pack_depth(draft.tree, node)
    for one, base in zip(names, types, strict=True):
        text = base + stars
        ctype = draft.canonical(text)
        draft.locals[one] = ctype
        space = "" if text.endswith("*") else " "
        texts.append(f"{mark}{const if not text.startswith('const') else ''}{text}{space}{one}")
    _write(node, texts, draft)


def size(node: Node, draft: Draft) -> None:
    """`sizeof...(args)` → the number of them."""
    if "..." not in draft.text_of(node):
        return
    value = node.child_by_field_name("value")
    name = draft.text_of(value) if value is not None else ""
    if name not in draft.binding.packs:
        raise draft.lose(node, "a parameter pack")
    draft.skip(node.start_byte, node.end_byte, str(len(draft.binding.packs[name])))


@immutable()
class _Fold:
    """`(pack op ...)`: the operator, the pack's elements, and what stands at the other end."""

    sign: str
    pack: Node
    elements: list[Draft]
    other: Node | None
    is_right: bool  # (pack op ...) nests to the right


def _read_fold(node: Node, draft: Draft) -> _Fold:
    """What a fold expression has. Raises LostError where it names no pack."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    sign = draft.text_of(operator) if operator is not None else _sign(node, draft)
    packs = draft.binding.packs
    left, right = (one if one is not None and one.is_named else None for one in (left, right))
    inside = [one for one in (left, right) if one is not None]
    pack = next(
        (one for one in inside if any(w in packs for w in _WORD.findall(draft.text_of(one)))), None
    )
    if pack is None:
        raise draft.lose(node, "a fold expression")
    elements = [draft.inner(one) for one in bindings(pack, draft)]
    return _Fold(sign, pack, elements, left if pack is right else right, pack is left)


def fold_type(node: Node, draft: Draft) -> CType | None:
    """The type of a fold expression over numbers; None where it is not known."""
    found = _read_fold(node, draft)
    types = [type_of(found.pack, one) for one in found.elements]
    if found.other is not None:
        other = type_of(found.other, draft)
        types = [*types, other] if found.is_right else [other, *types]
    if not types:
        return CType("bool") if found.sign in {"&&", "||"} else None
    if found.sign == ",":
        return types[-1]
    if found.is_right:
        types.reverse()
    result = types[0]
    for one in types[1:]:
        sides = (one, result) if found.is_right else (result, one)
        result = binary_type(found.sign, *sides)
    return result


def fold(node: Node, draft: Draft) -> None:
    """`(args + ...)` → `(args__0 + (args__1 + args__2))`."""
    found = _read_fold(node, draft)
    if any(record_type(found.pack, one) is not None for one in found.elements):
        raise draft.lose(node, "a fold expression over objects")
    texts = [one.rendered_node(found.pack) for one in found.elements]
    if found.other is not None:
        text = draft.rendered_node(found.other)
        texts = [*texts, text] if found.is_right else [text, *texts]
    if not texts:
        empty = {"&&": "true", "||": "false", ",": "((void)0)"}.get(found.sign)
        if empty is None:
            raise draft.lose(node, "a fold expression over nothing")
        draft.skip(node.start_byte, node.end_byte, empty)
        return
    text = _nested(texts, found.sign, is_right=found.is_right)
    draft.skip(node.start_byte, node.end_byte, text)


def _sign(node: Node, draft: Draft) -> str:
    for child in node.children:
        if not child.is_named and child.type not in {"(", ")", "..."}:
            return draft.text_of(child)
    return ","


def _nested(texts: list[str], sign: str, *, is_right: bool) -> str:
    """`(a + (b + c))` or `((a + b) + c)`."""
    between = f"{sign} " if sign == "," else f" {sign} "
    if is_right:
        found = texts[-1]
        for text in reversed(texts[:-1]):
            found = f"({text}{between}{found})"
    else:
        found = texts[0]
        for text in texts[1:]:
            found = f"({found}{between}{text})"
    return found if found.startswith("(") else f"({found})"
