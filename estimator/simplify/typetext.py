"""Types as they are written, taken apart: names, pointers, references, arrays and functions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from functools import lru_cache

from estimator.immutable import immutable
from estimator.simplify.fold import fold
from estimator.simplify.names import words

_TOKEN = re.compile(r"\s*([A-Za-z_]\w*|::|&&|\.\.\.|[*&()\[\],]|<|[^\s])")
_BUILTIN = words("unsigned signed short long int char double")
_IGNORED = words("typename struct class enum union restrict __restrict __restrict__ constexpr")
_QUALIFIERS = words("const volatile")


class Layer(str, Enum):
    """What a type is made of another one by."""

    POINTER = "*"
    REFERENCE = "&"
    RVALUE = "&&"
    ARRAY = "[]"
    FUNCTION = "()"


@immutable()
class Shape:
    """A type: a name, or a layer over another type. `size` is an array's, as text; `parameters`
    are a function's."""

    name: str = ""
    layer: Layer | None = None
    inner: Shape | None = None
    size: str = ""
    parameters: tuple[Shape, ...] = ()
    is_const: bool = False
    is_volatile: bool = False

    @property
    def text(self) -> str:
        """The one spelling of the type."""
        return _written(self, "")

    def declaring(self, name: str) -> str:
        """A declaration of a name of this type: `float (*name)(float)`."""
        return _written(self, name)

    def qualified(self, *, is_const: bool, is_volatile: bool = False) -> Shape:
        """The type with more qualifiers: an array's are its elements', a reference has none."""
        if self.layer is Layer.ARRAY and self.inner is not None:
            inner = self.inner.qualified(is_const=is_const, is_volatile=is_volatile)
            return replace(self, inner=inner)
        if self.layer in {Layer.REFERENCE, Layer.RVALUE, Layer.FUNCTION}:
            return self
        return replace(
            self,
            is_const=self.is_const or is_const,
            is_volatile=self.is_volatile or is_volatile,
        )


class _UnreadableError(Exception):
    pass


@lru_cache(maxsize=4096)
def shape(text: str) -> Shape | None:
    """The parts of a type's text; None for what is no type, or of a kind that is not read."""
    reader = _Reader(text)
    try:
        found = reader.type()
    except (_UnreadableError, IndexError):
        return None
    return found if reader.at == len(reader.tokens) else None


def over(layer: Layer, inner: Shape, size: str = "") -> Shape:
    """A layer over a type; references to references are one."""
    references = {Layer.REFERENCE, Layer.RVALUE}
    if layer in references and inner.layer in references:
        return inner if Layer.REFERENCE is inner.layer else replace(inner, layer=layer)
    return Shape(layer=layer, inner=inner, size=size)


def without(found: Shape, *, is_const: bool, is_volatile: bool) -> Shape:
    """The type with fewer qualifiers: an array's are its elements'."""
    if found.layer is Layer.ARRAY and found.inner is not None:
        inner = without(found.inner, is_const=is_const, is_volatile=is_volatile)
        return replace(found, inner=inner)
    return replace(
        found,
        is_const=found.is_const and not is_const,
        is_volatile=found.is_volatile and not is_volatile,
    )


def replaced(found: Shape, meant: Callable[[str], Shape | None]) -> Shape:
    """The type with its names replaced by the types that these mean; None leaves a name."""
    if found.layer is None or found.inner is None:
        other = meant(found.name)
        if other is None:
            return found
        return other.qualified(is_const=found.is_const, is_volatile=found.is_volatile)
    made = over(found.layer, replaced(found.inner, meant), found.size)
    parameters = tuple(_passed(replaced(one, meant)) for one in found.parameters)
    made = replace(made, parameters=parameters) if found.layer is Layer.FUNCTION else made
    return made.qualified(is_const=found.is_const, is_volatile=found.is_volatile)


def _passed(found: Shape) -> Shape:
    """A parameter's type in the type of its function."""
    if found.layer is Layer.ARRAY and found.inner is not None:
        return Shape(layer=Layer.POINTER, inner=found.inner)
    if found.layer is Layer.FUNCTION:
        return Shape(layer=Layer.POINTER, inner=found)
    return replace(found, is_const=False, is_volatile=False)


def builtin(listed: list[str]) -> str:
    """`long unsigned int` → `unsigned long`."""
    ignored = {"signed", "unsigned", "int", *_QUALIFIERS}
    rest = sorted(word for word in listed if word not in ignored)
    if rest == ["char"] and "signed" in listed:
        return "signed char"
    if rest == ["double", "long"]:
        return "long double"
    sign = ["unsigned"] if "unsigned" in listed else []
    return " ".join([*sign, *(rest or ["int"])])


def _written(found: Shape, around: str) -> str:
    qualifiers = [
        *(["const"] if found.is_const else []),
        *(["volatile"] if found.is_volatile else []),
    ]
    inner = found.inner
    if found.layer is None or inner is None:
        head = " ".join([*qualifiers, found.name])
        return f"{head} {around}" if around else head
    if found.layer is Layer.ARRAY:
        return _written(inner, f"{around}[{found.size}]")
    if found.layer is Layer.FUNCTION:
        listed = ", ".join(one.text for one in found.parameters)
        return _written(inner, f"{around}({listed})")
    space = " " if qualifiers and around and (around[0].isalnum() or around[0] == "_") else ""
    text = f"{found.layer.value}{' '.join(qualifiers)}{space}{around}"
    if inner.layer in {Layer.ARRAY, Layer.FUNCTION}:
        text = f"({text})"
    return _written(inner, text)


class _Reader:
    """Reads the tokens of a type once, from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        found = list(_TOKEN.finditer(text))
        self.tokens = [match[1] for match in found]
        self.spans = [match.span(1) for match in found]
        self.at = 0

    def between(self, start: int, end: int) -> str:
        """The text of some tokens as it is written, blanks collapsed."""
        return " ".join(self.text[self.spans[start][0] : self.spans[end - 1][1]].split())

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted: str) -> None:
        if self.peek() != wanted:
            raise _UnreadableError
        self.at += 1

    def type(self) -> Shape:
        base = self._base()
        for make in self._declarator():
            base = make(base)
        return base

    def _base(self) -> Shape:
        listed: list[str] = []
        name = ""
        qualifiers: set[str] = set()
        while True:
            token = self.peek()
            if token in _QUALIFIERS:
                qualifiers.add(token)
            elif token in _BUILTIN and not name:
                listed.append(token)
            elif token.isidentifier() or token == "::":
                if token not in _IGNORED:
                    if name or listed:
                        raise _UnreadableError
                    name = self._name()
                    continue
            else:
                break
            self.at += 1
        if not name and not listed:
            raise _UnreadableError
        return Shape(
            name or builtin(listed),
            is_const="const" in qualifiers,
            is_volatile="volatile" in qualifiers,
        )

    def _name(self) -> str:
        """A name with its scopes and template arguments."""
        start = self.at
        while True:
            if self.peek() == "::":
                self.at += 1
            if not self.peek().isidentifier():
                raise _UnreadableError
            self.at += 1
            if self.peek() == "<":
                self._arguments()
            if self.peek() != "::":
                return self.between(start, self.at)

    def _arguments(self) -> None:
        depth = 0
        while True:
            token = self.tokens[self.at]
            self.at += 1
            depth += (token in "<([") - (token in ">)]")
            if not depth:
                return

    def _declarator(self) -> list[Callable[[Shape], Shape]]:
        """What is to be made of the base, in order."""
        found: list[Callable[[Shape], Shape]] = []
        while self.peek() in {"*", "&", "&&"}:
            found.append(self._pointer())
        inside: list[Callable[[Shape], Shape]] = []
        if self.peek() == "(" and self.tokens[self.at + 1] in {"*", "&", "&&", "("}:
            self.take("(")
            inside = self._declarator()
            self.take(")")
        behind: list[Callable[[Shape], Shape]] = []
        while self.peek() in {"[", "("}:
            behind.append(self._array() if self.peek() == "[" else self._function())
        return [*found, *reversed(behind), *inside]

    def _pointer(self) -> Callable[[Shape], Shape]:
        layer = Layer(self.peek())
        self.at += 1
        qualifiers: set[str] = set()
        while self.peek() in _QUALIFIERS | _IGNORED:
            qualifiers.add(self.peek())
            self.at += 1
        const, volatile = "const" in qualifiers, "volatile" in qualifiers
        return lambda inner: over(layer, inner).qualified(is_const=const, is_volatile=volatile)

    def _array(self) -> Callable[[Shape], Shape]:
        self.take("[")
        start = self.at
        while self.tokens[self.at] != "]":
            self.at += 1
        text = self.between(start, self.at) if self.at > start else ""
        self.take("]")
        value = fold(text)
        return lambda inner: over(Layer.ARRAY, inner, text if value is None else str(value))

    def _function(self) -> Callable[[Shape], Shape]:
        self.take("(")
        parameters: list[Shape] = []
        while self.peek() != ")":
            parameters.append(_passed(self.type()))
            if self.peek() != ")":
                self.take(",")
        self.take(")")
        if parameters == [Shape("void")]:
            parameters = []
        return lambda inner: Shape(layer=Layer.FUNCTION, inner=inner, parameters=tuple(parameters))
