"""The C++ libraries that kernels use: their namespaces, and the names that have a rule.

In simplified CUDA C `cg::sync` is `cg__sync`. Names: CUDA C++ Programming Guide (cooperative
groups, warp matrix functions, asynchronous barriers), CUB and libcu++ API references.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# Full namespace → the prefix of its names; "" where the C function of that name is meant.
NAMESPACES: dict[str, str] = {
    "cooperative_groups": "cg",
    # The usual short names, where the line that gives them is in a header out of sight.
    "cg": "cg",
    "wmma": "wmma",
    "nvcuda::wmma": "wmma",
    "nvcuda::wmma::experimental::precision": "wmma",
    "nvcuda::wmma::precision": "wmma",
    "cub": "cub",
    "thrust": "thrust",
    "cuda": "cuda",
    "cuda::device": "cuda",
    "cuda::device::experimental": "cuda",
    "cuda::ptx": "cuda_ptx",
    "cuda::std": "std",
    "std": "std",
}

GROUP_TYPES = frozenset(
    [
        "thread_block",
        "thread_group",
        "thread_block_tile",
        "coalesced_group",
        "grid_group",
        "multi_grid_group",
        "cluster_group",
    ]
)
GROUP_MAKERS = frozenset(
    [
        "this_thread_block",
        "this_grid",
        "this_cluster",
        "this_multi_grid",
        "coalesced_threads",
        "tiled_partition",
        "binary_partition",
        "labeled_partition",
    ]
)
# Methods of a group; `tile.shfl(v, 0)` is `cg__shfl(tile, v, 0)`.
GROUP_METHODS = frozenset(
    [
        "sync",
        "thread_rank",
        "size",
        "num_threads",
        "meta_group_rank",
        "meta_group_size",
        "group_index",
        "thread_index",
        "group_dim",
        "dim_threads",
        "is_valid",
        "block_rank",
        "block_index",
        "num_blocks",
        "dim_blocks",
        "group_rank",
        "shfl",
        "shfl_up",
        "shfl_down",
        "shfl_xor",
        "any",
        "all",
        "ballot",
        "match_any",
        "match_all",
        "barrier_arrive",
        "barrier_wait",
        "map_shared_rank",
    ]
)
GROUP_FUNCTIONS = frozenset(
    [
        "sync",
        "thread_rank",
        "group_size",
        "reduce",
        "inclusive_scan",
        "exclusive_scan",
        "memcpy_async",
        "wait",
        "wait_prior",
    ]
)
# Function objects of all libraries, by what they do to two values.
FUNCTORS: dict[str, str] = {
    "plus": "plus",
    "Sum": "plus",
    "multiplies": "multiplies",
    "less": "min",
    "minimum": "min",
    "Min": "min",
    "greater": "max",
    "maximum": "max",
    "Max": "max",
    "bit_and": "bit_and",
    "bit_or": "bit_or",
    "bit_xor": "bit_xor",
}
_STANDARD_FUNCTORS = frozenset(
    ["plus", "multiplies", "minimum", "maximum", "bit_and", "bit_or", "bit_xor"]
)
MATRIX_FUNCTIONS = frozenset(
    ["load_matrix_sync", "store_matrix_sync", "fill_fragment", "mma_sync", "bmma_sync"]
)
MATRIX_WORDS = frozenset(
    [
        "matrix_a",
        "matrix_b",
        "accumulator",
        "row_major",
        "col_major",
        "mem_row_major",
        "mem_col_major",
        "tf32",
        "s4",
        "u4",
        "b1",
    ]
)
# Methods of synchronisation objects.
SYNC_METHODS = frozenset(
    [
        "wait",
        "arrive",
        "arrive_and_wait",
        "arrive_and_drop",
        "wait_parity",
        "try_wait",
        "producer_acquire",
        "producer_commit",
        "consumer_wait",
        "consumer_release",
        "quit",
    ]
)
SYNC_TYPES = frozenset(["barrier", "pipeline", "pipeline_shared_state", "arrival_token"])
ATOMIC_METHODS: dict[str, str] = {
    "fetch_add": "atomicAdd",
    "fetch_sub": "atomicSub",
    "fetch_min": "atomicMin",
    "fetch_max": "atomicMax",
    "fetch_and": "atomicAnd",
    "fetch_or": "atomicOr",
    "fetch_xor": "atomicXor",
    "exchange": "atomicExch",
    "compare_exchange_strong": "atomicCAS",
    "compare_exchange_weak": "atomicCAS",
}

# What each namespace gives: name → its name in simplified CUDA C.
NAMES: dict[str, dict[str, str]] = {
    "cg": {
        **{name: f"cg__{name}" for name in GROUP_TYPES | GROUP_MAKERS | GROUP_FUNCTIONS},
        **{
            name: f"functor__{FUNCTORS[name]}"
            for name in ("plus", "less", "greater", "bit_and", "bit_or", "bit_xor")
        },
    },
    "wmma": {name: f"wmma__{name}" for name in MATRIX_FUNCTIONS | MATRIX_WORDS},
    "cub": {
        **{name: f"functor__{FUNCTORS[name]}" for name in ("Sum", "Min", "Max")},
        **{name: f"cub__{name}" for name in ("CacheModifiedInputIterator",)},
        "ThreadLoad": "cub__ThreadLoad",
        "ThreadStore": "cub__ThreadStore",
    },
    "thrust": {name: f"functor__{FUNCTORS[name]}" for name in _STANDARD_FUNCTORS},
    "cuda": {
        **{name: f"functor__{FUNCTORS[name]}" for name in ("minimum", "maximum")},
        **{name: f"cuda__{name}" for name in SYNC_TYPES},
        "memcpy_async": "cuda__memcpy_async",
        "make_pipeline": "cuda__make_pipeline",
        "pipeline_consumer_wait_prior": "cuda__consumer_wait",
        "pipeline_producer_commit": "cuda__producer_commit",
        "memory_order_relaxed": "0",
        "memory_order_acquire": "0",
        "memory_order_release": "0",
        "memory_order_acq_rel": "0",
        "memory_order_seq_cst": "0",
        "thread_scope_system": "0",
        "thread_scope_device": "0",
        "thread_scope_block": "0",
        "thread_scope_thread": "0",
    },
    "std": {
        **{name: f"functor__{FUNCTORS[name]}" for name in _STANDARD_FUNCTORS},
        "memory_order_relaxed": "0",
        "memory_order_acquire": "0",
        "memory_order_release": "0",
        "memory_order_acq_rel": "0",
        "memory_order_seq_cst": "0",
    },
}

# Sizes after curand_kernel.h.
_RANDOM_STATES = {
    "XORWOW": 48,
    "Philox4_32_10": 64,
    "MRG32k3a": 48,
    "Sobol32": 140,
    "ScrambledSobol32": 140,
    "Sobol64": 536,
    "ScrambledSobol64": 536,
    "Mtgp32": 4120,
}

# Types that arithmetic says nothing about, by name in simplified CUDA C → size in bytes.
OPAQUE_TYPES: dict[str, int] = {
    **{f"cg__{name}": 8 for name in GROUP_TYPES},
    **{f"cuda__{name}": 8 for name in SYNC_TYPES},
    **{f"curandState{name}": size for name, size in _RANDOM_STATES.items()},
    **{f"curandState{name}_t": size for name, size in _RANDOM_STATES.items()},
    "curandState": 48,
    "curandState_t": 48,
    "cub__TempStorage": 1,
    "cub__collective": 1,
    "surface__reference": 8,
}

_FRAGMENT = re.compile(
    r"wmma__fragment__(matrix_a|matrix_b|accumulator)__(\d+)_(\d+)_(\d+)__(\w+?)(?:__(row|col))?$"
)


@dataclass(frozen=True, slots=True)
class Fragment:
    """A warp's share of a matrix: `use` is matrix_a, matrix_b or accumulator; M×N×K its shape."""

    use: str
    m: int
    n: int
    k: int
    element: str
    layout: str | None

    @property
    def rows(self) -> int:
        return self.k if self.use == "matrix_b" else self.m

    @property
    def columns(self) -> int:
        return self.k if self.use == "matrix_a" else self.n

    @property
    def elements_per_thread(self) -> int:
        """`num_elements`; operands of halves are held twice (mma.h)."""
        if self.element in ("half", "__half") and self.use != "accumulator":
            return 16
        return self.rows * self.columns // 32


def fragment_name(use: str, shape: tuple[int, int, int], element: str, layout: str | None) -> str:
    """The name of a fragment's type in simplified CUDA C."""
    m, n, k = shape
    word = re.sub(r"\W+", "_", element)
    return f"wmma__fragment__{use}__{m}_{n}_{k}__{word}" + (f"__{layout}" if layout else "")


def fragment_of(name: str) -> Fragment | None:
    """The fragment that a type's name says; None for other types."""
    match = _FRAGMENT.match(name)
    if match is None:
        return None
    use, m, n, k, element, layout = match.groups()
    return Fragment(use, int(m), int(n), int(k), element, layout)
