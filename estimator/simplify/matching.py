"""Arguments of class templates matched with patterns: `Vec<T, N>` with a Vec<float, 4>."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.simplify.synonyms import comparable
from estimator.simplify.typeshapes import SPECIFIER, pattern_shape, shape_of
from estimator.simplify.typetext import Layer, Shape, replaced, without

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tree_sitter import Node

    from estimator.simplify.draft import Draft

_TOKEN = re.compile(r"\w+|&&|[^\w\s]")
_WORD = re.compile(r"(?<!\w)[A-Za-z_]\w*")


def match_class(
    pattern: Node | None,
    base: str,
    names: Collection[str],
    found: dict[str, str | None],
    draft: Draft,
) -> bool:
    """Match `Vec<T, N>` with a record; gives whether it can be one."""
    from estimator.simplify.scopes import last_name

    if pattern is not None and pattern.type == "qualified_identifier":
        pattern = last_name(pattern)
    record = draft.program.records.get(base)
    if pattern is None or record is None or pattern.type != "template_type":
        return False
    name_node = pattern.child_by_field_name("name")
    listed = pattern.child_by_field_name("arguments")
    if name_node is None or listed is None:
        return False
    name = draft.text_of(name_node)
    for one in (record, *draft.program.table.all_bases(record)):
        if one.defined.name != name and name not in names:
            continue
        if name in names:
            found.setdefault(name, one.defined.name)
        children, arguments = arguments_in(listed), one.arguments
        if children and children[-1].type == "parameter_pack_expansion":
            return match_all(children, arguments, names, found, draft)
        return all(
            match_argument(child, argument, names, found, draft)
            for child, argument in zip(children, arguments, strict=False)
        )
    return False


def match_argument(
    child: Node, argument: str, names: Collection[str], found: dict[str, str | None], draft: Draft
) -> bool:
    """Match one argument of a class template with its pattern.

    Raises LostError for patterns that are not understood.
    """
    text = draft.text_of(child)
    if text in names:
        known = found.setdefault(text, argument)
        return known is not None and comparable(known, draft) == comparable(argument, draft)
    if not _mentions(child, names, draft):
        from estimator.simplify.templates import template_argument

        shown = template_argument(child, draft)
        return comparable(shown, draft) == comparable(argument, draft)
    own = child.child_by_field_name("type") if child.type == "type_descriptor" else None
    pattern = pattern_shape(child, draft)
    given = shape_of(argument, draft)
    if own is None or pattern is None:
        raise draft.lose(child, f"'{' '.join(text.split())}' as a pattern of a specialisation")
    return given is not None and _match(pattern, given, own, names, found, draft)


def is_deduced(child: Node, names: Collection[str], draft: Draft) -> bool:
    """Whether an argument of a specialisation says what parameters stand for: `Vec<T>`, not
    `std::enable_if_t<…>` or `N > 0`."""
    is_bare = draft.text_of(child) in names or child.type == "parameter_pack_expansion"
    if is_bare or not _mentions(child, names, draft):
        return True
    own = child.child_by_field_name("type") if child.type == "type_descriptor" else None
    if own is None:
        return False
    template = _class_template(own)
    if template is None:
        return own.type != "qualified_identifier" and own.type != "dependent_type"
    name = draft.text_of(template.child_by_field_name("name") or template)
    return name in names or draft.is_class_template(name)


def specificity(child: Node, draft: Draft) -> int:
    """How much a pattern says: its qualifiers, layers and templates."""
    return len(_TOKEN.findall(draft.text_of(child)))


def _mentions(node: Node, names: Collection[str], draft: Draft) -> bool:
    return not set(_WORD.findall(draft.text_of(node))).isdisjoint(names)


def _class_template(own: Node) -> Node | None:
    """`Vec<T>` in `n::Vec<T>`."""
    while own.type == "qualified_identifier":
        inner = own.child_by_field_name("name")
        if inner is None:
            return None
        own = inner
    return own if own.type == "template_type" else None


def _match(
    pattern: Shape,
    given: Shape,
    own: Node,
    names: Collection[str],
    found: dict[str, str | None],
    draft: Draft,
) -> bool:
    """Match a type with a pattern, whose innermost name stands for `own`."""
    if pattern.layer is not None and pattern.inner is not None:
        if given.layer is not pattern.layer or given.inner is None:
            return False
        same = given.is_const == pattern.is_const and given.is_volatile == pattern.is_volatile
        if not same or not _match_size(pattern.size, given.size, names, found):
            return False
        parts = zip(
            (pattern.inner, *pattern.parameters), (given.inner, *given.parameters), strict=False
        )
        return len(given.parameters) == len(pattern.parameters) and all(
            _match(one, other, own, names, found, draft) for one, other in parts
        )
    name = draft.text_of(own) if pattern.name == SPECIFIER else pattern.name
    if name not in names:
        if given.layer is not None:
            return False
        same = given.is_const == pattern.is_const and given.is_volatile == pattern.is_volatile
        template = _class_template(own) if pattern.name == SPECIFIER else None
        if template is not None and _mentions(own, names, draft):
            return same and _match_instance(template, given.name, names, found, draft)
        meant = shape_of(name, draft)
        return meant is not None and replaced(pattern, lambda _: meant) == given
    element = given
    while element.layer is Layer.ARRAY and element.inner is not None:
        element = element.inner  # an array is as constant as its elements are
    if pattern.is_const > element.is_const or pattern.is_volatile > element.is_volatile:
        return False
    rest = without(given, is_const=pattern.is_const, is_volatile=pattern.is_volatile)
    known = found.setdefault(name, rest.text)
    return known is not None and comparable(known, draft) == comparable(rest.text, draft)


def _match_size(
    pattern: str, given: str, names: Collection[str], found: dict[str, str | None]
) -> bool:
    """Match the length of an array: a number, a parameter, or none."""
    if pattern in names:
        return bool(given) and found.setdefault(pattern, given) == given
    return pattern == given


def _match_instance(
    template: Node,
    base: str,
    names: Collection[str],
    found: dict[str, str | None],
    draft: Draft,
) -> bool:
    """Match `Vec<T, N>` with an instance of just that template."""
    record = draft.program.records.get(base)
    name_node = template.child_by_field_name("name")
    listed = template.child_by_field_name("arguments")
    if record is None or name_node is None or listed is None or not record.arguments:
        return False
    name = draft.text_of(name_node)
    if name in names:
        if found.setdefault(name, record.defined.name) != record.defined.name:
            return False
    elif record.defined is not draft.program.find_type(name, draft.scope) and (
        record.defined.specialises is None or record.defined.name != name
    ):
        return False
    return match_all(arguments_in(listed), record.arguments, names, found, draft)


def match_all(
    children: Sequence[Node],
    arguments: Sequence[str],
    names: Collection[str],
    found: dict[str, str | None],
    draft: Draft,
) -> bool:
    """Match all arguments; a pack at the end stands for all that are left, kept as `name...`."""
    last = children[-1] if children else None
    if last is not None and last.type == "parameter_pack_expansion":
        name = draft.text_of(last).removesuffix("...").strip()
        if name not in names:
            raise draft.lose(last, f"'{draft.text_of(last)}' as a pattern of a specialisation")
        children = children[:-1]
        if len(arguments) < len(children):
            return False
        rest = "\n".join(arguments[len(children) :])
        if found.setdefault(f"{name}...", rest) != rest:
            return False
        arguments = arguments[: len(children)]
    return len(children) == len(arguments) and all(
        match_argument(child, one, names, found, draft)
        for child, one in zip(children, arguments, strict=True)
    )


def arguments_in(listed: Node) -> list[Node]:
    """The arguments in `<…>`."""
    return [one for one in listed.named_children if one.type != "comment"]
