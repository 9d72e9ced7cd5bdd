"""Lambdas: a structure of what they capture, and a function with it as its first parameter."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from estimator.immutable import immutable
from estimator.simplify.classes import CALL, Members, Record
from estimator.simplify.copies import is_temporary, refuse_copy
from estimator.simplify.declarators import layers, trailing_type
from estimator.simplify.declare import declared_parameters, template_parameters
from estimator.simplify.draft import Binding, Draft, LostError, Piece
from estimator.simplify.inference import CType
from estimator.simplify.instances import bind
from estimator.simplify.localaliases import with_aliases
from estimator.simplify.symbols import (
    Function,
    FunctionKind,
    ParameterKind,
    Role,
    TemplateParameter,
    Type,
    TypeKind,
)
from estimator.source.codes import TEMPLATE

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.functions import Wanted
    from estimator.simplify.program import Program

_WORD = re.compile(r"(?<!\w)[A-Za-z_]\w*")
_OBJECT = "this__"


@immutable()
class _Capture:
    """One captured variable: its field, the field's first value, and its text in the body."""

    field: str
    value: str
    text: str
    type: CType


@dataclass(slots=True)
class _Closure:
    """A lambda where it stands: its captures and the draft around it."""

    node: Node
    outer: Draft
    captures: dict[str, _Capture] = field(default_factory=dict)
    has_object: bool = False


class Lambdas:
    """The lambdas of a file, each once for every instance of the function around it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._records: dict[object, Record] = {}
        self._closures: dict[str, _Closure] = {}

    def require(self, node: Node, draft: Draft) -> Record:
        """The class of the lambda's objects. Raises LostError for captures without a type."""
        this = draft.this.name if draft.this is not None else ""
        names = (tuple(sorted(draft.binding.names.items())), tuple(sorted(draft.binding.packs)))
        at = (node.start_byte, names, this)
        known = self._records.get(at)
        if known is not None:
            return known
        name = f"lambda__{len(self._records) + 1}"
        _refuse_unknown(node, draft)
        closure = _closure(node, draft)
        defined = Type(name, draft.scope, node, TypeKind.RECORD)
        record = Record(name, defined, Binding())
        self._records[at] = record
        self._closures[name] = closure
        self.program.records[name] = record
        self.program.table.set_members(record, Members(functions={CALL: [_function(node, draft)]}))
        self.program.make_type(
            name, _order(node), [one.type.base for one in closure.captures.values()],
            lambda: [Piece(_structure(name, closure), node.start_byte, False)],
        )  # fmt: skip
        return record

    def value(self, node: Node, draft: Draft) -> str:
        """The object that a lambda's expression makes."""
        record = self.require(node, draft)
        closure = self._closures[record.name]
        values = [one.value for one in closure.captures.values()]
        if closure.has_object:
            values.append(f"&{draft.self_text}")
        return f"({record.name}){{{', '.join(values)}}}"

    def pieces(self, wanted: Wanted) -> tuple[list[Piece], Draft]:
        """The lambda's body as a function."""
        from estimator.simplify.functions import object_parameter

        assert wanted.this is not None
        closure = self._closures[wanted.this.name]
        node, outer = closure.node, closure.outer
        binding = with_aliases(node, outer).joined(bind(wanted.function, wanted.key, wanted.name))
        draft = Draft(self.program, binding, outer.scope, FunctionKind.DEVICE)
        draft.captures = {name: one.text for name, one in closure.captures.items()}
        types = {
            name: replace(one.type, is_const=True)
            if wanted.function.is_const and one.text == f"self.{name}" and not one.type.depth
            else one.type
            for name, one in closure.captures.items()
        }
        draft.captured = (node, types)
        draft.owner, draft.local_types = outer.owner, outer.local_types
        draft.local_shapes = outer.local_shapes
        draft.array_sizes = dict(outer.array_sizes)
        if closure.has_object:
            draft.this, draft.self_text = outer.this, f"(*self.{_OBJECT})"
            draft.this_const = outer.this_const
        declarator = node.child_by_field_name("declarator")
        listed = declarator.child_by_field_name("parameters") if declarator is not None else None
        body = node.child_by_field_name("body")
        assert body is not None
        start = (listed or body).start_byte
        result = self._result(wanted, declarator, draft)
        head = f"[[cuda::device]] {result or 'void'} {wanted.name}"
        if listed is not None and declarator is not None:
            object_parameter(listed, wanted.function, wanted, draft)
            _drop_trailing_type(listed, body, draft)
            _name_types(wanted, draft)
        else:
            head += f"([[cuda::reference]] const {wanted.this.name} self) "
        draft.run(start, node.end_byte)
        if result is None:
            found = next((one for one in draft.returned if one is not None), None)
            if found is None and draft.returned:
                raise draft.lose(node, "a lambda whose result has no known type")
            if found is not None:
                head = head.replace("]] void ", f"]] {found.text} ", 1)
        pieces = [Piece(head, node.start_byte, False), *draft.pieces(start, node.end_byte)]
        return pieces, draft

    def _result(self, wanted: Wanted, declarator: Node | None, draft: Draft) -> str | None:
        from estimator.simplify.functions import returns, trailing_result

        target = trailing_type(declarator)
        if target is None:
            return None
        draft.returns = returns(draft, wanted.function)
        return trailing_result(target, wanted, draft)


def _refuse_unknown(node: Node, outer: Draft) -> None:
    """A lambda of host code that names a template parameter which nothing says."""
    if outer.kind is not FunctionKind.HOST:
        return
    named: set[str] = set()
    above = node.parent
    while above is not None:
        if above.type == "template_declaration":
            named.update(one.name for one in template_parameters(outer.tree, above))
        above = above.parent
    missing = {name for name in named if name not in outer.binding.names} | outer.open
    for word in _WORD.finditer(outer.tree.parsed, node.start_byte, node.end_byte):
        if word.group() in missing and outer.local(word.group(), word.start()) is None:
            message = f"what '{word.group()}' stands for in this lambda is not known"
            raise LostError(word.start(), message, TEMPLATE)


def _drop_trailing_type(listed: Node, body: Node, draft: Draft) -> None:
    if draft.tree.parsed[listed.end_byte : body.start_byte].strip():
        draft.skip(listed.end_byte, body.start_byte, " ")


def _name_types(wanted: Wanted, draft: Draft) -> None:
    """`auto x` as a parameter is a template parameter without a name."""
    for parameter in wanted.function.parameters:
        specifier = parameter.node.child_by_field_name("type")
        if specifier is not None and parameter.base.startswith("auto__") and not parameter.is_pack:
            text = draft.binding.names[parameter.base]
            draft.replace(specifier.start_byte, specifier.end_byte, text)
            inner = parameter.node.child_by_field_name("declarator")
            depth = sum(layer.type == "pointer_declarator" for layer in layers(inner))
            found = draft.canonical(text)
            draft.auto_types[parameter.name] = replace(found, depth=found.depth + depth)


def _function(node: Node, draft: Draft) -> Function:
    declarator = node.child_by_field_name("declarator") or node
    listed = node.child_by_field_name("template_parameters")
    template: list[TemplateParameter] = []
    if listed is not None:
        template.extend(template_parameters(draft.tree, _Holder(listed)))  # type: ignore[arg-type]
    parameters = []
    given = declared_parameters(draft.tree, declarator) if declarator is not node else ()
    for index, one in enumerate(given):
        if one.base in {"auto", "decltype(auto)"}:
            name = f"auto__{index + 1}"
            kind = ParameterKind.PACK if one.is_pack else ParameterKind.TYPE
            template.append(TemplateParameter(name, kind, "", None))
            one = replace(one, base=name)
        parameters.append(one)
    return Function(
        CALL,
        draft.scope,
        node,
        declarator,
        FunctionKind.DEVICE,
        tuple(template) or None,
        tuple(parameters),
        role=Role.LAMBDA,
        is_const=not any(one.type == "lambda_specifier" for one in declarator.children),
    )


@immutable()
class _Holder:
    """A lambda's template parameters stand in its own list, not in a declaration."""

    listed: Node

    def child_by_field_name(self, name: str) -> Node | None:
        return self.listed if name == "parameters" else None


def _closure(node: Node, draft: Draft) -> _Closure:
    closure = _Closure(node, draft)
    listed = node.child_by_field_name("captures")
    default, previous = "", ""
    references: dict[str, bool] = {}
    for child in listed.children if listed is not None else []:
        if child.type == "lambda_default_capture":
            default = draft.text_of(child)
        elif child.type == "identifier":
            references[draft.text_of(child)] = previous == "&"
        elif child.type == "this":
            closure.has_object = draft.this is not None
            if draft.this is None and draft.tree.text[child.start_byte - 1] == "*":
                _capture_members(closure, draft)
        elif child.type == "lambda_capture_initializer":
            _initialised(child, closure, draft)
        previous = child.type
    if default and draft.this is not None:
        closure.has_object = True
    body = node.child_by_field_name("body")
    names = _names_in(body, draft) if body is not None else []
    for name in dict.fromkeys((*references, *names)):
        if name in closure.captures:
            continue
        ctype = draft.local(name, node.start_byte)
        if ctype is None:
            continue
        if ctype.base == "auto":
            ctype = _inferred(name, ctype, node, draft)
        if draft.kind is FunctionKind.HOST and ctype.base not in {"", "auto", "()"}:
            meant = draft.canonical(draft.binding.names.get(ctype.base, ctype.base))
            const = ctype.is_const or meant.is_const
            ctype = CType(meant.base, const, ctype.depth + meant.depth)
        # What is not captured, but seen, is in shared memory or a constant: its address will do.
        by_reference = references.get(
            name, default != "=" and (name in references or bool(default))
        )
        _capture(name, ctype, closure, draft, by_reference=by_reference)
    return closure


def _capture_members(closure: _Closure, draft: Draft) -> None:
    """`*this` in a method of the host: the members that the body names, each by its value."""
    node: Node | None = closure.node
    while node is not None and not node.type.endswith("_specifier"):
        node = node.parent
    program = draft.program
    found = [one for each in program.symbols.types.values() for one in each if one.node == node]
    if len(found) != 1 or found[0].template is not None:
        return
    record = program.records.get(program.require_type(found[0], ()))
    body = closure.node.child_by_field_name("body")
    if record is None or body is None:
        return
    for name in dict.fromkeys(_names_in(body, draft)):
        ctype = program.table.field_type(record, name)
        if ctype is not None and draft.local(name, closure.node.start_byte) is None:
            _capture(name, ctype, closure, draft, by_reference=False)


def _inferred(name: str, found: CType, node: Node, draft: Draft) -> CType:
    """The type of a variable that is declared `auto` in front of a lambda."""
    from estimator.simplify.constants import declared
    from estimator.simplify.variables import inferred

    for _, declarator in declared(name, draft, node):
        if declarator.type == "init_declarator":
            return inferred(found, declarator, draft)
    return found


def _names_in(body: Node, draft: Draft) -> list[str]:
    parsed = draft.tree.parsed
    found = []
    for match in _WORD.finditer(parsed, body.start_byte, body.end_byte):
        at = match.start()
        if parsed[at - 1] != "." and parsed[at - 2 : at] != "->":
            found.append(match.group())
    return found


def _capture(
    name: str, ctype: CType, closure: _Closure, draft: Draft, *, by_reference: bool
) -> None:
    node = closure.node
    if ctype.base in {"", "auto"}:
        raise draft.lose(node, f"a lambda that captures '{name}', whose type is not known,")
    outer = draft.captures.get(name, name)
    if ctype.base == "()":
        return  # a pointer to a function: its one target is called
    if name in draft.array_shapes:
        dimensions = draft.array_shapes[name]
        inner = "".join(f"[{draft.rendered_node(one)}]" for one in dimensions[1:])
        const = "const " if ctype.is_const else ""
        declared = (
            f"{const}{ctype.base} (*{name}){inner}" if inner else f"{const}{ctype.base} *{name}"
        )
        closure.captures[name] = _Capture(declared, outer, f"self.{name}", ctype)
        return
    text = replace(ctype, is_const=ctype.is_const and ctype.depth > 0).text
    space = "" if text.endswith("*") else " "
    if by_reference:
        pointer = f"{text}{space}*{name}"
        closure.captures[name] = _Capture(pointer, f"&{outer}", f"(*self.{name})", ctype)
    else:
        refuse_copy(ctype, node, draft)
        closure.captures[name] = _Capture(f"{text}{space}{name}", outer, f"self.{name}", ctype)


def _initialised(node: Node, closure: _Closure, draft: Draft) -> None:
    from estimator.simplify.typeof import type_of

    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return
    name = draft.text_of(left)
    ctype = type_of(right, draft)
    if ctype is None:
        raise draft.lose(node, f"a lambda that captures '{name}', whose type is not known,")
    if not is_temporary(right, draft):
        refuse_copy(ctype, node, draft)
    space = "" if ctype.text.endswith("*") else " "
    value = draft.rendered_node(right)
    closure.captures[name] = _Capture(f"{ctype.text}{space}{name}", value, f"self.{name}", ctype)


def _structure(name: str, closure: _Closure) -> str:
    fields = [one.field for one in closure.captures.values()]
    if closure.has_object and closure.outer.this is not None:
        fields.append(f"{closure.outer.this.name} *{_OBJECT}")
    inside = "".join(f"{one}; " for one in fields)
    return f"typedef struct {name} {{ {inside}}} {name};"


def _order(node: Node) -> int:
    """In front of the function that a lambda stands in."""
    above: Node | None = node
    start = node.start_byte
    while above is not None:
        if above.type == "function_definition":
            start = above.start_byte
        above = above.parent
    return start


def expression(node: Node, draft: Draft) -> None:
    """`[=](float v) { … }` → `(lambda__1){a}`."""
    draft.skip(node.start_byte, node.end_byte, draft.program.lambdas.value(node, draft))
