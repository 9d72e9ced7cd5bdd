"""Alignments, packing and the types of enumerations: where members lie, as C++ compilers place
them (the sizes were checked with g++ and can be counted by hand)."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from memory.counting import compulsory, sectors

from estimator.analysis import analyze

# A declaration of P, and its size in bytes.
SIZES = {
    "bytes": ("struct __align__(4) P { unsigned char r, g, b, a; };", 4),
    "pairs of bytes": ("struct alignas(8) P { unsigned short a, b, *c, d[4]; };", 24),
    "members alone": ("struct P { char c; double d; };", 16),
    "__align__": ("struct __align__(16) P { float x, y, z; };", 16),
    "alignas": ("struct alignas(8) P { float x; };", 8),
    "aligned": ("struct __attribute__((aligned(32))) P { float x, y; };", 32),
    "aligned behind": ("typedef struct { short a, b, c; } __attribute__((aligned(8))) P;", 8),
    "aligned without a number": ("struct __attribute__((aligned)) P { int a; };", 16),
    "__declspec": ("struct __declspec(align(16)) P { int a; };", 16),
    "in a typedef": ("typedef struct __align__(8) { short a, b, c; } P;", 8),
    "from a macro": ("#define ALIGN(n) alignas(n)\nstruct ALIGN(4 * 4) P { int a; };", 16),
    "from a constant": ("constexpr int kBytes = 32; struct alignas(kBytes) P { int a; };", 32),
    "from a type": ("struct alignas(double) P { int a; };", 8),
    "of a type": ("struct alignas(alignof(float4)) P { int a; };", 16),
    "of a template": (
        "template <typename T, int N> struct alignas(sizeof(T) * N) V { T v[N]; char c; };\n"
        "typedef V<float, 4> P;",
        32,
    ),
    "of a member": ("struct P { char c; alignas(16) float f; float g; };", 32),
    "behind a member": ("struct P { char c __attribute__((aligned(8))); int i; };", 8),
    "of several members": ("struct P { alignas(8) float x, y; };", 16),
    "of a base": ("struct alignas(16) B { float x; }; struct P : B { float y; };", 32),
    "of a structure inside": (
        "struct P { char c; struct alignas(16) { float x; } in; float y; };",
        48,
    ),
    "packed": ("struct P { char c; double d; } __attribute__((packed));", 9),
    "packed in front": ("struct __attribute__((__packed__)) P { char c; double d; };", 9),
    "packed and aligned": (
        "struct __attribute__((packed, aligned(4))) P { char c; int i; char e; };",
        8,
    ),
    "a packed member": ("struct P { char c; double d __attribute__((packed)); };", 9),
    "#pragma pack": (
        "#pragma pack(push, 2)\nstruct P { char c; double d; };\n#pragma pack(pop)",
        10,
    ),
    "#pragma pack elsewhere": (
        "#pragma pack(1)\nstruct Q { char c; double d; };\n#pragma pack()\n"
        "struct P { char c; double d; };",
        16,
    ),
    "an enumeration": ("enum P { A, B };", 4),
    "an enumeration's type": ("enum class P : unsigned char { A, B };", 1),
    "a class's enumeration": ("struct P { enum Kind : short { A, B }; Kind kind; char c; };", 4),
    "a structure without a name": (
        "struct P { char c; union { struct { float x, y; }; float2 xy; }; float z; };",
        24,
    ),
    "behind a plain base": ("struct A { char c; int i; char d; }; struct P : A { char e; };", 16),
    "in the padding of a base with a constructor": (
        "struct A { double x; char c; A() : x(0) {} }; struct P : A { char e; float z; };",
        16,
    ),
    "in the padding of a base with a base": (
        "struct A { char c; int i; char d; }; struct B : A { char e; };"
        " struct P : B { char f; short g; };",
        16,
    ),
    "in the padding of a base with values": (
        "struct A { int a = 1; char b = 2; }; struct P : A { char c; };",
        8,
    ),
    "behind a base with private members": (
        "class A { double x; char c; }; struct P : A { char e; };",
        16,
    ),
    "an empty base": ("struct E {}; struct P : E { int x; };", 4),
    "bits of a base": ("struct A { char a : 3; int b : 4; }; struct P : A { char c; };", 8),
    "bits of several types": (
        "struct P { char a : 5; short b : 9; char c : 3; int d : 20; };",
        8,
    ),
    "bits of bool and int": (
        "struct P { bool a : 1; bool b : 1; unsigned c : 30; short d : 9; };",
        8,
    ),
    "bits behind a number": ("struct P { char c; int d : 24; };", 4),
    "bits behind long bits": ("struct P { long long a : 40; int b : 20; int c : 5; };", 16),
    "bits that end a unit": ("struct P { char a; int : 0; char b; };", 5),
    "bits without a name": ("struct P { char a : 3; int : 5; char b : 2; };", 2),
    "a length in bytes": ("struct P { char raw[sizeof(double) * 2]; char c; };", 17),
}


def without_blanks(text: str) -> str:
    """The same declarations with no more blanks than they need."""
    return re.sub(
        r"^[^#\n].*$", lambda line: re.sub(r" ?([,;{}()=*]) ?", r"\1", line[0]), text, flags=re.M
    )


def on_many_lines(text: str) -> str:
    return re.sub(r"^[^#\n].*$", lambda line: line[0].replace(" ", "\n  "), text, flags=re.M)


@pytest.mark.parametrize("laid_out", [str, without_blanks, on_many_lines])
@pytest.mark.parametrize("case", SIZES, ids=str)
def test_sizes(case: str, laid_out: Callable[[str], str], tmp_path: Path) -> None:
    declaration, size = SIZES[case]
    declaration = laid_out(declaration)
    copy = "__global__ void k(const P *p, P *q) { q[threadIdx.x] = p[threadIdx.x]; }\n"
    launch = "void go(P *p) { k<<<1, 32>>>(p, p); }\n"
    (tmp_path / "k.cu").write_text(f"{declaration}\n{copy}{launch}")
    (file,) = analyze(str(tmp_path / "k.cu")).files
    assert not file.diagnostics
    assert set(compulsory(file.kernels[0]).values()) == {str(32 * size)}


def test_members_lie_where_they_are_aligned(tmp_path: Path) -> None:
    text = """struct alignas(16) P { float x; alignas(32) float y; };
struct Q { float a; struct P p; float b; };
__global__ void k(const Q *q, float *o) { o[threadIdx.x] = q[threadIdx.x].b; }
void go(Q *q, float *o) { k<<<1, 32>>>(q, o); }
"""
    (tmp_path / "k.cu").write_text(text)
    kernel = analyze(str(tmp_path / "k.cu")).kernels[0]
    # a is at 0, p at 32 with 64 bytes, b at 96 of 128: one sector for each thread.
    found = sectors(kernel)
    assert found["q"] == str(32 * 32)


REFUSED = {
    "an alignment by a function": ("struct alignas(f(2)) P { float x; };", "K208", 1, 26),
    "no power of two": ("struct alignas(12) P { float x; };", "K208", 1, 24),
    "a length by a function": ("struct P { float x[f(2)]; };", "K207", 1, 20),
    "a vector type of GCC's": ("typedef float P __attribute__((vector_size(16)));", "K202", 1, 17),
    "a packed bit-field": ("struct __attribute__((packed)) P { int a : 3; };", "K202", 1, 36),
}


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_what_is_not_known_is_refused(case: str, tmp_path: Path) -> None:
    declaration, code, line, column = REFUSED[case]
    copy = "__global__ void k(const P *p, P *q) { q[threadIdx.x] = p[threadIdx.x]; }\n"
    (tmp_path / "k.cu").write_text(f"{declaration}\n__device__ int f(int);\n{copy}")
    (file,) = analyze(str(tmp_path / "k.cu")).files
    assert not file.kernels
    found = [(d.code.id, d.position.line, d.position.column) for d in file.diagnostics]
    assert found == [(code, line, column)]
