"""What a file's rows rest on beside its own text, and whether that still holds."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable

from estimator.scan.rows import Basis
from estimator.source.diagnostics import InputError
from estimator.source.headers import Headers
from estimator.source.read import read_text


def text_digest(text: str) -> str:
    """A digest that two texts have in common only if they are the same."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def basis_of(several: Iterable[Headers]) -> Basis:
    """The basis that these headers are together."""
    digests: dict[str, str] = {}
    absent: set[str] = set()
    complete = True
    for headers in several:
        for path, text in headers.texts.items():
            digest = "" if text is None else text_digest(text)
            # One that cannot be read, or that changed between two files, cannot be relied on.
            complete &= (
                text is not None and digests.setdefault(os.path.abspath(path), digest) == digest
            )
        absent.update(map(os.path.abspath, headers.absent))
    return Basis(digests, tuple(sorted(absent)), complete)


class Present:
    """The files as they are now, each looked at once."""

    def __init__(self) -> None:
        self._digests: dict[str, str | None] = {}
        self._is_file: dict[str, bool] = {}

    def supports(self, basis: Basis) -> bool:
        """Whether reading would meet the same headers again."""
        return (
            basis.complete
            and all(self._digest(path) == digest for path, digest in basis.headers.items())
            and not any(map(self._exists, basis.absent))
        )

    def _digest(self, path: str) -> str | None:
        if path not in self._digests:
            try:
                self._digests[path] = text_digest(read_text(path).text)
            except InputError:
                self._digests[path] = None
        return self._digests[path]

    def _exists(self, path: str) -> bool:
        if path not in self._is_file:
            self._is_file[path] = os.path.isfile(path)
        return self._is_file[path]
