"""Verdicts over sizes, unknowns, mixed precisions and special functions."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from handmade import N, count, dot, hash_int, judged
from hypothesis import given, settings
from hypothesis import strategies as st

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.cases import Cases, Sum
from estimator.algebra.condition import nonnegative
from estimator.algebra.integer import floor_divide
from estimator.algebra.poly import ZERO, Poly, symbol
from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.gpus import find_gpu
from estimator.options import Options
from estimator.report.model import Count
from estimator.roofline.turn import last_turn
from estimator.roofline.verdict import Bound, Work, judge

L40S = find_gpu("l40s")
TRIPS = Poly.of(Symbol("trips@5", Role.UNKNOWN))


def work(flops=ZERO, moved=ZERO, special=ZERO, **precisions) -> Work:
    counts = {"fp32": count(flops), **{name: count(value) for name, value in precisions.items()}}
    return Work(counts, count(special), count(moved), count(moved))


def text(kernel: Work, values=None, bounds=None) -> str:
    return judge(kernel, L40S, values, bounds).compulsory.text


def test_intensity_that_falls_turns_the_other_way() -> None:
    # 250/N FLOP/B against 106: 125 at N = 2, 83 at N = 3.
    assert text(work(1000 * N, 4 * N**2)) == "memory-bound from N = 3"


def test_below_and_above_the_ridge_for_all_sizes() -> None:
    assert text(work(100 * N, N)) == "memory-bound"
    assert text(work(107 * N, N)) == "compute-bound"


def test_sizes_that_divide_evenly_decide_where_the_exact_formula_shows_nothing() -> None:
    # A lone thread in a block of 256: 1024 FLOPs for 4 bytes; whole blocks: 1 FLOP/B.
    flops = 1024 * floor_divide(N + 255, Poly.of(256))
    kernel = Work({"fp32": Count(4 * N, flops)}, count(ZERO), count(4 * N), count(4 * N))
    assert text(kernel) == "memory-bound"
    assert text(kernel, {"N": 1}) == "compute-bound"


def test_a_jagged_turn_is_where_all_larger_sizes_agree() -> None:
    def state(size: int) -> bool:
        return size > 100 or size in (70, 71, 90)

    assert last_turn(state, 12) == (True, 101)
    assert last_turn(lambda size: not state(size), 12) == (False, 101)
    assert last_turn(lambda _: True, 12) == (True, None)
    assert last_turn(lambda _: None, 12) == (None, None)


def test_several_sizes_depend_on_each_other_unless_no_size_matters() -> None:
    m, k = symbol("M"), symbol("K")
    product = work(2 * m * k * N, 4 * (m * k + k * N + m * N))
    assert text(product) == "compute-bound for large K, M, N"
    assert text(product, {"M": 4096, "N": 4096}).startswith("compute-bound from K = ")
    assert text(product, {"M": 4096, "N": 4096, "K": 4096}) == "compute-bound"
    assert text(work(2 * m * k, 4 * m * k + 4 * k)) == "memory-bound"
    found = judge(product, L40S)
    assert found.compulsory.large == "K, M, N"
    assert not found.reuse_decides


def test_unknowns_that_only_move_the_turn_decide_nothing() -> None:
    # At most 11 N + 1664 FLOPs for 8 N bytes: 209 FLOP/B at N = 1, 105 at N = 2, ridge 106.
    p = Poly.of(Symbol("p@5", Role.UNKNOWN))
    kernel = work(11 * N + 1664 - 1600 * p, 8 * N)
    assert text(kernel, bounds={"p@5": (ZERO, Poly.of(1))}) == "memory-bound from N = 2"


def test_sizes_that_are_not_in_the_intensity_are_not_named() -> None:
    m, row = symbol("M"), symbol("row")
    moved = m * N - m - N
    exact = Cases(((nonnegative(row - m), moved), (nonnegative(m - row - 1), m * N)))
    flops = count(100 * (m - 2) * (N - 2))
    kernel = Work({"fp32": flops}, count(ZERO), count(moved), Count(moved, exact))
    assert text(kernel) == "memory-bound for large M, N"


def test_unknowns_that_cancel_out_decide_nothing() -> None:
    p = Poly.of(Symbol("p@5", Role.UNKNOWN))
    pieces = ((nonnegative(N - 4), 12 * N + 4 * p), (nonnegative(N - 5), -4 * p))
    exact = Sum(tuple(Cases((piece,)) for piece in pieces))
    kernel = Work({"fp32": count(15 * N)}, count(ZERO), count(12 * N), Count(12 * N, exact))
    assert judge(kernel, L40S).requested.text == "memory-bound"
    assert text(kernel).startswith("memory-bound")


def test_sizes_of_the_launch_stay_small() -> None:
    verdict = judged(dot(), "h100-sxm").gpus["h100-sxm"]
    assert verdict.requested.text == "memory-bound for large N"
    given_n = judged(dot(), "l40s", N=10**8).gpus["l40s"]
    assert given_n.compulsory.bound is Bound.MEMORY
    assert given_n.compulsory.turn_bound is Bound.COMPUTE


@pytest.mark.parametrize(
    ("upper", "expected"),
    [(10, "memory-bound"), (1000, "depends on trips@5"), (None, "depends on trips@5")],
)
def test_unknowns_decide_unless_both_ends_agree(upper: int | None, expected: str) -> None:
    kernel = work(2 * TRIPS * N, 8 * N)
    bounds = {"trips@5": (ZERO, None if upper is None else Poly.of(upper))}
    assert text(kernel, None, bounds) == expected
    assert text(kernel, {"trips@5": 1000}, bounds) == "compute-bound"


def test_unknowns_up_to_a_size() -> None:
    # At most N trips of 2 FLOPs for 8 bytes: 2N/8 reaches 106 at N = 425, no trips never do.
    kernel = work(2 * TRIPS * N, 8 * N)
    assert text(kernel, None, {"trips@5": (ZERO, N)}) == "depends on trips@5"
    assert text(kernel, {"N": 400}, {"trips@5": (ZERO, N)}) == "memory-bound"


def test_traffic_that_grows_with_the_unknown_needs_no_value() -> None:
    assert text(work(2 * TRIPS * N, 12 * TRIPS * N + 12 * N)) == "memory-bound"


def test_precisions_add_up() -> None:
    verdict = judge(work(N, N, fp64=N), L40S, {"N": 10**6})
    assert verdict.numbers is not None
    assert verdict.numbers.compute_time_s == pytest.approx(1e6 / 91.60704e12 + 1e6 / 1.43136e12)
    assert verdict.unit == "fp64"
    assert verdict.ridge_flop_per_byte == pytest.approx(3.26236, rel=1e-4)
    assert set(verdict.ridges_flop_per_byte) == {"fp32", "fp64"}
    assert any("issue slots" in note for note in verdict.notes)


def test_special_functions_are_a_unit_of_their_own() -> None:
    # 16 a clock on 142 SMs at 2.52 GHz: 5.725e12/s.
    verdict = judge(work(2 * N, 8 * N, 100 * N), L40S, {"N": 10**6})
    assert verdict.compulsory.text == "compute-bound"
    assert verdict.unit == "special"
    assert verdict.numbers is not None
    assert verdict.numbers.compute_time_s == pytest.approx(1e8 / 5.72544e12)
    assert text(work(2 * N, 8 * N, 10 * N)) == "memory-bound"


def test_no_flops_and_no_bytes() -> None:
    verdict = judged(hash_int(), "l40s").gpus["l40s"]
    assert verdict.compulsory.text == "memory-bound"
    assert verdict.notes == ("no floating-point work; integer work is not modelled",)
    assert verdict.unit is None
    assert text(work(N, ZERO)) == "compute-bound"
    assert text(work()) == "undecided: no FLOPs and no global traffic"
    assert text(work(N, N), {"N": 0}) == "undecided: nothing runs at these sizes"


def test_profile_without_the_peak_that_is_needed(tmp_path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "Mine"\nfp32_tflops = 60\nbandwidth_gb_s = 1000\n')
    profile = find_gpu(str(path))
    verdict = judge(work(fp64=N, moved=N), profile, {"N": 9})
    assert verdict.compulsory.text == "undecided: the GPU's profile gives no FP64 peak"
    assert verdict.numbers is None
    with_special = judge(work(N, N, N), profile)
    assert with_special.compulsory.text == "memory-bound"
    assert "no rate" in with_special.notes[0]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=4),
    st.lists(st.integers(0, 900), min_size=1, max_size=4),
)
def test_the_turn_is_where_counting_finds_it(flops: list[int], moved: list[int]) -> None:
    def poly(coefficients: list[int]) -> Poly:
        return sum((c * N**power for power, c in enumerate(coefficients)), ZERO)

    def at(coefficients: list[int], n: int) -> int:
        return sum(c * n**power for power, c in enumerate(coefficients))

    if not any(flops) or not any(moved):
        return
    ridge = Fraction(L40S.peak_flops_per_s()) / Fraction(L40S.bandwidth_bytes_per_s)
    sizes = range(1, 4000)
    states = [at(flops, n) >= ridge * at(moved, n) for n in sizes]
    found = judge(work(poly(flops), poly(moved)), L40S).compulsory
    changes = sum(left != right for left, right in zip(states, states[1:], strict=False))
    if found.turns_at.get("N", 0) < 3900 and changes <= 1:
        assert (found.bound is Bound.COMPUTE) == states[-1]
        if changes:
            assert found.turns_at == {"N": states.index(states[-1], 1) + 1}


def test_tensor_cores_are_a_unit_of_their_own() -> None:
    # 362.05 TFLOP/s dense beside 91.6 of the vector units.
    verdict = judge(work(N, 8 * N, tensor_fp16=100 * N), L40S, {"N": 10**6})
    assert verdict.unit == "tensor_fp16"
    assert verdict.numbers is not None
    assert verdict.numbers.compute_time_s == pytest.approx(1e8 / 362.05e12)
    assert verdict.ridges_flop_per_byte["tensor_fp16"] == pytest.approx(419.04, rel=1e-4)
    assert not any("issue slots" in note for note in verdict.notes)
    # 101 FLOPs in the time of 100 tensor FLOPs
    assert verdict.ridge_flop_per_byte == pytest.approx(419.04 * 1.01, rel=1e-4)


def test_a_tensor_format_without_a_peak_decides_nothing() -> None:
    verdict = judge(work(0 * N, 8 * N, tensor_b1=100 * N), L40S)
    assert verdict.compulsory.text == "undecided: the GPU's profile gives no tensor B1 peak"


def test_sums_in_fp16_have_their_own_rate_where_a_profile_gives_one() -> None:
    rtx = find_gpu("rtx4090")
    slow, fast = (
        rtx.work_peak_flops_per_s("tensor_fp16"),
        rtx.work_peak_flops_per_s("tensor_fp16_acc16"),
    )
    assert slow is not None
    assert fast is not None
    assert fast == pytest.approx(2 * slow, rel=0.01)


SIGNS = """__global__ void k(const int *f, const float *v, float *out, int n)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float r = 1.0f;
    if (f[i] == 0) {{ {one} }} else {{ r = v[i]; {other} }}
    out[i] = r;
}}
void run(const int *a, const float *v, float *o, int n) {{ k<<<n / 256, 256>>>(a, v, o, n); }}
"""


@pytest.mark.parametrize(
    ("one", "other", "intensity", "bound"),
    [
        # Of 12 bytes (8 in a share p) 2 FLOPs: at most 1/6 FLOP/B.
        ("r = 5.0f;", "r = r * 3.0f + 1.0f;", "(1 - p_5)/(6 - 2*p_5)", "memory-bound"),
        # 20,000 FLOPs or 10,000, and 12 bytes or 8: at least 1,250 FLOP/B.
        (
            "for (int j = 0; j < 5000; j++) r = r * 1.5f + 2.0f;",
            "for (int j = 0; j < 10000; j++) r = r * 3.0f + 1.0f;",
            "(5000 - 2500*p_5)/(3 - p_5)",
            "compute-bound",
        ),
    ],
)
def test_shares_change_no_sign(
    tmp_path: Path, one: str, other: str, intensity: str, bound: str
) -> None:
    """A share in the bytes of an intensity: whatever it is, the verdict is the same."""
    file = tmp_path / "k.cu"
    file.write_text(SIGNS.format(one=one, other=other))
    (kernel,) = analyze(str(file), Options(gpus=(find_gpu("l40s"),))).kernels
    assert sympy_text(kernel.intensities.requested.formula) == intensity
    verdict = kernel.gpus["l40s"]
    assert (verdict.compulsory.text, verdict.requested.text) == (bound, bound)


def test_a_bound_that_holds_another_unknown_decides(tmp_path: Path) -> None:
    """At most 3 FLOPs for 8 bytes, and up to 2n - n*p elements more: memory-bound at any p."""
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(const int *nbr, const float *v, float *out, int n) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    float f = 0;\n"
        "    switch (nbr[i]) {\n        case -1: f += v[i]; break;\n"
        "        case -2: f += v[i] * 3.0f;\n        default: f += v[nbr[i]] * 2.0f + v[i];\n"
        "    }\n    out[i] = f;\n}\n"
        "void run(const int *a, const float *v, float *o, int n) { k<<<n / 256, 256>>>(a, v, o, n); }\n"
    )
    (kernel,) = analyze(str(file), Options(gpus=(find_gpu("l40s"),))).kernels
    assert kernel.gpus["l40s"].compulsory.text == "memory-bound"
