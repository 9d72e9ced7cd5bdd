"""Cooperative groups: who is in them, and what their functions do.

After the CUDA C++ Programming Guide, "Cooperative Groups". A group's `size` and a thread's
`rank` in it are values like all others; of coalesced threads nobody knows how many there are.
"""

from __future__ import annotations

import re

from pycparser import c_ast

from estimator.algebra.atoms import Symbol
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.ir.kernel import SyncKind
from estimator.lower.arithmetic import binary
from estimator.lower.convert import fresh, opaque_poly, to_poly, type_of, unknown_like
from estimator.lower.functors import apply, library_constant
from estimator.lower.machine import Machine
from estimator.lower.values import (
    IntValue,
    ObjectValue,
    OpaqueValue,
    StructValue,
    Value,
)
from estimator.lower.wording import source_text
from estimator.parse import types
from estimator.parse.types import Struct
from estimator.source import codes

_BLOCK, _TILE, _COALESCED, _GRID, _CLUSTER = (
    "thread_block", "thread_block_tile", "coalesced_group", "grid_group", "cluster_group",
)  # fmt: skip
_KINDS = frozenset([_BLOCK, _TILE, _COALESCED, _GRID, _CLUSTER])
_VOID = OpaqueValue(types.VOID)


def _unsigned(poly: Poly) -> IntValue:
    return IntValue(poly, types.UNSIGNED)


def _extents(m: Machine, name: str) -> tuple[Poly, Poly, Poly]:
    """The extents of blocks or grid; where no launch is known, along axes that the kernel names."""
    x, y, z = m.indices[name]
    named = _named_axes(m)
    return (
        x,
        ONE if y.atom == Symbol(f"{name}.y") and "y" not in named else y,
        ONE if z.atom == Symbol(f"{name}.z") and "z" not in named else z,
    )


def _named_axes(m: Machine) -> set[str]:
    """The axes that a kernel's own text speaks of."""
    source = m.unit.source
    kernel = m.frames[0].function.name if m.frames else ""
    item = next((item for item in source.items if item.name == kernel), None)
    text = source.text[item.start : item.end] if item is not None else ""
    return set(re.findall(r"(?:Idx|Dim|_index\(\w*\))\.([xyz])", text))


def _product(m: Machine, name: str) -> Poly:
    x, y, z = _extents(m, name)
    return x * y * z


def _linear(m: Machine, index: str, extent: str) -> Poly:
    x, y, z = m.indices[index]
    width, height, depth = _extents(m, extent)
    y, z = (ZERO if height == ONE else y), (ZERO if depth == ONE else z)
    return (z * height + y) * width + x


def _group(kind: str, size: Value, rank: Value, **more: Value) -> ObjectValue:
    return ObjectValue(kind, {"size": size, "rank": rank, **more})


def _this_block(m: Machine) -> ObjectValue:
    size = _unsigned(_product(m, "blockDim"))
    return _group(_BLOCK, size, _unsigned(_linear(m, "threadIdx", "blockDim")))


def _this_grid(m: Machine) -> ObjectValue:
    threads = _product(m, "blockDim")
    size = threads * _product(m, "gridDim")
    inside = _linear(m, "threadIdx", "blockDim")
    rank = _linear(m, "blockIdx", "gridDim") * threads + inside
    return _group(_GRID, IntValue(size, types.SIZE_T), IntValue(rank, types.SIZE_T))


def _unknown_group(m: Machine, kind: str, most: Poly | None, node: c_ast.Node) -> ObjectValue:
    meaning = f"threads in the group of {source_text(m, node)}"
    size = m.unknown("group_size", node, meaning, lower=ONE, upper=most)
    return _group(kind, _unsigned(Poly.of(size)), _unsigned(opaque_poly(m)))


def _make(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    match name:
        case "cg__this_thread_block":
            return _this_block(m)
        case "cg__this_grid" | "cg__this_multi_grid":
            return _this_grid(m)
        case "cg__this_cluster":
            return _unknown_group(m, _CLUSTER, None, node)
        case "cg__tiled_partition" if len(values) > 1:
            parent = group_of(m, values[0], node)
            rank = binary(m, "%", parent.parts["rank"], values[1], node)
            size = _unsigned(to_poly(m, values[1]))
            return _group(_TILE, size, rank, parent=parent)
    return _unknown_group(m, _COALESCED, Poly.of(32), node)


def group_of(m: Machine, value: Value, node: c_ast.Node) -> ObjectValue:
    """The group that a value is. Raises InputError for a value that is none."""
    if isinstance(value, ObjectValue) and value.kind in _KINDS:
        return value
    raise m.fail(codes.UNSUPPORTED, node, f"no group of threads in {source_text(m, node)}")


def _sync(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    """Warps wait for free; blocks, clusters and grids have a barrier."""
    del name
    if group_of(m, values[0], node).kind in (_BLOCK, _GRID, _CLUSTER):
        m.record_sync(SyncKind.BARRIER, node)
    return _VOID


def _size(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    del name
    return group_of(m, values[0], node).parts["size"]


def _rank(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    del name
    return group_of(m, values[0], node).parts["rank"]


def _meta(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    group = group_of(m, values[0], node)
    parent = group.parts.get("parent")
    if not isinstance(parent, ObjectValue):
        return _unsigned(opaque_poly(m))
    part = "rank" if name.endswith("rank") else "size"
    return binary(m, "/", parent.parts[part], group.parts["size"], node)


def _index(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    group = group_of(m, values[0], node)
    variable = {
        "cg__group_index": "blockIdx",
        "cg__block_index": "blockIdx",
        "cg__thread_index": "threadIdx",
        "cg__dim_blocks": "gridDim",
        "cg__dim_threads": "blockDim",
        "cg__group_dim": "gridDim" if group.kind == _GRID else "blockDim",
    }[name]
    if group.kind == _CLUSTER:
        return fresh(m, _dim3())
    axes = zip("xyz", m.indices[variable], strict=True)
    return StructValue(_dim3(), {axis: _unsigned(poly) for axis, poly in axes})


def _dim3() -> Struct:
    ctype = types.builtin("uint3")
    assert isinstance(ctype, Struct)
    return ctype


def _blocks(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    if group_of(m, values[0], node).kind != _GRID:
        return _unsigned(opaque_poly(m))
    if name.endswith("rank"):
        return _unsigned(_linear(m, "blockIdx", "gridDim"))
    return _unsigned(_product(m, "gridDim"))


def _shuffle(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    group_of(m, values[0], node)
    if len(values) < 2:
        raise m.fail(codes.UNSUPPORTED, node, f"{name[4:]} needs a value to exchange")
    m.record_sync(SyncKind.SHUFFLE, node)
    return fresh(m, type_of(values[1]))


def _vote(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    group_of(m, values[0], node)
    return fresh(m, types.INT if name in ("cg__any", "cg__all") else types.UNSIGNED)


def _of_another_block(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    """The same place in the shared memory of another block of the cluster."""
    del name
    group_of(m, values[0], node)
    return unknown_like(m, values[1])


def _free(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    group_of(m, values[0], node)
    return IntValue(ONE, types.INT) if name == "cg__is_valid" else _VOID


def _reduce(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    """log₂ size steps, each an exchange and an operation; an exclusive scan exchanges once more."""
    group = group_of(m, values[0], node)
    operation = values[2] if len(values) > 2 else library_constant("functor__plus")
    size = to_poly(m, group.parts["size"]).integer
    assert operation is not None
    value = values[1]
    if size is None or size > 32:
        cost = m.unknown(
            f"flops_{name[4:]}", node, f"FLOPs of {source_text(m, node)} for one thread", lower=ZERO
        )
        m.record_unknown_call(name[4:], cost, node)
        return fresh(m, type_of(value))
    for _ in range((size - 1).bit_length()):
        m.record_sync(SyncKind.SHUFFLE, node)
        value = apply(m, operation, value, fresh(m, type_of(value)), node)
    if name.endswith("exclusive_scan"):
        m.record_sync(SyncKind.SHUFFLE, node)
    return fresh(m, type_of(value))


FUNCTIONS = {
    **{
        f"cg__{name}": _make
        for name in (
            "this_thread_block",
            "this_grid",
            "this_multi_grid",
            "this_cluster",
            "coalesced_threads",
            "tiled_partition",
            "binary_partition",
            "labeled_partition",
        )
    },
    **dict.fromkeys(("cg__sync", "cg__barrier_wait", "cg__wait", "cg__wait_prior"), _sync),
    **dict.fromkeys(("cg__size", "cg__num_threads", "cg__group_size"), _size),
    "cg__thread_rank": _rank,
    **dict.fromkeys(("cg__meta_group_rank", "cg__meta_group_size"), _meta),
    **{
        f"cg__{name}": _index
        for name in (
            "group_index",
            "block_index",
            "thread_index",
            "dim_blocks",
            "dim_threads",
            "group_dim",
        )
    },
    **dict.fromkeys(("cg__block_rank", "cg__group_rank", "cg__num_blocks"), _blocks),
    **{f"cg__shfl{kind}": _shuffle for kind in ("", "_up", "_down", "_xor")},
    **{f"cg__{name}": _vote for name in ("any", "all", "ballot", "match_any", "match_all")},
    "cg__map_shared_rank": _of_another_block,
    **dict.fromkeys(("cg__is_valid", "cg__barrier_arrive"), _free),
    **dict.fromkeys(("cg__reduce", "cg__inclusive_scan", "cg__exclusive_scan"), _reduce),
}
