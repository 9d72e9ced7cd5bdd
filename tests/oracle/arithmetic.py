"""C's arithmetic on Python's numbers: rounding, wrap-around, division towards zero."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable

from estimator.parse.types import Kind, Scalar

_FLOAT = ctypes.c_float


def round_fp32(value: float) -> float:
    """The nearest single-precision number."""
    return _FLOAT(value).value


def round_fp16(value: float) -> float:
    """The nearest half-precision number; beyond 65504 an infinity."""
    try:
        result: float = struct.unpack("<e", struct.pack("<e", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return result


def round_bf16(value: float) -> float:
    """The nearest bfloat16, ties to even."""
    if not math.isfinite(value):
        return value
    bits = int.from_bytes(struct.pack("<f", round_fp32(value)), "little")
    bits += 0x7FFF + ((bits >> 16) & 1)
    result: float = struct.unpack("<f", (bits & 0xFFFF0000).to_bytes(4, "little"))[0]
    return result


def divide(left: float, right: float) -> float:
    """IEEE division, which knows division by zero."""
    if right == 0:
        if left == 0 or math.isnan(left):
            return math.nan
        return math.copysign(math.inf, left) * math.copysign(1.0, right)
    return left / right


def quotient(left: int, right: int) -> int:
    """Integer division towards zero. Raises ZeroDivisionError."""
    result = abs(left) // abs(right)
    return result if (left < 0) == (right < 0) else -result


def remainder(left: int, right: int) -> int:
    """What is left by `quotient`; it has the sign of `left`. Raises ZeroDivisionError."""
    return left - quotient(left, right) * right


def truncate(value: float) -> int:
    """A float without its fraction; 0 for what is no number, the largest for infinity."""
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return 2**31 - 1 if value > 0 else -(2**31)
    return int(value)


def wrapper(scalar: Scalar) -> Callable[[int], int]:
    """The function that brings an integer into the range of an integer type."""
    if scalar.kind is Kind.BOOL:
        return lambda value: 1 if value else 0
    bits = scalar.size * 8
    mask, half = (1 << bits) - 1, 1 << (bits - 1)
    if scalar.kind is Kind.INT:
        return lambda value: ((value + half) & mask) - half
    return lambda value: value & mask


def rounder(scalar: Scalar) -> Callable[[float], float]:
    """The function that rounds to a floating-point type."""
    if scalar.kind is Kind.BFLOAT:
        return round_bf16
    by_size: dict[int, Callable[[float], float]] = {8: float, 4: round_fp32, 2: round_fp16}
    return by_size[scalar.size]
