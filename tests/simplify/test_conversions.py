"""The types of expressions: promotions and C++'s usual arithmetic conversions.

The types are those that g++ gives for the same expressions.
"""

from __future__ import annotations

from simplifying import messages, output

_TYPES = (
    "bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned",
    "long", "unsigned long", "long long", "unsigned long long", "float", "double", "float *",
    "const float *", "E", "F",
)  # fmt: skip
_OPEN = "struct C { short s; __device__ operator short() const { return s; } };\n"
_VARIABLES = """
    short h = 1; const short ch = 1; unsigned char u = 1; char c = 'a'; bool b = true; int i = 1;
    unsigned w = 1; long l = 1; unsigned long ul = 1; long long ll = 1; unsigned long long ull = 1;
    float f = 1; double d = 1; float *p = &f; const float *q = &f; E e = EA; C o; B bf;
    unsigned short us = 1; size_t z = 1;
"""
_EXPRESSIONS = [
    ("h", "short"),
    ("ch", "short"),
    ("h + h", "int"),
    ("u << 1", "int"),
    ("u << l", "int"),
    ("~h", "int"),
    ("-h", "int"),
    ("+ch", "int"),
    ("true ? h : 1", "int"),
    ("true ? h : ch", "short"),
    ("b ? u : c", "int"),
    ("(h, 1)", "int"),
    ("(i, h)", "short"),
    ("h++", "short"),
    ("++h", "short"),
    ("h += 1", "short"),
    ("i + w", "unsigned"),
    ("i * l", "long"),
    ("w + l", "long"),
    ("l + ul", "unsigned long"),
    ("l + ll", "long long"),
    ("ul + ll", "unsigned long long"),
    ("h * f", "float"),
    ("u * 1.0", "double"),
    ("l * f", "float"),
    ("i < w", "bool"),
    ("!h", "bool"),
    ("b && i", "bool"),
    ("b + b", "int"),
    ("-b", "int"),
    ("p - q", "long"),
    ("p + h", "float *"),
    ("h + q", "const float *"),
    ("true ? p : q", "const float *"),
    ("sizeof(h)", "unsigned long"),
    ("sizeof h * 2", "unsigned long"),
    ("alignof(int)", "unsigned long"),
    ("h % u", "int"),
    ("c", "char"),
    ("'a'", "char"),
    ("'a' + 1", "int"),
    ("c - '0'", "int"),
    ("-w", "unsigned"),
    ("~u", "int"),
    ("us + us", "int"),
    ("us * h", "int"),
    ("1u", "unsigned"),
    ("1l", "long"),
    ("4294967295", "long"),
    ("0xFFFFFFFF", "unsigned"),
    ("0x7fffffff", "int"),
    ("3000000000u", "unsigned"),
    ("1ll + 1", "long long"),
    ("017777777777", "int"),
    ("037777777777", "unsigned"),
    ("0x1p3", "double"),
    ("1e3f", "float"),
    ("1.", "double"),
    ("e", "E"),
    ("e + 1", "int"),
    ("EA", "E"),
    ("+e", "int"),
    ("FA + 1", "int"),
    ("+FA", "int"),
    ("o + h", "int"),
    ("-o", "int"),
    ("+bf.b", "int"),
    ("h & u", "int"),
    ("w >> ul", "unsigned"),
    ("i | 1u", "unsigned"),
    ("h == h", "bool"),
    ("i ? h : u", "int"),
    ("i ? f : 1", "float"),
    ("i ? d : f", "double"),
    ("u ? i : w", "unsigned"),
    ("z + 1", "unsigned long"),
    ("z * z", "unsigned long"),
    ("*q * h", "float"),
    ("q[0]", "float"),
    ("&f", "float *"),
    ("(short)i", "short"),
    ("short(i) + u", "int"),
    ("static_cast<unsigned char>(i)", "unsigned char"),
    ("(h = 2)", "short"),
    ("h - 1u", "unsigned"),
    ("ull + i", "unsigned long long"),
    ("-ull", "unsigned long long"),
    ("ll * ul", "unsigned long long"),
]


def _chosen(expressions: list[str]) -> list[str]:
    """The names of the functions that calls with these arguments mean."""
    overloads = "".join(
        f"__device__ int ov({one} x) {{ return {n}; }}\n" for n, one in enumerate(_TYPES)
    )
    calls = "".join(f"    x[0] = ov(({one}));\n" for one in expressions)
    text = (
        "enum E { EA }; enum F : unsigned char { FA }; struct B { unsigned b : 3; };\n"
        f"{_OPEN}{overloads}__global__ void k(int *x)\n{{{_VARIABLES}{calls}}}\n"
    )
    assert not messages(text)
    text = output(text)
    lines = [line for line in text.splitlines() if line.startswith("    x[0] = ov")]
    return [line.split("ov__")[1].split("((")[0] for line in lines]


def _name(one: str) -> str:
    return {"float *": "floatp", "const float *": "floatp_2"}.get(one, one.replace(" ", "_"))


def test_types_of_expressions() -> None:
    expressions = [one for one, _ in _EXPRESSIONS]
    found = dict(zip(expressions, _chosen(expressions), strict=True))
    assert found == {one: _name(wanted) for one, wanted in _EXPRESSIONS}
