"""From the checked values of a profile file to a `GpuProfile`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from estimator.gpus.kinds import Pipe, Precision, TensorKind
from estimator.gpus.parts import Caches, DeviceMemory, Limits, Links, Measured, SharedMemory
from estimator.gpus.profile import GpuProfile
from estimator.gpus.schema import BY_NAME, Group

_KIB, _MIB, _GIB = 2**10, 2**20, 2**30
_MEGA, _GIGA, _TERA = 1e6, 1e9, 1e12

Values = Mapping[str, Any]
_Member = TypeVar("_Member")
_Value = TypeVar("_Value")


def build_profile(values: Values, default_id: str) -> GpuProfile:
    """The profile of `values`, which must have passed `estimator.gpus.validate.check_values`.

    `default_id` is its id when the file gives none.
    """
    clock_hz = _scaled(values, "boost_clock_mhz", _MEGA)
    return GpuProfile(
        id=values.get("id", default_id),
        name=values["name"],
        short_name=values.get("short_name", values["name"]),
        aliases=tuple(values.get("aliases", ())),
        chip=values.get("chip"),
        compute_capability=_version(values.get("compute_capability")),
        sm_count=values.get("sm_count"),
        clock_hz=clock_hz,
        tensor_clock_hz=_scaled(values, "tensor_boost_clock_mhz", _MEGA) or clock_hz,
        lanes_per_sm=_by(Pipe, lambda pipe: values.get(pipe.key)),
        warp_issues_per_clock_per_sm=values.get("warp_issues_per_clock_per_sm"),
        tensor_cores_per_sm=values.get("tensor_cores_per_sm"),
        int32_shares_fp32_lanes=values.get("int32_shares_fp32_lanes"),
        tensor_ops_per_clock_per_sm=_by(TensorKind, lambda kind: values.get(kind.rate_key)),
        printed_peaks_flops_per_s=_by(
            Precision, lambda precision: _scaled(values, f"{precision.value}_tflops", _TERA)
        ),
        printed_tensor_peaks_flops_per_s=_by(
            TensorKind, lambda kind: _scaled(values, kind.peak_key, _TERA)
        ),
        memory=_memory(values),
        caches=_caches(values),
        shared=_shared(values),
        limits=_limits(values),
        links=_links(values),
        measured=_measured(values),
        figures=_figures(values),
        unconfirmed=frozenset(values.get("unconfirmed", ())),
        reasons=MappingProxyType(dict(values.get("reason", {}))),
        sources=MappingProxyType(dict(values.get("sources", {}))),
    )


def _memory(values: Values) -> DeviceMemory:
    return DeviceMemory(
        kind=values.get("dram_type"),
        size_bytes=_size(values, "memory_gib", _GIB),
        bus_width_bits=values.get("bus_width_bits"),
        data_rate_bits_per_s_per_pin=_scaled(values, "data_rate_gbit_s_per_pin", _GIGA),
        printed_bandwidth_bytes_per_s=_scaled(values, "bandwidth_gb_s", _GIGA),
    )


def _caches(values: Values) -> Caches:
    return Caches(
        l2_bytes=_size(values, "l2_mib", _MIB),
        l1_bytes_per_sm=_size(values, "l1_kib_per_sm", _KIB),
        l1_holds_shared_memory=values.get("l1_holds_shared_memory"),
        constant_cache_bytes_per_sm=_size(values, "constant_cache_kib_per_sm", _KIB),
        sector_bytes=values.get("sector_bytes"),
        line_bytes=values.get("line_bytes"),
    )


def _shared(values: Values) -> SharedMemory:
    return SharedMemory(
        bytes_per_sm=_size(values, "shared_kib_per_sm", _KIB),
        bytes_per_block=_size(values, "shared_kib_per_block", _KIB),
        static_bytes_per_block=_size(values, "static_shared_kib_per_block", _KIB),
        reserved_bytes_per_block=values.get("reserved_shared_bytes_per_block"),
        allocation_bytes=values.get("shared_allocation_bytes"),
        carveouts_bytes=tuple(size * _KIB for size in values.get("shared_carveouts_kib", ())),
        bytes_per_clock_per_sm=values.get("shared_bytes_per_clock_per_sm"),
    )


def _limits(values: Values) -> Limits:
    return Limits(
        threads_per_sm=values.get("max_threads_per_sm"),
        warps_per_sm=values.get("max_warps_per_sm"),
        blocks_per_sm=values.get("max_blocks_per_sm"),
        threads_per_block=values.get("max_threads_per_block"),
        registers_per_sm=values.get("registers_per_sm"),
        registers_per_block=values.get("max_registers_per_block"),
        registers_per_thread=values.get("max_registers_per_thread"),
        register_allocation_per_warp=values.get("register_allocation_per_warp"),
        sub_partitions_per_sm=values.get("sub_partitions_per_sm"),
    )


def _links(values: Values) -> Links:
    return Links(
        pcie=values.get("pcie"),
        pcie_bytes_per_s=_scaled(values, "pcie_gb_s", _GIGA),
        nvlink_bytes_per_s=_scaled(values, "nvlink_gb_s", _GIGA),
        tdp_w=values.get("tdp_w"),
    )


def _measured(values: Values) -> Measured:
    return Measured(
        l1_bytes_per_s=_scaled(values, "measured_l1_gb_s", _GIGA),
        l1_bytes_per_clock_per_sm=values.get("measured_l1_bytes_per_clock_per_sm"),
        l2_bytes_per_s=_scaled(values, "measured_l2_gb_s", _GIGA),
        dram_bytes_per_s=_scaled(values, "measured_dram_gb_s", _GIGA),
    )


def _figures(values: Values) -> Mapping[str, Any]:
    figures = {}
    for name, value in values.items():
        if BY_NAME[name].group is not Group.ABOUT:
            figures[name] = tuple(value) if isinstance(value, list) else value
    return MappingProxyType(figures)


def _by(
    members: Iterable[_Member], value_of: Callable[[_Member], _Value | None]
) -> Mapping[_Member, _Value]:
    found = ((member, value_of(member)) for member in members)
    return MappingProxyType({member: value for member, value in found if value is not None})


def _scaled(values: Values, name: str, scale: float) -> float | None:
    value = values.get(name)
    return None if value is None else float(value) * scale


def _size(values: Values, name: str, unit_bytes: int) -> int | None:
    value = values.get(name)
    return None if value is None else round(value * unit_bytes)


def _version(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    major, minor = text.split(".")
    return int(major), int(minor)
