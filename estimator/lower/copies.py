"""Asynchronous copies from global to shared memory: a load and a store of the same bytes.

`__pipeline_memcpy_async(to, from, 16)` is one thread's copy, `memcpy_async(group, to, from, n)`
one of all threads of a group together, each doing an equal part.
"""

from __future__ import annotations

from pycparser import c_ast

from estimator.algebra.condition import zero
from estimator.algebra.integer import quotient
from estimator.algebra.poly import Poly
from estimator.ir.kernel import AccessKind, ArrayObject, SyncKind
from estimator.lower.cells import remember
from estimator.lower.convert import to_poly
from estimator.lower.machine import Machine
from estimator.lower.pieces import narrowed
from estimator.lower.tiles import shared_out
from estimator.lower.values import ObjectValue, OpaqueValue, PointerValue, Value
from estimator.lower.wording import source_text
from estimator.parse import types
from estimator.source import codes

_VOID = OpaqueValue(types.VOID)
# The widest copy that one instruction makes.
_WIDEST = 16


def copy_bytes(m: Machine, values: list[Value], node: c_ast.Node, threads: int = 1) -> None:
    """Record a copy of `values[2]` bytes from `values[1]` to `values[0]`, by so many threads."""
    to, source, size = values[0], values[1], to_poly(m, values[2])
    if not isinstance(to, PointerValue) or not isinstance(source, PointerValue):
        raise m.fail(codes.UNSUPPORTED, node, f"{source_text(m, node)} needs pointers to memory")
    width = max(1, to.target.size)
    whole = size.integer
    if threads == 1 and whole is not None and whole <= _WIDEST:
        width = whole
    count = quotient(size, Poly.of(width))
    if count.integer == 1 and threads == 1:
        _copy(m, to, source, Poly.of(0), width, node)
        return
    with shared_out(m, (count,), threads) as (index,):
        _copy(m, to, source, index * width, width, node)


def _copy(
    m: Machine, to: PointerValue, source: PointerValue, at: Poly, width: int, node: c_ast.Node
) -> None:
    for kind, pointer in ((AccessKind.LOAD, source), (AccessKind.STORE, to)):
        if isinstance(pointer.base, ArrayObject):
            m.record_access(kind, pointer.base, pointer.offset + at, width, node)
    if isinstance(to.base, ArrayObject):
        remember(m, to.base, to.offset + at, OpaqueValue(to.target))


def _thread_copy(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    del name
    copy_bytes(m, values[:3], node)
    return _VOID


def _group_copy(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    """A copy by all of a group, or by one thread where no group is given."""
    del name
    group = values[0]
    if not isinstance(group, ObjectValue):
        copy_bytes(m, values[:3], node)
        return _VOID
    size = to_poly(m, group.parts["size"]).integer if "size" in group.parts else None
    if size is not None:
        copy_bytes(m, values[1:4], node, size)
        return _VOID
    # The first thread stands for a group of which only a formula says how large it is.
    before = m.live
    if "rank" in group.parts:
        m.live = narrowed(before, zero(to_poly(m, group.parts["rank"])))
    copy_bytes(m, values[1:4], node)
    m.live = before
    return _VOID


def _nothing(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    del m, name, values, node
    return _VOID


def _wait(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    del name, values
    m.record_sync(SyncKind.BARRIER, node)
    return _VOID


def _pipeline(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    del m, name, values, node
    return ObjectValue("cuda__pipeline")


FUNCTIONS = {
    "__pipeline_memcpy_async": _thread_copy,
    "__pipeline_commit": _nothing,
    "__pipeline_wait_prior": _nothing,
    "__pipeline_arrive_on": _nothing,
    "cg__memcpy_async": _group_copy,
    "cuda__memcpy_async": _group_copy,
    "cuda__make_pipeline": _pipeline,
    **{
        f"cuda__{name}": _nothing
        for name in (
            "init",
            "arrive",
            "arrive_and_drop",
            "producer_acquire",
            "producer_commit",
            "consumer_wait",
            "consumer_release",
            "quit",
        )
    },
    **dict.fromkeys(
        ("cuda__arrive_and_wait", "cuda__wait", "cuda__wait_parity", "cuda__try_wait"), _wait
    ),
}
