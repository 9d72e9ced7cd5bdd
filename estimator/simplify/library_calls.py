"""Calls into CUDA's C++ libraries: functions, methods of their objects, function objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.grammars.library import ATOMIC_METHODS, GROUP_METHODS, SYNC_METHODS
from estimator.simplify.collectives import collective_call, collective_of
from estimator.simplify.library import arguments_of, library_name, type_word
from estimator.simplify.operations import require_operations
from estimator.simplify.scopes import last_name, scopes_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft

# Functions whose template argument is the type of what they read or write.
_TYPED = frozenset(
    [
        *(f"tex{kind}" for kind in ("1D", "2D", "3D", "1Dfetch", "1DLayered", "2DLayered")),
        *(f"tex{kind}" for kind in ("1DLod", "2DLod", "3DLod", "1DGrad", "2DGrad", "3DGrad")),
        *(f"tex{kind}" for kind in ("Cubemap", "CubemapLayered", "2Dgather")),
        *(f"surf{kind}read" for kind in ("1D", "2D", "3D", "1DLayered", "2DLayered")),
        *(f"surf{kind}write" for kind in ("1D", "2D", "3D", "1DLayered", "2DLayered")),
    ]
)


# Functions that apply an operation to their second argument.
_APPLYING = frozenset({"cg__reduce", "cg__inclusive_scan", "cg__exclusive_scan"})
# Functions that give their argument.
_PASSED_ON = frozenset({"move", "forward", "aligned_size_t"})


def library_call(node: Node, function: Node, arguments: Node, draft: Draft) -> bool:
    """Rewrite a call into a library; False for all other calls."""
    if function.type == "field_expression":
        return _method(node, function, arguments, draft)
    last = last_name(function)
    base = draft.text_of(last).partition("<")[0].strip()
    scopes = scopes_of(function, draft)
    if base in _PASSED_ON and draft.program.libraries.prefix(scopes) in {"std", "cuda"}:
        draft.skip(function.start_byte, function.end_byte)
        return True
    if base == "init" and _initialises_barrier(arguments, draft):
        draft.skip(function.start_byte, function.end_byte, "cuda__init")
        return True
    if last.type == "template_function" and base in _TYPED:
        (word, *_) = arguments_of(last, draft)
        draft.skip(function.start_byte, function.end_byte, f"{base}__{type_word(word)}")
        return True
    if base in draft.program.symbols.functions and not scopes:
        return False
    name = library_name(scopes, last, draft)
    if name is None:
        return False
    if name.startswith("functor__"):
        draft.skip(node.start_byte, node.end_byte, name)
        return True
    if name == "cub__collective":
        raise draft.lose(node, "an object of CUB without a call")
    given = arguments.named_children
    if name in _APPLYING and len(given) > 2:
        require_operations(given[1], given[2:], draft)
    draft.done.update((function.id, last.id))
    draft.skip(function.start_byte, function.end_byte, name)
    if name == "cg__tiled_partition" and last.type == "template_function":
        _append(arguments_of(last, draft)[:1], arguments, draft)
    return True


def _initialises_barrier(arguments: Node, draft: Draft) -> bool:
    """`init(&bar, n)` for a `cuda::barrier`."""
    given = arguments.named_children
    declared = draft.locals.get(draft.text_of(given[0]).lstrip("& ")) if given else None
    return declared is not None and "barrier" in declared.base


def _append(added: list[str], arguments: Node, draft: Draft) -> None:
    """Put arguments behind those of a call."""
    close = arguments.end_byte - 1
    text = ", ".join(added)
    if arguments.named_children:
        text = f", {text}"
    draft.replace(close, close + 1, f"{text})")


def _method(node: Node, function: Node, arguments: Node, draft: Draft) -> bool:
    receiver = function.child_by_field_name("argument")
    field = function.child_by_field_name("field")
    if receiver is None or field is None:
        return False
    name = draft.text_of(field).partition("<")[0].strip()
    collective = collective_of(receiver, draft)
    if collective is not None:
        collective_call(collective, name, function, arguments, draft)
        return True
    if _is_users(receiver, draft):
        return False
    arrow = any(draft.text_of(child) == "->" for child in function.children)
    if name in ATOMIC_METHODS:
        target = draft.rendered_node(receiver)
        _as_function(
            ATOMIC_METHODS[name], target if arrow else f"&({target})", function, arguments, draft
        )
        _drop_orders(arguments, 2 if "compare" in name else 1, draft)
        return True
    if name in {"load", "store"} and _is_atomic(receiver, draft):
        _plain_access(name, arrow, receiver, function, arguments, draft)
        return True
    if name in GROUP_METHODS:
        target = draft.rendered_node(receiver)
        _as_function(f"cg__{name}", f"*({target})" if arrow else target, function, arguments, draft)
        return True
    if name in SYNC_METHODS:
        target = draft.rendered_node(receiver)
        _as_function(f"cuda__{name}", target, function, arguments, draft)
        return True
    return False


def _is_atomic(receiver: Node, draft: Draft) -> bool:
    declared = draft.locals.get(draft.text_of(receiver))
    return declared is not None and "atomic" in declared.base


def _plain_access(
    name: str, arrow: bool, receiver: Node, function: Node, arguments: Node, draft: Draft
) -> None:
    """`a.load()` → `(a)`, `a.store(v)` → `(a = v)`."""
    target = draft.rendered_node(receiver)
    place = f"*({target})" if arrow else target
    given = arguments.named_children
    if name == "load" or not given:
        draft.skip(function.start_byte, arguments.end_byte, f"({place})")
        return
    draft.skip(function.start_byte, given[0].start_byte, f"({place} = ")
    draft.skip(given[0].end_byte, arguments.end_byte, ")")


def _is_users(receiver: Node, draft: Draft) -> bool:
    """Whether an object's type is defined in the file."""
    declared = draft.locals.get(draft.text_of(receiver))
    if declared is None:
        return False
    return draft.program.find_type(draft.resolved_type(declared.base), draft.scope) is not None


def _as_function(name: str, target: str, function: Node, arguments: Node, draft: Draft) -> None:
    """`x.f(a)` → `name(x, a)`."""
    separator = ", " if arguments.named_children else ""
    start = arguments.start_byte
    draft.skip(function.start_byte, start + 1, f"{name}({target}{separator}")


def _drop_orders(arguments: Node, kept: int, draft: Draft) -> None:
    """Memory orders and scopes of atomic operations cost nothing that is counted."""
    given = arguments.named_children
    if len(given) > kept:
        draft.skip(given[kept - 1].end_byte, arguments.end_byte - 1)
