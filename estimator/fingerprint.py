"""What results depend on beside the input: kcost itself, and what it reads programs with."""

from __future__ import annotations

import hashlib
import os
import sys
from importlib.util import find_spec
from pathlib import Path

_READERS = ("pcpp", "pycparser", "tree_sitter", "tree_sitter_cuda", "islpy_barvinok")


def fingerprint() -> str:
    """The same only for installations that give the same results.

    It is made of kcost's files, for the version stays the same while kcost is worked on, and of
    the versions of the libraries that read programs and count.
    """
    digest = hashlib.sha256(sys.version.encode())
    for package in ("estimator", "estimator.grammars"):
        folder = _folder(package)
        if folder is None:
            continue
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(f"\0{path.relative_to(folder)}\0".encode())
                digest.update(path.read_bytes())
    readers = _folder("pcpp")
    if readers is not None:
        digest.update("\0".join(_versions(readers.parent)).encode())
    return digest.hexdigest()


def _folder(package: str) -> Path | None:
    spec = find_spec(package)
    return Path(spec.origin).parent if spec is not None and spec.origin else None


def _versions(site: Path) -> list[str]:
    """`pcpp-1.30.dist-info` and so on: a listing is much quicker than reading metadata."""
    return sorted(
        name
        for name in os.listdir(site)
        if name.endswith(".dist-info") and name.partition("-")[0].lower() in _READERS
    )
