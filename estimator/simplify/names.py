"""Names that CUDA C++ gives without a declaration in the file."""

from __future__ import annotations

from estimator.grammars.library import OPAQUE_TYPES


def words(text: str) -> frozenset[str]:
    """The blank-separated words of `text`."""
    return frozenset(text.split())


SCALAR_TYPES = words("""
    void bool char short int long float double signed unsigned __int128
    size_t ptrdiff_t ssize_t intptr_t uintptr_t wchar_t
    int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t
    int_fast32_t uint_fast32_t int_least32_t uint_least32_t
    uint uchar ushort ulong
    half __half nv_half __half_raw __nv_bfloat16 nv_bfloat16 bfloat16 __nv_bfloat16_raw __fp16
    __nv_fp8_e4m3 __nv_fp8_e5m2 __nv_fp8x2_e4m3 __nv_fp8x2_e5m2 __nv_fp8x4_e4m3 __nv_fp8x4_e5m2
    __nv_fp8_storage_t __nv_fp8x2_storage_t __nv_fp8x4_storage_t
    __nv_bool clock_t
    """)
_VECTOR_BASES = [
    "char",
    "uchar",
    "short",
    "ushort",
    "int",
    "uint",
    "long",
    "ulong",
    "longlong",
    "ulonglong",
    "float",
    "double",
]
AGGREGATE_TYPES = frozenset(
    [f"{base}{width}" for base in _VECTOR_BASES for width in (1, 2, 3, 4)]
    + ["dim3", "half2", "__half2", "nv_half2", "__nv_bfloat162", "nv_bfloat162", "bfloat162"]
    + ["cuComplex", "cuFloatComplex", "cuDoubleComplex"]
)
HANDLE_TYPES = words(
    "cudaStream_t cudaEvent_t cudaTextureObject_t cudaSurfaceObject_t cudaError_t"
) | frozenset(OPAQUE_TYPES)
BUILTIN_TYPES = SCALAR_TYPES | AGGREGATE_TYPES | HANDLE_TYPES

# Integer types that a launch's sizes are computed in, as they may begin a declaration.
INTEGER_WORDS = words("""
    bool char short int long signed unsigned size_t ptrdiff_t ssize_t intptr_t uintptr_t
    int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uint uchar ushort ulong
    """)
FLOAT_WORDS = words("float double half __half")

# Functions of the host's libraries that the analysis of launches can evaluate.
HOST_FUNCTIONS = words("""
    make_uint3 make_int3
    min max abs ceil ceilf floor floorf sqrt sqrtf log2 log2f pow powf fmin fmax round roundf
    """)

CXX_CASTS = frozenset({"static_cast", "reinterpret_cast", "const_cast"})

# Words that a declaration of a function or variable may begin with, apart from its type.
SPECIFIERS = words("""
    __global__ __device__ __host__ __shared__ __constant__ __managed__ __grid_constant__
    __forceinline__ __noinline__ __inline__ __inline inline static extern const volatile constexpr
    __restrict__ __restrict restrict virtual explicit friend typedef register mutable
    template typename class struct union enum namespace using public private protected
    consteval constinit thread_local auto __launch_bounds__ __cluster_dims__ __maxnreg__
    return operator
    """)

# C++ words with a C spelling, wherever they stand; those with none are left out.
WORDS = {
    "alignof": "_Alignof",
    "__alignof__": "_Alignof",
    "__alignof": "_Alignof",
    "__restrict__": "restrict",
    "__restrict": "restrict",
    "and": "&&",
    "or": "||",
    "not": "!",
    "not_eq": "!=",
    "bitand": "&",
    "bitor": "|",
    "xor": "^",
    "compl": "~",
    "and_eq": "&=",
    "or_eq": "|=",
    "xor_eq": "^=",
    "class": "struct",
    "static": "",
    "inline": "",
    "__inline__": "",
    "__inline": "",
    "__forceinline__": "",
    "__noinline__": "",
    "__grid_constant__": "",
    "register": "",
    "mutable": "",
    "typename": "",
    "__extension__": "",
}
