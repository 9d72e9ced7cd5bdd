"""Errors of pycparser in sentences: what is wrong or missing, as far as it says so."""

from __future__ import annotations

import re

_SENTENCES = {
    "Missing type in declaration": "the type is missing in this declaration",
    "Expected identifier": "a name is missing here",
    "Expected declaration after attributes": "a declaration is missing here",
    "Invalid multiple types specified": "this declaration has two types",
    "Invalid function definition": "this is no function",
    "Invalid specifier list": "the type is missing in this declaration",
    "Invalid abstract declarator": "this type cannot be read",
    "Invalid struct/union declaration": "this member of a structure cannot be read",
    "Invalid struct reference": "the name of a member is missing here",
    "Invalid selection statement": "this 'if' or 'switch' cannot be read",
    "Invalid iteration statement": "this loop cannot be read",
    "Attributes require C23": "an attribute is not expected here",
    "At end of input": "the end of this declaration is missing",
    "": "this line cannot be read",
}
_INVALID = re.compile(r"Invalid ([a-z][a-z ]*)$")
_BEFORE = re.compile(r"before: (.+)$", re.DOTALL)
_TWICE = re.compile(r"(?:Non-t|T)ypedef '(\w+)' previously declared")


def sentence(reason: str) -> str:
    """What pycparser says, in plain words."""
    reason = reason.strip()
    if reason in _SENTENCES:
        return _SENTENCES[reason]
    if (before := _BEFORE.match(reason)) is not None:
        return f"'{before.group(1)}' is not expected here; something in front of it is missing"
    if (twice := _TWICE.match(reason)) is not None:
        return f"'{twice.group(1)}' is a type and the name of something else"
    if (invalid := _INVALID.match(reason)) is not None:
        return f"this {invalid.group(1)} cannot be read"
    return f"this line cannot be read ({reason[:1].lower()}{reason[1:]})"
