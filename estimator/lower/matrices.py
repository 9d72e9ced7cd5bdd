"""Warp matrix functions: `wmma` fragments, and what a warp's tensor cores do.

A warp's operation is 2·M·N·K FLOPs, of which each thread has 1/32; loads and stores move the
whole tile once, each thread an equal share of its elements.
"""

from __future__ import annotations

from pycparser import c_ast

from estimator.algebra.poly import Poly
from estimator.grammars.library import Fragment, fragment_of
from estimator.ir.kernel import AccessKind, ArrayObject
from estimator.lower.convert import to_poly
from estimator.lower.machine import Machine
from estimator.lower.tiles import WARP, shared_out
from estimator.lower.values import IntValue, OpaqueValue, PointerValue, StructValue, Value
from estimator.lower.wording import source_text
from estimator.parse import types
from estimator.parse.types import Struct
from estimator.source import codes

# The bits of elements that are smaller than a byte.
_BITS = {"s4": 4, "u4": 4, "b1": 1}
_KEYS = {
    "double": "tensor_fp64",
    "tf32": "tensor_tf32",
    "half": "tensor_fp16",
    "__half": "tensor_fp16",
    "__nv_bfloat16": "tensor_bf16",
    "signed_char": "tensor_int8",
    "unsigned_char": "tensor_int8",
    "char": "tensor_int8",
    "s4": "tensor_int4",
    "u4": "tensor_int4",
    "b1": "tensor_b1",
}


def tensor_key(element: str, accumulator: str) -> str | None:
    """The key of the work of multiplying matrices of `element`, summed up in `accumulator`."""
    key = _KEYS.get(element)
    if key == "tensor_fp16" and accumulator in ("half", "__half"):
        return "tensor_fp16_acc16"
    return key


def fragment_elements(m: Machine, node: c_ast.StructRef) -> Value | None:
    """`fragment.num_elements`; None for a member of anything else."""
    from estimator.lower.places import place_of, place_type

    if node.type != "." or not isinstance(node.name, (c_ast.ID, c_ast.ArrayRef)):
        return None
    m.dry += 1
    try:
        ctype = place_type(place_of(m, node.name))
    finally:
        m.dry -= 1
    fragment = fragment_of(ctype.name) if isinstance(ctype, Struct) else None
    return IntValue(Poly.of(fragment.elements_per_thread), types.INT) if fragment else None


def _fragment(m: Machine, value: Value, node: c_ast.FuncCall) -> Fragment:
    fragment = fragment_of(value.type.name) if isinstance(value, StructValue) else None
    if fragment is None:
        raise m.fail(codes.UNSUPPORTED, node, f"no fragment of a matrix in {source_text(m, node)}")
    return fragment


def _load(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    del name
    fragment = _fragment(m, values[0], node)
    _tile(m, AccessKind.LOAD, fragment, values[1:], node)
    return OpaqueValue(types.VOID)


def _store(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    del name
    fragment = _fragment(m, values[1], node)
    _tile(m, AccessKind.STORE, fragment, [values[0], *values[2:]], node)
    return OpaqueValue(types.VOID)


def _tile(
    m: Machine, kind: AccessKind, fragment: Fragment, values: list[Value], node: c_ast.FuncCall
) -> None:
    """The accesses to a tile that begins at a pointer, its lines `values[1]` elements apart."""
    pointer = values[0]
    if not isinstance(pointer, PointerValue) or not isinstance(pointer.base, ArrayObject):
        raise m.fail(codes.UNSUPPORTED, node, f"{source_text(m, node)} needs a pointer to memory")
    column_major = fragment.layout == "col"
    if len(values) > 2:
        layout = to_poly(m, values[2]).integer
        if layout is None:
            raise m.fail(codes.UNSUPPORTED, node, "the layout of the matrix is not known here")
        column_major = layout == 1
    lines, length = fragment.rows, fragment.columns
    if column_major:
        lines, length = length, lines
    size, step = pointer.target.size, to_poly(m, values[1])
    bits = _BITS.get(fragment.element)
    if bits is not None and fragment.use != "accumulator":
        size, length, step = 1, length * bits // 8, step * bits / 8
    with shared_out(m, (lines, length), WARP) as (line, place):
        offset = pointer.offset + (line * step + place) * size
        m.record_access(kind, pointer.base, offset, size, node)


def _multiply(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    del name
    result, left = _fragment(m, values[0], node), _fragment(m, values[1], node)
    record_multiplication(
        m, tensor_key(left.element, result.element), left.m * left.n * left.k, node
    )
    return OpaqueValue(types.VOID)


def record_multiplication(m: Machine, key: str | None, size: int, node: c_ast.Node) -> None:
    """A warp's multiplication with M·N·K = `size`; unknown formats have a named cost."""
    if key is None:
        cost = m.unknown("flops_mma", node, "FLOPs of this matrix operation for one thread")
        m.record_unknown_call("this matrix operation", cost, node)
        return
    m.record_operation("mma", key, node, (), flops=2 * size // WARP)


def _nothing(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    del m, name, values, node
    return OpaqueValue(types.VOID)


FUNCTIONS = {
    "wmma__load_matrix_sync": _load,
    "wmma__store_matrix_sync": _store,
    "wmma__mma_sync": _multiply,
    "wmma__bmma_sync": _multiply,
    "wmma__fill_fragment": _nothing,
}
