"""Each room imports only from those to its left."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = (
    "source",
    "simplify",
    "parse",
    "ir",
    "lower",
    "count",
    "memory",
    "gpus",
    "roofline",
    "report",
    "scan",
    "cli",
)
FOUNDATIONS = ("algebra", "grammars")
# At the package's root: what joins the rooms, their options, and what makes their results.
JOINTS = (
    "analysis",
    "concerning",
    "fingerprint",
    "launch_facts",
    "launch_limits",
    "launching",
    "linking",
    "options",
    "reading",
    "unknown_names",
)
# What may know the joints.
OPEN_TO_JOINTS = ("scan", "cli", *JOINTS)


def files_of(room: str) -> list[Path]:
    folder = ROOT / "grammars" if room == "grammars" else ROOT / "estimator" / room
    return sorted(folder.rglob("*.py"))


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "estimator" and len(parts) > 1:
                found.add(parts[1])
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_knows_only_those_to_its_left(room: str) -> None:
    allowed = {*FOUNDATIONS, *ROOMS[: ROOMS.index(room) + 1]}
    if room in OPEN_TO_JOINTS:
        allowed |= set(JOINTS)
    for path in files_of(room):
        known = imported(path) & {*ROOMS, *FOUNDATIONS, *JOINTS}
        assert known <= allowed, path


@pytest.mark.parametrize("room", FOUNDATIONS)
def test_foundations_know_no_room(room: str) -> None:
    for path in files_of(room):
        assert not imported(path) & {*ROOMS, *JOINTS}, path


def test_the_list_of_rooms_is_complete() -> None:
    folders = {p.name for p in (ROOT / "estimator").iterdir() if (p / "__init__.py").exists()}
    assert folders == {*ROOMS, "algebra"}


def test_only_the_front_end_knows_its_parsers() -> None:
    for room in ROOMS[ROOMS.index("count") :]:
        for path in files_of(room):
            text = path.read_text(encoding="utf-8")
            assert "pycparser" not in text, path
            assert "tree_sitter" not in text, path
