"""Results behind an arrow: `auto f() const -> T`."""

from __future__ import annotations

import pytest
from simplify.simplifying import item, output

CASES = {
    "const": (
        "struct S { float v; __device__ auto get() const -> float { return v; } };",
        "S s; x[0] = s.get();", "S__get",
        "[[cuda::device]] float S__get([[cuda::reference]] const S self) { return self.v; }"),
    "const noexcept": (
        "struct S { __device__ auto operator()(float a) const noexcept -> float { return a; } };",
        "S s; x[0] = s(1.0f);", "S__call",
        "[[cuda::device]] float S__call([[cuda::reference]] const S self, float a) { return a; }"),
    "noexcept": (
        "struct S { float v; __device__ auto set(float a) noexcept -> void { v = a; } };",
        "S s; s.set(1.0f);", "S__set",
        "[[cuda::device]] void S__set([[cuda::reference]] S self, float a) { self.v = a; }"),
    "defined outside": (
        "struct S { float v; __device__ auto get() const -> float; };"
        "__device__ auto S::get() const -> float { return v; }",
        "S s; x[0] = s.get();", "S__get",
        "[[cuda::device]] float S__get([[cuda::reference]] const S self) { return self.v; }"),
    "reference": (
        "struct S { float v[4]; __device__ auto at(int i) -> float & { return v[i]; } };",
        "S s; s.at(1) = 2;", "S__at",
        "[[cuda::device]] float * S__at([[cuda::reference]] S self, int i) { return &(self.v[i]); }"),
    "reference to what does not change": (
        "struct S { float v[4]; __device__ auto at(int i) const -> const float & { return v[i]; } };",
        "S s; x[0] = s.at(1);", "S__at",
        "[[cuda::device]] const float S__at([[cuda::reference]] const S self, int i) { return self.v[i]; }"),
    "free": (
        "__device__ auto pick(float *a) -> float & { return a[1]; }",
        "pick(x) = 2;", "pick",
        "[[cuda::device]] float * pick(float *a) { return &(a[1]); }"),
    "lambda": (
        "", "auto f = [=](int i) -> const float & { return x[i]; }; x[0] = f(1);", "lambda__1__call",
        "[[cuda::device]] const float lambda__1__call([[cuda::reference]] const lambda__1 self, int i) "
        "{ return self.x[i]; }"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "body", "name", "wanted"), CASES.values(), ids=CASES)
def test_results(before: str, body: str, name: str, wanted: str) -> None:
    text = f"{before}\n__global__ void k(float *x) {{ {body} }}\n"
    output(text)
    assert " ".join(item(text, name).split()) == wanted


def test_the_type_of_what_members_give() -> None:
    text = """
    struct Square { template <class T> __device__ auto operator()(T x) const -> T { return x * x; } };
    template <class F, class G> struct Both {
        F f; G g;
        template <class T> __device__ auto operator()(T x) const -> decltype(f(g(x))) { return f(g(x)); }
    };
    __global__ void k(float *x) { Both<Square, Square> f; x[0] = f(x[1]); }
    """
    found = item(text, "Both__Square_Square__call__float")
    assert found.endswith("{ return Square__call__float(self.f, Square__call__float(self.g, x)); }")
    assert "->" not in found
