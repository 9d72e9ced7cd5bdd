"""What a profile file may say. All of its faults are found, then reported together."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

from estimator.gpus.agreement import TOLERANCE, agreements, digits
from estimator.gpus.profile import GpuProfile
from estimator.gpus.schema import BY_NAME, KEYS, Group, Key, ValueType
from estimator.gpus.toml_text import ProfileText

_VERSION = re.compile(r"\d+\.\d+")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_COMPUTED_PEAK = ("sm_count", "fp32_lanes_per_sm", "boost_clock_mhz")
_COMPUTED_BANDWIDTH = ("bus_width_bits", "data_rate_gbit_s_per_pin")


def check_values(file: ProfileText) -> list[str]:
    """The faults of a file's values, each with its place; empty when a profile can be built."""
    faults: list[str] = []
    for name, value in file.values.items():
        key = BY_NAME.get(name)
        if key is None:
            faults.append(f"{file.place(name)}: unknown key {name!r}{_nearest(name, BY_NAME)}")
        else:
            faults.extend(f"{file.place(name)}: {fault}" for fault in _value_faults(key, value))
    faults.extend(_missing(file))
    return faults or _reference_faults(file)


def check_agreement(file: ProfileText, profile: GpuProfile) -> list[str]:
    """A fault for each printed figure that is off the computed one by over 2 %, unexplained."""
    return [
        f"{file.place(pair.key)}: {pair.key} is {pair.printed:g}, but the profile's other figures "
        f"make it {digits(pair.computed)} ({pair.difference:+.1%}, more than {TOLERANCE:.0%}); "
        f'correct one of them, or say why under [reason]: {pair.key} = "…"'
        for pair in agreements(profile)
        if not pair.holds and pair.reason is None
    ]


def _missing(file: ProfileText) -> list[str]:
    faults = [
        f"{file.path}: missing key {key.name!r} ({key.meaning})"
        for key in KEYS
        if key.required and key.name not in file.values
    ]
    given = file.values.keys()
    if "fp32_tflops" not in given and not given >= set(_COMPUTED_PEAK):
        faults.append(
            f"{file.path}: missing FP32 peak: give fp32_tflops, or all of "
            f"{', '.join(_COMPUTED_PEAK)}{_lacking(given, _COMPUTED_PEAK)}"
        )
    if "bandwidth_gb_s" not in given and not given >= set(_COMPUTED_BANDWIDTH):
        faults.append(
            f"{file.path}: missing bandwidth: give bandwidth_gb_s, or both "
            f"{' and '.join(_COMPUTED_BANDWIDTH)}{_lacking(given, _COMPUTED_BANDWIDTH)}"
        )
    return faults


def _lacking(given: Iterable[str], wanted: tuple[str, ...]) -> str:
    lacking = [name for name in wanted if name not in given]
    return f" (lacks {', '.join(lacking)})" if len(lacking) < len(wanted) else ""


def _value_faults(key: Key, value: Any) -> list[str]:
    if not _has_type(key.type, value):
        unit = f" in {key.unit}" if key.unit else ""
        return [f"{key.name} must be {_article(key.type)}{unit}, not {_shown(value)}"]
    if key.name == "id" and not _ID.fullmatch(value):
        return [f"id must be lower-case letters and digits joined by dashes, not {value!r}"]
    if key.type in {ValueType.TEXT, ValueType.VERSION} and not value.strip():
        return [f"{key.name} is empty"]
    if key.type in {ValueType.INTEGER, ValueType.NUMBER, ValueType.INTEGERS}:
        numbers = value if isinstance(value, list) else [value]
        if any(number < 0 for number in numbers):
            return [f"{key.name} is negative: {_shown(value)}"]
        if not key.zero and any(number == 0 for number in numbers):
            return [f"{key.name} must not be 0"]
    return []


def _has_type(kind: ValueType, value: Any) -> bool:
    match kind:
        case ValueType.TEXT:
            return isinstance(value, str)
        case ValueType.VERSION:
            return isinstance(value, str) and _VERSION.fullmatch(value) is not None
        case ValueType.TEXTS:
            return isinstance(value, list) and all(isinstance(item, str) for item in value)
        case ValueType.BOOLEAN:
            return isinstance(value, bool)
        case ValueType.INTEGER:
            return isinstance(value, int) and not isinstance(value, bool)
        case ValueType.INTEGERS:
            return isinstance(value, list) and all(
                _has_type(ValueType.INTEGER, item) for item in value
            )
        case ValueType.NUMBER:
            return (
                isinstance(value, int | float)
                and not isinstance(value, bool)
                and math.isfinite(value)
            )
        case ValueType.TABLE:
            return isinstance(value, dict) and all(
                isinstance(item, str) and item.strip() for item in value.values()
            )


def _reference_faults(file: ProfileText) -> list[str]:
    """Names of keys inside `unconfirmed`, `[reason]` and `[sources]` that lead nowhere."""
    given = [name for name in file.values if BY_NAME[name].group is not Group.ABOUT]
    groups = [group.value for group in Group]
    faults = [
        f"{file.place('unconfirmed')}: unconfirmed names {name!r}, which the profile does not "
        f"give{_nearest(name, given)}"
        for name in file.values.get("unconfirmed", [])
        if name not in given
    ]
    for table, allowed in (("reason", given), ("sources", [*given, *groups])):
        faults.extend(
            f"{file.place(name, table)}: [{table}] names {name!r}, which the profile does not "
            f"give{_nearest(name, allowed)}"
            for name in file.values.get(table, {})
            if name not in allowed
        )
    return faults


def _nearest(name: str, names: Iterable[str]) -> str:
    from difflib import get_close_matches  # only faulty profiles need it

    close = get_close_matches(name, list(names), n=1, cutoff=0.6)
    return f"; the nearest is {close[0]!r}" if close else ""


def _article(kind: ValueType) -> str:
    if kind in {ValueType.BOOLEAN, ValueType.VERSION, ValueType.TEXT}:
        return str(kind.value)
    return f"{'an' if kind is ValueType.INTEGER else 'a'} {kind.value}"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a table"
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}…"
