"""What results depend on beside the input: kcost itself, and what it reads programs with."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

_READERS = ("pcpp", "pycparser", "tree_sitter", "tree_sitter_cuda", "islpy_barvinok")


def fingerprint() -> str:
    """The same only for installations that give the same results, on any machine.

    It is made of kcost's files, for the version stays the same while kcost is worked on, and of
    the versions of the libraries that read programs and count.
    """
    return _digest(lambda path: Path(path).read_bytes())


def state() -> str:
    """`fingerprint` on one machine, where sizes and times tell files apart without reading them."""

    def seen(path: str) -> bytes:
        found = os.stat(path)
        return f"{found.st_size} {found.st_mtime_ns}".encode()

    return _digest(seen)


def _digest(contents: Callable[[str], bytes]) -> str:
    digest = hashlib.sha256(sys.version.encode())
    for package in ("estimator", "estimator.grammars"):
        folder = _folder(package)
        if folder is None:
            continue
        for path in sorted(_files(folder)):
            digest.update(f"\0{path[len(folder) :]}\0".encode())
            digest.update(contents(path))
    readers = _folder("pcpp")
    if readers is not None:
        digest.update("\0".join(_versions(os.path.dirname(readers))).encode())
    return digest.hexdigest()


def _files(folder: str) -> Iterator[str]:
    for place, _, names in os.walk(folder):
        yield from (os.path.join(place, name) for name in names if not name.endswith(".pyc"))


def _folder(package: str) -> str | None:
    spec = find_spec(package)
    return os.path.dirname(spec.origin) if spec is not None and spec.origin else None


def _versions(site: str) -> list[str]:
    """`pcpp-1.30.dist-info` and so on: a listing is much quicker than reading metadata."""
    return sorted(
        name
        for name in os.listdir(site)
        if name.endswith(".dist-info") and name.partition("-")[0].lower() in _READERS
    )
