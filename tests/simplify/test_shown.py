"""Names that users see are those that they wrote."""

from __future__ import annotations

from pathlib import Path

from estimator.analysis import analyze

_TEXT = """
enum class Act { Relu, Silu };
namespace ns { template <class T, int N> struct Vec { T v[N]; }; }
template <class T> struct View { T *p; int nx; };
template <Act A, class T, int N> __global__ void mv(
    const ns::Vec<T, N> *a, View<const T> b, View<View<T> *> c, T *o)
{
    if (A == Act::Silu) o[0] = a[0].v[0] + b.p[0];
}
void run(float *o, ns::Vec<float, 4> *a, View<const float> b, View<View<float> *> c)
{
    mv<Act::Silu, float, 4><<<1, 32>>>(a, b, c, o);
}
"""


def test_types_and_instances_are_as_written(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(_TEXT)
    (kernel,) = analyze(str(file)).kernels
    assert kernel.name == "mv<Act::Silu, float, 4>"
    assert [one.type for one in kernel.parameters] == [
        "const Vec<float, 4> *",
        "View<const float>",
        "View<View<float> *>",
        "float *",
    ]
