"""Arguments of class templates matched with patterns: `Vec<T, N>` with a Vec<float, 4>."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.simplify.synonyms import comparable

if TYPE_CHECKING:
    from collections.abc import Collection

    from tree_sitter import Node

    from estimator.simplify.draft import Draft

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
        for child, argument in zip(listed.named_children, one.arguments, strict=False):
            if not match_argument(child, argument, names, found, draft):
                return False
        return True
    return False


def match_argument(
    child: Node, argument: str, names: Collection[str], found: dict[str, str | None], draft: Draft
) -> bool:
    """Match one argument of a class template with its pattern."""
    text = draft.text_of(child)
    if text in names:
        known = found.setdefault(text, argument)
        return known == argument
    words = set(_WORD.findall(text))
    if not words & set(names):
        return comparable(draft.rendered_node(child), draft) == comparable(argument, draft)
    inner = child.child_by_field_name("type") if child.type == "type_descriptor" else None
    declarator = child.child_by_field_name("declarator")
    if inner is not None and declarator is None and inner.type == "template_type":
        return match_class(inner, argument, names, found, draft)
    if inner is not None and declarator is not None and draft.text_of(inner) in names:
        stars = draft.text_of(declarator).count("*")
        plain = argument.replace(" ", "")
        is_const = text.startswith("const ")
        if not stars or not plain.endswith("*" * stars):
            return False
        rest = argument.rstrip(" *") if stars == plain.count("*") else argument.rstrip()[:-stars]
        if is_const and not rest.startswith("const "):
            return False
        rest = rest.removeprefix("const ") if is_const else rest
        return found.setdefault(draft.text_of(inner), rest.strip()) == rest.strip()
    return False
