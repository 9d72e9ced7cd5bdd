"""Rows of earlier scans: under which key they are kept, and when they still hold."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from estimator.fingerprint import state
from estimator.options import Options
from estimator.scan.basis import Present
from estimator.scan.cache import Cache, key_of
from estimator.scan.rows import FileRows, from_json, to_json


class Results:
    """The kept rows for one set of options.

    A key covers the file's path and text, the options with all figures of the GPUs, the texts of
    files that launch its kernels, and kcost itself. What the file includes is in the entry, and
    an entry whose headers changed, vanished or came up elsewhere is none.
    """

    def __init__(self, cache: Cache, options: Options, budget_s: float) -> None:
        self._cache = cache
        self._present = Present()
        self._common = {
            "kcost": state(),
            "options": _plain(asdict(options)),
            "budget_s": budget_s,
            "root": os.getcwd(),
        }

    def key(self, path: str, digest: str, launch_digests: Sequence[str]) -> str:
        """The key for a file with a text of this digest."""
        parts = {"path": path, "text": digest, "launches": list(launch_digests)}
        return key_of({**self._common, **parts})

    def get(self, key: str) -> FileRows | None:
        """The rows kept under a key, if they still hold."""
        data = self._cache.get(key)
        if data is None:
            return None
        try:
            rows = from_json(data)
        except (KeyError, TypeError, ValueError, AttributeError):
            return None
        return rows if self._present.supports(rows.basis) else None

    def keep(self, key: str, rows: FileRows) -> None:
        """Keep rows, unless what they rest on is not all known."""
        if rows.basis.complete:
            self._cache.put(key, to_json(rows))


def _plain(item: Any) -> Any:
    """Options as JSON has them, in one spelling."""
    if isinstance(item, dict):
        return sorted(([_plain(key), _plain(value)] for key, value in item.items()), key=str)
    if isinstance(item, (list, tuple)):
        return [_plain(one) for one in item]
    if isinstance(item, (set, frozenset)):
        return sorted(map(str, item))
    return item if item is None or isinstance(item, (str, int, float)) else str(item)
