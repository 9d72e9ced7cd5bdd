"""Simplified CUDA C, which is C23, in the C11 that every pycparser reads.

pycparser 3.11 is the last for Python 3.10 and knows no C23. Each construct of C23 that simplified
CUDA C has is written in C11 with as many characters, so that every position stays:

    [[cuda::shared]] float s[4];        _Alignas($shared)float s[4];
    [[cuda::value(64)]] int n           _Alignas($value(64))int n
    [[cuda::unroll(4)]] for (…)                             for (…)
    auto x = e;                         $aut x = e;
    typeof(e) x = 1'000;                enum{$=e} x = 1000 ;
    constexpr int n = 4;                const     int n = 4;

`attributes.py` finds the attributes in the tree again, the functions below the other constructs.
`bool`, `true`, `false` and `nullptr` are no words of C11 either: the first is a type's name like
`size_t`, the others are names like `NULL`.
"""

from __future__ import annotations

import re

from pycparser import c_ast

# The type in `auto x`, which the parser gets as a typedef's name.
INFERRED = "$aut"
# What the names of attributes begin with, so that no type of the user's has them.
MARK = "$"
# What error messages quote, as simplified CUDA C has it.
AS_WRITTEN = {INFERRED: "auto", "_Alignas": "[["}

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_CHARACTER = r"'(?:[^'\\\n]|\\.)*'"
# A branch begins with a character of its own, and looks back from there: so the search skips
# quickly what no branch begins with.
_C23 = re.compile(
    rf"""
      {_STRING} | {_CHARACTER}
    | \[\[(?P<name>[\w:]+)(?P<arguments>\((?:{_STRING}|[^"\]]|\](?!\]))*\))?\]\][^\S\n]?
    | \d(?<!\w\d)[\w.]*(?:'[\w.]+)+
    | auto(?<!\wauto)\b
    | constexpr(?<!\wconstexpr)\b
    """,
    re.VERBOSE,
)
_TYPEOF = re.compile(rf"{_STRING}|{_CHARACTER}|typeof(?<!\wtypeof)\s*\(")
_PARENTHESIS = re.compile(rf"{_STRING}|{_CHARACTER}|[()]")
_LITERAL = rf"(?:{_STRING}|-?\d[\w.]*)"
_LITERALS = re.compile(rf"\(\s*(?:{_LITERAL}(?:\s*,\s*{_LITERAL})*)?\s*\)")


def in_c11(text: str) -> str:
    """The text in C11, every token at its line and column."""
    if "typeof" in text:
        text = _with_enumerations(text)
    return _C23.sub(_spelled, text)


def _spelled(found: re.Match[str]) -> str:
    word = found.group()
    if word.startswith("[["):
        return _attribute(found["name"], found["arguments"] or "", len(word))
    if word == "auto":
        return INFERRED
    if word == "constexpr":
        return "const    "
    if word[0].isdigit():
        return word.replace("'", "").ljust(len(word))
    return word


def _attribute(name: str, arguments: str, width: int) -> str:
    """An attribute of a declaration; those of statements and of others say nothing to us."""
    space, _, word = name.partition("::")
    if space != "cuda" or word == "unroll":
        return " " * width
    if not _LITERALS.fullmatch(arguments):
        arguments = ""
    # Where no blank follows this is one longer; only a line's end follows then.
    return f"_Alignas({MARK}{word}{arguments})".ljust(width)


def _with_enumerations(text: str) -> str:
    """`typeof(e)` as `enum{$=e}`, the one type in C11 that has room for an expression."""
    characters = list(text)
    for found in _TYPEOF.finditer(text):
        end = _closing(text, found.end()) if found.group()[0] == "t" else None
        if end is not None:
            # Lines may end between the word and its parenthesis: those stay.
            characters[found.start() : found.start() + len("typeof")] = f"enum{{{MARK}"
            characters[found.end() - 1], characters[end] = "=", "}"
    return "".join(characters)


def _closing(text: str, start: int) -> int | None:
    """Where the parenthesis closes that is open at an offset."""
    depth = 1
    for found in _PARENTHESIS.finditer(text, start):
        depth += {"(": 1, ")": -1}.get(found.group(), 0)
        if not depth:
            return found.start()
    return None


def is_inferred(node: c_ast.Node) -> bool:
    """Whether a declaration's type is that of its value: `auto x = e`."""
    while isinstance(node, (c_ast.TypeDecl, c_ast.PtrDecl)):
        node = node.type
    return isinstance(node, c_ast.IdentifierType) and node.names == [INFERRED]


def typeof_operand(node: c_ast.Node) -> c_ast.Node | None:
    """The expression in `typeof(e)`; None for another type."""
    if not isinstance(node, c_ast.Enum) or not node.values:
        return None
    first = node.values.enumerators[0]
    return first.value if first.name == MARK else None


def designated_index(node: c_ast.Node) -> c_ast.Node:
    """The expression in `[e] = value`, which pycparser has in a node of its own since 3.12."""
    return node.expr if type(node).__name__ == "ArrayDesignator" else node
