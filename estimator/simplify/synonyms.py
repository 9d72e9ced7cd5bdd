"""Types that have several names: `uint8_t` is `unsigned char`, on the systems that CUDA runs on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.fold import fold

if TYPE_CHECKING:
    from estimator.simplify.draft import Draft

_NAMES = {
    "int8_t": "signed char",
    "int16_t": "short",
    "int32_t": "int",
    "int64_t": "long",
    "uint8_t": "unsigned char",
    "uint16_t": "unsigned short",
    "uint32_t": "unsigned int",
    "uint64_t": "unsigned long",
    "uchar": "unsigned char",
    "ushort": "unsigned short",
    "uint": "unsigned int",
    "ulong": "unsigned long",
    "unsigned": "unsigned int",
    "signed": "int",
    "signed int": "int",
    "short int": "short",
    "long int": "long",
    "long long int": "long long",
    "unsigned short int": "unsigned short",
    "unsigned long int": "unsigned long",
    "long unsigned int": "unsigned long",
    "unsigned long long int": "unsigned long long",
    "size_t": "unsigned long",
    "uintptr_t": "unsigned long",
    "ptrdiff_t": "long",
    "ssize_t": "long",
    "intptr_t": "long",
    "half": "__half",
    "nv_half": "__half",
    "half2": "__half2",
    "nv_half2": "__half2",
    "nv_bfloat16": "__nv_bfloat16",
    "nv_bfloat162": "__nv_bfloat162",
}


def plain_name(base: str) -> str:
    """One name for each builtin type, of those that it has."""
    return _NAMES.get(base, base)


def comparable(text: str, draft: Draft) -> str:
    """A template argument, a type or a value, as it compares with others; aliases followed."""
    from estimator.simplify.typeshapes import shape_of

    value = fold(text)
    if value is not None:
        return str(value)
    found = shape_of(text, draft)
    return found.text if found is not None else "".join(text.split())
