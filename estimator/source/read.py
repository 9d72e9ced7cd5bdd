"""A file on disk → its text, with the lines and columns that the user's editor shows."""

from __future__ import annotations

from pathlib import Path

from estimator.source import codes
from estimator.source.diagnostics import Code, InputError, diagnose
from estimator.source.position import Position, SourceFile

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_source(path: str) -> SourceFile:
    """The file at `path`: UTF-8, without byte order mark, every line ending a single `\\n`.

    Raises InputError when the file is missing (K101), cannot be read (K102), is empty or only
    blanks (K103), holds NUL bytes (K104) or is not UTF-8 (K105).
    """
    source = read_text(path)
    if not source.text or source.text.isspace():
        raise _failure(codes.FILE_EMPTY, path, f"{path} is empty")
    return source


def read_text(path: str) -> SourceFile:
    """As `read_source`, but an empty file is a file like any other: a header may be empty."""
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise _failure(codes.FILE_MISSING, path, f"{path} does not exist") from None
    except IsADirectoryError:
        remedy = f"kcost scan {path} reports all kernels below it."
        folder = diagnose(
            codes.FILE_UNREADABLE, Position(path, 1, 1), f"{path} is a folder", remedy
        )
        raise InputError(folder) from None
    except OSError as error:
        reason = error.strerror or str(error)
        message = f"{path} cannot be read: {reason}"
        raise _failure(codes.FILE_UNREADABLE, path, message) from None
    except ValueError:  # a NUL character in the path
        raise _failure(codes.FILE_MISSING, path, f"{path!r} is no file name") from None
    if b"\0" in data:
        raise _failure(codes.FILE_BINARY, path, f"{path} is not text: it holds NUL bytes")
    return SourceFile(path, _decode(path, data.removeprefix(_BYTE_ORDER_MARK)))


def _decode(path: str, data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = _place_of_byte(data, error.start)
        message = f"byte 0x{data[error.start]:02x} on line {line} is not UTF-8"
        raise _failure(codes.FILE_NOT_UTF8, path, message, line, column) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _place_of_byte(data: bytes, offset: int) -> tuple[int, int]:
    """Line and column (in characters) of a byte; all bytes before it are UTF-8."""
    before = data[:offset].decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _failure(code: Code, path: str, message: str, line: int = 1, column: int = 1) -> InputError:
    return InputError(diagnose(code, Position(path, line, column), message))
