"""The ways in which host code writes a launch, read into one form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.immutable import immutable
from estimator.simplify.draft import LostError
from estimator.simplify.hostcode import HostCode
from estimator.simplify.scopes import last_name
from estimator.simplify.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

_API = re.compile(
    r"\b(?:cudaLaunchKernel|cudaLaunchKernelExC?|cudaLaunchCooperativeKernel|hipLaunchKernelGGL"
    r"|cudaGraphAddKernelNode|hipLaunchKernel|hipLaunchCooperativeKernel|cuLaunchKernel|cuLaunchCooperativeKernel)\b"
)
_BY_ARRAY = frozenset(
    {
        "cudaLaunchKernel",
        "cudaLaunchCooperativeKernel",
        "hipLaunchKernel",
        "hipLaunchCooperativeKernel",
    }
)
_BY_DRIVER = frozenset({"cuLaunchKernel", "cuLaunchCooperativeKernel"})
_CASTS = frozenset({"static_cast", "reinterpret_cast", "const_cast"})
_NOT_SEEN = "the configuration of this launch is not seen here"
# Members of cudaLaunchConfig_t, in their order.
_CONFIG = ("gridDim", "blockDim", "dynamicSmemBytes", "stream", "attrs", "numAttrs")


@immutable()
class Extent:
    """A grid or a block: one expression, or one for each axis."""

    parts: tuple[Node, ...]
    is_split: bool = False


@immutable()
class LaunchForm:
    """A launch as written. `arguments` are None where they are not listed."""

    node: Node
    kernel: Node
    grid: Extent | None
    block: Extent | None
    shared: Node | None
    arguments: tuple[Node, ...] | None


def find_launches(tree: Tree) -> list[Node]:
    """All launches of a file, in source order."""
    found = list(tree.launches)
    if _API.search(tree.parsed):
        for node in tree.constructs:
            if node.type == "call_expression":
                function = node.child_by_field_name("function")
                if function is not None and _API.fullmatch(_called(tree, function)):
                    found.append(node)
    return sorted(found, key=lambda node: node.start_byte)


def _called(tree: Tree, function: Node) -> str:
    last = last_name(function)
    name = last.child_by_field_name("name") if last.type == "template_function" else last
    return tree.text_of(name if name is not None else last)


def read_form(tree: Tree, node: Node, code: HostCode) -> LaunchForm:
    """The parts of a launch. Raises LostError for one that is not complete."""
    function = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    if function is None or arguments is None:
        raise LostError(node.start_byte, "this launch is not complete")
    given = [one for one in arguments.named_children if one.type != "comment"]
    syntax = next((one for one in node.children if one.type == "kernel_call_syntax"), None)
    if syntax is not None:
        sizes = [_braces(tree, one) for one in syntax.named_children if one.type != "comment"]
        if len(sizes) < 2:
            name = tree.text_of(function)
            raise LostError(node.start_byte, f"launch of '{name}' has no block size")
        shared = sizes[2] if len(sizes) > 2 else None
        return LaunchForm(
            node, function, Extent((sizes[0],)), Extent((sizes[1],)), shared, tuple(given)
        )
    return _api_form(tree, node, _called(tree, function), given, code)


def _braces(tree: Tree, node: Node) -> Node:
    """`{16, 16}`, which the parser takes for the value of a type without a name."""
    target, value = node.child_by_field_name("type"), node.child_by_field_name("value")
    if node.type != "compound_literal_expression" or target is None or value is None:
        return node
    return node if tree.text_of(target).strip() else value


def _api_form(tree: Tree, node: Node, name: str, given: list[Node], code: HostCode) -> LaunchForm:
    if name.startswith("cudaLaunchKernelEx") and len(given) >= 2:
        return _with_config(tree, node, name, given, code)
    if name == "hipLaunchKernelGGL" and len(given) >= 5:
        grid, block = Extent((given[1],)), Extent((given[2],))
        return LaunchForm(node, given[0], grid, block, given[3], tuple(given[5:]))
    if name in _BY_ARRAY and len(given) >= 4:
        grid, block = Extent((given[1],)), Extent((given[2],))
        shared = given[4] if len(given) > 4 else None
        return LaunchForm(node, given[0], grid, block, shared, _listed(tree, given[3], code))
    if name in _BY_DRIVER and len(given) >= 9:
        grid, block = Extent(tuple(given[1:4]), True), Extent(tuple(given[4:7]), True)
        arguments = _listed(tree, given[9], code) if len(given) > 9 else None
        return LaunchForm(node, given[0], grid, block, given[7], arguments)
    if name.startswith("cudaGraph"):
        raise LostError(node.start_byte, "a launch through a graph is not followed")
    raise LostError(node.start_byte, f"this call of {name} has too few arguments")


def plain(tree: Tree, node: Node) -> Node:
    """An expression without the parentheses, casts and `&` around it."""
    while True:
        inner: Node | None = None
        if node.type == "parenthesized_expression" and node.named_children:
            inner = node.named_children[0]
        elif node.type == "cast_expression":
            inner = node.child_by_field_name("value")
        elif node.type == "pointer_expression" and tree.text_of(node).startswith("&"):
            inner = node.child_by_field_name("argument")
        elif node.type == "call_expression":
            inner = _through_call(tree, node)
        if inner is None:
            return node
        node = inner


def _through_call(tree: Tree, node: Node) -> Node | None:
    """The one argument of a cast, of `std::forward`, or of a macro that only protects it."""
    function = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    if function is None or arguments is None or arguments.named_child_count != 1:
        return None
    transparent = _CASTS | {"forward", "move", "addressof", "HIP_KERNEL_NAME"}
    return arguments.named_children[0] if _called(tree, function) in transparent else None


# --- arguments in an array ------------------------------------------------------------------


def _listed(tree: Tree, node: Node, code: HostCode) -> tuple[Node, ...] | None:
    """The arguments behind `void *args[] = {&x, &n};`; None where they are not seen."""
    node = plain(tree, node)
    if node.type == "subscript_expression":  # `&args[0]`
        node = node.child_by_field_name("argument") or node
    if node.type == "initializer_list":
        return tuple(plain(tree, one) for one in node.named_children if one.type != "comment")
    known = code.variables.get(tree.text_of(node)) if node.type == "identifier" else None
    if known is None or not known.events:
        return None
    first, *rest = known.events
    found: dict[int, Node] = {}
    if first.value is not None and first.value.type == "initializer_list":
        listed = [one for one in first.value.named_children if one.type != "comment"]
        found = {index: plain(tree, one) for index, one in enumerate(listed)}
    for event in rest:
        index = _index(tree, event.node)
        if index is None or event.value is None:
            return None
        found[index] = plain(tree, event.value)
    return (
        tuple(found[i] for i in range(len(found))) if set(found) == {*range(len(found))} else None
    )


def _index(tree: Tree, statement: Node) -> int | None:
    """2, of `args[2] = &n;`."""
    match = re.match(r"\w+\s*\[\s*(\d+)\s*\]\s*=", tree.text_of(statement))
    return int(match.group(1)) if match else None


# --- sizes in a structure -------------------------------------------------------------------


def _with_config(
    tree: Tree, node: Node, name: str, given: list[Node], code: HostCode
) -> LaunchForm:
    config = plain(tree, given[0])
    known = code.variables.get(tree.text_of(config)) if config.type == "identifier" else None
    if known is None or known.is_parameter or known.is_changed:
        raise LostError(given[0].start_byte, _NOT_SEEN)
    members: dict[str, dict[str, Node]] = {}
    for event in known.events:
        if event.declarator is not None:
            members |= _initial(tree, event.value)
        elif event.value is not None and not event.is_conditional:
            path = _path(tree, event.node)
            if not path:
                raise LostError(node.start_byte, _NOT_SEEN)
            if len(path) == 1:
                members[path[0]] = {"": event.value}
            else:
                members.setdefault(path[0], {})[path[1]] = event.value
    if name.endswith("C"):
        arguments = _listed(tree, given[2], code) if len(given) > 2 else None
    else:
        arguments = tuple(given[2:])
    shared = members.get("dynamicSmemBytes", {}).get("")
    grid, block = (_extent(members.get(key, {}), node) for key in _CONFIG[:2])
    return LaunchForm(node, given[1], grid, block, shared, arguments)


def _extent(parts: dict[str, Node], node: Node) -> Extent | None:
    if "" in parts and len(parts) > 1:
        raise LostError(node.start_byte, "the configuration of this launch is set in parts")
    if "" in parts:
        return Extent((parts[""],))
    given = tuple(parts[axis] for axis in "xyz" if axis in parts)
    return Extent(given, True) if given and set(parts) == set("xyz"[: len(given)]) else None


def _initial(tree: Tree, value: Node | None) -> dict[str, dict[str, Node]]:
    """`{.gridDim = g, .blockDim = b}` or `{g, b, 0, stream}`; `{0}` sets nothing."""
    found: dict[str, dict[str, Node]] = {}
    if value is None or value.type not in {"initializer_list", "argument_list"}:
        return found
    items = [one for one in value.named_children if one.type != "comment"]
    for key, item in zip(_CONFIG, items, strict=False):
        if item.type == "initializer_pair":
            name, inner = item.child_by_field_name("designator"), item.child_by_field_name("value")
            if name is not None and inner is not None:
                found[tree.text_of(name).lstrip(".")] = {"": inner}
        elif len(items) > 1:
            found[key] = {"": item}
    return found


def _path(tree: Tree, statement: Node) -> list[str]:
    """`["gridDim", "x"]`, of `config.gridDim.x = …;`."""
    match = re.match(r"\w+\s*((?:\.\s*\w+\s*)+)=(?!=)", tree.text_of(statement))
    return [part.strip() for part in match.group(1).split(".") if part.strip()] if match else []
