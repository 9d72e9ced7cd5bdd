"""Simplified CUDA C → functions and types, by pycparser."""

from __future__ import annotations

import re
from collections import ChainMap

from pycparser import c_ast
from pycparser.c_parser import ParseError

from estimator.grammars.types import TYPE_NAMES
from estimator.parse.attributes import cuda_attributes, string_argument
from estimator.parse.c11 import AS_WRITTEN, INFERRED, in_c11
from estimator.parse.constants import constant_value
from estimator.parse.letters import in_ascii, restore, with_names
from estimator.parse.lexer import new_parser
from estimator.parse.reasons import sentence
from estimator.parse.table import TypeTable, UnknownTypeError
from estimator.parse.unit import Function, GlobalVariable, Unit
from estimator.simplify.unit import Item, ItemKind, SimplifiedUnit
from estimator.source import codes
from estimator.source.diagnostics import Diagnostic, Severity, diagnose

_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """
    auto bool break case char const constexpr continue default do double else enum extern float
    for goto if int long register restrict return short signed sizeof static struct switch
    typedef union unsigned void volatile while
""",
    )
)
# Builtin types whose names say what they are.
_NAMED_TYPES = ("wmma__fragment__", "texture__")
# `T x;`, `T *x,`: a declaration of a variable, member or parameter.
_TYPED = re.compile(
    r"(?:[(,;{}]|\]\]|\bconst\b)\s*([A-Za-z_]\w*)(?:\s+|\s*\*+\s*)[A-Za-z_]\w*\s*(?=[;,)=\[])"
)
# `[[…]] T f(`: the result of a function.
_RESULT = re.compile(r"(?:\s*\[\[[^\[\]]*\]\])*\s*([A-Za-z_]\w*)[\s*]+[A-Za-z_]\w*\s*\(")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
# What a template's instance is called in the source, at its beginning.
_INSTANCE = re.compile(r'[^"\n;{]*\[\[cuda::instance\("([^"]+)"\)\]\]')
_LONGEST_NUMBER = 4000
_LONG_NUMBER = re.compile(rf"(?<![\w.])\.?\d[\w.']{{{_LONGEST_NUMBER}}}")


def parse(simplified: SimplifiedUnit) -> Unit:
    """The unit's functions, kernels, launches, variables and types.

    Items that pycparser cannot read are left out, each with a diagnostic; it never raises
    for what a user wrote.
    """
    text = simplified.text
    constants: dict[str, int] = {}
    types = TypeTable(
        lambda node, measure: constant_value(node, ChainMap(constants, types.enumerators), measure)
    )
    unit = Unit(simplified, types)
    unit.line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
    unit.diagnostics.extend(simplified.diagnostics)
    for lost in simplified.lost:
        unit.lost[lost.name] = lost.diagnostic
    for node in _parse_all(simplified, unit):
        _declare(node, unit, constants)
    constants.update(unit.types.enumerators)
    return unit


def _parse_all(simplified: SimplifiedUnit, unit: Unit) -> list[c_ast.Node]:
    """The top-level nodes; items that do not parse are blanked out one after another."""
    text, originals = in_ascii(_without(simplified.text, _with_long_numbers(simplified, unit)))
    for _ in range(len(simplified.items) + 1):
        names = _undeclared(text)
        try:
            ast = new_parser().parse(_prelude(names) + in_c11(text), simplified.path)
        except ParseError as error:
            message = with_names(str(error), {**originals, **AS_WRITTEN})
            item, diagnostic = _blame(message, simplified, unit)
            if item is None or not text[item.start : item.end].strip():
                # What is wrong stands somewhere else: each item is read by itself to find it.
                item, diagnostic = _blame("this declaration", simplified, unit)
            unit.diagnostics.append(diagnostic)
            if item is None or not text[item.start : item.end].strip():
                return []
            unit.lost[item.name] = diagnostic
            text = _without(text, [item, *_lost_with(item, text, simplified, unit)])
        else:
            restore(ast, originals)
            return list(ast.ext)[len(names) :]
    return []


def _with_long_numbers(simplified: SimplifiedUnit, unit: Unit) -> list[Item]:
    """The items, lost, with a number that pycparser would take gigabytes to read."""
    found: list[Item] = []
    for item in sorted(simplified.items, key=lambda item: item.start):
        match = _LONG_NUMBER.search(simplified.text, item.start, item.end)
        if match is not None:
            place = simplified.positions.position(match.start())
            message = f"a number of more than {_LONGEST_NUMBER:,} characters"
            unit.lost[item.name] = diagnose(codes.TOO_LARGE, place, message)
            unit.diagnostics.append(unit.lost[item.name])
            found.append(item)
    return found


def _lost_with(first: Item, text: str, simplified: SimplifiedUnit, unit: Unit) -> list[Item]:
    """The items behind a lost one that cannot be read without it, or without each other.

    They are read one by one: the whole text again for each would take time squared.
    """
    found: list[Item] = []
    declared: set[str] = set()
    items = sorted(simplified.items, key=lambda item: item.start)
    types = {item.name for item in items if item.kind is ItemKind.TYPE}
    for item in items:
        if item.name in unit.lost:
            continue
        own = text[item.start : item.end]
        words = set(_IDENTIFIER.findall(own))
        missing = sorted(words & (unit.lost.keys() | types) - declared - {item.name})
        if item.start > first.start and missing and not _is_readable(own, words & declared):
            unit.lost[item.name] = unit.lost.get(missing[0]) or diagnose(
                codes.UNKNOWN_TYPE,
                simplified.positions.position(item.start + own.index(missing[0])),
                f"'{missing[0]}' is not known as a type",
            )
            unit.diagnostics.append(unit.lost[item.name])
            found.append(item)
        elif item.kind is ItemKind.TYPE:
            declared |= _declared_types(own)
    return found


def _first_unreadable(simplified: SimplifiedUnit, unit: Unit) -> int:
    """Where the first item that does not parse starts; the text's end if there is none."""
    declared: set[str] = set()
    for item in sorted(simplified.items, key=lambda item: item.start):
        own = simplified.text[item.start : item.end]
        if item.name not in unit.lost:
            if not _is_readable(own, declared & set(_IDENTIFIER.findall(own))):
                return item.start
            declared |= _declared_types(own)
    return len(simplified.text)


def _is_readable(text: str, declared: set[str]) -> bool:
    """Whether one item parses where some types are declared."""
    known = "".join(f"typedef int {name}; " for name in sorted(declared))
    try:
        new_parser().parse(_prelude(_undeclared(text)) + known + in_c11(text))
    except ParseError:
        return False
    return True


def _without(text: str, items: list[Item]) -> str:
    """The text with blanks in place of some items."""
    parts, at = [], 0
    for item in items:
        parts += [text[at : item.start], _blank(text[item.start : item.end])]
        at = item.end
    return "".join([*parts, text[at:]])


def _prelude(names: list[str]) -> str:
    """Declarations of the builtin type names in use; positions count from after them."""
    lines = "".join(f"typedef int {name}; " for name in names)
    return f'{lines}\n#line 1 "simplified"\n'


def _undeclared(text: str) -> list[str]:
    """The builtin type names in a text that it does not declare itself."""
    own = _declared_types(text)
    words = set(_IDENTIFIER.findall(text))
    named = {word for word in words if word.startswith(_NAMED_TYPES)}
    inferred = {INFERRED} if "auto" in words else set()
    return sorted((TYPE_NAMES & words | named | inferred) - own)


def _declared_types(text: str) -> set[str]:
    return set(re.findall(r"\b([A-Za-z_]\w*)\s*;", _typedef_text(text)))


def _typedef_text(text: str) -> str:
    """The ends of typedefs, where the names that a file declares itself stand."""
    return "\n".join(re.findall(r"typedef[^;{}]*(?:\{[^{}]*\}[^;{}]*)?;", text))


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _blame(message: str, simplified: SimplifiedUnit, unit: Unit) -> tuple[Item | None, Diagnostic]:
    """The item that a parse error lies in, and the error at the user's position."""
    match = re.match(r".*?:(\d+):(\d+): *(.*)", message)
    if match:
        line, column, reason = int(match.group(1)), int(match.group(2)), match.group(3)
        line = max(1, min(line, len(unit.line_starts)))
        offset = unit.line_starts[line - 1] + column - 1
    else:
        # An error without a place: each item is read by itself to find it.
        offset, reason = _first_unreadable(simplified, unit), "Invalid declaration"
        unknown = _unknown_type(simplified, unit, offset)
        offset = offset if unknown is None else unknown
    inside = [item for item in simplified.items if item.start <= offset]
    item = max(inside, key=lambda item: item.start, default=None)
    position = simplified.positions.position(offset)
    if item is not None:
        # What it cannot read is often a type that was lost before: that is the reason to give.
        words = set(_IDENTIFIER.findall(simplified.text[item.start : item.end]))
        for name in sorted(words & unit.lost.keys()):
            return item, unit.lost[name]
    if (word := _word_before(simplified.text, offset)) is not None:
        start, name = word
        position = simplified.positions.position(start)
        return item, diagnose(codes.UNKNOWN_TYPE, position, f"'{name}' is not known as a type")
    return item, diagnose(codes.SYNTAX, position, sentence(reason))


def _unknown_type(simplified: SimplifiedUnit, unit: Unit, start: int) -> int | None:
    """Behind the first word of the item at `start` that stands for a type and is none."""
    item = next((one for one in simplified.items if one.start == start), None)
    if item is None:
        return None
    types = {one.name for one in simplified.items if one.kind is ItemKind.TYPE}
    for match in _TYPED.finditer(simplified.text, item.start, item.end):
        name = match.group(1)
        known = name in _KEYWORDS or name in TYPE_NAMES or name in types
        if not known and name not in _declared_types(simplified.text[item.start : item.end]):
            return match.end(1) + 1
    return None


def _word_before(text: str, offset: int) -> tuple[int, str] | None:
    """The name that stands where the parser wanted a type: `word * x`, `word x`."""
    match = re.search(r"(?:^|[(,;{}<]|\bconst\b|\]\])\s*([A-Za-z_]\w*)[\s*]*$", text[:offset])
    if match is None or not re.match(r"[*\s]*[A-Za-z_*]", text[offset:]):
        found = _RESULT.match(text, offset)
    else:
        found = match
    if found is None or found.group(1) in _KEYWORDS or found.group(1) in TYPE_NAMES:
        return None
    return found.start(1), found.group(1)


def _declare(node: c_ast.Node, unit: Unit, constants: dict[str, int]) -> None:
    match node:
        case c_ast.Typedef():
            unit.types.add_typedef(node)
        case c_ast.FuncDef():
            _declare_function(node, unit)
        case c_ast.Decl() if isinstance(node.type, c_ast.FuncDecl):
            pass
        case c_ast.Decl():
            unit.types.add_tags(node.type)
            constants.update(unit.types.enumerators)
            if node.name is None:
                return
            attributes = cuda_attributes(node)
            space = next((s for s in ("constant", "device", "shared") if s in attributes), "host")
            unit.variables[node.name] = GlobalVariable(node.name, node, space, unit.position(node))
            if space == "host" and node.init is not None:
                value = _initial_value(node.init, unit, constants)
                if value is not None:
                    constants[node.name] = value


def _initial_value(node: c_ast.Node, unit: Unit, constants: dict[str, int]) -> int | None:
    """What a constant outside functions is; None where that is not known."""
    if isinstance(node, c_ast.InitList) and len(node.exprs) == 1:
        node = node.exprs[0]
    try:
        return constant_value(node, constants, unit.types.measured)
    except UnknownTypeError:
        return None


def _declare_function(node: c_ast.FuncDef, unit: Unit) -> None:
    attributes = cuda_attributes(node.decl)
    name = node.decl.name
    display = string_argument(attributes.get("instance")) or name
    function = Function(name, display, node, attributes, unit.position(node.decl))
    if "global" in attributes:
        unit.kernels.append(function)
    elif "launch" in attributes:
        unit.launches.append(function)
    unit.functions[name] = function


def lost_kernels(unit: Unit) -> list[tuple[str, Diagnostic]]:
    """The kernels of a file that could not be read, each with the reason."""
    source = unit.source
    found = [(item.name, item.diagnostic) for item in source.lost if item.kind is ItemKind.KERNEL]
    read = {kernel.name for kernel in unit.kernels}
    for item in source.items:
        if item.kind is ItemKind.KERNEL and item.name not in read:
            reason = unit.lost.get(item.name) or _reason(item, unit)
            instance = _INSTANCE.match(source.text, item.start, item.end)
            is_template = instance is not None and "<" in instance[1]
            found.append((instance[1] if instance and is_template else item.name, reason))
    return list(dict.fromkeys(found))


def shown_name(unit: Unit, name: str) -> str:
    """A lost kernel's name as the user wrote it, where `lost_kernels` has another."""
    source = unit.source
    for item in source.items:
        if item.name == name:
            instance = _INSTANCE.match(source.text, item.start, item.end)
            return instance[1] if instance else name
    return next((one.shown for one in source.lost if one.name == name and one.shown), name)


def lost_templates(unit: Unit) -> list[tuple[str, str]]:
    """The lost kernels that are called by a name alone, each with the file that it stands in."""
    source = unit.source
    found = [(item.name, item.path) for item in source.lost if item.kind is ItemKind.KERNEL]
    read = {kernel.name for kernel in unit.kernels}
    for item in source.items:
        instance = _INSTANCE.match(source.text, item.start, item.end)
        is_lost = item.kind is ItemKind.KERNEL and item.name not in read
        if is_lost and not (instance and "<" in instance[1]):
            found.append((item.name, source.positions.position(item.start).path))
    return found


def _reason(item: Item, unit: Unit) -> Diagnostic:
    """Why an item without a reason of its own was not read: it went down with the whole text."""
    for diagnostic in reversed(unit.diagnostics):
        if diagnostic.code.severity is Severity.ERROR:
            return diagnostic
    position = unit.source.positions.position(item.start)
    return diagnose(codes.INTERNAL, position, f"{item.name} was lost inside kcost")
