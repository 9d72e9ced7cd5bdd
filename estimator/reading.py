"""One file, read: its kernels, to be analysed one at a time, and what was lost before."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import field

from estimator.algebra.evaluate import TooLargeError, Undecided
from estimator.algebra.remembered import forget
from estimator.concerning import concerning, is_called
from estimator.immutable import immutable
from estimator.launching import Launches
from estimator.linking import Linked, link
from estimator.lower.launch_text import LaunchTextError
from estimator.options import Options
from estimator.parse.parser import lost_kernels, parse, shown_name
from estimator.parse.unit import Function, Unit
from estimator.report.model import KernelReport
from estimator.simplify.simplify import simplify
from estimator.source import codes
from estimator.source.diagnostics import Diagnostic, InputError, diagnose
from estimator.source.headers import Headers
from estimator.source.position import Position, SourceFile
from estimator.source.preprocess import preprocess


@immutable(slots=False)
class Loaded:
    """A file that was read and parsed, or why that was not possible.

    `headers` are what it rests on beside its own text.
    """

    path: str
    unit: Unit | None
    fault: Diagnostic | None = None
    headers: Headers = field(default_factory=Headers)


def load(source: SourceFile, options: Options) -> Loaded:
    """Read and parse a file. Never raises for what is in it."""
    macros = {**_architecture(options), **options.macros}
    text = preprocess(source, include_dirs=options.include_dirs, macros=macros)
    try:
        return Loaded(source.path, parse(simplify(text)), headers=text.headers)
    except RecursionError:
        message = "the file is nested too deeply to be read"
        fault = diagnose(codes.TOO_LARGE, Position(source.path, 1, 1), message)
        return Loaded(source.path, None, fault, text.headers)


def _architecture(options: Options) -> dict[str, str]:
    """`__CUDA_ARCH__` for the first GPU; without one the preprocessor's own holds."""
    capability = options.gpus[0].compute_capability if options.gpus else None
    if capability is None:
        return {}
    major, minor = capability
    return {"__CUDA_ARCH__": str(100 * major + 10 * minor)}


@immutable(slots=False)
class ReadFile:
    """A file's kernels, and the analysis of each.

    `lost` has the kernels that could not be read: the name of each, that in the simplified text,
    and the reason, which is among the `diagnostics` too.
    """

    kernels: tuple[Function, ...]
    lost: tuple[tuple[str, str, Diagnostic], ...]
    diagnostics: tuple[Diagnostic, ...]
    launches: Launches | None

    def analyze(self, kernel: Function) -> tuple[list[KernelReport], list[Diagnostic]]:
        """The reports of a kernel, none where it cannot be analysed, and what was found.

        Raises LaunchTextError for a launch text in the options that cannot be read.
        """
        assert self.launches is not None
        forget()
        try:
            return self.launches.analyze(kernel)
        except InputError as error:
            return [], [error.diagnostic]
        except LaunchTextError:
            raise  # a fault of the options, not of the kernel
        except TooLargeError:
            message = f"{kernel.display_name}: a power is too large at the values given with -D"
            step = "Give smaller values."
            return [], [diagnose(codes.UNSUPPORTED, kernel.position, message, step)]
        except Undecided:
            # Whether a loop that makes no way is left has no formula.
            message = f"{kernel.display_name}: when its loops end cannot be counted"
            return [], [diagnose(codes.UNSUPPORTED, kernel.position, message)]
        except Exception as error:
            if "KCOST_DEBUG" in os.environ:
                raise
            # One kernel that kcost itself fails on must not take the others along.
            message = f"{kernel.display_name}: {type(error).__name__} inside kcost"
            return [], [diagnose(codes.INTERNAL, kernel.position, message)]


def read_linked(linked: Linked, options: Options) -> ReadFile:
    """The kernels that are reported with a file, those of `options.kernels` if it names some."""
    unit = linked.unit
    launches = Launches(linked, options)
    here = [kernel for kernel in unit.kernels if kernel.name not in linked.elsewhere]
    found = unit.diagnostics
    if options.kernels:
        here = [kernel for kernel in here if is_called(kernel, options.kernels)]
        found = concerning(unit, options.kernels)
    lost = [one for one in lost_kernels(unit) if one[0] not in linked.forgone]
    forgone = {why for name, why in lost_kernels(unit) if name in linked.forgone}
    forgone -= {why for _, why in lost}
    told = (one for one in found if one not in forgone)
    shown = tuple((shown_name(unit, name), name, why) for name, why in lost)
    return ReadFile(tuple(here), shown, (*told, *launches.diagnostics), launches)


def read_alone(loaded: Loaded, launching: Sequence[Loaded], options: Options) -> ReadFile:
    """The kernels of one file, under its own launches and those in other files."""
    if loaded.unit is None:
        return ReadFile((), (), () if loaded.fault is None else (loaded.fault,), None)
    others = [other.unit for other in launching if other.unit is not None]
    return read_linked(link([loaded.unit, *others])[0], options)
