"""PTX's matrix instructions: `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32`."""

from __future__ import annotations

import re

from pycparser import c_ast

from estimator.lower.machine import Machine
from estimator.lower.matrices import record_multiplication
from estimator.lower.values import Value

_SHAPE = re.compile(r"^m(\d+)n(\d+)k(\d+)$")
_KEYS = {
    "f64": "tensor_fp64",
    "tf32": "tensor_tf32",
    "f16": "tensor_fp16",
    "bf16": "tensor_bf16",
    "e4m3": "tensor_fp8",
    "e5m2": "tensor_fp8",
    "s8": "tensor_int8",
    "u8": "tensor_int8",
    "s4": "tensor_int4",
    "u4": "tensor_int4",
    "b1": "tensor_b1",
}
_TYPES = frozenset([*_KEYS, "f32", "s32"])
# The warps that work on one instruction together.
_WARPS_OF_WGMMA = 4


def multiply(m: Machine, opcode: str, operands: list[Value | str], node: c_ast.FuncCall) -> bool:
    """Count a multiplication; False for an instruction of another kind."""
    del operands
    words = opcode.split(".")
    if words[0] == "wgmma" and words[1] in ("fence", "commit_group", "wait_group"):
        return True
    shape = next((match for word in words if (match := _SHAPE.match(word))), None)
    formats = [word for word in words if word in _TYPES]
    if shape is None or not formats or "sp" in words:
        return False
    if words[0] == "wmma" and words[1] != "mma":
        return False
    # The result's format comes first, that of the first matrix second; wmma on halves gives
    # the formats of both sums only.
    result = formats[0]
    element = formats[1] if len(formats) > 2 else ("f16" if words[0] == "wmma" else formats[0])
    key = _KEYS.get(element)
    if key in ("tensor_fp16", "tensor_fp8") and result == "f16":
        key += "_acc16"
    size = int(shape[1]) * int(shape[2]) * int(shape[3])
    if shape[0] == "m8n8k4" and element == "f16":
        size *= 4  # each quarter of the warp multiplies matrices of its own
    if words[0] == "wgmma":
        size //= _WARPS_OF_WGMMA
    record_multiplication(m, key, size, node)
    return True
