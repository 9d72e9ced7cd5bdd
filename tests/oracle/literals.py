"""Literal constants and the names that stand for them."""

from __future__ import annotations

import re

from pycparser import c_ast

from estimator.parse.constants import character_literal, integer_literal
from estimator.parse.types import (
    BOOL,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONG,
    SIZE_T,
    UNSIGNED,
    VOID,
    Pointer,
)
from oracle.arithmetic import round_fp32
from oracle.errors import OracleError
from oracle.operand import Operand

_FLOAT_MAX = round_fp32(3.4028234663852886e38)

NAMED: dict[str, Operand] = {
    "true": Operand("1", BOOL, True),
    "false": Operand("0", BOOL, True),
    "nullptr": Operand("0", Pointer(VOID), True),
    "warpSize": Operand("32", INT),
    "INT_MAX": Operand(str(2**31 - 1), INT, True),
    "INT_MIN": Operand(str(-(2**31)), INT, True),
    "UINT_MAX": Operand(str(2**32 - 1), UNSIGNED, True),
    "FLT_MAX": Operand(repr(_FLOAT_MAX), FLOAT, True),
    "FLT_MIN": Operand(repr(1.1754943508222875e-38), FLOAT, True),
    "FLT_EPSILON": Operand(repr(2.0**-23), FLOAT, True),
    "DBL_MAX": Operand(repr(1.7976931348623157e308), DOUBLE, True),
    "DBL_EPSILON": Operand(repr(2.0**-52), DOUBLE, True),
    "INFINITY": Operand("float('inf')", FLOAT, True),
    "CUDART_INF_F": Operand("float('inf')", FLOAT, True),
    "CUDART_INF": Operand("float('inf')", DOUBLE, True),
    "NAN": Operand("float('nan')", FLOAT, True),
    "M_PI": Operand(repr(3.141592653589793), DOUBLE, True),
    "NULL": Operand("0", Pointer(VOID), True),
}


def literal(node: c_ast.Constant) -> Operand:
    """The value and type of a literal. Raises OracleError for what is no number."""
    text = node.value.replace("'", "") if node.type != "char" else node.value
    match node.type:
        case "char":
            return Operand(str(character_literal(node.value)), INT, True)
        case "string":
            return Operand("0", Pointer(VOID), True)
    if "int" in node.type:
        return _integer(text)
    if any(word in node.type for word in ("float", "double")):
        return _floating(text)
    raise OracleError(f"unknown constant {node.value} of type {node.type}")


def _integer(text: str) -> Operand:
    """An integer literal in the first of its types that holds it (C23 6.4.4.1)."""
    value = integer_literal(text)
    suffix = re.search(r"[uUlL]*$", text)
    letters = suffix.group().lower() if suffix else ""
    decimal = not text.startswith("0") or text.rstrip("uUlL") == "0"
    if "u" in letters:
        short = "l" not in letters and value < 2**32
        return Operand(str(value), UNSIGNED if short else SIZE_T, True)
    if "l" not in letters:
        if value < 2**31:
            return Operand(str(value), INT, True)
        if not decimal and value < 2**32:
            return Operand(str(value), UNSIGNED, True)
    return Operand(str(value), LONG if value < 2**63 else SIZE_T, True)


def _floating(text: str) -> Operand:
    hexadecimal = text.lower().startswith("0x")
    match = re.fullmatch(r"(.*?)(f16|F16|[fFlL]?)", text)
    assert match
    digits, suffix = match.group(1), match.group(2).lower()
    value = float.fromhex(digits) if hexadecimal else float(digits)
    if suffix == "f":
        return Operand(repr(round_fp32(value)), FLOAT, True)
    return Operand(repr(value), HALF if suffix == "f16" else DOUBLE, True)
