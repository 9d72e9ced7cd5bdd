"""One type under several spellings, and the specialisations of class templates that match types."""

from __future__ import annotations

from pathlib import Path

import pytest
from simplify.simplifying import messages

from estimator.analysis import analyze
from estimator.simplify.typetext import shape

SPELLINGS = {
    "float const": "const float",
    "float const*": "const float *",
    "float*const*": "float *const*",
    "long unsigned": "unsigned long",
    "int long long unsigned": "unsigned long long",
    "signed": "int",
    "char signed": "signed char",
    "float (*)(float, const int)": "float (*)(float, int)",
    "int (*const)(void)": "int (*const)()",
    "float(&)[3][2 + 2]": "float (&)[3][4]",
    "Vec<float, 4> const &": "const Vec<float, 4> &",
    "float & &&": "float &",
}

# Definitions, and the number of additions of `loop` iterations in a kernel with 1 thread.
PRIMARY = "template <class T> struct k1 { enum { v = 1 }; };\n"
FULL = "template <> struct k1<{0}> {{ enum {{ v = 2 }}; }};\n"
PARTIAL = "template <class T> struct k1<{0}> {{ enum {{ v = 2 }}; }};\n"
SAME = {
    "const behind": (FULL.format("const float"), "float const", 2),
    "const behind, pointer": (FULL.format("const float *"), "float const *", 2),
    "a pointer is not const": (FULL.format("float *const"), "float *", 1),
    "sign behind": (FULL.format("unsigned long"), "long unsigned", 2),
    "an alias that is const": (FULL.format("float *const"), "const fp", 2),
    "no pointer to const": (FULL.format("const float *"), "const fp", 1),
    "an alias in the kernel": (FULL.format("float *const"), "const lp", 2),
    "reference": (PARTIAL.format("T &"), "float &", 2),
    "rvalue reference": (PARTIAL.format("T &&"), "float &&", 2),
    "not the other reference": (PARTIAL.format("T &"), "float &&", 1),
    "const": (PARTIAL.format("const T"), "const float", 2),
    "const behind, any": (PARTIAL.format("T const"), "const float", 2),
    "const pointer": (PARTIAL.format("T *const"), "float *const", 2),
    "no const pointer": (PARTIAL.format("T *const"), "float *", 1),
    "pointer is not const pointer": (PARTIAL.format("T *"), "float *const", 1),
    "const reference": (PARTIAL.format("const T &"), "const float &", 2),
    "array": (PARTIAL.format("T[4]"), "float[4]", 2),
    "array of another length": (PARTIAL.format("T[4]"), "float[5]", 1),
    "const array": (PARTIAL.format("const T"), "const float[5]", 2),
    "function": (PARTIAL.format("T (*)(T)"), "float (*)(float)", 2),
    "function of another type": (PARTIAL.format("T (*)(T)"), "float (*)(int)", 1),
    "more special": (
        PARTIAL.format("T *").replace("2", "3") + PARTIAL.format("const T *"),
        "const float *",
        2,
    ),
    "any length": (
        "template <class T, int N> struct k1<T[N]> { enum { v = N }; };\n", "float[7]", 7
    ),
    "a class template": (
        "template <class T, int N> struct Vec { T d[N]; };\n"
        "template <class T, int N> struct k1<Vec<T, N>> { enum { v = N + 2 }; };\n",
        "Vec<float, 4>",
        6,
    ),
    "not a base class": (
        "template <class T> struct Vec { T d; }; struct W : Vec<int> {};\n"
        "template <class T> struct k1<Vec<T>> { enum { v = 2 }; };\n",
        "W",
        1,
    ),
}  # fmt: skip
COMPUTED = {
    "condition holds": (
        "template <class T, class = void> struct O { enum { v = 1 }; };\n"
        "template <class T> struct O<T, std::enable_if_t<std::is_integral<T>::value>>"
        " { enum { v = 2 }; };\n",
        "O<int>", 2,
    ),
    "condition does not hold": (
        "template <class T, class = void> struct O { enum { v = 1 }; };\n"
        "template <class T>\n"
        "struct O<T, typename std::enable_if<std::is_integral<T>::value>::type>"
        " { enum { v = 2 }; };\n",
        "O<float>", 1,
    ),
    "default of a size": (
        "template <class T, bool S = (sizeof(T) > 4)> struct O { enum { v = 1 }; };\n"
        "template <class T> struct O<T, true> { enum { v = 2 }; };\n",
        "O<double>", 2,
    ),
    "default, a number": (
        "template <class T, int S = sizeof(T)> struct O { enum { v = 1 }; };\n"
        "template <class T> struct O<T, 8> { enum { v = 2 }; };\n",
        "O<double>", 2,
    ),
    "constant of a class": (
        "template <int N> struct F { static constexpr int v = N * F<N - 1>::v; };\n"
        "template <> struct F<0> { static constexpr int v = 1; };\n"
        "template <int N> struct O { enum { v = 1 }; };\n"
        "template <> struct O<6> { enum { v = 2 }; };\n",
        "O<F<3>::v>", 2,
    ),
    "named constant in the specialisation": (
        "const int K = 6; template <int N> struct O { enum { v = 1 }; };\n"
        "template <> struct O<K> { enum { v = 2 }; };\n",
        "O<6>", 2,
    ),
}  # fmt: skip


def additions(definitions: str, loop: str, folder: Path) -> int:
    """How often a loop with this bound adds, in the only thread of a kernel."""
    file = folder / "k.cu"
    file.write_text(
        f"typedef float *fp;\n{definitions}"
        "__global__ void k(float *x) { typedef float *lp; float s = 0;\n"
        f"for (int i = 0; i < {loop}; i++) s += 1.0f; x[0] = s; }}\n"
        "void host(float *x) { k<<<1, 1>>>(x); }\n"
    )
    (kernel,) = analyze(str(file)).kernels
    found = kernel.grid.flops.get("fp32")
    if found is None:
        return 0
    assert found.value is not None
    return int(found.value)


@pytest.mark.parametrize(("text", "expected"), SPELLINGS.items())
def test_types_are_spelled_once(text: str, expected: str) -> None:
    found = shape(text)
    assert found is not None
    assert found.text == expected


@pytest.mark.parametrize("text", ["a + b", "f(3)", "3", "int float_ x", ""])
def test_other_text_is_no_type(text: str) -> None:
    assert shape(text) is None


@pytest.mark.parametrize(("definitions", "given", "expected"), SAME.values(), ids=SAME)
def test_the_meant_class_is_taken(
    definitions: str, given: str, expected: int, tmp_path: Path
) -> None:
    assert additions(PRIMARY + definitions, f"(k1<{given}>::v)", tmp_path) == expected


@pytest.mark.parametrize(("definitions", "given", "expected"), COMPUTED.values(), ids=COMPUTED)
def test_computed_arguments_choose(
    definitions: str, given: str, expected: int, tmp_path: Path
) -> None:
    assert additions(definitions, f"({given}::v)", tmp_path) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("float const", "const float", 1), ("long unsigned", "size_t", 1), ("fp", "float *", 1),
     ("const fp", "const float *", 0), ("float &", "float", 0)],
)  # fmt: skip
def test_is_same(first: str, second: str, expected: int, tmp_path: Path) -> None:
    assert additions("", f"std::is_same<{first}, {second}>::value", tmp_path) == expected


@pytest.mark.parametrize("bound", ["F<4>::v", "F<2 + 2>::v", "F<4>::v + 0"])
def test_comparisons_with_a_member_of_a_template(bound: str, tmp_path: Path) -> None:
    text = "template <int N> struct F { enum { v = N }; };\n"
    assert additions(text, bound, tmp_path) == 4


def test_values_that_are_not_known_choose_nothing() -> None:
    text = (
        "template <int N> struct O { enum { v = 1 }; };\n"
        "template <> struct O<6> { enum { v = 2 }; };\n"
        "template <int N> __global__ void k(int *x) { x[0] = O<N>::v; }"
    )
    assert messages(text) == ["2:13 K206 which specialisation of 'O' is meant is not known here"]


def test_one_type_has_one_instance(tmp_path: Path) -> None:
    boxes = (
        "template <class T> struct Box { T v; };\n__device__ int f(Box<unsigned> b) { return 3; }\n"
    )
    boxes += "__device__ int f(float b) { return 4; }\n"
    text = "f(Box<uint32_t>())"
    assert additions(boxes, text, tmp_path) == 3
