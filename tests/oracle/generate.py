"""Random kernels: the shapes of real ones, small enough to run thread by thread."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from oracle.shapes import block
from oracle.work import HELPERS
from oracle.writer import Writer

_TYPES = "#define AT(r, c) ((r) * N + (c))\nstruct Pair { float x; float y; };\n"
_HEAD = (
    "__global__ void k(const float *a, const float *__restrict__ b, float4 *v, Pair *p,\n"
    "                  half *h, float *out, int N, int M)\n{\n"
)


@dataclass(frozen=True)
class Generated:
    """A kernel `k` with its launch and sizes."""

    source: str
    launch: str
    values: dict[str, int]


@st.composite
def kernels(draw: st.DrawFn) -> Generated:
    """A kernel with its launch and sizes."""
    return write_kernel(Writer(draw))


def write_kernel(writer: Writer) -> Generated:
    """A kernel out of a writer's decisions."""
    values = {"N": writer.number(3, 13), "M": writer.number(1, 5)}
    writer.write("float s = 0.0f;")
    writer.write("double d = 0.0;")
    frame = _FRAMES[writer.number(0, len(_FRAMES) - 1)]
    launch, variables, guard = frame(writer)
    _body(writer, variables, guard)
    helpers = "".join(HELPERS[name] for name in sorted(writer.helpers))
    source = _TYPES + helpers + _HEAD + "\n".join(writer.lines) + "\n}\n"
    return Generated(source, launch, values)


Frame = tuple[str, list[str], str]
"""The launch, the names of indices that are at least 0, and a guard."""


def _line(writer: Writer) -> Frame:
    size = writer.pick("4", "6", "8")
    launch = writer.pick(
        f"grid=((N + {int(size) - 1})/{size}) block=({size})", f"grid=(2) block=({size})"
    )
    kind = writer.pick("int", "unsigned", "size_t")
    writer.write(f"{kind} i = blockIdx.x * {writer.pick('blockDim.x', size)} + threadIdx.x;")
    return launch, ["i"], writer.pick("i < N", "i < N - 1", "i > 0 && i < N")


def _plane(writer: Writer) -> Frame:
    size = writer.pick("4", "6")
    writer.write("int i = blockIdx.x * blockDim.x + threadIdx.x;")
    writer.write("int j = blockIdx.y * blockDim.y + threadIdx.y;")
    guard = writer.pick("i < N && j < M", "i < N", "j < M && i < N - 1")
    return f"grid=((N + {int(size) - 1})/{size}, (M + 1)/2) block=({size}, 2)", ["i", "j"], guard


def _volume(writer: Writer) -> Frame:
    writer.write("const int i = threadIdx.x + blockIdx.x * blockDim.x;")
    writer.write("const int j = threadIdx.y + blockIdx.y * blockDim.y;")
    writer.write("const int z = threadIdx.z;")
    guard = writer.pick("i < N && j < M", "i < N && j < M && z < 2")
    return "grid=((N + 3)/4, (M + 1)/2) block=(4, 2, 2)", ["i", "j", "z"], guard


def _flat(writer: Writer) -> Frame:
    size = writer.pick("4", "8")
    writer.write("int t = blockIdx.x * blockDim.x + threadIdx.x;")
    writer.write("int i = t / M, j = t % M;")
    return f"grid=((N*M + {int(size) - 1})/{size}) block=({size})", ["i", "j"], "t < N * M"


def _shared(writer: Writer) -> Frame:
    """A tile in shared memory, summed by a tree or read by everybody."""
    writer.write("__shared__ float tile[8];")
    writer.write("int t = threadIdx.x;")
    writer.write("int i = blockIdx.x * blockDim.x + t;")
    writer.write(writer.pick("tile[t] = i < N ? a[i] : 0.0f;", "tile[t] = 1.0f;"))
    writer.write("__syncthreads();")
    if writer.chance(2):
        with writer.braces("for (int w = blockDim.x / 2; w > 0; w >>= 1)"):
            writer.write("if (t < w) tile[t] += tile[t + w];")
            writer.write("__syncthreads();")
        writer.write("if (t == 0) atomicAdd(&out[blockIdx.x], tile[0]);")
    else:
        writer.write("for (int w = 0; w < 8; ++w) s += tile[(t + w) % 8];")
    return "grid=((N + 7)/8) block=(8)", ["i", "t"], "i < N"


def _warp(writer: Writer) -> Frame:
    """A warp that adds up by shuffles."""
    writer.write("int i = blockIdx.x * blockDim.x + threadIdx.x;")
    writer.write("s = a[i];")
    with writer.braces("for (int o = 16; o > 0; o /= 2)"):
        writer.write("s += __shfl_down_sync(0xffffffff, s, o);")
    return "grid=(2) block=(32)", ["i"], writer.pick("i < M", "threadIdx.x == 0")


_FRAMES = (_line, _line, _plane, _volume, _flat, _shared, _warp)


def _body(writer: Writer, variables: list[str], guard: str) -> None:
    style = writer.number(0, 3)
    if style == 0:
        writer.write(f"if (!({guard}))")
        writer.write("    return;")
        block(writer, variables, 2)
        writer.write(f"out[{variables[0]}] = s;")
    elif style == 1:
        step = writer.pick("gridDim.x * blockDim.x", "blockDim.x * gridDim.x")
        with writer.braces(f"for (int g = {variables[0]}; g < N; g += {step})"):
            block(writer, ["g"], 1, "loop")
            writer.write("out[g] = s;")
    else:
        with writer.braces(f"if ({guard})"):
            block(writer, variables, 2)
            writer.write(f"out[{variables[0]}] = s + d;")
