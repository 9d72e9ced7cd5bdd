"""Exit statuses, messages and what is loaded, seen from outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MATMUL = "samples/matmul.cu"
HEAVY = ("sympy", "islpy", "rich", "tree_sitter", "pcpp", "networkx", "tomllib", "pycparser")
HEAVY += ("joblib", "distributed", "email")  # the last comes with a package's metadata


def kcost(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "estimator", *arguments],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "80", **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def loaded(*arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "estimator", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    names = (line.rpartition("|")[2].strip() for line in done.stderr.splitlines())
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("arguments", [("--version",), ("--help",), ("analyze", "--help")])
def test_starting_up_loads_nothing_heavy(arguments: tuple[str, ...]) -> None:
    assert loaded(*arguments).isdisjoint(HEAVY)


def test_a_checkout_works_without_being_installed() -> None:
    code = (
        "import sys; sys.meta_path = [f for f in sys.meta_path if 'editable' not in repr(f).lower()];"
        f"sys.path[:] = [{str(ROOT)!r}, *(p for p in sys.path if 'editable' not in p)];"
        "from estimator.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, "analyze", str(ROOT / MATMUL), "--format", "hint"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT.parent, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "N/6 FLOP/B" in done.stdout


def test_a_piped_analysis_loads_neither_sympy_nor_rich() -> None:
    assert loaded("analyze", MATMUL, "--gpu", "l40s").isdisjoint({"sympy", "rich", "networkx"})


def test_version_and_help() -> None:
    assert kcost("--version").stdout.startswith("kcost ")
    shown = kcost("--help")
    assert shown.returncode == 0
    assert all(command in shown.stdout for command in ("analyze", "gpus", "simplify"))


def test_the_worked_example() -> None:
    done = kcost("analyze", MATMUL, "--gpu", "l40s", "--format", "hint")
    assert done.returncode == 0, done.stderr
    assert "2N FLOPs/thread, N/6 FLOP/B, compute-bound from N = 637 on L40S" in done.stdout
    assert done.stderr == ""


def test_values_in_every_spelling() -> None:
    for spelling in ("4096", "4_096", "2**12", "4.096e3", "0x1000"):
        done = kcost("analyze", MATMUL, "-D", f"N={spelling}", "--format", "json")
        assert done.returncode == 0, done.stderr
        kernel = json.loads(done.stdout)["files"][0]["kernels"][0]
        assert kernel["values"]["grid"]["flops"]["fp32"] == 137_438_953_472


def test_true_and_false_are_values_of_parameters(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text("__global__ void k(float *x, bool on) { if (on) x[threadIdx.x] *= 2; }")
    for value, flops in (("true", 1), ("false", 0)):
        done = kcost("analyze", str(file), "-D", f"on={value}", "--format", "json")
        kernel = json.loads(done.stdout)["files"][0]["kernels"][0]
        assert kernel["values"]["per_thread"]["flops"].get("fp32", 0) == flops


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("analyze", MATMUL, "--gpu", "l40x"), ("l40x", "l40s", "K501")),
        (("analyze", MATMUL, "--gpu", "h100"), ("h100-sxm", "h100-pcie", "K501")),
        (("analyze", MATMUL, "--gpu", ""), ("empty", "K501")),
        (("analyze", MATMUL, "--gpu", "./no.toml"), ("no.toml", "K502")),
        (("analyze", MATMUL, "-D", "N=abc"), ("'abc' is not a number", "K504")),
        (("analyze", MATMUL, "-D", "N"), ("NAME=VALUE", "K504")),
        (("analyze", MATMUL, "--set", "p@1=true"), ("'true' is not a number", "K504")),
        (("analyze", MATMUL, "-D", "N=1.5"), ("not an integer", "K504")),
        (("analyze", MATMUL, "-D", "N=3e9"), ("-D N=3000000000", "int", "K506")),
        (("analyze", MATMUL, "-D", "n=4"), ("'n'", "nearest: N", "K503")),
        (("analyze", MATMUL, "--set", "trips@3=4"), ("trips@3", "K503")),
        (("analyze", MATMUL, "--kernel", "matmull"), ("matmull", "nearest: matmul", "K505")),
        (("analyze", MATMUL, "--launch", "other: grid=(1) block=(1)"), ("other", "K505")),
        (("analyze", MATMUL, "--launch", "matmul: grid=(N"), ("--launch", "K401")),
        (("analyze", MATMUL, "--macro", "1x=2"), ("1x", "K504")),
        (("analyze",), ("FILE",)),
        (("analyze", MATMUL, "--format", "xml"), ("xml",)),
        (("gpus", "l4000"), ("l4000", "K501")),
        (("nonsense",), ("nonsense",)),
    ],
)
def test_wrong_usage_is_one_message_and_status_2(
    arguments: tuple[str, ...], parts: tuple[str, ...]
) -> None:
    done = kcost(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    for part in parts:
        assert part in done.stderr


SWITCH = """__global__ void k(const int *kind, const float *y, float *x, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    switch (kind[i]) {
    case 0: x[i] = y[kind[i]]; break;
    case 1: x[i] += 1.0f; break;
    }
    for (int j = 0; j < kind[i]; j++) x[i] += 2.0f;
}
"""


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ("p@5=1.2", "p@5=1.2: in k it is at most 1"),
        ("p_5=1.2", "p@5=1.2: in k it is at most 1"),
        ("p@6=-1/4", "p@6=-0.25: in k it is at least 0"),
        ("trips@8=-3", "trips@8=-3: in k it is at least 0"),
        ("p@5=0.9 p@6=0.9", "p@6=0.9: in k it is at most 0.1 beside p@5 = 0.9: together they"),
        # Each of the 1,024 threads reads one element of y at most.
        ("p@5=0.5 distinct_y@5=513", "distinct_y@5=513: in k it is at most 512"),
    ],
)
def test_unknowns_out_of_their_bounds_are_wrong_usage(
    tmp_path: Path, values: str, said: str
) -> None:
    path = tmp_path / "k.cu"
    path.write_text(SWITCH)
    settings = [f"--set={value}" for value in values.split()]
    done = kcost("analyze", str(path), "-D", "n=1024", *settings)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"--set {said}" in " ".join(done.stderr.split())
    assert "K507" in done.stderr


def test_values_at_the_bounds_are_right_and_other_kernels_go_on(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(SWITCH)
    settings = [f"--set={v}" for v in ("p@5=0.5", "p@6=0.5", "trips@8=0", "distinct_y@5=512")]
    assert kcost("analyze", str(path), "-D", "n=1024", *settings).returncode == 0
    nothing = [f"--set={v}" for v in ("p@5=0", "distinct_y@5=0")]
    assert kcost("analyze", str(path), "-D", "n=1024", *nothing).returncode == 0
    path.write_text(SWITCH + "__global__ void other(float *x) { x[threadIdx.x] = 1.0f; }")
    done = kcost("scan", str(path), "--set", "p@5=2", "--format", "json", "--no-cache")
    report = json.loads(done.stdout)
    assert [kernel["name"] for kernel in report["kernels"]] == ["other"]
    assert [(lost["name"], lost["code"]) for lost in report["not_analysed"]] == [("k", "K507")]


def test_bad_files_are_reported_beside_the_good_ones(tmp_path: Path) -> None:
    (tmp_path / "empty.cu").write_text("")
    (tmp_path / "latin.cu").write_bytes(b"// caf\xe9\n__global__ void k(int n) {}\n")
    (tmp_path / "binary.cu").write_bytes(b"\x7fELF\0\0")
    (tmp_path / "host.cu").write_text("int main() { return 0; }\n")
    paths = [str(tmp_path / name) for name in ("empty.cu", "latin.cu", "binary.cu", "host.cu")]
    done = kcost("analyze", *paths, str(tmp_path / "missing.cu"), MATMUL, "--format", "json")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    files = json.loads(done.stdout)["files"]
    codes = [file["diagnostics"][0]["code"] for file in files[:5]]
    assert codes == ["K103", "K105", "K104", "K106", "K101"]
    assert [kernel["name"] for kernel in files[5]["kernels"]] == ["matmul"]


def test_errors_name_the_kernels_that_they_cost(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        "__device__ float sq(float v) { return v * v +; }\n"
        "__global__ void a(float *x) { x[threadIdx.x] = sq(x[threadIdx.x]); }\n"
        "__global__ void b(float *x) { x[threadIdx.x] = 2.0f; }\n"
        "__global__ void c(float *x) { x[threadIdx.x] = *new float(2); }\n"
    )
    files = json.loads(kcost("analyze", str(path), "--format", "json").stdout)["files"]
    assert [kernel["name"] for kernel in files[0]["kernels"]] == ["b"]
    assert [found["lost"] for found in files[0]["diagnostics"]] == [["a"], ["c"]]
    for format_ in ("text", "hint", "markdown", "latex"):
        shown = " ".join(kcost("analyze", str(path), "--format", format_).stdout.split())
        assert "(not analysed: a)" in shown
        assert "(not analysed: c)" in shown


def test_an_encoding_without_formulas_gets_ascii() -> None:
    done = kcost("analyze", MATMUL, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert "N/(4*N + 2) -> 1/4" in done.stdout


def test_a_closed_pipe_is_silent() -> None:
    command = f"{sys.executable} -m estimator gpus --format json | head -1"
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "{\n"
    assert done.stderr == ""


def test_simplify() -> None:
    done = kcost("simplify", MATMUL)
    assert done.returncode == 0
    assert "[[cuda::global]] void matmul(" in done.stdout
    missing = kcost("simplify", "nowhere.cu")
    assert missing.returncode == 1
    assert "K101" in missing.stderr


def test_gpus() -> None:
    listed = kcost("gpus")
    lines = listed.stdout.splitlines()
    assert max(len(line) for line in lines) <= 80
    assert sum(line.startswith("  ") for line in lines) >= 41
    assert any(line.split()[0] == "l40s" and "91.6" in line for line in lines if line.strip())
    one = kcost("gpus", "L40S")
    assert "NVIDIA L40S" in one.stdout
    assert "datasheet" in one.stdout
    found = json.loads(kcost("gpus", "l40s", "--format", "json").stdout)
    assert found["peak_flops_per_s"]["fp32"] == pytest.approx(91.6e12, rel=1e-3)
    assert len(json.loads(kcost("gpus", "--format", "json").stdout)["gpus"]) == 40


def test_a_folder_points_to_scan(tmp_path: Path) -> None:
    done = kcost("analyze", str(tmp_path))
    assert done.returncode == 1
    assert f"kcost scan {tmp_path} reports all kernels" in " ".join(done.stdout.split())
