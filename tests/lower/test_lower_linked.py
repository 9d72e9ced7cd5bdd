"""Structures that point to their own kind: lists, trees, and pairs that point to each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.options import Options

TYPES = """struct Node { float v; int key; Node *next; Node *child[2]; };
typedef struct tree_s { struct tree_s *left, *right; float w; } Tree;
struct A;
struct B { A *a; float x; };
struct A { B *b; float y; };
template <typename T> struct Link { T value; Link<T> *next; };
"""
# A kernel of 32 threads: loads of a thread and their bytes, by hand.
KERNELS = {
    "Node *s": ("o[i] = s->next->v;", 2, 8 + 4),
    "Node *s ": ("o[i] = s->next->next->v + s[i].child[1]->v;", 5, 8 + 8 + 4 + 8 + 4),
    "Tree *t": ("o[i] = t->left->w + t->right->left->w;", 5, 8 + 4 + 8 + 8 + 4),
    "A *t": ("o[i] = t[i].b->a->y * t[i].b->x;", 5, 8 + 8 + 4 + 8 + 4),
    "Link<double> *t": ("o[i] = t->next->value;", 2, 8 + 8),
}


@pytest.mark.parametrize("parameter", KERNELS)
def test_linked(tmp_path: Path, parameter: str) -> None:
    body, loads, bytes_ = KERNELS[parameter]
    file = tmp_path / "k.cu"
    file.write_text(
        f"{TYPES}__global__ void k({parameter}, float *o) {{ int i = threadIdx.x; {body} }}\n"
    )
    report = analyze(str(file), Options(launches=("k: grid=(1) block=(32)",)))
    assert report.complete, [str(one) for one in report.files[0].diagnostics]
    (kernel,) = report.kernels
    assert sympy_text(kernel.per_thread.loads["global"].formula) == str(loads)
    read = sum(a.requested.value or 0 for n, a in kernel.bytes.by_array.items() if n != "o")
    assert read == 32 * bytes_


def test_a_list_is_walked(tmp_path: Path) -> None:
    """In each unknown iteration a value, an addition and the next pointer."""
    file = tmp_path / "k.cu"
    file.write_text(
        f"{TYPES}__global__ void k(Node **heads, float *o)\n{{\n"
        "    float s = 0;\n"
        "    for (Node *p = heads[threadIdx.x]; p; p = p->next) s += p->v;\n"
        "    o[threadIdx.x] = s;\n}\n"
    )
    (kernel,) = analyze(str(file), Options(launches=("k: grid=(1) block=(32)",))).kernels
    assert sympy_text(kernel.per_thread.flops["fp32"].formula) == "trips_10"
    assert sympy_text(kernel.per_thread.loads["global"].formula) == "2*trips_10 + 1"
