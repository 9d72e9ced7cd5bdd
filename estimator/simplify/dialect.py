"""The table of constructs: an example of each, and what becomes of it.

`docs/dialect.md` is written from it (`python -m estimator.simplify.dialect > docs/dialect.md`),
and a test holds every row to what it says.
"""

from __future__ import annotations

from estimator.immutable import immutable

INTRODUCTION = """\
# Dialect

What people write in CUDA kernels, and what [simplified CUDA C](simplified.md) makes of it. An
example without a function stands in a kernel `k(float *x, int n)`; what stands above it is
declared before. Of what it becomes the part that matters is shown. A construct that is refused
has the [code](diagnostics.md) of its diagnostic instead: the kernel that needs it is reported as
not analysed, at the construct's line and column.

This page is written by `python -m estimator.simplify.dialect`.
"""


@immutable()
class Row:
    """One construct. `example` is a statement in a kernel, or whole functions where it has one.

    `before` is declared in front of a statement. `becomes` is part of the simplified text,
    blanks collapsed; `code` the diagnostic where the construct is refused.
    """

    construct: str
    example: str
    becomes: str = ""
    code: str = ""
    before: str = ""

    @property
    def source(self) -> str:
        """The example as a file."""
        if "__global__" in self.example:
            return f"{self.before}\n{self.example}\n"
        return f"{self.before}\n__global__ void k(float *x, int n) {{ {self.example} }}\n"


@immutable()
class Section:
    """Rows about one part of the language."""

    title: str
    rows: tuple[Row, ...]


def sections() -> tuple[Section, ...]:
    """All sections, in the order of the page."""
    from estimator.simplify.dialect_language import LANGUAGE
    from estimator.simplify.dialect_library import LIBRARIES

    return (*LANGUAGE, *LIBRARIES)


def page() -> str:
    """The text of `docs/dialect.md`."""
    parts = [INTRODUCTION]
    for section in sections():
        parts.append(f"## {section.title}\n")
        parts.append("| construct | example | becomes |\n|---|---|---|")
        for row in section.rows:
            example = " ".join(f"{row.before} {row.example}".split())
            shown = _code(row.becomes) if row.becomes else f"refused: {row.code}"
            parts.append(f"| {row.construct} | {_code(example)} | {shown} |")
        parts.append("")
    return "\n".join(parts)


def _code(text: str) -> str:
    """Code in a cell of a table."""
    return "`" + text.replace("|", "\\|") + "`"


def main() -> None:
    """Print the page."""
    print(page(), end="")


if __name__ == "__main__":
    main()
