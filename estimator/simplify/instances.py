"""Instances of templates: their arguments, their names, what their parameters stand for."""

from __future__ import annotations

import re
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

from estimator.simplify.classes import Callee
from estimator.simplify.dimensions import dimensions
from estimator.simplify.draft import Binding, LostError
from estimator.simplify.fold import fold
from estimator.simplify.inference import CType, deduce
from estimator.simplify.matching import match_class
from estimator.simplify.opentypes import depends_on, refuse_open
from estimator.simplify.symbols import Function, Parameter, ParameterKind, TemplateParameter
from estimator.simplify.typetext import shape
from estimator.source.codes import TEMPLATE, TOO_LARGE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tree_sitter import Node

    from estimator.simplify.draft import Draft

_NOT_WORD = re.compile(r"\W+")
_WORD = re.compile(r"(?<!\w)[A-Za-z_]\w*")
_PLAIN = re.compile(r"(?!.*\b(?:const|volatile)\b)[\w\s]+")  # a name, as it is written
_MOST_SIGNS = 64  # pointers to pointers to …, or N - 1 - 1 - …: nobody writes that many
_SIMPLE = re.compile(r"[\w.]+$")


class Unbound(str, Enum):
    """A template parameter without a text of its own."""

    DEDUCED = "deduced"  # a type: bound anew by every call
    RUNTIME = "runtime"  # a value: passed as an argument
    ASSUMED = "assumed"  # nothing instantiates the kernel: float, or a parameter of the kernel


Argument = str | Unbound | tuple[str, ...]  # several for a parameter pack
Key = tuple[Argument, ...]


def normal_value(parameter: TemplateParameter, text: str) -> str:
    """A template argument as it is written in names: types and values in their shortest form."""
    if parameter.kind is not ParameterKind.VALUE:
        found = None if _PLAIN.fullmatch(text) else shape(text)
        return " ".join(text.split()) if found is None else found.text
    value = fold(text)
    if value is None:
        return text
    if parameter.type_text == "bool":
        return "true" if value else "false"
    return str(value)


def instance_name(base: str, function: Function, key: Key) -> str:
    """`horner<float, 512>` → `horner__float_512`.

    Raises LostError for an instance that only a call of itself, with one pointer more each time
    or a number less, can have asked for.
    """
    texts = [one for one in key if isinstance(one, str)]
    if any(one.count(sign) > _MOST_SIGNS for one in texts for sign in "*-+"):
        message = f"'{function.name}' has instances without end, each named by the one before"
        raise LostError(function.node.start_byte, message, TOO_LARGE)
    parts: list[str] = []
    for parameter, argument in zip(function.template or (), key, strict=True):
        if argument is Unbound.RUNTIME:
            parts.append(parameter.name)
        elif isinstance(argument, tuple):
            parts.extend(word_of(one) for one in argument)
        elif not isinstance(argument, Unbound) and parameter.name:
            parts.append(word_of(argument))
    return f"{base}__{'_'.join(parts)}" if parts else base


def word_of(argument: str) -> str:
    """A template argument as a part of a name."""
    text = argument.replace("*", "p").replace("-", "m")
    return _NOT_WORD.sub("_", text).strip("_")


def bind(function: Function, key: Key, name: str) -> Binding:
    """What the parameters stand for in the instance that is called `name`."""
    names: dict[str, str] = {}
    symbolic: set[str] = set()
    packs: dict[str, tuple[str, ...]] = {}
    for parameter, argument in zip(function.template or (), key, strict=True):
        if isinstance(argument, tuple):
            packs[parameter.name] = argument
        elif argument is Unbound.DEDUCED:
            names[parameter.name] = f"{name}__{parameter.name}"
        elif isinstance(argument, Unbound):
            if parameter.kind is ParameterKind.TYPE:
                names[parameter.name] = "float"
            else:
                symbolic.add(parameter.name)
        elif parameter.name:
            is_value = parameter.kind is ParameterKind.VALUE
            simple = not is_value or _SIMPLE.match(argument)
            names[parameter.name] = argument if simple else f"({argument})"
    names.pop("", None)
    for one, count in pack_parameters(function, packs):
        packs[one.name] = tuple(f"{one.name}__{index}" for index in range(count))
    return Binding(names, frozenset(symbolic), packs)


def pack_parameters(
    function: Function, packs: Mapping[str, tuple[str, ...]]
) -> list[tuple[Parameter, int]]:
    """The parameters that stand for several, and for how many."""
    found = []
    for one in function.parameters:
        if is_pack(one) and one.base in packs:
            found.append((one, len(packs[one.base])))
    return found


def is_pack(parameter: Parameter) -> bool:
    """Whether a parameter is declared `T... x`."""
    return parameter.is_pack


def call_key(
    callee: Callee,
    explicit: Sequence[str],
    nodes: Sequence[Node],
    types: Sequence[CType | None],
    draft: Draft,
    at: Node,
) -> tuple[Key, list[str]]:
    """The instance that a call in device code means, and the arguments to pass for values.

    Types that the call leaves out are those of its arguments, as if they had been written; one
    stays open where an argument's type is not known.
    """
    function = callee.function
    key: list[Argument] = []
    runtime: list[str] = []
    deduced = deduced_arguments(callee, nodes, types, draft)
    is_special = draft.program.is_specialised(function)
    for index, parameter in enumerate(function.template or ()):
        given: Argument | None = explicit[index] if index < len(explicit) else None
        if parameter.kind is ParameterKind.PACK:
            listed = deduced.get(f"{parameter.name}...")
            if listed is not None and not explicit[index:]:
                key.append(tuple(listed.splitlines()))
            else:
                key.append(_pack(function, parameter, explicit[index:], types, draft, at))
            continue
        found = deduced.get(parameter.name)
        if parameter.kind is ParameterKind.TYPE:
            if given is None and found is not None and _is_plain(found, draft):
                given = found
            if given is None or draft.program.is_placeholder(str(given)):
                given = _open_type(function, parameter, None if given is None else str(given))
                if given is Unbound.DEDUCED:
                    _refuse_size(function, parameter, types, draft)
        elif given is None:
            given = found or _array_size(function, parameter, nodes, draft)
            group = _tile_of(function, parameter, nodes, draft) if given is None else None
            if group is not None:
                key.append(Unbound.RUNTIME)
                runtime.append(f"cg__size({group})")
                continue
        is_default = given is None
        if given is None:
            given = default_of(callee, parameter, key, draft)
        if given is None:
            raise LostError(at.start_byte, _message(function, parameter), TEMPLATE)
        if not isinstance(given, str) or isinstance(given, Unbound):
            key.append(given)
            continue
        text = normal_value(parameter, given)
        if is_default or parameter.kind is ParameterKind.VALUE:
            refuse_open(parameter.name, (text,), at.start_byte, draft.program)
        if any(word in draft.binding.symbolic for word in _WORD.findall(text)):
            key.append(Unbound.RUNTIME)
            runtime.append(text)
        else:
            key.append(text)
    if is_special and any(isinstance(one, Unbound) for one in key):
        message = f"which specialisation of '{function.name}' is meant is not known here"
        raise LostError(at.start_byte, message, TEMPLATE)
    return tuple(key), runtime


def _is_plain(text: str, draft: Draft) -> bool:
    return not draft.program.is_placeholder(text)


def deduced_arguments(
    callee: Callee, nodes: Sequence[Node], types: Sequence[CType | None], draft: Draft
) -> dict[str, str | None]:
    """What the arguments' types say about template parameters, by name."""
    function = callee.function
    names = {one.name for one in function.template or () if one.name}
    found: dict[str, str | None] = {}
    for parameter, node, given in zip(function.parameters, nodes, types, strict=False):
        if given is None or is_pack(parameter):
            continue
        is_whole = parameter.is_reference and not parameter.depth
        if is_whole and given.depth and dimensions(node, draft):
            continue  # `T` is the array's type, which no text names
        if parameter.base in names:
            found.setdefault(parameter.base, deduce(parameter, parameter.base, given))
        elif "<" in parameter.base:
            match_class(parameter.node.child_by_field_name("type"), given.base, names, found, draft)
    return found


def _pack(
    function: Function,
    parameter: TemplateParameter,
    explicit: Sequence[str],
    types: Sequence[CType | None],
    draft: Draft,
    at: Node,
) -> tuple[str, ...]:
    """What a parameter pack stands for: given, or one type for each argument left."""
    found = pack_elements(function, parameter, explicit, types)
    if found is None or any(draft.program.is_placeholder(one.rstrip("*")) for one in found):
        raise LostError(at.start_byte, _message(function, parameter), TEMPLATE)
    return found


def pack_elements(
    function: Function,
    parameter: TemplateParameter,
    explicit: Sequence[str],
    types: Sequence[CType | None],
) -> tuple[str, ...] | None:
    """What a pack stands for; None where the type of an argument is not known."""
    for index, one in enumerate(function.parameters):
        if not is_pack(one) or one.base != parameter.name:
            continue
        found: list[str] = list(explicit)
        for given in types[index + len(found) :]:
            text = None if given is None else deduce(one, parameter.name, given)
            if text is None:
                return None
            found.append(text if "*" in text else text.removeprefix("const "))
        return tuple(found)
    is_named = any(
        parameter.name in _WORD.findall(one.base) for one in function.parameters if parameter.name
    )
    return None if is_named and not explicit else tuple(explicit)


def parameters_of(function: Function, key: Key) -> tuple[Parameter, ...]:
    """The parameters of an instance, a pack's one by one."""
    if not any(is_pack(one) for one in function.parameters):
        return function.parameters
    packs = dict(zip((one.name for one in function.template or ()), key, strict=False))
    found: list[Parameter] = []
    for one in function.parameters:
        elements = packs.get(one.base)
        if is_pack(one) and isinstance(elements, tuple):
            found += [replace(one, base=text, is_pack=False) for text in elements]
        else:
            found.append(one)
    return tuple(found)


def declares(function: Function, count: int) -> bool:
    """Whether an instance of the function can have so many parameters."""
    own = len(function.parameters)
    return count >= own - 1 if any(map(is_pack, function.parameters)) else count == own


def refuse_packs(parameter: TemplateParameter, at: Node) -> None:
    """Raise LostError for parameters of a kernel that nothing instantiates and that stand for
    several things or for templates."""
    if parameter.kind is ParameterKind.PACK:
        message = f"no launch in the file says what the pack '{parameter.name}' stands for"
        raise LostError(at.start_byte, message, TEMPLATE)
    if parameter.kind is ParameterKind.TEMPLATE:
        message = f"no launch in the file says which template '{parameter.name}' stands for"
        raise LostError(at.start_byte, message, TEMPLATE)


def _message(function: Function, parameter: TemplateParameter) -> str:
    return f"template argument '{parameter.name}' of '{function.name}' cannot be deduced"


def _open_type(
    function: Function, parameter: TemplateParameter, given: str | None
) -> Argument | None:
    if any(one.base == parameter.name for one in function.parameters):
        return Unbound.DEDUCED
    return given


def _refuse_size(
    function: Function,
    parameter: TemplateParameter,
    types: Sequence[CType | None],
    draft: Draft,
) -> None:
    """Raise LostError where a function asks for the size of a type that nothing says."""
    found = re.search(rf"\bsizeof\s*\(\s*{parameter.name}\s*\)", draft.text_of(function.node))
    pairs = zip(function.parameters, types, strict=False)
    given = [found_type for one, found_type in pairs if one.base == parameter.name]
    if found is None or all(one is not None and _is_plain(one.base, draft) for one in given):
        return
    at = function.node.start_byte + found.start()
    raise depends_on(parameter.name, found.group(), at)


def _array_size(
    function: Function, parameter: TemplateParameter, nodes: Sequence[Node], draft: Draft
) -> str | None:
    """`N` of `T (&x)[N]`, from the declaration of the array that is passed."""
    pattern = re.compile(rf"\[\s*{re.escape(parameter.name)}\s*\]")
    for one, argument in zip(function.parameters, nodes, strict=False):
        found = pattern.search(draft.text_of(one.node))
        if found is not None and argument.type == "identifier":
            size = draft.array_sizes.get(draft.text_of(argument))
            if size is not None:
                return draft.rendered_node(size)
    return None


def _tile_of(
    function: Function, parameter: TemplateParameter, nodes: Sequence[Node], draft: Draft
) -> str | None:
    """The group of threads passed for `thread_block_tile<N>`, whose size N is."""
    pattern = re.compile(rf"\bthread_block_tile\s*<\s*{re.escape(parameter.name)}\s*[,>]")
    for one, argument in zip(function.parameters, nodes, strict=False):
        if pattern.search(draft.text_of(one.node)):
            return draft.rendered_node(argument)
    return None


def default_of(
    callee: Callee, parameter: TemplateParameter, key: Sequence[Argument], draft: Draft
) -> str | None:
    """A template parameter's default, the parameters before it bound."""
    if parameter.default is None:
        return None
    if not parameter.name:
        return ""  # nothing can refer to it
    function = callee.function
    filled = (*key, *([""] * (len(function.template or ()) - len(key))))
    binding = bind(function, filled, function.name)
    for one, argument in zip(function.template or (), filled, strict=True):
        if argument is Unbound.DEDUCED:
            draft.program.placeholders[binding.names[one.name]] = one.name
    if callee.owner is not None:
        binding = callee.owner.binding.joined(binding)
    start, end = parameter.default.start, parameter.default.end
    if parameter.kind is ParameterKind.TEMPLATE:
        return draft.tree.text[start:end].rpartition("::")[2].strip()
    return draft.program.rendered_with(start, end, binding, function.scope)
