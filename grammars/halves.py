"""What the functions of `cuda_fp16.h`, `cuda_bf16.h` and `cuda_fp8.h` cost, and what they give.

Names: CUDA Math API reference, sections "Half Precision Intrinsics", "Bfloat16 Precision
Intrinsics" and "FP8 Intrinsics". A packed operation counts each of its two halves.
"""

from __future__ import annotations

from estimator.grammars.function import MathFunction

ROUNDINGS = ("rn", "rz", "ru", "rd")
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_TRANSCENDENTAL = (
    "exp", "exp2", "exp10", "log", "log2", "log10", "sin", "cos", "sqrt", "rsqrt", "rcp", "tanh",
    "tanh_approx",
)  # fmt: skip


def half_functions() -> dict[str, MathFunction]:
    """Arithmetic, comparisons and transcendental functions, by name."""
    table: dict[str, MathFunction] = {}
    for operation, flops in (("add", 1), ("sub", 1), ("mul", 1), ("div", 1), ("fma", 2)):
        for variant in ("", "_rn", "_sat", "_relu"):
            table[f"__h{operation}{variant}"] = MathFunction(flops, 0, "argument")
            table[f"__h{operation}2{variant}"] = MathFunction(2 * flops, 0, "argument", packed=True)
    table["h2div"] = table["__h2div"] = MathFunction(2, 0, "argument", packed=True)
    table["hdiv"] = MathFunction(1, 0, "argument")
    # A complex multiply-add: four fused multiply-adds.
    table["__hcmadd"] = MathFunction(8, 0, "argument", packed=True)
    for name in _TRANSCENDENTAL:
        table[f"h{name}"] = MathFunction(0, 1, "argument")
        table[f"h2{name}"] = MathFunction(0, 2, "argument", packed=True)
    for name in ("neg", "abs", "max", "min", "max_nan", "min_nan"):
        table[f"__h{name}"] = MathFunction(0, 0, "argument")
        base, _, tail = name.partition("_")
        packed = f"__h{base}2" + (f"_{tail}" if tail else "")
        table[packed] = MathFunction(0, 0, "argument", packed=True)
    for name in ("floor", "ceil", "trunc", "rint"):
        table[f"h{name}"] = MathFunction(0, 0, "argument")
        table[f"h2{name}"] = MathFunction(0, 0, "argument", packed=True)
    for name in (*_COMPARISONS, "isnan", "isinf"):
        table[f"__h{name}"] = MathFunction(0, 0, "int")
        table[f"__h{name}2"] = MathFunction(0, 0, "argument", packed=True)
    for name in _COMPARISONS:
        table[f"__h{name}u"] = MathFunction(0, 0, "int")
        table[f"__h{name}u2"] = MathFunction(0, 0, "argument", packed=True)
        for unordered in ("", "u"):
            table[f"__hb{name}{unordered}2"] = MathFunction(0, 0, "int")
    return table


def half_conversions() -> dict[str, str]:
    """Conversions and moves between halves: the type of the result by name."""
    table = {
        f"__h{name}{unordered}2_mask": "unsigned int"
        for name in _COMPARISONS
        for unordered in ("", "u")
    }
    for word, short, pair in (
        ("half", "half", "half2"),
        ("bfloat16", "__nv_bfloat16", "__nv_bfloat162"),
    ):
        table.update(_of_type(word, short, pair))
    table.update(_FP8)
    return table


def _of_type(word: str, half: str, pair: str) -> dict[str, str]:
    pair_word = {"half": "half2", "bfloat16": "bfloat162"}[word]
    table = {f"__float2{word}": half, f"__double2{word}": half, f"__{word}2float": "float"}
    integers = {
        "int": "int", "uint": "unsigned int", "short": "short", "ushort": "unsigned short",
        "ll": "long long", "ull": "unsigned long long", "char": "signed char",
        "uchar": "unsigned char",
    }  # fmt: skip
    for rounding in ROUNDINGS:
        table[f"__float2{word}_{rounding}"] = half
        for name, ctype in integers.items():
            table[f"__{word}2{name}_{rounding}"] = ctype
            table[f"__{name}2{word}_{rounding}"] = half
    for name in ("short", "ushort"):
        table[f"__{word}_as_{name}"] = integers[name]
        table[f"__{name}_as_{word}"] = half
    for name in ("low", "high"):
        table[f"__{name}2{word}"] = half
        table[f"__{name}2{pair_word}"] = pair
        table[f"__{name}s2{pair_word}"] = pair
        table[f"__{name}2float"] = "float"
    for name in ("float2", "floats2", "float22"):
        table[f"__{name}{pair_word}_rn"] = pair
    table[f"__halves2{pair_word}"] = pair
    table[f"__{word}2{pair_word}"] = pair
    table[f"__{pair_word}2float2"] = "float2"
    table["__lowhigh2highlow"] = "half2"
    return table


_FP8 = {
    "__nv_cvt_float_to_fp8": "__nv_fp8_storage_t",
    "__nv_cvt_double_to_fp8": "__nv_fp8_storage_t",
    "__nv_cvt_halfraw_to_fp8": "__nv_fp8_storage_t",
    "__nv_cvt_bfloat16raw_to_fp8": "__nv_fp8_storage_t",
    "__nv_cvt_float2_to_fp8x2": "__nv_fp8x2_storage_t",
    "__nv_cvt_double2_to_fp8x2": "__nv_fp8x2_storage_t",
    "__nv_cvt_halfraw2_to_fp8x2": "__nv_fp8x2_storage_t",
    "__nv_cvt_fp8_to_halfraw": "half",
    "__nv_cvt_fp8x2_to_halfraw2": "half2",
}
