"""A translation unit as a Python program: functions on demand, types' forms, global variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from estimator.parse.c11 import is_inferred
from estimator.parse.constants import constant_value
from estimator.parse.types import Array, CType, Pointer, Struct
from estimator.parse.unit import Function, GlobalVariable, Unit
from estimator.source.position import Position
from oracle import arithmetic
from oracle.calls import is_reference
from oracle.errors import Jump
from oracle.intrinsics import SUSPENDING
from oracle.memory import Form
from oracle.operand import InMemory, Operand, Place, Register, decay
from oracle.schedule import Meeting
from oracle.statements import Line, Statements

FILE_NAME = "<kernel>"


@dataclass
class Instance:
    """A translated function: its Python name and its types."""

    name: str
    parameters: list[CType]
    returns: CType


class Program:
    """Translated functions of one unit, and what they need at run time in `namespace`."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.namespace: dict[str, Any] = dict(_helpers(), Meeting=Meeting, Jump=Jump)
        self.lines: list[Line] = []
        self.constants: dict[str, Operand] = {}
        self.globals_used: dict[str, tuple[GlobalVariable, CType]] = {}
        self._forms: dict[CType, str] = {}
        self._packers: dict[CType, str] = {}
        self._instances: dict[tuple[str, tuple[tuple[str, CType], ...]], Instance] = {}
        self._suspending = _suspending(unit)
        self.integer_constants = dict(unit.types.enumerators)
        for name, variable in unit.variables.items():
            init = variable.declaration.init
            value = constant_value(init, self.integer_constants) if init is not None else None
            if value is not None and variable.space == "host":
                self.integer_constants[name] = value

    # Names in the translated program

    def bind(self, value: object) -> str:
        """A name for a Python object."""
        name = f"P{len(self.namespace)}"
        self.namespace[name] = value
        return name

    def form(self, ctype: CType) -> str:
        """The name of a type's form in memory."""
        if ctype not in self._forms:
            self._forms[ctype] = self.bind(Form(ctype))
        return self._forms[ctype]

    def element_form(self, ctype: CType) -> Form:
        """The form itself."""
        form = self.namespace[self.form(ctype)]
        assert isinstance(form, Form)
        return form

    def packer(self, struct: Struct) -> str:
        """The name of the function that puts members together."""
        if struct not in self._packers:
            parts = [(Form(field.type), field.offset) for field in struct.fields]

            def pack(*values: object) -> bytes:
                data = bytearray(struct.size)
                for (form, offset), value in zip(parts, values, strict=True):
                    form.write(data, offset, value)
                return bytes(data)

            self._packers[struct] = self.bind(pack)
        return self._packers[struct]

    def variable(self, name: str) -> Place | None:
        """A variable outside functions; its address is bound to a name before the run."""
        variable = self.unit.variables.get(name)
        if variable is None:
            return None
        if name not in self.globals_used:
            scratch = Translator(self, "", frozenset())
            ctype = scratch.resolve(variable.declaration.type)
            ctype = scratch.complete(ctype, variable.declaration.init)
            self.globals_used[name] = (variable, ctype)
        return InMemory(f"G_{name}", self.globals_used[name][1])

    # Functions

    def suspends(self, function: Function) -> bool:
        """Whether threads may have to wait for each other inside it."""
        return function.name in self._suspending or "global" in function.attributes

    def instance(self, function: Function, bound: dict[str, CType]) -> Instance:
        """The function for these types of its placeholders."""
        key = (function.name, tuple(sorted(bound.items(), key=lambda item: item[0])))
        if key in self._instances:
            return self._instances[key]
        types = self.unit.types.bound
        saved = dict(types)
        types.update(bound)
        writer = Translator(self, function.name, _in_memory(function, self.unit))
        name = f"f{len(self._instances)}_{function.name}"
        returned = function.definition.decl.type.type
        returns = None if writer.infers(returned) else writer.resolve(returned)
        parameters = [writer.resolve(p.type) for p in function.parameters]
        instance = Instance(name, parameters, returns or Pointer(Array(parameters[0], 0)))
        self._instances[key] = instance
        writer.returns = returns
        self.lines += writer.function(name, function, parameters, self.suspends(function))
        instance.returns = writer.returns or instance.returns
        types.clear()
        types.update(saved)
        return instance

    def load(self) -> None:
        """Compiles what was translated into the namespace."""
        text = "\n".join("    " * depth + line for depth, line, _ in self.lines)
        exec(compile(text + "\n", FILE_NAME, "exec"), self.namespace)

    def position_of_line(self, line: int) -> Position:
        """Where a line of the Python program comes from."""
        offset = self.lines[line - 1][2]
        return self.unit.source.positions.position(offset)


class Translator(Statements):
    """One function's translation."""

    def __init__(self, program: Program, name: str, in_memory: frozenset[str]) -> None:
        super().__init__(program)
        self.name = name
        self.in_memory = in_memory
        self.lines = []
        self.returns = None
        self._targets = []

    def infers(self, node: c_ast.Node) -> bool:
        """Whether a type is `auto`."""
        return is_inferred(node)

    def function(
        self, name: str, function: Function, types: list[CType], suspends: bool
    ) -> list[Line]:
        """The lines of a Python function that does what a C function does."""
        names = []
        for parameter, ctype in zip(function.parameters, types, strict=True):
            python = self.fresh(parameter.name)
            names.append(python)
            if is_reference(parameter):
                self.declare(parameter.name, InMemory(python, ctype))
                continue
            ctype = decay(ctype)
            if isinstance(ctype, Struct) or parameter.name in self.in_memory:
                of_kernel = "global" in function.attributes
                address = self.temporary_memory(ctype, parameter.name, of_kernel=of_kernel)
                self.emit(f"T.store({self.program.form(ctype)}, {address}, {python})")
                self.declare(parameter.name, InMemory(address, ctype))
            else:
                self.declare(parameter.name, Register(python, ctype))
        self.statement(function.definition.body)
        offset = self.program.unit.offset(function.definition.decl)
        head: list[Line] = [(0, f"def {name}({', '.join(['T', *names])}):", offset)]
        head += [(1, text, offset) for text in self.prologue]
        if suspends:
            head.append((1, "if False: yield", offset))
        return [*head, *self.lines, (1, "return", offset)]


def _helpers() -> dict[str, Callable[..., Any]]:
    """The functions of `arithmetic` under the names that translated code uses."""
    from estimator.parse.types import Kind, Scalar

    helpers: dict[str, Callable[..., Any]] = {
        "R4": arithmetic.round_fp32,
        "R2": arithmetic.round_fp16,
        "RB": arithmetic.round_bf16,
        "B1": bool,
        "divide": arithmetic.divide,
        "quotient": arithmetic.quotient,
        "remainder": arithmetic.remainder,
        "truncate": arithmetic.truncate,
    }
    for letter, kind in (("I", Kind.INT), ("U", Kind.UNSIGNED)):
        for size in (1, 2, 4, 8):
            helpers[f"{letter}{size}"] = arithmetic.wrapper(Scalar("", kind, size))
    return helpers


class _Walk(c_ast.NodeVisitor):  # type: ignore[misc]
    """All nodes of a class below a node."""

    def __init__(self, kind: type[c_ast.Node]) -> None:
        self.kind = kind
        self.found: list[Any] = []

    def generic_visit(self, node: c_ast.Node) -> None:
        if isinstance(node, self.kind):
            self.found.append(node)
        super().generic_visit(node)


def _all(kind: type[c_ast.Node], node: c_ast.Node) -> list[Any]:
    walk = _Walk(kind)
    walk.visit(node)
    return walk.found


def _suspending(unit: Unit) -> set[str]:
    """The functions in which a barrier or shuffle may be reached."""
    calls = {
        name: {
            call.name.name
            for call in _all(c_ast.FuncCall, function.definition.body)
            if isinstance(call.name, c_ast.ID)
        }
        for name, function in unit.functions.items()
    }
    found: set[str] = set()
    while True:
        more = {n for n, called in calls.items() if called & (SUSPENDING | found)} - found
        if not more:
            return found
        found |= more


def _in_memory(function: Function, unit: Unit) -> frozenset[str]:
    """The local variables whose address is needed: after `&`, and where a reference is bound."""
    body = function.definition.body
    bound: list[c_ast.Node] = [u.expr for u in _all(c_ast.UnaryOp, body) if u.op == "&"]
    bound += [d.init for d in _all(c_ast.Decl, body) if d.init is not None and is_reference(d)]
    for call in _all(c_ast.FuncCall, body):
        called = unit.functions.get(call.name.name) if isinstance(call.name, c_ast.ID) else None
        if called is not None and call.args is not None:
            pairs: Iterable[tuple[c_ast.Decl, c_ast.Node]] = zip(
                called.parameters, call.args.exprs, strict=False
            )
            bound += [argument for parameter, argument in pairs if is_reference(parameter)]
    return frozenset(name.name for node in bound for name in _all(c_ast.ID, node))
