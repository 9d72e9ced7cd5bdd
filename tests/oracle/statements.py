"""C statements → Python statements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pycparser import c_ast

from estimator.parse.attributes import cuda_attributes
from estimator.parse.c11 import is_inferred
from estimator.parse.table import UnknownTypeError
from estimator.parse.types import Array, CType, Struct
from oracle.calls import Calls, is_reference
from oracle.errors import OracleError
from oracle.operand import InMemory, Operand, Register, convert, decay

Line = tuple[int, str, int]
"""Depth, text, and the offset in the simplified text that it came from."""


@dataclass
class _Target:
    """A loop or a switch: what `continue` does in it. `flag` says that a switch was continued."""

    before_continue: list[str] = field(default_factory=list)
    flag: str | None = None


class Statements(Calls):
    """Translates statements inside one function into `lines`."""

    lines: list[Line]
    in_memory: frozenset[str]
    returns: CType | None
    _depth = 1
    _offset = 0
    _targets: list[_Target]

    def emit(self, text: str) -> None:
        self.lines.append((self._depth, text, self._offset))

    def statement(self, node: c_ast.Node | None) -> None:
        """Translates one statement. Raises OracleError for what it does not know."""
        if node is None:
            return
        if node.coord is not None:
            self._offset = self.program.unit.offset(node)
        try:
            self._statement(node)
        except OracleError as error:
            if error.position is not None:
                raise
            raise OracleError(str(error), self.position(node)) from None
        except UnknownTypeError as error:
            raise OracleError(f"unknown type {error.name}", self.position(node)) from None

    def _statement(self, node: c_ast.Node) -> None:
        match node:
            case c_ast.Compound():
                self.push()
                self._sequence(list(_unlabelled(node.block_items or [])))
                self.pop()
            case c_ast.Label():
                self.statement(node.stmt)
            case c_ast.Goto():
                self.emit(f"raise Jump({node.name!r})")
            case c_ast.Decl():
                self._declaration(node)
            case c_ast.DeclList():
                for declaration in node.decls:
                    self._declaration(declaration)
            case c_ast.Typedef():
                self.program.unit.types.add_typedef(node)
            case c_ast.If():
                self._if(node)
            case c_ast.For() | c_ast.While() | c_ast.DoWhile():
                self._loop(node)
            case c_ast.Switch():
                self._switch(node)
            case c_ast.Break():
                self.emit("break")
            case c_ast.Continue():
                self._continue(len(self._targets) - 1)
            case c_ast.Return():
                self._return(node)
            case c_ast.EmptyStatement() | c_ast.StaticAssert() | c_ast.Pragma():
                pass
            case _:
                self.emit(self.value(node).text)

    def _sequence(self, items: list[c_ast.Node]) -> None:
        """The statements of a block: the last label catches the jumps of those before it."""
        number = max((n for n, one in enumerate(items) if isinstance(one, c_ast.Label)), default=-1)
        if number < 0:
            for item in items:
                self.statement(item)
            return
        label = items[number]
        self.emit("try:")
        self._depth += 1
        self.emit("pass")
        self._sequence(items[:number])
        self._depth -= 1
        self.emit("except Jump as jump:")
        self._depth += 1
        self.emit(f"if jump.label != {label.name!r}: raise")
        self._depth -= 1
        self._sequence(items[number + 1 :])

    def _block(self, node: c_ast.Node | None) -> None:
        """A statement one level deeper, in a scope of its own."""
        self._depth += 1
        self.push()
        self.emit("pass")
        self.statement(node)
        self.pop()
        self._depth -= 1

    def _declaration(self, node: c_ast.Decl) -> None:
        if node.name is None:
            self.program.unit.types.add_tags(node.type)
            return
        attributes = cuda_attributes(node)
        if is_reference(node):
            address, ctype = self.address(node.init)
            name = self.fresh(node.name)
            self.emit(f"{name} = {address}")
            self.declare(node.name, InMemory(name, ctype))
        elif "shared" in attributes:
            ctype = self.resolve(node.type)
            name = self.fresh(node.name)
            self.prologue.append(f"{name} = T.shared('{name} of {self.name}', {ctype.size})")
            self.declare(node.name, InMemory(name, ctype))
        else:
            self._variable(node)

    name = ""

    def _variable(self, node: c_ast.Decl) -> None:
        inferred = is_inferred(node.type)
        init = self.value(node.init) if inferred else None
        if init is not None:
            ctype = decay(init.type)
        else:
            ctype = self.complete(self.resolve(node.type), node.init)
        if "const" in node.quals and node.init is not None:
            value = self.dimension(node.init)
            if value is not None:
                self.constants[node.name] = value
        if isinstance(ctype, (Array, Struct)) or node.name in self.in_memory:
            self._memory_variable(node, ctype)
            return
        place = Register(self.fresh(node.name), ctype)
        if init is None and node.init is not None:
            init = self._scalar_init(node.init)
        text = "0" if init is None else convert(init, ctype)
        self.emit(f"{place.name} = {text}")
        self.declare(node.name, place)

    def _memory_variable(self, node: c_ast.Decl, ctype: CType) -> None:
        name = self.temporary_memory(ctype, node.name)
        if node.init is not None:
            for store in self.initialise(ctype, name, node.init, node):
                self.emit(store)
        self.declare(node.name, InMemory(name, ctype))

    def _scalar_init(self, node: c_ast.Node) -> Operand | None:
        if isinstance(node, c_ast.InitList):
            return self.value(node.exprs[0]) if node.exprs else None
        return self.value(node)

    def _if(self, node: c_ast.If) -> None:
        self.emit(f"if {self.truth(node.cond)}:")
        self._block(node.iftrue)
        if node.iffalse is not None:
            self.emit("else:")
            self._block(node.iffalse)

    def _loop(self, node: c_ast.For | c_ast.While | c_ast.DoWhile) -> None:
        self.push()
        following: list[str] = []
        if isinstance(node, c_ast.For):
            self.statement(node.init)
            if node.next is not None:
                following.append(self.value(node.next).text)
        if isinstance(node, c_ast.DoWhile):
            following.append(f"if not {self.truth(node.cond)}: break")
            head = "True"
        else:
            head = self.truth(node.cond) if node.cond is not None else "True"
        self.emit(f"while {head}:")
        self._depth += 1
        self.emit("T.tick()")
        self._targets.append(_Target(following))
        self._depth -= 1
        self._block(node.stmt)
        self._targets.pop()
        self._depth += 1
        for text in following:
            self.emit(text)
        self._depth -= 1
        self.pop()

    def _continue(self, index: int) -> None:
        """`continue` seen from inside the target of that index."""
        target = self._targets[index]
        if target.flag is not None:
            self.emit(f"{target.flag} = True")
            self.emit("break")
            return
        for text in target.before_continue:
            self.emit(text)
        self.emit("continue")

    def _switch(self, node: c_ast.Switch) -> None:
        """A loop of one round; each label's statements run if it or one before it was chosen."""
        chosen, flag = self.fresh("chosen"), self.fresh("continued")
        labels = [item for item in node.stmt.block_items if isinstance(item, _LABELS)]
        table: dict[int, int] = {}
        default = len(labels)
        for index, label in enumerate(labels):
            if isinstance(label, c_ast.Default):
                default = index
                continue
            value = self.dimension(label.expr)
            if value is None:
                raise OracleError("a case label that is no constant", self.position(label))
            table[value] = index
        self.emit(f"{chosen} = {table}.get({self.value(node.cond).text}, {default})")
        self.emit(f"{flag} = False")
        self.emit("while True:")
        self._targets.append(_Target(flag=flag))
        self._depth += 1
        self.push()
        for index, label in enumerate(labels):
            self.emit(f"if {chosen} <= {index}:")
            self._depth += 1
            self.emit("pass")
            self._sequence(list(_unlabelled(label.stmts or [])))
            self._depth -= 1
        self.pop()
        self.emit("break")
        self._depth -= 1
        self._targets.pop()
        if self._targets:
            self.emit(f"if {flag}:")
            self._depth += 1
            self._continue(len(self._targets) - 1)
            self._depth -= 1

    def _return(self, node: c_ast.Return) -> None:
        if node.expr is None:
            self.emit("return")
            return
        value = self.value(node.expr)
        if self.returns is None:
            self.returns = decay(value.type)
        self.emit(f"return {convert(value, self.returns)}")


def _unlabelled(items: list[c_ast.Node]) -> Iterator[c_ast.Node]:
    """Statements, each behind the labels in front of it."""
    for item in items:
        yield item
        if isinstance(item, c_ast.Label):
            yield from _unlabelled([item.stmt])


_LABELS = (c_ast.Case, c_ast.Default)
