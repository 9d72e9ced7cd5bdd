"""Results of earlier scans in the user's cache folder, one file each.

Any process may read, write or delete any of it at any moment. An entry is written under another
name and then moved into its place, which the system does at once or not at all; it begins with a
digest of the rest. What is missing, cut short or changed is not there, and what cannot be written
is not kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_DAY_S = 24 * 3600
_KEPT_S = 30 * _DAY_S
_DIGEST_LENGTH = 64


def cache_folder() -> Path:
    """Where this user's results are kept."""
    from platformdirs import user_cache_path

    return user_cache_path("kcost", appauthor=False) / "scan"


def key_of(parts: Mapping[str, Any]) -> str:
    """The name of an entry: the same for equal parts only."""
    return _digest(json.dumps(parts, sort_keys=True).encode())


class Cache:
    """The entries below a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> Any:
        """The object stored under a key; None for one that is missing or damaged."""
        path = self._path(key)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        digest, body = data[:_DIGEST_LENGTH], data[_DIGEST_LENGTH:]
        if _digest(body).encode() != digest:
            return None
        try:
            found = json.loads(body)
        except ValueError:
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # in use
        return found

    def put(self, key: str, value: Any) -> None:
        """Store an object that JSON can hold; a folder that cannot be written is no error."""
        body = json.dumps(value, separators=(",", ":")).encode()
        path = self._path(key)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".new")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_digest(body).encode() + body)
                os.replace(name, path)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(name)
                raise

    def prune(self) -> None:
        """Once a day, remove what nobody has asked for in a month."""
        stamp = self._folder / "pruned"
        now = time.time()
        with contextlib.suppress(OSError):
            if stamp.exists() and now - stamp.stat().st_mtime < _DAY_S:
                return
            stamp.touch()
            for path in self._folder.glob("??/*"):
                with contextlib.suppress(OSError):
                    if now - path.stat().st_mtime > _KEPT_S:
                        path.unlink()

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / key[2:]


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
