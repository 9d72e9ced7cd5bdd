"""Inline assembly: `asm("fma.rn.f32 %0, …" : "=f"(d) : "f"(a))` → `ptx__("fma.rn…", 1, d, a)`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft

_STRING = re.compile(r'"((?:\\.|[^"\\])*)"')


def asm(node: Node, draft: Draft) -> None:
    """Keep the instructions as a text, the operands as arguments: outputs first, as many as
    the number says. Assembly without instructions does nothing and is left out."""
    code = node.child_by_field_name("assembly_code")
    if code is None:
        raise draft.lose(node, "inline assembly")
    if code.type not in {"string_literal", "concatenated_string"}:
        raise draft.lose(node, "inline assembly that is no plain text")
    text = "".join(_STRING.findall(draft.text_of(code)))
    if not re.sub(r"\\[nt]|[\s;]", "", text):
        draft.skip(node.start_byte, node.end_byte)
        return
    outputs = _operands(node.child_by_field_name("output_operands"))
    inputs = _operands(node.child_by_field_name("input_operands"))
    names = [_symbol(operand, draft) for operand in (*outputs, *inputs)]
    for index, name in enumerate(names):
        if name:
            text = text.replace(f"%[{name}]", f"%{index}")
    # What is read and written stands among the outputs, and once more behind the inputs.
    both = [operand for operand in outputs if '"+' in draft.text_of(operand)]
    values = [draft.rendered_node(_value(operand)) for operand in (*outputs, *inputs, *both)]
    listed = "".join(f", {value}" for value in values)
    draft.skip(node.start_byte, node.end_byte, f'ptx__("{text}", {len(outputs)}{listed})')


def _operands(node: Node | None) -> list[Node]:
    if node is None:
        return []
    return [child for child in node.named_children if child.type.endswith("_operand")]


def _symbol(operand: Node, draft: Draft) -> str:
    name = operand.child_by_field_name("symbol")
    return draft.text_of(name) if name is not None else ""


def _value(operand: Node) -> Node:
    return operand.child_by_field_name("value") or operand.named_children[-1]
