"""The version of kcost that made a report."""

from __future__ import annotations


def version() -> str:
    """The installed distribution's version; `0+unknown` when run from a bare checkout."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("kcost")
    except PackageNotFoundError:
        return "0+unknown"
