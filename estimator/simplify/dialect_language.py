"""Rows of the table of constructs: the C++ language."""

from __future__ import annotations

from estimator.simplify.dialect import Row, Section

LANGUAGE: tuple[Section, ...] = (
    Section(
        "Types and casts",
        (
            Row("named casts", "x[0] = static_cast<float>(n);", "x[0] = ((float)(n));"),
            Row("functional casts", "x[0] = float(n);", "x[0] = ((float)(n));"),
            Row(
                "a cast to a reference",
                "reinterpret_cast<float4 &>(x[n]) = make_float4(1, 2, 3, 4);",
                "(*((float4 *)&(x[n]))) = make_float4(1, 2, 3, 4);",
            ),
            Row("aliases", "real y = x[0];", "typedef float real;", before="using real = float;"),
            Row(
                "`enum class`",
                "if (n == int(E::A)) x[0] = 1;",
                "if (n == ((int)(E__A))) x[0] = 1;",
                before="enum class E { A };",
            ),
        ),
    ),
    Section(
        "Refused",
        (
            Row("`new` and `delete`", "float *p = new float[3];", code="K202"),
            Row("exceptions", "throw 1;", code="K202"),
        ),
    ),
)
