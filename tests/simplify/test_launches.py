"""Launches: what the host code says of their sizes, and nothing more of it."""

from __future__ import annotations

import pytest
from simplifying import messages, names, output, parse, simplified

KERNEL = "__global__ void k(float *x, int n) { }\n"


def launches(host: str, before: str = KERNEL) -> list[str]:
    """The launch functions, each on one line."""
    unit = simplified(before + host)
    parse(unit)
    texts = [unit.text[one.start : one.end] for one in unit.items if one.name.startswith("launch")]
    return [" ".join(text.split()) for text in texts]


def launch(body: str, before: str = KERNEL) -> str:
    """The one launch function of a `main` with this body, without its attribute."""
    (text,) = launches(f"int main(int argc, char **argv) {{ {body} }}", before)
    return text.partition("]] void ")[2]


BODIES = {
    "numbers": ("k<<<4, 256>>>(x, 1024);", "(void) { k__launch(4, 256, 0, unknown__, 1024); }"),
    "argument": (
        "int n = 1024; k<<<(n + 255) / 256, 256>>>(x, n);",
        "([[cuda::value(1024)]] int n) { k__launch((n + 255) / 256, 256, 0, unknown__, n); }",
    ),
    "variables": (
        "int n = 1 << 20; int t = 256; int b = (n + t - 1) / t; k<<<b, t>>>(x, n);",
        "([[cuda::value(1048576)]] int n) { int t = 256; int b = (n + t - 1) / t; "
        "k__launch(b, t, 0, unknown__, n); }",
    ),
    "dim3": (
        "dim3 b(16, 16); dim3 g((4 + b.x - 1) / b.x, 2); k<<<g, b>>>(x, 4);",
        "(void) { dim3 b = {16, 16}; dim3 g = {(4 + b.x - 1) / b.x, 2}; "
        "k__launch(g, b, 0, unknown__, 4); }",
    ),
    "members": (
        "dim3 g; g.x = 4; g.y = g.x / 2; k<<<g, 32>>>(x, 4);",
        "(void) { dim3 g = {1, 1, 1}; g.x = 4; g.y = g.x / 2; k__launch(g, 32, 0, unknown__, 4); }",
    ),
    "in place": (
        "k<<<dim3(2, 3), dim3{4}>>>(x, 4);",
        "(void) { k__launch((dim3){2, 3}, (dim3){4}, 0, unknown__, 4); }",
    ),
    "shared and stream": (
        "size_t s = 64 * sizeof(float); k<<<1, 64, s, stream>>>(x, 4);",
        "(void) { size_t s = 64 * sizeof(float); k__launch(1, 64, s, unknown__, 4); }",
    ),
    "kinds of variables": (
        "const unsigned a = 2u; auto b = a * 2; long c{3}, d(4); k<<<a + b, c * d>>>(x, 4);",
        "(void) { const unsigned a = 2u; auto b = a * 2; long c = 3; long d = 4; "
        "k__launch(a + b, c * d, 0, unknown__, 4); }",
    ),
    "command line": (
        "int n = argc > 1 ? atoi(argv[1]) : 4; k<<<n / 2, 32>>>(x, n);",
        "(int n) { k__launch(n / 2, 32, 0, unknown__, n); }",
    ),
    "changed in a branch": (
        "int n = 64; if (argc > 1) n = atoi(argv[1]); k<<<n / 2, 32>>>(x, 4);",
        "([[cuda::value(64)]] int n) { k__launch(n / 2, 32, 0, unknown__, 4); }",
    ),
    "read through an address": (
        'int n = 0; scanf("%d", &n); k<<<n / 2, 32>>>(x, 4);',
        "(int n) { k__launch(n / 2, 32, 0, unknown__, 4); }",
    ),
    "read from a stream": (
        "int n; std::cin >> n; k<<<n / 2, 32>>>(x, 4);",
        "(int n) { k__launch(n / 2, 32, 0, unknown__, 4); }",
    ),
    "assigned later": (
        "int t; t = 32; k<<<1, t>>>(x, 4); t = 64;",
        "(void) { int t; t = 32; k__launch(1, t, 0, unknown__, 4); }",
    ),
    "loop": (
        "for (int s = 64; s > 0; s /= 2) { int b = s / 2; k<<<b, 32>>>(x, s); }",
        "(int s) { int b = s / 2; k__launch(b, 32, 0, unknown__, s); }",
    ),
    "size of a vector": (
        "std::vector<float> v(9); int n = static_cast<int>(v.size()); k<<<n / 2, 32>>>(x, 4);",
        "(int v_size) { int n = ((int)(v_size)); k__launch(n / 2, 32, 0, unknown__, 4); }",
    ),
    "member": (
        "Shape s; k<<<s.rows / 2, 32>>>(x, s.columns);",
        "(int s_rows, int s_columns) { k__launch(s_rows / 2, 32, 0, unknown__, s_columns); }",
    ),
    "standard functions": (
        "int n = 5; k<<<std::min((n + 1) / 2, 65535), 32>>>(x, (int)ceil(n / 2.0));",
        "(void) { int n = 5; k__launch(min((n + 1) / 2, 65535), 32, 0, unknown__, "
        "(int)((n + 2 - 1) / 2)); }",
    ),
    "conditional": (
        "int n = 5; k<<<n > 3 ? n : 3, 32>>>(x, 4);",
        "(void) { int n = 5; k__launch(n > 3 ? n : 3, 32, 0, unknown__, 4); }",
    ),
    "lambda": (
        "int t = 32; auto run = [&](int m) { k<<<m, t>>>(x, m); }; run(3);",
        "([[cuda::value(3)]] int m) { int t = 32; k__launch(m, t, 0, unknown__, m); }",
    ),
    "on several lines": (
        "dim3 g(2,\n        3); k<<<g,\n   32>>>(x,\n 4);",
        "(void) { dim3 g = {2, 3}; k__launch(g, 32, 0, unknown__, 4); }",
    ),
    "unknown argument": (
        "k<<<1, 2>>>(x, get(3));",
        "(void) { k__launch(1, 2, 0, unknown__, unknown__); }",
    ),
    "unknown variable": (
        "int n = get(3); k<<<n, 2>>>(x, n + 1);",
        "(int n) { k__launch(n, 2, 0, unknown__, n + 1); }",
    ),
    "checked": (
        "int n = 4; CHECK(cudaMalloc(&x, n)); k<<<n, 2>>>(x, 3);",
        "(void) { int n = 4; k__launch(n, 2, 0, unknown__, 3); }",
    ),
}


@pytest.mark.parametrize(("body", "expected"), BODIES.values(), ids=BODIES)
def test_bodies(body: str, expected: str) -> None:
    assert launch(body) == "launch__1" + expected


def test_layout_and_place() -> None:
    text = KERNEL + "int main()\n{\n    int n = 4;\n    int t = 32;\n  k<<<n / t, t>>>(x, n);\n}\n"
    assert output(text).split("\n\n")[1] == (
        '[[cuda::launch("k", 6, 3)]] void launch__1([[cuda::value(4)]] int n)\n{\n'
        "    int t = 32;\n    k__launch(n / t, t, 0, unknown__, n);\n}"
    )


def test_positions_lead_to_the_host_code() -> None:
    unit = simplified(KERNEL + "int main()\n{\n    int t = 32;\n    k<<<1, t>>>(x, 3);\n}\n")
    place = unit.positions.position(unit.text.index("t = 32"))
    assert (place.line, place.column) == (4, 9)


def test_host_parameters_are_symbols() -> None:
    (text,) = launches("void run(float *x, int n, unsigned t) { k<<<n / t, t>>>(x, n); }")
    assert "launch__1(int n, unsigned t) { k__launch(n / t, t, 0, unknown__, n); }" in text


def test_constants_of_the_file() -> None:
    before = KERNEL + "constexpr int T = 64;\nconst int M = 8;\nint rows = 3;\nenum { E = 2 };\n"
    assert launch("k<<<M / E, T>>>(x, rows);", before) == (
        "launch__1([[cuda::value(3)]] int rows) { k__launch(M / E, T, 0, unknown__, rows); }"
    )
    found = names(before + "int main() { k<<<M / E, T>>>(x, rows); }")
    assert found == ["k", "T", "M", "E", "launch__1"]


def test_helper_functions() -> None:
    before = (
        KERNEL + "static inline int div_up(int a, int b) { return (a + b - 1) / b; }\n"
        "template <typename T> T twice(T a) { return div_up(a, 1) * 2; }\n"
        "dim3 square(int a) { return dim3(a, a); }\n"
    )
    assert launch("k<<<twice(3), square(4)>>>(x, 3);", before) == (
        "launch__1(void) { k__launch(twice__int(3), square(4), 0, unknown__, 3); }"
    )
    text = output(before + "int main() { k<<<twice(3), square(4)>>>(x, 3); }")
    assert "[[cuda::host]] int div_up(int a, int b) { return (a + b - 1) / b; }" in text
    assert "[[cuda::host]] dim3 square(int a) { return (dim3){a, a}; }" in text


def test_helper_functions_that_read_the_world() -> None:
    before = KERNEL + 'int size() { return atoi(getenv("N")); }\n'
    assert launch("int n = size(); k<<<n, 32>>>(x, 3);", before) == (
        "launch__1(int n) { k__launch(n, 32, 0, unknown__, 3); }"
    )


def test_what_cannot_be_followed() -> None:
    text = KERNEL + "int main() {\n    k<<<get(), 32>>>(x, 3);\n    k<<<1, 32>>>(x, 3);\n}\n"
    assert messages(text) == [
        "3:9 K401 the grid of the launch of 'k' cannot be computed",
    ]
    assert names(text) == ["k", "launch__1", "launch__2"]
    assert "k__launch(unknown__, 32, 0, unknown__, 3);" in simplified(text).text


def test_kernels_of_other_files() -> None:
    assert messages(KERNEL + "int main() { other<<<1, 2>>>(3); }") == []
    assert names(KERNEL + "int main() { other<<<1, 2>>>(3); }") == ["k", "launch__1"]


def test_host_templates() -> None:
    before = (
        "template <typename T, int B> __global__ void k(T *x, int n) { }\n"
        "template <typename T, int B = 64> void run(T *x, int n) { k<T, B><<<n / B, B>>>(x, n); }\n"
    )
    found = launches("int main() { double *y; run<float, 32>(x, 3); run(y, 4); }", before)
    assert [text.partition("]] void ")[2] for text in found] == [
        "launch__1([[cuda::value(3)]] int n) { k__float_32__launch(n / 32, 32, 0, unknown__, n); }",
        "launch__2([[cuda::value(4)]] int n) { k__double_64__launch(n / 64, 64, 0, unknown__, n); }",
    ]


def test_host_templates_that_nobody_calls() -> None:
    before = (
        "template <typename T, int B> __global__ void k(T *x, int n) { }\n"
        "template <typename T, int B> void run(T *x, int n) { k<T, B><<<n / B, B>>>(x, n); }\n"
    )
    (text,) = launches("", before)
    assert "launch__1(int n, int B) { k__launch(n / B, B, 0, unknown__, n, B); }" in text


def test_a_launch_of_a_lost_kernel_is_no_launch() -> None:
    text = "template <typename F> __global__ void k(F f) { f(1); }\nint main() { k<<<1, 2>>>(3); }"
    assert names(text) == []
    assert [message.split()[1] for message in messages(text)] == ["K202"]


def test_launches_everywhere() -> None:
    host = (
        "struct App { int rows; void go() { k<<<rows, 32>>>(x, 1); } };\n"
        "namespace a { void go(int m) { if (m) k<<<m, 32>>>(x, 2); else k<<<1, 32>>>(x, 3); } }\n"
        "int main() { do { switch (3) { case 1: k<<<2, 32>>>(x, 4); } } while (0); }\n"
    )
    assert [text.partition("{")[2].strip(" }") for text in launches(host)] == [
        "k__launch(rows, 32, 0, unknown__, 1);",
        "k__launch(m, 32, 0, unknown__, 2);",
        "k__launch(1, 32, 0, unknown__, 3);",
        "k__launch(2, 32, 0, unknown__, 4);",
    ]
