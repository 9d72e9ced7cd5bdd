"""Which kernels a file has: all of them, each template once for every instantiation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.draft import Binding, Draft, LostError
from estimator.simplify.faults import damaged_item
from estimator.simplify.instances import Unbound, declares, refuse_packs
from estimator.simplify.instantiations import instantiated
from estimator.simplify.kernelheaders import unfound_kernels
from estimator.simplify.launchkeys import launch_key
from estimator.simplify.made import Failed
from estimator.simplify.program import Program
from estimator.simplify.symbols import Function, FunctionKind
from estimator.simplify.unit import ItemKind
from estimator.source.codes import SYNTAX, TEMPLATE

if TYPE_CHECKING:
    from tree_sitter import Node


def request_kernels(program: Program) -> None:
    """Ask for every kernel that is no template, and for explicit instantiations."""
    for function in kernels(program):
        if function.template is None:
            program.require_function(function)
    for node in program.symbols.instantiations:
        _instantiate(program, node)
    for found in program.symbols.functions.values():
        for function in found:
            if function.specialises is not None:
                _specialise(program, function)


def request_open_kernels(program: Program) -> None:
    """Ask for kernels that nothing instantiates, under an assumption."""
    for function in kernels(program):
        if function.template is None or program.instances_of(function):
            continue
        try:
            for parameter in function.template:
                refuse_packs(parameter, function.node)
        except LostError as why:
            program.failed.append(
                Failed(ItemKind.KERNEL, function.name, function.node.start_byte, why)
            )
            continue
        program.require_function(function, tuple(Unbound.ASSUMED for _ in function.template))


def report_faults(program: Program) -> None:
    """A syntax error in a function of the GPU is told even where no kernel calls it."""
    told = {failed.order for failed in program.failed}
    for found in program.symbols.functions.values():
        for function in found:
            start = function.node.start_byte
            fault = function.fault
            if fault is None or function.kind is FunctionKind.HOST or start in told:
                continue
            is_kernel = function.kind is FunctionKind.KERNEL
            kind = ItemKind.KERNEL if is_kernel else ItemKind.FUNCTION
            why = LostError(fault.offset, fault.message, SYNTAX)
            program.failed.append(Failed(kind, function.name, start, why))


def report_unfound(program: Program) -> None:
    """Every kernel with a body in the text must have led to something: else it is lost here."""
    made = {one.order for one in program.failed if one.kind is ItemKind.KERNEL}
    found: list[tuple[int, int]] = []
    specialised: set[int] = set()
    for functions in program.symbols.functions.values():
        for function in functions:
            node = function.node
            is_kernel = function.kind is FunctionKind.KERNEL
            is_made = function.specialises is None or node.start_byte in program.specialised
            if is_kernel and not is_made:
                text = program.tree.parsed
                specialised.add(text.find("__global__", node.start_byte, node.end_byte))
            if is_kernel and (is_made or node.start_byte in made):
                found.append((node.start_byte, function.declarator.end_byte))
    for damage in program.tree.damages:
        qualifier = program.tree.parsed.find("__global__", damage.start, damage.end)
        if qualifier >= 0 and damaged_item(damage, program.tree) is not None:
            found.append((damage.start, qualifier + 1))
    for at, name in unfound_kernels(program.tree, found):
        message = f"cannot read the header of the kernel '{name}'"
        if name == "?":
            message = "cannot read the header of this kernel"
        why = LostError(at, message, SYNTAX)
        if at in specialised:
            message = f"the template that '{name}' specialises is not defined in the file"
            why = LostError(at, message, TEMPLATE)
        program.failed.append(Failed(ItemKind.KERNEL, name, at, why))


def kernels(program: Program) -> list[Function]:
    """The kernels of the file, without specialisations."""
    return [
        function
        for found in program.symbols.functions.values()
        for function in found
        if function.kind is FunctionKind.KERNEL and function.specialises is None
    ]


def _template(program: Program, name: str, count: int) -> Function | None:
    for function in program.symbols.functions.get(name, ()):
        is_template = function.template is not None and function.specialises is None
        if function.kind is FunctionKind.KERNEL and is_template and declares(function, count):
            return function
    return None


def _instantiate(program: Program, node: Node) -> None:
    """`template __global__ void k<float, 4>(const float *, int);`"""
    draft = Draft(program, Binding(), "", None)
    found = instantiated(node, program)
    if found is None:
        return
    name, explicit, types = found
    try:
        function = _template(program, name, len(types))
        if function is None:
            return
        key = launch_key(function, explicit, types, draft.resolved_type, draft)
        if key is not None:
            program.require_function(function, key)
    except LostError:
        return  # the kernel is then read under an assumption, which the report says


def _specialise(program: Program, special: Function) -> None:
    """`template <> __global__ void k<int>(…) {…}` is an instance by itself."""
    function = _template(program, special.name, len(special.parameters))
    if special.kind is not FunctionKind.KERNEL or function is None:
        return
    draft = Draft(program, Binding(), special.scope, None)
    try:
        listed = special.specialises
        explicit = [
            draft.rendered_node(child) for child in (listed.named_children if listed else [])
        ]
        key = launch_key(function, explicit, (), draft.resolved_type, draft)
        if key is not None:
            program.require_function(function, key)
            program.specialised.add(special.node.start_byte)
    except LostError:
        return
