"""Which diagnostics of a file concern the kernels that were asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from estimator.parse.parser import lost_kernels
from estimator.parse.unit import Function, Unit
from estimator.source.diagnostics import Diagnostic

_WORD = re.compile(r"[A-Za-z_]\w*")


def is_called(kernel: Function, names: Iterable[str]) -> bool:
    """Whether one of the names means this kernel: its own, or its template's."""
    template = kernel.display_name.partition("<")[0]
    return bool({kernel.display_name, template, kernel.name} & set(names))


def names_kernel(written: str, names: Sequence[str]) -> bool:
    """Whether a name as host code writes it, or that of a lost kernel, may be one of `names`.

    Those are known in parts only: `k__float` is one of `k<float>`, and so is `ns::k`.
    """
    parts = {written, *_base(written).split("__")}
    return any(name in parts or _base(name) in parts for name in names)


def concerning(unit: Unit, names: Sequence[str]) -> list[Diagnostic]:
    """The unit's diagnostics without those of kernels, functions and launches that the kernels
    called `names` have nothing to do with; all of them where a name is no kernel's."""
    kernels = [kernel for kernel in unit.kernels if is_called(kernel, names)]
    owners = _owners(unit)
    launched: dict[Diagnostic, set[str]] = {}
    for warning in unit.source.launch_warnings:
        launched.setdefault(warning.diagnostic, set()).add(warning.kernel)
    lost = [name for name, _ in lost_kernels(unit) if names_kernel(name, names)]
    if not kernels and not lost:
        return list(unit.diagnostics)
    others = {name for name, _ in lost_kernels(unit)} - set(lost)
    needed = _needed(unit, {kernel.name for kernel in kernels})

    def concerns(diagnostic: Diagnostic) -> bool:
        if diagnostic in launched:
            return any(not name or names_kernel(name, names) for name in launched[diagnostic])
        if diagnostic not in owners:
            return True  # of the file as a whole
        # What a lost kernel needs is not known.
        own = owners[diagnostic] - others
        return bool(own & needed) or bool(lost and own)

    return [diagnostic for diagnostic in unit.diagnostics if concerns(diagnostic)]


def _base(name: str) -> str:
    return name.partition("<")[0].rpartition("::")[2]


def _owners(unit: Unit) -> dict[Diagnostic, set[str]]:
    """The items that were lost by each diagnostic."""
    owners: dict[Diagnostic, set[str]] = {}
    lost = [(item.name, item.diagnostic) for item in unit.source.lost]
    for name, diagnostic in (*lost, *unit.lost.items(), *lost_kernels(unit)):
        owners.setdefault(diagnostic, set()).add(name)
    return owners


def _needed(unit: Unit, names: set[str]) -> set[str]:
    """The names, and every word in the text of items that they lead to."""
    texts = {item.name: unit.source.text[item.start : item.end] for item in unit.source.items}
    found: set[str] = set()
    waiting = set(names)
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= set(_WORD.findall(texts.get(name, ""))) - found
    return found
