"""Template arguments of kernels that follow from what the host passes, and from its classes."""

from __future__ import annotations

import pytest
from simplifying import messages, names

KERNEL = """template <typename T> __global__ void k(T *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] * T(2);
}
struct Base { double *inherited; };
struct Buf : Base { double *p; double *data() const { return p; } template <class U> U *as(); };
template <typename U> struct Box { U *p; U *get() { return p; } };
using Doubles = thrust::device_vector<double>;
double *make();
"""
VECTOR = "thrust::device_vector<double> x(n);"
# Declarations, and the argument that is a double *.
ARGUMENTS = {
    "raw pointer": (VECTOR, "thrust::raw_pointer_cast(x.data())"),
    "address of the first": (VECTOR, "thrust::raw_pointer_cast(&x[0])"),
    "get": (VECTOR, "x.data().get()"),
    "kept": (VECTOR + " auto p = thrust::raw_pointer_cast(x.data());", "p"),
    "kept as a pointer": (VECTOR + " auto *p = x.data().get();", "p + 4"),
    "alias of a vector": ("Doubles x(n);", "x.data().get()"),
    "unique": ("std::unique_ptr<double[]> x;", "x.get()"),
    "other library": ("rmm::device_uvector<double> x(n, s);", "x.data()"),
    "data_ptr": ("at::Tensor x;", "x.data_ptr<double>()"),
    "member": ("Buf b;", "b.p"),
    "member behind a pointer": ("Buf *b;", "b->p"),
    "member of a base": ("Buf b;", "b.inherited"),
    "element of members": ("Buf b[4];", "b[1].p"),
    "method": ("Buf b;", "b.data()"),
    "member of an instance": ("Box<double> b;", "b.p"),
    "method of an instance": ("Box<double> b;", "b.get()"),
    "address of a member's element": ("Buf b;", "&b.p[4]"),
    "cast": ("void *b;", "(double *)b"),
    "array": ("double b[64];", "b"),
}
CLASSES = {
    "member": "struct S { double *d; void go(int n) { k<<<n / 64, 64>>>(d, n); } };",
    "member through this": "struct S { double *d; void go(int n) { k<<<n / 64, 64>>>(this->d, n); } };",
    "method outside": "struct S { double *d; void go(int n); };\n"
    "void S::go(int n) { k<<<n / 64, 64>>>(d, n); }",
    "instantiated": "template <class T> class Op { void run(T *x, int n) { k<T><<<n / 64, 64>>>(x, n); }"
    " };\ntemplate class Op<double>;",
    "deduced in an instance": "template <class T> struct Op { T *x; void run(int n) "
    "{ k<<<n / 64, 64>>>(x, n); } };\ntemplate struct Op<double>;",
    "static method": "template <class T> struct Op { static void run(T *x, int n) "
    "{ k<T><<<n / 64, 64>>>(x, n); } };\nvoid h(double *x, int n) { Op<double>::run(x, n); }",
    "object": "template <class T> struct Op { void run(T *x, int n) { k<T><<<n / 64, 64>>>(x, n); } };\n"
    "void h(double *x, int n) { Op<double> o; o.run(x, n); }",
    "object that is not called": "template <class T> struct Op { Op(T *x, int n) "
    "{ k<T><<<n / 64, 64>>>(x, n); } };\nvoid h(double *x, int n) { Op<double> o(x, n); }",
    "defined outside": "template <class T> struct Op { void run(T *x, int n); };\n"
    "template <class U> void Op<U>::run(U *x, int n) { k<U><<<n / 64, 64>>>(x, n); }\n"
    "void h(double *x, int n) { Op<double> o; o.run(x, n); }",
    "method calls method": "template <class T> struct Op { void in(T *x, int n) "
    "{ k<T><<<n / 64, 64>>>(x, n); } void run(T *x, int n) { in(x, n); } };\n"
    "void h(double *x, int n) { Op<double> o; o.run(x, n); }",
    "method that is a template": "struct Op { template <class T> void run(T *x, int n) "
    "{ k<T><<<n / 64, 64>>>(x, n); } };\nvoid h(double *x, int n) { Op o; o.run(x, n); }",
    "method with a type given": "struct Op { template <class T> void run(void *x, int n) "
    "{ k<<<n / 64, 64>>>((T *)x, n); } };\nvoid h(void *x, int n) { Op o; o.run<double>(x, n); }",
}


@pytest.mark.parametrize(("declared", "argument"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_arguments(declared: str, argument: str) -> None:
    text = f"{KERNEL}void h(int n) {{ {declared} k<<<n / 64, 64>>>({argument}, n); }}"
    assert messages(text) == []
    assert "k__double" in names(text)
    assert "k" not in names(text)


@pytest.mark.parametrize("host", CLASSES.values(), ids=CLASSES)
def test_classes(host: str) -> None:
    assert messages(KERNEL + host) == []
    assert "k__double" in names(KERNEL + host)
    assert "k" not in names(KERNEL + host)


def test_an_instance_for_each_that_the_file_asks_for() -> None:
    host = (
        "template <class T> struct Op { void run(T *x, int n) { k<T><<<n / 64, 64>>>(x, n); } };\n"
        "template struct Op<double>;\ntemplate struct Op<int>;"
    )
    assert {"k__double", "k__int"} <= set(names(KERNEL + host))


def test_a_class_that_nothing_instantiates_stays_open() -> None:
    host = "template <class T> struct Op { T *x; void run(int n) { k<<<n / 64, 64>>>(x, n); } };"
    assert messages(KERNEL + host) == []
    assert "k" in names(KERNEL + host)
