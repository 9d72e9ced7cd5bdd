"""Scans start many processes; compiled modules let them start in half the time."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _compiled_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
