"""The parts of a GPU profile: memories, limits of an SM, links, measured bandwidths.

Whatever a profile does not give is None. Sizes are bytes, rates bytes per second.
"""

from __future__ import annotations

from estimator.immutable import immutable


@immutable()
class DeviceMemory:
    """The device memory; `printed_bandwidth_bytes_per_s` is the figure its vendor prints."""

    kind: str | None
    size_bytes: int | None
    bus_width_bits: int | None
    data_rate_bits_per_s_per_pin: float | None
    printed_bandwidth_bytes_per_s: float | None


@immutable()
class Caches:
    """L2, L1 (of one SM) and how they are cut into lines and sectors."""

    l2_bytes: int | None
    l1_bytes_per_sm: int | None
    l1_holds_shared_memory: bool | None
    constant_cache_bytes_per_sm: int | None
    sector_bytes: int | None
    line_bytes: int | None


@immutable()
class SharedMemory:
    """Shared memory of an SM and what a block may have of it."""

    bytes_per_sm: int | None
    bytes_per_block: int | None
    static_bytes_per_block: int | None
    reserved_bytes_per_block: int | None
    allocation_bytes: int | None
    carveouts_bytes: tuple[int, ...]
    bytes_per_clock_per_sm: int | None


@immutable()
class Limits:
    """How much of an SM threads, warps, blocks and registers may take."""

    threads_per_sm: int | None
    warps_per_sm: int | None
    blocks_per_sm: int | None
    threads_per_block: int | None
    registers_per_sm: int | None
    registers_per_block: int | None
    registers_per_thread: int | None
    register_allocation_per_warp: int | None
    sub_partitions_per_sm: int | None


@immutable()
class Links:
    """What joins the GPU to the rest of the machine, both directions together, and its power."""

    pcie: str | None
    pcie_bytes_per_s: float | None
    nvlink_bytes_per_s: float | None
    tdp_w: float | None


@immutable()
class Measured:
    """Bandwidths that somebody measured, of the whole GPU and of one SM's L1."""

    l1_bytes_per_s: float | None
    l1_bytes_per_clock_per_sm: float | None
    l2_bytes_per_s: float | None
    dram_bytes_per_s: float | None
