"""What is said of expressions is what the user wrote, not what the simplified text makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze
from estimator.options import Options
from estimator.report.model import Report

BEFORE = """
struct V {
    float r;
    __device__ float operator[](int i) const { return r * i; }
    __device__ V operator*(float b) const { return V{r * b}; }
    __device__ float &at() { return r; }
};
struct S {
    float r;
    __device__ bool hit(float x) const;
    __device__ bool both(float y) const { float t = hit(y) ? 1.0f : y; return t < r; }
    __device__ static float twice(float x) { return x * 2; }
};
__device__ bool near(float2 a);
__device__ inline float dot(float2 a, float2 b) { return a.x * b.x; }
__device__ inline float dot(float3 a, float3 b) { return a.x * b.x; }
"""
# What stands in `k(const S *s, float *o, const V *v, V *w, const float2 *q, int i)`, as an `if`.
CONDITIONS = {
    "member of the object": ("s[i].both(o[i])", "t < r"),
    "operators": ("v[i][2] > 4", "v[i][2] > 4"),
    "operators in operators": ("(v[i] * 2.0f)[1] > 2", "(v[i] * 2.0f)[1] > 2"),
    "references": ("w[0].at() < 2", "w[0].at() < 2"),
    "overloads": ("dot(q[i], q[i + 1]) < 2", "dot(q[i], q[i + 1]) < 2"),
    "static": ("S::twice(o[i]) > 1", "S::twice(o[i]) > 1"),
}


def report(text: str, folder: Path) -> Report:
    path = folder / "k.cu"
    path.write_text(text)
    return analyze([str(path)], Options())


@pytest.mark.parametrize(("condition", "said"), CONDITIONS.values(), ids=CONDITIONS)
def test_conditions(condition: str, said: str, tmp_path: Path) -> None:
    before = BEFORE.replace("bool hit(float x) const;", "bool hit(float x) const { return x < 1; }")
    text = (
        f"{before}__global__ void k(const S *s, float *o, const V *v, V *w, const float2 *q, int i)"
    )
    (kernel,) = report(f"{text} {{ if ({condition}) o[i] = 0; }}", tmp_path).kernels
    meanings = [one.meaning.replace("(w[0].at())", "w[0].at()") for one in kernel.unknowns]
    assert f"share of the cases in which {said} holds" in meanings


def test_overloaded_kernels_have_their_own_names(tmp_path: Path) -> None:
    text = """
    template <typename T> __global__ void f(T *a) { a[0] = 1; }
    template <typename T> __global__ void f(T *a, int *b) { a[0] = nothing; }
    namespace a { __global__ void k(float *x) { x[0] = 1; } }
    namespace b { __global__ void k(float *x) { x[0] = nothing; } }
    """
    found = report(text, tmp_path)
    assert [kernel.name for kernel in found.kernels] == ["f", "a::k"]
    assert [name for name, _ in found.files[0].lost] == ["f", "b::k"]


def test_types_that_are_assumed_have_no_members(tmp_path: Path) -> None:
    text = "template <class T, class T4> __global__ void k(T *a, const T4 *b) "
    text += "{ T4 c = b[0]; a[0] = c.x; }"
    (said,) = report(text, tmp_path).files[0].diagnostics
    assert said.code.id == "K206"
    assert said.message == "what 'T4' stands for is not known, and 'c' depends on it"
