"""The types of expressions in a function: what operators, methods and templates are chosen by."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from estimator.simplify.classes import CALL
from estimator.simplify.conversions import binary_type, chosen_type, unary_type
from estimator.simplify.declarators import is_const, layers
from estimator.simplify.inference import (
    POINTERS,
    UNSIGNED,
    VECTOR,
    CType,
    literal_type,
)
from estimator.simplify.names import CXX_CASTS
from estimator.simplify.resultof import (
    builtin_operand,
    builtin_result,
    called_function,
    operator_result,
)
from estimator.simplify.typetext import builtin

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from estimator.simplify.classes import Record
    from estimator.simplify.draft import Draft

_DEEPEST = 60
_INDICES = frozenset({"threadIdx", "blockIdx", "blockDim", "gridDim"})


def declared(draft: Draft, node: Node, declarator: Node | None) -> CType:
    """The type that a declaration gives to one of its declarators, aliases followed."""
    specifier = node.child_by_field_name("type")
    found = described(draft, specifier)
    depth = sum(layer.type in POINTERS for layer in layers(declarator))
    # `const` in front of an alias that means a pointer is the pointer's.
    const = found.is_const or (is_const(draft.tree, node) and not found.depth)
    return CType(found.base, const, found.depth + depth)


def described(draft: Draft, specifier: Node | None) -> CType:
    """The type that a specifier names."""
    if specifier is None:
        return CType("")
    if specifier.type == "primitive_type":
        return CType(draft.text_of(specifier))
    if specifier.type == "placeholder_type_specifier":
        return CType("auto")
    if specifier.type == "type_descriptor":
        return declared(draft, specifier, specifier.child_by_field_name("declarator"))
    if specifier.type in {"struct_specifier", "class_specifier", "union_specifier"}:
        name = specifier.child_by_field_name("name")
        return draft.canonical(draft.text_of(name)) if name is not None else CType("")
    if specifier.type == "sized_type_specifier":
        return CType(builtin(draft.text_of(specifier).split()))
    if specifier.type == "decltype":
        inner = specifier.named_children
        return (type_of(inner[-1], draft) if inner else None) or CType("")
    return draft.canonical(draft.rendered_node(specifier))


def type_of(node: Node, draft: Draft, deep: int = 0) -> CType | None:
    """The type of an expression; None where it is not known."""
    known = draft.types.get(node.id)
    if known is not None:
        return known
    if deep > _DEEPEST:
        return None
    rule = _RULES.get(node.type)
    found = rule(node, draft, deep + 1) if rule is not None else None
    if found is None or found.base in {"", "auto"}:
        return None
    draft.types[node.id] = found
    return found


def record_type(node: Node, draft: Draft) -> CType | None:
    """The type of an expression that is an object of a class or a vector, not a pointer."""
    found = type_of(node, draft)
    if found is None or found.depth:
        return None
    return found if found.base in draft.program.records or draft.is_aggregate(found.base) else None


def _identifier(node: Node, draft: Draft, deep: int) -> CType | None:
    name = draft.text_of(node)
    name = draft.binding.names.get(name, name)
    found = draft.local(name, node.start_byte)
    if found is not None:
        return found
    if draft.owner is not None:
        member = draft.program.table.field_type(draft.this or draft.owner, name)
        if member is not None:
            return _part(draft.this or draft.owner, name, member, draft, is_const=draft.this_const)
    if name in draft.program.symbols.constants:
        from estimator.simplify.membernames import enumeration_type

        return enumeration_type(draft.program, draft.program.symbols.constants[name])
    if name == "warpSize":
        return CType("int")
    if name in _INDICES:
        return CType("uint3")
    from estimator.simplify.membernames import variable_type

    return variable_type(draft.program, name, draft)


def _named(node: Node, draft: Draft, deep: int) -> CType | None:
    """`x`, where the parser took a name in parentheses for a parameter's type."""
    specifier = node.child_by_field_name("type")
    if node.child_by_field_name("declarator") is not None or specifier is None:
        return None
    return _identifier(specifier, draft, deep)


def _number(node: Node, draft: Draft, deep: int) -> CType | None:
    return CType(literal_type(draft.text_of(node)))


def _character(node: Node, draft: Draft, deep: int) -> CType | None:
    return CType("char" if draft.text_of(node).startswith("'") else "wchar_t")


def _inner(node: Node, draft: Draft, deep: int) -> CType | None:
    children = [child for child in node.named_children if child.type != "comment"]
    return type_of(children[-1], draft, deep) if children else None


def _cast(node: Node, draft: Draft, deep: int) -> CType | None:
    target = node.child_by_field_name("type")
    return described(draft, target) if target is not None else None


def _call(node: Node, draft: Draft, deep: int) -> CType | None:
    function = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    if function is None or arguments is None:
        return None
    cast = cast_target(function, draft)
    if cast is not None:
        return cast
    from estimator.simplify.standard import standard_result

    standard = standard_result(node, draft)
    if standard is not None:
        return standard
    callee = called_function(node, draft)
    if callee is not None:
        return draft.program.result_of(callee.callee, callee.key)
    return builtin_result(draft, function, arguments)


def cast_target(function: Node, draft: Draft) -> CType | None:
    """The type that a call makes a value of: `T(x)`, `Vec<T>(x)`, `static_cast<T>(x)`."""
    if function.type in {"primitive_type", "sized_type_specifier"}:
        return described(draft, function)
    if function.type == "template_function":
        name_node = function.child_by_field_name("name")
        listed = function.child_by_field_name("arguments")
        if name_node is None or listed is None or not listed.named_children:
            return None
        name = draft.text_of(name_node)
        if name in CXX_CASTS:
            return described(draft, listed.named_children[0])
        if draft.is_class_template(name):
            return draft.canonical(draft.rendered_node(function))
        return None
    if function.type in {"identifier", "type_identifier"}:
        name = draft.text_of(function)
        if draft.local(name, function.start_byte) is None and draft.is_type(name):
            return draft.canonical(draft.binding.names.get(name, name))
    if function.type == "qualified_identifier" and draft.names_type(function):
        return draft.canonical(draft.rendered_node(function))
    return None


def _pointer(node: Node, draft: Draft, deep: int) -> CType | None:
    inner = node.child_by_field_name("argument")
    if inner is None:
        return None
    sign = node.children[0].type
    if inner.type == "this" and draft.this is not None:
        return CType(draft.this.name, draft.this_const) if sign == "*" else None
    found = type_of(inner, draft, deep)
    if found is None:
        return None
    if sign == "*" and not found.depth:
        return operator_result("*", [inner], [found], draft)
    step = 1 if sign == "&" else -1
    return replace(found, depth=found.depth + step)


def _this(node: Node, draft: Draft, deep: int) -> CType | None:
    return CType(draft.this.name, draft.this_const, 1) if draft.this is not None else None


def _subscript(node: Node, draft: Draft, deep: int) -> CType | None:
    inner = node.child_by_field_name("argument")
    indices = node.child_by_field_name("indices")
    found = type_of(inner, draft, deep) if inner is not None else None
    if found is None or inner is None:
        return None
    if found.depth:
        return replace(found, depth=found.depth - 1)
    from estimator.simplify.standard import element_type

    element = element_type(found, draft)
    if element is not None:
        return element
    given = indices.named_children if indices is not None else []
    types = [found, *(type_of(one, draft, deep) for one in given)]
    return operator_result("[]", [inner, *given], types, draft)


def _field(node: Node, draft: Draft, deep: int) -> CType | None:
    inner, field = node.child_by_field_name("argument"), node.child_by_field_name("field")
    found = type_of(inner, draft, deep) if inner is not None else None
    if found is None or field is None:
        return None
    name = draft.text_of(field)
    vector = VECTOR.match(found.base)
    if vector is not None or found.base in {"dim3", "uint3"}:
        if name not in {"x", "y", "z", "w"}:
            return None
        base = vector.group(1) if vector is not None else "unsigned int"
        return CType(UNSIGNED.get(base, base))
    record = draft.program.records.get(found.base)
    member = draft.program.table.field_type(record, name) if record is not None else None
    if member is None or record is None:
        return None
    return _part(record, name, member, draft, is_const=found.is_const)


def _part(record: Record, name: str, member: CType, draft: Draft, *, is_const: bool) -> CType:
    """The type of a member of an object, which is const where that is; what it points to is not."""
    field, _ = draft.program.table.fields(record)[name]
    is_pointer = any(layer.type == "pointer_declarator" for layer in layers(field.declarator))
    return replace(member, is_const=True) if is_const and not is_pointer else member


def _binary(node: Node, draft: Draft, deep: int) -> CType | None:
    operator = node.child_by_field_name("operator")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if operator is None or left is None or right is None:
        return None
    types = [type_of(left, draft, deep), type_of(right, draft, deep)]
    result = operator_result(operator.type, [left, right], types, draft)
    if result is not None:
        return result
    sides = zip((left, right), types, strict=True)
    return binary_type(operator.type, *(_operand(side, one, draft) for side, one in sides))


def _operand(node: Node, found: CType | None, draft: Draft) -> CType | None:
    """What a builtin operator computes with."""
    from estimator.simplify.membernames import is_narrow_bit_field

    if draft.program.records and is_narrow_bit_field(node, draft):
        return CType("int")
    return builtin_operand(found, draft)


def _unary(node: Node, draft: Draft, deep: int) -> CType | None:
    inner = node.child_by_field_name("argument")
    found = type_of(inner, draft, deep) if inner is not None else None
    if found is None or inner is None:
        return None
    sign = node.children[0].type
    result = operator_result(sign, [inner], [found], draft)
    if result is not None:
        return result
    operand = _operand(inner, found, draft)
    return unary_type(sign, operand) if operand is not None else None


def _left(node: Node, draft: Draft, deep: int) -> CType | None:
    left = node.child_by_field_name("left") or node.child_by_field_name("argument")
    return type_of(left, draft, deep) if left is not None else None


def _conditional(node: Node, draft: Draft, deep: int) -> CType | None:
    sides = [node.child_by_field_name(one) for one in ("consequence", "alternative")]
    types = [type_of(side, draft, deep) if side is not None else None for side in sides]
    if types[0] is None or types[1] is None:
        return None
    found = chosen_type(types[0], types[1])
    if found is not None and found.base in (types[0].base, types[1].base):
        return found
    return chosen_type(*(builtin_operand(one, draft) for one in types))


def _right(node: Node, draft: Draft, deep: int) -> CType | None:
    right = node.child_by_field_name("right")
    return type_of(right, draft, deep) if right is not None else None


def _fold(node: Node, draft: Draft, deep: int) -> CType | None:
    from estimator.simplify.packs import fold_type

    return fold_type(node, draft)


def _lambda(node: Node, draft: Draft, deep: int) -> CType | None:
    return CType(draft.program.require_lambda(node, draft).name)


def _qualified(node: Node, draft: Draft, deep: int) -> CType | None:
    from estimator.simplify.membernames import qualified_type

    return qualified_type(draft.program, node, draft)


def result_of_object(node: Node, draft: Draft) -> CType | None:
    """The type of what is called, where it is an object with an `operator()`."""
    found = type_of(node, draft)
    if found is None or found.depth or found.base not in draft.program.records:
        return None
    record = draft.program.records[found.base]
    return found if draft.program.table.functions(record, CALL) else None


_RULES: dict[str, Callable[[Node, Draft, int], CType | None]] = {
    "identifier": _identifier,
    "type_identifier": _identifier,
    "parameter_declaration": _named,
    "number_literal": _number,
    "true": lambda node, draft, deep: CType("bool"),
    "false": lambda node, draft, deep: CType("bool"),
    "char_literal": _character,
    "parenthesized_expression": _inner,
    "cast_expression": _cast,
    "compound_literal_expression": _cast,
    "call_expression": _call,
    "pointer_expression": _pointer,
    "this": _this,
    "subscript_expression": _subscript,
    "field_expression": _field,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "update_expression": _left,
    "assignment_expression": _left,
    "conditional_expression": _conditional,
    "comma_expression": _right,
    "fold_expression": _fold,
    "lambda_expression": _lambda,
    "qualified_identifier": _qualified,
    "sizeof_expression": lambda node, draft, deep: CType("size_t"),
    "alignof_expression": lambda node, draft, deep: CType("size_t"),
}
