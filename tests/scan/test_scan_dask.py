"""Scans on a real cluster of dask.distributed, whose workers are processes on this machine."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scanning import add, found, kcost, names, scan_with, tree

from estimator.scan import cluster as cluster_module
from estimator.scan.cluster import ClusterError, connected
from estimator.scan.spread import on_cluster

distributed = pytest.importorskip("distributed")

BREAKING = Path(__file__).with_name("breaking.py")
FILES = {f"f{n:02}.cu": add(f"a{n}", f"b{n}") for n in range(5)}


@pytest.fixture
def address() -> Iterator[str]:
    """The scheduler of a cluster with two workers."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None
    ) as cluster:
        cluster.wait_for_workers(2, timeout=120)
        yield cluster.scheduler_address


def never(error: Exception) -> None:
    raise AssertionError("the cluster failed") from error


def break_processes(breaking: str, python: str) -> None:
    from estimator.scan import process

    process.command = lambda: [python, breaking]


def test_a_cluster_gives_the_same_as_this_machine(tmp_path: Path, address: str) -> None:
    root, cache = tree(tmp_path / "tree", FILES), tmp_path / "cache"
    tree(root, {"inc/k.cuh": add("k").replace("2.0f", "F"), "k.cu": '#include "k.cuh"\n'})
    arguments = ("--gpu", "l40s", "-I", "inc", "--macro", "F=3.0f")
    expected = found(root, tmp_path / "other", *arguments)
    assert len(names(expected)) == 11
    assert found(root, cache, *arguments, "--dask", address) == expected
    # What the cluster found is kept here: no cluster is needed for what is known.
    assert found(root, cache, *arguments) == expected


def test_kernels_that_hang_or_crash_on_a_worker(tmp_path: Path, address: str) -> None:
    tree(tmp_path, {**FILES, "bad.cu": add("first", "hangs", "crashes", "last")})
    with connected(address) as client:
        client.run(break_processes, str(BREAKING), sys.executable)
        report = scan_with(tmp_path, lambda tasks, _: on_cluster(tasks, client, 1, never), 2)
    assert {kernel.name: kernel.reason.code for kernel in report.lost} == {
        "hangs": "K310",
        "crashes": "K311",
    }
    assert len(report.rows) == 12


def test_a_worker_that_dies_loses_nothing(tmp_path: Path, address: str) -> None:
    tree(tmp_path, {f"{n}.cu": add(f"busy_{n}", f"busy_too_{n}") for n in range(8)})
    with connected(address) as client:
        client.run(break_processes, str(BREAKING), sys.executable)
        (victim, *_) = client.run(os.getpid).values()
        killed: list[int] = []

        def on_progress(done: int, total: int) -> None:
            if done == 3 and not killed:
                killed.append(victim)
                os.kill(victim, signal.SIGKILL)

        report = scan_with(
            tmp_path, lambda tasks, _: on_cluster(tasks, client, 1, never), 60, on_progress
        )
    assert killed
    assert len(report.rows) == 16
    assert report.complete


def test_a_cluster_that_dies_is_gone_on_without(tmp_path: Path) -> None:
    tree(tmp_path, FILES)
    told: list[Exception] = []
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        cluster.wait_for_workers(1, timeout=120)
        with connected(cluster.scheduler_address) as client:

            def on_progress(done: int, total: int) -> None:
                if done == 2:
                    cluster.close()

            report = scan_with(
                tmp_path,
                lambda tasks, _: on_cluster(tasks, client, 1, told.append),
                60,
                on_progress,
            )
    assert len(told) == 1
    assert len(report.rows) == 10


def test_workers_with_another_kcost_are_refused(address: str) -> None:
    def other(dask_worker: Any) -> None:
        import estimator.fingerprint

        if dask_worker.name == 1:
            estimator.fingerprint.fingerprint = lambda: "another"

    with distributed.Client(address, set_as_default=False) as client:
        client.run(other)
    with pytest.raises(ClusterError, match="1 of 2 workers have another kcost"), connected(address):
        pass


def test_no_scheduler_is_wrong_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "_CONNECT_S", 1)
    start = time.monotonic()
    with pytest.raises(ClusterError, match="no Dask scheduler"), connected("tcp://127.0.0.1:1"):
        pass
    with pytest.raises(ClusterError, match="no Dask scheduler"), connected("what is this"):
        pass
    assert time.monotonic() - start < 30
    done = kcost(tmp_path, tmp_path / "cache", ".", "--dask", "nonsense://x")
    assert done.returncode == 2
    assert "--dask" in done.stderr
    assert "Traceback" not in done.stderr
