"""Headers of kernels: attributes in any order, unknown macros, and no kernel lost in silence."""

from __future__ import annotations

import pytest
from simplifying import messages, names, output, simplified

BODY = "(float *x) { x[0] = 1; }"

KNOWN = {
    "cluster after void": ("__global__ void __cluster_dims__(2, 1, 1) k", ""),
    "cluster before void": ("__global__ __cluster_dims__(2) void k", ""),
    "registers": ("__global__ void __maxnreg__(64) k", ""),
    "bounds and cluster": ("__global__ void __launch_bounds__(128) __cluster_dims__(2) k", "128"),
    "cluster and bounds": (
        "__global__ __cluster_dims__(2) void __launch_bounds__(96, 1) k",
        "96, 1",
    ),
    "three bounds": ("__global__ void __launch_bounds__(128, 2, 4) k", "128, 2"),
    "bounds in front": ("__launch_bounds__(64) __global__ void k", "64"),
    "nested": ("__global__ void __launch_bounds__((64 * (1 + 1)), 2, 1) k", "128, 2"),
}

MACROS = {
    "bounds": ("__global__ void MYLIB_BOUNDS(256) k" + BODY, "1:17", "MYLIB_BOUNDS"),
    "no arguments": ("__global__ void MYLIB_KERNEL_ATTR k" + BODY, "1:17", "MYLIB_KERNEL_ATTR"),
    "before void": ("__global__ MYLIB_BOUNDS(256, 2) void k" + BODY, "1:12", "MYLIB_BOUNDS"),
    "in front": ("MYLIB_BOUNDS(256) __global__ void k" + BODY, "1:1", "MYLIB_BOUNDS"),
    "behind": ("__global__ void k(float *x) MYLIB_ATTR { x[0] = 1; }", "1:29", "MYLIB_ATTR"),
}


@pytest.mark.parametrize(("header", "bounds"), KNOWN.values(), ids=KNOWN)
def test_known_attributes_in_any_order(header: str, bounds: str) -> None:
    text = output(header + BODY)
    attribute = f" [[cuda::launch_bounds({bounds})]]" if bounds else ""
    assert text == f"[[cuda::global]]{attribute} void k" + BODY


@pytest.mark.parametrize(("source", "place", "name"), MACROS.values(), ids=MACROS)
def test_unknown_macros_are_left_out_and_named(source: str, place: str, name: str) -> None:
    assert output(source) == "[[cuda::global]] void k" + BODY
    assert messages(source) == [
        f"{place} K113 '{name}' is not known; the kernel is read without it"
    ]


def test_a_kernel_of_a_namespace_defined_outside_it() -> None:
    source = "namespace n { __global__ void k(float *x); }\n__global__ void n::k" + BODY
    assert output(source) == "[[cuda::global]] void k" + BODY


LOST = {
    "made name": ("__global__ void NAME(a, 1)" + BODY, None),
    "joined name": (
        "__global__ void NAME(a)" + BODY,
        "2:1 K201 cannot read the header of the kernel 'NAME'",
    ),
    "result macro": ("__global__ a *MYLIB_KERNEL(b)" + BODY, None),
    "specialisation alone": (
        "template <typename T> __global__ void b(T *x);\ntemplate <> __global__ void b<float>"
        + BODY,
        "3:13 K206 the template that 'b' specialises is not defined in the file",
    ),
    "friend": ("struct S { friend __global__ void b(float *x) { x[0] = 1; } };", None),
}


@pytest.mark.parametrize(("source", "message"), LOST.values(), ids=LOST)
def test_what_leads_to_no_kernel_is_lost_with_a_reason(source: str, message: str | None) -> None:
    text = f"__global__ void k{BODY}\n{source}\n"
    assert names(text) == ["k"]
    assert [one.kind.value for one in simplified(text).lost].count("kernel") == 1
    found = messages(text)
    assert found if message is None else found == [message]
