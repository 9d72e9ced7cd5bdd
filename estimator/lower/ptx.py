"""Inline PTX: what each instruction costs, and what it does to its operands.

After the PTX ISA reference. `ptx__("…", n, …)` has the text, the number of outputs, and the
operands. An instruction that is not known has a named cost.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pycparser import c_ast

from estimator.immutable import immutable
from estimator.ir.kernel import SyncKind
from estimator.lower.convert import data_condition, fresh, to_condition
from estimator.lower.machine import Machine
from estimator.lower.pieces import narrowed
from estimator.lower.ptx_memory import address, atomic, bulk_copy, copy, load_matrix, move
from estimator.lower.ptx_multiply import multiply
from estimator.lower.unknown_calls import Callee, unknown_call
from estimator.lower.values import OpaqueValue, Value
from estimator.parse import types

_FLOATS = {"f16": 1, "f16x2": 2, "bf16": 1, "bf16x2": 2, "f32": 1, "f32x2": 2, "f64": 1}
_PRECISIONS = {"f16": "fp16", "bf16": "bf16", "f32": "fp32", "f64": "fp64"}
_FLOPS = {"add": 1, "sub": 1, "mul": 1, "div": 1, "fma": 2, "mad": 2}
_SPECIAL = frozenset(["rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh"])
# Integer work, moves, conversions, hints, fences: nothing that is counted.
_FREE = frozenset(
    re.findall(
        r"\w+",
        """
abs neg min max mov cvt cvta selp setp set and or xor not cnot lop3 shl shr shf prmt bfe bfi
bfind brev popc clz fns sad mul24 mad24 addc subc madc rem dp4a dp2a copysign testp vadd vsub
vmin vmax vabsdiff vset vadd2 vadd4 membar fence prefetch prefetchu discard applypriority
createpolicy isspacep nanosleep trap brkpt exit ret vote match activemask redux griddepcontrol
setmaxnreg elect mbarrier getctarank mapa pmevent szext bmsk slct nop
""",
    )
)
_PREDICATE = re.compile(r"@(!?)\s*(%?\w+)\s+")
_SETP = re.compile(r"setp\.ne\.\w+\s+(%?\w+)\s*,\s*%(\d+)\s*,\s*0\b")


@immutable()
class Instruction:
    """One instruction: its dotted words, its operands as text, its guard if it has one."""

    words: tuple[str, ...]
    operands: tuple[str, ...]
    guard: str = ""

    @property
    def opcode(self) -> str:
        return ".".join(self.words)


def instructions(text: str) -> list[Instruction]:
    """The instructions of a text, declarations of registers left out."""
    plain = re.sub(r"\\[nt]|//[^\n\\]*|/\*.*?\*/", " ", text)
    found: list[Instruction] = []
    for piece in plain.split(";"):
        piece = re.sub(r"^[\s{]*|(?<=\s)}\s*$|^[\s}]+$", "", piece).strip()
        guard = _PREDICATE.match(piece)
        if guard is not None:
            piece = piece[guard.end() :]
        if not piece or piece.startswith("."):
            continue
        head, _, rest = piece.partition(" ")
        operands = re.findall(r"\{[^}]*\}|\[[^\]]*\]|[^,{}\[\]]+", rest)
        texts = tuple(o.strip() for o in operands if o.strip())
        found.append(Instruction(tuple(head.split(".")), texts, guard[0].strip() if guard else ""))
    return found


def _assembly(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    del name
    arguments = list(node.args.exprs)
    text, count = arguments[0], int(arguments[1].value)
    code = getattr(text, "value", "")[1:-1]
    operands = values[2:]
    tests = {match[1]: int(match[2]) for match in _SETP.finditer(code)}
    for instruction in instructions(code):
        before = m.live
        if instruction.guard:
            _guarded(m, instruction.guard, tests, arguments, operands, node)
        _execute(m, instruction, operands, node)
        m.live = before
    _outputs(m, arguments[2 : 2 + count], node)
    return OpaqueValue(types.VOID)


def _outputs(m: Machine, outputs: list[c_ast.Node], node: c_ast.FuncCall) -> None:
    """What the instructions write is a new value, known to no one."""
    from estimator.lower.places import assign, place_of, place_type

    for output in outputs:
        place = place_of(m, output)
        assign(m, place, fresh(m, place_type(place)), node)


def _guarded(
    m: Machine,
    guard: str,
    tests: dict[str, int],
    arguments: list[c_ast.Node],
    operands: list[Value],
    node: c_ast.FuncCall,
) -> None:
    """Go on only where an instruction's predicate holds."""
    from estimator.algebra.condition import negate

    match = _PREDICATE.match(f"{guard} ")
    assert match is not None
    index = tests.get(match[2])
    if index is not None and index < len(operands):
        condition = to_condition(m, operands[index], arguments[2 + index])
    else:
        condition = data_condition(m, node)
    m.live = narrowed(m.live, negate(condition) if match[1] else condition)


def _execute(
    m: Machine, instruction: Instruction, operands: list[Value], node: c_ast.FuncCall
) -> None:
    words = instruction.words
    handler = _HANDLERS.get(words[0])
    if handler is not None and handler(m, instruction.opcode, _given(instruction, operands), node):
        return
    kind = next((word for word in words[1:] if word in _FLOATS), None)
    if kind is not None and (words[0] in _FLOPS or words[0] in _SPECIAL):
        _arithmetic(m, words[0], kind, node)
        return
    if words[0] in ("dp4a", "dp2a"):
        m.note_integer_work(words[0])
    if words[0] in _FREE or (words[0] in _FLOPS and kind is None):
        return
    opcode = instruction.opcode
    callee = Callee(f"the instruction {opcode}", words[0], f"the instruction {opcode}")
    unknown_call(m, callee, operands, node)


def _given(instruction: Instruction, operands: list[Value]) -> list[Value | str]:
    """The operands: values where one is `%n` or `[%n + …]`, else their text."""
    found: list[Value | str] = []
    for text in instruction.operands:
        match = re.fullmatch(r"\[?\s*%(\d+)\s*(\+\s*\d+)?\s*\]?", text)
        if match is not None and int(match[1]) < len(operands):
            found.append(address(operands[int(match[1])], match[2]))
        else:
            found.append(text)
    return found


def _arithmetic(m: Machine, word: str, kind: str, node: c_ast.FuncCall) -> None:
    width = _FLOATS[kind]
    precision = _PRECISIONS[kind.removesuffix("x2")]
    flops, special = (_FLOPS[word] * width, 0) if word in _FLOPS else (0, width)
    m.record_operation(word, precision, node, (), flops=flops, special=special)


def _barrier(m: Machine, opcode: str, operands: list[Value | str], node: c_ast.FuncCall) -> bool:
    del operands
    if "warp" not in opcode and "arrive" not in opcode.split("."):
        m.record_sync(SyncKind.BARRIER, node)
    return True


def _shuffle(m: Machine, opcode: str, operands: list[Value | str], node: c_ast.FuncCall) -> bool:
    del opcode, operands
    m.record_sync(SyncKind.SHUFFLE, node)
    return True


def _copies(m: Machine, opcode: str, operands: list[Value | str], node: c_ast.FuncCall) -> bool:
    if not opcode.startswith("cp.async"):
        return False
    if ".bulk." in opcode and "_group" not in opcode:
        return bulk_copy(m, opcode, operands, node)
    if any(
        word in opcode for word in ("commit_group", "wait_group", "wait_all", "mbarrier.arrive")
    ):
        return True
    return copy(m, operands, node)


_HANDLERS: dict[str, Callable[[Machine, str, list[Value | str], c_ast.FuncCall], bool]] = {
    "mma": multiply,
    "wgmma": multiply,
    "wmma": multiply,
    "ldmatrix": load_matrix,
    "stmatrix": load_matrix,
    "ld": move,
    "ldu": move,
    "st": move,
    "atom": atomic,
    "red": atomic,
    "cp": _copies,
    "bar": _barrier,
    "barrier": _barrier,
    "shfl": _shuffle,
}
FUNCTIONS = {"ptx__": _assembly}
