"""Which launch a kernel is analysed under: an option's, the file's own, or an assumed one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from pycparser import c_ast

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.evaluate import Undecided, evaluate
from estimator.algebra.integer import floor_divide
from estimator.algebra.poly import ONE, Poly
from estimator.algebra.printing import HUMAN, text
from estimator.algebra.walk import symbols
from estimator.concerning import is_called, names_kernel
from estimator.ir.kernel import KernelIR, LaunchShape, Note
from estimator.launch_facts import (
    launch_facts,
    null_notes,
    numbered,
    site_notes,
    template_notes,
)
from estimator.launch_limits import impossible_launch
from estimator.linking import Linked
from estimator.lower.kernel import lower_at, lower_kernel
from estimator.lower.launch_site import LaunchSite
from estimator.lower.launch_text import parse_launch_text
from estimator.lower.launches import launch_position, read_launch
from estimator.memory.inferred_block import infer_block
from estimator.memory.inferred_grid import guard_extent, infer_grid
from estimator.memory.inferred_launch import Triple, open_launch, used_axes
from estimator.options import Options
from estimator.parse.attributes import number_arguments
from estimator.parse.nodes import nodes_of
from estimator.parse.ranges import beyond_range, largest_values
from estimator.parse.unit import Function
from estimator.report.bounds import beyond_bounds
from estimator.report.build import LaunchFacts
from estimator.report.model import KernelReport, LaunchOrigin
from estimator.report.regimes import Lowering, build_report
from estimator.report.verdicts import with_verdicts
from estimator.source import codes
from estimator.source.diagnostics import Diagnostic, InputError, diagnose
from estimator.source.position import Position

_Lowered = tuple[KernelIR, LaunchFacts]
_GUESS = 256  # threads


class Launches:
    """The launches of one file, and the analysis of its kernels under them."""

    def __init__(self, linked: Linked, options: Options) -> None:
        self.unit = linked.unit
        self.options = options
        names = options.kernels
        self.diagnostics: list[Diagnostic] = [
            warning
            for name, warning in linked.missing.items()
            if not names or names_kernel(name, names)
        ]
        self.sites: dict[str, list[LaunchSite]] = {}
        for unit, launch, kernel in linked.launches:
            if names and not is_called(kernel, names):
                continue
            try:
                site = read_launch(unit, launch, self.unit, kernel)
            except InputError as error:
                found = error.diagnostic
                if found in unit.lost.values():
                    continue
                self._unreadable(kernel, found.position, found.message)
            except Exception as error:
                if "KCOST_DEBUG" in os.environ:
                    raise
                # A launch that kcost itself fails on must not take the kernels along.
                message = f"{type(error).__name__} in kcost"
                self._unreadable(kernel, launch_position(launch), message)
            else:
                for what in site.unread:
                    message = f"the {what} of the launch of '{site.kernel}' cannot be computed"
                    help_ = f"Give it: --launch '{site.kernel}: grid=(…) block=(…)'."
                    self.diagnostics.append(
                        diagnose(codes.LAUNCH_UNREADABLE, site.position, message, help_)
                    )
                if site.grid is not None or site.block is not None:
                    self.sites.setdefault(site.kernel, []).append(site)

    def _unreadable(self, kernel: Function, position: Position, message: str) -> None:
        name = kernel.display_name
        why = f"the launch of '{name}' cannot be followed: {message}"
        help_ = f"Give it: --launch '{name}: grid=(…) block=(…)'."
        self.diagnostics.append(diagnose(codes.LAUNCH_UNREADABLE, position, why, help_))

    def analyze(self, kernel: Function) -> tuple[list[KernelReport], list[Diagnostic]]:
        """The reports of a kernel, one for each distinct launch, and its warnings.

        Raises InputError where no launch of it can be analysed, or a value is beyond its type.
        """
        wrong = beyond_range(self.unit, kernel, self.options.values)
        if wrong is not None:
            raise InputError(wrong)
        found, diagnostics = self._lowered(kernel)
        largest = largest_values(self.unit, kernel)
        reports: list[KernelReport] = []
        for ir, facts in found:
            values = self._values(ir)
            report, undefined = build_report(ir, facts, values, self._lowering(kernel, ir))
            wrong = beyond_bounds(ir, self.options.unknowns, values)
            if wrong is not None:
                raise InputError(wrong)
            impossible = impossible_launch(ir, facts.position or kernel.position, values)
            reports.append(with_verdicts(report, self.options.gpus, values, largest))
            diagnostics += [*ir.diagnostics, *undefined, *impossible]
        return numbered(reports), diagnostics

    def _lowering(self, kernel: Function, ir: KernelIR) -> Lowering:
        def at(values: Mapping[str, int]) -> KernelIR | None:
            try:
                return lower_at(self.unit, kernel, ir, values)
            except InputError:
                return None  # the formulas hold still

        return at

    def _values(self, ir: KernelIR) -> dict[str, int | Fraction]:
        """The values given, by the symbols' own names: `gridDim_x` is gridDim.x too."""
        given = {**self.options.values, **self.options.unknowns}
        found: dict[str, int | Fraction] = dict(given)
        names = [*(s for s in ir.unknowns)]
        for extent in (*ir.launch.grid, *ir.launch.block):
            names.extend(symbols(extent))
        for symbol in names:
            if symbol.identifier in given:
                found[symbol.name] = given[symbol.identifier]
        return found

    def _lowered(self, kernel: Function) -> tuple[list[_Lowered], list[Diagnostic]]:
        notes = template_notes(kernel)
        for option in self.options.launches:
            name, shape = parse_launch_text(option, self.unit, kernel)
            if name is None or is_called(kernel, [name]):
                facts = LaunchFacts(LaunchOrigin.OPTION, None, tuple(notes))
                return [(lower_kernel(self.unit, kernel, shape), facts)], []
        sites = self.sites.get(kernel.name)
        if sites:
            return self._under_sites(kernel, sites, notes)
        ir, more = self._assumed(kernel)
        return [(ir, LaunchFacts(LaunchOrigin.ASSUMED, None, (*notes, *more)))], []

    def _under_sites(
        self, kernel: Function, sites: list[LaunchSite], notes: list[Note]
    ) -> tuple[list[_Lowered], list[Diagnostic]]:
        """The kernel under each distinct launch; launches that are alike are one.

        Raises InputError where the kernel fails under every launch.
        """
        alike: dict[LaunchShape, list[tuple[LaunchSite, list[Note]]]] = {}
        for site in sites:
            shape, more = self._shape(kernel, site)
            alike.setdefault(shape, []).append((site, more))
        found: list[_Lowered] = []
        failed: list[InputError] = []
        for shape, group in alike.items():
            try:
                ir = lower_kernel(self.unit, kernel, shape)
            except InputError as error:
                failed.append(error)
                continue
            found += [(ir, facts) for facts in launch_facts(ir, group, notes)]
        if not found:
            raise failed[0]
        order = [site.position for site in sites]
        found.sort(key=lambda one: order.index(one[1].position) if one[1].position else 0)
        return found, [error.diagnostic for error in failed]

    def _shape(self, kernel: Function, site: LaunchSite) -> tuple[LaunchShape, list[Note]]:
        """The launch, with what it does not say assumed."""
        shape, notes = self._shape_of(kernel, site)
        shape = replace(shape, nulls=self._nulls_met(kernel, site, shape))
        return shape, [*notes, *site_notes(site), *null_notes(shape)]

    def _nulls_met(self, kernel: Function, site: LaunchSite, shape: LaunchShape) -> frozenset[str]:
        """The null pointers that the kernel asks about; the others are no other launch."""
        if not site.nulls:
            return frozenset()
        try:
            ir = lower_kernel(self.unit, kernel, replace(shape, nulls=site.nulls))
        except InputError:
            return frozenset()  # lowering says it again
        return frozenset(ir.nulls_met)

    def _shape_of(self, kernel: Function, site: LaunchSite) -> tuple[LaunchShape, list[Note]]:
        if site.block is not None and site.grid is not None:
            shape, found = self._without_unused(kernel, LaunchShape(site.grid, site.block))
            shape, more = self._generalized(kernel, site, shape)
            return shape, [*found, *more]
        block = site.block
        notes: list[Note] = []
        if block is None:
            block, notes = self._assumed_block(kernel, site.grid)
        if site.grid is not None:
            return LaunchShape(site.grid, block), notes
        ir = lower_kernel(self.unit, kernel, open_launch(block=block))
        grid, more = infer_grid(ir, block, _unused_sizes(kernel, ir))
        return LaunchShape(grid, block), [*notes, *more]

    def _without_unused(
        self, kernel: Function, shape: LaunchShape
    ) -> tuple[LaunchShape, list[Note]]:
        """A dim3 of which nothing is known has extent 1 along axes that the kernel ignores."""
        open_ = [_is_axis(extent) for extent in (*shape.grid, *shape.block)]
        if not any(open_):
            return shape, []
        used = used_axes(lower_kernel(self.unit, kernel, shape))
        notes: list[Note] = []

        def along(name: str, extents: Triple) -> Triple:
            kept = list(extents)
            for n, axis in enumerate("xyz"):
                if _is_axis(extents[n]) and not used[axis] and n:
                    kept[n] = ONE
                    notes.append(Note("axis", f"{name}.{axis} = 1, which the kernel does not use"))
            return kept[0], kept[1], kept[2]

        return LaunchShape(along("gridDim", shape.grid), along("blockDim", shape.block)), notes

    def _generalized(
        self, kernel: Function, site: LaunchSite, shape: LaunchShape
    ) -> tuple[LaunchShape, list[Note]]:
        """A grid of numbers that covers a parameter's value covers the parameter."""
        numbers = site.numbers
        if not numbers or all(extent.integer is None or extent == ONE for extent in shape.grid):
            return shape, []
        ir = lower_kernel(self.unit, kernel, open_launch(block=shape.block))
        grid, notes = list(shape.grid), []
        for n, axis in enumerate("xyz"):
            blocks = grid[n].integer
            if blocks is None or blocks == 1:
                continue
            cover = guard_extent(ir, axis, shape.block[n])
            if cover is None:
                continue
            general = floor_divide(cover + shape.block[n] - 1, shape.block[n])
            try:
                fits = evaluate(general, numbers) == blocks
            except (Undecided, ZeroDivisionError):
                continue
            if fits and symbols(general):
                grid[n] = general
                shown = ", ".join(f"{k} = {v:,}" for k, v in numbers.items())
                notes.append(
                    Note(
                        "grid",
                        f"gridDim.{axis} = {text(general, HUMAN)}, "
                        f"which is {blocks:,} at the launch's {shown}",
                    )
                )
        x, y, z = grid
        return LaunchShape((x, y, z), shape.block), notes

    def _assumed_block(self, kernel: Function, grid: Triple | None) -> tuple[Triple, list[Note]]:
        bounds = number_arguments(kernel.attributes.get("launch_bounds"))
        bound = bounds[0] if bounds else None
        try:
            ir = lower_kernel(self.unit, kernel, open_launch(grid=grid))
        except InputError as error:
            if error.diagnostic.code is codes.TOO_LARGE:
                raise  # it would be as large again
            # Some loops only end for a block of known size.
            block = (Poly.of(_GUESS), ONE, ONE)
            ir = lower_kernel(self.unit, kernel, open_launch(block=block, grid=grid))
            return infer_block(ir, bound, _GUESS)
        return infer_block(ir, bound)

    def _assumed(self, kernel: Function) -> tuple[KernelIR, list[Note]]:
        block, notes = self._assumed_block(kernel, None)
        ir = lower_kernel(self.unit, kernel, open_launch(block=block))
        grid, more = infer_grid(ir, block, _unused_sizes(kernel, ir))
        shape = LaunchShape(grid, block)
        if needs_another_lowering(ir, grid):
            ir = lower_kernel(self.unit, kernel, shape)
        return replace(ir, launch=shape), [*notes, *more]


def needs_another_lowering(ir: KernelIR, grid: Triple) -> bool:
    """Whether a kernel lowered for a grid of unknown extents is another one in this grid.

    Where it uses gridDim, that is the grid's extent still; but an axis of one block has the
    index 0, and what is a size of the launch is no assumption about a loop's step.
    """
    used = used_axes(ir)
    alone = (
        extent == ONE and "blockIdx" in used[axis] for axis, extent in zip("xyz", grid, strict=True)
    )
    return any(alone) or any(note.code == "steps" for note in ir.notes)


def _is_axis(extent: Poly) -> bool:
    """Whether an extent is the axis of a dim3 that is not known, `grid.y`."""
    atom = extent.atom
    return isinstance(atom, Symbol) and atom.role is Role.LAUNCH and "." in atom.name


def _unused_sizes(kernel: Function, ir: KernelIR) -> list[Poly]:
    """Integer parameters that the kernel's body does not name: what they say, the grid says."""
    own = [p.symbol for p in ir.parameters if p.symbol is not None]
    if not own:
        return []
    body = nodes_of(kernel.definition.body)
    named = {node.name for node in body if isinstance(node, c_ast.ID)}
    return [Poly.of(symbol) for symbol in own if symbol.name not in named]
