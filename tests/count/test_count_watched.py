"""Counts that would take barvinok hours end; what they cannot say is an unknown."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from estimator.algebra.printing import text
from estimator.analysis import analyze
from estimator.count.cardinality import read_set
from estimator.count.watched import TakesTooLongError, watched
from estimator.options import Options

# Divided by more than it is trusted with.
STEPPED = "[n] -> { [i] : 0 <= i < n and (i mod 17 = 0 or i mod 19 = 0 or i mod 23 = 3) }"


def test_an_answer_comes_back_as_it_is() -> None:
    points = read_set(STEPPED)
    assert watched(points, lambda: {"a": (1, 2)}) == {"a": (1, 2)}


def _wait() -> int:
    start = time.process_time()
    while time.process_time() < start + 60:
        pass
    return 1


def _fail() -> int:
    raise KeyError("no")


@pytest.mark.parametrize(("count", "error"), [(_wait, TakesTooLongError), (_fail, KeyError)])
def test_errors(count: Callable[[], int], error: type[Exception]) -> None:
    with pytest.raises(error):
        watched(read_set(STEPPED), count)


HASH = """__global__ void k(float *x, float *y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, h = i * 2654435761u;
    y[(h >> 20) & 63] += 1.0f;
}
"""


def test_places_of_a_hash_are_gone_through(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(HASH)
    (kernel,) = analyze(str(path), Options(launches=("grid=(2) block=(32)",))).kernels
    places = {((i * 2654435761) % 2**32 >> 20) & 63 for i in range(64)}
    assert text(kernel.bytes.by_array["y"].compulsory.formula) == str(8 * len(places))


GOTO = """__global__ void k(float *x, float *y, int n, int m) {
    int i = threadIdx.x;
    if (i >= n) goto end;
    for (int k = 0; k < m; k++) {
        for (int l = k; l < m; l++) {
            if (l * k > i) goto next;
            if (l - k > 9) goto end;
            x[l * m + k] += y[i];
        }
    next: x[k] *= 2.0f;
    }
end: x[i] = 1.0f;
}
"""


def test_jumps_out_of_loops_that_are_run_through(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(GOTO)
    start = time.process_time()
    options = Options(launches=("grid=(1) block=(32)",), values={"n": 3, "m": 7})
    (kernel,) = analyze(str(path), options).kernels
    assert time.process_time() - start < 10
    # All l of k = 0, for i >= 1 that of k = 1 and l = 1, for i = 2 also l = 2; 7 times doubled.
    assert kernel.grid.flops["fp32"].value in (3 * 7 + 1 + 2 + 3 * 7, None)


STRIDES = """__global__ void k(const float *in, float *out, long long n) {
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = 2.0f * in[i];
}
"""


def test_strides_beyond_any_gpu_end(tmp_path: Path) -> None:
    """A find of the fuzzer: blocks of a million threads, 2^31 of them."""
    path = tmp_path / "k.cu"
    path.write_text(STRIDES)
    launch = "grid=(2147483648) block=(1000000)"
    (file,) = analyze(str(path), Options(launches=(launch,))).files
    assert len(file.kernels) == 1
    assert {one.code.id for one in file.diagnostics} == {"K402"}
