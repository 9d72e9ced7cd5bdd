"""What CUDA's functions cost, as written: FLOPs, or one call of a special function.

Conventions: a fused multiply-add is 2 FLOPs; packed operations count each half; minimum,
maximum, absolute value, rounding and conversions are none. Names: CUDA Math API reference.
"""

from __future__ import annotations

from estimator.grammars.function import MathFunction
from estimator.grammars.halves import ROUNDINGS as _ROUNDINGS
from estimator.grammars.halves import half_conversions, half_functions

_SPECIAL = [
    "sqrt",
    "rsqrt",
    "cbrt",
    "rcbrt",
    "exp",
    "exp2",
    "exp10",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "sinpi",
    "cospi",
    "tanpi",
    "pow",
    "hypot",
    "rhypot",
    "norm3d",
    "norm4d",
    "rnorm3d",
    "rnorm4d",
    "erf",
    "erfc",
    "erfinv",
    "erfcinv",
    "erfcx",
    "lgamma",
    "tgamma",
    "j0",
    "j1",
    "jn",
    "y0",
    "y1",
    "yn",
    "normcdf",
    "normcdfinv",
    "fmod",
    "remainder",
    "sincos",
    "sincospi",
    "cyl_bessel_i0",
    "cyl_bessel_i1",
]
_FREE = [
    "fabs",
    "fmax",
    "fmin",
    "floor",
    "ceil",
    "trunc",
    "round",
    "rint",
    "nearbyint",
    "copysign",
    "ldexp",
    "scalbn",
    "frexp",
    "modf",
    "nextafter",
    "logb",
]
_TO_INT = [
    "isnan",
    "isinf",
    "isfinite",
    "signbit",
    "lround",
    "lrint",
    "llround",
    "llrint",
    "ilogb",
    "__isnan",
    "__isinf",
    "__finite",
]


def _scalar_functions() -> dict[str, MathFunction]:
    table: dict[str, MathFunction] = {}
    for name in _SPECIAL:
        table[name] = MathFunction(0, 1, "argument")
        table[name + "f"] = MathFunction(0, 1, "fp32")
    for name in _FREE:
        table[name] = MathFunction(0, 0, "argument")
        table[name + "f"] = MathFunction(0, 0, "fp32")
    for name in _TO_INT:
        table[name] = MathFunction(0, 0, "int")
        table[name + "f"] = MathFunction(0, 0, "int")
    for suffix, precision in (("", "argument"), ("f", "fp32")):
        table["fma" + suffix] = MathFunction(2, 0, precision)
        table["fdim" + suffix] = MathFunction(1, 0, precision)
        table["fdivide" + suffix] = MathFunction(1, 0, precision)
    for name in ("sin", "cos", "tan", "exp", "exp10", "log", "log2", "log10", "pow", "sincos"):
        table[f"__{name}f"] = MathFunction(0, 1, "fp32")
    table["__tanhf"] = MathFunction(0, 1, "fp32")
    table["__fdividef"] = MathFunction(1, 0, "fp32")
    table["__saturatef"] = MathFunction(0, 0, "fp32")
    table["__frsqrt_rn"] = MathFunction(0, 1, "fp32")
    for rounding in _ROUNDINGS:
        for operation in ("add", "sub", "mul", "div", "rcp"):
            table[f"__f{operation}_{rounding}"] = MathFunction(1, 0, "fp32")
            table[f"__d{operation}_{rounding}"] = MathFunction(1, 0, "fp64")
        table[f"__fmaf_{rounding}"] = MathFunction(2, 0, "fp32")
        table[f"__fma_{rounding}"] = MathFunction(2, 0, "fp64")
        table[f"__fsqrt_{rounding}"] = MathFunction(0, 1, "fp32")
        table[f"__dsqrt_{rounding}"] = MathFunction(0, 1, "fp64")
    return table


MATH: dict[str, MathFunction] = {**_scalar_functions(), **half_functions()}

# Integer instructions on two halfwords or four bytes, after the Math API's "SIMD Intrinsics".
_SIMD: dict[str, str] = {
    f"__v{operation}{width}": "unsigned int"
    for width in (2, 4)
    for operation in (
        "abs", "absdiffs", "absdiffu", "absss", "add", "addss", "addus", "avgs", "avgu",
        "cmpeq", "cmpges", "cmpgeu", "cmpgts", "cmpgtu", "cmples", "cmpleu", "cmplts", "cmpltu",
        "cmpne", "hadds", "haddu", "maxs", "maxu", "mins", "minu", "neg", "negss", "sads", "sadu",
        "seteq", "setges", "setgeu", "setgts", "setgtu", "setles", "setleu", "setlts", "setltu",
        "setne", "sub", "subss", "subus",
    )
}  # fmt: skip

# name → type of the result; the value itself costs nothing and is known to no one.
CONVERSIONS: dict[str, str] = {
    **{f"__float2int_{r}": "int" for r in _ROUNDINGS},
    **{f"__float2uint_{r}": "unsigned int" for r in _ROUNDINGS},
    **{f"__float2ll_{r}": "long long" for r in _ROUNDINGS},
    **{f"__float2ull_{r}": "unsigned long long" for r in _ROUNDINGS},
    **{f"__double2int_{r}": "int" for r in _ROUNDINGS},
    **{f"__double2uint_{r}": "unsigned int" for r in _ROUNDINGS},
    **{f"__double2ll_{r}": "long long" for r in _ROUNDINGS},
    **{f"__double2float_{r}": "float" for r in _ROUNDINGS},
    **{f"__int2float_{r}": "float" for r in _ROUNDINGS},
    **{f"__uint2float_{r}": "float" for r in _ROUNDINGS},
    **{f"__ll2float_{r}": "float" for r in _ROUNDINGS},
    **{f"__ull2float_{r}": "float" for r in _ROUNDINGS},
    "__int2double_rn": "double",
    "__uint2double_rn": "double",
    **{f"__ll2double_{r}": "double" for r in _ROUNDINGS},
    "__int_as_float": "float",
    "__uint_as_float": "float",
    "__float_as_int": "int",
    "__float_as_uint": "unsigned int",
    "__longlong_as_double": "double",
    "__double_as_longlong": "long long",
    "__hiloint2double": "double",
    "__double2hiint": "int",
    "__double2loint": "int",
    **half_conversions(),
    "clock": "clock_t",
    "clock64": "long long",
    "__nvvm_get_smem_pointer": "unsigned int",
    "__cvta_generic_to_shared": "size_t",
    "__popc": "int",
    "__popcll": "int",
    "__clz": "int",
    "__clzll": "int",
    "__ffs": "int",
    "__ffsll": "int",
    "__brev": "unsigned int",
    "__brevll": "unsigned long long",
    "__byte_perm": "unsigned int",
    "__funnelshift_l": "unsigned int",
    "__funnelshift_r": "unsigned int",
    "__funnelshift_lc": "unsigned int",
    "__funnelshift_rc": "unsigned int",
    "__mulhi": "int",
    "__umulhi": "unsigned int",
    "__mul64hi": "long long",
    "__umul64hi": "unsigned long long",
    "__viaddmax_s32": "int",
    "__viaddmin_s32": "int",
    "__vimax3_s32": "int",
    "__vimin3_s32": "int",
    "__sad": "unsigned int",
    "__usad": "unsigned int",
    "__dp4a": "int",
    "__dp2a_lo": "int",
    "__dp2a_hi": "int",
    **_SIMD,
    "__rhadd": "int",
    "__urhadd": "unsigned int",
    "__uhadd": "unsigned int",
    "__hadd_int": "int",
    "__ballot_sync": "unsigned int",
    "__ballot": "unsigned int",
    "__any_sync": "int",
    "__all_sync": "int",
    "__any": "int",
    "__all": "int",
    "__activemask": "unsigned int",
    "__match_any_sync": "unsigned int",
    "__match_all_sync": "unsigned int",
    "__reduce_add_sync": "unsigned int",
    "__reduce_min_sync": "unsigned int",
    "__reduce_max_sync": "unsigned int",
    "__reduce_and_sync": "unsigned int",
    "__reduce_or_sync": "unsigned int",
    "__reduce_xor_sync": "unsigned int",
}

# Nothing that is counted here: they order, trap, print or hint.
FREE = frozenset(
    [
        "__syncwarp",
        "__threadfence",
        "__threadfence_block",
        "__threadfence_system",
        "__trap",
        "__brkpt",
        "printf",
        "assert",
        "__assume",
        "__builtin_assume",
        "__builtin_expect",
        "__builtin_unreachable",
        "__nanosleep",
        "static_assert",
        "__prof_trigger",
        "__prefetch_global_l1",
        "__prefetch_global_l2",
        "__ldg_prefetch",
        "cudaTriggerProgrammaticLaunchCompletion",
        "cudaGridDependencySynchronize",
    ]
)
BARRIERS = frozenset(
    [
        "__syncthreads",
        "__syncthreads_count",
        "__syncthreads_and",
        "__syncthreads_or",
        "__barrier_sync",
    ]
)
_SHUFFLES = ("__shfl", "__shfl_up", "__shfl_down", "__shfl_xor")
SHUFFLES = frozenset((*_SHUFFLES, *(f"{name}_sync" for name in _SHUFFLES)))
_ATOMICS = [
    "atomicAdd",
    "atomicSub",
    "atomicExch",
    "atomicMin",
    "atomicMax",
    "atomicInc",
    "atomicDec",
    "atomicCAS",
    "atomicAnd",
    "atomicOr",
    "atomicXor",
]
ATOMICS = frozenset(f"{name}{scope}" for name in _ATOMICS for scope in ("", "_block", "_system"))
LOADS = frozenset(["__ldg", "__ldcs", "__ldca", "__ldcg", "__ldlu", "__ldcv"])
STORES = frozenset(["__stcs", "__stcg", "__stwb", "__stwt"])
