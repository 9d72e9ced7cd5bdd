"""The version of kcost, for the package's metadata too: reading those takes as long as click."""

from __future__ import annotations

VERSION = "0.1.0"
