"""The launch that a user gives as a text: `matmul: grid=((N+15)/16, (N+15)/16) block=(16, 16)`."""

from __future__ import annotations

import re

from pycparser import c_ast
from pycparser.c_parser import ParseError

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.poly import ONE, Poly
from estimator.grammars.types import TYPE_NAMES
from estimator.ir.kernel import KernelIR, LaunchShape
from estimator.lower.convert import to_poly
from estimator.lower.kernel import argument_value, declare_globals, deep_recursion, new_machine
from estimator.lower.launch_site import UNIT_SHAPE, Extents
from estimator.lower.launches import named_powers, plain_extents
from estimator.lower.machine import Machine
from estimator.lower.values import FloatValue, IntValue
from estimator.parse.c11 import in_c11
from estimator.parse.constants import TRUTHS
from estimator.parse.lexer import new_parser
from estimator.parse.table import UnknownTypeError
from estimator.parse.types import INT, Struct
from estimator.parse.unit import Function, Unit
from estimator.source.diagnostics import InputError

_KEY = re.compile(r"\b(grid|block)\s*=(?!=)\s*")
_NAMESPACE = re.compile(r"\b(?:std|cuda|at)\s*::\s*|::\s*(?=\w)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_EXTREMA = frozenset({"min", "max"})
# Names that helpers which round a quotient up have in most code, without case and underscores.
_CEIL_DIVISIONS = frozenset({"ceildiv", "cdiv", "divup", "idivup", "divceil", "divroundup"})
_CEILINGS = frozenset({"ceil", "ceilf"})
_ROUNDINGS = _CEILINGS | {"floor", "floorf"}
_TAKEN = "use integers, names, C's operators, min, max and ceil_div"


class LaunchTextError(ValueError):
    """A launch text that cannot be read; the message says what is wrong."""


def parse_launch_text(text: str, unit: Unit, kernel: Function) -> tuple[str | None, LaunchShape]:
    """The kernel's name, if the text gives one, and the launch, as one of `kernel`.

    Extents are what they are in host code: divisions round as in C, and constants and functions of
    the unit are known. A name that is no parameter of the kernel becomes one of the launch.
    Raises LaunchTextError.
    """
    keys = list(_KEY.finditer(text))
    name = text[: keys[0].start()].strip() if keys else ""
    if {key[1] for key in keys} != {"grid", "block"} or (name and not name.endswith(":")):
        raise LaunchTextError(f"write it as 'KERNEL: grid=(…) block=(…)', not {text!r}")
    fields: dict[str, Extents] = {}
    ends = [*(key.start() for key in keys[1:]), len(text)]
    for key, end in zip(keys, ends, strict=True):
        fields[key[1]] = _read_extents(text[key.end() : end].strip(" ,;"), unit, kernel)
    grid, block = named_powers(fields["grid"], fields["block"])
    assert grid is not None
    assert block is not None
    return launched_kernel(text), LaunchShape(grid, block)


def launched_kernel(text: str) -> str | None:
    """The kernel that a launch text names, if it does."""
    return _KEY.split(text, maxsplit=1)[0].strip().removesuffix(":").strip() or None


def _read_extents(text: str, unit: Unit, kernel: Function) -> Extents:
    nodes = _parsed(text)
    if not 1 <= len(nodes) <= 3:
        raise LaunchTextError(f"one to three extents are needed, not {text!r}")
    m = new_machine(unit, KernelIR(kernel.name, kernel.position, (), UNIT_SHAPE))
    m.dry = 1
    try:
        with deep_recursion():
            declare_globals(m)
            nodes = [_plain(node, m, text) for node in nodes]
            for node in nodes:
                _declare_names(m, node, kernel)
            extents = [_extent(m, node, text) for node in nodes]
    except InputError as error:
        raise LaunchTextError(f"{error.diagnostic.message} in {text!r}") from None
    except RecursionError:
        raise LaunchTextError(f"{text[:20]!r}… is nested too deeply") from None
    x, y, z = (*extents, ONE, ONE)[:3]
    return plain_extents((x, y, z))


def _parsed(text: str) -> list[c_ast.Node]:
    """The expressions of `(a, b)`, `dim3(a, b)` or `a`."""
    plain = _strip_group(_NAMESPACE.sub("", text).replace("//", "/"))
    known = TYPE_NAMES & set(_WORD.findall(plain))
    types = "".join(f"typedef int {name}; " for name in sorted(known))
    try:
        ast = new_parser().parse(in_c11(f"{types}void f(void) {{ g({plain}); }}"))
        (call,) = ast.ext[-1].body.block_items
    except (ParseError, RecursionError, AttributeError, TypeError, ValueError):
        raise _unread(text) from None
    if not isinstance(call, c_ast.FuncCall) or not isinstance(call.name, c_ast.ID):
        raise _unread(text)
    return list(call.args.exprs) if call.args else []


def _strip_group(text: str) -> str:
    """`(a, b)` and `dim3(a, b)` → `a, b`; `(a + 1)/2` stays."""
    group = text.removeprefix("dim3").lstrip()
    if not group.startswith("("):
        return text
    depth = 0
    for index, char in enumerate(group):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return group[1:-1] if index == len(group) - 1 else text
    return text


def _declare_names(m: Machine, node: c_ast.Node, kernel: Function) -> None:
    """Give every name in an extent a value: the kernel's parameters come before constants."""
    parameters = {parameter.name: parameter for parameter in kernel.parameters}
    stack: list[c_ast.Node] = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, c_ast.FuncCall):
            stack.extend(at.args.exprs if at.args else ())
            continue
        stack.extend(child for _, child in at.children())
        if not isinstance(at, c_ast.ID):
            continue
        parameter = parameters.get(at.name)
        if parameter is not None:
            _declare_parameter(m, parameter)
        elif m.lookup(at.name) is None and at.name not in {*m.unit.types.enumerators, *TRUTHS}:
            m.declare(at.name, INT, IntValue(Poly.of(Symbol(at.name, Role.LAUNCH)), INT))


def _declare_parameter(m: Machine, parameter: c_ast.Decl) -> None:
    name = parameter.name
    try:
        ctype = m.unit.types.resolve(parameter.type)
    except UnknownTypeError:
        ctype = INT
    if isinstance(ctype, Struct):
        m.declare(name, ctype, argument_value(m, name, ctype, parameter))
    else:
        m.declare(name, INT, IntValue(Poly.of(Symbol(name, Role.PARAMETER)), INT))


def _extent(m: Machine, node: c_ast.Node, text: str) -> Poly:
    value = m.evaluate(node)
    if isinstance(value, FloatValue):
        raise LaunchTextError(f"{text!r} is no integer")
    poly = to_poly(m, value)
    if poly.has_role(Role.UNKNOWN):
        raise _unread(text)
    return poly


def _unread(text: str) -> LaunchTextError:
    return LaunchTextError(f"cannot read the extents {text!r}: {_TAKEN}")


def _plain(node: c_ast.Node, m: Machine, text: str) -> c_ast.Node:
    """An extent in integers: what helpers round up is written out. Raises LaunchTextError."""

    def plain(part: c_ast.Node) -> c_ast.Node:
        return _plain(part, m, text)

    match node:
        case c_ast.Constant() | c_ast.ID() | c_ast.StructRef():
            return node
        case c_ast.UnaryOp() if node.op in ("+", "-", "~", "!"):
            return c_ast.UnaryOp(node.op, plain(node.expr))
        case c_ast.BinaryOp():
            return c_ast.BinaryOp(node.op, plain(node.left), plain(node.right))
        case c_ast.TernaryOp():
            return c_ast.TernaryOp(plain(node.cond), plain(node.iftrue), plain(node.iffalse))
        case c_ast.Cast():
            return c_ast.Cast(node.to_type, plain(node.expr))
        case c_ast.FuncCall(name=c_ast.ID()) if node.args is not None:
            name, given = str(node.name.name), list(node.args.exprs)
            if name not in m.unit.functions:
                if _is_ceil_division(name) and len(given) == 2:
                    return _rounded_up(plain(given[0]), plain(given[1]))
                if name in _ROUNDINGS and len(given) == 1:
                    return _rounded(name, plain(given[0]))
                if name not in _EXTREMA or len(given) != 2:
                    raise _unread(text)
            return c_ast.FuncCall(node.name, c_ast.ExprList([plain(one) for one in given]))
    raise _unread(text)


def _is_ceil_division(name: str) -> bool:
    return name.replace("_", "").lower() in _CEIL_DIVISIONS


def _rounded_up(above: c_ast.Node, below: c_ast.Node) -> c_ast.Node:
    more = c_ast.BinaryOp("-", below, c_ast.Constant("int", "1"))
    return c_ast.BinaryOp("/", c_ast.BinaryOp("+", above, more), below)


def _rounded(name: str, node: c_ast.Node) -> c_ast.Node:
    """`ceil((float)a / b)` and `floor(a / 64.0)` of integers; `ceil(a / b)` is rounded already."""
    if not isinstance(node, c_ast.BinaryOp) or node.op != "/":
        return node
    above, below = _whole(node.left), _whole(node.right)
    is_float = above is not node.left or below is not node.right
    if is_float and name in _CEILINGS:
        return _rounded_up(above, below)
    return c_ast.BinaryOp("/", above, below)


def _whole(node: c_ast.Node) -> c_ast.Node:
    """A number without the word or point that makes a float of it."""
    if isinstance(node, c_ast.Constant) and "int" not in node.type:
        number = re.fullmatch(r"(\d+)(?:\.0*)?[fF]?", node.value)
        return c_ast.Constant("int", number[1]) if number else node
    if isinstance(node, c_ast.Cast):
        inner = node.to_type.type.type
        if isinstance(inner, c_ast.IdentifierType) and set(inner.names) & {"float", "double"}:
            return node.expr
    return node
