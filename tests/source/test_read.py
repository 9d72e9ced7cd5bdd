"""Reading files: text, positions, and one diagnostic for each way to fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.source.diagnostics import InputError
from estimator.source.position import Position
from estimator.source.read import read_source, read_text


def write(folder: Path, data: bytes) -> str:
    path = folder / "k.cu"
    path.write_bytes(data)
    return str(path)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"int a;\n", "int a;\n"),
        (b"\xef\xbb\xbfint a;\n", "int a;\n"),
        (b"int a;\r\nint b;\rint c;\n", "int a;\nint b;\nint c;\n"),
        ("float é; // µ\n".encode(), "float é; // µ\n"),
    ],
)
def test_text(tmp_path: Path, data: bytes, text: str) -> None:
    assert read_source(write(tmp_path, data)).text == text


def test_positions_are_the_users_with_mark_and_carriage_returns(tmp_path: Path) -> None:
    source = read_source(write(tmp_path, b"\xef\xbb\xbfint a;\r\n  int b;\r\n"))
    assert source.position(source.text.index("b")) == Position(source.path, 2, 7)


@pytest.mark.parametrize(
    ("data", "code", "line", "column"),
    [
        (b"", "K103", 1, 1),
        (b" \r\n\t\n", "K103", 1, 1),
        (b"\xef\xbb\xbf", "K103", 1, 1),
        (b"\x7fELF\0\0", "K104", 1, 1),
        (b"int a;\r\n// \xc3\xa9 \xe9\n", "K105", 2, 6),
        (b"int a;\n\xff", "K105", 2, 1),
    ],
)
def test_contents_that_cannot_be_read(
    tmp_path: Path, data: bytes, code: str, line: int, column: int
) -> None:
    path = write(tmp_path, data)
    with pytest.raises(InputError) as raised:
        read_source(path)
    diagnostic = raised.value.diagnostic
    assert diagnostic.code.id == code
    assert diagnostic.position == Position(path, line, column)


def test_the_line_of_a_wrong_byte_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="byte 0xe9 on line 2 is not UTF-8"):
        read_source(write(tmp_path, b"a\n\xe9"))


@pytest.mark.parametrize(
    ("name", "code"), [("none.cu", "K101"), (".", "K102"), ("k.cu/x.cu", "K102"), ("\0", "K101")]
)
def test_paths_that_are_no_file(tmp_path: Path, name: str, code: str) -> None:
    write(tmp_path, b"int a;")
    with pytest.raises(InputError) as raised:
        read_source(f"{tmp_path}/{name}")
    assert raised.value.diagnostic.code.id == code


def test_a_header_may_be_empty(tmp_path: Path) -> None:
    assert read_text(write(tmp_path, b"")).text == ""
