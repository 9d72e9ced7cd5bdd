"""Scans as processes: two at once, damage in mid-run, interruption, what a warm run loads."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from scanning import add, command, environment, found, kcost, names, tree

FILES = {f"f{n:02}.cu": add(f"a{n}", f"b{n}") for n in range(10)}


def start(root: Path, cache: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(".", "--format", "json", *arguments),
        cwd=root,
        env=environment(cache),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell has what it starts in the background ignore interrupts, and that is inherited.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def test_two_scans_at_once_share_a_cache(tmp_path: Path) -> None:
    root, cache = tree(tmp_path / "tree", FILES), tmp_path / "cache"
    both = [start(root, cache, "--jobs", "2") for _ in range(2)]
    outputs = [one.communicate(timeout=300) for one in both]
    assert [one.returncode for one in both] == [0, 0]
    assert [error for _, error in outputs] == ["", ""]
    results = [json.loads(output) for output, _ in outputs]
    assert results[0] == results[1]
    assert len(results[0]["kernels"]) == 20
    assert found(root, cache) == results[0]
    assert not list(cache.rglob("*.new"))


def test_damage_in_mid_run_changes_nothing(tmp_path: Path) -> None:
    root, cache = tree(tmp_path / "tree", FILES), tmp_path / "cache"
    expected = found(root, tmp_path / "other", "--no-cache")
    over = threading.Event()

    def damage() -> None:
        turn = 0
        while not over.is_set():
            turn += 1
            for path in list(cache.rglob("*")):
                try:
                    if turn % 2 and path.is_file():
                        path.write_bytes(b"rubbish")
                except OSError:
                    pass
            if turn % 2 == 0:
                shutil.rmtree(cache, ignore_errors=True)
            time.sleep(0.002)

    vandal = threading.Thread(target=damage)
    vandal.start()
    try:
        for _ in range(2):
            assert found(root, cache) == expected
    finally:
        over.set()
        vandal.join()


def test_a_warm_run_loads_nothing_heavy(tmp_path: Path) -> None:
    root, cache = tree(tmp_path / "tree", {"a.cu": add("k")}), tmp_path / "cache"
    cold = found(root, cache, "--gpu", "l40s")
    done = subprocess.run(
        [
            sys.executable,
            "-X",
            "importtime",
            *command(".", "--format", "json", "--gpu", "l40s")[1:],
        ],
        cwd=root,
        env=environment(cache),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == cold
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    packages = {name.partition(".")[0] for name in loaded}
    heavy = {"sympy", "islpy", "joblib", "distributed", "dask", "tree_sitter", "pcpp", "rich"}
    assert packages.isdisjoint(heavy | {"networkx", "pycparser"})


def test_a_scan_that_is_interrupted_ends_at_once(tmp_path: Path) -> None:
    # So many that the scan is not over before it is interrupted.
    files = {**FILES, **{f"more{n}.cu": add(f"more{n}") for n in range(300)}}
    root, cache = tree(tmp_path / "tree", files), tmp_path / "cache"
    running = start(root, cache, "--jobs", "2")
    entries = cache / "kcost" / "scan"
    deadline = time.monotonic() + 60
    while not list(entries.glob("??/*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    children = _children(running.pid)
    os.kill(running.pid, signal.SIGINT)
    output, error = running.communicate(timeout=20)
    assert running.returncode == 130
    assert (output, "Traceback" in error) == ("", False)
    deadline = time.monotonic() + 10
    while any(map(_is_alive, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(_is_alive, children))
    assert len(found(root, cache)["kernels"]) == 320  # what was done is kept, the rest follows


def _children(pid: int) -> list[int]:
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    return [int(word) for word in listed.stdout.split()]


def _is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_exit_statuses(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    good = tree(tmp_path / "good", {"a.cu": add("k"), "h.h": "int x;", "host.cu": "int y;"})
    bad = tree(tmp_path / "bad", {"a.cu": add("k"), "b.cu": "__global__ void l() { new int; }"})
    assert kcost(good, cache, ".").returncode == 0
    assert kcost(bad, cache, ".").returncode == 1
    assert kcost(bad, cache, "a.cu").returncode == 0
    for wrong in (["nowhere"], [".", "--jobs", "0"], [".", "--budget", "0"], [".", "--gpu", "x9"]):
        done = kcost(good, cache, *wrong)
        assert done.returncode == 2, wrong
        assert done.stdout == ""
        assert "Traceback" not in done.stderr


def test_files_without_a_kernel_are_no_fault(tmp_path: Path) -> None:
    root = tree(
        tmp_path / "tree",
        {
            "empty.cu": "",
            "host.cu": '#include "nowhere.h"\nint main() { return 0; }\n',
            "broken.cu": "int main( { return\n#error no\n",
            "util.cuh": "__device__ float twice(float x) { return 2.0f * x; }\n",
        },
    )
    done = kcost(root, tmp_path / "cache", ".")
    assert done.returncode == 0, done.stdout
    assert "No kernel was found." in done.stdout
    assert "nowhere" not in done.stdout


def test_files_that_cannot_be_read_are_errors(tmp_path: Path) -> None:
    root = tree(tmp_path / "tree", {"a.cu": add("k")})
    (root / "latin.cu").write_bytes(b"// caf\xe9\n" + add("l").encode())
    (root / "binary.cu").write_bytes(b"\x7fELF\0\0")
    result = found(root, tmp_path / "cache")
    assert names(result) == ["k"]
    assert [one["code"] for one in result["diagnostics"]] == ["K104", "K105"]
    assert result["summary"]["others"][0]["count"] == 1


def test_names_that_no_kernel_has_are_told(tmp_path: Path) -> None:
    root = tree(tmp_path / "tree", {"a.cu": add("k")})
    done = kcost(root, tmp_path / "cache", ".", "-D", "m=4", "--set", "trips@9=3")
    assert done.returncode == 0
    assert "-D: no kernel has the parameter 'm'" in done.stderr
    assert "--set: no kernel has the unknown 'trips@9'" in done.stderr
