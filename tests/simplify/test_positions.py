"""Every place of the simplified text leads to the user's file."""

from __future__ import annotations

import re

from simplifying import simplified

from estimator.simplify.simplify import simplify
from estimator.source.position import SourceFile
from estimator.source.preprocess import preprocess

SOURCE = """\
template <typename Real, int COUNT>
static __global__ void __launch_bounds__(64)
kernel(const Real *__restrict__ input, Real &output, int size = 3)
{
    __shared__ Real tile[COUNT];
    dim3 where(size, 4);
    Real &first = tile[0], second = input[1];
    first = static_cast<Real>(size) + std::max(second, tile[7]);
    if (int early = size; early > 5)
        output = where.x;
}
template __global__ void kernel<float, 16>(const float *, float &, int);
"""

# words of the output that stand in the source elsewhere, or for something else
MADE = {"float", "cuda", "64", "if"}


def test_words_that_stand_once_lead_to_themselves() -> None:
    unit = simplified(SOURCE)
    lines = SOURCE.splitlines()
    seen = 0
    for match in re.finditer(r"[A-Za-z_]\w*|\d+", unit.text):
        word = match.group()
        if len(re.findall(rf"\b{word}\b", SOURCE)) != 1:
            continue
        if len(re.findall(rf"\b{word}\b", unit.text)) != 1 or word in MADE:
            continue
        place = unit.positions.position(match.start())
        assert lines[place.line - 1][place.column - 1 :].startswith(word)
        seen += 1
    assert seen == 8


def test_made_text_leads_to_its_cause() -> None:
    unit = simplified(SOURCE)
    place = unit.positions.position(unit.text.index("[[cuda::reference]] float first"))
    assert (place.line, place.column) == (7, 5)
    place = unit.positions.position(unit.text.index("((float)"))
    assert (place.line, place.column) == (8, 13)


def test_lines_stay() -> None:
    text = simplified(SOURCE).text
    body = [line.strip() for line in text.splitlines()[1:]]
    assert body[:6] == [
        "void kernel__float_16(const float *restrict input, [[cuda::reference]] float output, "
        "int size)",
        "{",
        "[[cuda::shared]] float tile[16];",
        "dim3 where = {size, 4};",
        "[[cuda::reference]] float first = tile[0]; float second = input[1];",
        "first = ((float)(size)) + max(second, tile[7]);",
    ]


def test_through_macros() -> None:
    source = "#define BODY(v) x[0] = (v)\n__global__ void k(float *x)\n{\n    BODY(x[1]);\n}\n"
    unit = simplify(preprocess(SourceFile("k.cu", source)))
    place = unit.positions.position(unit.text.index("x[0]"))
    assert (place.line, place.column) == (4, 5)


def test_text_that_is_not_ascii() -> None:
    source = '__global__ void k(float *x)\n{\n    printf("é€😀 %d", 1); x[0] = float(2);\n}\n'
    unit = simplified(source)
    assert 'printf("é€😀 %d", 1); x[0] = ((float)(2));' in unit.text
    place = unit.positions.position(unit.text.index("((float)"))
    assert (place.line, place.column) == (3, 33)


def test_line_ends_of_windows() -> None:
    unit = simplified("__global__ void k(float *x)\r\n{\r\n    x[0] = 1;\r\n}\r\n")
    assert unit.text == "[[cuda::global]] void k(float *x)\n{\n    x[0] = 1;\n}\n"


def test_items_cover_the_text() -> None:
    unit = simplified(SOURCE + "void h() { kernel<double, 8><<<1, 2>>>(p, q, 3); }")
    ends = [0]
    for one in unit.items:
        assert unit.text[ends[-1] : one.start].strip() == ""
        ends.append(one.end)
    assert unit.text[ends[-1] :] == "\n"


def test_an_empty_file() -> None:
    assert simplified("").text == ""
    assert simplified("\n\n// nothing\n").items == ()
