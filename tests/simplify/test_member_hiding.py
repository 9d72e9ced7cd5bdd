"""Which declaration a name inside a class means: its own, a base's, one around it, or a global."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze

OUTER = """
const int K = 40; enum G { E0 = 100 }; const int BZ = 1; using U = float; const int NN = 9;
__device__ int g(int v) { return 50; }
struct Z { enum { BZ = 7 }; using U = double; };
template <int N> struct Sel { enum { v = N }; };
struct S : Z {
    static constexpr int K = 2; enum Q { E2 = 5 }; enum { E3 = 6 };
    static __device__ int g(int v) { return 9; }
    struct J { int jj; };
    struct I {
        static const int L = K + 1;
        __device__ int go(int what) const {
            if (what == 0) return K;
            if (what == 1) return E2;
            if (what == 2) return E3;
            if (what == 3) return g(1);
            if (what == 4) return BZ;
            if (what == 5) return L;
            if (what == 6) return sizeof(U);
            if (what == 7) { J j; j.jj = 3; return j.jj; }
            return K + Sel<K>::v;
        }
        struct Deep { __device__ int go() const { return K + L; } };
    };
};
struct P { static const int K = 5; int m; enum { W = 3 }; static const int NN = 4;
    __device__ int base() { return K; } };
struct D : P { enum { K = 6, m = 9 }; enum E { W = 8 };
    __device__ int own() { return K; }
    __device__ int hidden_field() { return m; }
    __device__ int named() { return W; }
    __device__ int argument() { return Sel<NN>::v; } };
"""
CASES = {
    "constant": ("i.go(0)", 2),
    "enumerator of a named one": ("i.go(1)", 5),
    "enumerator": ("i.go(2)", 6),
    "function": ("i.go(3)", 9),
    "of a base of the class around": ("i.go(4)", 7),
    "constant made of one": ("i.go(5)", 3),
    "type": ("i.go(6)", 8),
    "class beside it": ("i.go(7)", 3),
    "template argument": ("i.go(8)", 4),
    "two classes around": ("p.go()", 5),
    "enumerator of the derived class": ("d.own()", 6),
    "a base sees its own": ("d.base()", 5),
    "enumerator, not the base's field": ("d.hidden_field()", 9),
    "enumerator of a named enumeration": ("d.named()", 8),
    "from outside": ("D::K + D::W", 14),
    "argument that is a base's constant": ("d.argument()", 4),
}


@pytest.mark.parametrize(("bound", "expected"), CASES.values(), ids=CASES)
def test_the_innermost_declaration_is_meant(bound: str, expected: int, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        f"{OUTER}__global__ void k(float *x) {{ S::I i; S::I::Deep p; D d; int n = {bound}; float s = 0;\n"
        "for (int i = 0; i < n; i++) s += 1.0f; x[0] = s; }\n"
        "void host(float *x) { k<<<1, 1>>>(x); }\n"
    )
    (kernel,) = analyze(str(file)).kernels
    assert kernel.grid.flops["fp32"].value == expected
