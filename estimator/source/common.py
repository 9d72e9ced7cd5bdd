"""Macros of libraries that kernels are written with, for files whose headers are not there.

Unlike predefined ones they hold only where a file uses a name that nothing defines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_GRID_STRIDE = (
    "for ({type} i = ({type})blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis}; "
    "i < (n); i += ({type})blockDim.{axis} * gridDim.{axis})"
)


def _loop(name: str, kind: str = "int", parameters: str = "(i, n)") -> str:
    return f"#define {name}{parameters} {_GRID_STRIDE.format(type=kind, axis='x')}"


_TWO_AXES = f"""{_GRID_STRIDE.format(type="int", axis="x")} {
    _GRID_STRIDE.format(type="int", axis="y").replace(" i ", " j ").replace("(n)", "(m)")
}"""

# PyTorch (c10/macros/Macros.h, ATen/cuda/CUDAContext), Caffe (caffe/util/device_alternate.hpp),
# TensorFlow (gpu_kernel_helper.h), mmcv and OneFlow, which took theirs from Caffe; HIP's names.
_DEFINITIONS = [
    _loop("CUDA_KERNEL_LOOP"),
    _loop("CUDA_1D_KERNEL_LOOP"),
    _loop("GPU_1D_KERNEL_LOOP"),
    _loop("HIP_KERNEL_LOOP"),
    _loop("CUDA_KERNEL_LOOP_T", "int64_t"),
    _loop("CUDA_KERNEL_LOOP_TYPE", "type", "(i, n, type)"),
    _loop("CUDA_1D_KERNEL_LOOP_T", "type", "(type, i, n)"),
    f"#define CUDA_2D_KERNEL_LOOP(i, n, j, m) {_TWO_AXES}",
    "#define CAFFE_CUDA_NUM_THREADS 512",
    "#define CAFFE_GET_BLOCKS(n) (((n) + 512 - 1) / 512)",
    "#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)",
    "#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__(threads)",
    "#define C10_LAUNCH_BOUNDS_2(threads, blocks) __launch_bounds__(threads, blocks)",
    "#define C10_HOST_DEVICE __host__ __device__",
    "#define C10_DEVICE __device__",
    "#define C10_HOST __host__",
    "#define C10_WARP_SIZE 32",
    "#define C10_RESTRICT __restrict__",
    "#define C10_ALWAYS_INLINE inline",
    "#define C10_UNUSED",
    "#define EIGEN_DEVICE_FUNC __host__ __device__",
    "#define EIGEN_STRONG_INLINE inline",
    "#define THRUST_DEVICE __device__",
    "#define CUTLASS_DEVICE __forceinline__ __device__",
    "#define CUTLASS_HOST_DEVICE __forceinline__ __device__ __host__",
    "#define CUTLASS_GLOBAL __global__",
    "#define CUTLASS_PRAGMA_UNROLL",
    "#define CUTLASS_PRAGMA_NO_UNROLL",
    *(
        f"#define hip{name}_{axis} {text}.{axis}"
        for name, text in (
            ("ThreadIdx", "threadIdx"),
            ("BlockIdx", "blockIdx"),
            ("BlockDim", "blockDim"),
            ("GridDim", "gridDim"),
        )
        for axis in "xyz"
    ),
]
_NAME = re.compile(r"#define (\w+)(\([^)]*\))?")

# What each definition begins with, `NAME` or `NAME(a, b)`, and what it stands for.
COMMON: dict[str, tuple[str, str]] = {}
for _text in _DEFINITIONS:
    _match = _NAME.match(_text)
    assert _match is not None
    COMMON[_match.group(1)] = (_match.group(0).removeprefix("#define "), _text[_match.end() :])

_WORD = re.compile(r"\b(?:CUDA|GPU|HIP|CAFFE|C10|EIGEN|THRUST|CUTLASS|hip)[A-Za-z]*_\w+")

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b", re.M)
_OWN_HEADER = re.compile(r"^[ \t]*#[ \t]*include\b(?![ \t]*<)", re.M)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*", re.M | re.S)


def common_in(text: str) -> dict[str, str]:
    """The definitions of those macros that a preprocessed text still uses and does not declare."""
    used = {word for word in _WORD.findall(text) if word in COMMON}
    return {
        COMMON[name][0]: COMMON[name][1]
        for name in sorted(used)
        if "(" not in COMMON[name][0] or not _is_declared(name, text)
    }


def common_before(text: str, given: Iterable[str], *, searches: bool) -> dict[str, str]:
    """Those of `common_in` that a file's text shows before it is preprocessed.

    None of the macros `given`, none that one of the file's directives speaks of, and none at all
    if the file includes headers of its own, which may define them: any header, if one `searches`
    folders for them.
    """
    if (_INCLUDE if searches else _OWN_HEADER).search(text):
        return {}
    spoken = set(_WORD.findall("\n".join(_DIRECTIVE.findall(text))))
    spoken.update(name.partition("(")[0] for name in given)
    known = {COMMON[name][0] for name in spoken if name in COMMON}
    return {name: what for name, what in common_in(text).items() if name not in known}


def _is_declared(name: str, text: str) -> bool:
    """Whether the file has a function of that name: `inline int CAFFE_GET_BLOCKS(const int n)`."""
    found = re.search(rf"\b(?P<before>\w+)[\s*&]+{name}\s*\(", text)
    return found is not None and found["before"] not in {"return", "else", "case"}
