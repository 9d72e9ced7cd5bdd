"""`std::array`, `std::pair` and `std::tuple`: classes like the user's own, under one name each.

`std::array<T, N>`, `cuda::std::array<T, N>` and `thrust::pair<A, B>` are read as
`std__array<T, N>` and `std__pair<A, B>`, whose definitions stand in front of the text; in a file
that opens the namespace they are `array` and `pair`. The rules here are for what is done with
their values.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from estimator.grammars.standard import ARRAYS, DEFINITIONS, NAMES
from estimator.simplify.inference import CType
from estimator.simplify.library import arguments_of
from estimator.simplify.scopes import last_name
from estimator.simplify.sequences import with_sequences
from estimator.simplify.typeof import type_of
from estimator.source.position import PositionMap
from estimator.source.preprocess import PreprocessedUnit

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.classes import Record
    from estimator.simplify.draft import Draft

_TYPES = r"(?:array|pair|tuple)"
_NAMED = re.compile(
    r"(?<![\w:])(?:::\s?)?(?:(?:cuda\s?::\s?)?std|thrust)\s?::\s?"
    rf"(?P<name>{_TYPES}|make_pair|make_tuple|get)\b(?=\s*[<({{;]|\s+\w)"
)
_OPENED = re.compile(r"\busing\s+(?:namespace\s+)?(?:::)?(?:cuda::)?std\b")
_SHORT = re.compile(rf"(?<![\w:.])(?P<name>{_TYPES})\s*<")
_OWN = re.compile(rf"\b(?:struct|class|using|define)\s+{_TYPES}\b")
_MAKERS = {
    **{name: name for name in NAMES},  # their arguments left out
    "std__make_pair": "std__pair",
    "make_pair": "pair",
    "std__make_tuple": "std__tuple",
    "make_tuple": "tuple",
}
_NO_WORD = re.compile(r"\W+")
_GETTERS = frozenset({"std__get", "get"})
# Methods of an array `a` of `n` elements; `at` has an argument.
_METHODS = {
    "size": "{n}",
    "max_size": "{n}",
    "empty": "({n} == 0)",
    "data": "{a}.held",
    "begin": "{a}.held",
    "cbegin": "{a}.held",
    "end": "({a}.held + {n})",
    "cend": "({a}.held + {n})",
    "front": "{a}.held[0]",
    "back": "{a}.held[{n} - 1]",
    "at": "{a}.held[{i}]",
}


def with_standard(unit: PreprocessedUnit) -> PreprocessedUnit:
    """The unit with the definitions of the types that it uses in front, names changed to theirs.

    No name gets longer, so everything else stays where it is; what the definitions bring has the
    position of the first use.
    """
    text = unit.text
    if "std" not in text and "thrust" not in text:
        return unit
    used = list(_NAMED.finditer(text))
    wanted = {match["name"].removeprefix("make_") for match in used} & DEFINITIONS.keys()
    prefix = "std__"
    if _OPENED.search(text) and not _OWN.search(text):
        short = list(_SHORT.finditer(text))
        wanted.update(match["name"] for match in short)
        used, prefix = [*used, *short], "" if short else prefix
    is_opened = _OPENED.search(text) is not None
    sequenced, first = with_sequences(text, opened=is_opened)
    starts = [match.start() for match in used]
    if first is not None:
        wanted.add("sequence")
        starts.append(first)
    if not wanted:
        return unit
    changed = _NAMED.sub(lambda m: f"{prefix}{m['name']}".ljust(len(m.group())), sequenced)
    front = [DEFINITIONS[name] for name in DEFINITIONS if name in wanted]
    added = "".join(front).replace("std__", prefix)
    place = unit.positions.segment_at(min(starts))
    positions = PositionMap()
    positions.add(0, place.file, place.source_offset, verbatim=False)
    for one in unit.positions.segments:
        positions.add(one.start + len(added), one.file, one.source_offset, verbatim=one.verbatim)
    return replace(unit, text=added + changed, positions=positions)


def subscript(node: Node, draft: Draft) -> bool:
    """`a[i]` → `a.held[i]`, for an array of the library; False for others."""
    inner = node.child_by_field_name("argument")
    if inner is None or element_type(type_of(inner, draft), draft) is None:
        return False
    draft.after(inner.end_byte, ".held")
    return True


def standard_call(node: Node, function: Node, arguments: Node, draft: Draft) -> bool:
    """Rewrite a call that is about these types; False for all other calls."""
    if function.type == "field_expression":
        return _method(node, function, arguments, draft)
    name, explicit = _called(function, draft)
    given = arguments.named_children
    if name in _MAKERS:
        made = _made_type(name, explicit, given, draft)
        if made is None:
            shown = name.replace("std__", "std::")
            raise draft.lose(node, f"'{shown}' of a value whose type is not known here")
        draft.skip(function.start_byte, arguments.start_byte + 1, f"({made.base}){{")
        draft.replace(arguments.end_byte - 1, arguments.end_byte, "}")
        return True
    if name in _GETTERS and len(explicit) == len(given) == 1:
        member = _member(type_of(given[0], draft), explicit[0], draft)
        if member is None:
            raise draft.lose(node, f"'std::get' of '{' '.join(draft.text_of(given[0]).split())}'")
        opened, closed = arguments.start_byte, arguments.end_byte - 1
        plain = given[0].type in {"identifier", "field_expression", "subscript_expression"}
        draft.skip(function.start_byte, opened + plain)
        draft.replace(closed, closed + 1, ("" if plain else ")") + member[0])
        return True
    return False


def deduced_declaration(node: Node, declarators: list[Node], draft: Draft) -> bool:
    """`std::pair p(1, 2.0f);` → `std__pair__int_float p = {1, 2.0f};`; False for all others."""
    specifier = node.child_by_field_name("type")
    name = draft.text_of(specifier) if specifier is not None else ""
    if specifier is None or name not in NAMES or len(declarators) != 1 or not is_used(draft):
        return False
    plain = declarators[0].child_by_field_name("declarator")
    value = declarators[0].child_by_field_name("value")
    if plain is None or value is None or value.type not in {"argument_list", "initializer_list"}:
        return False
    made = _made_type(name, [], value.named_children, draft)
    if made is None:
        raise draft.lose(node, f"'{name.replace('__', '::')}' of a value of unknown type")
    draft.declare(plain, made)
    draft.skip(specifier.start_byte, specifier.end_byte, made.base)
    draft.replace(plain.end_byte, value.start_byte + 1, " = {")
    draft.replace(value.end_byte - 1, value.end_byte, "}")
    return True


def tied(node: Node, left: Node, right: Node, draft: Draft) -> bool:
    """`std::tie(a, b) = f();` → `auto tied__a = f(); a = tied__a.first; …`; False for others."""
    from estimator.simplify.ranges import members_of

    function = left.child_by_field_name("function")
    arguments = left.child_by_field_name("arguments")
    if function is None or arguments is None or not is_used(draft):
        return False
    if draft.text_of(last_name(function)) != "tie" or "tie" in draft.program.symbols.functions:
        return False
    given = arguments.named_children
    found = type_of(right, draft)
    members = members_of(found, len(given), right, draft)
    above = node.parent
    if members is None or above is None or above.type != "expression_statement":
        raise draft.lose(node, "'std::tie' of a value whose type is not known here")
    name = f"tied__{_NO_WORD.sub('_', draft.text_of(given[0]))}"
    parts = [f"auto {name} = {draft.rendered_node(right)};"]
    for one, (member, _) in zip(given, members, strict=True):
        if draft.text_of(last_name(one)) != "ignore":
            parts.append(f"{draft.rendered_node(one)} = {name}{member};")
    draft.skip(above.start_byte, above.end_byte, f"{{ {' '.join(parts)} }}")
    return True


def standard_result(node: Node, draft: Draft) -> CType | None:
    """The type that such a call gives; None for all other calls."""
    function = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    if function is None or arguments is None or not is_used(draft):
        return None
    given = arguments.named_children
    if function.type == "field_expression":
        return _method_result(function, draft)
    name, explicit = _called(function, draft)
    if name in _MAKERS:
        return _made_type(name, explicit, given, draft)
    if name in _GETTERS and len(explicit) == len(given) == 1:
        member = _member(type_of(given[0], draft), explicit[0], draft)
        return member[1] if member is not None else None
    return None


def is_used(draft: Draft) -> bool:
    """Whether the file uses one of these types."""
    return not draft.program.symbols.types.keys().isdisjoint(NAMES)


def element_type(found: CType | None, draft: Draft) -> CType | None:
    """The type of the elements of an array of the library; None for all other types."""
    record = _record(found, draft)
    if record is None or record.defined.name not in ARRAYS:
        return None
    held = draft.program.table.field_type(record, "held")
    return replace(held, depth=held.depth - 1) if held is not None else None


def length(found: CType | None, draft: Draft) -> str:
    """The number of elements of an array of the library, as text."""
    record = _record(found, draft)
    text = record.binding.names.get("N", "") if record is not None else ""
    return text if re.fullmatch(r"\w+", text) else f"({text})"


def members(found: CType, count: int, draft: Draft) -> list[tuple[str, CType]] | None:
    """What a structured binding of an array of `count` elements names; None for other types."""
    element = element_type(found, draft)
    if element is None or length(found, draft) != str(count):
        return None
    return [(f".held[{index}]", element) for index in range(count)]


def _record(found: CType | None, draft: Draft) -> Record | None:
    if found is None or found.depth:
        return None
    return draft.program.records.get(found.base)


def _called(function: Node, draft: Draft) -> tuple[str, list[str]]:
    """The name of what is called, unless it is the file's own, and its template arguments."""
    last = last_name(function)
    is_listed = last.type == "template_function"
    name_node = last.child_by_field_name("name") if is_listed else last
    name = draft.text_of(name_node or last)
    if not is_used(draft) or name in draft.program.symbols.functions or name in draft.locals:
        return "", []
    explicit = arguments_of(last, draft) if is_listed else []
    return ("" if explicit and name in NAMES else name), explicit


def _made_type(name: str, explicit: list[str], given: list[Node], draft: Draft) -> CType | None:
    """The type of a pair, tuple or array of some values; None where it is not known."""
    texts = list(explicit)
    for one in given[len(texts) :]:
        found = type_of(one, draft)
        if found is None:
            return None
        texts.append(replace(found, is_const=found.is_const and found.depth > 0).text)
    if _MAKERS[name] in ARRAYS:
        texts = [*texts[:1], str(len(texts))]
    defined = draft.program.find_type(_MAKERS[name], "")
    if defined is None or not given:
        return None
    return CType(draft.program.require_type_instance(defined, texts, given[0], draft))


def _member(found: CType | None, index: str, draft: Draft) -> tuple[str, CType] | None:
    """The member of a value that `get<index>` means, and its type."""
    record = _record(found, draft)
    if record is None:
        return None
    element = element_type(found, draft)
    if element is not None:
        return f".held[{index}]", element
    fields = list(draft.program.table.fields(record))
    if record.defined.name not in NAMES or not index.isdigit() or int(index) >= len(fields):
        return None
    name = fields[int(index)]
    ctype = draft.program.table.field_type(record, name)
    return (f".{name}", ctype) if ctype is not None else None


def _receiver(function: Node, draft: Draft) -> tuple[Node, CType, str] | None:
    """The array that a method is called of, its type, and the method."""
    inner, field = function.child_by_field_name("argument"), function.child_by_field_name("field")
    if inner is None or field is None or not is_used(draft):
        return None
    name = draft.text_of(field)
    if name not in _METHODS:
        return None
    found = type_of(inner, draft)
    if found is not None and found.depth == 1 and _is_arrow(function, draft):
        found = replace(found, depth=0)
    return (inner, found, name) if found is not None and element_type(found, draft) else None


def _is_arrow(function: Node, draft: Draft) -> bool:
    return any(draft.text_of(child) == "->" for child in function.children)


def _method(node: Node, function: Node, arguments: Node, draft: Draft) -> bool:
    """`a.size()` → `4`, `a.data()` → `a.held`."""
    receiver = _receiver(function, draft)
    if receiver is None:
        return False
    inner, found, name = receiver
    target = draft.rendered_node(inner)
    if _is_arrow(function, draft):
        target = f"(*{target})"
    index = draft.rendered(arguments.start_byte + 1, arguments.end_byte - 1)
    text = _METHODS[name].format(a=target, n=length(found, draft), i=index)
    draft.skip(node.start_byte, node.end_byte, text)
    return True


def _method_result(function: Node, draft: Draft) -> CType | None:
    receiver = _receiver(function, draft)
    if receiver is None:
        return None
    _, found, name = receiver
    element = element_type(found, draft)
    assert element is not None
    if name in {"front", "back", "at"}:
        return element
    if name in {"size", "max_size", "empty"}:
        return CType("bool" if name == "empty" else "size_t")
    return replace(element, depth=element.depth + 1)
