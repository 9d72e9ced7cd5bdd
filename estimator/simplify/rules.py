"""The table of rules: from a node's type to what is done with it."""

from __future__ import annotations

from estimator.simplify import calls, casts, records, scopes, statements, templates, variables
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
    "using_declaration": statements.drop,
    "static_assert_declaration": statements.drop,
    # expressions
    "call_expression": calls.call,
    "cast_expression": casts.reference_cast,
    "compound_literal_expression": casts.compound_literal,
    "assignment_expression": statements.assignment,
    "qualified_identifier": scopes.qualified_once,
    "template_function": templates.template_function,
    "template_type": templates.template_type,
    "decltype": statements.decltype,
    # statements
    "if_statement": statements.if_statement,
    "return_statement": statements.return_statement,
    "gnu_asm_expression": statements.asm,
    "attribute_declaration": statements.drop_token,
    "attribute_specifier": statements.drop_token,
}
