"""How threads differ, in the index that the kernel itself gives them."""

from __future__ import annotations

from collections.abc import Mapping

from estimator.algebra.atoms import Atom, Role, Symbol
from estimator.algebra.cases import Cases, Sum
from estimator.algebra.poly import Poly
from estimator.algebra.printing import SYMPY, Formula, text
from estimator.algebra.walk import condition_symbols, substitute, substitute_condition, symbols
from estimator.count.quantities import Key, ThreadFormula
from estimator.ir.kernel import KernelIR
from estimator.report.model import ThreadVariation

_AXES = "xyz"


def variation_of(kernel: KernelIR, shares: Mapping[Key, ThreadFormula]) -> ThreadVariation | None:
    """The formulas of everything that threads do not do alike; None if there is nothing."""
    varying = {key: share.varying for key, share in shares.items() if share.uniform is None}
    if not varying:
        return None
    index: dict[str, str] = {}
    for axis, block in zip(_AXES, kernel.launch.block, strict=True):
        varying = _with_global_index(kernel, varying, axis, block, index)
    for formula in varying.values():
        for symbol in _symbols(formula):
            if symbol.role is Role.THREAD and symbol.name not in index:
                index[symbol.name] = symbol.name
    return ThreadVariation(index, {_dotted(key): _plain(f) for key, f in varying.items()})


def _dotted(key: Key) -> str:
    return ".".join(part for part in key if part)


def _plain(formula: Sum) -> Formula:
    merged = _added_up(formula.merged())
    single = merged.parts[0].single if len(merged.parts) == 1 else None
    return merged if single is None else single


def _added_up(formula: Sum) -> Sum:
    """Parts with the same conditions as one part."""
    parts: dict[tuple[str, ...], Cases] = {}
    for part in formula.parts:
        key = tuple(condition.key for condition, _ in part.pieces)
        if key in parts:
            pairs = zip(parts[key].pieces, part.pieces, strict=True)
            part = Cases(tuple((condition, poly + more) for (condition, poly), (_, more) in pairs))
        parts[key] = part
    return Sum(tuple(parts.values()))


def _with_global_index(
    kernel: KernelIR, formulas: dict[Key, Sum], axis: str, block: Poly, index: dict[str, str]
) -> dict[Key, Sum]:
    """The formulas in blockIdx*blockDim + threadIdx, if they hold the two only so."""
    inner, outer = Symbol(f"threadIdx.{axis}", Role.THREAD), Symbol(f"blockIdx.{axis}", Role.THREAD)
    used = set().union(*(_symbols(formula) for formula in formulas.values()))
    if inner not in used or outer not in used:
        return formulas
    whole = Poly.of(inner) + block * Poly.of(outer)
    name = next((n for n, poly in kernel.index_names.items() if poly == whole), f"global_{axis}")
    flat = Symbol(name, Role.THREAD)
    values: dict[Atom, Poly] = {inner: Poly.of(flat) - block * Poly.of(outer)}
    changed = {key: _substituted(formula, values) for key, formula in formulas.items()}
    if any(outer in _symbols(formula) for formula in changed.values()):
        return formulas
    size = text(block, SYMPY)
    index[name] = f"blockIdx.{axis}*{size} + threadIdx.{axis}"
    return changed


def _symbols(formula: Sum) -> set[Symbol]:
    found: set[Symbol] = set()
    for part in formula.parts:
        for condition, poly in part.pieces:
            found |= condition_symbols(condition) | symbols(poly)
    return found


def _substituted(formula: Sum, values: dict[Atom, Poly]) -> Sum:
    return Sum(
        tuple(
            Cases(
                tuple(
                    (substitute_condition(condition, values), substitute(poly, values))
                    for condition, poly in part.pieces
                )
            )
            for part in formula.parts
        )
    )
