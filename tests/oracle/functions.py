"""CUDA's functions on numbers: what they give, and as what they count.

Conventions: a special function is one `special`; a fused multiply-add two operations; an
addition, multiplication or division under another name one; the rest is free.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from oracle.arithmetic import divide


@dataclass(frozen=True, slots=True)
class Rule:
    """`result` and `arguments` are type letters.

    f float, d double, h half, b bfloat16, i int, u unsigned, l 64-bit, L unsigned 64-bit; g the
    arguments' common floating type; m their common type; s the type of the first argument.
    Arguments without a letter have the result's. `key` is `special`, `flops` or empty.
    """

    function: Callable[..., Any]
    result: str
    key: str = ""
    amount: int = 1
    arguments: str = ""


def _careful(function: Callable[..., float]) -> Callable[..., float]:
    """The function with what the hardware gives instead of Python's exceptions."""

    def call(*values: float) -> float:
        try:
            return function(*values)
        except OverflowError:
            return math.inf
        except (ValueError, ZeroDivisionError):
            return math.nan

    return call


def _fma(a: float, b: float, c: float) -> float:
    return a * b + c


def _floor_or_self(function: Callable[[float], int]) -> Callable[[float], float]:
    return lambda x: float(function(x)) if math.isfinite(x) else x


def _round_half_away(x: float) -> float:
    return math.copysign(math.floor(abs(x) + 0.5), x) if math.isfinite(x) else x


def _reinterpret(source: str, to: str) -> Callable[[Any], Any]:
    return lambda value: struct.unpack(to, struct.pack(source, value))[0]


def _smaller(a: float, b: float) -> float:
    return a if b != b or a < b else b


def _larger(a: float, b: float) -> float:
    return a if b != b or a > b else b


def _high_product(bits: int) -> Callable[[int, int], int]:
    return lambda a, b: (a * b) >> bits


_SPECIAL: dict[str, Callable[..., float]] = {
    "sqrt": math.sqrt,
    "rsqrt": lambda x: divide(1.0, math.sqrt(x)),
    "cbrt": lambda x: math.copysign(abs(x) ** (1 / 3), x),
    "rcbrt": lambda x: divide(1.0, math.copysign(abs(x) ** (1 / 3), x)),
    "exp": math.exp,
    "exp2": lambda x: 2.0**x,
    "exp10": lambda x: 10.0**x,
    "expm1": math.expm1,
    "log": math.log,
    "log2": math.log2,
    "log10": math.log10,
    "log1p": math.log1p,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "sinpi": lambda x: math.sin(math.pi * x),
    "cospi": lambda x: math.cos(math.pi * x),
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "atan2": math.atan2,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "asinh": math.asinh,
    "acosh": math.acosh,
    "atanh": math.atanh,
    "pow": math.pow,
    "hypot": math.hypot,
    "erf": math.erf,
    "erfc": math.erfc,
    "normcdf": lambda x: 0.5 * math.erfc(-x / math.sqrt(2.0)),
    "lgamma": math.lgamma,
    "tgamma": math.gamma,
    "fmod": math.fmod,
    "remainder": math.remainder,
}

_FREE: dict[str, Callable[..., float]] = {
    "fabs": abs,
    "fmin": _smaller,
    "fmax": _larger,
    "floor": _floor_or_self(math.floor),
    "ceil": _floor_or_self(math.ceil),
    "trunc": _floor_or_self(math.trunc),
    "rint": _floor_or_self(round),
    "nearbyint": _floor_or_self(round),
    "round": _round_half_away,
    "copysign": math.copysign,
}

RULES: dict[str, Rule] = {}


def _define() -> None:
    for name, function in _SPECIAL.items():
        RULES[name] = Rule(_careful(function), "g", "special")
        RULES[name + "f"] = Rule(_careful(function), "f", "special")
    for name in ("exp", "exp10", "log", "log2", "log10", "sin", "cos", "tan", "pow"):
        RULES[f"__{name}f"] = Rule(_careful(_SPECIAL[name]), "f", "special")
    for name in ("sqrt", "rsqrt", "exp", "exp2", "exp10", "log", "log2", "log10", "sin", "cos"):
        RULES[f"h{name}"] = Rule(_careful(_SPECIAL[name]), "s", "special")
    for name, function in _FREE.items():
        RULES[name] = Rule(function, "g")
        RULES[name + "f"] = Rule(function, "f")
    RULES.update(
        min=Rule(_smaller, "m"),
        max=Rule(_larger, "m"),
        umin=Rule(min, "u"),
        umax=Rule(max, "u"),
        abs=Rule(abs, "m"),
        labs=Rule(abs, "l"),
        llabs=Rule(abs, "l"),
        fma=Rule(_fma, "g", "flops", 2),
        fmaf=Rule(_fma, "f", "flops", 2),
        __fdividef=Rule(divide, "f", "flops"),
        __frcp_rn=Rule(lambda x: divide(1.0, x), "f", "special"),
        isnan=Rule(lambda x: int(math.isnan(x)), "i", arguments="g"),
        isinf=Rule(lambda x: int(math.isinf(x)), "i", arguments="g"),
        isfinite=Rule(lambda x: int(math.isfinite(x)), "i", arguments="g"),
        signbit=Rule(lambda x: int(math.copysign(1.0, x) < 0), "i", arguments="g"),
        __saturatef=Rule(lambda x: min(max(x, 0.0), 1.0), "f"),
    )
    _define_rounded()
    _define_half()
    _define_bits()


def _define_rounded() -> None:
    """Operations that name their rounding; all round to nearest here."""
    for mode in ("rn", "rz", "ru", "rd"):
        for letter, result in (("f", "f"), ("d", "d")):
            RULES[f"__{letter}add_{mode}"] = Rule(lambda a, b: a + b, result, "flops")
            RULES[f"__{letter}sub_{mode}"] = Rule(lambda a, b: a - b, result, "flops")
            RULES[f"__{letter}mul_{mode}"] = Rule(lambda a, b: a * b, result, "flops")
            RULES[f"__{letter}div_{mode}"] = Rule(divide, result, "flops")
            RULES[f"__{letter}sqrt_{mode}"] = Rule(_careful(math.sqrt), result, "special")
        RULES[f"__fmaf_{mode}"] = Rule(_fma, "f", "flops", 2)
        RULES[f"__fma_{mode}"] = Rule(_fma, "d", "flops", 2)
        roundings: dict[str, Callable[[float], int]] = {
            "rn": round,
            "rz": math.trunc,
            "ru": math.ceil,
            "rd": math.floor,
        }
        rounding = roundings[mode]
        for source, letter in (("float", "f"), ("double", "d"), ("half", "h")):
            for to, result in (("int", "i"), ("uint", "u"), ("ll", "l"), ("ull", "L")):
                RULES[f"__{source}2{to}_{mode}"] = Rule(rounding, result, arguments=letter)
                RULES[f"__{to}2{source}_{mode}"] = Rule(float, letter, arguments=result)
        RULES[f"__double2float_{mode}"] = Rule(float, "f", arguments="d")
        RULES[f"__float2half_{mode}"] = Rule(float, "h", arguments="f")
    RULES["__frsqrt_rn"] = Rule(_careful(_SPECIAL["rsqrt"]), "f", "special")


def _define_half() -> None:
    for name, function in (
        ("add", lambda a, b: a + b),
        ("sub", lambda a, b: a - b),
        ("mul", lambda a, b: a * b),
        ("div", divide),
    ):
        for suffix in ("", "_rn"):
            RULES[f"__h{name}{suffix}"] = Rule(function, "s", "flops")
    RULES["__hfma"] = Rule(_fma, "s", "flops", 2)
    RULES["__hneg"] = Rule(lambda x: -x, "s")
    RULES["__habs"] = Rule(abs, "s")
    RULES["__hmax"] = Rule(_larger, "s")
    RULES["__hmin"] = Rule(_smaller, "s")
    for name, compare in (
        ("lt", lambda a, b: int(a < b)),
        ("gt", lambda a, b: int(a > b)),
        ("le", lambda a, b: int(a <= b)),
        ("ge", lambda a, b: int(a >= b)),
        ("eq", lambda a, b: int(a == b)),
        ("ne", lambda a, b: int(a != b)),
    ):
        RULES[f"__h{name}"] = Rule(compare, "i", arguments="gg")
    RULES["__half2float"] = Rule(float, "f", arguments="h")
    RULES["__float2half"] = Rule(float, "h", arguments="f")
    RULES["__double2half"] = Rule(float, "h", arguments="d")
    RULES["__bfloat162float"] = Rule(float, "f", arguments="b")
    RULES["__float2bfloat16"] = Rule(float, "b", arguments="f")
    RULES["__float2bfloat16_rn"] = Rule(float, "b", arguments="f")


def _define_bits() -> None:
    """Integer intrinsics and changes of view."""
    RULES.update(
        __popc=Rule(lambda x: x.bit_count(), "i", arguments="u"),
        __popcll=Rule(lambda x: x.bit_count(), "i", arguments="L"),
        __clz=Rule(lambda x: 32 - x.bit_length(), "i", arguments="u"),
        __clzll=Rule(lambda x: 64 - x.bit_length(), "i", arguments="L"),
        __ffs=Rule(lambda x: (x & -x).bit_length(), "i", arguments="u"),
        __brev=Rule(lambda x: int(f"{x:032b}"[::-1], 2), "u"),
        __mulhi=Rule(_high_product(32), "i"),
        __umulhi=Rule(_high_product(32), "u"),
        __mul64hi=Rule(_high_product(64), "l"),
        __umul64hi=Rule(_high_product(64), "L"),
        __mul24=Rule(lambda a, b: a * b, "i"),
        __umul24=Rule(lambda a, b: a * b, "u"),
        __float_as_int=Rule(_reinterpret("<f", "<i"), "i", arguments="f"),
        __float_as_uint=Rule(_reinterpret("<f", "<I"), "u", arguments="f"),
        __int_as_float=Rule(_reinterpret("<i", "<f"), "f", arguments="i"),
        __uint_as_float=Rule(_reinterpret("<I", "<f"), "f", arguments="u"),
        __double_as_longlong=Rule(_reinterpret("<d", "<q"), "l", arguments="d"),
        __longlong_as_double=Rule(_reinterpret("<q", "<d"), "d", arguments="l"),
        lrintf=Rule(round, "l", arguments="f"),
        lroundf=Rule(lambda x: int(_round_half_away(x)), "l", arguments="f"),
        clock=Rule(lambda: 0, "l"),
        clock64=Rule(lambda: 0, "l"),
    )


_define()

ATOMICS: dict[str, Callable[..., Any]] = {
    "Add": lambda old, value: old + value,
    "Sub": lambda old, value: old - value,
    "Exch": lambda old, value: value,
    "Min": lambda old, value: min(old, value),
    "Max": lambda old, value: max(old, value),
    "Inc": lambda old, value: 0 if old >= value else old + 1,
    "Dec": lambda old, value: value if old == 0 or old > value else old - 1,
    "CAS": lambda old, compare, value: value if old == compare else old,
    "And": lambda old, value: old & value,
    "Or": lambda old, value: old | value,
    "Xor": lambda old, value: old ^ value,
}
