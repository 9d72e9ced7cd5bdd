"""One line that is very long, of every kind."""

from __future__ import annotations

from collections.abc import Callable

from limits.case import Case, Files, kernel

_MEGABYTE = 1_000_000


def _repeated(before: str, piece: str, after: str) -> Callable[[int], Files]:
    """A kernel's body of one line as long as asked."""
    return lambda size: kernel(f"    {before}{piece * (size // len(piece))}{after}")


def _outside(before: str, piece: str, after: str) -> Callable[[int], Files]:
    """The same line before the kernel."""
    return lambda size: kernel("    s = a[i];", f"{before}{piece * (size // len(piece))}{after}")


def _one_line(size: int) -> Files:
    text = "".join(
        f"__device__ float f{n}(float x) {{ return x * {n}.0f; }} /* {n} */ "
        for n in range(size // 58)
    )
    return {"k.cu": text + "__global__ void k(float *a) { a[threadIdx.x] = f0(a[threadIdx.x]); }"}


def _macro_use(size: int) -> Files:
    return kernel("    LONG", f"#define LONG {'s += 1.0f; ' * (size // 11)}")


def _macro_argument(size: int) -> Files:
    return kernel(f"    s = FIRST(1.0f, {'s + ' * (size // 4)}s);", "#define FIRST(x, y) x")


def _continuations(size: int) -> Files:
    return kernel("    s = \\\n" + " \\\n" * (size // 3) + "1.0f;")


CASES = (
    Case("1 MB line: all code", _MEGABYTE, 600, _one_line),
    Case("1 MB line: statements", _MEGABYTE, 600, _repeated("", "s += 1.0f; ", "")),
    Case("1 MB line: loads", _MEGABYTE, 600, _repeated("", "s += a[i]; ", "")),
    Case("1 MB line: empty statements", _MEGABYTE, 600, _repeated("", ";", "")),
    Case("1 MB line: expression", _MEGABYTE, 600, _repeated("s = ", "s + ", "s;"), large=("K302",)),
    Case(
        "1 MB line: product",
        _MEGABYTE,
        60,
        _repeated("int q = ", "n*", "n; s += q;"),
        large=("K302",),
    ),
    Case(
        "1 MB line: parentheses",
        _MEGABYTE,
        60,
        lambda size: kernel(f"s = {'(' * (size // 2)}s{')' * (size // 2)};"),
        large=("K302",),
    ),
    Case(
        "1 MB line: open parentheses",
        _MEGABYTE,
        60,
        _repeated("s = ", "(", ";"),
        kernels=0,
        codes=("K201",),
    ),
    Case(
        "1 MB line: open braces", _MEGABYTE, 60, _repeated("", "{", ""), kernels=0, codes=("K201",)
    ),
    Case(
        "1 MB line: closed braces",
        _MEGABYTE,
        60,
        _repeated("", "}", ""),
        kernels=None,
        codes=("K201",),
    ),
    Case("1 MB line: comment", _MEGABYTE, 600, _repeated("// ", "word ", "")),
    Case("1 MB line: comment in code", _MEGABYTE, 600, _repeated("s = /* ", "word * ", "*/ 1.0f;")),
    Case("1 MB line: comments", _MEGABYTE, 600, _repeated("s = ", "/**/", "1.0f;")),
    Case(
        "1 MB line: open comment",
        _MEGABYTE,
        600,
        _repeated("/*", " /*", ""),
        kernels=0,
        codes=("K110", "K201"),
    ),
    Case("1 MB line: string", _MEGABYTE, 600, _repeated('printf("', "word ", '");')),
    Case("1 MB line: escapes", _MEGABYTE, 600, _repeated('printf("', "\\n", '");')),
    Case(
        "1 MB line: open string",
        _MEGABYTE,
        600,
        _repeated('printf("', "word ", ""),
        kernels=0,
        codes=("K201",),
    ),
    Case("1 MB line: strings", _MEGABYTE, 600, _repeated("printf(", '"x" ', ");")),
    Case(
        "1 MB line: raw string", _MEGABYTE, 600, _outside('const char *text = R"(', "word ", ')";')
    ),
    Case("1 MB line: macro", _MEGABYTE, 600, _outside("#define UNUSED ", "word + ", "1")),
    Case("1 MB line: macro in use", _MEGABYTE, 600, _macro_use, large=("K302",)),
    Case("1 MB line: macro argument", _MEGABYTE, 600, _macro_argument),
    Case("1 MB line: #if", _MEGABYTE, 600, _outside("#if 1", " + 1", "\n#endif"), large=("K110",)),
    Case("1 MB line: identifier", _MEGABYTE, 600, _repeated("int ", "x", " = 1; s += 1.0f;")),
    Case(
        "1 MB line: integer",
        _MEGABYTE,
        60,
        _repeated("s = ", "9", ";"),
        kernels=None,
        large=("K302",),
    ),
    Case("1 MB line: number", _MEGABYTE, 60, _repeated("s = 1.", "9", "f;"), large=("K302",)),
    Case("1 MB line: blanks", _MEGABYTE, 600, _repeated("s =", " ", "1.0f;")),
    Case(
        "1 MB line: declarators",
        _MEGABYTE,
        600,
        lambda size: kernel("    int " + ", ".join(f"v{n}" for n in range(size // 8)) + ";"),
    ),
    Case(
        "1 MB line: arguments",
        _MEGABYTE,
        600,
        _repeated("s = unknown(", "s, ", "s);"),
        codes=("K301",),
    ),
    Case(
        "1 MB line: host code",
        _MEGABYTE,
        600,
        _outside("void host() { int x = 0; ", "x += 1; ", "}"),
    ),
    Case("1 MB line: initialiser", _MEGABYTE, 600, _outside("const int t[] = {", "1, ", "0};")),
    Case(
        "1 MB line: template list",
        _MEGABYTE,
        600,
        _outside("template <", "int, ", "int> struct T;"),
    ),
    Case("1 MB line: angle brackets", _MEGABYTE, 60, _outside("int x = 1 ", "< 2 ", ";")),
    Case("1 MB line: stars", _MEGABYTE, 60, _outside("extern int ", "*", "p;")),
    Case("1 MB of continued lines", _MEGABYTE, 600, _continuations),
    Case("1 MB of empty lines", _MEGABYTE, 600, _repeated("", "\n", "")),
    Case("1 MB of semicolons outside", _MEGABYTE, 600, _outside("", ";", "")),
    Case("1 MB of directives", _MEGABYTE, 600, _outside("", "#\n", "")),
    Case("1 MB of @", _MEGABYTE, 60, _outside("", "@", ""), kernels=None),
)
