"""The keys of a GPU profile, in one table: validation, the display and the docs read it."""

from __future__ import annotations

from enum import Enum

from estimator.gpus.kinds import Precision, TensorKind
from estimator.immutable import immutable


class ValueType(str, Enum):
    """What a TOML value must be."""

    TEXT = "text"
    TEXTS = "list of texts"
    VERSION = 'text such as "8.9"'
    INTEGER = "integer"
    INTEGERS = "list of integers"
    NUMBER = "number"
    BOOLEAN = "true or false"
    TABLE = "table of texts"


class Group(str, Enum):
    """Keys that stand together in a file; `[sources]` may name a group in place of its keys."""

    IDENTITY = "identity"
    SM = "sm"
    LANES = "lanes"
    CLOCKS = "clocks"
    PEAKS = "peaks"
    TENSOR_RATES = "tensor_rates"
    TENSOR_PEAKS = "tensor_peaks"
    DRAM = "dram"
    CACHES = "caches"
    SHARED = "shared"
    LIMITS = "limits"
    ALLOCATION = "allocation"
    LINKS = "links"
    MEASURED = "measured"
    ABOUT = "about"


@immutable()
class Key:
    """One key: its type, unit ("" for counts and texts), meaning, and whether 0 is allowed."""

    name: str
    group: Group
    type: ValueType
    unit: str
    meaning: str
    required: bool = False
    zero: bool = False


_TEXT, _TEXTS, _INTEGER, _NUMBER = (
    ValueType.TEXT,
    ValueType.TEXTS,
    ValueType.INTEGER,
    ValueType.NUMBER,
)


def _lanes(name: str, meaning: str) -> Key:
    return Key(f"{name}_lanes_per_sm", Group.LANES, _INTEGER, "results/clock", meaning)


_IDENTITY = (
    Key("name", Group.IDENTITY, _TEXT, "", "full name", required=True),
    Key("id", Group.IDENTITY, _TEXT, "", "name for options (else the file's name)"),
    Key("short_name", Group.IDENTITY, _TEXT, "", "name for tables (else the full name)"),
    Key("aliases", Group.IDENTITY, _TEXTS, "", "other names that find a shipped profile"),
    Key("chip", Group.IDENTITY, _TEXT, "", "the die, such as AD102"),
    Key("compute_capability", Group.IDENTITY, ValueType.VERSION, "", "CUDA's version of the SM"),
)

_SM = (
    Key("sm_count", Group.SM, _INTEGER, "", "streaming multiprocessors (SMs) in use"),
    Key("sub_partitions_per_sm", Group.SM, _INTEGER, "", "parts of an SM with own registers"),
    Key("warp_issues_per_clock_per_sm", Group.SM, _INTEGER, "warps/clock", "instructions issued"),
    Key("tensor_cores_per_sm", Group.SM, _INTEGER, "", "tensor cores", zero=True),
    _lanes("fp32", "FP32 add, multiply or fused multiply-add"),
    _lanes("fp64", "FP64 add, multiply or fused multiply-add"),
    _lanes("fp16", "FP16 on the vector units (a half2 instruction gives 2 results)"),
    _lanes("bf16", "BF16 on the vector units (a bfloat162 instruction gives 2 results)"),
    _lanes("int32", "32-bit integer add and logic"),
    _lanes("int32_multiply", "32-bit integer multiply and multiply-add"),
    Key(
        "int32_shares_fp32_lanes",
        Group.LANES,
        ValueType.BOOLEAN,
        "",
        "INT32 runs on lanes of the FP32 units, and takes their time",
    ),
    _lanes("sfu", "special functions: rcp, rsqrt, log2, exp2, sin, cos"),
    _lanes("sfu_exp2", "exp2 alone, where it is faster than the other special functions"),
    _lanes("load_store", "addresses of loads and stores"),
)

_CLOCKS = (
    Key(
        "boost_clock_mhz",
        Group.CLOCKS,
        _NUMBER,
        "MHz",
        "boost clock, the clock behind the vector peaks",
    ),
    Key(
        "tensor_boost_clock_mhz",
        Group.CLOCKS,
        _NUMBER,
        "MHz",
        "clock behind the tensor peaks, FP64 excepted (else the boost clock)",
    ),
)

_PEAKS = tuple(
    Key(
        f"{precision.value}_tflops",
        Group.PEAKS,
        _NUMBER,
        "TFLOPS",
        f"printed {precision.name} peak of the vector units",
    )
    for precision in Precision
)


def _tensor_meaning(kind: TensorKind) -> str:
    base = kind.name.removesuffix("_ACC16")
    return f"{base}, sums in FP16" if kind.name.endswith("_ACC16") else base


_TENSOR = tuple(
    Key(
        kind.rate_key,
        Group.TENSOR_RATES,
        _NUMBER,
        "OP/clock" if kind is TensorKind.INT8 else "FLOP/clock",
        f"dense tensor rate, {_tensor_meaning(kind)}",
    )
    for kind in TensorKind
) + tuple(
    Key(
        kind.peak_key,
        Group.TENSOR_PEAKS,
        _NUMBER,
        "TOPS" if kind is TensorKind.INT8 else "TFLOPS",
        f"printed dense tensor peak, {_tensor_meaning(kind)}",
    )
    for kind in TensorKind
)

_MEMORY = (
    Key("dram_type", Group.DRAM, _TEXT, "", "kind of device memory, such as GDDR6"),
    Key("bus_width_bits", Group.DRAM, _INTEGER, "bit", "width of the device memory's bus"),
    Key("data_rate_gbit_s_per_pin", Group.DRAM, _NUMBER, "Gbit/s", "rate of one pin"),
    Key("bandwidth_gb_s", Group.DRAM, _NUMBER, "GB/s", "printed device memory bandwidth"),
    Key("memory_gib", Group.DRAM, _NUMBER, "GiB", "device memory (vendors write GB)"),
    Key("l2_mib", Group.CACHES, _NUMBER, "MiB", "L2 cache"),
    Key("l1_kib_per_sm", Group.CACHES, _NUMBER, "KiB", "L1 data cache"),
    Key(
        "l1_holds_shared_memory",
        Group.CACHES,
        ValueType.BOOLEAN,
        "",
        "L1 and shared memory divide the same storage",
    ),
    Key("sector_bytes", Group.CACHES, _INTEGER, "B", "smallest part of a line that moves"),
    Key("line_bytes", Group.CACHES, _INTEGER, "B", "cache line"),
    Key("constant_cache_kib_per_sm", Group.CACHES, _NUMBER, "KiB", "cache of constant memory"),
    Key("shared_kib_per_sm", Group.SHARED, _NUMBER, "KiB", "most shared memory of an SM"),
    Key("shared_kib_per_block", Group.SHARED, _NUMBER, "KiB", "most for a block (opt-in)"),
    Key("static_shared_kib_per_block", Group.SHARED, _NUMBER, "KiB", "most without opt-in"),
    Key(
        "reserved_shared_bytes_per_block",
        Group.SHARED,
        _INTEGER,
        "B",
        "taken from each block by CUDA",
        zero=True,
    ),
    Key(
        "shared_carveouts_kib",
        Group.SHARED,
        ValueType.INTEGERS,
        "KiB",
        "sizes that shared memory can be set to",
        zero=True,
    ),
    Key("shared_bytes_per_clock_per_sm", Group.SHARED, _INTEGER, "B/clock", "shared bandwidth"),
)

_LIMITS = (
    Key("max_threads_per_sm", Group.LIMITS, _INTEGER, "", "resident threads of an SM"),
    Key("max_warps_per_sm", Group.LIMITS, _INTEGER, "", "resident warps of an SM"),
    Key("max_blocks_per_sm", Group.LIMITS, _INTEGER, "", "resident blocks of an SM"),
    Key("max_threads_per_block", Group.LIMITS, _INTEGER, "", "threads of a block"),
    Key("registers_per_sm", Group.LIMITS, _INTEGER, "", "32-bit registers of an SM"),
    Key("max_registers_per_block", Group.LIMITS, _INTEGER, "", "32-bit registers of a block"),
    Key("max_registers_per_thread", Group.LIMITS, _INTEGER, "", "32-bit registers of a thread"),
    Key("shared_allocation_bytes", Group.ALLOCATION, _INTEGER, "B", "unit of shared memory"),
    Key("register_allocation_per_warp", Group.ALLOCATION, _INTEGER, "", "unit of registers"),
)

_REST = (
    Key("pcie", Group.LINKS, _TEXT, "", "generation and width, such as PCIe4 x16"),
    Key("pcie_gb_s", Group.LINKS, _NUMBER, "GB/s", "PCIe, both directions together"),
    Key("nvlink_gb_s", Group.LINKS, _NUMBER, "GB/s", "NVLink, all links, both ways", zero=True),
    Key("tdp_w", Group.LINKS, _NUMBER, "W", "thermal design power"),
    Key("measured_l1_gb_s", Group.MEASURED, _NUMBER, "GB/s", "L1 bandwidth of all SMs"),
    Key(
        "measured_l1_bytes_per_clock_per_sm",
        Group.MEASURED,
        _NUMBER,
        "B/clock",
        "L1 bandwidth of one SM",
    ),
    Key("measured_l2_gb_s", Group.MEASURED, _NUMBER, "GB/s", "L2 bandwidth"),
    Key("measured_dram_gb_s", Group.MEASURED, _NUMBER, "GB/s", "device memory bandwidth, reads"),
    Key("unconfirmed", Group.ABOUT, _TEXTS, "", "keys whose figure no source confirms"),
    Key(
        "reason",
        Group.ABOUT,
        ValueType.TABLE,
        "",
        "why a printed figure differs from the computed one, by key",
    ),
    Key("sources", Group.ABOUT, ValueType.TABLE, "", "where figures come from, by key or group"),
)

KEYS: tuple[Key, ...] = _IDENTITY + _SM + _CLOCKS + _PEAKS + _TENSOR + _MEMORY + _LIMITS + _REST
BY_NAME: dict[str, Key] = {key.name: key for key in KEYS}

# Groups whose keys are figures, and so want a source.
FIGURE_GROUPS: tuple[Group, ...] = tuple(
    group for group in Group if group not in {Group.IDENTITY, Group.ABOUT}
)
