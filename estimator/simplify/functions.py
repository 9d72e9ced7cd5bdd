"""Function definitions: CUDA's qualifiers become attributes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.immutable import immutable
from estimator.simplify.classes import Callee
from estimator.simplify.constants import constant_in
from estimator.simplify.constructors import construct
from estimator.simplify.declarators import is_const, trailing_type
from estimator.simplify.draft import Draft, LostError, Piece, Returns
from estimator.simplify.instances import Argument, Key, Unbound, bind
from estimator.simplify.shown import written
from estimator.simplify.specialisations import function_specialisation
from estimator.simplify.symbols import (
    Function,
    FunctionKind,
    ParameterKind,
    Role,
    TemplateParameter,
)
from estimator.simplify.typeof import described
from estimator.simplify.unknown_types import unknown_type
from estimator.simplify.variables import REFERENCE
from estimator.source.codes import SYNTAX

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.classes import Record
    from estimator.simplify.program import Program

_NO_WORD = re.compile(r"\W+")
_KEPT = frozenset({"const", "volatile"})


@immutable()
class Wanted:
    """A function to be made: which instance, under which name, for objects of which class.

    `is_init`: a base's constructor, which works on an object instead of making one.
    """

    function: Function
    key: Key
    name: str
    kind: FunctionKind
    owner: Record | None = None
    this: Record | None = None
    is_init: bool = False


def function_draft(program: Program, wanted: Wanted) -> Draft:
    """A draft of the function, in which its template parameters and members are bound."""
    function = wanted.function
    binding = bind(function, wanted.key, wanted.name)
    if wanted.owner is not None:
        binding = wanted.owner.binding.joined(binding)
    draft = Draft(program, binding, function.scope, wanted.kind)
    draft.owner = wanted.owner
    draft.this = wanted.this if function.role is not Role.STATIC else None
    draft.this_const = function.is_const and function.role is not Role.LAMBDA
    draft.returns = Returns.VALUE if wanted.is_init else returns(draft, function)
    return draft


def returns(draft: Draft, function: Function) -> Returns:
    """How the function gives its result: a reference is an address, unless a copy does."""
    if function.role is Role.CONSTRUCTOR:
        return Returns.OBJECT
    target = trailing_type(function.declarator)
    outer = (target or function.node).child_by_field_name("declarator")
    kinds = {"reference_declarator", "abstract_reference_declarator"}
    if outer is None or outer.type not in kinds:
        return Returns.VALUE
    specifier = (target or function.node).child_by_field_name("type")
    found = described(draft, specifier)
    is_object = found.base in draft.program.records or draft.is_aggregate(found.base)
    is_fixed = is_const(draft.tree, target or function.node)
    return Returns.POINTER if is_object or not is_fixed else Returns.VALUE


def function_pieces(program: Program, wanted: Wanted) -> list[Piece]:
    """The function as an item, its template parameters bound by the key.

    Raises LostError when it holds a construct without a rule, or a syntax error.
    """
    return function_pieces_and_draft(program, wanted)[0]


def function_pieces_and_draft(program: Program, wanted: Wanted) -> tuple[list[Piece], Draft]:
    """The function as an item, and the draft that it was made in."""
    if wanted.function.role is Role.LAMBDA:
        return program.lambdas.pieces(wanted)
    function, key = wanted.function, wanted.key
    if function.fault is not None:
        raise LostError(function.fault.offset, function.fault.message, SYNTAX)
    _refuse_special_member(program, wanted)
    source = function_specialisation(program, function, key) or function
    node = source.node
    if not source.has_body:
        raise LostError(
            node.start_byte, f"'{_shown(wanted)}' has no body in the file, and is not supported"
        )
    draft = function_draft(program, wanted)
    attributes = [f"[[cuda::{wanted.kind.value}]]"]
    inferred = _header(source, wanted, attributes, draft)
    note = _note(program, wanted)
    if note:
        attributes.append(note)
    result = _object_result(wanted)
    draft.before(node.start_byte, " ".join(attributes) + ("\n" if note else " ") + result)
    _append_values(function, source, key, draft)
    if function.role is Role.CONSTRUCTOR:
        construct(source.node, wanted.this, draft, is_init=wanted.is_init)
    try:
        draft.run(node.start_byte, node.end_byte)
    except LostError as why:
        raise unknown_type(why, function, key) from None
    if inferred is not None:
        _infer_result(inferred, draft)
    return draft.pieces(node.start_byte, node.end_byte), draft


def _refuse_special_member(program: Program, wanted: Wanted) -> None:
    """Raise LostError where `template <> T S<A>::f()` may be meant instead of a method."""
    owner = wanted.owner
    for other in program.symbols.outside.get(owner.defined.name, ()) if owner is not None else ():
        is_other = other.node.start_byte != wanted.function.node.start_byte
        if is_other and other.template == () and other.name == wanted.function.name:
            message = f"an explicit specialisation of the member '{_shown(wanted)}'"
            raise LostError(other.node.start_byte, f"{message} is not supported")


def _shown(wanted: Wanted) -> str:
    """A function's name as C++ has it."""
    name = wanted.function.name
    owner = wanted.owner.defined.name if wanted.owner is not None else ""
    if wanted.function.role is Role.CONSTRUCTOR:
        name = owner
    return f"{owner}::{name}" if owner else name


def _object_result(wanted: Wanted) -> str:
    if wanted.function.role is not Role.CONSTRUCTOR or wanted.this is None:
        return ""
    return "void " if wanted.is_init else f"{wanted.this.name} "


def _header(function: Function, wanted: Wanted, attributes: list[str], draft: Draft) -> Node | None:
    """Take qualifiers out of the text and name the function; gives an `auto` to be inferred."""
    node, declarator = function.node, function.declarator
    specifier = node.child_by_field_name("type")
    outer = node.child_by_field_name("declarator") or declarator
    for child in node.children:
        if child.start_byte >= outer.start_byte:
            break
        if child.type == "launch_bounds":
            bounds = ", ".join(_bound(part, draft) for part in child.named_children)
            attributes.append(f"[[cuda::launch_bounds({bounds})]]")
        elif child == specifier or draft.text_of(child) in _KEPT:
            continue
        draft.skip(child.start_byte, draft.past_space(child.end_byte))
    if function.role is Role.CONVERSION:
        _conversion(declarator, wanted, draft)
        return None
    if outer.type == "reference_declarator":
        sign = outer.children[0]
        if draft.returns is Returns.POINTER:
            space = "" if draft.tree.text[sign.start_byte - 1].isspace() else " "
            draft.replace(sign.start_byte, draft.past_space(sign.end_byte), f"{space}*")
        else:
            draft.delete_token(sign)
    name_node = declarator.child_by_field_name("declarator")
    if name_node is not None and draft.text_of(name_node) != wanted.name:
        draft.skip(name_node.start_byte, name_node.end_byte, wanted.name)
    listed = declarator.child_by_field_name("parameters")
    if listed is not None:
        object_parameter(listed, function, wanted, draft)
        _trailing_words(listed, declarator, draft)
    draft.return_type = draft.rendered_node(specifier) if specifier is not None else ""
    return _trailing_type(specifier, wanted, declarator, draft)


def object_parameter(listed: Node, function: Function, wanted: Wanted, draft: Draft) -> None:
    """A method takes its object as its first parameter, `self`."""
    if wanted.this is None or function.role is Role.STATIC:
        return
    if function.role is Role.CONSTRUCTOR and not wanted.is_init:
        return
    const = "const " if function.is_const else ""
    text = f"{REFERENCE}{const}{wanted.this.name} self"
    opened = listed.start_byte + 1
    if function.parameters:
        draft.replace(listed.start_byte, opened, f"({text}, ")
    else:
        draft.skip(listed.start_byte, listed.end_byte, f"({text})")


def _trailing_words(listed: Node, declarator: Node, draft: Draft) -> None:
    """`const`, `override` and the like behind the parameters."""
    if trailing_type(declarator) is not None:
        return  # they are left out with it
    for child in declarator.children:
        if child.start_byte >= listed.end_byte:
            start = child.start_byte
            while draft.tree.text[start - 1].isspace():
                start -= 1
            draft.skip(start, child.end_byte)


def _conversion(declarator: Node, wanted: Wanted, draft: Draft) -> None:
    """`operator float() const` → `float S__as_float(S self)`."""
    specifier = declarator.child_by_field_name("type")
    inner = declarator.child_by_field_name("declarator")
    text = draft.rendered_node(specifier) if specifier is not None else ""
    stars = draft.text_of(inner).split("(")[0].strip() if inner is not None else ""
    if stars.strip("* "):
        raise draft.lose(declarator, "a conversion to this type")
    draft.return_type = f"{text} {stars}".strip()
    name = wanted.this.name if wanted.this is not None else ""
    const = "const " if wanted.function.is_const else ""
    head = f"{draft.return_type} {wanted.name}({REFERENCE}{const}{name} self)"
    draft.skip(declarator.start_byte, declarator.end_byte, head)


def _trailing_type(
    specifier: Node | None, wanted: Wanted, declarator: Node, draft: Draft
) -> Node | None:
    """`auto f() -> float` → `float f()`; gives an `auto` without one."""
    if specifier is None or draft.text_of(specifier) not in {"auto", "decltype(auto)"}:
        return None
    target = trailing_type(declarator)
    if target is not None:
        text = trailing_result(target, wanted, draft)
        draft.skip(specifier.start_byte, specifier.end_byte, text)
        listed = declarator.child_by_field_name("parameters")
        start = listed.end_byte if listed is not None else target.start_byte
        draft.skip(start, declarator.end_byte)
        return None
    draft.return_type = ""
    draft.done.update((specifier.id, *(child.id for child in specifier.children)))
    return specifier


def trailing_result(target: Node, wanted: Wanted, draft: Draft) -> str:
    """What stands in front of the function for `-> T`: a reference is an address or a copy.

    What `decltype` asks for is computed: parameters, which it may name, stand behind it in C.
    """
    if "decltype" in draft.text_of(target):
        callee = Callee(wanted.function, wanted.owner, wanted.this)
        found = draft.program.result_of(callee, wanted.key)
        if found is None or found.base in {"", "auto"}:
            raise draft.lose(target, f"the type '{draft.text_of(target)}'")
        draft.return_type = found.text
    else:
        draft.return_type = draft.rendered_node(target).rstrip("& ")
    return f"{draft.return_type} *" if draft.returns is Returns.POINTER else draft.return_type


def _infer_result(specifier: Node, draft: Draft) -> None:
    """Write the type of the first `return` in place of `auto`."""
    found = next((one for one in draft.returned if one is not None), None)
    if found is None and draft.returned:
        raise draft.lose(specifier, "an inferred result type")
    draft.skip(
        specifier.start_byte, specifier.end_byte, found.text if found is not None else "void"
    )


def _bound(node: Node, draft: Draft) -> str:
    """A launch bound as a number; as it is written where it is no constant."""
    text = draft.rendered_node(node)
    value = constant_in(text, draft, node)
    return text if value is None else str(value)


def kernel_name(wanted: Wanted) -> str:
    """A kernel's name in C++, with its namespace where another one has a kernel of it too."""
    function = wanted.function
    scope = _NO_WORD.sub("_", function.scope)
    is_scoped = bool(scope) and wanted.name.startswith(f"{scope}__{function.name}")
    return f"{function.scope}::{function.name}" if is_scoped else function.name


def _note(program: Program, wanted: Wanted) -> str:
    """The attribute with the C++ name that is another one, or with what was assumed."""
    function, key = wanted.function, wanted.key
    pairs = [
        (parameter, argument)
        for parameter, argument in zip(function.template or (), key, strict=True)
        if parameter.name
    ]
    name = kernel_name(wanted) if wanted.kind is FunctionKind.KERNEL else wanted.name
    alone = f'[[cuda::instance("{name}")]] ' if name != wanted.name else ""
    if any(argument is Unbound.ASSUMED for _, argument in pairs):
        types = [
            f"{parameter.name} = float"
            for parameter, argument in pairs
            if argument is Unbound.ASSUMED and parameter.kind is ParameterKind.TYPE
        ]
        assumed = f'[[cuda::assumed("{", ".join(types)}")]]' if types else ""
        if all(isinstance(argument, Unbound) for _, argument in pairs):
            return f"{alone}{assumed}".rstrip()
        return f"{_instance(program, function, pairs)} {assumed}".rstrip()
    if not pairs or any(argument is Unbound.DEDUCED for _, argument in pairs):
        return alone.rstrip()
    return _instance(program, function, pairs)


def _instance(
    program: Program, function: Function, pairs: list[tuple[TemplateParameter, Argument]]
) -> str:
    shown: list[str] = []
    for parameter, argument in pairs:
        if isinstance(argument, tuple):
            shown.extend(argument)
        else:
            shown.append(parameter.name if isinstance(argument, Unbound) else argument)
    texts = (written(program, text) for text in shown)
    arguments = ", ".join(texts).replace("\\", "\\\\").replace('"', '\\"')
    return f'[[cuda::instance("{function.name}<{arguments}>")]]'


def _append_values(function: Function, source: Function, key: Key, draft: Draft) -> None:
    """Template values that are not known become parameters of the function."""
    added = [
        f"[[cuda::template_value]] {parameter.type_text or 'int'} {parameter.name}"
        for parameter, argument in zip(function.template or (), key, strict=True)
        if argument in (Unbound.RUNTIME, Unbound.ASSUMED) and parameter.kind is ParameterKind.VALUE
    ]
    listed = source.declarator.child_by_field_name("parameters")
    if not added or listed is None:
        return
    text = ", ".join(added)
    close = listed.end_byte - 1
    if source.parameters:
        draft.before(close, f", {text}")
    else:
        draft.skip(listed.start_byte + 1, close, text)


def placeholder_names(function: Function, key: Key, name: str) -> list[str]:
    """The typedef names that stand for the type parameters a call leaves open."""
    return [
        f"{name}__{parameter.name}"
        for parameter, argument in zip(function.template or (), key, strict=True)
        if argument is Unbound.DEDUCED
    ]
