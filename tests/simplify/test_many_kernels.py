"""What a file spells out is all there, however much; only instances of templates have a limit."""

from __future__ import annotations

from estimator.simplify.simplify import simplify
from estimator.source.preprocess import preprocess
from estimator.source.read import SourceFile


def test_thousands_of_kernels_leave_room_for_templates() -> None:
    plain = "".join(
        f"__global__ void k{n}(float *x) {{ x[threadIdx.x] = 1.0f; }}\n" for n in range(4100)
    )
    template = "template <int N> __global__ void t(float *x) { x[N] = 1.0f; }\n"
    asked = "template __global__ void t<1>(float *);\n"
    made = simplify(preprocess(SourceFile("many.cu", plain + template + asked))).text
    assert made.count("global") == 4101
