"""What CUB's collective operations do, in simplified CUDA C.

After CUB's sources (cub/block/specializations and cub/warp/specializations of CCCL 2.x) for the
default algorithms: block_reduce_warp_reductions.cuh, warp_reduce_shfl.cuh, warp_scan_shfl.cuh,
block_scan_raking.cuh. A function's name ends in the number of arguments that people give; the
class's numbers follow these: threads, then items per thread. In the steps of a warp every lane
counts, also one whose result is not used.
"""

from __future__ import annotations

import re

_TYPE = "typedef deduced__ cub__T;"

_LINEAR = """\
[[cuda::device]] int cub__thread(void)
{
    return cg__thread_rank(cg__this_thread_block());
}"""

_WARP_REDUCE = """\
[[cuda::device]] cub__T cub__warp_reduce(cub__T value, cub__O op, int width)
{
    for (int offset = 1; offset < width; offset *= 2)
        value = functor__apply(op, value, __shfl_down_sync(0xffffffff, value, offset));
    return value;
}"""

_BLOCK_REDUCE = """\
[[cuda::device]] cub__T cub__block_reduce(cub__T value, cub__O op, int threads)
{
    [[cuda::shared]] cub__T aggregates[32];
    int thread = cub__thread();
    value = cub__warp_reduce(value, op, threads < 32 ? threads : 32);
    if (thread % 32 == 0)
        aggregates[thread / 32] = value;
    __syncthreads();
    if (thread == 0) {
        for (int warp = 1; warp < (threads + 31) / 32; ++warp)
            value = functor__apply(op, value, aggregates[warp]);
    }
    return value;
}"""

_THREAD_REDUCE = """\
[[cuda::device]] cub__T cub__thread_reduce(cub__T *items, cub__O op, int count)
{
    cub__T value = items[0];
    for (int item = 1; item < count; ++item)
        value = functor__apply(op, value, items[item]);
    return value;
}"""

# An inclusive scan of a warp; `exclusive` gets what the lane before has.
_WARP_SCAN = """\
[[cuda::device]] cub__T cub__warp_scan(cub__T value, cub__O op, int width)
{
    for (int offset = 1; offset < width; offset *= 2)
        value = functor__apply(op, __shfl_up_sync(0xffffffff, value, offset), value);
    return value;
}"""

_BLOCK_SCAN = """\
[[cuda::device]] cub__T cub__block_scan(cub__T value, cub__O op, int exclusive, int threads)
{
    [[cuda::shared]] cub__T grid[1024];
    int thread = cub__thread();
    int segment = (threads + 31) / 32;
    grid[thread] = value;
    __syncthreads();
    if (thread < 32 && thread < threads) {
        cub__T partial = grid[thread * segment];
        for (int item = 1; item < segment; ++item)
            partial = functor__apply(op, partial, grid[thread * segment + item]);
        partial = cub__warp_scan(partial, op, threads < 32 ? threads : 32);
        partial = __shfl_up_sync(0xffffffff, partial, 1);
        for (int item = 0; item < segment; ++item) {
            cub__T next = functor__apply(op, partial, grid[thread * segment + item]);
            grid[thread * segment + item] = exclusive ? partial : next;
            partial = next;
        }
    }
    __syncthreads();
    return grid[thread];
}"""

_BASE = {
    "cub__T": _TYPE,
    "cub__O": "typedef deduced__ cub__O;",
    "cub__thread": _LINEAR,
    "cub__warp_reduce": _WARP_REDUCE,
    "cub__block_reduce": _BLOCK_REDUCE,
    "cub__thread_reduce": _THREAD_REDUCE,
    "cub__warp_scan": _WARP_SCAN,
    "cub__block_scan": _BLOCK_SCAN,
}


def _reduction(name: str, body: str, parameters: str) -> str:
    return f"[[cuda::device]] cub__T {name}({parameters})\n{{\n    return {body};\n}}"


def _reductions() -> dict[str, str]:
    found: dict[str, str] = {}
    value, items = "cub__T value", "cub__T *items"
    for kind, core in (("Block", "cub__block_reduce"), ("Warp", "cub__warp_reduce")):
        base, last = f"cub__{kind}Reduce", "int threads"
        sum_, reduce_ = f"{base}__Sum", f"{base}__Reduce"
        plus, given = "functor__plus", "cub__O op"
        for name, parameters, op in (
            (f"{sum_}__1", f"{value}, {last}", plus),
            (f"{sum_}__2", f"{value}, int valid, {last}", plus),
            (f"{reduce_}__2", f"{value}, {given}, {last}", "op"),
            (f"{reduce_}__3", f"{value}, {given}, int valid, {last}", "op"),
        ):
            found[name] = _reduction(name, f"{core}(value, {op}, threads)", parameters)
    for name, parameters, op in (
        ("cub__BlockReduce__Sum__1_items", items, "functor__plus"),
        ("cub__BlockReduce__Reduce__2_items", f"{items}, cub__O op", "op"),
    ):
        one = f"cub__thread_reduce(items, {op}, count)"
        body = f"cub__block_reduce({one}, {op}, threads)"
        found[name] = _reduction(name, body, f"{parameters}, int threads, int count")
    return found


def _scan(name: str, kind: str, op: str, parameters: str, extra: str) -> str:
    exclusive = int("Exclusive" in name)
    if kind == "Block":
        core = f"out = cub__block_scan(value, {op}, {exclusive}, threads);"
    else:
        core = f"out = cub__warp_scan(value, {op}, threads);"
        if exclusive:
            core += "\n    out = __shfl_up_sync(0xffffffff, out, 1);"
    out = "[[cuda::reference]] cub__T out"
    return (
        f"[[cuda::device]] void {name}(cub__T value, {out}{parameters}, int threads)\n"
        f"{{\n    {core}{extra}\n}}"
    )


def _scans() -> dict[str, str]:
    found: dict[str, str] = {}
    for kind in ("Block", "Warp"):
        for which in ("Exclusive", "Inclusive"):
            base = f"cub__{kind}Scan__{which}"
            total = ", [[cuda::reference]] cub__T total"
            # The last thread's sum is read back by all.
            if kind == "Block":
                extra = "\n    [[cuda::shared]] cub__T last[1];\n    total = last[0];"
            else:
                extra = "\n    total = __shfl_sync(0xffffffff, out, threads - 1);"
            sum_, scan = f"{base}Sum", f"{base}Scan"
            plus, op = "functor__plus", ", cub__O op"
            found[f"{sum_}__2"] = _scan(f"{sum_}__2", kind, plus, "", "")
            found[f"{sum_}__3"] = _scan(f"{sum_}__3", kind, plus, total, extra)
            found[f"{scan}__3"] = _scan(f"{scan}__3", kind, "op", op, "")
            if which == "Exclusive":
                first = ", cub__T first, cub__O op"
                found[f"{scan}__4"] = _scan(f"{scan}__4", kind, "op", first, "")
    return found


def _transfers() -> dict[str, str]:
    found: dict[str, str] = {}
    ends = ", int threads, int count"
    place = "cub__thread() * count + item"
    guarded = f"if ({place} < valid)\n            "
    for name, parameters, guard in (
        ("cub__BlockLoad__Load__2", "", ""),
        ("cub__BlockLoad__Load__3", ", int valid", f"if ({place} < valid)\n            "),
        (
            "cub__BlockLoad__Load__4",
            ", int valid, cub__T fill",
            f"if ({place} < valid)\n            ",
        ),
    ):
        found[name] = (
            f"[[cuda::device]] void {name}(cub__T *from, cub__T *items{parameters}{ends})\n"
            "{\n    for (int item = 0; item < count; ++item)\n"
            f"        {guard}items[item] = from[{place}];\n}}"
        )
    for name, parameters, guard in (
        ("cub__BlockStore__Store__2", "", ""),
        ("cub__BlockStore__Store__3", ", int valid", guarded),
    ):
        found[name] = (
            f"[[cuda::device]] void {name}(cub__T *to, cub__T *items{parameters}{ends})\n"
            "{\n    for (int item = 0; item < count; ++item)\n"
            f"        {guard}to[{place}] = items[item];\n}}"
        )
    return found


# name → text of an item of simplified CUDA C.
SOURCES: dict[str, str] = {**_BASE, **_reductions(), **_scans(), **_transfers()}
_WORD = re.compile(r"\bcub__\w+")


def needs(name: str) -> list[str]:
    """The items that a function needs, itself last; none for a function that is not here."""
    if name not in SOURCES:
        return []
    found: list[str] = []
    for word in dict.fromkeys(_WORD.findall(SOURCES[name])):
        if word != name:
            found.extend(needed for needed in needs(word) if needed not in found)
    return [*found, name]
