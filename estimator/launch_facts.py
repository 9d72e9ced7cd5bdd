"""What a report says of the launches that it stands for."""

from __future__ import annotations

from dataclasses import replace

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.poly import Poly
from estimator.algebra.printing import HUMAN, text
from estimator.algebra.walk import symbols
from estimator.count.selectors import selectors
from estimator.count.specialize import sizes_of
from estimator.ir.kernel import KernelIR, LaunchShape, Note
from estimator.lower.launch_site import LaunchSite
from estimator.parse.attributes import string_argument
from estimator.parse.types import type_text
from estimator.parse.unit import Function
from estimator.report.build import LaunchFacts
from estimator.report.model import KernelReport, LaunchOrigin


def numbered(reports: list[KernelReport]) -> list[KernelReport]:
    """The reports of one kernel with their numbers, where there are several."""
    if len(reports) < 2:
        return reports
    return [
        replace(report, launch=replace(report.launch, number=number, count=len(reports)))
        for number, report in enumerate(reports, 1)
    ]


def launch_facts(
    ir: KernelIR, group: list[tuple[LaunchSite, list[Note]]], notes: list[Note]
) -> list[LaunchFacts]:
    """Launches of one shape differ in the parameters that choose a variant of the kernel, and in
    those that are formulas of other sizes."""
    used = sizes_of(ir) if len(group) > 1 else set()
    choosing = {selector.symbol.name for selector in selectors(ir)} if len(group) > 1 else set()
    variants: dict[frozenset[tuple[str, Poly]], list[tuple[LaunchSite, list[Note]]]] = {}
    for site, more in group:
        chosen = {(name, value) for name, value in site.known.items() if name in choosing}
        related = {
            (name, poly)
            for name, poly in site.related.items()
            if Symbol(name, Role.PARAMETER) in used and symbols(poly) <= used
        }
        variants.setdefault(frozenset({*chosen, *related}), []).append((site, more))
    found: list[LaunchFacts] = []
    for launched in variants.values():
        first, more = launched[0]
        places = dict.fromkeys(site.position for site, _ in launched)
        found.append(
            LaunchFacts(
                LaunchOrigin.SOURCE,
                first.position,
                (*notes, *more),
                first.numbers,
                tuple(place for place in places if place != first.position),
                first.calls,
                first.related,
            )
        )
    return found


def template_notes(kernel: Function) -> list[Note]:
    """What was assumed to make an instance of a template."""
    assumed = kernel.attributes.get("assumed")
    return [Note("template", string_argument(assumed))] if assumed else []


def site_notes(site: LaunchSite) -> list[Note]:
    """What the host converts to a narrow type is launched as it was computed."""
    return [
        Note("fits", f"{text(poly, HUMAN)} fits {type_text(ctype)}, to which the host converts it")
        for poly, ctype in site.fitted
    ]


def null_notes(shape: LaunchShape) -> list[Note]:
    """The pointers that are null, where the kernel asks about them."""
    return [Note("null", f"{name} = nullptr, as launched") for name in sorted(shape.nulls)]
