"""cuRAND's device functions: what one call costs, and what it does to its state.

After `curand_kernel.h`, `curand_uniform.h` and `curand_normal.h`: a generator's step is integer
work, which is not counted; a uniform number is a multiply-add; the Box-Muller transform makes
two normal numbers from 7 FLOPs, a logarithm, a square root and a sine with its cosine.
"""

from __future__ import annotations

from pycparser import c_ast

from estimator.algebra.poly import ZERO
from estimator.immutable import immutable
from estimator.ir.kernel import AccessKind, ArrayObject
from estimator.lower.convert import fresh
from estimator.lower.machine import Machine
from estimator.lower.tiles import shared_out
from estimator.lower.values import FloatValue, OpaqueValue, PointerValue, Value
from estimator.lower.wording import source_text
from estimator.parse import types
from estimator.source import codes


@immutable()
class _Cost:
    """FLOPs and special functions of one call that gives `result`; `half` of it on average
    where every second call finds its number ready."""

    result: str
    flops: int = 0
    special: int = 0
    half: bool = False


_PAIR = (7, 3)
_COSTS: dict[str, _Cost] = {
    "curand": _Cost("unsigned int"),
    "curand4": _Cost("uint4"),
    "curand_uniform": _Cost("float", 2),
    "curand_uniform4": _Cost("float4", 8),
    "curand_uniform_double": _Cost("double", 2),
    "curand_uniform2_double": _Cost("double2", 4),
    "curand_normal": _Cost("float", *_PAIR, half=True),
    "curand_normal2": _Cost("float2", *_PAIR),
    "curand_normal4": _Cost("float4", 14, 6),
    "curand_normal_double": _Cost("double", *_PAIR, half=True),
    "curand_normal2_double": _Cost("double2", *_PAIR),
    # exp(mean + deviation * x) of each number, on top
    "curand_log_normal": _Cost("float", 11, 5, half=True),
    "curand_log_normal2": _Cost("float2", 11, 5),
    "curand_log_normal4": _Cost("float4", 22, 10),
    "curand_log_normal_double": _Cost("double", 11, 5, half=True),
    "curand_log_normal2_double": _Cost("double2", 11, 5),
}
_UNKNOWN: dict[str, str] = {
    "curand_poisson": "unsigned int",
    "curand_poisson4": "uint4",
    "curand_discrete": "unsigned int",
}
# The bytes of a state that a step reads and writes.
_WORDS = {"XORWOW": 24, "curandState": 24, "Philox": 44, "MRG": 24}


def _state(values: list[Value], node: c_ast.FuncCall, m: Machine) -> PointerValue:
    for value in values:
        if isinstance(value, PointerValue):
            return value
    raise m.fail(codes.UNSUPPORTED, node, f"{source_text(m, node)} needs the address of a state")


def _generate(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    state = _state(values, node, m)
    cost = _COSTS[name]
    _touch(m, state, node)
    kind = getattr(state.target, "name", "")
    if "MRG" in kind or "Mtgp" in kind:
        _unknown_cost(m, name, node)
    result = types.builtin(cost.result)
    assert result is not None
    precision = "fp64" if cost.result.startswith("double") else "fp32"
    if cost.half:
        m.note("pairs", f"{name} makes two numbers at a time: half of that for each call")
        with shared_out(m, (), 2):
            m.record_operation(name, precision, node, (), flops=cost.flops, special=cost.special)
    elif cost.flops:
        number = m.record_operation(
            name, precision, node, (), flops=cost.flops, special=cost.special
        )
        if isinstance(result, types.Scalar) and result.is_float:
            return FloatValue(number, result)
    return fresh(m, result)


def _guess(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    """Numbers whose cost depends on them."""
    _touch(m, _state(values, node, m), node)
    _unknown_cost(m, name, node)
    result = types.builtin(_UNKNOWN[name])
    assert result is not None
    return fresh(m, result)


def _unknown_cost(m: Machine, name: str, node: c_ast.FuncCall) -> None:
    cost = m.unknown(f"flops_{name}", node, f"FLOPs of one call of {name}", lower=ZERO)
    m.record_unknown_call(name, cost, node)


def _touch(m: Machine, state: PointerValue, node: c_ast.FuncCall) -> None:
    """A state in memory is read and written, a local copy is not."""
    if not isinstance(state.base, ArrayObject):
        return
    kind = getattr(state.target, "name", "")
    width = next((words for part, words in _WORDS.items() if part in kind), state.target.size)
    for access in (AccessKind.LOAD, AccessKind.STORE):
        m.record_access(access, state.base, state.offset, width, node)


def _init(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    """The state is written whole; how it skips ahead is integer work on tables."""
    state = _state(values[-1:], node, m)
    if isinstance(state.base, ArrayObject):
        m.record_access(AccessKind.STORE, state.base, state.offset, state.target.size, node)
    kind = getattr(state.target, "name", "")
    if "MRG" in kind:
        _unknown_cost(m, name, node)
    m.note("curand-init", "curand_init's integer work and its tables are not counted")
    return OpaqueValue(types.VOID)


def _skip(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    del name
    _touch(m, _state(values[-1:], node, m), node)
    return OpaqueValue(types.VOID)


FUNCTIONS = {
    **dict.fromkeys(_COSTS, _generate),
    **dict.fromkeys(_UNKNOWN, _guess),
    "curand_init": _init,
    **dict.fromkeys(("skipahead", "skipahead_sequence", "skipahead_subsequence"), _skip),
}
