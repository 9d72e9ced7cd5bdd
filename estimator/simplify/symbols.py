"""What a file defines: functions, types and variables, with what their uses must know."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

from estimator.grammars.standard import NAMES
from estimator.immutable import immutable

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.tree import Fault


class FunctionKind(str, Enum):
    """Who runs a function."""

    KERNEL = "global"
    DEVICE = "device"
    HOST = "host"


class Role(str, Enum):
    """What a function is to the class that it belongs to."""

    FREE = "free"
    METHOD = "method"
    STATIC = "static method"
    CONSTRUCTOR = "constructor"
    CONVERSION = "conversion"
    LAMBDA = "lambda"


class ParameterKind(str, Enum):
    """What a template parameter stands for."""

    TYPE = "type"
    VALUE = "value"
    PACK = "pack"
    TEMPLATE = "template"


@immutable()
class Span:
    """A stretch of the source text."""

    start: int
    end: int


@immutable()
class TemplateParameter:
    """One parameter of a template; `type_text` is the type of a value parameter."""

    name: str
    kind: ParameterKind
    type_text: str
    default: Span | None


@immutable()
class Parameter:
    """One parameter of a function: its declaration, the parts of its type, its default."""

    node: Node
    name: str
    base: str
    is_const: bool
    depth: int  # of pointers, an array's dimension being one
    is_reference: bool
    default: Span | None
    is_pack: bool = False


@immutable(eq=False)
class Function:
    """A function definition. `specialises`: the arguments of an explicit specialisation."""

    name: str
    scope: str
    node: Node
    declarator: Node
    kind: FunctionKind
    template: tuple[TemplateParameter, ...] | None
    parameters: tuple[Parameter, ...]
    specialises: Node | None = None
    fault: Fault | None = None
    role: Role = Role.FREE
    is_const: bool = False

    @property
    def has_body(self) -> bool:
        return self.node.child_by_field_name("body") is not None

    @property
    def least_arguments(self) -> int:
        return sum(parameter.default is None for parameter in self.parameters)


class TypeKind(str, Enum):
    """How a type is defined."""

    RECORD = "record"
    ENUM = "enum"
    SCOPED_ENUM = "enum class"
    ALIAS = "alias"


@immutable(eq=False)
class Type:
    """A type definition. `constants` are its enumerators or static constants.

    `specialises`: the arguments of an explicit or partial specialisation.
    """

    name: str
    scope: str
    node: Node
    kind: TypeKind
    template: tuple[TemplateParameter, ...] | None = None
    constants: tuple[str, ...] = ()
    constructors: tuple[Node, ...] = ()
    fault: Fault | None = None
    specialises: Node | None = None


@immutable(eq=False)
class Variable:
    """One declarator of a variable's declaration outside every function."""

    name: str
    scope: str
    node: Node
    declarator: Node
    is_template: bool = False
    fault: Fault | None = None


@dataclass(slots=True)
class Symbols:
    """Everything defined in a file, by simple name, in source order.

    `forward` are class templates declared without a body, `forward_functions` such templates of
    functions; `outside` the member functions defined outside their class, by the class's name;
    `members` the names of members that a method may use without their object; `declared` the
    parameters of functions declared without a body; `written` the names that several scopes
    define, each with those written for it.
    """

    functions: dict[str, list[Function]] = field(default_factory=dict)
    types: dict[str, list[Type]] = field(default_factory=dict)
    variables: dict[str, list[Variable]] = field(default_factory=dict)
    constants: dict[str, Type] = field(default_factory=dict)
    instantiations: list[Node] = field(default_factory=list)
    declared: dict[str, list[tuple[Parameter, ...]]] = field(default_factory=dict)
    operators: set[str] = field(default_factory=set)
    scopes: set[str] = field(default_factory=set)
    outside: dict[str, list[Function]] = field(default_factory=dict)
    forward: dict[str, Type] = field(default_factory=dict)
    forward_functions: list[Function] = field(default_factory=list)
    specialised: dict[str, list[Type]] = field(default_factory=dict)
    members: set[str] = field(default_factory=set)
    parameter_names: set[str] = field(default_factory=set)
    type_parameters: set[str] = field(default_factory=set)
    local_aliases: set[str] = field(default_factory=set)
    written: dict[str, set[str]] = field(default_factory=dict)

    def add_forward_functions(self) -> None:
        """Keep the function templates of which the file has specialisations alone."""
        for forward in self.forward_functions:
            alike = [
                one
                for one in self.functions.get(forward.name, ())
                if one.scope == forward.scope and len(one.parameters) == len(forward.parameters)
            ]
            if alike and all(
                one.kind is FunctionKind.DEVICE and (one.template == () or one.specialises)
                for one in alike
            ):
                kept = replace(forward, kind=FunctionKind.DEVICE)
                self.functions[forward.name].append(kept)

    def need_types(self) -> bool:
        """Whether what a file means depends on the types of expressions."""
        return (
            bool(self.members or self.operators)
            or not NAMES.isdisjoint(self.types)
            or any(
                len(found) > 1 or found[0].template is not None for found in self.functions.values()
            )
        )

    def names(self) -> set[str]:
        """Every name that the text of an item may refer to."""
        return {
            *self.types,
            *self.variables,
            *self.constants,
            *self.parameter_names,
            *self.local_aliases,
            *self.members,
            *self.functions,
        }
