"""Whole programs: kernels made of constructs, nested and launched, in one file."""

from __future__ import annotations

from dataclasses import dataclass

from oracle.writer import Writer

from corpus.constructs import CONSTRUCTS, REFUSED, Construct

_HEADS = (
    "__global__ void {name}(float *a, const float *b, int N)",
    "__global__ void {name}(float *__restrict__ a, const float *__restrict__ b, const int N)",
    "__global__ __launch_bounds__(256) void {name}(float *a, float const *b, int N)",
    "static __global__ void\n{name}(float a[], const float b[], int N)",
    'extern "C" __global__ void {name}(float *a, const float *b, int N)',
)
_NESTS = (
    ("if (i < N) {", "}"), ("if (i > 2 && i < N - 1) {", "} else { s += 1.0f; }"), ("if (i % 2 == 0) {", "} else if (i == 3) { s -= 1.0f; } else { }"),
    ("for (int j@ = 0; j@ < N; ++j@) {", "}"), ("for (int j@ = 0; j@ <= i; j@++) {", "}"), ("for (int j@ = threadIdx.x; j@ < N; j@ += blockDim.x) {", "}"),
    ("{", "}"), ("do {", "} while (0);"), ("switch (N) { case 1: {", "} break; default: s = 2.0f; }"), ("for (int j@ = 0; j@ < 2; ++j@) {", "}"),
)  # fmt: skip
_LAUNCHES = (
    "{name}<<<(N + 255) / 256, 256>>>(a, b, N);",
    "{name}<<<dim3((N + 127) / 128, 1, 1), dim3(128), 0, 0>>>(a, b, N);",
    "{{ dim3 block(64); dim3 grid((N + block.x - 1) / block.x); {name}<<<grid, block>>>(a, b, N); }}",
)


@dataclass(frozen=True, slots=True)
class Program:
    """`text`, the names of its kernels, and local names that may be renamed."""

    text: str
    kernels: tuple[str, ...]
    local_names: tuple[str, ...]


def program(writer: Writer, *, refused: bool = False) -> Program:
    """A file with one to three kernels; one has a construct without a rule if `refused`."""
    count = writer.number(1, 3)
    items: list[str] = ["#include <cuda_runtime.h>\n"]
    names: list[str] = []
    launches: list[str] = []
    for number in range(count):
        name = f"kernel_{number}"
        bad = refused and number == 0
        body = _body(writer, items, bad)
        head = writer.pick(*_HEADS).format(name=name)
        index = "blockIdx.x * blockDim.x + threadIdx.x"
        items.append(
            f"{head}\n{{\n    int i = {index};\n    float s = 0.0f;\n{body}    a[i] = s;\n}}\n"
        )
        names.append(name)
        if writer.chance(2):
            launches.append(f"    {writer.pick(*_LAUNCHES).format(name=name)}\n")
    if launches:
        items.append(f"void run(float *a, const float *b, int N)\n{{\n{''.join(launches)}}}\n")
    return Program("\n".join(items), tuple(names), ("s", "i"))


def _body(writer: Writer, items: list[str], bad: bool) -> str:
    lines: list[str] = []
    chosen = [writer.number(0, len(CONSTRUCTS) - 1) for _ in range(writer.number(1, 3))]
    pieces = [CONSTRUCTS[index] for index in chosen]
    if bad:
        pieces.insert(0, REFUSED[writer.number(0, len(REFUSED) - 1)])
    for piece in pieces:
        _nested(writer, items, lines, piece, writer.number(0, 2))
    return "".join(f"    {line}\n" for line in lines)


def _nested(
    writer: Writer, items: list[str], lines: list[str], piece: Construct, depth: int
) -> None:
    if depth:
        before, after = _NESTS[writer.number(0, len(_NESTS) - 1)]
        lines.append(_numbered(before, writer))
        _nested(writer, items, lines, piece, depth - 1)
        lines.append(after)
        return
    writer.names += 1
    number = str(writer.names)
    if piece.items:
        items.append(piece.items.replace("@", number))
    lines.extend(piece.statement.replace("@", number).split("\n"))


def _numbered(text: str, writer: Writer) -> str:
    if "@" not in text:
        return text
    writer.names += 1
    return text.replace("@", str(writer.names))
