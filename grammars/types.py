"""CUDA's builtin types: scalars by name, and vectors, whose layout follows from their name.

Sizes in bytes. Source of sizes and alignments: CUDA C++ Programming Guide, "Built-in Vector
Types" and "C++ Language Support".
"""

from __future__ import annotations

from estimator.grammars.library import OPAQUE_TYPES

# name → (kind, size in bytes); kind is one of int, unsigned, float, bool, void, opaque.
SCALARS: dict[str, tuple[str, int]] = {
    "void": ("void", 1),
    "bool": ("bool", 1),
    "_Bool": ("bool", 1),
    "char": ("int", 1),
    "signed char": ("int", 1),
    "unsigned char": ("unsigned", 1),
    "short": ("int", 2),
    "unsigned short": ("unsigned", 2),
    "int": ("int", 4),
    "unsigned int": ("unsigned", 4),
    "long": ("int", 8),
    "unsigned long": ("unsigned", 8),
    "long long": ("int", 8),
    "unsigned long long": ("unsigned", 8),
    "float": ("float", 4),
    "double": ("float", 8),
    "long double": ("float", 8),
    "half": ("float", 2),
    "__half": ("float", 2),
    "nv_half": ("float", 2),
    "__nv_bfloat16": ("bfloat", 2),
    "nv_bfloat16": ("bfloat", 2),
    "bfloat16": ("bfloat", 2),
    "__fp16": ("float", 2),
    "__nv_fp8_e4m3": ("opaque", 1),
    "__nv_fp8_e5m2": ("opaque", 1),
    "__nv_fp8x2_e4m3": ("opaque", 2),
    "__nv_fp8x2_e5m2": ("opaque", 2),
    "__nv_fp8x4_e4m3": ("opaque", 4),
    "__nv_fp8x4_e5m2": ("opaque", 4),
    "__nv_fp8_storage_t": ("unsigned", 1),
    "__nv_fp8x2_storage_t": ("unsigned", 2),
    "__nv_fp8x4_storage_t": ("unsigned", 4),
    "__half_raw": ("float", 2),
    "__nv_bfloat16_raw": ("bfloat", 2),
    "int8_t": ("int", 1),
    "uint8_t": ("unsigned", 1),
    "int16_t": ("int", 2),
    "uint16_t": ("unsigned", 2),
    "int32_t": ("int", 4),
    "uint32_t": ("unsigned", 4),
    "int64_t": ("int", 8),
    "uint64_t": ("unsigned", 8),
    "intptr_t": ("int", 8),
    "uintptr_t": ("unsigned", 8),
    "size_t": ("unsigned", 8),
    "ssize_t": ("int", 8),
    "ptrdiff_t": ("int", 8),
    "clock_t": ("int", 8),
    "deduced__": ("int", 4),  # a type parameter, until a call says what it stands for
    "wchar_t": ("int", 4),
    "uchar": ("unsigned", 1),
    "ushort": ("unsigned", 2),
    "uint": ("unsigned", 4),
    "ulong": ("unsigned", 8),
    "cudaTextureObject_t": ("unsigned", 8),
    "cudaSurfaceObject_t": ("unsigned", 8),
    "cudaStream_t": ("opaque", 8),
    "cudaError_t": ("int", 4),
    "cudaEvent_t": ("opaque", 8),
    **{name: ("opaque", size) for name, size in OPAQUE_TYPES.items()},
}

_VECTOR_BASES: dict[str, str] = {
    "char": "char",
    "uchar": "unsigned char",
    "short": "short",
    "ushort": "unsigned short",
    "int": "int",
    "uint": "unsigned int",
    "long": "long",
    "ulong": "unsigned long",
    "longlong": "long long",
    "ulonglong": "unsigned long long",
    "float": "float",
    "double": "double",
}

# name → (element type, field names, alignment in bytes)
VECTORS: dict[str, tuple[str, tuple[str, ...], int]] = {
    f"{base}{count}": (
        element,
        ("x", "y", "z", "w")[:count],
        min(16, SCALARS[element][1] * (count if count in (2, 4) else 1)),
    )
    for base, element in _VECTOR_BASES.items()
    for count in (1, 2, 3, 4)
}
VECTORS["dim3"] = ("unsigned int", ("x", "y", "z"), 4)
for _name, _element in (
    ("half2", "half"),
    ("__half2", "half"),
    ("nv_half2", "half"),
    ("__nv_bfloat162", "__nv_bfloat16"),
    ("nv_bfloat162", "__nv_bfloat16"),
    ("bfloat162", "__nv_bfloat16"),
):
    VECTORS[_name] = (_element, ("x", "y"), 4)

for _name, _element, _alignment in (
    ("cuComplex", "float", 8),
    ("cuFloatComplex", "float", 8),
    ("cuDoubleComplex", "double", 16),
):
    VECTORS[_name] = (_element, ("x", "y"), _alignment)

# Words of C itself: every other name above has to be declared to a C parser.
KEYWORDS = frozenset(
    [
        "void",
        "_Bool",
        "char",
        "short",
        "int",
        "long",
        "float",
        "double",
        "signed",
        "unsigned",
    ]
)
TYPE_NAMES = frozenset(
    name for name in (*SCALARS, *VECTORS) if " " not in name and name not in KEYWORDS
)


def size_of(name: str) -> int | None:
    """The bytes of a type by its name, its words in any order C allows; None for others."""
    unsigned, rest = _words_of(name)
    if rest in VECTORS:
        element, members, _ = VECTORS[rest]
        return SCALARS[element][1] * len(members)
    found = SCALARS.get(rest) or (SCALARS.get("int") if unsigned and not rest else None)
    return None if found is None or found[0] == "void" else found[1]


def _words_of(name: str) -> tuple[bool, str]:
    words = [word for word in name.split() if word != "const"]
    signs = [word for word in words if word in ("signed", "unsigned")]
    rest = [word for word in words if word not in signs]
    if len(rest) > 1:
        rest = [word for word in rest if word != "int"]
    return bool(signs), " ".join(rest)
