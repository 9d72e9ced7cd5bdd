"""What a launch's own numbers deny is not assumed: windows that overlap."""

from __future__ import annotations

from pathlib import Path

from estimator.analysis import analyze
from estimator.options import Options

SOURCE = """struct Pair { float re, im; };
__global__ void k(const Pair *in, Pair *out, int n, int taps, int step) {
    int o = blockIdx.x * blockDim.x + threadIdx.x;
    if (o >= n) return;
    float re = 0, im = 0;
    for (int t = 0; t < taps; t++) {
        re += in[o * step + t].re;
        im += in[o * step + t].im;
    }
    out[o] = {re, im};
}
void run(const Pair *in, Pair *out, int n) { k<<<(n + 127) / 128, 128>>>(in, out, n, 64, 8); }
"""


def test_rows_that_the_launch_lets_overlap(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(SOURCE)
    (kernel,) = analyze(str(path)).kernels
    messages = [one.message for one in kernel.assumptions]
    assert not any("do not overlap" in one for one in messages)
    assert "step = 8, as launched; taps = 64, as launched" in messages
    # 8 ((n - 1) 8 + 64) bytes at n = 128; rows apart would have 8 * 64 n.
    values = {"n": 128, "taps": 64, "step": 8}
    (kernel,) = analyze(str(path), Options(values=values)).kernels
    assert kernel.bytes.by_array["in"].compulsory.value == 8 * (127 * 8 + 64)
