"""Macros that exist before the first line: nvcc's own, and constants of the system headers."""

from __future__ import annotations

COMPILER = {
    "__CUDACC__": "1",
    "__NVCC__": "1",
    "__CUDA_ARCH__": "800",
    "__CUDACC_VER_MAJOR__": "13",
    "__CUDACC_VER_MINOR__": "0",
    "__CUDACC_VER_BUILD__": "0",
    "__cplusplus": "201703L",
    # nvcc's host: without one, portable headers stop at an #error.
    "__linux__": "1",
    "__x86_64__": "1",
    "__SIZEOF_POINTER__": "8",
}

# <limits.h>, <stdint.h>, <stdlib.h> on 64-bit Linux.
LIMITS = {
    "CHAR_BIT": "8",
    "SCHAR_MAX": "127",
    "SCHAR_MIN": "(-128)",
    "UCHAR_MAX": "255",
    "SHRT_MAX": "32767",
    "SHRT_MIN": "(-32768)",
    "USHRT_MAX": "65535",
    "INT_MAX": "2147483647",
    "INT_MIN": "(-2147483647-1)",
    "UINT_MAX": "4294967295U",
    "LONG_MAX": "9223372036854775807L",
    "LONG_MIN": "(-9223372036854775807L-1L)",
    "ULONG_MAX": "18446744073709551615UL",
    "LLONG_MAX": "9223372036854775807LL",
    "LLONG_MIN": "(-9223372036854775807LL-1LL)",
    "ULLONG_MAX": "18446744073709551615ULL",
    "INT8_MAX": "127",
    "INT8_MIN": "(-128)",
    "UINT8_MAX": "255",
    "INT16_MAX": "32767",
    "INT16_MIN": "(-32768)",
    "UINT16_MAX": "65535",
    "INT32_MAX": "2147483647",
    "INT32_MIN": "(-2147483647-1)",
    "UINT32_MAX": "4294967295U",
    "INT64_MAX": "9223372036854775807L",
    "INT64_MIN": "(-9223372036854775807L-1L)",
    "UINT64_MAX": "18446744073709551615UL",
    "SIZE_MAX": "18446744073709551615UL",
    "RAND_MAX": "2147483647",
    "EXIT_SUCCESS": "0",
    "EXIT_FAILURE": "1",
}

# <math.h>, <float.h>, <math_constants.h>. An infinity is a literal beyond the type's range, as
# in glibc before it had a builtin: one token, and no operation to count.
FLOATING = {
    "M_E": "2.7182818284590452354",
    "M_LOG2E": "1.4426950408889634074",
    "M_LOG10E": "0.43429448190325182765",
    "M_LN2": "0.69314718055994530942",
    "M_LN10": "2.30258509299404568402",
    "M_PI": "3.14159265358979323846",
    "M_PI_2": "1.57079632679489661923",
    "M_PI_4": "0.78539816339744830962",
    "M_1_PI": "0.31830988618379067154",
    "M_2_PI": "0.63661977236758134308",
    "M_2_SQRTPI": "1.12837916709551257390",
    "M_SQRT2": "1.41421356237309504880",
    "M_SQRT1_2": "0.70710678118654752440",
    "FLT_MAX": "3.402823466e+38F",
    "FLT_MIN": "1.175494351e-38F",
    "FLT_EPSILON": "1.192092896e-07F",
    "DBL_MAX": "1.7976931348623157e+308",
    "DBL_MIN": "2.2250738585072014e-308",
    "DBL_EPSILON": "2.2204460492503131e-16",
    "INFINITY": "1e10000F",
    "HUGE_VALF": "1e10000F",
    "HUGE_VAL": "1e10000",
    "CUDART_INF_F": "1e10000F",
    "CUDART_INF": "1e10000",
    "CUDART_MAX_NORMAL_F": "3.402823466e+38F",
    "CUDART_PI_F": "3.141592654F",
    "CUDART_PI": "3.1415926535897931e+0",
    "CUDART_PIO2_F": "1.570796327F",
    "CUDART_L2E_F": "1.442695041F",
    "CUDART_LN2_F": "0.693147181F",
    "CUDART_ZERO_F": "0.0F",
    "CUDART_ONE_F": "1.0F",
}

PREDEFINED = {**COMPILER, **LIMITS, **FLOATING}

# Names that the preprocessor itself replaces, which no table can hold.
BUILTIN = frozenset(("__LINE__", "__FILE__", "__DATE__", "__TIME__", "__COUNTER__", "_Pragma"))
