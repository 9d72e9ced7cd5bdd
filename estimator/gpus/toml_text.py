"""Reading a profile file: its TOML values, and in which line each key stands."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from estimator.gpus.errors import BAD_PROFILE, GpuError
from estimator.immutable import immutable

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_TOML_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")
_HEADER = re.compile(r"\s*\[\s*([\w.-]+)\s*\]")


@immutable()
class ProfileText:
    """A file that is TOML: the path as the user gave it, its text and its values."""

    path: str
    text: str
    values: dict[str, Any]

    def place(self, key: str, table: str | None = None) -> str:
        """`path:line:column` of `key` (inside `[table]`), or the path where it does not stand."""
        inside: str | None = None
        wanted = re.compile(rf'\s*(?:"{re.escape(key)}"|{re.escape(key)})\s*=')
        for number, line in enumerate(self.text.splitlines(), start=1):
            header = _HEADER.match(line)
            if header:
                inside = header[1]
                if table is None and inside == key:
                    return f"{self.path}:{number}:{line.index('[') + 1}"
            elif inside == table and wanted.match(line):
                return f"{self.path}:{number}:{len(line) - len(line.lstrip()) + 1}"
        return self.path


def read_profile_text(path: Path | str) -> ProfileText:
    """The TOML file at `path`. Raises GpuError (K502) when it cannot be read or is not TOML."""
    shown = str(path)
    try:
        text = Path(path).read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise _broken(f"{shown}: file not found", "Check the path of the profile.") from None
    except UnicodeDecodeError as error:
        message = f"{shown}: not UTF-8 at byte {error.start}"
        raise _broken(message, "Save the profile as UTF-8 text.") from None
    except OSError as error:
        message = f"{shown}: cannot be read: {(error.strerror or 'unknown error').lower()}"
        raise _broken(message, "Give a TOML file that you may read.") from None
    try:
        return ProfileText(shown, text, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(shown, text, str(error)) from None
    except RecursionError:
        raise _not_toml(shown, text, "nested too deeply") from None


def _not_toml(shown: str, text: str, error: str) -> GpuError:
    place = _TOML_PLACE.search(error)
    reason = error[: place.start()] if place else error
    if place and place[1]:
        where = f"{shown}:{place[1]}:{place[2]}"
    else:
        where = f"{shown}:{text.count(chr(10)) + 1}:1" if place else shown
    help = "Write TOML, such as: fp32_tflops = 60. docs/gpus.md has an example."
    return _broken(f"{where}: not TOML: {reason[:1].lower()}{reason[1:]}", help)


def _broken(message: str, help: str) -> GpuError:
    return GpuError(message, help, BAD_PROFILE)
