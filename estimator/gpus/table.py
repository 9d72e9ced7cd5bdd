"""What `kcost gpus` shows, as rows of text; printing them is the caller's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from estimator.gpus.agreement import agreements, digits
from estimator.gpus.kinds import Pipe, Precision, TensorKind
from estimator.gpus.load import load_shipped, shipped_ids
from estimator.gpus.profile import Figure, GpuProfile
from estimator.gpus.schema import KEYS, Group, Key
from estimator.immutable import immutable

LIST_COLUMNS: tuple[str, ...] = (
    "id",
    "name",
    "CC",
    "SMs",
    "FP32 TFLOPS",
    "FP64 TFLOPS",
    "GB/s",
    "ridge FLOP/B",
    "L2 MiB",
    "memory GiB",
)

_UNKNOWN = "–"
_PRINTED = "as printed"
_DERIVED_SECTION = "roofs"
_SECTIONS: dict[Group, str] = {
    Group.IDENTITY: "identity",
    Group.SM: "streaming multiprocessor",
    Group.LANES: "results per clock and SM",
    Group.CLOCKS: "clocks",
    Group.PEAKS: "printed peaks, vector units",
    Group.TENSOR_RATES: "dense tensor rates per clock and SM",
    Group.TENSOR_PEAKS: "printed dense tensor peaks",
    Group.DRAM: "device memory",
    Group.CACHES: "caches",
    Group.SHARED: "shared memory",
    Group.LIMITS: "limits",
    Group.ALLOCATION: "allocation units",
    Group.LINKS: "links and power",
    Group.MEASURED: "measured bandwidths",
}


@immutable()
class GpuListRow:
    """One GPU in the list: the texts of its cells, in the order of `LIST_COLUMNS`.

    A cell ends in "?" when no source confirms a figure that it rests on.
    """

    id: str
    name: str
    compute_capability: str
    sm_count: str
    fp32_tflops: str
    fp64_tflops: str
    bandwidth_gb_s: str
    ridge_fp32_flop_per_byte: str
    l2_mib: str
    memory_gib: str

    @property
    def cells(self) -> tuple[str, ...]:
        return tuple(getattr(self, column.name) for column in fields(self))


@immutable()
class ProfileRow:
    """One figure of a profile: where it belongs, its value with unit, and its source.

    `key` is the profile's key, "" for figures computed from others; `source` may be "".
    """

    section: str
    label: str
    key: str
    value: str
    unconfirmed: bool
    source: str

    @property
    def text(self) -> str:
        """The value as shown: with a question mark where no source confirms it."""
        return f"{self.value} ?" if self.unconfirmed else self.value


def list_rows() -> tuple[GpuListRow, ...]:
    """A row for each shipped profile."""
    return tuple(list_row(load_shipped(gpu_id)) for gpu_id in shipped_ids())


def list_row(profile: GpuProfile) -> GpuListRow:
    """The row of one profile in the list."""
    ridge = f"{profile.ridge_flop_per_byte(Precision.FP32):.1f}"
    return GpuListRow(
        id=profile.id,
        name=profile.short_name,
        compute_capability=_cell(profile, "compute_capability"),
        sm_count=_cell(profile, "sm_count"),
        fp32_tflops=_peak_cell(profile, Precision.FP32),
        fp64_tflops=_peak_cell(profile, Precision.FP64),
        bandwidth_gb_s=_marked(
            profile, f"{profile.bandwidth_bytes_per_s / 1e9:.0f}", _bandwidth_keys(profile)
        ),
        ridge_fp32_flop_per_byte=_marked(
            profile, ridge, _peak_keys(profile, Precision.FP32) | _bandwidth_keys(profile)
        ),
        l2_mib=_cell(profile, "l2_mib"),
        memory_gib=_cell(profile, "memory_gib"),
    )


def profile_rows(profile: GpuProfile) -> tuple[ProfileRow, ...]:
    """Every figure of a profile: the roofs that follow from it first, then its keys in order."""
    return (*_roof_rows(profile), *_key_rows(profile))


def _roof_rows(profile: GpuProfile) -> Iterator[ProfileRow]:
    for precision in Precision:
        if profile.has_peak(precision):
            computed = profile.computed_peak_flops_per_s(precision) is not None
            yield _roof(
                profile,
                f"{precision.name} peak",
                (profile.peak_flops_per_s(precision), profile.ridge_flop_per_byte(precision)),
                _peak_keys(profile, precision),
                "lanes × SMs × boost clock × 2" if computed else _PRINTED,
            )
    for kind in TensorKind:
        if profile.has_tensor_peak(kind):
            printed = kind in profile.printed_tensor_peaks_flops_per_s
            yield _roof(
                profile,
                f"{_kind_name(kind)} tensor peak",
                (profile.tensor_peak_flops_per_s(kind), profile.tensor_ridge_flop_per_byte(kind)),
                {kind.peak_key} if printed else _tensor_keys(kind),
                _PRINTED if printed else "rate × SMs × clock",
            )
    keys = _bandwidth_keys(profile)
    value = f"{profile.bandwidth_bytes_per_s / 1e9:,.0f} GB/s"
    how = _PRINTED if "bandwidth_gb_s" in keys else "bus width × data rate / 8"
    unconfirmed = bool(keys & profile.unconfirmed)
    yield ProfileRow(_DERIVED_SECTION, "bandwidth", "", value, unconfirmed, how)


def _peak_keys(profile: GpuProfile, precision: Precision) -> set[str]:
    """The keys that the peak in use rests on."""
    if profile.computed_peak_flops_per_s(precision) is None:
        return {f"{precision.value}_tflops"}
    return {Pipe(precision.value).key, "sm_count", "boost_clock_mhz"}


def _tensor_keys(kind: TensorKind) -> set[str]:
    clock = "boost_clock_mhz" if kind is TensorKind.FP64 else "tensor_boost_clock_mhz"
    return {kind.rate_key, "sm_count", clock}


def _bandwidth_keys(profile: GpuProfile) -> set[str]:
    if profile.memory.printed_bandwidth_bytes_per_s is None:
        return {"bus_width_bits", "data_rate_gbit_s_per_pin"}
    return {"bandwidth_gb_s"}


def _roof(
    profile: GpuProfile,
    label: str,
    peak_and_ridge: tuple[float, float],
    keys: set[str],
    how: str,
) -> ProfileRow:
    peak, ridge = peak_and_ridge[0] / 1e12, peak_and_ridge[1]
    amount = f"{peak:g}" if how == _PRINTED else digits(peak)
    whole = label.startswith("INT")
    rate, work = ("TOPS", "OP") if whole else ("TFLOPS", "FLOP")
    value = f"{amount} {rate}, ridge {ridge:.1f} {work}/B"
    return ProfileRow(_DERIVED_SECTION, label, "", value, bool(keys & profile.unconfirmed), how)


def _key_rows(profile: GpuProfile) -> Iterator[ProfileRow]:
    differing = {pair.key: pair for pair in agreements(profile)}
    for key in KEYS:
        if not _is_given(profile, key.name):
            continue
        source = source_of(profile, key)
        pair = differing.get(key.name)
        if pair is not None and (pair.reason or not pair.holds):
            unit = f" {key.unit}" if key.unit else ""
            source = (
                f"{source} Computed: {digits(pair.computed)}{unit}. {pair.reason or ''}".strip()
            )
        yield ProfileRow(
            _SECTIONS[key.group],
            key.meaning,
            key.name,
            _with_unit(profile.figures[key.name], key.unit),
            profile.is_unconfirmed(key.name),
            source,
        )


def source_of(profile: GpuProfile, key: Key) -> str:
    """Where the profile says that a key's figure comes from: its own source or its group's."""
    return profile.sources.get(key.name, profile.sources.get(key.group.value, ""))


def _is_given(profile: GpuProfile, key: str) -> bool:
    return profile.figures.get(key, ()) != ()


def _kind_name(kind: TensorKind) -> str:
    base = kind.name.removesuffix("_ACC16")
    return f"{base} (FP16 sums)" if kind.name.endswith("_ACC16") else base


def _with_unit(value: Figure, unit: str) -> str:
    return f"{_plain(value)} {unit}" if unit else _plain(value)


def _plain(value: Figure) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(str(item) for item in value)
    return str(value)


def _cell(profile: GpuProfile, key: str) -> str:
    value = profile.figures.get(key)
    return _UNKNOWN if value is None else _marked(profile, _plain(value), {key})


def _peak_cell(profile: GpuProfile, precision: Precision) -> str:
    if not profile.has_peak(precision):
        return _UNKNOWN
    peak = profile.peak_flops_per_s(precision) / 1e12
    text = f"{peak:.1f}" if peak >= 10 else f"{peak:.2f}"
    return _marked(profile, text, _peak_keys(profile, precision))


def _marked(profile: GpuProfile, text: str, keys: set[str]) -> str:
    return f"{text}?" if keys & profile.unconfirmed else text
