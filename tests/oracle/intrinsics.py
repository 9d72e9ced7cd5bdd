"""Calls of CUDA's own functions: arithmetic, atomics, barriers, shuffles, vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pycparser import c_ast

from estimator.parse.types import (
    BFLOAT,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONG,
    SIZE_T,
    UNSIGNED,
    VOID,
    CType,
    Pointer,
    Precision,
    Scalar,
    Struct,
    builtin,
)
from oracle.arithmetic import divide, rounder, wrapper
from oracle.errors import OracleError
from oracle.functions import ATOMICS, RULES, Rule
from oracle.initial import Initialisers
from oracle.operand import InMemory, Operand, common, convert, is_float, pointed, promote

_LETTERS: dict[str, Scalar] = {
    "f": FLOAT,
    "d": DOUBLE,
    "h": HALF,
    "b": BFLOAT,
    "i": INT,
    "u": UNSIGNED,
    "l": LONG,
    "L": SIZE_T,
}
_LOADS = ("__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv")
_STORES = ("__stwb", "__stcg", "__stcs", "__stwt")
_SHUFFLES = {
    "__shfl_sync": "shfl",
    "__shfl_up_sync": "shfl_up",
    "__shfl_down_sync": "shfl_down",
    "__shfl_xor_sync": "shfl_xor",
}
_BARRIERS = {
    "__syncthreads": "barrier",
    "__syncthreads_count": "barrier_count",
    "__syncthreads_and": "barrier_and",
    "__syncthreads_or": "barrier_or",
}
_VOTES = {
    "__ballot_sync": "ballot",
    "__any_sync": "any",
    "__all_sync": "all",
    "__activemask": "active",
    "__syncwarp": "warp",
}
SUSPENDING = frozenset((*_SHUFFLES, *_BARRIERS, *_VOTES))
_NOTHING = ("printf", "assert", "__threadfence", "__threadfence_block", "__threadfence_system")
_PAIRS: dict[str, tuple[Callable[..., float], int]] = {
    "__hadd2": (lambda a, b: a + b, 2),
    "__hsub2": (lambda a, b: a - b, 2),
    "__hmul2": (lambda a, b: a * b, 2),
    "__h2div": (divide, 2),
    "__hfma2": (lambda a, b, c: a * b + c, 4),
    "__hneg2": (lambda a: -a, 0),
    "__habs2": (abs, 0),
    "__hmax2": (max, 0),
    "__hmin2": (min, 0),
}


class Intrinsics(Initialisers):
    """Translates calls of builtin functions."""

    def builtin_call(self, name: str, node: c_ast.FuncCall) -> Operand:
        """The value of a builtin function. Raises OracleError for an unknown name."""
        if name in _NOTHING:
            return Operand("0", INT)
        arguments = [self.value(part) for part in (node.args.exprs if node.args else [])]
        if name in _BARRIERS:
            value = arguments[0].text if arguments else "0"
            return Operand(
                f"T.count('barriers', (yield Meeting('{_BARRIERS[name]}', {value})))", INT
            )
        if name in _VOTES:
            value = arguments[-1].text if arguments else "0"
            return Operand(f"(yield Meeting('{_VOTES[name]}', {value}))", UNSIGNED)
        if name in _SHUFFLES:
            return self._shuffle(_SHUFFLES[name], arguments)
        if name in _LOADS:
            return self.read(InMemory(arguments[0].text, pointed(arguments[0].type)))
        if name in _STORES:
            place = InMemory(arguments[0].text, pointed(arguments[0].type))
            return Operand(self.write(place, convert(arguments[1], place.type)), VOID)
        if name.startswith("atomic"):
            return self._atomic(name, arguments, node)
        if name in ("sincosf", "sincos", "__sincosf"):
            return self._sine_and_cosine(arguments)
        if name.startswith("make_") and isinstance(vector := builtin(name[5:]), Struct):
            return self.pack(vector, arguments)
        if arguments and isinstance(arguments[0].type, Struct) and name in _PAIRS:
            function, amount = _PAIRS[name]
            return self._pairwise(function, amount, arguments)
        if name in RULES:
            return self._apply(RULES[name], arguments)
        pair = self._pair_conversion(name, arguments)
        if pair is None:
            raise OracleError(f"unknown function {name}", self.position(node))
        return pair

    def _apply(self, rule: Rule, arguments: list[Operand]) -> Operand:
        letters = (rule.arguments or "").ljust(len(arguments), (rule.arguments or rule.result)[-1])
        types = [_type_of(letter, arguments) for letter in letters]
        result = _type_of(rule.result, arguments)
        texts = ", ".join(convert(a, t) for a, t in zip(arguments, types, strict=True))
        shape = rounder(result) if result.is_float else wrapper(result)
        function = rule.function
        name = self.program.bind(lambda *values: shape(function(*values)))
        key = rule.key
        if not key:
            return Operand(f"{name}({texts})", result)
        if key == "flops":
            key = f"flops.{result.precision.value}"
        return Operand(f"T.count('{key}', {name}({texts}), {rule.amount})", result)

    def _shuffle(self, kind: str, arguments: list[Operand]) -> Operand:
        _, value, lane = arguments[:3]
        width = arguments[3].text if len(arguments) > 3 else "32"
        ctype = value.type
        if isinstance(ctype, Scalar) and not ctype.is_float:
            ctype = promote(ctype)
        meeting = f"Meeting('{kind}', {value.text}, {lane.text}, {width})"
        return Operand(f"T.count('shuffles', (yield {meeting}))", ctype)

    def _atomic(self, name: str, arguments: list[Operand], node: c_ast.FuncCall) -> Operand:
        operation = name.removeprefix("atomic").removesuffix("_block").removesuffix("_system")
        target = pointed(arguments[0].type)
        if operation not in ATOMICS or not isinstance(target, Scalar):
            raise OracleError(f"unknown function {name}", self.position(node))
        change = ATOMICS[operation]
        shape: Callable[[Any], Any] = rounder(target) if target.is_float else wrapper(target)

        def make(*values: Any) -> Callable[[Any], Any]:
            return lambda old: shape(change(old, *values))

        values = ", ".join(convert(value, target) for value in arguments[1:])
        form, maker = self.program.form(target), self.program.bind(make)
        return Operand(f"T.atomic({form}, {arguments[0].text}, {maker}({values}))", target)

    def _sine_and_cosine(self, arguments: list[Operand]) -> Operand:
        angle, *pointers = arguments
        value = self.temporary()
        ctype = pointed(pointers[0].type)
        parts = [f"{value} := T.count('special', {convert(angle, ctype)})"]
        for name, pointer in zip(("sin", "cos"), pointers, strict=True):
            function = self.program.bind(RULES[name].function)
            place = InMemory(pointer.text, ctype)
            parts.append(self.write(place, convert(Operand(f"{function}({value})", DOUBLE), ctype)))
        return Operand(f"({', '.join(parts)})[-1]", VOID)

    # Vectors

    def pack(self, vector: Struct, arguments: list[Operand]) -> Operand:
        """A vector of its members."""
        if len(arguments) != len(vector.fields):
            raise OracleError(f"{vector.name} has {len(vector.fields)} members")
        members = zip(arguments, vector.fields, strict=True)
        texts = ", ".join(convert(argument, field.type) for argument, field in members)
        return Operand(f"{self.program.packer(vector)}({texts})", vector)

    def packed(self, op: str, left: Operand, right: Operand) -> Operand:
        """The operators that come with half2."""
        names = {"+": "__hadd2", "-": "__hsub2", "*": "__hmul2", "/": "__h2div"}
        struct = left.type
        known = isinstance(struct, Struct) and struct.name.removeprefix("__").startswith(
            ("half2", "nv_half2", "nv_bfloat162", "bfloat162")
        )
        if op not in names or not known:
            raise OracleError(f"operator {op} on structures")
        function, amount = _PAIRS[names[op]]
        return self._pairwise(function, amount, [left, right])

    def _pairwise(
        self, function: Callable[..., float], amount: int, arguments: list[Operand]
    ) -> Operand:
        vector = arguments[0].type
        assert isinstance(vector, Struct)
        element = vector.fields[0].type
        assert isinstance(element, Scalar)
        shape = rounder(element)
        form = self.program.element_form(element)

        def apply(*values: bytes) -> bytes:
            result = bytearray(4)
            for offset in (0, 2):
                numbers = [form.read(value, offset) for value in values]
                form.write(result, offset, shape(function(*numbers)))
            return bytes(result)

        texts = ", ".join(argument.text for argument in arguments)
        call = f"{self.program.bind(apply)}({texts})"
        precision = Precision.BF16 if element.precision is Precision.BF16 else Precision.FP16
        if amount:
            call = f"T.count('flops.{precision.value}', {call}, {amount})"
        return Operand(call, vector)

    def _pair_conversion(self, name: str, arguments: list[Operand]) -> Operand | None:
        """Between pairs of halves and floats; None for another name."""
        pair = builtin("half2")
        floats = builtin("float2")
        assert isinstance(pair, Struct)
        assert isinstance(floats, Struct)
        match name:
            case "__floats2half2_rn" | "__halves2half2" | "__float22half2_rn" if (
                len(arguments) == 2
            ):
                return self.pack(pair, arguments)
            case "__half2half2" | "__float2half2_rn":
                value = self.temporary()
                twice = [arguments[0], Operand(value, arguments[0].type)]
                first = Operand(f"({value} := {arguments[0].text})", arguments[0].type)
                return self.pack(pair, [first, twice[1]])
            case "__low2float" | "__low2half" | "__high2float" | "__high2half":
                offset = 0 if "low" in name else 2
                half = Operand(
                    f"{self.program.form(HALF)}.read({arguments[0].text}, {offset})", HALF
                )
                return Operand(half.text, FLOAT if name.endswith("float") else HALF)
            case "__half22float2" | "__float22half2_rn":
                to = floats if name.startswith("__half2") else pair
                source = arguments[0].type
                assert isinstance(source, Struct)
                value = self.temporary()
                form = self.program.form(source.fields[0].type)
                step = source.fields[1].offset
                texts = (f"({value} := {arguments[0].text})", value)
                return self.pack(
                    to,
                    [
                        Operand(f"{form}.read({text}, {step * index})", source.fields[0].type)
                        for index, text in enumerate(texts)
                    ],
                )
        return None


def _type_of(letter: str, arguments: list[Operand]) -> Scalar:
    if letter in _LETTERS:
        return _LETTERS[letter]
    types: list[CType] = [argument.type for argument in arguments]
    if letter == "s":
        return promote(types[0])
    result = promote(types[0])
    for other in types[1:]:
        result = common(result, other)
    if letter == "g" and not is_float(result):
        return DOUBLE
    if isinstance(result, Pointer):
        raise OracleError("a pointer where a number is needed")
    return result
