"""Variables that host code hands to functions, which may take them by reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from estimator.simplify.hostcode import HostCode
    from estimator.simplify.tree import Tree


def may_be_set(name: str, tree: Tree, code: HostCode) -> bool:
    """Whether a function, other than CUDA's own, gets a variable that it may take by reference."""
    around = code.function or code.inner
    if around is None:
        return True
    for call in tree.constructs_in(around.start_byte, around.end_byte):
        function = call.child_by_field_name("function")
        arguments = call.child_by_field_name("arguments")
        if call.type != "call_expression" or function is None or arguments is None:
            continue
        is_launch = any(one.type == "kernel_call_syntax" for one in call.children)
        if is_launch or tree.text_of(function).startswith(("cuda", "hip")):
            continue
        if any(tree.text_of(one) == name for one in arguments.named_children):
            return True
    return False
