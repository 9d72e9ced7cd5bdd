"""Grids that are parts of what a function of the file gives are said not to be known."""

from __future__ import annotations

import pytest
from simplifying import item, messages

KERNEL = """__global__ void k(float *x, int n) { }
struct Size { int grid, block; static Size of(int n); };
Size Size::of(int n) { Size s; s.grid = n / 64; s.block = 64; return s; }
std::pair<int, int> size(int n) { return {n / 64, 64}; }
Size made(int n) { return Size::of(n); }
"""
RESULTS = {
    "method": ("auto s = Size::of(n); k<<<s.grid, s.block>>>(x, n);", "Size::of"),
    "function": ("auto s = made(n); k<<<s.grid, s.block>>>(x, n);", "made"),
    "binding": ("auto [g, b] = size(n); k<<<g, b>>>(x, n);", "size"),
}


@pytest.mark.parametrize(("body", "name"), RESULTS.values(), ids=RESULTS)
def test_functions_of_the_file(body: str, name: str) -> None:
    found = messages(KERNEL + f"void h(float *x, int n) {{ {body} }}")
    because = f"cannot be computed: '{name}' gives it as a part of its result"
    assert [one.partition(" K401 ")[2] for one in found] == [
        f"the {what} of the launch of 'k' {because}" for what in ("grid", "block")
    ]


def test_members_of_what_is_not_in_the_file_are_sizes() -> None:
    host = "void h(float *x, int n) { auto p = properties(); k<<<p.processors, 64>>>(x, n); }"
    assert "k__launch(p_processors, 64, 0, unknown__, n);" in item(KERNEL + host, "launch__1")
    assert messages(KERNEL + host) == []


def test_axes_of_an_auto_are_followed() -> None:
    host = "void h(float *x, int n) { auto g = dim3(n, 2); k<<<g.x, 64>>>(x, n); }"
    assert "k__launch(g.x, 64, 0, unknown__, n);" in item(KERNEL + host, "launch__1")
