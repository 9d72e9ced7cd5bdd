"""The table of rules: from a node's type to what is done with it."""

from __future__ import annotations

from estimator.simplify import (
    assembly_code,
    calls,
    casts,
    closures,
    decltypes,
    operators,
    packs,
    placement,
    ranges,
    records,
    scopes,
    statements,
    templates,
    variables,
)
from estimator.simplify import unsupported as _unsupported
from estimator.simplify.draft import Rule

RULES: dict[str, Rule] = {
    **_unsupported.RULES,
    # declarations
    "declaration": variables.declaration,
    "parameter_declaration": variables.parameter,
    "optional_parameter_declaration": variables.parameter,
    "struct_specifier": records.record,
    "class_specifier": records.record,
    "union_specifier": records.record,
    "enum_specifier": records.enumeration,
    "alias_declaration": records.alias,
    "type_definition": records.local_typedef,
    "using_declaration": statements.drop,
    "namespace_alias_definition": statements.drop,
    "static_assert_declaration": statements.drop,
    # expressions
    "call_expression": calls.call,
    "cast_expression": casts.cast,
    "lambda_expression": closures.expression,
    "parameter_pack_expansion": packs.expansion,
    "variadic_parameter_declaration": packs.parameters,
    "fold_expression": packs.fold,
    "sizeof_expression": packs.size,
    "this": ranges.this,
    "dependent_type": scopes.dependent,
    "for_range_loop": ranges.range_for,
    "compound_literal_expression": casts.compound_literal,
    "assignment_expression": statements.assignment,
    "qualified_identifier": scopes.qualified_once,
    "template_function": templates.template_function,
    "template_type": templates.template_type,
    "decltype": decltypes.decltype,
    # statements
    "if_statement": statements.if_statement,
    "return_statement": statements.return_statement,
    "gnu_asm_expression": assembly_code.asm,
    "attribute_declaration": statements.drop_token,
    "attribute_specifier": placement.attribute,
}


def rules_for(text: str) -> dict[str, Rule]:
    """The rules that a file needs: most files define no operators, and are read faster."""
    if "operator" in text:
        return {**RULES, **operators.RULES}
    if "T held[N];" in text:
        return {**RULES, "subscript_expression": operators.subscript}
    return RULES
