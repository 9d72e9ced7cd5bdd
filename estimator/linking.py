"""Which file's kernel a launch means, where several files are analysed together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from estimator.lower.launches import launch_position, launched_name
from estimator.parse.parser import lost_kernels, lost_templates
from estimator.parse.unit import Function, Unit
from estimator.source import codes
from estimator.source.diagnostics import Diagnostic, diagnose
from estimator.source.position import Position


@dataclass(slots=True)
class Linked:
    """What one file's analysis must know of the others.

    `launches` are those of its kernels, each with the unit that it stands in. Kernels in
    `elsewhere` stand in a header and are reported with another file that includes it; so are the
    instances of templates in `forgone`, which cannot be analysed by themselves. `missing` has a
    warning for each kernel, by name, that is launched here and defined nowhere.
    """

    unit: Unit
    launches: list[tuple[Unit, Function, Function]] = field(default_factory=list)
    elsewhere: set[str] = field(default_factory=set)
    forgone: set[str] = field(default_factory=set)
    missing: dict[str, Diagnostic] = field(default_factory=dict)


def link(units: Sequence[Unit]) -> list[Linked]:
    """Give each launch to the unit whose kernel it launches, in the order of the units."""
    found = [Linked(unit) for unit in units]
    homes = _homes(found) if len(found) > 1 else {}
    if len(found) > 1:
        _forgo(found)
    for linked in found:
        for launch in linked.unit.launches:
            name = launched_name(launch)
            kernel = linked.unit.functions.get(name)
            home: Linked | None = linked
            if kernel is not None:
                home = homes.get((kernel.position, name), linked)
                kernel = home.unit.functions[name]
            elif name in linked.unit.lost or launch.name in linked.unit.lost:
                continue  # the diagnostic that lost it says so
            else:
                home, kernel = _elsewhere(name, found)
            if home is not None and kernel is not None:
                home.launches.append((linked.unit, launch, kernel))
            elif _is_lost(name, found):
                continue  # so it does where that stands in another file
            elif name not in linked.missing:
                message = f"the kernel '{name}' is launched here, but no file given defines it"
                linked.missing[name] = diagnose(
                    codes.KERNEL_ELSEWHERE, launch_position(launch), message
                )
    return found


def _homes(found: list[Linked]) -> dict[tuple[Position, str], Linked]:
    """The unit that a kernel of several is reported with.

    That is the one whose file it stands in, else the first that launches it, else the first.
    """
    homes: dict[tuple[Position, str], Linked] = {}
    ranks: dict[tuple[Position, str], tuple[bool, bool]] = {}
    by_place: dict[Position, set[str]] = {}
    for linked in found:
        launched = {launched_name(launch) for launch in linked.unit.launches}
        for kernel in linked.unit.kernels:
            key = (kernel.position, kernel.name)
            by_place.setdefault(kernel.position, set()).add(kernel.name)
            is_own = kernel.position.path == linked.unit.source.path
            rank = (is_own, kernel.name in launched)
            if key not in homes or rank > ranks[key]:
                homes[key], ranks[key] = linked, rank
    for linked in found:
        for kernel in linked.unit.kernels:
            others = by_place[kernel.position] - {kernel.name}
            is_assumed = "assumed" in kernel.attributes and bool(others)
            if is_assumed or homes[(kernel.position, kernel.name)] is not linked:
                linked.elsewhere.add(kernel.name)
    return homes


def _forgo(found: list[Linked]) -> None:
    """Leave out templates that are lost without arguments where another file has instances."""
    instances = [
        {
            (kernel.position.path, kernel.display_name.partition("<")[0])
            for kernel in linked.unit.kernels
            if "<" in kernel.display_name and "assumed" not in kernel.attributes
        }
        for linked in found
    ]
    for index, linked in enumerate(found):
        others = set[tuple[str, str]]().union(*instances[:index], *instances[index + 1 :])
        if others:
            lost = {(path, name) for name, path in lost_templates(linked.unit)}
            linked.forgone.update(name for _, name in lost & (others - instances[index]))


def _elsewhere(name: str, found: list[Linked]) -> tuple[Linked | None, Function | None]:
    """The kernel that another file defines: of that name, or the one of that template."""
    for linked in found:
        for kernel in linked.unit.kernels:
            if name in (kernel.name, kernel.display_name):
                return linked, kernel
    template = name.partition("<")[0]
    for linked in found:
        own = [k for k in linked.unit.kernels if k.display_name.partition("<")[0] == template]
        if len(own) == 1:
            return linked, own[0]
    return None, None


def _is_lost(name: str, found: list[Linked]) -> bool:
    """Whether a file defines a kernel of that name that cannot be analysed."""
    template = name.partition("<")[0]
    return any(
        lost.partition("<")[0] == template
        for linked in found
        for lost, _ in lost_kernels(linked.unit)
    )
