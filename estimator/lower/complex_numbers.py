"""`cuComplex.h`: complex arithmetic on pairs, FLOPs as its sources compute them."""

from __future__ import annotations

from pycparser import c_ast

from estimator.lower.convert import fresh
from estimator.lower.machine import Machine
from estimator.lower.values import FloatValue, StructValue, Value
from estimator.parse import types
from estimator.parse.types import Scalar

# name without its precision → (FLOPs, special functions)
_PAIRS = {
    "cuCadd": (2, 0),
    "cuCsub": (2, 0),
    "cuCmul": (6, 0),
    "cuCdiv": (18, 0),
    "cuCfma": (8, 0),
    "cuConj": (0, 0),
}
_NUMBERS = {"cuCabs": (4, 1), "cuCreal": (0, 0), "cuCimag": (0, 0)}


def _is_single(name: str) -> bool:
    """cuCaddf and cuConjf work on floats, cuCadd and cuConj on doubles."""
    return name not in _PAIRS and name not in _NUMBERS


def _complex(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    single = _is_single(name)
    base = name.removesuffix("f") if single else name
    number: Scalar = types.FLOAT if single else types.DOUBLE
    part = {"cuCreal": "x", "cuCimag": "y"}.get(base)
    if part is not None and isinstance(values[0], StructValue):
        return values[0].fields[part]
    flops, special = _PAIRS.get(base) or _NUMBERS[base]
    result = m.fresh_number()
    if flops:
        result = m.record_operation(
            name, number.precision.value, node, (), flops=flops, special=special
        )
    if base in _NUMBERS:
        return FloatValue(result, number)
    ctype = types.builtin("cuFloatComplex" if single else "cuDoubleComplex")
    assert ctype is not None
    return fresh(m, ctype)


FUNCTIONS = {f"{name}{suffix}": _complex for name in (*_PAIRS, *_NUMBERS) for suffix in ("", "f")}
